"""Walls and portals drawn as lines, turned into edges of squares.

A wall counts where it lies on a line of the grid and covers an edge wholly, alone or together with other walls and portals.
Everything else is off the grid and listed. ``snap`` squares are forgiven, only where the user says so, and listed, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from riese_kb.board import Edge, EdgeKind, square_name
from riese_kb.boardmap import Grid
from riese_kb.mapfiles.imported import Imported

Point = tuple[float, float]
_EXACT = 1e-6
"""What a number loses on its way through a file."""


def edge_name(edge: Edge) -> str:
    """``E2|F2``."""
    return "|".join(map(square_name, edge))


class Lines:
    """Collects walls and portals, in squares from the upper left corner of the map, and puts them into a grid."""

    def __init__(self, grid: Grid, found: Imported, snap: float) -> None:
        self.grid = grid
        self.found = found
        self.snap = max(snap, _EXACT)
        self.covered: dict[tuple[bool, int], list[Point]] = {}
        self.portals: list[tuple[bool, int, Point, EdgeKind, str]] = []
        self.kinds: list[tuple[bool, int, Point, EdgeKind]] = []

    def wall(self, a: Point, b: Point, kind: EdgeKind = EdgeKind.WALL) -> None:
        """One straight piece of wall, or of another kind of edge."""
        if a == b:
            return
        line = self._on_grid(a, b)
        if line is None:
            self.found.off_grid.append(f"wall from {_shown(a)} to {_shown(b)}: it does not follow the grid")
            return
        upright, at, (start, end) = line
        ends = tuple(self._whole(value) for value in (start, end))
        if any(abs(one - value) > _EXACT for one, value in zip(ends, (start, end), strict=True)):
            self.found.notes.append(f"wall from {_shown(a)} to {_shown(b)} was moved to the grid")
        span = (ends[0], ends[1])
        if kind is EdgeKind.WALL:
            self.covered.setdefault((upright, at), []).append(span)
        else:
            self.kinds.append((upright, at, span, kind))

    def portal(self, a: Point, b: Point, kind: EdgeKind, what: str) -> None:
        """A door or window; ``what`` is its name in messages."""
        line = self._on_grid(a, b)
        if line is None:
            self.found.off_grid.append(f"{what} from {_shown(a)} to {_shown(b)}: it does not follow the grid")
            return
        upright, at, span = line
        self.covered.setdefault((upright, at), []).append(span)
        self.portals.append((upright, at, span, kind, what))

    def _whole(self, value: float) -> float:
        return float(round(value)) if abs(value - round(value)) <= self.snap else value

    def _on_grid(self, a: Point, b: Point) -> tuple[bool, int, Point] | None:
        """Whether it is upright, on which line, from where to where; None for what is aslant or beside all lines."""
        for upright, across, along in ((True, 0, 1), (False, 1, 0)):
            at = round(a[across])
            if abs(a[across] - at) <= self.snap and abs(b[across] - at) <= self.snap:
                if max(abs(a[across] - at), abs(b[across] - at)) > _EXACT:
                    self.found.notes.append(f"{_shown(a)} to {_shown(b)} was moved to the grid")
                return upright, at, (min(a[along], b[along]), max(a[along], b[along]))
        return None

    def draw(self) -> None:
        """Put all of it into the grid; what covers an edge only in part is listed."""
        grid, edges = self.grid, self.grid.edges
        for square in [(c, r) for c in range(1, grid.width + 1) for r in range(1, grid.height + 1)]:
            for rim in self._around(square):
                edges.setdefault(rim, EdgeKind.WALL)
        outside = False
        for (upright, at), spans in sorted(self.covered.items()):
            for start, end in _joined(spans):
                for edge, share in self._edges(upright, at, start, end):
                    if edge is None:
                        outside = True
                    elif share > 1 - _EXACT:
                        edges[edge] = EdgeKind.WALL
                    elif share > _EXACT:
                        self.found.off_grid.append(f"wall on part of {edge_name(edge)} only ({share:.0%})")
        for upright, at, (start, end), kind in self.kinds:
            for edge, share in self._edges(upright, at, start, end):
                if edge is not None and share > 1 - _EXACT:
                    edges[edge] = kind
        for portal in self.portals:
            self._place(*portal)
        if outside:
            self.found.notes.append("walls beside the map were left out")

    def _around(self, square: tuple[int, int]) -> Iterator[Edge]:
        """The edges of the rim beside a square."""
        c, r = square
        if c == 1:
            yield (0, r), (1, r)
        if r == 1:
            yield (c, 0), (c, 1)
        if c == self.grid.width:
            yield (c, r), (c + 1, r)
        if r == self.grid.height:
            yield (c, r), (c, r + 1)

    def _edges(self, upright: bool, at: int, start: float, end: float) -> Iterator[tuple[Edge | None, float]]:
        """Every edge that a piece of line touches, and its share of it; None beside the map."""
        long, wide = (self.grid.height, self.grid.width) if upright else (self.grid.width, self.grid.height)
        if not 0 <= at <= wide or end <= 0 or start >= long:
            yield None, 1.0
            return
        for number in range(max(0, int(start)), min(long, int(end) + 1)):
            share = min(end, number + 1) - max(start, number)
            if share > _EXACT:
                n = number + 1
                yield (((at, n), (at + 1, n)) if upright else ((n, at), (n, at + 1))), share

    def _place(self, upright: bool, at: int, span: Point, kind: EdgeKind, what: str) -> None:
        touched = [(edge, share) for edge, share in self._edges(upright, at, *span) if edge is not None]
        if not touched:
            self.found.notes.append(f"{what} lies beside the map and was left out")
            return
        most = max(share for _, share in touched)
        chosen = [edge for edge, share in touched if share > 0.5 + _EXACT]
        if not chosen:
            equal = [edge for edge, share in touched if share > most - 1e-3]
            chosen = equal[:1]
            if len(equal) > 1:
                both = " and ".join(edge_name(edge) for edge in equal)
                self.found.notes.append(f"{what} lies between {both}; it was put on {edge_name(chosen[0])}")
        for edge in chosen:
            rim = 0 in (*edge[0], *edge[1]) or edge[1][0] > self.grid.width or edge[1][1] > self.grid.height
            if rim and kind is EdgeKind.BARRING:
                self.found.notes.append(f"{what} lies on the rim, which is a wall")
            else:
                self.grid.edges[edge] = kind


def _joined(spans: list[Point]) -> list[Point]:
    """The spans, those that touch made one."""
    done: list[Point] = []
    for start, end in sorted(spans):
        if done and start <= done[-1][1] + _EXACT:
            done[-1] = (done[-1][0], max(end, done[-1][1]))
        else:
            done.append((start, end))
    return done


def _shown(point: Point) -> str:
    return f"({point[0]:g}, {point[1]:g})"


def runs(edges: dict[Edge, EdgeKind], *kinds: EdgeKind) -> Iterator[tuple[Point, Point]]:
    """The edges of those kinds as pieces of line, as long as they go straight on."""
    lines: dict[tuple[bool, int], list[int]] = {}
    for ((c1, r1), (c2, _)), kind in edges.items():
        if kind in kinds:
            upright = c2 > c1
            lines.setdefault((upright, c1 if upright else r1), []).append(r1 if upright else c1)
    for (upright, at), numbers in sorted(lines.items()):
        for start, end in _joined([(number - 1.0, float(number)) for number in sorted(numbers)]):
            yield ((at, start), (at, end)) if upright else ((start, at), (end, at))
