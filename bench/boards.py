"""Large seeded boards and questions about them, for timing only."""

import random

from riese_kb.board import Board, Declared, Edge, EdgeKind, Facing, Figure, Kind, Square, System, Terrain, Weapon, edge_between
from riese_kb.question import About, Action, Attack, Can, Lof, Reach, Step, Targets, Zombie

GUN = Weapon(
    name="Gun", rof=2, stun=6, wound=9, pbr=4, rm=2, h2h_stun=9, h2h_wound=11, one_handed=False, select_fire=False, supplied=True
)
HEROES, ZOMBIES = 4, 11
SIZES = {"24×34": (24, 34), "60×60": (60, 60)}


def board(size: str, seed: int) -> Board:
    """A board with 8 % obstructive, 9 % hindering and some burning squares, walls and doors, heroes amid zombies."""
    width, height = SIZES[size]
    rng = random.Random(seed)
    terrain: dict[Square, Terrain] = {}
    for column in range(1, width + 1):
        for row in range(1, height + 1):
            kinds = [Terrain.CLEAR, Terrain.OBSTRUCTIVE, Terrain.HINDERING, Terrain.FIRE]
            terrain[column, row] = rng.choices(kinds, [82.5, 8, 9, 0.5])[0]
    edges: dict[Edge, EdgeKind] = {}
    for x, y in terrain:
        for other in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
            if other not in terrain:
                edges[edge_between((x, y), other)] = EdgeKind.WALL
            elif other > (x, y):
                kind = rng.choices([EdgeKind.OPEN, EdgeKind.WALL, EdgeKind.CLOSED_DOOR], [81, 17, 2])[0]
                if kind is not EdgeKind.OPEN:
                    edges[edge_between((x, y), other)] = kind
    middle = (width // 2, height // 2)
    free = sorted(
        (s for s in terrain if terrain[s] is Terrain.CLEAR), key=lambda s: abs(s[0] - middle[0]) + abs(s[1] - middle[1])
    )
    near, wide = free[:120], free[:400]
    rng.shuffle(near)
    figures = [
        Figure(id=f"h{i}", kind=Kind.HERO, at=near[i], facing=rng.choice(list(Facing)), weapon="Gun", health=4)
        for i in range(HEROES)
    ]
    rest = [s for s in wide if s not in near[:HEROES]]
    rng.shuffle(rest)
    types = ["beta", "beta", "beta", "armoured", "alpha"]
    figures += [Figure(id=f"z{i}", kind=Kind.ZOMBIE, at=rest[i], type=rng.choice(types)) for i in range(ZOMBIES)]
    return Board(
        system=System.RIESE, width=width, height=height, terrain=terrain, edges=edges, figures=tuple(figures), weapons=(GUN,)
    )


def sequence(rng: random.Random) -> Can:
    """Two to six actions, mostly forward."""
    steps = [*[Step.FORWARD] * 5, *[Step.FORWARD_LEFT, Step.FORWARD_RIGHT] * 2, Step.TURN_LEFT, Step.TURN_RIGHT, Step.BACKWARD]
    actions = tuple(Action(rng.choice(steps)) for _ in range(rng.randint(2, 6)))
    return Can(f"h{rng.randrange(HEROES)}", rng.choice([Declared.WALKING, Declared.RUNNING]), actions)


def question(kind: str, rng: random.Random) -> About:
    """One question of a kind."""
    hero, zombie = f"h{rng.randrange(HEROES)}", f"z{rng.randrange(ZOMBIES)}"
    match kind:
        case "legality":
            return sequence(rng)
        case "line of fire":
            return Lof(hero, zombie)
        case "reach walking":
            return Reach(hero, Declared.WALKING)
        case "reach running":
            return Reach(hero, Declared.RUNNING)
        case "attack":
            return Attack(hero, zombie)
        case "targets":
            return Targets(hero)
    return Zombie(zombie)
