"""Exact odds of an attack: fractions, die by die.

The logic says what each face of the die does while the target is stunned or not; here those counts are multiplied out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import TypeVar

from msgspec import Struct, field

FACES = 12

Key = TypeVar("Key", bound=Hashable)


class Dice(Struct, frozen=True):
    """``faces[s][effect]``: how many of the twelve faces stun, wound or pop a target that is stunned (s = 1) or not (0).

    ``cancelled`` is the chance that a stun or wound has no effect, ``softened`` the chance that a wound only stuns;
    ``dazes``: a wound stuns, too; ``bursts``: whatever stuns it kills it;
    ``begins`` the target's state now, ``health`` its health (None: unknown, it never dies in the figures).
    ``ammo``: a natural one costs ammo. ``bystander``: who takes a wound on a natural two, unless ``spared``, or only stunned
    (``hardened``): chances of the roll that may save that figure.
    """

    faces: Mapping[int, Mapping[str, int]]
    cancelled: Fraction
    softened: Fraction
    begins: int
    dazes: bool
    bursts: bool
    health: int | None
    ammo: bool
    bystander: str | None
    certain: Mapping[int, str] = field(default_factory=dict)
    """What happens, by whether the target is stunned, where the die would do nothing (a blast on its own square)."""
    spared: Fraction = Fraction(0)
    hardened: Fraction = Fraction(0)
    harm: int = 1
    """How many wounds one wounding die deals."""


class Attempt(Struct, frozen=True):
    """Odds of the first die and of the whole attack, as the contract writes them."""

    first: dict[str, str]
    whole: dict[str, object]
    eliminated: Fraction = Fraction(0)
    popped: Fraction = Fraction(0)
    """How much of ``eliminated`` is due to a stun that bursts the target."""


def added_up(parts: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Chances by what they are chances of; the same thing several times is added up."""
    found: dict[Key, Fraction] = {}
    for key, chance in parts:
        found[key] = found.get(key, Fraction(0)) + chance
    return found


Again = Mapping[int, frozenset[int]]
"""The faces, all of them misses, that are rolled once more, by the target's state."""
_NEVER: Again = {0: frozenset(), 1: frozenset()}


def one_die(dice: Dice, stunned: int, again: Again = _NEVER) -> dict[str, Fraction]:
    """Chances of wound, stun and pop for one die; the rest misses."""
    takes = (1 - dice.cancelled) * (1 + Fraction(len(again[stunned]), FACES))
    faces = dice.faces[stunned]
    wound = Fraction(faces.get("wound", 0), FACES) * takes
    softened = wound * dice.softened if dice.dazes else Fraction(0)
    chances = {
        "wound": wound * (1 - dice.softened),
        "stun": Fraction(faces.get("stun", 0), FACES) * takes + (0 if stunned or dice.bursts else softened),
        "pop": Fraction(faces.get("pop", 0), FACES) * takes + (softened if dice.bursts else 0),
    }
    if stunned in dice.certain:
        chances[dice.certain[stunned]] += 1 - sum(chances.values())
    return chances


def attack_odds(dice: Dice, count: int, again: Again = _NEVER) -> Attempt:
    """The odds of ``count`` dice rolled one after the other at one target, modifiers taken anew after each."""
    key = (repr(dice), count, repr(again))
    if key not in _KNOWN:
        if len(_KNOWN) > 4096:
            _KNOWN.clear()
        _KNOWN[key] = _attack_odds(dice, count, again)
    return _KNOWN[key]


_KNOWN: dict[tuple[str, int, str], Attempt] = {}
"""Odds met before: the same dice come again and again in a batch."""


def _attack_odds(dice: Dice, count: int, again: Again) -> Attempt:
    first = one_die(dice, dice.begins, again)
    state: dict[tuple[int, int, str], Fraction] = {(0, dice.begins, ""): Fraction(1)}
    for _ in range(count):
        after: dict[tuple[int, int, str], Fraction] = {}
        for (wounds, stunned, gone), chance in state.items():
            if gone:
                after[wounds, stunned, gone] = after.get((wounds, stunned, gone), Fraction(0)) + chance
                continue
            die = one_die(dice, stunned, again)
            results = {
                (wounds + dice.harm, max(stunned, int(dice.dazes)), _dies(dice, wounds + dice.harm)): die["wound"],
                (wounds, 1, ""): die["stun"],
                (wounds, stunned, "popped"): die["pop"],
            }
            missed = 1 - sum(die.values())
            for key, part in (*results.items(), ((wounds, stunned, ""), missed)):
                if part:
                    after[key] = after.get(key, Fraction(0)) + chance * part
        state = after
    dead = sum((chance for (_, _, end), chance in state.items() if end), Fraction(0))
    popped = sum((chance for (_, _, end), chance in state.items() if end == "popped"), Fraction(0))
    return Attempt(_first(first), _whole(dice, count, state, again), dead, popped)


def _dies(dice: Dice, wounds: int) -> str:
    if dice.health is not None and wounds >= dice.health:
        return "killed"
    return "popped" if dice.bursts and dice.dazes else ""


def _first(die: Mapping[str, Fraction]) -> dict[str, str]:
    stun = die["stun"] + die["pop"]
    return {"wound": str(die["wound"]), "stun": str(stun), "miss": str(1 - die["wound"] - stun)}


def _whole(dice: Dice, count: int, state: Mapping[tuple[int, int, str], Fraction], again: Again) -> dict[str, object]:
    wounds = added_up((number, chance) for (number, _, _), chance in state.items())
    gone = sum((chance for (_, _, dead), chance in state.items() if dead), Fraction(0))
    stunned = sum((chance for (_, stun, dead), chance in state.items() if stun and not dead), Fraction(0))
    whole: dict[str, object] = {
        "wounds": {str(n): str(wounds[n]) for n in sorted(wounds)},
        "eliminated": str(gone),
        "left_stunned": str(stunned),
    }
    if again[0] != again[1]:
        return whole  # how often a face stays then hangs on the target's state
    if dice.ammo:
        whole["ammo_lost"] = str(1 - _without(1, again[0]) ** count)
    if dice.bystander is not None:
        struck = (1 - _without(2, again[0]) ** count) * (1 - dice.spared)
        hit = {"figure": dice.bystander, "wounded": str(struck * (1 - dice.hardened))}
        whole["bystander"] = hit | ({"stunned": str(struck * dice.hardened)} if dice.hardened else {})
    return whole


def _without(face: int, again: frozenset[int]) -> Fraction:
    """The chance that a die does not stay on that face."""
    return 1 - Fraction(face not in again, FACES) - Fraction(len(again), FACES * FACES)
