"""The command ``riese-kb``.

Results go to standard output, everything else to standard error. Exit status: 0 answered, 1 a check found something, 2
the question, the board or the text could not be read, 3 undecided. ``main`` answers a plain ``riese-kb ask`` by itself:
the import of click would be felt there. Everything else goes through click.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, TextIO

from riese_kb.console import COLOURS, DEFECT, INTERRUPTED, PIPE_CLOSED, UNDECIDED, UNREADABLE, ask_one, complain
from riese_kb.errors import RieseError, Undecided


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave the process with its status."""
    given = sys.argv[1:] if arguments is None else [*arguments]
    plain = _plain_ask(given)
    if arguments is None and plain is not None:
        gc.disable()  # a process that answers one question is over before it has anything to collect
    # Whoever started us may have closed them.
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    try:
        status = ask_one(*plain) if plain is not None else _run(given)
        sys.stdout.flush()
    except RieseError as error:
        status = UNDECIDED if isinstance(error, Undecided) else UNREADABLE
        complain(str(error))
    except KeyboardInterrupt:
        status = INTERRUPTED
        _let_go()
    except BrokenPipeError:
        status = PIPE_CLOSED
        _let_go()
    except OSError as error:
        status = UNREADABLE
        complain(": ".join(str(part) for part in (error.filename, error.strerror or error) if part))
        _let_go()
    except Exception as defect:
        if os.environ.get("RIESE_KB_DEBUG"):
            raise
        status = DEFECT
        complain(f"this is a defect of riese-kb, please report it: {type(defect).__name__}: {defect}")
        complain("RIESE_KB_DEBUG=1 shows where it happened")
    if not gc.isenabled():
        gc.freeze()  # nor should leaving take long
    sys.exit(status)


def _run(arguments: list[str]) -> int:
    from riese_kb.commands import run

    return run(arguments)


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _let_go() -> None:
    """Nobody reads on, or nobody should: what is still buffered is dropped instead of failing once more at exit."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (OSError, ValueError):
            return


# --- riese-kb ask ---------------------------------------------------------------------------------------------------


def _plain_ask(arguments: list[str]) -> tuple[str, str, bool, bool, str, str | None, str | None] | None:
    """Board, question, json, ascii, colour, language, picture of ``ask BOARD QUESTION…`` as usually spelt; else None."""
    if len(arguments) < 3 or arguments[0] != "ask":
        return None
    words: list[str] = []
    flags = {"--json": False, "--ascii": False}
    colour = "auto"
    svg: str | None = None
    rest = iter(arguments[1:])
    for word in rest:
        if word in flags:
            flags[word] = True
        elif word == "--svg" or word.startswith("--svg="):
            svg = word[6:] if word != "--svg" else next(rest, "")
            if not svg:
                return None
        elif word == "--color" or word.startswith("--color="):
            colour = word[8:] if word != "--color" else next(rest, "")
            if colour not in COLOURS:
                return None
        elif word.startswith("-"):
            return None
        else:
            words.append(word)
    if len(words) < 2:
        return None
    return words[0], " ".join(words[1:]), flags["--json"], flags["--ascii"], colour, None, svg


if __name__ == "__main__":
    main()
