"""A team between two scenarios, as its record sheet has it, and what is known of scenarios: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from riese_kb.board import Board, System, Weapon
from riese_kb.records import Record
from riese_kb.rings import RingBoard


class Difficulty(StrEnum):
    """How many replays there are (DIFFICULTY LEVEL)."""

    GREEN = "green"
    REGULAR = "regular"
    ELITE = "elite"


class Outcome(StrEnum):
    """How a scenario ended: its primary objectives met or not."""

    WON = "won"
    LOST = "lost"


class Aside(StrEnum):
    """What a team does once between two campaign scenarios: a threat reduction scenario, or a trade."""

    CULL = "cull"
    RAID = "raid"
    LOOT = "loot"
    TRADE = "trade"


class Member(Struct, frozen=True, kw_only=True):
    """One hero of the team. ``health`` 0: killed; ``healed``: a medkit helped already; ``stayed``: not in the last scenario;
    ``laid``: killed, and the antihero has been eliminated since.
    """

    id: str
    name: str
    health: int
    xp: int = 0
    skills: tuple[str, ...] = ()
    weapon: str | None = None
    off_hand: str | None = None
    gear: tuple[str, ...] = ()
    ammo: int = 0
    grenades: int = 0
    medkits: int = 0
    healed: bool = False
    stayed: bool = False
    laid: bool = False


class Adjustment(Struct, frozen=True, kw_only=True):
    """A condition of a Between Scenarios section: what must have happened, what each time changes, ``once``: at most once."""

    deed: str
    threat: int
    aliases: tuple[str, ...] = ()
    once: bool = False


class Scenario(Struct, frozen=True, kw_only=True):
    """What is known of a scenario; None for what is not printed and not supplied.

    ``heroes`` stands where the book counts heroes alike; ``doubtful`` holds exits by value of the reading ``crossroads``.
    """

    number: str
    name: str | None = None
    characters: int | None = None
    troopers: int | None = None
    heroes: int | None = None
    joins: str | None = None
    threat: int | None = None
    next: tuple[str, ...] = ()
    doubtful: Mapping[str, str] = field(default_factory=dict)
    bars_reduction: bool = False
    adjust: tuple[Adjustment, ...] = ()
    entry: str | None = None


class Team(Record, frozen=True, kw_only=True, eq=False, weakref=True):
    """A whole team. ``last`` is the campaign scenario played last, ``playing`` one that is being played right now.

    ``replays`` are those used: of the campaign on regular, of this scenario on green; ``replayed`` how often the last
    scenario was played again; ``done`` what was done since the last campaign scenario; ``tally`` how often ever.
    """

    apart = ("file",)

    system: System
    members: tuple[Member, ...] = ()
    title: str | None = None
    difficulty: Difficulty = Difficulty.REGULAR
    threat: int = 0
    last: str | None = None
    result: Outcome = Outcome.WON
    playing: str | None = None
    replays: int = 0
    replayed: int = 0
    done: Aside | None = None
    tally: Mapping[Aside, int] = field(default_factory=dict)
    weapons: tuple[Weapon, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    file: str | None = None

    def member(self, id: str) -> Member | None:
        """The hero of that id, or None."""
        return next((m for m in self.members if m.id.casefold() == id.casefold()), None)


Sheet = Board | Team | RingBoard
"""What a question is asked about."""
