"""``may … carry …``: is there room for it, and how would everything be stowed?"""

from __future__ import annotations

from typing import Any

from riese_kb.baggage import item_facts, stock, unknown_hand
from riese_kb.board import Figure
from riese_kb.draft import Charge, Draft, Verdict, breaches, matters
from riese_kb.facts import Compound, Name, call, fact
from riese_kb.position import Position, Terms
from riese_kb.question import MayCarry
from riese_kb.worlds import Derived, Steps, World


def may_carry(position: Position, about: MayCarry, terms: Terms) -> Steps[Draft]:
    """Is there room for these things beside those that the hero has?"""
    board = position.board
    hero = board.figure(about.figure)
    assert hero is not None, "questions are resolved against the board before they are asked"
    things = [*stock(hero).elements(), *about.items]

    def facts(world: int) -> str:
        parts = [fact("actor", world, hero.id), fact("bag", world, Name("now"), hero.id)]
        parts += [fact("thing", world, Name("now"), number, name) for number, name in enumerate(things, 1)]
        parts.append(fact("in_hand", world, _in_hand(hero, things)))
        return "".join(parts)

    squares = frozenset({hero.at})
    (derived,) = yield [World(position, "carry", terms, facts, squares, (item_facts(board, things),), frozenset({hero.id}))]
    if derived.holds("unsure"):
        raise unknown_hand(board, things)
    broken = breaches(derived, board)
    result, ledger = _stowage(hero, derived, legal=not broken)
    verdict = Verdict.ILLEGAL if broken else Verdict.LEGAL
    return Draft(verdict, result, tuple(ledger), tuple(broken), matters(derived), hints=_fewer(about))


def _in_hand(hero: Figure, things: list[str]) -> Name | Compound:
    """Which of the things are in the hero's hands."""
    held = [name for name in (hero.weapon, hero.off_hand) if name]
    if not held:
        return Name("none")
    first = things.index(held[0]) + 1
    if len(held) < 2:
        return call("one", first)
    second = things.index(held[1], first if held[0] == held[1] else 0) + 1
    return call("two", *sorted((first, second)))


def _stowage(hero: Figure, derived: Derived, *, legal: bool) -> tuple[dict[str, Any], list[Charge]]:
    """Where everything goes (in hand, webbing, other slots, a trooper's boxes, notes), and the rule behind each place."""
    supplies = {str(item): count for item, count in derived["has_supply"]}
    lines = [Charge("supplies.maximum", "", count, "carried", note=name) for name, count in sorted(supplies.items())]
    result: dict[str, Any] = {"supplies": {word: supplies.get(name, 0) for name, word in _SUPPLIES.items()}}
    if not legal:
        return result, lines
    found = {place: [str(item) for _, item, *_ in sorted(derived[place])] for place in ("gripped", "loose", "tucked", "boxed")}
    sizes = {str(item): size for item, size in derived["size"]}
    if found["boxed"]:
        places = {"boxes": found["boxed"]}
    else:
        hands = sorted(found["gripped"], key=lambda name: (name != hero.weapon, name == hero.off_hand))
        places = {"hands": hands} | _packed(found["loose"], found["tucked"], sizes, derived)
    lines = [
        Charge(_reason(place, number, sizes[name]), "", sizes[name], _UNITS[place], note=name)
        for place, names in places.items()
        for number, name in enumerate(names)
    ] + lines
    notes = sorted(derived["noted"])
    lines += [Charge(str(rule), "", 0, "slots", note=str(name)) for _, name, rule in notes]
    return result | places | {"notes": [str(name) for _, name, _ in notes]}, lines


_SUPPLIES = {"Ammo": "ammo", "Grenade": "grenades", "Medkit": "medkits"}
_RULES = {"hands": "slots.ready", "webbing": "slots.webbing", "slots": "slots.gear", "boxes": "trooper.slots"}
_UNITS = {"hands": "in hand", "webbing": "in the webbing", "slots": "in a gear slot", "boxes": "in a box"}


def _reason(place: str, number: int, size: int) -> str:
    """The rule by which something is in its place."""
    if place == "hands" and number:
        return "slots.off-hand"
    return _RULES["slots" if place == "webbing" and size > 1 else place]


def _packed(big: list[str], small: list[str], sizes: dict[str, Any], derived: Derived) -> dict[str, list[str]]:
    """Small things into the webbing, as many as it takes; the others into the other slots, and into it what they cannot take.

    Of a thing that takes several slots one may be the webbing: it is named there.
    """
    each, room = (next((n for _, n in derived[name]), 1) for name in ("in_each", "in_webbing"))
    webbing, slots = small[:room], [*big, *small[room:]]
    while sum(sizes[name] for name in slots) > 3 * each and len(webbing) < each:
        webbing.append(slots.pop(min(range(len(slots)), key=lambda n: (sizes[slots[n]], -n))))
    return {"webbing": webbing, "slots": slots}


def _fewer(about: MayCarry) -> tuple[MayCarry, ...]:
    """The same without one of the things."""
    if len(about.items) < 2:
        return ()
    shorter = (about.items[:n] + about.items[n + 1 :] for n in reversed(range(len(about.items))))
    return tuple(MayCarry(about.figure, items) for items in dict.fromkeys(shorter))
