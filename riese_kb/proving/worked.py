"""Worked attacks recomputed: from the values of a card and what an example names to the values that it prints.

What is added to what is read off the rules under ``logic/``; z3 looks for a reading of what the example leaves out. An
example is wrong only where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import z3

from riese_kb.board import MAIN
from riese_kb.program import program
from riese_kb.proving.terms import stated

Pair = tuple[int, int]
"""A stun and a wound value."""


@dataclass(frozen=True)
class Reach:
    """What an example tells of distance: squares, point-blank range, range modifier; None for what it leaves out."""

    squares: int | None = None
    pbr: int | None = None
    rm: int | None = None


@cache
def follows(before: Pair, after: Pair, named: tuple[int, ...], reach: Reach | None) -> bool:
    """Whether the second pair can come from the first, with modifiers named in that order; ``reach`` None: no distance counts.

    The calculation may end before the last of them, and a modifier may be named a second time where it is added up.
    """
    solver = z3.Solver()
    count = z3.Int("count")
    solver.add(count >= 0, count <= len(named))
    terms = []
    for index, number in enumerate(named):
        counts = count > index
        terms.append(z3.If(z3.And(counts, z3.Bool(f"{index} is new")) if number in named[:index] else counts, number, 0))
    total = z3.Sum([z3.IntVal(0), *terms]) + (_range(solver, reach) if reach else 0)
    solver.add(*_modified(before, after, total))
    return bool(solver.check() == z3.sat)


@cache
def reaches(before: Pair, after: Pair, named: tuple[int, ...], reach: Reach | None) -> bool:
    """Whether the second pair can come from the first with any of the modifiers named, each once at most."""
    solver = z3.Solver()
    terms = [z3.If(z3.Bool(f"{index} counts"), number, 0) for index, number in enumerate(named)]
    total = z3.Sum([z3.IntVal(0), *terms]) + (_range(solver, reach) if reach else 0)
    solver.add(*_modified(before, after, total))
    return bool(solver.check() == z3.sat)


@cache
def any_total(before: Pair, after: Pair) -> bool:
    """Whether one sum of modifiers, whatever it is, makes the first pair the second."""
    solver = z3.Solver()
    solver.add(*_modified(before, after, z3.Int("total")))
    return bool(solver.check() == z3.sat)


def _modified(before: Pair, after: Pair, total: z3.ArithRef) -> list[z3.BoolRef]:
    known = {"S": z3.IntVal(before[0]), "D": z3.IntVal(before[1]), "T": total}
    return [stated(_rule("modified(W,0,"), place, known)[0] == value for place, value in ((2, after[0]), (3, after[1]))]


def _range(solver: z3.Solver, reach: Reach) -> z3.ArithRef:
    """The modifier of the range, with everything open that the example does not tell."""
    names = {"R": reach.squares, "B": reach.pbr, "M": reach.rm}
    known = {name: z3.Int(name) if value is None else z3.IntVal(value) for name, value in names.items()}
    solver.add(known["R"] >= 1, known["B"] >= 0, known["M"] >= 1)
    amount, beyond = stated(_rule('charge(W,"attack.range"'), 4, known)
    return z3.If(beyond, amount, 0)


@cache
def _rule(start: str) -> str:
    (found,) = [rule.text for rule in program(MAIN, "attack").prunable.rules if rule.text.startswith(start)]
    return found
