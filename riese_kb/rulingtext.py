"""Rulings in words: one line a case, and for those that flip the rules behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from riese_kb.rulings import Checked
from riese_kb.typeset import Paper, counted, listed, wrap


def lines(one: Checked, paper: Paper) -> Iterator[str]:
    """One ruling."""
    ruling = one.ruling
    state = "agrees" if one.agrees else "cannot be asked" if one.fault else "flips"
    note = ", disputed" if ruling.disputed else ""
    ink = paper.good if one.agrees else paper.bad if one.counts else paper.mark
    yield ink(f"{state}{note}") + paper.plain(f"  {ruling.ask}")
    if one.agrees:
        return
    yield paper.dim(paper.plain(f"  {ruling.board} · {ruling.source}"))
    if one.fault:
        yield from wrap(paper.plain(one.fault), paper.width, "  ")
        return
    yield from wrap(paper.plain(f"ruled {ruling.says}, now {one.now}: {_because(one)}."), paper.width, "  ")


def _because(one: Checked) -> str:
    if one.ruling.says in ("legal", "clear"):
        cores = listed((" with ".join(core) for core in one.rules), "or")
        why = f"forbidden by {cores}" if one.rules else "no rule that can be switched off forbids it"
    else:
        rules = listed(core[0] for core in one.rules)
        why = f"allowed by {rules}" if one.rules else "no rule forbids it"
    return why + (f"; as ruled under {listed(one.readings, 'or')}" if one.readings else "")


def summary(checked: Sequence[Checked]) -> str:
    """How many there are of each."""
    flips = [one for one in checked if not one.agrees]
    disputed = sum(one.ruling.disputed for one in flips)
    told = f"{counted(len(checked), 'ruling')}, {len(flips) or 'none'} {'flip' if len(flips) != 1 else 'flips'}"
    return told + (f" ({disputed} disputed)" if disputed else "")


def to_json(checked: Sequence[Checked]) -> dict[str, Any]:
    """All of them as data."""
    return {"rulings": [one.to_json() for one in checked], "flipped": sum(one.counts for one in checked)}
