"""What heroes carry, as facts: how many of each thing, and what the book prints about the room that things take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from riese_kb import tables
from riese_kb.board import Board, Figure
from riese_kb.boardweapons import weapon_values
from riese_kb.errors import MissingValue
from riese_kb.facts import Name, fact
from riese_kb.tables import ItemKind

FULL_AMMO = 3
"""The ammo of a hero whose board says nothing of it (contract, section 1)."""


def supplies(figure: Figure) -> dict[str, int]:
    """The supplies of a hero, by canonical name."""
    ammo = FULL_AMMO if figure.ammo is None else figure.ammo
    return {"Ammo": ammo, "Grenade": figure.grenades or 0, "Medkit": figure.medkits or 0}


def stock(figure: Figure) -> Counter[str]:
    """Everything that a hero has: the weapons in hand first, then gear and supplies."""
    found = Counter(name for name in (figure.weapon, figure.off_hand, *figure.gear) if name)
    found.update({name: count for name, count in supplies(figure).items() if count})
    return found


def item_facts(board: Board, names: Iterable[str]) -> str:
    """What is printed about things: their kind, the room they take, and whether they need one hand only."""
    return "".join(_facts(board, name) for name in dict.fromkeys(names))


def _facts(board: Board, name: str) -> str:
    item = tables.armoury(board.system).get(name)
    own = any(weapon.name == name for weapon in board.weapons)
    kind = item.kind if item is not None else ItemKind.WEAPON if own else ItemKind.ITEM
    facts = [fact("item", name, Name(kind))]
    if item is not None and item.printed_slots is not None:
        facts.append(fact("printed_slots", name, item.slots) if item.slots else fact("zero_space", name))
    if item is not None and item.small:
        facts.append(fact("small", name))
    if kind is ItemKind.WEAPON:
        card = weapon_values(board, name)
        if card.rm == "A":
            facts.append(fact("explosive", name))
        elif card.one_handed is None:
            facts.append(fact("unknown_hand", name))
        elif card.one_handed:
            facts.append(fact("one_handed", name))
    if item is not None and "max" in item.also:
        facts.append(fact("most", name, item.also["max"]))
    return "".join(facts)


def unknown_hand(board: Board, things: Iterable[str]) -> MissingValue:
    """What is said where the room depends on a weapon of which nobody knows whether it is one-handed."""
    name = next(name for name in things if "unknown_hand" in item_facts(board, [name]))
    return MissingValue(
        f"the book does not print whether {name} is one-handed, and the room depends on it",
        fix=f'add it to the board: [[weapon]] name = "{name}", one_handed = true (or false)',
    )
