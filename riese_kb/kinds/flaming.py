"""``attack …`` with a weapon that shows an A: the flamethrower's sheet of fire, and what is thrown or launched instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from riese_kb.board import Declared
from riese_kb.draft import Draft, Marks, Verdict, breaches, charges, matters
from riese_kb.facts import Name, fact
from riese_kb.geometry import inside
from riese_kb.kinds.attacking import attack, card_facts
from riese_kb.kinds.throwing import lines_between, printed_facts
from riese_kb.position import Position, Terms, line_facts
from riese_kb.question import About, Attack, AttackType, Throw
from riese_kb.worlds import Steps, World

_ASKED = {None: "unsaid", AttackType.NORMAL: "normal"}


def flame(position: Position, about: Attack, terms: Terms) -> Steps[Draft]:
    """May it be attacked with, and whom does the attack burn?"""
    board = position.board
    hero, target = board.figure(about.figure), board.figure(about.target)
    assert hero is not None, "questions are resolved against the board before they are asked"
    assert target is not None, "questions are resolved against the board before they are asked"
    name = about.weapon or hero.weapon
    assert name is not None, "only attacks with a weapon come here"
    weapon = position.weapon(name)
    marked = [marker for marker in board.markers if marker.kind.isidentifier()]
    lines = lines_between((hero.at, end) for end in (*(f.at for f in board.figures), *(marker.at for marker in marked)))

    def facts(world: int) -> str:
        parts = [fact("actor", world, hero.id), fact("mode", world, Name(position.declared(hero, about.declared)))]
        parts += [fact("target", world, target.id), fact("hurls", world, name), card_facts(world, weapon), fact("armed", world)]
        parts += [fact("asked_type", world, Name(_ASKED[about.type])), *printed_facts(board, world, name)]
        parts += [fact("views", world, figure.id) for figure in board.figures if figure is not hero]
        parts += [fact("lies", world, Name(marker.kind), marker.at) for marker in marked]
        parts += [fact("not_readied", world)] if name not in (hero.weapon, hero.off_hand) else []
        parts += [fact(word, world) for word, said in (("covers", about.covering), ("selects", about.select)) if said]
        return "".join(parts)

    shared = tuple(line_facts(a, b) for a, b in lines)
    (derived,) = yield [World(position, "flame", terms, facts, None, shared, None)]
    if derived.value("type") == "hand":
        draft: Draft = yield from attack(position, replace(about, type=AttackType.H2H), terms)
        return draft
    broken = breaches(derived, board)
    ledger = charges(derived, board)
    result: dict[str, Any] = {"type": "normal", "range": derived.number("away"), "modifier": 0}
    if derived.holds("sweeps"):
        burnt = [figure.id for figure in board.figures if any(str(id) == figure.id for id in derived.values("singed"))]
        ledger = [line for line in ledger if line.unit != "AM"]
        wounds = {line.amount for line in ledger if line.rule == "flamethrower.wounds"}
        result |= {"type": "flame", "victims": burnt, "wounds": max(wounds, default=0)}
        result["destroys"] = sorted(f"{line.unit} {line.at}" for line in ledger if line.rule == "flamethrower.destroys")
    marks = Marks(line=(hero.at, *inside(hero.at, target.at), target.at))
    hints = tuple(_hints(position, about, name)) if broken else ()
    return Draft(
        Verdict.ILLEGAL if broken else Verdict.LEGAL, result, tuple(ledger), tuple(broken), matters(derived), marks, (), hints
    )


def _hints(position: Position, about: Attack, name: str) -> Iterator[About]:
    """What is thrown or launched is asked about with throw; a flamethrower is used standing still."""
    target = position.board.figure(about.target)
    if target is not None:
        yield Throw(about.figure, name, target.at, about.declared)
    yield replace(about, declared=Declared.STATIONARY)
    yield replace(about, type=AttackType.H2H)
