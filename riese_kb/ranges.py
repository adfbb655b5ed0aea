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

    Every rule of the book is in force; skills that give steps away are not counted. Empty where the mode has no steps.
    """
    law = program(system, "range")
    facts = fact("world", 0) + fact("mode", 0, Name(declared)) + fact("radius", 0, points)

    def make() -> list[tuple[int, int, int]]:
        cut = law.settled(()).cut(shapes_of(facts))
        found = run(cut.text, facts, cut.facts, cut.shown).get("within", [])
        return [(x, y, n) for _, (x, y), n in found]

    quarters = DIRECTION[facing] // 2
    return {_turned((x, y), quarters): n for x, y, n in kept("range", [*law.sources, __file__], make, declared, str(points))}


def _turned(square: Square, quarters: int) -> Square:
    """A square relative to a hero who faces north, turned clockwise about him."""
    x, y = square
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y
