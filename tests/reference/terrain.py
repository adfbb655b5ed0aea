"""What lies where: squares, edges, figures, zones of control. Shared by all chapters of the reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from riese_kb.board import Board, Edge, EdgeKind, Facing, Figure, Kind, Square, Terrain, edge_between, square_name

FACINGS = (Facing.NORTH, Facing.EAST, Facing.SOUTH, Facing.WEST)
OFFSET: dict[Facing, Square] = {
    Facing.NORTH: (0, -1),
    Facing.EAST: (1, 0),
    Facing.SOUTH: (0, 1),
    Facing.WEST: (-1, 0),
}
SOLID_EDGES = (EdgeKind.WALL, EdgeKind.CLOSED_DOOR, EdgeKind.LOCKED_DOOR)
"""Edges that stop movement and sight."""
BARRED_EDGES = (*SOLID_EDGES, EdgeKind.BARRING)
"""Edges that stop movement."""
TYPE_POWERS: dict[str, tuple[str, ...]] = {
    "armoured": ("armoured",),
    "flammenghul": ("fluchtig",),
    "alpha": ("leader-of-the-pack",),
}
TROOPERS = ("trooper", "durnford", "dobler", "stewart", "dasha", "beauregard", "clothier", "vogel", "max")

Doors = Mapping[Edge, EdgeKind]


def plus(square: Square, offset: Square) -> Square:
    return square[0] + offset[0], square[1] + offset[1]


def turned(facing: Facing, quarters: int) -> Facing:
    """The facing after that many quarter turns to the right."""
    return FACINGS[(FACINGS.index(facing) + quarters) % 4]


def beside(square: Square) -> list[Square]:
    """The four adjacent squares (ADJACENT), on the map or not."""
    return [plus(square, offset) for offset in OFFSET.values()]


def orthogonal(a: Square, b: Square) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def in_grid(board: Board, square: Square) -> bool:
    return 1 <= square[0] <= board.width and 1 <= square[1] <= board.height


def terrain_at(board: Board, square: Square) -> Terrain:
    if not in_grid(board, square):
        return Terrain.VOID
    return board.terrain.get(square, Terrain.CLEAR)


def on_map(board: Board, square: Square) -> bool:
    return terrain_at(board, square) is not Terrain.VOID


def edge_kind(board: Board, a: Square, b: Square, doors: Doors | None = None) -> EdgeKind:
    """What is on the edge. The rim is wall, except for doors and exits."""
    edge = edge_between(a, b)
    kind = (doors or {}).get(edge, board.edges.get(edge, EdgeKind.OPEN))
    if in_grid(board, a) and in_grid(board, b):
        return EdgeKind.OPEN if kind is EdgeKind.EXIT else kind
    if kind in (EdgeKind.CLOSED_DOOR, EdgeKind.OPEN_DOOR, EdgeKind.LOCKED_DOOR, EdgeKind.EXIT):
        return kind
    return EdgeKind.WALL


def marked(board: Board, square: Square, kind: str) -> bool:
    return any(marker.kind == kind and marker.at == square for marker in board.markers)


def burning(board: Board, square: Square) -> bool:
    """A printed fire or a fire marker."""
    return terrain_at(board, square) is Terrain.FIRE or marked(board, square, "fire")


def occupant(board: Board, square: Square) -> Figure | None:
    for figure in board.figures:
        if figure.at == square:
            return figure
    return None


def stunned(figure: Figure) -> bool:
    return "stunned" in figure.status


def revealed(figure: Figure) -> bool:
    return "unrevealed" not in figure.status


def powers(figure: Figure) -> set[str]:
    """Powers of a zombie: by type and its own. A marker that lies face down has none yet."""
    if figure.kind is not Kind.ZOMBIE or not revealed(figure):
        return set()
    return {*TYPE_POWERS.get(figure.type or "beta", ()), *figure.powers}


def zombies_of(board: Board) -> list[Figure]:
    return [figure for figure in board.figures if figure.kind is Kind.ZOMBIE]


def lockers(board: Board, id: str) -> list[Figure]:
    """The zombies that hold this figure locked. A stunned zombie holds nobody (STUN)."""
    return [zombie for zombie in zombies_of(board) if id in zombie.locks and not stunned(zombie)]


def howlers(board: Board) -> list[Figure]:
    return [zombie for zombie in zombies_of(board) if "howl" in powers(zombie) and not stunned(zombie)]


def is_trooper(figure: Figure) -> bool:
    return figure.kind is Kind.HERO and (figure.name or "").casefold() in TROOPERS


def full_health(figure: Figure) -> int:
    """Health of an unhurt figure."""
    if figure.kind is Kind.HERO:
        return 2 if is_trooper(figure) else 4
    if figure.kind is Kind.NPC:
        return 2
    if figure.kind is Kind.ZOMBIE:
        return {"alpha": 2, "gross-karl": 3, "ilse": 3, "omega": 4}.get(figure.type or "beta", 1)
    return 1


def health(figure: Figure) -> int:
    return full_health(figure) if figure.health is None else figure.health


def wounded_trooper(figure: Figure) -> bool:
    return is_trooper(figure) and health(figure) < full_health(figure)


def reaches_over(board: Board, a: Square, b: Square, value: str, doors: Doors | None = None) -> bool:
    """Are the two adjacent, in the sense of a reading geometric | solid | barrier | open?"""
    if not orthogonal(a, b):
        return False
    kind = edge_kind(board, a, b, doors)
    if value == "geometric":
        return True
    if value == "solid":
        return kind not in SOLID_EDGES
    if value == "barrier":
        return kind not in BARRED_EDGES
    return kind not in (*BARRED_EDGES, EdgeKind.HINDERING)  # open


def names(squares: Iterable[Square]) -> list[str]:
    return [square_name(square) for square in squares]
