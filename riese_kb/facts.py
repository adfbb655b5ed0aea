"""Facts for the logic program: typed values in, text of ground atoms out.

Text is what clingo reads fastest, and
it is safe because nothing is pasted: every argument is a typed value that ``term`` writes. A string always becomes a
quoted clingo string, so no name on a board can end an atom, open a comment or become a variable.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from riese_kb.board import Board, EdgeKind, Facing, Figure, Kind, Marker, Square, Terrain
from riese_kb.tables import find_item

Value = "int | str | Name | Square | tuple[Value, ...]"


class Name(str):
    """A lower-case constant of the logic program (``walking``, ``closed``); made only from names in this package."""

    __slots__ = ()

    def __new__(cls, text: str) -> Name:
        if not (text.isidentifier() and text.isascii() and text[0].islower()):
            raise ValueError(f"not a constant of the logic program: {text!r}")
        return super().__new__(cls, text)


def term(value: object) -> str:
    """One value as a term: ints, ``Name`` constants, strings (quoted) and tuples of these."""
    if isinstance(value, Name):
        return str.__str__(value)
    if isinstance(value, bool):
        raise TypeError("truth values are not terms; say which fact holds instead")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return "(" + ",".join(term(v) for v in value) + ("," if len(value) == 1 else "") + ")"
    raise TypeError(f"no term for {value!r}")


def fact(predicate: str, *values: object) -> str:
    """``fact("at", "z1", (3, 4))`` → ``at("z1",(3,4)).``"""
    return f"{predicate}({','.join(map(term, values))})."


def call(functor: str, *values: object) -> Compound:
    """A compound term such as ``step(1)``."""
    return Compound(functor, values)


class Compound(Name):
    """``functor(arguments)``, written once and passed on as a value."""

    __slots__ = ()

    def __new__(cls, functor: str, values: Iterable[object]) -> Compound:
        text = f"{Name(functor)}({','.join(map(term, values))})"
        return str.__new__(cls, text)


DIRECTION = {Facing.NORTH: 0, Facing.EAST: 2, Facing.SOUTH: 4, Facing.WEST: 6}
FACING = {number: facing for facing, number in DIRECTION.items()}
SIDES: dict[Facing, Square] = {Facing.NORTH: (0, -1), Facing.EAST: (1, 0), Facing.SOUTH: (0, 1), Facing.WEST: (-1, 0)}

MOVES: tuple[Square, ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight directions of the logic as steps, clockwise from north."""

TERRAIN_WORDS = {
    Terrain.HINDERING: "hindering",
    Terrain.OBSTRUCTIVE: "obstructive",
    Terrain.BARRING: "barring",
    Terrain.FIRE: "fire",
    Terrain.LETHAL: "lethal",
}
EDGE_WORDS = {
    EdgeKind.WALL: "wall",
    EdgeKind.BARRING: "barring",
    EdgeKind.HINDERING: "hindering",
    EdgeKind.CLOSED_DOOR: "closed",
    EdgeKind.OPEN_DOOR: "open",
    EdgeKind.LOCKED_DOOR: "locked",
    EdgeKind.EXIT: "exit",
}


@lru_cache(maxsize=65536)
def _square(square: Square) -> str:
    return f"({square[0]},{square[1]})"


class Ground:
    """The map of one board as facts, square by square, so that a question can take only the part it needs."""

    def __init__(self, board: Board) -> None:
        texts = dict.fromkeys((s for s, kind in board.terrain.items() if kind is not Terrain.VOID), "")
        for square in texts:
            kind = TERRAIN_WORDS.get(board.terrain[square])
            name = _square(square)
            texts[square] = f"square({name})." + (f"terrain({name},{kind})." if kind else "")
        beside: dict[Square, str] = {}
        for (a, b), kind in board.edges.items():
            word = EDGE_WORDS[kind]
            for here, there in ((a, b), (b, a)):
                text = f"edge({_square(here)},{_square(there)},{word})."
                if here in texts:
                    texts[here] += text
                else:
                    beside[here] = beside.get(here, "") + text
                    if there in texts and kind is not EdgeKind.WALL and here not in board.terrain:
                        beside[here] += f"beyond({_square(here)})."
        for marker in board.markers:
            if marker.at in texts:
                texts[marker.at] += _marker(board, marker)
        self._texts = texts
        self._known = texts | beside

    def part(self, squares: Iterable[Square] | None) -> list[str]:
        """Facts, square by square; of squares that are not of the map only their edges count. All squares for None."""
        if squares is None:
            return list(self._known.values())
        known = self._known
        return [known[s] for s in squares if s in known]

    def __contains__(self, square: object) -> bool:
        return square in self._texts

    @cached_property
    def beside(self) -> dict[Square, frozenset[Square]]:
        """The squares of the map around each of them, diagonally too."""
        squares = self._texts
        return {(x, y): frozenset((x + dx, y + dy) for dx, dy in MOVES if (x + dx, y + dy) in squares) for x, y in squares}


_PLAIN = ("fire", "barricade", "decoy", "cabinet", "stairs", "ladder", "alarm_clock", "mine", "window", "trench")
"""Markers that movement asks about and that need no label."""


def _marker(board: Board, marker: Marker) -> str:
    at = _square(marker.at)
    if marker.kind in _PLAIN:
        return f"marker({Name(marker.kind)},{at})."
    if marker.kind == "level":
        return f"level({at},{int(marker.label or 0)})."
    if marker.kind == "lock" and marker.label:
        return f"lock_of({at},{term(find_item(board.system, marker.label) or marker.label)})."
    return ""


_GROUNDS: dict[int, tuple[weakref.ref[Board], Ground]] = {}


def ground_of(board: Board) -> Ground:
    """The map's facts, made once for each board that is still in use."""
    known = _GROUNDS.get(id(board))
    if known is not None and known[0]() is board:
        return known[1]
    key = id(board)
    ground = Ground(board)
    _GROUNDS[key] = (weakref.ref(board, lambda _: _GROUNDS.pop(key, None)), ground)
    return ground


def diamond(centre: Square, radius: int) -> Iterator[Square]:
    """The squares within ``radius`` orthogonal steps; every hero's way of that many movement points stays inside."""
    x, y = centre
    for dy in range(-radius, radius + 1):
        width = radius - abs(dy)
        for dx in range(-width, width + 1):
            yield x + dx, y + dy


def box(corner: Square, other: Square, margin: int = 0) -> Iterator[Square]:
    """The squares of the rectangle over two corners, widened by ``margin``."""
    (a, b), (c, d) = corner, other
    for y in range(min(b, d) - margin, max(b, d) + margin + 1):
        for x in range(min(a, c) - margin, max(a, c) + margin + 1):
            yield x, y


def figure_facts(figure: Figure, powers: Iterable[str]) -> str:
    """Where a figure stands and what is known of it; printed values are added by ``position``."""
    facts = [fact("figure", figure.id, Name(figure.kind)), fact("at", figure.id, figure.at)]
    if figure.kind is Kind.HERO:
        facts.append(fact("facing", figure.id, DIRECTION[figure.facing or Facing.NORTH]))
    facts += [fact(Name(word), figure.id) for word in figure.status]
    facts += [fact("locks", figure.id, hero) for hero in figure.locks]
    facts += [fact("power", figure.id, power) for power in powers]
    return "".join(facts)
