"""Which page of the printed book a line of its text stands on, where the text bears marks of its pages.

Marks are lines with nothing but a number (``- 19 -``, ``Page 19``, ``19``) that rise through the book, else form feeds.
Whether a number stands at the head or the foot of its page, and how many pages come before the first form feed, no text
says: those ways to count are kept that most of the book's own references agree with.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

_MARK = re.compile(r"(?:[-–—|\[(] ?(\d{1,3}) ?[-–—|\])]|(?:Page|PAGE|Seite|SEITE|S\.|p\.) (\d{1,3})|(\d{1,3}))")
SPARSE = 5
"""Lines of a page at least; numbers that follow closer count something else."""


def page_marks(lines: Sequence[str]) -> dict[int, int]:
    """The page number of every line, from 1, that is a mark and nothing else; empty where numbers do not rise as pages do."""
    found = [(at, int(next(n for n in mark.groups() if n))) for at, line in enumerate(lines, 1) if (mark := _mark(line))]
    series = rising(found)
    if len(series) < 3 or len(series) < 0.8 * len(found):
        return {}
    room = sum(1 for line in lines[series[0][0] : series[-1][0]] if line.strip())
    steps = [later - page for (_, page), (_, later) in pairwise(series)]
    return dict(series) if room >= SPARSE * len(series) and sorted(steps)[len(steps) // 2] <= 2 else {}


def _mark(line: str) -> re.Match[str] | None:
    return _MARK.fullmatch(line.strip()) if line[:40].strip() and len(line) < 60 else None


def rising(found: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest series of places whose numbers rise."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for at, (_, page) in enumerate(found):
        place = bisect_left(ends, page)
        before.append(last[place - 1] if place else -1)
        ends[place : place + 1] = [page]
        last[place : place + 1] = [at]
    series = []
    at = last[-1] if last else -1
    while at >= 0:
        series.append(found[at])
        at = before[at]
    return series[::-1]


@dataclass(frozen=True)
class Pages:
    """The pages of a book: lines at which they change, and the ways to count that its references agree with."""

    starts: tuple[int, ...]
    """Lines with a mark, or after a form feed."""
    numbers: tuple[int, ...]
    """The page each mark names; of form feeds how many there were."""
    shifts: tuple[int, ...] = (0, 1)
    """What is added to the number of the mark above a line: 0 where it is the page's head, 1 where it is the foot."""

    spare: bool = True
    """Whether a page without a number may follow the last mark."""

    @classmethod
    def of(cls, lines: Sequence[str], marks: dict[int, int], said: Iterable[tuple[int, int]]) -> Pages | None:
        """The pages of a text without those ways to count that fewer of ``said`` (a line, its page) agree with."""
        if marks:
            pages = cls(tuple(marks), tuple(marks.values()))
        else:
            end = max((at for at, line in enumerate(lines, 1) if line.strip()), default=0)
            feeds = [at for at, line in enumerate(lines[:end], 1) for _ in range(line.count("\f"))]
            if len(feeds) < 2:
                return None
            pages = cls(tuple(feeds), tuple(range(1, len(feeds) + 1)), (1,), spare=False)
        fits: Counter[int] = Counter()
        for line, page in said:
            counted = pages.numbers[pages._above(line)] if pages._above(line) >= 0 else pages.numbers[0] - 1
            shift = page - counted
            if shift in pages.shifts or (not marks and abs(shift) <= 20):
                fits[shift] += 1
        most = max(fits.values(), default=0)
        if most >= (1 if marks else 3):
            pages = replace(pages, shifts=tuple(shift for shift, n in fits.items() if n == most))
        return pages

    def _above(self, line: int) -> int:
        return bisect_right(self.starts, line) - 1

    def on(self, line: int) -> set[int]:
        """The pages that a line may stand on: one for each way to count; more where marks between are missing."""
        at = self._above(line)
        below = self.numbers[at + 1] if at + 1 < len(self.numbers) else None
        if at < 0:
            return set(range(self.numbers[0] + max(self.shifts)))
        here = self.numbers[at]
        missing = range(here, below) if below is not None else (here, here + 1)
        return {page + shift for shift in self.shifts for page in missing}

    @property
    def last(self) -> int:
        """The highest number that a page can have."""
        return self.numbers[-1] + (1 if self.spare else max(self.shifts))
