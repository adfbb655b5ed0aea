"""The numbers of the tables against the printed book itself; skipped where the book is not at hand.

No number stands here: each comparison reads it off the book's own tables, cards and sentences. One file, though it is long:
every sentence of the book that prints a number of a table has its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from riese_kb import tables
from riese_kb.store import read_toml
from riese_kb.tables import Rank
from tests.riese.places import RULES, now


def _cards(manual: list[str]) -> dict[str, dict[str, object]]:
    """The weapon cards as the manual transcribes them: ``[Icon: NAME, ROF H2H, S/W PBR RM]``."""
    found = {}
    for row in manual:
        match = re.match(r"\[Icon: (.+?), ?((?:N/A|\d).*)\]$", row)
        if match is None:
            continue
        tokens = re.findall(r"N/A|\d+/\d+|\d+\^?|[AH]\b", match.group(2))
        rof, rm, pbr, sw = tokens[0], tokens[-1], tokens[-2], tokens[-3]
        h2h = tokens[1] if len(tokens) == 5 else None
        card: dict[str, object] = {"rm": rm if rm in ("A", "H") else int(rm), "pbr": int(pbr)}
        card["rof"] = None if rof == "N/A" else int(rof.rstrip("^"))
        card["select_fire"] = rof.endswith("^")
        card["stun"], card["wound"] = (None, None) if sw == "N/A" else map(int, sw.split("/"))
        card["h2h_stun"], card["h2h_wound"] = (None, None) if h2h is None else map(int, h2h.split("/"))
        found[match.group(1)] = card
    return found


def test_whole_cards_are_those_of_the_book(manual):
    cards = _cards(manual)
    assert len(cards) == 9
    for title, card in cards.items():
        name = tables.find_item("riese", title)
        assert name is not None, title
        weapon = tables.weapon_card("riese", name)
        assert weapon is not None
        assert {key: getattr(weapon, key) for key in card} == card, title
        assert weapon.h2h_known


def test_zombie_types_are_those_of_the_book(manual):
    for zombie in tables.zombie_types("riese").values():
        if not zombie.cite.startswith("Appendix 2, "):
            continue  # a scenario prints it, without such a table
        heading = zombie.cite.removeprefix("Appendix 2, ")
        row = manual[manual.index(heading, manual.index("Zombie Types")) + 3]
        assert row == f"| {zombie.move} | {zombie.attack} | {zombie.health} |"


def test_powers_are_those_of_the_book(manual):
    start = max(i for i, row in enumerate(manual) if row == "Zombie Powers")
    end = next(i for i, row in enumerate(manual) if row.startswith("Appendix 3") and i > start)
    printed = [match.group(1) for row in manual[start:end] if (match := re.match(r"([A-ZÜ][A-ZÜ0-9 -]+):", row))]
    assert len(printed) == 18
    assert [tables.find_power("riese", name) for name in printed] == list(tables.powers("riese"))


def test_characters_are_those_of_the_book(manual):
    start = max(i for i, row in enumerate(manual) if row.startswith("Appendix 4 - Characters"))
    people = [p for p in tables.characters("riese").values() if p.rank is Rank.CHARACTER]
    assert len(people) == 9
    for person in people:
        assert person.printed is not None
        at = manual.index(person.printed, start)
        header = next(i for i in range(at, at + 12) if manual[i].startswith("| Level"))
        groups = [cell.strip() for cell in manual[header].strip("|").split("|")][2:]
        expected = set()
        for row in manual[header + 2 : header + 5]:
            level, xp, *names = [cell.strip().strip('"') for cell in row.strip("|").split("|")]
            expected |= {(name, group, int(level), int(xp)) for group, name in zip(groups, names, strict=True)}
        assert {(s.name, s.group, s.level, s.xp) for s in person.skills} == expected
        assert len(person.skills) == 9
        assert person.health == 4
        objective = next(row for row in manual[at:header] if row.startswith("Personal Objective"))
        assert f": {person.objective}: " in objective
        # Where several things are to be done to one each, the number stands once.
        printed = {int(n) for n in re.findall(r"\d+", objective)} | ({1} if "one of each" in objective else set())
        assert set(person.objective_steps.values()) == printed, person.name


# --- sentences ----------------------------------------------------------------------------------------------------------

SENTENCES: tuple[tuple[str, tuple[str, ...]], ...] = (
    # ATTACK MODIFIERS
    (r"\| Stunned zombie \| (-\d) \|", ("modifiers.am.attack.stunned-target",)),
    (r"\| Spread fire \| \+(\d)", ("modifiers.am.spread-fire.modifier",)),
    (r"\| Attacking figure is stationary \| (-\d)", ("modifiers.am.attack.stationary",)),
    (r"\| Attacking figure is walking \| (\d)", ("modifiers.am.attack.walking",)),
    (r"\| Attacking figure is running \| \+(\d)", ("modifiers.am.attack.running",)),
    (r"\| (?:Stationary covering|STATIONARY) \| (?:COVERING )?(\d)", ("modifiers.am.covering.stationary",)),
    (r"\| (?:Walked covering|WALKED) \| (?:COVERING )?\+(\d)", ("modifiers.am.covering.walked",)),
    (r"\| (?:Ran covering|RUN) \| (?:COVERING )?\+(\d)", ("modifiers.am.covering.ran",)),
    (r"\| Attacking with off hand \| \+(\d)", ("modifiers.am.attack.off-hand",)),
    (r"\| Throw grenade without LOF \| \+(\d)", ("modifiers.am.throw.without-lof",)),
    (r"\| Attacking past a figure \(per figure\) \| \+(\d)", ("modifiers.lof.lof.figure",)),
    (r"\| Hindering terrain \(per square\) \| \+(\d)", ("modifiers.lof.lof.hindering",)),
    (r"LOF MODIFIERS \(MAX \+(\d)\)", ("modifiers.lof.lof.maximum",)),
    (r"additional \+(\d) AM to the throw", ("modifiers.am.satchel.heavy",)),
    (r"select fire weapon by one,.* receive a (-\d) AM", ("modifiers.am.select-fire.modifier",)),
    (r"Wounded troopers receive a \+(\d) AM", ("modifiers.am.trooper.wounded",)),
    (r"Wounded NPCs receive a \+(\d) AM", ("modifiers.am.npc.wounded",)),
    (r"using the H2H rules and have a \+(\d) AM", ("modifiers.am.npc.after-lock",)),
    (r"ANTIHERO: .* receive a \+(\d) AM", ("modifiers.am.power.antihero",)),
    (r"SHUTZSHILD: .* receive a \+(\d) AM", ("modifiers.am.power.shutzshild",)),
    (r"STRONG: .* receives a (-\d) modifier", ("modifiers.am.power.strong",)),
    (r"through active squares receive a \+(\d) AM", ("modifiers.am.scenario-39.aiming",)),
    (r"additional attack, \+(\d) MP and (-\d) AM", ("modifiers.limit.blitz.points", "modifiers.am.blitz.aim")),
    (r"crash effects which are -(\d) MP, \+(\d) to AM", ("modifiers.limit.blitz.crash", "modifiers.am.blitz.crash-aim")),
    (r"technology provides a (-\d) AM", ("modifiers.am.gear.vampir-aim",)),
    (r"Grants the wearer a (-\d) AM", ("modifiers.am.gear.oiled-coat",)),
    (r"Grants a (-\d) AM when attempting to escape", ("modifiers.am.gear.torch-lock",)),
    (
        r"reduced to (\d) \((\d) if running\) and all attacks .* \+(\d) AM",
        ("movement_table.howl_mp.walking", "movement_table.howl_mp.running", "modifiers.am.power.howl"),
    ),
    # THREAT LEVEL EFFECTS
    (
        r"Threat (\d+): Distracting Cacophony: \+(\d) AM\.\n- Threat (\d+): Unnerving Sounds: -(\d) MP",
        tuple(
            f"modifiers.threat.threat.{effect}.{n}" for effect in ("distracting-cacophony-4", "unnerving-sounds") for n in (0, 1)
        ),
    ),
    (r"Threat (\d+): Undead Agitation", ("modifiers.threat.threat.undead-agitation.0",)),
    (
        r"Threat (\d+): Undead Aggression: All zombies gain (\d) Mv \(max (\d) for beta",
        (
            "modifiers.threat.threat.undead-aggression.0",
            "modifiers.threat.threat.undead-aggression.1",
            "modifiers.limit.threat.undead-aggression",
        ),
    ),
    (
        r"Threat (\d+): Distracting Cacophony: \+(\d) AM\.\n- Threat (\d+): The Horde",
        (
            "modifiers.threat.threat.distracting-cacophony-11.0",
            "modifiers.threat.threat.distracting-cacophony-11.1",
            "modifiers.limit.threat.horde-gathers",
        ),
    ),
    # limits
    (r"within a maximum range of (\d)", ("modifiers.limit.throw.range",)),
    (r"only attack targets at a range of (\d) or less", ("modifiers.limit.darkness.range",)),
    (r"to have a PBR and ROF of (\d)", ("modifiers.limit.h2h.reach",)),
    (r"to have a PBR and ROF of (\d)", ("modifiers.limit.h2h.rate",)),
    (r"with a ROF of (\d) or higher", ("modifiers.limit.spread-fire.rof",)),
    (r"Unrevealed zombies have a move value of (\d)", ("modifiers.limit.revealing.move",)),
    (r"MAW: .* receive (\d) wounds", ("modifiers.limit.maw.wounds",)),
    (
        r"standard move of (\d)\. When wounded, this is reduced to (\d)",
        ("modifiers.limit.npc.move", "modifiers.limit.npc.wounded-move"),
    ),
    (r"Barricades have (\d) health", ("modifiers.limit.barricade.health",)),
    (r"For (\d) MP you may pick up 3 Ammo", ("modifiers.limit.scenario-31.rack",)),
    (r"On a result of (\d)\+ the alarm is raised", ("modifiers.limit.scenario-31.alarm",)),
    (r"spend (\d) MPs at squares O1, O2 and O3", ("modifiers.limit.scenario-31.cells",)),
    (r"if you have Leitze's key, spend (\d) MPs", ("modifiers.limit.scenario-17.shackles",)),
    (r"on an (\d)\+ add a wounded trooper", ("modifiers.limit.scenario-17.new-trooper",)),
    (r"On a (\d), the prisoner expires", ("modifiers.limit.scenario-17.expires",)),
    (r"his first wound read entry #(\d+)", ("scenarios.17.facts.entry.0.1",)),
    (r"alternatively spend (\d) MPs if you have the Engine", ("modifiers.limit.scenario-41.magneto",)),
    (r"No more than (\d) zombies may be on the map", ("modifiers.limit.scenario-41.zombies",)),
    (r"Open the valves at the (three) squares", ("modifiers.limit.scenario-43.valves",)),
    (r"all immediately drain, read entry # ?(\d+)", ("scenarios.43.facts.entry.0.1",)),
    (r"On a result of (\d+)\+, you found it", ("charts.womb-key.rows.0.0",)),
    (r"a hero may spend (\d) MP to pick up a rubble", ("modifiers.limit.scenario-41.lifting",)),
    (r"a drained pool costs an additional (\d) MPs", ("modifiers.limit.scenario-43.drained",)),
    (
        r"a ROF of (\d) and S/W values of (\d+)/(\d+)",
        ("zombies.type.ekhidna.attack", "modifiers.limit.scenario-43.grasp-stun", "modifiers.limit.scenario-43.grasp-wound"),
    ),
    (r"with a ROF of (\d) and S/W values", ("zombies.type.hongriger-sohn.attack",)),
    (r"with a ROF of (\d) and S/W values", ("zombies.type.sister.attack",)),
    (r"Humans take (a) wound", ("modifiers.limit.scenario-39.shock",)),
    (r"initiative penalty of (-\d)", ("modifiers.limit.initiative.zombie-penalty",)),
    (r"occupied by a hero, the hero takes (\d) wound", ("modifiers.limit.spawning.wounds",)),
    (r"an \*, increase the threat level by (\d)", ("modifiers.limit.round.star",)),
    (r"an \*, increase the threat level by (\d)", ("campaign.adjust.adjustment.starred",)),
    (r"Heroes take (one) wound in the final phase", ("modifiers.limit.toxic.wounds",)),
    (r"Place (\d)-(\d) TIMER", ("modifiers.limit.satchel.timer-least", "modifiers.limit.satchel.timer-most")),
    (r"in one of the (four) gear slots", ("modifiers.limit.slots.gear",)),
    (r"slot can hold (\d) small", ("modifiers.limit.slots.webbing",)),
    (r"weapons and gear \(slots 1 and (\d)\)", ("modifiers.limit.trooper.slots",)),
    (r"Max may also carry up to (\d) supplies", ("modifiers.limit.max.supplies",)),
    (r"Max may move (\d) squares", ("modifiers.limit.max.bound",)),
    (r"never have more than (\d) scratch", ("modifiers.limit.scratch.most",)),
    (r"normally move (one) square now move (two)", ("modifiers.limit.leader.from", "modifiers.limit.leader.to")),
    # rolls
    (
        r"On a roll of (\d)-(\d), shift the target square",
        ("modifiers.roll.deviation.one-square.0", "modifiers.roll.deviation.one-square.1"),
    ),
    (
        r"On a (\d)-(\d+), the .* deviates 2",
        ("modifiers.roll.deviation.two-squares.0", "modifiers.roll.deviation.two-squares.1"),
    ),
    (r"On a (\d+)-(\d+), the stun or wound has no effect", ("modifiers.roll.power.dodge.0", "modifiers.roll.power.dodge.1")),
    (r"On a (\d+) the tank explodes", ("modifiers.roll.flamethrower.tank.0",)),
    (r"On a (\d+) the tank explodes", ("modifiers.roll.flamethrower.tank.1",)),
    (
        r"On a (\d+)-(\d+), this zombie is stunned instead",
        ("modifiers.roll.power.thick-skin.0", "modifiers.roll.power.thick-skin.1"),
    ),
    (r"Tactics 1 \(Lvl \d\): .* apply \+(\d) to an initiative", ("modifiers.initiative.Tactics 1",)),
    (r"Tactics 2 \(Lvl \d\): .* apply \+(\d) to an initiative", ("modifiers.initiative.Tactics 2",)),
    (r"Wahai Mohammed!\" \(Lvl \d\): Apply \+(\d) to your initiative", ("modifiers.initiative.Wahai Mohammed!",)),
    # MOVEMENT
    (r"WALKING: The hero gets (\d) MPs", ("movement_table.base_mp.walking",)),
    (r"RUNNING: The hero gets (\d) MPs", ("movement_table.base_mp.running",)),
    *(
        (
            rf"\| {row} \| \+?(\d) \| {'N/A' if alone else chr(92) + '+?(' + chr(92) + 'd)'} \|",
            tuple(f"movement_table.mp_cost.movement.{step}.{mode}" for mode in ("walking", "running")[: 1 if alone else 2]),
        )
        for row, step, alone in (
            ("One square forward", "forward", False),
            ("Turn 90 degrees", "turn", False),
            (r"Open/close door\*", "open-close-door", False),
            ("One square sideways", "sideways", True),
            ("One square backwards", "backward", True),
            ("Move diagonally forward", "diagonal-forward", False),
            ("Move diagonally backward", "diagonal-backward", True),
            ("Move into hindering terrain", "hindering", False),
        )
    ),
    (
        r"adjacent to for (\d) MP, or (\d) MPs when running",
        ("movement_table.mp_cost.movement.pick-up.walking", "movement_table.mp_cost.movement.pick-up.running"),
    ),
    *(
        (sentence, (f"movement_table.mp_cost.{rule}.{mode}",))
        for sentence, rule in (
            (r"to an adjacent hero at the cost of (\d) MPs", "movement.pass-item"),
            (r"Locked doors .* proper key for (\d) MPs", "door.key"),
            (r"Locked cabinets .* proper key for (\d) MPs", "cabinet.key"),
            (r"allows a hero to move up \((\d) ?MPs\)", "ladder.up"),
            (r"or climb down \((\d) ?MPs\)", "ladder.down"),
        )
        for mode in ("walking", "running")
    ),
    (
        r"(\d) MP/(\d) MPs to climb stairs and (\d) MP/(\d) MP to",
        tuple(f"movement_table.mp_cost.stairs.{way}.{mode}" for way in ("up", "down") for mode in ("walking", "running")),
    ),
    (r"- (\d): Fail - Take (\d) wounds", ("movement_table.jump.fall.0", "movement_table.jump.fall.2")),
    (r"- (\d): Fail - Take \d wounds", ("movement_table.jump.fall.1",)),
    (r"- (\d)-(\d): Fail - Take (\d) wound and", tuple(f"movement_table.jump.stumble.{n}" for n in range(3))),
    (r"- (\d)-(\d): Success - End", ("movement_table.jump.landing.0", "movement_table.jump.landing.1")),
    (r"- (\d)\+: Success - Complete", ("movement_table.jump.leap.0",)),
    (r"a fire square, .* take (\d) wound", ("movement_table.fire.wounds",)),
    # the campaign
    (r"(four) CHARACTERS and (four) TROOPERS", ("campaign.team.characters", "campaign.team.troopers")),
    (r"(two) troopers per character", ("campaign.substitution.troopers",)),
    (r"at least one character, or (two) troopers", ("campaign.substitution.minimum",)),
    (r"GREEN: .* Up to (\d) replays per scenario", ("campaign.replays.difficulty.green",)),
    (r"REGULAR: .* (Six) scenario replays", ("campaign.replays.difficulty.regular",)),
    (r"ELITE: .* (Zero) scenario replays", ("campaign.replays.difficulty.elite",)),
    (r"When a Medkit is used .* HEALTH by (one)", ("campaign.medkit.heals",)),
    (r"All medkits now increase health by (two)", ("campaign.medkit.healer",)),
    (r"a scenario, heal (one) of your wounds", ("campaign.medkit.brick_wall",)),
    (r"a numbered strip from (\d+) to (\d+) with", ("campaign.track.lowest", "campaign.track.highest")),
    (r"Resolve \(Lvl \d\): .* (reduce) threat by (one)", ("campaign.adjust.adjustment.resolve",)),
    (r"Self Assured \(Lvl \d\): .* (reduce) threat by (one)", ("campaign.adjust.adjustment.self-assured",)),
    *(
        (rf"\| {row} \| (\d+)[*^]? \|", (f"campaign.earned.experience.{deed}",))
        for row, deed in (
            ("KILL BETA ZOMBIE", "beta"),
            ("KILL ADVANCED ZOMBIE", "advanced"),
            ("KILL ALPHA ZOMBIE", "alpha"),
            ("KILL ALPHA PRIME ZOMBIE", "alpha-prime"),
            ("KILL OMEGA ZOMBIE", "omega"),
            ("KILL ENEMY NPC", "npc"),
            ("RESCUE PRISONER OR CIVILIAN", "rescue"),
            ("COMPLETE SCENARIO", "scenario"),
            (r"COMPLETE ALL SECONDARY OBJECTIVE\(S\)", "secondary"),
            ("COMPLETE PERSONAL OBJECTIVE", "personal"),
        )
    ),
    (r"MARGINAL: (\w+) character", ("campaign.victory.marginal.survivors",)),
    (r"SIGNIFICANT: (\w+) character", ("campaign.victory.significant.survivors",)),
    (r"DECISIVE: (\w+) character", ("campaign.victory.decisive.survivors",)),
    (r"OVERWHELMING: All (\w+) character", ("campaign.victory.overwhelming.survivors",)),
    (r"EPIC: (\w+) character", ("campaign.victory.epic.survivors",)),
    # people
    (r"new characters? start with (\d) health|Newly gained characters start with (\d) health", ("characters.health.character",)),
    (r"a new trooper starts with (\d) health", ("characters.health.trooper",)),
    (r"They have (\d) health\. When they are wounded, place", ("characters.health.npc",)),
    (r"- EXP \((\d+)\): \+1 Proficiency", ("characters.xp.trooper.+1 Proficiency",)),
    (r"- EXP \((\d+)\): \+1 MP", ("characters.xp.trooper.+1 MP",)),
    (
        r"movement of (\d+)/(\d+) and H2H attack of (\d+)/(\d+) versus .* (\d+)/(\d+) versus humans",
        (
            *(f"characters.trooper.Max.{mode}" for mode in ("walking", "running")),
            *(f"characters.trooper.Max.h2h_{whom}.{n}" for whom in ("zombie", "human") for n in (0, 1)),
        ),
    ),
    (
        r"a knife and (\d) health\. The character has (\d+) XP",
        ("scenarios.17.facts.starting.0.1", "scenarios.17.facts.starting.1.1"),
    ),
    # zombies
    (
        r"FLAK 38: Unlimited range, ROF of (\d), (\d+)/(\d+) S/W",
        tuple(f"zombies.power.flak-38.also.{v}" for v in ("rof", "stun", "wound")),
    ),
    (
        r"MG-42: Unlimited range, ROF of (\d), unlimited ammo with (\d+)/(\d+) S/W",
        tuple(f"zombies.power.mg-42.also.{v}" for v in ("rof", "stun", "wound")),
    ),
    (r"On a 1-(\d), a Flüchtig is created", ("zombies.power.fluchtig.also.detonates_up_to",)),
    (
        r"with a S/W value of (\d)/(\d), PBR of (\d)",
        tuple(f"zombies.power.fluchtig.also.{v}" for v in ("stun", "wound", "pbr")),
    ),
    (r"fire marker is removed on a roll of (\d)\+", ("zombies.power.fluchtig.also.fire_ends_on",)),
    (r"fire marker is removed on a roll of (\d)\+", ("armoury.weapon.Molotov Cocktail.also.fire_ends_on",)),
    (r"She has (\d) wounds\.", ("zombies.type.ekhidna.health",)),
    (r"he may be killed by inflicting (\d) wounds", ("zombies.type.hongriger-sohn.health",)),
    (r"a sister may be killed by inflicting (\d) wounds", ("zombies.type.sister.health",)),
    *(
        ((r"(None) of the abominations will move", (f"zombies.type.{kind}.move",)))
        for kind in ("ekhidna", "hongriger-sohn", "sister")
    ),
    (r"Her attack has a range of (\d)", ("scenarios.43.facts.grasp_reach.0.1",)),
    (r"His attack has a range of (\d)", ("scenarios.43.facts.grasp_reach.1.1",)),
    (r"They have an attack range of (\d)", ("scenarios.43.facts.grasp_reach.2.1",)),
    # the armoury; whole cards are compared above
    (r"An unarmed hero has a H2H S/W of (\d+)/(\d+)", ("armoury.unarmed.h2h_stun", "armoury.unarmed.h2h_wound")),
    (
        r"M1 has a S/W of (\d)/(\d) with .* range of (\d)",
        tuple(f"armoury.weapon.M1 Thompson SMG.{v}" for v in ("stun", "wound", "pbr")),
    ),
    (r"His ROF is (\d) so he will roll", ("armoury.weapon.M1 Thompson SMG.rof",)),
    (r"pistol shown has a rate of fire of (\d),", ("armoury.weapon.Colt M1911.rof",)),
    (r"Its S/W is (\d)/(\d), meaning", ("armoury.weapon.Colt M1911.stun", "armoury.weapon.Colt M1911.wound")),
    (r"within his weapon's PB range of (\d)", ("armoury.weapon.Colt M1911.pbr",)),
    (r"The range modifier is (\d), adding", ("armoury.weapon.Colt M1911.rm",)),
    (r"MP-40 stuns on a (\d) at up to range (\d),", ("armoury.weapon.MP-40.stun", "armoury.weapon.MP-40.pbr")),
    (r"MG42 light machine gun, which has a ROF of (\d)", ("armoury.weapon.MG-42.rof",)),
    (r"penalties are negated within (\d) squares of the hero", ("armoury.weapon.Torch.also.light",)),
    (r"penalties are then negated within (\d) squares of the marker", ("armoury.gear.Flare.also.light",)),
    (r"figure takes (\d) wound every END SEGMENT", ("armoury.weapon.Webley #1 Mk V Flare Pistol.also.burn_wounds",)),
    (r"On a (\d)\+ the flare is removed", ("armoury.weapon.Webley #1 Mk V Flare Pistol.also.burn_ends_on",)),
    *(
        (r"up to a maximum of (\d) of each type", (name,))
        for name in ("armoury.weapon.Grenade.also.max", "armoury.supply.Ammo.also.max", "armoury.supply.Medkit.also.max")
    ),
    (r"have a max throwing range of (\d)", ("armoury.weapon.Satchel Charge.also.throw_range",)),
    (r"has a LOF to within a range of (\d+)", ("armoury.weapon.Panzerfaust.also.range",)),
    (r"use a base of (\d) when rolling", ("armoury.weapon.Panzerfaust.also.base",)),
    (
        r"causes (\d) wounds in the final .* and (\d) wound in",
        ("armoury.weapon.Panzerfaust.also.wounds_target", "armoury.weapon.Panzerfaust.also.wounds_area"),
    ),
    (r"A FmW 41 occupies (\d) gear slots", ("armoury.weapon.Flammenwerfer FmW 41.slots",)),
    (
        r"out to a range of (\d), dealing (\d) wounds",
        ("armoury.weapon.Flammenwerfer FmW 41.also.range", "armoury.weapon.Flammenwerfer FmW 41.also.wounds"),
    ),
    (r"enough fuel for (\d) shots", ("armoury.weapon.Flammenwerfer FmW 41.also.shots",)),
    (r"on a roll of 1-(\d) remove the marker", ("armoury.gear.Decoy.also.gone_up_to",)),
    (r"for this scenario only\. (\d) space item", ("armoury.item.Filthy Commissar Cap.slots",)),
    (r"Receive: Hinzelmann's Briefcase \((\d) space", ("armoury.item.Hinzelmann's Briefcase.slots",)),
    # BETWEEN SCENARIOS
    (r"(Decrease) threat level by (\d) per prisoner", ("between_scenarios.scenario.17.adjust.prisoner rescued.threat",)),
    (r"(Decrease) threat level by (\d) for each door", ("between_scenarios.scenario.30.adjust.door sealed.threat",)),
    (r"(Decrease) threat level by (\d) for each spawn", ("between_scenarios.scenario.30.adjust.spawn point destroyed.threat",)),
    (r"(Increase) threat level by (\d) for each Alpha", ("between_scenarios.scenario.30.adjust.Alpha Prime in play.threat",)),
    (r"(Decrease) threat level by (\d) if the Omega was", ("between_scenarios.scenario.31.adjust.Omega killed.threat",)),
    (r"(Decrease) threat level by (\d) for each projector", ("between_scenarios.scenario.40.adjust.projector destroyed.threat",)),
    (r"(Reduce) threat level by (\d) for each charge", ("between_scenarios.scenario.44.adjust.charge placed.threat",)),
    (r"(Increase) threat by (\d)\. If you placed any", ("between_scenarios.scenario.44.adjust.failed pressure.threat",)),
    (
        r"objective for Til and (reduces) threat level by (\d)",
        ("between_scenarios.scenario.44.adjust.cave-in.threat",),
    ),
    (
        r"Flamm revealed at O1, (decrease) threat by (\d)",
        ("between_scenarios.scenario.47.adjust.Stewart discovered or Flamm killed.threat",),
    ),
    (r"(Decrease) threat by (\d) if you kill the Omega", ("between_scenarios.scenario.47.adjust.Omega killed.threat",)),
)
"""Sentences of the manual, each with the numbers of the tables that it prints in its order."""
WORDS = {"no": 0, "none": 0, "zero": 0, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
SIGNS = {"decrease": -1, "reduce": -1, "reduces": -1, "increase": 1}


def numbers_of(found: re.Match[str]) -> list[int]:
    """The numbers of a sentence; a word for less or more gives its sign to the one that follows."""
    numbers, sign = [], 1
    for group in found.groups():
        if group is None:
            continue
        word = group.lower()
        if word in SIGNS:
            sign = SIGNS[word]
        else:
            numbers.append(sign * (WORDS[word] if word in WORDS else int(word)))
            sign = 1
    return numbers


def test_numbers_in_sentences(manual):
    text = "\n".join(manual)
    for sentence, names in SENTENCES:
        found = [numbers_of(match) for match in re.finditer(sentence, text)]
        assert found, sentence
        for numbers in found:
            assert numbers == [now(name) for name in names], sentence


def _own_steps(manual: list[str]) -> Iterator[tuple[str, int]]:
    """Numbers that are worked out from a sentence: the steps of the MP-40, the face after the last of the Flüchtig."""
    text = "\n".join(manual)
    low, high = map(int, re.findall(r"increases to a 7 at range (\d)-(\d)", text)[0])
    yield "armoury.weapon.MP-40.rm", high - low + 1
    start = next(i for i, row in enumerate(manual) if row.startswith("SPAWN LOCATION CHART"))
    for first, last in re.findall(r"(\d+)-(\d+) \| [A-F]", "\n".join(manual[start : start + 6])):
        yield "modifiers.limit.scenario-45.spawn-roll", int(last) - int(first) + 1
    for number in ("17", "30", "31", "40", "41", "43", "44"):
        start = max(i for i, row in enumerate(manual) if re.match(rf"{number}: ", row) and "Part 1 (" not in row)
        end = next((i for i in range(start + 1, len(manual)) if re.match(r"\d\d: ", manual[i]) and manual[i][:2] != number), None)
        title = re.search(r"BETWEEN SCENARIOS \(INCREASE THREAT LEVEL BY (\d)\)", "\n".join(manual[start:end]))
        yield f"between_scenarios.scenario.{number}.threat", int(title[1]) if title else 0
    for number, key in (("17", "characters"), ("31", "characters"), ("41", "characters"), ("43", "heroes")):
        start = min(i for i, row in enumerate(manual) if re.match(rf"{number}: ", row))
        forces = next(row for row in manual[start:] if row.startswith("- TEAM: "))
        yield f"between_scenarios.scenario.{number}.{key}", int(re.findall(r"x (\d)", forces)[0])


def test_numbers_worked_out(manual):
    for name, number in _own_steps(manual):
        assert now(name) == number, name


# --- skills -------------------------------------------------------------------------------------------------------------

SKILLS = {
    "aim": r"(-\d) (?:attack modifier|AM)",
    "rate": r"(?:ROF to|the ROF to) (\d)",
    "reroll": r"Any .*?(\d)'s you roll",
    "lowest": r"Any (\d)'s",
    "things": r"hold (\d) items",
    "squares": r"[Mm]ove (?:up to )?(\w+) squares?",
    "mp": r"(?:gain|receive|spend) \+?(\w+) (?:additional )?MPs?",
    "walking": r"receive (\d) MPs instead",
    "vision": r"add (one) to (?:your )?vision",
    "jump": r"\+(\d) (?:on|to your) rolls? when performing a jump",
    "roll": r"apply a \+(\d) to the roll",
    "throw": r"apply a (-\d) to the roll",
    "blast": r"AOE attack, apply a (-\d) AM",
    "wounds": r"inflict (one) wound",
    "search": r"\+/-(\d) to search",
}
"""How the sentences about skills print each kind of number."""


def test_skills_are_those_of_the_book(manual):
    checked = 0
    for person in tables.characters("riese").values():
        for skill in person.skills:
            row = tables.skill_values("riese").get(tables.skill_id("riese", skill.name, skill.owner), {})
            start = max((i for i, line in enumerate(manual) if line == person.printed), default=0)
            said = next((s for s in manual[start:] if s.replace('"', "").startswith(f"- {skill.name} (Lvl {skill.level}): ")), "")
            for key, value in row.items():
                if isinstance(value, bool) or not isinstance(value, int):
                    continue
                if upgrade := re.fullmatch(r"\+(\d) .*", skill.name):  # a trooper's: the record sheet prints no more
                    assert abs(value) == int(upgrade[1]), (skill.name, key)
                    continue
                # The manual lists faces one by one: "1's, 2's or 3's", of which the last counts.
                found = [word for sentence in [said] for word in re.findall(SKILLS[key], sentence)]
                numbers = {WORDS[word] if word in WORDS else int(word) for word in found}
                assert numbers == {value}, (skill.owner, skill.name, key, said)
                checked += 1
    assert checked > 60


# --- charts -------------------------------------------------------------------------------------------------------------


def _chart(manual: list[str], heading: str) -> list[list[Any]]:
    """The rows of a search chart of the book as charts.toml has them, lowest first."""
    start = next(i for i, row in enumerate(manual) if row.startswith(heading))
    start = next(i for i in range(start, len(manual)) if manual[i].startswith("| D12 ROLL"))
    rows: list[list[Any]] = []
    for line in manual[start + 2 :]:
        if not line.startswith("|"):
            return rows
        faces, said = (cell.strip() for cell in line.strip("|").split("|"))
        low, _, high = faces.partition("-")
        rows.append([int(low), int(high or low), _finds(said, rows)])
    return rows


def _finds(said: str, rows: list[list[Any]]) -> dict[str, Any]:
    """What a row says is found; a row may refer to the one before it."""
    found: dict[str, Any] = {}
    said = said.split(" If ", maxsplit=1)[0]  # what comes of conditions no chart holds
    if re.search(r"7-9", said):
        found |= rows[-1][2]
        said = said.replace("7-9", "")
    if match := re.search(r"[Rr]ead [Ee]ntry #(\d+)", said):
        found["read"] = int(match[1])
    if match := re.search(r"[Rr]oll on the (Special Chart|Special Items)", said):
        found["roll"] = {"Special Chart": "special", "Special Items": "loot-special"}[match[1]]
    for word in ("zombie", "nothing", "toxic"):
        if re.search(word, said, re.I) and not found:
            return {word: True}
    for count, name in re.findall(r"(\d) ?x ([A-Z][\w .-]*?)(?= and |,|\.|$)", said):
        found[_item(name)] = int(count)
    for name in re.findall(r"(Bucher's Briefcase|Filthy Commissar Cap|Hinzelmann's Briefcase|Hinzelmann File)", said):
        found[_item(name)] = 1
    return found


def _item(name: str) -> str:
    known = tables.find_item("riese", name) or tables.find_item("riese", name.removesuffix("s"))
    assert known is not None, name
    return known


CHARTS = {
    "supplies": "SUPPLIES CHART",
    "special": "SPECIAL CHART",
    "ekhidna": "SEARCH TABLE",
    "knobelbecher": "#88 The Weakness",
    "loot-1": "Search Results #1",
    "loot-2": "Search Results #2",
    "loot-3": "Search Results #3",
    "loot-special": "Special Items:",
}
"""Where the book prints each chart."""


def test_charts_are_those_of_the_book(manual):
    charts = read_toml(str(RULES / "charts.toml"))
    assert charts.keys() - CHARTS.keys() == {"womb-key"}, "the manual prints no table for it, but a sentence"
    for chart, heading in CHARTS.items():
        assert _chart(manual, heading) == sorted(charts[chart]["rows"]), chart


def test_energy_fields_are_those_of_the_book(manual):
    start = next(i for i, row in enumerate(manual) if row.startswith("| DIE ROLL | ACTIVE"))
    lines: list[list[Any]] = []
    for row in manual[start + 2 :]:
        if not row.startswith("|"):
            break
        faces, colours = (cell.strip() for cell in row.strip("|").split("|"))
        low, _, high = faces.partition("-")
        named = [c for c in ("blue", "purple", "green") if c in colours.lower() or colours == "All"]
        lines += [[int(low), int(high or low), colour] for colour in named]
        if "Starts" in colours:
            assert read_toml(str(RULES / "scenarios.toml"))["39"]["facts"]["energy_start"] == [[int(low)]]
    assert lines == read_toml(str(RULES / "scenarios.toml"))["39"]["facts"]["energy_row"]


COMPARISONS: dict[str, Callable[[Any], None]] = {
    name.removeprefix("test_"): test for name, test in sorted(globals().items()) if name.startswith("test_")
}
"""Every comparison of this file; each takes the rows of the manual and raises ``AssertionError`` where a table differs."""
