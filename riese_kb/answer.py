"""Answers: plain data with citations, as text, JSON, or a picture."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from msgspec import Struct, field

from riese_kb.board import Board
from riese_kb.draft import Marks
from riese_kb.records import Record
from riese_kb.rings import RingBoard
from riese_kb.team import Team


class Line(Struct, frozen=True):
    """One line of the ledger: the rule, where, how much of what, and where the book says so."""

    rule: str
    at: str
    amount: int
    unit: str
    cite: str
    step: int = 0
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The contract's form; ``step`` and ``note`` only where they say something."""
        data: dict[str, Any] = {
            "rule": self.rule,
            "at": self.at,
            "amount": self.amount,
            "unit": self.unit,
            "cite": self.cite,
        }
        return data | ({"step": self.step} if self.step else {}) | ({"note": self.note} if self.note else {})


class Violation(Struct, frozen=True):
    """One broken rule, in words."""

    rule: str
    at: str
    step: int
    says: str
    cite: str

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"rule": self.rule, "at": self.at, "step": self.step, "says": self.says, "cite": self.cite}


class Override(Struct, frozen=True):
    """A rule of the book that another rule took precedence over: a scenario's, or one of the house.

    ``title``, ``says`` and ``cite`` are those of the rule ``by`` that did it; ``over`` is the title of the other.
    """

    rule: str
    by: str
    over: str
    title: str
    says: str
    cite: str

    def to_json(self) -> dict[str, Any]:
        """Both ids, what the ruling one says, and where."""
        return {"rule": self.rule, "by": self.by, "says": self.says, "cite": self.cite}


class Taken(Struct, frozen=True):
    """A contested point on which the answer depends: the reading taken, and what the other readings would answer."""

    reading: str
    value: str
    about: str
    otherwise: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Reading, value, and the verdict (or "another result") under each other value that changes the answer."""
        return {"reading": self.reading, "value": self.value, "about": self.about, "otherwise": self.otherwise}


Further = Callable[[], "tuple[tuple[str, ...], tuple[Taken, ...]]"]


class Answer(Record, frozen=True, eq=False, dict=True):
    """The answer to one question.

    ``verdict`` is legal, illegal, clear, blocked or computed; ``result`` the numbers of the contract, section 4;
    ``supplied`` the weapons whose values the board gave; ``overridden`` the rules of the book that gave way to a scenario or
    a rule file; ``caveats`` what the board says that no rule heeds yet. What takes
    further questions, ``instead`` and ``readings``, is found when it is first looked at; in a batch it is there already.
    """

    apart = ("look_further", "board", "marks", "team", "rings", "language")

    ask: str
    system: str
    verdict: str
    ledger: tuple[Line, ...]
    violations: tuple[Violation, ...]
    result: dict[str, Any]
    look_further: Further
    supplied: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    overridden: tuple[Override, ...] = ()
    board: Board | None = None
    marks: Marks = field(default_factory=Marks)
    team: Team | None = None
    """What was asked about, where it was no board."""
    rings: RingBoard | None = None
    """The board of rings that was asked about."""
    language: str = "en"
    """The language of what it says: en or de."""

    def __repr__(self) -> str:
        return f"Answer(ask={self.ask!r}, verdict={self.verdict!r}, result={self.result!r})"

    @cached_property
    def _further(self) -> tuple[tuple[str, ...], tuple[Taken, ...]]:
        return self.look_further()

    @property
    def instead(self) -> tuple[str, ...]:
        """The nearest legal questions, each asked before it is offered (when first looked at)."""
        return self._further[0]

    @property
    def readings(self) -> tuple[Taken, ...]:
        """The contested points on which this answer depends, found by asking again (when first looked at)."""
        return self._further[1]

    @property
    def legal(self) -> bool:
        """Whether the verdict is legal or clear; a computed answer is neither."""
        return self.verdict in ("legal", "clear")

    def to_json(self) -> dict[str, Any]:
        """Plain data in the contract's form."""
        data: dict[str, Any] = {
            "ask": self.ask,
            "system": self.system,
            "verdict": self.verdict,
            "ledger": [line.to_json() for line in self.ledger],
            "violations": [violation.to_json() for violation in self.violations],
            "result": self.result,
            "instead": list(self.instead),
            "readings": [taken.to_json() for taken in self.readings],
        }
        data |= {"overridden": [override.to_json() for override in self.overridden]} if self.overridden else {}
        data |= {"supplied": list(self.supplied)} if self.supplied else {}
        return data | ({"caveats": list(self.caveats)} if self.caveats else {})

    def __str__(self) -> str:
        from riese_kb.text import render

        return render(self)

    def svg(self) -> str:
        """The picture of the answer as an SVG document. Raises ``RieseError`` where there is no board to draw."""
        from riese_kb.svg import svg

        return svg(self)

    def _repr_markdown_(self) -> str:
        from riese_kb.text import render

        return f"```text\n{render(self)}\n```"
