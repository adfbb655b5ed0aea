"""``riese-kb compare``: one question about one board under two games of a family, and the rules that make the difference.

The board is carried over to the other game: what that game calls otherwise gets its name there, what it lacks is left
out and told, and numbers that only one of the books prints are supplied to both, so that rules are compared and not gaps.

A rule makes the difference if only its game has it, or has it in this form, and the answer would be another one without
it: every such rule is switched off in turn.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from riese_kb import tables
from riese_kb.answer import Answer
from riese_kb.asking import ask, position_of, terms_of
from riese_kb.board import Board, Figure, Kind, Marker, System, Terrain, Weapon
from riese_kb.boardweapons import weapon_values
from riese_kb.catalogue import Rule, rule
from riese_kb.draft import Draft
from riese_kb.drafting import drafted
from riese_kb.errors import QuestionError, RieseError
from riese_kb.grounding import drive
from riese_kb.language import parse_question, resolve
from riese_kb.program import program, table_facts
from riese_kb.question import Question, Throw
from riese_kb.worlds import Steps, together


class Side(Struct, frozen=True):
    """The answer of one game; where it has none, why not."""

    system: System
    board: Board | None = None
    answer: Answer | None = None
    error: str = ""


class Comparison(Struct, frozen=True):
    """Both sides, that of the board's own game first; whether they say the same; the rules behind it, game by game.

    ``left_out`` tells what the other game has no place for.
    """

    ask: str
    sides: tuple[Side, Side]
    same: bool
    rules: tuple[tuple[System, Rule], ...] = ()
    left_out: tuple[str, ...] = ()


def compare(board: Board, text: str) -> Comparison:
    """Ask the question under the board's own game and under its sibling.

    Raises ``RieseError`` where the question cannot be answered under the board's own game, or there is no sibling.
    """
    question = parse_question(text)
    other = sibling(board.system)
    carried, left_out = carried_over(board, other, question)
    own = Side(board.system, board, ask(board, question))
    theirs = _side(carried, question)
    if theirs.answer is None:
        return Comparison(text, (own, theirs), False, (), left_out)
    drafts = [_draft(side, question) for side in (own, theirs)]
    same = _essence(drafts[0]) == _essence(drafts[1])
    rules = () if same else tuple((side.system, found) for side in (own, theirs) for found in deciding(side, question))
    return Comparison(text, (own, theirs), same, rules, left_out)


def sibling(system: System) -> System:
    """The other game of the family."""
    for other in System:
        if other is not system and set(other.folders[1:]) & set(system.folders[1:]):
            return other
    raise QuestionError(f"{system.called} has no other game to compare with", fix="boards of squares have")


def _side(board: Board, question: Question) -> Side:
    try:
        return Side(board.system, board, ask(board, question))
    except RieseError as fault:
        return Side(board.system, board, error=str(fault))


# --- the board under the other game -----------------------------------------------------------------------------------


def carried_over(board: Board, system: System, question: Question) -> tuple[Board, tuple[str, ...]]:
    """The board as one of the other game, and what has no place there."""
    if Terrain.LETHAL in board.terrain.values() and system.lacks("lethal"):
        raise QuestionError(f"{system.called} has no lethal terrain")
    left: list[str] = []
    figures = tuple(_figure(board, f, system, left) for f in board.figures)
    threat, darkness = board.threat, board.darkness
    if threat and system.lacks("threat"):
        left.append(f"threat {threat}")
        threat = 0
    if darkness and system.lacks("darkness"):
        left.append("darkness")
        darkness = False
    piles = dict.fromkeys(("pool", "discard", "aside"))
    carried = replace(
        board,
        system=system,
        figures=figures,
        threat=threat,
        darkness=darkness,
        notes=(),
        markers=tuple(m for marker in board.markers if (m := _marker(board, marker, system, left)) is not None),
        weapons=tuple(_weapons(board, system, question)),
        modifiers=_modifiers(board, system),
        **piles,
    )
    return carried, tuple(dict.fromkeys(left))


def _figure(board: Board, figure: Figure, system: System, left: list[str]) -> Figure:
    if system.lacks(figure.kind):
        raise QuestionError(f"{system.called} has no figures of the kind {figure.kind} ({figure.id})")
    changed: dict[str, object] = {}
    if figure.name and figure.kind is Kind.HERO:
        name = tables.find_character(system, figure.name)
        changed["name"] = name or (None if tables.all_characters(system) else figure.name)
    if figure.kind is Kind.ZOMBIE:
        changed["type"] = _type(board.system, figure.type or "beta", system)
    for key in ("fatigue", "food", "fuel"):
        if getattr(figure, key) and system.lacks(key):
            left.append(f"{key} of {figure.id}")
            changed[key] = 0 if key == "fatigue" else None
    known = tuple(p for p in figure.powers if p in tables.powers(system))
    left += [f"{power} of {figure.id}" for power in figure.powers if power not in known]
    skills = tuple(s for s in figure.skills if tables.find_skill(system, s) is not None)
    left += [f"{skill} of {figure.id}" for skill in figure.skills if skill not in skills]
    used = tuple(s for s in figure.used if s in skills)
    held = {key: _thing(system, getattr(figure, key)) for key in ("weapon", "off_hand")}
    gear = tuple(filter(None, (_thing(system, thing) for thing in figure.gear)))
    return replace(figure, powers=known, skills=skills, used=used, gear=gear, **held, **changed)


def _type(system: System, type: str, other: System) -> str:
    """The type of that id there, else its counterpart as the tables have it."""
    kinds = tables.zombie_types(other)
    if type in kinds:
        return type
    counterpart = tables.zombie_types(system)[type].counterpart
    found = counterpart or next((kind.id for kind in kinds.values() if kind.counterpart == type), None)
    if found is None:
        raise QuestionError(f"{other.called} has no zombie like {type}")
    return found


def _thing(system: System, name: str | None) -> str | None:
    """A weapon or piece of gear by its name there; one that the game does not know keeps its own."""
    return None if name is None else tables.find_item(system, name) or name


def _marker(board: Board, marker: Marker, system: System, left: list[str]) -> Marker | None:
    kind = marker.kind if marker.kind in system.markers else system.counterpart(marker.kind)
    if kind is None:
        left.append(f"marker {marker.kind}")
        return None
    return replace(marker, kind=kind)


def _weapons(board: Board, system: System, question: Question) -> Iterator[Weapon]:
    """Cards for all weapons that may be used: what the other book does not print of them."""
    about = question.about
    asked = [about.item] if isinstance(about, Throw) else [getattr(about, "weapon", None)]
    names = [name for f in board.figures for name in (f.weapon, f.off_hand, *f.gear)]
    names += [weapon.name for weapon in board.weapons]
    names += [tables.find_item(board.system, name) for name in asked if name]
    for name in dict.fromkeys(filter(None, names)):
        if tables.weapon_card(board.system, name) is None and not any(w.name == name for w in board.weapons):
            continue
        ours = weapon_values(board, name)
        theirs = tables.weapon_card(system, _thing(system, name) or name)
        own = {key for w in board.weapons if w.name == name for key in tables.WEAPON_VALUES if getattr(w, key) is not None}
        values = {
            key: value
            for key in tables.WEAPON_VALUES
            if (value := getattr(ours, key)) is not None and (key in own or theirs is None or getattr(theirs, key) is None)
        }
        if values:
            yield Weapon(name=_thing(system, name) or name, **values, supplied=True)


def _modifiers(board: Board, system: System) -> dict[str, int]:
    """What the other book has and prints no number for: as here."""
    printed = {rule: int(n) for rule, n in re.findall(r'^am\("([^"]+)",(-?\d+)\)', table_facts(board.system), re.M)}
    given = {**printed, **board.modifiers}
    return {rule: given[rule] for rule in tables.unprinted(system) if rule in given}


# --- the rules behind a difference ------------------------------------------------------------------------------------


def _draft(side: Side, question: Question) -> Draft:
    assert side.board is not None
    read = resolve(question, side.board)
    return drive(drafted(position_of(side.board), read.about, terms_of(side.board, read)))


def _essence(draft: Draft) -> tuple[object, ...]:
    """What a player sees of an answer; which rule of the same effect is broken makes no difference."""
    verdict, result, broken = draft.essence
    return verdict, result, bool(broken)


def deciding(side: Side, question: Question) -> list[Rule]:
    """The rules that only this game has in this form and without which its answer would be another one."""
    assert side.board is not None
    read = resolve(question, side.board)
    terms = terms_of(side.board, read)
    position = position_of(side.board)
    queries: set[str] = set()
    draft = drive(_noting(drafted(position, read.about, terms), queries))
    at_stake = frozenset[str]().union(*(program(side.system, query, terms.scenario).rules for query in queries))
    ids = sorted(own_rules(side.system) & at_stake - terms.without)
    without = [replace(terms, without=terms.without | {id}) for id in ids]
    drafts = drive(together(_or_nothing(drafted(position, read.about, other)) for other in without))
    return [
        rule(side.system, id)
        for id, other in zip(ids, drafts, strict=True)
        if other is not None and _essence(other) != _essence(draft)
    ]


def _noting(steps: Steps[Draft], queries: set[str]) -> Steps[Draft]:
    """The same steps; the queries that they ask are noted down."""
    try:
        worlds = next(steps)
        while True:
            queries |= {world.query for world in worlds}
            worlds = steps.send((yield worlds))
    except StopIteration as stop:
        draft: Draft = stop.value
        return draft


def _or_nothing(steps: Steps[Draft]) -> Steps[Draft | None]:
    try:
        draft: Draft = yield from steps
    except RieseError:
        return None
    return draft


@cache
def own_rules(system: System) -> frozenset[str]:
    """The rules that are encoded for this game alone: those in the folder that it shares with nobody."""
    folder = os.path.join(tables.data_root(), "logic", system.folders[-1])
    found: set[str] = set()
    for name in os.listdir(folder):
        if name.endswith(".lp"):
            with open(os.path.join(folder, name), encoding="utf-8") as stream:
                found |= set(re.findall(r"^%\s*@rule\s+(\S+)", stream.read(), re.M))
    return frozenset(found)


# --- in words and as data ---------------------------------------------------------------------------------------------


def lines(found: Comparison) -> Iterable[str]:
    """The comparison as text."""
    for side in found.sides:
        yield f"{side.system.called}: {_headline(side)}"
    yield ""
    yield "Both games say the same." if found.same else "The games differ."
    if found.rules:
        yield ""
        yield "Rules that make the difference"
        for system, behind in found.rules:
            yield f"  {system.called}: {behind.title}"
            yield f"      {behind.says}"
            yield f"      {behind.id} · {behind.cite}"
    if found.left_out:
        yield ""
        yield f"{found.sides[1].system.called} has no place for: {', '.join(found.left_out)}."


def _headline(side: Side) -> str:
    if side.answer is None:
        return side.error
    text = str(side.answer).split("\n\n", maxsplit=1)[0]
    return " ".join(text.split())


def to_json(found: Comparison) -> dict[str, object]:
    """The comparison as plain data."""
    answers = {str(s.system): s.answer.to_json() if s.answer else {"verdict": "error", "error": s.error} for s in found.sides}
    rules: Sequence[dict[str, str]] = [
        {"rule": r.id, "system": str(system), "title": r.title, "says": r.says, "cite": r.cite} for system, r in found.rules
    ]
    return {"ask": found.ask, "same": found.same, "answers": answers, "rules": rules, "left_out": list(found.left_out)}
