"""The example boards under queries/riese and queries/stalingrad_z: every question keeps what its file promises.

The expectations were worked out by hand from the book. A questions file says for each question what it shows, the
verdict, some values of the result, others of which it names a part only, exactly the rules that are broken, rules that the
ledger must name, and rules that are kept without a line of the ledger (test_switches.py holds them to it).
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import riese_kb
from riese_kb.answer import Answer
from riese_kb.draft import Draft
from riese_kb.tables import skill_id
from riese_kb.teamfile import load_sheet

QUERIES = Path(__file__).resolve().parents[2] / "queries"
FOLDERS = (QUERIES / "riese", QUERIES / "stalingrad_z")
BOARDS = sorted(file for folder in FOLDERS for ending in ("board", "team") for file in folder.glob(f"*.{ending}.toml"))
UNORDERED = ("targets", "attacks", "normal", "spread", "h2h")
"""Lists of a result whose order the contract leaves open."""


def name_of(board: Path) -> str:
    return board.name.split(".")[0]


def questions(board: Path) -> list[dict[str, Any]]:
    file = board.with_name(f"{name_of(board)}.questions.toml")
    with file.open("rb") as stream:
        asked: list[dict[str, Any]] = tomllib.load(stream)["question"]
    return asked


CASES = [pytest.param(board, case, id=f"{name_of(board)}: {case['ask']}") for board in BOARDS for case in questions(board)]


def ordered(key: str, value: Any) -> Any:
    """The value with every list sorted whose order says nothing."""
    if key in UNORDERED:
        return sorted(value)
    if key in ("moves", "order"):
        return [sorted(inner) for inner in value]
    if key == "outcomes":
        return sorted(value, key=lambda outcome: sorted(outcome.items()))
    return value


def within(part: Any, whole: Any) -> bool:
    """Whether a value has everything that a part of it names; each entry of a list stands for one like it."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and within(value, whole[key]) for key, value in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and all(any(within(one, other) for other in whole) for one in part)
    return bool(part == whole)


def told(answer: Answer | Draft) -> dict[str, Any]:
    """What a part may speak of: the result and, as ``ledger``, what was added up."""
    lines = [{key: getattr(line, key) for key in ("rule", "at", "amount", "unit", "note")} for line in answer.ledger]
    return {**answer.result, "ledger": lines}


@pytest.mark.parametrize(("board", "case"), CASES)
def test_example(board: Path, case: dict[str, Any]) -> None:
    answer = riese_kb.ask(load_sheet(board), case["ask"])
    assert answer.verdict == case["verdict"]
    wanted = case.get("result", {})
    found = {key: ordered(key, answer.result.get(key)) for key in wanted}
    assert found == {key: ordered(key, value) for key, value in wanted.items()}
    assert within(case.get("part", {}), told(answer)), told(answer)
    broken = {violation.rule for violation in answer.violations}
    if "breaks" in case:
        assert broken == set(case["breaks"])
    elif case["verdict"] in ("legal", "clear", "computed"):
        assert not broken
    assert {line.rule for line in answer.ledger} >= set(case.get("uses", ()))
    assert owned(answer) >= {line.rule for line in answer.ledger if line.rule.startswith("skill.")} - ABOUT_SKILLS


ABOUT_SKILLS = {"skill.any-time", "skill.no-combination"}


def owned(answer: Answer) -> set[str]:
    """The rules of the skills that somebody on the board or in the team has: nobody else's stand behind a line."""
    if answer.board is None:
        return {line.rule for line in answer.ledger}
    ids = {skill_id(answer.system, name, figure.name) for figure in answer.board.figures for name in figure.skills}
    named = {rule: rule.removeprefix("skill.") for rule in (line.rule for line in answer.ledger)}
    return {rule for rule, last in named.items() if any(last.startswith(id) or id.endswith(last) for id in ids)}


@pytest.mark.parametrize("board", BOARDS, ids=name_of)
def test_board_says_what_it_shows(board: Path) -> None:
    text = board.read_text(encoding="utf-8")
    assert re.match(r"# \S", text), "the first line tells what the board shows"
    assert load_sheet(board).title
    for case in questions(board):
        assert case["shows"].endswith(".")
        assert set(case) <= {"ask", "shows", "verdict", "result", "part", "breaks", "uses", "keeps"}


def test_every_questions_file_has_a_board() -> None:
    asked = [file.with_name(name_of(file)) for folder in FOLDERS for file in folder.glob("*.questions.toml")]
    assert sorted(asked) == sorted(board.with_name(name_of(board)) for board in BOARDS)
