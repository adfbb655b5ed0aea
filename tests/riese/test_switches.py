"""The rule mutation check: every rule, switched off, changes some answer.

Asked are all questions about the example boards and a seeded pool of generated ones. A rule that can be switched off
without anybody noticing is no rule, or nothing tests it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from riese_kb.board import System
from riese_kb.catalogue import rule_ids
from riese_kb.draft import Draft
from riese_kb.program import program
from riese_kb.question import (
    Attack,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Initiative,
    Lof,
    MayCarry,
    Npc,
    Question,
    Reach,
    Round,
    SearchPlace,
    Spawn,
    Targets,
    Throw,
    Zombie,
    ZombieTurn,
)
from riese_kb.team import Sheet
from tests.riese.generated import QUERIES, TEAM_QUERIES, dice, drafts, drawn, examples, ruled, shown, team_examples

Asked = tuple[Sheet, Question]
RULES = sorted(rule_ids(System.RIESE))
UNNOTICED: dict[str, str] = {}
"""Rules whose switch changes no answer, each with the reason. The list is exact: who is on it must go unnoticed."""

# Kind, boards, questions a board.
POOL: dict[type[Any], tuple[int, int]] = {
    Can: (20, 10),
    CanTo: (5, 1),
    Reach: (10, 2),
    Lof: (10, 10),
    Attack: (20, 10),
    Targets: (10, 3),
    Throw: (15, 6),
    Blast: (15, 4),
    BreakLock: (10, 2),
    SearchPlace: (3, 2),
    MayCarry: (5, 2),
    Zombie: (20, 2),
    ZombieTurn: (5, 1),
    Initiative: (3, 1),
    Round: (6, 1),
    Spawn: (10, 3),
    Npc: (20, 2),
}


@cache
def pool() -> list[tuple[Asked, Draft]]:
    """Every question with its answer under all rules."""
    asked: list[Asked] = [(board, question) for board, question in examples() if not question.rules]
    asked += team_examples()
    for kind, (count, each) in POOL.items():
        asked += drawn(dice("switches", kind.__name__), kind, count, each)
    return [(one, draft) for one, draft in zip(asked, drafts(asked), strict=True) if isinstance(draft, Draft)]


def rules_of(kind: type[Any], scenario: str = "") -> frozenset[str]:
    return frozenset().union(*(program(System.RIESE, query, scenario).rules for query in (QUERIES | TEAM_QUERIES)[kind]))


def may_matter(rule: str, question: Question) -> bool:
    """Whether the rule is in force for the question and can be switched off."""
    return rule in rules_of(type(question.about), "".join(question.scenarios)) and rule not in question.without


def told(draft: Draft) -> tuple[object, ...]:
    """Everything an answer says."""
    return (*draft.essence, draft.ledger)


def candidates(rule: str) -> Iterator[list[tuple[Asked, Draft]]]:
    """The questions whose answers the rule can change, in portions: first those whose answer names it."""
    fit = [pair for pair in pool() if may_matter(rule, pair[0][1])]
    names = [pair for pair in fit if rule in named(pair[1])]
    rest = [pair for pair in fit if rule not in named(pair[1])]
    for portion in (names[:10], names[10:], *(rest[start : start + 60] for start in range(0, len(rest), 60))):
        if portion:
            yield portion


def named(draft: Draft) -> set[str]:
    return {line.rule for line in draft.ledger} | {breach.rule for breach in draft.violations}


def noticed(rule: str) -> str | None:
    """The first question whose answer changes without the rule."""
    for portion in candidates(rule):
        without = [(board, ruled(question, dict(question.under), (*question.without, rule))) for (board, question), _ in portion]
        for ((board, question), before), after in zip(portion, drafts(without), strict=True):
            if not isinstance(after, Draft):
                raise AssertionError(shown(board, question, without=rule, error=str(after)))
            if told(after) != told(before):
                return shown(board, question, before=str(before.verdict), after=str(after.verdict))
    return None


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_missed_when_it_is_switched_off(rule: str) -> None:
    changed = noticed(rule)
    if rule in UNNOTICED:
        assert changed is None, f"{rule} is noticed after all: take it off the list{changed}"
    else:
        assert changed is not None, f"{rule} can be switched off, and no answer changes"


def test_the_list_names_rules() -> None:
    assert set(UNNOTICED) <= set(RULES)
