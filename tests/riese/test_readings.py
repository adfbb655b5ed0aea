"""Contested points: every value matters somewhere, and an answer names exactly those on which it depends.

An answer is asked again only under the readings that the logic flags (``matters``). Here every question is asked under
every other value of every reading, flagged or not.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from riese_kb.ask import ask_all
from riese_kb.answer import Answer
from riese_kb.draft import Draft
from riese_kb.errors import RieseError
from riese_kb.question import Attack, BreakLock, Can, CanTo, Lof, Question, Reach, Targets, Zombie, ZombieTurn
from tests.riese.generated import READINGS, Asked, chosen, complaint, dice, drafts, drawn, ruled, seeds, shown

# Kind, chunks, boards a chunk, questions a board.
AMOUNTS: dict[type[Any], tuple[int, int, int]] = {
    Can: (2, 10, 12),
    Reach: (2, 10, 2),
    CanTo: (1, 8, 2),
    Lof: (1, 10, 20),
    Attack: (2, 12, 10),
    Targets: (1, 10, 3),
    BreakLock: (1, 10, 2),
    Zombie: (3, 14, 2),
    ZombieTurn: (1, 5, 1),
}
CASES = [
    pytest.param(kind, chunk, id=f"{kind.__name__}-{chunk}")
    for kind, (chunks, _, _) in AMOUNTS.items()
    for chunk in seeds(chunks)
]


def current(question: Question) -> dict[str, str]:
    return {**{name: reading.default for name, reading in READINGS.items()}, **dict(question.under)}


def others(question: Question) -> list[tuple[str, str]]:
    """Every reading with every value but the one in force."""
    now = current(question)
    return [(name, value) for name in READINGS for value in READINGS[name].values if value != now[name]]


@pytest.mark.parametrize(("kind", "chunk"), CASES)
def test_answers_name_the_readings_they_depend_on(kind: type[Any], chunk: int) -> None:
    _, count, each = AMOUNTS[kind]
    rng = dice("readings", kind.__name__, chunk)
    asked = drawn(rng, kind, count, each, lambda _: chosen(rng, list(READINGS), 2) if rng.random() < 0.3 else {})
    faults: list[str] = []
    for (board, question), answer, changed in zip(asked, ask_all(asked), depends(asked), strict=True):
        if isinstance(answer, RieseError):
            continue
        named = {taken.reading: set(taken.otherwise) for taken in answer.readings}
        if named != changed:
            faults.append(shown(board, question, named=named, changed_by=changed, answer=summary(answer)))
    assert not faults, complaint(faults, len(asked))


def depends(asked: list[Asked]) -> list[dict[str, set[str]]]:
    """By brute force: the values of each reading under which the answer is another one."""
    found: list[dict[str, set[str]]] = []
    for board, question in asked:
        under = dict(question.under)
        ways = others(question)
        base, *changed = drafts(
            [(board, question), *((board, ruled(question, {**under, name: value})) for name, value in ways)]
        )
        by: dict[str, set[str]] = {}
        for (name, value), other in zip(ways, changed, strict=True):
            if isinstance(base, Draft) and isinstance(other, Draft) and other.essence != base.essence:
                by.setdefault(name, set()).add(value)
        found.append(by)
    return found


def summary(answer: Answer) -> dict[str, Any]:
    return {"verdict": answer.verdict, "result": answer.result, "violations": [(v.rule, v.at) for v in answer.violations]}
