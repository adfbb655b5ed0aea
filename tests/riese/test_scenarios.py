"""Scenarios: which there are, what their rules take precedence over, and that they are grounded like the book's."""

from __future__ import annotations

from pathlib import Path

import pytest

import riese_kb
from riese_kb import grounding, solver
from riese_kb.asking import position_of, terms_of
from riese_kb.board import Board
from riese_kb.boardfile import format_board, load_board, parse_board
from riese_kb.catalogue import rule
from riese_kb.drafting import core
from riese_kb.errors import BoardError, RulesError
from riese_kb.grounding import drive
from riese_kb.question import Question
from riese_kb.scenarios import find_scenario, scenarios
from riese_kb.teamfile import load_sheet
from riese_kb.worlds import together
from tests.riese.generated import examples
from tests.whole_programs import leave_nothing_out

FOLDER = Path(__file__).resolve().parents[2] / "queries" / "riese"
LAID_OVER = [number for number, scenario in scenarios("riese").items() if scenario.file]


def board(name: str) -> Board:
    return load_board(FOLDER / f"scenario-{name}.board.toml")


# --- which there are ------------------------------------------------------------------------------------------------------


def test_an_unknown_number_gets_those_that_exist():
    with pytest.raises(RulesError, match="no scenario 99") as fault:
        riese_kb.ask(board("loot"), "reach nicole walking with scenario 99")
    assert fault.value.fix is not None
    assert all(number in fault.value.fix for number in LAID_OVER)


def test_a_scenario_that_the_book_does_not_print_says_so():
    with pytest.raises(RulesError, match="does not print the special rules of scenario 21, The Price of Failure"):
        find_scenario("riese", "21")


@pytest.mark.parametrize("number", [n for n, scenario in scenarios("riese").items() if scenario.silent])
def test_a_page_without_rules_changes_nothing_and_says_so(number):
    plain = riese_kb.ask(board("loot"), "can nicole walk close door ahead")
    played = riese_kb.ask(board("loot"), f"can nicole walk close door ahead with scenario {number}")
    assert played.result == plain.result
    assert any("changes no answer" in caveat for caveat in played.caveats)


def test_a_game_without_scenarios_says_so():
    sheet = load_sheet(FOLDER.parent / "tannhaeuser" / "arsenal.board.toml")
    with pytest.raises(RulesError, match="scenario 31 has no special rules here"):
        riese_kb.ask(sheet, "won with scenario 31")


def test_one_scenario_is_played_at_a_time():
    with pytest.raises(RulesError, match="one scenario"):
        riese_kb.ask(board("loot"), "reach nicole walking with scenario 45 with scenario 43")


def test_every_scenario_with_rules_has_its_chapter_of_the_catalogue():
    for number in LAID_OVER:
        assert (FOLDER.parents[1] / "rules" / "riese" / "catalogue" / f"scenario-{number}.toml").is_file()


# --- notes ----------------------------------------------------------------------------------------------------------------


def test_a_note_no_scenario_knows_is_refused_with_the_nearest():
    text = format_board(board("bumblebee")).replace("engine started", "engine startet")
    with pytest.raises(BoardError, match="engine started"):
        parse_board(text)


@pytest.mark.parametrize("note", ["energy 0", "energy 13", "energy", "energy green"])
def test_a_note_with_a_wrong_number_is_refused(note):
    with pytest.raises(BoardError, match="N: a roll from 1 to 12"):
        parse_board(format_board(board("henge")).replace("energy 8", note))


def test_notes_survive_formatting():
    assert parse_board(format_board(board("henge"))).notes == ("energy 8",)


# --- what takes precedence --------------------------------------------------------------------------------------------------

OVERRULED = {
    ("weakness", "zombie z1 with scenario 31"): ("zombie.closest-target", "scenario-31.control-module"),
    ("weakness", "can nicole walk pick up Ammo with scenario 31"): ("movement.pick-up", "scenario-31.rack"),
    ("weakness", "initiative with scenario 31"): ("initiative.higher-wins", "scenario-31.surprise"),
    ("weakness", "spawn S1 with scenario 31"): ("spawning.location", "scenario-31.silence"),
    ("bumblebee", "spawn S1 with scenario 41"): ("spawning.location", "scenario-41.covered"),
    ("henge", "zombie z1 with scenario 39"): ("power.armoured", "scenario-39.jolt"),
    ("henge", "zombie z2 with scenario 39"): ("zombie.hindering", "scenario-39.clear-ground"),
    ("bumblebee", "can nicole walk pick up Rubble with scenario 41"): ("movement.pick-up", "scenario-41.lifting"),
    ("womb", "zombie z1 with scenario 43"): ("zombie.hindering", "scenario-43.wading-zombies"),
    ("womb-drained", "zombie ekhidna with scenario 43"): ("zombie.attack", "scenario-43.grasp"),
    ("loot", "can nicole walk close door ahead with scenario 45"): ("movement.open-close-door", "scenario-45.doors"),
    ("stalag", "npc mann with scenario 17"): ("npc.enemies", "scenario-17.mannen"),
    ("stalag", "npc officer with scenario 17"): ("npc.move", "scenario-17.post"),
    ("stalag", "can nicole walk rescue prisoner with scenario 17"): ("special.whole-activation", "scenario-17.shackles"),
    ("stalag", "can nicole special force door ahead with scenario 17"): ("door.forced", "scenario-17.blue-door"),
    ("cull", "round with scenario 47"): ("round.spawns", "scenario-47.purple-spawn"),
    ("cells", "round with scenario 31"): ("round.activations", "scenario-31.waiting"),
    ("cells", "npc mann with scenario 31"): ("npc.enemies", "scenario-31.waiting"),
    ("cells", "can nicole walk rescue captive with scenario 31"): ("special.whole-activation", "scenario-31.cells"),
    ("airstrip", "npc fj with scenario 41"): ("npc.enemies", "scenario-41.truce"),
    ("take-off", "npc fj with scenario 41"): ("npc.move", "scenario-41.paratroopers-stay"),
    ("take-off", "can nicole walk right with scenario 41"): ("movement.hindering", "scenario-41.filled-crater"),
    ("womb-drained", "zombies with scenario 43"): ("zombie.order", "scenario-43.first"),
}


@pytest.mark.parametrize(("name", "question"), OVERRULED)
def test_an_answer_names_both_rules(name, question):
    rule_of_book, by = OVERRULED[name, question]
    answer = riese_kb.ask(board(name), question)
    pairs = [(override.rule, override.by) for override in answer.overridden]
    assert (rule_of_book, by) in pairs
    assert rule_of_book in rule("riese", by).overrides
    data = next(entry for entry in answer.to_json()["overridden"] if entry["rule"] == rule_of_book)
    assert data == {"rule": rule_of_book, "by": by, "says": rule("riese", by).says, "cite": rule("riese", by).cite}
    assert "Takes precedence" in str(answer)
    assert rule_of_book in str(answer)


@pytest.mark.parametrize(("name", "question"), OVERRULED)
def test_without_the_scenarios_rule_nothing_gives_way(name, question):
    rule_of_book, by = OVERRULED[name, question]
    answer = riese_kb.ask(board(name), f"{question} without {by}")
    assert (rule_of_book, by) not in [(override.rule, override.by) for override in answer.overridden]


def test_the_book_alone_overrules_nothing():
    answer = riese_kb.ask(board("weakness"), "zombie z1")
    assert answer.overridden == ()
    assert "overridden" not in answer.to_json()


def test_the_alarm_brings_the_book_back():
    alarmed = parse_board(format_board(board("weakness")).replace("title =", 'notes = ["alarm raised"]\ntitle =', 1))
    assert riese_kb.ask(alarmed, "initiative with scenario 31").result["odds"]["heroes"] != "1"
    assert riese_kb.ask(alarmed, "spawn S1 with scenario 31").result["appears"] == ["F3"]


def test_asked_again_the_answer_is_the_same():
    """Lengths of paths are kept with the board; what gave way must be told all the same."""
    one = board("weakness")
    first, second = (riese_kb.ask(one, "zombie z1 with scenario 31").to_json() for _ in range(2))
    assert first == second


def test_a_batch_keeps_scenarios_apart():
    one = board("womb")
    asked = [(one, "can nicole walk left"), (one, "can nicole walk left with scenario 43")] * 2
    spent = [answer.result["spent"] for answer in riese_kb.ask_all(asked) if isinstance(answer, riese_kb.Answer)]
    assert spent == [2, 3, 2, 3]


def test_a_rule_file_joins_a_scenario(tmp_path):
    file = tmp_path / "house.lp"
    file.write_text('% @rule house.calm "Calm water"\noff(W,"scenario-43.full-pools") :- world(W), in_force(W,"house.calm").\n')
    answer = riese_kb.ask(board("womb"), f'can nicole walk left with scenario 43 with rules "{file}"')
    assert answer.result["spent"] == 2
    assert ("scenario-43.full-pools", "house.calm") in [(o.rule, o.by) for o in answer.overridden]


# --- the programs ---------------------------------------------------------------------------------------------------------


def asked() -> list[tuple[Board, Question]]:
    return [(one, question) for one, question in examples() if set(question.scenarios) & set(LAID_OVER)]


def test_pruned_programs_answer_like_whole_ones(monkeypatch):
    def drafts() -> list[object]:
        steps = [core(position_of(one), question.about, terms_of(one, question)) for one, question in asked()]
        return [(draft.essence, draft.ledger) for draft in drive(together(steps))]

    pruned = drafts()
    leave_nothing_out(monkeypatch)
    said: list[str] = []
    monkeypatch.setattr(grounding, "run", lambda *given, **named: solver.run(*given, strict=said.append, **named))
    for one, _ in asked():
        position_of(one).kept.clear()
    assert drafts() == pruned
    assert not said, said[:5]
