"""NPCS, NPC MOVEMENT, NPC ATTACKING: where an NPC may end its activation and whom it may attack.

One file, though it is long: it is read beside the book, from top to bottom.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from riese_kb.board import Board, EdgeKind, Figure, Kind, Square, Terrain, Weapon, square_name

from .attacks import D12
from .readings import Readings, taken
from .sight import lof
from .terrain import (
    BARRED_EDGES,
    beside,
    burning,
    edge_kind,
    full_health,
    health,
    howlers,
    lockers,
    marked,
    occupant,
    on_map,
    powers,
    reaches_over,
    stunned,
    terrain_at,
)

CARDS = {
    card.name: card
    for card in (
        Weapon(name="FG-42", rof=1, stun=6, wound=9, pbr=9, rm=4, h2h_stun=8, h2h_wound=11, select_fire=True),
        Weapon(name="StG-43/44", rof=1, stun=6, wound=9, pbr=5, rm=3, h2h_stun=7, h2h_wound=10, select_fire=True),
        Weapon(name="Torch", rof=1, stun=5, wound=10, pbr=1, rm="H", h2h_stun=5, h2h_wound=10),
    )
}
BARE = (10, 12)
State = tuple[Square, bool]
"""A square, and whether the one diagonal move of the activation has been made."""


@dataclass(frozen=True)
class Shot:
    """An attack that an NPC may make."""

    at: Square
    on: str
    type: str
    range: int
    modifier: int
    stun: int
    wound: int
    dice: int


def straight(a: Square, b: Square) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def enemies(board: Board) -> list[Figure]:
    """NPCs fight heroes and zombies."""
    return [figure for figure in board.figures if figure.kind in (Kind.HERO, Kind.ZOMBIE)]


def with_ranged(npc: Figure) -> bool:
    return npc.weapon is not None and CARDS[npc.weapon].rm != "H"


def hurt(npc: Figure) -> bool:
    return health(npc) < full_health(npc)


# --- attacks ---------------------------------------------------------------------------------------------------------


def beside_enemies(board: Board, at: Square, readings: Readings | None) -> list[Figure]:
    return [enemy for enemy in enemies(board) if reaches_over(board, at, enemy.at, taken(readings, "adjacent"))]


def shots(board: Board, npc: Figure, at: Square, readings: Readings | None, firing: bool = False) -> list[Shot]:
    """The attacks on targets that it may make from there: on the closest it sees, all round, that a roll could wound.

    ``firing``: as if nothing forced it to fight hand to hand.
    """
    assert npc.weapon is not None
    card = CARDS[npc.weapon]
    there = replace(npc, at=at)
    moved = replace(board, figures=tuple(there if figure.id == npc.id else figure for figure in board.figures))
    near = beside_enemies(moved, at, readings)
    forced = any(taken(readings, "stunned_forces_h2h") == "yes" or not stunned(enemy) for enemy in near)
    hand = card.rm == "H" or (forced and not firing and taken(readings, "npc_cornered") == "hand")
    seen = [enemy for enemy in enemies(moved) if lof(moved, at, enemy.at, readings)["verdict"] == "clear"]
    closest = min((straight(at, enemy.at) for enemy in seen), default=0)
    found: list[Shot] = []
    for enemy in seen:
        squares = straight(at, enemy.at)
        if squares > closest or (hand and squares > 1):
            continue
        select = not hand and bool(card.select_fire) and taken(readings, "npc_rof") == "select"
        modifier = attack_modifier(moved, there, enemy, readings) - (1 if select else 0)
        if not hand:
            modifier += range_steps(card, squares)
        values = (card.h2h_stun, card.h2h_wound) if hand else (card.stun, card.wound)
        stun, wound = (value + modifier for value in values if value is not None)
        if (wound if enemy.kind is Kind.ZOMBIE else min(stun, wound)) <= 12:
            dice = (card.rof or 1) + (1 if select else 0)
            found.append(Shot(at, enemy.id, "h2h" if hand else "normal", squares, modifier, stun, wound, dice))
    return found


def attack_modifier(board: Board, npc: Figure, enemy: Figure, readings: Readings | None) -> int:
    """Declared walking; threat is the team's and its allies' affair."""
    revealed = replace(enemy, status=tuple(word for word in enemy.status if word != "unrevealed"))
    found = lof(board, npc.at, enemy.at, readings)["modifier"] + (2 if hurt(npc) else 0)
    board = replace(board, figures=tuple(revealed if figure.id == enemy.id else figure for figure in board.figures))
    found += len(howlers(board))
    if enemy.kind is Kind.ZOMBIE:
        found += -3 if stunned(enemy) else 0
        found += 1 if "antihero" in powers(revealed) else 0
        found += 2 if "shutzshild" in powers(revealed) else 0
    return int(found)


def range_steps(card: Weapon, squares: int) -> int:
    assert isinstance(card.rm, int)
    beyond = max(0, squares - (card.pbr or 1))
    return -(-beyond // card.rm)


# --- movement --------------------------------------------------------------------------------------------------------


class Walk:
    """The map as one NPC can walk it in one activation."""

    def __init__(self, board: Board, npc: Figure, doors: bool, readings: Readings | None) -> None:
        self.board, self.npc, self.doors, self.readings = board, npc, doors, readings

    def enterable(self, square: Square) -> bool:
        """Could it pass that square?"""
        board = self.board
        if not on_map(board, square) or marked(board, square, "barricade"):
            return False
        if terrain_at(board, square) in (Terrain.OBSTRUCTIVE, Terrain.BARRING, Terrain.LETHAL):
            return False
        if burning(board, square) and taken(self.readings, "npc_fire") == "avoid":
            return False
        other = occupant(board, square)
        return other is None or other.kind is Kind.NPC

    def near_zombie(self, square: Square) -> bool:
        """Ranged weapons are kept away from zombies."""
        return with_ranged(self.npc) and any(
            enemy.kind is Kind.ZOMBIE for enemy in beside_enemies(self.board, square, self.readings)
        )

    def price(self, a: Square, b: Square) -> int | None:
        kind = edge_kind(self.board, a, b)
        if kind is EdgeKind.CLOSED_DOOR and self.doors:
            return 2
        return None if kind in BARRED_EDGES else 1

    def behind(self, a: Square, b: Square) -> Walk:
        """The same with the door between them open."""
        edges = {edge: EdgeKind.OPEN_DOOR if set(edge) == {a, b} else kind for edge, kind in self.board.edges.items()}
        return Walk(replace(self.board, edges=edges), self.npc, self.doors, self.readings)

    def steps(self, state: State, goal: frozenset[Square] = frozenset()) -> list[tuple[int, State]]:
        at, turned = state
        found: list[tuple[int, State]] = []
        for there in beside(at):
            price = self.price(at, there)
            if price and self.fits(there, goal):
                found.append((price, (there, turned)))
        if turned:
            return found
        for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            there = (at[0] + dx, at[1] + dy)
            if self.fits(there, goal) and (taken(self.readings, "npc_diagonal") == "free" or self.gap(at, there)):
                found.append((1, (there, True)))
        return found

    def fits(self, square: Square, goal: frozenset[Square]) -> bool:
        """A goal is measured to, even where it cannot be entered."""
        return square in goal or (self.enterable(square) and not self.near_zombie(square))

    def gap(self, a: Square, b: Square) -> bool:
        """One of the two squares passed lets it through."""
        return any(
            self.enterable(flank) and self.price(a, flank) == 1 and self.price(flank, b) == 1
            for flank in ((a[0], b[1]), (b[0], a[1]))
        )

    def costs(self, start: State, goal: frozenset[Square] = frozenset()) -> dict[State, int]:
        """Moves from there to every state."""
        best: dict[State, int] = {}
        queue: list[tuple[int, State]] = [(0, start)]
        while queue:
            cost, state = heapq.heappop(queue)
            if state in best:
                continue
            best[state] = cost
            if state[0] in goal:
                continue
            for price, other in self.steps(state, goal):
                if other not in best:
                    heapq.heappush(queue, (cost + price, other))
        return best

    def length(self, start: State, goal: frozenset[Square]) -> int | None:
        return min((cost for state, cost in self.costs(start, goal).items() if state[0] in goal), default=None)

    def free(self, square: Square) -> bool:
        return square == self.npc.at or occupant(self.board, square) is None

    def reachable(self, moves: int) -> dict[Square, int]:
        """Every square that it may end on, its own included, with the fewest moves."""
        found: dict[Square, int] = {}
        for (square, _), cost in self.costs((self.npc.at, False)).items():
            if cost <= moves and self.free(square):
                found[square] = min(cost, found.get(square, cost))
        return found


End = tuple[State, int, Walk]
"""Where a walk may end, with how many moves, and the map as it is then: with the doors open that it has opened."""


# --- the question ----------------------------------------------------------------------------------------------------


def npc(board: Board, id: str, to: Square | None, doors: bool, readings: Readings | None = None) -> dict[str, Any]:
    """Its situation, its targets, where it may end, and the attacks that it may make."""
    figure = board.figure(id)
    assert figure is not None
    moves = 2 if hurt(figure) else 3
    walk = Walk(board, figure, doors, readings)
    if lockers(board, id):
        return locked(board, figure, readings)
    if figure.weapon is None:
        return told("unarmed", [], unarmed_ends(walk, moves, to, readings), [])
    kind = "ranged weapon" if with_ranged(figure) else "hand-to-hand weapon"
    here = shots(board, figure, figure.at, readings)
    aimed = [*here, *(shots(board, figure, figure.at, readings, firing=True) if with_ranged(figure) else [])]
    if aimed:
        if with_ranged(figure) and beside_enemies(board, figure.at, readings):
            ends = retreats(walk, moves, readings)
            if ends:
                made = [shot for square in ends for shot in shots(board, figure, square, readings)]
                return told(f"{kind} with target", aimed, ends, made)
        return told(f"{kind} with target", here, walk.reachable(moves), here)
    situation = f"{kind} with no target"
    if kind == "hand-to-hand weapon" and taken(readings, "npc_h2h_idle") == "stay":
        return told(situation, [], {figure.at: 0}, [])
    return seeking(walk, situation, moves, to, readings)


def told(situation: str, targets: Iterable[str | Shot], ends: dict[Square, int], made: list[Shot]) -> dict[str, Any]:
    return {
        "situation": situation,
        "targets": sorted({target if isinstance(target, str) else target.on for target in targets}),
        "ends": {square_name(square): cost for square, cost in ends.items()},
        "attacks": sorted({shot.on for shot in made}),
        "rolls": sorted((square_name(s.at), s.on, s.type, s.range, s.modifier, s.stun, s.wound, s.dice) for s in set(made)),
    }


def locked(board: Board, figure: Figure, readings: Readings | None) -> dict[str, Any]:
    """It tries to break the lock without any modifier, and stays where it is."""
    card = CARDS.get(figure.weapon or "")
    stun = card.h2h_stun if card and card.h2h_stun else BARE[0]
    broken = Fraction(sum(1 for roll in D12 if roll != 1 and roll >= stun), 12)
    return {"situation": "locked", "lock": {"needed": stun, "broken": str(broken)}, "ends": {square_name(figure.at): 0}}


def retreats(walk: Walk, moves: int, readings: Readings | None) -> dict[Square, int]:
    """Squares away from every enemy, such from which it has a target if there are any."""
    board, figure = walk.board, walk.npc
    safe = {at: cost for at, cost in walk.reachable(moves).items() if cost and not beside_enemies(board, at, readings)}
    aiming = {at: cost for at, cost in safe.items() if shots(board, figure, at, readings)}
    return aiming if aiming and taken(readings, "npc_retreat") == "target" else safe


def unarmed_ends(walk: Walk, moves: int, to: Square | None, readings: Readings | None) -> dict[Square, int]:
    reachable = walk.reachable(moves)
    if to is not None:
        reachable = towards(walk, frozenset({to}), moves, readings)

    def far(at: Square) -> int:
        ranges = [straight(at, enemy.at) for enemy in enemies(walk.board)]
        return sum(ranges) if taken(readings, "npc_farthest") == "sum" else min(ranges)

    if not reachable or not enemies(walk.board):
        return reachable
    best = max(map(far, reachable))
    return {at: cost for at, cost in reachable.items() if far(at) == best}


def towards(walk: Walk, goal: frozenset[Square], moves: int, readings: Readings | None) -> dict[Square, int]:
    """Where the shortest paths to the goal lead in that many moves."""
    return best(paths(walk, (walk.npc.at, False), 0, goal, moves, None, readings))


def paths(
    walk: Walk,
    start: State,
    spent: int,
    goal: frozenset[Square],
    moves: int,
    halt: Callable[[Walk, Square], bool] | None,
    readings: Readings | None,
) -> list[End]:
    """The ends of the walk from there along shortest paths: at ``halt``, at the goal, or when ``moves`` are spent.

    Only where all of them would end on a comrade's square does it stop before that. Where there is a ``halt``, it looks
    through every door that it opens before it goes on.
    """
    length = walk.length(start, goal)
    if length is None or start[0] in goal:
        return [(start, spent, walk)]
    ends: dict[State, int] = {}
    cut_short: dict[State, int] = {}
    behind_doors: list[End] = []
    todo = [(start, spent, (start, spent))]
    done: set[tuple[State, State]] = set()
    while todo:
        state, cost, last = todo.pop()
        if walk.free(state[0]):
            last = (state, cost)
        over = state[0] in goal or (halt is not None and state != start and walk.free(state[0]) and halt(walk, state[0]))
        nexts = []
        if not over:
            left = walk.length(state, goal)
            nexts = [
                (other, cost + price)
                for price, other in walk.steps(state, goal)
                if left is not None
                and (rest := walk.length(other, goal)) is not None
                and price + rest == left
                and cost + min(price, 1 if halt else price) <= moves
                and walk.fits(other[0], frozenset())
            ]
        doors = [other for other, there in nexts if there == cost + 2 and halt is not None and walk.free(state[0])]
        nexts = [(other, there) for other, there in nexts if other not in doors and there <= moves]
        for other in doors:
            assert halt is not None
            opened = walk.behind(state[0], other[0])
            stops = halt(opened, state[0])
            behind_doors += [(state, cost + 1, opened)] if stops else paths(opened, state, cost + 1, goal, moves, halt, readings)
        if not nexts and not doors:
            (ends if last[0] == state else cut_short)[last[0]] = last[1]
        for other, there in nexts:
            if (other, last[0]) not in done:
                done.add((other, last[0]))
                todo.append((other, there, last))
    whole = [(state, cost, walk) for state, cost in ends.items()] + behind_doors
    return whole or [(state, cost, walk) for state, cost in cut_short.items()]


def seeking(walk: Walk, situation: str, moves: int, to: Square | None, readings: Readings | None) -> dict[str, Any]:
    figure = walk.npc

    def aims(now: Walk, at: Square) -> bool:
        return bool(shots(now.board, figure, at, readings))

    start: State = (figure.at, False)
    if to is not None:
        first = paths(walk, start, 0, frozenset({to}), moves, lambda *_: False, readings)
        names: set[str] = set()
        if taken(readings, "npc_objective") == "alone":
            return told(situation, [], best(first), [])
    else:
        found = prey(walk, start, readings)
        names = set(found)
        first = [end for goal in found.values() for end in paths(walk, start, 0, goal, moves, aims, readings)]
        first = first or [(start, 0, walk)]
    last: list[End] = []
    for state, cost, now in first:
        if aims(now, state[0]):
            last.append((state, cost, now))
        else:
            found = prey(now, state, readings)
            names |= set(found)
            last += [end for goal in found.values() for end in paths(now, state, cost, goal, cost + moves, aims, readings)]
            last += [] if found else [(state, cost, now)]
    made = [shot for state, _, now in last for shot in shots(now.board, figure, state[0], readings)]
    return told(situation, names, best(last), made)


def best(ends: list[End]) -> dict[Square, int]:
    found: dict[Square, int] = {}
    for (square, _), cost, _ in ends:
        found[square] = min(cost, found.get(square, cost))
    return found


def prey(walk: Walk, start: State, readings: Readings | None) -> dict[str, frozenset[Square]]:
    """The closest enemies, each with the squares beside it. By moves, those that it cannot get to are none."""
    board = walk.board
    far: dict[str, int] = {}
    goals: dict[str, frozenset[Square]] = {}
    for enemy in enemies(board):
        goal = frozenset(
            square
            for square in beside(enemy.at)
            if (walk.enterable(square) or square == start[0])
            and reaches_over(board, square, enemy.at, taken(readings, "adjacent"))
        )
        length = walk.length(start, goal)
        goals[enemy.id] = goal
        if taken(readings, "npc_closest") == "range":
            far[enemy.id] = straight(start[0], enemy.at)
        elif length is not None:
            far[enemy.id] = length
    return {id: goals[id] for id in far if far[id] == min(far.values())}
