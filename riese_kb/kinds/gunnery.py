"""Zombies that shoot (FLAK 38, MG-42): where they do it from, at whom, and with which odds."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from riese_kb import tables
from riese_kb.board import Kind, Square, square_name
from riese_kb.draft import Charge, charges, matters
from riese_kb.facts import fact
from riese_kb.kinds.attacking import share
from riese_kb.kinds.footpaths import Scene
from riese_kb.odds import Dice, attack_odds
from riese_kb.position import Position, Terms, line_facts, line_squares
from riese_kb.worlds import Derived, Steps, World

GUNS = {"flak-38": "power.flak-38", "mg-42": "power.mg-42"}
"""The powers that shoot, and the rules behind them."""
_VALUES = ("rof", "stun", "wound")


class Volley(NamedTuple):
    """What one shooting zombie may do: squares it may end on, and its shots."""

    ends: set[Square]
    shots: list[dict[str, Any]]
    ledger: list[Charge]
    matters: frozenset[str]


def fire(position: Position, terms: Terms, scene: Scene, id: str, found: Derived) -> Steps[Volley]:
    """The shots of a zombie from every square on which its moves may end; ``found``: what the zombie may do."""
    board = position.board
    zombie = next(f for f in board.figures if f.id == id)
    guns = [power for power in position.powers(zombie) if power in GUNS]
    living = [f for f in board.figures if f.kind is not Kind.ZOMBIE]
    squares = sorted(set(found.values("could_end")))
    start = scene.at(id)
    pairs = [(square, f.at) for square in squares for f in living if square != f.at]

    def facts(world: int) -> str:
        parts = [fact("gunner", world, id), fact("start", world, start)]
        parts += [fact("picky", world)] if found.holds("perches") else []
        parts += [fact("could_end", world, square) for square in squares]
        parts += [fact("traces", world, *pair) for pair in pairs]
        return "".join(parts)

    shared = (*(line_facts(*pair) for pair in pairs), _printed(position, guns))
    window = frozenset(squares).union(*(line_squares(*pair) for pair in pairs))
    (derived,) = yield [World(position, "zombie_fire", terms, facts, window, shared, frozenset(f.id for f in living) | {id})]
    nests = set(derived.values("nest"))
    shots = [_shot(position, derived, row) for row in sorted(derived["shot"], key=str)]
    rule = GUNS[guns[0]] if guns else "power.flak-38"
    ledger = [Charge(rule, shot["from"], shot["dice"], "dice", note=shot["at"]) for shot in shots]
    ledger += charges(derived, board)
    return Volley(nests, shots, ledger, matters(derived))


def _printed(position: Position, guns: Iterable[str]) -> str:
    from riese_kb.facts import Name

    known = tables.powers(position.board.system)
    return "".join(fact("gun", gun, Name(key), known[gun].also[key]) for gun in guns for key in _VALUES)


def _shot(position: Position, derived: Derived, row: tuple[Any, ...]) -> dict[str, Any]:
    """One shot as the contract's odds: a hit of either kind wounds a living target (ATTACK RESULTS)."""
    square, id, stun, wound = row
    target = position.board.figure(str(id))
    count = sum(derived.values("dice")) or 1
    hits = sum(1 for at, prey, _ in derived["hits"] if (at, prey) == (square, id))
    faces = {"wound": hits}
    others = [str(f) for at, prey, f in derived["shields"] if (at, prey) == (square, id)]
    other = others[0] if others else None
    dice = Dice(
        faces={0: faces, 1: faces},
        cancelled=share(derived, "evades", str(id)),
        softened=Fraction(0),
        begins=0,
        dazes=False,
        bursts=False,
        health=position.health(target) if target is not None else None,
        ammo=derived.holds("empties"),
        bystander=other,
        spared=share(derived, "evades", other),
        hardened=share(derived, "hardens", other),
    )
    odds = attack_odds(dice, count)
    more = {name: odds.whole[key] for key, name in (("ammo_lost", "empty"), ("bystander", "bystander")) if key in odds.whole}
    return {
        "from": square_name(square),
        "at": str(id),
        "stun": stun,
        "wound": wound,
        "dice": count,
        "wounds": odds.whole["wounds"],
    } | more
