"""Questions asked backwards: whatever they suggest is set up on a board and asked forwards."""

from __future__ import annotations

import subprocess
import sys

import pytest
from msgspec.structs import replace

from riese_kb.asking import ask
from riese_kb.boardfile import parse_board
from riese_kb.errors import QuestionError, RulesError
from riese_kb.language import parse_question
from riese_kb.question import MaxRange, WhatGives, WhatLets
from riese_kb.text import render

GALLERY = "queries/riese/shooting-gallery.board.toml"


def corridor(squares, weapon, *, intervening=0, hindering=0, threat=0, stunned=False, covering=False):
    """A hero in the west of a row, a zombie that far to the east; figures beside the hero, rough ground before the zombie."""
    row = "".join("~" if column > squares - hindering else "." for column in range(squares + 1))
    rim = "+-" * (squares + 1) + "+"
    board = f"""system = "riese"\nthreat = {threat}\nmap = '''\n{rim}\n|{" ".join(row)}|\n{rim}\n'''
[[figure]]\nid = "hero"\nkind = "hero"\nat = "A1"\nfacing = "east"\nweapon = "{weapon}"\nstatus = {["covering"] * covering}
[[figure]]\nid = "z"\nkind = "zombie"\nat = "{name(squares)}"\nstatus = {["stunned"] * stunned}
"""
    for number in range(intervening):
        board += f'[[figure]]\nid = "h{number}"\nkind = "hero"\nat = "{name(number + 1)}"\n'
    return parse_board(board)


def name(column):
    return ("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[column] if column < 26 else "A" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[column - 26]) + "1"


def words(one):
    text = f"attack hero on z {one['attack']} {one['declared']}"
    return text + " covering" * one["covering"] + " select" * one["select"]


@pytest.mark.parametrize(("weapon", "numbers", "threat"), [("FG-42", "8/11", 0), ("StG-44", "5/8", 4), ("Colt M1911", "3/6", 0)])
def test_every_situation_gives_these_numbers(weapon, numbers, threat):
    stage = corridor(3, weapon, threat=threat)
    result = ask(stage, f'what gives {numbers} with "{weapon}"').to_json()["result"]
    assert result["situations"]
    for index, one in enumerate(result["situations"]):
        low, high = one["range"]
        squares = high if index % 2 and high is not None else low
        if squares > 45 or index % 3 == 2:
            continue
        settings = {key: one[key] for key in ("intervening", "hindering", "stunned", "covering")}
        forward = ask(corridor(squares, weapon, threat=threat, **settings), words(one)).to_json()
        assert f"{forward['result']['stun']}/{forward['result']['wound']}" == numbers, one
        told: dict[str, int] = {}
        for line in forward["ledger"]:
            if line["unit"] == "AM":
                told[line["rule"]] = told.get(line["rule"], 0) + line["amount"]
        assert {rule: amount for rule, amount in told.items() if amount} == one["modifiers"]
        assert forward["verdict"] == "legal", (one, forward["violations"])


def test_the_situations_that_a_player_would_name_first():
    situations = ask(GALLERY, 'what gives 8/11 with "FG-42"').to_json()["result"]["situations"]
    plain = {(one["declared"], *one["range"], one["intervening"], one["hindering"]) for one in situations[:7]}
    # 6/9, point-blank to 9, one more for every 4 squares: +2 are needed.
    assert ("running", 2, 9, 0, 0) in plain
    assert ("walking", 14, 17, 0, 0) in plain
    assert ("walking", 2, 9, 1, 0) in plain
    assert ("walking", 2, 9, 0, 1) in plain
    assert ("stationary", 22, 25, 0, 0) in plain
    assert not any(one["attack"] == "spread" and not one["select"] for one in situations), "one die is no spread fire"


def test_threat_of_the_board_counts():
    board = corridor(3, "FG-42", threat=4)
    situations = ask(board, "what gives 7/10 with FG-42").to_json()["result"]["situations"]
    first = next(one for one in situations if one["declared"] == "walking")
    assert first["range"] == [2, 9]
    assert "threat.distracting-cacophony-4" in first["modifiers"]


@pytest.mark.parametrize(
    ("numbers", "core"),
    [("8/12", ["attack.weapon-values"]), ("-1/2", ["attack.weapon-values"])],
)
def test_no_situation_and_the_core_that_forbids_it(numbers, core):
    answer = ask(GALLERY, f'what gives {numbers} with "FG-42"')
    told = answer.to_json()
    assert told["result"]["situations"] == []
    assert told["result"]["core"] == core
    assert [line["rule"] for line in told["violations"]] == core
    assert "No situation" in render(answer)


def test_a_core_names_what_makes_it_hard():
    board = corridor(3, "FG-42", threat=12)
    core = ask(board, "what gives 1/4 with FG-42").to_json()["result"]["core"]
    hard = [rule for rule in core if rule != "attack.weapon-values"]
    assert set(core) & {"threat.distracting-cacophony-4", "threat.distracting-cacophony-11"}
    assert ask(board, f"what gives 1/4 with FG-42 without {', '.join(hard)}").to_json()["result"]["situations"]


# --- what lets … ------------------------------------------------------------------------------------------------------


def test_changes_make_the_shot():
    result = ask(GALLERY, "what lets nicole wound z1 on 7").to_json()["result"]
    assert result["now"]["wound"] == 9
    assert not result["already"]
    first = {tuple(change["says"] for change in way["changes"]): way for way in result["ways"]}
    assert first[("nicole declares stationary",)]["wound"] == 7
    assert first[("z1 is stunned",)]["wound"] == 6
    assert ask(GALLERY, "attack nicole on z1 stationary").to_json()["result"]["wound"] == 7


def test_what_is_in_the_way_can_go():
    board = corridor(6, "FG-42", intervening=1, hindering=1)
    result = ask(board, "what lets hero wound z on 9").to_json()["result"]
    ways = {tuple(f"{c['change']} {c['to']}" for c in way["changes"]) for way in result["ways"]}
    assert ("gone h0", "cleared G1") in ways
    assert all(way["wound"] <= 9 and way["verdict"] == "legal" for way in result["ways"])
    assert all(len(a) <= len(b) or not set(b) < set(a) for a in ways for b in ways), "no set holds a smaller one"


def test_standing_elsewhere_and_another_weapon():
    far = ask(corridor(12, "FG-42"), "what lets hero wound z on 9").to_json()["result"]
    moved = [way for way in far["ways"] if [c["change"] for c in way["changes"]] == ["stands"]]
    assert moved[0]["changes"][0]["to"] == "D1", "nine squares are point-blank"
    assert moved[0]["range"] == 9


def test_no_change_lets_it():
    told = ask(corridor(3, "FG-42"), "what lets hero wound z on 3").to_json()
    assert told["result"]["ways"] == []
    assert told["result"]["core"] == ["attack.weapon-values"]
    one = ask(corridor(3, "FG-42"), "what lets hero wound z on 1").to_json()["result"]
    assert "attack.natural-one" in one["core"] or one["core"] == ["attack.weapon-values"]


def test_what_is_so_already():
    result = ask(GALLERY, "what lets nicole wound z1 on 9").to_json()["result"]
    assert result["already"]
    assert result["ways"] == []


# --- max range --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on", "most"), [("", 21), (" on 9", 9), (" on 10", 13), (" on 11 stationary", 25), (" on 9 running", None)]
)
def test_the_greatest_range(on, most):
    result = ask(corridor(5, "FG-42"), f"max range for hero to wound z{on}").to_json()["result"]
    assert result["max_range"] == most
    if most is None:
        assert "attack.running" in result["core"]
        return
    declared = result["declared"]
    here, beyond = (
        ask(corridor(n, "FG-42"), f"attack hero on z {declared}").to_json()["result"]["wound"] for n in (most, most + 1)
    )
    assert here <= result["on"] < beyond
    assert "attack.range" in result["core"]


def test_darkness_ends_it():
    board = parse_board(
        'system = "riese"\ndarkness = true\nmap = """\n+-+-+-+\n|. . .|\n+-+-+-+\n"""\n'
        '[[figure]]\nid = "hero"\nkind = "hero"\nat = "A1"\nfacing = "east"\nweapon = "FG-42"\n'
        '[[figure]]\nid = "z"\nkind = "zombie"\nat = "C1"\n'
    )
    result = ask(board, "max range for hero to wound z").to_json()["result"]
    assert result["max_range"] == 2
    assert "darkness.range" in result["core"]


# --- language ---------------------------------------------------------------------------------------------------------


def test_the_questions_are_read_and_written():
    assert parse_question('what gives 8/11 with "FG-42"').about == WhatGives(8, 11, "FG-42")
    assert parse_question("what lets nicole wound z1 on 9").about == WhatLets("nicole", "z1", 9)
    assert parse_question("max range for nicole to wound z1").about == MaxRange("nicole", "z1")


@pytest.mark.parametrize(
    "text", ["what lets nicole wound z1 on 13", "max range for nobody to wound z1", "what gives 8 with FG-42"]
)
def test_what_cannot_be_asked(text):
    with pytest.raises(QuestionError):
        ask(GALLERY, text)


@pytest.mark.parametrize("question", ["max range for nicole to wound nicole", "what lets nicole wound kelley on 9"])
def test_nobody_shoots_at_a_friend(question):
    with pytest.raises(QuestionError, match=r"no enemy of nicole.*closest enemy is z1"):
        ask(GALLERY, question)


def test_rule_files_and_thrown_things_are_refused():
    with pytest.raises(RulesError, match="fired"):
        ask(GALLERY, "what gives 8/11 with grenade")
    with pytest.raises(RulesError, match="backwards"):
        ask(GALLERY, "max range for nicole to wound z1 with rules queries/riese/no-running.rules.lp")


def test_other_questions_do_not_import_z3():
    code = (
        "import sys\nfrom riese_kb.asking import ask\n"
        f"ask({GALLERY!r}, 'attack nicole on z1').to_json()\nassert 'z3' not in sys.modules\n"
        f"ask({GALLERY!r}, 'max range for nicole to wound z1').to_json()\nassert 'z3' in sys.modules\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


TIRED = """system = "stalingrad_z"
map = '''
+-+-+-+-+-+-+
|. . . . . .|
+-+-+-+-+-+-+
'''
[[figure]]
id = "becker"
kind = "hero"
name = "Becker"
at = "A1"
facing = "east"
weapon = "Luger"
fatigue = 3
[[figure]]
id = "z1"
kind = "zombie"
at = "F1"
[[weapon]]
name = "Luger"
rof = 1
stun = 6
wound = 9
pbr = 2
rm = 2
"""


def test_the_other_escape_game_is_asked_by_its_own_rules():
    """Who is tired aims worse there; Riese knows no fatigue."""
    board = parse_board(TIRED)
    becker, zombie = board.figures
    rested = replace(board, figures=(replace(becker, fatigue=0), zombie))
    question = "max range for becker to wound z1 on 12"
    assert "fatigue.aim" in ask(board, question).result["core"]
    assert ask(board, question).result["max_range"] < ask(rested, question).result["max_range"]
