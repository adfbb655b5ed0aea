"""The search itself: which looks are taken (``guess``), in which order, and what follows from what they find.

Figures are added one by one, on a small map first, since that takes a moment. Then the whole map is searched for anything that
comes before what was found: fewer figures, fewer features, a smaller map. That this fails is the proof that nothing does.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct

from riese_kb.board import System
from riese_kb.jobs import ALONE, How, crc_of, done, first
from riese_kb.program import program
from riese_kb.tables import data_root
from riese_kb.witness.asked import Sort
from riese_kb.witness.guess import Found, Look, Stopped, found_of
from riese_kb.witness.jobdata import finished, known_by
from riese_kb.witness.order import FLOORS, NOTHING, Size, size_of
from riese_kb.witness.seeds import from_stored
from riese_kb.witness.sides import Pair

SHARE = 0.7
"""Of the time that is left, what a search has that many boards can be too much for; the rest is for the shipped boards."""
SMALL = 3
"""Width and height of the map that is searched first."""


class Outcome(StrEnum):
    """How a search ends."""

    CONFLICT = "conflict"
    SAME = "same within bound"
    UNDECIDED = "undecided"


class Result(Struct, frozen=True):
    """The outcome, the witness where there is one, whether nothing comes before it, and the bound of the search.

    ``stopped``: Ctrl-C ended it, and the witness is the best so far. ``found_after`` so many of the ``seconds`` it was there.
    """

    outcome: Outcome
    bound: str
    found: Found | None = None
    minimal: bool = False
    seconds: float = 0.0
    stopped: bool = False
    found_after: float = 0.0


class Search:
    """One kind of question, one pair of laws, up to so many figures on a map of that size; ``until`` is a time of the clock."""

    def __init__(
        self, pair: Pair, sort: Sort, system: System, limit: tuple[int, int], figures: int, until: float, how: How
    ) -> None:
        self.pair, self.sort, self.system = pair, sort, system
        self.limit, self.figures, self.until, self.how = limit, figures, until, how
        self.stamp = [crc_of(path) for path in pair.files]
        self.begun = time.monotonic()
        self.best: Found | None = None
        self.found_after = 0.0

    @property
    def bound(self) -> str:
        """What was looked through."""
        width, height = self.limit
        return f"boards up to {width}x{height} with up to {self.figures} figures, {self.sort.asked(self.limit).bound}"

    def run(self) -> Result:
        """Search up to the bound, smallest boards first; Ctrl-C ends it with the best so far."""
        outcome, minimal, stopped = Outcome.SAME, True, False
        try:
            numbers = self._numbers()
            for plainly in (True, False):
                if self._least(numbers, plainly):
                    outcome = Outcome.CONFLICT
                    break
        except (TimeoutError, KeyboardInterrupt) as end:
            stopped = isinstance(end, KeyboardInterrupt)
            if isinstance(end, Stopped) and end.best is not None:
                self.best = end.best if self.best is None else min(self.best, end.best, key=lambda found: found.size or ())
            outcome, minimal = (Outcome.CONFLICT if self.best else Outcome.UNDECIDED), False
        seconds = time.monotonic() - self.begun
        return Result(outcome, self.bound, self.best, minimal and self.best is not None, seconds, stopped, self.found_after)

    def _numbers(self) -> list[int]:
        """The numbers of figures that have to be looked at; of rule files, those where anything hangs on what differs."""
        numbers = range(self.sort.fewest, self.figures + 1)
        if not self.pair.files:
            return [*numbers]
        looks = [self._look(self.limit, number, touches=True) for number in numbers]
        results = [result for _, result in sorted(self._done(looks), key=lambda one: one[0])]
        if not all(result["complete"] for result in results):
            raise TimeoutError
        return [number for number, result in zip(numbers, results, strict=True) if result["possible"]]

    def _least(self, numbers: Sequence[int], plainly: bool) -> bool:
        """Look for the smallest board, with the fewest figures first; whether there is one."""
        width, height = self.limit
        small = (min(width, SMALL), min(height, SMALL))
        self._first([self._look(small, number, plainly) for number in numbers])
        if small != self.limit:
            most = self.best.size.figures if self.best is not None and self.best.size is not None else self.figures + 1
            self._first([self._look(self.limit, number, plainly) for number in numbers if number < most])
        while self.best is not None and self.best.size is not None and self._first(self._before(self.best.size, plainly)):
            pass
        return self.best is not None

    def _before(self, size: Size, plainly: bool) -> list[Look]:
        """What finds a board that comes before one with as many figures: fewer features on any map, or a smaller map."""
        fewer = [self._look(self.limit, size.figures, plainly, size.features - 1)] if size.features else []
        shapes = _shapes(self.limit, size.area - 1)
        return fewer + [self._look(shape, size.figures, plainly, size.features) for shape in shapes]

    def _look(
        self, limit: tuple[int, int], figures: int, plainly: bool = False, features: int | None = None, touches: bool = False
    ) -> Look:
        return Look(self.pair, self.sort.name, self.system, limit, figures, plainly, features, touches)

    def _jobs(self, looks: Sequence[Look]) -> list[dict[str, Any]]:
        return [{"look": msgspec.to_builtins(one), "stamp": self.stamp, "until": self.until} for one in looks]

    def _done(self, looks: Sequence[Look]) -> Iterator[tuple[int, Any]]:
        return done(LOOK, self._jobs(looks), self.how, known_by, finished)

    def _first(self, looks: Sequence[Look]) -> bool:
        """Keep the first board that one of these finds, in their order; whether there is one. Raises ``TimeoutError``."""
        hit = first(LOOK, self._jobs(looks), self.how, _ends, known_by, finished)
        if hit is None:
            return False
        if hit["found"] is not None:
            self.best, self.found_after = found_of(hit["found"]), time.monotonic() - self.begun
        if not hit["complete"]:
            raise TimeoutError
        return True


LOOK = "riese_kb.witness.guess:look"


def _ends(result: dict[str, Any]) -> bool:
    return result["found"] is not None or not result["complete"]


def _shapes(limit: tuple[int, int], area: int) -> list[tuple[int, int]]:
    """The largest maps of that area at most: every smaller one is part of one of them."""
    fit = [(width, min(limit[1], area // width)) for width in range(1, limit[0] + 1) if area >= width]
    return [shape for shape in fit if not any(shape != o and shape[0] <= o[0] and shape[1] <= o[1] for o in fit)]


def search(
    pair: Pair,
    sorts: Sequence[Sort],
    system: System,
    limit: tuple[int, int],
    figures: int,
    seconds: float,
    progress: Callable[[str], None] = lambda _: None,
    asks: str = "",
    *,
    how: How = ALONE,
) -> Result:
    """Try kinds of questions one after the other; the first on which the laws differ is the one that is told.

    Where no kind that clingo can guess tells them apart, the shipped boards are tried, and made smaller one thing at a time.
    ``asks``: only questions that begin with that word. ``how``: where the jobs run that the search consists of.
    Ctrl-C ends it with the best witness so far.
    """
    begun, until = time.monotonic(), time.time() + seconds
    bounds, all_seen = [], True
    for sort in () if system.on_rings else sorts:
        if not _concerns(pair, sort, system) or asks not in ("", sort.name):
            continue
        progress(sort.name)
        enough = until if not sort.by_cast else until - (1 - SHARE) * (until - time.time())
        result = Search(pair, sort, system, limit, figures, enough, how).run()
        bounds.append(result.bound)
        all_seen = all_seen and result.outcome is Outcome.SAME
        if result.outcome is Outcome.CONFLICT or result.stopped or not (all_seen or sort.by_cast):
            return result
    if bounds and pair.files:  # what rule files derive is looked for on every board
        return Result(Outcome.SAME, "; ".join(bounds), seconds=time.monotonic() - begun)
    progress("shipped boards")
    case, stopped = from_stored(pair, system, until, asks, how)
    bound = "; ".join([*bounds, "the shipped boards"])
    if case is not None:
        found = Found(case[0], case[1], size_of(case[0]))
        least = found.size is not None and found.size <= floor(pair, system)
        bound += "; nothing less can be asked about" if least else ""
        took = time.monotonic() - begun
        return Result(Outcome.CONFLICT, bound, found, least, took, stopped, took)
    outcome = Outcome.SAME if bounds and all_seen and not stopped and time.time() < until else Outcome.UNDECIDED
    return Result(outcome, bound, seconds=time.monotonic() - begun, stopped=stopped)


def floor(pair: Pair, system: System) -> Size:
    """The least board on which a program that asks for what the two laws differ in can be asked at all: no other can tell them
    apart.
    """
    if system.on_rings:
        return NOTHING
    folder = os.path.join(data_root(), "queries")
    names = [name.removesuffix(".lp") for name in os.listdir(folder) if name.endswith(".lp") and not name.startswith("t_")]
    asked = [name for name in names if (law := program(system, name)).readings & pair.readings or law.rules & pair.switches]
    return min((FLOORS.get(name, NOTHING) for name in asked), default=NOTHING)


def _concerns(pair: Pair, sort: Sort, system: System) -> bool:
    """Whether the program of a kind of question asks for what the two laws differ in."""
    if (pair.files and not sort.files) or pair.readings & sort.not_about:
        return False
    law = program(system, sort.asked((1, 1)).query)
    return bool(pair.files or pair.readings & law.readings or pair.switches & law.rules)
