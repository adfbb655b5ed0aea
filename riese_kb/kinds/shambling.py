"""``zombie …`` and ``zombies``: what one zombie does, and every way the zombie turn can come out.

Lengths of shortest paths are arithmetic over the steps that the logic allows; everything else about them is law.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field

from riese_kb import tables
from riese_kb.board import Board, Figure, Kind, Square, square_name
from riese_kb.draft import Charge, Draft, Marks, Verdict, charges, matters
from riese_kb.facts import MOVES, Name, box, fact
from riese_kb.position import Position, Terms, line_facts, line_squares
from riese_kb.program import readings
from riese_kb.question import Zombie
from riese_kb.worlds import Derived, Steps, World

Prey = object
"""A target as the logic names it: a figure's id, ``("barricade", square)`` or ``("decoy", square)``."""


class Paths(Struct, frozen=True):
    """Lengths of shortest paths to every target: ``lengths[metric, mode][target][square]``, and who may be adjacent where."""

    lengths: Mapping[tuple[str, str], Mapping[Prey, Mapping[Square, int]]]
    matters: frozenset[str]
    """The contested points that the steps turn on."""
    _written: dict[tuple[Square, int], str] = field(default_factory=dict)

    def near(self, square: Square, radius: int) -> str:
        """Facts ``dist`` for the squares within ``radius`` of one, without the world: ``@`` stands for it."""
        if (square, radius) not in self._written:
            self._written[square, radius] = self._near(square, radius)
        return self._written[square, radius]

    def _near(self, square: Square, radius: int) -> str:
        around = list(box(square, square, radius))
        parts = []
        for (metric, mode), by_prey in self.lengths.items():
            for prey, by_square in by_prey.items():
                parts += [
                    fact("dist", 0, Name(metric), Name(mode), prey_term(prey), here, by_square[here])[7:]
                    for here in around
                    if here in by_square
                ]
        return "".join(f"dist(@,{part}" for part in parts)

    def away(self, square: Square) -> Iterator[tuple[Prey, int]]:
        """How far every target is, by the same measure."""
        return ((prey, by[square]) for prey, by in self.lengths["adjacent", "ignore"].items() if square in by)

    def rank(self, square: Square) -> int | None:
        """How far the closest target is, by the measure that targets are chosen with."""
        return min((by[square] for by in self.lengths["adjacent", "ignore"].values() if square in by), default=None)


def prey_term(prey: Prey) -> object:
    """A target as an argument of a fact."""
    from riese_kb.facts import call

    if isinstance(prey, tuple):
        return call(prey[0], prey[1])
    return prey


def prey_name(prey: Prey, board: Board) -> str:
    """A target's id; a barricade's or decoy's label, or ``barricade C3``."""
    if not isinstance(prey, tuple):
        return str(prey)
    label = next((m.label for m in board.markers if m.kind == prey[0] and m.at == prey[1] and m.label), None)
    return label or f"{prey[0]} {square_name(prey[1])}"


def gait_of(position: Position, figure: Figure, terms: Terms) -> str:
    """The gait that measures a zombie's paths; a face-down marker has no powers."""
    powers = () if "unrevealed" in figure.status else position.powers(figure)
    for power, gait in (("leap", "leaping"), ("smash", "rough")):
        if power in powers and f"power.{power}" not in terms.without:
            return gait
    return "plain"


def _setting(position: Position, terms: Terms, name: str) -> str:
    return terms.readings.get(name, readings(position.board.system)[name].default)


def paths(position: Position, terms: Terms, gait: str, shuns: str | None, scene: Scene | None = None) -> Steps[Paths]:
    """Shortest paths, found once for a board and the law it is asked under (``_paths`` says how)."""
    mode = _setting(position, terms, "z_path")
    key = (
        gait,
        shuns if mode == "avoid" else None,
        scene if mode == "avoid" or (scene and scene.dead) else None,
        terms.law,
    )
    if key not in position.kept:
        if len(position.kept) > 200:
            position.kept.clear()
        position.kept[key] = yield from _paths(position, terms, gait, shuns, scene)
    found = position.kept[key]
    assert isinstance(found, Paths)
    return found


def _paths(position: Position, terms: Terms, gait: str, shuns: str | None, scene: Scene | None = None) -> Steps[Paths]:
    """Shortest paths for zombies of one gait; ``shuns`` names the zombie whose paths lead around all others, too."""
    metric, mode = _setting(position, terms, "z_metric"), _setting(position, terms, "z_path")
    wanted = [("adjacent", "ignore")]
    if (metric, mode) != wanted[0]:
        wanted.append((metric, mode))
    worlds = []
    for measure, around in wanted:

        def facts(world: int, measure: str = measure, around: str = around) -> str:
            parts = [fact("gait", world, Name(gait)), fact("metric", world, Name(measure))]
            if around == "avoid" and shuns is not None:
                parts.append(fact("shuns", world, shuns))
            parts += [_scene_facts(scene or opening(position.board), world)]
            return "".join(parts)

        worlds.append(World(position, "zombie_steps", terms, facts))
    answers = yield worlds
    found = {key: _lengths(position, derived, key[0]) for key, derived in zip(wanted, answers, strict=True)}
    return Paths(found, frozenset[str]().union(*(matters(derived) for derived in answers)))


def _lengths(position: Position, derived: Derived, metric: str) -> dict[Prey, dict[Square, int]]:
    """Breadth-first search against the steps, from every square on which a path to a target may end."""
    closed, barred = set(derived.values("closed")), set(derived["barred"])
    ground = position.ground
    before: dict[Square, list[Square]] = {}

    def leads_to(there: Square) -> list[Square]:
        if there not in before:
            x, y = there
            near = ((x + dx, y + dy) for dx, dy in MOVES)
            before[there] = [] if there in closed else [s for s in near if s in ground and (s, there) not in barred]
        return before[there]

    ends: dict[Prey, list[Square]] = {}
    if metric == "square":
        for _, here, prey in derived["into"]:
            ends.setdefault(prey, []).append(here)
        first = 1
    else:
        for here, prey in derived["goal"]:
            ends.setdefault(prey, []).append(here)
        first = 0
    found: dict[Prey, dict[Square, int]] = {}
    for prey, squares in ends.items():
        lengths = dict.fromkeys(squares, first)
        queue = deque(lengths)
        while queue:
            square = queue.popleft()
            for earlier in leads_to(square):
                if earlier not in lengths:
                    lengths[earlier] = lengths[square] + 1
                    queue.append(earlier)
        found[prey] = lengths
    if metric == "adjacent":
        for here, prey in derived["touch"]:
            found.setdefault(prey, {})[here] = 0
    return found


class Scene(NamedTuple):
    """The zombies' places and what has happened in the turn so far."""

    places: tuple[tuple[str, Square], ...]
    locked: frozenset[Prey]
    dead: frozenset[Prey] = frozenset()
    fed: frozenset[str] = frozenset()
    """Cannibals that have eaten in this turn."""

    def at(self, id: str) -> Square:
        """Where a zombie stands."""
        return dict(self.places)[id]


def opening(board: Board) -> Scene:
    """The scene as the board has it; a stunned zombie's lock is broken (STUN)."""
    zombies = tuple((f.id, f.at) for f in board.figures if f.kind is Kind.ZOMBIE)
    locked: frozenset[Prey] = frozenset(h for f in board.figures if "stunned" not in f.status for h in f.locks)
    return Scene(zombies, locked)


FARTHEST = 4
"""Squares that a zombie can move at most, with one to spare; it sizes the window where rules are switched off or added."""


def farthest(position: Position, zombie: Figure, terms: Terms) -> int:
    """An upper bound of a zombie's moves."""
    return FARTHEST if terms.without or terms.extra else position.most_moves(zombie)


def _scene_facts(scene: Scene, world: int, but: str = "") -> str:
    parts = [fact("stands", world, other, at) for other, at in scene.places if other != but]
    parts += [fact("gripped", world, prey_term(prey)) for prey in sorted(scene.locked, key=str)]
    for prey in sorted(scene.dead, key=str):
        parts.append(fact("broken", world, prey[1]) if isinstance(prey, tuple) else fact("dead", world, prey))
    return "".join(parts)


def act(
    position: Position, terms: Terms, scene: Scene, id: str, ways: Paths, made: int | None = None, far_sighted: bool = False
) -> World:
    """The world in which one zombie acts in a scene: its whole activation, or only the next move after ``made`` ones.

    ``far_sighted``: that move depends on later ones (LEAP).
    """
    here = scene.at(id)
    moves = 1
    if made is None or far_sighted:
        figure = position.board.figure(id)
        moves = farthest(position, figure, terms) if figure is not None else FARTHEST
    squares = frozenset(box(here, here, moves + 2))
    lines = _sight(position, here) if terms.scenario and _sees(position, id) else {}
    squares = squares.union(*lines.values())
    lengths = ways.near(here, moves)

    def facts(world: int) -> str:
        parts = [fact("acts", world, id), fact("start", world, here), fact("made", world, made or 0)]
        parts += [fact("fed", world)] if id in scene.fed else []
        parts += [fact("around", world, square) for square in box(here, here, moves)]
        if made is not None:
            parts.append(fact("one_move", world))
        parts.append(_scene_facts(scene, world, but=id))
        return "".join(parts) + lengths.replace("@", str(world))

    return World(position, "zombie", terms, facts, squares, tuple(lines), figures=None)


def _sees(position: Position, id: str) -> bool:
    """Whether it attacks from afar, so that its lines of fire must be known."""
    figure = position.board.figure(id)
    return figure is not None and tables.zombie_types(position.board.system)[figure.type or "beta"].category == "abomination"


def _sight(position: Position, here: Square) -> dict[str, frozenset[Square]]:
    """The geometry of the lines from a square to every hero, each with the squares that it passes."""
    heroes = [figure.at for figure in position.board.figures if figure.kind is Kind.HERO]
    return {line_facts(here, there): line_squares(here, there) for there in heroes}


def zombie(position: Position, about: Zombie, terms: Terms) -> Steps[Draft]:
    """What one zombie does, with every choice the rules leave."""
    board = position.board
    figure = board.figure(about.figure)
    assert figure is not None, "questions are resolved against the board before they are asked"
    ways = yield from paths(position, terms, gait_of(position, figure, terms), figure.id)
    (derived,) = yield [act(position, terms, opening(board), figure.id, ways)]
    moves: dict[int, set[Square]] = {}
    for index, square in derived["lands_on"]:
        moves.setdefault(index, set()).add(square)
    struck = [(prey, effect) for _, prey, effect in derived["victim"]]
    eaten: list[str] = []
    if derived.holds("swaps") or derived.holds("hungry"):
        # Others have moved, too: what follows must be looked at scene by scene.
        from riese_kb.kinds.turn import activation

        moves, struck, eaten = yield from activation(position, terms, figure.id)
    shots: list[dict[str, Any]] = []
    ledger_of_shots: list[Charge] = []
    open_points: frozenset[str] = frozenset()
    if derived.holds("gunner") and derived.holds("could_end"):
        from riese_kb.kinds.gunnery import fire

        volley = yield from fire(position, terms, opening(board), figure.id, derived)
        shots, ledger_of_shots, open_points = volley.shots, volley.ledger, volley.matters
        if derived.holds("perches"):
            moves = {1: volley.ends - {figure.at}} if volley.ends != {figure.at} else {}
    order = {f.id: i for i, f in enumerate(board.figures)}
    victims = {prey_name(prey, board) for prey, _ in struck}
    aims = {prey_name(prey, board) for prey in derived.values("aim_now")}

    def ranked(names: Iterable[str]) -> list[str]:
        return sorted(names, key=lambda name: (order.get(name, len(order)), name))

    result: dict[str, Any] = {
        "targets": ranked(aims),
        "moves": [_names(moves[i]) for i in sorted(moves)],
        "attacks": ranked(victims),
        "stays": not moves,
    }
    if any(effect == "grasp" for _, effect in struck):
        result["each"] = True  # not one of them, but every one
    if eaten:
        result["eats"] = ranked(set(eaten))
    raging = ranked(set(map(str, derived.values("enraged"))))
    if raging:
        result["berserk"] = yield from _berserk(position, terms, raging, moved=bool(moves))
    if shots:
        result["shoots"] = shots
    ledger = charges(derived, board)
    ledger += [
        Charge(str(rule), square_name(figure.at), 0, "moves for its line of fire" if derived.holds("perches") else "stays")
        for rule in sorted(map(str, derived.values("idle")))
    ]
    ledger += _choices_made(derived)
    ledger += [
        Charge(
            "zombie.lock" if effect == "lock" else "zombie.wound",
            _where(board, prey),
            1,
            "lock" if effect == "lock" else "wound",
            note=prey_name(prey, board),
        )
        for prey, effect in sorted(set(struck), key=str)
        if effect != "grasp"
    ]
    ledger += ledger_of_shots
    labels = {square: str(i) for i in sorted(moves, reverse=True) for square in moves[i]}
    return Draft(
        Verdict.COMPUTED, result, tuple(dict.fromkeys(ledger)), (), matters(derived) | ways.matters | open_points, Marks(labels)
    )


def _berserk(position: Position, terms: Terms, ids: Iterable[str], *, moved: bool) -> Steps[dict[str, list[str]]]:
    """Where those whom a wound enrages may step before they strike; not told where the zombie has moved before."""
    from riese_kb.kinds.ways import berserk

    found: dict[str, list[str]] = {}
    for id in ids:
        found[id] = [] if moved else (yield from berserk(position, id, terms))
    return found


def _where(board: Board, prey: Prey) -> str:
    if isinstance(prey, tuple):
        return square_name(prey[1])
    figure = board.figure(str(prey))
    return square_name(figure.at) if figure else str(prey)


_OPTIONS = {1: "zombie.option-adjacent", 2: "zombie.option-diagonal", 3: "zombie.option-closer"}


def _choices_made(derived: Derived) -> list[Charge]:
    rows = sorted({(i, o, q) for i, _, _, o, q in derived["step_choice"]}, key=str)
    return [Charge(_OPTIONS[option], square_name(square), index + 1, "move", index + 1) for index, option, square in rows]


def _names(squares: Iterable[Square]) -> list[str]:
    return [square_name(s) for s in sorted(squares)]
