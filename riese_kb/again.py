"""Asking again: the readings that would change an answer, and the nearest legal questions."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from riese_kb.answer import Taken
from riese_kb.draft import Draft, Verdict
from riese_kb.drafting import drafted
from riese_kb.errors import RieseError, Undecided
from riese_kb.language import format_question
from riese_kb.position import Terms
from riese_kb.program import readings
from riese_kb.question import About, Question
from riese_kb.worlds import Stand, Steps, together


def further(position: Stand, question: Question, terms: Terms, draft: Draft) -> Steps[tuple[tuple[str, ...], tuple[Taken, ...]]]:
    """What asking again tells: the nearest legal questions, and the readings that change the answer."""
    asked: list[Steps[Any]] = [_instead(position, question, terms, draft), _readings(position, question, terms, draft)]
    instead, taken = yield from together(asked)
    return instead, taken


def _readings(position: Stand, question: Question, terms: Terms, draft: Draft) -> Steps[tuple[Taken, ...]]:
    """The contested points that came up and change the answer: asked again under every other reading."""
    known = readings(position.system)
    others = []
    for name in sorted(draft.matters):
        current = terms.readings.get(name, known[name].default)
        others += [(name, current, value) for value in known[name].values if value != current]
    drafts = yield from together(_compared(position, question.about, terms.compared(name, value)) for name, _, value in others)
    found: dict[str, Taken] = {}
    for (name, current, value), other in zip(others, drafts, strict=True):
        if other is None or (isinstance(other, Draft) and other.essence == draft.essence):
            continue
        taken = found.setdefault(name, Taken(name, current, known[name].about))
        taken.otherwise[value] = _in_short(other, draft) if isinstance(other, Draft) else other
    return tuple(found.values())


def _compared(position: Stand, about: About, terms: Terms) -> Steps[Draft | str | None]:
    """The draft under other terms; "undecided" where it takes too long to tell, None where it has no answer there."""
    try:
        draft: Draft = yield from drafted(position, about, terms)
    except Undecided:
        return "undecided"
    except RieseError:
        return None
    return draft


def _in_short(other: Draft, draft: Draft) -> str:
    """What another reading answers: its verdict where that differs, else the first number that does."""
    if other.verdict is not draft.verdict:
        return str(other.verdict)
    for key, value in other.result.items():
        plain = isinstance(value, int | str) or (isinstance(value, list) and all(isinstance(v, str) for v in value))
        if value != draft.result.get(key) and plain:
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            return f"{key} {shown}" if shown != "" and len(str(shown)) < 60 else "another result"
    return "another result"


def _quietly(position: Stand, about: About, terms: Terms) -> Steps[Draft | None]:
    try:
        draft: Draft = yield from drafted(position, about, terms)
    except RieseError:
        return None
    return draft


def _instead(position: Stand, question: Question, terms: Terms, draft: Draft) -> Steps[tuple[str, ...]]:
    """The nearest legal questions; each was asked before it is offered, or the derivation at hand vouches for it."""
    if draft.verdict is not Verdict.ILLEGAL:
        return ()
    from riese_kb.suggestions import suggestions

    candidates = list(dict.fromkeys((*draft.hints, *suggestions(position, question.about, draft))))[:8]
    # What a scenario or the house forbids may look at the sequence as a whole.
    sure = () if terms.extra or terms.scenario else draft.sure
    unsure = [about for about in candidates if about not in sure]
    drafts = yield from together(_quietly(position, about, terms) for about in unsure)
    illegal = [
        about
        for about, other in zip(unsure, drafts, strict=True)
        if other is None or other.verdict is not Verdict.LEGAL or "dies" in other.result
    ]
    legal = [about for about in candidates if about not in illegal]
    return tuple(format_question(replace(question, about=about, why_not=False)) for about in legal[:3])
