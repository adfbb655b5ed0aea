"""A board as a picture in text: the doubled grid with box-drawing walls, figures, marks and a legend.

A pure function of its arguments. Every square is three characters wide, every edge one, so that two or three letters
fit into a square and figures can be told apart; what they mean stands in the legend below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from riese_kb.board import (
    Board,
    Edge,
    EdgeKind,
    Facing,
    Figure,
    Kind,
    Marker,
    Square,
    Terrain,
    edge_between,
    square_name,
)
from riese_kb.glyphs import ASCII, DOOR_WORDS, DOORS, MARKER_LETTERS, TERRAIN_WORDS, UNICODE, Glyphs

_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "·": ","})
_LARGE = 20
"""From this many squares on, letters and numbers stand on both sides."""

_WIDTH = 100
"""The longest line of signs below the picture."""


def draw(
    board: Board,
    marks: Mapping[Square, str] | None = None,
    *,
    path: Sequence[Square] = (),
    line: Iterable[Square] = (),
    blocked: Iterable[Square | Edge] = (),
    ascii: bool = False,
) -> str:
    """The picture of a board, without a newline at its end.

    ``marks`` puts up to three characters into squares (MP, option numbers); ``path`` numbers the squares that are
    entered in turn, ``line`` stars those of a line of fire, ``blocked`` crosses out squares and edges. Where several
    want one square, the figure wins, then the cross, the mark, the path, the line, the marker. ``ascii`` keeps to ASCII
    throughout.

    Raises ValueError for a mark of more than three characters.
    """
    marks = dict(marks or {})
    for square, text in marks.items():
        if len(text) > 3:
            raise ValueError(f"the mark {text!r} at {square_name(square)} has more than three characters")
    picture = _Picture(board, ASCII if ascii else UNICODE, marks=marks, path=path, line=tuple(line), blocked=tuple(blocked))
    rows = [*picture.heading(), *picture.grid(), *picture.legend()]
    text = "\n".join(row.rstrip() for row in rows).rstrip("\n")
    return text.translate(_GERMAN).encode("ascii", "replace").decode("ascii") if ascii else text


def keys(figures: Sequence[Figure]) -> dict[str, str]:
    """A short key for every figure's id, unlike all others whatever the case: the id itself where it fits."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for figure in sorted(figures, key=lambda f: len(f.id)):  # who fits keeps his own id
        key = next(k for k in _candidates(figure) if k.casefold() not in taken)
        taken.add(key.casefold())
        found[figure.id] = key
    return found


def _candidates(figure: Figure) -> Iterator[str]:
    """Keys for a figure, best first: three characters for a zombie, two beside the arrow of anybody else."""
    id = figure.id
    room = 3 if figure.kind is Kind.ZOMBIE else 2
    if len(id) <= room:
        yield id
    first = id[0] if figure.kind is Kind.ZOMBIE else id[0].upper()
    digits = id[len(id.rstrip("0123456789")) :]
    if digits and len(digits) < room:
        yield first + digits
    if figure.kind is not Kind.ZOMBIE:
        yield first
    yield first + id[1:room]
    for start in (first, ""):
        width = room - len(start)
        for number in range(1, 36**width):
            yield start + _base36(number, width)
    raise ValueError("too many figures to tell apart")


def _base36(number: int, width: int) -> str:
    """A counter of digits, then letters: ``1`` … ``9``, ``a`` …, at most ``width`` long."""
    text = ""
    while number:
        number, rest = divmod(number, 36)
        text = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + text
    return text[-width:]


class _Picture:
    """One drawing: what goes into each square and edge, then the rows."""

    def __init__(
        self,
        board: Board,
        glyphs: Glyphs,
        *,
        marks: Mapping[Square, str],
        path: Sequence[Square],
        line: Sequence[Square],
        blocked: Sequence[Square | Edge],
    ) -> None:
        self.board = board
        self.glyphs = glyphs
        self.marks = marks
        self.path = path
        self.steps = {square: number for number, square in enumerate(path, 1)}
        self.line = line
        self.figures = {figure.at: figure for figure in board.figures}
        self.keys = keys(board.figures)
        self.markers: dict[Square, Marker] = {}
        for marker in board.markers:
            self.markers.setdefault(marker.at, marker)
        self.crossed_squares: list[Square] = []
        self.crossed_edges: list[Edge] = []
        for thing in blocked:
            first, second = thing
            if isinstance(first, tuple) and isinstance(second, tuple):
                self.crossed_edges.append(edge_between(first, second))
            elif isinstance(first, int) and isinstance(second, int):
                self.crossed_squares.append((first, second))

    # --- the grid ---

    def heading(self) -> Iterator[str]:
        """Title, round, threat and darkness, as far as there is anything to say."""
        board = self.board
        said = [board.title or "", f"round {board.round}" if board.round != 1 else ""]
        said += [f"threat {board.threat}" if board.threat else "", "darkness" if board.darkness else "", *board.notes]
        words = [word for word in said if word]
        if words:
            yield self.glyphs.dash.join(words)
            yield ""

    def grid(self) -> Iterator[str]:
        """The squares and edges, with letters above and numbers at the side."""
        board = self.board
        side = len(str(board.height))
        margin = " " * (side + 1)
        letters = margin + " " + " ".join(f"{square_name((c, 1))[:-1]:^3}" for c in range(1, board.width + 1))
        right = board.width >= _LARGE
        yield letters
        for r in range(board.height + 1):
            if r:
                yield f"{r:>{side}} {self._squares(r)}" + (f" {r}" if right else "")
            yield margin + self._edges(r)
        if board.height >= _LARGE:
            yield letters

    def _squares(self, r: int) -> str:
        parts = [self._down(((0, r), (1, r)))]
        for c in range(1, self.board.width + 1):
            parts += [self._square((c, r)), self._down(((c, r), (c + 1, r)))]
        return "".join(parts)

    def _edges(self, r: int) -> str:
        """The horizontal edges below board row ``r``, and the corners between them."""
        parts = [self._corner(0, r)]
        for c in range(1, self.board.width + 1):
            parts += [self._across(((c, r), (c, r + 1))), self._corner(c, r)]
        return "".join(parts)

    def _square(self, square: Square) -> str:
        """Three characters: the figure or mark of the square, padded with its terrain."""
        terrain = self.board.terrain[square]
        fill = self.glyphs.fill[terrain]
        text = self._content(square)
        if not text:
            return self.glyphs.clear if terrain is Terrain.CLEAR else fill * 3
        if square in self.figures:
            if square in self.crossed_squares:
                fill = self.glyphs.blocked
            elif square in self.line:
                fill = self.glyphs.line
            return text.ljust(3, fill)
        return text.center(3, fill) if len(text) != 2 else text + fill

    def _content(self, square: Square) -> str:
        if (figure := self.figures.get(square)) is not None:
            return self._symbol(figure)
        if square in self.crossed_squares:
            return self.glyphs.blocked
        if square in self.marks:
            return self.marks[square]
        if square in self.steps:
            return f"{self.glyphs.step}{self.steps[square]}"[-3:]
        if square in self.line:
            return self.glyphs.line
        marker = self.markers.get(square)
        return "" if marker is None else self._marker(marker)

    def _symbol(self, figure: Figure) -> str:
        key = self.keys[figure.id]
        match figure.kind:
            case Kind.HERO:
                return self.glyphs.facing[figure.facing or Facing.NORTH] + key
            case Kind.NPC:
                return self.glyphs.npc + key
            case Kind.CIVILIAN:
                return self.glyphs.civilian + key
        return key

    @staticmethod
    def _marker(marker: Marker) -> str:
        if marker.label and len(marker.label) <= 3:
            return marker.label
        return f"({MARKER_LETTERS.get(marker.kind, marker.kind[:1])})"

    def _kind(self, edge: Edge) -> EdgeKind:
        """What is drawn at an edge; walls of the rim beside squares that are no part of the map are not."""
        kind = self.board.edges.get(edge, EdgeKind.OPEN)
        a, b = (self.board.terrain.get(square) for square in edge)
        outside = Terrain.VOID in (a, b) and None in (a, b)
        return EdgeKind.OPEN if kind is EdgeKind.WALL and outside else kind

    def _down(self, edge: Edge) -> str:
        if edge in self.crossed_edges:
            return self.glyphs.blocked
        kind = self._kind(edge)
        if kind is EdgeKind.EXIT:
            return self.glyphs.exits[3 if edge[0][0] == 0 else 1]
        return self.glyphs.down.get(kind) or DOORS.get(kind, " ")

    def _across(self, edge: Edge) -> str:
        kind = self._kind(edge)
        middle = self.glyphs.exits[0 if edge[0][1] == 0 else 2] if kind is EdgeKind.EXIT else DOORS.get(kind)
        if edge in self.crossed_edges:
            middle = self.glyphs.blocked
        if middle is None:
            return self.glyphs.across.get(kind, "   ")
        beside = self.glyphs.across[EdgeKind.WALL][0] if self._solid(edge) else " "
        return beside + middle + beside

    def _solid(self, edge: Edge) -> bool:
        """Whether the edge continues the wall at its corners."""
        return self._kind(edge) in (EdgeKind.WALL, EdgeKind.EXIT, *DOORS)

    def _corner(self, c: int, r: int) -> str:
        """The junction right of column ``c``, below row ``r``."""
        nw, ne, sw, se = (c, r), (c + 1, r), (c, r + 1), (c + 1, r + 1)
        arms = enumerate(((nw, ne), (ne, se), (sw, se), (nw, sw)))
        return self.glyphs.corners[sum(1 << place for place, edge in arms if self._solid(edge))]

    # --- the legend ---

    def legend(self) -> Iterator[str]:
        """One line for each figure, then the markers, the marks of the answer and the signs in use."""
        board = self.board
        if board.figures:
            yield ""
            rows = [(self._symbol(f), f.id, square_name(f.at), self._about(f)) for f in board.figures]
            widths = [max(len(row[i]) for row in rows) for i in range(3)]
            for symbol, id, at, about in rows:
                yield f"{symbol:<{widths[0]}}  {id:<{widths[1]}}  {at:<{widths[2]}}  {about}"
        yield from self._marker_lines()
        yield from self._answer_lines()
        yield from self._sign_lines()

    def _about(self, figure: Figure) -> str:
        """Name or type, facing, what is declared and held, health and status."""
        words: list[str] = []
        if figure.kind is Kind.ZOMBIE:
            words.append(figure.type or "beta")
        else:
            words.append(figure.name or figure.kind.value)
        if figure.kind is Kind.HERO:
            words.append(f"facing {(figure.facing or Facing.NORTH).value}")
        if figure.declared is not None:
            words.append(figure.declared.value)
        held = [name for name in (figure.weapon, figure.off_hand) if name is not None]
        if held:
            words.append(" and ".join(held))
        if figure.health is not None:
            words.append(f"health {figure.health}")
        words += [*figure.powers, *figure.status, *(f"locks {id}" for id in figure.locks)]
        if (mark := self.marks.get(figure.at)) is not None:
            words.append(f"marked {mark}")
        return ", ".join(words)

    def _marker_lines(self) -> Iterator[str]:
        groups: dict[tuple[str, str], list[str]] = {}
        for marker in self.board.markers:
            label = f' "{marker.label}"' if marker.label and len(marker.label) > 3 else ""
            groups.setdefault((self._marker(marker), marker.kind + label), []).append(square_name(marker.at))
        if groups:
            yield ""
        width = max((len(symbol) for symbol, _ in groups), default=0)
        for (symbol, what), squares in groups.items():
            yield f"{symbol:<{width}}  {what}: {', '.join(squares)}"

    def _answer_lines(self) -> Iterator[str]:
        glyphs = self.glyphs
        rows = []
        if self.path:
            rows.append(f"{glyphs.step}1  path: " + glyphs.arrow.join(map(square_name, self.path)))
        if self.line:
            rows.append(f"{glyphs.line}   line: " + ", ".join(map(square_name, self.line)))
        crossed = [square_name(s) for s in self.crossed_squares]
        crossed += ["|".join(map(square_name, edge)) for edge in self.crossed_edges]
        if crossed:
            rows.append(f"{glyphs.blocked}   blocked: " + ", ".join(crossed))
        if rows:
            yield ""
        yield from rows

    def _sign_lines(self) -> Iterator[str]:
        """The signs for terrain and doors that this picture uses."""
        glyphs, terrain = self.glyphs, set(self.board.terrain.values())
        edges = {self._kind(edge) for edge in self.board.edges}
        signs = [f"{glyphs.fill[kind]} {word}" for kind, word in TERRAIN_WORDS.items() if kind in terrain]
        signs += [f"{DOORS[kind]} {word}" for kind, word in DOOR_WORDS.items() if kind in edges]
        if EdgeKind.EXIT in edges:
            signs.append(f"{glyphs.exits} exit")
        if EdgeKind.BARRING in edges:
            signs.append(f"{glyphs.down[EdgeKind.BARRING]} no step across, but a clear view")
        if EdgeKind.HINDERING in edges and Terrain.HINDERING not in terrain:
            signs.append(f"{glyphs.down[EdgeKind.HINDERING]} hindering")
        if signs:
            yield ""
        row = ""
        for sign in signs:
            if row and len(row) + len(sign) > _WIDTH:
                yield row
                row = ""
            row += f"{sign}   "
        yield row
