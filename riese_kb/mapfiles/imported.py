"""What reading a map gives."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from riese_kb.board import MAIN, Board
from riese_kb.boardfile import format_board, parse_board
from riese_kb.boardmap import MAX_SIDE, Grid, format_map
from riese_kb.errors import BoardError

HEAD = f'system = "{MAIN}"'
"""The first line of a board that says no more."""


class Asked(Struct, frozen=True):
    """A question that only the player can answer before there is a board: about ``portals`` or ``tiles``."""

    about: str
    says: str
    choices: tuple[str, ...]
    things: tuple[str, ...]


class Imported(Struct):
    """A board, unless something has to be asked first; walls ``off_grid``, and ``notes`` on what was done with the rest."""

    board: Board | None = None
    off_grid: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Plain data; the board as the text of its file."""
        return {
            "board": None if self.board is None else format_board(self.board),
            "off_grid": self.off_grid,
            "notes": self.notes,
            "asked": [{"about": a.about, "says": a.says, "choices": [*a.choices], "things": [*a.things]} for a in self.asked],
        }


def grid_of(width: int, height: int, file: str) -> Grid:
    """An empty grid of that size. Raises ``BoardError`` where it is none."""
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        what = f"the map has {width} x {height} squares"
        raise BoardError(what, fix=f"1 x 1 to {MAX_SIDE} x {MAX_SIDE} can be read: cut out the part that matters", file=file)
    return Grid(width, height)


def board_of(grid: Grid, head: str = HEAD, more: str = "") -> Board:
    """The board of a grid, of the lines above its map and of the tables below it; read as any board is."""
    return parse_board(f"{head}\nmap = '''\n{format_map(grid)}\n'''\n{more}")
