"""How far movement points carry a hero over open ground: what lies beyond need not be looked at.

A bound, not an answer: the numbers come from the logic (``queries/range.lp``), once for each mode and number of points.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from riese_kb.board import Declared, Facing, Square, System
from riese_kb.facts import DIRECTION, Name, fact
from riese_kb.program import program
from riese_kb.pruning import shapes_of
from riese_kb.solver import run
from riese_kb.store import kept


@cache
def ranges(system: System, declared: Declared, points: int, facing: Facing) -> Mapping[Square, int]:
    """Where a hero at (0, 0) can come with so many movement points, and how many it takes at least.

    The prices of plain steps are in force; skills that give steps away are not counted. Empty where the mode has no steps.
    """
    quarters = DIRECTION[facing] // 2
    return {_turned((x, y), quarters): n for x, y, n in _open_ground(system, declared, points)[0]}


@cache
def plain_prices(system: System) -> frozenset[str]:
    """The rules that price plain steps and turns."""
    return frozenset(_open_ground(system, Declared.WALKING, 1)[1])


@cache
def bounds(system: System) -> frozenset[str]:
    """The rules that must be in force for ``ranges`` to bound a search."""
    return frozenset(_open_ground(system, Declared.WALKING, 1)[2])


@cache
def _open_ground(system: System, declared: Declared, points: int) -> tuple[list[tuple[int, int, int]], list[str], list[str]]:
    law = program(system, "range")
    facts = fact("world", 0) + fact("mode", 0, Name(declared)) + fact("radius", 0, points)

    def make() -> tuple[list[tuple[int, int, int]], list[str], list[str]]:
        cut = law.settled(()).cut(shapes_of(facts))
        found = run(cut.text, facts, cut.facts, cut.shown)
        within = [(x, y, n) for _, (x, y), n in found.get("within", [])]
        plain, hangs_on = (sorted({str(rule) for _, rule in found[name]}) for name in ("plain", "hangs_on"))
        return within, plain, hangs_on

    within, plain, hangs_on = kept("range", [*law.sources, __file__], make, declared, str(points))
    return within, plain, hangs_on


def _turned(square: Square, quarters: int) -> Square:
    """A square relative to a hero who faces north, turned clockwise about him."""
    x, y = square
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y
