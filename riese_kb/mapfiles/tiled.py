"""Maps of Tiled: tiles as terrain, objects as walls, doors, markers and figures. External tilesets are not opened.

What a tile is says, in this order: the user's list (by ``tileset:number``, by global number, or all of ``layer NAME``), the
tile's own property ``terrain`` or ``collides``, and the list's ``other``. Of several tiles on a square the strongest counts.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import itertools
import json
import math
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from msgspec.structs import replace

from riese_kb.board import Board, EdgeKind, Square, Terrain, square_name
from riese_kb.boardfile import format_board, line_of
from riese_kb.boardmap import MAX_SIDE
from riese_kb.errors import BoardError
from riese_kb.mapfiles.imported import HEAD, Asked, Imported, board_of, grid_of
from riese_kb.mapfiles.lines import Lines, Point, runs

_GID = 0x0FFFFFFF
"""The bits above say how a tile is turned."""
_STRENGTH = "#:!^~."
"""The characters of squares, the strongest first."""
_IGNORE = "ignore"
_EDGES = {
    "wall": EdgeKind.WALL,
    "barrier": EdgeKind.BARRING,
    "window": EdgeKind.BARRING,
    "hindering": EdgeKind.HINDERING,
    "door": EdgeKind.CLOSED_DOOR,
    "open door": EdgeKind.OPEN_DOOR,
    "locked door": EdgeKind.LOCKED_DOOR,
    "exit": EdgeKind.EXIT,
}
"""What an object's class may be, drawn as a line."""
_SIDE = 32
_REST, _CUT = "riese-kb", "\n---\n"
"""The map's property that keeps what a board file says above its map, and the weapons and modifiers below it."""
_Data = dict[str, Any]


def read_tmj(text: str, name: str, snap: float, tiles: Mapping[str, str]) -> Imported:
    """Read Tiled's JSON."""
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as fault:
        raise BoardError(f"this is no JSON map of Tiled: {fault}", fix="save it as .tmj", file=name) from None
    try:
        return _Reader(data, name, snap, tiles).read()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, ArithmeticError) as fault:
        what = f"this is no map of Tiled: {type(fault).__name__} {fault}"
        raise BoardError(what, fix="save it again with Tiled", file=name) from None


class _Reader:
    """One map."""

    def __init__(self, data: _Data, name: str, snap: float, tiles: Mapping[str, str]) -> None:
        self.data = data
        self.name = name
        self.snap = snap
        self.tiles = tiles
        self.found = Imported()
        self.unknown: Counter[str] = Counter()
        self.sets: list[tuple[int, _Data]] = sorted(
            ((int(one["firstgid"]), one) for one in data.get("tilesets", ())), key=lambda one: one[0]
        )
        bad = next((f"{key!r} as {word!r}" for key, word in tiles.items() if word not in (*_STRENGTH, _IGNORE)), None)
        if bad is not None:
            raise BoardError(f"no tile can be {bad}", fix=f"one of {' '.join(_STRENGTH)} or {_IGNORE}", file=name)

    def read(self) -> Imported:
        data, found = self.data, self.found
        if data.get("orientation") != "orthogonal":
            raise BoardError(f"this map is {data.get('orientation')}", fix="maps of squares are orthogonal", file=self.name)
        if data.get("infinite"):
            raise BoardError("this map is infinite", fix="give it a size: Map, Map Properties, Infinite off", file=self.name)
        grid = grid_of(int(data["width"]), int(data["height"]), self.name)
        strongest: dict[Square, str] = {}
        lines = Lines(grid, found, self.snap)
        more: list[str] = []
        side = (float(data["tilewidth"]), float(data["tileheight"]))
        for path, layer in _layers(data["layers"], ()):
            if layer["type"] == "tilelayer":
                for square, sign in self._signs(layer, path, grid.width):
                    old = strongest.get(square)
                    if old is None or _STRENGTH.index(sign) < _STRENGTH.index(old):
                        strongest[square] = sign
            elif layer["type"] == "objectgroup":
                for thing in layer["objects"]:
                    more += self._object(thing, lines, side)
        if self.unknown:
            says = "what are these tiles? Name each, or all of a layer, or all others"
            things = tuple(f"{tile} ({count}x)" for tile, count in self.unknown.most_common())
            found.asked.append(Asked("tiles", says, (*_STRENGTH, _IGNORE), things))
            return found
        squares = [(c, r) for c in range(1, grid.width + 1) for r in range(1, grid.height + 1)]
        grid.terrain.update({square: Terrain(strongest.get(square, " ")) for square in squares})
        lines.draw()
        head, _, tables = str(_properties(data).get(_REST, HEAD)).partition(_CUT)
        found.board = board_of(grid, head, "\n".join([*more, tables]))
        return found

    def _signs(self, layer: _Data, path: tuple[str, ...], width: int) -> Iterator[tuple[Square, str]]:
        for index, number in enumerate(_numbers(layer, self.name)):
            gid = number & _GID
            if gid:
                sign = self._sign(gid, path)
                if sign != _IGNORE:
                    yield (index % width + 1, index // width + 1), sign

    def _sign(self, gid: int, path: tuple[str, ...]) -> str:
        nothing: _Data = {}
        first, tileset = next(((f, t) for f, t in reversed(self.sets) if f <= gid), (0, nothing))
        called = f"{tileset.get('name') or tileset.get('source') or 'tile'}:{gid - first}"
        for key in (called, str(gid), *(f"layer {part}" for part in reversed(path))):
            if key in self.tiles:
                return self.tiles[key]
        tile = next((one for one in tileset.get("tiles", ()) if one["id"] == gid - first), nothing)
        properties = _properties(tile)
        if properties.get("terrain") in (*_STRENGTH, _IGNORE):
            return str(properties["terrain"])
        if properties.get("collides") is True:
            return "#"
        if "other" in self.tiles:
            return self.tiles["other"]
        self.unknown[f"{called} in layer {'/'.join(path)}"] += 1
        return _IGNORE

    def _object(self, thing: _Data, lines: Lines, side: tuple[float, float]) -> Iterator[str]:
        """An object: lines are drawn, points become tables of the board."""
        word = str(thing.get("type") or thing.get("class") or "").casefold()
        x, y = float(thing["x"]) / side[0], float(thing["y"]) / side[1]
        if not (math.isfinite(x) and math.isfinite(y) and abs(x) < 1e6 and abs(y) < 1e6):
            raise ValueError("an object is nowhere")
        drawn = thing.get("polyline") or thing.get("polygon")
        if word in _EDGES and drawn:
            points: list[Point] = [(x + float(p["x"]) / side[0], y + float(p["y"]) / side[1]) for p in drawn]
            if "polygon" in thing:
                points.append(points[0])
            for a, b in itertools.pairwise(points):
                if _EDGES[word] in (EdgeKind.WALL, EdgeKind.BARRING, EdgeKind.HINDERING):
                    lines.wall(a, b, _EDGES[word])
                else:
                    lines.portal(a, b, _EDGES[word], word)
        elif word in ("figure", "marker"):
            values = _properties(thing) | {"at": square_name((math.floor(x) + 1, math.floor(y) + 1))}
            values.setdefault("id" if word == "figure" else "kind", str(thing.get("name", "")))
            yield f"\n[[{word}]]"
            yield from (line_of(key, _value(value)) for key, value in values.items())
        else:
            self.found.notes.append(f"object {thing.get('name') or thing.get('id')} ({word or 'no class'}) was left out")


def _value(value: Any) -> Any:
    """Tiled has no lists that all its versions know: they are written one name a line."""
    return tuple(value.split("\n")[1:]) if isinstance(value, str) and value.startswith("\n") else value


def _properties(thing: _Data) -> _Data:
    return {one["name"]: one["value"] for one in thing.get("properties", ())}


def _layers(layers: list[_Data], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], _Data]]:
    """Every layer that is shown, with the names of the groups it is in and its own."""
    for layer in layers:
        here = (*path, str(layer.get("name", "")))
        if layer.get("visible", True):
            if layer["type"] == "group":
                yield from _layers(layer["layers"], here)
            else:
                yield here, layer


def _numbers(layer: _Data, name: str) -> list[int]:
    """The tiles of a layer, unpacked."""
    data = layer["data"]
    if isinstance(data, list):
        return [int(number) for number in data]
    most = 4 * MAX_SIDE * MAX_SIDE
    how = layer.get("compression") or ""
    try:
        packed = base64.b64decode(data)
        if how == "zlib":
            packed = zlib.decompressobj().decompress(packed, most)
        elif how == "gzip":
            packed = zlib.decompressobj(wbits=31).decompress(packed, most)
        elif how:
            raise BoardError(f"the tiles are packed with {how}", fix="save the map with tiles as CSV", file=name)
    except (binascii.Error, zlib.error, gzip.BadGzipFile) as fault:
        raise BoardError(f"the tiles cannot be unpacked: {fault}", fix="save the map with tiles as CSV", file=name) from None
    return [int.from_bytes(packed[at : at + 4], "little") for at in range(0, len(packed) - 3, 4)]


# --- Tiled's XML ----------------------------------------------------------------------------------------------------


def read_tmx(text: str, name: str, snap: float, tiles: Mapping[str, str]) -> Imported:
    """Read Tiled's XML: the same content under other names. Documents with declarations of their own are refused."""
    if "<!DOCTYPE" in text.upper():
        raise BoardError("this is no map of Tiled: it declares a document type", fix="save it again with Tiled", file=name)
    try:
        data = _map(ElementTree.fromstring(text.removeprefix("\ufeff").encode("utf-8", "replace")))
    except (ElementTree.ParseError, ValueError, KeyError) as fault:
        raise BoardError(f"this is no XML map of Tiled: {fault}", fix="save it as .tmx", file=name) from None
    return read_tmj(json.dumps(data), name, snap, tiles)


def _map(root: ElementTree.Element) -> _Data:
    sets = [
        {**one.attrib, "firstgid": int(one.get("firstgid", "1")), "tiles": [_tile(tile) for tile in one.iter("tile")]}
        for one in root.findall("tileset")
    ]
    return {**root.attrib, "infinite": root.get("infinite") == "1", "tilesets": sets, "layers": _xml_layers(root)}


def _tile(tile: ElementTree.Element) -> _Data:
    return {"id": int(tile.get("id", "0")), "properties": _xml_properties(tile)}


def _xml_properties(element: ElementTree.Element) -> list[_Data]:
    found = []
    for one in element.findall("properties/property"):
        value: Any = one.get("value", one.text or "")
        kind = one.get("type")
        value = value == "true" if kind == "bool" else int(value) if kind == "int" else value
        found.append({"name": one.get("name", ""), "value": value})
    return found


def _xml_layers(parent: ElementTree.Element) -> list[_Data]:
    found: list[_Data] = []
    for one in parent:
        common: _Data = {"name": one.get("name", ""), "visible": one.get("visible", "1") != "0"}
        if one.tag == "group":
            found.append({**common, "type": "group", "layers": _xml_layers(one)})
        elif one.tag == "layer":
            data = one.find("data")
            text = (data.text or "").strip() if data is not None else ""
            encoding = data.get("encoding") if data is not None else "csv"
            tiles: Any = text
            if encoding == "csv":
                tiles = [int(number) for number in text.split(",") if number.strip()]
            elif encoding is None and data is not None:
                tiles = [int(tile.get("gid", "0")) for tile in data.findall("tile")]
            packed = data.get("compression") if data is not None else None
            found.append({**common, "type": "tilelayer", "data": tiles, "compression": packed})
        elif one.tag == "objectgroup":
            found.append({**common, "type": "objectgroup", "objects": [_xml_object(thing) for thing in one.findall("object")]})
    return found


def _xml_object(thing: ElementTree.Element) -> _Data:
    told: _Data = {**thing.attrib, "properties": _xml_properties(thing)}
    for shape in ("polyline", "polygon"):
        drawn = thing.find(shape)
        if drawn is not None:
            pairs = (pair.split(",") for pair in drawn.get("points", "").split())
            told[shape] = [{"x": float(x), "y": float(y)} for x, y in pairs]
    return told


# --- writing --------------------------------------------------------------------------------------------------------


def write_tmj(board: Board) -> str:
    """A whole board: terrain as tiles; edges, figures and markers as objects; everything else as a property of the map."""
    import tomllib

    signs = _STRENGTH[::-1]
    tiles = [signs.find(board.terrain[c, r].value) + 1 for r in range(1, board.height + 1) for c in range(1, board.width + 1)]
    objects: list[_Data] = []

    def add(thing: _Data) -> None:
        objects.append({"id": len(objects) + 1, "name": "", "rotation": 0, "visible": True, "width": 0, "height": 0, **thing})

    edges = dict(board.edges)
    for word, kind in _EDGES.items():
        single = kind not in (EdgeKind.WALL, EdgeKind.BARRING, EdgeKind.HINDERING)
        if word != "window":
            pieces = [({edge: kind} if single else edges) for edge, k in edges.items() if k is kind][: None if single else 1]
            for piece in pieces:
                for (ax, ay), (bx, by) in runs(piece, kind):
                    line = [{"x": 0, "y": 0}, {"x": (bx - ax) * _SIDE, "y": (by - ay) * _SIDE}]
                    add({"type": word, "x": ax * _SIDE, "y": ay * _SIDE, "polyline": line})
    plain = tomllib.loads(format_board(board))
    for word in ("figure", "marker"):
        squares = [thing.at for thing in (board.figures if word == "figure" else board.markers)]
        for table, (c, r) in zip(plain.get(word, ()), squares, strict=True):
            properties = [_property(key, value) for key, value in table.items() if key not in ("at", "id")]
            name = table.get("id", table["kind"])
            place = {"x": (c - 0.5) * _SIDE, "y": (r - 0.5) * _SIDE}
            add({"type": word, "name": name, "point": True, **place, "properties": properties})
    tileset = {
        "firstgid": 1,
        "name": "riese-kb",
        "tilewidth": _SIDE,
        "tileheight": _SIDE,
        "tilecount": len(signs),
        "columns": 0,
        "margin": 0,
        "spacing": 0,
        "tiles": [{"id": n, "properties": [{"name": "terrain", "type": "string", "value": s}]} for n, s in enumerate(signs)],
    }
    shown = {"opacity": 1, "visible": True, "x": 0, "y": 0}
    size = {"width": board.width, "height": board.height}
    layers = [
        {"id": 1, "name": "terrain", "type": "tilelayer", "data": tiles, **size, **shown},
        {"id": 2, "name": "objects", "type": "objectgroup", "draworder": "index", "objects": objects, **shown},
    ]
    data = {"type": "map", "version": "1.10", "tiledversion": "1.11.2", "orientation": "orthogonal", "infinite": False}
    more = {"renderorder": "right-down", "tilewidth": _SIDE, "tileheight": _SIDE, "nextlayerid": 3}
    head, _, rest = format_board(replace(board, figures=(), markers=())).partition("\nmap = '''\n")
    kept = {"name": _REST, "type": "string", "value": head + _CUT + rest.partition("'''\n")[2]}
    data |= size | more | {"properties": [kept]} | {"nextobjectid": len(objects) + 1, "tilesets": [tileset], "layers": layers}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _property(key: str, value: Any) -> _Data:
    if isinstance(value, bool):
        return {"name": key, "type": "bool", "value": value}
    if isinstance(value, int):
        return {"name": key, "type": "int", "value": value}
    return {"name": key, "type": "string", "value": "".join(f"\n{one}" for one in value) if isinstance(value, list) else value}
