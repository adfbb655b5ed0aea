"""Team files: what is read, what is refused and how, and the same commands as for boards."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from riese_kb import ask, load_board
from riese_kb.batch import answers
from riese_kb.boardfmt import normalised
from riese_kb.errors import BoardError, QuestionError
from riese_kb.team import Aside, Difficulty, Outcome
from riese_kb.teamfile import format_team, load_sheet, parse_team
from tests.riese.generated import EXAMPLES

TEAMS = sorted(EXAMPLES.glob("*.team.toml"))
KELLEY = '[[hero]]\nid = "kelley"\nname = "Irish"\n'
HEAD = 'system = "riese"\n'


def test_a_team_is_read_with_what_is_printed_filled_in() -> None:
    team = parse_team(HEAD + 'difficulty = "green"\nlast = 17\nresult = "lost"\ndone = "raid"\nraid = 2\n' + KELLEY)
    (kelley,) = team.members
    assert (kelley.name, kelley.health, kelley.xp, kelley.ammo) == ("Kelley", 4, 0, 0)
    assert (team.difficulty, team.last, team.result, team.done) == (Difficulty.GREEN, "17", Outcome.LOST, Aside.RAID)
    assert team.tally == {Aside.RAID: 2}


@pytest.mark.parametrize("file", TEAMS, ids=lambda file: file.name)
def test_writing_and_reading_again_changes_nothing(file: Path) -> None:
    team = parse_team(file.read_text(encoding="utf-8"))
    text = format_team(team)
    assert parse_team(text) == team
    assert format_team(parse_team(text)) == text


def test_fmt_takes_team_files_too(tmp_path: Path) -> None:
    file = tmp_path / "own.team.toml"
    file.write_text("# Mine.\n" + HEAD + "cull = 1\nlast = 17\n" + KELLEY, encoding="utf-8")
    _, after, lost = normalised(str(file))
    assert after.decode() == '# Mine.\nsystem = "riese"\nlast = "17"\ncull = 1\n\n[[hero]]\nid = "kelley"\nname = "Kelley"\n'
    assert not lost


CHARACTERS = ("Kelley", "Jackson", "Frost", "Rai", "Til")

WRONG = [
    ("", "the team is empty"),
    (HEAD, "no heroes"),
    (HEAD + "map = '''+'''\n" + KELLEY, "it has a map"),
    (HEAD + "[[figure]]\nid = 'z1'\n" + KELLEY, "it has a figure"),
    (HEAD + 'dificulty = "green"\n' + KELLEY, "did you mean difficulty?"),
    (HEAD + 'difficulty = "grün"\n' + KELLEY, "did you mean green?"),
    (HEAD + "threat = 13\n" + KELLEY, "a whole number from 0 to 12"),
    (HEAD + "threat = true\n" + KELLEY, "a whole number from 0 to 12"),
    (HEAD + 'last = "1/2"\n' + KELLEY, "scenarios are numbered like"),
    (HEAD + 'done = "culls"\n' + KELLEY, "did you mean cull?"),
    (HEAD + "[hero]\nid = 'kelley'\n", "write [[hero]], with two brackets"),
    (HEAD + '[[hero]]\nid = "kelley"\n', "has no name"),
    (HEAD + '[[hero]]\nname = "Kelley"\n', "has no id"),
    (HEAD + '[[hero]]\nid = "k"\nname = "Kelly"\n', "did you mean Kelley?"),
    (HEAD + KELLEY + 'xp = "40"\n', "a whole number"),
    (HEAD + KELLEY + "health = 5\n", "a whole number from 0 to 4"),
    (HEAD + KELLEY + "at = 'A1'\n", "unknown key"),
    (HEAD + KELLEY + 'skills = ["Tactics 3"]\n', "unknown skill of Kelley"),
    (HEAD + KELLEY + 'skills = ["Mongoose"]\n', "unknown skill of Kelley"),
    (HEAD + KELLEY + KELLEY, "two heroes have the id"),
    (HEAD + KELLEY + '[[hero]]\nid = "other"\nname = "Kelley"\n', "two heroes are Kelley"),
    (HEAD + "".join(f'[[hero]]\nid = "{n}"\nname = "{n}"\n' for n in CHARACTERS), "5 characters, and its sheet has places for 4"),
    (
        HEAD + "".join(f'[[hero]]\nid = "t{n}"\nname = "Trooper"\n' for n in range(5)),
        "5 troopers, and its sheet has places",
    ),
    (HEAD + KELLEY + "[[scenario]]\nthreat = 2\n", "has no number"),
    (HEAD + KELLEY + "[[scenario]]\nnumber = 18\nadjust = 2\n", "write adjust = [{"),
    (HEAD + KELLEY + "[[scenario]]\nnumber = 18\nadjust = [{ deed = 'x', thread = 1 }]\n", "did you mean threat?"),
    (HEAD + KELLEY + "[[scenario]]\nnumber = 18\n[[scenario]]\nnumber = '18'\n", "given twice"),
    ('system = "tannhaeuser"\n' + KELLEY, "no team files for this game"),
    ('sytem = "riese"\n' + KELLEY, "did you mean system?"),
    (KELLEY, "has no system"),
    ("x = = 1", "this is not TOML"),
]


@pytest.mark.parametrize(("text", "says"), WRONG, ids=[says for _, says in WRONG])
def test_a_wrong_team_is_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(BoardError) as fault:
        parse_team(text, "own.team.toml")
    message = str(fault.value)
    assert message.startswith("own.team.toml")
    assert says in message
    assert "\n" not in message


def test_the_fault_has_its_line() -> None:
    with pytest.raises(BoardError, match=r"own\.team\.toml:6: unknown skill"):
        parse_team(HEAD + "\n" + KELLEY + 'skills = ["Tactic 9"]\n', "own.team.toml")


@pytest.mark.parametrize("question", ["can kelley walk forward", "reach kelley", "zombies", "lof A1 to B2", "targets kelley"])
def test_a_question_about_boards_is_refused_in_one_line(question: str) -> None:
    with pytest.raises(QuestionError, match="about a board, and this file is a team"):
        ask(EXAMPLES / "after-the-breakout.team.toml", question)


@pytest.mark.parametrize("question", ["between scenarios", "can nicole learn Braced", "xp nicole with 1 beta", "threat after 17"])
def test_a_question_about_teams_is_refused_in_one_line(question: str) -> None:
    with pytest.raises(QuestionError, match="about a team, and this file is a board"):
        ask(load_board(EXAMPLES / "doors.board.toml"), question)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("can kely learn Brawler", "did you mean kelley?"),
        ("can kelley learn Brawlr", "did you mean Brawler?"),
        ("can team play 17 with kelley, rai", "is not on the team"),
        ("can kelley play 17 with kelley", "the team plays, not kelley"),
        ("can team play 18 with kelley", "does not print how many heroes scenario 18 admits"),
        ("can team play 17 with kelley, Kelley", "named twice"),
        ("threat after 18", "does not print by how much scenario 18 raises threat"),
        ("threat after 17 with 2 prisonrs", "did you mean prisoner rescued?"),
        ("threat after 17 with 0 prisoners", "1 to 99 times"),
        ("xp kelley with 2 betta", "did you mean Beta?"),
        ("can nobody join", "the book knows nobody"),
    ],
)
def test_names_that_are_not_there(question: str, says: str) -> None:
    with pytest.raises(QuestionError) as fault:
        ask(EXAMPLES / "after-the-breakout.team.toml", question)
    assert says in str(fault.value)


def test_a_batch_takes_teams_among_boards() -> None:
    lines = [
        {"id": 1, "board": "after-the-breakout.team.toml", "ask": "threat after 17 won with 2 prisoners"},
        {"id": 2, "board": "doors.board.toml", "ask": "can nicole walk forward"},
        {"id": 3, "board": "after-the-breakout.team.toml", "ask": "reach kelley"},
        {"id": 4, "board": "no-such.team.toml", "ask": "between scenarios"},
    ]
    source = io.BytesIO("\n".join(map(json.dumps, lines)).encode())
    found = [json.loads(line) for group in answers(source, str(EXAMPLES)) for line in group]
    assert [one["verdict"] for one in found] == ["computed", "illegal", "error", "error"]
    assert found[0]["result"]["after"] == 4
    assert found[0]["ledger"][0]["cite"].startswith("THREAT LEVEL")


def test_texts_say_what_the_answers_hold() -> None:
    team = load_sheet(EXAMPLES / "after-the-breakout.team.toml")
    assert str(ask(team, 'can kelley learn "Tactics 2"')).startswith("No: Kelley cannot learn Tactics 2 with 52 XP;")
    stage = str(ask(team, "between scenarios"))
    for words in ("Open to the team", "of kelley, on kelley (health 3 to 4)", "Brawler (15 XP, 37 left)", "cull (47)"):
        assert words in stage


def test_what_leads_to_a_skill_is_offered() -> None:
    team = load_sheet(EXAMPLES / "after-the-breakout.team.toml")
    assert ask(team, "can nicole learn Hero").instead[0] == 'can nicole learn "It\'s all in the Reflexes", "Hero"'
    assert ask(team, "can nicole heal kelley").instead == ("can kelley heal kelley", "can lies heal kelley")
