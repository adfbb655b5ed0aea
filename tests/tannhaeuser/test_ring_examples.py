"""The example boards under queries/tannhaeuser, the printed examples among them: every question keeps what its file promises."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import riese_kb
from riese_kb.catalogue import rule_ids, rules
from riese_kb.team import Sheet
from riese_kb.teamfile import format_sheet, load_sheet, parse_sheet

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "queries" / "tannhaeuser"
BOARDS = sorted(FOLDER.glob("*.board.toml"))


def name_of(board: Path) -> str:
    return board.name.split(".")[0]


def questions(board: Path) -> list[dict[str, Any]]:
    with board.with_name(f"{name_of(board)}.questions.toml").open("rb") as stream:
        asked: list[dict[str, Any]] = tomllib.load(stream)["question"]
    return asked


CASES = [pytest.param(board, case, id=f"{name_of(board)}: {case['ask']}") for board in BOARDS for case in questions(board)]


@pytest.mark.parametrize(("board", "case"), CASES)
def test_example(board: Path, case: dict[str, Any]) -> None:
    answer = riese_kb.ask(load_sheet(board), case["ask"])
    assert answer.verdict == case["verdict"]
    wanted = case.get("result", {})
    assert {key: answer.result.get(key) for key in wanted} == wanted
    broken = {violation.rule for violation in answer.violations}
    assert broken == set(case.get("breaks", ()))
    assert {line.rule for line in answer.ledger} >= set(case.get("uses", ()))
    assert all(line.cite for line in answer.ledger)


@pytest.mark.parametrize(("board", "case"), CASES)
def test_the_text_says_it_in_both_languages(board: Path, case: dict[str, Any]) -> None:
    answer = riese_kb.ask(load_sheet(board), case["ask"])
    text = str(answer)
    assert text.splitlines()[0]
    for violation in answer.violations:
        assert violation.rule in text


@pytest.mark.parametrize("board", BOARDS, ids=name_of)
def test_board_says_what_it_shows_and_survives_its_normal_form(board: Path) -> None:
    assert re.match(r"# \S", board.read_text(encoding="utf-8"))
    sheet = load_sheet(board)
    assert sheet.title
    assert parse_sheet(format_sheet(sheet), "again.board.toml") == sheet
    for case in questions(board):
        assert case["shows"].endswith(".")
        assert set(case) <= {"ask", "shows", "verdict", "result", "breaks", "uses"}


def test_every_rule_speaks_german_too() -> None:
    for rule in rules("tannhaeuser").values():
        assert rule.title_de, rule.id
        assert rule.says_de, rule.id
        assert (rule.broken is None) == (rule.broken_de is None), rule.id


def test_ids_of_the_logic_are_those_of_the_catalogue() -> None:
    found = set()
    for file in (ROOT / "logic" / "tannhaeuser").glob("*.lp"):
        found |= set(re.findall(r"^% @rule (\S+)$", file.read_text(encoding="utf-8"), re.M))
    assert found == set(rule_ids("tannhaeuser"))


def test_passages_are_those_of_the_book(rulebooks: Path) -> None:
    lines = (rulebooks / "tannhaeuser_regelheft_de.txt").read_text(encoding="utf-8").split("\n")
    with (ROOT / "rules" / "tannhaeuser" / "passages.toml").open("rb") as stream:
        places = tomllib.load(stream)
    assert places.keys() == rules("tannhaeuser").keys()
    for id, (first, last) in places.items():
        letters = re.sub(r"[\W_]", "", "".join(lines[first - 1 : last])).casefold()
        assert letters, id
        assert hashlib.sha256(letters.encode()).hexdigest()[:16] == rules("tannhaeuser")[id].fingerprint, id


def test_switching_off_any_rule_changes_some_example() -> None:
    idle = set(rule_ids("tannhaeuser"))
    for board in BOARDS:
        sheet = load_sheet(board)
        for case in questions(board):
            plain = heard(sheet, case["ask"])
            idle -= {
                rule
                for rule in idle
                if heard(sheet, f"{case['ask']} without {rule}" if "without" not in case["ask"] else case["ask"]) != plain
            }
    assert not idle


def heard(sheet: Sheet, question: str) -> tuple[object, ...]:
    answer = riese_kb.ask(sheet, question)
    return answer.verdict, answer.result, {violation.rule for violation in answer.violations}
