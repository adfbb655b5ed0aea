"""Where an NPC can go: the steps that the logic leaves open, and how many moves its ways take.

What stands in the way is law (``npc_movement.lp``); counting moves along what is left is arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from msgspec import Struct

from riese_kb.board import Figure, Square
from riese_kb.draft import matters
from riese_kb.facts import MOVES, SIDES, Name, fact
from riese_kb.position import Position, Terms
from riese_kb.question import Exit, Npc
from riese_kb.worlds import Derived, Steps, World

OBJECTIVE = Name("objective")
"""What an NPC goes to where that is no enemy."""


class Step(NamedTuple):
    """One step: where from and to, how many moves it takes, and whether it is a diagonal (1) or not (0)."""

    start: Square
    end: Square
    cost: int
    diagonal: int


class Ways(Struct, frozen=True):
    """What the logic says about the map for one NPC.

    ``dear`` steps take a move more, as those do that open doors (``doorways``); ``beside`` names for each square the
    enemies beside it.
    """

    ground: frozenset[Square]
    closed: frozenset[Square]
    barred: frozenset[tuple[Square, Square]]
    heavy: frozenset[Square]
    dear: frozenset[tuple[Square, Square]]
    doorways: frozenset[tuple[Square, Square]]
    filled: frozenset[Square]
    shunned: Mapping[Square, frozenset[str]]
    beside: Mapping[Square, frozenset[str]]
    objective: Square | None
    matters: frozenset[str]

    def steps(self, start: Square) -> Iterator[Step]:
        """The open steps from a square."""
        for step in self._around(start, 1):
            if step.end not in self.closed:
                yield step

    def _steps_to(self, end: Square) -> Iterator[Step]:
        yield from self._around(end, -1)

    def _around(self, here: Square, way: int) -> Iterator[Step]:
        x, y = here
        for index, (dx, dy) in enumerate(MOVES):
            there = (x + dx, y + dy)
            start, end = (here, there) if way > 0 else (there, here)
            outside = end not in self.ground
            if start not in self.ground or (start, end) in self.barred or (outside and (end != self.objective or index % 2)):
                continue
            yield Step(start, end, 1 + ((start, end) in self.dear) + (end in self.heavy), index % 2)

    def lengths(self, goal: str, own: Square) -> dict[tuple[Square, int], int]:
        """Moves to a goal from every square, by the diagonals that are left: 0 beside the enemy or on the objective.

        Its ``own`` square counts even where it would not step onto it.
        """
        if goal is OBJECTIVE:
            ends = [self.objective] if self.objective is not None else []
        else:
            ends = [square for square, enemies in self.beside.items() if goal in enemies and square not in self.closed]
        found = {(own, left): 0 for left in (0, 1) if own in self.closed and goal in self.beside.get(own, ())}
        queue = [(0, end, left) for end in ends for left in (0, 1)]
        near = set(ends)
        while queue:
            length, square, left = heappop(queue)
            if (square, left) in found:
                continue
            found[square, left] = length
            if square not in near and (square in self.closed or self.shunned.get(square, frozenset()) - {goal}):
                continue
            for step in self._steps_to(square):
                before = left + step.diagonal
                if before <= 1 and (step.start, before) not in found:
                    heappush(queue, (length + step.cost, step.start, before))
        return found

    def reach(self, starts: Iterable[Square], moves: int) -> set[Square]:
        """Every square that so many moves can come to, diagonals counted no dearer: an upper bound."""
        found = set(starts)
        edge = set(found)
        for _ in range(moves):
            edge = {step.end for square in edge for step in self.steps(square)} - found
            found |= edge
        return found


def ways_of(position: Position, about: Npc, figure: Figure, weapon: str, terms: Terms) -> Steps[Ways]:
    """Ask the logic about the whole map once."""
    objective = _square(about.to) if about.to is not None else None

    def facts(world: int) -> str:
        parts = [fact("turn_of", world, figure.id), fact("bears", world, Name(weapon))]
        if about.doors:
            parts.append(fact("opens_doors", world))
        return "".join(parts)

    (derived,) = yield [World(position, "npc_steps", terms, facts)]
    return Ways(
        frozenset(square for square in position.board.terrain if square in position.ground),
        frozenset(derived.values("closed")),
        frozenset((p, q) for p, q in (*derived["barred"], *derived["squeezed"])),
        frozenset(derived.values("heavy")),
        frozenset((p, q) for p, q in derived["dear"]),
        frozenset((p, q) for p, q in derived["doorway"]),
        frozenset(derived.values("filled")),
        _by_square(derived, "shunned"),
        _by_square(derived, "beside"),
        objective,
        matters(derived),
    )


def _by_square(derived: Derived, predicate: str) -> dict[Square, frozenset[str]]:
    found: dict[Square, set[str]] = {}
    for who, square in derived[predicate]:
        found.setdefault(square, set()).add(str(who))
    return {square: frozenset(ids) for square, ids in found.items()}


def _square(to: Square | Exit) -> Square:
    if isinstance(to, Exit):
        dx, dy = SIDES[to.side]
        return to.square[0] + dx, to.square[1] + dy
    return to
