"""``targets …``: who may be attacked how, and why the others may not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from riese_kb.board import Figure, Square, Weapon, square_name
from riese_kb.draft import Charge, Draft, Marks, Verdict, matters
from riese_kb.facts import Name, fact
from riese_kb.kinds.attacking import TYPE, attack, card_facts, figure_of, foes_on, lines_to, require
from riese_kb.kinds.offers import rule_of
from riese_kb.position import Position, Terms
from riese_kb.question import Attack, AttackType, Targets
from riese_kb.worlds import Steps, World, together


class Arm(NamedTuple):
    """One way to attack: type, weapon, the hand that holds it, and whether it is set to select fire."""

    type: AttackType
    weapon: Weapon | None
    hand: str
    select: bool


def targets(position: Position, about: Targets, terms: Terms) -> Steps[Draft]:
    """Which enemies may be attacked now, by attack type, with any weapon in hand.

    The cheap question first, for all enemies at once; whoever passes it is then asked about like any attack.
    """
    board = position.board
    hero = figure_of(board, about.figure)
    arms = list(_arms(position, hero))
    answers = yield _first_look(position, about, terms, hero, arms)
    asked: list[Attack] = []
    for arm, derived in zip(arms, answers, strict=True):
        enemies = sorted(map(str, derived.values("may_attack")))
        if arm.weapon is not None and enemies:
            require(arm.weapon, derived.values("wants"))
        name = arm.weapon.name if arm.weapon else None
        off = arm.hand == "off"
        asked += [
            Attack(hero.id, e, name, arm.type, about.declared, about.covering, off_hand=off, select=arm.select) for e in enemies
        ]
    drafts = yield from together(attack(position, one, terms, fully=False) for one in asked)
    found: dict[AttackType, set[str]] = {kind: set() for kind in AttackType}
    refused: list[tuple[AttackType, str, str]] = []
    plainly: set[tuple[AttackType, str]] = set()
    for one, draft in zip(asked, drafts, strict=True):
        assert one.type is not None
        if draft.verdict is Verdict.LEGAL:
            found[one.type].add(one.target)
            plainly |= set() if one.select else {(one.type, one.target)}
        refused += [(one.type, one.target, breach.rule) for breach in draft.violations]
    for arm, derived in zip(arms, answers, strict=True):
        refused += [(arm.type, str(enemy), str(rule)) for rule, enemy in derived["forbids"]]
    order = {f.id: i for i, f in enumerate(board.figures)}
    result = {str(kind): sorted(found[kind], key=order.__getitem__) for kind in AttackType}
    flames = yield from _flames(position, about, hero, terms)
    if flames:
        result["flame"] = [enemy for enemy, draft in flames.items() if draft.verdict is Verdict.LEGAL]
    ledger = [
        Charge(rule, square_name(figure_of(board, enemy).at), 0, f"forbids {kind}", note=enemy)
        for kind, enemy, rule in sorted(
            dict.fromkeys(refused), key=lambda row: (list(AttackType).index(row[0]), order[row[1]], row[2])
        )
        if enemy not in found[kind]
    ]
    ledger += [
        Charge("select-fire.rate", square_name(figure_of(board, enemy).at), 1, f"{kind} only with select fire", note=enemy)
        for kind, enemies in found.items()
        for enemy in sorted(enemies, key=order.__getitem__)
        if (kind, enemy) not in plainly
    ]
    for one, draft in zip(asked, drafts, strict=True):
        if draft.verdict is Verdict.LEGAL and "with" in draft.result:
            place = square_name(figure_of(board, one.target).at)
            ledger.append(
                Charge(
                    rule_of(position, draft), place, 1, f"{one.type} only with {draft.result['with']['skill']}", note=one.target
                )
            )
    for enemy, draft in flames.items():
        place = square_name(figure_of(board, enemy).at)
        ledger += [Charge(breach.rule, place, 0, "forbids flame", note=enemy) for breach in draft.violations]
    drafts = [*drafts, *flames.values()]
    seen = frozenset[str]().union(*(matters(d) for d in answers), *(d.matters for d in drafts))
    labels: dict[Square, str] = {figure_of(board, e).at: "◎" for ids in result.values() for e in ids}
    return Draft(Verdict.COMPUTED, result, tuple(ledger), (), seen, Marks(labels))


def _flames(position: Position, about: Targets, hero: Figure, terms: Terms) -> Steps[dict[str, Draft]]:
    """What comes of attacking each enemy with the flamethrower in hand; nothing where the hero holds none."""
    if hero.weapon is None or position.weapon(hero.weapon).rm != "A":
        return {}
    from riese_kb.kinds.flaming import flame

    foes = [foe.id for foe in foes_on(position.board)]
    asked = [Attack(hero.id, foe, None, None, about.declared, about.covering) for foe in foes]
    drafts = yield from together(flame(position, one, terms) for one in asked)
    return {foe: draft for foe, draft in zip(foes, drafts, strict=True) if draft.result.get("type") == "flame"}


def _arms(position: Position, hero: Figure) -> Iterator[Arm]:
    held: list[tuple[Weapon | None, str]] = [(position.weapon(hero.weapon) if hero.weapon else None, "main")]
    if hero.off_hand:
        held.append((position.weapon(hero.off_hand), "off"))
    for kind in AttackType:
        for weapon, hand in held:
            yield Arm(kind, weapon, hand, select=False)
            if kind is AttackType.SPREAD and weapon is not None and weapon.select_fire:
                yield Arm(kind, weapon, hand, select=True)


def _first_look(position: Position, about: Targets, terms: Terms, hero: Figure, arms: list[Arm]) -> list[World]:
    declared = position.declared(hero, about.declared)
    squares, viewed, lines = lines_to(hero, foes_on(position.board))

    def world(arm: Arm) -> World:
        def facts(number: int) -> str:
            parts = [fact("actor", number, hero.id), fact("mode", number, Name(declared))]
            parts += [fact("views", number, id) for id in sorted(viewed)]
            parts.append(fact("asked_type", number, Name(TYPE[arm.type])))
            if arm.weapon is not None:
                parts.append(card_facts(number, arm.weapon))
                if hero.skills:
                    parts.append(fact("wields", number, arm.weapon.name))
            words = {"off_hand": arm.hand == "off", "covers": about.covering, "selects": arm.select}
            parts += [fact(word, number) for word, holds in words.items() if holds]
            return "".join(parts)

        return World(position, "targets", terms, facts, squares, lines, viewed | {hero.id})

    return [world(arm) for arm in arms]
