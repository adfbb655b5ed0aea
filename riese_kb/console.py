"""What all commands share: exit statuses, what standard output can carry, and how results and complaints get there."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from riese_kb.question import Question
    from riese_kb.typeset import Paper

READ, FOUND, UNREADABLE, UNDECIDED, DEFECT, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 70, 130, 141
"""Exit statuses."""

COLOURS = ("auto", "always", "never")
"""When to write in colours."""


def complain(message: str) -> None:
    """Say something on standard error, whatever characters it can carry."""
    stream = sys.stderr
    text = f"riese-kb: {message}\n"
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


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


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Say on standard error how far a long command is, in one line that is gone in the end; only at a terminal."""
    show = sys.stderr is not None and sys.stderr.isatty()

    def say_so(step: str) -> None:
        if show:
            sys.stderr.write(f"\r\033[K{step} …")
            sys.stderr.flush()

    try:
        yield say_so
    finally:
        if show:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


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


def document(data: Any) -> str:
    """Plain data as one JSON document."""
    import json

    return json.dumps(data, ensure_ascii=False, indent=2)


def say_all(lines: Iterable[str]) -> None:
    """Results, line by line as they come."""
    for line in lines:
        say(line)


LANGUAGES = ("en", "de")
"""What answers about boards of rings can be given in."""


def ask_one(
    board: str, question: str, as_json: bool, ascii: bool, colour: str, lang: str | None = None, svg: str | None = None
) -> int:
    """Answer one question; ``lang`` is the language of the answer where it is not that of the question.

    ``svg`` names the file for its picture; with ``-`` the picture is the result, in place of text or JSON.
    """
    from riese_kb.asking import ask
    from riese_kb.teamfile import load_sheet

    with _waiting():
        answer = ask(load_sheet(board), question if lang is None else _asked(question, lang))
        if svg == "-":
            result = answer.svg().rstrip("\n")
        elif as_json:
            result = document(answer.to_json())
        else:
            from riese_kb.text import render

            sheet = paper(colour, ascii)
            result = render(answer, colour=sheet.colour, ascii=sheet.ascii, width=sheet.width)
    if svg is not None and svg != "-":
        from riese_kb.svg import save

        save(answer, svg)
    if as_json or svg == "-":
        say_data(result)
    else:
        say(result)
    return READ


@contextmanager
def _waiting() -> Iterator[None]:
    """At a terminal, say after a while that an answer is on its way."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from threading import Timer

    said = []

    def say_so() -> None:
        said.append(sys.stderr.write("still working it out; Ctrl-C stops …"))
        sys.stderr.flush()

    timer = Timer(2, say_so)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if said:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def _asked(question: str, lang: str) -> Question:
    """The question, to be answered in that language."""
    from msgspec.structs import replace

    from riese_kb.language import parse_question

    return replace(parse_question(question), language=lang)
