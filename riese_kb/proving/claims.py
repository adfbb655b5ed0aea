"""What a claim is, and how it is decided: proved for all inputs, refuted by a case, or undecided when time runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import z3

LIMIT = 2000
"""Milliseconds that z3 may take for one claim."""


class Outcome(StrEnum):
    """How a claim came out (contract, section 3)."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Verdict:
    """The outcome of one claim; ``case`` is the input that refutes it, ``why`` what z3 said where it gave up."""

    outcome: Outcome
    case: dict[str, Any] | None = None
    why: str = ""


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


def over(cases: Iterable[Any], holds: Callable[[Any], bool], told: Callable[[Any], dict[str, Any]]) -> Verdict:
    """The same for finitely many cases, one after the other."""
    for one in cases:
        if not holds(one):
            return Verdict(Outcome.REFUTED, told(one))
    return PROVED
