"""Running programs: facts in, ground atoms out, and what goes wrong."""

from __future__ import annotations

import clingo
import pytest

from riese_kb import grounding, solver, straight
from riese_kb.asking import ask
from riese_kb.board import System
from riese_kb.boardfile import load_board, parse_board
from riese_kb.program import program
from riese_kb.solver import LogicFault, gather, plain, run

from .conftest import CHECKOUT


def test_atoms_come_by_predicate():
    assert run("b(X) :- a(X), X > 1.", "a(1..3).") == {"a": [(1,), (2,), (3,)], "b": [(2,), (3,)]}


def test_only_what_is_shown():
    assert run("b(X) :- a(X). #show b/1.", "a(1).") == {"b": [(1,)]}


def test_terms_become_plain_data():
    found = run('#show p/5. p(1,"A b",wall,(2,3),step(4)).', "")
    assert found == {"p": [(1, "A b", "wall", (2, 3), ("step", 4))]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", 7),
        ("-7", -7),
        ('"x"', "x"),
        ("x", "x"),
        ("(1,2)", (1, 2)),
        ("edge((1,2),(1,3))", ("edge", (1, 2), (1, 3))),
        ('barricade((1,"a"))', ("barricade", (1, "a"))),
    ],
)
def test_one_term(text, expected):
    symbol = clingo.parse_term(text)
    assert plain(symbol) == expected
    assert plain(symbol) == expected  # from memory this time


def test_endless_terms_have_no_plain_form():
    with pytest.raises(LogicFault):
        plain(clingo.Infimum)


def test_atoms_without_arguments():
    assert gather([clingo.Function("a", []), clingo.Function("b", [clingo.Number(1)])]) == {"a": [()], "b": [(1,)]}


@pytest.mark.parametrize("program", ["a(", "a(X) :- b.", "a :- not"])
def test_programs_that_are_none(program):
    with pytest.raises(LogicFault):
        run(program, "b.")


def test_no_model_is_a_fault_of_the_program():
    with pytest.raises(LogicFault, match="no model"):
        run(":- a.", "a.")


def test_undefined_arithmetic_is_a_fault_unless_asked_to_tell():
    with pytest.raises(LogicFault, match="operation undefined"):
        run("a(N/0) :- b(N).", "b(1).")
    said: list[str] = []
    assert "a" not in run("a(N/0) :- b(N).", "b(1).", strict=said.append)
    assert any("operation undefined" in text for text in said)


def test_a_predicate_that_nothing_makes_is_no_fault():
    assert run("a :- nowhere(1).", "b.") == {"b": [()]}


def test_runs_do_not_share_anything():
    assert run("a(1).", "") == {"a": [(1,)]}
    assert run("b(1).", "") == {"b": [(1,)]}


def test_what_grounding_leaves_open_is_solved() -> None:
    """Only what is true in the model counts, not what might have been."""
    assert run("a(1) :- not b(1). b(1) :- not a(1). :- b(1).", "c(1).", (), (("a", 1), ("b", 1), ("c", 1))) == {
        "a": [(1,)],
        "c": [(1,)],
    }
    assert run("a(X) :- c(X), not d(X).", "c(1..2). d(2).", (), (("a", 1),)) == {"a": [(1,)]}


def test_what_was_derived_under_one_reading_is_not_taken_for_another_where_the_program_does_not_tell():
    """Zombies with orders act first, or each in its place: asked one after the other, each has its own order."""
    stage = parse_board(ORDERED)
    first = ask(stage, "zombies")
    assert first.result["order"] == [["z2"], ["z1"]]
    assert ask(stage, "zombies under versus_order=mixed").result["order"] == [["z1"], ["z2"]]
    assert "versus_order" in [taken.reading for taken in first.readings]


ORDERED = """system = "stalingrad_z"
map = '''
+-+-+-+-+-+-+
|. . . . . .|
+-+-+-+-+-+-+
'''
[[figure]]
id = "dasha"
kind = "hero"
name = "Dasha"
at = "A1"
facing = "north"
[[figure]]
id = "z1"
kind = "zombie"
at = "C1"
[[figure]]
id = "z2"
kind = "zombie"
at = "F1"
status = ["ordered"]
"""


@pytest.mark.parametrize("system", System)
def test_programs_tell_which_contested_points_come_up(system):
    """Else nobody learns that the answer hangs on one. How far a search looks is no answer."""
    names = [file.stem for file in (CHECKOUT / "queries").glob("*.lp")]
    mine = [name for name in names if name.startswith("t_") == system.on_rings]
    silent = [name for name in mine if (law := program(system, name)).readings and not law.tells]
    assert set(silent) <= {"range"}


def test_straight_through_the_interface_and_through_the_wrapper_is_the_same(monkeypatch):
    """A clingo that keeps its interface elsewhere is used through the wrapper."""
    stage = load_board(CHECKOUT / "queries" / "riese" / "doors.board.toml")
    questions = ["reach nicole running", "can nicole walk open door ahead, forward", "attack nicole on kelley"]
    told = [ask(stage, question).to_json() for question in questions]
    grounding.KNOWN.forget()
    monkeypatch.setattr(straight, "_lib", None)
    assert [ask(stage, question).to_json() for question in questions] == told


def test_facts_of_every_kind_come_out_as_they_went_in():
    symbols = [clingo.parse_term(text) for text in ('p(1,"a b",(2,-3),q(r))', "p(-7,x,0,s)", "p(0,f,(1,),t((1,2)))", "o")]
    assert run("q(A) :- p(A,_,_,_). n :- o.", "", symbols, [("p", 4), ("q", 1), ("n", 0)]) == {
        "p": [(1, "a b", (2, -3), ("q", "r")), (-7, "x", 0, "s"), (0, "f", (1,), ("t", (1, 2)))],
        "q": [(1,), (-7,), (0,)],
        "n": [()],
    }


def test_a_program_left_open_once_is_not_expected_to_be_decided(monkeypatch):
    """What a program does not need the solver for is not taken down for it; where it does, the same comes out."""
    monkeypatch.setattr(solver, "_LEFT_OPEN", set())
    waits = "p(X) :- q(X), not r(X). r(X) :- p(X+1), q(X)."
    facts = [clingo.parse_term(f"q({n})") for n in range(6)]
    expected = {"p": {(5,), (3,), (1,)}, "r": {(4,), (2,), (0,)}}
    for _ in range(2):
        found = run(waits, "", facts, [("p", 1), ("r", 1)], name="waits")
        assert {name: set(rows) for name, rows in found.items()} == expected
        assert run("p(X) :- q(X).", "", facts, [("p", 1)], name="plain") == {"p": [(n,) for n in range(6)]}
    assert {"waits"} == solver._LEFT_OPEN
