"""The charts that searches are rolled on (``rules/<system>/charts.toml``), and what their results are called."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from riese_kb.store import read_toml
from riese_kb.tables import data_root, loose


class Entry(NamedTuple):
    """One row: the rolls that lead to it, how many of each thing it finds (events among them), another chart to roll on."""

    lowest: int
    highest: int
    found: Mapping[str, int]
    roll: str | None


class Chart(NamedTuple):
    """One chart: what questions call it, its rows, and its place in the book."""

    name: str
    rows: tuple[Entry, ...]
    cite: str


@cache
def charts(system: str) -> Mapping[str, Chart]:
    """All charts, by id; a game whose book prints none has none."""
    path = os.path.join(data_root(), "rules", system, "charts.toml")
    tables: dict[str, Any] = read_toml(path) if os.path.isfile(path) else {}
    return {id: Chart(t["name"], tuple(sorted(_entry(*row) for row in t["rows"])), t["cite"]) for id, t in tables.items()}


def _entry(lowest: int, highest: int, result: Mapping[str, Any]) -> Entry:
    found = {name: count for name, count in result.items() if name != "roll"}
    return Entry(lowest, highest, found, result.get("roll"))


def find_chart(system: str, spelling: str) -> str | None:
    """The id of a chart by its name, in any usual spelling; None when there is none like it."""
    return next((id for id, chart in charts(system).items() if loose(chart.name) == loose(spelling)), None)


_EVENTS = {"zombie": "a zombie", "toxic": "toxic gas", "nothing": "nothing"}


def spoken(found: Mapping[str, int]) -> str:
    """What was found, in words: ``2 Ammo, 1 Grenade``."""
    words = [
        _EVENTS.get(name) or (f"entry {count}" if name == "read" else f"{count} {name}")
        for name, count in sorted(found.items(), key=lambda item: (item[0] == "read", item[0]))
    ]
    return ", ".join(words)
