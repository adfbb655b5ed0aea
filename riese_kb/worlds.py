"""Worlds and their derivations: how a question gets its turn in a grounding.

Answering is written as generators that yield the worlds they need and receive what was derived in each. ``together`` runs
any number of them side by side; ``grounding.drive`` solves what they ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from riese_kb.board import Square
from riese_kb.position import Position, Terms
from riese_kb.ringstand import RingStand
from riese_kb.roster import Roster
from riese_kb.solver import Args

T = TypeVar("T")
Stand = Position | Roster | RingStand
"""What questions are worked out from: a board of squares, a team, or a board of rings."""


class World(Struct, frozen=True):
    """One world that is wanted: the query, the squares that can matter (None: the whole map), the facts of the question.

    ``facts`` gets the number of the world. ``shared`` are facts that worlds of one grounding may have in common (lines).
    """

    position: Stand
    query: str
    terms: Terms
    facts: Callable[[int], str]
    squares: frozenset[Square] | None = None
    shared: tuple[str, ...] = ()
    figures: frozenset[str] | None = frozenset()
    """Figures that can matter besides those on the squares; None: all."""


class Derived:
    """What was derived in one world: ``derived["charge"]`` lists the arguments of every ``charge`` atom, without the world."""

    def __init__(self) -> None:
        self._atoms: dict[str, list[Args]] = {}

    def add(self, predicate: str, arguments: Args) -> None:
        """One more atom."""
        self._atoms.setdefault(predicate, []).append(arguments)

    @property
    def size(self) -> int:
        """How many atoms."""
        return sum(map(len, self._atoms.values()))

    def __getitem__(self, predicate: str) -> list[Args]:
        return self._atoms.get(predicate, [])

    def holds(self, predicate: str) -> bool:
        """Whether any atom of that predicate was derived."""
        return predicate in self._atoms

    def values(self, predicate: str) -> list[Any]:
        """The single arguments of a unary predicate."""
        return [args[0] for args in self._atoms.get(predicate, [])]

    def value(self, predicate: str) -> Any:
        """The argument of a predicate that holds exactly once."""
        (only,) = self.values(predicate)
        return only

    def number(self, predicate: str) -> int:
        """The same, for a number."""
        only = self.value(predicate)
        if not isinstance(only, int):
            raise TypeError(f"{predicate} is no number: {only!r}")
        return only


Steps = Generator[Sequence[World], Sequence[Derived], T]


def together(parts: Iterable[Steps[T]]) -> Steps[list[T]]:
    """Run several generators in step, their worlds in the same groundings; their results in order."""
    running = list(parts)
    results: dict[int, T] = {}
    wanted: dict[int, Sequence[World]] = {}
    for index, part in enumerate(running):
        try:
            wanted[index] = next(part)
        except StopIteration as stop:
            results[index] = stop.value
    while wanted:
        derived = iter((yield [world for worlds in wanted.values() for world in worlds]))
        following: dict[int, Sequence[World]] = {}
        for index, worlds in wanted.items():
            reply = [next(derived) for _ in worlds]
            try:
                following[index] = running[index].send(reply)
            except StopIteration as stop:
                results[index] = stop.value
        wanted = following
    return [results[index] for index in range(len(running))]
