"""Questions about a team's heroes: ``can … learn``, ``heal``, ``join``, ``play``, ``replay``, ``xp …``, ``victory …``."""

from __future__ import annotations

from riese_kb import tables
from riese_kb.draft import Draft, Verdict, breaches, charges, matters
from riese_kb.errors import MissingValue
from riese_kb.facts import Name, fact
from riese_kb.position import Terms
from riese_kb.question import Earn, Heal, Join, Learn, Play, Replay, Victory
from riese_kb.roster import Roster
from riese_kb.team import Aside, Member, Scenario
from riese_kb.worlds import Derived, Steps, World

Asked = Learn | Heal | Join | Play | Replay | Earn | Victory


def steps(roster: Roster, about: Asked, terms: Terms) -> Steps[Draft]:
    """The question of that kind."""
    match about:
        case Learn():
            return learn(roster, about, terms)
        case Heal():
            return heal(roster, about, terms)
        case Join():
            return join(roster, about, terms)
        case Play():
            return play(roster, about, terms)
        case Replay():
            return replay(roster, about, terms)
        case Earn():
            return earn(roster, about, terms)
    return victory(roster, about, terms)


def member_of(roster: Roster, id: str) -> Member:
    """A hero of the team."""
    member = roster.team.member(id)
    assert member is not None, "questions are resolved against the team before they are asked"
    return member


def judged(derived: Derived, result: dict[str, object]) -> Draft:
    """Legal unless a rule is broken; the ledger and the open points as they were derived."""
    broken = tuple(breaches(derived, None))
    verdict = Verdict.ILLEGAL if broken else Verdict.LEGAL
    return Draft(verdict, result, tuple(charges(derived, None)), broken, matters(derived))


def learn(roster: Roster, about: Learn, terms: Terms) -> Steps[Draft]:
    """May the hero buy these skills in that order, and what is left of the experience?"""
    member = member_of(roster, about.hero)

    def facts(world: int) -> str:
        bought = (fact("buys", world, number, skill) for number, skill in enumerate(about.skills, 1))
        return fact("actor", world, member.id) + "".join(bought)

    (derived,) = yield [World(roster, "learn", terms, facts)]
    draft = judged(derived, {})
    first = min((breach.step for breach in draft.violations), default=len(about.skills) + 1)
    spent = sum(charge.amount for charge in draft.ledger if charge.step < max(first, 1))
    draft.result.update(xp=member.xp, spent=spent, left=member.xp - spent, skills=list(about.skills))
    replaced = [str(old) for _, _, old in sorted(derived["replaces"])]
    if replaced:
        draft.result["replaces"] = replaced
    return draft


def heal(roster: Roster, about: Heal, terms: Terms) -> Steps[Draft]:
    """May a medkit of the one be used on the other, and what does it do?"""
    user, patient = member_of(roster, about.hero), member_of(roster, about.patient)

    def facts(world: int) -> str:
        return fact("heals", world, user.id, patient.id)

    (derived,) = yield [World(roster, "heal", terms, facts)]
    draft = judged(derived, {"health": patient.health, "becomes": patient.health, "medkits": user.medkits})
    if draft.verdict is Verdict.LEGAL:
        after = max((row[1] for row in derived["recovers"]), default=patient.health)
        draft.result.update(becomes=after, medkits=max(0, user.medkits - 1))
    return draft


def join(roster: Roster, about: Join, terms: Terms) -> Steps[Draft]:
    """Is there a place on the team for somebody whom it has met?"""
    person = tables.characters(roster.system)[about.name]
    rank = person.rank

    def facts(world: int) -> str:
        return fact("joins", world, Name(rank), about.name) + fact("printed_health", world, person.health)

    (derived,) = yield [World(roster, "join", terms, facts)]
    result: dict[str, object] = {"name": about.name, "rank": str(rank)}
    result |= {str(key): n for key, n in sorted(derived["starts"], key=str)}
    if brought := sorted(map(str, derived.values("carries_in"))):
        result["brings"] = brought
    return judged(derived, result)


def play(roster: Roster, about: Play, terms: Terms) -> Steps[Draft]:
    """May these heroes play that scenario next? Raises ``MissingValue`` where only its unknown forces could say."""
    word = about.scenario

    def facts(world: int) -> str:
        kind = word in (Aside.CULL, Aside.RAID, Aside.LOOT)
        asked = fact("asked_kind", world, Name(word)) if kind else fact("asked", world, word)
        return asked + "".join(fact("picks", world, id) for id in about.heroes) + _lost(roster, world)

    (derived,) = yield [World(roster, "play", terms, facts)]
    numbers = [str(number) for number in derived.values("plays")]
    number = numbers[0] if numbers else word
    scenario = roster.scenarios.get(number) or Scenario(number=number)
    members = [member_of(roster, id) for id in about.heroes]
    result: dict[str, object] = {"scenario": number}
    result["characters"] = [m.id for m in members if not roster.is_trooper(m)]
    result["troopers"] = [m.id for m in members if roster.is_trooper(m)]
    if scenario.heroes is not None:
        result.update(places=len(members), of=scenario.heroes)
    elif scenario.characters is not None:
        result.update(places=derived.number("needed"), of=scenario.characters)
    if along := sorted(map(str, derived.values("goes_along"))):
        result["joins"] = ", ".join(along)
    draft = judged(derived, result)
    if draft.verdict is Verdict.LEGAL and "of" not in result:
        raise MissingValue(
            f"the manual does not print how many heroes scenario {number} admits",
            fix=f'add to the team file: [[scenario]] number = "{number}", characters = …',
        )
    return draft


def _lost(roster: Roster, world: int) -> str:
    return fact("lost", world) if roster.team.last is not None and roster.lost(None) else ""


def replay(roster: Roster, about: Replay, terms: Terms) -> Steps[Draft]:
    """Is a replay left, and what reverts?"""

    def facts(world: int) -> str:
        return fact("replays", world, about.scenario)

    (derived,) = yield [World(roster, "replay", terms, facts)]
    used, most = roster.team.replays, sum(row[3] for row in derived["charge"])
    draft = judged(derived, {"used": used, "of": most, "left": max(0, most - used)})
    if draft.verdict is Verdict.LEGAL:
        draft.result["left"] = max(0, most - used - 1)
        draft.result["reverts"] = sorted(str(what) for what in derived.values("reverts"))
    return draft


def earn(roster: Roster, about: Earn, terms: Terms) -> Steps[Draft]:
    """What the hero earns by these deeds."""
    member = member_of(roster, about.hero)

    def facts(world: int) -> str:
        counts: dict[tuple[str, str], int] = {}
        for deed in about.deeds:
            key = ("achieved_late" if deed.late else "achieved", deed.name)
            counts[key] = counts.get(key, 0) + deed.count
        return fact("actor", world, member.id) + "".join(fact(how, world, name, n) for (how, name), n in counts.items())

    (derived,) = yield [World(roster, "earn", terms, facts)]
    draft = judged(derived, {})
    earned = sum(charge.amount for charge in draft.ledger)
    draft.result.update(xp=member.xp, earned=earned, becomes=member.xp + earned)
    nothing = sorted({str(row[0]) for row in (*derived["too_late"], *derived["left_out"])})
    if nothing:
        draft.result["nothing_for"] = nothing
    return Draft(Verdict.COMPUTED, draft.result, draft.ledger, (), draft.matters)


def victory(roster: Roster, about: Victory, terms: Terms) -> Steps[Draft]:
    """How far has the team won when these heroes escape?"""

    def facts(world: int) -> str:
        return "".join(fact("picks", world, id) for id in about.heroes)

    (derived,) = yield [World(roster, "victory", terms, facts)]
    members = [member_of(roster, id) for id in about.heroes]
    result: dict[str, object] = {
        "level": str(derived.value("level")) if derived.holds("level") else "none",
        "worth": derived.number("worth"),
        "characters": [m.id for m in members if not roster.is_trooper(m)],
        "troopers": [m.id for m in members if roster.is_trooper(m)],
    }
    draft = judged(derived, result)
    if draft.verdict is Verdict.ILLEGAL:
        result["level"] = "none"
        return draft
    return Draft(Verdict.COMPUTED, result, draft.ledger, (), draft.matters)
