"""The signs of a board of squares: fillings of terrain, edges, markers, figures."""

from __future__ import annotations

from riese_kb.board import Board, EdgeKind, Facing, Figure, Kind, Marker, Terrain
from riese_kb.glyphs import MARKER_LETTERS
from riese_kb.sketch import Point, Sheet

CELL = 48.0
"""The width of a square."""
WAYS = {Facing.NORTH: (0, -1), Facing.EAST: (1, 0), Facing.SOUTH: (0, 1), Facing.WEST: (-1, 0)}
"""Where each facing points, right and down."""


def patterns(sheet: Sheet, board: Board, corner: Point) -> None:
    """The fillings of the terrain that the board has, in step with its upper left corner."""
    used = set(board.terrain.values())
    outer = sheet.at
    sheet.at = sheet.add("defs", "")
    defs = sheet.at
    for terrain, size in (
        (Terrain.HINDERING, 8),
        (Terrain.OBSTRUCTIVE, 12),
        (Terrain.BARRING, 12),
        (Terrain.FIRE, 16),
        (Terrain.LETHAL, 16),
    ):
        if terrain not in used:
            continue
        sheet.at = defs
        sheet.at = sheet.add(
            "pattern",
            "",
            id=sheet.name(terrain.name),
            width=size,
            height=size,
            patternUnits="userSpaceOnUse",
            x=corner[0] % size,
            y=corner[1] % size,
        )
        sheet.rect((0, 0), size, size, "rock" if terrain is Terrain.OBSTRUCTIVE else "floor")
        match terrain:
            case Terrain.HINDERING:
                sheet.line((0, 8), (8, 0), "hatch")
            case Terrain.OBSTRUCTIVE:
                sheet.line((0, 0), (12, 12), "vein")
                sheet.line((0, 12), (12, 0), "vein")
            case Terrain.BARRING:
                sheet.line((0, 6), (7, 6), "hatch")
            case Terrain.FIRE:
                sheet.polygon([(3, 13), (8, 3), (13, 13)], "flame")
            case Terrain.LETHAL:
                sheet.line((3, 3), (9, 9), "hatch")
                sheet.line((3, 9), (9, 3), "hatch")
    sheet.at = outer


def draw_edge(sheet: Sheet, kind: EdgeKind, middle: Point, upright: bool, out: int = 1) -> None:
    """An edge around its middle; ``out``: on which side of an exit the outside is, 1 to the right or below."""
    along = (0, 1) if upright else (1, 0)

    def at(far: float, off: float = 0) -> Point:
        return middle[0] + far * along[0] + off * along[1], middle[1] + far * along[1] + off * along[0]

    match kind:
        case EdgeKind.WALL:
            sheet.line(at(-24), at(24), "wall")
        case EdgeKind.BARRING:
            sheet.line(at(-24), at(24), "dashed")
        case EdgeKind.HINDERING:
            sheet.line(at(-24), at(24), "dotted")
        case EdgeKind.EXIT:
            away = (out, 0) if upright else (0, out)
            tip = (middle[0] + 13 * away[0], middle[1] + 13 * away[1])
            base = (middle[0] + 3 * away[0], middle[1] + 3 * away[1])
            sheet.polygon(
                [tip, (base[0] - 9 * away[1], base[1] + 9 * away[0]), (base[0] + 9 * away[1], base[1] - 9 * away[0])], "solid"
            )
        case _:
            sheet.line(at(-24), at(-15), "wall")
            sheet.line(at(15), at(24), "wall")
            if kind is EdgeKind.OPEN_DOOR:
                sheet.line(at(-15), at(-1, 24), "leaf")
                return
            (x, y), (u, v) = at(-15, -4), at(15, 4)
            sheet.rect((min(x, u), min(y, v)), abs(u - x), abs(v - y), "door")
            if kind is EdgeKind.LOCKED_DOOR:
                sheet.circle(middle, 7.5, "badge")
                sheet.text((middle[0], middle[1] + 4), "L", "count small")


def marker_sign(marker: Marker) -> str:
    """The few letters on a marker."""
    label = marker.label
    return label if label and len(label) <= 3 else MARKER_LETTERS.get(marker.kind, marker.kind[:1].upper())


def draw_figure(sheet: Sheet, figure: Figure, key: str, middle: Point) -> None:
    """A figure around the middle of its square: a hero is round and points where it looks, an NPC a diamond, a zombie dark."""
    x, y = middle
    style = "count"
    match figure.kind:
        case Kind.HERO:
            facing = figure.facing or Facing.NORTH
            across, down = WAYS[facing]
            base = (x + 10 * across, y + 10 * down)
            wings = [(base[0] - 13 * down, base[1] + 13 * across), (base[0] + 13 * down, base[1] - 13 * across)]
            sheet.polygon([(x + 22.5 * across, y + 22.5 * down), *wings], "solid", facing=str(facing))
            sheet.circle(middle, 14.5, "body")
        case Kind.NPC:
            sheet.polygon([(x, y - 18), (x + 18, y), (x, y + 18), (x - 18, y)], "body")
        case Kind.CIVILIAN:
            sheet.circle(middle, 14, "marker")
        case _:
            sheet.rect((x - 15, y - 13), 30, 26, "undead", 4)
            style = "count pale"
    sheet.text((x, y + 4.5), key, style if len(key) < 3 else f"{style} small")
