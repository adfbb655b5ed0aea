"""Random questions about a board, mostly such that the answer is not plain from the start."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from riese_kb.board import (
    Board,
    Declared,
    EdgeKind,
    Facing,
    Figure,
    Kind,
    Square,
    Terrain,
    edge_between,
)
from riese_kb.drawn.boards import STANDABLE, facing_to
from riese_kb.language import format_question
from riese_kb.question import (
    About,
    Action,
    Attack,
    AttackType,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Exit,
    Initiative,
    Lof,
    MayCarry,
    Npc,
    NpcTurn,
    Place,
    Question,
    Reach,
    Round,
    SearchPlace,
    Side,
    Spawn,
    Step,
    Targets,
    Throw,
    Zombie,
    ZombieTurn,
)

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

THINGS = ("Ammo", "Grenade", "Medkit", "Gas Mask", "Flare", "Satchel Charge", "Flammenwerfer FmW 41", "Oiled Coat", "Enigma Dial")


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
    elif kind is Throw:
        asked = random_throw(rng, board, hero)
    elif kind is Blast:
        asked = random_blast(rng, board, hero)
    elif kind is BreakLock:
        locked = [figure for figure in heroes if any(figure.id in zombie.locks for zombie in zombies)]
        asked = BreakLock(rng.choice(locked or heroes).id, random_stance(rng))
    elif kind is SearchPlace:
        places = sorted({m.label for m in board.markers if m.kind == "objective" and m.label}) or ["nothing"]
        chart = rng.choice((None, "Supplies", "29", "45 results 2"))
        asked = SearchPlace(rng.choice(places), rng.choice((None, hero.id, hero.id)), chart)
    elif kind is MayCarry:
        things = (*THINGS, *(weapon.name for weapon in board.weapons))
        asked = MayCarry(hero.id, tuple(rng.choice(things) for _ in range(rng.randint(1, 6))))
    elif kind is Zombie:
        asked = Zombie(rng.choice(zombies).id)
    elif kind in (Initiative, Round, NpcTurn):
        asked = kind()
    elif kind is Spawn:
        labels = sorted({m.label for m in board.markers if m.kind in ("spawn", "objective") and m.label})
        asked = Spawn(rng.choice([None, *labels]), rng.choice((None, None, None, "beta", "alpha")) if labels else None)
    elif kind is Npc:
        guards = [figure for figure in board.figures if figure.kind is Kind.NPC]
        to = random_goal(rng, board, guards[0]) if rng.random() < 0.25 else None
        asked = Npc(guards[0].id, to, rng.random() < 0.2)
    else:
        asked = ZombieTurn()
    return with_text(Question(text="", about=asked))


def with_text(question: Question) -> Question:
    """The question with its text."""
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
    """A declaration for an attack, or none."""
    return rng.choice((None, None, Declared.STATIONARY, Declared.WALKING, Declared.RUNNING))


def random_place(rng: random.Random, board: Board) -> Place:
    """Mostly a figure; else a square that a figure could stand on."""
    squares = [square for square, kind in sorted(board.terrain.items()) if kind in STANDABLE]
    if rng.random() < 0.5 and squares:
        return rng.choice(squares)
    return rng.choice(board.figures).id


def random_goal(rng: random.Random, board: Board, hero: Figure) -> Square | Exit:
    """A square near the figure, or an exit."""
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
    """Every way off the map."""
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


def random_throw(rng: random.Random, board: Board, hero: Figure) -> Throw:
    """Mostly something that the hero has, at a square not too far off."""
    heroes = [figure for figure in board.figures if figure.kind is Kind.HERO and figure.grenades]
    if heroes and rng.random() < 0.7:
        hero = rng.choice(heroes)
    has = [*(["Grenade"] * 3 if hero.grenades else []), *hero.gear]
    item = rng.choice(has) if has and rng.random() < 0.8 else rng.choice(THROWN)
    squares = [
        square
        for square, kind in sorted(board.terrain.items())
        if kind is not Terrain.VOID and abs(square[0] - hero.at[0]) + abs(square[1] - hero.at[1]) <= 9
    ]
    return Throw(hero.id, item, rng.choice(squares), random_stance(rng))


def random_blast(rng: random.Random, board: Board, hero: Figure) -> Blast:
    """An explosion on or near somebody, sometimes of somebody's making."""
    x, y = rng.choice(board.figures).at
    squares = [
        square
        for square, kind in sorted(board.terrain.items())
        if kind is not Terrain.VOID and abs(square[0] - x) + abs(square[1] - y) <= 2
    ]
    return Blast(rng.choice(squares), rng.choice(BLASTING), hero.id if rng.random() < 0.4 else None)


BLASTING = ("Grenade", "Grenade", "Molotov Cocktail", "Satchel Charge", "Panzerfaust")
THROWN = ("Grenade", "Grenade", "Molotov Cocktail", "Satchel Charge", "Decoy", "Flare", "Panzerfaust", "Torch")


def is_locked(board: Board, hero: Figure) -> bool:
    """Whether a zombie holds the hero."""
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
    """About what an action costs; for drawing sensible sequences only."""
    price = 1 if action.step is Step.FORWARD else 2
    if action.step not in QUARTERS:
        price = 2 if running else 1
    return price + (1 if there != at and board.terrain.get(there) is Terrain.HINDERING else 0)


def beside_zombie(board: Board, square: Square) -> bool:
    """Whether a zombie that is not stunned stands beside the square."""
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
    """The facing after so many quarter turns clockwise."""
    return ROUND[(ROUND.index(facing) + quarters) % 4]


def landing(at: Square, facing: Facing, step: Step) -> Square:
    """Where that step leads."""
    for quarters in QUARTERS.get(step, ()):
        offset = OFFSET[turned(facing, quarters)]
        at = (at[0] + offset[0], at[1] + offset[1])
    return at


def after(board: Board, at: Square, facing: Facing, action: Action) -> tuple[Square, Facing]:
    """Square and facing after an action, nothing standing in its way."""
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
    """Whether somebody could stand there."""
    if board.terrain.get(square, Terrain.VOID) not in (*STANDABLE, Terrain.LETHAL):
        return False
    return not any(figure.at == square for figure in board.figures)


def passable(board: Board, a: Square, b: Square) -> bool:
    """Whether nothing bars the way between two squares."""
    return board.edges.get(edge_between(a, b)) in (None, EdgeKind.HINDERING, EdgeKind.OPEN_DOOR)


def door_action(rng: random.Random, board: Board, at: Square, facing: Facing) -> Action | None:
    """Something to do with a door beside the square."""
    found: list[Action] = []
    for quarters, side in enumerate(SIDES):
        offset = OFFSET[turned(facing, quarters)]
        kind = board.edges.get(edge_between(at, (at[0] + offset[0], at[1] + offset[1])))
        if kind in (EdgeKind.CLOSED_DOOR, EdgeKind.LOCKED_DOOR):
            found.append(Action(Step.OPEN_DOOR, side))
        elif kind is EdgeKind.OPEN_DOOR:
            found.append(Action(Step.CLOSE_DOOR, side))
    return rng.choice(found) if found else None
