"""Questions asked backwards: what gives these numbers, what lets a hero wound on a roll, and from how far at most.

The situations are found by z3 over the chapters of an attack; where there is none, the rules that forbid it are named.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

from riese_kb.board import Board, Declared, Figure, Weapon
from riese_kb.draft import Breach, Draft, Verdict
from riese_kb.errors import RulesError
from riese_kb.facts import Name, fact
from riese_kb.kinds import changing
from riese_kb.kinds.attacking import attack, card_facts, require
from riese_kb.kinds.openly import Openly, one_of
from riese_kb.odds import FACES
from riese_kb.position import Position, Terms, line_facts
from riese_kb.question import Attack, MaxRange, WhatGives, WhatLets
from riese_kb.worlds import Steps

FARTHEST = 60
"""Squares that are looked at."""
_HERO, _TARGET = "hero", "target"
_LINE = tuple((column, 1) for column in range(1, 8))
_FIGURES = ("someone", "another")
_MODES = ("stationary", "walking", "running")


def steps(position: Position, about: WhatGives | WhatLets | MaxRange, terms: Terms) -> Steps[Draft]:
    """The question of that kind. Raises ``RulesError`` for rule files, which are run apart and give no formula."""
    if terms.extra:
        raise RulesError("questions asked backwards know the rules of the book only", fix="leave out with rules …")
    match about:
        case WhatGives():
            return _gives(position, about, terms)
        case WhatLets():
            return changing.lets(position, about, terms)
    return _farthest(position, about, terms)


def _told(result: dict[str, Any], core: Iterable[str], supplied: Iterable[Weapon]) -> Draft:
    core = sorted(core)
    names = tuple(weapon.name for weapon in supplied if weapon.supplied)
    broken = tuple(Breach(0, rule, "") for rule in core)
    return Draft(Verdict.COMPUTED, {**result, "core": core}, violations=broken, supplied=names, explains=True)


# --- what gives 8/11 with "FG-42" -------------------------------------------------------------------------------------


def _modes() -> list[str]:
    return [fact("mode", 0, Name(mode)) for mode in _MODES]


def _types() -> list[str]:
    return [fact("type", 0, Name(kind)) for kind in ("normal", "spread")]


def _ranges() -> list[str]:
    return [fact("range", 0, _TARGET, squares) for squares in range(1, FARTHEST + 1)]


_STUNNED, _COVERS, _SELECTS = fact("stunned", _TARGET), fact("covers", 0), fact("selects", 0)
_PASSED = [fact("at", id, square) for id, square in zip(_FIGURES, _LINE[2:4], strict=True)]
_ROUGH = [fact("terrain", square, Name("hindering")) for square in _LINE[4:6]]


def _sample(board: Board, weapon: Weapon, terms: Terms) -> Openly:
    """A hero who shoots along a row at a zombie; what stands and lies in between is open, and so is how far it is."""
    scene = [fact("actor", 0, _HERO), fact("figure", _HERO, Name("hero")), fact("at", _HERO, _LINE[0]), fact("armed", 0)]
    scene += [fact("facing", _HERO, 2), *(fact("square", square) for square in _LINE), card_facts(0, weapon)]
    scene += [fact("figure", _TARGET, Name("zombie")), fact("at", _TARGET, _LINE[-1]), line_facts(_LINE[0], _LINE[-1])]
    scene += [fact(word, 0, _TARGET) for word in ("target", "views", "considers", "attempts")]
    scene += [fact("figure", id, Name("hero")) for id in _FIGURES]
    scene += [fact("threat", board.threat)] if board.threat else []
    opened = [*_modes(), *_types(), *_ranges(), _STUNNED, _COVERS, *([_SELECTS] if weapon.select_fire else []), *_PASSED, *_ROUGH]
    bans = ("spread-fire.rof", "select-fire.weapon", "hand-to-hand.forced")
    return Openly(board.system, terms, scene, opened, bans, ("type", "range"))


def _gives(position: Position, about: WhatGives, terms: Terms) -> Steps[Draft]:
    """Every situation with these numbers: declaration, kind of fire, range, what is in the way, statuses."""
    yield from ()
    weapon = position.weapon(about.weapon)
    if not isinstance(weapon.rm, int):
        require(weapon, ("rm",))
        raise RulesError(f"{weapon.name} is not fired", fix="ask about a weapon whose range modifier is a number")
    require(weapon, ("stun", "wound", "pbr", "rof"))
    openly = _sample(position.board, weapon, terms)
    add = openly.solver.add
    add(*(one_of(openly, group) for group in (_modes(), _types(), _ranges())))
    # The first before the second; no more than two things in the way, since more change no number; and room for them.
    passed, rough = ([openly.open[name] for name in names] for names in (_PASSED, _ROUGH))
    add(*(z3.Implies(two, one) for one, two in (passed, rough)), z3.AtMost(*passed, *rough, 2))
    for squares, name in enumerate(_ranges(), 1):
        figures, rubble = (z3.Sum([z3.If(one, 1, 0) for one in group]) for group in (passed, rough))
        room = z3.And(figures < squares, z3.Or(rubble == 0, rubble + z3.If(figures > 1, figures, 1) <= squares))
        add(z3.Implies(openly.open[name], room))
    bands = _bands(openly)
    found = []
    wanted = (openly.stun == about.stun, openly.wound == about.wound)
    while (model := openly.check(*wanted)) is not None:
        found.append(_situation(openly, model, bands))
        add(z3.Not(_same(openly, model)))
    core = [] if found else openly.core()
    found.sort(key=_plainness)
    asked = {"weapon": weapon.name, "stun": about.stun, "wound": about.wound}
    return _told({**asked, "threat": position.board.threat, "situations": found}, core, (weapon,))


def _same(openly: Openly, model: z3.ModelRef) -> z3.BoolRef:
    """The same situation but for squares of range that make no difference."""
    fixed = [*_modes(), *_types(), _STUNNED, _COVERS, _SELECTS, *_PASSED, *_ROUGH]
    facts = [openly.open[name] == openly.true(model, name) for name in fixed if name in openly.open]
    band = openly.share["attack.range"]
    return z3.And(*facts, band == openly.number(model, band))


def _situation(openly: Openly, model: z3.ModelRef, bands: dict[int, list[int]]) -> dict[str, Any]:
    band = bands[openly.number(model, openly.share["attack.range"])]
    same = _same(openly, model)
    # There is less room for what is in the way the nearer the target is, so that only the near end of the band may miss.
    squares = band[next(n for n, s in enumerate(band) if openly.check(same, openly.open[_ranges()[s - 1]]) is not None) :]
    return {
        "declared": next(mode for mode, name in zip(_MODES, _modes(), strict=True) if openly.true(model, name)),
        "attack": "spread" if openly.true(model, _types()[1]) else "normal",
        "covering": openly.true(model, _COVERS),
        "select": openly.true(model, _SELECTS),
        "range": [squares[0], squares[-1] if squares[-1] < FARTHEST else None],
        "intervening": sum(openly.true(model, name) for name in _PASSED),
        "hindering": sum(openly.true(model, name) for name in _ROUGH),
        "stunned": openly.true(model, _STUNNED),
        "modifiers": openly.modifiers(model),
    }


def _bands(openly: Openly) -> dict[int, list[int]]:
    """The ranges that have one range modifier, by that modifier."""
    found: dict[int, list[int]] = {}
    for squares, name in enumerate(_ranges(), 1):
        model = openly.check(openly.open[name])
        if model is not None:
            found.setdefault(openly.number(model, openly.share["attack.range"]), []).append(squares)
    return found


def _plainness(one: dict[str, Any]) -> tuple[object, ...]:
    unusual = one["covering"] + one["select"] + (one["attack"] == "spread") + one["stunned"]
    return (unusual, one["intervening"] + one["hindering"], _MODES.index(one["declared"]), one["range"][0], str(one))


# --- max range for nicole to wound z1 -----------------------------------------------------------------------------------


def _farthest(position: Position, about: MaxRange, terms: Terms) -> Steps[Draft]:
    """The greatest range at which the target, everything else as it is, is wounded on that roll."""
    hero, target, weapon = changing.parties(position, about)
    on = FACES if about.on is None else about.on
    declared = position.declared(hero, about.declared)
    now: Draft = yield from attack(position, Attack(hero.id, target.id, about.weapon, declared=declared), terms, fully=False)
    openly = _at_any_range(position, hero, target, weapon, declared, terms)
    openly.solver.add(one_of(openly, _ranged(target)))
    best: int | None = None
    for squares, name in enumerate(_ranged(target), 1):
        if openly.check(openly.wounds(on), openly.open[name]) is not None:
            best = squares
    beyond = () if best is None else [openly.open[name] for name in _ranged(target)[best : best + 1]]
    core = [] if best == FARTHEST or openly.check(openly.wounds(on), *beyond) is not None else openly.core()
    result = {"weapon": weapon.name, "on": on, "declared": str(declared), "range": now.result["range"], "max_range": best}
    return _told(result, core, (weapon,))


def _ranged(target: Figure) -> list[str]:
    return [fact("range", 0, target.id, squares) for squares in range(1, FARTHEST + 1)]


def _at_any_range(position: Position, hero: Figure, target: Figure, weapon: Weapon, declared: Declared, terms: Terms) -> Openly:
    facts = changing.scene(position, hero, target, terms)
    facts += [fact("mode", 0, Name(declared)), card_facts(0, weapon), fact("type", 0, Name("normal"))]
    return Openly(position.system, terms, facts, _ranged(target), ("darkness.range", "hand-to-hand.forced"), ("type", "range"))
