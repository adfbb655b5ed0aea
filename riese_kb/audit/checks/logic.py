"""What the catalogue and the logic know of a book whose rules we have: signs, contradictions, gaps, rules for no case.

What follows from the rules alone is worked out by z3 and clingo once and kept until a rule, a table or a board changes; here
it is put to the passages of the book at hand. A passage that reads otherwise than the catalogue's is another one: nothing is
known of it.
"""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from riese_kb import catalogue
from riese_kb.audit.book import Book
from riese_kb.audit.checks import fought, played, turned, walked
from riese_kb.audit.findings import Finding, Kind, Mend, Place, Severity
from riese_kb.board import System
from riese_kb.errors import RieseError
from riese_kb.fingerprint import Entry, Piece, entries, find, fingerprint
from riese_kb.program import readings
from riese_kb.store import kept
from riese_kb.tables import data_root


class Derived(Struct, frozen=True):
    """What follows from a game's rules whatever the book at hand says: lists of what ``proving`` finds, as plain data."""

    signs: list[tuple[str, str, dict[str, Any]]]
    """Rule, passage, case."""
    broken: list[tuple[str, str, dict[str, Any]]]
    """A claim that does not hold: in words, its passage, the case."""
    silenced: list[tuple[str, str, list[str]]]
    """A rule, the rule that it silences, a situation."""
    idle: list[str]
    circles: list[list[str]]
    unsaid: list[tuple[str, str, dict[str, Any]]]
    """In words, passage, case."""
    witnesses: dict[str, dict[str, Any]]
    """By reading."""
    undecided: list[str] = []
    """Claims that z3 did not decide in its time."""


def check(book: Book, system: System, progress: Callable[[str], None] = lambda _: None) -> Iterator[Finding]:
    """Signs, contradictions, rules for no case, gaps, contested points; then worked attacks and movements are asked."""
    progress("what follows from the rules")
    known = kept("derived", _sources(system), lambda: _derived(system), form=Derived)
    if known.undecided:
        known = _derived(system)  # the machine was busy then
        book.skipped += [f"no answer in time: {says}" for says in known.undecided]
    printed = entries(book.text)
    yield from _signs(printed, system, known)
    yield from _contradictions(printed, system, known)
    yield from _unsaid(printed, known)
    yield from _contested(printed, system, known)
    progress("worked examples")
    for one in (fought.check,) if system.on_rings else (turned.check, played.check, walked.check):
        yield from one(book, system)


# --- what follows from the rules ----------------------------------------------------------------------------------------


def _sources(system: System) -> list[str]:
    """Every file that what follows may hang on: rules, logic, queries, and the code that proves."""
    root, code = data_root(), os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    folders = [*(os.path.join(root, name) for name in ("logic", "queries", f"rules/{system}")), os.path.join(code, "proving")]
    found = [os.path.join(code, "completion.py"), os.path.abspath(__file__)]
    for folder in folders:
        for at, _, names in os.walk(folder):
            found += [os.path.join(at, name) for name in names if name.endswith((".lp", ".toml", ".py"))]
    return sorted(found)


def _derived(system: System) -> Derived:
    from riese_kb.proving import cases, comparing, contested, points, report
    from riese_kb.proving.claims import Outcome
    from riese_kb.proving.comparing import Ground
    from riese_kb.proving.permissions import attacks, steps
    from riese_kb.proving.situations import situation

    disputed = [name for name, reading in readings(system).items() if len(reading.says) > 1]
    boards = {name: board for name in disputed if (board := contested.witness(system, name)) is not None}
    circles = comparing.mutual(system)
    if system.on_rings:  # its rules are not proved, but solved board by board
        return Derived([], [], [], [], circles, [], boards)
    gc.disable()  # z3 counts its own references; looking for cycles takes a sixth of the time
    try:
        decided = [(claim, claim.decide()) for claim in report.claims(system) if claim.topic != "tables"]
        refuted = [(claim, verdict.case or {}) for claim, verdict in decided if verdict.outcome is Outcome.REFUTED]
        attack = situation(system, skills=True)
        sums = [points.counted(system, measure) for measure in (points.THROWS, points.NPC_SHOTS)]
        charges = [Ground(attack.law, attack.given, attack.open), *(Ground(one.law, one.given, one.open) for one in sums)]
        rules = catalogue.rules(system)
        pairs = [one for ground in (*charges, steps(system), attacks(system)) for one in comparing.silenced(ground, rules)]
        return Derived(
            [(claim.rules[0], claim.passage, case) for claim, case in refuted if claim.topic == "intent"],
            [(claim.says, claim.passage, case) for claim, case in refuted if claim.topic != "intent"],
            [(one.rule, one.other, list(one.facts)) for one in pairs],
            [rule for ground in charges for rule in comparing.idle(ground) if rule in rules],
            circles,
            [(one.what, one.passage, one.case) for one in cases.unsaid(system)],
            boards,
            [claim.says for claim, verdict in decided if verdict.outcome is Outcome.UNDECIDED],
        )
    finally:
        gc.enable()


# --- put to the book ----------------------------------------------------------------------------------------------------


def _pieces(printed: list[Entry], cite: str) -> list[Piece]:
    """What a citation means in this book; nothing where it has no such passage."""
    found = []
    for part in cite.split("; "):
        try:
            found += find(printed, part)[:1]
        except RieseError:
            continue
    return found


def _places(printed: list[Entry], cite: str) -> list[Place]:
    return [Place(piece.number, cite.partition("; ")[0]) for piece in _pieces(printed, cite)]


def _as_it_was(printed: list[Entry], cite: str, mark: str) -> bool:
    try:
        return fingerprint(find(printed, cite)) == mark
    except RieseError:
        return False


def _signs(printed: list[Entry], system: System, known: Derived) -> Iterator[Finding]:
    for id, passage, case in known.signs:
        rule = catalogue.rules(system)[id]
        if not _as_it_was(printed, rule.cite, rule.fingerprint):
            continue
        pieces = _pieces(printed, passage)
        signed = re.findall(r"(?<![\w/+-])[+−-]\d{1,2}(?![\d/-])", pieces[0].text)
        turned = ("-" if signed[0][0] == "+" else "+") + signed[0][1:] if len(signed) == 1 else None
        yield Finding(
            Kind.SIGN,
            Severity.HIGH,
            Place(pieces[0].number, passage),
            f"{rule.title}: its sign works against what the rule is for",
            tuple(Place(piece.number, passage) for piece in pieces[1:]),
            fix=f"{turned} instead of {signed[0]}, or say what is added to what" if turned else "say what is added to what",
            rule=rule.id,
            witness=case,
            mend=Mend(signed[0], turned) if turned else None,
        )


def _contradictions(printed: list[Entry], system: System, known: Derived) -> Iterator[Finding]:
    rules = catalogue.rules(system)
    for says, passage, case in known.broken:
        if places := _places(printed, passage):
            message = f"this does not hold as printed: {says}"
            yield Finding(Kind.CONFLICT, Severity.HIGH, places[0], message, tuple(places[1:]), witness=case)
    for one, other, facts in known.silenced:
        here, there = _places(printed, rules[one].cite), _places(printed, rules[other].cite)
        if here and there:
            message = f"both speak of the same, and neither is said to go first: {rules[one].title}; {rules[other].title}"
            yield Finding(Kind.CONFLICT, Severity.MEDIUM, here[0], message, (there[0],), rule=one, witness={"facts": facts})
    for circle in known.circles:
        places = [place for id in circle for place in _places(printed, rules[id].cite)[:1]]
        if places:
            message = f"each of these is said to go before the next: {', '.join(circle)}"
            yield Finding(Kind.CONFLICT, Severity.MEDIUM, places[0], message, tuple(places[1:]), rule=circle[0])
    for id in known.idle:
        if places := _places(printed, rules[id].cite):
            message = f"{rules[id].title}: there is no situation for which this rule is meant"
            yield Finding(Kind.SCOPE, Severity.MEDIUM, places[0], message, tuple(places[1:]), rule=id)


def _unsaid(printed: list[Entry], known: Derived) -> Iterator[Finding]:
    for what, passage, case in known.unsaid:
        if places := _places(printed, passage):
            yield Finding(Kind.GAP, Severity.MEDIUM, places[0], what, tuple(places[1:]), witness=case)


def _contested(printed: list[Entry], system: System, known: Derived) -> Iterator[Finding]:
    """Two passages that each state a reading outright contradict each other; else a point is contested, or left open."""
    for name, reading in readings(system).items():
        stated = [
            (value, Place(_pieces(printed, cite)[0].number, cite))
            for value, (cite, mark) in reading.says.items()
            if _as_it_was(printed, cite, mark)
        ]
        if len(stated) > 1:
            stated.sort(key=lambda two: two[1].line)
            (one, here), (other, there) = stated[:2]
            message = (
                f"{reading.about} Here: {reading.values[one]}; on line {there.line}: {reading.values[other]} (reading {name})"
            )
            yield Finding(Kind.CONFLICT, Severity.MEDIUM, here, message, (there,), witness=known.witnesses.get(name))
        elif not reading.says:
            yield from _open(printed, name, reading)


def _open(printed: list[Entry], name: str, reading: Any) -> Iterator[Finding]:
    places = [Place(piece.number, passage) for passage in reading.passages for piece in _pieces(printed, passage)]
    places = places or [
        Place(entry.number, entry.heading)
        for passage in reading.passages
        for entry in printed
        if entry.heading.startswith(passage.split(",")[0].split(" (")[0])
    ]
    if places:
        conflict = len({place.line for place in places}) > 1
        yield Finding(
            Kind.CONFLICT if conflict else Kind.GAP,
            Severity.LOW,
            places[0],
            f"{reading.about} ({' / '.join(reading.values)}; reading {name})",
            tuple(places[1:3]),
        )
