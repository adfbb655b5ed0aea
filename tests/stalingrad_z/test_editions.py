"""``riese-kb compare``: boards on which the two Escape games differ, and what is carried over from one to the other."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import riese_kb
from riese_kb.board import System
from riese_kb.boardfile import load_board, parse_board
from riese_kb.editions import carried_over, compare
from riese_kb.errors import QuestionError
from riese_kb.language import parse_question
from tests.command_line import Run

FOLDER = Path(__file__).resolve().parents[2] / "queries" / "editions"
DIFFERENCES: list[dict[str, Any]] = tomllib.loads((FOLDER / "editions.toml").read_text(encoding="utf-8"))["difference"]


@pytest.mark.parametrize("case", DIFFERENCES, ids=[f"{case['board']}: {case['ask']}" for case in DIFFERENCES])
def test_the_games_differ_for_the_rules_named(case: dict[str, Any]) -> None:
    found = compare(load_board(FOLDER / f"{case['board']}.board.toml"), case["ask"])
    assert not found.same
    assert sorted(f"{system}:{rule.id}" for system, rule in found.rules) == sorted(case["rules"])
    for side in found.sides:
        assert side.answer is not None
        wanted = dict(case[side.system])
        assert side.answer.verdict == wanted.pop("verdict")
        assert {key: side.answer.result[key] for key in wanted} == wanted


def test_there_are_enough_of_them() -> None:
    assert len({tuple(case["rules"]) for case in DIFFERENCES}) >= 10
    assert {case["board"] for case in DIFFERENCES} == {file.name.split(".")[0] for file in FOLDER.glob("*.board.toml")}


ROOM = """
system = "riese"
map = '''
+-+-+-+
|. . .|
+ + + +
|. . .|
+-+-+-+
'''
[[figure]]
id = "nicole"
kind = "hero"
name = "Nicole"
at = "A1"
facing = "east"
weapon = "FG-42"
[[figure]]
id = "z1"
kind = "zombie"
type = "flammenghul"
at = "C1"
status = ["stunned"]
[[marker]]
kind = "toxic"
at = "C2"
"""


def test_a_riese_board_is_carried_over() -> None:
    board = parse_board(ROOM.replace('system = "riese"', 'system = "riese"\nthreat = 2'))
    carried, left = carried_over(board, System.STALINGRAD_Z, parse_question("zombie z1"))
    assert [f.type for f in carried.figures] == [None, "kugelfisch"]
    assert [m.kind for m in carried.markers] == ["gas"]
    assert left == ("threat 2",)
    assert carried.modifiers == {"attack.stunned-target": -3, "attack.off-hand": 2}
    answer = riese_kb.ask(carried, "attack nicole on z1")
    assert (answer.result["stun"], answer.result["wound"]) == (3, 6)


def test_equal_answers_name_no_rules() -> None:
    found = compare(parse_board(ROOM), "reach nicole walking")
    assert found.same
    assert found.rules == ()


def test_a_natural_one_is_no_miss_of_its_own_in_the_predecessor() -> None:
    text = ROOM.replace('weapon = "FG-42"', 'weapon = "Luck"').replace("flammenghul", "beta") + (
        '[[weapon]]\nname = "Luck"\nrof = 1\nstun = 2\nwound = 4\npbr = 5\nrm = 1\n'
    )
    found = compare(parse_board(text), "attack nicole on z1")
    assert [(str(system), rule.id) for system, rule in found.rules] == [("riese", "attack.natural-one")]
    assert found.sides[0].answer is not None
    assert found.sides[0].answer.result["odds"]["wound"] == "11/12"
    assert found.sides[1].answer is not None
    assert found.sides[1].answer.result["odds"]["wound"] == "1"


def test_soldiers_have_no_place_in_the_other_game() -> None:
    board = load_board(FOLDER.parent / "stalingrad_z" / "bystanders.board.toml")
    with pytest.raises(QuestionError, match="no figures of the kind soldier"):
        compare(board, "zombies")


def test_the_command(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    board = str(FOLDER / "fire.board.toml")
    run = Run(capsysbinary, "compare", board, "zombies")
    assert run.status == 0
    assert "The games differ." in run.out
    assert "zombie.fire" in run.out
    run = Run(capsysbinary, "compare", board, "zombies", "--json")
    data = json.loads(run.out)
    assert (run.status, data["same"], [rule["rule"] for rule in data["rules"]]) == (0, False, ["zombie.fire"])
