"""A result of a search as text and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from riese_kb.language import format_question
from riese_kb.teamfile import format_sheet
from riese_kb.text import render
from riese_kb.typeset import Paper, counted, wrap
from riese_kb.witness.guess import Found
from riese_kb.witness.replay import Reply, answers, difference
from riese_kb.witness.search import Outcome, Result
from riese_kb.witness.sides import Pair, Side

SIDE_BY_SIDE = 96
"""Columns from which two answers stand beside each other."""
FILE = "witness.board.toml"


def lines(pair: Pair, result: Result, paper: Paper, file: str | None = None) -> Iterator[str]:
    """The outcome; with a witness, what differs, the passages, both answers, and the board to keep."""
    names = " and ".join(side.label for side in pair.sides)
    yield paper.bold(f"{result.outcome.capitalize()}: {names}")
    yield ""
    yield from wrap(f"Point: {pair.about}", paper.width)
    yield from wrap(f"In the book: {'; '.join(pair.passages)}", paper.width)
    yield from wrap(f"{'Searched' if result.outcome is Outcome.SAME else 'Bound'}: {result.bound}.", paper.width)
    if result.found is None:
        return
    yield from wrap(f"Smallest: {_proved(result)}", paper.width)
    one, other = answers(pair, result.found.board, result.found.question)
    yield ""
    yield from wrap(difference(pair, one, other), paper.width)
    yield ""
    yield from _beside(one, other, paper)
    yield ""
    yield "The board"
    yield ""
    yield from format_sheet(result.found.board).splitlines()
    yield ""
    yield "To ask it again"
    yield ""
    if pair.games:
        yield f"riese-kb compare {shlex.quote(file or FILE)} {shlex.quote(format_question(result.found.question))}"
        return
    for side in pair.sides:
        yield f"riese-kb ask {shlex.quote(file or FILE)} {shlex.quote(asked(result.found, side))}"


def asked(found: Found, side: Side) -> str:
    """The question under one law, in words."""
    return format_question(side.asks(found.question))


def _proved(result: Result) -> str:
    assert result.found is not None
    if result.found.size is None:
        return "a team has no size; nothing less said of it would do."
    figures, features, area = result.found.size
    here = f"{counted(figures, 'figure')}, {counted(features, 'feature')}, {counted(area, 'square')}"
    return f"{here}; nothing before it in the order: {'proved' if result.minimal else 'not proved'}."


def _beside(one: Reply, other: Reply, paper: Paper) -> Iterator[str]:
    if paper.width < SIDE_BY_SIDE:
        yield from _rendered(one, paper, paper.width)
        yield ""
        yield from _rendered(other, paper, paper.width)
        return
    half = (paper.width - 3) // 2
    bar = "|" if paper.ascii else "│"
    sides = [_rendered(reply, paper, half) for reply in (one, other)]
    column = max(half, *map(len, sides[0]))
    for left, right in zip_longest(*sides, fillvalue=""):
        yield f"{left:{column}} {bar} {right}".rstrip()


def _rendered(reply: Reply, paper: Paper, width: int) -> list[str]:
    return [*wrap(reply, width)] if isinstance(reply, str) else render(reply, ascii=paper.ascii, width=width).splitlines()


def to_json(pair: Pair, result: Result) -> dict[str, Any]:
    """The same as plain data."""
    data: dict[str, Any] = {
        "outcome": str(result.outcome),
        "about": pair.about,
        "passages": list(pair.passages),
        "sides": [side.label for side in pair.sides],
        "bound": result.bound,
        "seconds": round(result.seconds, 1),
    }
    if result.found is None:
        return data
    board = result.found.board
    one, other = answers(pair, board, result.found.question)
    return data | {
        "minimal": "proved" if result.minimal else "not proved",
        "size": result.found.size._asdict() if result.found.size is not None else None,
        "board": format_sheet(board),
        "ask": [asked(result.found, side) for side in pair.sides],
        "difference": difference(pair, one, other),
        "answers": [{"error": reply} if isinstance(reply, str) else reply.to_json() for reply in (one, other)],
    }
