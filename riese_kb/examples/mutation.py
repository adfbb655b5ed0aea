"""Boards beside the shipped ones: one small change after the other, each asked, towards more of the wished rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from riese_kb.board import Board, Declared, Figure, Kind, Square, Terrain
from riese_kb.examples.smaller import usual
from riese_kb.examples.wish import Case, Judged, asked, judge

_ROUNDS = 3
_STARTS = 3
_ATTEMPTS = 3
"""How often a case is changed further, how many at once, the best first, and how many such lots are tried."""

_CLOSEST = 12
"""Changed cases that are looked at closely."""


def towards(cases: Sequence[Case], wished: Sequence[str], dice: random.Random) -> list[Judged]:
    """Cases in which all the rules decide and no other is broken, found from the given ones; none where that leads nowhere."""
    given = sorted(filter(None, judge([*cases], wished)), key=lambda one: _lacks(one, wished))
    for start in range(0, _STARTS * _ATTEMPTS, _STARTS):
        found = _from(given[start : start + _STARTS], wished, dice)
        if found:
            return found
    return []


def _from(now: list[Judged], wished: Sequence[str], dice: random.Random) -> list[Judged]:
    for _ in range(_ROUNDS):
        tried = [case for one in now for changed in _mutants(one.case, dice) if (case := usual(changed)) is not None]
        found = [*now, *filter(None, judge(_naming(tried, wished), wished))]
        found.sort(key=lambda one: _lacks(one, wished))
        if found and _lacks(found[0], wished) == (0, 0):
            return [one for one in found if _lacks(one, wished) == (0, 0)]
        now = found[:_STARTS]
    return []


def _naming(cases: Sequence[Case], wished: Sequence[str]) -> list[Case]:
    """The cases whose reasons name most of the rules: only these are asked again without each."""
    named = [(case, reasons) for case, reasons in zip(cases, asked(cases), strict=True) if reasons is not None]
    named.sort(key=lambda pair: (-len(pair[1].rules & {*wished}), len(pair[1].broken - {*wished})))
    return [case for case, _ in named[:_CLOSEST]]


def _lacks(one: Judged, wished: Sequence[str]) -> tuple[int, int]:
    """How many wished rules do not decide, and how many others are broken."""
    return sum(one.roles.get(rule) is None for rule in wished), len(one.reasons.broken - {*wished})


def _mutants(case: Case, dice: random.Random) -> Iterator[Case]:
    board, question = case
    if not isinstance(board, Board):
        return
    about: Any = question.about
    for field, values in (
        ("declared", (Declared.WALKING, Declared.RUNNING, Declared.STATIONARY)),
        ("covering", (True, False)),
    ):
        if hasattr(about, field):
            yield from ((board, replace(question, about=replace(about, **{field: value}))) for value in values)
    yield replace(board, darkness=not board.darkness), question
    taken = {figure.at for figure in board.figures}
    free = [square for square, kind in board.terrain.items() if kind is Terrain.CLEAR and square not in taken]
    for square in dice.sample(sorted(free), min(len(free), 8)):
        yield from ((replace(board, terrain={**board.terrain, square: kind}), question) for kind in _GROUND)
        yield replace(board, figures=(*board.figures, _somebody(board, square, Kind.HERO))), question
        yield replace(board, figures=(*board.figures, _somebody(board, square, Kind.ZOMBIE))), question
    for figure in board.figures:
        for square in dice.sample(sorted(free), min(len(free), 3)):
            moved = tuple(replace(f, at=square) if f.id == figure.id else f for f in board.figures)
            yield replace(board, figures=moved), question


_GROUND = (Terrain.HINDERING, Terrain.OBSTRUCTIVE, Terrain.FIRE)


def _somebody(board: Board, at: Square, kind: Kind) -> Figure:
    letter = "z" if kind is Kind.ZOMBIE else "hero"
    number = next(n for n in range(1, 99) if board.figure(f"{letter}{n}") is None)
    return Figure(id=f"{letter}{number}", kind=kind, at=at)
