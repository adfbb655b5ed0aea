"""The stage between two scenarios: ``threat after …`` and ``between scenarios …``."""

from __future__ import annotations

from typing import Any

from riese_kb.catalogue import find_rule
from riese_kb.draft import Draft, Verdict, breaches, charges, matters
from riese_kb.errors import MissingValue
from riese_kb.facts import Name, fact
from riese_kb.kinds import teamwork
from riese_kb.position import Terms
from riese_kb.question import BetweenScenarios, Heal, Learn, ThreatAfter
from riese_kb.roster import Roster
from riese_kb.team import Aside, Scenario
from riese_kb.worlds import Derived, Steps, World, together


def _derived(roster: Roster, about: ThreatAfter | BetweenScenarios, terms: Terms) -> Steps[Derived]:
    number = about.scenario
    assert number is not None, "questions are resolved against the team before they are asked"

    def facts(world: int) -> str:
        parts = [fact("after", world, number)]
        parts += [fact("deed", world, deed.name, deed.count) for deed in about.deeds]
        parts += [fact("considers", world, Name(aside)) for aside in Aside]
        parts += [fact("lost", world)] if roster.lost(about.outcome) else []
        return "".join(parts)

    (derived,) = yield [World(roster, "after", terms, facts)]
    return derived


def threat(roster: Roster, about: ThreatAfter, terms: Terms) -> Steps[Draft]:
    """Where the threat level stands after a scenario, term by term; illegal where no stage follows."""
    derived = yield from _derived(roster, about, terms)
    return _threat(roster, about, derived)


def _threat(roster: Roster, about: ThreatAfter | BetweenScenarios, derived: Derived) -> Draft:
    asides = {str(aside) for aside in Aside}
    broken = tuple(breach for breach in breaches(derived, None) if breach.at not in asides)
    before = roster.team.threat
    known = matters(derived) - {"raid_loot"}
    if broken:
        result: dict[str, Any] = {"before": before, "change": 0, "after": before, "effects": [], "new": []}
        return Draft(Verdict.ILLEGAL, result, (), broken, known)
    scenario = roster.scenarios.get(about.scenario or "") or Scenario(number=about.scenario or "")
    if scenario.threat is None:
        raise MissingValue(
            f"the manual does not print by how much scenario {scenario.number} raises threat",
            fix=f'add to the team file: [[scenario]] number = "{scenario.number}", threat = … (0 for none)',
        )
    after = derived.number("becomes")
    effects = sorted((level, str(rule)) for rule, level in derived["effect"])
    named = [_title(roster, rule) for _, rule in effects]
    new = [_title(roster, rule) for level, rule in effects if level > before]
    result = {"before": before, "change": after - before, "after": after, "effects": named, "new": new}
    # The title comes before the conditions.
    terms = sorted(charges(derived, None), key=lambda charge: (charge.step, charge.rule != "adjustment.title"))
    return Draft(Verdict.COMPUTED, result, tuple(terms), (), known)


def _title(roster: Roster, rule: str) -> str:
    found = find_rule(roster.system, rule)
    return found.title if found is not None else rule


def between(roster: Roster, about: BetweenScenarios, terms: Terms) -> Steps[Draft]:
    """Everything that the stage asks for and offers, each with its price and effect."""
    derived = yield from _derived(roster, about, terms)
    draft = _threat(roster, about, derived)
    result: dict[str, Any] = {"scenario": about.scenario, "threat": draft.result}
    if draft.verdict is Verdict.ILLEGAL:
        return Draft(draft.verdict, result, (), draft.violations, draft.matters)
    result["rearranges"] = derived.holds("rearranges")
    result["heals"] = {str(hero): amount for hero, amount in sorted(derived["recuperates"])}
    living = [member for member in roster.team.members if member.health]
    kits = [Heal(user.id, patient.id) for user in living if user.medkits for patient in living]
    wishes = [Learn(member.id, (skill.name,)) for member in living for skill in roster.person(member).skills]
    healed = yield from together(teamwork.heal(roster, kit, terms) for kit in kits)
    learnt = yield from together(teamwork.learn(roster, wish, terms) for wish in wishes)
    result["medkits"] = [
        {"from": kit.hero, "to": kit.patient, "health": [one.result["health"], one.result["becomes"]]}
        for kit, one in zip(kits, healed, strict=True)
        if one.verdict is Verdict.LEGAL
    ]
    skills: dict[str, list[dict[str, Any]]] = {}
    for wish, one in zip(wishes, learnt, strict=True):
        if one.verdict is Verdict.LEGAL:
            price = {"skill": wish.skills[0], "xp": one.result["spent"], "left": one.result["left"]}
            skills.setdefault(wish.hero, []).append(price)
    result["skills"] = skills
    barred = {breach.at for breach in breaches(derived, None)}
    numbers = {str(kind): str(number) for kind, number in derived["numbered"]}
    result["one_of"] = [
        {"what": str(aside)} | ({"scenario": numbers[aside]} if aside in numbers else {})
        for aside in Aside
        if aside not in barred
    ]
    opened = matters(derived)
    for one in (*healed, *learnt):
        opened |= one.matters
    return Draft(Verdict.COMPUTED, result, draft.ledger, (), opened)
