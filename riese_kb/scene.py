"""What the picture of an answer shows besides the board: read off the answer, so that both say the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct, field

from riese_kb.answer import Answer
from riese_kb.board import Board, Facing, Figure, Kind, Square, parse_square, square_name
from riese_kb.draft import outside_name
from riese_kb.ledger import STEPPING
from riese_kb.question import Attack, Can, CanTo, Lof, Question, Targets, Throw


class Spot(Struct, frozen=True):
    """A square; what is between it and the ``other`` one, an edge or a corner; or the way off the map to its ``side``."""

    square: Square
    other: Square | None = None
    side: Facing | None = None


def spot(name: str) -> Spot | None:
    """``C3``, ``C3|D3``, ``C3/D4``, ``E2 east``; None for anything else."""
    square = parse_square(name)
    if square is not None:
        return Spot(square)
    for sign in "|/":
        first, _, second = name.partition(sign)
        a, b = parse_square(first), parse_square(second)
        if a is not None and b is not None:
            return Spot(a, other=b)
    first, _, side = name.partition(" ")
    a = parse_square(first)
    return Spot(a, side=Facing(side)) if a is not None and side in [*Facing] else None


class Pull(Struct, frozen=True):
    """An arrow from one spot to another: what for (``option``, ``aim``, ``tried``), whose, and which number it has."""

    kind: str
    start: Square
    end: Square
    figure: str
    number: str = ""


class Scene(Struct):
    """Everything that goes on top of a board. Spots are named as the answer names them."""

    line: tuple[Square, ...] = ()
    hampering: dict[str, int] = field(default_factory=dict)
    """Spots that make the attack harder, and by how much."""
    blocked: list[str] = field(default_factory=list)
    trail: list[str] = field(default_factory=list)
    """The squares entered one after the other, the first one included."""
    spent: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Points spent so far where the way leads, and the steps made there."""
    labels: dict[str, str] = field(default_factory=dict)
    label_kind: str = "label"
    pulls: list[Pull] = field(default_factory=list)
    targets: dict[str, str] = field(default_factory=dict)
    """Figures that are aimed at or hit, and in what way."""
    arc: str | None = None
    """The figure whose front arc matters."""
    notes: list[str] = field(default_factory=list)
    """Lines of the legend."""


def scene_of(answer: Answer, board: Board, question: Question | None) -> Scene:
    """The scene of an answer about a board of squares."""
    scene = Scene(line=answer.marks.line)
    result = answer.result
    about = question.about if question is not None else None
    for line in answer.ledger:
        if line.rule.startswith("lof.") and line.unit == "AM" and line.amount > 0:
            scene.hampering[line.at] = scene.hampering.get(line.at, 0) + line.amount
        elif line.rule.startswith("lof.") and line.unit == "AM" and line.amount < 0:
            scene.notes.append(f"no more than so much in all: {line.amount}")
    if isinstance(about, Lof):
        scene.blocked = list(result["blocked_by"])
    elif isinstance(about, Attack | Throw):
        scene.blocked = _reasons(answer)
    elif answer.verdict == "illegal":
        places = [*(v.at for v in answer.violations if spot(v.at)), *map(square_name, _squares(answer))]
        scene.blocked = list(dict.fromkeys(places))
    match about:
        case Can() | CanTo():
            _way(scene, answer, board, about)
        case Attack(target=target):
            scene.targets[target] = "attacked"
            values = [f"{key} {result[key]}" for key in ("range", "modifier", "stun", "wound") if result.get(key) is not None]
            scene.notes += [", ".join(values)] if values else []
        case Targets():
            kinds = {"normal": "normal fire", "spread": "spread fire", "h2h": "hand to hand"}
            for kind, ids in result.items():
                for id in ids:
                    scene.targets[id] = ", ".join(filter(None, (scene.targets.get(id), kinds.get(kind, kind))))
        case Throw():
            _landing(scene, result)
        case _:
            _rest(scene, answer, board)
    if isinstance(about, Attack | Targets | Throw) and "attack.arc" not in (question.without if question else ()):
        hero = board.figure(about.figure)
        scene.arc = hero.id if hero is not None and hero.kind is Kind.HERO else None
    return scene


def _reasons(answer: Answer) -> list[str]:
    """Where rules of the line of fire are broken, apart from its two ends."""
    ends = {square_name(square) for square in (answer.marks.line[:1] + answer.marks.line[-1:])}
    return list(dict.fromkeys(v.at for v in answer.violations if v.at not in ends and spot(v.at) is not None))


def _way(scene: Scene, answer: Answer, board: Board, about: Can | CanTo) -> None:
    """The squares entered, with the points spent up to there; and the step that failed."""
    hero = board.figure(about.figure)
    if hero is None:
        return
    start = square_name(hero.at)
    scene.trail = [start, *(line.at for line in answer.ledger if line.step and line.rule in STEPPING)]
    walked = [square_name(s) if s in board.terrain else outside_name(s, board) for s in answer.marks.path]
    if answer.verdict == "legal" and not {*walked} <= {*scene.trail}:  # he jumped or climbed
        scene.trail = walked
    spent = 0
    here = start
    at_step = dict(_entering(answer))
    for step in sorted({line.step for line in answer.ledger if line.step}):
        here = at_step.get(step, here)
        spent += sum(line.amount for line in answer.ledger if line.step == step and line.unit == "MP")
        steps = scene.spent.get(here, (0, ""))[1]
        scene.spent[here] = (spent, f"{steps} {step}".strip())
    end = parse_square(str(answer.result.get("end", {}).get("at", "")))
    if answer.verdict == "illegal" and isinstance(about, Can) and end is not None:
        for square in dict.fromkeys(_squares(answer)):
            if square != end:
                scene.pulls.append(Pull("tried", end, square, about.figure))


def _squares(answer: Answer) -> Iterator[Square]:
    """The squares, without the edges, that the answer crosses out."""
    for first, second in answer.marks.blocked:
        if isinstance(first, int) and isinstance(second, int):
            yield first, second


def _entering(answer: Answer) -> Iterator[tuple[int, str]]:
    return ((line.step, line.at) for line in answer.ledger if line.step and line.rule in STEPPING)


def percent(chance: str) -> str:
    """A chance in whole percent; what is rare is not never."""
    value = Fraction(chance) * 100
    return f"{max(1, round(value))}%" if value else "0%"


def _landing(scene: Scene, result: dict[str, Any]) -> None:
    scene.label_kind = "lands"
    scene.labels = {at: percent(chance) for at, chance in result["lands"].items() if spot(at) is not None}
    scene.notes += [f"{percent(chance)}  {at}" for at, chance in result["lands"].items() if spot(at) is None]
    hit: dict[str, list[str]] = {}
    for at, ids in result.get("victims", {}).items():
        for id in ids:
            hit.setdefault(id, []).append(at)
    for id, places in hit.items():
        chance = sum((Fraction(result["lands"][at]) for at in places), Fraction(0))
        scene.targets[id] = f"caught with {percent(str(chance))}"


def _rest(scene: Scene, answer: Answer, board: Board) -> None:
    """What other questions have in common: squares with numbers, moves, attacks, victims."""
    result = answer.result
    who = _asked(answer, board)
    scene.labels = {square_name(square): text for square, text in answer.marks.labels.items() if text not in ("◎", "*")}
    if "squares" in result and "exits" in result:
        scene.label_kind = "reach"
        scene.labels |= {name: str(mp) for name, mp in result["exits"].items()}
        for name, wounds in result["wounds"].items():
            scene.labels[name] += "!" * wounds
    elif "outcomes" in result:
        _turn(scene, result, board)
    elif "moves" in result and who is not None:
        _moves(scene, result, board, who)
    elif "victims" in result:
        scene.targets = dict.fromkeys(result["victims"], "caught")
        scene.labels[str(result["at"])] = "✱"
    elif "holder" in result:
        scene.targets[result["holder"]] = "holds the lock"
    elif "appears" in result:
        scene.label_kind = "spawn"
        scene.labels = dict.fromkeys(result["appears"], "+1")


def _asked(answer: Answer, board: Board) -> Figure | None:
    words = answer.ask.casefold().split()
    return next((f for f in board.figures if f.id.casefold() in words[1:2]), None)


def _turn(scene: Scene, result: dict[str, Any], board: Board) -> None:
    """Every zombie with its place in the order, and arrows to all places where it may end."""
    scene.label_kind = "order"
    scene.labels = {}
    place = {id: str(number) for number, tie in enumerate(result["order"], 1) for id in tie}
    for figure in board.figures:
        if figure.id in place:
            scene.labels[square_name(figure.at)] = place[figure.id]
        for at in dict.fromkeys(outcome.get(figure.id) for outcome in result["outcomes"]):
            end = parse_square(at or "")
            if end is not None and end != figure.at:
                scene.pulls.append(Pull("option", figure.at, end, figure.id, place.get(figure.id, "")))


def _moves(scene: Scene, result: dict[str, Any], board: Board, who: Figure) -> None:
    """Where each move may end: an arrow wherever it is certain where the move begins."""
    scene.label_kind = "option"
    scene.labels = {}
    begins: Square | None = who.at
    for number, options in enumerate(result["moves"], 1):
        squares = [square for name in options if (square := parse_square(name)) is not None]
        for square in squares:
            name = square_name(square)
            if begins is not None and len(squares) <= 8 and square != begins:
                scene.pulls.append(Pull("option", begins, square, who.id, str(number)))
            if square != who.at:
                scene.labels[name] = ",".join(filter(None, (scene.labels.get(name), str(number))))
        begins = squares[0] if len(squares) == 1 else None
    if "ends" in result:
        scene.labels = {name: str(moved) for name, moved in result["ends"].items() if moved}
    for roll in result.get("rolls", ()):
        start, victim = parse_square(roll["from"]), board.figure(roll["on"])
        if start is not None and victim is not None and roll["range"] > 1:
            scene.pulls.append(Pull("aim", start, victim.at, who.id))
    scene.targets = dict.fromkeys(_ids(result["attacks"], board), "may be attacked")


def _ids(names: Iterable[str], board: Board) -> Iterator[str]:
    return (name for name in names if board.figure(name) is not None)
