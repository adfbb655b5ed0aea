"""What might be asked instead of an illegal question: small changes, nearest first. Each is asked before it is offered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from riese_kb.board import Declared
from riese_kb.draft import Draft
from riese_kb.position import Position
from riese_kb.question import About, Action, Can, CanTo, Side, Step

_TURN_ROUND = {
    Step.FORWARD_LEFT: ((Step.FORWARD, Step.LEFT), (Step.LEFT, Step.FORWARD)),
    Step.FORWARD_RIGHT: ((Step.FORWARD, Step.RIGHT), (Step.RIGHT, Step.FORWARD)),
    Step.BACKWARD_LEFT: ((Step.BACKWARD, Step.LEFT), (Step.LEFT, Step.BACKWARD)),
    Step.BACKWARD_RIGHT: ((Step.BACKWARD, Step.RIGHT), (Step.RIGHT, Step.BACKWARD)),
}


def suggestions(position: Position, about: About, draft: Draft) -> Iterator[About]:
    """Nearby questions of the same kind, for those kinds that can be illegal through what was asked."""
    match about:
        case Can():
            yield from _sequences(position, about, draft)
        case CanTo():
            if about.declared is not Declared.RUNNING:
                yield replace(about, declared=Declared.RUNNING)
            if about.declared is not Declared.WALKING:
                yield replace(about, declared=Declared.WALKING)


def _sequences(position: Position, about: Can, draft: Draft) -> Iterator[Can]:
    """A detour around the first broken step, the other way of moving where that is what is wrong, or a shorter sequence."""
    first = min((b.step for b in draft.violations if b.step > 0), default=0)
    actions = about.actions
    broken = {b.rule for b in draft.violations}
    if first and broken & _BESIDE:
        for detour in _TURN_ROUND.get(actions[first - 1].step, ()):
            yield replace(about, actions=(*actions[: first - 1], *(Action(step) for step in detour), *actions[first:]))
    if first and "door.closed" in broken and actions[first - 1].step in _DOOR_SIDE:
        opened = Action(Step.OPEN_DOOR, side=_DOOR_SIDE[actions[first - 1].step])
        yield replace(about, actions=(*actions[: first - 1], opened, *actions[first - 1 :]))
    figure = position.board.figure(about.figure)
    if figure is not None and broken & _OTHER_MODE:
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
