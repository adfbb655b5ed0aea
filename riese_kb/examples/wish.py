"""What an example is to show, and whether a board and a question show it: found by asking, many cases side by side.

A rule *decides* an answer if it is among its reasons, or if without the rule the answer or its reasons are others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.asking import stand_of, terms_of
from riese_kb.draft import Draft
from riese_kb.drafting import drafted
from riese_kb.errors import RieseError
from riese_kb.grounding import drive
from riese_kb.language import resolve
from riese_kb.question import Question
from riese_kb.team import Sheet
from riese_kb.worlds import Steps, together

Case = tuple[Sheet, Question]


class Role(StrEnum):
    """How a rule decides an answer: it is broken, it stands among the reasons, or without it the answer would be another,
    or at least the reasons would be others.
    """

    BROKEN = "broken"
    USED = "used"
    NEEDED = "needed"
    FELT = "felt"


class Reasons(Struct, frozen=True):
    """An answer as far as an example is about it."""

    verdict: str
    broken: frozenset[str]
    used: frozenset[str]
    essence: tuple[object, ...]
    open: frozenset[str]
    """The contested points that came up."""

    @property
    def rules(self) -> frozenset[str]:
        """Every rule that is named."""
        return self.broken | self.used


def asked(cases: Iterable[Case]) -> list[Reasons | None]:
    """The reasons of each case; None where it cannot be asked."""
    found: list[Reasons | None] = []
    waiting = [*cases]
    for start in range(0, len(waiting), 100):
        found += drive(together(_reasons(*case) for case in waiting[start : start + 100]))
    return found


def _reasons(sheet: Sheet, question: Question) -> Steps[Reasons | None]:
    try:
        read = resolve(question, sheet)
        draft: Draft = yield from drafted(stand_of(sheet), read.about, terms_of(sheet, read))
    except RieseError:
        return None
    except (LookupError, TypeError, ValueError, AssertionError, RuntimeError):
        # With a rule switched off, or on a board that nobody would set up, there may be nothing that an answer can be made of.
        # That shows nothing of the rule; the example itself is asked in full, and there a defect is one.
        return None
    used = {charge.rule for charge in draft.ledger} | {by for _, by in draft.overridden}
    broken = frozenset(breach.rule for breach in draft.violations)
    return Reasons(str(draft.verdict), broken, frozenset(used), draft.essence, draft.matters)


def role(reasons: Reasons, without: Reasons | None, rule: str) -> Role | None:
    """How a rule decides an answer, given the one that is asked without it; None: it does not."""
    if rule in reasons.broken:
        return Role.BROKEN
    if rule in reasons.used:
        return Role.USED
    if without is None:
        return None
    if without.essence != reasons.essence:
        return Role.NEEDED
    return Role.FELT if (without.broken, without.used) != (reasons.broken, reasons.used) else None


class Judged(Struct, frozen=True):
    """A case with its reasons and the roles of the rules that it is about."""

    case: Case
    reasons: Reasons
    roles: dict[str, Role | None]

    def teaches(self, rules: Iterable[str]) -> bool:
        """Whether all of these rules decide."""
        return all(self.roles.get(rule) is not None for rule in rules)


def judge(cases: Sequence[Case], rules: Sequence[str]) -> list[Judged | None]:
    """Each case judged; None where it cannot be asked. Asks once more for every rule that the reasons do not name."""
    plain = asked(cases)
    again = [
        (number, rule)
        for number, reasons in enumerate(plain)
        if reasons is not None
        for rule in rules
        if rule not in reasons.rules
    ]
    without = dict(zip(again, asked(_without(cases[number], rule) for number, rule in again), strict=True))
    return [
        None
        if reasons is None
        else Judged(cases[number], reasons, {rule: role(reasons, without.get((number, rule)), rule) for rule in rules})
        for number, reasons in enumerate(plain)
    ]


def _without(case: Case, rule: str) -> Case:
    return case[0], replace(case[1], without=(*case[1].without, rule))
