"""The fewest examples that show everything: a set cover, solved by clingo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import clingo
from msgspec import Struct

from riese_kb.facts import fact

_CONFLICTS = 20000
"""After so many conflicts the best cover so far is taken: a count and no time, so that equal seeds give equal bytes."""
_PROGRAM = """
{ take(C) : covers(C,_) }.
:- covers(_,I), not take(C) : covers(C,I).
#minimize { 1@2,C : take(C) }.
#minimize { W@1,C : take(C), weight(C,W) }.
"""


class Cover(Struct, frozen=True):
    """The cases that are taken, by number, and the fewest that there could be."""

    taken: tuple[int, ...]
    at_least: int


def cover(cases: Sequence[frozenset[str]], weights: Sequence[int]) -> Cover:
    """The fewest cases that hold every item of any of them; of those, the lightest."""
    items = sorted({item for case in cases for item in case})
    if not items:
        return Cover((), 0)
    number = {item: n for n, item in enumerate(items)}
    parts = [_PROGRAM]
    parts += [fact("covers", n, number[item]) for n, case in enumerate(cases) for item in sorted(case)]
    parts += [fact("weight", n, weight) for n, weight in enumerate(weights)]
    control = clingo.Control(["--warn=none", "--opt-strategy=usc", f"--solve-limit={_CONFLICTS}", "--seed=1"])
    control.add("base", [], "\n".join(parts))
    control.ground([("base", [])])
    best: list[tuple[int, ...]] = []
    control.solve(on_model=lambda model: best.append(_taken(model)))
    lower = control.statistics["summary"].get("lower", [])
    return Cover(best[-1] if best else _greedy(cases), max(1, int(lower[0])) if len(lower) else 1)


def _taken(model: clingo.Model) -> tuple[int, ...]:
    return tuple(sorted(atom.arguments[0].number for atom in model.symbols(atoms=True) if atom.match("take", 1)))


def _greedy(cases: Sequence[frozenset[str]]) -> tuple[int, ...]:
    """A cover without a proof, where clingo came to none in the conflicts it has."""
    left: set[str] = {item for case in cases for item in case}
    taken = []
    while left:
        best = max(range(len(cases)), key=lambda n: len(cases[n] & left))
        taken.append(best)
        left -= cases[best]
    return tuple(sorted(taken))


def items_of(kept: Sequence[str], broken: Sequence[str], chapter: str) -> frozenset[str]:
    """What a case shows of a chapter: ``kept RULE`` and ``broken RULE``."""
    shown: Mapping[str, Sequence[str]] = {"kept": kept, "broken": broken}
    return frozenset(f"{how} {id}" for how, ids in shown.items() for id in ids if id.startswith(f"{chapter}."))
