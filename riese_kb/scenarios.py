"""Scenarios: which of them bring special rules, what a board may note about one, and its tables as facts.

The special rules themselves are logic, ``logic/<system>/scenarios/<number>.lp``, and stand in the catalogue under
``scenario-<number>``. They are laid over a program (``riese_kb.program``) when a question ends ``with scenario 43``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache

from msgspec import Struct, field

from riese_kb.errors import RulesError, nearest
from riese_kb.store import read_toml
from riese_kb.tables import data_root


class Scenario(Struct, frozen=True):
    """One scenario that the book names.

    ``file``: it has special rules of its own. ``silent``: the book prints a page of it, and the reason why no rule there
    changes an answer. ``omits``: what of its special rules no answer heeds. ``notes``: what a board may note about it.
    ``gaits``: zombie types that move otherwise than their powers say, each with its gait and the rule behind it.
    ``facts``: its tables.
    """

    number: str
    title: str
    file: bool = False
    silent: str = ""
    omits: str = ""
    notes: tuple[str, ...] = ()
    gaits: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    facts: Mapping[str, tuple[tuple[int | str, ...], ...]] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """``43, The Womb``"""
        return f"{self.number}, {self.title}"


@cache
def scenarios(system: str) -> Mapping[str, Scenario]:
    """``rules/<system>/scenarios.toml``, by number in capitals; nothing for a game that has no such file."""
    path = os.path.join(data_root(), "rules", system, "scenarios.toml")
    if not os.path.isfile(path):
        return {}
    found = {}
    for number, table in read_toml(path).items():
        fields = dict(table)
        facts = {name: tuple(map(tuple, rows)) for name, rows in fields.pop("facts", {}).items()}
        gaits = {type: (gait, rule) for type, (gait, rule) in fields.pop("gaits", {}).items()}
        found[number] = Scenario(number, gaits=gaits, notes=tuple(fields.pop("notes", ())), facts=facts, **fields)
    return found


def find_scenario(system: str, number: str) -> Scenario:
    """The scenario of that number; raises ``RulesError`` when the book names none or does not print its special rules."""
    known = scenarios(system)
    if not known:
        raise RulesError(f"scenario {number} has no special rules here", fix="your own go into a rule file, with rules FILE")
    there = ", ".join(name for name, scenario in known.items() if scenario.file or scenario.silent)
    scenario = known.get(number.upper())
    if scenario is None:
        raise RulesError(f"the book has no scenario {number}", fix=f"it prints special rules of {there}")
    if not scenario.file and not scenario.silent:
        what = f"the book does not print the special rules of scenario {scenario.called}"
        raise RulesError(what, fix=f"it prints those of {there}; your own go into a rule file, with rules FILE")
    return scenario


def known_notes(system: str) -> tuple[str, ...]:
    """Everything that a board may note, whatever the scenario."""
    return tuple(note for scenario in scenarios(system).values() for note in scenario.notes)


_NUMBER = re.compile(r" (1[0-2]|[1-9])\Z")


def parts_of(note: str) -> tuple[str, int]:
    """``energy 5`` → ``("energy", 5)``; 0 where a note has no number."""
    number = _NUMBER.search(note)
    return (note[: number.start()], int(number[1])) if number else (note, 0)


def find_note(system: str, said: str) -> str | None:
    """A note in its canonical spelling; None where no scenario knows it."""
    plain = " ".join(said.lower().split())
    pattern = _NUMBER.sub(" N", plain)
    return plain if pattern in known_notes(system) else None


def note_advice(system: str, said: str) -> str:
    """What to write instead of an unknown note."""
    known = known_notes(system)
    close = nearest(_NUMBER.sub(" N", said), known)
    named = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
    return f"{named} N: a roll from 1 to 12" if " N" in named else named
