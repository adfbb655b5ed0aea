"""What might be asked instead of an illegal question: small changes, nearest first. None is offered untested."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from riese_kb.board import Declared
from riese_kb.draft import Draft
from riese_kb.position import Position
from riese_kb.question import About, Action, Attack, AttackType, Can, CanTo, Heal, Learn, Play, Side, Step
from riese_kb.ringstand import RingStand
from riese_kb.roster import Roster

_TURN_ROUND = {
    Step.FORWARD_LEFT: ((Step.FORWARD, Step.LEFT), (Step.LEFT, Step.FORWARD)),
    Step.FORWARD_RIGHT: ((Step.FORWARD, Step.RIGHT), (Step.RIGHT, Step.FORWARD)),
    Step.BACKWARD_LEFT: ((Step.BACKWARD, Step.LEFT), (Step.LEFT, Step.BACKWARD)),
    Step.BACKWARD_RIGHT: ((Step.BACKWARD, Step.RIGHT), (Step.RIGHT, Step.BACKWARD)),
}


def suggestions(position: Position | Roster | RingStand, about: About, draft: Draft) -> Iterator[About]:
    """Nearby questions of the same kind, for those kinds that can be illegal through what was asked."""
    if isinstance(position, RingStand):
        yield from _on_rings(position, about)
        return
    if isinstance(position, Roster):
        yield from _of_team(position, about)
        return
    match about:
        case Can():
            yield from _sequences(position, about, draft)
        case CanTo():
            if about.declared is not Declared.RUNNING:
                yield replace(about, declared=Declared.RUNNING)
            if about.declared is not Declared.WALKING:
                yield replace(about, declared=Declared.WALKING)


def _on_rings(stand: RingStand, about: About) -> Iterator[About]:
    """The other way of attacking, or the same on another enemy."""
    match about:
        case Attack(type=kind):
            other = AttackType.NORMAL if kind is AttackType.H2H else AttackType.H2H
            yield replace(about, type=other, weapon=None)
            figure = stand.board.figure(about.figure)
            for enemy in stand.enemies(figure) if figure is not None else ():
                if enemy.id != about.target:
                    yield replace(about, target=enemy.id)


def _of_team(roster: Roster, about: About) -> Iterator[About]:
    """The skills that lead to the one asked for, a smaller band, or another medkit."""
    match about:
        case Learn(hero, skills):
            member = roster.team.member(hero)
            own = () if member is None else roster.person(member).skills
            wanted = next((skill for skill in own if skill.name == skills[-1]), None)
            if member is not None and wanted is not None:
                way = [s.name for s in own if s.group == wanted.group and s.level <= wanted.level and s.name not in member.skills]
                yield from (Learn(hero, tuple(way[:count])) for count in range(len(way), 0, -1))
        case Play(_, heroes):
            yield from (replace(about, heroes=heroes[:n] + heroes[n + 1 :]) for n in reversed(range(len(heroes))))
        case Heal(_, patient):
            yield from (Heal(member.id, patient) for member in roster.team.members if member.medkits)


def _sequences(position: Position, about: Can, draft: Draft) -> Iterator[Can]:
    """A detour around the only broken step, the other way of moving where nothing else is wrong, or a shorter sequence.

    Every step is judged as if those before it had been allowed, so what else is broken would stay broken.
    """
    first = min((b.step for b in draft.violations if b.step > 0), default=0)
    actions = about.actions
    broken = {b.rule for b in draft.violations}
    if first and all(b.step == first for b in draft.violations):
        if broken & _BESIDE:
            for detour in _TURN_ROUND.get(actions[first - 1].step, ()):
                yield replace(about, actions=(*actions[: first - 1], *(Action(step) for step in detour), *actions[first:]))
        if "door.closed" in broken and actions[first - 1].step in _DOOR_SIDE:
            opened = Action(Step.OPEN_DOOR, side=_DOOR_SIDE[actions[first - 1].step])
            yield replace(about, actions=(*actions[: first - 1], opened, *actions[first - 1 :]))
    figure = position.board.figure(about.figure)
    if figure is not None and broken and broken <= _OTHER_MODE:
        declared = position.declared(figure, about.declared)
        for other in (Declared.WALKING, Declared.RUNNING):
            if other is not declared:
                yield replace(about, declared=other)
    shorter = actions[: first - 1] if first > 1 else actions[:-1] if not first else ()
    if shorter:
        yield replace(about, actions=shorter)


_DOOR_SIDE = {Step.FORWARD: Side.AHEAD, Step.LEFT: Side.LEFT, Step.RIGHT: Side.RIGHT, Step.BACKWARD: Side.BEHIND}
_BESIDE = {"movement.diagonal-gap", "movement.chosen-flank", "zoc.between"}
_OTHER_MODE = {"movement.points", "movement.not-while-running", "movement.no-points", "trooper.no-running"}
