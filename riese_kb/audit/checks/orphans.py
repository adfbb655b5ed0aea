"""Text under no heading, bullets without text, headings without any."""

from __future__ import annotations

import re
from collections.abc import Iterator

from riese_kb.audit.book import Book, Sort
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
    entry = book.entries[0]
    at = {e.line: e for e in book.entries}
    for number, line in enumerate(book.lines, 1):
        entry = at.get(number, entry)
        if line.strip() in ("-", "•"):
            following = next((one.strip() for one in book.lines[number:] if one.strip()), "")
            if not following or following in ("-", "•") or following.startswith(("- ", "• ")):
                yield Finding(Kind.ORPHAN, Severity.MEDIUM, Place(number, entry.heading), "this bullet has no text")


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
