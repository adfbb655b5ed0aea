"""The range tables of queries/riese/range-tables.odds.toml, and what the project makes of them."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from riese_kb.board import Weapon
from riese_kb.chances.card import bands, card
from tests.riese.generated import EXAMPLES

VALUES = ("rof", "stun", "wound", "pbr", "rm")


@cache
def tables() -> dict[str, dict[str, Any]]:
    """The stored tables, by weapon and further words."""
    text = (EXAMPLES / "range-tables.odds.toml").read_text(encoding="utf-8")
    return {f"{table['weapon']} {table.get('words', '')}".strip(): table for table in tomllib.loads(text)["table"]}


def worked_out(table: dict[str, Any]) -> list[str]:
    """The bands of a table as the project finds them, in the words of the file."""
    given = {key: table[key] for key in VALUES if key in table}
    weapon = card(Weapon(name=table["weapon"], **given) if given else None, table["weapon"])
    found = bands(weapon, table.get("words", ""), against="beta", stunned=False, plus=0, to=table.get("to", 24))
    told = [(band.label, band.answer.result) for band in found if not band.answer.result["impossible"]]
    return [f"{label} {result['stun']}/{result['wound']} {result['dice']}" for label, result in told]
