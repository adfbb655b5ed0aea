"""Findings as text and as JSON, and what every form of report holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from riese_kb.audit.findings import Finding, Severity
from riese_kb.audit.run import Audit
from riese_kb.typeset import Paper, counted, wrap


@dataclass(frozen=True)
class Part:
    """Findings under a title; ``state`` is how they stand to an earlier text, in SARIF's words: new, unchanged, absent."""

    title: str
    findings: list[Finding]
    state: str = ""


@dataclass(frozen=True)
class Note:
    """Something to be told of that is no finding: of what sort, what, and where (a file and its line; 0 for none)."""

    sort: str
    text: str
    file: str
    line: int = 0


@dataclass(frozen=True)
class Told:
    """All that a report holds: its title, the findings in parts, what else is told, and what had to be left out."""

    title: str
    parts: list[Part]
    notes: list[Note] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def at(self, level: Severity) -> Told:
        """The same with those findings that are at least as severe."""
        return replace(self, parts=[replace(part, findings=at_level(part.findings, level)) for part in self.parts])


def at_level(findings: Sequence[Finding], level: Severity) -> list[Finding]:
    """Those at least as severe."""
    return [finding for finding in findings if finding.severity.rank <= level.rank]


def to_json(found: Audit, level: Severity) -> str:
    """The contract's document."""
    data: dict[str, Any] = {"findings": [finding.to_json() for finding in at_level(found.findings, level)]}
    if found.skipped:
        data["skipped"] = found.skipped
    return json.dumps(data, ensure_ascii=False, indent=2)


def lines(found: Audit, book: str, level: Severity, paper: Paper) -> Iterator[str]:
    """Text: by severity, each finding with its place, the other place, and the fix."""
    shown = at_level(found.findings, level)
    for severity in Severity:
        group = [finding for finding in shown if finding.severity is severity]
        if not group:
            continue
        yield paper.bold(f"{severity.capitalize()} ({len(group)})")
        for finding in group:
            yield from _finding(finding, paper)
        yield ""
    for one in found.skipped:
        yield paper.dim(f"left out: {one}")
    counts = Counter(finding.kind for finding in shown)
    kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    yield paper.bold(f"{book}: {counted(len(shown), 'finding')}" + (f" ({kinds})" if kinds else ""))


def _finding(finding: Finding, paper: Paper) -> Iterator[str]:
    where = f"{finding.at.line:>6}  "
    entry = f"{finding.at.entry[:40]}: " if finding.at.entry else ""
    yield from map(paper.plain, wrap(f"{entry}{finding.message}", paper.width, where))
    details = [
        f"line {place.line}" + (f", {place.entry[:40]}" if place.entry != finding.at.entry else "") for place in finding.other[:3]
    ]
    more = [str(finding.kind)]
    more += [f"compare {'; '.join(details)}"] if details else []
    more += [f"rule {finding.rule}"] if finding.rule else []
    more += [f"fix: {finding.fix}"] if finding.fix else []
    for line in wrap(" · ".join(more) if not paper.ascii else " - ".join(more), paper.width, " " * len(where)):
        yield paper.dim(paper.plain(line))
