"""The counts of findings on the printed books that ``docs/findings.md`` shows: ``python -m tests.audit_counts FOLDER``."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from riese_kb.audit.findings import Kind, Severity
from riese_kb.audit.run import audit

BOOKS = {
    "Riese": "riese_field_manual.txt",
    "Stalingrad Z": "stalingrad_z_rulebook.txt",
    "Tannhäuser": "tannhaeuser_regelheft_de.txt",
}


def table(folder: Path) -> str:
    """Findings by kind: of high and medium severity, and in brackets of low severity, for each book."""
    counts = {}
    for name, file in BOOKS.items():
        text = (folder / file).read_text(encoding="utf-8")
        counts[name] = Counter((f.kind, f.severity is Severity.LOW) for f in audit(text).findings)
    lines = [f"| kind | {' | '.join(BOOKS)} |", "|---" * (len(BOOKS) + 1) + "|"]
    for kind in Kind:
        if any(counts[name][kind, low] for name in BOOKS for low in (False, True)):
            cells = [f"{counts[name][kind, False]} ({counts[name][kind, True]})" for name in BOOKS]
            lines.append(f"| `{kind}` | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(Path(sys.argv[1])))
