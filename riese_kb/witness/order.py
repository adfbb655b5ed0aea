"""The order of witnesses: which of two boards is the smaller one."""

from __future__ import annotations

from typing import NamedTuple

from riese_kb.board import Board, Terrain


class Size(NamedTuple):
    """What counts, in this order; ``docs/witness.md`` says it in words."""

    figures: int
    features: int
    """Squares that are not clear, edges that are not open, markers."""
    area: int


def size_of(board: Board) -> Size:
    """How large a board is."""
    ground = sum(kind is not Terrain.CLEAR for kind in board.terrain.values())
    return Size(len(board.figures), ground + len(board.edges) + len(board.markers), board.width * board.height)
