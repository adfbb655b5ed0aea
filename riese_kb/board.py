"""The board as plain data: squares, terrain, edges, figures, weapons, markers.

Nothing here knows a rule. A *square* is a pair ``(column, row)``, both counted from 1, north up; ``A1`` is ``(1, 1)``.
An *edge* is the pair of the two orthogonally neighbouring squares it parts, smaller first; an edge of the outer rim
names the imagined square outside (column or row 0, or width/height + 1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct, field

from riese_kb.records import Record

Square = tuple[int, int]
Edge = tuple[Square, Square]
Stock = tuple[tuple[str, int], ...]
"""A pile of zombie markers: how many of each type (its id), in the order of the types' table."""


class System(StrEnum):
    """The game a board belongs to. What tells the games apart outside of their rules stands in ``_GAMES``, and nowhere else."""

    RIESE = "riese"
    STALINGRAD_Z = "stalingrad_z"
    TANNHAEUSER = "tannhaeuser"

    @property
    def on_rings(self) -> bool:
        """Whether its boards have rings and coloured paths instead of squares."""
        return _GAMES[self].on_rings

    @property
    def called(self) -> str:
        """What the game is called in sentences."""
        return _GAMES[self].called

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders under ``logic/`` that its chapters stand in, the most general first."""
        return _GAMES[self].folders

    @property
    def markers(self) -> tuple[str, ...]:
        """What a ``[[marker]]`` may be on its boards."""
        return _GAMES[self].markers

    def lacks(self, word: str) -> bool:
        """Whether the game knows no such key of a board file, kind of figure or terrain."""
        return word in _GAMES[self].lacks

    def counterpart(self, marker: str) -> str | None:
        """The marker of this game that does what another game's does; None where there is none."""
        here = dict(_COUNTERPARTS) | {there: here for here, there in _COUNTERPARTS}
        return found if (found := here.get(marker)) in self.markers else None

    def where_else(self, word: str) -> str:
        """Advice about a key that this game lacks: the game whose boards have it."""
        return f"{word} belongs to {next(s.called for s in System if word not in _GAMES[s].lacks)} boards"


MAIN = System.RIESE
"""The game that is meant where nothing says which."""


class Game(NamedTuple):
    """What a game has besides its rules (see the properties of ``System``)."""

    called: str
    folders: tuple[str, ...]
    markers: tuple[str, ...] = ()
    lacks: frozenset[str] = frozenset()
    on_rings: bool = False


_MARKERS = ("fire", "objective", "spawn", "grenade", "molotov", "satchel", "item", "start", "mark")
"""Those that both Escape games have."""
_COUNTERPARTS = (("toxic", "gas"), ("decoy", "alarm_clock"))
"""Markers that the games call otherwise."""
_GAMES = {
    System.RIESE: Game(
        "Projekt Riese",
        ("core", "escape", "riese"),
        (
            *_MARKERS,
            *("toxic", "decoy", "flare", "timer", "barricade", "rubble", "energy", "pool"),
            *("cabinet", "lock", "stairs", "ladder", "level"),
        ),
        frozenset({"fatigue", "food", "soldier", "modifier", "reaction", "rearguard", "ordered", "bayonet", "mount", "demount"}),
    ),
    System.STALINGRAD_Z: Game(
        "Stalingrad Z",
        ("core", "escape", "stalingrad_z"),
        (*_MARKERS, "gas", "mine", "alarm_clock", "maxim", "window", "trench"),
        frozenset(
            {"threat", "darkness", "npc", "fuel", "lethal", "burning", "blitz", "crash"}
            | {"operate", "unlock door", "force door", "unlock cabinet", "force cabinet"}
        ),
    ),
    System.TANNHAEUSER: Game("Tannhäuser", ("core", "tannhaeuser"), on_rings=True),
}


class Facing(StrEnum):
    """The way a hero looks; zombies look everywhere (FACING)."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


class Declared(StrEnum):
    """What a hero declares on activation (HERO ACTIVATION)."""

    STATIONARY = "stationary"
    WALKING = "walking"
    RUNNING = "running"
    SPECIAL = "special"
    REACTION = "reaction"
    """A reaction move out of turn, where a game has one."""


class Kind(StrEnum):
    """What a figure is."""

    HERO = "hero"
    NPC = "npc"
    ZOMBIE = "zombie"
    CIVILIAN = "civilian"
    SOLDIER = "soldier"


class Terrain(StrEnum):
    """Square characters of the map; VOID is not part of the map."""

    CLEAR = "."
    HINDERING = "~"
    OBSTRUCTIVE = "#"
    BARRING = ":"  # obstructive for movement only: the printed dashed line
    FIRE = "^"
    LETHAL = "!"
    VOID = " "


class EdgeKind(StrEnum):
    """Edge characters of the map. Walls are stored as WALL and drawn as ``|`` or ``-``."""

    OPEN = " "
    WALL = "|"
    BARRING = ":"
    HINDERING = "~"
    CLOSED_DOOR = "D"
    OPEN_DOOR = "d"
    LOCKED_DOOR = "L"
    EXIT = ">"


class Weapon(Struct, frozen=True, kw_only=True):
    """Values of one weapon card. ``None``: the book prints no such value.

    ``stun``/``wound`` are the ranged S/W values, ``h2h_stun``/``h2h_wound`` those for hand to hand. ``pbr`` and ``rm``
    are in squares; ``rm`` may be ``"A"`` (explosive) or ``"H"`` (hand to hand). ``h2h_known`` is false where the card
    is not printed, so that missing H2H values mean "unknown" and not "none".
    """

    name: str
    rof: int | None = None
    stun: int | None = None
    wound: int | None = None
    pbr: int | None = None
    rm: int | str | None = None
    h2h_stun: int | None = None
    h2h_wound: int | None = None
    one_handed: bool | None = None
    select_fire: bool | None = None
    h2h_known: bool = True
    supplied: bool = False


class Figure(Struct, frozen=True, kw_only=True):
    """One figure on the map. Fields keep what the board file says; ``None`` means "not said" (the printed value applies).

    ``weapon``, ``off_hand`` and ``gear`` hold canonical names. ``locks`` (zombies) names the heroes this zombie locks;
    it is written ``locks:<id>`` in ``status``. ``status`` holds the other words: covering, attacked, stunned, unrevealed.
    """

    id: str
    kind: Kind
    at: Square
    type: str | None = None
    name: str | None = None
    facing: Facing | None = None
    declared: Declared | None = None
    weapon: str | None = None
    off_hand: str | None = None
    ammo: int | None = None
    grenades: int | None = None
    medkits: int | None = None
    food: int | None = None
    fatigue: int = 0
    """Spaces up the fatigue track."""
    fuel: int | None = None
    """Shots left in the flamethrower; None: it has not been fired."""
    mp: int | None = None
    """Movement points, walking or running, before anything changes them."""
    rescued: int = 0
    """Figures that the hero has rescued and takes along."""
    gear: tuple[str, ...] = ()
    health: int | None = None
    skills: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    locks: tuple[str, ...] = ()


class Marker(Struct, frozen=True, kw_only=True):
    """A marker on a square: fire, toxic, objective, spawn, barricade, item …"""

    kind: str
    at: Square
    label: str | None = None
    waiting: int = 0
    """Zombies beside the map that wait for this spawn location."""


class Board(Record, frozen=True, kw_only=True, eq=False, weakref=True):
    """A whole board. ``terrain`` has every square of the grid (VOID included); ``edges`` every edge that is not open."""

    apart = ("file",)

    system: System
    width: int
    height: int
    terrain: Mapping[Square, Terrain]
    edges: Mapping[Edge, EdgeKind]
    figures: tuple[Figure, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    modifiers: Mapping[str, int] = field(default_factory=dict)
    """Modifiers that the board supplies because the book prints none, by the ids of their rules."""
    markers: tuple[Marker, ...] = ()
    title: str | None = None
    round: int = 1
    threat: int = 0
    darkness: bool = False
    rearguard: int = 0
    """Characters of the team that stay off the map and hold zombies back."""
    scratch: int | None = None
    """The team's scratch tokens; None where nobody keeps count of them."""
    notes: tuple[str, ...] = ()
    """What is noted about the scenario: ``engine started``, ``energy 5``."""
    pool: Stock | None = None
    discard: Stock | None = None
    aside: Stock | None = None
    track: tuple[str, ...] = ()
    """The spaces of the round track, each with the spawn locations it shows and a ``*`` where one is printed."""
    file: str | None = None

    def figure(self, id: str) -> Figure | None:
        """The figure of that id, or None."""
        return next((f for f in self.figures if f.id == id), None)


_NAME = re.compile(r"([A-Za-z]{1,3})([1-9][0-9]{0,3})\Z")


@lru_cache(maxsize=8192)
def square_name(square: Square) -> str:
    """``(1, 1)`` → ``"A1"``, ``(27, 2)`` → ``"AA2"``. Columns left of A (only rim squares) are written ``@``."""
    column, row = square
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters or '@'}{row}"


def parse_square(text: str) -> Square | None:
    """``"A1"`` → ``(1, 1)``; None when the text is no square name."""
    match = _NAME.match(text)
    if match is None:
        return None
    column = 0
    for letter in match.group(1).upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return column, int(match.group(2))


def edge_between(a: Square, b: Square) -> Edge:
    """The canonical name of the edge between two orthogonally neighbouring squares."""
    return (a, b) if a < b else (b, a)
