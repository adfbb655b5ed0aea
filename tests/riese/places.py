"""Every number of the tables under rules, by name: ``armoury.weapon.FG-42.stun``; of other games than Riese
``stalingrad_z/armoury.weapon.Luger.stun``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from riese_kb.board import System
from riese_kb.store import read_toml

FILES = (
    "modifiers",
    "movement_table",
    "between_scenarios",
    "skills",
    "zombies",
    "armoury",
    "characters",
    "campaign",
    "charts",
    "scenarios",
    *(f"stalingrad_z/{name}" for name in ("modifiers", "movement_table", "zombies", "armoury", "characters", "campaign")),
    *(f"tannhaeuser/{name}" for name in ("modifiers", "characters", "equipment")),
)
RULES = Path(__file__).resolve().parents[2] / "rules" / "riese"


class Place(NamedTuple):
    """A number of a table: its file, the way to it, how it is called, and its value."""

    file: str
    way: tuple[str | int, ...]
    name: str
    value: int

    @property
    def game(self) -> System:
        """The game whose number it is."""
        return game_of(self.file)

    @property
    def wrong(self) -> list[int]:
        """One more, one less, and with the other sign."""
        return list(dict.fromkeys(n for n in (self.value + 1, self.value - 1, -self.value) if n != self.value))


def game_of(name: str) -> System:
    """The game whose table, number or stored question has this name."""
    game, slash, _ = name.partition("/")
    return System(game) if slash and game in set(System) else System.RIESE


@cache
def printed(file: str) -> dict[str, Any]:
    """A table as it stands."""
    folder = RULES.parent if "/" in file else RULES
    return tomllib.loads((folder / f"{file}.toml").read_text(encoding="utf-8"))


@cache
def places() -> dict[str, Place]:
    """Every number of the tables, by name."""
    return {place.name: place for file in FILES for place in _within(file, printed(file), (), file)}


def now(name: str) -> int:
    """The number at a place as the project has it, a planted one included."""
    place = places()[name]
    folder = RULES.parent if "/" in place.file else RULES
    at: Any = read_toml(str(folder / f"{place.file}.toml"))
    for step in place.way:
        at = at[step]
    return int(at)


def _within(file: str, value: Any, way: tuple[str | int, ...], name: str) -> Iterator[Place]:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield Place(file, way, name, value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _within(file, inner, (*way, key), f"{name}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            known = inner if isinstance(inner, dict) else {}
            called = next((known[key] for key in ("id", "name", "number", "level", "deed") if key in known), index)
            yield from _within(file, inner, (*way, index), f"{name}.{called}")
