"""The printed tables against the book itself, and the finding of names by any usual spelling."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from riese_kb import tables
from riese_kb.errors import RulesError
from riese_kb.tables import ItemKind, Rank

ROOT = Path(__file__).resolve().parent.parent
TABLES = ("armoury.toml", "zombies.toml", "characters.toml")


@pytest.fixture
def manual(rulebooks: Path) -> list[str]:
    """The rows of the Riese field manual."""
    return (rulebooks / "riese_field_manual.txt").read_text(encoding="utf-8").split("\n")


# --- finding names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("FG-42", "FG-42"),
        ("fg42", "FG-42"),
        ("MG42", "MG-42"),
        ("mg 42", "MG-42"),
        ("StG-44", "StG-43/44"),
        ("STG-43", "StG-43/44"),
        ("STG-43/44", "StG-43/44"),
        ("stg44", "StG-43/44"),
        ("Thompson", "M1 Thompson SMG"),
        ("M1 Thompson", "M1 Thompson SMG"),
        ("Colt", "Colt M1911"),
        ("m1911", "Colt M1911"),
        ("Browning Automatic Rifle", "BAR"),
        ("sten gun", "Sten SMG"),
        ("Kukri Knives", "Kukri knives"),
        ("Lee-Enfield No 4", "Lee Enfield No. 4"),
        ("Mauser C96", "Mauser C96 Broom Handle"),
        ("Webley & Scott Mk. VI revolver", "Webley & Scott Mk VI Revolver"),
        ("flare pistol", "Webley #1 Mk V Flare Pistol"),
        ("Webley No 1 Mk V Flare Pistol", "Webley #1 Mk V Flare Pistol"),
        ("Tils Axe", "Til's Axe"),
        ("axe", "Axe"),
        ("FmW-41", "Flammenwerfer FmW 41"),
        ("molotov", "Molotov Cocktail"),
        ("satchel charges", "Satchel Charge"),
        ("gasmask", "Gas Mask"),
        ("Vampir IR sight", "Vampir II IR Targeting System"),
        ("grenades", "Grenade"),
        ("medkits", "Medkit"),
        ("Hinzelmann’s Briefcase", "Hinzelmann's Briefcase"),
    ],
)
def test_items_are_found_by_usual_spellings(spelling, name):
    assert tables.find_item("riese", spelling) == name
    assert name in tables.armoury("riese")


@pytest.mark.parametrize("spelling", ["", "  ", "-", "FG-43", "Webley", "Mauser", "z1). :- not", "x" * 100_000])
def test_nothing_is_guessed(spelling):
    assert tables.find_item("riese", spelling) is None
    assert tables.find_character("riese", spelling) is None
    assert tables.find_zombie_type("riese", spelling) is None
    assert tables.find_power("riese", spelling) is None
    assert tables.find_skill("riese", spelling) is None


def test_people_types_and_powers_are_found():
    assert tables.find_character("riese", 'Operative "Nicole"') == "Nicole"
    assert tables.find_character("riese", "Sgt. Daniel Kelley") == "Kelley"
    assert tables.find_character("riese", "irish") == "Kelley"
    assert tables.find_character("riese", "Spiering") == "Lies"
    assert tables.find_character("riese", "Sobieska") == tables.find_character("riese", "danika") == "Danika"
    assert tables.find_character("riese", "trooper") == "Trooper"
    assert tables.find_character("riese", "Max the dog") == "Max"
    assert tables.find_npc("riese", "SS Mannen") == "SS Mann"
    for spelling in ("gross-karl", "Groß Karl", "GROSS KARL", "karl"):
        assert tables.find_zombie_type("riese", spelling) == "gross-karl"
    assert tables.find_zombie_type("riese", "Flamm") == "flammenghul"
    for spelling in ("Flüchtig", "fluchtig", "FLUECHTIG"):
        assert tables.find_power("riese", spelling) == "fluchtig"
    assert tables.find_power("riese", "Leader of the Pack") == "leader-of-the-pack"
    assert tables.find_power("riese", "Schutzschild") == "shutzshild"


def test_skills_belong_to_their_owner():
    assert tables.find_skill("riese", "killing blow", "Nicole") == "Killing Blow"
    assert tables.find_skill("riese", "killing blow", "Kelley") is None
    assert tables.find_skill("riese", '"An eye for the good stuff"', "Kelley") == "An eye for the good stuff"
    assert tables.find_skill("riese", "Its all in the reflexes") == "It's all in the Reflexes"
    assert tables.find_skill("riese", "+1 MP", "Trooper") == "+1 MP"


def _spellings() -> Iterator[tuple[str, str, list[str]]]:
    """Every family of names: family, canonical name, all its spellings."""
    for item in tables.armoury("riese").values():
        yield "item", item.name, [item.name, *item.aliases]
    for zombie in tables.zombie_types("riese").values():
        yield "type", zombie.id, [zombie.id, zombie.name, *zombie.aliases]
    for power in tables.powers("riese").values():
        yield "power", power.id, [power.id, power.name, *power.aliases]
    for person in tables.characters("riese").values():
        yield "person", person.name, [person.name, *person.aliases, *([person.printed] if person.printed else [])]
    for person in tables.npcs("riese").values():
        yield "npc", person.name, [person.name, *person.aliases]


def test_no_spelling_means_two_things():
    seen: dict[tuple[str, str], str] = {}
    for family, name, spellings in _spellings():
        for spelling in spellings:
            assert seen.setdefault((family, tables.loose(spelling)), name) == name, spelling


def test_every_entry_has_a_citation_and_canonical_references():
    for item in tables.armoury("riese").values():
        assert item.cite
    for person in (*tables.characters("riese").values(), *tables.npcs("riese").values()):
        assert person.cite
        for name in (*person.prefers, *person.weapons):
            assert tables.weapon_card("riese", name) is not None, name
        for name in person.gear:
            assert name in tables.armoury("riese")
    for zombie in tables.zombie_types("riese").values():
        assert zombie.cite
        assert set(zombie.powers) <= set(tables.powers("riese"))


def test_what_is_not_printed_is_unknown_and_not_none():
    luger = tables.weapon_card("riese", "Luger")
    assert luger is not None
    assert (luger.stun, luger.rof, luger.h2h_known, luger.one_handed) == (None, None, False, True)
    grenade = tables.weapon_card("riese", "Grenade")
    assert grenade is not None
    assert (grenade.h2h_stun, grenade.h2h_known) == (None, True)
    assert tables.weapon_card("riese", "Gas Mask") is None
    assert tables.weapon_card("riese", "no such thing") is None


def test_slots():
    armoury = tables.armoury("riese")
    assert armoury["Flammenwerfer FmW 41"].slots == 2
    assert armoury["Blitz"].slots == 0
    assert armoury["Torch"].slots == 1
    assert armoury["Torch"].small
    assert armoury["Grenade"].kind is ItemKind.SUPPLY


def test_other_systems_have_no_tables_yet():
    with pytest.raises(RulesError, match=r"no table armoury\.toml for tannhaeuser"):
        tables.find_item("tannhaeuser", "Luger P-08")


# --- the book -------------------------------------------------------------------------------------------------------


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


WORDS = {"one": 1, "two": 2, "three": 3, "four": 4}


def _passage(manual: list[str], cite: str) -> str:
    """The rows under the heading that a citation ends with, up to the next heading."""
    place, _, heading = cite.rpartition(", ")
    if match := re.fullmatch(r"entry (\d+)", heading):
        start = next(i for i, row in enumerate(manual) if re.match(rf"#{match.group(1)}\b", row) and i > 1200)
    elif match := re.fullmatch(r"(?:part \d|scenario (\d+))", heading):
        number = match.group(1) or re.findall(r"scenario (\d+)", cite)[0]
        start = next(i for i, row in enumerate(manual) if re.match(rf"{number}: ", row) and i > 1700)
        return "\n".join(manual[start : start + 60])
    else:
        after = next((i for i, row in enumerate(manual) if row.startswith(place + " - ")), 0) if place else 0
        heads = [i for i, row in enumerate(manual) if row.startswith(heading) and i > after]
        start = heads[-1] if place == "Appendix 2" else heads[0]
    end = start + 1
    while not re.match(r"#\d|[A-Z][A-Z0-9Ü #/().ß-]{2,}(:|$)|\[Icon", manual[end]) or manual[end].startswith("[Icon"):
        end += 1
    return "\n".join(manual[start:end])


def test_every_further_number_stands_in_its_passage(manual):
    """What is neither card nor table: the figures under ``also``, slots, Max, and the partly printed weapons."""
    entries = [(item.cite, dict(item.also)) for item in tables.armoury("riese").values()]
    entries += [(power.cite, dict(power.also)) for power in tables.powers("riese").values()]
    for person in tables.characters("riese").values():
        values = dict(person.also)
        if person.name == "Max":
            assert (person.h2h_zombie, person.h2h_human) == ((3, 6), (6, 10))
            values |= {"walking": person.walking or 0, "running": person.running or 0, "a": 3, "b": 6, "c": 10}
        entries.append((person.cite, values))
    checked = 0
    for cite, values in entries:
        if not values:
            continue
        text = _passage(manual, cite)
        if "max" in values:
            text += _passage(manual, "SUPPLIES")
        numbers = {int(n) for n in re.findall(r"\d+", text)} | {n for word, n in WORDS.items() if word in text}
        assert set(values.values()) <= numbers, (cite, values)
        checked += len(values)
    assert checked > 40


def test_partly_printed_weapons(manual):
    text = "\n".join(manual)
    for passage in (
        r"M1 has .* 5/9 .* range of 4",
        r"Colt M1911 .* fire of 1\b",
        r"MP-40 stuns on a 6 .* range 4, .* 7 at range 5-6",
        r"MG42 .* ROF of 3",
        r"unarmed .* 10/12",
    ):
        assert re.search(passage, text), passage
    values: dict[str, tuple[int | None, ...]] = {
        "M1 Thompson SMG": (2, 5, 9, 4, None),
        "Colt M1911": (1, 6, 9, 4, 1),
        "MP-40": (None, 6, None, 4, 2),
        "MG-42": (3, None, None, None, None),
    }
    for name, expected in values.items():
        card = tables.weapon_card("riese", name)
        assert card is not None
        assert (card.rof, card.stun, card.wound, card.pbr, card.rm) == expected
        assert not card.h2h_known
    unarmed = tables.unarmed("riese")
    assert (unarmed.h2h_stun, unarmed.h2h_wound) == (10, 12)


def test_every_name_stands_in_the_book(manual):
    book = tables.loose("".join(manual))
    for family, name, _ in _spellings():
        assert tables.loose(name) in book, (family, name)


def test_the_files_are_small_enough_to_be_read_at_every_start():
    for name in TABLES:
        path = ROOT / "rules" / "riese" / name
        assert path.stat().st_size < 16_000
        assert tomllib.loads(path.read_text(encoding="utf-8"))
