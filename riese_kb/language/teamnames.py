"""The names in a question about a team: heroes, skills, scenarios, deeds."""

from __future__ import annotations

from msgspec.structs import replace

from riese_kb import tables
from riese_kb.errors import MissingValue, QuestionError, did_you_mean, nearest
from riese_kb.question import (
    About,
    BetweenScenarios,
    Deed,
    Earn,
    Heal,
    Join,
    Learn,
    Play,
    Replay,
    TeamAbout,
    ThreatAfter,
    Victory,
)
from riese_kb.tables import loose
from riese_kb.team import Aside, Scenario, Team
from riese_kb.teamtables import scenarios_of

STARRED = "starred space"
"""A space of the round track with a star, entered after its reset: it raises the threat level whatever is played."""

_ACHIEVEMENTS = {
    "npc": ("npc", "npcs", "enemy npc", "guard", "guards"),
    "rescue": ("rescue", "rescues", "prisoner", "prisoners", "civilian", "civilians"),
    "sacrificed": ("sacrificed", "sacrifice", "sacrifices"),
    "scenario": ("scenario", "scenarios", "scenario completed"),
    "secondary": ("secondary", "secondary objectives", "all secondary objectives"),
    "personal": ("personal", "personal objective"),
}
_CATEGORIES = ("beta", "advanced", "alpha", "alpha prime", "omega")


def team_about(about: About, team: Team) -> About:
    """The question with its names as the team and the book have them."""
    match about:
        case Learn(hero, skills):
            member = _hero(hero, team)
            return Learn(member, tuple(_skill(member, skill, team) for skill in skills))
        case Heal(hero, patient):
            return Heal(_hero(hero, team), _hero(patient, team))
        case Join(name):
            return Join(_stranger(name, team))
        case Play(scenario, heroes):
            return Play(_played(scenario, team), tuple(_hero(hero, team) for hero in heroes))
        case Replay(scenario):
            return Replay(scenario)
        case ThreatAfter(scenario, _, deeds):
            number = _known(_played(scenario, team), team).number
            return replace(about, scenario=number, deeds=_threats(deeds, number, team))
        case BetweenScenarios(scenario, _, deeds):
            last = scenario or team.last
            if last is None:
                raise MissingValue(
                    "the team file does not say which scenario was played last", fix='add last = "17", or ask … after 17'
                )
            number = _known(_played(last, team), team).number
            return replace(about, scenario=number, deeds=_threats(deeds, number, team))
        case Earn(hero, deeds):
            return Earn(_hero(hero, team), tuple(_earned(deed, team) for deed in deeds))
        case Victory(heroes):
            return Victory(tuple(_hero(hero, team) for hero in heroes))
    assert not isinstance(about, TeamAbout), about
    raise QuestionError(
        "this question is about a board, and this file is a team",
        fix="ask it of a NAME.board.toml, or for example: between scenarios",
    )


def _hero(id: str, team: Team) -> str:
    member = team.member(id)
    if member is None:
        ids = [m.id for m in team.members]
        close = nearest(id, ids)
        known = f"on the team: {', '.join(ids)}"
        raise QuestionError(f'"{id}" is not on the team', fix=f"did you mean {close[0]}? {known}" if close else known)
    return member.id


def _skill(id: str, spelling: str, team: Team) -> str:
    """The hero's own skill of that name, else anybody's, which then breaks a rule."""
    member = team.member(id)
    assert member is not None
    found = tables.find_skill(team.system, spelling, member.name) or tables.find_skill(team.system, spelling)
    if found is None:
        own = [skill.name for skill in tables.characters(team.system)[member.name].skills]
        raise QuestionError(f'there is no skill "{spelling}"', fix=did_you_mean(spelling, own))
    return found


def _stranger(name: str, team: Team) -> str:
    found = tables.find_character(team.system, name)
    if found is None:
        raise QuestionError(f'the book knows nobody called "{name}"', fix=did_you_mean(name, tables.characters(team.system)))
    return found


def _played(scenario: str, team: Team) -> str:
    """The number of a scenario; a threat reduction scenario may be called by its kind, in lower case from here on."""
    return scenario.lower() if scenario.lower() in (Aside.CULL, Aside.RAID, Aside.LOOT) else scenario


def _known(number: str, team: Team) -> Scenario:
    from riese_kb.teamtables import reduction_number

    known = scenarios_of(team)
    if number in (Aside.CULL, Aside.RAID, Aside.LOOT):
        number = reduction_number(team.system, Aside(number), "headings")
    return known.get(number) or Scenario(number=number)


def _same(spelling: str, *names: str) -> bool:
    return loose(spelling) in {loose(name) for name in names}


def _threats(deeds: tuple[Deed, ...], number: str, team: Team) -> tuple[Deed, ...]:
    """The conditions that were met, under the names of the scenario's own list."""
    known = scenarios_of(team).get(number) or Scenario(number=number)
    counts: dict[str, int] = {}
    for deed in deeds:
        if deed.late:
            raise QuestionError("after reset is said of experience only", fix='e.g. xp kelley with 2 "beta" after reset')
        name = STARRED if _same(deed.name, STARRED, STARRED + "s", "star", "stars") else None
        for adjustment in known.adjust:
            if _same(deed.name, adjustment.deed, *adjustment.aliases):
                name = adjustment.deed
        if name is None:
            offered = [adjustment.deed for adjustment in known.adjust] + [STARRED]
            what = f'scenario {number} adjusts threat for no "{deed.name}" that is known'
            raise QuestionError(what, fix=did_you_mean(deed.name, offered))
        counts[name] = counts.get(name, 0) + deed.count
    return tuple(Deed(count, name) for name, count in counts.items())


def _earned(deed: Deed, team: Team) -> Deed:
    """An achievement under the word of the experience table."""
    for id, names in _ACHIEVEMENTS.items():
        if _same(deed.name, *names):
            return replace(deed, name=id)
    word = deed.name
    for spelling in (word, word.removesuffix("s")):
        if _same(spelling, *_CATEGORIES):
            return replace(deed, name=next(c for c in _CATEGORIES if loose(c) == loose(spelling)).replace(" ", "-"))
        kind = tables.find_zombie_type(team.system, spelling)
        if kind is not None:
            return replace(deed, name=tables.zombie_types(team.system)[kind].category.replace(" ", "-"))
    offered = [*_CATEGORIES, *_ACHIEVEMENTS, *(t.name for t in tables.zombie_types(team.system).values())]
    raise QuestionError(f'"{word}" earns no experience that the book names', fix=did_you_mean(word, offered))
