"""MOVEMENT, ZOMBIE ZONE OF CONTROL and HERO ACTIVATION: what a hero may do with his movement points.

One file for these chapters, though it is long: it is read beside the book, from top to bottom.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Sequence
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
    Square,
    Terrain,
    edge_between,
    square_name,
)
from riese_kb.question import Action, Exit, Side, Step

from .readings import Readings, said, taken
from .terrain import (
    BARRED_EDGES,
    OFFSET,
    burning,
    edge_kind,
    health,
    howlers,
    in_grid,
    lockers,
    marked,
    occupant,
    on_map,
    orthogonal,
    plus,
    reaches_over,
    stunned,
    terrain_at,
    turned,
    wounded_trooper,
    zombies_of,
)

Fault = tuple[str, str]
"""Own name of the broken rule, and where."""

QUARTERS = {Side.AHEAD: 0, Side.RIGHT: 1, Side.BEHIND: 2, Side.LEFT: 3}
STRAIGHT = {Step.FORWARD: 0, Step.RIGHT: 1, Step.BACKWARD: 2, Step.LEFT: 3}
DIAGONAL = {
    Step.FORWARD_LEFT: (0, 3),
    Step.FORWARD_RIGHT: (0, 1),
    Step.BACKWARD_LEFT: (2, 3),
    Step.BACKWARD_RIGHT: (2, 1),
}
TURNS = {Step.TURN_LEFT: -1, Step.TURN_RIGHT: 1}
COST: dict[Step, tuple[int, int | None]] = {
    # the action table: walking, running (None: not available)
    Step.FORWARD: (1, 1),
    Step.TURN_LEFT: (1, 2),
    Step.TURN_RIGHT: (1, 2),
    Step.OPEN_DOOR: (1, 2),
    Step.CLOSE_DOOR: (1, 2),
    Step.LEFT: (2, None),
    Step.RIGHT: (2, None),
    Step.BACKWARD: (2, None),
    Step.FORWARD_LEFT: (2, 2),
    Step.FORWARD_RIGHT: (2, 2),
    Step.BACKWARD_LEFT: (3, None),
    Step.BACKWARD_RIGHT: (3, None),
    Step.PICK_UP: (1, 2),
    Step.PASS: (2, 2),
    Step.SWITCH: (1, 1),  # the price is missing from the text at hand: see NOTES.md
}


@dataclass(frozen=True)
class State:
    """A hero in the middle of his activation."""

    at: Square
    facing: Facing
    stopped: bool = False  # in a zone of control he moved into
    doors: frozenset[tuple[Edge, EdgeKind]] = frozenset()  # doors that are not as they were
    wounds: int = 0
    gone: str | None = None  # left the map here
    spent: int = 0
    dead: bool = False  # killed by lethal terrain


@dataclass(frozen=True)
class Way:
    """One way an action can go: the state after it, the broken rules, the flank taken by a diagonal."""

    state: State
    faults: tuple[Fault, ...] = ()
    flank: Square | None = None


def declaration(board: Board, hero: Figure, declared: Declared | None) -> Declared:
    return declared or hero.declared or Declared.WALKING


def movement_points(board: Board, hero: Figure, declared: Declared) -> int:
    """4 walking, 8 running, else none; HOWL makes that 3 and 6; from threat 6 on one fewer."""
    if declared not in (Declared.WALKING, Declared.RUNNING):
        return 0
    running = declared is Declared.RUNNING
    points = 8 if running else 4
    if howlers(board):
        points = min(points, 6 if running else 3)
    if board.threat >= 6:
        points -= 1
    return points


def price(step: Step, declared: Declared) -> tuple[int, bool]:
    """Movement points, and whether the action is available at all; where it is not, the walking price is counted."""
    walking, running = COST[step]
    if declared is not Declared.RUNNING:
        return walking, True
    return (walking, False) if running is None else (running, True)


def start_state(hero: Figure) -> State:
    return State(hero.at, hero.facing or Facing.NORTH)


# --- squares and zones -----------------------------------------------------------------------------------------------


def barred_square(board: Board, square: Square) -> bool:
    """May no hero ever stand there? Obstructive (for movement), a barricade, or no square of the map."""
    if terrain_at(board, square) in (Terrain.OBSTRUCTIVE, Terrain.BARRING, Terrain.VOID):
        return True
    return marked(board, square, "barricade")


def taken_by_other(board: Board, hero: Figure, square: Square) -> bool:
    figure = occupant(board, square)
    return figure is not None and figure.id != hero.id


def barred_edge(board: Board, a: Square, b: Square, state: State) -> bool:
    return edge_kind(board, a, b, dict(state.doors)) in BARRED_EDGES


def hindering_edge(board: Board, a: Square, b: Square) -> bool:
    return edge_kind(board, a, b) is EdgeKind.HINDERING


def controllers(board: Board, square: Square, state: State, readings: Readings | None) -> set[str]:
    """The zombies in whose zone of control the square lies."""
    doors = dict(state.doors)
    return {
        zombie.id
        for zombie in zombies_of(board)
        if not stunned(zombie) and reaches_over(board, zombie.at, square, taken(readings, "zoc"), doors)
    }


# --- one action ------------------------------------------------------------------------------------------------------


def take(board: Board, hero: Figure, declared: Declared, state: State, action: Action, readings: Readings | None) -> list[Way]:
    """Every way to do that action now; a way with faults only where there is no way without."""
    here = square_name(state.at)
    if state.gone:
        return [Way(state, (("off-map", state.gone),))]
    faults: list[Fault] = []
    if state.dead:
        faults.append(("dead", here))
    if lockers(board, hero.id):
        faults.append(("locked", here))
    if declared is Declared.RUNNING and not price(action.step, declared)[1]:
        faults.append(("not-running", here))
    if said(readings, "death") == "forbidden" and state.wounds >= health(hero):
        faults.append(("dead", here))
    if action.step in TURNS:
        ways = [turn(board, declared, state, TURNS[action.step], readings)]
    else:
        if state.stopped:
            faults.append(("zoc-stop", here))
        ways = other_action(board, hero, declared, state, action, readings)
    return [replace(way, faults=(*faults, *way.faults)) for way in ways]


def other_action(
    board: Board, hero: Figure, declared: Declared, state: State, action: Action, readings: Readings | None
) -> list[Way]:
    if action.step in STRAIGHT:
        return [straight(board, hero, declared, state, action.step, readings)]
    if action.step in DIAGONAL:
        return diagonal(board, hero, declared, state, action.step, readings)
    if action.step in (Step.OPEN_DOOR, Step.CLOSE_DOOR):
        return [door(board, declared, state, action)]
    return [item(board, declared, state, action)]


def turn(board: Board, declared: Declared, state: State, quarters: int, readings: Readings | None) -> Way:
    cost = price(Step.TURN_LEFT, declared)[0]
    facing = turned(state.facing, quarters)
    faults: list[Fault] = []
    if state.stopped:
        reading = taken(readings, "zoc_turn")
        if reading == "free":
            cost = 0
        before = quarters_to_zombies(board, state, state.facing, readings)
        after = quarters_to_zombies(board, state, facing, readings)
        nearer = any(new < old for old, new in zip(before, after, strict=True))
        if (reading == "toward" and not nearer) or (reading == "exact" and 0 not in after):
            faults.append(("zoc-turn", square_name(state.at)))
    return Way(replace(state, facing=facing, spent=state.spent + cost), tuple(faults))


def quarters_to_zombies(board: Board, state: State, facing: Facing, readings: Readings | None) -> list[int]:
    """For each zombie whose zone this is: how many quarter turns are missing until it is straight ahead."""
    found: list[int] = []
    for id in sorted(controllers(board, state.at, state, readings)):
        zombie = board.figure(id)
        assert zombie is not None
        quarters = next(q for q in range(4) if plus(state.at, OFFSET[turned(facing, q)]) == zombie.at)
        found.append(min(quarters, 4 - quarters))
    return found


def straight(board: Board, hero: Figure, declared: Declared, state: State, step: Step, readings: Readings | None) -> Way:
    side = turned(state.facing, STRAIGHT[step])
    target = plus(state.at, OFFSET[side])
    cost = price(step, declared)[0]
    kind = edge_kind(board, state.at, target, dict(state.doors))
    if not in_grid(board, target):
        paid = replace(state, spent=state.spent + cost)
        if kind in (EdgeKind.EXIT, EdgeKind.OPEN_DOOR):
            return Way(replace(paid, gone=f"{square_name(state.at)} {side}"))
        door = kind in (EdgeKind.CLOSED_DOOR, EdgeKind.LOCKED_DOOR)
        return Way(paid, (("edge" if door else "off-map", square_name(state.at)),))
    faults = square_faults(board, hero, state.at, target)
    if kind in BARRED_EDGES:
        faults.append(("edge", square_name(target)))
    features = [kind is EdgeKind.HINDERING, terrain_at(board, target) is Terrain.HINDERING]
    crossings = [any(features)]
    cost += hindering_cost(features, crossings, readings)
    burns = 1 if burning(board, target) else 0
    return arrive(board, hero, state, target, cost, burns, faults, None, readings)


def square_faults(board: Board, hero: Figure, here: Square, target: Square) -> list[Fault]:
    faults: list[Fault] = []
    if not on_map(board, target):
        return [("off-map", square_name(here))]
    if barred_square(board, target):
        faults.append(("obstructed", square_name(target)))
    if taken_by_other(board, hero, target):
        faults.append(("occupied", square_name(target)))
    return faults


def hindering_cost(features: list[bool], crossings: list[bool], readings: Readings | None) -> int:
    reading = taken(readings, "hindering")
    if reading == "stack":
        return sum(features)
    if reading == "crossing":
        return sum(crossings)
    return 1 if any(features) else 0


def arrive(
    board: Board,
    hero: Figure,
    state: State,
    target: Square,
    cost: int,
    burns: int,
    faults: list[Fault],
    flank: Square | None,
    readings: Readings | None,
) -> Way:
    """Move onto the square, if the map has it, and suffer what it does."""
    paid = replace(state, spent=state.spent + cost)
    if not on_map(board, target):
        return Way(paid, tuple(faults), flank)
    wounds = state.wounds + burns
    lethal = terrain_at(board, target) is Terrain.LETHAL
    if lethal:
        wounds = max(wounds, health(hero))
    zone = controllers(board, target, state, readings)
    if taken(readings, "zoc_again") == "new":
        zone -= controllers(board, state.at, state, readings)
    stopped = state.stopped or bool(zone)
    return Way(replace(paid, at=target, wounds=wounds, stopped=stopped, dead=state.dead or lethal), tuple(faults), flank)


def diagonal(board: Board, hero: Figure, declared: Declared, state: State, step: Step, readings: Readings | None) -> list[Way]:
    ahead, aside = (OFFSET[turned(state.facing, quarters)] for quarters in DIAGONAL[step])
    target = plus(plus(state.at, ahead), aside)
    cost = price(step, declared)[0]
    if not on_map(board, target):
        return [Way(replace(state, spent=state.spent + cost), (("off-map", square_name(state.at)),))]
    faults = square_faults(board, hero, state.at, target)
    if between_zones(board, state, target, readings):
        faults.append(("zoc-between", square_name(target)))
    flanks = [plus(state.at, ahead), plus(state.at, aside)]
    usable = usable_flanks(board, hero, state, flanks, target, readings)
    hindered = terrain_at(board, target) is Terrain.HINDERING
    burns = 1 if burning(board, target) else 0
    if not usable:
        faults.append(("diagonal-gap", square_name(target)))
        extra = hindering_cost([hindered], [hindered], readings)
        return [arrive(board, hero, state, target, cost + extra, burns, faults, None, readings)]
    ways: list[Way] = []
    for flank in usable:
        into = hindering_edge(board, state.at, flank) and taken(readings, "diagonal_edges") == "route"
        out = hindering_edge(board, flank, target) and taken(readings, "diagonal_edges") == "route"
        flank_hindered = terrain_at(board, flank) is Terrain.HINDERING
        features = [into, flank_hindered, out, hindered]
        crossings = [into or flank_hindered, out or hindered]
        extra = hindering_cost(features, crossings, readings)
        hurt = burns + (1 if burning(board, flank) else 0)
        if taken(readings, "fire_twice") == "one":
            hurt = min(hurt, 1)
        ways.append(arrive(board, hero, state, target, cost + extra, hurt, faults, flank, readings))
    return ways


def usable_flanks(
    board: Board, hero: Figure, state: State, flanks: list[Square], target: Square, readings: Readings | None
) -> list[Square]:
    """The squares moved past of which the hero may choose one (eighth and ninth rule of MOVEMENT)."""
    free = [flank for flank in flanks if flank_free(board, hero, state, flank, readings)]
    through = [
        flank
        for flank in flanks
        if not barred_square(board, flank)
        and terrain_at(board, flank) is not Terrain.LETHAL  # it could be moved into, but not out of
        and not taken_by_other(board, hero, flank)
        and not barred_edge(board, state.at, flank, state)
        and not barred_edge(board, flank, target, state)
    ]
    if taken(readings, "flank") == "same":
        return [flank for flank in through if flank in free]
    return through if free else []


def flank_free(board: Board, hero: Figure, state: State, flank: Square, readings: Readings | None) -> bool:
    """Unobstructed, unoccupied, and in no zone of control."""
    return (
        not barred_square(board, flank)
        and not taken_by_other(board, hero, flank)
        and not controllers(board, flank, state, readings)
    )


def between_zones(board: Board, state: State, target: Square, readings: Readings | None) -> bool:
    reading = taken(readings, "zoc_between")
    here = controllers(board, state.at, state, readings)
    there = controllers(board, target, state, readings)
    if reading == "any":
        return bool(here and there)
    if reading == "two":
        return any(one != other for one in here for other in there)
    return False


def door(board: Board, declared: Declared, state: State, action: Action) -> Way:
    assert action.side is not None
    neighbour = plus(state.at, OFFSET[turned(state.facing, QUARTERS[action.side])])
    kind = edge_kind(board, state.at, neighbour, dict(state.doors))
    paid = replace(state, spent=state.spent + price(action.step, declared)[0])
    opening = action.step is Step.OPEN_DOOR
    before, after = (EdgeKind.CLOSED_DOOR, EdgeKind.OPEN_DOOR) if opening else (EdgeKind.OPEN_DOOR, EdgeKind.CLOSED_DOOR)
    if kind is not before:
        return Way(paid, (("no-such-door", square_name(state.at)),))
    edge = edge_between(state.at, neighbour)
    doors = dict(state.doors)
    doors[edge] = after
    if board.edges.get(edge) is after:
        del doors[edge]
    return Way(replace(paid, doors=frozenset(doors.items())))


def item(board: Board, declared: Declared, state: State, action: Action) -> Way:
    """Pass, pick up, switch: the price and the neighbourhood; what may be carried is another chapter."""
    paid = replace(state, spent=state.spent + price(action.step, declared)[0])
    if action.step is Step.PASS:
        other = board.figure(action.to or "")
        if other is None or other.kind is not Kind.HERO or not orthogonal(other.at, state.at):
            return Way(paid, (("pass-adjacent", square_name(state.at)),))
    if action.step is Step.PICK_UP:
        near = [marker for marker in board.markers if marker.at == state.at or orthogonal(marker.at, state.at)]
        if not any(action.item in (marker.label, marker.kind) for marker in near):
            return Way(paid, (("pick-up-near", square_name(state.at)),))
    return Way(paid)


# --- a whole activation ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A sequence done in one way: the states before, between and after the steps, and what was broken where."""

    states: tuple[State, ...]
    faults: frozenset[tuple[int, str, str]]  # step, at, reason
    flanks: tuple[Square | None, ...] = ()


def can_sequence(
    board: Board,
    hero_id: str,
    declared: Declared | None,
    actions: Sequence[Action],
    readings: Readings | None = None,
) -> dict[str, Any]:
    """May the hero spend this activation so?"""
    hero = board.figure(hero_id)
    assert hero is not None
    declared = declaration(board, hero, declared)
    points = movement_points(board, hero, declared)
    first: set[tuple[int, str, str]] = set()
    if wounded_trooper(hero) and declared is Declared.RUNNING:
        first.add((0, square_name(hero.at), "trooper-running"))
    runs = [Run((start_state(hero),), frozenset(first))]
    for number, action in enumerate(actions, start=1):
        runs = [longer for run in runs for longer in lengthen(board, hero, declared, points, run, number, action, readings)]
    runs = [finish(board, hero, declared, points, run, readings) for run in runs]
    best = min(runs, key=lambda run: order_of(run, readings))
    return {
        "verdict": "illegal" if best.faults else "legal",
        "violations": set(best.faults),
        "result": result_of(board, hero, declared, points, best, actions, readings),
    }


def order_of(run: Run, readings: Readings | None) -> tuple[int, int, int]:
    """A legal way before an illegal one; then fewest wounds, then fewest MP (the contract), or as asked."""
    last = run.states[-1]
    if said(readings, "flank_choice") == "mp":
        return len(run.faults), last.spent, last.wounds
    return len(run.faults), last.wounds, last.spent


def lengthen(
    board: Board,
    hero: Figure,
    declared: Declared,
    points: int,
    run: Run,
    number: int,
    action: Action,
    readings: Readings | None,
) -> Iterator[Run]:
    before = run.states[-1]
    for way in take(board, hero, declared, before, action, readings):
        faults = {(number, at, reason) for reason, at in way.faults}
        if way.state.spent > points and way.state.spent > before.spent:
            faults.add((number, square_name(way.state.at), "mp"))
        if said(readings, "death") == "forbidden" and before.wounds < health(hero) <= way.state.wounds:
            faults.add((number, square_name(way.state.at), "killed"))
        yield Run((*run.states, way.state), run.faults | faults, (*run.flanks, way.flank))


def finish(board: Board, hero: Figure, declared: Declared, points: int, run: Run, readings: Readings | None) -> Run:
    """The activation may not end on fire."""
    last = run.states[-1]
    if last.gone or not burning(board, last.at):
        return run
    if taken(readings, "sequence_end") == "open" and can_leave_fire(board, hero, declared, points, last, readings):
        return run
    return replace(run, faults=run.faults | {(len(run.states) - 1, square_name(last.at), "end-on-fire")})


def can_leave_fire(board: Board, hero: Figure, declared: Declared, points: int, state: State, readings: Readings | None) -> bool:
    """Whether the points suffice. A death on the way is a fault of its own, where the reading makes it one."""
    later = explore(board, hero, declared, points, state, {**(readings or {}), "death": "ignored"})
    return any(may_end(board, hero, node, readings) for node in later)


def result_of(
    board: Board,
    hero: Figure,
    declared: Declared,
    points: int,
    run: Run,
    actions: Sequence[Action],
    readings: Readings | None,
) -> dict[str, Any]:
    last = run.states[-1]
    if run.faults:
        broken = min(step for step, _, _ in run.faults)
        last = run.states[max(broken - 1, 0)]
    return {
        "mp": points,
        "spent": last.spent,
        "wounds": last.wounds,
        "end": {"at": last.gone or square_name(last.at), "facing": str(last.facing)},
        "choices": choices_of(board, hero, declared, run, actions, readings),
    }


def choices_of(
    board: Board, hero: Figure, declared: Declared, run: Run, actions: Sequence[Action], readings: Readings | None
) -> list[dict[str, Any]]:
    """Where a diagonal left the flank open: the one taken and the other, each with its MP and wounds."""
    found: list[dict[str, Any]] = []
    for number, action in enumerate(actions, start=1):
        before = run.states[number - 1]
        ways = take(board, hero, declared, before, action, readings)
        if len(ways) < 2:
            continue
        choice: dict[str, Any] = {"step": number}
        for way in ways:
            assert way.flank is not None
            which = "taken" if way.flank == run.flanks[number - 1] else "other"
            choice[which] = {
                "flank": square_name(way.flank),
                "mp": way.state.spent - before.spent,
                "wounds": way.state.wounds - before.wounds,
            }
        found.append(choice)
    return found


# --- everything that can be reached ----------------------------------------------------------------------------------

ALL_ACTIONS = (
    *(Action(step) for step in (*TURNS, *STRAIGHT, *DIAGONAL)),
    *(Action(step, side) for step in (Step.OPEN_DOOR, Step.CLOSE_DOOR) for side in QUARTERS),
)


def explore(
    board: Board, hero: Figure, declared: Declared, points: int, start: State, readings: Readings | None
) -> dict[State, tuple[State, Action] | None]:
    """Dijkstra over the MP spent: every state that keeps all rules, with the state and action it came from."""
    actions = useful_actions(board, readings)
    came: dict[State, tuple[State, Action] | None] = {start: None}
    settled: set[State] = set()
    count = itertools.count()
    queue: list[tuple[int, int, State]] = [(start.spent, next(count), start)]
    while queue:
        _, _, state = heapq.heappop(queue)
        if replace(state, spent=0) in settled:
            continue
        settled.add(replace(state, spent=0))
        for action in actions:
            for way in take(board, hero, declared, state, action, readings):
                new = way.state
                if way.faults or new.spent > points or new in came:
                    continue
                if new.dead:
                    continue
                if said(readings, "death") != "ignored" and new.wounds >= health(hero):
                    continue
                came[new] = (state, action)
                heapq.heappush(queue, (new.spent, next(count), new))
    return came


def useful_actions(board: Board, readings: Readings | None) -> list[Action]:
    """Doors only where there are any; closing one can help only where zones of control stop at doors."""
    kinds = set(board.edges.values())
    doors = bool(kinds & {EdgeKind.CLOSED_DOOR, EdgeKind.OPEN_DOOR})
    closing = doors and taken(readings, "zoc") != "geometric"
    return [
        action
        for action in ALL_ACTIONS
        if (action.step is not Step.OPEN_DOOR or doors) and (action.step is not Step.CLOSE_DOOR or closing)
    ]


def may_end(board: Board, hero: Figure, state: State, readings: Readings | None) -> bool:
    return state.gone is not None or not burning(board, state.at)


def price_order(state: State, readings: Readings | None) -> tuple[int, int]:
    """Fewest MP, then fewest wounds, unless the other order is asked for."""
    if said(readings, "flank_choice") == "wounds":
        return state.wounds, state.spent
    return state.spent, state.wounds


def ends(
    board: Board, hero: Figure, declared: Declared, readings: Readings | None
) -> tuple[dict[str, State], dict[State, tuple[State, Action] | None]]:
    """The best state for each place (square or exit) where the activation can end."""
    if wounded_trooper(hero) and declared is Declared.RUNNING:
        return {}, {}
    points = movement_points(board, hero, declared)
    came = explore(board, hero, declared, points, start_state(hero), readings)
    best: dict[str, State] = {}
    for state in came:
        if not may_end(board, hero, state, readings):
            continue
        key = state.gone or square_name(state.at)
        if key not in best or price_order(state, readings) < price_order(best[key], readings):
            best[key] = state
    return best, came


def reach(board: Board, hero_id: str, declared: Declared | None, readings: Readings | None = None) -> dict[str, Any]:
    """Where can the activation end, with the fewest MP and then the fewest wounds?"""
    hero = board.figure(hero_id)
    assert hero is not None
    best, _ = ends(board, hero, declaration(board, hero, declared), readings)
    return {
        "squares": {key: state.spent for key, state in best.items() if state.gone is None},
        "wounds": {key: state.wounds for key, state in best.items() if state.wounds},
        "exits": {key: state.spent for key, state in best.items() if state.gone is not None},
    }


def can_to(
    board: Board, hero_id: str, declared: Declared | None, to: Square | Exit, readings: Readings | None = None
) -> dict[str, Any]:
    """Is there any legal way that ends there, and what is the cheapest?"""
    hero = board.figure(hero_id)
    assert hero is not None
    declared = declaration(board, hero, declared)
    best, came = ends(board, hero, declared, readings)
    key = f"{square_name(to.square)} {to.side}" if isinstance(to, Exit) else square_name(to)
    points = movement_points(board, hero, declared)
    if key not in best:
        return {"verdict": "illegal", "result": {"mp": points}}
    state = best[key]
    steps: list[Action] = []
    node: State = state
    while (last := came[node]) is not None:
        node, action = last
        steps.append(action)
    return {
        "verdict": "legal",
        "result": {
            "mp": points,
            "spent": state.spent,
            "wounds": state.wounds,
            "end": {"at": key, "facing": str(state.facing)},
            "steps": [str(action) for action in reversed(steps)],
        },
    }
