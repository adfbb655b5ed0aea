"""The squares and figures that a question names, exchanged for others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.board import Board, Facing, Square, edge_between

Moving = Callable[[Square], Square]
_TURNED = {Facing.NORTH: Facing.EAST, Facing.EAST: Facing.SOUTH, Facing.SOUTH: Facing.WEST, Facing.WEST: Facing.NORTH}


def placed(value: Any, there: Moving, facing: Mapping[Facing, Facing] | None = None, ids: Mapping[str, str] | None = None) -> Any:
    """A question after its squares have moved; ``facing`` and ``ids`` change what they map."""
    if isinstance(value, Struct):
        return replace(value, **{name: placed(getattr(value, name), there, facing, ids) for name in value.__struct_fields__})
    if isinstance(value, Facing):
        return facing[value] if facing else value
    if isinstance(value, tuple):
        if len(value) == 2 and all(isinstance(one, int) for one in value):
            return there(value)
        return tuple(placed(one, there, facing, ids) for one in value)
    if isinstance(value, str) and not isinstance(value, Enum):
        return ids.get(value, value) if ids else value
    return value


def turned(board: Board, about: Any) -> tuple[Board, Any]:
    """Board and question a quarter turn clockwise."""

    def there(square: Square) -> Square:
        return board.height + 1 - square[1], square[0]

    around = moved(board, there)
    figures = tuple(replace(f, facing=_TURNED[f.facing] if f.facing else None) for f in around.figures)
    return replace(around, width=board.height, height=board.width, figures=figures), placed(about, there, _TURNED)


def moved(board: Board, there: Moving) -> Board:
    """The board with everything on it elsewhere; its size is left for the caller to set."""
    return replace(
        board,
        terrain={there(square): kind for square, kind in board.terrain.items()},
        edges={edge_between(there(a), there(b)): kind for (a, b), kind in board.edges.items()},
        figures=tuple(replace(f, at=there(f.at)) for f in board.figures),
        markers=tuple(replace(m, at=there(m.at)) for m in board.markers),
    )


def renamed(board: Board, about: Any, names: Mapping[str, tuple[str, str]]) -> tuple[Board, Any]:
    """Board and question with other heroes: for an id, the new id and the new name."""
    ids = {old: new for old, (new, _) in names.items()}

    def other(figure: Any) -> Any:
        locks = tuple(ids.get(held, held) for held in figure.locks)
        if figure.id not in names:
            return replace(figure, locks=locks)
        id, name = names[figure.id]
        return replace(figure, id=id, name=name, locks=locks)

    figures = tuple(map(other, board.figures))
    return replace(board, figures=figures), placed(about, lambda square: square, None, ids)
