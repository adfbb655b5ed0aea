"""Questions as plain data; ``language`` makes them from text.

Each class below is one row of the contract's table of questions. ``Question`` adds what any of them may carry: readings,
rules switched off, rule files and scenarios.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from riese_kb.board import Declared, Facing, Square, square_name
from riese_kb.rings import Property
from riese_kb.team import Outcome


class Step(StrEnum):
    """Movement actions, named relative to the hero's facing (MOVEMENT, action table)."""

    FORWARD = "forward"
    BACKWARD = "backward"
    LEFT = "left"
    RIGHT = "right"
    FORWARD_LEFT = "forward-left"
    FORWARD_RIGHT = "forward-right"
    BACKWARD_LEFT = "backward-left"
    BACKWARD_RIGHT = "backward-right"
    TURN_LEFT = "turn left"
    TURN_RIGHT = "turn right"
    OPEN_DOOR = "open door"
    CLOSE_DOOR = "close door"
    UNLOCK_DOOR = "unlock door"
    FORCE_DOOR = "force door"
    UNLOCK_CABINET = "unlock cabinet"
    FORCE_CABINET = "force cabinet"
    SET = "set"
    SEARCH = "search"
    RESCUE = "rescue"
    TAKE = "take"
    PASS = "pass"
    PICK_UP = "pick up"
    SWITCH = "switch weapon to"


class Side(StrEnum):
    """Where a door is, seen from the hero."""

    AHEAD = "ahead"
    LEFT = "left"
    RIGHT = "right"
    BEHIND = "behind"


@dataclass(frozen=True)
class Action:
    """One action of a sequence, most of them movement actions.

    ``side`` for doors, ``item`` for what is handled, ``to`` for the figure that gets it or is rescued; ``at`` and ``rounds``
    for what is set with a timer, ``place`` for what is searched (a label, or a square's name).
    """

    step: Step
    side: Side | None = None
    item: str | None = None
    to: str | None = None
    at: Square | None = None
    rounds: int | None = None
    place: str | None = None

    def __str__(self) -> str:
        match self.step:
            case Step.OPEN_DOOR | Step.CLOSE_DOOR:
                return f"{self.step} {self.side}"
            case Step.UNLOCK_DOOR | Step.FORCE_DOOR | Step.UNLOCK_CABINET:
                words = [str(self.step), *([str(self.side)] if self.side else []), *(["using", self.item] if self.item else [])]
                return " ".join(words)
            case Step.PASS:
                return f"pass {self.item} to {self.to}"
            case Step.PICK_UP | Step.SWITCH | Step.TAKE:
                return f"{self.step} {self.item}"
            case Step.SET:
                return f"set {self.item} at {square_name(self.at or (1, 1))} for {self.rounds}"
            case Step.SEARCH | Step.RESCUE:
                return f"{self.step} {self.place or self.to}"
        return str(self.step)


@dataclass(frozen=True)
class Exit:
    """The way off the map over the rim edge of ``square`` to that side."""

    square: Square
    side: Facing


Place = str | Square
"""A figure's id, or a square."""


class AttackType(StrEnum):
    """How an attack is made (ATTACK TYPES); what is thrown has a question of its own."""

    NORMAL = "normal"
    SPREAD = "spread"
    H2H = "h2h"


@dataclass(frozen=True)
class Can:
    """``can nicole walk forward, turn right``"""

    figure: str
    declared: Declared | None
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class CanTo:
    """``can nicole run to D7`` (or ``to E2 east``: off the map)"""

    figure: str
    declared: Declared | None
    to: Square | Exit


@dataclass(frozen=True)
class Reach:
    """``reach nicole running``"""

    figure: str
    declared: Declared | None


@dataclass(frozen=True)
class Lof:
    """``lof nicole to z1``, ``lof A3 to E1``"""

    start: Place
    end: Place


@dataclass(frozen=True)
class Targets:
    """``targets nicole``"""

    figure: str
    declared: Declared | None = None
    covering: bool = False


@dataclass(frozen=True)
class Attack:
    """``attack nicole on z1 with "FG-42" spread covering off hand``"""

    figure: str
    target: str
    weapon: str | None = None
    type: AttackType | None = None
    declared: Declared | None = None
    covering: bool = False
    off_hand: bool = False
    unarmed: bool = False
    select: bool = False


@dataclass(frozen=True)
class Throw:
    """``throw nicole grenade at D7``"""

    figure: str
    item: str
    at: Square
    declared: Declared | None = None


@dataclass(frozen=True)
class Blast:
    """``blast at D7 with grenade``, ``blast at D7 with grenade by nicole``"""

    at: Square
    weapon: str
    figure: str | None = None


@dataclass(frozen=True)
class BreakLock:
    """``break lock nicole``"""

    figure: str
    declared: Declared | None = None


@dataclass(frozen=True)
class MayCarry:
    """``may nicole carry MP-40, 2 Grenade``; ``items`` names each thing, the same one as often as it is asked for"""

    figure: str
    items: tuple[str, ...]


@dataclass(frozen=True)
class SearchPlace:
    """``search O1 by nicole on "Supplies"``; ``place`` is a label or a square's name, ``chart`` the name of a chart"""

    place: str
    figure: str | None = None
    chart: str | None = None


@dataclass(frozen=True)
class Zombie:
    """``zombie z1``"""

    figure: str


@dataclass(frozen=True)
class ZombieTurn:
    """``zombies``"""


@dataclass(frozen=True)
class Initiative:
    """``initiative``"""


@dataclass(frozen=True)
class Spawn:
    """``spawn S1``, ``spawn S1 as Alpha``, ``spawn O1`` (a search result), ``spawn`` (what the round track shows)"""

    label: str | None = None
    type: str | None = None


@dataclass(frozen=True)
class Round:
    """``round``"""


@dataclass(frozen=True)
class Npc:
    """``npc guard1``, ``npc guard1 to D7 opening doors``: ``to`` is its objective, where the scenario gives it one."""

    figure: str
    to: Square | Exit | None = None
    doors: bool = False


@dataclass(frozen=True)
class Learn:
    """``can kelley learn "Tactics 1", "Tactics 2"``: skills bought in that order."""

    hero: str
    skills: tuple[str, ...]


@dataclass(frozen=True)
class Heal:
    """``can lies heal kelley``: a medkit of the one used on the other."""

    hero: str
    patient: str


@dataclass(frozen=True)
class Join:
    """``can rai join``: a hero whom the team has met."""

    name: str


@dataclass(frozen=True)
class Play:
    """``can team play 17 with kelley, nicole``; the scenario may also be ``cull``, ``raid`` or ``loot``."""

    scenario: str
    heroes: tuple[str, ...]


@dataclass(frozen=True)
class Replay:
    """``can team replay 17``"""

    scenario: str


@dataclass(frozen=True)
class Deed:
    """``2 prisoners``: how often something was done; ``late``: after the round track was reset."""

    count: int
    name: str
    late: bool = False


@dataclass(frozen=True)
class ThreatAfter:
    """``threat after 17 won with 2 prisoners``"""

    scenario: str
    outcome: Outcome | None = None
    deeds: tuple[Deed, ...] = ()


@dataclass(frozen=True)
class BetweenScenarios:
    """``between scenarios after 17 won``; without a number after the scenario played last."""

    scenario: str | None = None
    outcome: Outcome | None = None
    deeds: tuple[Deed, ...] = ()


@dataclass(frozen=True)
class Earn:
    """``xp kelley with 3 beta, 1 omega``"""

    hero: str
    deeds: tuple[Deed, ...] = ()


@dataclass(frozen=True)
class Victory:
    """``victory with kelley, nicole``: those who escape."""

    heroes: tuple[str, ...]


@dataclass(frozen=True)
class MoveTo:
    """``can eva move to r7``: on rings"""

    figure: str
    to: str


@dataclass(frozen=True)
class Sight:
    """``sight eva to tala``, ``sight r1 to r5``: figures or rings"""

    start: str
    end: str


@dataclass(frozen=True)
class Duel:
    """``duel karl against tala with mind``"""

    figure: str
    against: str
    property: Property


@dataclass(frozen=True)
class Search:
    """``may eva search r9``"""

    figure: str
    ring: str


@dataclass(frozen=True)
class Won:
    """``won``"""


RingAbout = MoveTo | Sight | Duel | Search | Won
"""Questions about a board of rings only; ``reach``, ``targets`` and ``attack`` are shared."""

TeamAbout = Learn | Heal | Join | Play | Replay | ThreatAfter | BetweenScenarios | Earn | Victory
"""Questions about a team file; all others are about a board."""

About = (
    Can
    | CanTo
    | Reach
    | Lof
    | Targets
    | Attack
    | Throw
    | Blast
    | BreakLock
    | MayCarry
    | SearchPlace
    | Zombie
    | ZombieTurn
    | Initiative
    | Spawn
    | Round
    | Npc
    | TeamAbout
    | RingAbout
)


@dataclass(frozen=True)
class Question:
    """What is asked, and under which terms.

    ``under`` holds pairs (reading, value), ``without`` rule ids, ``rules`` paths of rule files, ``scenarios`` their numbers;
    ``language`` is the one the question is asked in, en or de.
    """

    text: str
    about: About
    under: tuple[tuple[str, str], ...] = ()
    without: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    language: str = field(default="en", compare=False)
