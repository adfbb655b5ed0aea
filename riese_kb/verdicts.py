"""The first line of an answer: what was asked, answered in one plain sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from riese_kb.answer import Answer
from riese_kb.board import Board, Declared, Square, square_name
from riese_kb.errors import RieseError
from riese_kb.language import format_question, parse_question, resolve
from riese_kb.question import (
    Attack,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Exit,
    Initiative,
    Lof,
    MaxRange,
    MayCarry,
    Npc,
    NpcTurn,
    Place,
    Question,
    Reach,
    Round,
    SearchPlace,
    Spawn,
    Step,
    Targets,
    Throw,
    WhatGives,
    WhatLets,
    Zombie,
    ZombieTurn,
)
from riese_kb.teamwords import team_sentence
from riese_kb.typeset import counted, listed

TYPES = {"normal": "normal fire", "spread": "spread fire", "h2h": "hand to hand"}
_MOVE = {
    Declared.WALKING: "walk",
    Declared.RUNNING: "run",
    Declared.STATIONARY: "move",
    Declared.SPECIAL: "move",
    Declared.REACTION: "move",
}
_MOVING = {
    Declared.WALKING: "Walking",
    Declared.RUNNING: "Running",
    Declared.STATIONARY: "Stationary",
    Declared.SPECIAL: "After a special action",
    Declared.REACTION: "Reacting",
}
_DEEDS = (Step.SET, Step.SEARCH, Step.OPERATE, Step.RESCUE, Step.TAKE)
"""Actions that are no way of moving."""
_FEW = 3
"""So many actions are named in the sentence; more are left to the table."""


def question_of(answer: Answer) -> Question | None:
    """The question behind an answer, with its names as the board has them; None where it cannot be read again."""
    try:
        question = parse_question(answer.ask)
        sheet = answer.board or answer.team
        return resolve(question, sheet) if sheet is not None else question
    except RieseError:
        return None


def sentence(answer: Answer, question: Question | None) -> str:
    """The verdict in one sentence, ending with the terms of the question where it states any."""
    text = _sentence(answer, question)
    terms = "" if question is None else _terms(question)
    return f"{text.rstrip('.')} ({terms})." if terms else text


def _terms(question: Question) -> str:
    """``under zoc=solid without movement.points``: the suffixes as they would be typed."""
    bare = replace(question, under=(), without=(), rules=(), scenarios=())
    return format_question(question)[len(format_question(bare)) :].strip()


def _sentence(answer: Answer, question: Question | None) -> str:
    board, result = answer.board, answer.result
    if answer.team is not None and question is not None:
        return team_sentence(answer, answer.team, question.about)
    match None if question is None else question.about:
        case Can() as about:
            return _can(answer, board, about)
        case CanTo() as about:
            return _can_to(answer, board, about)
        case Reach(figure, declared):
            return _reach(result, called(figure, board), _declared(board, figure, declared))
        case Lof(start, end):
            line = f"the line of fire from {_place(start, board)} to {_place(end, board)}"
            if answer.verdict == "clear":
                return f"Yes: {line} is clear."
            return f"No: {line} is blocked at {listed(result['blocked_by'])}."
        case Targets(figure):
            return _targets(result, called(figure, board), board)
        case Attack() as about:
            return _attack(answer, board, about)
        case Throw() as about:
            return _throw(answer, board, about)
        case Blast(at, weapon):
            hit = [called(id, board) for id in result["victims"]]
            return (
                f"{_one(weapon)[:1].upper()}{_one(weapon)[1:]} on {square_name(at)} attacks {listed(hit) if hit else 'nobody'}."
            )
        case BreakLock(figure):
            return _break_lock(answer, called(figure, board), board)
        case SearchPlace(place, figure):
            if figure is not None:
                may = answer.verdict == "legal"
                name = called(figure, board)
                return f"Yes: {name} may search {place}." if may else f"No: {name} cannot search {place}; {_breaks(answer)}."
            names = [called(id, board) for id in result["may"]]
            return f"{listed(names, 'or')} may search {place}." if names else f"Nobody may search {place} now."
        case MayCarry(figure, items):
            things = listed([f"{number} {name}" if number > 1 else name for name, number in Counter(items).items()])
            if answer.verdict == "legal":
                return f"Yes: {called(figure, board)} may carry {things}."
            return f"No: {called(figure, board)} cannot carry {things}; {_breaks(answer)}."
        case Zombie(figure):
            return _zombie(result, called(figure, board), board)
        case ZombieTurn():
            return _zombies(result)
        case Initiative() | Round() | Spawn() as about:
            from riese_kb import roundtable

            return roundtable.sentence(answer, about)
        case WhatGives() | WhatLets() | MaxRange() as about:
            from riese_kb import backtext

            return backtext.sentence(answer, about)
        case NpcTurn():
            return _npcs(result, board)
        case Npc(figure):
            return _npc(result, called(figure, board), board)
    return f"{answer.verdict.capitalize()}: {answer.ask}."


def called(id: str, board: Board | None) -> str:
    """A figure as a sentence names it: a hero by name where the id is that name, everybody else by id."""
    figure = board.figure(id) if board is not None else None
    name = figure.name if figure is not None else None
    return name.split()[0] if name and name.split()[0].casefold() == id.casefold() else id


def _declared(board: Board | None, id: str, said: Declared | None) -> Declared:
    figure = board.figure(id) if board is not None else None
    return said or (figure.declared if figure is not None else None) or Declared.WALKING


def _place(place: Place, board: Board | None) -> str:
    if not isinstance(place, str):
        return square_name(place)
    figure = board.figure(place) if board is not None else None
    return f"{called(place, board)} ({square_name(figure.at)})" if figure is not None else place


def _goal(to: Square | Exit) -> str:
    if isinstance(to, Exit):
        return f"leave the map at {square_name(to.square)} to the {to.side}"
    return f"to {square_name(to)}"


def _breaks(answer: Answer) -> str:
    """``step 2 breaks a rule``, ``3 rules forbid it``"""
    count = len({v.rule for v in answer.violations})
    steps = sorted({v.step for v in answer.violations if v.step})
    if not steps:
        return "a rule forbids it" if count == 1 else f"{count} rules forbid it"
    verb = "breaks" if len(steps) == 1 else "break"
    where = listed([str(step) for step in steps])
    return f"step{'s' * (len(steps) > 1)} {where} {verb} {'a rule' if count == 1 else f'{count} rules'}"


def _price(result: dict[str, Any]) -> str:
    price = f"for {result['spent']} of {result['mp']} MP"
    return f"{price} and {counted(result['wounds'], 'wound')}" if result["wounds"] else price


def _ending(result: dict[str, Any]) -> str:
    at, facing = result["end"]["at"], result["end"]["facing"]
    return f"ends on {at} facing {facing}" if " " not in at else f"leaves the map at {at}"


def _helped(result: dict[str, Any], name: str, board: Board | None) -> str:
    """`` with Hero``, `` with Tactics 1 of Kelley``: the skill that an answer rests on, after what it makes legal."""
    if "with" not in result:
        return ""
    skills = (result["with"], *result.get("and_with", ()))
    owners = [called(skill["by"], board) for skill in skills]
    named = [skill["skill"] + ("" if by == name else f" of {by}") for skill, by in zip(skills, owners, strict=True)]
    return f" with {listed(named)}"


def _can(answer: Answer, board: Board | None, about: Can) -> str:
    name, result = called(about.figure, board), answer.result
    if answer.verdict == "legal":
        return f"Yes{_helped(result, name, board)}, {_price(result)}: {name} {_ending(result)}."
    verb = f"{_MOVE[_declared(board, about.figure, about.declared)]} "
    steps = ", ".join(map(str, about.actions)) if 0 < len(about.actions) <= _FEW else "like that"
    verb = "" if about.actions and about.actions[0].step in _DEEDS and steps != "like that" else verb
    return f"No: {name} cannot {verb}{steps}; {_breaks(answer)}."


def _can_to(answer: Answer, board: Board | None, about: CanTo) -> str:
    name, result = called(about.figure, board), answer.result
    if answer.verdict == "legal":
        return f"Yes{_helped(result, name, board)}, {_price(result)}: {name} {_ending(result)}."
    goal = _goal(about.to)
    verb = "" if isinstance(about.to, Exit) else _MOVE[_declared(board, about.figure, about.declared)] + " "
    return f"No: {name} cannot {verb}{goal}; {_breaks(answer)}."


def _reach(result: dict[str, Any], name: str, declared: Declared) -> str:
    stays = 0 in result["squares"].values()  # only the own square costs nothing, and not everybody may end there
    others = len(result["squares"]) - stays
    exits = f" or leave the map by {counted(len(result['exits']), 'exit')}" if result["exits"] else ""
    if others < 1 and not exits:
        return f"{_MOVING[declared]}, {name} can {'only stay where they stand' if stays else 'end nowhere'}."
    return f"{_MOVING[declared]}, {name} can end on {counted(others, 'other square')}{exits}."


def _targets(result: dict[str, Any], name: str, board: Board | None) -> str:
    enemies = list(dict.fromkeys(enemy for ids in result.values() for enemy in ids))
    if not enemies:
        return f"{name} may attack nobody now."
    return f"{name} may attack {listed([called(e, board) for e in enemies], 'or')}."


def _attack(answer: Answer, board: Board | None, about: Attack) -> str:
    name, target, result = called(about.figure, board), called(about.target, board), answer.result
    how = {**TYPES, "flame": "the flamethrower"}.get(result["type"], result["type"])
    how = how if result["type"] == "h2h" else f"with {how}"
    how += " while covering" * about.covering + f" at range {result['range']}"
    if answer.verdict == "illegal":
        return f"No: {name} may not attack {target} {how}; {_breaks(answer)}."
    hope = ", but it cannot succeed" if result.get("impossible") else ""
    return f"Yes{_helped(result, name, board)}: {name} may attack {target} {how}{hope}."


def _throw(answer: Answer, board: Board | None, about: Throw) -> str:
    name, result, square = called(about.figure, board), answer.result, square_name(about.at)
    if answer.verdict == "illegal":
        return f"No: {name} may not throw {_one(about.item)} at {square}, range {result['range']}; {_breaks(answer)}."
    if result["needed"] is None:
        return f"Yes{_helped(result, name, board)}: {name} may drop {_one(about.item)} where they stand."
    verb = "fire" if any(line.rule == "panzerfaust.base" for line in answer.ledger) else "throw"
    chance = result["lands"].get(square)
    hope = f"{max(result['needed'], 1)} or more lands it there" if chance else "no roll lands it there"
    odds = f" ({percent(chance)})" if chance else ""
    where = f"at {square}, range {result['range']}"
    return f"Yes{_helped(result, name, board)}: {name} may {verb} {_one(about.item)} {where}; {hope}{odds}."


def _one(item: str) -> str:
    """``a grenade``: one piece of the armoury in a sentence."""
    return f"a {item[:1].lower()}{item[1:]}" if item.istitle() and " " not in item else f"a {item}"


def percent(chance: str) -> str:
    """An exact fraction in whole percent; what is neither never nor always is never called so."""
    value = Fraction(chance) * 100
    if 0 < value < 1:
        return "<1 %"
    return ">99 %" if 99 < value < 100 else f"{round(value)} %"


def _break_lock(answer: Answer, name: str, board: Board | None) -> str:
    result = answer.result
    if answer.verdict == "illegal" or not result.get("odds"):
        return f"No: {name} cannot break a lock; {_breaks(answer)}."
    return f"Yes: {name} may try to break the lock of {called(result['holder'], board)}."


def _zombie(result: dict[str, Any], name: str, board: Board | None) -> str:
    moves: Sequence[Sequence[str]] = result["moves"]
    if moves:
        words = ["moves to " + listed(moves[0], "or"), *("then to " + listed(more, "or") for more in moves[1:])]
    else:
        words = ["stays where it is"]
    if result.get("eats"):
        words.append(f"bites {listed(result['eats'], 'or')}")
    shot_at = list(dict.fromkeys(called(shot["at"], board) for shot in result.get("shoots", ())))
    if shot_at:
        words.append(f"may shoot at {listed(shot_at, 'or')}")
    victims = [called(id, board) for id in result["attacks"]]
    if victims:
        sure = (len(victims) == 1 or result.get("each", False)) and all(len(options) == 1 for options in moves)
        words.append(f"{'attacks' if sure else 'may attack'} {listed(victims, 'and' if sure else 'or')}")
    return f"{name} {listed(words)}."


def _zombies(result: dict[str, Any]) -> str:
    if not result["order"]:
        return "There are no zombies on the board."
    ways = len(result["outcomes"])
    return "The zombie turn can come out in one way only." if ways == 1 else f"The zombie turn can come out in {ways} ways."


def _npcs(result: dict[str, Any], board: Board | None) -> str:
    """When the NPC turn comes, and who may be first."""
    if not result["order"]:
        return "No NPC acts."
    who = listed([called(id, board) for id in result["order"][0]], "or")
    others = sum(map(len, result["order"])) - 1
    rest = f", {counted(others, 'other')} afterwards" if others else ""
    when = " in the second turn of the round" if result["turn"] == [2] else ""
    return f"{who} acts first{when}{rest}."


def _npc(result: dict[str, Any], name: str, board: Board | None) -> str:
    victims = [called(id, board) for id in result["attacks"]]
    if "lock" in result:
        then = f" and, if that succeeds, attacks {listed(victims)}" if victims else ""
        return f"{name} tries to break the lock of {called(result['lock']['holder'], board)}{then}."
    ends = list(result["ends"])
    attack = f"attacks {listed(victims, 'or')}" if victims else ""
    started = {roll["from"] for roll in result["rolls"]}
    here = ends[0] if ends and result["ends"][ends[0]] == 0 else None
    if result["stays"]:
        return f"{name} {attack} and stays where it is." if attack else f"{name} stays where it is."
    squares = [end for end in ends if end != here]
    where = listed(squares, "or") if len(squares) <= 6 else f"one of {len(squares)} squares"
    if victims and here in started:
        return f"{name} {attack}; then it may move to {where}."
    if not victims:
        return f"{name} moves to {where}{f' or stays on {here}' if here else ''}."
    sure = len(victims) == 1 and set(squares) == started
    return f"{name} moves to {where} and {'' if sure else 'may attack ' + listed(victims, 'or')}{attack if sure else ''}."
