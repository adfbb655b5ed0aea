"""Examples in Markdown read back: each board asked again, each claim compared with the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from riese_kb.answer import Answer
from riese_kb.asking import ask, read_question
from riese_kb.boardfile import read_text
from riese_kb.errors import RieseError
from riese_kb.examples.page import prose_lines, reasons_of
from riese_kb.examples.prose import told
from riese_kb.team import Sheet
from riese_kb.teamfile import parse_sheet

_FENCE = re.compile(r"^```toml (board|claim)\n(.*?)^```$", re.M | re.S)
_HEADING = re.compile(r"^#+ .*$", re.M)


def check(file: str) -> tuple[int, list[str]]:
    """How many claims a file makes, and one line for everything that differs. Raises ``RieseError`` for what cannot be read."""
    text, name = read_text(file)
    text = text.replace("\r\n", "\n")
    sheet: Sheet | None = None
    board_at = count = 0
    found: list[str] = []
    for fence in _FENCE.finditer(text):
        line = text.count("\n", 0, fence.start()) + 1
        if fence[1] == "board":
            sheet, board_at = _sheet(fence[2], f"{name}:{line}"), fence.start()
        elif sheet is None:
            raise RieseError("a claim stands before any board", fix="put a fence ```toml board before it", file=name)
        else:
            count += 1
            claimed = _toml(fence[2], f"{name}:{line}")
            found += [f"{name}:{line}: {one}" for one in _differences(sheet, claimed, text[:board_at])]
    if not count:
        raise RieseError("there is no example in it", fix="riese-kb example TOPIC --format md shows the form", file=name)
    return count, found


def _sheet(text: str, where: str) -> Sheet:
    kind = "team" if re.search(r"^\[\[hero\]\]", text, re.M) else "board"
    return parse_sheet(text, f"{where} (.{kind}.toml)".replace(" (.", ".").rstrip(")"))


def _toml(text: str, where: str) -> dict[str, Any]:
    import tomllib

    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise RieseError(f"the claim is no TOML: {fault}", fix="quote words", file=where) from None
    if "ask" not in found:
        raise RieseError("the claim asks nothing", fix='ask = "can …"', file=where)
    return found


def _differences(sheet: Sheet, claimed: dict[str, Any], before: str) -> Iterator[str]:
    question = read_question(sheet, claimed["ask"])
    answer = ask(sheet, replace(question, language=claimed.get("language", question.language)))
    if "verdict" in claimed and claimed["verdict"] != answer.verdict:
        yield f"verdict: {claimed['verdict']} is claimed, {answer.verdict} is the answer"
    for key, value in claimed.get("result", {}).items():
        if key not in answer.result or not _agrees(value, answer.result[key]):
            yield f"{key}: {value} is claimed, {answer.result.get(key)} is the answer"
    if "reasons" in claimed and claimed["reasons"] != reasons_of(answer):
        more = sorted({*reasons_of(answer)} - {*claimed["reasons"]})
        less = sorted({*claimed["reasons"]} - {*reasons_of(answer)})
        yield f"reasons: {', '.join([*(f'not {id}' for id in less), *(f'also {id}' for id in more)])}"
    broken = {v.rule for v in answer.violations}
    yield from (f"breaks: {id} is not broken" for id in claimed.get("breaks", ()) if id not in broken)
    used = {*reasons_of(answer)}
    yield from (f"uses: {id} is not among the reasons" for id in claimed.get("uses", ()) if id not in used)
    yield from _said(answer, claimed.get("keeps", ()), before)


def _agrees(claimed: Any, given: Any) -> bool:
    """Whether a value is the claimed one; what is not there at all is not claimed either."""
    if isinstance(claimed, dict) and isinstance(given, dict):
        return all(_agrees(claimed[key], given[key]) if key in claimed else given[key] is None for key in given)
    if isinstance(claimed, list) and isinstance(given, (list, tuple)):
        rest = [one for one in given if one is not None]
        return len(claimed) == len(rest) and all(map(_agrees, claimed, rest))
    return bool(claimed == given)


def _said(answer: Answer, silent: Sequence[str], before: str) -> Iterator[str]:
    """Lines of the working that are not what the answer gives; text without a working claims none."""
    heads = [*_HEADING.finditer(before)]
    section = before[heads[-1].end() :] if heads else before
    if "|---|---|" not in section:
        return
    printed = [line for line in section.splitlines() if line]
    wanted = [line for line in prose_lines(told(answer, silent)) if line]
    for line in printed:
        if line not in wanted:
            yield f"the text says {line!r}, which the answer does not"
    for line in wanted:
        if line not in printed:
            yield f"the text lacks {line!r}"
