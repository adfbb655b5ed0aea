"""Statements of the catalogue held against each other: laws with a planted contradiction, and what the game's own law yields."""

from __future__ import annotations

import pytest
import z3
from msgspec.structs import replace

from riese_kb import catalogue
from riese_kb.audit.checks.logic import Derived, _derived
from riese_kb.board import System
from riese_kb.catalogue import Kind, Rule
from riese_kb.completion import Completion
from riese_kb.program import readings
from riese_kb.proving.cases import unsaid
from riese_kb.proving.comparing import Ground, idle, mutual, silenced

IN_FORCE = 'rule("a"). rule("b"). in_force(W,R) :- world(W), rule(R), not off(W,R). world(0).\n'
ADDS = 'charge(W,"{rule}",p,0,{amount},"AM",none) :- {when}, in_force(W,"{rule}").\n'
APART = ADDS.format(rule="a", amount=2, when="runs(W)") + ADDS.format(rule="b", amount=-2, when="aims(W)")
AGAINST = ADDS.format(rule="a", amount=2, when="runs(W)") + ADDS.format(rule="b", amount=-2, when="aims(W), not spoilt(W)")
AGAINST += 'spoilt(W) :- runs(W), in_force(W,"a").\n'
NEVER = ADDS.format(rule="a", amount=2, when="runs(W)") + ADDS.format(rule="b", amount=-2, when="aims(W), runs(W)")


def ground(law: str, *, either: bool = False) -> Ground:
    opened = ("runs(0)", "aims(0)")
    text = "\n".join([IN_FORCE, law, *(f"#external {one}." for one in opened)])
    completion = Completion(text, "law:", off=["a", "b"])
    named = {one: z3.Bool(one) for one in opened}
    choice = [z3.PbEq([(one, 1) for one in named.values()], 1)] if either else []
    return Ground(completion, [*completion.formulas, *choice], named)


def rules(overrides: tuple[str, ...] = (), kind: Kind = Kind.MODIFIER) -> dict[str, Rule]:
    def rule(id: str, *over: str) -> Rule:
        return Rule(id=id, title=id, says=id, cite=id, kind=kind, subject="x", fingerprint="", overrides=over)

    return {"a": rule("a", *overrides), "b": rule("b")}


def test_two_rules_that_add_up_are_no_contradiction():
    assert list(silenced(ground(APART), rules())) == []


def test_a_rule_that_takes_away_what_another_adds_is_one():
    (found,) = silenced(ground(AGAINST), rules())
    assert (found.rule, found.other) == ("a", "b")
    assert found.facts == ("aims(0)", "runs(0)")


def test_no_situation_no_contradiction():
    assert list(silenced(ground(AGAINST, either=True), rules())) == []


def test_an_exception_that_is_written_down_is_none():
    assert list(silenced(ground(AGAINST), rules(("b",)))) == []
    assert list(silenced(ground(AGAINST), rules(kind=Kind.DEFINITION))) == []


def test_a_rule_for_no_situation():
    assert list(idle(ground(NEVER))) == []
    assert list(idle(ground(NEVER, either=True))) == ["b"]


@pytest.fixture(scope="module")
def derived() -> Derived:
    return _derived(System.RIESE)


def test_what_follows_from_the_rules_of_the_game(derived):
    assert {rule for rule, _, _ in derived.signs} == {"power.strong", "select-fire.modifier"}
    assert derived.broken == derived.silenced == derived.idle == derived.circles == []
    assert ["abomination" in what for what, _, _ in derived.unsaid] == [True], "the table of experience has no row for them"


def test_contradictions_come_with_a_board_and_both_answers(derived):
    assert set(derived.witnesses) >= {"aoe_modifiers", "leader", "stunned_forces_h2h", "timed_blast"}
    for told in derived.witnesses.values():
        one, other = told["answers"].values()
        assert one != other
        assert "map = " in told["board"] or "[[hero]]" in told["board"], "a point of a campaign is shown on a team"


def test_a_table_without_some_faces_is_a_gap(monkeypatch):
    monkeypatch.setattr("riese_kb.proving.numbers.dice_tables", lambda _: [("crates.rows", [(1, 6), (8, 12)])])
    assert any("crates.rows" in one.what for one in unsaid(System.RIESE))


def test_passages_that_state_a_reading_are_readings_of_it():
    for reading in readings(System.RIESE).values():
        assert set(reading.says) <= set(reading.values)
        assert len(reading.says) != 1, "one statement contradicts nothing"


def test_exceptions_go_in_no_circle(monkeypatch):
    assert mutual(System.RIESE) == []
    monkeypatch.setattr(catalogue, "rules", lambda _: {**rules(("b",)), "b": replace(rules()["b"], overrides=("a",))})
    assert mutual(System.RIESE) == [["a", "b"]]
