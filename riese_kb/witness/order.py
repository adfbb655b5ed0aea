"""The order of witnesses: which of two boards is the smaller one."""

from __future__ import annotations

from typing import NamedTuple

from riese_kb.board import Board, Edge, EdgeKind, Terrain
from riese_kb.rings import RingBoard
from riese_kb.team import Sheet


class Size(NamedTuple):
    """What counts, in this order; ``docs/witness.md`` says it in words."""

    figures: int
    features: int
    """Squares that are not clear, edges that are not open, markers. The wall around the map is part of every map."""
    area: int


NOTHING = Size(0, 0, 1)
"""Nothing comes before an empty square."""
_ONE, _TWO = Size(1, 0, 1), Size(2, 0, 2)
FLOORS = {
    **dict.fromkeys(("can", "reach", "range", "carry", "zombie", "zombie_steps", "npc", "npc_steps", "npc_attack"), _ONE),
    **dict.fromkeys(("throw", "targets", "npc_targets", "blast", "blast_effect", "aftermath", "flame"), _ONE),
    **dict.fromkeys(("attack", "break_lock"), _TWO),
}
"""By program under ``queries/`` the least board that it can be asked about: whoever acts stands somewhere, and so does a target;
of an explosion victims alone are told. Programs that are not named need nobody.
"""


def size_of(sheet: Sheet) -> Size | None:
    """How large a board is; of rings, symbols are features and the number of rings is the area. A team has no size."""
    if isinstance(sheet, RingBoard):
        symbols = sum(bool(ring.modifiers) for ring in sheet.rings)
        return Size(len(sheet.figures), symbols + len(sheet.markers), len(sheet.rings))
    return _size(sheet) if isinstance(sheet, Board) else None


def _size(board: Board) -> Size:
    ground = sum(kind is not Terrain.CLEAR for kind in board.terrain.values())
    return Size(len(board.figures), ground + len(inner_edges(board)) + len(board.markers), board.width * board.height)


def inner_edges(board: Board) -> list[Edge]:
    """The edges that are not open, but for the wall around the map."""
    return [edge for edge, kind in board.edges.items() if kind is not EdgeKind.WALL or all(one in board.terrain for one in edge)]
