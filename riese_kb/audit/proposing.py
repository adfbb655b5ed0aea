"""An errata sheet for all findings that say how they can be mended; every item is tried before it is proposed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from riese_kb.audit.book import Book
from riese_kb.audit.errata import Action, Erratum, Place, applied, elements, fitting, mark
from riese_kb.audit.findings import Finding, Mend
from riese_kb.audit.run import Audit, audit


@dataclass(frozen=True)
class Proposal:
    """The items that do what they are for; and the findings whose item would not, each with what is amiss."""

    items: list[Erratum]
    refused: list[tuple[Finding, str]]


def proposal(text: str, look: Callable[[str], Audit] = audit) -> Proposal:
    """An item for every finding that can be mended. Items that settle nothing, or bring a finding, are taken back."""
    findings = look(text).findings
    passages = elements(Book(text))
    refused: list[tuple[Finding, str]] = []
    items: list[Erratum] = []
    of: dict[int, Finding] = {}
    done: set[tuple[int, Mend | None]] = set()
    for finding in findings:
        told = (finding.at.line, finding.mend)
        if finding.mend is None or told in done:
            continue
        done.add(told)
        item = _item(passages, finding, finding.mend, len(of) + 1)
        if item is None:
            refused.append((finding, "its words cannot be told from others of the passage"))
        else:
            items.append(item)
            of[item.number] = finding
    while items:
        amiss = dict(applied(text, items, look, findings).amiss)
        if not amiss:
            break
        refused += ((of[number], why) for number, why in amiss.items())
        items = [item for item in items if item.number not in amiss]
    return Proposal([replace(item, number=number) for number, item in enumerate(items, 1)], refused)


def _item(passages: Sequence[Place], finding: Finding, mend: Mend, number: int) -> Erratum | None:
    """The item that locates a finding's passage, and no other, by its words or its fingerprint."""
    at = next((n for n, (_, piece) in enumerate(passages) if piece.line == finding.at.line), None)
    if at is None:
        return None
    entry, piece = passages[at]
    if mend.find and piece.text.count(mend.find) != 1:
        return None
    item = Erratum(
        number,
        entry.heading,
        find=mend.find,
        fingerprint="" if mend.find else mark(piece.text),
        action=Action.REPLACE if mend.text else Action.DELETE,
        text=mend.text,
        passages=mend.passages,
        settles=finding.kind,
        reason=finding.message,
    )
    places = fitting(passages, item)
    if at not in places:
        return None
    return replace(item, which=places.index(at) + 1) if len(places) > 1 else item


def sheet(found: Proposal) -> Iterator[str]:
    """The proposal as an errata sheet, line by line; what was taken back is told of in comments."""
    yield "# Proposed by riese-kb audit --propose; read every item before you use it."
    for finding, why in found.refused:
        yield f"# Line {finding.at.line} ({finding.kind}) is left to you: {' '.join(why.split())}"
    for item in found.items:
        yield ""
        yield "[[erratum]]"
        yield f"entry = {_toml(item.entry)}"
        yield f"find = {_toml(item.find)}" if item.find else f'fingerprint = "{item.fingerprint}"'
        if item.which:
            yield f"which = {item.which}"
        if item.passages > 1:
            yield f"passages = {item.passages}"
        yield f'action = "{item.action}"'
        if item.text:
            yield f"text = {_toml(item.text)}"
        yield f'settles = "{item.settles}"'
        yield f"reason = {_toml(item.reason)}"


def _toml(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'
