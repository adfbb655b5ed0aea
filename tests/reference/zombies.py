"""ZOMBIE TURN, ACTIVATION, TARGET, MOVEMENT and ATTACK: every way they can come out, by trying all choices.

One file for these chapters, though it is long: it is read beside the book, from top to bottom.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from riese_kb.board import Board, EdgeKind, Figure, Kind, Square, Terrain, square_name

from .readings import Readings, taken
from .terrain import (
    BARRED_EDGES,
    OFFSET,
    beside,
    burning,
    edge_kind,
    health,
    lockers,
    on_map,
    orthogonal,
    plus,
    powers,
    reaches_over,
    revealed,
    stunned,
    terrain_at,
    zombies_of,
)

ONE_MOVE_TYPES = ("beta", "armoured", "flammenghul")
AROUND = [*OFFSET.values(), (1, 1), (1, -1), (-1, 1), (-1, -1)]


class TooManyWays(Exception):
    """The turn has more ways than the reference cares to try."""


@dataclass(frozen=True)
class World:
    """What changes during a zombie turn: where the zombies are, how much health the targets have, who is locked."""

    zombies: tuple[tuple[str, Square], ...]
    targets: tuple[tuple[str, int], ...]
    locked: frozenset[str]

    @cached_property
    def at(self) -> dict[str, Square]:
        return dict(self.zombies)

    @cached_property
    def alive(self) -> dict[str, int]:
        return dict(self.targets)

    def moved(self, places: dict[str, Square]) -> World:
        return World(tuple((id, places.get(id, square)) for id, square in self.zombies), self.targets, self.locked)

    def without(self, id: str) -> World:
        return World(tuple(entry for entry in self.zombies if entry[0] != id), self.targets, self.locked)


@dataclass(frozen=True)
class Walk:
    """A finished movement: the squares entered, the world after it, moves not used, whether the zombie still stands."""

    path: tuple[Square, ...]
    world: World
    left: int
    alive: bool = True


@dataclass(frozen=True)
class Activation:
    path: tuple[Square, ...]
    world: World
    attacked: str | None


def barricade_id(square: Square) -> str:
    return f"barricade {square_name(square)}"


class Turn:
    """The board of one zombie turn, with the readings in force."""

    def __init__(self, board: Board, readings: Readings | None) -> None:
        self.board = board
        self.figures = {zombie.id: zombie for zombie in zombies_of(board)}
        self.places: dict[str, Square] = {}
        self.kinds: dict[str, Kind | None] = {}
        lives: dict[str, int] = {}
        for figure in board.figures:
            if figure.kind is not Kind.ZOMBIE:
                self.places[figure.id] = figure.at
                self.kinds[figure.id] = figure.kind
                lives[figure.id] = health(figure)
        for marker in board.markers:
            if marker.kind == "barricade":
                id = barricade_id(marker.at)
                self.places[id], self.kinds[id], lives[id] = marker.at, None, 1
        self.reading = {name: taken(readings, name) for name in Z_READINGS}
        self.start = World(
            tuple(sorted((zombie.id, zombie.at) for zombie in self.figures.values())),
            tuple(sorted(lives.items())),
            frozenset(id for id in lives if lockers(board, id)),
        )
        self.leader = any("leader-of-the-pack" in powers(zombie) for zombie in self.figures.values())

    # --- the zombie itself -------------------------------------------------------------------------------------------

    def power(self, id: str, name: str) -> bool:
        return name in powers(self.figures[id])

    def move_value(self, id: str) -> int:
        """1 or 2 by type; 1 unrevealed; LEADER OF THE PACK makes a 1 a 2; from threat 10 on one more."""
        zombie = self.figures[id]
        small = not revealed(zombie) or (zombie.type or "beta") in ONE_MOVE_TYPES
        value = 1 if small else 2
        if self.leader and value == 1:
            value = 2
        if self.board.threat >= 10:
            value = min(2, value + 1) if small else value + 1
        return value

    # --- terrain -----------------------------------------------------------------------------------------------------

    def crosses_hindering(self, id: str) -> bool:
        return self.power(id, "smash") or self.power(id, "leap")

    def enters(self, world: World, id: str, square: Square) -> bool:
        """Does the terrain let it in? Never obstructive terrain, fire or a barricade; hindering only by power."""
        terrain = terrain_at(self.board, square)
        if terrain in (Terrain.OBSTRUCTIVE, Terrain.BARRING, Terrain.VOID) or burning(self.board, square):
            return False
        if barricade_id(square) in world.alive:
            return False
        return terrain is not Terrain.HINDERING or self.crosses_hindering(id)

    def crosses(self, id: str, a: Square, b: Square) -> bool:
        kind = edge_kind(self.board, a, b)
        if kind in BARRED_EDGES:
            return False
        return kind is not EdgeKind.HINDERING or self.crosses_hindering(id)

    def zombie_on(self, world: World, square: Square, but: str) -> str | None:
        return next((id for id, place in world.zombies if place == square and id != but), None)

    def person_on(self, world: World, square: Square) -> str | None:
        return next(
            (id for id in world.alive if self.places[id] == square and self.kinds[id] is not None),
            None,
        )

    def flank_empty(self, world: World, id: str, a: Square, flank: Square, b: Square, zombies: bool, people: bool) -> bool:
        """Is a square moved past "empty"? ``zombies``/``people``: do those count?"""
        if zombies and self.zombie_on(world, flank, id) is not None:
            return False
        if people and self.person_on(world, flank) is not None:
            return False
        reading = self.reading["z_flank"]
        if reading == "bare":
            return True
        if reading == "loose":
            solid = terrain_at(self.board, flank) in (Terrain.OBSTRUCTIVE, Terrain.BARRING, Terrain.VOID)
            return not solid and barricade_id(flank) not in world.alive
        if not self.enters(world, id, flank):
            return False
        return reading == "square" or (self.crosses(id, a, flank) and self.crosses(id, flank, b))

    def way_open(self, world: World, id: str, a: Square, b: Square, zombies: bool, people: bool) -> bool:
        """Does nothing between the two squares forbid the step? The square ``b`` itself is not looked at."""
        if orthogonal(a, b):
            return self.crosses(id, a, b)
        flanks = [(b[0], a[1]), (a[0], b[1])]
        if any(burning(self.board, flank) for flank in flanks):
            return False
        return any(self.flank_empty(world, id, a, flank, b, zombies, people) for flank in flanks)

    def steps(self, world: World, id: str, at: Square, zombies: bool, people: bool, into: Square | None) -> list[Square]:
        """Squares one step away in a measured path; ``into`` is the target's own square, which may be entered."""
        found: list[Square] = []
        for offset in AROUND:
            square = plus(at, offset)
            if not on_map(self.board, square):
                continue
            if square != into:
                if not self.enters(world, id, square):
                    continue
                if zombies and self.zombie_on(world, square, id) is not None:
                    continue
                if people and self.person_on(world, square) is not None:
                    continue
            if self.way_open(world, id, at, square, zombies, people):
                found.append(square)
        return found

    def adjacent(self, square: Square, target: str) -> bool:
        return reaches_over(self.board, square, self.places[target], self.reading["z_adjacent"])

    def diagonal(self, world: World, id: str, square: Square, target: str) -> bool:
        place = self.places[target]
        if abs(square[0] - place[0]) != 1 or abs(square[1] - place[1]) != 1:
            return False
        return self.reading["z_diagonal"] == "geometric" or self.way_open(world, id, square, place, True, True)

    def beside_any(self, world: World, square: Square) -> list[str]:
        return [id for id in sorted(world.alive) if self.adjacent(square, id)]

    def rests(self, world: World, id: str, square: Square, entered: bool) -> bool:
        """May it end its movement there? LEAP must not end on hindering terrain or another zombie."""
        if not self.power(id, "leap") or not entered:
            return True
        if terrain_at(self.board, square) is Terrain.HINDERING:
            return False
        return self.zombie_on(world, square, id) is None

    # --- measured paths ----------------------------------------------------------------------------------------------

    def measure(
        self,
        world: World,
        id: str,
        at: Square,
        zombies: bool,
        into: Square | None = None,
    ) -> tuple[dict[Square, int], dict[Square, list[Square]]]:
        """Breadth first: moves to every square, and the squares before it on shortest paths."""
        people = self.reading["z_heroes"] == "block"
        moves: dict[Square, int] = {at: 0}
        before: dict[Square, list[Square]] = {at: []}
        queue = deque([at])
        while queue:
            square = queue.popleft()
            if square == into:
                continue
            for step in self.steps(world, id, square, zombies, people, into):
                if step not in moves:
                    moves[step] = moves[square] + 1
                    before[step] = []
                    queue.append(step)
                if moves[step] == moves[square] + 1:
                    before[step].append(square)
        return moves, before

    def may_stand(self, id: str, square: Square, at: Square) -> bool:
        """As the end of a measured path: LEAP does not end on hindering terrain."""
        hindered = terrain_at(self.board, square) is Terrain.HINDERING
        return not (self.power(id, "leap") and hindered and square != at)

    def closest(self, world: World, id: str) -> tuple[int | None, list[str]]:
        """ZOMBIE TARGET: fewest moves to a square adjacent to it, other zombies disregarded."""
        at = world.at[id]
        moves, _ = self.measure(world, id, at, zombies=False)
        distance: dict[str, int] = {}
        for target in world.alive:
            ends = [
                moves[square]
                for square in beside(self.places[target])
                if square in moves and self.adjacent(square, target) and self.may_stand(id, square, at)
            ]
            if ends:
                distance[target] = min(ends)
        if not distance:
            return None, []
        least = min(distance.values())
        return least, sorted(target for target, moves_ in distance.items() if moves_ == least)

    def first_steps(self, world: World, id: str, target: str) -> set[Square]:
        """Where the shortest paths to that target begin."""
        at = world.at[id]
        avoid = self.reading["z_path"] == "avoid" and not self.crosses_zombies(id)
        if self.reading["z_metric"] == "square":
            moves, before = self.measure(world, id, at, avoid, self.places[target])
            ends = [self.places[target]]
        else:
            moves, before = self.measure(world, id, at, avoid)
            ends = [
                square
                for square in beside(self.places[target])
                if self.adjacent(square, target) and self.may_stand(id, square, at)
            ]
        reached = [square for square in ends if square in moves]
        if not reached:
            return set()
        least = min(moves[square] for square in reached)
        level = {square for square in reached if moves[square] == least}
        for _ in range(least - 1):
            level = {last for square in level for last in before[square]}
        return level if least > 0 else set()

    def crosses_zombies(self, id: str) -> bool:
        return self.power(id, "smash") or self.power(id, "leap")

    # --- one activation ----------------------------------------------------------------------------------------------

    def activate(self, world: World, id: str) -> set[Activation]:
        """Every way the zombie's activation can go."""
        if stunned(self.figures[id]):
            return {Activation((), world, None)}
        _, chosen = self.closest(world, id)
        walks: set[Walk] = set()
        moves = self.move_value(id)
        if self.reading["z_retarget"] == "fixed" and chosen:
            for target in chosen:
                walks |= self.walk(world, id, moves, [target], False)
        else:
            walks = self.walk(world, id, moves, None, False)
        found: set[Activation] = set()
        for walk in walks:
            for world_after, attacked in self.attacks(walk, id):
                found.add(Activation(walk.path, world_after, attacked))
        return found

    def walk(self, world: World, id: str, left: int, fixed: list[str] | None, transit: bool) -> set[Walk]:
        """All ways to make the moves that are left. ``transit``: it stands where it may not stay (LEAP)."""
        at = world.at[id]
        if not transit and (left == 0 or self.beside_any(world, at)):
            return {Walk((), world, left)}
        if left > 0:
            for candidates in self.options(world, id, fixed):
                walks = {walk for square, swapped in candidates for walk in self.move(world, id, square, swapped, left, fixed)}
                if walks:
                    return walks
        return set() if transit else {Walk((), world, left)}

    def move(
        self, world: World, id: str, square: Square, swapped: str | None, left: int, fixed: list[str] | None
    ) -> Iterable[Walk]:
        places = {id: square}
        if swapped is not None:
            places[swapped] = world.at[id]
        after = world.moved(places)
        if terrain_at(self.board, square) is Terrain.LETHAL:
            return [Walk((square,), after.without(id), 0, alive=False)]
        transit = not self.rests(after, id, square, entered=True)
        return [replace(walk, path=(square, *walk.path)) for walk in self.walk(after, id, left - 1, fixed, transit)]

    def options(self, world: World, id: str, fixed: list[str] | None) -> list[list[tuple[Square, str | None]]]:
        """For each option of the book's list, the squares that fulfil it (and the zombie to swap with)."""
        _, near = self.closest(world, id)
        chosen = [target for target in fixed if target in world.alive] if fixed is not None else near
        everyone = sorted(world.alive)
        if not near and self.reading["z_no_path"] == "stays":
            return []
        # Where options 1 and 2 are about the closest target only, and there is none, nobody is listed.
        listed = everyone if self.reading["z_any"] == "any" else chosen
        first = self.landings(world, id, lambda square: any(self.adjacent(square, target) for target in listed))
        second = self.landings(
            world,
            id,
            lambda square: any(self.diagonal(self.as_moved(world, id, square), id, square, t) for t in listed),
        )
        ways: set[Square] = set()
        for target in chosen:
            ways |= self.first_steps(world, id, target)
        third = self.landings(world, id, lambda square: square in ways)
        return [first, second, third]

    def as_moved(self, world: World, id: str, square: Square) -> World:
        return world.moved({id: square})

    def landings(self, world: World, id: str, wanted: Callable[[Square], bool]) -> list[tuple[Square, str | None]]:
        """Squares one real step away that are wanted: free ones; LEAP passes zombies; SMASH swaps if none is free."""
        at = world.at[id]
        free: list[tuple[Square, str | None]] = []
        swaps: list[tuple[Square, str | None]] = []
        for offset in AROUND:
            square = plus(at, offset)
            if not on_map(self.board, square) or not self.enters(world, id, square) or not wanted(square):
                continue
            if self.person_on(world, square) is not None or not self.way_open(world, id, at, square, True, True):
                continue
            other = self.zombie_on(world, square, id)
            if other is None or self.power(id, "leap"):
                free.append((square, None))
            elif self.power(id, "smash"):
                swaps.append((square, other))
        return free or swaps

    # --- attacks -----------------------------------------------------------------------------------------------------

    def attacks(self, walk: Walk, id: str) -> list[tuple[World, str | None]]:
        """ZOMBIE ATTACK: needs a move left; a locked target before any other."""
        world = walk.world
        if not walk.alive or walk.left < 1:
            return [(world, None)]
        near = self.beside_any(world, world.at[id])
        locked = [target for target in near if target in world.locked]
        if not near:
            return [(world, None)]
        return [(self.strike(world, id, target), target) for target in locked or near]

    def strike(self, world: World, id: str, target: str) -> World:
        """A locked target is wounded, another is locked; FRENZY wounds at once."""
        if target not in world.locked and not self.power(id, "frenzy"):
            return World(world.zombies, world.targets, world.locked | {target})
        left = world.alive[target] - 1
        if left > 0:
            lives = tuple((name, left if name == target else life) for name, life in world.targets)
            return World(world.zombies, lives, world.locked)
        lives = tuple((name, life) for name, life in world.targets if name != target)
        zombies = world.zombies
        if self.kinds[target] in (Kind.HERO, Kind.NPC):  # rises as a Beta zombie and waits for the next turn
            zombies = tuple(sorted((*zombies, (target, self.places[target]))))
        return World(zombies, lives, world.locked - {target})

    # --- order -------------------------------------------------------------------------------------------------------

    def order(self) -> list[list[str]]:
        """Closest to a target first; those without a path last; a tie shares a list."""
        distances = {id: self.closest(self.start, id)[0] for id in self.figures}
        steps = sorted({value for value in distances.values() if value is not None})
        groups = [sorted(id for id, value in distances.items() if value == least) for least in steps]
        lost = sorted(id for id, value in distances.items() if value is None)
        return [*groups, lost] if lost else groups


Z_READINGS = (
    "z_adjacent",
    "z_diagonal",
    "z_any",
    "z_retarget",
    "z_heroes",
    "z_flank",
    "z_metric",
    "z_path",
    "z_no_path",
)


def zombie(board: Board, id: str, readings: Readings | None = None) -> dict[str, Any]:
    """What may this zombie do if it is activated now?"""
    turn = Turn(board, readings)
    ways = turn.activate(turn.start, id)
    longest = max(len(way.path) for way in ways)
    moves = [{way.path[number] for way in ways if len(way.path) > number} for number in range(longest)]
    return {
        "targets": turn.closest(turn.start, id)[1],
        "moves": [[square_name(square) for square in sorted(squares)] for squares in moves],
        "attacks": sorted({way.attacked for way in ways if way.attacked is not None}),
        "stays": all(not way.path for way in ways),
    }


def zombies(board: Board, readings: Readings | None = None, limit: int = 20000) -> dict[str, Any]:
    """The order of activation, and every way the positions can come out."""
    turn = Turn(board, readings)
    order = turn.order()
    known: dict[tuple[World, str], set[Activation]] = {}
    worlds: set[World] = {turn.start}
    for group in order:
        waiting: set[tuple[World, frozenset[str]]] = {(world, frozenset(group)) for world in worlds}
        worlds = set()
        seen = set(waiting)
        while waiting:
            world, ids = waiting.pop()
            if not ids:
                worlds.add(world)
                continue
            for id in ids:
                if (world, id) not in known:
                    known[(world, id)] = turn.activate(world, id)
                for way in known[(world, id)]:
                    state = (way.world, ids - {id})
                    if state not in seen:
                        seen.add(state)
                        waiting.add(state)
            if len(seen) > limit:
                raise TooManyWays(f"more than {limit} states")
    outcomes = {world.zombies for world in worlds}
    return {
        "order": order,
        "outcomes": [{id: square_name(square) for id, square in zombies} for zombies in sorted(outcomes)],
    }


__all__ = ["Figure", "TooManyWays", "Turn", "zombie", "zombies"]
