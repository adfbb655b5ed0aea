"""Rulings: cases that somebody has decided are kept, asked again, and told with the rules behind a flip."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from riese_kb.asking import ask
from riese_kb.errors import RieseError
from riese_kb.jobs import How
from riese_kb.rulings import Ruling, add, check, read_rulings, write_rulings

from .conftest import CHECKOUT

DOORS = CHECKOUT / "queries" / "riese" / "doors.board.toml"
GAPS = CHECKOUT / "queries" / "riese" / "zone-gaps.board.toml"


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A folder of its own with two boards; the name of a file of rulings there."""
    shutil.copy(DOORS, tmp_path)
    shutil.copy(GAPS, tmp_path)
    monkeypatch.chdir(tmp_path)
    return "rulings.toml"


def ruled(says, ask="can nicole walk forward", board="doors.board.toml", **more):
    return Ruling(board, ask, says, "tests", **more)


def test_what_is_added_is_read_again(file):
    rulings = [ruled("illegal"), ruled("legal", 'can nicole walk pass "Torch" to kelley', disputed=True)]
    for one in rulings:
        add(file, one)
    assert read_rulings(file) == rulings
    write_rulings(file, read_rulings(file))
    assert read_rulings(file) == rulings


def test_the_same_case_again_takes_the_place_of_the_older_ruling(file):
    add(file, ruled("illegal"))
    _, before = add(file, ruled("legal"))
    assert before == ruled("illegal")
    assert read_rulings(file) == [ruled("legal")]


def test_boards_count_from_the_folder_of_the_file(file, tmp_path):
    (tmp_path / "kept").mkdir()
    add("kept/rulings.toml", ruled("illegal"))
    assert read_rulings("kept/rulings.toml")[0].board == "../doors.board.toml"
    ((one,), _) = check("kept/rulings.toml")
    assert one.agrees


def test_ruled_legal_and_now_illegal_is_told_with_the_rules_that_forbid_it(file):
    add(file, ruled("legal"))
    add(file, ruled("legal", "can nicole walk forward-right", "zone-gaps.board.toml", disputed=True))
    (door, gap), _ = check(file)
    assert (door.now, door.rules, door.counts) == ("illegal", (("door.closed",),), True)
    assert set(gap.rules) == {("movement.diagonal-gap", "zoc.area"), ("zoc.area", "zoc.between")}
    assert not gap.counts, "it is disputed"


def test_ruled_illegal_and_now_legal_is_told_with_the_rules_that_allow_it(file):
    add(file, ruled("illegal", "can nicole walk open door ahead, forward"))
    ((one,), _) = check(file)
    assert one.now == "legal"
    assert ("hero-activation.walking",) in one.rules, "without points she could not walk"


def test_a_reading_that_would_agree_is_named(file):
    between = "can nicole walk forward-right without movement.diagonal-gap"
    by_reading = {then: ask(str(GAPS), f"{between} under zoc_between={then}").verdict for then in ("flanks", "any", "two")}
    assert by_reading["flanks"] == "illegal"
    add(file, ruled("legal", between, "zone-gaps.board.toml"))
    ((one,), _) = check(file)
    assert one.rules == (("zoc.area", "zoc.between"),)
    assert set(one.readings) == {f"zoc_between={then}" for then, verdict in by_reading.items() if verdict == "legal"}


def test_a_board_that_is_gone_fails_its_own_ruling_only(file, tmp_path):
    add(file, ruled("illegal"))
    add(file, ruled("illegal", "can nicole walk forward-right", "zone-gaps.board.toml"))
    (tmp_path / "doors.board.toml").unlink()
    (gone, kept), _ = check(file)
    assert "no such file" in gone.fault
    assert gone.counts
    assert kept.agrees


def test_what_is_not_answered_with_a_verdict_cannot_be_ruled(file):
    with pytest.raises(RieseError, match="numbers"):
        add(file, ruled("legal", "reach nicole"))
    with pytest.raises(RieseError, match="blocked"):
        add(file, ruled("legal", "lof nicole to kelley"))
    with pytest.raises(RieseError, match="line of text"):
        add(file, Ruling("doors.board.toml", "can nicole walk forward", "legal", "two\nlines"))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('[[rulling]]\nask = "x"', "rulling"),
        ('[[ruling]]\nboard = "b"\nask = "a"\nsays = "legal"', "source is missing"),
        ('[[ruling]]\nboard = "b"\nask = "a"\nsays = "leagl"\nsource = "s"', "did you mean legal"),
        ('[[ruling]]\nboard = "b"\nask = "a"\nsays = "legal"\nsource = "s"\ndisputed = "yes"', "true or false"),
        ('[[ruling]]\nbord = "b"', "did you mean board"),
        ("ruling = 3", "two brackets"),
        ("[[ruling]", "no TOML"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_what_would_work(file, tmp_path, text, what):
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(RieseError, match=what):
        read_rulings(file)


def test_on_the_command_line(file, run):
    words = ("ruling", "add", "doors.board.toml", "can", "nicole", "walk", "forward", "--source", "tests")
    assert run("ruling", "check").status == 2, "there is no file yet"
    kept = run(*words, "--says", "illegal")
    assert (kept.status, kept.err) == (0, "")
    assert run("ruling", "check").status == 0
    kept = run(*words, "--says", "legal")
    assert "in place of illegal" in kept.out
    assert "The rules say illegal" in kept.out
    told = run("ruling", "check")
    assert told.status == 1
    assert "door.closed" in told.out
    data = json.loads(run("ruling", "check", "--json").out)
    assert data["flipped"] == 1
    assert data["rulings"][0]["rules"] == [["door.closed"]]
    assert run(*words, "--says", "legal", "--disputed").status == 0
    assert run("ruling", "check").status == 0, "a disputed flip is told and not counted"


def test_the_shipped_example_agrees_but_for_what_is_disputed():
    found, complete = check(str(CHECKOUT / "queries" / "riese" / "example.rulings.toml"))
    assert [(one.agrees, one.ruling.disputed) for one in found] == [(True, False), (False, True)]
    assert complete


def test_several_processes_and_a_second_run_tell_the_same(file):
    for one in (ruled("legal"), ruled("illegal"), ruled("legal", "can kelley walk forward")):
        add(file, one)
    alone = check(file)
    several = How(jobs=2, resume="done.jsonl")
    assert check(file, several) == alone
    assert check(file, several) == alone
    Path("doors.board.toml").write_text(DOORS.read_text(encoding="utf-8").replace("+-+D+ +", "+-+ + +"), encoding="utf-8")
    changed, _ = check(file, several)
    assert changed[0].now == "legal", "what was found about another board is not used"
