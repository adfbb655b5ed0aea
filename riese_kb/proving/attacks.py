"""Claims about the numbers of an attack, proved over the chapters under ``logic/`` (ATTACK/ATTACKING and what touches it)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import z3

from riese_kb import catalogue, tables
from riese_kb.board import System, Weapon
from riese_kb.catalogue import Intent
from riese_kb.completion import Completion
from riese_kb.facts import Name, fact
from riese_kb.program import program
from riese_kb.proving.claims import PROVED, Claim, Openable, Outcome, Stated, Verdict, decide, for_all, over
from riese_kb.proving.numbers import numberless
from riese_kb.proving.replay import replay
from riese_kb.proving.situations import Situation, situation
from riese_kb.proving.terms import stated
from riese_kb.store import read_toml

WIDEST = 12
"""Range modifiers that are looked at: RM from 1 up to this; the largest printed one is much smaller."""


def claims(system: System) -> Iterator[Claim]:
    """Every claim about attacks, in the order of the book; games on rings have none."""
    if system.on_rings:
        return
    rules = catalogue.rules(system)
    if "attack.natural-one" in rules:
        yield Claim(
            "attack.natural-one",
            "A natural 1 never hits, whatever the modified numbers.",
            rules["attack.natural-one"].cite,
            lambda: _natural_one(system),
            ("attack.natural-one",),
        )
    yield Claim(
        "attack.one-effect",
        "Every face of an attack die does one thing at most.",
        rules["attack.weapon-values"].cite,
        lambda: _one_effect(system),
    )
    yield Claim(
        "attack.range",
        "The range modifier grows by one for every RM squares begun beyond PBR: for every weapon at every range.",
        rules["attack.range"].cite,
        lambda: _range(system),
        ("attack.range",),
    )
    yield Claim(
        "attack.closed-form",
        "The modified numbers are those of the card, what other rules add, and the range modifier: every weapon at every range.",
        rules["attack.weapon-values"].cite,
        lambda: _arithmetic(system),
        ("attack.weapon-values", "attack.range"),
    )
    yield Claim(
        "attack.wound-above-stun",
        "No weapon wounds more easily than it stuns, at range or hand to hand.",
        rules["attack.weapon-values"].cite,
        lambda: _values(system),
    )
    yield Claim(
        "attack.counted-once",
        "No modifier that does not depend on squares of the line is counted twice.",
        "ATTACK MODIFIERS",
        lambda: _counted_once(system),
    )
    if "threat.distracting-cacophony-4" in rules:
        yield Claim(
            "attack.threat-stacks",
            "What threat adds to attacks is the sum of all levels reached.",
            rules["threat.distracting-cacophony-4"].cite,
            lambda: _threat(system),
            ("threat.distracting-cacophony-4", "threat.distracting-cacophony-11"),
        )
    for id, rule in rules.items():
        if (
            id not in numberless(system)
            and rule.intent is not None
            and id in situation(system, skills=id.startswith("skill.")).rules
        ):
            yield Claim(
                f"intent.{id}", _meant(rule.title, rule.intent), rule.cite, partial(_intent, system, id, rule.intent), (id,)
            )


def _meant(title: str, intent: Intent) -> str:
    match intent:
        case Intent.HELPS:
            return f"{title}: meant to help, it never makes an attack harder."
        case Intent.HARMS:
            return f"{title}: meant to harm, it never makes an attack easier."
    return f"{title}: changes no number."


def _modifiers(found: Situation) -> set[str]:
    return {str(arguments[1]) for arguments, _ in found.law.atoms("charge") if arguments[5] == "AM"}


def _intent(system: System, id: str, intent: Intent) -> Verdict:
    """All that makes an attack easier, with the rule and without it, in all situations."""

    def state(present: Situation) -> Stated:
        absent = present.without(id)
        changes = [one - other for one, other in zip(present.ease(), absent.ease(), strict=True)]
        return [*present.given, *absent.given], z3.And([_AS_MEANT[intent](change) for change in changes])

    def case(model: z3.ModelRef) -> dict[str, Any]:
        return replay(system, found.described(model)["facts"], id)

    found = situation(system, skills=id.startswith("skill."))
    return decide(found, state, case, found.spare)


_AS_MEANT: dict[Intent, Callable[[z3.ArithRef], z3.BoolRef]] = {
    Intent.HELPS: lambda change: change >= 0,
    Intent.HARMS: lambda change: change <= 0,
    Intent.NEUTRAL: lambda change: change == 0,
}


def _counted_once(system: System) -> Verdict:
    def state(found: Situation) -> Stated:
        once = [z3.AtMost(*(when for _, when in found.charged(id)), 1) for id in names]
        return found.given, z3.And(once)

    found = situation(system)
    names = [id for id in sorted(_modifiers(found)) if not id.startswith("lof.")]
    return decide(found, state, found.described)


def _threat(system: System) -> Verdict:
    """The threat part of the modifier against the table, for every level of the tracker."""
    table = read_toml(f"{tables.data_root()}/rules/{system}/modifiers.toml")["threat"]
    level = z3.Int("level")

    def state(found: Situation) -> Stated:
        rules = [id for id in table if id in _modifiers(found)]
        stated = z3.Sum([z3.If(when, amount, 0) for id in rules for amount, when in found.charged(id)])
        tracker = [z3.Implies(one, level == int(name[7:-1])) for name, one in found.open.items() if name.startswith("threat(")]
        expected = z3.Sum([z3.If(level >= at, amount, 0) for at, amount in (table[id] for id in rules)])
        return [*found.given, *tracker], stated == expected

    return decide(situation(system), state, lambda model: {"threat": model.eval(level).as_long()})


class _Dice(Openable):
    """The faces of a die with the modified values open: any two numbers, for a target that is stunned or not."""

    def __init__(self, system: System) -> None:
        values = range(-6, 20)
        opened = [fact("modified", 0, state, stun, wound) for state in (0, 1) for stun in values for wound in (stun, stun + 3)]
        powers = ("armoured", "thick-skin", "fluchtig", "shutzshild")
        more = [fact("power", "e", power) for power in powers] + [fact("figure", "e", Name("zombie"))]
        law = program(system, "attack")
        rules = [rule.text for rule in law.prunable.rules if rule.head not in ("modified", "plain_sum")]
        scene = [fact("world", 0), fact("target", 0, "e"), fact("considers", 0, "e")]
        text = "\n".join([*rules, *scene, *(f"#external {one}" for one in (*opened, *more))])
        self.named = {one.rstrip("."): z3.Bool(one.rstrip(".")) for one in (*opened, *more)}
        each = [
            z3.PbEq([(self.named[one.rstrip(".")], 1) for one in opened if one.startswith(f"modified(0,{state},")], 1)
            for state in (0, 1)
        ]
        super().__init__(Completion(text, "dice:", off=sorted(law.rules)), each)

    def described(self, model: z3.ModelRef) -> dict[str, Any]:
        """The open facts that hold in a model."""
        return {"facts": sorted(name for name, one in self.named.items() if z3.is_true(model.eval(one, model_completion=True)))}


def _natural_one(system: System) -> Verdict:
    def state(dice: _Dice) -> Stated:
        ones = [when for arguments, when in dice.law.atoms("effect") if arguments[2] == 1]
        return dice.given, z3.Not(z3.Or(ones))

    dice = _Dice(system)
    return decide(dice, state, dice.described)


def _one_effect(system: System) -> Verdict:
    def state(dice: _Dice) -> Stated:
        faces: dict[tuple[object, object], list[z3.BoolRef]] = {}
        for arguments, when in dice.law.atoms("effect"):
            faces.setdefault((arguments[1], arguments[2]), []).append(when)
        return dice.given, z3.And([z3.AtMost(*found, 1) for found in faces.values()])

    dice = _Dice(system)
    return decide(dice, state, dice.described)


def _range(system: System) -> Verdict:
    """The amount as the rule states it, against the closed form: the least k with PBR + k RM >= range."""
    (rule,) = [
        r for r in program(system, "attack").prunable.rules if r.head == "charge" and r.text.startswith('charge(W,"attack.range"')
    ]
    squares, pbr, steps = z3.Ints("range pbr modifier")
    for rm in range(1, WIDEST + 1):
        amount, condition = stated(rule.text, 4, {"R": squares, "B": pbr, "M": z3.IntVal(rm)})
        given = [squares >= 1, pbr >= 0, steps == z3.If(condition, amount, 0)]
        enough = pbr + steps * rm >= squares
        least = z3.Or(steps == 0, pbr + (steps - 1) * rm < squares)
        verdict = for_all(given, z3.And(steps >= 0, enough, least), partial(_reach, rm, squares, pbr, steps))
        if verdict.outcome is not Outcome.PROVED:
            return verdict
    return PROVED


def _rule(system: System, start: str) -> str:
    (found,) = [rule.text for rule in program(system, "attack").prunable.rules if rule.text.startswith(start)]
    return found


def _arithmetic(system: System) -> Verdict:
    """Both modified numbers, as their rules state them, for every weapon with a range modifier."""
    squares, others, stun_am, faded = z3.Ints("range others stunned faded")
    plain, stunned = _rule(system, "modified(W,0,"), _rule(system, "modified(W,1,")
    ranged = _rule(system, 'charge(W,"attack.range"')
    for name, card in sorted(_cards(system).items()):
        if not isinstance(card.rm, int) or card.stun is None or card.wound is None or card.pbr is None:
            continue
        pbr, rm = z3.IntVal(card.pbr), z3.IntVal(card.rm)
        amount, beyond = stated(ranged, 4, {"R": squares, "B": pbr, "M": rm})
        total = others + z3.If(beyond, amount, 0)
        steps = z3.If(squares > card.pbr, (squares - card.pbr + card.rm - 1) / card.rm, 0)
        known = {"S": z3.IntVal(card.stun), "D": z3.IntVal(card.wound), "T": total, "N": stun_am, "F": faded}
        for place, value in ((2, card.stun), (3, card.wound)):
            now, then = stated(plain, place, known)[0], stated(stunned, place, known)[0]
            whole = z3.And(now == value + others + steps, then == now + stun_am - faded)
            verdict = for_all([squares >= 1], whole, partial(_at_range, name, squares))
            if verdict.outcome is not Outcome.PROVED:
                return verdict
    return PROVED


def _at_range(name: str, squares: z3.ArithRef, model: z3.ModelRef) -> dict[str, Any]:
    return {"weapon": name, "range": model.eval(squares, model_completion=True).as_long()}


def _reach(rm: int, squares: z3.ArithRef, pbr: z3.ArithRef, steps: z3.ArithRef, model: z3.ModelRef) -> dict[str, Any]:
    return {"rm": rm, **{str(one): model.eval(one).as_long() for one in (squares, pbr, steps)}}


def _cards(system: System) -> dict[str, Weapon]:
    """Every weapon of which the book prints values."""
    cards = {name: tables.weapon_card(system, name) for name in tables.armoury(system)}
    return {name: card for name, card in cards.items() if card is not None}


def _values(system: System) -> Verdict:
    def pairs() -> Iterator[tuple[str, str, int, int]]:
        for name, weapon in sorted(_cards(system).items()):
            if weapon.stun is not None and weapon.wound is not None:
                yield name, "at range", weapon.stun, weapon.wound
            if weapon.h2h_stun is not None and weapon.h2h_wound is not None:
                yield name, "hand to hand", weapon.h2h_stun, weapon.h2h_wound

    return over(
        pairs(), lambda row: row[3] >= row[2], lambda row: dict(zip(("weapon", "how", "stun", "wound"), row, strict=True))
    )
