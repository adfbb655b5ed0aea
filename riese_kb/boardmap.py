"""The map of a board as text: the doubled grid of squares and edges, read and written.

Text row ``2r + 1`` holds the squares of board row ``r + 1`` in its odd characters and their vertical edges in the even
ones; text row ``2r`` holds the horizontal edges above. Corners mean nothing.
"""

from __future__ import annotations

from riese_kb.board import Edge, EdgeKind, Square, Terrain, square_name
from riese_kb.errors import BoardError

MAX_SIDE = 200
"""The most squares a map may have in a row or column."""

DRAWN_ON_RIM = frozenset({EdgeKind.CLOSED_DOOR, EdgeKind.OPEN_DOOR, EdgeKind.LOCKED_DOOR, EdgeKind.EXIT})
"""What keeps its meaning on the outer rim; anything else there is a wall, whatever is drawn."""

_SMALLEST = "the smallest map is the three rows +-+ |.| +-+"
_TERRAIN = {kind.value: kind for kind in Terrain}
_EDGES = {kind.value: kind for kind in EdgeKind} | {"-": EdgeKind.WALL}
_SQUARE_CHARACTERS = "squares are . ~ # : ^ ! or blank"
_EDGE_CHARACTERS = "edges are blank | - : ~ D d L, and > on the rim"
_SHIFTED = "squares and edges take turns: is the row shifted by one?"
_MISPLACED = {
    "D": "a door stands on an edge, between two squares",
    "d": "a door stands on an edge, between two squares",
    "L": "a door stands on an edge, between two squares",
    "|": _SHIFTED,
    "-": _SHIFTED,
    "X": "did you mean #?",
    "x": "did you mean #?",
    "_": "did you mean . for clear?",
    "\t": "write blanks, no tabs",
}


class Grid:
    """A map that was read: its size in squares, the terrain of every square, every edge that is not open."""

    __slots__ = ("edges", "height", "terrain", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.terrain: dict[Square, Terrain] = {}
        self.edges: dict[Edge, EdgeKind] = {}


def _shown(character: str) -> str:
    """A character as a message may show it: in quotes, and never a control character itself."""
    return f'"{character}"' if character.isprintable() else f"U+{ord(character):04X}"


def _rows(text: str) -> tuple[list[str], int]:
    """The rows without margin and trailing blanks, and how many empty lines stood above the first."""
    rows = [row.rstrip(" \t\r") for row in text.split("\n")]
    above = 0
    while above < len(rows) and not rows[above]:
        above += 1
    rows = rows[above:]
    while rows and not rows[-1]:
        rows.pop()
    if not rows:
        raise BoardError("the map is empty", fix=_SMALLEST, line=1)
    margin = rows[0][: len(rows[0]) - len(rows[0].lstrip(" \t"))]
    if not rows[0].startswith("+", len(margin)):
        raise BoardError("the first row of the map does not begin with +", fix=_SMALLEST, line=above + 1)
    if margin:
        for number, row in enumerate(rows):
            if row and not row.startswith(margin):
                what = "this row of the map begins left of the first row's +"
                raise BoardError(what, fix="indent all rows alike", line=above + number + 1)
            rows[number] = row[len(margin) :]
    return rows, above


def _size(rows: list[str], above: int) -> tuple[int, int]:
    """Width and height in squares; refuses what is too small, too large or ragged."""
    width, height = len(rows[0]) // 2, (len(rows) - 1) // 2
    if width > MAX_SIDE or len(rows) // 2 > MAX_SIDE:
        what = f"the map has {width} x {len(rows) // 2} squares, and {MAX_SIDE} x {MAX_SIDE} is the limit"
        raise BoardError(what, fix="cut out the part that matters", line=above + 1)
    for number, row in enumerate(rows):
        line = above + number + 1
        if len(row) > 2 * width + 1:
            what = f"the map is ragged: this row has {len(row)} characters, and the first row allows {2 * width + 1}"
            raise BoardError(what, fix="shorten it, or lengthen the first row up to its last +", line=line)
        begins = row.startswith("+")
        if number % 2 == 0 and not begins:
            what = "the map is ragged: an edge row is due here, and it must begin with +"
            raise BoardError(what, fix="a row above is missing or one too many", line=line)
        if number % 2 and begins:
            what = "the map is ragged: a row of squares is due here, and this is an edge row"
            raise BoardError(what, fix="rows of squares and edge rows (with +) take turns", line=line)
    if len(rows) % 2 == 0:
        what = "the map is ragged: the last row is a row of squares"
        raise BoardError(what, fix="close the map with an edge row, +-+-+", line=above + len(rows))
    if not (width and height):
        raise BoardError("the map has no squares", fix=_SMALLEST, line=above + 1)
    return width, height


def _bad_square(character: str, square: Square, line: int) -> BoardError:
    what = f"unknown square character {_shown(character)} at {square_name(square)}"
    return BoardError(what, fix=_MISPLACED.get(character, _SQUARE_CHARACTERS), line=line)


def _add_edge(grid: Grid, character: str, edge: Edge, line: int) -> None:
    """Store one edge; the rim is a wall unless a door or an exit is drawn there."""
    kind = _EDGES.get(character)
    (c1, r1), (c2, r2) = edge
    rim = c1 == 0 or r1 == 0 or c2 > grid.width or r2 > grid.height
    if kind is None:
        where = f"between {square_name(edge[0])} and {square_name(edge[1])}"
        if rim:
            where = f"on the rim beside {square_name(edge[1] if 0 in (c1, r1) else edge[0])}"
        fix = _SHIFTED if character in _TERRAIN else _EDGE_CHARACTERS
        raise BoardError(f"unknown edge character {_shown(character)} {where}", fix=fix, line=line)
    if rim:
        grid.edges[edge] = kind if kind in DRAWN_ON_RIM else EdgeKind.WALL
    elif kind is EdgeKind.EXIT:
        what = f"an exit > between {square_name(edge[0])} and {square_name(edge[1])}"
        raise BoardError(what, fix="exits stand on the outer rim; a door is D, d or L", line=line)
    elif kind is not EdgeKind.OPEN:
        grid.edges[edge] = kind


def parse_map(text: str) -> Grid:
    """Read a map (contract, section 1).

    Raises BoardError; its ``line`` counts from the first line of ``text``, 1-based, and its ``file`` is not set.
    """
    rows, above = _rows(text)
    width, height = _size(rows, above)
    grid = Grid(width, height)
    terrain = grid.terrain
    for number, row in enumerate(rows):
        r, line = (number + 1) // 2, above + number + 1
        if number % 2 == 0:  # the edges between board rows r and r + 1
            rim = r in (0, height)
            for c, character in enumerate(row[1::2].ljust(width), 1):
                if rim or character != " ":
                    _add_edge(grid, character, ((c, r), (c, r + 1)), line)
            continue
        for c, character in enumerate(row[1::2].ljust(width), 1):
            kind = _TERRAIN.get(character)
            if kind is None:
                raise _bad_square(character, (c, r), line)
            terrain[c, r] = kind
        for c, character in enumerate(row[0::2].ljust(width + 1)):
            if character != " " or c in (0, width):
                _add_edge(grid, character, ((c, r), (c + 1, r)), line)
    return grid


def _drawn(kind: EdgeKind | None, wall: str, *squares: Terrain | None) -> str:
    """The character of an edge; a rim wall beside a square that is no part of the map is left blank."""
    if kind is None or (kind is EdgeKind.WALL and None in squares and Terrain.VOID in squares):
        return " "
    return wall if kind is EdgeKind.WALL else kind.value


def format_map(grid: Grid) -> str:
    """The rows of a map, joined by newlines; ``parse_map`` reads the same grid back."""
    edges, at = grid.edges.get, grid.terrain.get
    columns, rows = range(1, grid.width + 1), []
    for r in range(grid.height + 1):
        if r:
            row = [_drawn(edges(((0, r), (1, r))), "|", None, at((1, r)))]
            for c in columns:
                a, b = (c, r), (c + 1, r)
                row += [grid.terrain[a].value, _drawn(edges((a, b)), "|", at(a), at(b))]
            rows.append("".join(row).rstrip())
        row = ["+"]
        for c in columns:
            a, b = (c, r), (c, r + 1)
            row += [_drawn(edges((a, b)), "-", at(a), at(b)), "+"]
        rows.append("".join(row))
    return "\n".join(rows)
