"""LINE OF FIRE and the LOF modifiers of ATTACK MODIFIERS."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from riese_kb.board import Board, EdgeKind, Square, Terrain, square_name

from .readings import Readings, taken
from .terrain import SOLID_EDGES, edge_kind, marked, occupant, orthogonal, terrain_at


@dataclass(frozen=True)
class Inside:
    """The line passes the inside of this square."""

    square: Square


@dataclass(frozen=True)
class Crossing:
    """The line leaves square ``a`` and enters square ``b`` over the edge between them."""

    a: Square
    b: Square


@dataclass(frozen=True)
class Corner:
    """The line passes from ``a`` to the diagonal neighbour ``b`` exactly through their common corner."""

    a: Square
    b: Square

    def sides(self) -> list[Square]:
        """The two squares that only touch the line there, one on either side."""
        return [(self.b[0], self.a[1]), (self.a[0], self.b[1])]


Event = Inside | Crossing | Corner


@cache
def trace(start: Square, end: Square) -> tuple[Event, ...]:
    """Everything the line from centre to centre meets, in order, both end squares included.

    A square (c, r) covers c - 1/2 … c + 1/2 by r - 1/2 … r + 1/2; the grid lines lie at the halves.
    """
    half = Fraction(1, 2)
    meetings: set[Fraction] = set()
    for axis in (0, 1):
        low, high = sorted((start[axis], end[axis]))
        for line in range(low, high):
            meetings.add((line + half - start[axis]) / (end[axis] - start[axis]))
    times = [Fraction(0), *sorted(meetings), Fraction(1)]
    squares: list[Square] = []
    for before, after in itertools.pairwise(times):
        middle = (before + after) / 2
        point = [start[axis] + middle * (end[axis] - start[axis]) for axis in (0, 1)]
        squares.append((round_half(point[0]), round_half(point[1])))
    events: list[Event] = []
    for number, square in enumerate(squares):
        if number:
            last = squares[number - 1]
            events.append(Crossing(last, square) if orthogonal(last, square) else Corner(last, square))
        events.append(Inside(square))
    return tuple(events)


def round_half(value: Fraction) -> int:
    """The nearest whole number; the points asked about never lie on a half."""
    return (value + Fraction(1, 2)).__floor__()


def pair(a: Square, b: Square) -> str:
    return f"{square_name(a)}|{square_name(b)}"


def blocks_sight(board: Board, square: Square) -> bool:
    return terrain_at(board, square) in (Terrain.OBSTRUCTIVE, Terrain.VOID)


def blockers(board: Board, events: tuple[Event, ...], readings: Readings | None) -> list[str]:
    found: list[str] = []
    for event in events:
        if isinstance(event, Inside):
            if blocks_sight(board, event.square):
                found.append(square_name(event.square))
        elif isinstance(event, Crossing):
            if edge_kind(board, event.a, event.b) in SOLID_EDGES:
                found.append(pair(event.a, event.b))
        else:
            found += corner_blockers(board, event, taken(readings, "vertex"))
    return found


def corner_blockers(board: Board, corner: Corner, reading: str) -> list[str]:
    """Walls, doors and blank squares that the line meets exactly at a corner, side by side of the line."""
    sides: list[list[str]] = []
    for side in corner.sides():
        parts: list[str] = []
        if edge_kind(board, corner.a, side) in SOLID_EDGES:
            parts.append(pair(corner.a, side))
        if terrain_at(board, side) is Terrain.VOID:
            parts.append(square_name(side))
        if edge_kind(board, side, corner.b) in SOLID_EDGES:
            parts.append(pair(side, corner.b))
        sides.append(parts)
    if reading == "any" or (reading == "across" and all(sides)):
        return [part for parts in sides for part in parts]
    return []


def hindering_square(board: Board, square: Square) -> bool:
    """Hindering terrain for attacks; a barricade counts as such."""
    return terrain_at(board, square) is Terrain.HINDERING or marked(board, square, "barricade")


def lof(board: Board, a: Square, b: Square, readings: Readings | None = None) -> dict[str, Any]:
    """Is there a line of fire from ``a`` to ``b``, and what is its modifier?"""
    events = trace(a, b)
    blocked_by = blockers(board, events, readings)
    between = [event.square for event in events if isinstance(event, Inside) and event.square not in (a, b)]
    intervening = [figure.id for square in between if (figure := occupant(board, square))]
    hindering = hindering_features(board, a, b, events, readings)
    modifier = min(4, 2 * len(intervening) + 2 * len(hindering))
    return {
        "verdict": "blocked" if blocked_by else "clear",
        "squares": [square_name(square) for square in between],
        "blocked_by": blocked_by,
        "intervening": intervening,
        "hindering": hindering,
        "modifier": modifier,
    }


def hindering_features(board: Board, a: Square, b: Square, events: tuple[Event, ...], readings: Readings | None) -> list[str]:
    """The squares and edges that each cost +2, in the order of the line."""
    found: list[str] = []
    edges = taken(readings, "hindering_edge")
    for event in events:
        if isinstance(event, Inside):
            square = event.square
            if square == a or orthogonal(a, square) or not hindering_square(board, square):
                continue  # in it or adjacent to it: no penalty
            if square == b and taken(readings, "target_hindering") == "ignore":
                continue
            if square != b and occupant(board, square) and taken(readings, "figure_on_hindering") == "one":
                continue  # the figure's +2 is the only one for this square
            found.append(square_name(square))
        elif isinstance(event, Crossing):
            own = edges == "beyond" and event.a == a
            if edges != "ignore" and not own and edge_kind(board, event.a, event.b) is EdgeKind.HINDERING:
                found.append(pair(event.a, event.b))
        elif edges == "touch":
            for side in event.sides():
                for x, y in ((event.a, side), (side, event.b)):
                    if edge_kind(board, x, y) is EdgeKind.HINDERING:
                        found.append(pair(x, y))
    return found
