"""Cases that no rule covers: kinds of enemies, declared movements, faces of dice of which nothing can be derived."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import z3

from riese_kb import catalogue
from riese_kb.board import System
from riese_kb.completion import Completion, behind
from riese_kb.facts import fact
from riese_kb.program import program
from riese_kb.proving import numbers
from riese_kb.proving.claims import Outcome
from riese_kb.proving.points import MOVES, POINTS, counted
from riese_kb.store import read_toml
from riese_kb.tables import data_root, zombie_types


@dataclass(frozen=True)
class Unsaid:
    """A case of which the rules say nothing: in words, the passage where one would look, and the situation."""

    what: str
    passage: str
    case: dict[str, Any]


def unsaid(system: System) -> Iterator[Unsaid]:
    """Every case that is looked for and not covered."""
    yield from _kills(system)
    yield from _numbers(system)
    yield from _faces(system)


def _kills(system: System) -> Iterator[Unsaid]:
    """The death of an enemy of every category, put to the rules on experience, where there are any: no amount follows from it."""
    passage = next((rule.cite for id, rule in catalogue.rules(system).items() if id.startswith("experience.")), None)
    if passage is None:
        return
    categories = dict.fromkeys(kind.category.replace(" ", "-") for kind in zombie_types(system).values())
    deeds = [*categories, "npc"]
    law = program(system, "earn")
    worth = read_toml(f"{data_root()}/rules/{system}/campaign.toml")["earned"]
    facts = [fact("world", 0), fact("actor", 0, "h"), *(fact("earned", rule, number) for rule, number in worth.items())]
    opened = [fact("achieved", 0, deed, 1) for deed in deeds]
    rules = [rule.text for rule in behind(law.prunable.rules, ("charge",))]
    found = Completion("\n".join([*rules, *facts, *(f"#external {one}" for one in opened)]), "earn:")
    for deed, one in zip(deeds, opened, strict=True):
        earns = [when for arguments, when in found.atoms("charge") if arguments[6] == deed]
        if _possible([*found.formulas, z3.Bool(one.rstrip(".")), *(z3.Not(when) for when in earns)]) is not None:
            what = deed.replace("-", " ")
            yield Unsaid(
                f"no rule says what killing an enemy of the kind {what} is worth",
                passage,
                {"achieved": deed},
            )


def _numbers(system: System) -> Iterator[Unsaid]:
    """Movement points and zombies' moves: a situation in which no number of them follows."""
    for measure, rule in ((POINTS, "hero-activation.walking"), (MOVES, "zombie.move-value")):
        found = counted(system, measure)
        model = _possible([*found.given, *(z3.Not(when) for _, when in found.law.atoms(measure.predicate))])
        if model is not None:
            yield Unsaid(
                f"nothing says how many {measure.what} there are", catalogue.rules(system)[rule].cite, found.described(model)
            )


def _faces(system: System) -> Iterator[Unsaid]:
    """The tables of dice: faces without a row."""
    for name, rows in numbers.dice_tables(system):
        verdict = numbers.covers(rows)
        if verdict.outcome is Outcome.REFUTED:
            yield Unsaid(f"not every face of the d12 has one row of {name}", name, verdict.case or {})


def _possible(formulas: list[z3.BoolRef]) -> z3.ModelRef | None:
    solver = z3.Solver()
    solver.add(*formulas)
    return solver.model() if solver.check() == z3.sat else None
