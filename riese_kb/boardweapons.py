"""The weapons of a board: its ``[[weapon]]`` tables, and the card that counts where book and board both speak."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from riese_kb import tables
from riese_kb.board import Board, System, Weapon
from riese_kb.boardsource import Table, shown
from riese_kb.errors import QuestionError, did_you_mean

_KEYS = ("name", *tables.WEAPON_VALUES)
_RM = 'rm takes a whole number from 1 to 40, "A" (explosive) or "H" (hand to hand)'


def read_weapons(system: System, found: Iterable[Table]) -> tuple[Weapon, ...]:
    """The weapons of the ``[[weapon]]`` tables, under canonical names. Raises BoardError."""
    weapons: dict[str, Weapon] = {}
    for table in found:
        weapon = _weapon(system, table)
        if weapons.setdefault(tables.loose(weapon.name), weapon) is not weapon:
            raise table.error(f"{table.called} is given twice", "write its values into one [[weapon]]", "name")
    return tuple(weapons.values())


def _weapon(system: System, table: Table) -> Weapon:
    table.only(_KEYS)
    table.need("name", 'name = "…"')
    word = table.text("name") or ""
    if not tables.loose(word):
        raise table.error(f"name of {table.called} is {shown(word)}", "name the weapon with letters", "name")
    name = tables.find_item(system, word)
    if name is not None and tables.weapon_card(system, name) is None:
        raise table.error(f"{name} is no weapon", "choose another name for a weapon of your own", "name")
    name = name or word
    table.called = f"weapon {shown(name)}"
    return Weapon(
        name=name,
        rof=table.number_in("rof", 1, 20),
        stun=table.number_in("stun", 1, 40),
        wound=table.number_in("wound", 1, 40),
        pbr=table.number_in("pbr", 1, 40),
        rm=_range_modifier(table),
        h2h_stun=table.number_in("h2h_stun", 1, 40),
        h2h_wound=table.number_in("h2h_wound", 1, 40),
        one_handed=table.flag("one_handed"),
        select_fire=table.flag("select_fire"),
        supplied=True,
    )


def read_modifiers(system: System, found: Iterable[Table]) -> Mapping[str, int]:
    """The modifiers of the ``[[modifier]]`` tables, by the ids of the rules that want them. Raises BoardError."""
    modifiers: dict[str, int] = {}
    for table in found:
        table.only(("name", "value"))
        table.need("name", 'name = "stunned"')
        table.need("value", "value = -3")
        word = table.text("name") or ""
        known = tables.unprinted(system)
        rule = next((id for id, names in known.items() if tables.loose(word) in map(tables.loose, (id, *names))), None)
        if rule is None:
            names = [name for names in known.values() for name in names]
            raise table.error(f"no modifier to be supplied is called {shown(word)}", did_you_mean(word, names), "name")
        if rule in modifiers:
            raise table.error(f"the modifier {shown(word)} is given twice", "one value is enough", "name")
        modifiers[rule] = table.number_in("value", -12, 12) or 0
    return modifiers


def _range_modifier(table: Table) -> int | str | None:
    value = table.data.get("rm")
    if not isinstance(value, str):
        return table.number_in("rm", 1, 40)
    if value not in ("A", "H"):
        raise table.error(f"rm of {table.called} is {shown(value)}", _RM, "rm")
    return value


def weapon_names(board: Board) -> tuple[str, ...]:
    """All weapons that may be named on this board, its own first."""
    return weapon_names_of(board.system, board.weapons)


def weapon_names_of(system: System, weapons: Iterable[Weapon]) -> tuple[str, ...]:
    """As ``weapon_names``, while the board is still being read."""
    own = [weapon.name for weapon in weapons]
    return (*own, *(name for name, item in tables.armoury(system).items() if item.weapon and name not in own))


def find_weapon(board: Board, spelling: str) -> str | None:
    """The canonical name of a weapon, the board's own or a printed one, in any usual spelling; None: there is none."""
    return find_weapon_of(board.system, board.weapons, spelling)


def find_weapon_of(system: System, weapons: Iterable[Weapon], spelling: str) -> str | None:
    """As ``find_weapon``, while the board is still being read."""
    key = tables.loose(spelling)
    for weapon in weapons:
        if tables.loose(weapon.name) == key:
            return weapon.name
    name = tables.find_item(system, spelling)
    return name if name is not None and tables.weapon_card(system, name) else None


def weapon_values(board: Board, name: str) -> Weapon:
    """The card that counts on this board: the printed values, overlaid with what the board supplies.

    ``name`` is canonical. ``supplied`` says whether the board gave any value; hand-to-hand values stay unknown
    (``h2h_known``) where the card is not printed and the board does not give both. A weapon of the board's own has
    exactly the values given. Raises QuestionError for a weapon that is neither printed nor given.
    """
    printed = tables.weapon_card(board.system, name)
    given = next((weapon for weapon in board.weapons if weapon.name == name), None)
    if given is None:
        if printed is None:
            raise QuestionError(f"unknown weapon {shown(name)}", fix=did_you_mean(name, weapon_names(board)))
        return printed
    if printed is None:
        return given
    stated = {key: value for key in tables.WEAPON_VALUES if (value := getattr(given, key)) is not None}
    known = printed.h2h_known or ("h2h_stun" in stated and "h2h_wound" in stated)
    return replace(printed, **stated, h2h_known=known, supplied=bool(stated))
