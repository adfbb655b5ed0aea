"""The rules that only Stalingrad Z has: in step with the book, on boards that keep and break them, missed when switched off."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import riese_kb
from riese_kb.board import Board, System
from riese_kb.boardfile import load_board, parse_board
from riese_kb.catalogue import Kind, rule, rule_ids, rules
from riese_kb.coverage import account, faults, held_by
from riese_kb.errors import BoardError, MissingValue, QuestionError
from riese_kb.fingerprint import State, matches
from riese_kb.teamfile import format_sheet
from tests.riese.test_examples import questions

GAME = System.STALINGRAD_Z
ROOT = Path(__file__).resolve().parents[2]
OWN = sorted(id for id in rule_ids(GAME) if id not in rule_ids(System.RIESE))
"""What the other game has under the same id is held to by its own tests."""
ONLY_TOLD = {
    "blast.doors": "It is told what a wound does to doors.",
    "mine.blast": "It is told what a mine does if it goes off; whether it does is for the die.",
    "mine.stays": "It is told that the mine is still there.",
}


@cache
def stored() -> list[tuple[Board, dict[str, Any]]]:
    folder = ROOT / "queries" / "stalingrad_z"
    return [(load_board(board), case) for board in sorted(folder.glob("*.board.toml")) for case in questions(board)]


def naming(id: str, *keys: str) -> list[tuple[Board, dict[str, Any]]]:
    return [(board, case) for board, case in stored() if any(id in case.get(key, ()) for key in keys)]


def seen(board: Board, ask: str, but: str) -> tuple[object, list[object]]:
    """What an answer says, and the lines of all rules but one."""
    answer = riese_kb.ask(board, ask)
    broken = sorted((v.step, v.rule, v.at) for v in answer.violations)
    lines = [line for line in answer.ledger if line.rule != but]
    return (answer.verdict, repr(answer.result), broken), lines  # type: ignore[return-value]


@pytest.mark.parametrize("id", OWN)
def test_it_is_kept_and_broken_on_some_board(id: str) -> None:
    assert naming(id, "uses", "keeps", "breaks"), "no stored question names it"
    found = rule(GAME, id)
    assert bool(naming(id, "breaks")) == (found.broken is not None)
    if found.broken is not None:
        assert naming(id, "keeps", "uses"), "nobody keeps it"


@pytest.mark.parametrize("id", OWN)
def test_it_is_missed_when_it_is_switched_off(id: str) -> None:
    changed = lines = False
    for board, case in naming(id, "breaks", "keeps", "uses"):
        before, after = seen(board, case["ask"], id), seen(board, f"{case['ask']} without {id}", id)
        changed |= before != after
        lines |= riese_kb.ask(board, case["ask"]).ledger != riese_kb.ask(board, f"{case['ask']} without {id}").ledger
    if id in ONLY_TOLD:
        assert lines
        assert not changed, "it does more than add a line after all"
    else:
        assert changed


# --- the catalogue ----------------------------------------------------------------------------------------------------


def test_the_catalogue_agrees_with_the_book(rulebooks: Path) -> None:
    book = (rulebooks / "stalingrad_z_rulebook.txt").read_text(encoding="utf-8")
    assert {m.rule: m.fault or m.lines for m in matches(GAME, book) if m.state is not State.SAME} == {}


def test_no_text_repeats_nine_words_of_the_book(rulebooks: Path) -> None:
    def shingles(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"[^\W\d_]{2,}", text.lower())
        return {tuple(words[i : i + 9]) for i in range(len(words) - 8)}

    printed = shingles((rulebooks / "stalingrad_z_rulebook.txt").read_text(encoding="utf-8"))
    texts = [text for found in rules(GAME).values() for text in (found.title, found.says, found.breach)]
    assert [text for text in texts if shingles(text) & printed] == []


@pytest.mark.parametrize("id", sorted(rule_ids(GAME)))
def test_a_rule_is_complete(id: str) -> None:
    found = rule(GAME, id)
    assert len(found.title) <= 48
    assert re.fullmatch(r"[0-9a-f]{16}", found.fingerprint)
    assert set(found.overrides) <= rule_ids(GAME) - {id}
    assert found.kind is not Kind.MODIFIER or found.intent is not None
    for text in (found.says, found.breach):
        assert text[0].isupper()
        assert text.endswith(".")
        assert not set("{}") & set(text), "a number was not filled in"


def test_titles_tell_rules_apart() -> None:
    titles = [found.title for found in rules(GAME).values()]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


# --- what is not printed, and what the game does not have ---------------------------------------------------------------

SMALL = "system = 'stalingrad_z'\n{top}map = '''\n+-+-+-+\n|. . .|\n+-+-+-+\n'''\n"
DUEL = SMALL.format(top="") + (
    '[[figure]]\nid = "h"\nkind = "hero"\nat = "A1"\nfacing = "east"\nweapon = "{weapon}"\n'
    '[[figure]]\nid = "z"\nkind = "zombie"\nat = "C1"\n{status}'
)


def test_a_stunned_target_needs_a_number_that_is_not_printed() -> None:
    text = DUEL.format(weapon="Luger", status='status = ["stunned"]\n')
    with pytest.raises(MissingValue, match=r"stunned.*\[\[modifier\]\]"):
        riese_kb.ask(parse_board(text), "attack h on z")
    answer = riese_kb.ask(parse_board(text + '[[modifier]]\nname = "stunned"\nvalue = -3\n'), "attack h on z")
    assert (answer.result["stun"], answer.result["wound"]) == (3, 6)


def test_the_off_hand_needs_one_too() -> None:
    text = DUEL.format(weapon="Luger", status="").replace('weapon = "Luger"', 'weapon = "Luger"\noff_hand = "Kar 98"')
    text += '[[weapon]]\nname = "Luger"\none_handed = true\n[[weapon]]\nname = "Kar 98"\none_handed = true\n'
    with pytest.raises(MissingValue, match="off hand"):
        riese_kb.ask(parse_board(text), "attack h on z off hand")
    answer = riese_kb.ask(parse_board(text + '[[modifier]]\nname = "off hand"\nvalue = 2\n'), "attack h on z off hand")
    assert answer.result["modifier"] == 2


def test_a_weapon_without_printed_values_asks_for_them() -> None:
    with pytest.raises(MissingValue, match="the book prints no rof for MP-40"):
        riese_kb.ask(parse_board(DUEL.format(weapon="MP-40", status="")), "attack h on z")


def test_several_dice_are_told_as_far_as_numbers_are_known() -> None:
    text = DUEL.format(weapon="MG-42", status="") + '[[weapon]]\nname = "MG-42"\nstun = 6\nwound = 9\npbr = 6\nrm = 3\n'
    answer = riese_kb.ask(parse_board(text), "attack h on z")
    assert answer.result["dice"] == 3
    assert answer.result["odds"] == {"wound": "1/3", "stun": "1/4", "miss": "5/12"}
    assert "attack" not in answer.result
    assert any("stunned" in caveat for caveat in answer.caveats)


def test_a_throw_is_told_without_the_blast() -> None:
    text = DUEL.format(weapon="Luger", status="").replace('weapon = "Luger"', "grenades = 1")
    answer = riese_kb.ask(parse_board(text), "throw h grenade at C1")
    assert (answer.verdict, answer.result["needed"]) == ("legal", 2)
    assert "victims" not in answer.result
    assert any("blast range" in caveat for caveat in answer.caveats)


@pytest.mark.parametrize(
    ("top", "more", "fault"),
    [
        ("threat = 3\n", "", "threat belongs to Projekt Riese"),
        ("darkness = true\n", "", "darkness belongs to Projekt Riese"),
        ("", '[[figure]]\nid = "n"\nkind = "npc"\nat = "A1"\n', 'unknown kind "npc"'),
        ("", '[[figure]]\nid = "z"\nkind = "zombie"\ntype = "flammenghul"\nat = "A1"\n', "zombie type"),
        ("", '[[marker]]\nkind = "toxic"\nat = "A1"\n', 'unknown kind "toxic"'),
        ("", '[[modifier]]\nname = "moonlight"\nvalue = 1\n', "moonlight"),
        ("", '[[marker]]\nkind = "maxim"\nat = "A1"\nlabel = "up"\n', "looks"),
    ],
)
def test_what_the_game_does_not_have_is_refused(top: str, more: str, fault: str) -> None:
    with pytest.raises(BoardError, match=fault):
        parse_board(SMALL.format(top=top) + more)


def test_spaces_of_the_fatigue_track_that_nobody_prints_are_told_of() -> None:
    """One space is printed; what the others add is left out, and said so, until the board gives the number."""
    tired = load_board(ROOT / "queries" / "stalingrad_z" / "tired.board.toml")
    beyond, printed = (riese_kb.ask(tired, f"attack {id} on {at}") for id, at in (("reiser", "z3"), ("dasha", "z1")))
    assert any("fatigue attack" in caveat for caveat in beyond.caveats)
    assert not any("fatigue" in caveat for caveat in printed.caveats)
    assert not riese_kb.ask(tired, "can til walk forward").caveats
    plain = format_sheet(tired).partition("[[modifier]]")[0]
    for question in ("can til walk forward", "reach til", "can til walk to B2"):
        answer = riese_kb.ask(parse_board(plain), question)
        assert any("fatigue movement" in caveat for caveat in answer.caveats), question


@pytest.mark.parametrize("more", ["fatigue = 1", "food = 1"])
def test_what_riese_does_not_have_is_refused_there(more: str) -> None:
    text = DUEL.format(weapon="Luger", status="").replace("stalingrad_z", "riese").replace('id = "h"', f'id = "h"\n{more}')
    with pytest.raises(BoardError, match="belongs to Stalingrad Z boards"):
        parse_board(text)


def test_riese_has_no_reactions() -> None:
    board = parse_board(DUEL.format(weapon="Luger", status="").replace("stalingrad_z", "riese"))
    with pytest.raises(QuestionError, match="no reaction"):
        riese_kb.ask(board, "can h react forward")


def test_lethal_terrain_is_unknown() -> None:
    with pytest.raises(BoardError, match="no lethal terrain"):
        parse_board(SMALL.format(top="").replace("|. . .|", "|. ! .|"))


# --- the account of the book ------------------------------------------------------------------------------------------


def test_the_account_names_what_there_is() -> None:
    assert list(faults(GAME, account(GAME))) == []


def test_every_passage_is_accounted_for(rulebooks: Path) -> None:
    book = (rulebooks / "stalingrad_z_rulebook.txt").read_text(encoding="utf-8")
    system, held = held_by(book)
    assert system is GAME
    assert held.agrees
    assert held.settled / held.normative >= 0.85
    assert held_by((rulebooks / "riese_field_manual.txt").read_text(encoding="utf-8"))[0] is System.RIESE


# --- the printed example of a blast -------------------------------------------------------------------------------------


def test_the_blast_of_the_examples_and_that_of_the_rule() -> None:
    board = load_board(ROOT / "queries" / "stalingrad_z" / "blast-example.board.toml")

    def numbers(ask: str) -> dict[str, tuple[int, int]]:
        effects = riese_kb.ask(board, ask).result["effects"]
        return {id: (effect["stun"], effect["wound"]) for id, effect in effects.items()}

    printed = {"z1": (6, 9), "z2": (10, 13), "z4": (9, 12), "dasha": (13, 16)}
    assert numbers("blast at C3 with grenade under aoe_modifiers=examples") == printed
    assert numbers("blast at C3 with grenade") == {"z1": (6, 9), "z2": (6, 9)}
