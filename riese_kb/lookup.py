"""Rules and readings as pages to read: lists, single entries, and the table of the documentation."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from riese_kb.board import System
from riese_kb.catalogue import Rule, chapters, rules
from riese_kb.handbook import Case, Entry, reading, touched_by
from riese_kb.program import Reading, readings
from riese_kb.tables import data_root
from riese_kb.typeset import Paper, Row, listed, table, wrap

_SHOWN = 4
"""Questions shown of those that keep or break a rule."""

# --- rules ----------------------------------------------------------------------------------------------------------


def _of(system: System, chapter: str | None) -> dict[str, list[Rule]]:
    """The rules by chapter."""
    names = chapters(system) if chapter is None else (chapter,)
    return {name: [rule for id, rule in rules(system).items() if id.partition(".")[0] == name] for name in names}


def rule_list(system: System, chapter: str | None, paper: Paper) -> Iterator[str]:
    """All rules, or those of one chapter: id and title."""
    for number, (name, found) in enumerate(_of(system, chapter).items()):
        if number:
            yield ""
        yield paper.bold(name)
        yield from table(paper, [Row((rule.id, rule.title), rule.cite if chapter else "") for rule in found], below=1)
    yield ""
    yield "One of them in full: riese-kb rules ID"


def rules_json(system: System, chapter: str | None) -> dict[str, Any]:
    """The same as data."""
    found = [rule for part in _of(system, chapter).values() for rule in part]
    return {"rules": [{"id": r.id, "title": r.title, "says": r.says, "cite": r.cite, "kind": str(r.kind)} for r in found]}


def rule_lines(entry: Entry, paper: Paper) -> Iterator[str]:
    """One rule in full."""
    rule = entry.rule
    yield paper.bold(f"{rule.id}{' - ' if paper.ascii else ' · '}{paper.plain(rule.title)}")
    yield ""
    yield from wrap(paper.plain(rule.says), paper.width, "  ")
    yield ""
    facts = [("in the book", rule.cite), ("kind", f"{rule.kind}, about {rule.subject}")]
    if rule.broken:
        facts.append(("when broken", rule.broken))
    if rule.overrides:
        facts.append(("overrides", ", ".join(rule.overrides)))
    if entry.exceptions:
        facts.append(("overridden by", ", ".join(entry.exceptions)))
    facts += [("left open", f"{name}: {reading(entry.system, name).about}") for name in entry.open]
    facts.append(("switch it off", f"… without {rule.id}"))
    for name, text in facts:
        yield from wrap(paper.plain(text), paper.width, f"  {name:<13}  ")
    yield from _cases(paper, "Boards that keep it", entry.keeps)
    yield from _cases(paper, "Boards that break it", entry.breaks)


def _cases(paper: Paper, heading: str, cases: Sequence[Case]) -> Iterator[str]:
    if not cases:
        return
    yield ""
    yield paper.bold(heading)
    for case in cases[:_SHOWN]:
        yield f"  riese-kb ask {shlex.quote(_here(case.board))} {_quoted(case.ask)}"
        yield from (paper.dim(line) for line in wrap(paper.plain(case.shows), paper.width, "      "))
    if len(cases) > _SHOWN:
        yield paper.dim(f"  and {len(cases) - _SHOWN} more (--json lists them all)")


def _here(board: str) -> str:
    """The path of a shipped board as one can type it where one is."""
    if os.path.exists(board):
        return board
    return os.path.join(data_root(), board)


def _quoted(question: str) -> str:
    return f"'{question}'" if '"' in question else f'"{question}"'


# --- readings -------------------------------------------------------------------------------------------------------


def reading_list(system: System, paper: Paper) -> Iterator[str]:
    """All open points: name, question, values with the default first."""
    for point in readings(system).values():
        yield paper.bold(point.id)
        yield from wrap(paper.plain(point.about), paper.width, "  ")
        first, *others = point.values
        yield f"  {paper.mark(first)}" + "".join(f", {value}" for value in others)
    yield ""
    name, point = next(iter(readings(system).items()))
    yield f"The first value is taken unless a question says otherwise: … under {name}={list(point.values)[-1]}"
    yield "One of them in full: riese-kb readings NAME"


def reading_lines(system: System, name: str, paper: Paper) -> Iterator[str]:
    """One open point in full."""
    point = reading(system, name)
    yield paper.bold(point.id)
    yield ""
    yield from wrap(paper.plain(point.about), paper.width, "  ")
    yield ""
    rows = [
        Row(
            (
                f"under {point.id}={value}",
                meaning + (" (taken unless a question says otherwise)" if value == point.default else ""),
            )
        )
        for value, meaning in point.values.items()
    ]
    yield from table(paper, rows)
    yield ""
    yield from wrap(paper.plain(point.reason), paper.width, f"  {'because':<11}  ")
    yield from wrap(paper.plain("; ".join(point.passages)), paper.width, f"  {'in the book':<11}  ")
    touched = touched_by(system, name)
    if touched:
        yield from wrap(listed(touched), paper.width, f"  {'touches':<11}  ")


def _reading_json(system: System, point: Reading) -> dict[str, Any]:
    return {
        "id": point.id,
        "about": point.about,
        "default": point.default,
        "values": point.values,
        "reason": point.reason,
        "passages": list(point.passages),
        "rules": list(touched_by(system, point.id)),
    }


def readings_json(system: System, name: str | None) -> dict[str, Any]:
    """All open points, or one, as data."""
    if name is not None:
        return _reading_json(system, reading(system, name))
    return {"readings": [_reading_json(system, point) for point in readings(system).values()]}


def readings_markdown(system: System) -> str:
    """``docs/readings.md``."""
    lines = [
        "# What the book leaves open",
        "",
        "Where the book contradicts itself or says nothing, an answer takes the **first** value, and says so where",
        "another one would have changed it. A question picks another with `under`: `reach nicole under zoc=solid`.",
        "",
        "This page is written by `riese-kb readings --markdown` from `rules/riese/readings.toml`.",
        "",
        "| reading | open point | values | why the first | passages |",
        "|---|---|---|---|---|",
    ]
    for point in readings(system).values():
        values = [f"**`{v}`** {m}" if v == point.default else f"`{v}` {m}" for v, m in point.values.items()]
        cells = (f"`{point.id}`", point.about, "<br>".join(values), point.reason, "<br>".join(point.passages))
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)
