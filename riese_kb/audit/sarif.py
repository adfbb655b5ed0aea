"""A report as SARIF 2.1.0, for editors and code hosts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from riese_kb.audit.findings import Finding, Severity
from riese_kb.audit.report import Note, Told

_LEVELS = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note"}
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
_NOTES = {
    "erratum": ("An erratum that does not do what it is for", "error"),
    "passage": ("A passage that is not what or where it was", "note"),
    "suspect": ("A rule whose passage is another one now", "warning"),
    "example": ("A stored example that hangs on a suspect rule", "warning"),
}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_sarif(told: Told, book: str) -> str:
    """One run: a result for every finding and note; what had to be left out as notifications."""
    from riese_kb import __version__

    ids = sorted({str(finding.kind) for part in told.parts for finding in part.findings} | {note.sort for note in told.notes})
    results = [_result(finding, ids, book, part.state) for part in told.parts for finding in part.findings]
    results += [_noted(note, ids) for note in told.notes]
    rules = [{"id": id, "shortDescription": {"text": _ABOUT.get(id) or _NOTES[id][0]}} for id in ids]
    run: dict[str, Any] = {"tool": {"driver": {"name": "riese-kb", "version": __version__, "rules": rules}}, "results": results}
    if told.skipped:
        said = [{"level": "warning", "message": {"text": one}} for one in told.skipped]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": said}]
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _result(finding: Finding, ids: Sequence[str], book: str, state: str) -> dict[str, Any]:
    return {
        "ruleId": str(finding.kind),
        "ruleIndex": ids.index(str(finding.kind)),
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message + (f" (fix: {finding.fix})" if finding.fix else "")},
        "locations": [_location(book, finding.at.line)],
        "relatedLocations": [_location(book, place.line) | {"id": n} for n, place in enumerate(finding.other, 1)],
        **({"baselineState": state} if state else {}),
    }


def _noted(note: Note, ids: Sequence[str]) -> dict[str, Any]:
    return {
        "ruleId": note.sort,
        "ruleIndex": ids.index(note.sort),
        "level": _NOTES[note.sort][1],
        "message": {"text": note.text},
        "locations": [_location(note.file, note.line)],
    }


def _location(path: str, line: int) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(path.replace(chr(92), "/"))}}
    if line:
        place["region"] = {"startLine": line}
    return {"physicalLocation": place}
