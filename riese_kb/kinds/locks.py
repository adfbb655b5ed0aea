"""``break lock …``: a locked hero's attack on the zombie that holds him, by its own rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from riese_kb.draft import Draft, Verdict, breaches, charges, matters
from riese_kb.facts import Name, fact
from riese_kb.kinds.attacking import card_facts, card_lines, figure_of, lines_to, require, weapons_readied
from riese_kb.position import Position, Terms
from riese_kb.question import BreakLock
from riese_kb.rerolls import success
from riese_kb.unprinted import left_out, require_modifiers
from riese_kb.worlds import Steps, World


def break_lock(position: Position, about: BreakLock, terms: Terms) -> Steps[Draft]:
    """The roll that breaks a lock: a hand-to-hand attack with all modifiers that hurts nobody (LOCKED FIGURES)."""
    board = position.board
    hero = figure_of(board, about.figure)
    holder = next((f for f in board.figures if hero.id in f.locks), None)
    declared = position.declared(hero, about.declared)
    readied = weapons_readied(position, hero)
    weapon = next((w for w in readied if w.h2h_stun is not None), readied[0] if readied else None)
    off_hand = weapon is not None and weapon.name == hero.off_hand and weapon.name != hero.weapon
    if holder is None:
        (derived,) = yield [World(position, "break_lock", terms, lambda w: fact("actor", w, hero.id), frozenset({hero.at}))]
        return Draft(Verdict.ILLEGAL, {"odds": {}}, (), tuple(breaches(derived, board)), matters(derived))
    squares, viewed, lines = lines_to(hero, [holder])

    def facts(world: int) -> str:
        parts = [fact("actor", world, hero.id), fact("mode", world, Name(declared)), fact("target", world, holder.id)]
        parts.append(fact("views", world, holder.id))
        parts += [fact("asked_type", world, Name("hand")), fact("breaks", world)]
        if off_hand:
            parts.append(fact("off_hand", world))
        if weapon is not None and hero.skills:
            parts.append(fact("wields", world, weapon.name))
        return "".join(parts) + (card_facts(world, weapon) if weapon is not None else "")

    (derived,) = yield [World(position, "break_lock", terms, facts, squares, lines, viewed | {hero.id})]
    sure = derived.holds("slips")
    if weapon is not None and not sure:
        require(weapon, derived.values("wants"))
    require_modifiers(board, derived)
    begins = derived.number("begins")
    modified = {state: numbers for state, *numbers in derived["modified"]}
    ledger = [*card_lines(position, weapon, derived), *charges(derived, board)]
    broken = breaches(derived, board)
    result: dict[str, Any] = {
        "holder": holder.id,
        "holders": [f.id for f in board.figures if hero.id in f.locks and "stunned" not in f.status],
        "modifier": sum(line.amount for line in ledger if line.unit == "AM"),
        "odds": {},
    }
    if sure:
        result["odds"] = {"broken": "1", "held": "0"}
    elif begins in modified and derived.holds("throws"):
        dice = derived.number("throws")
        one = Fraction(len(derived["frees"]), 12)
        result |= {"stun": modified[begins][0], "dice": dice, "odds": _broken(success(one, dice, 0))}
        if derived.holds("token"):
            held = derived.number("token")
            result["scratch"] = {"tokens": held, "odds": _broken(success(one, dice, held))}
    verdict = Verdict.ILLEGAL if broken else Verdict.LEGAL
    return Draft(verdict, result, tuple(ledger), tuple(broken), matters(derived), missing=left_out(board, derived))


def _broken(chance: Fraction) -> dict[str, str]:
    return {"broken": str(chance), "held": str(1 - chance)}
