"""The printed tables against the book itself, and the finding of names by any usual spelling."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from riese_kb import tables
from riese_kb.errors import RulesError
from riese_kb.tables import ItemKind

ROOT = Path(__file__).resolve().parent.parent
TABLES = ("armoury.toml", "zombies.toml", "characters.toml")


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


def test_every_name_stands_in_the_book(manual):
    book = tables.loose("".join(manual))
    for family, name, _ in _spellings():
        assert tables.loose(name) in book, (family, name)


def test_the_files_are_small_enough_to_be_read_at_every_start():
    for name in TABLES:
        path = ROOT / "rules" / "riese" / name
        assert path.stat().st_size < 16_000
        assert tomllib.loads(path.read_text(encoding="utf-8"))
