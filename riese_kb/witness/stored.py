"""Witnesses that are kept: ``rules/<system>/witnesses.toml``, one for every value of every reading but the defaults.

They are written by a search and then only asked again, which takes a moment.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from riese_kb.board import System
from riese_kb.boardfile import line_of
from riese_kb.catalogue import rule_ids
from riese_kb.language import format_question
from riese_kb.program import readings
from riese_kb.store import read_toml
from riese_kb.tables import data_root
from riese_kb.team import Sheet
from riese_kb.teamfile import format_sheet
from riese_kb.witness.guess import Found
from riese_kb.witness.jobdata import case_of
from riese_kb.witness.order import Size, size_of
from riese_kb.witness.replay import differ
from riese_kb.witness.search import Result
from riese_kb.witness.shrink import Case
from riese_kb.witness.sides import Pair, pair_of


class Stored(Struct, frozen=True):
    """One witness: what it tells apart, the question, the board or team, and what was proved about it within which bound."""

    one: str
    other: str | None
    ask: str
    board: str
    minimal: bool
    bound: str

    @property
    def name(self) -> str:
        """What it tells apart, in a word or two."""
        return self.one if self.other is None else f"{self.one} / {self.other}"

    @property
    def case(self) -> Case:
        """The board and the question."""
        return case_of({"board": self.board, "ask": self.ask})

    def pair(self, system: System) -> Pair:
        """What is compared."""
        return pair_of(system, self.one, self.other)

    def holds(self, system: System) -> bool:
        """Whether the answers still differ."""
        return differ(self.pair(system), [self.case])[0] is not None

    @property
    def size(self) -> Size | None:
        """Its place in the order; None for a team."""
        sheet: Sheet = self.case[0]
        return size_of(sheet)

    @property
    def result(self) -> Result:
        """As a search would have returned it."""
        from riese_kb.witness.search import Outcome

        return Result(Outcome.CONFLICT, self.bound, Found(*self.case, self.size), self.minimal)


@cache
def stored(system: System) -> tuple[Stored, ...]:
    """All that are kept."""
    path = file_of(system)
    rows: Sequence[Mapping[str, Any]] = read_toml(path).get("witness", ()) if os.path.exists(path) else ()
    return tuple(Stored(w["one"], w.get("other"), w["ask"], w["board"], w["minimal"], w["bound"]) for w in rows)


def file_of(system: System) -> str:
    """The file that they are kept in."""
    return os.path.join(data_root(), "rules", system, "witnesses.toml")


def wanted(system: System) -> list[tuple[str, str | None]]:
    """What has to have a witness: every value of every reading, against the default."""
    values = [(f"{name}={value}", None) for name, reading in readings(system).items() for value in list(reading.values)[1:]]
    known = rule_ids(system)
    return [*values, *((one, other) for one, other in RULES if one in known and other in known)]


RULES: tuple[tuple[str, str], ...] = (
    ("fire.no-ending", "fire.entering"),
    ("zoc.area", "zoc.stop"),
    ("zoc.area", "zoc.only-turn"),
)
"""Pairs of rules on one subject that are told apart, too."""


def needless(system: System) -> list[str]:
    """Values of readings without a witness that holds."""
    kept = {(one.one, one.other) for one in stored(system) if one.holds(system)}
    return [one if other is None else f"{one} / {other}" for one, other in wanted(system) if (one, other) not in kept]


HEADER = """# The smallest known board on which a reading, or one of two rules, changes an answer (docs/witness.md).
# Written by `riese-kb witness --all --search`; `riese-kb witness --all` asks every one again.
"""


def written(found: Sequence[Stored]) -> str:
    """The text of the file."""
    parts = [HEADER]
    for one in found:
        parts += ["[[witness]]", line_of("one", one.one)]
        parts += [line_of("other", one.other)] if one.other is not None else []
        parts += [line_of("ask", one.ask), line_of("minimal", one.minimal), line_of("bound", one.bound)]
        parts += [f'board = """\n{one.board.replace(chr(92), chr(92) * 2)}"""', ""]
    return "\n".join(parts)


def kept_of(one: str, other: str | None, result: Result) -> Stored | None:
    """What is kept of a result."""
    if result.found is None:
        return None
    ask = format_question(result.found.question)
    return Stored(one, other, ask, format_sheet(result.found.board), result.minimal, result.bound)


def merged(kept: Sequence[Stored], one: str, other: str | None, found: Stored | None) -> list[Stored]:
    """What is kept once a search for one pair has ended: a proved witness, or else the smaller of the two."""
    before = next((s for s in kept if (s.one, s.other) == (one, other)), None)
    if before is not None and (found is None or not found.minimal) and _weight(before) <= _weight(found):
        return [*kept]
    rest = [s for s in kept if s is not before]
    return [*rest, found] if found is not None else rest


def _weight(one: Stored | None) -> tuple[object, ...]:
    if one is None:
        return (2,)
    return (one.size is None, *(one.size or ()), not one.minimal, len(one.board) + len(one.ask))
