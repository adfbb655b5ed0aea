"""Exact line geometry: which squares and edges the segment between two square centres passes.

Integers only, so that nothing is decided by rounding. What it means to pass something is the logic's business.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from riese_kb.board import Square


class Pass(Struct, frozen=True):
    """One move of the line from ``here`` to ``there``: over their common edge, or exactly through a corner between
    ``left`` and ``right`` (the two squares that it only touches; None when an edge is passed).
    """

    here: Square
    there: Square
    left: Square | None = None
    right: Square | None = None


@lru_cache(maxsize=65536)
def passes(start: Square, end: Square) -> tuple[Pass, ...]:
    """The squares of the line in order, as the passes from one to the next.

    After ``i`` columns and ``j`` rows the line leaves the square through its vertical edge when
    ``(2i+1)·|dy| < (2j+1)·|dx|``, through its horizontal edge when it is greater, and through the corner when equal.
    """
    return tuple(_walk(start, end))


def _walk(start: Square, end: Square) -> Iterator[Pass]:
    (x, y), (u, v) = start, end
    wide, tall = abs(u - x), abs(v - y)
    step_x, step_y = (1 if u > x else -1), (1 if v > y else -1)
    i = j = 0
    while (i, j) != (wide, tall):
        here = (x + i * step_x, y + j * step_y)
        across, along = (2 * i + 1) * tall, (2 * j + 1) * wide
        if across == along:
            beside = ((here[0] + step_x, here[1]), (here[0], here[1] + step_y))
            i, j = i + 1, j + 1
            yield Pass(here, (x + i * step_x, y + j * step_y), *beside)
        else:
            if across < along:
                i += 1
            else:
                j += 1
            yield Pass(here, (x + i * step_x, y + j * step_y))


def inside(start: Square, end: Square) -> tuple[Square, ...]:
    """The squares strictly between the two ends whose inside the line passes, in order."""
    return tuple(p.there for p in passes(start, end)[:-1])
