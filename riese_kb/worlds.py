"""Worlds and their derivations: how a question gets its turn in a grounding.

Answering is written as generators that yield the worlds they need and receive what was derived in each. ``drive`` runs
any number of them side by side and puts worlds of one board and one program into one grounding, so that a batch of
questions, the two sides of a comparison, or a question and its might-have-beens cost little more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from riese_kb.board import Square
from riese_kb.errors import RulesError
from riese_kb.position import Position, Terms
from riese_kb.program import Program, program
from riese_kb.solver import Args, Atoms, LogicFault, run

T = TypeVar("T")
LARGEST = 200
"""Worlds in one grounding at most; beyond it nothing is gained."""


@dataclass(frozen=True)
class World:
    """One world that is wanted: the query, the squares that can matter (None: the whole map), the facts of the question.

    ``facts`` gets the number of the world. ``shared`` are facts that worlds of one grounding may have in common (lines).
    """

    position: Position
    query: str
    terms: Terms
    facts: Callable[[int], str]
    squares: frozenset[Square] | None = None
    shared: str = ""
    crowd: bool = False
    """Whether figures outside the squares can matter, too (enemies at the far ends of lines, targets of zombies)."""


class Derived:
    """What was derived in one world: ``derived["charge"]`` lists the arguments of every ``charge`` atom, without the world."""

    def __init__(self) -> None:
        self._atoms: dict[str, list[Args]] = {}

    def add(self, predicate: str, arguments: Args) -> None:
        """One more atom."""
        self._atoms.setdefault(predicate, []).append(arguments)

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


def drive(steps: Steps[T]) -> T:
    """Run a generator to its end, solving what it asks for."""
    try:
        worlds = next(steps)
        while True:
            worlds = steps.send(derive(worlds))
    except StopIteration as stop:
        result: T = stop.value
        return result


def derive(worlds: Sequence[World]) -> list[Derived]:
    """What holds in each world. Worlds of one board, program and set of further rules share groundings."""
    found = [Derived() for _ in worlds]
    for numbers in _groups(worlds):
        _ground(worlds, numbers, found)
    return found


def _groups(worlds: Sequence[World]) -> Iterator[list[int]]:
    groups: dict[tuple[object, ...], list[int]] = {}
    for number, world in enumerate(worlds):
        groups.setdefault((id(world.position), world.query, world.terms.key), []).append(number)
    for numbers in groups.values():
        for start in range(0, len(numbers), LARGEST):
            yield numbers[start : start + LARGEST]


def _ground(worlds: Sequence[World], numbers: list[int], found: list[Derived]) -> None:
    first = worlds[numbers[0]]
    position = first.position
    here = [worlds[n] for n in numbers]
    if any(world.squares is None for world in here):
        board = position.ground.all() + position.people
    else:
        squares = frozenset[Square]().union(*(world.squares or () for world in here))
        board = position.ground.part(squares) + position.people_on(squares, any(world.crowd for world in here))
    facts = [board, position.scene]
    facts += dict.fromkeys(world.shared for world in here)
    facts += [world.terms.facts(n) + world.facts(n) for n, world in zip(numbers, here, strict=True)]
    text = "".join(facts)
    law = program(position.board.system, first.query)
    atoms = _atoms(law, here, text)
    for predicate, rows in atoms.items():
        for row in rows:
            world = row[0]
            if isinstance(world, int):
                found[world].add(predicate, row[1:])


def _atoms(law: Program, worlds: Sequence[World], facts: str) -> Atoms:
    text = _text(law, worlds, facts)
    if not worlds[0].terms.extra:
        return run(text, facts)
    from riese_kb.sandbox import run_apart

    try:
        return run_apart(text, facts)
    except LogicFault as fault:
        first = str(fault).splitlines()[0] if str(fault) else "it has no meaning"
        raise RulesError(
            f"these rules cannot be used: {first}", fix="see docs/rule-files.md", file=worlds[0].terms.files[0]
        ) from None


def _text(law: Program, worlds: Sequence[World], facts: str) -> str:
    """The program that these worlds need. Further rules may need anything, so nothing is left out for them."""
    terms = worlds[0].terms
    if terms.extra:
        return f"{law.prunable.text}\n{terms.extra}"
    chosen = tuple(sorted(terms.readings.items()))
    if any(
        world.terms.without or (world.terms is not terms and tuple(sorted(world.terms.readings.items())) != chosen)
        for world in worlds
    ):
        return law.prunable.cut(facts)
    return law.settled(chosen).cut(facts)
