"""BERSERKER in the middle of the zombie turn: the boards that a wounded hero may leave behind.

What the hero may do is asked like any other question, on a board that shows the turn as far as it has come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from riese_kb import tables
from riese_kb.board import Board, Facing, Figure, Kind, Square
from riese_kb.draft import Verdict
from riese_kb.facts import SIDES
from riese_kb.kinds.attacking import attempt
from riese_kb.kinds.fallen import after_death
from riese_kb.kinds.footpaths import Prey, Scene
from riese_kb.kinds.ways import berserk
from riese_kb.position import Position, Terms
from riese_kb.question import Attack, AttackType
from riese_kb.worlds import Steps

SKILL = "berserker"


class Toll(NamedTuple):
    """What the turn has cost the living so far."""

    wounds: Mapping[Prey, int]
    given: Mapping[Prey, int]
    """Rescued figures given up."""


class Sequel(NamedTuple):
    """How the turn stands after a rage: the board, its zombies, and which zombie was destroyed, if any."""

    board: Board
    scene: Scene
    destroyed: str | None


def berserkers(board: Board, terms: Terms) -> frozenset[str]:
    """The heroes whom a wound enrages."""
    if f"skill.{SKILL}" in terms.without:
        return frozenset()
    return frozenset(
        f.id
        for f in board.figures
        for name in f.skills
        if tables.skill_id(board.system, name, f.name) == SKILL and name not in f.used
    )


def sequels(
    position: Position, terms: Terms, scene: Scene, waiting: frozenset[str], hero: str, toll: Toll
) -> Steps[list[Sequel]]:
    """Everything that a hero's rage can lead to: where he steps, whom he strikes, and what that does."""
    board = yield from _as_it_stands(position, terms, scene, waiting, hero, toll)
    grips = frozenset(pair for pair in scene.grips if pair[1] != hero)
    scene = scene._replace(locked=scene.locked - {hero}, grips=grips)
    board = replace(board, figures=tuple(replace(f, locks=tuple(id for id in f.locks if id != hero)) for f in board.figures))
    squares = yield from berserk(Position(board), hero, terms)
    start = next(f for f in board.figures if f.id == hero).at
    found: list[Sequel] = []
    for square in (start, *squares):
        there = _with(board, hero, at=square)
        found += yield from _blows(Position(there), terms, scene, hero)
    return found


def _blows(position: Position, terms: Terms, scene: Scene, hero: str) -> Steps[list[Sequel]]:
    """What one hand-to-hand attack of that hero can do, whomever he strikes; nothing happens where he can strike nobody."""
    board = position.board
    x, y = next(f for f in board.figures if f.id == hero).at
    near = {(x + dx, y + dy) for dx, dy in SIDES.values()}
    found: list[Sequel] = []
    struck = False
    for enemy in [f for f in board.figures if f.kind is Kind.ZOMBIE and f.at in near]:
        draft, _ = yield from attempt(position, Attack(hero, enemy.id, type=AttackType.H2H), terms)
        if draft.verdict is not Verdict.LEGAL:
            continue
        struck = True
        found += _results(position, scene, enemy, draft.result["attack"])
    return found if struck else [Sequel(board, scene, None)]


def _results(position: Position, scene: Scene, enemy: Figure, odds: Mapping[str, object]) -> Iterator[Sequel]:
    board = position.board
    health = position.health(enemy) or 1
    wounds = odds["wounds"]
    assert isinstance(wounds, dict)
    for count in sorted(int(number) for number, chance in wounds.items() if chance != "0"):
        if count >= health:
            yield _rid(board, scene, enemy.id, gone=True)
        elif count:
            yield _rid(_with(board, enemy.id, health=health - count), scene, enemy.id)
        else:
            yield Sequel(board, scene, None)
            if "stunned" not in enemy.status and odds.get("left_stunned", "0") != "0":
                yield _rid(board, scene, enemy.id)


def _rid(board: Board, scene: Scene, zombie: str, gone: bool = False) -> Sequel:
    """A zombie is stunned, or gone: whom it held is free."""
    grips = frozenset(pair for pair in scene.grips if pair[0] != zombie)
    locked = scene.locked - {prey for by, prey in scene.grips if by == zombie} | {prey for _, prey in grips}
    scene = scene._replace(locked=locked, grips=grips)
    if gone:
        places = tuple(place for place in scene.places if place[0] != zombie)
        figures = tuple(f for f in board.figures if f.id != zombie)
        return Sequel(replace(board, figures=figures), scene._replace(places=places), zombie)
    status = next(f for f in board.figures if f.id == zombie).status
    return Sequel(_with(board, zombie, status=tuple({*status, "stunned"}), locks=()), scene, None)


def _with(board: Board, id: str, **fields: object) -> Board:
    return replace(board, figures=tuple(replace(f, **fields) if f.id == id else f for f in board.figures))


def _as_it_stands(position: Position, terms: Terms, scene: Scene, waiting: frozenset[str], hero: str, toll: Toll) -> Steps[Board]:
    """The board as the turn has left it. ``waiting``: zombies that are still to act, and keep their stun markers until then."""
    board = position.board
    places = dict(scene.places)
    figures = []
    for figure in board.figures:
        if figure.kind is not Kind.ZOMBIE:
            figures.append(_alive(position, figure, scene, toll, enraged=figure.id == hero))
        elif figure.id in places:
            status = figure.status if figure.id in waiting else tuple(s for s in figure.status if s != "stunned")
            locks = tuple(str(prey) for by, prey in scene.grips if by == figure.id and not isinstance(prey, tuple))
            figures.append(replace(figure, at=places[figure.id], status=status, locks=locks))
    markers = tuple(m for m in board.markers if not (m.kind == "barricade" and ("barricade", m.at) in scene.dead))
    shown = replace(board, figures=tuple(figures), markers=markers)
    if any(figure.health == 0 for figure in figures):
        shown = (yield from after_death(Position(shown), terms)).position.board
    return shown


def _alive(position: Position, figure: Figure, scene: Scene, toll: Toll, *, enraged: bool) -> Figure:
    """Somebody with the health that is left; without health, who has died in the turn."""
    health = position.health(figure)
    left = None if health is None else 0 if figure.id in scene.dead else health - toll.wounds.get(figure.id, 0)
    status = tuple(s for s in figure.status if not (enraged and s in ("attacked", "covering")))
    rescued = figure.rescued - toll.given.get(figure.id, 0)
    facing = _turned(figure, scene, dict(scene.places)) if figure.kind is Kind.HERO else figure.facing
    return replace(figure, health=left, status=status, rescued=rescued, facing=facing)


def _turned(hero: Figure, scene: Scene, places: Mapping[str, Square]) -> Facing | None:
    """Whoever is locked faces the zombie (ZOMBIE ATTACK)."""
    for zombie, prey in sorted(scene.grips, key=str):
        if prey == hero.id and zombie in places:
            x, y = places[zombie]
            for facing, (dx, dy) in SIDES.items():
                if (hero.at[0] + dx, hero.at[1] + dy) == (x, y):
                    return facing
    return hero.facing
