"""Changes to a board or to how a thing is done: what they are called, in words and as data, and how each is made.

Questions that look for changes share these: ``what lets …`` and ``why not …``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from dataclasses import replace as fields_replaced
from functools import partial
from typing import Any

from msgspec.structs import replace

from riese_kb.board import Board, Declared, Edge, EdgeKind, Facing, Figure, Marker, Square, Terrain, square_name
from riese_kb.question import About

Way = tuple[Board, Any]
"""A board and what is asked about it."""


@dataclass(frozen=True)
class Change:
    """One change: ``key`` and ``value`` name it as data, ``says`` in words; ``make`` makes it.

    ``facts``: the open facts it turns over, where z3 looks for changes.
    """

    key: str
    value: str
    says: str
    make: Callable[[Way], Way]
    facts: tuple[tuple[str, bool], ...] = ()
    less: tuple[Change, ...] = ()
    """The same in smaller amounts, the smallest first."""

    def or_less(self, less: Iterable[Change]) -> Change:
        """The change, to be replaced by a smaller amount where that will do."""
        return fields_replaced(self, less=tuple(less))

    def to_json(self) -> dict[str, str]:
        """Plain data."""
        return {"change": self.key, "to": self.value, "says": self.says}


def changed(board: Board, about: About, changes: Iterable[Change]) -> Way:
    """Board and question with all of these changes."""
    way: Way = (board, about)
    for change in changes:
        way = change.make(way)
    return way


def declares(hero: str, mode: Declared) -> Change:
    """The hero declares something else."""
    return Change("declared", str(mode), f"{hero} declares {mode}", lambda way: (way[0], replace(way[1], declared=mode)))


def faces(hero: str, facing: Facing) -> Change:
    """The hero faces another way."""
    return Change("facing", str(facing), f"{hero} faces {facing}", figure_changed(hero, facing=facing))


def stands(id: str, square: Square, facing: Facing | None = None) -> Change:
    """A figure stands elsewhere; heroes may face another way there."""
    name = square_name(square)
    turned = {} if facing is None else {"facing": facing}
    says = f"{id} stands on {name}" + ("" if facing is None else f", facing {facing}")
    return Change("stands", name, says, figure_changed(id, at=square, **turned))


def stunned(id: str) -> Change:
    """A zombie is stunned."""
    return Change("stunned", id, f"{id} is stunned", _with_figure(id, lambda f: replace(f, status=(*f.status, "stunned"))))


def gone(id: str) -> Change:
    """A figure is not on the board."""

    def make(way: Way) -> Way:
        left = (f for f in way[0].figures if f.id != id)
        freed = tuple(replace(f, locks=tuple(hero for hero in f.locks if hero != id)) for f in left)
        return replace(way[0], figures=freed), way[1]

    return Change("gone", id, f"{id} is not there", make)


def unlocked(id: str, hero: str) -> Change:
    """A zombie does not hold the hero."""
    return Change("unlocked", id, f"{id} does not lock {hero}", figure_changed(id, locks=()))


def status_off(id: str, word: str) -> Change:
    """A figure does not have a status."""
    says = {"attacked": f"{id} has not attacked yet", "covering": f"{id} is not covering"}.get(word, f"{id} is not {word}")
    return Change(
        "without", f"{id} {word}", says, _with_figure(id, lambda f: replace(f, status=tuple(s for s in f.status if s != word)))
    )


def cleared(square: Square) -> Change:
    """A square is clear."""
    name = square_name(square)

    def make(way: Way) -> Way:
        return replace(way[0], terrain={**way[0].terrain, square: Terrain.CLEAR}), way[1]

    return Change("cleared", name, f"{name} is clear", make)


def opened(edge: Edge) -> Change:
    """A door is open."""
    name = "|".join(map(square_name, edge))

    def make(way: Way) -> Way:
        return replace(way[0], edges={**way[0].edges, edge: EdgeKind.OPEN_DOOR}), way[1]

    return Change("opened", name, f"the door {name} is open", make)


def removed(marker: Marker) -> Change:
    """A marker is not there."""
    name = square_name(marker.at)

    def make(way: Way) -> Way:
        return replace(way[0], markers=tuple(one for one in way[0].markers if one != marker)), way[1]

    return Change("removed", f"{marker.kind} {name}", f"there is no {marker.kind} on {name}", make)


def rearmed(hero: str, weapon: str) -> Change:
    """The hero has another weapon in hand, and uses it."""
    readied = figure_changed(hero, weapon=weapon, off_hand=None)

    def make(way: Way) -> Way:
        board, asked = readied(way)
        return board, replace(asked, weapon=None)

    return Change("weapon", weapon, f"{hero} has the {weapon} in hand", make)


def has(hero: str, what: str, number: int, says: str) -> Change:
    """The hero has so much of something: movement points, ammunition, health."""
    return Change(what, str(number), says, figure_changed(hero, **{what: number}))


def figure_changed(id: str, **values: Any) -> Callable[[Way], Way]:
    """The board with other values of one figure."""
    return _with_figure(id, partial(replace, **values))


def board_changed(key: str, value: Any, says: str) -> Change:
    """The board with another value of its own."""
    return Change(key, str(value).lower(), says, lambda way: (replace(way[0], **{key: value}), way[1]))


def _with_figure(id: str, change: Callable[[Figure], Figure]) -> Callable[[Way], Way]:
    def make(way: Way) -> Way:
        return replace(way[0], figures=tuple(change(f) if f.id == id else f for f in way[0].figures)), way[1]

    return make
