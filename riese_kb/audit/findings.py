"""What a check finds: a kind, a place, the other place, a sentence, and the fix where there is one (contract, section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """The kinds of findings that the contract names."""

    DUPLICATE = "duplicate"
    CONFLICT = "conflict"
    EXAMPLE = "example-mismatch"
    REFERENCE = "dangling-ref"
    TERM = "undefined-term"
    SIGN = "sign"
    NAMING = "naming"
    ORPHAN = "orphan"
    GAP = "gap"
    TABLE = "table-mismatch"
    SCOPE = "scope"


class Severity(StrEnum):
    """How much it matters to a player: wrong play, a search in vain, or a blemish."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for the most severe."""
        return list(Severity).index(self)


@dataclass(frozen=True)
class Place:
    """A line of the book (from 1) and the entry it stands in."""

    line: int
    entry: str

    def to_json(self) -> dict[str, Any]:
        """Both, as plain data."""
        return {"line": self.line, "entry": self.entry}


@dataclass(frozen=True)
class Mend:
    """How an erratum would settle a finding, from where it stands: which words give way to which others.

    Without ``find`` it is for whole passages, so many as ``passages`` says; without ``text`` they are left out.
    """

    find: str = ""
    text: str = ""
    passages: int = 1


@dataclass(frozen=True)
class Finding:
    """One defect. ``fix`` says what to write instead, ``rule`` is the rule of the catalogue that it touches, ``witness`` a board.

    ``mend`` is the same as ``fix``, as errata have it.
    """

    kind: Kind
    severity: Severity
    at: Place
    message: str
    other: tuple[Place, ...] = ()
    fix: str | None = None
    rule: str | None = None
    witness: dict[str, Any] | None = None
    mend: Mend | None = None

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "kind": str(self.kind),
            "severity": str(self.severity),
            "line": self.at.line,
            "entry": self.at.entry,
            "other": [place.to_json() for place in self.other],
            "message": self.message,
            "fix": self.fix,
            "rule": self.rule,
            "witness": self.witness,
        }
