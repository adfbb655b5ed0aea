"""Worlds and their derivations: how a question gets its turn in a grounding.

Answering is written as generators that yield the worlds they need and receive what was derived in each. ``drive`` runs
any number of them side by side and puts worlds of one board and one program into one grounding, so that a batch of
questions, the two sides of a comparison, or a question and its might-have-beens cost little more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from riese_kb.board import Square
from riese_kb.errors import RulesError
from riese_kb.position import Position, Terms
from riese_kb.program import Program, program
from riese_kb.pruning import Prunable, Shapes, names_of, only, shapes_of
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
    figures: frozenset[str] | None = frozenset()
    """Figures that can matter besides those on the squares; None: all."""


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
    here = [worlds[n] for n in numbers]
    position = here[0].position
    squares = _union(world.squares for world in here)
    figures = None if squares is None else _union(world.figures for world in here)
    facts = Facts(
        board=[*position.ground.part(squares), *position.people(squares, figures), position.scene],
        shared=list(dict.fromkeys(world.shared for world in here)),
        asked=[world.terms.facts(n) + world.facts(n) for n, world in zip(numbers, here, strict=True)],
    )
    for predicate, rows in _atoms(program(position.board.system, here[0].query), here, facts).items():
        for row in rows:
            world = row[0]
            if isinstance(world, int):
                found[world].add(predicate, row[1:])


def _union(parts: Iterable[frozenset[T] | None]) -> frozenset[T] | None:
    """All of them together; None, for everything, takes the rest in."""
    found = set(parts)
    return None if None in found else frozenset[T]().union(*(part for part in found if part is not None))


class Facts(NamedTuple):
    """The facts of one grounding: of the board piece by piece, shared ones, and those of each world."""

    board: list[str]
    shared: list[str]
    asked: list[str]

    def shapes(self) -> Shapes:
        """What they look like to the pruning. Pieces of the board come again and again; the others are looked at as a whole."""
        pieces = set(map(shapes_of, self.board))
        few = len(self.asked) <= _FEW
        return frozenset[str]().union(
            *pieces, *map(names_of, self.shared), *(map(shapes_of, self.asked) if few else [names_of("".join(self.asked))])
        )

    def text(self, reads: Shapes | None) -> str:
        """All of them, or of the board only those that are read."""
        board = self.board if reads is None else [only(piece, reads) for piece in self.board]
        return "".join([*board, *self.shared, *self.asked])


_FEW = 4
"""Worlds whose questions are looked at closely; where there are more, hardly a rule stays out anyway."""


def _atoms(law: Program, worlds: Sequence[World], facts: Facts) -> Atoms:
    terms = worlds[0].terms
    if not terms.extra:
        cut = _law(law, worlds).cut(facts.shapes())
        return run(cut.text, facts.text(cut.reads))
    from riese_kb.sandbox import run_apart

    try:  # further rules may need anything, so nothing is left out for them
        return run_apart(f"{law.prunable.text}\n{terms.extra}", facts.text(None))
    except LogicFault as fault:
        first = str(fault).splitlines()[0] if str(fault) else "it has no meaning"
        raise RulesError(f"these rules cannot be used: {first}", fix="see docs/rule-files.md", file=terms.files[0]) from None


def _law(law: Program, worlds: Sequence[World]) -> Prunable:
    """The program that these worlds share: with readings and switches decided where all of them agree on the book's rules."""
    terms = worlds[0].terms
    chosen = tuple(sorted(terms.readings.items()))
    if any(
        world.terms.without or (world.terms is not terms and tuple(sorted(world.terms.readings.items())) != chosen)
        for world in worlds
    ):
        return law.prunable
    return law.settled(chosen)
