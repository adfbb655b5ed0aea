"""A report as one HTML page that asks nothing of the network; boxes filter it by severity and kind."""

from __future__ import annotations

from html import escape

from riese_kb.audit.book import short
from riese_kb.audit.findings import Finding, Severity
from riese_kb.audit.report import Note, Part, Told

_STYLE = """:root{color-scheme:light dark}
body{font:16px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1b1b1b;background:#fff}
h1,li{overflow-wrap:anywhere}
fieldset{border:1px solid #767676;padding:.5rem 1rem;margin:1rem 0}label{display:inline-block;margin-right:1rem}
li{margin:.7rem 0}.meta{color:#555;font-size:.9em}
b.high::before{content:"▲ "}b.medium::before{content:"■ "}b.low::before{content:"○ "}
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#181818}.meta{color:#b0b0b0}fieldset{border-color:#8a8a8a}}"""
_SCRIPT = """const boxes=[...document.querySelectorAll("input")],items=[...document.querySelectorAll("li[data-kind]")];
const show=()=>{const on=new Set(boxes.filter(b=>b.checked).map(b=>b.value));
items.forEach(li=>{li.hidden=!(on.has(li.dataset.severity)&&on.has(li.dataset.kind))});
document.querySelector("output").textContent=items.filter(li=>!li.hidden).length+" of "+items.length+" findings are shown."};
boxes.forEach(b=>b.addEventListener("change",show));show()"""


def to_html(told: Told) -> str:
    """The whole page."""
    findings = [finding for part in told.parts for finding in part.findings]
    severities = [str(s) for s in Severity if any(f.severity is s for f in findings)]
    kinds = sorted({str(f.kind) for f in findings})
    boxes = "".join(f'<label><input type="checkbox" checked value="{name}"> {name}</label>' for name in (*severities, *kinds))
    form = f"<fieldset><legend>Show</legend>{boxes}</fieldset><p><output></output></p>" if findings else ""
    script = f"<script>{_SCRIPT}</script>" if findings else ""
    title = escape(told.title)
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    return (
        f'<!doctype html><html lang="en"><head>{head}<title>{title}</title><style>{_STYLE}</style></head>'
        f"<body><main><h1>{title}</h1>{form}{''.join(map(_part, told.parts))}{_notes(told.notes)}{_left_out(told.skipped)}"
        f"</main>{script}</body></html>"
    )


def _part(part: Part) -> str:
    heading = f"<h2>{escape(part.title)} ({len(part.findings)})</h2>" if part.title else ""
    return heading + (f"<ul>{''.join(map(_item, part.findings))}</ul>" if part.findings else "")


def _item(finding: Finding) -> str:
    other = "; ".join(f"line {place.line} ({escape(short(place.entry))})" for place in finding.other)
    meta = [escape(str(finding.kind)), f"line {finding.at.line}, {escape(short(finding.at.entry))}"]
    meta += [f"compare {other}"] if other else []
    meta += [f"fix: {escape(finding.fix)}"] if finding.fix else []
    return (
        f'<li data-severity="{finding.severity}" data-kind="{finding.kind}"><b class="{finding.severity}">{finding.severity}</b> '
        f'{escape(finding.message)}<div class="meta">{" · ".join(meta)}</div></li>'
    )


def _notes(notes: list[Note]) -> str:
    return "".join(
        f"<h2>{escape(_TITLES[sort])}</h2><ul>{''.join(_note(note) for note in notes if note.sort == sort)}</ul>"
        for sort in dict.fromkeys(note.sort for note in notes)
    )


_TITLES = {
    "erratum": "Amiss with the errata",
    "passage": "Passages that differ",
    "suspect": "Rules whose passage is another one now",
    "example": "Stored examples that hang on such a rule",
}


def _note(note: Note) -> str:
    at = f'<div class="meta">line {note.line}</div>' if note.line else ""
    return f"<li>{escape(note.text)}{at}</li>"


def _left_out(skipped: list[str]) -> str:
    return f"<h2>Left out</h2><ul>{''.join(f'<li>{escape(one)}</li>' for one in skipped)}</ul>" if skipped else ""
