"""Signs at odds with their words: a drawback that is taken off where the book's other drawbacks are added, and the reverse."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from riese_kb.audit.book import Book, Entry, Piece, Sort
from riese_kb.audit.findings import Finding, Kind, Mend, Severity
from riese_kb.audit.spacing import spaced

_HARMS = re.compile(
    r"\b(?:penalt(?:y|ies)|penali[sz]ed|harder|more difficult|disadvantage|drawback|hampered|suffers?|"
    r"but (?:[^.]{0,40}\b)?also (?:receives?|gets?|takes?)|Malus|Abzug|Nachteil|erschwert|schwerer|schwieriger)\b"
)
_HELPS = re.compile(r"\b(?:bonus(?:es)?|easier|advantage|Bonus|Vorteil|erleichtert|leichter|einfacher)\b")
_LIFTED = re.compile(
    r"\b(?:not?|never|without|ignores?|instead|except|lessens?|reduces?|removes?|eliminates?|cancels?|nicht|keine?n?|ohne|statt|ignoriert)\b",
    re.I,
)
_SIGNED = re.compile(r"(?<![\w/+-])([+−-])(\d{1,2})(?![\d/-])(?: (attack modifier|[^\W\d_]+))?")


@dataclass(frozen=True)
class _Said:
    """One signed number whose sentence says whether it is a drawback or a benefit."""

    entry: Entry
    piece: Piece
    printed: str
    harms: bool
    added: bool


def check(book: Book) -> Iterator[Finding]:
    """For every unit that signed numbers have: the few that go against the sign of the many."""
    said: dict[str, list[_Said]] = defaultdict(list)
    for entry, piece in book.pieces():
        if piece.sort not in (Sort.PICTURE, Sort.ROW) and not spaced(piece.text):
            for unit, one in _told(entry, piece):
                said[unit].append(one)
    for unit, several in said.items():
        # Drawbacks are added and benefits taken off, or the other way round.
        usual = [one for one in several if one.harms == one.added]
        odd = [one for one in several if one.harms != one.added]
        if len(odd) > len(usual):
            usual, odd = odd, usual
        if len(usual) >= max(2, 2 * len(odd)):
            yield from (_finding(one, usual, unit) for one in odd)


def _told(entry: Entry, piece: Piece) -> Iterator[tuple[str, _Said]]:
    for sentence in _clauses(piece.text):
        harms, helps = _HARMS.search(sentence), _HELPS.search(sentence)
        numbers = list(_SIGNED.finditer(sentence))
        if bool(harms) == bool(helps) or len({number[1] for number in numbers}) != 1 or _LIFTED.search(sentence):
            continue
        for number in numbers:
            yield _unit(number[3]), _Said(entry, piece, f"{number[1]}{number[2]}", bool(harms), number[1] == "+")


def _clauses(text: str) -> Iterator[str]:
    """Sentences; their parts where each has a number of its own and a word on what it is."""
    for sentence in re.split(r"[.;:!?](?=\s|$)", text):
        parts = re.split(r",? (?:and|but|und|aber) ", sentence)
        alone = len(parts) > 1 and all(_SIGNED.search(p) and (_HARMS.search(p) or _HELPS.search(p)) for p in parts)
        yield from parts if alone else [sentence]


def _unit(words: str | None) -> str:
    """``AM`` is short for ``attack modifier``; little words after a number are no unit."""
    if words is None or (words.islower() and " " not in words):
        return ""
    return "".join(word[0] for word in words.split()).upper() if " " in words else words


def _finding(one: _Said, usual: list[_Said], unit: str) -> Finding:
    what, other = ("a drawback", "a benefit") if one.harms else ("a benefit", "a drawback")
    turned = f"{'-' if one.added else '+'}{one.printed[1:]}"
    example = next((same for same in usual if same.harms == one.harms), usual[0])
    means = what if example.harms == one.harms else other
    return Finding(
        Kind.SIGN,
        Severity.MEDIUM,
        one.entry.at(one.piece),
        f"{one.printed} {unit}".rstrip() + f" is told as {what} here; elsewhere {means} is {example.printed}",
        (example.entry.at(example.piece),),
        fix=f"{turned} instead of {one.printed}",
        mend=Mend(one.printed, turned),
    )
