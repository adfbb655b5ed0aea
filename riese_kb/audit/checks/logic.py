"""What the catalogue knows of a book: signs that work against a rule's purpose, passages that are read in two ways, gaps."""

from __future__ import annotations

from collections.abc import Iterator

from riese_kb import catalogue
from riese_kb.audit.book import Book
from riese_kb.audit.findings import Finding, Kind, Place, Severity
from riese_kb.board import System
from riese_kb.errors import RieseError
from riese_kb.fingerprint import Entry, entries, find
from riese_kb.program import readings


def check(book: Book, system: System) -> Iterator[Finding]:
    """Refuted claims as signs, contested points as conflicts (two passages) or gaps (one)."""
    printed = entries(book.text)
    yield from _signs(printed, system)
    yield from _contested(printed, system)


def _places(printed: list[Entry], cite: str) -> list[Place]:
    found = []
    for part in cite.split("; "):
        try:
            pieces = find(printed, part)
        except RieseError:
            continue  # the passage is not in this book as it was
        found += [Place(piece.number, part) for piece in pieces[:1]]
    return found


def _signs(printed: list[Entry], system: System) -> Iterator[Finding]:
    from riese_kb.proving import report
    from riese_kb.proving.claims import Outcome

    for claim in report.claims(system, "intent"):
        verdict = claim.decide()
        if verdict.outcome is not Outcome.REFUTED:
            continue
        places = _places(printed, claim.passage)
        if places:
            rule = catalogue.rules(system)[claim.rules[0]]
            yield Finding(
                Kind.SIGN,
                Severity.HIGH,
                places[0],
                f"{rule.title}: its sign works against what the rule is for",
                tuple(places[1:]),
                fix="turn the sign round, or say what is added to what",
                rule=rule.id,
                witness=verdict.case,
            )


def _contested(printed: list[Entry], system: System) -> Iterator[Finding]:
    for name, reading in readings(system).items():
        places = [place for passage in reading.passages for place in _places(printed, passage)]
        if not places:
            places = [
                Place(e.number, e.heading)
                for passage in reading.passages
                for e in printed
                if e.heading.startswith(passage.split(",")[0].split(" (")[0])
            ][:2]
        if not places:
            continue
        conflict = len({place.line for place in places}) > 1
        yield Finding(
            Kind.CONFLICT if conflict else Kind.GAP,
            Severity.LOW,
            places[0],
            f"{reading.about} ({' / '.join(reading.values)}; reading {name})",
            tuple(places[1:]),
        )
