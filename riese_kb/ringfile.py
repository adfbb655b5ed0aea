"""Ring boards: ``NAME.board.toml`` of a game on rings read into a ``RingBoard``, and one written as such a file.

A wrong board is refused with the file, the line where known, what is wrong and the nearest spelling; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from riese_kb import ringtables
from riese_kb.board import System
from riese_kb.boardfile import line_of, tables_of
from riese_kb.boardsource import Table, hint, shown
from riese_kb.rings import (
    OFF,
    Character,
    GearType,
    Lying,
    Mode,
    Piece,
    Property,
    Rank,
    Ring,
    RingBoard,
    RingKind,
    Row,
    Score,
    Team,
    Token,
)
from riese_kb.tables import loose

MARKER_KINDS = ("debris", "crate", "flag", "item", "objective", "smoke")
"""What a ``[[marker]]`` may be on a ring board."""

_TOP = ("system", "title", "round", "turn", "mode", "ring", "figure", "weapon", "character", "marker", "score")
_MODIFIERS = tuple(p.value for p in Property)
_RING = ("id", "paths", "next", *_MODIFIERS, "kind", "side")
_FIGURE = ("id", "kind", "side", "name", "at", "wounds", "values", "gear", "played", "acted", "moved")
_WEAPON = ("name", "type", "combat", "dice", "hits", "wounds")
_CHARACTER = ("name", "kind", "values")
_MARKER = ("kind", "at", "label", "side", *_MODIFIERS)
_SCORE = ("side", "points", "primary", "secondary", "flags", "fallen")
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}\Z")
_SIDES = {side.value: side for side in Team}
_BLACK = (RingKind.OBJECTIVE, RingKind.ACTION)
MOST = 20
"""The largest number that any value of a board may have."""


def read_rings(top: Table, file: str | None, system: System) -> RingBoard:
    """The board of a file whose ``system`` plays on rings. Raises BoardError."""
    if "map" in top.data:
        raise top.error("this game has rings and no map", 'write [[ring]] id = "r1", paths = ["red"], next = ["r2"]', "map")
    for key in ("threat", "darkness", "pool", "track"):
        if key in top.data:
            raise top.error(f"{key} is unknown in this game", f"take {key} out", key)
    top.only(_TOP)
    rings = _rings(tables_of(top, "ring"))
    if not rings:
        raise top.error("the board has no rings", 'add [[ring]] id = "r1", paths = ["red"]')
    pieces = tuple(_once(tables_of(top, "weapon"), _piece))
    people = tuple(_once(tables_of(top, "character"), lambda table: _character(table, system)))
    return RingBoard(
        system=system,
        title=top.text("title"),
        round=top.number_in("round", 1, 99) or 1,
        turn=top.choice("turn", _SIDES),
        mode=top.choice("mode", {mode.value: mode for mode in Mode}),
        rings=tuple(rings.values()),
        pieces=pieces,
        characters=people,
        figures=_figures(tables_of(top, "figure"), _Known(system, rings, pieces, people)),
        markers=tuple(_marker(table, rings) for table in tables_of(top, "marker")),
        scores=tuple(_once(tables_of(top, "score"), _score)),
        file=file,
    )


class _Known:
    """What the tables of figures may name."""

    def __init__(
        self, system: System, rings: Mapping[str, Ring], pieces: tuple[Piece, ...], people: tuple[Character, ...]
    ) -> None:
        self.system = system
        self.rings = rings
        self.own = {loose(piece.name): piece.name for piece in pieces}
        self.people = {loose(person.name): person for person in people}

    def piece(self, word: str) -> str | None:
        """The name of a piece of equipment: of the board, else of the book."""
        return self.own.get(loose(word)) or ringtables.find_piece(self.system, word)

    def character(self, word: str) -> Character | None:
        """A character of the board, else of the book."""
        printed = ringtables.find_character(self.system, word)
        own = self.people.get(loose(word)) or self.people.get(loose(printed or word))
        return own or (ringtables.characters(self.system)[printed] if printed else None)


def _once(tables: Iterable[Table], read: Any) -> list[Any]:
    found: dict[str, Any] = {}
    for table in tables:
        thing = read(table)
        if loose(thing.name) in found:
            raise table.error(f"{thing.name} is given twice", f"write it into one [[{table.name}]]")
        found[loose(thing.name)] = thing
    return list(found.values())


# --- rings ----------------------------------------------------------------------------------------------------------


def _named(table: Table, taken: Iterable[str]) -> str:
    """The id of a ring or figure, unique whatever its case."""
    table.need("id", 'id = "…"')
    id = table.text("id") or ""
    if not _ID.match(id):
        raise table.error(f"id of {table.called} is {shown(id)}", "ids have letters A to Z, digits, _ and -, at most 40", "id")
    table.called = f"{table.name} {shown(id)}"
    if any(id.casefold() == other.casefold() for other in taken):
        raise table.error(f"two {table.name}s have the id {shown(id)}", "each needs its own, whatever its case", "id")
    return id


def _rings(tables: list[Table]) -> dict[str, Ring]:
    found: dict[str, Ring] = {}
    stated: dict[str, Table] = {}
    for table in tables:
        id = _named(table, found)
        table.only(_RING)
        if id.casefold() == OFF:
            raise table.error(f"a ring is called {shown(id)}", f'at = "{OFF}" means not on the board; choose another id', "id")
        kind = table.choice("kind", {kind.value: kind for kind in RingKind}) or RingKind.RING
        paths = tuple(dict.fromkeys(word.strip().casefold() for word in table.texts("paths")))
        if "" in paths:
            raise table.error(f"a path of {table.called} has no colour", 'paths = ["red", "grey"]', "paths")
        if kind in _BLACK and paths:
            what = f"{table.called} is an {kind} ring and belongs to no path"
            raise table.error(what, "paths = []", "paths")
        if kind not in _BLACK and not paths:
            raise table.error(f"{table.called} belongs to no path", 'paths = ["red"], or kind = "objective" or "action"', "paths")
        found[id] = Ring(id=id, paths=paths, modifiers=_modifiers(table), kind=kind, side=table.choice("side", _SIDES))
        stated[id] = table
    beside: dict[str, dict[str, None]] = {id: {} for id in found}
    spelling = {id.casefold(): id for id in found}
    for id, table in stated.items():
        for word in table.texts("next"):
            other = table.known("next", word, lambda said: spelling.get(said.casefold()), "ring", found)
            if other == id:
                raise table.error(f"{table.called} is next to itself", "name only other rings", "next")
            beside[id][other] = beside[other][id] = None
    order = {id: number for number, id in enumerate(found)}
    return {
        id: Ring(
            id=id,
            paths=ring.paths,
            next=tuple(sorted(beside[id], key=order.__getitem__)),
            modifiers=ring.modifiers,
            kind=ring.kind,
            side=ring.side,
        )
        for id, ring in found.items()
    }


def _modifiers(table: Table) -> dict[Property, int]:
    return {p: n for p in Property if (n := table.number_in(p.value, -MOST, MOST))}


def _at(table: Table, rings: Mapping[str, Ring], *, off: bool = False) -> str:
    table.need("at", 'at = "r1"')
    word = table.text("at") or ""
    if off and word.casefold() == OFF:
        return OFF
    spelling = {id.casefold(): id for id in rings}
    return table.known("at", word, lambda said: spelling.get(said.casefold()), "ring", rings)


# --- figures --------------------------------------------------------------------------------------------------------


def _figures(tables: list[Table], known: _Known) -> tuple[Token, ...]:
    found: dict[str, Token] = {}
    places: dict[str, str] = {}
    for table in tables:
        id = _named(table, found)
        table.only(_FIGURE)
        table.need("kind", 'kind = "hero" or "soldier"')
        table.need("side", 'side = "reich" or "union"')
        at = _at(table, known.rings, off=True)
        if at != OFF and known.rings[at].kind in _BLACK:
            what = f"{table.called} stands on {at}, an {known.rings[at].kind} ring, which nobody enters"
            free = [other for other in known.rings[at].next if known.rings[other].kind not in _BLACK]
            raise table.error(what, f"{free[0]} lies beside it" if free else "name another ring", "at")
        if at != OFF and (other := places.setdefault(at, id)) != id:
            raise table.error(f"{other} and {id} both stand on {at}", "one figure a ring", "at")
        values, wounds = _values(table), table.number_in("wounds", 0, MOST) or 0
        name = _character_name(table, known)
        rows = len(values) or _levels(name, known)
        if rows and wounds >= rows:
            what = f"{table.called} has {wounds} wounds and {rows} rows of values"
            raise table.error(what, f"at most {rows - 1}: whoever leaves the last row is dead and leaves the board", "wounds")
        found[id] = Token(
            id=id,
            rank=table.choice("kind", {rank.value: rank for rank in Rank}) or Rank.HERO,
            side=table.choice("side", _SIDES) or Team.REICH,
            name=name,
            at=at,
            wounds=wounds,
            played=table.flag("played") or False,
            acted=table.flag("acted") or False,
            moved=table.number_in("moved", 0, MOST) or 0,
            values=values,
            gear=tuple(_gear(table, word, known) for word in table.texts("gear")) if "gear" in table.data else None,
        )
    return tuple(found.values())


def _levels(name: str | None, known: _Known) -> int:
    person = known.character(name) if name else None
    return (person.levels or 0) if person is not None else 0


def _character_name(table: Table, known: _Known) -> str | None:
    """A printed character under its printed name; anybody else may be called anything, with values of their own."""
    word = table.text("name")
    if word is None:
        return None
    person = known.character(word)
    return person.name if person is not None else word


def _gear(table: Table, word: str, known: _Known) -> str:
    names = (*known.own.values(), *ringtables.pieces(known.system))
    found = known.piece(word)
    if found is None:
        fix = f"{hint(word, names)} or describe it in a [[weapon]]"
        raise table.error(f"unknown weapon or gear {shown(word)} in {table.called}", fix, "gear")
    return found


def _values(table: Table) -> tuple[Row, ...]:
    """Rows of combat, condition, mind and movement, the unwounded one first."""
    value = table.data.get("values")
    if value is None:
        return ()
    wanted = "values = [[6, 5, 5, 7], …]: combat, condition, mind, movement, a row a health level"
    if not isinstance(value, list) or not value or len(value) > MOST:
        raise table.error(f"values of {table.called} is {shown(value)}", wanted, "values")
    rows: list[Row] = []
    for number, row in enumerate(value, 1):
        if not isinstance(row, list) or len(row) != 4 or not all(type(n) is int and 0 <= n <= MOST for n in row):
            what = f"row {number} of the values of {table.called} does not hold four numbers from 0 to {MOST}"
            raise table.error(what, wanted, "values")
        rows.append((row[0], row[1], row[2], row[3]))
    return tuple(rows)


# --- the rest -------------------------------------------------------------------------------------------------------


def _piece(table: Table) -> Piece:
    table.need("name", 'name = "…"')
    name = table.text("name") or ""
    table.called = f"weapon {shown(name)}"
    table.only(_WEAPON)
    if not loose(name):
        raise table.error(f"{table.called} has no name", 'name = "…"', "name")
    return Piece(
        name=name,
        type=table.choice("type", {kind.value: kind for kind in GearType}) or GearType.PISTOL,
        combat=table.number_in("combat", -MOST, MOST) or 0,
        dice=table.number_in("dice", -9, 9) or 0,
        hits=table.number_in("hits", 0, 9) or 0,
        wounds=table.number_in("wounds", 0, 9) or 0,
        supplied=True,
    )


def _character(table: Table, system: System) -> Character:
    table.need("name", 'name = "…"')
    table.need("values", "values = [[6, 5, 5, 7], …]")
    word = table.text("name") or ""
    table.called = f"character {shown(word)}"
    table.only(_CHARACTER)
    printed = ringtables.find_character(system, word)
    rows = _values(table)
    rank = table.choice("kind", {rank.value: rank for rank in Rank})
    if rank is None:
        rank = ringtables.characters(system)[printed].rank if printed else Rank.HERO
    return Character(name=printed or word, rank=rank, rows=rows, levels=len(rows), supplied=True)


def _marker(table: Table, rings: Mapping[str, Ring]) -> Lying:
    table.need("kind", 'kind = "debris"')
    kind = table.text("kind") or ""
    table.called = f"marker {shown(kind)}"
    table.only(_MARKER)
    if kind not in MARKER_KINDS:
        raise table.error(f"unknown kind {shown(kind)} of marker", hint(kind, MARKER_KINDS), "kind")
    at = _at(table, rings)
    side = table.choice("side", _SIDES)
    if kind == "flag" and side is None:
        raise table.error(f"{table.called} belongs to nobody", 'side = "reich" or "union"')
    return Lying(kind=kind, at=at, label=table.text("label"), side=side, modifiers=_modifiers(table))


def _score(table: Table) -> Score:
    table.need("side", 'side = "reich" or "union"')
    table.only(_SCORE)
    side = table.choice("side", _SIDES) or Team.REICH
    counts = {key: table.number_in(key, 0, 99) or 0 for key in _SCORE[1:]}
    return Score(name=side, **counts)


# --- writing --------------------------------------------------------------------------------------------------------


def format_rings(board: RingBoard) -> str:
    """The board as the text of a board file, normalised; each neighbourhood is stated once."""
    lines = [line_of("system", board.system.value)]
    lines += _stated({"title": board.title, "round": board.round if board.round > 1 else None})
    lines += _stated({"turn": board.turn, "mode": board.mode})
    told: set[str] = set()
    for ring in board.rings:
        further = tuple(other for other in ring.next if other not in told)
        told.add(ring.id)
        keys: dict[str, object] = {"id": ring.id, "paths": ring.paths, "next": further, **_plain(ring.modifiers)}
        keys |= {"kind": ring.kind.value if ring.kind is not RingKind.RING else None, "side": ring.side}
        lines += ["", "[[ring]]", *_stated(keys)]
    for figure in board.figures:
        keys = {"id": figure.id, "kind": figure.rank, "side": figure.side, "name": figure.name, "at": figure.at}
        keys |= {"wounds": figure.wounds or None, "moved": figure.moved or None}
        lines += ["", "[[figure]]", *_stated(keys)]
        lines += [f"values = {[[*row] for row in figure.values]}"] if figure.values else []
        lines += [line_of("gear", figure.gear)] if figure.gear is not None else []
        lines += [f"{key} = true" for key in ("played", "acted") if getattr(figure, key)]
    for piece in board.pieces:
        keys = {key: getattr(piece, key) or None for key in _WEAPON}
        lines += ["", "[[weapon]]", *_stated(keys)]
    for person in board.characters:
        lines += ["", "[[character]]", *_stated({"name": person.name, "kind": person.rank})]
        lines += [f"values = {[[*row] for row in person.rows]}"]
    for marker in board.markers:
        keys = {"kind": marker.kind, "at": marker.at, "label": marker.label, "side": marker.side, **_plain(marker.modifiers)}
        lines += ["", "[[marker]]", *_stated(keys)]
    for score in board.scores:
        keys = {"side": score.name, **{key: getattr(score, key) or None for key in _SCORE[1:]}}
        lines += ["", "[[score]]", *_stated(keys)]
    return "\n".join(lines) + "\n"


def _plain(modifiers: Mapping[Property, int]) -> dict[str, int]:
    return {p.value: n for p, n in modifiers.items()}


def _stated(keys: Mapping[str, object]) -> list[str]:
    return [line_of(key, value) for key, value in keys.items() if value is not None and (value != () or key == "paths")]
