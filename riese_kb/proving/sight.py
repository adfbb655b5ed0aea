"""Claims about lines of fire: the modifier of a line, proved over the chapter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import z3

from riese_kb import catalogue, tables
from riese_kb.board import System
from riese_kb.completion import Completion
from riese_kb.facts import fact
from riese_kb.program import program
from riese_kb.proving.claims import Claim, Openable, Stated, Verdict, decide
from riese_kb.store import read_toml

SUMS = range(25)
"""Sums of penalties that are looked at. Only whether they pass the maximum makes a difference."""


def claims(system: System) -> Iterator[Claim]:
    """Every claim about lines of fire; games on rings have none."""
    if system.on_rings:
        return
    rules = catalogue.rules(system)
    yield Claim(
        "lof.bounds",
        "The modifier of a line of fire is never below 0 nor above the maximum.",
        rules["lof.maximum"].cite,
        partial(_bounds, system),
        ("lof.maximum",),
    )
    yield Claim(
        "lof.closed-form",
        "A line has one modifier: the sum of its penalties where that stays below the maximum, else the maximum.",
        rules["lof.maximum"].cite,
        partial(_closed_form, system),
        ("lof.figure", "lof.hindering", "lof.hindering-edge", "lof.maximum"),
    )


def _maximum(system: System) -> int:
    number: int = read_toml(f"{tables.data_root()}/rules/{system}/modifiers.toml")["lof"]["lof.maximum"]
    return number


class _Line(Openable):
    """A line whose penalties come to any sum."""

    def __init__(self, system: System) -> None:
        law = program(system, "lof")
        rules = [rule.text for rule in law.prunable.rules if rule.head != "lof_sum"]
        sums = [fact("lof_sum", 0, (1, 1), (1, 9), number) for number in SUMS]
        scene = [fact("world", 0), fact("traces", 0, (1, 1), (1, 9)), *(f"#external {one}" for one in sums)]
        self.total = z3.Int("sum of penalties")
        given = [z3.PbEq([(z3.Bool(one.rstrip(".")), 1) for one in sums], 1)]
        given += [z3.Implies(z3.Bool(one.rstrip(".")), self.total == number) for one, number in zip(sums, SUMS, strict=True)]
        super().__init__(Completion("\n".join([*rules, *scene]), "line:", off=sorted(law.rules)), given)

    def described(self, model: z3.ModelRef) -> dict[str, Any]:
        """The sum in a model."""
        return {"sum of penalties": model.eval(self.total).as_long()}


def _bounds(system: System) -> Verdict:
    def state(line: _Line) -> Stated:
        outside = [when for arguments, when in line.law.atoms("lof_modifier") if not 0 <= _number(arguments[3]) <= most]
        return line.given, z3.Not(z3.Or(outside))

    line, most = _Line(system), _maximum(system)
    return decide(line, state, line.described)


def _closed_form(system: System) -> Verdict:
    def state(line: _Line) -> Stated:
        stated = line.law.total("lof_modifier", 3)
        once = z3.PbEq([(when, 1) for _, when in line.law.atoms("lof_modifier")], 1)
        return line.given, z3.And(once, stated == z3.If(line.total < most, line.total, most))

    line, most = _Line(system), _maximum(system)
    return decide(line, state, line.described)


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value
