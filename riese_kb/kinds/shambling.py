"""``zombie …`` and ``zombies``: what one zombie does, and every way the zombie turn can come out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from riese_kb import tables
from riese_kb.board import Board, Figure, Kind, Square, square_name
from riese_kb.draft import Charge, Draft, Marks, Verdict, charges, matters
from riese_kb.facts import box, fact
from riese_kb.kinds.footpaths import Paths, Prey, Scene, gait_of, opening, paths
from riese_kb.position import Position, Terms, line_facts, line_squares
from riese_kb.question import Zombie
from riese_kb.worlds import Derived, Steps, World


def prey_name(prey: Prey, board: Board) -> str:
    """A target's id; a barricade's or decoy's label, or ``barricade C3``."""
    if not isinstance(prey, tuple):
        return str(prey)
    label = next((m.label for m in board.markers if m.kind == prey[0] and m.at == prey[1] and m.label), None)
    return label or f"{prey[0].replace('_', ' ')} {square_name(prey[1])}"


FARTHEST = 4
"""Squares that a zombie can move at most, with one to spare; it sizes the window where rules are switched off or added."""


def farthest(position: Position, zombie: Figure, terms: Terms) -> int:
    """An upper bound of a zombie's moves."""
    return FARTHEST if terms.without or terms.extra else position.most_moves(zombie)


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
    number, lengths = position.numbered(ways.near(here, moves))

    def facts(world: int) -> str:
        parts = [fact("acts", world, id), fact("start", world, here), fact("made", world, made or 0)]
        parts += [fact("fed", world)] if id in scene.fed else []
        parts += [fact("looks_about", world, moves), fact("measured", world, number)]
        if made is not None:
            parts.append(fact("one_move", world))
        parts.append(scene.facts(world, but=id))
        return "".join(parts)

    return World(position, "zombie", terms, facts, squares, (lengths, *lines), figures=None)


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
    # Where a power says how deeply it wounds, that line stands for the wound.
    hurt = {_where(board, prey): prey_name(prey, board) for prey, effect in struck if effect not in ("lock", "grasp")}
    ledger = [replace(c, note=hurt[c.at]) if c.unit == "wound" and c.at in hurt else c for c in ledger]
    told = {c.at for c in ledger if c.unit == "wound"}
    ledger += [
        Charge(rule, _where(board, prey), 1, unit, note=prey_name(prey, board))
        for prey, effect in sorted(set(struck), key=str)
        if effect != "grasp"
        for rule, unit in (_BLOWS.get(str(effect), _WOUND),)
        if unit != "wound" or _where(board, prey) not in told
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
        found[id] = [] if moved else _names((yield from berserk(position, id, terms)))
    return found


def _where(board: Board, prey: Prey) -> str:
    if isinstance(prey, tuple):
        return square_name(prey[1])
    figure = board.figure(str(prey))
    return square_name(figure.at) if figure else str(prey)


_WOUND = ("zombie.wound", "wound")
_BLOWS = {"lock": ("zombie.lock", "lock"), "kill": ("zombie.eliminates", "kill")}
"""The rule behind what an attack does, and its unit."""
_OPTIONS = {1: "zombie.option-adjacent", 2: "zombie.option-diagonal", 3: "zombie.option-closer", 4: "versus.free-moves"}


def _choices_made(derived: Derived) -> list[Charge]:
    rows = sorted({(i, o, q) for i, _, _, o, q in derived["step_choice"]}, key=str)
    return [Charge(_OPTIONS[option], square_name(square), index + 1, "move", index + 1) for index, option, square in rows]


def _names(squares: Iterable[Square]) -> list[str]:
    return [square_name(s) for s in sorted(squares)]
