"""The first line of an answer about a team: what was asked, answered in one plain sentence."""

from __future__ import annotations

from typing import Any

from riese_kb.answer import Answer
from riese_kb.question import About, BetweenScenarios, Earn, Heal, Join, Learn, Play, Replay, ThreatAfter, Victory
from riese_kb.team import Team
from riese_kb.typeset import counted, listed


def hero_name(id: str, team: Team) -> str:
    """A hero as a sentence names them: by name where the id is that name, else by id."""
    member = team.member(id)
    return member.name if member is not None and member.name.casefold() == id.casefold() else id


def hero_names(ids: list[str], team: Team, last: str = "and") -> str:
    """Several of them."""
    return listed([hero_name(id, team) for id in ids], last)


def team_sentence(answer: Answer, team: Team, about: About) -> str:
    """The verdict in a sentence."""
    result, legal = answer.result, answer.legal
    forbidden = "a rule forbids it" if len({v.rule for v in answer.violations}) == 1 else "several rules forbid it"
    match about:
        case Learn(hero, skills):
            return _learn(result, legal, hero_name(hero, team), listed(skills), forbidden)
        case Heal(hero, patient):
            return _heal(result, legal, hero_name(hero, team), hero_name(patient, team), forbidden)
        case Join(name):
            rank = f"a {result['rank']}" + (f" of {result['health']} health" if "health" in result else "")
            if not legal:
                return f"No: {name}, {rank}, cannot join the team; {forbidden}."
            rank += f" and {result['xp']} XP" if result.get("xp") else ""
            brings = listed(result["brings"]) if result.get("brings") else "nothing along unless the scenario says so"
            return f"Yes: there is a place for {name}, {rank} who brings {brings}."
        case Play(_, heroes):
            if not legal:
                return f"No: {hero_names(list(heroes), team)} cannot play scenario {result['scenario']}; {forbidden}."
            return f"Yes: {hero_names(list(heroes), team)} may play scenario {result['scenario']}."
        case Replay(scenario):
            if not legal:
                return f"No: scenario {scenario} cannot be played again; {forbidden}."
            return f"Yes: scenario {scenario} may be played again."
        case ThreatAfter(scenario):
            return _threat(result, answer, f"After scenario {scenario}")
        case BetweenScenarios():
            threat = result["threat"]
            if answer.violations:
                return f"No: there is no stage after scenario {result['scenario']} lost; threat stays at {threat['before']}."
            return f"After scenario {result['scenario']}, threat is at {threat['after']}; this is what the team may do."
        case Earn(hero):
            return f"{hero_name(hero, team)} earns {result['earned']} XP and goes from {result['xp']} to {result['becomes']}."
        case Victory(heroes):
            return _victory(answer, hero_names(list(heroes), team))
    return f"{answer.verdict.capitalize()}: {answer.ask}."


def _learn(result: dict[str, Any], legal: bool, name: str, skills: str, forbidden: str) -> str:
    if not legal:
        return f"No: {name} cannot learn {skills} with {result['xp']} XP; {forbidden}."
    return f"Yes: {name} learns {skills} for {result['spent']} of {result['xp']} XP; {result['left']} left."


def _heal(result: dict[str, Any], legal: bool, name: str, patient: str, forbidden: str) -> str:
    whom = "themselves" if name == patient else patient
    if not legal:
        return f"No: {name} cannot use a medkit on {whom}, whose health stays {result['health']}; {forbidden}."
    return f"Yes: {name} uses a medkit on {whom}, whose health goes from {result['health']} to {result['becomes']}."


def _threat(result: dict[str, Any], answer: Answer, lead: str) -> str:
    if answer.violations:
        return f"No: {lead[0].lower()}{lead[1:]} lost no stage follows; threat stays at {result['before']}."
    change = result["change"]
    if not change:
        return f"{lead}, threat stays at {result['after']}."
    return f"{lead}, threat {'rises' if change > 0 else 'falls'} from {result['before']} to {result['after']}."


def _victory(answer: Answer, names: str) -> str:
    result = answer.result
    if answer.violations:
        return f"No: with {names} the campaign is not won; level of victory: none."
    worth = counted(result["worth"], "character")
    if result["level"] == "none":
        return f"With {names} the campaign is won; level of victory: none."
    return f"With {names} the victory is {result['level']}: worth {worth}."
