"""An attack with everything open that can change its numbers, as one formula.

The hero stands three squares west of the target; terrain, edges and a figure on the line between them, declared movement, kind of
attack, statuses, powers, threat and the weapon's point-blank range are open. What follows from each choice is what the
chapters under ``logic/`` derive.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import z3

from riese_kb.board import MAIN, System
from riese_kb.catalogue import rule_ids
from riese_kb.completion import Completion, behind, switches
from riese_kb.facts import Name, fact
from riese_kb.program import program
from riese_kb.proving.claims import Openable
from riese_kb.tables import skill_values

HERO, TARGET, OTHER = "hero", "target", "other"
WEAPON = "Sample gun"
GEAR = ("Vampir II IR Targeting System", "Oiled Coat")
POWERS = ("antihero", "howl", "shutzshild", "armoured", "thick-skin", "dodge", "fluchtig", "strong")
MODES = ("stationary", "walking", "running", "special")
TYPES = ("normal", "spread", "hand")
THREATS = range(13)
PBRS = (1, 3)
CARD = {"stun": 6, "wound": 9, "rof": 2, "rm": 1, "h2h_stun": 8, "h2h_wound": 11}
LINE = ((1, 1), (2, 1), (3, 1), (4, 1))

SKILLS = tuple(skill for skill in skill_values(MAIN) if f"skill.{skill}" in rule_ids(MAIN))

OPEN = [
    *(fact("mode", 0, Name(mode)) for mode in MODES),
    *(fact("type", 0, Name(kind)) for kind in TYPES),
    *(fact(word, 0) for word in ("covers", "off_hand", "selects", "breaks")),
    *(fact("threat", level) for level in THREATS),
    *(fact("power", TARGET, power) for power in POWERS),
    *(fact("card", 0, Name("pbr"), pbr) for pbr in PBRS),
    fact("stunned", TARGET),
    fact("trooper", HERO),
    fact("health", HERO, 1),
    fact("health", HERO, 2),
    fact("terrain", LINE[1], Name("hindering")),
    fact("terrain", LINE[2], Name("hindering")),
    fact("terrain", LINE[3], Name("hindering")),
    fact("edge", LINE[1], LINE[2], Name("hindering")),
    fact("marker", Name("barricade"), LINE[2]),
    fact("at", OTHER, LINE[2]),
    *(fact("carries", HERO, item) for item in GEAR),
    fact("readied", HERO, "Torch"),
    fact("blitz", HERO),
    fact("crash", HERO),
    fact("bayonet", HERO),
    fact("takes_bayonet", WEAPON),
    fact("fatigue", HERO, 2),
]
_SKILLED = [*OPEN, *(fact("skill", HERO, skill) for skill in SKILLS)]


def _skilled() -> Iterable[str]:
    """What the tables say of skills; the weapon of the attack is one that each of them speaks of."""
    for skill in SKILLS:
        row = skill_values(MAIN)[skill]
        yield "".join(fact("worth", skill, Name(key), int(value)) for key, value in row.items() if isinstance(value, int))
        yield fact("favours", HERO, skill, WEAPON) if "weapons" in row else ""


def fixed() -> Iterable[str]:
    """The corridor, both figures and the weapon's card."""
    yield from _skilled()
    yield fact("wields", 0, WEAPON)
    yield fact("world", 0) + fact("actor", 0, HERO) + fact("target", 0, TARGET)
    yield fact("considers", 0, TARGET) + fact("views", 0, TARGET)
    yield fact("figure", HERO, Name("hero")) + fact("at", HERO, LINE[0]) + fact("facing", HERO, 2) + fact("full_health", HERO, 2)
    yield fact("figure", TARGET, Name("zombie")) + fact("at", TARGET, LINE[3])
    yield "".join(fact("square", square) for square in LINE)
    yield "".join(fact("card", 0, Name(key), value) for key, value in CARD.items())
    for index in range(3):
        yield fact("crosses_edge", LINE[0], LINE[3], 2 * index + 1, LINE[index], LINE[index + 1])
    for index in (1, 2):
        yield fact("crosses", LINE[0], LINE[3], 2 * index, LINE[index])


_SHIELDS = ("unstunnable", "never_dazed", "cancels", "softens")


class Situation(Openable):
    """All situations at once, under the book's readings."""

    def __init__(self, system: System = MAIN, skills: bool = False) -> None:
        opened = _SKILLED if skills else OPEN
        law = program(system, "attack")
        # Sums are z3's: a rule with every possible total would stand in its way. The kind of attack is open.
        rules = [
            rule.text for rule in behind(law.prunable.rules, ("charge", "rate", "stun_am", *_SHIELDS)) if rule.head != "type"
        ]
        self.switches = switches(rules)
        text = "\n".join([*rules, *fixed(), *(f"#external {one}" for one in opened)])
        completion = Completion(text, "skilled:" * skills, off=sorted(law.rules))
        open_facts = [z3.Bool(one.rstrip(".")) for one in opened]
        named = {str(one): one for one in open_facts}
        self.open = named

        def one_of(*facts: str) -> z3.BoolRef:
            return z3.PbEq([(named[one.rstrip(".")], 1) for one in facts], 1)

        choices = [
            one_of(*(fact("mode", 0, Name(mode)) for mode in MODES)),
            one_of(*(fact("type", 0, Name(kind)) for kind in TYPES)),
            one_of(*(fact("threat", level) for level in THREATS)),
            one_of(*(fact("card", 0, Name("pbr"), pbr) for pbr in PBRS)),
            one_of(fact("health", HERO, 1), fact("health", HERO, 2)),
            # Breaking a lock is a hand-to-hand attack; spread fire and select fire are none.
            z3.Implies(named["breaks(0)"], named["type(0,hand)"]),
            z3.Implies(named["selects(0)"], z3.Not(named["type(0,hand)"])),
        ]
        super().__init__(completion, choices)

    def modifier(self) -> z3.ArithRef:
        """What all attack modifiers come to."""
        return self.law.total("charge", 4, where={5: "AM"})

    def ease(self) -> list[z3.ArithRef]:
        """What makes an attack easier as it gets larger: modifiers taken off, dice, and weaknesses of the target."""
        shields = [z3.If(when, -1, 0) for name in ("unstunnable", "never_dazed") for _, when in self.law.atoms(name)]
        saves = [-self.law.total(name, 1) for name in ("cancels", "softens")]
        return [-self.modifier(), self.law.total("rate", 1), -self.law.total("stun_am", 1), *shields, *saves]

    @property
    def rules(self) -> frozenset[str]:
        """The ids of the rules that anything depends on here."""
        return self.switches | {str(arguments[1]) for arguments, _ in self.law.atoms("charge") if arguments[5] == "AM"}

    def charged(self, rule: str) -> list[tuple[int, z3.BoolRef]]:
        """The amounts that a rule may add to the modifier, and when it does."""
        found = []
        for arguments, when in self.law.atoms("charge"):
            if arguments[1] == rule and arguments[5] == "AM":
                assert isinstance(arguments[4], int)
                found.append((arguments[4], when))
        return found

    def described(self, model: z3.ModelRef) -> dict[str, Any]:
        """The open facts that hold in a model."""
        return {"facts": sorted(name for name, one in self.open.items() if z3.is_true(model.eval(one, model_completion=True)))}

    @property
    def spare(self) -> list[z3.BoolRef]:
        """What a plain situation has none of: figures, terrain, powers, statuses, threat, haste."""
        plain = ("mode(0,walking)", "type(0,normal)", "threat(0)", f"card(0,pbr,{PBRS[-1]})", 'health("hero",2)')
        return [one for name, one in self.open.items() if name not in plain]


@cache
def situation(system: System = MAIN, skills: bool = False) -> Situation:
    """All situations, with every rule in force."""
    # Skills are open only where a claim is about one: with them every proof takes twice as long.
    return Situation(system, skills)
