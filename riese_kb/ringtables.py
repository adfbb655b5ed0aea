"""What the book prints about characters and their equipment, for games on rings."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from riese_kb.rings import Character, GearType, Piece, Property, Rank, Row
from riese_kb.store import read_toml
from riese_kb.tables import data_root, loose


@cache
def _table(system: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = read_toml(os.path.join(data_root(), "rules", system, f"{name}.toml"))
    return found


@cache
def characters(system: str) -> dict[str, Character]:
    """``characters.toml``, by printed name."""
    return {name: _character(name, entry) for name, entry in _table(system, "characters").items()}


def _character(name: str, entry: dict[str, Any]) -> Character:
    columns = {p: {int(row): n for row, n in entry.get(p, {}).items() if row.isdigit()} for p in Property}
    known = max((row for column in columns.values() for row in column), default=0)
    levels = entry.get("levels")
    rows: list[Row] = [
        (
            columns[Property.COMBAT].get(row),
            columns[Property.CONDITION].get(row),
            columns[Property.MIND].get(row),
            columns[Property.MOVEMENT].get(row),
        )
        for row in range(1, max(known, levels or 0) + 1)
    ]
    lowest = {p: entry[p]["lowest"] for p in Property if "lowest" in entry.get(p, {})}
    return Character(name=name, rank=Rank(entry["kind"]), rows=tuple(rows), levels=levels, lowest=lowest)


@cache
def pieces(system: str) -> dict[str, Piece]:
    """``equipment.toml``, by printed name."""
    keys = ("combat", "dice", "hits", "wounds", "heeded")
    return {
        name: Piece(name=name, type=GearType(entry["type"]), **{key: entry[key] for key in keys if key in entry})
        for name, entry in _table(system, "equipment").items()
    }


@cache
def _by_spelling(system: str, name: str) -> dict[str, str]:
    found = {}
    for printed, entry in _table(system, name).items():
        for spelling in (printed, *entry.get("aliases", ())):
            found[loose(spelling)] = printed
    return found


def find_character(system: str, spelling: str) -> str | None:
    """The printed name of a character, however it is spelt."""
    return _by_spelling(system, "characters").get(loose(spelling))


def find_piece(system: str, spelling: str) -> str | None:
    """The printed name of a piece of equipment, however it is spelt."""
    return _by_spelling(system, "equipment").get(loose(spelling))


@cache
def missing_pages(system: str) -> dict[str, str]:
    """Which page would hold what the text lacks, by subject."""
    return dict(_table(system, "missing"))
