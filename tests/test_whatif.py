"""What if: questions that a file of rules changes, the rule that does it, and boards drawn at random."""

from __future__ import annotations

import json
import shutil

import pytest

from riese_kb.asking import ask
from riese_kb.boardfile import parse_board
from riese_kb.differing import difference
from riese_kb.errors import RieseError, RulesError
from riese_kb.jobs import ALONE, How
from riese_kb.store import read_toml
from riese_kb.teamfile import load_sheet
from riese_kb.whatif import Case, compared, ruled, stored, what_if

from .conftest import CHECKOUT

RIESE = CHECKOUT / "queries" / "riese"
NO_RUNNING = str(RIESE / "no-running.rules.lp")
TWO = """
% @rule house.no-running "Nobody runs"
violation(W,"house.no-running",At,0) :- actor(W,Hero), at(Hero,At), mode(W,running), in_force(W,"house.no-running").
% @rule house.sticky "Doors stick"
charge(W,"house.sticky",P,S,1,"MP",none) :- do(W,S,open(_)), state(W,S,P,_), in_force(W,"house.sticky").
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with two boards, the questions of one of them, and a ruling."""
    for name in ("doors.board.toml", "doors.questions.toml", "reach-hall.board.toml"):
        shutil.copy(RIESE / name, tmp_path)
    (tmp_path / "rulings.toml").write_text(
        '[[ruling]]\nboard = "doors.board.toml"\nask = "can kelley run forward"\nsays = "legal"\nsource = "tests"\n'
    )
    return tmp_path


def test_what_is_asked_of_a_folder(folder):
    cases = stored(str(folder))
    asked = {case.ask for case in cases if case.board.endswith("reach-hall.board.toml")}
    assert {"reach nicole walking", "reach nicole running", "targets nicole"} <= asked, "it has no file of questions here"
    assert sum(case.board.endswith("doors.board.toml") and case.of == "stored" for case in cases) == 15
    assert [case.ruled for case in cases if case.of == "ruling"] == ["legal (tests)"]


def test_the_shipped_boards_are_asked_and_the_printed_examples_are_told_apart():
    cases = stored(None)
    assert {case.of for case in cases} == {"printed", "stored", "ruling"}
    assert all("printed" in case.board for case in cases if case.of == "printed")


def test_what_changes_and_by_which_rule(folder):
    report = what_if(NO_RUNNING, stored(str(folder)), 0, 1, ALONE)
    changed = {(case.of, change.ask): change for case, change in report.changed}
    run = changed["stored", "can nicole run open door ahead, forward"]
    assert (run.says, run.rules) == ("legal before, illegal now", ("house.no-running",))
    assert changed["ruling", "can kelley run forward"].rules == ("house.no-running",)
    assert ("stored", "reach nicole running") in changed
    assert not any("walk" in ask for _, ask in changed)
    assert report.asked == {"stored": 18, "ruling": 1}
    assert report.complete


def test_of_two_rules_the_one_that_matters_is_named(folder):
    file = folder / "two.rules.lp"
    file.write_text(TWO)
    report = what_if(str(file), stored(str(folder)), 0, 1, ALONE)
    changed = {change.ask: change for _, change in report.changed}
    assert changed["can nicole walk open door ahead, forward"].rules == ("house.sticky",)
    assert changed["can nicole walk open door ahead, forward"].says == "spent: 2 before, 3 now"
    assert changed["can nicole run open door ahead, forward"].rules == ("house.no-running",)


def test_generated_boards_come_again_and_verify():
    one, other = (what_if(NO_RUNNING, [], 6, 2, how) for how in (ALONE, How(jobs=2)))
    assert one == other
    assert (one.generated, one.complete) == (6, True)
    assert one.drawn
    for found in one.drawn:
        board = parse_board(found["board"])
        for change in found["changed"]:
            before, now = ask(board, change["ask"]), ask(board, f'{change["ask"]} with rules "{NO_RUNNING}"')
            assert change["says"] == difference(before, now) != ""
    assert one.smallest is not None
    assert len(parse_board(one.smallest["board"]).figures) == min(found["size"][0] for found in one.drawn)


def test_a_rule_that_says_nothing_changes_nothing(folder):
    file = folder / "idle.rules.lp"
    file.write_text(
        '% @rule house.idle "Idle"\nviolation(W,"house.idle",P,0) :- actor(W,nobody), at(nobody,P), in_force(W,"house.idle").\n'
    )
    report = what_if(str(file), stored(str(folder)), 2, 1, ALONE)
    assert report.empty
    assert report.smallest is None


def test_a_board_that_cannot_be_read_is_left_out(folder):
    report = what_if(NO_RUNNING, [Case(str(folder / "gone.board.toml"), "reach nicole", "stored")], 0, 1, ALONE)
    assert [board for board, _ in report.failed] == [str(folder / "gone.board.toml")]


def test_wrong_files_are_refused(folder):
    with pytest.raises(RulesError, match="no such file"):
        what_if(str(folder / "none.lp"), [], 0, 1, ALONE)
    with pytest.raises(RieseError, match="folder of boards"):
        stored(str(folder / "none"))
    with pytest.raises(RieseError, match="no such file"):
        ruled(str(folder / "none.toml"))


@pytest.mark.parametrize(
    ("board", "one", "other", "says"),
    [
        ("doors", "can nicole walk forward", "can nicole walk open door ahead, forward", "illegal before, legal now"),
        ("doors", "can nicole walk turn left", "can nicole walk turn left, turn left", "spent: 1 before, 2 now"),
        ("reach-hall", "reach nicole", "reach nicole running", "now"),
        ("shooting-gallery", "targets nicole", "targets nicole running", ""),
    ],
)
def test_the_difference_in_a_sentence(board, one, other, says):
    before, now = (ask(str(RIESE / f"{board}.board.toml"), text) for text in (one, other))
    assert difference(before, before) == ""
    assert says in difference(before, now)


def test_attacks_past_somebody_can_be_asked_with_a_rule_file():
    board = RIESE / "printed-attack-past-kelley.board.toml"
    questions = read_toml(str(board).replace(".board.", ".questions."))["question"]
    asks = [question["ask"] for question in questions if question["ask"].startswith("attack")]
    found = compared(load_sheet(str(board)), asks, str(CHECKOUT / "tests" / "tired.rules.lp"))
    assert [place for place, _ in found] == list(range(len(asks)))
    assert all(change.rules == ("house.tired",) for _, change in found)


def test_on_the_command_line(folder, run):
    told = run("what-if", NO_RUNNING, "--boards", str(folder), "--generated", "2", "--time", "0")
    assert told.status == 1
    assert "can nicole run open door ahead, forward" in told.out
    assert "Rulings: 1 of 1 question changes" in told.out
    data = json.loads(run("what-if", NO_RUNNING, "--boards", str(folder), "--json", "--time", "600").out)
    assert data["complete"]
    assert data["smallest"]["proved"], "one hero on one square is enough"
    board = parse_board(data["smallest"]["board"])
    assert len(board.figures) == 1
    assert run("what-if", "none.lp", "--boards", str(folder)).status == 2
    assert run("what-if", NO_RUNNING, "--boards", str(folder), "--jobs", "2", "--cluster", "x").status == 2
