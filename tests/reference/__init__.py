"""The referee's reference: the Field Manual of *Escape from Projekt Riese* as plain loops over plain data.

Written from the book alone, without a look at the rules under ``logic/``. It is slow on purpose; every function
follows one entry of the book. Points the book leaves open are in ``readings.py`` (contested) and ``NOTES.md`` (the
literal reading taken).
"""

from __future__ import annotations

from .attacks import attack, break_lock, targets
from .movement import can_sequence, can_to, reach
from .npcs import npc
from .readings import READINGS
from .sight import lof
from .throwing import blast, throw
from .zombies import TooManyWays, zombie, zombies

__all__ = [
    "READINGS",
    "TooManyWays",
    "attack",
    "blast",
    "break_lock",
    "can_sequence",
    "can_to",
    "lof",
    "npc",
    "reach",
    "targets",
    "throw",
    "zombie",
    "zombies",
]
