"""The figures of a board: its ``[[figure]]`` tables, checked and under canonical names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from riese_kb import tables
from riese_kb.board import Declared, Facing, Figure, Kind, Square, System, Terrain, Weapon, parse_square, square_name
from riese_kb.boardmap import Grid
from riese_kb.boardsource import Table, hint, shown
from riese_kb.boardweapons import find_weapon_of, weapon_names_of
from riese_kb.tables import ItemKind

FATIGUE_LIMIT = 12
"""The most fatigue a board may give a hero; the track that the book prints parts of is shorter."""

HEALTH_LIMIT = 20
"""The most health a board may give a figure; no printed value comes near."""

MOST_POINTS = 30
"""The most movement points a board may give a hero; no printed value comes near."""

_ALL = ("id", "kind", "at", "health")
_ARMED = ("name", "weapon", "gear", "ammo", "grenades", "medkits", "status")
_HEROIC = ("facing", "declared", "off_hand", "food", "fatigue", "fuel", "mp", "rescued", "skills", "used")
_KEYS: Mapping[Kind, tuple[str, ...]] = {
    Kind.HERO: (*_ALL, *_ARMED, *_HEROIC),
    Kind.NPC: (*_ALL, *_ARMED),
    Kind.ZOMBIE: (*_ALL, "type", "powers", "status"),
    Kind.CIVILIAN: (*_ALL, "name"),
    Kind.SOLDIER: (*_ALL, "name"),
}
_STATUS: Mapping[Kind, tuple[str, ...]] = {
    Kind.HERO: ("covering", "attacked", "burning", "blitz", "crash", "bayonet"),
    Kind.NPC: ("covering", "attacked", "burning"),
    Kind.ZOMBIE: ("stunned", "unrevealed", "burning", "ordered"),
    Kind.CIVILIAN: (),
    Kind.SOLDIER: (),
}
_KINDS = {kind.value: kind for kind in Kind}
_FACINGS = {facing.value: facing for facing in Facing}
_DECLARED = {declared.value: declared for declared in Declared if declared is not Declared.REACTION}
_COUNTED = {"Ammo": "ammo", "Grenade": "grenades", "Medkit": "medkits", "Food": "food"}
"""The supplies, each with the key that counts it."""
_NO_STANDING = {
    Terrain.OBSTRUCTIVE: "obstructive (#)",
    Terrain.BARRING: "barred to movement (:)",
    Terrain.VOID: "no part of the map",
}
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}\Z")
_LOCK = "locks:"
_TANK = "Flammenwerfer FmW 41"


def read_figures(system: System, grid: Grid, weapons: tuple[Weapon, ...], found: Iterable[Table]) -> tuple[Figure, ...]:
    """The figures of the ``[[figure]]`` tables, in their order. Raises BoardError.

    Ids are unique whatever their case, since questions ignore case; no two figures share a square.
    """
    read: list[tuple[Table, Figure]] = []
    ids: dict[str, Figure] = {}
    places: dict[Square, Figure] = {}
    for table in found:
        figure = FigureReader(system, grid, weapons, table).figure()
        twin = ids.setdefault(figure.id.casefold(), figure)
        if twin is not figure:
            fix = "each figure needs its own" if twin.id == figure.id else f"ids ignore case, and {twin.id} is taken"
            raise table.error(f"two figures have the id {shown(figure.id)}", fix, "id")
        other = places.setdefault(figure.at, figure)
        if other is not figure:
            what = f"{other.id} and {figure.id} both stand at {square_name(figure.at)}"
            raise table.error(what, "one figure a square", "at")
        read.append((table, figure))
    victims = {f.id.casefold(): f.id for f in ids.values() if f.kind is not Kind.ZOMBIE}
    return tuple(_with_locks(table, figure, victims) if figure.locks else figure for table, figure in read)


def _with_locks(table: Table, figure: Figure, victims: Mapping[str, str]) -> Figure:
    """The zombie with the ids it locks spelled as their owners spell them; a barricade's lock has no figure."""

    def find(word: str) -> str | None:
        return victims.get(word.casefold())

    locks = (table.known("status", id, find, "hero to lock", victims.values()) for id in figure.locks)
    return replace(figure, locks=tuple(dict.fromkeys(locks)))


def read_square(grid: Grid, table: Table) -> Square:
    """The square under ``at``, which must lie within the grid."""
    table.need("at", 'at = "A1"')
    word = table.text("at") or ""
    at = parse_square(word)
    if at is None:
        raise table.error(f"at of {table.called} is {shown(word)}", "squares are named like C4 or AA12", "at")
    if at[0] > grid.width or at[1] > grid.height:
        last = square_name((grid.width, grid.height))
        raise table.error(f"{table.called} is at {square_name(at)}, off the map", f"the map is A1 to {last}", "at")
    return at


class FigureReader:
    """Reads one ``[[figure]]``."""

    __slots__ = ("grid", "system", "table", "weapons")

    def __init__(self, system: System, grid: Grid, weapons: tuple[Weapon, ...], table: Table) -> None:
        self.system = system
        self.grid = grid
        self.weapons = weapons
        self.table = table

    def figure(self) -> Figure:
        """The figure of this table."""
        table = self.table
        id = self._id()
        table.called = f"figure {shown(id)}"
        kinds = {word: kind for word, kind in _KINDS.items() if not self.system.lacks(word)}
        words = [f'"{word}"' for word in kinds]
        table.need("kind", f"kind = {', '.join(words[:-1])} or {words[-1]}")
        kind = table.choice("kind", kinds) or Kind.HERO
        self._keys(kind)
        name = self._name(kind)
        status, locks = self._status(kind)
        gear = tuple(self._gear(word) for word in table.texts("gear"))
        return Figure(
            id=id,
            kind=kind,
            at=self._stand(),
            name=name,
            type=self._type(),
            facing=table.choice("facing", _FACINGS),
            declared=table.choice("declared", _DECLARED),
            weapon=self._weapon("weapon"),
            off_hand=self._weapon("off_hand"),
            ammo=self._supply("Ammo", gear),
            grenades=self._supply("Grenade", gear),
            medkits=self._supply("Medkit", gear),
            mp=table.number_in("mp", 0, MOST_POINTS),
            food=self._supply("Food", gear),
            fatigue=table.number_in("fatigue", 0, FATIGUE_LIMIT) or 0,
            fuel=table.number_in("fuel", 0, tables.armoury(self.system)[_TANK].also["shots"]) if "fuel" in table.data else None,
            rescued=table.number_in("rescued", 0, 20) or 0,
            gear=gear,
            health=table.number_in("health", 0, HEALTH_LIMIT),
            skills=self._skills("skills", name),
            used=self._skills("used", None),
            powers=self._powers(),
            status=status,
            locks=locks,
        )

    def _supply(self, name: str, gear: tuple[str, ...]) -> int | None:
        """How much of a supply the hero has; gear that holds more of it says so in the armoury (``holds_<supply>``)."""
        key = _COUNTED[name]
        if key not in self.table.data:
            return None
        armoury = tables.armoury(self.system)
        room = max((armoury[worn].also.get(f"holds_{key}", 0) for worn in gear if worn in armoury), default=0)
        return self.table.number_in(key, 0, max(tables.most_carried(self.system, name), room))

    def _id(self) -> str:
        self.table.need("id", 'id = "…"')
        id = self.table.text("id") or ""
        if not _ID.match(id):
            fix = "ids have letters A to Z, digits, _ and -, at most 40"
            raise self.table.error(f"id of {self.table.called} is {shown(id)}", fix, "id")
        return id

    def _keys(self, kind: Kind) -> None:
        """Refuse keys that no figure has, and keys of another kind of figure."""
        for key in self.table.data:
            if self.system.lacks(key):
                what = f'unknown key "{key}" on a board of {self.system.called}'
                raise self.table.error(what, self.system.where_else(key), key)
            owners = [other.value for other in Kind if key in _KEYS[other] and not self.system.lacks(other)]
            if owners and kind.value not in owners:
                what = f"{self.table.called} is a {kind.value} and cannot have {key}"
                raise self.table.error(what, f"{key} is for {' and '.join(owners)} figures", key)
        self.table.only(_KEYS[kind])

    def _stand(self) -> Square:
        at = read_square(self.grid, self.table)
        why = _NO_STANDING.get(self.grid.terrain[at])
        if why is not None:
            what = f"{self.table.called} stands at {square_name(at)}, which is {why}"
            raise self.table.error(what, self._near(at), "at")
        return at

    def _near(self, at: Square) -> str:
        """Advice: the square nearest to this one that a figure may stand on."""
        free = [square for square, kind in self.grid.terrain.items() if kind not in _NO_STANDING]
        if not free:
            return "this map has no square to stand on"
        close = min(free, key=lambda s: (abs(s[0] - at[0]) + abs(s[1] - at[1]), s[1], s[0]))
        return f"{square_name(close)} is the nearest square to stand on"

    def _aliases(self, entries: Iterable[tables.Item | tables.Person | tables.ZombieType]) -> list[str]:
        return [alias for entry in entries for alias in entry.aliases]

    def _name(self, kind: Kind) -> str | None:
        """Heroes have printed names; an NPC or a civilian may be called anything."""
        word = self.table.text("name")
        if word is None or kind is not Kind.HERO:
            return None if word is None else tables.find_npc(self.system, word) or word
        people = tables.characters(self.system)

        def find(spelling: str) -> str | None:
            return tables.find_character(self.system, spelling)

        if not tables.all_characters(self.system) and find(word) is None:
            return word
        return self.table.known("name", word, find, "hero", people, also=self._aliases(people.values()))

    def _type(self) -> str | None:
        word = self.table.text("type")
        if word is None:
            return None
        types = tables.zombie_types(self.system)

        def find(spelling: str) -> str | None:
            return tables.find_zombie_type(self.system, spelling)

        return self.table.known("type", word, find, "zombie type", types, also=self._aliases(types.values()))

    def _weapon(self, key: str) -> str | None:
        word = self.table.text(key)
        if word is None:
            return None
        found = find_weapon_of(self.system, self.weapons, word)
        if found is not None:
            return found
        item = tables.find_item(self.system, word)
        if item is not None:
            what = f"{key} of {self.table.called} is {item}, which is no weapon"
            raise self.table.error(what, f"carry it: gear = [{shown(item)}]", key)
        cards = (item for item in tables.armoury(self.system).values() if item.weapon)
        fix = hint(word, weapon_names_of(self.system, self.weapons), self._aliases(cards))
        what = f"unknown weapon {shown(word)} in {self.table.called}"
        raise self.table.error(what, f"{fix} or describe it in a [[weapon]]", key)

    def _gear(self, word: str) -> str:
        found = find_weapon_of(self.system, self.weapons, word) or tables.find_item(self.system, word)
        armoury = tables.armoury(self.system)
        if found is None:
            names = (*(weapon.name for weapon in self.weapons), *armoury)
            what = f"unknown weapon or gear {shown(word)} in {self.table.called}"
            raise self.table.error(what, hint(word, names, self._aliases(armoury.values())), "gear")
        if found in armoury and armoury[found].kind is ItemKind.SUPPLY:
            what = f"gear of {self.table.called} lists {found}, which is counted"
            raise self.table.error(what, f"write {_COUNTED[found]} = 1", "gear")
        return found

    def _skills(self, key: str, owner: str | None) -> tuple[str, ...]:
        """Printed skill names; a named hero has only his own, while ``used`` may name one that was used on him."""
        words = self.table.texts(key)
        people = tables.characters(self.system) if words else {}
        known = [s.name for name, person in people.items() if owner in (None, name) for s in person.skills]

        known += ["Blitz"] if key == "used" else []  # its additional attack is used up like a skill

        def find(word: str) -> str | None:
            if key == "used" and tables.find_item(self.system, word) == "Blitz":
                return "Blitz"
            return tables.find_skill(self.system, word, owner)

        noun = "skill" if owner is None else f"skill of {owner}"
        return self._once(key, (self.table.known(key, word, find, noun, known) for word in words))

    def _powers(self) -> tuple[str, ...]:
        words = self.table.texts("powers")
        known = [power.name for power in tables.powers(self.system).values()] if words else []

        def find(spelling: str) -> str | None:
            return tables.find_power(self.system, spelling)

        return self._once("powers", (self.table.known("powers", word, find, "power", known) for word in words))

    def _status(self, kind: Kind) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The status words, and apart the ids of ``locks:<id>``."""
        words, locks = [], []
        for word in self._once("status", self.table.texts("status")):
            if word in _STATUS[kind] and not self.system.lacks(word):
                words.append(word)
            elif kind is Kind.ZOMBIE and word.startswith(_LOCK):
                locks.append(word.removeprefix(_LOCK).strip())
            else:
                known = tuple(word for word in _STATUS[kind] if not self.system.lacks(word))
                known += ("locks:<hero id>",) if kind is Kind.ZOMBIE else ()
                fix = hint(word, known)
                if kind is not Kind.ZOMBIE and word.startswith("lock"):
                    fix = f'write it on the zombie: status = ["locks:{self.table.data["id"]}"]'
                raise self.table.error(f"unknown status {shown(word)} in {self.table.called}", fix, "status")
        return tuple(words), tuple(locks)

    def _once(self, key: str, words: Iterable[str]) -> tuple[str, ...]:
        """The words as a tuple, each at most once."""
        found: list[str] = []
        for word in words:
            if word in found:
                raise self.table.error(f"{key} of {self.table.called} lists {shown(word)} twice", "once is enough", key)
            found.append(word)
        return tuple(found)
