"""Many questions, a JSON line each, to as many answers, a JSON line each (contract, section 3).

Whatever is wrong with a line becomes the answer to that line, with the verdict "error"; nothing stops the rest. Lines
are answered in groups as they arrive, so that a pipe gets its answers while it is still being written.
"""

from __future__ import annotations

import gc
import json
import math
import os
import select
import stat
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain
from typing import Any, Protocol

from msgspec import Struct

from riese_kb.answer import Answer
from riese_kb.asking import AT_ONCE, ask, ask_all
from riese_kb.board import Board
from riese_kb.errors import BoardError, QuestionError, RieseError
from riese_kb.jobs import in_order
from riese_kb.rings import RingBoard
from riese_kb.team import Sheet, Team
from riese_kb.teamfile import load_sheet

LONGEST = 8_000_000
"""Bytes of a line at most."""

MANY = 100
"""Lines that arrive at once from which on several processes are worth starting."""

BOARDS = 64
"""Boards that are kept; those used least recently are read again when they come up again."""

EXAMPLE = '{"id": 1, "board": "drill.board.toml", "ask": "reach nicole running"}'


class Source(Protocol):
    """Where bytes come from: a buffered binary file."""

    def read1(self, size: int, /) -> bytes:
        """What is there, at least one byte, at most ``size``; nothing at the end."""


class Asked(Struct, frozen=True):
    """One line: the id it gave, its question as far as it was read, and the board, or what is wrong with the line."""

    id: Any
    question: Any
    board: Sheet | RieseError


Lines = list[bytes | None]
"""Lines as they came; None stands for one that is too long."""


def answers(source: Source, folder: str, jobs: int = 1) -> Iterator[list[str]]:
    """The answers to the lines of ``source``, group by group; relative boards count from ``folder``.

    In this process while they come one by one, and in ``jobs`` processes as soon as there are many at a time.
    """
    boards = _Boards(folder)
    number = 0
    groups = _groups(source)
    for group in groups:
        if jobs > 1 and len(group) >= MANY:
            yield from _side_by_side(source, folder, jobs, number, chain([group], groups))
            return
        yield _group_answers(group, number, boards)
        number += len(group)


def _side_by_side(source: Source, folder: str, jobs: int, number: int, groups: Iterable[Lines]) -> Iterator[list[str]]:
    """The same in several processes; ``number`` lines came before."""

    def numbered() -> Iterator[tuple[str, int, Lines]]:
        before = number
        for group in groups:
            yield folder, before, group
            before += len(group)

    yield from in_order("riese_kb.batch:answer_group", numbered(), jobs, lambda: _more_waits(source))


def answer_group(job: tuple[str, int, Lines]) -> list[str]:
    """The answers to some lines, in a process that gets many such jobs: their folder, how many lines came before, the lines."""
    folder, before, group = job
    return _group_answers(group, before, _boards_of(folder))


@cache
def _boards_of(folder: str) -> _Boards:
    return _Boards(folder)


def _group_answers(group: Lines, before: int, boards: _Boards) -> list[str]:
    asked = [
        _read(line, number, boards)
        for number, line in enumerate(group, before + 1)
        if line is None or line.strip(b" \t\r\n\xef\xbb\xbf")
    ]
    return [_line(one, answer) for one, answer in zip(asked, _answers(asked), strict=True)]


def _more_waits(source: Source) -> bool:
    """Whether there is more to read at once, so that reading does not keep answers back."""
    try:
        number = source.fileno()  # type: ignore[attr-defined]
        if stat.S_ISREG(os.fstat(number).st_mode):
            return True
        ready, _, _ = select.select([number], [], [], 0)
    except (OSError, ValueError, AttributeError):  # no file, or a system that waits for sockets only
        return False
    return bool(ready)


# --- lines ----------------------------------------------------------------------------------------------------------


def _groups(source: Source) -> Iterator[Lines]:
    """Groups of complete lines, as large as what has arrived."""
    parts: list[bytes] = []
    length = 0
    while block := source.read1(1 << 16):
        first, *more = block.split(b"\n")
        parts.append(first if length <= LONGEST else b"")
        length += len(first)
        if not more:
            continue
        *whole, last = more
        lines = [b"".join(parts) if length <= LONGEST else None, *whole]
        parts, length = [last], len(last)
        for start in range(0, len(lines), AT_ONCE):
            yield lines[start : start + AT_ONCE]
    if length:
        yield [b"".join(parts) if length <= LONGEST else None]


def _read(line: bytes | None, number: int, boards: _Boards) -> Asked:
    """One line as a question; a fault names the line."""
    if line is None:
        return Asked(None, None, QuestionError(f"this is longer than {LONGEST:,} bytes", line=number))
    try:
        data = json.loads(line.decode("utf-8-sig"), parse_constant=_no_number, parse_float=_finite)
    except UnicodeDecodeError:
        return Asked(None, None, QuestionError("this is not UTF-8 text", line=number))
    except (ValueError, RecursionError) as fault:
        what = f"this is not JSON: {fault}" if isinstance(fault, json.JSONDecodeError) else "this is not JSON"
        return Asked(None, None, QuestionError(what, fix=f"a line looks like {EXAMPLE}", line=number))
    if not isinstance(data, dict):
        return Asked(None, None, QuestionError("this is no JSON object", fix=f"a line looks like {EXAMPLE}", line=number))
    id, question = data.get("id"), data.get("ask")
    missing = [key for key in ("id", "board", "ask") if key not in data]
    if missing:
        what = f"this has no {' and no '.join(json.dumps(key) for key in missing)}"
        return Asked(id, question, QuestionError(what, fix=f"a line looks like {EXAMPLE}", line=number))
    for key in ("board", "ask"):
        if not isinstance(data[key], str):
            return Asked(id, question, QuestionError(f'"{key}" is no text', fix=f"a line looks like {EXAMPLE}", line=number))
    return Asked(id, question, boards.at(data["board"]))


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


class _Boards:
    """The boards that were used last; a board that cannot be read is remembered as its error."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.known: OrderedDict[str, Sheet | RieseError] = OrderedDict()

    def at(self, path: str) -> Sheet | RieseError:
        """The board, or why there is none."""
        if path not in self.known:
            if len(self.known) >= BOARDS:
                self.known.popitem(last=False)
            try:
                self.known[path] = load_sheet(os.path.join(self.folder, path)) if path else BoardError('"board" is empty')
            except RieseError as error:
                self.known[path] = error
        self.known.move_to_end(path)
        return self.known[path]


# --- answers --------------------------------------------------------------------------------------------------------


def _answers(asked: Sequence[Asked]) -> list[Answer | RieseError]:
    """The answers in order. Questions about one board are asked side by side, for they share their work."""
    found: dict[int, Answer | RieseError] = {}
    good: list[tuple[int, Sheet, str]] = []
    for number, one in enumerate(asked):
        if isinstance(one.board, Board | Team | RingBoard):
            good.append((number, one.board, one.question))
        else:
            found[number] = one.board
    good.sort(key=lambda entry: (id(entry[1]), entry[0]))
    replies = _asked([(board, question) for _, board, question in good])
    found.update(zip((number for number, _, _ in good), replies, strict=True))
    return [found[number] for number in range(len(asked))]


def _asked(pairs: Sequence[tuple[Sheet, str]]) -> Iterable[Answer | RieseError]:
    try:
        with _collecting_seldom():
            return list(ask_all(pairs))
    except Exception:  # a defect of ours: it must only cost the question that shows it
        return [_alone(board, question) for board, question in pairs]


@contextmanager
def _collecting_seldom() -> Iterator[None]:
    """Answers are made of many small objects without cycles: looking for garbage among them takes a sixth of the time."""
    usual = gc.get_threshold()
    gc.set_threshold(50_000, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _alone(board: Sheet, question: str) -> Answer | RieseError:
    try:
        return ask(board, question)
    except RieseError as error:
        return error
    except Exception as defect:
        return RieseError(f"a defect of riese-kb, please report it: {type(defect).__name__}: {defect}")


def _line(asked: Asked, answer: Answer | RieseError) -> str:
    """One answer as a line of JSON; an error has the same keys as any answer, and ``error`` besides."""
    if isinstance(answer, Answer):
        data = {"id": asked.id, **answer.to_json()}
    else:
        system = str(asked.board.system) if isinstance(asked.board, Board | Team | RingBoard) else None
        data = {"id": asked.id, "ask": asked.question, "system": system, "verdict": "error", "error": str(answer)}
        data |= {"ledger": [], "violations": [], "result": {}, "instead": [], "readings": []}
    text = json.dumps(data, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair in the id or the question
        text = json.dumps(data)
    return text
