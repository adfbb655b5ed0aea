"""What a passage says of a moment of the round, held against the rules that we have of the game: who acts, and what happens when.

The engine is asked once, on a board with something of everything; clingo compares what it has with what all passages say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from riese_kb.audit.book import Book, Entry, Piece, Sort
from riese_kb.audit.findings import Finding, Kind, Severity
from riese_kb.audit.sentences import sentences
from riese_kb.board import System
from riese_kb.facts import fact

PROGRAM = """
% Given:  has(Event,Sort,Moment)     by the rules of the game; Sort: the turn, or the part of a turn or round
%         said(N,Event,Sort,Moment)  by passage N.  Of an event that the game never has it is silent.
% Gives:  wrong(N,Event,Sort): no such moment holds it;  right(N,Moment): one that does
wrong(N,E,S) :- said(N,E,S,M), has(E,S,_), not has(E,S,M).
right(N,M) :- wrong(N,E,S), has(E,S,M).
"""


@dataclass(frozen=True)
class _Said:
    """An event, the sort of moment (``turn`` or ``part``), the moment, and where it is said."""

    event: str
    sort: str
    moment: str
    entry: Entry
    piece: Piece


def check(book: Book, system: System) -> Iterator[Finding]:
    """Every passage that says plainly when something happens; what may be done at any moment is another thing."""
    said = list(_said(book))
    if not said:
        return
    from riese_kb.solver import run

    has, asked = _moments(system)
    facts = [fact("has", *one) for one in has]
    facts += [fact("said", number, one.event, one.sort, one.moment) for number, one in enumerate(said)]
    found = run(PROGRAM, "\n".join(facts), shown=[("wrong", 3), ("right", 2)])
    right: dict[int, list[str]] = {}
    for number, moment in sorted(found.get("right", ())):
        right.setdefault(int(number), []).append(str(moment))
    wrong = [said[number] for number in sorted({int(number) for number, _, _ in found.get("wrong", ())})]
    strangers = [one for one in wrong if one.event == FIGURES]
    for one in wrong:
        if one not in strangers[1:]:
            others = tuple(other.entry.at(other.piece) for other in strangers[1:]) if one in strangers else ()
            message = _message(one, right.get(said.index(one), []))
            yield Finding(Kind.SCOPE, Severity.MEDIUM, one.entry.at(one.piece), message, others, witness=asked)


FIGURES = "figures"
"""Not an event, but that there are such figures at all."""


def _message(one: _Said, right: list[str]) -> str:
    if one.event == FIGURES:
        return f"this game has no {one.moment}"
    where = "the {} turn" if one.sort == "turn" else "the {}"
    said, *instead = [where.format(_SHOWN.get(moment, moment)) for moment in (one.moment, *right)]
    what = f"no {one.event} is ever activated in" if one.event in _KINDS.values() else f"{one.event}: not in"
    return f"{what} {said}, but in {' or '.join(instead)}"


_SHOWN = {"zombies": "zombie", "npcs": "NPC"}

# --- what the book says ----------------------------------------------------------------------------------------------

_ACTS = re.compile(
    r"\b(hero(?:es)?|zombies?|NPCs?) (?:(?:is|are|that|who) ){0,2}(?:activated?s?|acts?)\b[^.;:,]{0,30}? (?:in|during) "
    r"(?:the|each|every|a) (player|hero|zombie|NPC)(?:e?s?'s?|s)? turn",
    re.I,
)
_TURN = r"(?:the|each|every|a|its|their) (player|hero|zombie|NPC)(?:e?s?'s?|s)? turn\b"
_IN_TURN = re.compile(rf"\b(?:in|during|of|at) {_TURN}", re.I)
_IN_PART = re.compile(
    r"\b(?:in|during|at|each|every) (?:(?:the|each|every|a) )?((?:start|action|final) phase|(?:initiative|end) segment)s?\b", re.I
)
_NPCS = re.compile(r"\bNPCs?\b")
_DENIED = re.compile(r"\b(?:not|never|no|may|can|even|except|instead|if)\b|n't\b", re.I)
_OTHERWISE = re.compile(r"\b(?:not|never|no|may|can|except|instead|unless)\b|n't\b", re.I)
_KINDS = {"hero": "hero", "zomb": "zombie", "npc": "npc", "npcs": "npc"}
_TURNS = {"player": "player", "hero": "player", "zombie": "zombies", "npc": "npcs"}
_EVENTS = {
    "a timer marker is removed": r"\b(?:remove|take off) (?:one|a|1|the) timer markers?\b|\btimer markers? (?:is|are) removed\b",
    "a decoy is rolled for": r"\broll [^.;]{0,20}\bfor each decoy\b",
    "an alarm clock is rolled for": r"\broll [^.;]{0,20}\bfor each alarm clock\b",
    "the round marker is advanced": r"\badvance the (?:round )?marker\b|\bround marker (?:is advanced|advances|moves)\b",
    "zombies are spawned as the track shows": r"\bzombies (?:are spawned|spawn)\b[^.;]*\bround (?:track )?space\b",
    "covering and attacked markers are removed": r"\bremove (?:all |any )?(?:covering|attacked)\b[^.;]*\bmarkers?\b",
    "gas wounds": r"\btake (?:one|a|1) wound\b[^.;]*\baffected area\b|\b(?:gas|toxic clouds?) wounds?\b",
}
"""What is looked for of what the end of a turn or round brings, and how a sentence says it."""
_PATTERNS = {event: re.compile(pattern, re.I) for event, pattern in _EVENTS.items()}


def _said(book: Book) -> Iterator[_Said]:
    for entry, piece in book.pieces():
        if piece.sort is Sort.PICTURE:
            continue
        if _NPCS.search(piece.text):
            yield _Said(FIGURES, "turn", "NPCs", entry, piece)
        if " turn" not in piece.text and " phase" not in piece.text and " segment" not in piece.text:
            continue
        for found in _ACTS.finditer(piece.text):
            if not _DENIED.search(found[0]):
                kind, turn = _KINDS[found[1].casefold()[:4]], _TURNS[found[2].casefold()]
                yield _Said(kind, "turn", turn, entry, piece)
        for sentence in sentences(piece.text):
            yield from _happens(sentence, entry, piece)


def _happens(sentence: str, entry: Entry, piece: Piece) -> Iterator[_Said]:
    for event, pattern in _PATTERNS.items():
        if not pattern.search(sentence) or _OTHERWISE.search(sentence):
            continue
        parts, turns = _IN_PART.findall(sentence), _IN_TURN.findall(sentence)
        if len(parts) == 1:
            yield _Said(event, "part", parts[0].casefold(), entry, piece)
        if len(turns) == 1:
            yield _Said(event, "turn", _TURNS[turns[0].casefold()], entry, piece)


# --- what the engine has ---------------------------------------------------------------------------------------------


def board(system: System) -> str:
    """One figure of each kind, and one of each thing that a turn or a round takes away; nothing that the game does not know."""
    kinds = {"hero": "A1", "zombie": "D2"} | ({} if system.lacks("npc") else {"npc": "C2"})
    lines = [f'system = "{system}"', 'track = ["S1", ""]', "round = 1", "map = '''"]
    lines += ["+-+-+-+-+", "|. . . .|", "+-+-+-+-+", "|. . . .|", "+-+-+-+-+", "'''"]
    for kind, at in kinds.items():
        lines += ["[[figure]]", f'id = "{kind}"', f'kind = "{kind}"', f'at = "{at}"']
        lines += ['facing = "north"'] if kind == "hero" else []
        lines += ['name = "SS Man"'] if kind == "npc" else []
        lines += ['status = ["covering"]'] if kind != "zombie" else []
    for marker, at in (("timer", "C1"), ("decoy", "D1"), ("alarm_clock", "D1"), ("toxic", "A1"), ("gas", "A1")):
        lines += ["[[marker]]", f'kind = "{marker}"', f'at = "{at}"'] if marker in system.markers else []
    return "\n".join(lines) + "\n"


@cache
def _moments(system: System) -> tuple[frozenset[tuple[str, str, str]], dict[str, Any]]:
    """What happens when, as the answer to ``round`` has it, and how it was asked."""
    from riese_kb.asking import ask
    from riese_kb.boardfile import parse_board

    text = board(system)
    told = ask(parse_board(text), "round").result
    has = {(kind, "turn", turn) for turn, kinds in told["acts"].items() for kind in kinds}
    has |= {(FIGURES, "turn", "heroes")} | {(FIGURES, "turn", "NPCs") for kinds in told["acts"].values() if "npc" in kinds}
    ends = {"timer": "a timer marker is removed", "decoy": "a decoy is rolled for", "alarm clock": "an alarm clock is rolled for"}
    has |= {(ends[one["what"]], "part", "end segment") for one in told["end"] if one["what"] in ends}
    if told["cleared"]:
        has.add(("covering and attacked markers are removed", "part", "start phase"))
    if told["track"]["next"] is not None:
        has.add(("the round marker is advanced", "part", "end segment"))
    if told["track"]["spawns"]:
        has |= {("zombies are spawned as the track shows", *when) for when in (("part", "final phase"), ("turn", "zombies"))}
    if told.get("gas"):
        has.add(("gas wounds", "part", "final phase"))
    return frozenset(has), {"board": text, "ask": "round", "answers": told["acts"]}
