"""Findings as text, JSON, SARIF 2.1.0 and one HTML page."""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from riese_kb.audit.findings import Finding, Severity
from riese_kb.audit.run import Audit
from riese_kb.typeset import Paper, counted, wrap

_SARIF = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note"}
_ABOUT = {
    "duplicate": "A passage that stands twice",
    "conflict": "Passages that contradict each other",
    "example-mismatch": "A worked example that does not follow from what is printed",
    "dangling-ref": "A reference that leads nowhere, or elsewhere",
    "undefined-term": "A term that is explained nowhere",
    "sign": "A modifier that works against what its rule is for",
    "naming": "One thing spelled in several ways",
    "orphan": "Text that belongs nowhere",
    "gap": "A case of which no rule says what happens",
    "table-mismatch": "A table at odds with itself or with its notes",
    "scope": "A phase or role where there is none",
}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


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


def to_sarif(found: Audit, book: str, level: Severity) -> str:
    """SARIF 2.1.0 for editors and code hosts."""
    from riese_kb import __version__

    shown = at_level(found.findings, level)
    kinds = sorted({str(finding.kind) for finding in shown})
    where = quote(book.replace(chr(92), "/"))
    results = [
        {
            "ruleId": str(finding.kind),
            "level": _SARIF[finding.severity],
            "ruleIndex": kinds.index(str(finding.kind)),
            "message": {"text": finding.message + (f" (fix: {finding.fix})" if finding.fix else "")},
            "locations": [_location(where, finding.at.line)],
            "relatedLocations": [_location(where, place.line) | {"id": n} for n, place in enumerate(finding.other, 1)],
        }
        for finding in shown
    ]
    driver = {
        "name": "riese-kb",
        "version": __version__,
        "rules": [{"id": kind, "shortDescription": {"text": _ABOUT[kind]}} for kind in kinds],
    }
    return json.dumps(
        {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]},
        ensure_ascii=False,
        indent=2,
    )


def _location(uri: str, line: int) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": max(line, 1)}}}


_STYLE = """body{font:16px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
body{color:#1b1b1b;background:#fff}
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#181818}a{color:#8ab4f8}}
fieldset{border:0;padding:0;margin:1rem 0}label{margin-right:1rem}li{margin:.7rem 0}.meta{opacity:.75;font-size:.9em}
b.high::before{content:"▲ "}b.medium::before{content:"■ "}b.low::before{content:"○ "}"""
_SCRIPT = """const boxes=[...document.querySelectorAll("input")];
const show=()=>{const on=new Set(boxes.filter(b=>b.checked).map(b=>b.value));
document.querySelectorAll("li").forEach(li=>{li.hidden=!(on.has(li.dataset.severity)&&on.has(li.dataset.kind))})};boxes.forEach(b=>b.addEventListener("change",show))"""


def to_html(found: Audit, book: str, level: Severity) -> str:
    """One page without outside requests; boxes filter by severity and kind."""
    shown = at_level(found.findings, level)
    severities = [s for s in Severity if any(f.severity is s for f in shown)]
    kinds = sorted({str(f.kind) for f in shown})
    boxes = "".join(
        f'<label><input type="checkbox" checked value="{name}"> {name}</label>' for name in (*map(str, severities), *kinds)
    )
    items = "".join(_item(finding) for finding in shown)
    title = html.escape(f"{book}: {counted(len(shown), 'finding')}")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>'
        f"<body><h1>{title}</h1><fieldset><legend>Show</legend>{boxes}</fieldset><ul>{items}</ul><script>{_SCRIPT}</script></body></html>"
    )


def _item(finding: Finding) -> str:
    other = "; ".join(f"line {place.line} ({html.escape(place.entry)})" for place in finding.other)
    meta = [html.escape(str(finding.kind)), f"line {finding.at.line}, {html.escape(finding.at.entry)}"]
    meta += [f"compare {other}"] if other else []
    meta += [f"fix: {html.escape(finding.fix)}"] if finding.fix else []
    return (
        f'<li data-severity="{finding.severity}" data-kind="{finding.kind}"><b class="{finding.severity}">{finding.severity}</b> '
        f'{html.escape(finding.message)}<div class="meta">{" · ".join(meta)}</div></li>'
    )
