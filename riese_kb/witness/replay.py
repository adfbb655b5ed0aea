"""Asking one question under both laws: whether the answers differ, and in what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from riese_kb.answer import Answer
from riese_kb.asking import ask, stand_of, terms_of
from riese_kb.differing import difference as in_short
from riese_kb.draft import Draft
from riese_kb.drafting import drafted
from riese_kb.errors import MissingValue, RieseError
from riese_kb.grounding import drive
from riese_kb.house_rules import read_rules
from riese_kb.language import resolve
from riese_kb.question import Question
from riese_kb.team import Sheet
from riese_kb.witness.sides import Pair, Side
from riese_kb.worlds import Steps, together

ASKS = "asks"
"""What stands for the verdict of an answer that needs a number that the book does not print."""
Reply = Answer | str
"""An answer in full, or what an answer asks for first."""


class Told(Struct, frozen=True):
    """What matters of an answer: the verdict, the result, and what was broken where. Rules of a rule file are nameless here."""

    verdict: str
    result: Any
    broken: Any

    @property
    def refused(self) -> bool:
        """Whether it is a no, or asks for a number in its turn."""
        return self.verdict in ("illegal", "blocked", ASKS)


def told(draft: Draft, side: Side) -> Told:
    """A draft without the names that a rule file gives to its own rules: renaming a rule changes no answer.

    Of two games only what a player sees is compared: which rule of the same effect is broken makes no difference.
    """
    own = frozenset(title for path in side.rules for title in read_rules(path).titles)
    verdict, result, broken = draft.essence
    if isinstance(broken, frozenset) and own:
        broken = frozenset((step, "of the house" if rule in own else rule, at) for step, rule, at in broken)
    return Told(str(verdict), result, bool(broken) if side.game is not None else broken)


def differ(pair: Pair, cases: Sequence[tuple[Sheet, Question]]) -> list[tuple[Told, Told] | None]:
    """Both answers of each case where they differ; None where they do not, or where one cannot be asked."""
    asked = [(sheet, question, side) for sheet, question in cases for side in pair.sides]
    found = drive(together(_told(*one) for one in asked))
    both = [(found[n], found[n + 1]) for n in range(0, len(found), 2)]
    return [(one, other) if one is not None and other is not None and one != other else None for one, other in both]


def _told(sheet: Sheet, question: Question, side: Side) -> Steps[Told | None]:
    try:
        here = side.on(sheet, question)
        asked = resolve(side.asks(question), here)
        draft: Draft = yield from drafted(stand_of(here), asked.about, terms_of(here, asked))
    except MissingValue as fault:
        return Told(ASKS, str(fault), False)
    except RieseError:
        return None
    return told(draft, side)


def answers(pair: Pair, sheet: Sheet, question: Question) -> tuple[Reply, Reply]:
    """Both answers in full. Raises ``RieseError``."""
    one, other = (_reply(side, sheet, question) for side in pair.sides)
    return one, other


def _reply(side: Side, sheet: Sheet, question: Question) -> Reply:
    try:
        return ask(side.on(sheet, question), side.asks(question))
    except MissingValue as fault:
        return str(fault)


def difference(pair: Pair, one: Reply, other: Reply) -> str:
    """One sentence that says what differs, and why one of them is a no."""
    one_label, other_label = (side.label if side.label.startswith("with") else f"with {side.label}" for side in pair.sides)
    labels = (one_label, other_label)
    if isinstance(one, str) or isinstance(other, str):
        return "; ".join(_in_short(reply, label) for reply, label in zip((one, other), labels, strict=True)) + "."
    said = in_short(one, other, labels)
    reason = next((a.violations[0].says for a in (one, other) if a.violations), "")
    why = f": {reason}" if reason and one.verdict != other.verdict else "."
    return f"{said[:1].upper()}{said[1:]}{why}"


def _in_short(reply: Reply, label: str) -> str:
    return f"{reply.splitlines()[0]} ({label})" if isinstance(reply, str) else f"{reply.verdict} {label}"
