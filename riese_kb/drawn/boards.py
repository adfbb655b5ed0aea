"""Random legal boards: each thing on them has a density, which a test may change."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from riese_kb.board import (
    MAIN,
    Board,
    Declared,
    Edge,
    EdgeKind,
    Facing,
    Figure,
    Kind,
    Marker,
    Square,
    Stock,
    Terrain,
    Weapon,
    edge_between,
)

DENSITIES: dict[str, float] = {
    # share of the squares
    "hindering": 0.12,
    "obstructive": 0.07,
    "barring": 0.03,
    "fire": 0.04,
    "lethal": 0.01,
    "void": 0.03,
    # share of the inner edges
    "wall": 0.07,
    "barring_edge": 0.02,
    "hindering_edge": 0.04,
    "closed_door": 0.03,
    "open_door": 0.03,
    "locked_door": 0.01,
    # share of the rim edges
    "exit": 0.05,
    "rim_door": 0.05,
    # chances of a board
    "npc": 0.15,
    "civilian": 0.15,
    "darkness": 0.12,
    "threat": 0.35,
    # chances of a figure
    "trooper": 0.3,
    "stunned": 0.2,
    "unrevealed": 0.12,
    "power": 0.15,
    "lock": 0.15,
    "covering": 0.25,
    "attacked": 0.1,
    "near": 0.35,  # a zombie put close to another figure
    # chances of a marker, tried three times each
    "fire_marker": 0.15,
    "barricade": 0.12,
}
POWERS = ("antihero", "armoured", "dodge", "fluchtig", "frenzy", "howl", "leap", "shutzshild", "smash", "thick-skin")
TYPES = ("beta", "beta", "beta", "armoured", "flammenghul", "alpha", "omega")
NPC_WEAPONS = ("FG-42", "FG-42", "StG-43/44", "Torch", None)
"""Weapons whose whole cards are printed, or none."""
STANDABLE = (Terrain.CLEAR, Terrain.HINDERING, Terrain.FIRE)


def random_board(rng: random.Random, width: int, height: int, **densities: float) -> Board:
    """A legal board with one to three heroes and one to six zombies; ``densities`` override ``DENSITIES``.

    Densities that are not given vary from board to board, so that some boards have much of a thing and some none.
    ``heroes=n`` and ``zombies=n`` fix the numbers.
    """
    varied = {name: min(0.4, value * rng.choice((0, 0.5, 1, 1, 1, 2, 4))) for name, value in DENSITIES.items()}
    chance = {**varied, **{name: value for name, value in densities.items() if name in DENSITIES}}
    if unknown := set(densities) - set(DENSITIES) - {"heroes", "zombies"}:
        raise ValueError(f"no such density: {', '.join(sorted(unknown))}")
    terrain = random_terrain(rng, width, height, chance)
    edges = random_edges(rng, width, height, terrain, chance)
    weapons = random_weapons(rng)
    heroes = int(densities.get("heroes", rng.choice((1, 1, 2, 2, 3))))
    zombies = int(densities.get("zombies", rng.choice((1, 2, 2, 3, 3, 4, 5, 6))))
    free = [square for square, kind in sorted(terrain.items()) if kind in STANDABLE]
    rng.shuffle(free)
    while len(free) < 4:  # hardly ever: a tiny map without room
        square = (rng.randint(1, width), rng.randint(1, height))
        terrain[square] = Terrain.CLEAR
        if square not in free:
            free.append(square)
    count = range(1, min(heroes, len(free) - 2) + 1)
    figures = [random_hero(rng, f"hero-{number}", free.pop(), weapons, chance) for number in count]
    if rng.random() < chance["npc"] and len(free) > 1:
        figures.append(Figure(id="guard", kind=Kind.NPC, at=free.pop(), health=rng.choice((1, 2))))
        if "npc" in densities:  # a board about NPCs
            figures[-1] = replace(figures[-1], weapon=rng.choice(NPC_WEAPONS))
            if rng.random() < 0.4:
                figures.append(Figure(id="guard-2", kind=Kind.NPC, at=free.pop()))
    if rng.random() < chance["civilian"] and len(free) > 1:
        figures.append(Figure(id="girl", kind=Kind.CIVILIAN, at=free.pop(), health=1))
    for number in range(min(zombies, len(free))):
        at = near_square(rng, free, figures) if rng.random() < chance["near"] else free[-1]
        free.remove(at)
        figures.append(random_zombie(rng, f"zed-{number + 1}", at, chance))
    figures = [looking(rng, figure, figures) for figure in figures]
    board = Board(
        system=MAIN,
        width=width,
        height=height,
        terrain=terrain,
        edges=edges,
        figures=tuple(figures),
        weapons=weapons,
        markers=random_markers(rng, terrain, figures, chance),
        threat=rng.randint(1, 12) if rng.random() < chance["threat"] else 0,
        darkness=rng.random() < chance["darkness"],
    )
    return with_locks(rng, board, chance)


def looking(rng: random.Random, figure: Figure, figures: list[Figure]) -> Figure:
    """The figure; a hero is mostly turned to a zombie."""
    zombies = [other for other in figures if other.kind is Kind.ZOMBIE]
    if figure.kind is not Kind.HERO or not zombies or rng.random() < 0.4:
        return figure
    zombie = min(zombies, key=lambda z: abs(z.at[0] - figure.at[0]) + abs(z.at[1] - figure.at[1]))
    dx, dy = zombie.at[0] - figure.at[0], zombie.at[1] - figure.at[1]
    if abs(dx) > abs(dy):
        return replace(figure, facing=Facing.EAST if dx > 0 else Facing.WEST)
    return replace(figure, facing=Facing.SOUTH if dy > 0 else Facing.NORTH)


def random_terrain(rng: random.Random, width: int, height: int, chance: Mapping[str, float]) -> dict[Square, Terrain]:
    """Every square of the grid."""
    kinds = {
        Terrain.HINDERING: "hindering",
        Terrain.OBSTRUCTIVE: "obstructive",
        Terrain.BARRING: "barring",
        Terrain.FIRE: "fire",
        Terrain.LETHAL: "lethal",
        Terrain.VOID: "void",
    }
    terrain: dict[Square, Terrain] = {}
    for r in range(1, height + 1):
        for c in range(1, width + 1):
            terrain[(c, r)] = drawn_kind(rng, {kind: chance[name] for kind, name in kinds.items()}, Terrain.CLEAR)
    return terrain


def drawn_kind(rng: random.Random, shares: Mapping[Any, float], otherwise: Any) -> Any:
    """One of several things, each with its share; else another."""
    left = rng.random()
    for kind, share in shares.items():
        left -= share
        if left < 0:
            return kind
    return otherwise


def random_edges(
    rng: random.Random, width: int, height: int, terrain: Mapping[Square, Terrain], chance: Mapping[str, float]
) -> dict[Edge, EdgeKind]:
    """Every edge that is not open; the rim is wall but for doors and exits."""
    inner = {
        EdgeKind.WALL: chance["wall"],
        EdgeKind.BARRING: chance["barring_edge"],
        EdgeKind.HINDERING: chance["hindering_edge"],
        EdgeKind.CLOSED_DOOR: chance["closed_door"],
        EdgeKind.OPEN_DOOR: chance["open_door"],
        EdgeKind.LOCKED_DOOR: chance["locked_door"],
    }
    third = chance["rim_door"] / 3
    rim = {
        EdgeKind.EXIT: chance["exit"],
        EdgeKind.CLOSED_DOOR: third,
        EdgeKind.OPEN_DOOR: third,
        EdgeKind.LOCKED_DOOR: third,
    }
    edges: dict[Edge, EdgeKind] = {}
    for a, b in all_edges(width, height):
        on_rim = a not in terrain or b not in terrain
        drawn = drawn_kind(rng, rim if on_rim else inner, EdgeKind.WALL if on_rim else EdgeKind.OPEN)
        if all(terrain.get(square, Terrain.VOID) is Terrain.VOID for square in (a, b)):
            drawn = EdgeKind.WALL if on_rim else EdgeKind.OPEN
        if drawn is not EdgeKind.OPEN:
            edges[(a, b)] = drawn
    return edges


def all_edges(width: int, height: int) -> Iterable[Edge]:
    """All edges, the rim included."""
    for r in range(1, height + 1):
        for c in range(width + 1):
            yield edge_between((c, r), (c + 1, r))
    for r in range(height + 1):
        for c in range(1, width + 1):
            yield edge_between((c, r), (c, r + 1))


def random_weapons(rng: random.Random) -> tuple[Weapon, ...]:
    """Cards with all values: long guns, pistols, things to hit with."""
    weapons: list[Weapon] = []
    for name in ("Gun A", "Gun B"):
        stun = rng.randint(4, 8)
        weapons.append(
            Weapon(
                name=name,
                rof=rng.choice((1, 2, 2, 3)),
                stun=stun,
                wound=stun + rng.randint(1, 4),
                pbr=rng.randint(1, 5),
                rm=rng.choice((1, 2, 3, 9)),
                h2h_stun=rng.randint(6, 9),
                h2h_wound=rng.randint(9, 12),
                one_handed=False,
                select_fire=rng.random() < 0.5,
                supplied=True,
            )
        )
    for name in ("Pistol A", "Pistol B"):
        stun = rng.randint(5, 7)
        h2h = rng.random() < 0.5
        weapons.append(
            Weapon(
                name=name,
                rof=rng.choice((1, 1, 2)),
                stun=stun,
                wound=stun + rng.randint(2, 4),
                pbr=rng.randint(2, 4),
                rm=rng.choice((1, 2)),
                h2h_stun=rng.randint(6, 9) if h2h else None,
                h2h_wound=rng.randint(9, 12) if h2h else None,
                one_handed=True,
                select_fire=False,
                supplied=True,
            )
        )
    for name, long in (("Blade A", False), ("Blade B", True)):
        stun = rng.randint(3, 7)
        wound = stun + rng.randint(2, 4)
        weapons.append(
            Weapon(
                name=name,
                rof=rng.choice((1, 1, 2)),
                stun=stun,
                wound=wound,
                pbr=rng.choice((1, 2)),
                rm="H",
                h2h_stun=stun,
                h2h_wound=wound,
                one_handed=not long,
                select_fire=False,
                supplied=True,
            )
        )
    return tuple(weapons)


def random_hero(rng: random.Random, id: str, at: Square, weapons: tuple[Weapon, ...], chance: Mapping[str, float]) -> Figure:
    """A hero or trooper with weapons, things to throw, statuses."""
    trooper = rng.random() < chance["trooper"]
    ready = rng.choice((None, *weapons, *weapons))
    second = None
    if ready is not None and ready.one_handed and rng.random() < 0.5:
        second = rng.choice([weapon for weapon in weapons if weapon.one_handed and weapon is not ready])
    status: tuple[str, ...] = ()
    if rng.random() < chance["covering"]:
        status = ("covering",)
    elif rng.random() < chance["attacked"]:
        status = ("attacked",)
    health = rng.choice((1, 2)) if trooper else rng.randint(1, 4)
    moods = [None, Declared.STATIONARY, Declared.WALKING]
    if not (trooper and health < 2):
        moods.append(Declared.RUNNING)
    # Dice of their own: what a hero carries to throw must not change what is drawn after him.
    pocket = random.Random(f"{id} {at} {health}")
    return Figure(
        id=id,
        kind=Kind.HERO,
        name="Trooper" if trooper else None,
        at=at,
        facing=rng.choice(list(Facing)),
        declared=rng.choice(moods),
        weapon=ready.name if ready else None,
        off_hand=second.name if second else None,
        ammo=rng.choice((None, None, None, None, 0, 1, 2, 3)),
        grenades=pocket.choice((0, 1, 2)),
        gear=tuple(pocket.sample(EXPLOSIVES, pocket.choice((0, 0, 1, 2)))),
        health=health,
        status=status,
    )


EXPLOSIVES = ("Molotov Cocktail", "Satchel Charge", "Decoy", "Flare", "Panzerfaust")


def random_zombie(rng: random.Random, id: str, at: Square, chance: Mapping[str, float]) -> Figure:
    """A zombie of some type, perhaps stunned, unrevealed, or with a further power."""
    type = rng.choice(TYPES)
    status: tuple[str, ...] = ()
    if rng.random() < chance["stunned"]:
        status = ("stunned",)
    elif rng.random() < chance["unrevealed"]:
        status = ("unrevealed",)
    powers: tuple[str, ...] = ()
    if rng.random() < chance["power"]:
        powers = (rng.choice(POWERS),)
    health = {"alpha": rng.choice((None, 1)), "omega": rng.choice((None, 1, 2))}.get(type)
    return Figure(id=id, kind=Kind.ZOMBIE, at=at, type=type, health=health, status=status, powers=powers)


def near_square(rng: random.Random, free: list[Square], figures: list[Figure]) -> Square:
    """A free square next to some figure, if there is one."""
    near = [square for square in free if any(max(abs(square[0] - f.at[0]), abs(square[1] - f.at[1])) == 1 for f in figures)]
    return rng.choice(near or free)


def random_markers(
    rng: random.Random, terrain: Mapping[Square, Terrain], figures: list[Figure], chance: Mapping[str, float]
) -> tuple[Marker, ...]:
    """A few fires and barricades."""
    taken = {figure.at for figure in figures}
    squares = [square for square, kind in sorted(terrain.items()) if kind in (Terrain.CLEAR, Terrain.HINDERING)]
    found: dict[Square, Marker] = {}
    for _ in range(3):
        if squares and rng.random() < chance["fire_marker"]:
            square = rng.choice(squares)
            found.setdefault(square, Marker(kind="fire", at=square))
        bare = [square for square in squares if square not in taken]
        if bare and rng.random() < chance["barricade"]:
            square = rng.choice(bare)
            found.setdefault(square, Marker(kind="barricade", at=square))
    return tuple(found.values())


def with_locks(rng: random.Random, board: Board, chance: Mapping[str, float]) -> Board:
    """Some zombies lock somebody beside them; who is locked faces that zombie and covers nothing."""
    figures = {figure.id: figure for figure in board.figures}
    for zombie in board.figures:
        if zombie.kind is not Kind.ZOMBIE or zombie.status:
            continue
        victims = [
            figure
            for figure in board.figures
            if figure.kind in (Kind.HERO, Kind.NPC)
            and abs(figure.at[0] - zombie.at[0]) + abs(figure.at[1] - zombie.at[1]) == 1
            and edge_between(figure.at, zombie.at) not in board.edges
        ]
        if not victims or rng.random() >= chance["lock"]:
            continue
        victim = figures[rng.choice(victims).id]
        figures[zombie.id] = replace(zombie, locks=(victim.id,))
        status = tuple("attacked" if word == "covering" else word for word in victim.status)
        facing = facing_to(victim.at, zombie.at) if victim.kind is Kind.HERO else None
        figures[victim.id] = replace(victim, status=status, facing=facing)
    return replace(board, figures=tuple(figures.values()))


def facing_to(a: Square, b: Square) -> Facing:
    """The facing of someone at ``a`` who looks at the adjacent square ``b``."""
    return {
        (0, -1): Facing.NORTH,
        (1, 0): Facing.EAST,
        (0, 1): Facing.SOUTH,
        (-1, 0): Facing.WEST,
    }[(b[0] - a[0], b[1] - a[1])]


def with_spawns(rng: random.Random, board: Board) -> Board:
    """The board with spawn locations and an objective, piles of zombies and a round track, all of them by chance."""
    squares = [square for square, kind in sorted(board.terrain.items()) if kind in STANDABLE]
    taken = {marker.at for marker in board.markers}
    free = [square for square in squares if square not in taken] or squares
    markers = [
        Marker(kind="spawn", at=rng.choice(squares), label=label, waiting=rng.choice((0, 0, 1, 2)))
        for label in ("S1", "S1", "S2", "S3")
    ]
    markers.append(Marker(kind="objective", at=rng.choice(free), label="O1"))
    piles: list[Stock | None] = [
        rng.choice((None, (), (("beta", rng.randint(1, 4)), ("armoured", rng.randint(1, 2))))) for _ in range(3)
    ]
    track = tuple(rng.choice(("", "S1", "S2 S3", "*", "S3 *")) for _ in range(rng.randint(1, 4)))
    unique = {(marker.at, marker.label): marker for marker in markers}
    return replace(
        board,
        markers=(*board.markers, *unique.values()),
        pool=piles[0],
        discard=piles[1],
        aside=piles[2],
        track=track,
        round=rng.randint(1, 9),
    )
