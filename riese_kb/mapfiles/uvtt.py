"""Universal VTT: walls as lines and portals as gaps in them, in squares; terrain and figures it does not know."""

from __future__ import annotations

import itertools
import json
import math

import msgspec
from msgspec import Struct, field

from riese_kb.board import Board, EdgeKind, Terrain
from riese_kb.errors import BoardError
from riese_kb.mapfiles.imported import Asked, Imported, board_of, grid_of
from riese_kb.mapfiles.lines import Lines, runs

_PIXELS = 70
"""Of a square, in the maps that are written; there is no picture, but readers want the number."""


class _Point(Struct):
    x: float
    y: float


class _Resolution(Struct):
    map_size: _Point
    map_origin: _Point = field(default_factory=lambda: _Point(0, 0))


class _Portal(Struct):
    bounds: list[_Point]
    closed: bool = True


class _Map(Struct):
    resolution: _Resolution
    line_of_sight: list[list[_Point]] = field(default_factory=list)
    objects_line_of_sight: list[list[_Point]] = field(default_factory=list)
    portals: list[_Portal] = field(default_factory=list)


def read_uvtt(text: str, name: str, snap: float, portals: str | None, furniture: bool) -> Imported:
    """Read a map; an open portal is asked about until ``portals`` says whether it is a window or a door."""
    try:
        drawn = msgspec.json.decode(text.removeprefix("\ufeff").encode("utf-8", "replace"), type=_Map)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise BoardError(f"this is no Universal VTT map: {fault}", fix="export it again", file=name) from None
    size, origin = drawn.resolution.map_size, drawn.resolution.map_origin
    if not all(math.isfinite(value) and abs(value) < 1e6 for value in (size.x, size.y, origin.x, origin.y)):
        raise BoardError("the size of the map is no size", fix="export it again", file=name)
    found = Imported()
    grid = grid_of(math.ceil(size.x - 1e-6), math.ceil(size.y - 1e-6), name)
    if (grid.width, grid.height) != (size.x, size.y):
        found.notes.append(f"the map is {size.x:g} x {size.y:g} squares large; the last ones were made whole")
    grid.terrain.update({(c, r): Terrain.CLEAR for c in range(1, grid.width + 1) for r in range(1, grid.height + 1)})
    lines = Lines(grid, found, snap)

    def at(point: _Point) -> tuple[float, float]:
        return point.x - origin.x, point.y - origin.y

    for chain in [*drawn.line_of_sight, *(drawn.objects_line_of_sight if furniture else ())]:
        for a, b in itertools.pairwise(chain):
            lines.wall(at(a), at(b))
    if drawn.objects_line_of_sight and not furniture:
        found.notes.append(f"{len(drawn.objects_line_of_sight)} pieces of furniture were left out")
    half_open = []
    for number, portal in enumerate(drawn.portals, 1):
        if len(portal.bounds) != 2:
            found.off_grid.append(f"portal {number}: it has {len(portal.bounds)} ends")
            continue
        a, b = map(at, portal.bounds)
        kind, what = EdgeKind.CLOSED_DOOR, f"door {number}"
        if not portal.closed:
            half_open.append(f"portal {number} at ({(a[0] + b[0]) / 2:g}, {(a[1] + b[1]) / 2:g})")
            kind = EdgeKind.BARRING if portals == "window" else EdgeKind.OPEN_DOOR
            what = f"{'window' if portals == 'window' else 'open door'} {number}"
        lines.portal(a, b, kind, what)
    if half_open and portals is None:
        says = "some programs write windows as open portals, others open doors: what are these?"
        found.asked.append(Asked("portals", says, ("window", "door"), tuple(half_open)))
        return found
    lines.draw()
    found.board = board_of(grid)
    return found


def write_uvtt(board: Board) -> str:
    """Walls, doors and windows of a board. Closed and locked doors are closed portals, open ones and windows open portals."""
    edges = dict(board.edges)
    kinds = {
        EdgeKind.CLOSED_DOOR: True,
        EdgeKind.LOCKED_DOOR: True,
        EdgeKind.OPEN_DOOR: False,
        EdgeKind.BARRING: False,
    }
    portals = []
    for ((c1, r1), (c2, _r2)), kind in sorted(edges.items()):
        if kind in kinds:
            upright = c2 > c1
            ends = [(c1, r1 - 1), (c1, r1)] if upright else [(c1 - 1, r1), (c1, r1)]
            portals.append(
                {
                    "position": _point((ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2),
                    "bounds": [_point(*end) for end in ends],
                    "rotation": round(math.pi / 2, 6) if upright else 0,
                    "closed": kinds[kind],
                    "freestanding": False,
                }
            )
    data = {
        "format": 0.3,
        "resolution": {
            "map_origin": _point(0, 0),
            "map_size": _point(board.width, board.height),
            "pixels_per_grid": _PIXELS,
        },
        "line_of_sight": [[_point(*a), _point(*b)] for a, b in runs(edges, EdgeKind.WALL)],
        "objects_line_of_sight": [],
        "portals": portals,
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"},
        "lights": [],
        "image": "",
    }
    return json.dumps(data, indent=1) + "\n"


def _point(x: float, y: float) -> dict[str, float]:
    return {"x": x, "y": y}
