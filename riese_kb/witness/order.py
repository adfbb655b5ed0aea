"""The order of witnesses: which of two boards is the smaller one."""

from __future__ import annotations

from typing import NamedTuple

from riese_kb.board import Board, Edge, EdgeKind, Terrain


class Size(NamedTuple):
    """What counts, in this order; ``docs/witness.md`` says it in words."""

    figures: int
    features: int
    """Squares that are not clear, edges that are not open, markers. The wall around the map is part of every map."""
    area: int


def size_of(board: Board) -> Size:
    """How large a board is."""
    ground = sum(kind is not Terrain.CLEAR for kind in board.terrain.values())
    return Size(len(board.figures), ground + len(inner_edges(board)) + len(board.markers), board.width * board.height)


def inner_edges(board: Board) -> list[Edge]:
    """The edges that are not open, but for the wall around the map."""
    return [edge for edge, kind in board.edges.items() if kind is not EdgeKind.WALL or all(one in board.terrain for one in edge)]
