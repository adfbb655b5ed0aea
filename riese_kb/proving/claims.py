"""What a claim is, and how it is decided: proved for all inputs, refuted by a case, or undecided when time runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self, TypeVar

import z3

from riese_kb.completion import Completion

LIMIT = 2000
"""Milliseconds that z3 may take for one claim."""


class Outcome(StrEnum):
    """How a claim came out (contract, section 3)."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Verdict:
    """The outcome of one claim; ``case`` is the input that refutes it, ``why`` what z3 said where it gave up.

    ``core`` finds the rules that a proof rests on, none to spare: were any one of them not in force, it would fail. It is looked
    for when it is looked at. What holds by the numbers of tables alone rests on none; None: z3 found no answer in time.
    """

    outcome: Outcome
    case: dict[str, Any] | None = None
    why: str = ""
    core: Callable[[], tuple[str, ...] | None] = tuple


@dataclass(frozen=True)
class Claim:
    """A statement about the rules: id (``topic.name``), in words, the passage it rests on, and how to decide it."""

    id: str
    says: str
    passage: str
    decide: Callable[[], Verdict]
    rules: tuple[str, ...] = field(default=())

    @property
    def topic(self) -> str:
        """The first part of the id; ``riese-kb prove TOPIC`` picks claims by it."""
        return self.id.partition(".")[0]

    def to_json(self, verdict: Verdict) -> dict[str, Any]:
        """The claim with its outcome as the contract writes it."""
        return {
            "id": self.id,
            "outcome": str(verdict.outcome),
            "says": self.says,
            "passage": self.passage,
            "counterexample": verdict.case,
            "rules": list(self.rules),
            **({"core": verdict.core()} if verdict.outcome is Outcome.PROVED else {}),
            **({"why": verdict.why} if verdict.why else {}),
        }


PROVED = Verdict(Outcome.PROVED)


def refuted(**case: Any) -> Verdict:
    """The claim fails in that case."""
    return Verdict(Outcome.REFUTED, case)


def for_all(
    given: Iterable[z3.BoolRef],
    claim: z3.BoolRef,
    case: Callable[[z3.ModelRef], dict[str, Any]],
    spare: Iterable[z3.BoolRef] = (),
    limit: int = LIMIT,
) -> Verdict:
    """Whether the claim holds wherever all that is given does; ``case`` reads the input off a model that breaks it.

    Of ``spare`` as much as possible is left out of that input, first things first.
    """
    solver = z3.Solver()
    solver.set("timeout", limit)
    solver.add(*given)
    solver.add(z3.Not(claim))
    found = solver.check()
    if found == z3.unsat:
        return PROVED
    if found == z3.sat:
        model = solver.model()
        for one in spare:
            if not z3.is_true(model.eval(one, model_completion=True)):
                solver.add(z3.Not(one))  # it is left out already
                continue
            solver.push()
            solver.add(z3.Not(one))
            if solver.check() == z3.sat:
                model = solver.model()  # and the wish stays
            else:
                solver.pop()
        return Verdict(Outcome.REFUTED, case(model))
    return Verdict(Outcome.UNDECIDED, why=f"no answer within {limit} ms ({solver.reason_unknown()})")


class Openable:
    """A law with open facts, and what is given beside it."""

    def __init__(self, law: Completion, choices: Iterable[z3.BoolRef]) -> None:
        self.law = law
        self.choices = [*choices]

    @property
    def given(self) -> list[z3.BoolRef]:
        """Everything that may be assumed."""
        return [*self.law.formulas, *self.choices]

    def openly(self) -> Self:
        """The same with every switch open."""
        other = copy(self)
        other.law = self.law.openly()
        return other

    def without(self, id: str) -> Self:
        """The same with a rule switched off; ``given`` is only what is given beside that of this one."""
        other = copy(self)
        other.law, other.choices = self.law.without(id, f"without {id}:"), []
        return other


Law = TypeVar("Law", bound=Openable)
Stated = tuple[list[z3.BoolRef], z3.BoolRef]
"""What is given, and what is claimed to follow."""


def decide(
    law: Law,
    state: Callable[[Law], Stated],
    case: Callable[[z3.ModelRef], dict[str, Any]],
    spare: Iterable[z3.BoolRef] = (),
    limit: int = LIMIT,
) -> Verdict:
    """``for_all`` of a claim about a law, with the core of its proof."""
    verdict = for_all(*state(law), case, spare, limit)
    return replace(verdict, core=lambda: _core(law.openly(), state)) if verdict.outcome is Outcome.PROVED else verdict


def _core(law: Law, state: Callable[[Law], Stated]) -> tuple[str, ...] | None:
    given, claim = state(law)
    solver = z3.Solver()
    solver.set("timeout", LIMIT)
    solver.add(*given, z3.Not(claim))
    switches = {rule: z3.Bool(f"rule {rule}") for rule in law.law.in_force}
    solver.add(*(z3.Implies(switches[rule], when) for rule, when in law.law.in_force.items()))
    if solver.check(*switches.values()) != z3.unsat:
        return None  # the proof with every switch settled was easier, and stands
    named = {str(switch): rule for rule, switch in switches.items()}
    core = sorted(named[str(one)] for one in solver.unsat_core())
    for rule in tuple(core):
        fewer = [other for other in core if other != rule]
        if solver.check(*(switches[other] for other in fewer)) == z3.unsat:
            core = fewer
    return tuple(core)


def over(cases: Iterable[Any], holds: Callable[[Any], bool], told: Callable[[Any], dict[str, Any]]) -> Verdict:
    """The same for finitely many cases, one after the other."""
    for one in cases:
        if not holds(one):
            return Verdict(Outcome.REFUTED, told(one))
    return PROVED
