"""Board files: ``NAME.board.toml`` read into a ``Board``, and a ``Board`` written as such a file (contract, section 1).

Reading opens the one file it is given and executes nothing. A board that is wrong is refused with the file, the line
where known, what is wrong and the nearest valid spelling; nothing is guessed.
"""

from __future__ import annotations

import os
import re
import stat
from typing import Any

from riese_kb import tables
from riese_kb.board import MAIN, Board, Facing, Figure, Marker, Stock, System, Terrain, Weapon, square_name
from riese_kb.boardfigures import read_figures, read_square
from riese_kb.boardmap import Grid, format_map, parse_map
from riese_kb.boardsource import Source, Table, shown
from riese_kb.boardweapons import find_weapon, read_modifiers, read_weapons, weapon_names, weapon_values
from riese_kb.errors import BoardError, nearest
from riese_kb.scenarios import find_note, note_advice

__all__ = [
    "MAX_BYTES",
    "find_weapon",
    "format_board",
    "load_board",
    "parse_board",
    "weapon_names",
    "weapon_values",
]

MAX_BYTES = 4_000_000
"""The largest board file that is read."""

PILES = ("pool", "discard", "aside")
"""Where zombie markers lie that are not on the map; ``aside``: set aside during setup."""

_TOP = (
    "system",
    "title",
    "round",
    "threat",
    "darkness",
    "rearguard",
    "scratch",
    "notes",
    *PILES,
    "track",
    "map",
    "figure",
    "weapon",
    "modifier",
    "marker",
)


def load_board(path: str | os.PathLike[str]) -> Board:
    """Read the board file at ``path``. Raises BoardError, also for files that are missing, too large or not UTF-8."""
    return parse_board(*read_text(path))


def read_text(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The text of a board or team file and the name that errors give it. Raises BoardError."""
    file = os.fspath(path)
    name = file if file.isprintable() else shown(file)[1:-1]
    data = _read(file, name)
    if len(data) > MAX_BYTES:
        raise _too_large(name)
    try:
        return data.decode("utf-8-sig"), name
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        what = f"this is not UTF-8 text: byte 0x{data[fault.start]:02X}"
        raise BoardError(what, fix="save the file as UTF-8", file=name, line=line) from None


def _read(file: str, name: str) -> bytes:
    """The bytes of an ordinary file, at most one more than are allowed; ``name`` is what errors call it."""
    try:
        if not stat.S_ISREG(os.stat(file).st_mode):  # a pipe or a device might never end
            what = "this is a folder" if os.path.isdir(file) else "this is no ordinary file"
            raise BoardError(what, fix="name a file, e.g. drill.board.toml", file=name)
        with open(file, "rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise BoardError("there is no such file", fix=_neighbour(file), file=name) from None
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise BoardError(f"this file cannot be read: {reason}", fix="check its name and rights", file=name) from None


def _neighbour(file: str) -> str:
    """Advice for a missing file: one beside it with a similar name."""
    folder, name = os.path.split(file)
    try:
        close = nearest(name, os.listdir(folder or "."))
    except (OSError, ValueError):
        return "check the name of its folder"
    return f"did you mean {os.path.join(folder, close[0])}?" if close else "check its name"


def _too_large(file: str | None) -> BoardError:
    return BoardError(f"the board is larger than {MAX_BYTES // 1_000_000} MB", fix="one map a file", file=file)


def parse_board(text: str, file: str | None = None) -> Board:
    """Read the text of a board file; ``file`` is only named in errors. Raises BoardError."""
    top, system = open_board(text, file)
    if system.on_rings:
        raise top.error("this board has rings and no squares", "read it with load_sheet", "system")
    return squares(top, system, file)


def open_board(text: str, file: str | None) -> tuple[Table, System]:
    """The tables of a board file, and the game that it names. Raises BoardError."""
    if len(text) > MAX_BYTES:
        raise _too_large(file)
    top = Table(Source(text, file), read_toml_text(text, file))
    if not top.data:
        raise BoardError("the board is empty", fix=f'begin with system = "{MAIN}" and a map', file=file)
    if "system" not in top.data:
        top.only(_TOP)  # perhaps it is only misspelt
    return top, system_of(top)


def _highest_threat(system: System) -> int:
    from riese_kb.teamtables import highest_threat

    return highest_threat(system)


def squares(top: Table, system: System, file: str | None) -> Board:
    """The board of a file whose game is played on squares. Raises BoardError."""
    top.only(_TOP)
    for key in top.data:
        if system.lacks(key):
            raise top.error(f'unknown key "{key}" on a board of {system.called}', system.where_else(key), key)
    grid = _map(top, system)
    weapons = read_weapons(system, tables_of(top, "weapon"))
    return Board(
        system=system,
        title=top.text("title"),
        round=top.number_in("round", 1, 99) or 1,
        threat=top.number_in("threat", 0, _highest_threat(system)) or 0 if "threat" in top.data else 0,
        darkness=top.flag("darkness") or False,
        rearguard=top.number_in("rearguard", 0, 3) or 0,
        scratch=top.number_in("scratch", 0, tables.most_tokens(system)) if "scratch" in top.data else None,
        notes=tuple(dict.fromkeys(_note(top, system, said) for said in top.texts("notes"))),
        **{pile: _pile(top, system, pile) for pile in PILES},
        track=_track(top),
        width=grid.width,
        height=grid.height,
        terrain=grid.terrain,
        edges=grid.edges,
        weapons=weapons,
        modifiers=read_modifiers(system, tables_of(top, "modifier")) if "modifier" in top.data else {},
        figures=read_figures(system, grid, weapons, tables_of(top, "figure")),
        markers=tuple(_marker(system, grid, table) for table in tables_of(top, "marker")),
        file=file,
    )


def read_toml_text(text: str, file: str | None) -> dict[str, Any]:
    """The tables of a text in TOML; what is none is a BoardError with its line."""
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BoardError("the file nests too deep", fix="a board needs no nested lists", file=file) from None
    except ValueError as fault:
        if not isinstance(fault, tomllib.TOMLDecodeError):  # more digits than Python reads, and no word where
            long = re.search(r"\d{4300}", text)
            line = None if long is None else text.count("\n", 0, long.start()) + 1
            fix = "no value of a board needs more than two digits"
            raise BoardError("a number is far too long", fix=fix, file=file, line=line) from None
        message = str(fault)
        place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)\Z", message)
        line = None if place is None else int(place.group(1) or text.count("\n") + 1)
        what = f"this is not TOML: {shown(message[: place.start()] if place else message)[1:-1]}"
        fix = 'lines look like id = "z1" or round = 2, and text stands in quotes'
        raise BoardError(what, fix=fix, file=file, line=line) from None


def system_of(top: Table) -> System:
    """The game that the file names."""
    top.need("system", f'system = "{MAIN}" as its first line')
    system = top.choice("system", {s.value: s for s in System}) or MAIN
    return system


def _note(top: Table, system: System, said: str) -> str:
    note = find_note(system, said)
    if note is None:
        raise top.error(f"no scenario knows the note {shown(said)}", note_advice(system, said), "notes")
    return note


def _map(top: Table, system: System) -> Grid:
    top.need("map", "map = '''…''' with its squares and edges")
    value = top.data["map"]
    if not isinstance(value, str):
        raise top.error(f"map of the board is {shown(value)}", "map takes text: map = '''…'''", "map")
    try:
        grid = parse_map(value)
    except BoardError as fault:
        raise top.source.map_error(fault) from None
    if Terrain.LETHAL in grid.terrain.values() and system.lacks("lethal"):
        raise top.error(f"{system.called} has no lethal terrain", "obstructive squares are #", "map")
    return grid


def tables_of(top: Table, name: str) -> list[Table]:
    """The tables ``[[name]]`` in order."""
    value = top.data.get(name, [])
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise top.error(f"{name} of {top.called} is {shown(value)}", f"write [[{name}]], with two brackets", name)
    return [Table(top.source, entry, name, number) for number, entry in enumerate(value)]


def _pile(top: Table, system: System, key: str) -> Stock | None:
    """The zombies of a pile: ``pool = { beta = 9, armoured = 3 }``."""
    value = top.data.get(key)
    if value is None:
        return None
    if not isinstance(value, dict):
        raise top.error(f"{key} of the board is {shown(value)}", f"{key} = {{ beta = 9, armoured = 3 }}", key)
    pile = Table(top.source, value)
    pile.called = f"the {key}"
    types = tables.zombie_types(system)
    counts: dict[str, int] = {}
    for word in value:
        kind = pile.known(word, word, lambda w: tables.find_zombie_type(system, w), "zombie type", types)
        counts[kind] = counts.get(kind, 0) + (pile.number_in(word, 0, 99) or 0)
    return tuple((kind, counts[kind]) for kind in types if counts.get(kind))


def _track(top: Table) -> tuple[str, ...]:
    """The spaces of the round track: ``track = ["", "S1", "S1 S2 *"]``."""
    spaces = tuple(" ".join(space.replace(",", " ").split()) for space in top.texts("track"))
    if "track" in top.data and not spaces:
        raise top.error("the round track has no spaces", 'track = ["", "S1", "S2 *"], a text a space', "track")
    return spaces


def _marker(system: System, grid: Grid, table: Table) -> Marker:
    table.only(("kind", "at", "label", "waiting"))
    table.need("kind", 'kind = "objective"')
    kind = table.choice("kind", {word: word for word in system.markers}) or ""
    at = read_square(grid, table)
    if grid.terrain[at] is Terrain.VOID:
        what = f"{table.called} is at {square_name(at)}, which is no part of the map"
        raise table.error(what, "put it on a square of the map", "at")
    waiting = table.number_in("waiting", 0, 99) or 0
    if waiting and kind != "spawn":
        raise table.error(f"{table.called} is no spawn location", "zombies wait only for spawn markers", "waiting")
    label = table.text("label", 60)
    if kind == "level" and not re.fullmatch(r"-?[0-9]{1,2}", label or ""):
        raise table.error(f"{table.called} has no elevation", 'give it as a number: label = "1"', "label")
    if kind == "maxim" and label is not None and label.lower() not in set(Facing):
        raise table.error(f"{table.called} looks {shown(label)}", 'label = "north", "east", "south" or "west"', "label")
    if kind == "lock" and not label:
        raise table.error(f"{table.called} names no key", 'name the key that fits: label = "Key"', "label")
    return Marker(kind=kind, at=at, label=label, waiting=waiting)


# --- writing --------------------------------------------------------------------------------------------------------

_FIGURE_KEYS = (
    "type",
    "name",
    "at",
    "facing",
    "declared",
    "weapon",
    "off_hand",
    "ammo",
    "grenades",
    "medkits",
    "food",
    "fatigue",
    "fuel",
    "mp",
    "rescued",
    "gear",
    "health",
    "skills",
    "used",
    "powers",
    "status",
)


def format_board(board: Board) -> str:
    """The board as the text of a board file, normalised: keys in one order, canonical names, nothing that is default.

    ``parse_board`` reads an equal board from it, and formatting that one gives the same text. Comments and the
    spellings of the original file are lost.
    """
    lines = [line_of("system", board.system.value)]
    if board.title is not None:
        lines.append(line_of("title", board.title))
    lines += [
        line_of(key, value)
        for key, value, default in (
            ("round", board.round, 1),
            ("threat", board.threat, 0),
            ("darkness", board.darkness, False),
            ("rearguard", board.rearguard, 0),
            ("scratch", board.scratch, None),
            ("notes", board.notes, ()),
        )
        if value != default
    ]
    for pile in PILES:
        stock = getattr(board, pile)
        if stock is not None:
            lines.append(f"{pile} = {{ {', '.join(f'{kind} = {count}' for kind, count in stock)} }}".replace("{  }", "{}"))
    if board.track:
        lines.append(line_of("track", board.track))
    grid = Grid(board.width, board.height)
    grid.terrain.update(board.terrain)
    grid.edges.update(board.edges)
    lines += ["", "map = '''", format_map(grid), "'''"]
    lines += [line for figure in board.figures for line in _figure_lines(figure, board.system)]
    lines += [line for weapon in board.weapons for line in weapon_lines(weapon)]
    for name, value in board.modifiers.items():
        lines += ["", "[[modifier]]", line_of("name", name), line_of("value", value)]
    for marker in board.markers:
        lines += ["", "[[marker]]", line_of("kind", marker.kind), line_of("at", square_name(marker.at))]
        if marker.label is not None:
            lines.append(line_of("label", marker.label))
        if marker.waiting:
            lines.append(line_of("waiting", marker.waiting))
    return "\n".join(lines) + "\n"


def _figure_lines(figure: Figure, system: System) -> list[str]:
    lines = ["", "[[figure]]", line_of("id", figure.id), line_of("kind", figure.kind.value)]
    said: dict[str, object] = {key: getattr(figure, key) for key in _FIGURE_KEYS}
    said["at"] = square_name(figure.at)
    said["status"] = (*figure.status, *(f"locks:{id}" for id in figure.locks))
    if figure.powers:
        said["powers"] = tuple(tables.powers(system)[power].name for power in figure.powers)
    said["rescued"] = figure.rescued or None
    said["fatigue"] = figure.fatigue or None
    return lines + [line_of(key, value) for key, value in said.items() if value is not None and value != ()]


def weapon_lines(weapon: Weapon) -> list[str]:
    """A ``[[weapon]]`` as lines."""
    values = ((key, getattr(weapon, key)) for key in tables.WEAPON_VALUES)
    stated = [line_of(key, value) for key, value in values if value is not None]
    return ["", "[[weapon]]", line_of("name", weapon.name), *stated]


def line_of(key: str, value: object) -> str:
    """``key = value`` in TOML."""
    return f"{key} = {_toml_value(value)}"


def _toml_value(value: object) -> str:
    """A value in TOML; texts are printable, so quotes and backslashes are all there is to escape."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
