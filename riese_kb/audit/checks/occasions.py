"""Phases and players where they cannot occur: a part of another whole, a deed outside its phase, others in a game for one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import networkx as nx

from riese_kb.audit.book import Book, Entry, Piece, Sort, singular
from riese_kb.audit.findings import Finding, Kind, Mend, Place, Severity
from riese_kb.audit.sentences import sentences
from riese_kb.audit.spacing import spaced

_SORT = r"(phase|segment|stage|step)s?"
_MADE = re.compile(
    r"\b(?:each|every|an?|the) (?:game )?([a-z]+)(?: (?:phase|segment|stage)s?)?[^.;]{0,60}? (?:is|are) "
    r"(?:comprised of|composed of|made up of|divided into|split into) ([^.;]+)"
    r"|\b(?:each|every|a) ([a-z]+) (?:consists of|contains|has) ([^.;]+)",
    re.I,
)
_WORD = "(?<![a-z-])[a-z-]+"  # from its first letter only: a run of 15,000 letters would be tried from each of them
_PART = re.compile(rf"({_WORD}) {_SORT}\b", re.I)
_WITHIN = re.compile(r"\b(?:in|of|during|at|to|every|each) (?:the |an? |every |each )?$", re.I)
_SHARED = re.compile(rf"((?:{_WORD}, ){{1,9}}(?:and )?[a-z-]+(?: and [a-z-]+)?) {_SORT}\b", re.I)
_OF = re.compile(rf"({_WORD}) {_SORT} of (?:the|each|every|an?|any|that|this) ([a-z]+(?: [a-z]+){{0,2}})", re.I)
_SET_UP = re.compile(rf"(?:Each |Every |All |The )?([A-Za-z]+) ([a-z]+) (?:once |first )?in the ([a-z-]+) {_SORT}\b")
_WHEN = r"[^.;:,]{0,30}?\b(?:in|during) the ([a-z-]+) (phase|segment|stage|step)\b"
_DENIED = re.compile(r"\b(?:not|never|no|nobody|nothing|may|can|also|even|except|instead|only|if|when|until)\b|n't\b", re.I)


def check(book: Book) -> Iterator[Finding]:
    """Parts of wholes first, then deeds, then games for one player."""
    yield from _parts(book)
    yield from _deeds(book)
    yield from _alone(book)


def _prose(book: Book) -> Iterator[tuple[Entry, Piece]]:
    for entry, piece in book.pieces():
        if piece.sort not in (Sort.PICTURE, Sort.ROW) and not spaced(piece.text):
            yield entry, piece


# --- parts of wholes --------------------------------------------------------------------------------------------------


def _parts(book: Book) -> Iterator[Finding]:
    """``the end segment of a turn`` where the book makes up turns of phases, and only rounds of segments."""
    wholes, made = _made_up(book)
    if not wholes:
        return
    for entry, piece in _prose(book):
        for found in _OF.finditer(piece.text):
            part = f"{found[1]} {found[2]}".casefold()
            words = [(word, singular(word.casefold())) for word in found[3].split()]
            said, owner = next((two for two in words if two[1] in wholes and wholes.out_degree(two[1])), ("", ""))
            if part not in made or not owner or part in nx.descendants(wholes, owner):
                continue
            right = sorted(wholes.predecessors(part))
            yield Finding(
                Kind.SCOPE,
                Severity.MEDIUM,
                entry.at(piece),
                f"a {owner} has no {part}; it is a part of a {' or '.join(right)}",
                (made[part],),
                fix=f"{right[0]} instead of {said}" if len(right) == 1 else None,
                mend=Mend(found[0], re.sub(rf"\b{said}\b", right[0], found[0])) if len(right) == 1 else None,
            )


def _made_up(book: Book) -> tuple[nx.DiGraph[str], dict[str, Place]]:
    """What the book makes up of what: from each whole to its parts; and where each part is set up."""
    wholes: nx.DiGraph[str] = nx.DiGraph()
    made: dict[str, Place] = {}
    for entry, piece in _prose(book):
        for found in _MADE.finditer(re.sub(r"\([^)]*\)", "", piece.text)):
            whole, parts = singular((found[1] or found[3]).casefold()), found[2] or found[4]
            items = [
                item for item in _PART.finditer(parts) if not _WITHIN.search(parts[max(0, item.start() - 12) : item.start()])
            ]
            named = [(item[1], item[2]) for item in items]
            named += [(name, sort) for names, sort in _SHARED.findall(parts) for name in re.findall(r"[a-z-]+", names, re.I)]
            for name, sort in named:
                part = f"{name} {sort}".casefold()
                if len(named) > 1 and name.casefold() not in ("and", "or", whole):
                    wholes.add_edge(whole, part)
                    wholes.add_edge(part, singular(name.casefold()))  # a turn segment is a turn
                    made.setdefault(part, entry.at(piece))
    return wholes, made


# --- deeds ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _SetUp:
    who: str
    deed: str
    phase: str
    place: Place


def _deeds(book: Book) -> Iterator[Finding]:
    """``Keepers act in the tide phase`` as the book's own sentence, and one who acts in another phase elsewhere."""
    rules: dict[tuple[str, str], list[_SetUp]] = defaultdict(list)
    for entry, piece in _prose(book):
        for sentence in sentences(piece.text):
            if (found := _SET_UP.match(sentence)) and not _DENIED.search(sentence[: found.end()]):
                who, deed = singular(found[1].casefold()), _stem(found[2])
                rules[who, deed].append(_SetUp(who, deed, f"{found[3]} {found[4]}".casefold(), entry.at(piece)))
    for (who, deed), said in rules.items():
        if len({one.phase for one in said}) > 1 or len(deed) < 3:
            continue
        used = re.compile(rf"\b{re.escape(who)}s? (?:\w+ ){{0,2}}?{re.escape(deed)}(?:s|es|ed|ing)?\b{_WHEN}", re.I)
        for entry, piece in _prose(book):
            for found in used.finditer(piece.text):
                phase = f"{found[1]} {found[2]}".casefold()
                if phase != said[0].phase and not _DENIED.search(found[0]):
                    message = f"a {who} is said to {deed} in the {said[0].phase}, not in the {phase}"
                    yield Finding(Kind.SCOPE, Severity.MEDIUM, entry.at(piece), message, (said[0].place,))


def _stem(verb: str) -> str:
    return re.sub(r"(?<=[sxzho])es$|(?<=[^s])s$", "", verb.casefold())


# --- a game for one ---------------------------------------------------------------------------------------------------

_SOLO = re.compile(r"\b(?:SOLO|Solo|EINZELSPIELER|Einzelspieler|ONE PLAYER|One player)\b")
_OTHERS = re.compile(
    r"\b(?:the )?(?:other|opposing|both|remaining|all) players?\b|\b(?:the|your|an) opponents?\b"
    r"|\b(?:der|den|dem) (?:andere[nr]?|gegnerische[nr]?) Spieler\w*|\bbeide Spieler\b",
    re.I,
)


def _alone(book: Book) -> Iterator[Finding]:
    """Other players under a heading on a game for one, unless it says that there are none, or names another game too."""
    for entry in book.entries:
        if not _SOLO.search(entry.heading) or re.search(r"\b(?:co-?op|two|2|and|und)\b", entry.heading, re.I):
            continue
        for piece in entry.pieces:
            found = _OTHERS.search(piece.text)
            if found and not re.search(r"\b(?:no|not|without|instead of|unlike|kein\w*|ohne|statt)\b", piece.text, re.I):
                message = f"in a game for one there is nobody to be called {found[0]!r}"
                yield Finding(Kind.SCOPE, Severity.MEDIUM, entry.at(piece), message, (entry.place,))
