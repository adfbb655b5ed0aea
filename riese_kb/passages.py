"""A book's text in passages: the smallest pieces that say something, each with its place and its fingerprint.

A passage is a sentence of a paragraph, of a bullet or of a note, a row of a table, or a picture (a transcription
describes it in brackets). Headings, names of tables and their first rows are no passages: a heading names the entry
that passages are counted in, the others are part of the fingerprint of every row below them. So every line of the book
is accounted for in one of these ways.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from msgspec import Struct

from riese_kb.fingerprint import Entry, Piece, Sort, entries, fingerprint, heading_like

LONGEST_HEADING = 9
"""Words of a heading that is named in full."""
OPENING = "opening"
"""The chapter before the first letter of the glossary."""


class Passage(Struct, frozen=True):
    """One passage: the ``ordinal``-th (from 1) of the entry ``entry``, on line ``line`` (from 1) of the book.

    ``chapter`` is a letter of the glossary, an appendix, or ``OPENING``; ``mark`` the fingerprint of the wording.
    """

    chapter: str
    entry: str
    ordinal: int
    line: int
    mark: str
    text: str


def passages(book: str, parts: Collection[str] = ()) -> Iterator[Passage]:
    """All passages of a book's plain text, in its order. A paragraph and a bullet must stand on one line each.

    ``parts``: the headings that begin a chapter in a book without letters and appendices.
    """
    chapter, seen = OPENING, Counter[str]()
    for entry in entries(_one_kind_of_line_end(book)):
        chapter = entry.part.partition(",")[0] or (
            entry.heading if entry.heading in parts or re.fullmatch("[A-Z]", entry.heading) else chapter
        )
        heading = _in_short(entry.heading)
        name = f"{entry.part}, {heading}" if entry.part else heading
        seen[name] += 1
        if seen[name] > 1:
            name = f"{name} [{seen[name]}]"
        for ordinal, (piece, text, mark) in enumerate(_parts(entry), 1):
            yield Passage(chapter, name, ordinal, piece.number, mark, text)


def _in_short(heading: str) -> str:
    """A heading as the account names it: what runs on is a line of text that looks like one, and the account holds no text."""
    words = heading.split()
    return heading if len(words) <= LONGEST_HEADING else f"{' '.join(words[: LONGEST_HEADING // 2])} …"


def _one_kind_of_line_end(book: str) -> str:
    """Only real line ends count as such, so that the numbers of lines are those that an editor shows."""
    return re.sub("[\v\f\x1c-\x1e\x85\u2028\u2029]", " ", book.replace("\r\n", "\n").replace("\r", "\n"))


def _parts(entry: Entry) -> Iterator[tuple[Piece, str, str]]:
    head: list[Piece] = []
    for piece in entry.pieces:
        if piece.sort is Sort.ROW and piece.series:
            yield piece, piece.text, fingerprint([*head, piece])
        elif piece.sort is Sort.ROW:
            head = [*(p for p in head if p.sort is Sort.CAPTION), piece]
        elif piece.sort is Sort.CAPTION and heading_like(piece.text) and ":" not in piece.text:
            head = [piece]
        elif piece.sort is Sort.PICTURE:
            yield piece, piece.text, fingerprint([piece])
        else:
            head = []
            for text in sentences(piece.text):
                yield piece, text, fingerprint([Piece(piece.sort, text, piece.number)])


_END = re.compile(r"""(?<=[.!?])(?P<closing>["”')\]]*)\s+(?=["“'\[]?[A-ZÄÖÜ])""")
_SHORT = {"e.g.", "i.e.", "vs.", "mk.", "no.", "sgt.", "cpl.", "lt.", "dr.", "appx.", "approx."}


def sentences(text: str) -> list[str]:
    """The sentences of a text; abbreviations of the books end none."""
    found, start = [], 0
    for end in _END.finditer(text):
        before = text[start : end.start()]
        if before.casefold().split()[-1].lstrip('("“[') in _SHORT and not end["closing"]:
            continue
        found.append(text[start : end.end("closing")])
        start = end.end()
    return [*found, text[start:]]
