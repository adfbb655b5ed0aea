"""Claims about movement points and zombies' moves: what raises and lowers them, proved over the chapters under ``logic/``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import z3

from riese_kb import catalogue
from riese_kb.board import System
from riese_kb.catalogue import Intent
from riese_kb.completion import Completion, behind, switches
from riese_kb.facts import Name, fact
from riese_kb.program import program
from riese_kb.proving.boards import played
from riese_kb.proving.claims import Claim, Openable, Stated, Verdict, decide
from riese_kb.proving.numbers import numberless

THREATS = range(13)


class Measure(NamedTuple):
    """A number that rules raise and lower: the query and predicate that give it, and the situations it is looked at in."""

    query: str
    predicate: str
    fixed: tuple[str, ...]
    open: tuple[str, ...]
    one_of: tuple[tuple[str, ...], ...]
    helps: int
    """1 where more of it serves the heroes, -1 where it serves the zombies."""

    @property
    def name(self) -> str:
        """The last part of its claims' ids."""
        return {"throw": "throw", "npc_attack": "npc"}.get(self.query, self.predicate)

    @property
    def what(self) -> str:
        """The number in words."""
        named = {"throw": "what a throw needs", "npc": "what NPCs need", "budget": "movement points"}
        return named.get(self.name, "a zombie's moves")


_MODES = tuple(fact("mode", 0, Name(mode)) for mode in ("walking", "running", "stationary", "special"))
_LEVELS = tuple(fact("threat", level) for level in THREATS)
_KINDS = tuple(fact("category", "z", Name(kind)) for kind in ("beta", "advanced", "alpha", "omega"))
_MOVES = tuple(fact("move_value", "z", number) for number in (1, 2))
_HOWLER = (fact("power", "z", "howl"), fact("stunned", "z"), fact("unrevealed", "z"))
_LEADER = (fact("power", "y", "leader-of-the-pack"), fact("unrevealed", "y"), fact("unrevealed", "z"))

_LINE = ((1, 1), (2, 1), (3, 1))
_WALLED = (fact("edge", _LINE[1], _LINE[2], Name("wall")), fact("edge", _LINE[2], _LINE[1], Name("wall")))
_WAY = "".join(fact("square", square) for square in (*_LINE, (1, 2), (2, 2), (3, 2)))
_LOOK = "".join(fact("crosses_edge", _LINE[0], _LINE[2], 2 * n + 1, _LINE[n], _LINE[n + 1]) for n in (0, 1))
_LOOK += fact("crosses", _LINE[0], _LINE[2], 2, _LINE[1])
_THROWN = tuple(fact("hurls", 0, item) for item in ("Grenade", "Satchel Charge", "Cluster Grenade"))
_WOUNDED = tuple(fact("health", "h", number) for number in (1, 2))

POINTS = Measure(
    "can",
    "budget",
    (
        fact("world", 0),
        fact("actor", 0, "h"),
        fact("at", "h", (1, 1)),
        fact("figure", "z", Name("zombie")),
        fact("at", "z", (9, 9)),
    ),
    (*_MODES, *_LEVELS, *_HOWLER),
    (_MODES, _LEVELS),
    1,
)
MOVES = Measure(
    "zombie",
    "allowance",
    (fact("world", 0), fact("acts", 0, "z"), fact("at", "z", (1, 1)), fact("figure", "z", Name("zombie"))),
    (*_LEVELS, *_KINDS, *_MOVES, *_LEADER),
    (_LEVELS, _KINDS, _MOVES),
    -1,
)


THROWS = Measure(
    "throw",
    "charge",
    (
        fact("world", 0) + fact("actor", 0, "h") + fact("figure", "h", Name("hero")) + fact("at", "h", _LINE[0]),
        fact("aims", 0, _LINE[2]) + fact("card", 0, Name("special"), "A") + fact("full_health", "h", 2) + fact("endless", 0, 9),
        _WAY + _LOOK + fact("trooper", "h"),
    ),
    (*_MODES, *_LEVELS, *_THROWN, *_WOUNDED, *_WALLED, fact("blitz", "h"), fact("crash", "h"), fact("skill", "h", "braced")),
    (_MODES, _LEVELS, _THROWN, _WOUNDED),
    -1,
)
NPC_SHOTS = Measure(
    "npc_attack",
    "charge",
    (
        fact("world", 0) + fact("actor", 0, "h") + fact("figure", "h", Name("npc")) + fact("at", "h", _LINE[0]),
        fact("turn_of", 0, "h") + fact("target", 0, "e") + fact("views", 0, "e") + fact("figure", "e", Name("hero")),
        fact("at", "e", _LINE[2])
        + fact("card", 0, Name("rm"), 2)
        + fact("card", 0, Name("pbr"), 1)
        + fact("card", 0, Name("rof"), 1),
        fact("card", 0, Name("stun"), 6) + fact("card", 0, Name("wound"), 9) + fact("full_health", "h", 2) + _WAY + _LOOK,
    ),
    (*_LEVELS, *_WOUNDED, fact("broke_free", 0), fact("stunned", "e")),
    (_LEVELS, _WOUNDED),
    1,
)


class Counted(Openable):
    """A measure in all its situations."""

    def __init__(self, system: System, measure: Measure) -> None:
        law = program(system, measure.query)
        whole = [rule for rule in law.prunable.rules if rule.head not in ("needed", "plain_sum", "away", "detour")]
        rules = [rule.text for rule in behind(whole, (measure.predicate,))]
        self.rules = switches(rules)
        text = [*rules, *measure.fixed, *(f"#external {one}" for one in measure.open)]
        completion = Completion("\n".join(text), f"{measure.predicate}:", off=sorted(law.rules))
        self.open = {one.rstrip("."): z3.Bool(one.rstrip(".")) for one in measure.open}
        choices = [z3.PbEq([(self.open[one.rstrip(".")], 1) for one in group], 1) for group in measure.one_of]
        super().__init__(completion, choices)
        self.measure = measure

    @property
    def number(self) -> z3.ArithRef:
        """What is measured, in each situation."""
        adds = self.measure.predicate == "charge"
        return self.law.total("charge", 4, where={5: "AM"}) if adds else self.law.total(self.measure.predicate, 1)

    @property
    def spare(self) -> list[z3.BoolRef]:
        """What a plain situation has none of: of each choice the first is plain."""
        plain = {group[0].rstrip(".") for group in self.measure.one_of}
        return [one for name, one in self.open.items() if name not in plain]

    def described(self, model: z3.ModelRef) -> dict[str, Any]:
        """The open facts that hold in a model."""
        return {"facts": sorted(name for name, one in self.open.items() if z3.is_true(model.eval(one, model_completion=True)))}


@cache
def counted(system: System, measure: Measure) -> Counted:
    """A measure with every rule in force."""
    return Counted(system, measure)


def claims(system: System) -> Iterator[Claim]:
    """Every claim about points and moves; games on rings have none."""
    if system.on_rings:
        return
    rules = catalogue.rules(system)
    yield Claim(
        "movement.one-budget",
        "Every declared movement leaves a hero exactly one number of movement points, never below zero.",
        rules["hero-activation.walking"].cite,
        partial(_one, system, POINTS),
    )
    yield Claim(
        "zombie.one-allowance",
        "Every zombie has exactly one number of moves, whatever speeds it up.",
        rules["zombie.move-value"].cite,
        partial(_one, system, MOVES),
    )
    for measure in (POINTS, MOVES, THROWS, NPC_SHOTS):
        for id, rule in rules.items():
            if rule.intent is not None and id in _claimed(system, measure) - numberless(system):
                says = _meant(measure, rule.title, rule.intent)
                yield Claim(
                    f"intent.{id}.{measure.name}", says, rule.cite, partial(_intent, system, measure, id, rule.intent), (id,)
                )


def _claimed(system: System, measure: Measure) -> frozenset[str]:
    """The rules that something is claimed of: of attacks by NPCs only their own, since intents are seen from whoever attacks."""
    found = counted(system, measure)
    if measure.predicate != "charge":
        return found.rules
    charged = {str(arguments[1]) for arguments, _ in found.law.atoms("charge") if arguments[5] == "AM"}
    return frozenset(id for id in charged if measure is not NPC_SHOTS or id.startswith("npc."))


def _meant(measure: Measure, title: str, intent: Intent) -> str:
    what = measure.what
    less = (intent is Intent.HARMS) == (measure.helps > 0)
    if intent is Intent.NEUTRAL:
        return f"{title}: changes {what} in neither direction."
    return f"{title}: meant to {intent[:-1]} the heroes, it never {'adds to' if less else 'takes from'} {what}."


def _one(system: System, measure: Measure) -> Verdict:
    def state(found: Counted) -> Stated:
        once = z3.PbEq([(when, 1) for _, when in found.law.atoms(measure.predicate)], 1)
        return found.given, z3.And(once, found.number >= 0)

    found = counted(system, measure)
    return decide(found, state, found.described, found.spare)


def _intent(system: System, measure: Measure, id: str, intent: Intent) -> Verdict:
    def state(present: Counted) -> Stated:
        absent = present.without(id)
        change = (present.number - absent.number) * measure.helps
        claim = {Intent.HELPS: change >= 0, Intent.HARMS: change <= 0, Intent.NEUTRAL: change == 0}[intent]
        return [*present.given, *absent.given], claim

    def case(model: z3.ModelRef) -> dict[str, Any]:
        return played(system, measure.name, found.described(model)["facts"], id)

    found = counted(system, measure)
    return decide(found, state, case, found.spare)
