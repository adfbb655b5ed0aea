"""The sidecar of a book, ``BOOK.ignore``: findings that an editor has looked at and lets stand.

    # riese-kb: ignore duplicate  both columns print it on purpose
    NPCS
    NPC ATTACKING

Below the line with the kind and the reason stand the entries it is for, one a line; with none, it is for the whole book.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from riese_kb.audit.book import listed, plain
from riese_kb.audit.findings import Finding, Kind
from riese_kb.audit.run import Audit
from riese_kb.errors import RulesError, did_you_mean

LARGEST = 1_000_000
"""Bytes of a sidecar at most."""
_IGNORE = re.compile(r"#\s*riese-kb:\s*ignore\b\s*(\S*)\s*(.*)")


@dataclass
class Ignored:
    """One line of a sidecar: a kind, why it may stand, and the entries (none: all of them)."""

    line: int
    kind: Kind
    reason: str
    entries: list[str] = field(default_factory=list)

    def silences(self, finding: Finding) -> bool:
        """Whether it is for this finding."""
        return finding.kind is self.kind and (not self.entries or plain(finding.at.entry) in map(plain, self.entries))


def sidecar(book: str) -> list[Ignored]:
    """What the file beside a book says; nothing where there is none. Raises ``RulesError`` for lines that say nothing."""
    path = f"{book}.ignore"
    if not os.path.exists(path):
        return []
    try:
        with open(path, "rb") as source:
            data = source.read(LARGEST + 1)
        lines = data.decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise RulesError("this list of ignored findings cannot be read", fix="save it as UTF-8", file=path) from None
    if len(data) > LARGEST:
        raise RulesError(f"this has more than {LARGEST // 1_000_000} MB", fix="list kinds, reasons and entries", file=path)
    found: list[Ignored] = []
    for number, line in enumerate(lines, 1):
        if ignore := _IGNORE.match(line.strip()):
            kind, reason = ignore.groups()
            if kind not in list(Kind):
                raise RulesError(f"line {number} ignores {kind!r}", fix=did_you_mean(kind, list(Kind)), file=path)
            if not reason:
                raise RulesError(f"line {number} gives no reason", fix="say why it may stand, after the kind", file=path)
            found.append(Ignored(number, Kind(kind), reason))
        elif line.strip() and not line.lstrip().startswith("# "):
            if not found:
                raise RulesError(f"line {number} names an entry and no kind", fix="# riese-kb: ignore KIND reason", file=path)
            found[-1].entries.append(line.strip())
    return found


def without(found: Audit, ignored: Sequence[Ignored]) -> Audit:
    """The findings that are left; what was silenced, and lines that silence nothing any more, are told of."""
    left = [f for f in found.findings if not any(one.silences(f) for one in ignored)]
    told = list(found.skipped)
    if len(left) < len(found.findings):
        told.append(f"{len(found.findings) - len(left)} that the list of ignored findings lets stand")
    idle = [one.line for one in ignored if not any(one.silences(f) for f in found.findings)]
    if idle:
        lines = f"line {idle[0]}" if len(idle) == 1 else f"lines {listed(idle)}"
        told.append(f"nothing for {lines} of the list of ignored findings")
    return Audit(left, told)
