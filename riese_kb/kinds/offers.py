"""Skills that somebody may use or not: what the logic offers in one world, and the worlds in which an offer is taken up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb import tables
from riese_kb.draft import Draft
from riese_kb.facts import Name, fact
from riese_kb.position import Position, bound
from riese_kb.worlds import Derived

AFTER_ATTACK = "after an attack"
"""What Max does without any skill (max_the_dog.lp)."""


class Offer(Struct, frozen=True, order=True):
    """``by`` could use ``skill`` (the last part of its rule's id) in the way ``use`` (see skills_once.lp) for the hero who acts.

    ``step``: at which step of a sequence, where that makes a difference.
    """

    by: str
    skill: str
    use: str
    step: int | None = None

    def facts(self, world: int) -> str:
        """What a world in which it is used is told."""
        text = fact("uses", world, self.by, self.skill, Name(self.use))
        return text if self.step is None else text + fact("from_step", world, self.skill, self.step)


def offers(derived: Derived, actor: str, *uses: str) -> list[Offer]:
    """What is offered to a hero in a world, in those ways (all, where none is named): his own skills first."""
    found = (Offer(str(by), str(skill), str(use)) for by, skill, use in derived["offers"])
    return sorted((o for o in found if not uses or o.use in uses), key=lambda o: (o.by != actor, o))


def pairs(derived: Derived, offered: Sequence[Offer]) -> list[tuple[Offer, Offer]]:
    """Two different skills that may both be used in one activation."""
    clashes = _clashes(derived)
    return [
        (one, other)
        for one, other in combinations(offered, 2)
        if one.skill != other.skill and frozenset((one.skill, other.skill)) not in clashes
    ]


def _clashes(derived: Derived) -> set[frozenset[str]]:
    return {frozenset(map(str, pair)) for pair in derived["clash"]}


def groups(derived: Derived, aims: Sequence[Offer]) -> list[tuple[Offer, ...]]:
    """The largest sets of two or more offers that may be taken up together, on one attack."""
    clashes = _clashes(derived)
    found: list[tuple[Offer, ...]] = []
    for size in range(len(aims), 1, -1):
        for group in combinations(aims, size):
            friendly = not any(frozenset((one.skill, other.skill)) in clashes for one, other in combinations(group, 2))
            if friendly and not any(set(group) < set(larger) for larger in found):
                found.append(group)
    return found


def used(position: Position, offer: Offer) -> dict[str, Any]:
    """An offer as a result names it: the printed name of the skill, who has it, and how it is used."""
    figure = position.board.figure(offer.by)
    names = figure.skills if figure is not None else ()
    system, person = position.board.system, figure.name if figure is not None else None
    name = next((n for n in names if tables.skill_id(system, n, person) == offer.skill), offer.skill)
    return {"skill": name, "by": offer.by, "use": offer.use}


def with_skill(position: Position, offer: Offer, draft: Draft, *others: Offer) -> Draft:
    """A draft that holds only because a skill is used, and perhaps others: it says so."""
    more = {"and_with": [used(position, other) for other in others]} if others else {}
    return replace(draft, result={**draft.result, "with": used(position, offer)} | more)


def rule_of(position: Position, draft: Draft) -> str:
    """The id of the rule of the skill on which a draft rests."""
    chosen = draft.result["with"]
    figure = position.board.figure(chosen["by"])
    owner = figure.name if figure is not None else None
    return f"skill.{tables.skill_id(position.board.system, chosen['skill'], owner)}"


def worth(position: Position, offer: Offer, key: str) -> int:
    """A number of the skill, to size windows with."""
    if offer.skill == AFTER_ATTACK:
        return bound(position.board.system) if key == "squares" else 0
    return int(tables.skill_values(position.board.system).get(offer.skill, {}).get(key, 0))


def all_matters(drafts: Iterable[Draft]) -> frozenset[str]:
    """The contested points of several drafts."""
    return frozenset[str]().union(*(draft.matters for draft in drafts))
