"""The rules and their boards: one that keeps each rule, one that breaks it, and an answer that misses it.

The questions files under queries/riese name, question by question, the rules that an answer must list (``uses``), those that
were at stake and kept (``keeps``), and those that are broken (``breaks``). The rule mutation check: switched off, every rule
changes one of the answers that name it. A rule that can be switched off without anybody noticing is no rule, or nothing tests it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from riese_kb.board import System
from riese_kb.catalogue import Kind, Rule, rule, rule_ids, rules
from riese_kb.draft import Draft
from riese_kb.program import program
from riese_kb.question import Question
from riese_kb.team import Sheet
from tests.riese.generated import QUERIES, TEAM_QUERIES, drafts, ruled, shown, stored

Asked = tuple[Sheet, Question]
RULES = sorted(rule_ids(System.RIESE))

# A rule without a sentence for breaking it (`broken` in its catalogue) cannot be broken: the logic derives no violation of
# it, which test_catalogue.py holds it to. Why nobody could:
NO_WAY_TO_BREAK = {
    Kind.DEFINITION: "It says what a word of the book means.",
    Kind.COST: "It says what something takes; who has less of it breaks the rule on having enough.",
    Kind.MODIFIER: "It is added wherever it applies.",
    Kind.EFFECT: "It comes about by itself.",
    Kind.PROCEDURE: "It says how something is worked out, and the answer works it out so.",
    Kind.PERMISSION: "It allows something, and nobody has to make use of it.",
}
NOBODY_IS_ASKED = {
    "aoe.": "A blast asks nobody.",
    "experience.": "Nobody asks for points: they are reckoned.",
    "max.stays-dead": "It comes about by itself.",
    "npc.": "The rules move NPCs and have them attack: no question can have them do otherwise.",
    "power.": "The rules move zombies: no question can have them do otherwise.",
    "rescue.no-reward": "Nobody asks for a reward: it is reckoned.",
    "revealing.": "Markers are turned up by the rules.",
    "round.": "A round is told, not played.",
    "satchel.range": "It is a smaller number in the rule on range, which can be broken.",
    "scenario-17.": "The rules move NPCs and choose their targets.",
    "scenario-31.": "The rules choose the targets of zombies and spawn them.",
    "scenario-41.": "The rules move NPCs, choose their targets and spawn zombies.",
    "scenario-43.": "The rules move zombies.",
    "scratch.most": "A token too many is not gained.",
    "skill.no-combination": "What may not be used besides is not offered.",
    "slots.flamethrower": "It is a number in the rule on gear slots, which can be broken.",
    "spawning.": "The rules spawn zombies.",
    "ladder.zombies": "The rules move zombies.",
    "zombie.": "The rules move zombies: no question can have them do otherwise.",
}
"""The same for restrictions, by id or by chapter."""
NEVER_ASKED = {
    "npc.no-spread": "Of the attacks that an NPC might make the logic strikes out those in spread fire; nobody can ask for one.",
    "npc.past-npcs": "It is broken only where it is switched off: then a comrade in the line is in the way.",
}
"""Rules with a sentence for breaking them that no question can break."""
UNNOTICED: dict[str, str] = {}
"""Rules whose switch changes no answer, each with the reason. The list is exact: who is on it must go unnoticed."""


@cache
def naming(*keys: str) -> dict[str, list[tuple[Asked, dict[str, Any]]]]:
    """By rule, the stored questions that name it under one of the keys."""
    found: dict[str, list[tuple[Asked, dict[str, Any]]]] = {id: [] for id in RULES}
    for asked, case in stored():
        for id in {id for key in keys for id in case.get(key, ())}:
            found[id].append((asked, case))
    return found


# --- boards that keep and break each rule -----------------------------------------------------------------------------


@pytest.mark.parametrize("id", RULES)
def test_every_rule_has_a_board_that_keeps_it(id: str) -> None:
    assert naming("uses", "keeps")[id]


@pytest.mark.parametrize("id", RULES)
def test_every_rule_has_a_board_that_breaks_it_or_a_reason(id: str) -> None:
    found = rule(System.RIESE, id)
    broken = bool(naming("breaks")[id])
    if found.broken is None:
        assert not broken
        assert reason(found), "a restriction that nobody can break: say why in NOBODY_IS_ASKED"
    else:
        assert broken != (id in NEVER_ASKED), "a board that breaks it, or a reason, and not both"


def reason(found: Rule) -> str | None:
    """Why there is no way to break the rule."""
    return NO_WAY_TO_BREAK.get(found.kind) or NOBODY_IS_ASKED.get(found.id) or NOBODY_IS_ASKED.get(f"{found.id.split('.')[0]}.")


def test_no_reason_is_left_over() -> None:
    restrictions = {r.id for r in rules(System.RIESE).values() if r.kind is Kind.RESTRICTION and r.broken is None}
    chapters = {f"{id.split('.')[0]}." for id in restrictions}
    assert set(NOBODY_IS_ASKED) <= restrictions | chapters
    assert set(NEVER_ASKED) | set(UNNOTICED) <= set(RULES)


@pytest.mark.parametrize("id", [id for id in RULES if rule(System.RIESE, id).broken])
def test_what_keeps_a_rule_could_break_it(id: str) -> None:
    """The rule is in force there, unbroken, and the question is of a kind that is known to break it."""
    kinds = {type(question.about) for (_, question), _ in naming("breaks")[id]}
    for (_, question), case in naming("keeps")[id]:
        assert in_force(id, question), question.text
        assert id not in case.get("breaks", ()), question.text
        assert type(question.about) in kinds or id in NEVER_ASKED, question.text


def in_force(id: str, question: Question) -> bool:
    """Whether the rule is in force for the question."""
    scenario = "".join(question.scenarios)
    queries = (QUERIES | TEAM_QUERIES)[type(question.about)]
    return id not in question.without and any(id in program(System.RIESE, query, scenario).rules for query in queries)


# --- the rule mutation check ------------------------------------------------------------------------------------------


def told(draft: Draft) -> tuple[object, ...]:
    """Everything an answer says."""
    return (*draft.essence, draft.ledger)


def noticed(id: str, most: int = 12) -> str | None:
    """The first of the questions naming the rule whose answer changes without it."""
    broken, kept = naming("breaks")[id], naming("keeps")[id]
    for (sheet, question), _ in [*broken, *kept, *naming("uses")[id]][:most]:
        before, after = drafts([(sheet, question), (sheet, ruled(question, dict(question.under), (*question.without, id)))])
        assert isinstance(before, Draft), shown(sheet, question, error=str(before))
        assert isinstance(after, Draft), shown(sheet, question, without=id, error=str(after))
        if told(after) != told(before):
            return shown(sheet, question, before=str(before.verdict), after=str(after.verdict))
    return None


@pytest.mark.parametrize("id", RULES)
def test_every_rule_is_missed_when_it_is_switched_off(id: str) -> None:
    changed = noticed(id)
    if id in UNNOTICED:
        assert changed is None, f"{id} is noticed after all: take it off the list{changed}"
    else:
        assert changed is not None, f"{id} can be switched off, and no answer changes"
