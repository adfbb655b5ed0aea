"""What forbids a thing and what would make it legal, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from riese_kb.answer import Answer
from riese_kb.catalogue import find_rule
from riese_kb.typeset import Paper, Row, counted, listed, table, wrap


def core_lines(answer: Answer, paper: Paper) -> Iterator[str]:
    """The smallest sets of rules that forbid it, numbered; nothing where that was not asked."""
    result = answer.result
    if "cores" not in result or answer.legal:
        return
    yield paper.bold("What forbids it")
    cores: Sequence[Sequence[str]] = result["cores"]
    rows = []
    for number, core in enumerate(cores, 1):
        for place, id in enumerate(core):
            rule = find_rule(answer.system, id)
            sign = str(number) if len(cores) > 1 and not place else ""
            rows.append(Row((sign, id, rule.title if rule is not None else "")))
    yield from table(paper, rows)
    yield from map(paper.dim, wrap(_meaning(cores, result["complete"]), paper.width, "  "))


def _meaning(cores: Sequence[Sequence[str]], complete: bool) -> str:
    """How the sets are to be read."""
    if not cores:
        text = "No set of rules was found that could be switched off."
        return text if complete else f"{text} Not all of them were tried."
    if len(cores) > 1:
        text = "Each of these sets forbids it by itself; without any one of its rules it would not."
    elif len(cores[0]) > 1:
        text = "They forbid it together; without any one of them it would be legal."
    else:
        text = "Without it, it would be legal."
    return text if complete else f"{text} There may be others."


def change_lines(answer: Answer, paper: Paper) -> Iterator[str]:
    """The fewest changes that would make it legal; nothing where none were looked for."""
    result: dict[str, Any] = answer.result
    if answer.legal or not result.get("tried"):
        return
    yield paper.bold("What would make it legal")
    for change in result["changes"]:
        yield from wrap(paper.plain(listed(change["says"])), paper.width, "  ")
    if not result["changes"]:
        yield f"  Nothing of the {counted(result['tried'], 'change', 'changes and sets of changes')} that were tried."
