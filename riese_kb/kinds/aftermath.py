"""What follows where a zombie with FAUST, FLÜCHTIG or toxic gas is destroyed: explosion or gas, how likely, and who suffers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb import tables
from riese_kb.board import Figure, Square, Weapon, square_name
from riese_kb.draft import Charge, Draft, matters
from riese_kb.facts import Name, box, fact
from riese_kb.kinds.attacking import card_facts, require
from riese_kb.kinds.blasting import struck
from riese_kb.odds import FACES, Attempt
from riese_kb.position import Position, Terms, line_facts, line_squares
from riese_kb.worlds import Derived, Steps, World

_POWERS = frozenset({"faust", "fluchtig", "toxic-gas"})
_RULES = {"killed": "power.faust", "detonated": "power.fluchtig-detonation", "gassed": "power.fluchtig-gas"}
_GASES = {"toxic-gas": "power.toxic-gas"}
"""Powers whose gas comes of every stun, and the rule behind it."""


def followed(position: Position, target: Figure) -> bool:
    """Whether the end of this zombie is worth asking about."""
    return not _POWERS.isdisjoint(position.powers(target))


def added(position: Position, terms: Terms, draft: Draft, target: Figure, odds: Attempt) -> Steps[Draft]:
    """The draft of an attack with ``after``: what each way to be destroyed brings, and its chance."""
    ways = _ways(position, target, odds)
    rules = _RULES | dict.fromkeys(
        ("gassed",), next((_GASES[p] for p in position.powers(target) if p in _GASES), _RULES["gassed"])
    )
    answers = yield [_world(position, terms, target, way, card) for way, (_, card) in ways.items()]
    after: dict[str, Any] = {}
    ledger = list(draft.ledger)
    seen = draft.matters
    order = [f.id for f in position.board.figures]
    for (way, (chance, card)), derived in zip(ways.items(), answers, strict=True):
        seen |= matters(derived)
        victims = sorted(map(str, {*derived.values("hurts"), *derived.values("breathes")}), key=order.index)
        told: dict[str, Any] = {"chance": str(chance), "victims": victims}
        if derived.holds("goes_off") and card is not None:
            require(card, ("stun", "wound", "pbr"))
            told |= {"stun": card.stun, "wound": card.wound, "fire": [square_name(s) for s in sorted(derived.values("burns"))]}
        elif derived.holds("gas"):
            told["gas"] = [square_name(s) for s in sorted(derived.values("gas"))]
        else:
            continue
        after[way] = told
        ledger.append(Charge(rules[way], square_name(target.at), len(victims), "caught", note=", ".join(victims)))
    if not after:
        return draft
    return replace(draft, result=draft.result | {"after": after}, ledger=tuple(ledger), matters=seen)


def _ways(position: Position, target: Figure, odds: Attempt) -> dict[str, tuple[Fraction, Weapon | None]]:
    """The ways to be destroyed that something follows from: how likely each is, and the card of what explodes."""
    if not _GASES.keys().isdisjoint(position.powers(target)):
        return {"gassed": (odds.popped, None)}
    half = _detonates(position)
    return {
        "killed": (odds.eliminated - odds.popped, position.weapon("Grenade")),
        "detonated": (odds.popped * half, _gases(position)),
        "gassed": (odds.popped * (1 - half), None),
    }


def _detonates(position: Position) -> Fraction:
    """The chance that a zombie with FLÜCHTIG goes off when it bursts; else it leaves a cloud."""
    return Fraction(tables.powers(position.board.system)["fluchtig"].also["detonates_up_to"], FACES)


def _gases(position: Position) -> Weapon:
    """The explosion of such a zombie as a weapon; its one die is that of every explosion of which no rate is printed."""
    printed = tables.powers(position.board.system)["fluchtig"].also
    return Weapon(name="Flüchtig", rof=1, stun=printed["stun"], wound=printed["wound"], pbr=printed["pbr"])


class Blown(Struct, frozen=True):
    """An explosion that follows where a figure ends in one way: its chance, and what its die does to each figure it attacks."""

    chance: Fraction
    victims: tuple[tuple[str, Derived], ...]


def explosions(position: Position, terms: Terms, target: Figure) -> Steps[dict[str, Blown]]:
    """What goes off as soon as a figure is destroyed, by how that happens (``killed``, ``popped``)."""
    powers = position.powers(target)
    ways = []
    if "faust" in powers:
        ways.append(("killed", "killed", Fraction(1), position.weapon("Grenade")))
    if "fluchtig" in powers:
        ways.append(("popped", "detonated", _detonates(position), _gases(position)))
    found: dict[str, Blown] = {}
    for end, way, chance, card in ways:
        (derived,) = yield [_world(position, terms, target, way, card)]
        hurt = {str(id) for id in derived.values("hurts")}
        victims = [f for f in position.board.figures if f.id in hurt] if derived.holds("goes_off") else []
        lines = [(target.at, f.at) for f in victims]
        squares = frozenset({target.at}).union(*(line_squares(*line) for line in lines))
        shared = tuple(line_facts(*line) for line in lines)
        attacked = yield [struck(position, target.at, card, terms, victim, squares, shared) for victim in victims]
        found[end] = Blown(chance, tuple((f.id, one) for f, one in zip(victims, attacked, strict=True)))
    return found


def _world(position: Position, terms: Terms, target: Figure, way: str, card: Weapon | None) -> World:
    """The world in which the target has been destroyed in one way."""
    here = target.at
    reach = max((card.pbr or 0) if card is not None else 1, 1)
    near: list[Square] = [s for s in box(here, here, reach) if s != here]
    lines = [(here, f.at) for f in position.board.figures if f.at in near] if not terms.without and not terms.extra else None
    if lines is None:
        lines = [(here, f.at) for f in position.board.figures if f.at != here]
    squares = frozenset({here, *near}).union(*(line_squares(*line) for line in lines))

    def facts(world: int) -> str:
        return fact("destroyed", world, target.id, Name(way)) + (card_facts(world, card) if card is not None else "")

    shared = tuple(line_facts(*line) for line in lines)
    figures = None if terms.without or terms.extra else frozenset({target.id})
    return World(position, "aftermath", terms, facts, squares, shared, figures)
