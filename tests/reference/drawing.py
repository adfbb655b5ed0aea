"""Boards for tests, drawn as the doubled grid of the board file."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

from riese_kb.board import (
    Board,
    Edge,
    EdgeKind,
    Facing,
    Figure,
    Kind,
    Square,
    System,
    Terrain,
    Weapon,
    edge_between,
    parse_square,
)


def drawn(picture: str, *figures: Figure, **more: Any) -> Board:
    """The board of that picture. Every edge row begins with ``+``."""
    rows = [row for row in dedent(picture).split("\n") if row.strip()]
    width = (max(len(row) for row in rows) - 1) // 2
    height = (len(rows) - 1) // 2
    rows = [row.ljust(2 * width + 1) for row in rows]
    terrain: dict[Square, Terrain] = {}
    edges: dict[Edge, EdgeKind] = {}
    for r in range(1, height + 1):
        for c in range(1, width + 1):
            terrain[(c, r)] = Terrain(rows[2 * r - 1][2 * c - 1])
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            if (x + y) % 2 == 0 or char == " ":
                continue
            kind = EdgeKind("|" if char == "-" else char)
            # odd rows hold vertical edges (2c: right of column c), even rows horizontal ones (2r: below row r)
            if y % 2:
                edge = edge_between((x // 2, (y + 1) // 2), (x // 2 + 1, (y + 1) // 2))
            else:
                edge = edge_between(((x + 1) // 2, y // 2), ((x + 1) // 2, y // 2 + 1))
            edges[edge] = kind
    for edge, kind in list(edges.items()):
        if kind is EdgeKind.WALL and not all(1 <= c <= width and 1 <= r <= height for c, r in edge):
            del edges[edge]
    return Board(system=System.RIESE, width=width, height=height, terrain=terrain, edges=edges, figures=figures, **more)


def sq(name: str) -> Square:
    square = parse_square(name)
    assert square is not None
    return square


def hero(id: str, at: str, facing: Facing = Facing.NORTH, **more: Any) -> Figure:
    return Figure(id=id, kind=Kind.HERO, at=sq(at), facing=facing, **more)


def walker(id: str, at: str, type: str = "beta", **more: Any) -> Figure:
    return Figure(id=id, kind=Kind.ZOMBIE, at=sq(at), type=type, **more)


FG_42 = Weapon(name="FG-42", rof=1, stun=6, wound=9, pbr=9, rm=4, h2h_stun=8, h2h_wound=11, select_fire=True)
COLT = Weapon(name="Colt M1911", rof=1, stun=6, wound=9, pbr=4, rm=1, one_handed=True)
THOMPSON = Weapon(name="M1 Thompson", rof=2, stun=5, wound=9, pbr=4, rm=3)
MP_40 = Weapon(name="MP-40", rof=2, stun=6, wound=9, pbr=4, rm=2)
