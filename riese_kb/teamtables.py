"""The printed tables of the campaign: its numbers and its scenarios, from ``rules/<system>/``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from riese_kb.store import read_toml
from riese_kb.tables import data_root
from riese_kb.team import Adjustment, Aside, Scenario, Team


@cache
def campaign(system: str) -> Mapping[str, Any]:
    """``campaign.toml``."""
    return read_toml(os.path.join(data_root(), "rules", system, "campaign.toml"))


def places(system: str) -> tuple[int, int]:
    """How many characters and troopers a team may have (TEAM)."""
    table = campaign(system)["team"]
    return int(table["characters"]), int(table["troopers"])


def highest_threat(system: str) -> int:
    """The last space of the threat tracker."""
    return int(campaign(system)["track"]["highest"])


def reduction_number(system: str, aside: Aside, value: str) -> str:
    """The number of a threat reduction scenario under a value of the reading ``raid_loot``."""
    return str(campaign(system)["reduction"][aside.value][value])


@cache
def scenarios(system: str) -> Mapping[str, Scenario]:
    """What the manual prints of scenarios, by number."""
    entries = read_toml(os.path.join(data_root(), "rules", system, "between_scenarios.toml"))["scenario"]
    return {entry["number"]: _scenario(entry) for entry in entries}


def _scenario(entry: Mapping[str, Any]) -> Scenario:
    fields = dict(entry)
    fields["next"] = tuple(fields.get("next", ()))
    fields["adjust"] = tuple(_adjustment(a) for a in fields.get("adjust", ()))
    return Scenario(**fields)


def _adjustment(entry: Mapping[str, Any]) -> Adjustment:
    return Adjustment(**{**entry, "aliases": tuple(entry.get("aliases", ()))})


def scenarios_of(team: Team) -> dict[str, Scenario]:
    """All known scenarios: the printed ones, completed or replaced by those of the team file."""
    found = dict(scenarios(team.system))
    for own in team.scenarios:
        printed = found.get(own.number)
        found[own.number] = own if printed is None else _completed(printed, own)
    return found


def _completed(printed: Scenario, own: Scenario) -> Scenario:
    stated = {key: value for key in Scenario.__struct_fields__ if (value := getattr(own, key)) not in (None, (), False, {})}
    if "threat" in stated or "adjust" in stated:
        stated.setdefault("entry", "")  # the file says what the entry did
    return replace(printed, **stated)


@cache
def threat_effects(system: str) -> Mapping[str, tuple[int, int]]:
    """The effects of threat: rule, level from which it holds, amount."""
    table = read_toml(os.path.join(data_root(), "rules", system, "modifiers.toml"))["threat"]
    return {rule: (level, amount) for rule, (level, amount) in table.items()}
