"""``lof … to …``: a line of fire between two figures or squares."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from riese_kb.board import Square, square_name
from riese_kb.draft import Breach, Charge, Draft, Marks, Verdict, charges, matters, place_name
from riese_kb.facts import fact
from riese_kb.geometry import inside
from riese_kb.position import Position, Terms, line_facts, line_squares
from riese_kb.question import Lof, Place
from riese_kb.worlds import Steps, World


def square_of(position: Position, place: Place) -> Square:
    """Where a figure stands, or the square itself."""
    if isinstance(place, tuple):
        return place
    figure = position.board.figure(place)
    assert figure is not None, "questions are resolved against the board before they are asked"
    return figure.at


def lof(position: Position, about: Lof, terms: Terms) -> Steps[Draft]:
    """Is there a line of fire, through which squares, with which modifier?"""
    start, end = square_of(position, about.start), square_of(position, about.end)

    def facts(world: int) -> str:
        return fact("traces", world, start, end)

    (derived,) = yield [World(position, "lof", terms, facts, frozenset(line_squares(start, end)), (line_facts(start, end),))]
    board = position.board
    rows = sorted(derived["violation"], key=lambda row: (row[2], str(row[1])))
    blocked_by = [place_name(where, board) for _, where, _ in rows]
    lines = [replace(line, step=0) for line in sorted(charges(derived, board), key=lambda c: (c.step == 0, c.step))]
    modifier = derived["lof_modifier"][0][2]
    result = {
        "squares": [square_name(s) for s in inside(start, end)],
        "blocked_by": list(dict.fromkeys(blocked_by)),
        "intervening": [str(f) for _, f in sorted(derived["passes"], key=lambda row: (row[0], str(row[1])))],
        "hindering": _hindering(lines),
        "modifier": modifier,
    }
    broken = tuple(Breach(0, str(rule), place_name(where, board)) for rule, where, _ in rows)
    marks = Marks(line=(start, *inside(start, end), end), blocked=tuple(_blocked(where) for _, where, _ in rows))
    verdict = Verdict.BLOCKED if broken else Verdict.CLEAR
    return Draft(verdict, result, tuple(lines), broken, matters(derived), marks)


def _hindering(lines: list[Charge]) -> list[str]:
    """The squares and edges that counted, in the line's order."""
    return [c.at for c in lines if c.amount and c.rule in ("lof.hindering", "lof.hindering-edge")]


def _blocked(where: Any) -> Square | tuple[Square, Square]:
    """Where a picture crosses the line out: a square, or the edge between two."""
    if where[0] == "edge":
        _, here, there = where
        return here, there
    square: Square = where
    return square
