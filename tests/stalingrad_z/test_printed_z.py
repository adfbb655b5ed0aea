"""The numbers of the tables of Stalingrad Z against the printed book itself; skipped where the book is not at hand.

As in tests/test_printed_numbers.py no number stands here: each comparison reads it off the book.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from riese_kb.store import read_toml
from tests.riese.places import RULES, now
from tests.test_printed_numbers import WORDS, numbers_of

GAME = "stalingrad_z"
TABLES = RULES.with_name(GAME)


@pytest.fixture
def book(rulebooks: Path) -> list[str]:
    return (rulebooks / "stalingrad_z_rulebook.txt").read_text(encoding="utf-8").split("\n")


def _table(name: str) -> dict[str, Any]:
    return read_toml(str(TABLES / f"{name}.toml"))


def _rows(book: list[str], heading: str) -> list[list[str]]:
    """The cells of the table whose first row this is."""
    start = book.index(heading)
    rows = []
    for row in book[start + 2 :]:
        if not row.startswith("|"):
            break
        rows.append([cell.strip() for cell in row.strip("|").split("|")])
    return rows


ACTIONS = {
    "One Space forward": "movement.forward",
    "Turn 90 degrees": "movement.turn",
    "One Space Sideways": "movement.sideways",
    "One Space backwards": "movement.backward",
    "Move Diagonally Forward": "movement.diagonal-forward",
    "Move Diagonally Backward": "movement.diagonal-backward",
    "Open/Close Door": "movement.open-close-door",
    "Hindering Terrain": "movement.hindering",
    "Switch Weapons": "movement.switch-weapon",
    "Pass Gear": "movement.pass-item",
    "Pick Up Gear": "movement.pick-up",
}


def test_movement_points_are_those_of_the_table(book):
    costs = _table("movement_table")["mp_cost"]
    for action, *cells in _rows(book, "| Action | Walk Cost | Run Cost |"):
        printed = dict(zip(("walking", "running"), cells, strict=True))
        expected = {mode: int(re.findall(r"\d", cell)[0]) for mode, cell in printed.items() if cell != "n/a"}
        assert costs[ACTIONS[action]] == expected, action


def test_zombie_types_are_those_of_the_list(book):
    types = {kind["id"]: kind for kind in _table("zombies")["type"]}
    text = "\n".join(book)
    found = set()
    for names, *numbers in re.findall(r"^([A-Z][A-Z /]+)\. Move: (\d)\. Attack: (\d)\. Health: (\d)", text, re.M):
        for name in names.lower().removeprefix("alpha primes / ").split(" / "):
            assert [types[name][key] for key in ("move", "attack", "health")] == list(map(int, numbers)), name
            found.add(name)
    assert found == types.keys()


DEEDS = {
    "Kill Beta Zombie": "beta",
    "Kill Evolved Zombie": "evolved",
    "Kill Alpha Zombie": "alpha",
    "Kill Alpha Prime Zombie": "alpha_prime",
    "Kill Omega Zombie": "omega",
    "Complete Scenario": "scenario",
    "Complete All Secondary Objectives": "secondary",
}


def test_experience_is_that_of_the_table(book):
    printed = {DEEDS[deed]: int(points[0]) for deed, points in _rows(book, "| Achievement | XP |")}
    assert printed == _table("campaign")["earned"]


TRADED = {"Ammo": "Ammo", "Grenade": "Grenade", "Medkit": "Medkit", "Satchel Charge": "Satchel Charge"}


def _side(cell: str) -> dict[str, int]:
    less = re.match(r"minus (\d) (\w+)", cell)
    if less:
        return {less[2].lower(): -int(less[1])}
    wound = re.search(r"takes (\d) Wound", cell)
    if wound:
        return {"wound": int(wound[1])}
    count, thing = re.findall(r"(\d) x (.+)", cell)[0]
    return {TRADED[thing]: int(count)}


def test_trades_are_those_of_the_table(book):
    printed = [(_side(lost), _side(gained)) for lost, gained in _rows(book, "| Trade | Gain |")]
    assert printed == [(trade["give"], trade["gain"]) for trade in _table("campaign")["trade"]]


LEVELS = ("marginal", "significant", "decisive", "overwhelming", "epic")


def test_levels_of_victory_are_those_of_the_list(book):
    text = "\n".join(book)
    printed = {}
    for level in LEVELS:
        number = re.findall(rf"- {level.upper()}: (?:All )?(\w+) [Cc]haracters?", text)[0].lower()
        printed[level] = WORDS[number] if number in WORDS else int(number)
    assert printed == _table("campaign")["victory"]


BROUGHT: tuple[tuple[str, Callable[[re.Match[str]], dict[str, int]]], ...] = (
    (r"one (medkit), (food) and (ammo)", lambda found: {word.capitalize(): 1 for word in found.groups()}),
    (r"(one|two) (medkit|ammo|food|grenade)", lambda found: {found[2].capitalize(): WORDS[found[1]]}),
    (r"draws (a|two) Zombie Control", lambda found: {"counter": WORDS[found[1]]}),
    (r"\+(\d) attack modifier .* (\d) rounds", lambda found: {"aim": int(found[1]), "rounds": int(found[2])}),
    (r"MPs are reduced by (\w+)", lambda found: {"mp": -WORDS[found[1]]}),
    (r"Add (an) Alpha", lambda found: {"Alpha": WORDS[found[1]]}),
    (
        r"they roll (\d+) or more.* roll of (\d) or more",
        lambda found: {"wounds_characters_on": int(found[1]), "eliminates_zombies_on": int(found[2])},
    ),
    (r"Nothing", lambda _: {}),
)
"""What the random events bring, as they are worded."""


def test_random_events_are_those_of_the_chart(book):
    printed = []
    for faces, text in _rows(book, "| Modified Die Roll | Event |"):
        low, _, high = faces.partition(" - ")
        found = next((made(match) for pattern, made in BROUGHT if (match := re.search(pattern, text))), None)
        printed.append(([int(low), int(high or low)], found))
    assert printed == [(event["rolls"], event["brings"]) for event in _table("campaign")["event"]]


SENTENCES: tuple[tuple[str, tuple[str, ...]], ...] = (
    # scenarios, teams, supplies
    (r"Up to (\d) replays per scenario", ("campaign.replays.green",)),
    (r"(Six) scenario retries", ("campaign.replays.regular",)),
    (r"(No) scenario replays are allowed", ("campaign.replays.elite",)),
    (r"start the game with (one) character", ("campaign.team.first",)),
    (r"up to (\d) characters to form your team", ("campaign.team.most",)),
    (r"up to (\d) characters on the map", ("campaign.team.on_the_map",)),
    (r"start with (\d) health, (\d) fatigue", ("campaign.newcomer.health", "campaign.newcomer.fatigue")),
    (r"marker on the #(\d) on their health", ("characters.health.character",)),
    (r"can carry a maximum of (\d) of each", ("armoury.supply.Ammo.also.max",)),
    (r"can carry a maximum of (\d) of each", ("armoury.supply.Food.also.max",)),
    (r"can carry a maximum of (\d) of each", ("armoury.supply.Medkit.also.max",)),
    (r"can carry a maximum of (\d) of each", ("armoury.weapon.Grenade.also.max",)),
    (r"dashboard has (\d) slots", ("modifiers.limit.slots.gear",)),
    (r"never have more than (\d) scratch", ("modifiers.limit.scratch.most",)),
    (r"medkit used, heal (\d) wound", ("campaign.medkit.heals",)),
    (r"more than (one) medkit between", ("campaign.medkit.each",)),
    (r"may heal (\d) wound per scenario", ("campaign.medkit.rearguard",)),
    (r"food consumed, reduce fatigue by (one)", ("campaign.food.fatigue",)),
    (r"only consume (one) food", ("campaign.food.each",)),
    (r"Hot food, .*, reduces fatigue by (\d)", ("campaign.food.hot",)),
    (r"Warm by the fire: .* fatigue by (\d)", ("campaign.food.fire",)),
    # round
    (r"receive a (-\d) to their roll", ("modifiers.limit.initiative.zombie-penalty",)),
    (r"occupied by a character, the character takes (\d) wound", ("modifiers.limit.spawning.wounds",)),
    (r"On a roll of a (\d), draw one less", ("modifiers.roll.rearguard.roll.0",)),
    (r"On a roll of a (\d), draw one less", ("modifiers.roll.rearguard.roll.1",)),
    (r"map move (\d) squares instead of (\d)", ("modifiers.limit.leader.to", "modifiers.limit.leader.from")),
    (r"Characters take (one) wound in the final", ("modifiers.limit.toxic.wounds",)),
    # movement
    (r"walking character has (\d) MPs, .* has (\d) MPs", ("movement_table.base_mp.walking", "movement_table.base_mp.running")),
    (r"costs (\d) MP to exit", ("movement_table.mp_cost.movement.exit.walking",)),
    (r"costs (\d) MP to exit", ("movement_table.mp_cost.movement.exit.running",)),
    (r"onto a fire square, causing them to take (\d) wound", ("movement_table.fire.wounds",)),
    # attacks
    (r"stationary, place a (\d) covering", ("modifiers.am.covering.stationary",)),
    (r"walked, place a \+(\d) covering", ("modifiers.am.covering.walked",)),
    (r"ran, place a \+(\d) covering", ("modifiers.am.covering.ran",)),
    (r"declared as stationary giving his attack a (-\d)", ("modifiers.am.attack.stationary",)),
    (r"\((\d) for walking", ("modifiers.am.attack.walking",)),
    (r"declared as running \(\+(\d) attack", ("modifiers.am.attack.running",)),
    (r"\+(\d) to S/W # when fatigue reaches (\d)", ("modifiers.am.fatigue.aim", "modifiers.limit.fatigue.aim")),
    (r"applied to an attack is \+(\d)", ("modifiers.lof.lof.maximum",)),
    (r"figure Unteroffizier Reiser \(\+(\d) LOF", ("modifiers.lof.lof.figure",)),
    (r"one square of hindering terrain \(\+(\d) LOF", ("modifiers.lof.lof.hindering",)),
    (r"have a range of (\d) and only roll (\d)", ("modifiers.limit.h2h.reach", "modifiers.limit.h2h.rate")),
    (r"with a ROF of (\d) or higher", ("modifiers.limit.spread-fire.rof",)),
    (r"A \+(\d) ATTACK MODIFIER", ("modifiers.am.spread-fire.modifier",)),
    (r"attacks on them receiving a \+(\d)", ("modifiers.am.power.antihero",)),
    (r"unarmed character has a H2H S/W of (\d+)/(\d+)", ("armoury.unarmed.h2h_stun", "armoury.unarmed.h2h_wound")),
    # throws and explosions
    (r"within a maximum range of (\d)", ("modifiers.limit.throw.range",)),
    (r"modifier of \+(\d) applies when targeting a square", ("modifiers.am.throw.without-lof",)),
    (
        r"On a roll of (\d)-(\d), shift",
        ("modifiers.roll.deviation.one-square.0", "modifiers.roll.deviation.one-square.1"),
    ),
    (r"On a (\d)-(\d+), the thrown", ("modifiers.roll.deviation.two-squares.0", "modifiers.roll.deviation.two-squares.1")),
    (r"base S/W of (\d)/(\d), \+2 ranged", ("armoury.weapon.Grenade.stun", "armoury.weapon.Grenade.wound")),
    (r"Satchel charges have a maximum throwing range of (\d)", ("armoury.weapon.Satchel Charge.also.throw_range",)),
    (r"range of 5\.\n- Apply a \+(\d) attack", ("modifiers.am.satchel.heavy",)),
    (r"Cluster grenades have a maximum throwing range of (\d)", ("armoury.weapon.Cluster Grenade.also.throw_range",)),
    (r"range of 6\.\n- Apply a \+(\d) attack", ("modifiers.am.cluster.heavy",)),
    (r"slot may hold up to (two) Molotov", ("armoury.weapon.Molotov Cocktail.also.in_a_slot",)),
    (r"range of the explosion's attack is (\d)", ("armoury.weapon.Molotov Cocktail.pbr",)),
    (r"marker is removed on a roll of (\d)\+", ("armoury.weapon.Molotov Cocktail.also.fire_ends_on",)),
    (
        r"1-(\d) if the character was \w+ and 1-(\d) if running",
        ("modifiers.limit.mine.walking", "modifiers.limit.mine.running"),
    ),
    (r"detonates on a roll of a 1-(\d)", ("modifiers.limit.mine.zombie",)),
    # the armoury
    (r"pistol shown has a rate of fire of (\d)", ("armoury.weapon.Luger.rof",)),
    (r"Its S/W is (\d)/(\d), ", ("armoury.weapon.Luger.stun", "armoury.weapon.Luger.wound")),
    (r"The range modifier is (\d), ", ("armoury.weapon.Luger.rm",)),
    (r"MP-40 stuns on a (\d) at up to range (\d)", ("armoury.weapon.MP-40.stun", "armoury.weapon.MP-40.pbr")),
    (
        r"98K has a S/W of (\d)/(\d) with a PB range of (\d+)",
        ("armoury.weapon.Kar 98.stun", "armoury.weapon.Kar 98.wound", "armoury.weapon.Kar 98.pbr"),
    ),
    (r"weapon S/W of (\d)/(\d) and", ("armoury.weapon.Nagant Sniper Rifle.stun", "armoury.weapon.Nagant Sniper Rifle.wound")),
    (r"PB range of (\d+)\. She", ("armoury.weapon.Nagant Sniper Rifle.pbr",)),
    (
        r"he uses the H2H S/W of (\d)/(\d+)",
        ("armoury.weapon.Nagant Sniper Rifle.h2h_stun", "armoury.weapon.Nagant Sniper Rifle.h2h_wound"),
    ),
    (r"A PBR of (1) allows", ("armoury.weapon.Knife.pbr",)),
    (r"MG42 light machine gun, which has a ROF of (\d)", ("armoury.weapon.MG-42.rof",)),
    (r"axe with a PB range of (\d)", ("armoury.weapon.Axe.pbr",)),
    (r"zombie #2 with a S/W of (\d)/(\d)", ("armoury.weapon.Knife.h2h_stun", "armoury.weapon.Knife.h2h_wound")),
    (r"Costs (\d) MP to mount", ("movement_table.mp_cost.bayonet.mounting.walking",)),
    (r"Costs (\d) MP to mount", ("movement_table.mp_cost.bayonet.mounting.running",)),
    (r"\+(\d) attack modifier when used in a normal", ("modifiers.am.bayonet.fire",)),
    (r"(-\d) attack modifier when used in H2H", ("modifiers.am.bayonet.thrust",)),
    (r"H2H range is (\d)", ("modifiers.limit.bayonet.reach",)),
    (r"carry (\d) ammo instead", ("modifiers.limit.supplies.bandoleer",)),
    (r"carry (\d) ammo instead", ("armoury.gear.Bandoleer.also.holds_ammo",)),
    (r"carry up to (\d) grenades", ("modifiers.limit.supplies.vest",)),
    (r"carry up to (\d) grenades", ("armoury.gear.Grenade Vest.also.holds_grenades",)),
    (r"Takes up (no) space", ("armoury.gear.Alarm Clock.slots",)),
    (r"on a roll of 1-(\d) remove the marker", ("armoury.gear.Alarm Clock.also.gone_up_to",)),
    (r"GAS MASK\n- (\d) gear slot", ("armoury.gear.Gas Mask.slots",)),
    (r"OILED COAT\n- (\d) gear slot", ("armoury.gear.Oiled Coat.slots",)),
    (r"wearer a (-\d) attack modifier", ("modifiers.am.gear.oiled-coat",)),
    (r"spending (\d) MP in or adjacent", ("movement_table.mp_cost.club.found.walking",)),
    (r"spending (\d) MP in or adjacent", ("movement_table.mp_cost.club.found.running",)),
    # powers
    (r"On a (\d)-(\d+) the attack misses", ("modifiers.roll.power.dodge.0", "modifiers.roll.power.dodge.1")),
    (
        r"MPs are reduced to (\d) \((\d) if running\) and .* of \+(\d)",
        ("modifiers.limit.wail.walking", "modifiers.limit.wail.running", "modifiers.am.scenario-juggernaut.wail"),
    ),
    # the zombie master
    (r"take the (\d+) zombie control counters", ("campaign.counters.all",)),
    (r"then selects (\d) of the counters", ("campaign.counters.chosen",)),
    (r"numbered (one) to (six)", ("campaign.counters.lowest", "campaign.counters.highest")),
)
"""Sentences of the book, each with the numbers of the tables that it prints in its order."""


def test_numbers_in_sentences(book):
    text = "\n".join(book)
    for sentence, names in SENTENCES:
        found = [numbers_of(match) for match in re.finditer(sentence, text)]
        assert found, sentence
        for numbers in found:
            assert numbers == [now(f"{GAME}/{name}") for name in names], sentence


def test_numbers_worked_out(book):
    text = "\n".join(book)
    first = int(re.findall(r"Luger on a target at range (\d), the attack modifier would be \+1", text)[0])
    assert now(f"{GAME}/armoury.weapon.Luger.pbr") == first - now(f"{GAME}/armoury.weapon.Luger.rm")
    low, high = map(int, re.findall(r"increases to a 7 at range (\d)-(\d)", text)[0])
    assert now(f"{GAME}/armoury.weapon.MP-40.rm") == high - low + 1
    assert re.findall(r"a blast equal to that of a (grenade)", text), "a satchel charge has its values"
    for key in ("stun", "wound"):
        assert now(f"{GAME}/armoury.weapon.Satchel Charge.{key}") == now(f"{GAME}/armoury.weapon.Grenade.{key}")
    assert re.findall(r"zombies are treated as (Beta) zombies for movement", text)
    assert now(f"{GAME}/modifiers.limit.revealing.move") == now(f"{GAME}/zombies.type.beta.move")
    for thing, supply in (("Bandoleer", "ammo supplies"), ("Grenade Vest", "grenade")):
        assert re.findall(rf"{thing.upper()}\n- Place in {supply} slot", text), "it takes none of the slots for gear"
        assert now(f"{GAME}/armoury.gear.{thing}.slots") == 0
    into, out = (int(re.findall(rf"{way} trench for (\d)MP", text)[0]) for way in ("Enter", "Exit"))
    assert now(f"{GAME}/modifiers.limit.scenario-15.trench") == out - into


COMPARISONS: dict[str, Callable[[Any], None]] = {
    name.removeprefix("test_"): test for name, test in sorted(globals().items()) if name.startswith("test_")
}
"""Every comparison of this file; each takes the rows of the book and raises ``AssertionError`` where a table differs."""
