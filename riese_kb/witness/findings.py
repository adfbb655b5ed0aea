"""The stored witnesses as a section of ``docs/findings.md``."""

from __future__ import annotations

from collections.abc import Iterator

from riese_kb.board import MAIN, Board, System
from riese_kb.picture import draw
from riese_kb.typeset import counted
from riese_kb.witness.replay import answers, difference
from riese_kb.witness.report import asked
from riese_kb.witness.stored import Stored, needless, stored

DRAWN = ("leader=", "aoe_modifiers=", "search_ground=", "search_distance=", "sequence_end=", "fire.")
"""The beginnings of those that are drawn: what the issue of this book's editor asks about first."""


def section(system: System) -> str:
    """All of them: the passages, the two questions and what differs; some with the board."""
    return "\n".join(_lines(system)).rstrip("\n")


def _lines(system: System) -> Iterator[str]:
    kept = stored(system)
    proved = sum(one.minimal for one in kept)
    told = "" if system is MAIN else f" --system {system}"
    yield "## Readings that disagree" + ("" if system is MAIN else f": {system.called}")
    yield ""
    yield f"Written by `riese-kb witness --all --markdown{told}`; [how witnesses are found, and what is proved](witness.md)."
    yield ""
    yield f"{counted(len(kept), 'witness', 'witnesses')}, of which {proved} are proved to be smallest within their bounds."
    lacking = needless(system)
    if lacking:
        yield f"Without a witness, and so needless as far as is known: {', '.join(f'`{one}`' for one in lacking)}."
    yield ""
    yield "| point | size | question | what differs |"
    yield "|---|---|---|---|"
    for one in kept:
        yield f"| `{one.name}` | {_size(one)} | `{one.ask}` | {_difference(one, system)} |"
    for one in kept:
        if system is MAIN and one.name.startswith(DRAWN):
            yield from _drawn(one, system)


def _size(one: Stored) -> str:
    size = one.size
    if size is None:
        return "a team"
    plain = f"{size.figures}, {size.features}, {size.area}"
    return f"**{plain}**" if one.minimal else plain


def _difference(one: Stored, system: System) -> str:
    pair = one.pair(system)
    return difference(pair, *answers(pair, *one.case)).replace("|", "\\|")


def _drawn(one: Stored, system: System) -> Iterator[str]:
    pair = one.pair(system)
    sheet, _ = one.case
    yield ""
    yield f"### {one.name}"
    yield ""
    yield f"{pair.about} ({'; '.join(pair.passages)})"
    yield ""
    for side in pair.sides:
        yield f"- `{asked(one.result.found, side)}`" if one.result.found is not None else ""
    yield ""
    yield _difference(one, system)
    if isinstance(sheet, Board):
        yield ""
        yield "```text"
        yield draw(sheet)
        yield "```"
