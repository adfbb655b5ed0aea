"""From a question to its draft: which kind of question it is, and whose fault it is when that fails."""

from __future__ import annotations

from msgspec.structs import replace

from riese_kb.draft import Draft
from riese_kb.errors import RulesError
from riese_kb.position import Position, Terms
from riese_kb.question import (
    About,
    Attack,
    AttackType,
    BetweenScenarios,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Initiative,
    Lof,
    MaxRange,
    MayCarry,
    Npc,
    NpcTurn,
    Reach,
    Round,
    SearchPlace,
    Spawn,
    Targets,
    TeamAbout,
    ThreatAfter,
    Throw,
    WhatGives,
    WhatLets,
    Zombie,
    ZombieTurn,
)
from riese_kb.ringstand import RingStand
from riese_kb.roster import Roster
from riese_kb.worlds import Stand, Steps


def core(position: Stand, about: About, terms: Terms) -> Steps[Draft]:
    """The draft of one question; kinds of question live in ``riese_kb.kinds``."""
    # Each kind is imported when it is first asked for: a process that asks one question should not load them all.
    if isinstance(position, RingStand):
        from riese_kb.kinds import onrings

        return onrings.steps(position, about, terms)
    if isinstance(position, Roster):
        return _of_team(position, about, terms)
    if any(figure.health == 0 for figure in position.board.figures):
        from riese_kb.kinds import fallen

        return fallen.told(position, about, terms, _on_board)
    return _on_board(position, about, terms)


def _on_board(position: Position, about: About, terms: Terms) -> Steps[Draft]:
    match about:
        case Can():
            from riese_kb.kinds import moving

            return moving.can(position, about, terms)
        case CanTo():
            from riese_kb.kinds import ways

            return ways.can_to(position, about, terms)
        case Reach():
            from riese_kb.kinds import ways

            return ways.reach(position, about, terms)
        case Lof():
            from riese_kb.kinds import sight

            return sight.lof(position, about, terms)
        case Attack() if _bursts(position, about):
            from riese_kb.kinds import flaming

            return flaming.flame(position, about, terms)
        case Attack():
            from riese_kb.kinds import attacking

            return attacking.attack(position, about, terms)
        case Targets():
            from riese_kb.kinds import targeting

            return targeting.targets(position, about, terms)
        case BreakLock():
            from riese_kb.kinds import locks

            return locks.break_lock(position, about, terms)
        case Throw():
            from riese_kb.kinds import throwing

            return throwing.throw(position, about, terms)
        case Blast():
            from riese_kb.kinds import blasting

            return blasting.blast(position, about, terms)
        case SearchPlace():
            from riese_kb.kinds import searching

            return searching.search(position, about, terms)
        case WhatGives() | WhatLets() | MaxRange():
            from riese_kb.kinds import backwards

            return backwards.steps(position, about, terms)
        case MayCarry():
            from riese_kb.kinds import carrying

            return carrying.may_carry(position, about, terms)
        case Zombie():
            from riese_kb.kinds import shambling

            return shambling.zombie(position, about, terms)
        case Initiative():
            from riese_kb.kinds import rounds

            return rounds.initiative(position, about, terms)
        case Round():
            from riese_kb.kinds import rounds

            return rounds.round_(position, about, terms)
        case Spawn():
            from riese_kb.kinds import spawning

            return spawning.spawn(position, about, terms)
        case Npc():
            from riese_kb.kinds import npcs

            return npcs.npc(position, about, terms)
    if isinstance(about, NpcTurn):
        from riese_kb.kinds import npc_turn

        return npc_turn.npcs(position, about, terms)
    from riese_kb.kinds import turn

    assert isinstance(about, ZombieTurn), about
    return turn.zombies(position, about, terms)


def _of_team(roster: Roster, about: About, terms: Terms) -> Steps[Draft]:
    match about:
        case ThreatAfter():
            from riese_kb.kinds import stage

            return stage.threat(roster, about, terms)
        case BetweenScenarios():
            from riese_kb.kinds import stage

            return stage.between(roster, about, terms)
    from riese_kb.kinds import teamwork

    assert isinstance(about, TeamAbout), about
    return teamwork.steps(roster, about, terms)


def _bursts(position: Position, about: Attack) -> bool:
    """Whether the card of the weapon shows an A, so that no die is rolled against a target."""
    hero = position.board.figure(about.figure)
    if about.unarmed or about.off_hand or hero is None or about.type not in (None, AttackType.NORMAL):
        return False
    name = about.weapon or hero.weapon
    return name is not None and position.weapon(name).rm == "A"


def drafted(position: Stand, about: About, terms: Terms) -> Steps[Draft]:
    """The draft; what a rule file derives in the wrong form is the file's fault and not ours."""
    gave_way: set[tuple[str, str]] = set()
    steps = core(position, about, terms)
    try:
        draft = yield from (_watched(steps, terms, gave_way) if terms.extra or terms.scenario else steps)
    except (TypeError, ValueError, LookupError, AssertionError) as fault:
        if not terms.extra:
            raise
        raise RulesError(
            f"the rule file derives something of the wrong form ({fault})", fix="see docs/house-rules.md", file=terms.files[0]
        ) from None
    return replace(draft, overridden=frozenset(gave_way)) if gave_way else draft


def _watched(steps: Steps[Draft], terms: Terms, gave_way: set[tuple[str, str]]) -> Steps[Draft]:
    """The same steps; what took precedence over the book in any of their worlds is noted down on the way."""
    try:
        worlds = next(steps)
        while True:
            found = yield worlds
            for derived in found:
                gave_way |= {(str(rule), str(by)) for rule, by in derived["overridden"]}
            worlds = steps.send(found)
    except StopIteration as stop:
        draft: Draft = stop.value
        return draft
