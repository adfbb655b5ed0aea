"""The printed tables: weapons and items, zombie types and powers, characters and their skills.

They are read from ``rules/<system>/*.toml``, each file when it is first needed and once a process. Names are found by
any usual spelling: case, blanks, dots, dashes, slashes, quotes and umlaut dots never count, and each entry may have
aliases. Nothing here knows what a skill or a power does; that is the logic's business.

The records are named tuples and not data classes because every question waits for their definition: 0.3 ms against 1.5.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from riese_kb.board import MAIN, Weapon
from riese_kb.errors import RulesError

_NOTHING: Mapping[str, int] = MappingProxyType({})


class ItemKind(StrEnum):
    """What the book calls a thing that a hero can carry (ITEM)."""

    WEAPON = "weapon"
    GEAR = "gear"
    SUPPLY = "supply"
    ITEM = "item"


class Rank(StrEnum):
    """Whether a person is a character, a trooper (both are heroes) or an NPC."""

    CHARACTER = "character"
    TROOPER = "trooper"
    NPC = "npc"


class Item(NamedTuple):
    """Anything a hero can carry. ``weapon`` holds the card of what can be attacked with, grenades included.

    ``slots`` is the number of gear slots it fills (0: zero-space), ``printed_slots`` that number
    where the book prints it; ``small`` things share the webbing slot. ``also``
    holds further printed figures by name, e.g. a throwing range in squares.
    """

    name: str
    kind: ItemKind
    cite: str
    weapon: Weapon | None = None
    aliases: tuple[str, ...] = ()
    small: bool = False
    slots: int = 1
    printed_slots: int | None = None
    also: Mapping[str, int] = _NOTHING


class ZombieType(NamedTuple):
    """One zombie type of Appendix 2. ``category`` is the word of the experience table, ``powers`` hold power ids."""

    id: str
    name: str
    category: str
    move: int
    attack: int
    health: int
    cite: str
    powers: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    counterpart: str | None = None
    """The type of the sibling game that stands in its place there."""


class Power(NamedTuple):
    """One zombie power of Appendix 2."""

    id: str
    name: str
    cite: str
    aliases: tuple[str, ...] = ()
    also: Mapping[str, int] = _NOTHING


class Skill(NamedTuple):
    """One skill: its group and level on the owner's dashboard, and its price in experience points."""

    name: str
    owner: str
    group: str
    level: int
    xp: int


class Person(NamedTuple):
    """A character, trooper or NPC that the book names, with everything printed about them.

    ``walking``/``running`` (MP) and the H2H values (stun, wound) are given only where they differ from everybody's.
    ``prefers`` are preferred weapons, ``weapons`` and ``gear`` what the person is met with; ``objective`` is the name of the
    personal objective, ``objective_steps`` how much of what it asks for.
    """

    name: str
    rank: Rank
    health: int
    cite: str
    printed: str | None = None
    aliases: tuple[str, ...] = ()
    skills: tuple[Skill, ...] = ()
    prefers: tuple[str, ...] = ()
    objective: str | None = None
    objective_steps: Mapping[str, int] = _NOTHING
    weapons: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    walking: int | None = None
    running: int | None = None
    h2h_zombie: tuple[int, int] | None = None
    h2h_human: tuple[int, int] | None = None


@cache
def data_root() -> str:
    """The folder that holds ``logic/``, ``rules/`` and ``queries/``: the checkout, else the installed data folder.

    A plain path and not a ``Path``: the import of pathlib would cost every question 4 ms.
    """
    checkout = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if os.path.isfile(os.path.join(checkout, "pyproject.toml")) and os.path.isdir(os.path.join(checkout, "logic")):
        return checkout
    # Its path and not importlib.resources: the folder has no __init__, and a namespace has no single resource root.
    return str(import_module("riese_kb_data").__path__[0])


_IGNORED = str.maketrans("äöüáàâéèêóòúùíìñç", "aouaaaeeeoouuiinc", " \t-‐‑‒–—_./\\,;'’‘`´\"“”„«»!?…()&#+")


def loose(spelling: str) -> str:
    """The letters and digits of a spelling that count when names are compared.

    Raises nothing; ``loose("StG 44") == loose("STG-44")``, and ``loose("Groß Karl") == loose("gross-karl")``.
    """
    return spelling.casefold().translate(_IGNORED)


def _index(entries: Iterable[tuple[str, Iterable[str | None]]]) -> dict[str, str]:
    """All loose spellings, each with the one canonical name it stands for; the first entry wins."""
    found: dict[str, str] = {}
    for name, others in entries:
        for spelling in (name, *others):
            if spelling is not None:
                found.setdefault(loose(spelling), name)
    return found


@cache
def _toml(system: str, name: str) -> dict[str, Any]:
    import tomllib

    path = os.path.join(data_root(), "rules", system, name)
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except FileNotFoundError:
        raise RulesError(f"no table {name} for {system}", fix=f'system = "{MAIN}" is understood') from None


def _entries(table: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The tables ``[[key]]`` with lists made tuples, so that they can fill frozen records."""
    return [{k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()} for entry in table.get(key, ())]


# --- the armoury ----------------------------------------------------------------------------------------------------

WEAPON_VALUES = tuple(name for name in Weapon.__struct_fields__ if name not in ("name", "h2h_known", "supplied"))
"""The fields of a weapon card that a book or a board may state."""


def _item(kind: ItemKind, entry: dict[str, Any]) -> Item:
    card = {key: entry.pop(key) for key in (*WEAPON_VALUES, "h2h_known") if key in entry}
    weapon = Weapon(name=entry["name"], **card) if kind is ItemKind.WEAPON else None
    printed = entry.pop("slots", 0 if entry.pop("zero_space", False) else None)
    slots = 1 if printed is None else printed
    kind = ItemKind(entry.pop("kind", kind))
    return Item(**entry, kind=kind, weapon=weapon, slots=slots, printed_slots=printed)


@cache
def armoury(system: str) -> Mapping[str, Item]:
    """Everything that can be carried, by canonical name (Appendix 1, and what entries hand out)."""
    table = _toml(system, "armoury.toml")
    return {entry["name"]: _item(kind, entry) for kind in ItemKind for entry in _entries(table, kind)}


@cache
def _items(system: str) -> dict[str, str]:
    return _index((item.name, item.aliases) for item in armoury(system).values())


def find_item(system: str, spelling: str) -> str | None:
    """The canonical name of a weapon, piece of gear, supply or item; None when the book knows none like it."""
    return _items(system).get(loose(spelling))


def weapon_card(system: str, name: str) -> Weapon | None:
    """The printed card of a weapon, by canonical name; None when the book knows no such weapon."""
    item = armoury(system).get(name)
    return None if item is None else item.weapon


@cache
def unarmed(system: str) -> Weapon:
    """The hand-to-hand values of a hero without a weapon fit for it (HAND TO HAND)."""
    values = _toml(system, "armoury.toml")["unarmed"]
    return Weapon(name="unarmed", h2h_stun=values["h2h_stun"], h2h_wound=values["h2h_wound"])


def most_carried(system: str, supply: str) -> int:
    """How many of a supply one hero carries at most (SUPPLIES)."""
    return armoury(system)[supply].also["max"]


def most_tokens(system: str) -> int:
    """How many scratch tokens a team holds at most (SCRATCH RULE)."""
    return int(_toml(system, "modifiers.toml")["limit"]["scratch.most"])


# --- zombies --------------------------------------------------------------------------------------------------------


@cache
def zombie_types(system: str) -> Mapping[str, ZombieType]:
    """The zombie types, by id."""
    return {e["id"]: ZombieType(**e) for e in _entries(_toml(system, "zombies.toml"), "type")}


@cache
def powers(system: str) -> Mapping[str, Power]:
    """The zombie powers, by id."""
    return {e["id"]: Power(**e) for e in _entries(_toml(system, "zombies.toml"), "power")}


@cache
def _types(system: str) -> dict[str, str]:
    return _index((t.id, (t.name, *t.aliases)) for t in zombie_types(system).values())


@cache
def _powers(system: str) -> dict[str, str]:
    return _index((p.id, (p.name, *p.aliases)) for p in powers(system).values())


def find_zombie_type(system: str, spelling: str) -> str | None:
    """The id of a zombie type; None when there is none like it."""
    return _types(system).get(loose(spelling))


def find_power(system: str, spelling: str) -> str | None:
    """The id of a zombie power; None when there is none like it."""
    return _powers(system).get(loose(spelling))


# --- people ---------------------------------------------------------------------------------------------------------


def _skills(entry: dict[str, Any], prices: Mapping[str, Any]) -> tuple[Skill, ...]:
    """The skills of one person: nine in three groups for a character, the two upgrades of the record sheet else."""
    owner = entry["name"]
    groups: Mapping[str, list[str]] = entry.pop("skills", {})
    return tuple(
        Skill(name=name, owner=owner, group=group, level=level, xp=prices["levels"][level - 1])
        for group, names in groups.items()
        for level, name in enumerate(names, 1)
    )


@cache
def _people(system: str) -> dict[str, Person]:
    table = _toml(system, "characters.toml")
    prices = table["xp"]
    found: dict[str, Person] = {}
    for rank in Rank:
        for entry in _entries(table, rank):
            skills = _skills(entry, prices)
            if rank is Rank.TROOPER:
                upgrades = enumerate(prices["trooper"].items(), 1)
                skills = tuple(Skill(name=n, owner=entry["name"], group="Upgrades", level=i, xp=xp) for i, (n, xp) in upgrades)
            person = Person(**{"health": table["health"][rank], **entry}, rank=rank, skills=skills)
            found[person.name] = person
    return found


@cache
def characters(system: str) -> Mapping[str, Person]:
    """Characters and troopers, by canonical name; ``Trooper`` is the one without a name of his own."""
    return {name: p for name, p in _people(system).items() if p.rank is not Rank.NPC}


@cache
def npcs(system: str) -> Mapping[str, Person]:
    """The NPCs that entries and scenarios name, by canonical name."""
    return {name: p for name, p in _people(system).items() if p.rank is Rank.NPC}


@cache
def _names(system: str) -> dict[str, str]:
    return _index((p.name, (p.printed, *p.aliases)) for p in characters(system).values())


@cache
def _npc_names(system: str) -> dict[str, str]:
    return _index((p.name, (p.printed, *p.aliases)) for p in npcs(system).values())


@cache
def _skill_names(system: str, owner: str | None) -> dict[str, str]:
    people = characters(system).values() if owner is None else (characters(system)[owner],)
    return _index((skill.name, ()) for person in people for skill in person.skills)


def all_characters(system: str) -> bool:
    """Whether the book names all characters that there are."""
    return bool(_toml(system, "characters.toml").get("complete", True))


def find_character(system: str, spelling: str) -> str | None:
    """The canonical name of a character or trooper; None when there is nobody like that."""
    return _names(system).get(loose(spelling))


def find_npc(system: str, spelling: str) -> str | None:
    """The canonical name of a printed NPC; None when there is nobody like that."""
    return _npc_names(system).get(loose(spelling))


def find_skill(system: str, spelling: str, owner: str | None = None) -> str | None:
    """The printed name of a skill: of anybody's, or only of ``owner``'s (a canonical name); None when there is none."""
    return _skill_names(system, owner).get(loose(spelling))


@cache
def skill_values(system: str) -> Mapping[str, Mapping[str, Any]]:
    """What skills come to in numbers, by the last part of their rules' ids (Appendix 4)."""
    return _toml(system, "skills.toml")


def series(skill: str) -> tuple[str, int] | None:
    """``Tactics 2`` is the second of the series Tactics; None for a skill without a number at its end."""
    stem, _, number = skill.rpartition(" ")
    return (stem, int(number)) if stem and number.isdecimal() else None


@cache
def skill_id(system: str, name: str, owner: str | None) -> str:
    """The last part of the id of a skill's rule: ``Tactics 1`` → ``tactics-1``; ``owner`` where one name is two skills."""
    plain = "".join(c if c.isalnum() or c in " -" else "" for c in name.lower())
    id = "-".join(plain.replace("-", " ").split())
    instead: Mapping[str, str] = skill_values(system).get(id, {}).get("instead", {})
    return instead.get(owner or "", id)


def unprinted(system: str) -> Mapping[str, tuple[str, ...]]:
    """Modifiers that the rules add and the book prints no value of: what a board calls them, by the ids of their rules."""
    table: Mapping[str, list[str]] = _toml(system, "modifiers.toml").get("unprinted", {})
    return {rule: tuple(names) for rule, names in table.items()}


def default_health(system: str, kind: str) -> int | None:
    """The printed health of a figure without a printed name of its own; None where the book prints none (civilians)."""
    printed: dict[str, int] = _toml(system, "characters.toml")["health"]
    return printed.get({"hero": "character"}.get(kind, kind))
