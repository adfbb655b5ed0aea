"""Large seeded boards and questions about them, for timing only."""

import json
import random

from riese_kb.board import Board, Declared, Edge, EdgeKind, Facing, Figure, Kind, Square, System, Terrain, Weapon, edge_between
from riese_kb.question import About, Action, Attack, Can, Lof, Reach, Step, Targets, Zombie
from riese_kb.team import Sheet
from riese_kb.teamfile import parse_sheet

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


ROOMS = ("red", "grey", "yellow", "green", "blue", "brown")


def rings(seed: int) -> Sheet:
    """200 rings in rooms of four by three, each of one colour, with rings of two colours between them, and ten figures."""
    rng = random.Random(seed)
    width, height = 20, 10
    tables = ['system = "tannhaeuser"\nmode = "deathmatch"']
    for number in range(width * height):
        x, y = number % width, number // width
        beside = [(x + 1, y), (x, y + 1), (x + 1, y + 1)]
        near = [f"r{column + width * row}" for column, row in beside if column < width and row < height]
        columns = (x, x + 1) if x % 4 == 3 else (x,)
        paths = list(dict.fromkeys(ROOMS[(column // 4 + 2 * (y // 3)) % len(ROOMS)] for column in columns))
        tables.append(f'[[ring]]\nid = "r{number}"\npaths = {json.dumps(paths)}\nnext = {json.dumps(near)}')
        tables[-1] += "\nmovement = -1" if rng.random() < 0.15 else ""
    for number, place in enumerate(rng.sample(range(width * height), 10)):
        who = ("hero" if number % 5 < 3 else "soldier", "union" if number < 5 else "reich")
        tables.append(f'[[figure]]\nid = "f{number}"\nkind = "{who[0]}"\nside = "{who[1]}"\nat = "r{place}"')
        tables[-1] += "\nvalues = [[6, 5, 5, 7], [5, 5, 4, 6], [4, 4, 4, 5]]"
    return parse_sheet("\n\n".join(tables) + "\n", "rings.board.toml")


def ring_question(kind: str, rng: random.Random) -> str:
    """One question of a kind about such a board."""
    own, other, ring = f"f{rng.randrange(5)}", f"f{5 + rng.randrange(5)}", f"r{rng.randrange(200)}"
    return {
        "can … move": f"can {own} move to {ring}",
        "reach": f"reach {own}",
        "sight": f"sight {own} to {other}",
        "targets": f"targets {own}",
        "attack": f"attack {own} on {other}",
        "duel": f"duel {own} against {other} with mind",
        "won": "won",
    }[kind]


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
