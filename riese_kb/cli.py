"""The command ``riese-kb``.

Results go to standard output, everything else to standard error. Exit status: 0 answered, 1 a check found something, 2
the question, the board or the text could not be read, 3 undecided. ``main`` answers a plain ``riese-kb ask`` without
loading click, which would take as long as the answer; everything else goes through click.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from riese_kb.errors import RieseError, Undecided

if TYPE_CHECKING:
    from riese_kb.typeset import Paper

READ, FOUND, UNREADABLE, UNDECIDED, DEFECT, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 70, 130, 141
"""Exit statuses."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave the process with its status."""
    given = sys.argv[1:] if arguments is None else [*arguments]
    try:
        status = _run(given)
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
        complain(": ".join(part for part in (error.filename, error.strerror or str(error)) if part))
    except Exception as defect:
        if os.environ.get("RIESE_KB_DEBUG"):
            raise
        status = DEFECT
        complain(f"this is a defect of riese-kb, please report it: {type(defect).__name__}: {defect}")
        complain("RIESE_KB_DEBUG=1 shows where it happened")
    sys.exit(status)


def _run(arguments: list[str]) -> int:
    plain = _plain_ask(arguments)
    if plain is not None:
        return ask_one(*plain)
    from riese_kb.commands import run

    return run(arguments)


def _let_go() -> None:
    """Nobody reads on, or nobody should: what is still buffered is dropped instead of failing once more at exit."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (OSError, ValueError):
            return


def complain(message: str) -> None:
    """Say something on standard error, whatever characters it can carry."""
    stream = sys.stderr
    text = f"riese-kb: {message}\n"
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


# --- what is written to ---------------------------------------------------------------------------------------------


def paper(colour: str = "auto", ascii: bool = False) -> Paper:
    """What standard output can carry: its width, colours (``auto``, ``always``, ``never``), and whether only ASCII."""
    from riese_kb.typeset import Paper

    terminal = sys.stdout.isatty()
    return Paper(_width(terminal), _coloured(colour, terminal), ascii or not _carries("▲─·→−×░"))


def _width(terminal: bool) -> int:
    from riese_kb.text import WIDTH

    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        columns = int(told)
    elif terminal:
        try:
            columns = os.get_terminal_size(sys.stdout.fileno()).columns or WIDTH
        except (OSError, ValueError):
            columns = WIDTH
    else:
        columns = WIDTH
    return max(40, min(columns, 120))


def _coloured(colour: str, terminal: bool) -> bool:
    if colour != "auto":
        return colour == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (terminal and os.environ.get("TERM") != "dumb")


def _carries(signs: str) -> bool:
    try:
        signs.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def say(text: str) -> None:
    """A result, for readers: a character that standard output cannot carry becomes an escape."""
    try:
        sys.stdout.write(text + "\n")
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def say_data(text: str) -> None:
    """A result, for programs: UTF-8 whatever the terminal is set to."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(text + "\n")
        return
    sys.stdout.flush()
    buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")


# --- riese-kb ask ---------------------------------------------------------------------------------------------------

COLOURS = ("auto", "always", "never")


def _plain_ask(arguments: list[str]) -> tuple[str, str, bool, bool, str] | None:
    """Board, question, json, ascii, colour of ``ask BOARD QUESTION…`` in its usual spellings; None for all others."""
    if len(arguments) < 3 or arguments[0] != "ask":
        return None
    words: list[str] = []
    flags = {"--json": False, "--ascii": False}
    colour = "auto"
    rest = iter(arguments[1:])
    for word in rest:
        if word in flags:
            flags[word] = True
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
    return words[0], " ".join(words[1:]), flags["--json"], flags["--ascii"], colour


def ask_one(board: str, question: str, as_json: bool, ascii: bool, colour: str) -> int:
    """Answer one question."""
    from riese_kb.ask import ask
    from riese_kb.boardfile import load_board

    answer = ask(load_board(board), question)
    if as_json:
        import json

        say_data(json.dumps(answer.to_json(), ensure_ascii=False, indent=2))
    else:
        from riese_kb.text import render

        sheet = paper(colour, ascii)
        say(render(answer, colour=sheet.colour, ascii=sheet.ascii, width=sheet.width))
    return READ


if __name__ == "__main__":
    main()
