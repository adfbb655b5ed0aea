"""Text under no heading, bullets without text, headings without any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from riese_kb.audit.book import Book, Entry, Sort
from riese_kb.audit.findings import Finding, Kind, Place, Severity


def check(book: Book) -> Iterator[Finding]:
    """Before the first heading, empty bullets, empty entries among full ones, and items of another list."""
    for entry in book.entries[:1]:
        if not entry.heading:
            for piece in [p for p in entry.pieces if len(p.text.split()) > 8 or p.text.endswith((".", "!", "?"))][:1]:
                yield Finding(Kind.ORPHAN, Severity.MEDIUM, Place(piece.line, ""), "this text stands under no heading")
    yield from _empty_bullets(book)
    yield from _stray_items(book)


def _empty_bullets(book: Book) -> Iterator[Finding]:
    """Bullets that no text follows; those of a run are one finding."""
    headings = {entry.line: entry for entry in book.entries}
    entry = book.entries[0]
    runs: list[tuple[Entry, int, int]] = []
    before = 0  # how many empty bullets end with the line above
    lines = [(number, line.strip()) for number, line in enumerate(book.lines, 1) if line.strip()]
    for (number, line), (_, following) in pairwise([*lines, (0, "-")]):
        entry = headings.get(number, entry)
        if line in _BULLETS and (following in _BULLETS or following.startswith(("- ", "• "))):
            if before:
                owner, first, _ = runs.pop()
            else:
                owner, first = entry, number
            before += 1
            runs.append((owner, first, before))
        else:
            before = 0
    for owner, first, count in runs:
        more = f", nor have the {count - 1} below it" if count > 1 else ""
        yield Finding(Kind.ORPHAN, Severity.MEDIUM, Place(first, owner.heading), f"this bullet has no text{more}")


_BULLETS = ("-", "•")


def _stray_items(book: Book) -> Iterator[Finding]:
    """A bullet that is alone in having, or not having, the label that all others of its list begin with."""
    for entry in book.entries:
        run = []
        for piece in [*entry.pieces, None]:
            if piece is not None and piece.sort is Sort.BULLET:
                run.append(piece)
                continue
            labelled = [p for p in run if re.match(r"[A-ZÄÖÜ][A-ZÄÖÜ &/-]{2,40}:", p.text)]
            if len(run) >= 5 and len(labelled) == len(run) - 1:
                stray = next(p for p in run if p not in labelled)
                yield Finding(
                    Kind.ORPHAN,
                    Severity.LOW,
                    entry.at(stray),
                    "all other items of this list begin with a name, this one does not",
                )
            run = []
