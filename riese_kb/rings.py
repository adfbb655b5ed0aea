"""Ring boards as plain data: rings with coloured paths, figures in two teams, weapons, markers. Nothing here knows a rule."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from riese_kb.board import System
from riese_kb.records import Record


class RingKind(StrEnum):
    """What a ring is."""

    RING = "ring"
    ENTRY = "entry"
    OBJECTIVE = "objective"
    ACTION = "action"


class Rank(StrEnum):
    """What a figure is."""

    HERO = "hero"
    SOLDIER = "soldier"


class Team(StrEnum):
    """Whose figure it is."""

    REICH = "reich"
    UNION = "union"


class Mode(StrEnum):
    """How the game is won."""

    STORY = "story"
    FLAGS = "flags"
    DEATHMATCH = "deathmatch"
    DOMINATION = "domination"


class Property(StrEnum):
    """The four properties of a character, in the order of the character sheet."""

    COMBAT = "combat"
    CONDITION = "condition"
    MIND = "mind"
    MOVEMENT = "movement"


class GearType(StrEnum):
    """What a piece of equipment is; ``gear`` is everything that is no weapon."""

    CLOSE_COMBAT = "close-combat"
    PISTOL = "pistol"
    AUTOMATIC = "automatic"
    HEAVY = "heavy"
    GRENADE = "grenade"
    SMOKE = "smoke"
    GEAR = "gear"


OFF = "off"
"""Where a figure is that is not on the board yet."""

Row = tuple[int | None, int | None, int | None, int | None]
"""The values of one health level, in the order of ``Property``; None: the book's text does not print it."""


class Ring(Struct, frozen=True, kw_only=True):
    """One ring. ``modifiers`` holds its terrain symbols, one number a property; ``side`` whose entry point it is."""

    id: str
    paths: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    modifiers: Mapping[Property, int] = field(default_factory=dict)
    kind: RingKind = RingKind.RING
    side: Team | None = None


class Piece(Struct, frozen=True, kw_only=True):
    """One piece of equipment: what it adds to combat, to each die, to a roll that hits, and its wounds without a roll.

    ``heeded`` is false where it does more than that, which no question takes into account.
    """

    name: str
    type: GearType = GearType.GEAR
    combat: int = 0
    dice: int = 0
    hits: int = 0
    wounds: int = 0
    heeded: bool = True
    supplied: bool = False


class Character(Struct, frozen=True, kw_only=True):
    """What is known of a printed character: values row by row, its number of rows, and lowest values where only they are."""

    name: str
    rank: Rank
    rows: tuple[Row, ...] = ()
    levels: int | None = None
    lowest: Mapping[Property, int] = field(default_factory=dict)
    supplied: bool = False


class Token(Struct, frozen=True, kw_only=True):
    """One figure. ``gear`` None: not said, an ordinary weapon that changes nothing; ``values`` empty: those of ``name``."""

    id: str
    rank: Rank
    side: Team
    at: str
    name: str | None = None
    wounds: int = 0
    values: tuple[Row, ...] = ()
    gear: tuple[str, ...] | None = None
    played: bool = False
    """It has had its turn in this round."""
    acted: bool = False
    """It has had its action in this turn."""
    moved: int = 0
    """Movement points that it has spent in this turn."""


class Lying(Struct, frozen=True, kw_only=True):
    """A marker on a ring: debris, a crate, a flag (``side``: whose), an item."""

    kind: str
    at: str
    label: str | None = None
    side: Team | None = None
    modifiers: Mapping[Property, int] = field(default_factory=dict)


class Score(Struct, frozen=True, kw_only=True):
    """What a team has: victory points, objectives reached, enemy flags brought home, and how many of its own have fallen."""

    name: Team
    points: int = 0
    primary: int = 0
    secondary: int = 0
    flags: int = 0
    fallen: int = 0


class RingBoard(Record, frozen=True, kw_only=True, eq=False, weakref=True):
    """A whole ring board."""

    apart = ("file",)

    system: System
    rings: tuple[Ring, ...]
    figures: tuple[Token, ...] = ()
    pieces: tuple[Piece, ...] = ()
    characters: tuple[Character, ...] = ()
    markers: tuple[Lying, ...] = ()
    scores: tuple[Score, ...] = ()
    title: str | None = None
    round: int = 1
    turn: Team | None = None
    """Whose turn it is to play a character."""
    mode: Mode | None = None
    file: str | None = None

    def figure(self, id: str) -> Token | None:
        """The figure of that id, whatever its case, or None."""
        return next((f for f in self.figures if f.id.casefold() == id.casefold()), None)

    def ring(self, id: str) -> Ring | None:
        """The ring of that id, whatever its case, or None."""
        return next((r for r in self.rings if r.id.casefold() == id.casefold()), None)
