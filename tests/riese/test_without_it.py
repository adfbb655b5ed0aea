"""Every skill, every power and everything to carry: with it, and without it.

Asked are all questions about the example boards and teams, again with that one thing taken away: a skill from the
character who has it, an upgrade from the troopers, a power from the zombies of its type or from one zombie, a thing from
hands and pockets. Some answer must change, or a reason stands here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from riese_kb.board import Board, Figure, Kind, System
from riese_kb.draft import Draft
from riese_kb.tables import Rank, armoury, characters, powers, zombie_types
from riese_kb.team import Member, Sheet, Team
from tests.riese.generated import AskedOfSheet, drafts, shown, stored

PEOPLE = [person for person in characters(System.RIESE).values() if person.rank is Rank.CHARACTER]
SKILLS = [(person.name, skill.name) for person in PEOPLE for skill in person.skills]
TROOPERS = {person.name for person in characters(System.RIESE).values() if person.rank is Rank.TROOPER}
UPGRADES = sorted(
    {skill.name for person in characters(System.RIESE).values() if person.name in TROOPERS for skill in person.skills}
)
POWERS = sorted(powers(System.RIESE))
THINGS = sorted(armoury(System.RIESE))

NO_ANSWER: dict[str, str] = {}
"""What no answer depends on, each with the reason. The list is exact: who is on it must change nothing."""

Take = Callable[[Any], Any]
"""The figure, or the member of a team, without the thing."""


@cache
def asked() -> list[tuple[AskedOfSheet, Draft]]:
    """Every stored question with its answer."""
    pairs = [one for one, _ in stored()]
    return [(one, draft) for one, draft in zip(pairs, drafts(pairs), strict=True) if isinstance(draft, Draft)]


def people(sheet: Sheet) -> tuple[Any, ...]:
    return sheet.figures if isinstance(sheet, Board) else sheet.members if isinstance(sheet, Team) else ()


def robbed(sheet: Sheet, take: Take) -> Sheet:
    """The board or team with something taken from everybody who has it."""
    left = tuple(take(one) for one in people(sheet))
    if isinstance(sheet, Board):
        return replace(sheet, figures=left)
    assert isinstance(sheet, Team)
    return replace(sheet, members=left)


def difference(take: Take) -> str | None:
    """The first question whose answer changes when that is taken away."""
    fit = [(one, draft) for one, draft in asked() if any(take(who) != who for who in people(one[0]))]
    for portion in (fit[:4], *(fit[start : start + 20] for start in range(4, len(fit), 20))):
        after = drafts([(robbed(sheet, take), question) for (sheet, question), _ in portion])
        for ((sheet, question), before), then in zip(portion, after, strict=True):
            if isinstance(then, Draft) and (then.essence, then.ledger) != (before.essence, before.ledger):
                return shown(sheet, question)
    return None


def without_skill(owner: str, skill: str) -> Take:
    def take(who: Any) -> Any:
        return replace(who, skills=tuple(s for s in who.skills if s != skill)) if who.name == owner else who

    return take


def without_upgrade(upgrade: str) -> Take:
    def take(who: Any) -> Any:
        return replace(who, skills=tuple(s for s in who.skills if s != upgrade)) if who.name in TROOPERS else who

    return take


def without_power(power: str) -> Take:
    """Also from zombies whose type has it: a Beta stands in for them."""

    def take(who: Any) -> Any:
        if not isinstance(who, Figure) or who.kind is not Kind.ZOMBIE:
            return who
        plain = replace(who, powers=tuple(p for p in who.powers if p != power))
        printed = zombie_types(System.RIESE).get(who.type or "beta")
        return replace(plain, type="beta") if printed and power in printed.powers else plain

    return take


def without_thing(name: str) -> Take:
    def take(who: Any) -> Any:
        if not (isinstance(who, Member) or who.kind in (Kind.HERO, Kind.NPC)):
            return who
        hands = {hand: None for hand in ("weapon", "off_hand") if getattr(who, hand) == name}
        supply = {"Ammo": "ammo", "Grenade": "grenades", "Medkit": "medkits"}.get(name)
        stock = {supply: 0} if supply and getattr(who, supply) else {}
        return replace(who, gear=tuple(g for g in who.gear if g != name), **hands, **stock)

    return take


CASES: dict[str, Take] = {
    **{f"{owner}: {skill}": without_skill(owner, skill) for owner, skill in SKILLS},
    **{f"upgrade: {upgrade}": without_upgrade(upgrade) for upgrade in UPGRADES},
    **{f"power: {power}": without_power(power) for power in POWERS},
    **{f"thing: {name}": without_thing(name) for name in THINGS},
}


@pytest.mark.parametrize("name", CASES)
def test_something_changes_without_it(name: str) -> None:
    changed = difference(CASES[name])
    if name in NO_ANSWER:
        assert changed is None, f"{name} changes an answer after all: take it off the list{changed}"
    else:
        assert changed is not None, f"no answer changes without {name}"
