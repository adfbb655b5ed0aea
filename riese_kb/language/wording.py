"""The canonical text of a question."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from msgspec.structs import replace

from riese_kb.board import Declared, square_name
from riese_kb.question import (
    About,
    Action,
    Attack,
    BetweenScenarios,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Deed,
    Duel,
    Earn,
    Exit,
    Heal,
    Initiative,
    Join,
    Learn,
    Lof,
    MaxRange,
    MayCarry,
    MoveTo,
    Npc,
    NpcTurn,
    Place,
    Play,
    Question,
    Reach,
    Replay,
    RingAbout,
    Round,
    Search,
    SearchPlace,
    Sight,
    Spawn,
    Step,
    Targets,
    TeamAbout,
    ThreatAfter,
    Throw,
    Victory,
    WhatGives,
    WhatLets,
    Won,
    Zombie,
    ZombieTurn,
)

_VERBS = {
    None: "",
    Declared.WALKING: " walk",
    Declared.RUNNING: " run",
    Declared.STATIONARY: " stay",
    Declared.SPECIAL: " special",
    Declared.REACTION: " react",
}


def format_question(question: Question) -> str:
    """The question as one line: reading it again gives an equal question, apart from its ``text``.

    Ids are written as they are; a square in place of an id (after ``resolve``) is written as a square. Only a question
    close to the length limit may become too long to be read again.
    """
    if question.language == "de":
        return _german(question.about) + "".join(_suffixes(question))
    return "why not " * question.why_not + _about(question.about) + "".join(_suffixes(question))


_GERMAN = {"condition": "kondition", "mind": "verstand"}


def _german(about: About) -> str:
    """The question in German, where there is a German form."""
    match about:
        case MoveTo(figure, ring, points):
            return f"kann {figure} nach {ring}{_points(points, 'mit {} sp')}"
        case Sight(start, end):
            return f"sicht {start} zu {end}"
        case Reach(figure, _, points):
            return f"reichweite {figure}{_points(points, 'mit {} sp')}"
        case Targets(figure):
            return f"ziele {figure}"
        case Attack(figure, target, weapon, kind):
            verb = "gegenangriff" if about.counter else "angriff"
            words = [f"{verb} {figure} auf {target}", *([f"mit {_quoted(weapon)}"] if weapon is not None else [])]
            return " ".join([*words, *([{"h2h": "zweikampf"}.get(kind, str(kind))] if kind is not None else [])])
        case Duel(figure, against, with_what):
            return f"duell {figure} gegen {against} mit {_GERMAN[with_what]}"
        case Search(figure, ring):
            return f"darf {figure} {ring} durchsuchen"
        case Won():
            return "gewonnen"
    return _about(about)


def _about(about: About) -> str:
    match about:
        case Can(figure, declared, actions):
            text = f"can {figure}{_VERBS[declared]} {_actions(actions)}".rstrip()
        case CanTo(figure, declared, to):
            text = f"can {figure}{_VERBS[declared]} to {_place(to)}"
        case Reach(figure, declared, points):
            text = f"reach {figure}{_said(declared)}{_points(points)}"
        case Lof(start, end):
            text = f"lof {_place(start)} to {_place(end)}"
        case Targets(figure, declared, covering):
            text = f"targets {figure}{_said(declared)}{' covering' * covering}"
        case Attack():
            text = _attack(about)
        case Throw(figure, item, at, declared):
            text = f"throw {figure} {_bare(item)} at {square_name(at)}{_said(declared)}"
        case Blast(at, weapon, by):
            text = f"blast at {square_name(at)} with {_bare(weapon)}{'' if by is None else f' by {by}'}"
        case BreakLock(figure, declared):
            text = f"break lock {figure}{_said(declared)}"
        case SearchPlace(place, searcher, chart):
            by = f" by {searcher}" if searcher is not None else ""
            text = f"search {place}{by}" + (f" on {_quoted(chart)}" if chart is not None else "")
        case MayCarry(figure, items):
            text = f"may {figure} carry {_things(items)}"
        case Zombie(figure):
            text = f"zombie {figure}"
        case ZombieTurn():
            text = "zombies"
        case NpcTurn():
            text = "npcs"
        case Initiative():
            text = "initiative"
        case Round():
            text = "round"
        case Spawn(label, kind):
            text = f"spawn{_said(label)}" + (f" as {_quoted(kind)}" if kind is not None else "")
        case WhatGives(stun, wound, weapon):
            text = f"what gives {stun}/{wound} with {_quoted(weapon)}"
        case WhatLets(figure, target, on, weapon, declared):
            text = f"what lets {figure} wound {target} on {on}{_with(weapon)}{_said(declared)}"
        case MaxRange(figure, target, roll, weapon, declared):
            on_roll = f" on {roll}" if roll is not None else ""
            text = f"max range for {figure} to wound {target}{on_roll}{_with(weapon)}{_said(declared)}"
        case Npc(figure, to, doors):
            text = f"npc {figure}" + (f" to {_place(to)}" if to is not None else "") + " opening doors" * doors
        case MoveTo() | Sight() | Duel() | Search() | Won():
            text = _about_rings(about)
        case _:
            text = _about_team(about)
    return text


def _points(points: int, words: str = "with {} vp") -> str:
    return f" {words.format(points)}" if points else ""


def _about_rings(about: RingAbout) -> str:
    match about:
        case MoveTo(figure, ring, points):
            return f"can {figure} move to {ring}{_points(points)}"
        case Sight(start, end):
            return f"sight {start} to {end}"
        case Duel(figure, against, with_what):
            return f"duel {figure} against {against} with {with_what}"
        case Search(figure, ring):
            return f"may {figure} search {ring}"
    return "won"


def _about_team(about: TeamAbout) -> str:
    match about:
        case Learn(hero, skills):
            text = f"can {hero} learn {', '.join(map(_quoted, skills))}"
        case Heal(hero, patient):
            text = f"can {hero} heal {patient}"
        case Join(name):
            text = f"can {name} join"
        case Play(scenario, heroes):
            text = f"can team play {scenario} with {', '.join(heroes)}"
        case Replay(scenario):
            text = f"can team replay {scenario}"
        case ThreatAfter(scenario, outcome, deeds):
            text = f"threat after {scenario}{_said(outcome)}{_deeds(deeds)}"
        case BetweenScenarios(scenario, outcome, deeds):
            text = f"between scenarios{f' after {scenario}' if scenario else ''}{_said(outcome)}{_deeds(deeds)}"
        case Earn(hero, deeds):
            text = f"xp {hero}{_deeds(deeds)}"
        case Victory(heroes):
            text = f"victory with {', '.join(heroes)}"
    return text


def _deeds(deeds: Iterable[Deed]) -> str:
    said = [f"{deed.count} {_doing(deed.name)}{' after reset' * deed.late}" for deed in deeds]
    return f" with {', '.join(said)}" if said else ""


def _doing(name: str) -> str:
    """A name of plain words without quotation marks, if none of them could be read as a keyword there."""
    words = name.split(" ")
    plain = all(word.replace("-", "").isalnum() for word in words)
    return name if plain and not _ENDING.intersection(map(str.lower, words[1:])) else _quoted(name)


_ENDING = {"after", "with", "without", "under", "won", "lost"}


def _said(word: str | None) -> str:
    if word is None:
        return ""
    return " reacting" if word is Declared.REACTION else f" {word}"


def _with(weapon: str | None) -> str:
    return f" with {_quoted(weapon)}" if weapon is not None else ""


def _place(place: Place | Exit) -> str:
    if isinstance(place, Exit):
        return f"{square_name(place.square)} {place.side}"
    return place if isinstance(place, str) else square_name(place)


def _attack(attack: Attack) -> str:
    words = [f"{'counterattack' if attack.counter else 'attack'} {attack.figure} on {attack.target}"]
    if attack.weapon is not None:
        words.append(f"with {_quoted(attack.weapon)}")
    words += [str(attack.type)] if attack.type is not None else []
    words += _said(attack.declared).split()
    words += ["covering"] * attack.covering + ["off hand"] * attack.off_hand
    words += ["unarmed"] * attack.unarmed + ["select"] * attack.select
    return " ".join(words)


def _things(items: Iterable[str]) -> str:
    """The things in order, with a number where the same one comes several times."""
    counted = ((name, len([*run])) for name, run in groupby(items))
    return ", ".join(f"{number} {_quoted(name)}" if number > 1 else _quoted(name) for name, number in counted)


_FOLDABLE = frozenset(step for step in Step if step.startswith(("forward", "backward", "left", "right", "turn")))
"""Steps and turns."""


def _actions(actions: Iterable[Action]) -> str:
    """The actions one by one; long runs of the same step are drawn together, for they could make the text too long."""
    words = []
    for action, run in groupby(actions):
        times = len([*run])
        foldable = times > 8 and action.step in _FOLDABLE
        words += [f"{action} x{times}"] if foldable else [_action(action)] * times
    return ", ".join(words)


def _action(action: Action) -> str:
    match action:
        case Action(Step.PASS, item=str(item), to=to):
            return f"pass {_quoted(item)} to {to}"
        case Action(Step.UNLOCK_DOOR | Step.UNLOCK_CABINET, item=str(item)):
            return f"{replace(action, item=None)} using {_quoted(item)}"
        case Action(Step.PICK_UP | Step.SWITCH | Step.TAKE | Step.MOUNT | Step.DEMOUNT as step, item=str(item)):
            return f"{step} {_quoted(item)}"
        case Action(Step.SET, item=str(item), at=at, rounds=rounds) if at is not None:
            return f"set {_quoted(item)} at {square_name(at)}" + ("" if rounds is None else f" for {rounds}")
    return str(action)


def _suffixes(question: Question) -> Iterable[str]:
    if question.under:
        yield " under " + ", ".join("=".join(filter(None, pair)) for pair in question.under)
    if question.without:
        yield " without " + ", ".join(question.without)
    yield from (f" with rules {_quoted(path)}" for path in question.rules)
    yield from (f" with scenario {number}" for number in question.scenarios)


def _bare(name: str) -> str:
    """A name of one plain word as it is; every other one in quotation marks."""
    return name if name.isascii() and name.isalpha() else _quoted(name)


def _quoted(name: str) -> str:
    """The name in quotation marks that it does not hold itself."""
    for left, right in ('""', "''", "“”"):
        if left not in name and right not in name:
            return f"{left}{name}{right}"
    return f"‘{name}’"
