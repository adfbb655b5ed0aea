"""Plain statements of any book: what a thing has or costs, and what it may or may not do, held against each other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from riese_kb.audit.book import Book, Entry, Piece, Sort, plain, singular
from riese_kb.audit.findings import Finding, Kind, Severity
from riese_kb.audit.sentences import sentences
from riese_kb.audit.spacing import spaced
from riese_kb.audit.told import NUMBERS

_NUMBER = rf"(\d{{1,3}}|{'|'.join(NUMBERS)})"
_WHO = r"((?:(?:An?|The|Each|Every|All|Eine?|Der|Die|Das|Jede[rs]?|Alle) (?:[\w-]+ ){0,2}|[A-ZÄÖÜ])[\w-]+)"
_AMOUNT = re.compile(
    rf"{_WHO} (?:only )?(has|have|costs?|carries|carry|begins? with|starts? with|hat|haben|kostet|kosten|trägt|tragen)"
    rf" (?:only |exactly |nur |genau )?{_NUMBER} ((?:[\w-]+ (?:of|an) )?[\w-]+)"
)
_DEED = re.compile(rf"{_WHO} (may not|may never|cannot|can not|may|can|darf nicht|darf|kann nicht|kann) (.+)$")
_PRONOUNS = re.compile(
    "it|they|s?he|you|we|i|this|that|these|those|there|who|all|each|er|sie|es|wir|ihr|dies|diese|dieser|alle|man|wer"
)
_VERBS = {"have": "has", "cost": "costs", "carry": "carries", "begin with": "begins with", "haben": "hat", "kosten": "kostet"}
_DENIED = frozenset({"may not", "may never", "cannot", "can not", "darf nicht", "kann nicht"})
_SCOPED = re.compile(
    r"\b(?:if|when|while|until|unless|except|instead|but|only|before|after|during|as|with|without|otherwise|also|more|additional|"
    r"wenn|falls|während|bis|außer|statt|sondern|nur|vor|nach|solange|mit|ohne|sonst|auch|mehr|zusätzlich\w*)\b",
    re.I,
)
"""Words that narrow a statement: two of them need not speak of one case."""


@dataclass(frozen=True)
class _Said:
    entry: Entry
    piece: Piece
    value: str


def check(book: Book) -> Iterator[Finding]:
    """Amounts first, then permissions; only whole sentences without a condition count."""
    amounts: dict[tuple[str, ...], list[_Said]] = defaultdict(list)
    deeds: dict[tuple[str, str], list[_Said]] = defaultdict(list)
    for entry, piece in book.pieces():
        if piece.sort in (Sort.ROW, Sort.PICTURE) or spaced(piece.text):
            continue
        for sentence in sentences(piece.text):
            text = sentence.rstrip(".!?;: ")
            if (found := _AMOUNT.match(text)) and not _SCOPED.search(text[: found.end()]):
                number = found[3] if found[3].isdigit() else str(NUMBERS[found[3]])
                amounts[_noun(found[1]), _VERBS.get(found[2], found[2]), _noun(found[4])].append(_Said(entry, piece, number))
            if (found := _DEED.match(text)) and not _SCOPED.search(text):
                denied = "not" if found[2] in _DENIED else ""
                deeds[_noun(found[1]), _noun(found[3])].append(_Said(entry, piece, denied))
    for (who, _, unit), said in amounts.items():
        if _PRONOUNS.fullmatch(who):
            continue
        yield from _differing(said, f"{who}: {{0}} {unit} here, {{1}} there")
    for (who, deed), said in deeds.items():
        if _PRONOUNS.fullmatch(who):
            continue
        what = " ".join(deed.split()[:6])
        yield from _differing(said, f"{who}: {what}, which is {{0}} here and {{1}} there", {"not": "forbidden", "": "allowed"})


def _noun(words: str) -> str:
    return re.sub(r"^(?:an?|the|each|every|all|eine?|der|die|das|jeder?s?|alle) ", "", singular(plain(words)))


def _differing(said: list[_Said], message: str, names: dict[str, str] | None = None) -> Iterator[Finding]:
    """The first statement that says otherwise than the one before it."""
    first = said[0]
    other = next((one for one in said if one.value != first.value and one.piece.line != first.piece.line), None)
    if other is not None:
        here, there = (names[one.value] if names else one.value for one in (other, first))
        yield Finding(
            Kind.CONFLICT,
            Severity.MEDIUM,
            other.entry.at(other.piece),
            message.format(here, there),
            (first.entry.at(first.piece),),
        )
