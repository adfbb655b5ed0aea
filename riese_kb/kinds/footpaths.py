"""Shortest paths of zombies: arithmetic over the steps that the logic allows.

The steps are asked for once on the whole map. What zombies in the way change, under the reading that leads paths around
them, is asked for where they stand, and lengths are then found only for the squares whose lengths are wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from msgspec import Struct, field

from riese_kb.board import Board, Figure, Kind, Square
from riese_kb.draft import matters
from riese_kb.facts import Ground, Name, box, call, fact
from riese_kb.position import Position, Terms
from riese_kb.program import readings
from riese_kb.scenarios import find_scenario
from riese_kb.worlds import Derived, Steps, World

Prey = object
"""A target as the logic names it: a figure's id, or ``("barricade", square)``, with ``decoy`` and ``alarm_clock`` likewise."""
Lengths = dict[Square, int]


def prey_term(prey: Prey) -> object:
    """A target as an argument of a fact."""
    return call(prey[0], prey[1]) if isinstance(prey, tuple) else prey


class Scene(NamedTuple):
    """The zombies' places and what has happened in the turn so far."""

    places: tuple[tuple[str, Square], ...]
    locked: frozenset[Prey]
    dead: frozenset[Prey] = frozenset()
    fed: frozenset[str] = frozenset()
    """Cannibals that have eaten in this turn."""
    grips: frozenset[tuple[str, Prey]] = frozenset()
    """Which zombie holds whom, where that can matter."""

    def at(self, id: str) -> Square:
        """Where a zombie stands."""
        return dict(self.places)[id]

    def facts(self, world: int, but: str = "") -> str:
        """Who stands where (one left out), who is locked, who is dead."""
        parts = [fact("stands", world, other, at) for other, at in self.places if other != but]
        parts += [fact("gripped", world, prey_term(prey)) for prey in sorted(self.locked, key=str)]
        for prey in sorted(self.dead, key=str):
            parts.append(fact("broken", world, prey[1]) if isinstance(prey, tuple) else fact("dead", world, prey))
        return "".join(parts)


def opening(board: Board) -> Scene:
    """The scene as the board has it; a stunned zombie's lock is broken (STUN)."""
    zombies = tuple((f.id, f.at) for f in board.figures if f.kind is Kind.ZOMBIE)
    locked: frozenset[Prey] = frozenset(h for f in board.figures if "stunned" not in f.status for h in f.locks)
    return Scene(zombies, locked)


class Floor:
    """The steps: from any square of the ground to any of the eight around it that is neither closed nor barred from there."""

    def __init__(self, ground: Ground, closed: Iterable[Square], barred: Iterable[tuple[Square, Square]]) -> None:
        self._beside = ground.beside
        self.closed = frozenset(closed)
        self.barred = frozenset(barred)

    @cached_property
    def before(self) -> Mapping[Square, frozenset[Square]]:
        """From where a step leads to a square."""
        ways = self._beside | dict.fromkeys(self.closed, frozenset[Square]())
        for there, barred in _grouped((there, here) for here, there in self.barred):
            ways[there] = ways.get(there, frozenset()) - barred
        return ways

    @cached_property
    def after(self) -> Mapping[Square, frozenset[Square]]:
        """Where a step leads from a square."""
        ways = {here: near - self.closed for here, near in self._beside.items()}
        for here, barred in _grouped(self.barred):
            ways[here] = ways.get(here, frozenset()) - barred
        return ways


def _grouped(pairs: Iterable[tuple[Square, Square]]) -> Iterable[tuple[Square, set[Square]]]:
    groups: dict[Square, set[Square]] = {}
    for one, other in pairs:
        groups.setdefault(one, set()).add(other)
    return groups.items()


class Ways(Struct, frozen=True):
    """Lengths of shortest paths by one measure, whatever zombies stand in the way: ``lengths[target][square]``."""

    ends: Mapping[Prey, Lengths]
    """Where a path to a target may end, and how long it is then (nobody's path ends where it is too rough to rest)."""
    lengths: Mapping[Prey, Lengths]


class Around(Struct, frozen=True):
    """The same lengths around zombies that stand in the way, found square by square."""

    straight: Mapping[Prey, Lengths]
    """The lengths through them."""
    floor: Floor
    ends: Mapping[Prey, Lengths]
    _known: dict[Prey, dict[Square, int | None]] = field(default_factory=dict)
    """Lengths found on the way to others; None where no path is left."""

    def length(self, start: Square, prey: Prey) -> int | None:
        """How long the shortest path is; None where none is left. Best first: nothing is shorter than the straight way."""
        straight = self.straight[prey]
        if start not in straight:
            return None
        known = self._known.setdefault(prey, dict(self.ends.get(prey, {})))
        queue, best, came = [(straight[start], 0, start)], {start: 0}, {start: start}
        while queue:
            bound, back, here = heappop(queue)
            if best[here] < -back:
                continue
            if here in known:
                rest = known[here]
                if rest is None:
                    continue
                if rest - back > bound:  # as long as that, for sure: it waits until nothing shorter is left
                    heappush(queue, (rest - back, back, here))
                    continue
                known[start] = rest - back
                while here != start:
                    here = came[here]
                    known[here] = rest - back - best[here]
                return known[start]
            made = 1 - back
            for there in self.floor.after.get(here, ()):
                if there in straight and made < best.get(there, made + 1):
                    best[there], came[there] = made, here
                    heappush(queue, (made + straight[there], -made, there))
        known.update(dict.fromkeys(best))
        return None


class Paths(Struct, frozen=True):
    """Lengths of shortest paths to every target, by the measure that targets are chosen with and the one that moves follow."""

    near_by: Ways
    """To a square adjacent to a target, whatever zombies stand in the way."""
    along: Ways
    """By the reading of what paths are measured to (``z_metric``)."""
    metric: str
    mode: str
    matters: frozenset[str]
    """The contested points that the steps turn on."""
    floor: Floor
    around: Around | None = None
    """The same around other zombies, where these are in the way (``z_path``)."""
    _written: dict[tuple[Square, int], str] = field(default_factory=dict)

    def near(self, square: Square, radius: int) -> str:
        """Facts ``dist`` for the squares within ``radius`` of one, as a text in which ``@`` stands for their number."""
        if (square, radius) not in self._written:
            self._written[square, radius] = self._near(square, radius)
        return self._written[square, radius]

    def around_here(self, square: Square) -> tuple[int | None, ...]:
        """The lengths of all paths around others from a square and those beside it; nothing where others are never shunned."""
        if self.around is None:
            return ()
        return tuple(self.around.length(here, prey) for prey in self.along.lengths for here in box(square, square, 1))

    def _near(self, square: Square, radius: int) -> str:
        squares = list(box(square, square, radius))
        parts = self._dist("adjacent", "ignore", self.near_by.lengths, squares)
        if self.around is not None:
            parts += self._dist(
                self.metric,
                self.mode,
                {
                    prey: {here: n for here in squares if (n := self.around.length(here, prey)) is not None}
                    for prey in self.along.lengths
                },
                squares,
            )
        elif (self.metric, self.mode) != ("adjacent", "ignore"):
            parts += self._dist(self.metric, self.mode, self.along.lengths, squares)
        return "".join(f"dist(@,{part}" for part in parts)

    @staticmethod
    def _dist(metric: str, mode: str, lengths: Mapping[Prey, Lengths], squares: Iterable[Square]) -> list[str]:
        return [
            fact("dist", 0, Name(metric), Name(mode), prey_term(prey), here, by_square[here])[7:]
            for prey, by_square in lengths.items()
            for here in squares
            if here in by_square
        ]

    def away(self, square: Square) -> Iterator[tuple[Prey, int]]:
        """How far every target is, by the measure that targets are chosen with."""
        return ((prey, by[square]) for prey, by in self.near_by.lengths.items() if square in by)

    def rank(self, square: Square) -> int | None:
        """How far the closest target is, by the same."""
        return min((by[square] for by in self.near_by.lengths.values() if square in by), default=None)


def gait_of(position: Position, figure: Figure, terms: Terms) -> str:
    """The gait that measures a zombie's paths; a face-down marker has no powers."""
    powers = () if "unrevealed" in figure.status else position.powers(figure)
    for power, gait in (("leap", "leaping"), ("smash", "rough")):
        if power in powers and f"power.{power}" not in terms.without:
            return gait
    if terms.scenario and "unrevealed" not in figure.status:
        gait, rule = find_scenario(position.system, terms.scenario).gaits.get(figure.type or "beta", ("plain", ""))
        return "plain" if rule in terms.without else gait
    return "plain"


def paths(position: Position, terms: Terms, gait: str, shuns: str | None = None, scene: Scene | None = None) -> Steps[Paths]:
    """Shortest paths for zombies of one gait; ``shuns`` names the zombie that goes around all others where a reading says so."""
    scene = scene or opening(position.board)
    key = (gait, scene.dead, terms.law)
    if key not in position.kept:
        if len(position.kept) > 200:
            position.kept.clear()
        answers = yield _straight(position, terms, gait, scene)
        # Questions of a batch are asked side by side: another one may have been through here meanwhile.
        if key not in position.kept:
            position.kept[key] = _found(position, terms, answers)
    found = position.kept[key]
    assert isinstance(found, Paths)
    if found.mode == "ignore" or shuns is None or gait != "plain":
        return found
    detour = yield from _detour(position, terms, found, shuns, scene)
    return detour


def _setting(position: Position, terms: Terms, name: str) -> str:
    return terms.readings.get(name, readings(position.board.system)[name].default)


def _straight(position: Position, terms: Terms, gait: str, scene: Scene) -> list[World]:
    """The worlds that tell the steps of a gait, through whatever zombies stand in the way."""
    metric = _setting(position, terms, "z_metric")
    measures = ["adjacent"] if metric == "adjacent" else ["adjacent", metric]
    return [_steps(position, terms, gait, measure, scene) for measure in measures]


def _found(position: Position, terms: Terms, answers: Sequence[Derived]) -> Paths:
    metric, mode = _setting(position, terms, "z_metric"), _setting(position, terms, "z_path")
    floor = Floor(position.ground, answers[0].values("closed"), answers[0]["barred"])
    near_by = _measured(floor, answers[0], "adjacent")
    along = near_by if metric == "adjacent" else _measured(floor, answers[1], metric)
    points = frozenset[str]().union(*map(matters, answers))
    return Paths(near_by, along, metric, mode, points, floor)


def _steps(position: Position, terms: Terms, gait: str, metric: str, scene: Scene) -> World:
    def facts(world: int) -> str:
        return fact("gait", world, Name(gait)) + fact("metric", world, Name(metric)) + scene.facts(world)

    return World(position, "zombie_steps", terms, facts)


def _detour(position: Position, terms: Terms, found: Paths, shuns: str, scene: Scene) -> Steps[Paths]:
    """The paths as other zombies change them: only what lies within a square of one, or of a target, can be different."""
    others = {at for id, at in scene.places if id != shuns}
    touched = others.union(*found.along.ends.values()) if found.metric == "square" else others
    around = frozenset(square for at in touched for square in box(at, at, 1))
    window = frozenset(square for at in touched for square in box(at, at, 2))

    def facts(world: int) -> str:
        parts = [fact("gait", world, Name("plain")), fact("metric", world, Name(found.metric)), fact("shuns", world, shuns)]
        parts += [fact("local", world)] + [fact("around", world, square) for square in around]
        return "".join(parts) + scene.facts(world)

    (derived,) = yield [World(position, "zombie_steps", terms, facts, window)]
    closed, barred = found.floor.closed.union(derived.values("closed")), found.floor.barred.union(derived["barred"])
    floor = Floor(position.ground, closed, barred)
    ends: dict[Prey, Lengths] = dict(found.along.ends)
    if found.metric == "square":
        ends = {}
        for _, here, prey in derived["into"]:
            ends.setdefault(prey, {})[here] = 1
    return Paths(
        found.near_by,
        found.along,
        found.metric,
        found.mode,
        found.matters | matters(derived),
        floor,
        Around(found.along.lengths, floor, ends),
    )


def _measured(floor: Floor, derived: Derived, metric: str) -> Ways:
    """Breadth-first search against the steps, from every square on which a path to a target may end."""
    ends: dict[Prey, Lengths] = {}
    first = 1 if metric == "square" else 0
    if metric == "square":
        for _, here, prey in derived["into"]:
            ends.setdefault(prey, {})[here] = first
    else:
        for here, prey in derived["goal"]:
            ends.setdefault(prey, {})[here] = first
    found: dict[Prey, Lengths] = {}
    for prey, squares in ends.items():
        lengths = found[prey] = dict(squares)
        edge, length = set(squares), first
        while edge:
            length += 1
            edge = set[Square]().union(*(floor.before[square] for square in edge)).difference(lengths)
            lengths.update(dict.fromkeys(edge, length))
    if metric == "adjacent":
        for here, prey in derived["touch"]:
            found.setdefault(prey, {})[here] = 0
    return Ways(ends, found)
