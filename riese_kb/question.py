"""Questions as plain data; ``language`` makes them from text.

Each class below is one row of the contract's table of questions. ``Question`` adds what any of them may carry: readings,
rules switched off, rule files and scenarios.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from riese_kb.board import Declared, Facing, Square, square_name
from riese_kb.records import Record
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
    OPERATE = "operate"
    RESCUE = "rescue"
    TAKE = "take"
    PASS = "pass"
    PICK_UP = "pick up"
    SWITCH = "switch weapon to"
    MOUNT = "mount"
    DEMOUNT = "demount"


class Side(StrEnum):
    """Where a door is, seen from the hero."""

    AHEAD = "ahead"
    LEFT = "left"
    RIGHT = "right"
    BEHIND = "behind"


class Action(Struct, frozen=True):
    """One action of a sequence, most of them movement actions.

    ``side`` for doors, ``item`` for what is handled, ``to`` for the figure that gets it or is rescued; ``at`` and ``rounds``
    for what is set with a timer, ``place`` for what is searched or operated (a label, or a square's name).
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
            case Step.PICK_UP | Step.SWITCH | Step.TAKE | Step.MOUNT | Step.DEMOUNT:
                return f"{self.step} {self.item}"
            case Step.SET:
                timer = "" if self.rounds is None else f" for {self.rounds}"
                return f"set {self.item} at {square_name(self.at or (1, 1))}{timer}"
            case Step.SEARCH | Step.OPERATE | Step.RESCUE:
                return f"{self.step} {self.place or self.to}"
        return str(self.step)


class Exit(Struct, frozen=True):
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


class Can(Struct, frozen=True):
    """``can nicole walk forward, turn right``"""

    figure: str
    declared: Declared | None
    actions: tuple[Action, ...]


class CanTo(Struct, frozen=True):
    """``can nicole run to D7`` (or ``to E2 east``: off the map)"""

    figure: str
    declared: Declared | None
    to: Square | Exit


class Reach(Struct, frozen=True):
    """``reach nicole running``; on rings ``reach eva with 2 vp``"""

    figure: str
    declared: Declared | None
    points: int = 0


class Lof(Struct, frozen=True):
    """``lof nicole to z1``, ``lof A3 to E1``"""

    start: Place
    end: Place


class Targets(Struct, frozen=True):
    """``targets nicole``"""

    figure: str
    declared: Declared | None = None
    covering: bool = False


class Attack(Struct, frozen=True):
    """``attack nicole on z1 with "FG-42" spread covering off hand``; on rings ``counterattack tala on karl``, too"""

    figure: str
    target: str
    weapon: str | None = None
    type: AttackType | None = None
    declared: Declared | None = None
    covering: bool = False
    off_hand: bool = False
    unarmed: bool = False
    select: bool = False
    counter: bool = False


class Throw(Struct, frozen=True):
    """``throw nicole grenade at D7``"""

    figure: str
    item: str
    at: Square
    declared: Declared | None = None


class Blast(Struct, frozen=True):
    """``blast at D7 with grenade``, ``blast at D7 with grenade by nicole``"""

    at: Square
    weapon: str
    figure: str | None = None


class BreakLock(Struct, frozen=True):
    """``break lock nicole``"""

    figure: str
    declared: Declared | None = None


class MayCarry(Struct, frozen=True):
    """``may nicole carry MP-40, 2 Grenade``; ``items`` names each thing, the same one as often as it is asked for"""

    figure: str
    items: tuple[str, ...]


class SearchPlace(Struct, frozen=True):
    """``search O1 by nicole on "Supplies"``; ``place`` is a label or a square's name, ``chart`` the name of a chart"""

    place: str
    figure: str | None = None
    chart: str | None = None


class Zombie(Struct, frozen=True):
    """``zombie z1``"""

    figure: str


class ZombieTurn(Struct, frozen=True):
    """``zombies``"""


class Initiative(Struct, frozen=True):
    """``initiative``"""


class Spawn(Struct, frozen=True):
    """``spawn S1``, ``spawn S1 as Alpha``, ``spawn O1`` (a search result), ``spawn`` (what the round track shows)"""

    label: str | None = None
    type: str | None = None


class Round(Struct, frozen=True):
    """``round``"""


class Npc(Struct, frozen=True):
    """``npc guard1``, ``npc guard1 to D7 opening doors``: ``to`` is its objective, where the scenario gives it one."""

    figure: str
    to: Square | Exit | None = None
    doors: bool = False


class WhatGives(Struct, frozen=True):
    """``what gives 8/11 with "FG-42"``: situations with these modified numbers."""

    stun: int
    wound: int
    weapon: str


class WhatLets(Struct, frozen=True):
    """``what lets nicole wound z1 on 9``: changes to the board with which that roll wounds."""

    figure: str
    target: str
    on: int
    weapon: str | None = None
    declared: Declared | None = None


class MaxRange(Struct, frozen=True):
    """``max range for nicole to wound z1 on 9``; without a roll: on any"""

    figure: str
    target: str
    on: int | None = None
    weapon: str | None = None
    declared: Declared | None = None


class NpcTurn(Struct, frozen=True):
    """``npcs``"""


class Learn(Struct, frozen=True):
    """``can kelley learn "Tactics 1", "Tactics 2"``: skills bought in that order."""

    hero: str
    skills: tuple[str, ...]


class Heal(Struct, frozen=True):
    """``can lies heal kelley``: a medkit of the one used on the other."""

    hero: str
    patient: str


class Join(Struct, frozen=True):
    """``can rai join``: a hero whom the team has met."""

    name: str


class Play(Struct, frozen=True):
    """``can team play 17 with kelley, nicole``; the scenario may also be ``cull``, ``raid`` or ``loot``."""

    scenario: str
    heroes: tuple[str, ...]


class Replay(Struct, frozen=True):
    """``can team replay 17``"""

    scenario: str


class Deed(Struct, frozen=True):
    """``2 prisoners``: how often something was done; ``late``: after the round track was reset."""

    count: int
    name: str
    late: bool = False


class ThreatAfter(Struct, frozen=True):
    """``threat after 17 won with 2 prisoners``"""

    scenario: str
    outcome: Outcome | None = None
    deeds: tuple[Deed, ...] = ()


class BetweenScenarios(Struct, frozen=True):
    """``between scenarios after 17 won``; without a number after the scenario played last."""

    scenario: str | None = None
    outcome: Outcome | None = None
    deeds: tuple[Deed, ...] = ()


class Earn(Struct, frozen=True):
    """``xp kelley with 3 beta, 1 omega``"""

    hero: str
    deeds: tuple[Deed, ...] = ()


class Victory(Struct, frozen=True):
    """``victory with kelley, nicole``: those who escape."""

    heroes: tuple[str, ...]


class MoveTo(Struct, frozen=True):
    """``can eva move to r7``, ``can eva move to r7 with 2 vp``: on rings"""

    figure: str
    to: str
    points: int = 0


class Sight(Struct, frozen=True):
    """``sight eva to tala``, ``sight r1 to r5``: figures or rings"""

    start: str
    end: str


class Duel(Struct, frozen=True):
    """``duel karl against tala with mind``"""

    figure: str
    against: str
    property: Property


class Search(Struct, frozen=True):
    """``may eva search r9``"""

    figure: str
    ring: str


class Won(Struct, frozen=True):
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
    | NpcTurn
    | Initiative
    | Spawn
    | Round
    | Npc
    | WhatGives
    | WhatLets
    | MaxRange
    | TeamAbout
    | RingAbout
)


class Question(Record, frozen=True, eq=False):
    """What is asked, and under which terms.

    ``under`` holds pairs (reading, value), ``without`` rule ids, ``rules`` paths of rule files, ``scenarios`` their numbers;
    ``language`` is the one the question is asked in, en or de. ``why_not``: what forbids it is asked besides, and what would
    make it legal (``why not can nicole run to D7``).
    """

    apart = ("language",)

    text: str
    about: About
    under: tuple[tuple[str, str], ...] = ()
    without: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    language: str = "en"
    why_not: bool = False

    def __hash__(self) -> int:
        return hash((self.text, self.about))
