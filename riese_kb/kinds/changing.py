"""``what lets nicole wound z1 on 9``: the smallest sets of changes to the board with which the roll wounds.

z3 finds the sets; each is then made on a copy of the board and asked about like any other attack before it is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace as replace_fields
from itertools import islice
from typing import Any

import z3

from riese_kb.board import Declared, Facing, Figure, Kind, Terrain, Weapon
from riese_kb.draft import Breach, Draft, Verdict
from riese_kb.errors import QuestionError
from riese_kb.facts import Name, fact
from riese_kb.geometry import inside
from riese_kb.kinds.attacking import attack, card_facts, require
from riese_kb.kinds.changes import Change, changed, cleared, declares, gone, rearmed, stands, stunned
from riese_kb.kinds.openly import Openly
from riese_kb.position import Position, Terms, line_facts, movement_points
from riese_kb.question import Attack, MaxRange, WhatLets
from riese_kb.tables import armoury
from riese_kb.worlds import Steps

MOST = 3
"""Changes that are tried together."""
LISTED = 12
"""Sets of changes that an answer lists at most."""
TRIED = 40
"""Sets that are asked about at most, legal or not."""


def parties(position: Position, about: WhatLets | MaxRange) -> tuple[Figure, Figure, Weapon]:
    """Hero, target and the weapon that is fired. Raises ``QuestionError`` where none is, ``MissingValue`` for values."""
    hero, target = position.board.figure(about.figure), position.board.figure(about.target)
    assert hero is not None
    assert target is not None, "questions are resolved against the board before they are asked"
    name = about.weapon or hero.weapon
    if name is None:
        raise QuestionError(f"{hero.id} has no weapon in hand", fix=f'… with "{next(iter(_carried(hero)), "FG-42")}"')
    weapon = position.weapon(name)
    if isinstance(weapon.rm, str):
        raise QuestionError(f"{weapon.name} is not fired", fix="ask about a weapon whose range modifier is a number")
    require(weapon, ("stun", "wound", "pbr", "rm", "rof"))
    return hero, target, weapon


def _carried(hero: Figure) -> list[str]:
    return [name for name in dict.fromkeys((hero.weapon, hero.off_hand, *hero.gear)) if name]


def scene(position: Position, hero: Figure, target: Figure, terms: Terms) -> list[str]:
    """The board, the line to the target, and who attacks whom."""
    ids = (target.id, *(f.id for f in position.board.figures if f.kind in (Kind.ZOMBIE, Kind.NPC) and f.id != target.id))
    facts = ["".join(position.facts(None, None)), line_facts(hero.at, target.at), fact("armed", 0)]
    facts += [position.staged(terms.scenario)] if terms.scenario else []
    facts += [fact("actor", 0, hero.id), fact("target", 0, target.id), fact("considers", 0, target.id)]
    return facts + [fact("views", 0, id) for id in ids]


def lets(position: Position, about: WhatLets, terms: Terms) -> Steps[Draft]:
    """The smallest sets of changes that make a legal attack wound on that roll, each of them asked about."""
    hero, target, weapon = parties(position, about)
    asked = Attack(hero.id, target.id, about.weapon, declared=position.declared(hero, about.declared))
    now: Draft = yield from attack(position, asked, terms, fully=False)
    changes = list(_changes(position, hero, target, asked))
    openly, made = _opened(position, hero, target, weapon, changes, terms)
    goal = openly.wounds(about.on)
    already = _does(now, about.on) and openly.check(goal, *(z3.Not(one) for one in made.values())) is not None
    result: dict[str, Any] = {"on": about.on, "weapon": weapon.name, "now": _short(now), "already": already}
    if already:
        return Draft(Verdict.COMPUTED, {**result, "ways": [], "core": []}, now.ledger)
    ways: list[dict[str, Any]] = []
    for chosen in islice(_sets(openly, made, goal), TRIED):
        board, attacks = changed(position.board, asked, chosen)
        then: Draft = yield from attack(Position(board), attacks, terms, fully=False)
        if _does(then, about.on):
            ways.append({"changes": [change.to_json() for change in chosen], **_short(then)})
            openly.solver.add(_settled(made, chosen))
        if len(ways) == LISTED:
            break
    core = _core(openly, made, goal) if not ways else []
    broken = tuple(Breach(0, rule, "") for rule in core)
    return Draft(Verdict.COMPUTED, {**result, "ways": ways, "core": core}, violations=broken, explains=True)


def _does(draft: Draft, on: int) -> bool:
    return draft.verdict is Verdict.LEGAL and not draft.result.get("impossible") and draft.result.get("wound", 99) <= on


def _short(draft: Draft) -> dict[str, Any]:
    kept: dict[str, Any] = {key: draft.result[key] for key in ("range", "modifier", "stun", "wound") if key in draft.result}
    return {"verdict": str(draft.verdict), **kept}


def _sets(openly: Openly, made: dict[Change, z3.BoolRef], goal: z3.BoolRef) -> Iterator[list[Change]]:
    """Sets of changes with the goal, small ones first, none twice."""
    for most in range(1, MOST + 1):
        while True:
            model = openly.check(goal, z3.AtMost(*made.values(), most))
            if model is None:
                break
            chosen = [change for change, one in made.items() if z3.is_true(model.eval(one, model_completion=True))]
            chosen = _nearer(openly, made, goal, chosen)
            openly.solver.add(z3.Not(_exactly(made, chosen)))
            yield chosen


def _exactly(made: dict[Change, z3.BoolRef], chosen: list[Change]) -> z3.BoolRef:
    return z3.And([one if change in chosen else z3.Not(one) for change, one in made.items()])


def _nearer(openly: Openly, made: dict[Change, z3.BoolRef], goal: z3.BoolRef, chosen: list[Change]) -> list[Change]:
    """The same set with the nearest square to stand on that does as well."""
    for change in made:
        if change in chosen and change.key == "stands":
            break
        if change.key == "stands" and any(one.key == "stands" for one in chosen):
            other = [*(one for one in chosen if one.key != "stands"), change]
            if openly.check(goal, _exactly(made, other)) is not None:
                return other
    return chosen


def _settled(made: dict[Change, z3.BoolRef], chosen: list[Change]) -> z3.BoolRef:
    """No larger set than this one, and none like it with a square that is farther away."""
    rest = [made[change] for change in chosen if change.key != "stands"]
    if len(rest) == len(chosen):
        return z3.Not(z3.And(rest))
    return z3.Not(z3.And(*rest, z3.Or([one for change, one in made.items() if change.key == "stands"])))


def _core(openly: Openly, made: dict[Change, z3.BoolRef], goal: z3.BoolRef) -> list[str]:
    """The rules without which a set of so few changes would do; empty where more than the numbers stand in the way."""
    return openly.core() if openly.check(goal, z3.AtMost(*made.values(), MOST)) is None else []


def _opened(
    position: Position, hero: Figure, target: Figure, weapon: Weapon, changes: list[Change], terms: Terms
) -> tuple[Openly, dict[Change, z3.BoolRef]]:
    """The attack with every fact open that a change turns over, and for each change whether it is made."""
    turned = dict(pair for change in changes for pair in change.facts)
    facts = "".join(scene(position, hero, target, terms))
    for name, holds in turned.items():
        if not holds:
            facts = facts.replace(name, "", 1)
    own, modes = fact("held", 0, weapon.name), [name for name in turned if name.startswith("mode(")]
    cards = [weapon, *(position.weapon(c.value) for c in changes if c.key == "weapon")]
    rules = [one.replace(").", f") :- {fact('held', 0, card.name)}") for card in cards for one in _pieces(card_facts(0, card))]
    before = [name for c in changes for name, holds in c.facts if not holds]
    lines = [line_facts(square, target.at) for square in posts(position, hero)]
    shots = fact("asked_type", 0, Name("unsaid"))
    rest = [own, *dict.fromkeys((*modes, *turned))]
    openly = Openly(position.system, terms, [facts, *rules, *lines, shots], rest, ("hand-to-hand.forced", "darkness.range"))
    made = {change: z3.Bool(f"made {change.key} {change.value}") for change in changes}
    for name in rest:
        makers = [made[c] for c in changes if (name, True) in c.facts]
        breakers = [made[c] for c in changes if (name, False) in c.facts]
        starts = name == own or name in before
        openly.solver.add(openly.open[name] == (z3.Not(z3.Or(breakers)) if starts else z3.Or(makers)))
    for key in ("declared", "stands", "weapon"):
        one = [made[c] for c in changes if c.key == key]
        if len(one) > 1:
            openly.solver.add(z3.AtMost(*one, 1))
    return openly, made


def _pieces(facts: str) -> list[str]:
    return [f"{piece}." for piece in facts.split(".") if piece]


# --- the changes --------------------------------------------------------------------------------------------------------


def _changes(position: Position, hero: Figure, target: Figure, asked: Attack) -> Iterator[Change]:
    """Everything that is tried, the cheapest first, with the facts that it turns over."""
    board = position.board
    mode = asked.declared or Declared.WALKING
    for other in (Declared.STATIONARY, Declared.WALKING, Declared.RUNNING):
        if other is not mode:
            yield _turning(declares(hero.id, other), on=fact("mode", 0, Name(other)), off=fact("mode", 0, Name(mode)))
    now = str(asked.weapon or hero.weapon)
    for name in other_weapons(position, hero, asked):
        yield _turning(rearmed(hero.id, name), on=fact("held", 0, name), off=fact("held", 0, now))
    if target.kind is Kind.ZOMBIE and "stunned" not in target.status:
        yield _turning(stunned(target.id), on=fact("stunned", target.id))
    for square in inside(hero.at, target.at):
        for figure in board.figures:
            if figure.at == square:
                yield _turning(gone(figure.id), off=fact("at", figure.id, square))
    for square in (*inside(hero.at, target.at), target.at):
        if board.terrain.get(square) is Terrain.HINDERING:
            yield _turning(cleared(square), off=fact("terrain", square, Name("hindering")))
    for square in posts(position, hero):
        stood = stands(hero.id, square, towards(square, target.at))
        yield _turning(stood, on=fact("posted", 0, square))


def _turning(change: Change, on: str = "", off: str = "") -> Change:
    """The change with the facts that it turns on and off."""
    return replace_fields(change, facts=tuple(pair for pair in ((on, True), (off, False)) if pair[0]))


def other_weapons(position: Position, hero: Figure, asked: Attack) -> Iterator[str]:
    """What the hero carries besides and could fire: all values of its card are known."""
    now = asked.weapon or hero.weapon
    for name in _carried(hero):
        item = armoury(position.system).get(name)
        known = any(weapon.name == name for weapon in position.board.weapons) or (item is not None and item.weapon is not None)
        card = position.weapon(name) if known else None
        if name == now or card is None or not isinstance(card.rm, int) or None in (card.stun, card.wound, card.pbr, card.rof):
            continue
        yield name


def posts(position: Position, hero: Figure) -> list[tuple[int, int]]:
    """Free squares no farther away than a walk, the nearest first."""
    far = movement_points(position.system)["walking"]
    board, (x, y) = position.board, hero.at
    taken = {figure.at for figure in board.figures}
    closed = (Terrain.VOID, Terrain.OBSTRUCTIVE, Terrain.BARRING)
    near = [(c, r) for c in range(x - far, x + far + 1) for r in range(y - far, y + far + 1) if abs(c - x) + abs(r - y) <= far]
    free = [square for square in near if square not in taken and board.terrain.get(square, Terrain.VOID) not in closed]
    return sorted(free, key=lambda square: (abs(square[0] - x) + abs(square[1] - y), square))


def towards(here: tuple[int, int], there: tuple[int, int]) -> Facing:
    """The way from one square to the other."""
    right, down = there[0] - here[0], there[1] - here[1]
    if abs(right) >= abs(down):
        return Facing.EAST if right > 0 else Facing.WEST
    return Facing.SOUTH if down > 0 else Facing.NORTH
