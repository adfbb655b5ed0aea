"""Claims about lines of fire: the modifier of a line, proved over the chapter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import z3

from riese_kb import catalogue, tables
from riese_kb.board import System
from riese_kb.completion import Completion
from riese_kb.facts import fact
from riese_kb.program import program
from riese_kb.proving.claims import Claim, Verdict, for_all
from riese_kb.store import read_toml

SUMS = range(25)
"""Sums of penalties that are looked at. Only whether they pass the maximum makes a difference."""


def claims(system: System) -> Iterator[Claim]:
    """Every claim about lines of fire."""
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


def _line(system: System) -> tuple[Completion, list[z3.BoolRef], z3.ArithRef]:
    """A line whose penalties come to any sum."""
    law = program(system, "lof")
    rules = [rule.text for rule in law.prunable.rules if rule.head != "lof_sum"]
    sums = [fact("lof_sum", 0, (1, 1), (1, 9), number) for number in SUMS]
    scene = [fact("world", 0), fact("traces", 0, (1, 1), (1, 9)), *(f"#external {one}" for one in sums)]
    line = Completion("\n".join([*rules, *scene]), "line:")
    total = z3.Int("sum of penalties")
    given = [*line.formulas, z3.PbEq([(z3.Bool(one.rstrip(".")), 1) for one in sums], 1)]
    given += [z3.Implies(z3.Bool(one.rstrip(".")), total == number) for one, number in zip(sums, SUMS, strict=True)]
    return line, given, total


def _bounds(system: System) -> Verdict:
    line, given, total = _line(system)
    outside = [when for arguments, when in line.atoms("lof_modifier") if not 0 <= _number(arguments[3]) <= _maximum(system)]
    return for_all(given, z3.Not(z3.Or(outside)), lambda model: {"sum of penalties": model.eval(total).as_long()})


def _closed_form(system: System) -> Verdict:
    line, given, total = _line(system)
    most = _maximum(system)
    stated = line.total("lof_modifier", 3)
    once = z3.PbEq([(when, 1) for _, when in line.atoms("lof_modifier")], 1)
    claim = z3.And(once, stated == z3.If(total < most, total, most))
    return for_all(given, claim, lambda model: {"sum of penalties": model.eval(total).as_long()})


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value
