"""What a kind of question makes of its derivation, before citations and wording are added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from riese_kb.board import Board, Square, square_name
from riese_kb.worlds import Derived


class Verdict(StrEnum):
    """The outcome of a question (contract, section 4)."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    CLEAR = "clear"
    BLOCKED = "blocked"
    COMPUTED = "computed"


class Charge(Struct, frozen=True):
    """One number that was added up or relied on: the rule behind it, where, in which step, how much of what."""

    rule: str
    at: str
    amount: int
    unit: str
    step: int = 0
    note: str = ""


class Breach(Struct, frozen=True, order=True):
    """One broken rule: in which step (0: none in particular), and where."""

    step: int
    rule: str
    at: str
    note: str = ""


class Marks(Struct, frozen=True):
    """What the picture of an answer shows on top of the board."""

    labels: Mapping[Square, str] = field(default_factory=dict)
    path: tuple[Square, ...] = ()
    line: tuple[Square, ...] = ()
    blocked: tuple[Square | tuple[Square, Square], ...] = ()


class Draft(Struct, frozen=True):
    """Verdict, numbers, broken rules and result of one question in one world; plain data throughout.

    ``matters`` names the contested points that came up; ``supplied`` the weapons whose values the board gave.
    """

    verdict: Verdict
    result: dict[str, Any]
    ledger: tuple[Charge, ...] = ()
    violations: tuple[Breach, ...] = ()
    matters: frozenset[str] = frozenset()
    marks: Marks = field(default_factory=Marks)
    supplied: tuple[str, ...] = ()
    hints: tuple[Any, ...] = ()
    """Questions that may be the nearest legal ones, best first; they are asked before they are offered."""
    sure: tuple[Any, ...] = ()
    """Nearby questions that are legal by the same derivation, and need not be asked."""
    overridden: frozenset[tuple[str, str]] = frozenset()
    """Rules of the book that another one took precedence over, each with that one; empty for a rule file without a name."""
    missing: tuple[str, ...] = ()
    """What the book does not print and the board does not supply, so that a part of the answer is left out."""
    explains: bool = False
    """The violations explain why nothing was found; they do not list what a sequence breaks, and may be worded otherwise."""

    @property
    def essence(self) -> tuple[object, ...]:
        """What must differ for a reading to have mattered."""
        broken = frozenset((b.step, b.rule, b.at) for b in self.violations)
        return (self.verdict, _frozen(self.result), None if self.explains else broken)


def _frozen(value: object) -> object:
    if isinstance(value, dict):
        return frozenset((key, _frozen(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(item) for item in value)
    return value


def place_name(where: object, board: Board | None = None) -> str:
    """A place of the logic as the contract writes it: ``C3``, ``C3|D3`` for an edge, a figure's square for a figure."""
    match where:
        case ("edge", (int(), int()) as a, (int(), int()) as b):
            return f"{square_name(a)}|{square_name(b)}"
        case ("corner", (int(), int()) as a, (int(), int()) as b):
            return f"{square_name(a)}/{square_name(b)}"
        case ("between" | "barricade" | "decoy" | "alarm_clock", (int(), int()) as a):
            return square_name(a)
        case (int() as x, int() as y):
            return square_name((x, y)) if board is None or (x, y) in board.terrain else outside_name((x, y), board)
        case str() as id:
            figure = board.figure(id) if board else None
            return square_name(figure.at) if figure else id
    raise TypeError(f"no place: {where!r}")


def outside_name(square: Square, board: Board) -> str:
    """The imagined square beyond the rim, named as the way off the map: ``(6, 2)`` on a board five wide is ``E2 east``."""
    x, y = square
    if y < 1:
        return f"{square_name((x, 1))} north"
    if y > board.height:
        return f"{square_name((x, board.height))} south"
    return f"{square_name((1, y))} west" if x < 1 else f"{square_name((board.width, y))} east"


def charges(derived: Derived, board: Board | None, *, via: Mapping[int, object] | None = None) -> list[Charge]:
    """The ``charge`` atoms of a world in reading order. ``via`` keeps, step by step, only those of the chosen flank."""
    found = []
    for rule, at, step, amount, unit, flank in derived["charge"]:
        if via is not None and flank != "none" and via.get(step) != flank:
            continue
        found.append(Charge(str(rule), place_name(at, board), amount, str(unit), step))
    return sorted(found, key=lambda c: (c.step, c.unit == "wound", c.rule, c.at))


def breaches(derived: Derived, board: Board | None) -> list[Breach]:
    """The ``violation`` atoms of a world, by step."""
    rows: Iterable[tuple[Any, ...]] = derived["violation"]
    return sorted({Breach(step, str(rule), place_name(at, board)) for rule, at, step in rows})


def matters(derived: Derived) -> frozenset[str]:
    """The contested points that came up."""
    return frozenset(str(name) for name in derived.values("matters"))
