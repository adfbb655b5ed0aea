"""Everything fenced in the README and under docs/ is run. `UPDATE_DOCS=1` rewrites the outputs shown there."""

from __future__ import annotations

import doctest
import io
import json
import os
import re
import shlex
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from riese_kb import ask, load_board
from riese_kb.batch import answers
from riese_kb.board import System
from riese_kb.boardfile import parse_board
from riese_kb.cli import main
from riese_kb.examples.check import check
from riese_kb.house_rules import read_rules
from riese_kb.lookup import readings_markdown
from riese_kb.rings import RingBoard
from riese_kb.teamfile import load_sheet, parse_sheet, parse_team

from .conftest import CHECKOUT

PAGES = (
    "README.md",
    "docs/questions.md",
    "docs/boards.md",
    "docs/teams.md",
    "docs/rings.md",
    "docs/stalingrad-z.md",
    "docs/house-rules.md",
    "docs/odds.md",
    "docs/pictures.md",
    "docs/examples.md",
    "docs/rulings.md",
    "docs/what-if.md",
    "docs/page.md",
)
COLUMNS = "92"


class Block(NamedTuple):
    page: str
    line: int
    language: str
    about: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(*languages: str) -> list[Block]:
    found = []
    for page in PAGES:
        text = (CHECKOUT / page).read_text(encoding="utf-8")
        for fence in re.finditer(r"^```(\w+)(?: ([^\n]+))?\n(.*?)^```$", text, re.M | re.S):
            line = text.count("\n", 0, fence.start()) + 1
            found.append(Block(page, line, fence[1], fence[2] or "", fence[3]))
    return [block for block in found if not languages or block.language in languages]


def run(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    words = shlex.split(command)
    assert words.pop(0) == "riese-kb"
    with pytest.raises(SystemExit) as left:
        main(words)
    code = left.value.code
    assert isinstance(code, int)
    return code, capsys.readouterr().out


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    monkeypatch.chdir(CHECKOUT)
    monkeypatch.setenv("COLUMNS", COLUMNS)
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


def test_every_block_is_of_a_kind_that_is_run():
    assert {block.language for block in blocks()} == {"console", "sh", "pycon", "text", "toml", "jsonl", "lp"}


@pytest.mark.parametrize("block", blocks("console"), ids=str)
def test_outputs_shown_are_the_outputs_given(block, capsys):
    command, _, shown = block.text.partition("\n")
    code, output = run(command.removeprefix("$ "), capsys)
    assert code == 0
    if os.environ.get("UPDATE_DOCS"):
        page = CHECKOUT / block.page
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace(f"{command}\n{shown}```", f"{command}\n{output}```"), encoding="utf-8")
    else:
        assert shown == output, "UPDATE_DOCS=1 pytest tests/test_docs.py rewrites it"


@pytest.mark.parametrize("block", blocks("sh"), ids=str)
def test_commands_shown_can_be_run(block, capsys):
    for line in block.text.splitlines():
        if line.startswith("riese-kb "):
            code, output = run(line, capsys)
            assert (code, bool(output)) == (block.about == "found", True), line


@pytest.mark.parametrize("block", blocks("pycon"), ids=str)
def test_python_shown_does_what_it_shows(block):
    test = doctest.DocTestParser().get_doctest(block.text, {}, block.page, block.page, block.line)
    said: list[str] = []
    result = doctest.DocTestRunner().run(test, out=said.append)
    assert result.attempted, block
    assert result.failed == 0, "".join(said)


@pytest.mark.parametrize("block", blocks("text"), ids=str)
def test_questions_shown_are_answered(block):
    board = load_sheet(block.about)
    for line in block.text.splitlines():
        assert ask(board, line).verdict, line


@pytest.mark.parametrize("block", blocks("toml"), ids=str)
def test_boards_shown_are_boards(block):
    if block.about == "team":
        assert parse_team(block.text).members
    elif block.about == "claim":
        assert tomllib.loads(block.text)["ask"]
    elif block.about == "rulings":
        assert tomllib.loads(block.text)["ruling"]
    elif block.about == "rings":
        assert isinstance(parse_sheet(block.text, "shown.board.toml"), RingBoard)
    else:
        assert parse_board(block.text).figures


@pytest.mark.parametrize("page", sorted({block.page for block in blocks("toml") if block.about == "claim"}))
def test_examples_shown_are_what_the_rules_give(page):
    count, differences = check(page)
    assert count
    assert differences == []


@pytest.mark.parametrize("block", blocks("lp"), ids=str)
def test_rule_files_shown_are_accepted_and_do_something(block, tmp_path):
    file = tmp_path / "shown.rules.lp"
    file.write_text(block.text, encoding="utf-8")
    (rule,) = read_rules(str(file)).titles
    board = load_board("queries/riese/doors.board.toml")
    questions = ("can nicole run open door ahead", "can nicole walk turn left")
    with_it = [ask(board, f'{q} with rules "{file}"') for q in questions]
    without = [ask(board, f'{q} without {rule} with rules "{file}"') for q in questions]
    plain = [ask(board, q) for q in questions]
    assert [a.result for a in without] == [a.result for a in plain]
    assert [(a.verdict, a.result) for a in with_it] != [(a.verdict, a.result) for a in plain]


@pytest.mark.parametrize("block", blocks("jsonl"), ids=str)
def test_batches_shown_are_answered(block):
    found = [json.loads(line) for group in answers(io.BytesIO(block.text.encode()), ".") for line in group]
    assert len(found) == len(block.text.splitlines())
    assert all(answer["verdict"] != "error" for answer in found)


def test_the_rule_file_of_the_page_is_the_shipped_one():
    page = next(block for block in blocks("lp"))
    assert page.text == (CHECKOUT / "queries/riese/no-running.rules.lp").read_text(encoding="utf-8")


def test_the_page_of_readings_is_up_to_date():
    page = CHECKOUT / "docs/readings.md"
    text = readings_markdown(System.RIESE) + "\n"
    if os.environ.get("UPDATE_DOCS"):
        page.write_text(text, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == text, "riese-kb readings --markdown > docs/readings.md"


@pytest.mark.parametrize("page", [*PAGES, "docs/readings.md"])
def test_links_lead_somewhere(page):
    text = (CHECKOUT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert (CHECKOUT / page).parent.joinpath(target).exists(), target


def test_boards_named_in_help_exist(capsys):
    for words in (
        ["-h"],
        ["ask", "-h"],
        ["board", "show", "-h"],
        ["board", "fmt", "-h"],
        ["rules", "-h"],
        ["batch", "-h"],
        ["ruling", "add", "-h"],
        ["what-if", "-h"],
    ):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 0
        output = capsys.readouterr().out
        assert words == ["-h"] or "Example" in output
        for path in re.findall(r"queries/\S+\.board\.toml", output):
            assert Path(path).is_file()
