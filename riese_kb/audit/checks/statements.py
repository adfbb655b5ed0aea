"""Statements held against each other: bans of unequal width, cases of a roll with holes, phases that the book does not have."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from riese_kb.audit.book import Book, Entry, Piece, Sort, plain, short, singular
from riese_kb.audit.findings import Finding, Kind, Severity
from riese_kb.audit.spacing import spaced


def check(book: Book) -> Iterator[Finding]:
    """Bans first, then cases, then phases."""
    yield from _bans(book)
    yield from _cases(book)
    yield from _phases(book)


# --- two bans ---------------------------------------------------------------------------------------------------------

_ALL = re.compile(r"\b(?:not|never) \w+ any (?:(?P<what>\w+) )?(?P<noun>modifiers|penalties|bonuses|rules|costs|effects)\b", re.I)
_SOME = re.compile(
    r"\b[Nn]o (?P<what>\w+) (?P<noun>modifiers|penalties|bonuses|rules|costs|effects) (?:apply|are applied|count|are used)\b"
)


def _bans(book: Book) -> Iterator[Finding]:
    """One entry bans all of a thing and another, on the same procedure, only some: then the rest both applies and does not."""
    wide = [(e, p, found) for e, p in book.pieces() for found in _ALL.finditer(p.text)]
    narrow = [(e, p, found) for e, p in book.pieces() for found in _SOME.finditer(p.text)] if wide else []
    for entry, piece, ban in wide:
        for other, again, part in narrow:
            if (
                entry is other
                or ban["noun"].lower() != part["noun"].lower()
                or part["what"].lower() == (ban["what"] or "").lower()
            ):
                continue
            if _same_procedure(entry, other):
                yield Finding(
                    Kind.CONFLICT,
                    Severity.MEDIUM,
                    entry.at(piece),
                    f"no {part['noun']} at all here, but under {short(other.heading)!r} only no {part['what']} {part['noun']}",
                    (other.at(again),),
                )


def _same_procedure(one: Entry, other: Entry) -> bool:
    """Whether two entries have a passage in common, or nearly: they describe one thing."""
    left, right = ([plain(p.text).split() for p in e.pieces if len(p.text.split()) >= 8] for e in (one, other))
    return any(SequenceMatcher(None, a, b, autojunk=False).ratio() > 0.8 for a in left for b in right)


# --- cases of a roll --------------------------------------------------------------------------------------------------

_CASE = re.compile(r"\b(?:[Oo]n an?|[Bb]ei) (?:roll of |result of |Wurf von )?(\d{1,2})(?: ?[-–] ?(\d{1,2})|(\+))?(?= |,|:)")
_ROLLED = re.compile(r"\b(?:[Rr]oll(?:s|ed)?|würfelt) (?:a |an |mit )?1?[dDwW](\d{1,2})\b")
_ELSE = re.compile(r"\b(?:otherwise|else|any other|all other|sonst|andernfalls|reroll)\b", re.I)


def _cases(book: Book) -> Iterator[Finding]:
    """``On a 1-5 … on a 6-12 …`` after a roll: faces between the first and the last case, or above it, that no case covers."""
    for entry in book.entries:
        rolled: int | None = None
        cases: list[tuple[Piece, int, int]] = []
        words = ""
        for piece in [*entry.pieces, None]:
            die = _ROLLED.search(piece.text) if piece is not None else None
            if piece is None or die:
                yield from _covered(entry, rolled, cases, words)
                rolled, cases, words = (int(die[1]) if die else None), [], ""
            if piece is None or rolled is None or piece.sort is Sort.PICTURE:
                continue
            words += f" {piece.text}"
            for low, high, plus in _CASE.findall(piece.text):
                cases.append((piece, int(low), int(high) if high else rolled if plus else int(low)))


def _covered(entry: Entry, die: int | None, cases: list[tuple[Piece, int, int]], words: str) -> Iterator[Finding]:
    ranges = list(dict.fromkeys((low, high) for _, low, high in cases))
    if die is None or len(ranges) < 2 or ranges[0][0] != 1 or ranges != sorted(ranges) or _ELSE.search(words):
        return  # a single case, or one that does not begin at 1, leaves the rest to "nothing happens"
    if any(high > die or low > high for low, high in ranges):
        return
    missing = sorted(set(range(1, die + 1)) - {face for low, high in ranges for face in range(low, high + 1)})
    if missing:
        piece = next((p for p, _, high in cases if high == missing[0] - 1), cases[0][0])
        named = str(missing[0]) if len(missing) == 1 else f"{missing[0]}-{missing[-1]}"
        yield Finding(Kind.GAP, Severity.MEDIUM, entry.at(piece), f"no case says what happens on {named} of the d{die}")
    for (one, low, high), (other, first, last) in pairwise(cases):
        if low < first <= high < last:
            yield Finding(
                Kind.CONFLICT,
                Severity.MEDIUM,
                entry.at(other),
                f"the cases {low}-{high} and {first}-{last} of the d{die} overlap",
                (entry.at(one),),
            )


# --- phases -----------------------------------------------------------------------------------------------------------

_PHASE = re.compile(r"(?<![\w-])(?:the|each|every|its|their|his) ([a-zA-Z-]{3,14}) (phase|segment|stage|track|player)\b")
_GERMAN = re.compile(r"\b([A-ZÄÖÜ][a-zäöü]{3,})(phase)\b")


def _phases(book: Book) -> Iterator[Finding]:
    """A phase, a track or a player used once or twice, in a book that has others, and set up nowhere."""
    uses: dict[tuple[str, str], list[tuple[Entry, Piece]]] = defaultdict(list)
    for entry, piece in book.pieces():
        if not spaced(piece.text) and piece.sort is not Sort.PICTURE:
            for what, sort in (*_PHASE.findall(piece.text), *_GERMAN.findall(piece.text)):
                uses[what.casefold(), sort].append((entry, piece))
    common = Counter(sort for (what, sort), places in uses.items() for _ in places)
    for (what, sort), places in uses.items():
        if common[sort] < 4 or len(places) > 2 or _ORDER.fullmatch(what):
            continue
        joined = what + sort if _GERMAN.fullmatch(what.capitalize() + sort) and not book.labels.get(what) else ""
        names = {f"{what} {sort}", joined, what} - {""}
        if any(singular(plain(name)) in book.word_runs for name in names) or _set_up(book, what, sort):
            continue
        entry, piece = places[0]
        usual = [w for (w, s), found in uses.items() if s == sort and len(found) > 2]
        yield Finding(
            Kind.SCOPE,
            Severity.MEDIUM if usual else Severity.LOW,
            entry.at(piece),
            f"no {what} {sort} is set up anywhere" + (f"; the book has: {', '.join(sorted(usual)[:5])}" if usual else ""),
            tuple(e.at(p) for e, p in places[1:2]),
        )


_ORDER = re.compile(
    r"first|second|third|fourth|last|next|previous|current|same|following|subsequent|whole|entire|main|th[ia][st]|other|new|"
    r"active|winning|losing|left|right|own|single|opposing|regular|normal|actual|\w+(?:ed|ing)"
)
"""Words beside ``phase`` that name none."""


def _set_up(book: Book, what: str, sort: str) -> bool:
    """``a start phase, an action phase and a final phase``: introduced with an article of its own."""
    return re.search(rf"\b(?:an?|eine) {what}[ -]?{sort}\b", book.text, re.I) is not None
