"""The characters that a text picture of a board is drawn with, and the words for them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from riese_kb.board import EdgeKind, Facing, Terrain


class Glyphs(Struct, frozen=True):
    """One set of characters to draw with. ``fill`` pads a square around its mark, ``bare`` is a square without any.

    ``across`` and ``down`` draw horizontal and vertical edges; ``corners`` is indexed by the walls that meet there,
    north 1, east 2, south 4, west 8.
    """

    fill: Mapping[Terrain, str]
    clear: str
    across: Mapping[EdgeKind, str]
    down: Mapping[EdgeKind, str]
    exits: str
    corners: str
    facing: Mapping[Facing, str]
    npc: str
    civilian: str
    step: str
    line: str
    blocked: str
    arrow: str
    dash: str


UNICODE = Glyphs(
    fill={
        Terrain.CLEAR: " ",
        Terrain.HINDERING: "░",
        Terrain.OBSTRUCTIVE: "█",
        Terrain.BARRING: "▒",
        Terrain.FIRE: "^",
        Terrain.LETHAL: "!",
        Terrain.VOID: " ",
    },
    clear=" · ",
    across={EdgeKind.WALL: "───", EdgeKind.BARRING: "╌╌╌", EdgeKind.HINDERING: "░░░"},
    down={EdgeKind.WALL: "│", EdgeKind.BARRING: "╎", EdgeKind.HINDERING: "░"},
    exits="↑→↓←",
    corners=" ╵╶└╷│┌├╴┘─┴┐┤┬┼",
    facing={Facing.NORTH: "▲", Facing.EAST: "▶", Facing.SOUTH: "▼", Facing.WEST: "◀"},
    npc="◆",
    civilian="○",
    step="•",
    line="*",
    blocked="×",
    arrow=" → ",
    dash=" · ",
)
ASCII = Glyphs(
    fill={
        Terrain.CLEAR: " ",
        Terrain.HINDERING: "~",
        Terrain.OBSTRUCTIVE: "#",
        Terrain.BARRING: ":",
        Terrain.FIRE: "^",
        Terrain.LETHAL: "!",
        Terrain.VOID: " ",
    },
    clear=" . ",
    across={EdgeKind.WALL: "---", EdgeKind.BARRING: ":::", EdgeKind.HINDERING: "~~~"},
    down={EdgeKind.WALL: "|", EdgeKind.BARRING: ":", EdgeKind.HINDERING: "~"},
    exits="^>v<",
    corners=" +++" + "+|++" + "++-+" + "++++",
    facing={Facing.NORTH: "^", Facing.EAST: ">", Facing.SOUTH: "v", Facing.WEST: "<"},
    npc="&",
    civilian="o",
    step="=",
    line="*",
    blocked="x",
    arrow=" -> ",
    dash=", ",
)
DOORS = {EdgeKind.CLOSED_DOOR: "D", EdgeKind.OPEN_DOOR: "d", EdgeKind.LOCKED_DOOR: "L"}
TERRAIN_WORDS = {
    Terrain.HINDERING: "hindering",
    Terrain.OBSTRUCTIVE: "obstructive",
    Terrain.BARRING: "no way through, but a clear view",
    Terrain.FIRE: "fire",
    Terrain.LETHAL: "lethal",
}
DOOR_WORDS = {
    EdgeKind.CLOSED_DOOR: "closed door",
    EdgeKind.OPEN_DOOR: "open door",
    EdgeKind.LOCKED_DOOR: "locked door",
}
MARKER_LETTERS = {
    "fire": "^",
    "toxic": "%",
    "objective": "O",
    "spawn": "S",
    "flare": "*",
    "timer": "T",
    "satchel": "C",
    "start": "A",
    "barricade": "=",
    "rubble": "R",
}
