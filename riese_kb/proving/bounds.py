"""Claims about numbers of different tables that must fit: upper bounds, exchanges, skills and their better versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import z3

from riese_kb import tables
from riese_kb.board import System
from riese_kb.proving.claims import PROVED, Claim, Outcome, Verdict, over
from riese_kb.store import read_toml


def claims(system: System) -> Iterator[Claim]:
    """Every claim about numbers that must fit each other; games on rings have none."""
    if system.on_rings:
        return
    here = _toml(system, "claims")

    def claim(id: str, says: str, decide: Callable[[System], Verdict]) -> Claim:
        return Claim(id, says.format(**here[id]), here[id]["passage"], partial(decide, system))

    yield claim("bounds.fit", "Upper bounds of different passages fit each other: {about}.", _fit)
    yield claim("bounds.trades", "No round of {about} ends with more than it began with.", _trades)
    if "bounds.skill-levels" in here:
        says = "The enhanced version of a skill is nowhere weaker than the skill, and stands later in its group."
        yield claim("bounds.skill-levels", says, _enhanced)
    yield claim(
        "bounds.victories",
        "Each level of victory asks for more survivors than the one before, the first for one, and no more than a team has.",
        _victories,
    )
    yield claim(
        "bounds.kills",
        "A zombie of any printed type is worth as many points of experience as it takes wounds to destroy it.",
        _kills,
    )


def _toml(system: System, name: str) -> dict[str, Any]:
    return read_toml(f"{tables.data_root()}/rules/{system}/{name}.toml")


Row = tuple[str, int, str, int]
"""What is at most something else: name, number, name, number."""


def bounds(system: System) -> Iterator[Row]:
    """Every pair of numbers of which the first is never more than the second."""
    limits, goods = _toml(system, "modifiers")["limit"], tables.armoury(system)
    yield from (_with_counters if "counters" in _toml(system, "campaign") else _with_troopers)(system)
    for item in goods.values():
        yield f"slots of {item.name}", item.slots, "slots of a character", limits["slots.gear"]
        if "throw_range" in item.also:
            yield f"{item.name} thrown", item.also["throw_range"], "any throw", limits["throw.range"]
    yield "leader of the pack, from", limits["leader.from"] + 1, "to", limits["leader.to"]
    for kind in tables.zombie_types(system).values():
        yield "nothing", 0, f"moves of {kind.name}", kind.move


def _with_troopers(system: System) -> Iterator[Row]:
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
    yield "troopers that are enough", campaign["substitution"]["minimum"], "troopers of a team", team["troopers"]
    health = _toml(system, "characters")["health"]
    yield "health of a trooper", health["trooper"], "health of a character", health["character"]
    yield "something", 1, "health of a barricade", limits["barricade.health"]
    yield from _charts(system)


def _with_counters(system: System) -> Iterator[Row]:
    campaign, limits = _toml(system, "campaign"), _toml(system, "modifiers")["limit"]
    team, counters, health = campaign["team"], campaign["counters"], _toml(system, "characters")["health"]["character"]
    yield "characters at first", team["first"], "characters of a team", team["most"]
    yield "characters on the map", team["on_the_map"], "characters of a team", team["most"]
    yield "health of a newcomer", campaign["newcomer"]["health"], "health of a character", health
    yield "wounds healed by a medkit", campaign["medkit"]["heals"], "health of a character", health
    yield "fatigue that food takes away", campaign["food"]["fatigue"], "that hot food takes away", campaign["food"]["hot"]
    yield "replays of an elite team", campaign["replays"]["elite"], "replays of a scenario", campaign["replays"]["green"]
    yield "counters chosen", counters["chosen"], "all counters", counters["all"]
    yield "lowest counter", counters["lowest"], "highest counter", counters["highest"]
    for word in ("mine", "wail"):
        yield f"{word}, walking", limits[f"{word}.walking"], f"{word}, running", limits[f"{word}.running"]
    most = [item.also["max"] for item in tables.armoury(system).values() if "max" in item.also]
    for holder in ("bandoleer", "vest"):
        yield "supplies without anything", max(most, default=0), f"supplies with a {holder}", limits[f"supplies.{holder}"]
    for event in campaign["event"]:
        for thing, number in event["brings"].items():
            item = tables.armoury(system).get(thing)
            if item is not None and "max" in item.also:
                yield f"{thing} of event {event['number']}", number, f"{thing} of a character", item.also["max"]


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


Exchange = tuple[int, str, int, str]
"""So many of one thing for so many of another."""


def exchanges(system: System) -> Iterator[Exchange]:
    """Whatever is taken for something else."""
    for trade in _toml(system, "campaign").get("trade", ()):
        ((given, lost),), ((gained, brought),) = trade["give"].items(), trade["gain"].items()
        # A sign says which way a track moves: that less of it is gained, or more of it is taken, is worth something.
        yield abs(lost), given, abs(brought), gained
    if "substitution" not in _toml(system, "campaign"):
        return
    number = _toml(system, "campaign")["substitution"]["troopers"]
    yield 1, "character", number, "troopers to play with (FORCES)"
    yield 1, "troopers to play with (FORCES)", 1, "troopers who escape (VICTORY CONDITIONS)"
    yield number, "troopers who escape (VICTORY CONDITIONS)", 1, "character"


def _trades(system: System) -> Verdict:
    """Values of things exist with which no exchange gains: that is so exactly where no round of exchanges does."""
    value: dict[str, z3.ArithRef] = {}
    solver = z3.Solver()
    rows = list(exchanges(system))
    for index, (lost, one, brought, other) in enumerate(rows):
        for name in (one, other):
            solver.add(value.setdefault(name, z3.Real(name)) > 0)
        solver.assert_and_track(brought * value[other] <= lost * value[one], f"exchange {index}")
    if solver.check() == z3.sat:
        return PROVED
    wrong = {str(one) for one in solver.unsat_core()}
    told = [f"{row[0]} {row[1]} for {row[2]} {row[3]}" for n, row in enumerate(rows) if f"exchange {n}" in wrong]
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
    earned = {_deed(word.removeprefix("experience.")): points for word, points in _toml(system, "campaign")["earned"].items()}
    types = [kind for kind in tables.zombie_types(system).values() if _deed(kind.category) in earned]
    return over(
        types,
        lambda kind: kind.health == earned[_deed(kind.category)],
        lambda kind: {"type": kind.name, "health": kind.health, "XP": earned[_deed(kind.category)]},
    )


def _deed(words: str) -> str:
    """The table of experience of Stalingrad Z calls the advanced zombies evolved."""
    return words.replace(" ", "-").replace("_", "-").replace("evolved", "advanced")


def _victories(system: System) -> Verdict:
    campaign = _toml(system, "campaign")
    team, levels = campaign["team"], _levels(campaign["victory"])
    most = team.get("most") or team["characters"] + team["troopers"] // campaign["substitution"]["troopers"]
    beyond = {level: number for level, number in levels if number > most}
    if beyond:
        return Verdict(Outcome.REFUTED, {"survivors": beyond, "most that a team has": most})
    return over(
        pairwise([("none", 0), *levels]),
        lambda two: two[0][1] + 1 == two[1][1],
        lambda two: {"levels": [list(one) for one in two]},
    )


def _levels(victory: Any) -> list[tuple[str, int]]:
    """The levels of victory and the survivors that each asks for, in the order of the book."""
    return [*victory.items()] if isinstance(victory, dict) else [(one["level"], one["survivors"]) for one in victory]
