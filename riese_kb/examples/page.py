"""Examples as Markdown, text, HTML, Typst and JSON. The Markdown form is the one that ``check`` reads back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from riese_kb.answer import Answer
from riese_kb.boardfile import line_of
from riese_kb.errors import RieseError
from riese_kb.examples.make import Example, Near
from riese_kb.examples.prose import Sentence, Told, told
from riese_kb.examples.prose import heading as titles
from riese_kb.examples.wish import Role
from riese_kb.team import Sheet
from riese_kb.teamfile import format_sheet


def title(example: Example) -> str:
    """What the example is about."""
    return titles(example.answer.system, [*example.rules], example.answer.language)


def markdown(example: Example, depth: int = 1, number: str = "") -> str:
    """The example with its near miss; each board and each claim about it in a fence that can be read back."""
    lines = [f"{'#' * depth} {number}{title(example)}", ""]
    rules = {
        "breaks": [id for id, role in example.rules.items() if role is Role.BROKEN],
        "uses": [id for id, role in example.rules.items() if role is Role.USED],
        "keeps": [*example.silent],
    }
    lines += _markdown(example.answer, example.sheet, rules)
    for near in example.near:
        lines += ["", f"{'#' * (depth + 1)} {near_title(near)}", ""]
        lines += _markdown(near.answer, sheet_of(near.answer), {})
    return "\n".join(lines) + "\n"


def near_title(near: Near) -> str:
    """The heading of the near miss, which says what is different."""
    return "Knapp daneben" if near.answer.language == "de" else f"The near miss: {near.change}"


def sheet_of(answer: Answer) -> Sheet:
    """What an answer is about."""
    sheet = answer.board or answer.rings or answer.team
    assert sheet is not None, "an answer keeps what it was asked about"
    return sheet


def _markdown(answer: Answer, sheet: Sheet, rules: dict[str, list[str]]) -> Iterator[str]:
    yield from prose_lines(told(answer, rules.get("keeps", ())))
    yield from ("", "```toml board", format_sheet(sheet).rstrip("\n"), "```", "")
    yield from ("```toml claim", *claim(answer, rules), "```")


def prose_lines(words: Told) -> Iterator[str]:
    """Situation, question, the working with its margin, verdict."""
    yield words.situation
    yield ""
    yield f"*{words.question}*"
    yield ""
    if words.steps:
        yield from ("| | |", "|---|---|")
        for number, step in enumerate(words.steps, 1):
            yield f"| {number}. {_cell(step.text)} | {_cell(_margin(step))} |"
        yield ""
    yield f"**{words.verdict}**"


def _margin(step: Sentence) -> str:
    return f"`{step.rule}` · {step.cite}" if step.rule else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def claim(answer: Answer, rules: dict[str, list[str]]) -> Iterator[str]:
    """What the example says of its board, as the questions beside shipped boards say it."""
    yield line_of("ask", answer.ask)
    if answer.language != "en":
        yield line_of("language", answer.language)
    yield line_of("verdict", answer.verdict)
    yield f"result = {_inline(answer.result)}"
    yield f"reasons = {_inline(reasons_of(answer))}"
    yield from (f"{key} = {_inline(ids)}" for key, ids in rules.items() if ids)


def reasons_of(answer: Answer) -> list[str]:
    """The rules that are named, those that are broken with a mark."""
    broken = {v.rule for v in answer.violations}
    used = {line.rule for line in answer.ledger} | {override.by for override in answer.overridden}
    return sorted(used - broken) + [f"broken: {id}" for id in sorted(broken)]


def _inline(value: Any) -> str:
    """A value in one line of TOML; what is not there is left out."""
    if isinstance(value, dict):
        pairs = [f"{_key(key)} = {_inline(one)}" for key, one in value.items() if one is not None]
        return "{ " + ", ".join(pairs) + " }" if pairs else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_inline(one) for one in value if one is not None) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else _quoted(str(value))


def _quoted(text: str) -> str:
    return line_of("x", text).partition(" = ")[2]


def _key(key: object) -> str:
    return _quoted(str(key))


# --- text -------------------------------------------------------------------------------------------------------------


def text(example: Example, width: int = 100) -> str:
    """For a terminal: the map between situation and working."""
    from riese_kb.text import board_lines
    from riese_kb.typeset import Paper, Row, table, wrap

    lines = [title(example), ""]
    for answer, lead, silent in [
        (example.answer, "", example.silent),
        *((one.answer, near_title(one), ()) for one in example.near),
    ]:
        words = told(answer, silent)
        lines += ["", lead, ""] if lead else []
        lines += wrap(words.situation, width)
        if answer.board is not None:
            lines += ["", *board_lines(answer.board, Paper(width))]
        lines += ["", *wrap(words.question, width), ""]
        rows = [Row((f"{n}.", s.text), f"{s.rule} · {s.cite}" if s.rule else "") for n, s in enumerate(words.steps, 1)]
        lines += table(Paper(width), rows)
        lines += ["", *wrap(words.verdict, width)]
    return "\n".join(lines)


# --- HTML -------------------------------------------------------------------------------------------------------------

STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 Georgia,"DejaVu Serif",serif;max-width:62rem;margin:2rem auto;padding:0 1rem;
background:Canvas;color:CanvasText}
article{margin:0 0 3rem}h1,h2,h3,h4{line-height:1.2}
svg.rk{max-width:100%;height:auto}
ol{padding-left:1.5rem}li>div{display:grid;grid-template-columns:1fr 17rem;gap:0 1.5rem}
small{opacity:.8;font-size:.8rem}code{font-size:.85em}
.near,aside{border-left:4px solid;padding-left:1rem;margin:1rem 0 1rem 1rem}
@media(max-width:45rem){li>div{grid-template-columns:1fr}}
@media print{article{break-inside:avoid}}
"""


def html_page(heading: str, body: str, lang: str = "en") -> str:
    """One whole HTML file with nothing outside it."""
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><title>{escape(heading)}</title>'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def html(example: Example, depth: int = 1, number: str = "") -> str:
    """The example as an ``<article>`` with its pictures inline."""
    name = f' id="example-{number.strip(" .")}"' if number else ""
    parts = [
        f"<article{name}>",
        f"<h{depth}>{escape(number + title(example))}</h{depth}>",
        *_html(example.answer, example.silent),
    ]
    for near in example.near:
        heading = f"<h{depth + 1}>{escape(near_title(near))}</h{depth + 1}>"
        parts += ['<div class="near">', heading, *_html(near.answer), "</div>"]
    return "\n".join([*parts, "</article>"])


def picture(answer: Answer) -> str:
    """The picture, or nothing where there is nothing to draw."""
    try:
        return answer.svg()
    except RieseError:
        return ""


def _html(answer: Answer, silent: Sequence[str] = ()) -> Iterator[str]:
    words = told(answer, silent)
    yield f"<p>{escape(words.situation)}</p>"
    yield picture(answer)
    yield f"<p><em>{escape(words.question)}</em></p>"
    yield "<ol>"
    for step in words.steps:
        margin = f"<small><code>{escape(step.rule)}</code><br>{escape(step.cite)}</small>" if step.rule else "<small></small>"
        yield f"<li><div><span>{escape(step.text)}</span>{margin}</div></li>"
    yield "</ol>"
    yield f"<p><strong>{escape(words.verdict)}</strong></p>"


# --- JSON -------------------------------------------------------------------------------------------------------------


def to_json(example: Example) -> dict[str, Any]:
    """Plain data: the board, the answer, the roles of the rules, the removal test, the near miss."""
    near = [
        {
            "change": one.change,
            "rules": list(one.rules),
            "board": format_sheet(sheet_of(one.answer)),
            "answer": one.answer.to_json(),
        }
        for one in example.near
    ]
    return {
        "title": title(example),
        "rules": {id: str(role) for id, role in example.rules.items()},
        "besides": list(example.besides),
        "board": format_sheet(example.sheet),
        "answer": example.answer.to_json(),
        "removed": dict(example.removed),
        "near": near,
    }
