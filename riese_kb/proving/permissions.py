"""Steps and attacks with everything open that may forbid them: what the rules bar, square by square and target by target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import z3

from riese_kb.board import System
from riese_kb.completion import Completion, behind
from riese_kb.facts import Name, fact
from riese_kb.program import program
from riese_kb.proving import situations
from riese_kb.proving.comparing import Ground
from riese_kb.tables import skill_values

_HERE, _EAST, _SOUTH, _SLANT = (2, 2), (3, 2), (2, 3), (3, 3)
"""A hero in the corner of four squares, who goes east, or diagonally past one of two flanks."""
_TERRAIN = ("hindering", "obstructive", "barring", "lethal")
_EDGES = ("wall", "barring", "closed", "locked", "hindering", "open")


def _ground(
    system: System,
    query: str,
    predicate: str,
    opened: Sequence[str],
    fixed: Iterable[str],
    one_of: Iterable[Sequence[str]],
    given: Sequence[str],
) -> Ground:
    """``given``: heads whose rules are left out, since the facts say what they would derive, or they bring in sums."""
    law = program(system, query)
    rules = [rule.text for rule in behind(law.prunable.rules, (predicate,)) if rule.head not in given]
    text = "\n".join([*rules, *fixed, *(f"#external {one}" for one in opened)])
    completion = Completion(text, f"{predicate}:", off=sorted(law.rules))
    named = {one.rstrip("."): z3.Bool(one.rstrip(".")) for one in opened}
    choices = [z3.PbEq([(named[one.rstrip(".")], 1) for one in group], 1) for group in one_of]
    return Ground(completion, [*completion.formulas, *choices], named, predicate)


@cache
def steps(system: System) -> Ground:
    """One step of a hero: terrain, edges, fire, barricades, other figures, zombies beside the way, skills are open."""
    modes = tuple(fact("mode", 0, Name(mode)) for mode in situations.MODES)
    opened = [*modes, fact("at", "other", _EAST), fact("at", "z", (4, 2)), fact("at", "y", (2, 4)), fact("stunned", "z")]
    for square in (_EAST, _SOUTH, _SLANT):
        opened += [fact("terrain", square, Name(kind)) for kind in _TERRAIN]
        opened += [fact("fire", square), fact("marker", Name("barricade"), square)]
    for one, other in ((_HERE, _EAST), (_HERE, _SOUTH), (_EAST, _SLANT), (_SOUTH, _SLANT)):
        opened += [fact("edge", *pair, Name(kind)) for kind in _EDGES for pair in ((one, other), (other, one))]
        opened.append(fact("shut", 0, 1, one, other))
    skills = skill_values(system)
    opened += [fact("skill", "h", skill) for skill in skills]
    fixed = [fact("square", (x, y)) for x in range(1, 5) for y in range(1, 5)]
    fixed += [fact("world", 0), fact("actor", 0, "h"), fact("at", "h", _HERE), fact("facing", "h", 2), "do(0,1,step(0))."]
    fixed += [fact("figure", id, Name(kind)) for id, kind in (("h", "hero"), ("other", "hero"), ("z", "zombie"), ("y", "zombie"))]
    fixed += [fact("tries", 0, 1, _HERE, 2, Name("none"), _EAST), fact("heeds", 0, _HERE)]
    fixed += [fact("tries", 0, 1, _HERE, 3, flank, _SLANT) for flank in (_EAST, _SOUTH)]
    fixed += [fact("asks", 0, square) for square in (_HERE, _EAST, _SOUTH, _SLANT)]
    fixed += [fact("worth", id, Name(key), int(n)) for id, row in skills.items() for key, n in row.items() if isinstance(n, int)]
    return _ground(system, "can", "bars", opened, fixed, [modes], ("tries", "asks", "heeds", "do", "shut"))


@cache
def attacks(system: System) -> Ground:
    """One attack, as ``situations`` has it, with the state of the attacker and of the weapon open besides."""
    hero, types = situations.HERO, tuple(fact("asked_type", 0, Name(kind)) for kind in (*situations.TYPES, "unsaid"))
    ammo = tuple(fact("ammo", hero, number) for number in (0, 1))
    one_of = [
        types,
        ammo,
        tuple(fact("mode", 0, Name(mode)) for mode in situations.MODES),
        tuple(fact("threat", level) for level in situations.THREATS),
        tuple(fact("card", 0, Name("pbr"), number) for number in situations.PBRS),
        tuple(fact("health", hero, number) for number in (1, 2)),
    ]
    opened = [one for one in situations.OPEN if not one.startswith("type(")]
    opened += [*types, *ammo, fact("attacked", hero), fact("not_readied", 0), fact("two_handed", 0)]
    between = (situations.LINE[1], situations.LINE[2])
    opened += [fact("edge", *pair, Name("wall")) for pair in (between, between[::-1])]
    return _ground(system, "attack", "forbids", opened, situations.fixed(), one_of, ("impossible",))
