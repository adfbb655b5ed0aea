"""What the jobs of a search (``jobs``) are known by, and cases as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from riese_kb.language import format_question, parse_question, resolve
from riese_kb.question import Question
from riese_kb.team import Sheet
from riese_kb.teamfile import format_sheet, parse_sheet, parse_team


def data_of(sheet: Sheet, question: Question) -> dict[str, str]:
    """A board or team and a question as plain data."""
    return {"board": format_sheet(sheet), "ask": format_question(question)}


def case_of(data: Mapping[str, str]) -> tuple[Sheet, Question]:
    """The same again."""
    text = data["board"]
    sheet = parse_team(text) if "[[hero]]" in text else parse_sheet(text, "witness.board.toml")
    return sheet, resolve(parse_question(data["ask"]), sheet)


def known_by(job: dict[str, Any]) -> dict[str, Any]:
    """What a job of a search is known by in a file of finished jobs: how much time there was is no part of it."""
    return {key: value for key, value in job.items() if key != "until"}


def finished(result: dict[str, Any]) -> bool:
    """Whether the result of a job of a search is worth keeping: one that time ended is not."""
    return bool(result["complete"])
