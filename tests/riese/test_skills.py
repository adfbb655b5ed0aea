"""Every skill of Appendix 4 that changes an answer: with it, and without it.

The boards are those named skilled-… under queries/riese. What nobody needs to use is told as an option, or makes legal what
would not be.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import riese_kb
from riese_kb.board import System
from riese_kb.catalogue import rule_ids
from riese_kb.tables import Rank, characters, skill_id, skill_values

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "queries" / "riese"


def ask(board: str, question: str) -> Any:
    return riese_kb.ask(riese_kb.load_board(FOLDER / f"skilled-{board}.board.toml"), question)


def seen(answer: Any, key: str) -> Any:
    """A number of the answer; ``?`` for the verdict, ``faces of X`` and ``aim of X`` for what a skill offers."""
    if key == "?":
        return answer.verdict
    if " of " in key:
        what, _, skill = key.partition(" of ")
        found = [o for o in answer.result.get("options", ()) if o["skill"] == skill]
        return found[0].get(what, found[0]["use"]) if found else None
    return answer.result.get(key)


WITH_AND_WITHOUT = [
    ("1-proficiency", "troopers", "attack vogel on z1", "modifier", -1, 0),
    ("1-mp", "troopers", "can vogel run forward", "mp", 9, 8),
    ("knife-proficiency", "hands", "attack kelley-knife on z1", "modifier", -1, 0),
    ("preferred-weapon", "hands", "attack til on z13", "modifier", -1, 0),
    ("preferred-weapon-1", "hands", "attack lies on z7", "modifier", -3, -2),
    ("surf-and-turf", "hands", "attack lies on z7", "modifier", -3, -1),
    ("tuned", "hands", "attack wurger on z12 covering running", "modifier", 1, 2),
    ("witness", "hands", "attack til-rifle on z14", "modifier", -1, 0),
    ("killing-blow", "hands", "attack nicole-knife on z9", "modifier", -2, 0),
    ("braced", "hands", "attack nicole on z8 covering stationary", "modifier", -2, -1),
    ("run-and-gun", "hands", "attack wurger on z12 covering running", "modifier", 1, 3),
    ("run-and-gun", "hands", "attack wurger on z12 spread running", "modifier", -1, 1),
    ("team-player", "hands", "attack frost on z4", "modifier", 0, 1),
    ("big-time-operator", "hands", "attack jackson on z4 spread", "modifier", 0, 1),
    ("preferred-weapon-spread", "hands", "attack wurger on z12 spread running", "modifier", -1, 0),
    ("ambidexterity", "hands", "attack danika on z11 off hand", "modifier", 0, 2),
    ("ambidexterity", "hands", "attack danika on z11 spread", "modifier", 0, 1),
    ("full-metal-jacket", "hands", "attack jackson on z4 spread", "modifier", 0, 4),
    ("chicago-piano", "hands", "attack kelley on z2", "dice", 3, 2),
    ("sten-gun-proficiency", "hands", "attack frost on z4", "dice", 3, 2),
    ("bar-proficiency", "hands", "attack jackson on z4 spread", "dice", 3, 2),
    ("proficient", "hands", "attack rai on z5", "dice", 2, 1),
    ("5-rounds-rapid", "hands", "attack rai-rifle on z6", "dice", 2, 1),
    ("quick-load", "hands", "attack danika on z11", "dice", 2, 1),
    ("buzz-saw", "hands", "attack wurger on z12 spread running", "dice", 4, 3),
    (
        "coup-de-grace",
        "hands",
        "attack nicole-knife on z9",
        "odds",
        {"wound": "3/4", "stun": "0", "miss": "1/4"},
        {"wound": "1/2", "stun": "0", "miss": "1/2"},
    ),
    ("locked-on-target", "eyes", "attack nicole on far", "?", "legal", "illegal"),
    ("mighty-swing", "eyes", "attack til on second", "?", "legal", "illegal"),
    ("dervish", "eyes", "attack rai on corner", "?", "legal", "illegal"),
    ("dervish", "eyes", "attack rai on behind", "?", "legal", "illegal"),
    ("airborne", "in-the-dark", "attack frost on z1", "?", "legal", "illegal"),
    ("better-to-die", "nerves", "attack rai on z1", "modifier", 0, 1),
    ("quick", "feet", "can lies walk forward", "mp", 5, 4),
    ("stealthy", "feet", "can lies-2 walk forward", "mp", 6, 4),
    ("stealthy", "feet", "can lies-2 run forward", "mp", 10, 8),
    ("sure-footed", "feet", "can lies walk forward", "spent", 1, 2),
    ("mongoose", "feet", "can rai walk forward, forward, forward", "?", "legal", "illegal"),
    ("demolitions", "feet", "can til walk open door ahead, forward", "?", "legal", "illegal"),
    ("demolitions", "feet", "can til walk to C8", "?", "legal", "illegal"),
    ("light-fingers", "feet", "can danika walk pick up Knife", "spent", 0, 1),
    ("brawler", "grip", "break lock kelley", "odds", {"broken": "7/12", "held": "5/12"}, {"broken": "5/12", "held": "7/12"}),
    ("mongoose-lock", "grip", "break lock rai", "odds", {"broken": "1", "held": "0"}, {"broken": "5/12", "held": "7/12"}),
    ("true-as-steel", "grip", "break lock til", "odds", {"broken": "1", "held": "0"}, {"broken": "5/12", "held": "7/12"}),
    ("mongoose-lock", "grip", "can rai walk turn left", "?", "legal", "illegal"),
    ("true-as-steel", "grip", "can til walk turn left", "?", "legal", "illegal"),
    ("stealthy-target", "shadow", "zombie z1", "targets", ["nicole"], ["lies"]),
    ("inspiring", "comrades", "attack rai on z2", "modifier of Inspiring", -1, None),
    ("inspiring", "comrades", "reach rai walking", "squares of Inspiring", {"E1": 5, "F2": 5}, None),
    ("tactics-1", "comrades", "attack rai on z2", "modifier of Tactics 1", -1, None),
    ("tactics-1", "comrades", "reach rai walking", "squares of Tactics 1", {"E1": 3, "F1": 4, "F2": 4}, None),
    ("tactics-1", "stop", "can rai walk forward, forward, forward-left", "?", "legal", "illegal"),
    ("tactics-1", "stop", "can rai walk to E1", "?", "legal", "illegal"),
    ("tactics-2", "dice", "attack frost on z1", "modifier of Tactics 2", -2, None),
    ("tactics-2", "dice", "attack jackson on z3", "?", "legal", "illegal"),
    ("hero", "comrades", "attack nicole on z4", "?", "legal", "illegal"),
    ("hero-2", "comrades", "attack wurger-2 on z8", "modifier of Hero 2", -2, None),
    ("good", "comrades", "can danika walk forward, turn left, turn left, turn left, turn left", "with", "Good", "Tactics 1"),
    ("hero-1", "comrades", "can wurger walk forward, open door ahead, forward, forward, forward", "with", "Hero 1", "Tactics 1"),
    ("ambidexterity", "comrades", "attack danika on z10", "with", "Ambidexterity", "Good"),
    ("its-all-in-the-reflexes", "dice", "can nicole stationary forward", "with", "It's all in the Reflexes", "Tactics 2"),
    ("lucky", "comrades", "attack danika on z10", "use of Lucky", "die", None),
    ("controlled-burst", "dice", "attack jackson on z3", "faces of Controlled Burst", [2], None),
    ("extra-mags", "dice", "attack frost on z1", "faces of Extra Mags", [1, 2], None),
    ("one-in-the-pipe", "dice", "attack lies on z5", "faces of One in the Pipe", [1, 2], None),
    ("bladesman", "dice", "attack rai on z7", "faces of Bladesman", [1, 2], None),
    ("precision-strike", "comrades", "attack nicole on z4", "faces of Precision Strike", [1, 2, 3], None),
    ("grenadier", "throws", "throw rai grenade at G1", "needed", 4, 6),
    ("grenadier-1", "throws", "throw til-1 grenade at G5", "needed", 4, 6),
    ("grenadier-2", "throws", "throw til grenade at G3", "needed", 2, 6),
    ("berserker", "rage", "zombie z1", "berserk", {"til": ["A1", "A3", "B1", "B3"]}, None),
    ("deep-pockets", "pockets", "may danika carry FG-42, FG-42, FG-42", "?", "legal", "illegal"),
    ("mechanical-aptitude", "pockets", "can danika walk rescue prisoner, turn left", "?", "legal", "illegal"),
    ("tactics-2", "throws", "throw kelley grenade at G7", "needed of Tactics 2", 4, None),
    (
        "airborne-jump",
        "jump",
        "can jackson walk forward",
        "jumps",
        {"steps": [1], "wounds": {"0": "1"}, "goes_on": "2/3"},
        {"steps": [1], "wounds": {"0": "2/3", "1": "1/4", "2": "1/12"}, "goes_on": "1/3"},
    ),
    (
        "scrounger",
        "search",
        "search O1 by rai on 31 O7",
        "shifted",
        {
            "-1": {"toxic gas": "1/3", "nothing": "1/4", "1 Hinzelmann's File": "1/4", "1 Hinzelmann's File, entry 93": "1/6"},
            "+1": {"toxic gas": "1/6", "nothing": "1/4", "1 Hinzelmann's File": "1/4", "1 Hinzelmann's File, entry 93": "1/3"},
        },
        {},
    ),
    (
        "an-eye-for-the-good-stuff",
        "search",
        "search O1 by kelley on 31 O7",
        "shifted",
        {
            "-2": {"toxic gas": "5/12", "nothing": "1/4", "1 Hinzelmann's File": "1/4", "1 Hinzelmann's File, entry 93": "1/12"},
            "+2": {"toxic gas": "1/12", "nothing": "1/4", "1 Hinzelmann's File": "1/4", "1 Hinzelmann's File, entry 93": "5/12"},
        },
        {},
    ),
    (
        "home-base",
        "search",
        "search O1 by wurger on 31 O7",
        "twice",
        dict.fromkeys(("toxic gas", "nothing", "1 Hinzelmann's File", "1 Hinzelmann's File, entry 93"), "7/16"),
        {},
    ),
    ("resourceful", "search", "search O1 by danika on Supplies", "one_more", True, False),
    ("enhanced", "comrades", "attack wurger-2 on z8", "modifier of Hero 1", None, -1),
    ("no-combination", "dice", "attack nicole on z9", "modifier of Hero", None, -2),
]


@pytest.mark.parametrize(
    ("rule", "board", "question", "key", "there", "gone"), WITH_AND_WITHOUT, ids=lambda value: str(value)[:40]
)
def test_with_and_without(rule: str, board: str, question: str, key: str, there: Any, gone: Any) -> None:
    for text, wanted in ((question, there), (f"{question} without skill.{rule}", gone)):
        found = seen(ask(board, text), key)
        assert (found["skill"] if key == "with" else found) == wanted, text


def test_every_rule_of_a_skill_stands_in_the_table_above() -> None:
    of_all = {"skill.own", "skill.any-time"}
    named = {id for id in rule_ids(System.RIESE) if id.startswith("skill.")}
    assert {f"skill.{row[0]}" for row in WITH_AND_WITHOUT} == named - of_all


def test_a_skill_that_has_been_used_does_not_act(tmp_path: Path) -> None:
    text = (FOLDER / "skilled-comrades.board.toml").read_text(encoding="utf-8")
    board = tmp_path / "used.board.toml"
    board.write_text(text.replace('skills = ["Hero", ', 'used = ["Hero"]\nskills = ["Hero", '), encoding="utf-8")
    answer = riese_kb.ask(board, "attack nicole on z4")
    assert answer.verdict == "illegal"
    assert {violation.rule for violation in answer.violations} == {"attack.once"}


def test_rerolls_change_the_odds_exactly() -> None:
    """Three of twelve faces are rolled again: a quarter more of everything; a one stays once in 48."""
    (option,) = ask("comrades", "attack nicole on z4").result["options"]
    assert option["odds"] == {"wound": "5/12", "stun": "5/16", "miss": "13/48"}
    assert option["attack"]["ammo_lost"] == "1/48"


def test_a_skill_without_a_rule_is_not_passed_over() -> None:
    text = (
        (FOLDER / "skilled-comrades.board.toml").read_text(encoding="utf-8").replace('"Inspiring", ', '"Inspiring", "Resolve", ')
    )
    board = riese_kb.parse_board(text)
    assert riese_kb.ask(board, "attack kelley on z2").caveats == ("skills that no such question heeds: Resolve (kelley)",)
    assert riese_kb.ask(board, "attack rai on z2").caveats == ()


def test_a_skill_that_an_answer_counts_is_not_said_to_be_passed_over() -> None:
    answer = ask("search", 'search O1 by kelley on "45 results 1"')
    assert answer.result["shifted"]
    assert answer.caveats == ()


def test_the_numbers_belong_to_skills_of_the_book() -> None:
    known = {skill_id("riese", skill.name, person.name) for person in characters("riese").values() for skill in person.skills}
    assert set(skill_values("riese")) <= known
    people = [person for person in characters("riese").values() if person.rank is Rank.CHARACTER]
    assert sum(len(person.skills) for person in people) == 81
    with (ROOT / "rules" / "riese" / "armoury.toml").open("rb") as stream:
        weapons = {entry["name"] for entry in tomllib.load(stream)["weapon"]}
    for row in skill_values("riese").values():
        named = row.get("weapons", ())
        assert {w for group in (named.values() if isinstance(named, dict) else [named]) for w in group} <= weapons


def test_skills_that_may_go_together_are_told_together() -> None:
    """Inspiring and Tactics, a point each; Nicole's own skill goes with no Tactics."""
    (both,) = ask("comrades", "attack rai on z2").result["together"]
    assert {one["skill"] for one in both["skills"]} == {"Inspiring", "Tactics 1"}
    plain = ask("comrades", "attack rai on z2").result
    assert both["modifier"] == plain["modifier"] - 2
    united = ask("dice", "attack nicole on z9").result.get("together", ())
    assert not any({"Hero", "Tactics 2"} <= {one["skill"] for one in group["skills"]} for group in united)
