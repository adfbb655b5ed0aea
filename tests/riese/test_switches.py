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
from tests.riese.generated import QUERIES, TEAM_QUERIES, AskedOfSheet, drafts, ruled, shown, stored

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
ONLY_TOLD = {
    "aoe.reveals": "The answer tells that a marker is turned up; nobody knows yet what it hides.",
    "attack.walking": "Its modifier is 0.",
    "barricade.falls": "It is told what becomes of the barricade after the attack.",
    "covering.stationary": "Its modifier is 0.",
    "flamethrower.bearer": "It is told what the explosion does besides.",
    "flamethrower.fuel": "It is told what the attack uses up.",
    "hero-death.haunts": "It is told what comes of it in later scenarios.",
    "initiative.winner-chooses": "It is told who chooses; nobody chooses in the answer.",
    "initiative.zombies-first": "It is told what zombies choose.",
    "npc.reveals": "The answer tells that a marker is turned up; nobody knows yet what it hides.",
    "panzerfaust.objective": "It is told what the rocket destroys besides.",
    "power.vampire": "It is told what the attack does for the zombie.",
    "scenario-17.expires": "It is told what a die may do to the prisoner afterwards.",
    "scenario-17.first-wound": "It is told what is read after a wound.",
    "scenario-17.new-trooper": "It is told what a die may bring.",
    "scenario-31.alarm": "It is told that a die is rolled for the alarm after the attack.",
    "scenario-31.apparatus": "It is told what the explosion destroys besides.",
    "scenario-31.office-door": "It is told that the alarm is raised; the board says so from then on.",
    "scenario-31.omega-gun": "It is told what it picks up; the book gives no numbers.",
    "scenario-39.striking": "It is told what the blow costs the hero; the odds are those of the target.",
    "scenario-43.carried": "It is told where Thessa is put.",
    "scenario-43.eaten": "It is told what becomes of whoever is killed.",
    "scenario-43.put-down": "It is told what the attack does besides its dice.",
    "scenario-43.risen": "It is told what the abomination becomes.",
    "scenario-43.rooted": "The abominations' own cards let them move no square either.",
    "scenario-44.fuel-tank": "It is told that an objective is met.",
    "spawning.no-activation": "It is told of newcomers; no question is about what they do in the same turn.",
    "throw.consumed": "It is told what the throw uses up.",
    "throw.explosion": "It is told when it goes off.",
}
"""Rules that do no more than add a line to an answer, each with the reason. The list is exact."""


@cache
def naming(*keys: str) -> dict[str, list[tuple[AskedOfSheet, dict[str, Any]]]]:
    """By rule, the stored questions that name it under one of the keys."""
    found: dict[str, list[tuple[AskedOfSheet, dict[str, Any]]]] = {id: [] for id in RULES}
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
    assert set(NEVER_ASKED) | set(ONLY_TOLD) <= set(RULES)


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


def noticed(id: str, most: int = 12) -> set[str]:
    """What is different without the rule in the answers that name it: its own "lines", or "more" than these."""
    found: set[str] = set()
    for (sheet, question), _ in [*naming("breaks")[id], *naming("keeps")[id], *naming("uses")[id]][:most]:
        before, after = drafts([(sheet, question), (sheet, ruled(question, dict(question.under), (*question.without, id)))])
        assert isinstance(before, Draft), shown(sheet, question, error=str(before))
        assert isinstance(after, Draft), shown(sheet, question, without=id, error=str(after))
        if before.ledger != after.ledger:
            found.add("lines")
        if (before.essence, others(before, id)) != (after.essence, others(after, id)):
            found.add("more")
            break
    return found


def others(draft: Draft, id: str) -> list[object]:
    """The lines of all other rules."""
    return [line for line in draft.ledger if line.rule != id]


@pytest.mark.parametrize("id", RULES)
def test_every_rule_is_missed_when_it_is_switched_off(id: str) -> None:
    changed = noticed(id)
    assert changed, f"{id} can be switched off, and no answer changes"
    if id in ONLY_TOLD:
        assert "more" not in changed, f"{id} does more than add a line after all: take it off the list"
    else:
        assert "more" in changed, f"without {id} only its own lines are missing: a board where it matters, or a reason"
