"""Answers in words: the same as the JSON, nothing lost, aligned, and fit for any terminal."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from riese_kb import ask, ask_all
from riese_kb.answer import Answer
from riese_kb.board import Board
from riese_kb.boardfile import load_board, parse_board
from riese_kb.team import Sheet
from riese_kb.teamfile import load_sheet
from riese_kb.text import render
from riese_kb.typeset import Paper, Row, counted, listed, table, wrap, wrap_source
from riese_kb.verdicts import percent

from .conftest import CHECKOUT

NAMES = sorted(path.name.split(".")[0] for path in (CHECKOUT / "queries/riese").glob("*.questions.toml"))
KINDS = (
    ("doors", "can nicole walk to A1"),
    ("doors", "can nicole run open door ahead, close door ahead, forward"),
    ("fire", "can kelley walk to E1"),
    ("reach-hall", "reach nicole running"),
    ("lof-modifiers", "lof A3 to E3"),
    ("printed-lines-of-fire", "lof nicole to zombie-a"),
    ("shooting-gallery", "targets nicole"),
    ("hopeless", "attack nicole on z1"),
    ("shooting-gallery", "attack nicole on z1 spread select"),
    ("behind-the-screen", "attack kelley on z4 normal"),
    ("locked-heroes", "break lock nicole"),
    ("zombie-choice-of-targets", "zombie z1"),
    ("zombie-choice-of-targets", "zombies"),
)


@cache
def board(name: str) -> Board:
    return load_board(CHECKOUT / f"queries/riese/{name}.board.toml")


@cache
def sheet(name: str) -> Sheet:
    team = CHECKOUT / f"queries/riese/{name}.team.toml"
    return load_sheet(team) if team.exists() else board(name)


def answers(name: str) -> Iterator[Answer]:
    with open(CHECKOUT / f"queries/riese/{name}.questions.toml", "rb") as file:
        questions = tomllib.load(file)["question"]
    for answer in ask_all([(sheet(name), question["ask"]) for question in questions]):
        if isinstance(answer, Answer):  # and not the error that a question shows
            yield answer


def flat(text: str) -> str:
    return " ".join(text.split())


def said(text: str, what: str) -> bool:
    return re.search(rf"(?<![\w/]){re.escape(what)}(?![\w/])", text) is not None


def signed(number: int) -> str:
    return "0" if number == 0 else f"{number:+d}".replace("-", "−")


# --- the same as the JSON -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_text_says_what_the_json_says(name):
    for answer in answers(name):
        text = flat(render(answer))
        for check in (verdict, ledger, broken, open_points, result):
            missing = [what for what in check(answer) if not said(text, what)]
            assert not missing, (answer.ask, check.__name__, missing, render(answer))
        for rule in {entry.rule for entry in answer.ledger} | {entry.rule for entry in answer.violations}:
            assert text.count(f"{rule} · ") <= 1, (answer.ask, "a source is said twice")


def verdict(answer: Answer) -> Iterator[str]:
    first = re.match(r"\w+", render(answer))
    assert first is not None
    expected = {"legal": "Yes", "clear": "Yes", "illegal": "No", "blocked": "No"}.get(answer.verdict)
    assert expected in (None, first[0])
    assert (expected is None) == (first[0] not in ("Yes", "No"))
    yield from answer.instead
    yield from answer.supplied


def ledger(answer: Answer) -> Iterator[str]:
    for line in answer.to_json()["ledger"]:
        match line["unit"]:
            case "MP" | "MP available":
                yield f"{line['amount']} MP".replace("-", "−")
            case "AM":
                yield signed(line["amount"])
            case "stun" | "wound" if answer.ask.startswith("blast") and not line["at"]:
                yield line["note"]  # both numbers stand in one: 6/9
            case "wound" if not answer.ask.startswith(("attack", "break", "zombie", "npc")):
                yield counted(line["amount"], "wound")
            case "activation":
                yield str(line["amount"])
            case str(unit) if unit.startswith("forbids") and line["note"] in answer.result[unit.removeprefix("forbids ")]:
                continue  # what one weapon in hand cannot do, the other can
        yield line["rule"]
        yield flat(line["cite"])
        yield line["at"] or line["rule"]


def broken(answer: Answer) -> Iterator[str]:
    for violation in answer.violations:
        yield violation.rule
        yield violation.at
        yield flat(violation.cite)
        assert flat(violation.says) in flat(render(answer))
        yield str(violation.step) if violation.step else violation.rule


def open_points(answer: Answer) -> Iterator[str]:
    text = flat(render(answer))
    for taken in answer.readings:
        assert flat(taken.about) in text
        yield f"{taken.reading}={taken.value}"
        for value, other in taken.otherwise.items():
            assert f"{other}: {taken.reading}={value}" in text


def result(answer: Answer) -> Iterator[str]:
    found = answer.to_json()["result"]
    one_die = found.get("dice") == 1
    for path, leaf in leaves(found):
        if leaf is None or isinstance(leaf, bool) or leaf in (0, "0", "computed"):
            continue
        if path[0] == "rolls":
            yield from roll(path[1:], leaf)
        elif path[-1] == "modifier" and path[0] not in ("options", "together"):
            yield signed(leaf)
        elif path == ("change",):
            yield f"{found['before']} → {found['after']}"
        elif path[0] == "options" or (path[0] in ("with", "and_with") and path[-1] == "use"):
            # What a skill would change is told in short: the first die; JSON has the rest.
            shown = path[1] in ("skill", "by", "faces", "needed") or path[1:] in (("odds", "wound"), ("odds", "stun"))
            yield from [str(leaf)] if path[0] == "options" and shown else []
        elif path[0] == "together":
            yield from [str(leaf)] if path[-1] == "skill" or path[-2:] in (("odds", "wound"), ("odds", "stun")) else []
        elif path[0] == "type":
            yield {"h2h": "hand to hand", "normal": "normal fire", "spread": "spread fire", "flame": "flamethrower"}[leaf]
        elif path[0] == "choices" and path[-1] == "wounds":
            yield counted(leaf, "wound")
        elif path[0] in ("after", "shoots") and path[-1] in ("stun", "wound"):
            told = found["shoots"] if path[0] == "shoots" else [found["after"][path[1]]]
            yield from (f"{one['stun']}/{one['wound']}" for one in told)
        elif path[0] == "effects" and path[2:3] in (("stun",), ("wound",)):
            yield f"{found['effects'][path[1]]['stun']}/{found['effects'][path[1]]['wound']}"
        elif path[0] == "effects" and path[2:4] == ("attack", "wounds"):
            continue  # of one die, the chances of a wound and of none
        elif one_die and path[:2] == ("attack", "wounds"):
            yield str(1 - Fraction(leaf)) if path[2] == "0" and leaf != "1" else "Odds"
        elif path[0] in ("stun", "wound") and "wound" in found:
            yield f"{found['stun']}/{found['wound']}"
        elif isinstance(leaf, str) and " " in leaf and answer.board is not None:
            yield leaf
        else:
            yield str(leaf)


def roll(path: tuple[str, ...], leaf: Any) -> Iterator[str]:
    """Of each attack of an NPC one row: its S/W and dice beside the chance that it wounds at all."""
    if path[0] == "type":
        yield {"h2h": "hand to hand", "normal": "normal fire", "spread": "spread fire"}[leaf]
    elif path[0] in ("from", "on", "range", "dice"):
        yield str(leaf)
    elif path[0] == "modifier":
        return
    elif path[:3] == ("attack", "wounds", "0"):
        yield str(1 - Fraction(leaf))


def leaves(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from leaves(value, (*path, str(key)))
    elif isinstance(data, list):
        for value in data:
            yield from leaves(value, path)
    else:
        yield path, data


# --- on any terminal ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "question"), KINDS)
def test_colour_only_adds_escapes(name, question):
    answer = ask(board(name), question)
    coloured = render(answer, colour=True)
    assert "\033[" in coloured
    assert re.sub(r"\033\[[\d;]*m", "", coloured) == render(answer)
    assert "\033[" not in render(answer)


@pytest.mark.parametrize(("name", "question"), KINDS)
def test_ascii_is_ascii(name, question):
    text = render(ask(board(name), question), ascii=True)
    assert text.isascii()
    assert "?" not in re.sub(r"\w\?$", "", text, flags=re.M), "only a question may end with one"


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120])
@pytest.mark.parametrize(("name", "question"), KINDS)
def test_lines_fit_the_width(name, question, width):
    """Maps, tables of names and questions to paste are not broken; prose is."""
    answer = ask(board(name), question)
    lines = render(answer, width=width).split("\n")
    assert not [line for line in lines if line != line.rstrip()]
    if width >= 80:
        pasted = {f"  {question}" for question in answer.instead}
        assert not [line for line in lines if len(line) > width and line not in pasted]


@pytest.mark.parametrize(("name", "question"), KINDS)
def test_an_answer_is_its_text(name, question):
    answer = ask(board(name), question)
    assert str(answer) == render(answer)
    assert answer._repr_markdown_() == f"```text\n{render(answer)}\n```"


def test_who_can_end_nowhere_is_told_so():
    """No activation ends in a fire; behind locked doors nothing else is in reach."""
    closed = 'system = "riese"\nmap = """\n+-+-+\n|^L.|\n+-+-+\n"""\n[[figure]]\nid = "kelley"\nkind = "hero"\nat = "A1"\n'
    text = render(ask(parse_board(closed), "reach kelley"))
    assert text.startswith("Walking, kelley can end nowhere.")
    assert "nowhere  every way ends" in text
    ajar = render(ask(parse_board(closed.replace("L", " ")), "reach kelley"))
    assert ajar.startswith("Walking, kelley can end on 1 other square.")


def test_terms_of_the_question_are_said():
    text = flat(render(ask(board("zone-of-control"), "can nicole walk forward, forward, forward without zoc.stop")))
    assert text.startswith("Yes, for 3 of 4 MP: Nicole ends on B1 facing north (without zoc.stop).")


def test_steps_are_numbered_on_the_map():
    text = render(ask(board("doors"), "can nicole walk to A1"))
    assert "│•2 " in text  # the door is step 1
    assert "2 forward-left" in text


def test_a_board_whose_title_begins_with_a():
    text = render(ask(board("alpha"), "zombie alpha"), colour=True)
    assert "\033[2m" in text


# --- typesetting ----------------------------------------------------------------------------------------------------


def test_wrapping_keeps_words():
    assert wrap("one two three", 7, "- ") == ["- one", "  two", "  three"]
    assert wrap("incomprehensibilities", 5) == ["incomprehensibilities"]
    assert wrap("", 5, "x ") == ["x"]
    assert wrap_source("ONE, 1st rule; TWO, 2nd rule", 20, "  ") == ["  ONE, 1st rule;", "  TWO, 2nd rule"]
    assert wrap_source("ONE, 1st rule", 8) == ["ONE, 1st", "rule"]


def test_tables_are_aligned_and_leave_out_what_is_empty():
    paper = Paper(width=60)
    rows = [Row(("a", "", "1"), "here"), Row(("bbb", "", "22"))]
    assert table(paper, rows, right=(2,)) == ["  a     1  here", "  bbb  22"]
    assert table(Paper(width=12), rows, right=(2,)) == ["  a     1", "       here", "  bbb  22"]
    assert table(paper, []) == []


def test_words():
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([]) == ""
    assert counted(1, "die", "dice") == "1 die"
    assert counted(2, "die", "dice") == "2 dice"
    assert [percent(c) for c in ("0", "1/1000", "1/3", "999/1000", "1")] == ["0 %", "<1 %", "33 %", ">99 %", "100 %"]
