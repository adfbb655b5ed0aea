"""From worlds to what holds in them: worlds that can share a grounding do, and what is known already is not asked again.

A batch of questions, the two sides of a comparison, or a question and its might-have-beens cost little more than one.
"""

from __future__ import annotations

import re
import weakref
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from clingo import Symbol, parse_term

from riese_kb.errors import RulesError, Undecided
from riese_kb.position import Position, Terms
from riese_kb.program import Program, overlay, program, readings
from riese_kb.pruning import Prunable, Shapes, facts_in, shapes_of, shapes_of_once, symbols_of
from riese_kb.roster import Roster
from riese_kb.solver import Atoms, LogicFault, run
from riese_kb.worlds import Derived, Stand, Steps, World

T = TypeVar("T")
LARGEST = 400
"""Worlds in one grounding at most; beyond it nothing is gained."""


KEPT = 80_000
"""Atoms that are remembered at most, about 15 MB."""


class Memo:
    """What was derived so far, by this question and by those before it; what was not asked for longest is forgotten.

    A world is known when another one had the same board, facts and law. Readings that did not matter there may differ: where
    a contested point does not come up (``matters``), nothing depends on it.
    """

    def __init__(self, limit: int = KEPT) -> None:
        self._limit = limit
        self._atoms = 0
        self._known: OrderedDict[tuple[object, ...], list[_Known]] = OrderedDict()

    def recall(self, world: World, key: tuple[object, ...]) -> Derived | None:
        """What holds in a world, if that is known."""
        rows = self._known.get(key)
        if rows is None:
            return None
        self._known.move_to_end(key)
        law, chosen = _program(world), world.terms.readings
        fits = (row for row in rows if row.position() is world.position)
        return next((row.derived for row in fits if _agree(law, row.readings, chosen, row.derived)), None)

    def keep(self, world: World, key: tuple[object, ...], derived: Derived) -> None:
        """Remember what holds in a world."""
        self._known.setdefault(key, []).append(_Known(weakref.ref(world.position), world.terms.readings, derived))
        self._atoms += derived.size
        while self._atoms > self._limit and len(self._known) > 1:
            _, oldest = self._known.popitem(last=False)
            self._atoms -= sum(row.derived.size for row in oldest)

    def forget(self) -> None:
        """Everything is asked anew."""
        self._known.clear()
        self._atoms = 0


class _Known(NamedTuple):
    """What was derived in one world of a board, and the readings it was asked under."""

    position: weakref.ref[Stand]
    readings: Mapping[str, str]
    derived: Derived


KNOWN = Memo()
"""What this process has derived."""


def drive(steps: Steps[T], memo: Memo = KNOWN) -> T:
    """Run a generator to its end, solving what it asks for."""
    try:
        worlds = next(steps)
        while True:
            worlds = steps.send(derive(worlds, memo))
    except StopIteration as stop:
        result: T = stop.value
        return result


def _agree(law: Program, one: Mapping[str, str], other: Mapping[str, str], derived: Derived) -> bool:
    """Whether what a program derived under some readings holds under others, too.

    Of a point that it reads it must have told that it does not come up. Only where the first took the book's default is that
    known: another value may hide it.
    """
    if one == other:
        return True
    known = readings(law.system)
    mattered = derived.values("matters")
    return all(
        law.tells and name not in mattered and one.get(name, known[name].default) == known[name].default
        for name in {*one, *other} & law.readings
        if one.get(name, known[name].default) != other.get(name, known[name].default)
    )


def derive(worlds: Sequence[World], memo: Memo) -> list[Derived]:
    """What holds in each world. Worlds of one board, program and set of further rules share groundings."""
    keys = [
        (id(w.position), *_law_of(w), *w.terms.key, w.terms.without, w.squares, w.figures, w.facts(0), w.shared) for w in worlds
    ]
    found = [memo.recall(world, key) for world, key in zip(worlds, keys, strict=True)]
    alike: dict[tuple[object, ...], list[int]] = {}
    for number, derived in enumerate(found):
        if derived is None:
            alike.setdefault((*keys[number], tuple(sorted(worlds[number].terms.readings.items()))), []).append(number)
    for numbers in _groups(worlds, [same[0] for same in alike.values()]):
        _ground(worlds, numbers, found)
    for same in alike.values():
        derived = found[same[0]]
        assert derived is not None
        memo.keep(worlds[same[0]], keys[same[0]], derived)
        for number in same:
            found[number] = derived
    return [derived for derived in found if derived is not None]


def _law_of(world: World) -> tuple[object, ...]:
    """The program, as a key; programs are never thrown away unless a test changes the law under them."""
    return (id(program(world.position.system, world.query, world.terms.scenario)),)


def _groups(worlds: Sequence[World], numbers: Iterable[int]) -> Iterator[list[int]]:
    groups: dict[tuple[object, ...], list[int]] = {}
    for number in numbers:
        world = worlds[number]
        groups.setdefault((id(world.position), world.query, world.terms.key), []).append(number)
    for group in groups.values():
        for start in range(0, len(group), LARGEST):
            yield group[start : start + LARGEST]


def _ground(worlds: Sequence[World], numbers: list[int], found: list[Derived | None]) -> None:
    here = [worlds[n] for n in numbers]
    fresh = {n: Derived() for n in range(len(here))}
    for predicate, rows in _atoms(_program(here[0]), here, _facts(here)).items():
        for row in rows:
            world = row[0]
            if world in fresh:
                fresh[world].add(predicate, row[1:])
    for world, number in enumerate(numbers):
        found[number] = fresh[world]


def _program(world: World) -> Program:
    return program(world.position.system, world.query, world.terms.scenario)


def _facts(worlds: Sequence[World]) -> Facts:
    """The facts of worlds that share a grounding."""
    position, scenario = worlds[0].position, worlds[0].terms.scenario
    squares = _union(world.squares for world in worlds)
    figures = None if squares is None else _union(world.figures for world in worlds)
    staged = [position.staged(scenario)] if scenario and isinstance(position, Position | Roster) else []
    return Facts(
        board=[*position.facts(squares, figures), *staged],
        shared=list(dict.fromkeys(piece for world in worlds for piece in world.shared)),
        asked=[world.terms.facts(n) + world.facts(n) for n, world in enumerate(worlds)],
    )


_RULE_ID = re.compile(r'"([a-z0-9-]+\.[a-z0-9-]+)"')


def in_play(world: World) -> frozenset[str]:
    """The rules on which anything in a world can hang, as far as the facts' predicates tell."""
    law = _program(world)
    if world.terms.extra:
        return (law.rules | world.terms.rules.keys()) - world.terms.without
    cut = law.prunable.cut(_facts([world]).shapes())
    named = [cut.text, *(str(one) for one in cut.facts if one.name not in ("rule", "off"))]
    return (law.rules & {id for text in named for id in _RULE_ID.findall(text)}) - world.terms.without


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
        """What they look like to the pruning."""
        pieces = set(map(shapes_of, [*self.board, *self.shared]))
        return frozenset[str]().union(*pieces, shapes_of_once("".join(self.asked)))

    def text(self) -> str:
        """All of them."""
        return "".join([*self.board, *self.shared, *self.asked])

    def symbols(self, reads: Shapes) -> list[Symbol]:
        """The same as symbols, which clingo takes in faster than text; of the board and the shared ones those that are read."""
        found: list[Symbol] = []
        for piece in (*self.board, *self.shared):
            found += symbols_of(piece, reads)
        for piece in self.asked:
            found += map(parse_term, facts_in(piece))
        return found


def _atoms(law: Program, worlds: Sequence[World], facts: Facts) -> Atoms:
    terms = worlds[0].terms
    if not terms.extra:
        cut = _law(law, worlds).cut(facts.shapes())
        text = cut.text if len(worlds) > 1 else cut.alone
        return run(text, "", [*cut.facts, *facts.symbols(cut.reads)], cut.shown, name=law.query)
    return _apart(law, terms, facts)


def _apart(law: Program, terms: Terms, facts: Facts) -> Atoms:
    """The same with rule files: in a process apart, and with whatever goes wrong laid at the door of one of their lines.

    Further rules may need anything, so nothing is left out for them.
    """
    from riese_kb.rule_heads import value_fault
    from riese_kb.sandbox import run_apart

    before = f"{law.text}\n{overlay(law.system)}\n"
    try:
        atoms = run_apart(before + terms.extra, facts.text())
    except Undecided as slow:
        file, line = terms.endless or (terms.files[0], None)
        raise Undecided(slow.what, fix=slow.fix, file=file, line=line) from None
    except LogicFault as fault:
        raise _blamed(str(fault), before.count("\n"), terms) from None
    for predicate, rows in atoms.items():
        for row in rows:
            amiss = value_fault(predicate, row)
            if amiss is not None:
                id = row[1] if len(row) > 1 and isinstance(row[1], str) else ""
                file, line = terms.blame.get((predicate, id)) or terms.blame.get((predicate, "")) or (terms.files[0], None)
                raise RulesError(amiss, fix=_GUIDE, file=file, line=line)
    return atoms


_GUIDE = "see docs/house-rules.md"
_MESSAGE = re.compile(r"^<block>:(\d+):\d+(?:-\d+)?: (?:error|info|warning): (.*(?:\n  .*)*)", re.M)


def _blamed(said: str, before: int, terms: Terms) -> RulesError:
    """Clingo's first complaint about a line of the rule files, in one line; else what it said first."""
    for at, what in _MESSAGE.findall(said):
        line = int(at) - before - 1
        if line >= 0:
            number = max(n for n, start in enumerate(terms.starts) if start <= line)
            words = f"this rule cannot be used: {' '.join(what.split())}".replace("[#inc_base];", "").replace("[#inc_base]", "")
            return RulesError(words, fix=_GUIDE, file=terms.files[number], line=line - terms.starts[number] + 1)
    messages = [" ".join(what.split()) for _, what in _MESSAGE.findall(said)]
    first = messages[0] if messages else said.splitlines()[0] if said else "they have no meaning"
    return RulesError(f"these rules cannot be used: {first}", fix=_GUIDE, file=terms.files[0])


def _law(law: Program, worlds: Sequence[World]) -> Prunable:
    """The program that these worlds share: with readings and switches decided where all of them agree on the book's rules."""
    if any(world.terms.without for world in worlds):
        return law.differing
    chosen, *others = {id(world.terms.readings): tuple(sorted(world.terms.readings.items())) for world in worlds}.values()
    if all(other == chosen for other in others):
        return law.settled(chosen)
    return law.contested({name for said in (chosen, *others) for name, _ in said})
