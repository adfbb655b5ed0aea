"""A team as facts: its heroes, its record sheet, and what is known of scenarios. What a position is for a board."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from riese_kb import tables
from riese_kb.board import Square, System
from riese_kb.facts import Name, fact
from riese_kb.scenarios import find_scenario
from riese_kb.tables import Rank
from riese_kb.team import Member, Outcome, Scenario, Team
from riese_kb.teamtables import campaign, scenarios_of, threat_effects


class Roster:
    """One team with everything about it as facts; shared by all questions about it."""

    def __init__(self, team: Team) -> None:
        self.team = team

    @property
    def system(self) -> System:
        """The game."""
        return self.team.system

    def facts(self, squares: frozenset[Square] | None, ids: frozenset[str] | None) -> list[str]:
        """All facts; a team is small, so there is nothing to choose from."""
        return self._facts

    def staged(self, number: str) -> str:
        """The tables of a scenario whose rules are laid over the book's."""
        return "".join(fact(name, *row) for name, rows in find_scenario(self.system, number).facts.items() for row in rows)

    @cached_property
    def _facts(self) -> list[str]:
        return [*map(self._member, self.team.members), self._sheet(), *map(_scenario, self.scenarios.values()), self._tables()]

    @cached_property
    def scenarios(self) -> dict[str, Scenario]:
        """The scenarios that the book or the team file describes."""
        return scenarios_of(self.team)

    def person(self, member: Member) -> tables.Person:
        """What the book prints about a hero."""
        return tables.characters(self.system)[member.name]

    def is_trooper(self, member: Member) -> bool:
        """A trooper and no character."""
        return self.person(member).rank is Rank.TROOPER

    def _member(self, member: Member) -> str:
        person, id = self.person(member), member.id
        parts = [fact("troop" if self.is_trooper(member) else "character", id), fact("called", id, member.name)]
        parts += [fact("health", id, member.health), fact("full_health", id, person.health), fact("xp", id, member.xp)]
        for skill in person.skills:
            parts.append(fact("skill_of", id, skill.name, skill.group, skill.level, skill.xp))
            if (known := tables.series(skill.name)) is not None:
                parts.append(fact("series", skill.name, *known))
        parts += [fact("unlocked", id, skill) for skill in member.skills]
        parts += [fact("medkits", id, member.medkits)] if member.medkits else []
        parts += [fact(word, id) for word in ("healed", "stayed", "laid") if getattr(member, word)]
        return "".join(parts)

    def _sheet(self) -> str:
        team = self.team
        used = team.replays
        parts = [fact("stands_at", team.threat), fact("used_replays", used), fact("replayed", team.replayed)]
        parts.append(fact("difficulty", Name(team.difficulty)))
        for word, value in (("last", team.last), ("playing", team.playing)):
            if value is not None:
                parts.append(fact(word, value))
        if team.done is not None:
            parts.append(fact("done", Name(team.done)))
        return "".join(parts)

    def _tables(self) -> str:
        table = campaign(self.system)
        parts = [fact("team_places", Name(rank), table["team"][f"{rank}s"]) for rank in (Rank.CHARACTER, Rank.TROOPER)]
        parts += [fact("substitutes", table["substitution"]["troopers"])]
        parts += [fact("enough_troopers", table["substitution"]["minimum"])]
        parts += [fact("allowed_replays", rule, number) for rule, number in table["replays"].items()]
        parts += [fact("medkit", Name(key), number) for key, number in table["medkit"].items()]
        parts += [fact("track", table["track"]["lowest"], table["track"]["highest"])]
        parts += [fact("adjusts", rule, number) for rule, number in table["adjust"].items()]
        parts += [fact("earned", rule, number) for rule, number in table["earned"].items()]
        parts += [fact("killing", category.replace(" ", "-")) for category in self._categories()]
        parts += [fact("shared", deed) for deed in table["shared"]["deeds"]]
        for kind, numbers in table["reduction"].items():
            parts += [fact("reduction", Name(kind), Name(value), number) for value, number in numbers.items()]
        parts += [fact("victory", row["level"], row["survivors"]) for row in table["victory"]]
        parts += [fact("threat_effect", rule, level, amount) for rule, (level, amount) in threat_effects(self.system).items()]
        return "".join(parts)

    def _categories(self) -> Iterable[str]:
        return dict.fromkeys(kind.category for kind in tables.zombie_types(self.system).values())

    def lost(self, outcome: Outcome | None) -> bool:
        """Whether the scenario in question was not won: as the question says, else as the file does."""
        return (outcome or self.team.result) is Outcome.LOST


def _scenario(scenario: Scenario) -> str:
    number = scenario.number
    counts = {"characters": scenario.characters, "troopers": scenario.troopers, "heroes": scenario.heroes}
    parts = [fact("forces", number, Name(key), n) for key, n in counts.items() if n is not None]
    parts += [fact("exit", number, following) for following in scenario.next]
    parts += [fact("doubtful_exit", number, Name(value), following) for value, following in scenario.doubtful.items()]
    parts += [fact("accompanies", number, scenario.joins)] if scenario.joins else []
    parts += [fact("bars", number)] if scenario.bars_reduction else []
    parts += [fact("title", number, scenario.threat)] if scenario.threat is not None else []
    for adjustment in scenario.adjust:
        how = Name("once" if adjustment.once else "each")
        parts.append(fact("condition", number, adjustment.deed, adjustment.threat, how))
    return "".join(parts)
