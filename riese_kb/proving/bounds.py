"""Claims about numbers of different tables that must fit: upper bounds, exchanges, skills and their better versions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import z3

from riese_kb import tables
from riese_kb.board import System
from riese_kb.proving.claims import PROVED, Claim, Outcome, Verdict, over
from riese_kb.store import read_toml


def claims(system: System) -> Iterator[Claim]:
    """Every claim about numbers that must fit each other."""
    yield Claim(
        "bounds.fit",
        "Upper bounds of different passages fit each other: teams, supplies, slots, threat, timers, moves, exits.",
        "TEAM; SUPPLIES; GEAR SLOTS; THREAT LEVEL; VICTORY CONDITIONS",
        partial(_fit, system),
    )
    yield Claim(
        "bounds.trades",
        "No round of exchanges between characters and troopers ends with more than it began with.",
        "FORCES; VICTORY CONDITIONS",
        partial(_trades, system),
    )
    yield Claim(
        "bounds.skill-levels",
        "The enhanced version of a skill is nowhere weaker than the skill, and stands later in its group.",
        "SKILLS, ENHANCED VERSIONS",
        partial(_enhanced, system),
    )
    yield Claim(
        "bounds.victories",
        "Each level of victory asks for more survivors than the one before, the first for one, and no more than a team has.",
        "VICTORY CONDITIONS",
        partial(_victories, system),
    )
    yield Claim(
        "bounds.kills",
        "A zombie of any printed type is worth as many points of experience as it takes wounds to destroy it.",
        "EXPERIENCE; Appendix 2, Zombie Types",
        partial(_kills, system),
    )


def _toml(system: System, name: str) -> dict[str, Any]:
    return read_toml(f"{tables.data_root()}/rules/{system}/{name}.toml")


Row = tuple[str, int, str, int]
"""What is at most something else: name, number, name, number."""


def bounds(system: System) -> Iterator[Row]:
    """Every pair of numbers of which the first is never more than the second."""
    campaign, limits = _toml(system, "campaign"), _toml(system, "modifiers")["limit"]
    team, track, goods = campaign["team"], campaign["track"], tables.armoury(system)
    everybody = team["characters"] + team["troopers"]
    for scenario in _toml(system, "between_scenarios")["scenario"]:
        name = f"scenario {scenario['number']}"
        if "characters" in scenario:
            yield f"{name}, characters", scenario["characters"], "characters of a team", team["characters"]
        if "heroes" in scenario:
            yield f"{name}, heroes", scenario["heroes"], "heroes of a team", everybody
        yield f"{name}, threat", scenario.get("threat", 0), "the last space of the tracker", track["highest"]
    for effect, (level, _) in _toml(system, "modifiers")["threat"].items():
        yield effect, level, "the last space of the tracker", track["highest"]
        yield "the first space of the tracker", track["lowest"] + 1, effect, level
    supplies = [item for item in goods.values() if "max" in item.also]
    for one, other in pairwise(supplies):
        yield one.name, one.also["max"], other.name, other.also["max"]
        yield other.name, other.also["max"], one.name, one.also["max"]
    yield "supplies of a dog", limits["max.supplies"], "supplies of a hero", min(item.also["max"] for item in supplies)
    yield "slots of a trooper", limits["trooper.slots"], "slots of a character", limits["slots.gear"]
    for item in goods.values():
        yield f"slots of {item.name}", item.slots, "slots of a trooper", limits["trooper.slots"]
    yield "fewest timer markers", limits["satchel.timer-least"], "most timer markers", limits["satchel.timer-most"]
    yield "moves of a wounded NPC", limits["npc.wounded-move"], "moves of an NPC", limits["npc.move"]
    yield "leader of the pack, from", limits["leader.from"] + 1, "to", limits["leader.to"]
    yield "troopers that are enough", campaign["substitution"]["minimum"], "troopers of a team", team["troopers"]
    health = _toml(system, "characters")["health"]
    yield "health of a trooper", health["trooper"], "health of a character", health["character"]
    yield "something", 1, "health of a barricade", limits["barricade.health"]
    for kind in tables.zombie_types(system).values():
        yield "nothing", 0, f"moves of {kind.name}", kind.move
    yield "satchel throw", goods["Satchel Charge"].also["throw_range"], "any throw", limits["throw.range"]
    yield from _charts(system)


def _charts(system: System) -> Iterator[Row]:
    """What a search finds of a supply is never more than a hero can hold."""
    goods = tables.armoury(system)
    for chart in _toml(system, "charts").values():
        for _, _, result in chart["rows"]:
            for thing, count in result.items():
                if thing in goods and "max" in goods[thing].also:
                    yield f"{thing} on chart {chart['name']}", count, f"{thing} of a hero", goods[thing].also["max"]


def _fit(system: System) -> Verdict:
    return over(bounds(system), lambda row: row[1] <= row[3], lambda row: {f"{row[0]}": row[1], "at most": f"{row[2]}, {row[3]}"})


def exchanges(system: System) -> Iterator[tuple[str, str, Fraction]]:
    """What one of the first counts as of the second."""
    number = _toml(system, "campaign")["substitution"]["troopers"]
    yield "character", "troopers to play with (FORCES)", Fraction(number)
    yield "troopers to play with (FORCES)", "troopers who escape (VICTORY CONDITIONS)", Fraction(1)
    yield "troopers who escape (VICTORY CONDITIONS)", "character", Fraction(1, number)


def _trades(system: System) -> Verdict:
    """Values of things exist with which no exchange gains: that is so exactly where no round of exchanges does."""
    value: dict[str, z3.ArithRef] = {}
    solver = z3.Solver()
    rows = list(exchanges(system))
    for index, (one, other, rate) in enumerate(rows):
        for name in (one, other):
            solver.add(value.setdefault(name, z3.Real(name)) > 0)
        gain = z3.RealVal(f"{rate.numerator}/{rate.denominator}") * value[other] <= value[one]
        solver.assert_and_track(gain, f"exchange {index}")
    if solver.check() == z3.sat:
        return PROVED
    wrong = {str(one) for one in solver.unsat_core()}
    told = [f"1 {one} for {rate} {other}" for n, (one, other, rate) in enumerate(rows) if f"exchange {n}" in wrong]
    return Verdict(Outcome.REFUTED, {"exchanges": told})


def _enhanced(system: System) -> Verdict:
    values = tables.skill_values(system)
    pairs = []
    for person in tables.characters(system).values():
        for skill in person.skills:
            stem, _, level = skill.name.rpartition(" ")
            better = next((s for s in person.skills if level.isdigit() and s.name == f"{stem} {int(level) + 1}"), None)
            if better is not None:
                pairs.append((skill, better))
    rows = [
        (one.name, values.get(tables.skill_id(system, one.name, one.owner), {}), better.name, _row(system, better), one, better)
        for one, better in pairs
    ]

    def holds(row: tuple[Any, ...]) -> bool:
        _, old, _, new, one, better = row
        # An additional attack takes the place of a door; every number that both have must not shrink.
        numbers = [key for key in old.keys() & new.keys() if isinstance(old[key], int)]
        return all(_same_side(old[key], new[key]) for key in numbers) and one.level < better.level and one.xp < better.xp

    return over(rows, holds, lambda row: {row[0]: dict(row[1]), row[2]: dict(row[3])})


def _row(system: System, skill: tables.Skill) -> Any:
    return tables.skill_values(system).get(tables.skill_id(system, skill.name, skill.owner), {})


def _same_side(old: int, new: int) -> bool:
    return abs(new) >= abs(old) and (new > 0) == (old > 0)


def _kills(system: System) -> Verdict:
    """Abominations earn nothing that the book names."""
    earned = _toml(system, "campaign")["earned"]
    types = [kind for kind in tables.zombie_types(system).values() if f"experience.{_deed(kind)}" in earned]
    return over(
        types,
        lambda kind: kind.health == earned[f"experience.{_deed(kind)}"],
        lambda kind: {"type": kind.name, "health": kind.health, "XP": earned[f"experience.{_deed(kind)}"]},
    )


def _deed(kind: tables.ZombieType) -> str:
    return kind.category.replace(" ", "-")


def _victories(system: System) -> Verdict:
    campaign = _toml(system, "campaign")
    levels = campaign["victory"]
    most = campaign["team"]["characters"] + campaign["team"]["troopers"] // campaign["substitution"]["troopers"]
    rows = [*pairwise(levels)]
    if levels[0]["survivors"] != 1 or levels[-1]["survivors"] > most:
        return Verdict(Outcome.REFUTED, {"levels": levels, "most survivors": most})
    return over(rows, lambda two: two[0]["survivors"] + 1 == two[1]["survivors"], lambda two: {"levels": list(two)})
