"""Random legal boards and questions, and the symmetries of the square grid. A seeded ``Random`` draws everything.

``mirror``, ``rotate`` and ``shift`` give a ``Moved``: the board after the change together with the matching change of
squares, facings, actions, questions and of the names in an answer, so that a test can ask on both sides.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from riese_kb.board import (
    Board,
    Declared,
    Edge,
    EdgeKind,
    Facing,
    Figure,
    Kind,
    Marker,
    Square,
    System,
    Terrain,
    Weapon,
    edge_between,
    parse_square,
    square_name,
)
from riese_kb.language import format_question
from riese_kb.question import (
    About,
    Action,
    Attack,
    AttackType,
    BreakLock,
    Can,
    CanTo,
    Exit,
    Lof,
    Place,
    Question,
    Reach,
    Side,
    Step,
    Targets,
    Zombie,
    ZombieTurn,
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
STANDABLE = (Terrain.CLEAR, Terrain.HINDERING, Terrain.FIRE)


# --- boards ----------------------------------------------------------------------------------------------------------


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
    if rng.random() < chance["civilian"] and len(free) > 1:
        figures.append(Figure(id="girl", kind=Kind.CIVILIAN, at=free.pop(), health=1))
    for number in range(min(zombies, len(free))):
        at = near_square(rng, free, figures) if rng.random() < chance["near"] else free[-1]
        free.remove(at)
        figures.append(random_zombie(rng, f"zed-{number + 1}", at, chance))
    figures = [looking(rng, figure, figures) for figure in figures]
    board = Board(
        system=System.RIESE,
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
        health=health,
        status=status,
    )


def random_zombie(rng: random.Random, id: str, at: Square, chance: Mapping[str, float]) -> Figure:
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


# --- questions -------------------------------------------------------------------------------------------------------

ABOUTS = (Can, Can, Can, CanTo, Reach, Lof, Lof, Targets, Attack, Attack, Attack, BreakLock, Zombie, Zombie, ZombieTurn)
MOVES = (
    *((Step.FORWARD,) * 6),
    *((Step.FORWARD_LEFT, Step.FORWARD_RIGHT) * 3),
    *((Step.TURN_LEFT, Step.TURN_RIGHT) * 2),
    Step.BACKWARD,
    Step.LEFT,
    Step.RIGHT,
    Step.BACKWARD_LEFT,
    Step.BACKWARD_RIGHT,
)


def random_question(rng: random.Random, board: Board, about: type[Any] | None = None) -> Question:
    """One question that the board can be asked; ``about`` fixes its kind (a class of ``riese_kb.question``)."""
    kind = about or rng.choice(ABOUTS)
    heroes = [figure for figure in board.figures if figure.kind is Kind.HERO]
    zombies = [figure for figure in board.figures if figure.kind is Kind.ZOMBIE]
    hero = rng.choice(heroes)
    asked: About
    if kind is Can:
        asked = random_sequence(rng, board, hero)
    elif kind is CanTo:
        asked = CanTo(hero.id, random_declared(rng, hero), random_goal(rng, board, hero))
    elif kind is Reach:
        asked = Reach(hero.id, random_declared(rng, hero))
    elif kind is Lof:
        asked = Lof(random_place(rng, board), random_place(rng, board))
    elif kind is Targets:
        asked = Targets(hero.id, random_stance(rng), rng.random() < 0.3)
    elif kind is Attack:
        asked = random_attack(rng, board, hero)
    elif kind is BreakLock:
        locked = [figure for figure in heroes if any(figure.id in zombie.locks for zombie in zombies)]
        asked = BreakLock(rng.choice(locked or heroes).id, random_stance(rng))
    elif kind is Zombie:
        asked = Zombie(rng.choice(zombies).id)
    else:
        asked = ZombieTurn()
    return with_text(Question(text="", about=asked))


def with_text(question: Question) -> Question:
    return replace(question, text=format_question(question))


def random_declared(rng: random.Random, hero: Figure) -> Declared | None:
    """Mostly something that gives movement points to this hero."""
    if rng.random() < 0.1:
        return rng.choice((None, Declared.RUNNING))
    choices: list[Declared | None] = [Declared.WALKING]
    if not (hero.name == "Trooper" and hero.health == 1):
        choices.append(Declared.RUNNING)
    if hero.declared in (None, Declared.WALKING, Declared.RUNNING):
        choices.append(None)
    return rng.choice(choices)


def random_stance(rng: random.Random) -> Declared | None:
    return rng.choice((None, None, Declared.STATIONARY, Declared.WALKING, Declared.RUNNING))


def random_place(rng: random.Random, board: Board) -> Place:
    """Mostly a figure; else a square that a figure could stand on."""
    squares = [square for square, kind in sorted(board.terrain.items()) if kind in STANDABLE]
    if rng.random() < 0.5 and squares:
        return rng.choice(squares)
    return rng.choice(board.figures).id


def random_goal(rng: random.Random, board: Board, hero: Figure) -> Square | Exit:
    exits = [exit for exit in all_exits(board) if rng.random() < 0.5]
    if exits and rng.random() < 0.3:
        return rng.choice(exits)
    near = [
        square
        for square, kind in sorted(board.terrain.items())
        if kind is not Terrain.VOID and abs(square[0] - hero.at[0]) + abs(square[1] - hero.at[1]) <= 5
    ]
    return rng.choice(near)


def all_exits(board: Board) -> list[Exit]:
    found: list[Exit] = []
    for (a, b), kind in sorted(board.edges.items()):
        if kind is EdgeKind.WALL or (a in board.terrain and b in board.terrain):
            continue
        inside, outside = (a, b) if a in board.terrain else (b, a)
        if board.terrain[inside] is not Terrain.VOID:
            found.append(Exit(inside, facing_to(inside, outside)))
    return found


def random_attack(rng: random.Random, board: Board, hero: Figure) -> Attack:
    """Mostly an attack of somebody able to attack on the nearest enemy before him."""
    heroes = [figure for figure in board.figures if figure.kind is Kind.HERO]
    ready = [figure for figure in heroes if "attacked" not in figure.status and not is_locked(board, figure)]
    others = [figure for figure in board.figures if figure.kind in (Kind.ZOMBIE, Kind.NPC)]
    ready = [figure for figure in ready if any(before(figure, other) for other in others)] or ready
    if ready and rng.random() < 0.8:
        hero = rng.choice(ready)
    ahead = [figure for figure in others if before(hero, figure)]
    target = rng.choice(others)
    if ahead and rng.random() < 0.8:
        target = min(ahead, key=lambda f: abs(f.at[0] - hero.at[0]) + abs(f.at[1] - hero.at[1]))
    weapon = rng.choice((None, None, None, hero.weapon, hero.weapon, hero.off_hand))
    if rng.random() < 0.05:
        weapon = rng.choice(board.weapons).name
    unarmed = rng.random() < (0.2 if hero.weapon is None else 0.04)
    types: tuple[AttackType | None, ...] = (None, None, None, None, AttackType.NORMAL, AttackType.SPREAD)
    if abs(target.at[0] - hero.at[0]) + abs(target.at[1] - hero.at[1]) <= 2:
        types = (None, None, None, *AttackType, AttackType.H2H)
    select = any(card.name == hero.weapon and card.select_fire for card in board.weapons)
    return Attack(
        figure=hero.id,
        target=target.id,
        weapon=None if unarmed else weapon,
        type=AttackType.H2H if unarmed and rng.random() < 0.8 else rng.choice(types),
        declared=random_stance(rng),
        covering=rng.random() < (0.6 if "covering" in hero.status else 0.03),
        off_hand=not unarmed and weapon is None and hero.off_hand is not None and rng.random() < 0.4,
        unarmed=unarmed,
        select=rng.random() < (0.4 if select else 0.03),
    )


def is_locked(board: Board, hero: Figure) -> bool:
    return any(hero.id in figure.locks for figure in board.figures)


def before(hero: Figure, other: Figure) -> bool:
    """Roughly in front of the hero."""
    ahead = OFFSET[hero.facing or Facing.NORTH]
    dx, dy = other.at[0] - hero.at[0], other.at[1] - hero.at[1]
    return dx * ahead[0] + dy * ahead[1] >= abs(dx * ahead[1] - dy * ahead[0])


def random_sequence(rng: random.Random, board: Board, hero: Figure) -> Can:
    """Movement actions that mostly fit the map and the movement points; nonsense is usually drawn again."""
    declared = random_declared(rng, hero)
    running = (declared or hero.declared) is Declared.RUNNING
    left = 8 if running else 4
    careless = rng.random() < 0.3
    at, facing = hero.at, hero.facing or Facing.NORTH
    actions: list[Action] = []
    for _ in range(rng.randint(1, 7)):
        action = Action(rng.choice(MOVES))
        for _ in range(12):
            if (not running or action.step in RUNNING_STEPS) and sensible(board, at, facing, action):
                break
            if careless and rng.random() < 0.1:
                break
            action = Action(rng.choice(MOVES))
        door = door_action(rng, board, at, facing)
        if door is not None and rng.random() < 0.5:
            action = door
        there, facing_then = after(board, at, facing, action)
        left -= rough_price(board, at, there, action, running)
        if left < 0 and not careless and actions:
            break
        actions.append(action)
        entered = there != at
        at, facing = there, facing_then
        if entered and beside_zombie(board, at) and not careless and rng.random() < 0.5:
            break
    return Can(hero.id, declared, tuple(actions))


def rough_price(board: Board, at: Square, there: Square, action: Action, running: bool) -> int:
    price = 1 if action.step is Step.FORWARD else 2
    if action.step not in QUARTERS:
        price = 2 if running else 1
    return price + (1 if there != at and board.terrain.get(there) is Terrain.HINDERING else 0)


def beside_zombie(board: Board, square: Square) -> bool:
    return any(
        figure.kind is Kind.ZOMBIE
        and "stunned" not in figure.status
        and abs(figure.at[0] - square[0]) + abs(figure.at[1] - square[1]) == 1
        for figure in board.figures
    )


OFFSET = {Facing.NORTH: (0, -1), Facing.EAST: (1, 0), Facing.SOUTH: (0, 1), Facing.WEST: (-1, 0)}
ROUND = (Facing.NORTH, Facing.EAST, Facing.SOUTH, Facing.WEST)
QUARTERS: dict[Step, tuple[int, ...]] = {
    Step.FORWARD: (0,),
    Step.RIGHT: (1,),
    Step.BACKWARD: (2,),
    Step.LEFT: (3,),
    Step.FORWARD_LEFT: (0, 3),
    Step.FORWARD_RIGHT: (0, 1),
    Step.BACKWARD_LEFT: (2, 3),
    Step.BACKWARD_RIGHT: (2, 1),
}
RUNNING_STEPS = (Step.FORWARD, Step.FORWARD_LEFT, Step.FORWARD_RIGHT, Step.TURN_LEFT, Step.TURN_RIGHT)
SIDES = (Side.AHEAD, Side.RIGHT, Side.BEHIND, Side.LEFT)


def turned(facing: Facing, quarters: int) -> Facing:
    return ROUND[(ROUND.index(facing) + quarters) % 4]


def landing(at: Square, facing: Facing, step: Step) -> Square:
    """Where that step leads."""
    for quarters in QUARTERS.get(step, ()):
        offset = OFFSET[turned(facing, quarters)]
        at = (at[0] + offset[0], at[1] + offset[1])
    return at


def after(board: Board, at: Square, facing: Facing, action: Action) -> tuple[Square, Facing]:
    if action.step is Step.TURN_LEFT:
        return at, turned(facing, -1)
    if action.step is Step.TURN_RIGHT:
        return at, turned(facing, 1)
    target = landing(at, facing, action.step)
    return (target if board.terrain.get(target, Terrain.VOID) is not Terrain.VOID else at), facing


def sensible(board: Board, at: Square, facing: Facing, action: Action) -> bool:
    """No obvious nonsense: the square exists, can be stood on, is free, and there is a way into it."""
    quarters = QUARTERS.get(action.step)
    if quarters is None:
        return True
    target = landing(at, facing, action.step)
    if not steppable(board, target):
        return False
    if len(quarters) == 1:
        return passable(board, at, target)
    flanks = [landing(at, turned(facing, quarter), Step.FORWARD) for quarter in quarters]
    return any(
        steppable(board, flank)
        and not beside_zombie(board, flank)
        and passable(board, at, flank)
        and passable(board, flank, target)
        for flank in flanks
    )


def steppable(board: Board, square: Square) -> bool:
    if board.terrain.get(square, Terrain.VOID) not in (*STANDABLE, Terrain.LETHAL):
        return False
    return not any(figure.at == square for figure in board.figures)


def passable(board: Board, a: Square, b: Square) -> bool:
    return board.edges.get(edge_between(a, b)) in (None, EdgeKind.HINDERING, EdgeKind.OPEN_DOOR)


def door_action(rng: random.Random, board: Board, at: Square, facing: Facing) -> Action | None:
    found: list[Action] = []
    for quarters, side in enumerate(SIDES):
        offset = OFFSET[turned(facing, quarters)]
        kind = board.edges.get(edge_between(at, (at[0] + offset[0], at[1] + offset[1])))
        if kind in (EdgeKind.CLOSED_DOOR, EdgeKind.LOCKED_DOOR):
            found.append(Action(Step.OPEN_DOOR, side))
        elif kind is EdgeKind.OPEN_DOOR:
            found.append(Action(Step.CLOSE_DOOR, side))
    return rng.choice(found) if found else None


# --- symmetries ------------------------------------------------------------------------------------------------------

MIRRORED_FACING = {
    Facing.NORTH: Facing.NORTH,
    Facing.EAST: Facing.WEST,
    Facing.SOUTH: Facing.SOUTH,
    Facing.WEST: Facing.EAST,
}
MIRRORED_STEP = {
    Step.LEFT: Step.RIGHT,
    Step.FORWARD_LEFT: Step.FORWARD_RIGHT,
    Step.BACKWARD_LEFT: Step.BACKWARD_RIGHT,
    Step.TURN_LEFT: Step.TURN_RIGHT,
}
MIRRORED_STEP |= {right: left for left, right in MIRRORED_STEP.items()}
MIRRORED_SIDE = {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}
NAME = re.compile(r"(@|[A-Z]{1,3})[0-9]{1,4}")


def same(thing: Any) -> Any:
    return thing


@dataclass(frozen=True)
class Moved:
    """A board after a change of the grid, and the change of everything that a question or an answer names."""

    board: Board
    square: Callable[[Square], Square]
    facing: Callable[[Facing], Facing] = same
    action: Callable[[Action], Action] = same

    def question(self, question: Question) -> Question:
        """The same question on the new board."""
        about = question.about
        if isinstance(about, Can):
            about = replace(about, actions=tuple(self.action(action) for action in about.actions))
        elif isinstance(about, CanTo):
            about = replace(about, to=self.goal(about.to))
        elif isinstance(about, Lof):
            about = replace(about, start=self.place(about.start), end=self.place(about.end))
        return with_text(replace(question, about=about))

    def goal(self, to: Square | Exit) -> Square | Exit:
        if isinstance(to, Exit):
            return Exit(self.square(to.square), self.facing(to.side))
        return self.square(to)

    def place(self, place: Place) -> Place:
        return place if isinstance(place, str) else self.square(place)

    def answer(self, result: Any) -> Any:
        """The result with every square name, edge and facing carried over; lists of plain squares are sorted again.

        Square names are upper case; figures must not be called like squares in upper case. Steps of a way are left
        out, for the two sides may name different cheapest ways.
        """
        if isinstance(result, dict):
            return {self.name(key): self.answer(value) for key, value in result.items() if key != "steps"}
        if isinstance(result, (list, tuple, set, frozenset)):
            return type(result)(self.answer(value) for value in result)
        return self.name(result) if isinstance(result, str) else result

    def name(self, text: Any) -> Any:
        if not isinstance(text, str):
            return text
        if text in set(Facing):
            return str(self.facing(Facing(text)))
        words = text.split(" ")
        return " ".join(self.word(word) for word in words)

    def word(self, word: str) -> str:
        if word in set(Facing):
            return str(self.facing(Facing(word)))
        return NAME.sub(lambda match: self.renamed(match.group()), word) if NAME.match(word) else word

    def renamed(self, name: str) -> str:
        square = parse_square(name)
        return name if square is None else square_name(self.square(square))


def carried(board: Board, width: int, height: int, square: Callable[[Square], Square], facing: Any) -> Board:
    """The board with all its squares renamed."""
    edges: dict[Edge, EdgeKind] = {}
    for (a, b), kind in board.edges.items():
        edges[edge_between(square(a), square(b))] = kind
    return replace(
        board,
        width=width,
        height=height,
        terrain={square(at): kind for at, kind in board.terrain.items()},
        edges=edges,
        figures=tuple(
            replace(figure, at=square(figure.at), facing=None if figure.facing is None else facing(figure.facing))
            for figure in board.figures
        ),
        markers=tuple(replace(marker, at=square(marker.at)) for marker in board.markers),
    )


def mirror(board: Board) -> Moved:
    """East and west exchanged."""

    def square(at: Square) -> Square:
        return board.width + 1 - at[0], at[1]

    def action(action: Action) -> Action:
        side = None if action.side is None else MIRRORED_SIDE.get(action.side, action.side)
        return replace(action, step=MIRRORED_STEP.get(action.step, action.step), side=side)

    return Moved(
        carried(board, board.width, board.height, square, MIRRORED_FACING.__getitem__),
        square,
        MIRRORED_FACING.__getitem__,
        action,
    )


def rotate(board: Board) -> Moved:
    """A quarter turn clockwise."""

    def square(at: Square) -> Square:
        return board.height + 1 - at[1], at[0]

    def facing(old: Facing) -> Facing:
        return turned(old, 1)

    return Moved(carried(board, board.height, board.width, square, facing), square, facing)


def shift(board: Board, dx: int, dy: int) -> Moved:
    """``dx`` columns and ``dy`` rows of nothing added in the west and the north.

    Exits over the west rim (``dx`` > 0) and the north rim (``dy`` > 0) are no rim any more and are dropped, so compare
    only what does not hang on them (``closed_rim`` makes a board without exits).
    """

    def square(at: Square) -> Square:
        return at[0] + dx, at[1] + dy

    new = carried(board, board.width + dx, board.height + dy, square, same)
    terrain = {(c, r): new.terrain.get((c, r), Terrain.VOID) for c in range(1, new.width + 1) for r in range(1, new.height + 1)}
    edges: dict[Edge, EdgeKind] = {}
    for a, b in all_edges(new.width, new.height):
        if a not in terrain or b not in terrain:
            edges[(a, b)] = new.edges.get((a, b), EdgeKind.WALL)
        elif (kind := new.edges.get((a, b))) is not None and {a, b} <= set(new.terrain):
            edges[(a, b)] = kind
    return Moved(replace(new, terrain=terrain, edges=edges), square)


def closed_rim(board: Board) -> Board:
    """The board without exits."""
    edges = {
        edge: kind if all(square in board.terrain for square in edge) else EdgeKind.WALL for edge, kind in board.edges.items()
    }
    return replace(board, edges=edges)
