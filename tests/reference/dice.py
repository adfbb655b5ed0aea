"""Attacks, throws and rolls played out die by die, as at a table; nothing here knows of odds.

``play`` rolls one attack with the dice it is given; ``every`` gives it every run of dice there is, with its chance, and
``often`` random ones. ``best`` tries every decision after every die. The law is that of ``attacks`` beside this file.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from dataclasses import replace as with_
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from riese_kb.board import Board, Figure, Kind
from riese_kb.question import AttackType

from .attacks import Shot, basic_values, dodges, figures, hurt, in_front, modifiers, rate_of_fire, stun_of
from .sight import lof
from .terrain import health, powers
from .throwing import CARDS, Card, victims

Roll = Callable[[], int]


@dataclass
class Table:
    """What is on the table during an attack."""

    board: Board
    wounds: dict[str, int] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    emptied: bool = False
    strayed: bool = False
    known: dict[Any, tuple[int, int, str | None]] = field(default_factory=dict)
    """The numbers of boards and shots seen before, so that millions of games do not look them up."""

    def numbers(self, board: Board, shot: Shot) -> tuple[int, int, str | None]:
        """Modified stun and wound, and the first figure in between."""
        key = (board.figures, shot)
        if key not in self.known:
            self.known[key] = (*needed(board, shot), first_between(board, shot))
        return self.known[key]


Choose = Callable[[Table, str, int, list[str]], str]
"""The next target: the table, the last target, how many dice are left, the targets allowed."""


def needed(board: Board, shot: Shot) -> tuple[int, int]:
    """Modified stun and wound."""
    values = basic_values(shot)
    assert values is not None
    modifier = sum(modifiers(board, shot, None).values())
    return values[0] + modifier, values[1] + modifier


def first_between(board: Board, shot: Shot) -> str | None:
    hero, target = figures(board, shot)
    passed = lof(board, hero.at, target.at, None)["intervening"]
    return passed[0] if passed else None


def neighbours(start: Board, board: Board, shot: Shot, last: str) -> list[str]:
    """Whom the next die of spread fire may be rolled at: the last target, or a figure beside its square, diagonals too."""
    here, hero = start.figure(last), board.figure(shot.hero)
    assert here is not None
    assert hero is not None
    near = [
        f.id
        for f in board.figures
        if f.kind in (Kind.ZOMBIE, Kind.NPC)
        and f.id != last
        and f.id != shot.hero
        and any(first.id == f.id and first.kind is not Kind.HERO for first in start.figures)
        and max(abs(f.at[0] - here.at[0]), abs(f.at[1] - here.at[1])) == 1
        and in_front(hero, f, None)
        and lof(board, hero.at, f.at, None)["verdict"] == "clear"
    ]
    return [last, *near]


def strike(table: Table, figure: Figure, wound: bool, roll: Roll) -> None:
    """A hit, with the further dice that it may call for."""
    if dodges(table.board, figure) and roll() >= 9:
        return
    human = figure.kind is not Kind.ZOMBIE
    if not wound and not human and "thick-skin" in powers(figure):
        return
    if wound and not human and "thick-skin" in powers(figure) and roll() <= 2:
        wound = False
    if wound or human:
        table.wounds[figure.id] = table.wounds.get(figure.id, 0) + 1
        if health(figure) <= 1:
            return _ends(table, figure, 1, roll, popped=False)
        stunned, popped = (False, False) if human else stun_of(figure)
        if popped:
            return _ends(table, figure, 1, roll, popped=True)
        table.board = hurt(table.board, figure, 1, stunned, False)
        return None
    stunned, popped = stun_of(figure)
    if popped:
        return _ends(table, figure, 0, roll, popped=True)
    table.board = hurt(table.board, figure, 0, stunned, False)
    return None


def _ends(table: Table, figure: Figure, wounds: int, roll: Roll, popped: bool) -> None:
    """A figure is destroyed; what blows up with it does so at once."""
    table.gone.add(figure.id)
    table.board = hurt(table.board, figure, wounds, False, True)
    if figure.kind is Kind.ZOMBIE and not popped and "faust" in powers(figure):
        _blast(table, figure, CARDS["Grenade"], roll)
    if popped and "fluchtig" in powers(figure) and roll() <= 6:
        _blast(table, figure, FLUCHTIG, roll)


FLUCHTIG = Card("Flüchtig", 5, 6, 2)


def _blast(table: Table, figure: Figure, card: Card, roll: Roll) -> None:
    """One die for everybody near enough who is still there."""
    for id in victims(table.board, figure.at, card, None):
        victim = table.board.figure(id)
        face = roll()
        if id in table.gone or victim is None or face == 1 or face < card.stun:
            continue
        if face >= card.wound or victim.kind is not Kind.ZOMBIE or "stunned" not in victim.status:
            strike(table, victim, face >= card.wound, roll)


def one_die(table: Table, start: Board, shot: Shot, roll: Roll, again: frozenset[int] = frozenset()) -> None:
    """The next die, rolled at the target of the shot wherever it stood at first."""
    dead = shot.target in table.gone
    board = table.board
    if dead:  # the die is rolled all the same, along the same line
        risen = tuple(f for f in board.figures if f.id != shot.target)
        board = replace(board, figures=(*risen, start.figure(shot.target)))
    stun, wound, between = table.numbers(board, shot)
    face = roll()
    if face in again and not dead:
        face = roll()
    if face == 1:
        table.emptied = True
    elif face >= min(stun, wound) and not dead:
        target = table.board.figure(shot.target)
        assert target is not None
        # Only what would change something is dodged; a stun of a stunned zombie changes nothing.
        if face >= wound or "stunned" not in target.status or target.kind is not Kind.ZOMBIE:
            strike(table, target, face >= wound, roll)
    if face == 2 and between is not None and not table.strayed:
        table.strayed = True
        victim = table.board.figure(between)
        assert victim is not None
        strike(table, victim, True, roll)


def play(
    board: Board,
    shot: Shot,
    roll: Roll,
    choose: Choose | None = None,
    again: frozenset[int] = frozenset(),
    known: dict[Any, tuple[int, int, str | None]] | None = None,
) -> Table:
    """One whole attack."""
    table = Table(board, known={} if known is None else known)
    target = shot.target
    dice = rate_of_fire(shot)
    for number in range(dice):
        if number and choose is not None and shot.type is AttackType.SPREAD:
            may = [id for id in neighbours(board, table.board, shot, target) if id == target or id not in table.gone]
            target = choose(table, target, dice - number, may)
        one_die(table, board, with_(shot, target=target), roll, again)
    return table


# --- all runs of dice, and random ones -------------------------------------------------------------------------------


class _MoreDice(Exception):
    pass


def every(game: Callable[[Roll], Table], sides: int = 12) -> Iterator[tuple[Fraction, Table]]:
    """Every way the dice can fall: those that a game asks for, one more as long as it asks."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        given = waiting.pop()
        left = iter(given)

        def roll(left: Iterator[int] = left) -> int:
            try:
                return next(left)
            except StopIteration:
                raise _MoreDice from None

        try:
            table = game(roll)
        except _MoreDice:
            waiting += [(*given, face) for face in range(1, sides + 1)]
            continue
        yield Fraction(1, sides ** len(given)), table


def often(game: Callable[[Roll], Table], times: int, seed: str) -> Iterator[Table]:
    """The game so many times, with dice that a seed decides."""
    source = random.Random(seed)
    for _ in range(times):
        yield game(lambda: source.randint(1, 12))


def tolerance(chance: Fraction, times: int) -> float:
    """Five standard deviations of a share among so many games: wrong once in about two million comparisons."""
    p = float(chance)
    return float(5 * (p * (1 - p) / times) ** 0.5 + 1 / times)


# --- the best decisions ----------------------------------------------------------------------------------------------


def best(board: Board, shot: Shot) -> Fraction:
    """The most enemies that can be destroyed on average by the best switching: every decision after every run of dice."""
    heroes = {f.id for f in board.figures if f.kind is Kind.HERO}
    known: dict[Any, tuple[int, int, str | None]] = {}

    seen: dict[Any, Fraction] = {}

    def ahead(now: Board, gone: frozenset[str], strayed: bool, target: str, left: int) -> Fraction:
        if not left:
            return Fraction(len(gone - heroes))
        key = (now.figures, gone, strayed, target, left)
        if key not in seen:
            may = [target]
            if left < rate_of_fire(shot):
                may = [id for id in neighbours(board, now, shot, target) if id == target or id not in gone]
            seen[key] = max(one(now, gone, strayed, id, left) for id in may)
        return seen[key]

    def one(now: Board, gone: frozenset[str], strayed: bool, target: str, left: int) -> Fraction:
        def game(roll: Roll) -> Table:
            table = Table(now, gone=set(gone), strayed=strayed, known=known)
            one_die(table, board, with_(shot, target=target), roll)
            return table

        return sum((p * ahead(t.board, frozenset(t.gone), t.strayed, target, left - 1) for p, t in every(game)), Fraction(0))

    return ahead(board, frozenset(), False, shot.target, rate_of_fire(shot))
