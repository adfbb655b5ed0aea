"""Statements of the catalogue about one number or one permission, held against each other by solving.

Where two rules touch the same thing, the text must say which goes before the other. So we look for a situation in which one
of them takes away what the other adds or forbids, though neither is written down as an exception to the other; and for rules
that have a say in no situation at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx
import z3

from riese_kb import catalogue
from riese_kb.board import System
from riese_kb.catalogue import Kind, Rule
from riese_kb.completion import Completion

LIMIT = 500
"""Milliseconds that z3 may take for one pair; what it leaves open is not told of."""
_SAY_SO = frozenset({Kind.DEFINITION, Kind.PROCEDURE})
"""Rules of these kinds say what others mean; that others hang on them is no contradiction."""


@dataclass(frozen=True)
class Ground:
    """All situations of one kind: the law, what is given, the open facts by name, and the predicate of its statements.

    Its second argument is the rule that speaks: ``charge`` adds an amount, ``forbids`` and ``bars`` are prohibitions.
    """

    law: Completion
    given: list[z3.BoolRef]
    open: Mapping[str, z3.BoolRef]
    says: str = "charge"


@dataclass(frozen=True)
class Silenced:
    """``rule`` takes away what ``other`` adds or forbids, in the situation that these facts make."""

    rule: str
    other: str
    facts: tuple[str, ...]


def silenced(ground: Ground, rules: Mapping[str, Rule]) -> Iterator[Silenced]:
    """Every pair without a precedence between its rules of which one takes away what the other says."""
    order = nx.DiGraph((id, other) for id, rule in rules.items() for other in rule.overrides)
    touched = {id: {str(arguments[1]) for arguments in atoms} for id, atoms in ground.law.hanging(ground.says).items()}
    solver = _solver(ground)
    for id in sorted(touched.keys() & rules.keys()):
        rule = rules[id]
        doubtful = {
            other
            for other in touched[id] & rules.keys() - {id}
            # An exception to what the other one rests on is an exception to it.
            if not _ordered(order, id, other) and not any(other in touched.get(less, ()) for less in rule.overrides)
        }
        if rule.kind in _SAY_SO or not doubtful:
            continue
        absent = ground.law.without(id, f"without {id}:")
        lost: dict[str, list[z3.BoolRef]] = {}
        for (arguments, here), (_, there) in zip(ground.law.atoms(ground.says), absent.atoms(ground.says), strict=True):
            if str(arguments[1]) in doubtful and not here.eq(there):
                lost.setdefault(str(arguments[1]), []).append(z3.And(there, z3.Not(here)))
        for other, when in sorted(lost.items()):
            solver.push()
            solver.add(*absent.formulas, z3.Or(when))
            if solver.check() == z3.sat:
                yield Silenced(id, other, _facts(ground, solver.model()))
            solver.pop()


def idle(ground: Ground) -> Iterator[str]:
    """The rules that have a say here, and in no situation make use of it."""
    adds: dict[str, list[z3.BoolRef]] = {}
    for arguments, when in ground.law.atoms(ground.says):
        adds.setdefault(str(arguments[1]), []).append(when)
    solver = _solver(ground)
    for rule, when in sorted(adds.items()):
        solver.push()
        solver.add(z3.Or(when))
        if solver.check() == z3.unsat:
            yield rule
        solver.pop()


def _solver(ground: Ground) -> z3.Solver:
    solver = z3.Solver()
    solver.set("timeout", LIMIT)
    solver.add(*ground.given)
    return solver


def _ordered(order: Any, one: str, other: str) -> bool:
    """Whether the catalogue says how two rules stand to each other: one is an exception to the other, or both to a third."""
    if one not in order or other not in order:
        return False
    below = [nx.descendants(order, id) | {id} for id in (one, other)]
    return bool(below[0] & below[1])


def _facts(ground: Ground, model: z3.ModelRef) -> tuple[str, ...]:
    return tuple(sorted(name for name, one in ground.open.items() if z3.is_true(model.eval(one, model_completion=True))))


def mutual(system: System) -> list[list[str]]:
    """Rules that are exceptions to each other, in a circle: each is said to go before the next."""
    order = nx.DiGraph((id, other) for id, rule in catalogue.rules(system).items() for other in rule.overrides)
    return [sorted(circle) for circle in nx.strongly_connected_components(order) if len(circle) > 1]
