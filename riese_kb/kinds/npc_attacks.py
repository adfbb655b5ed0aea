"""Whom an NPC may attack from where, with which numbers and odds; and its roll to break a lock."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.board import Figure, Kind, Square, Weapon, square_name
from riese_kb.draft import Charge, matters, place_name
from riese_kb.facts import fact
from riese_kb.kinds.attacking import card_facts, card_lines, dice_of, lines_to, require
from riese_kb.odds import attack_odds
from riese_kb.position import Position, Terms
from riese_kb.worlds import Derived, Steps, World


class Shot(Struct, frozen=True):
    """One attack that an NPC may make: from where, on whom, its numbers, and what they were added up from."""

    start: Square
    target: str
    aims: bool
    """Whether it counts as a target: some roll wounds it."""
    allowed: bool
    """Whether it may be attacked at all."""
    result: dict[str, Any]
    ledger: tuple[Charge, ...]
    matters: frozenset[str]


class Gunman:
    """One NPC with its weapon; keeps what it has found out."""

    def __init__(self, position: Position, figure: Figure, weapon: Weapon | None, terms: Terms) -> None:
        self.position = position
        self.figure = figure
        self.weapon = weapon
        self.terms = terms
        self.known: dict[tuple[Square, tuple[str, ...]], list[Shot]] = {}
        self.matters: set[str] = set()
        self.lock_ledger: tuple[Charge, ...] = ()
        # Who of them is an enemy is for the logic to say; that civilians and NPCs may be, only other rules than the book's.
        others = terms.scenario or terms.extra
        self.foes = [f for f in position.board.figures if f is not figure and (others or f.kind in (Kind.HERO, Kind.ZOMBIE))]

    def _world(
        self, query: str, square: Square, foes: Iterable[Figure], words: Iterable[str], target: str | None = None
    ) -> World:
        squares, viewed, lines = lines_to(replace(self.figure, at=square), foes)
        words = tuple(words)

        def facts(world: int) -> str:
            parts = [fact("turn_of", world, self.figure.id), fact("actor", world, self.figure.id), fact("posted", world, square)]
            parts += [fact("views", world, id) for id in sorted(viewed)]
            parts += [fact(word, world) for word in words]
            if target is not None:
                parts.append(fact("target", world, target))
            if self.weapon is not None:
                parts.append(card_facts(world, self.weapon))
            return "".join(parts)

        return World(self.position, query, self.terms, facts, squares, lines, viewed | {self.figure.id})

    def look(self, squares: Iterable[Square], *words: str) -> Steps[None]:
        """Find out whom it may attack from each of the squares: first all enemies at once, then the numbers for each."""
        new = [square for square in sorted(set(squares)) if (square, words) not in self.known]
        self.known.update({(square, words): [] for square in new})
        if not new:
            return
        answers = yield [self._world("npc_targets", square, self.foes, words) for square in new]
        pairs: list[tuple[Square, Figure]] = []
        for square, derived in zip(new, answers, strict=True):
            self.matters |= matters(derived)
            found = set(derived.values("may_attack"))
            if found and self.weapon is not None:
                require(self.weapon, derived.values("wants"))
            pairs += [(square, foe) for foe in self.foes if foe.id in found]
        worlds = [self._world("npc_attack", square, self.foes, words, foe.id) for square, foe in pairs]
        for (square, foe), derived in zip(pairs, (yield worlds) if worlds else (), strict=True):
            self.known[square, words].append(self._shot(square, foe, derived))

    def aims(self, square: Square, *words: str) -> list[Shot]:
        """The targets that it has on a square which was looked at; none on one that was not."""
        return [shot for shot in self.known.get((square, words), ()) if shot.aims]

    def _shot(self, square: Square, foe: Figure, derived: Derived) -> Shot:
        if self.weapon is not None:
            require(self.weapon, derived.values("wants"))
        self.matters |= matters(derived)
        ledger = [*card_lines(self.position, self.weapon, derived), *_added(derived, self.position)]
        ledger += [Charge(str(rule), square_name(at), n, "AM") for rule, at, n in derived["extra"]]
        modified = {state: numbers for state, *numbers in derived["modified"]}
        kinds = {"normal": "normal", "spread": "spread", "hand": "h2h"}
        result: dict[str, Any] = {
            "from": square_name(square),
            "on": foe.id,
            "type": kinds[str(derived.value("type"))],
            "range": next(
                (r for id, r in derived["range"] if id == foe.id), 0
            ),  # without a range it is no enemy, and never attacked
            "modifier": sum(line.amount for line in ledger if line.unit == "AM"),
        }
        begins = derived.number("begins")
        if begins in modified and derived.holds("throws"):
            stun, wound = modified[begins]
            dice = derived.number("throws")
            odds = attack_odds(dice_of(self.position, foe, derived), dice)
            result |= {"stun": stun, "wound": wound, "dice": dice, "odds": odds.first, "attack": odds.whole}
        noted = tuple(replace(line, note=line.note or foe.id) for line in ledger)
        return Shot(square, foe.id, derived.holds("aim"), derived.holds("allowed"), result, noted, matters(derived))

    def break_lock(self, holder: Figure) -> Steps[tuple[dict[str, Any], Shot]]:
        """The roll that frees it, and the attack that follows if it succeeds (LOCKED NPC)."""
        here = self.figure.at
        tries, strikes = yield [
            self._world("npc_attack", here, [holder], ("breaks",), holder.id),
            self._world("npc_attack", here, [holder], ("broke_free",), holder.id),
        ]
        if self.weapon is not None:
            require(self.weapon, (*tries.values("wants"), *strikes.values("wants")))
        self.matters |= matters(tries)
        spared = [Charge("npc.lock-no-modifiers", square_name(here), 0, "AM")] if tries.holds("spared_of_all") else []
        self.lock_ledger = (*card_lines(self.position, self.weapon, tries)[:1], *_added(tries, self.position), *spared)
        begins = tries.number("begins")
        modified = {state: numbers for state, *numbers in tries["modified"]}
        result: dict[str, Any] = {"holder": holder.id, "modifier": sum(c.amount for c in _added(tries, self.position))}
        if begins in modified and tries.holds("throws"):
            dice = tries.number("throws")
            chance = 1 - (1 - Fraction(len(tries["frees"]), 12)) ** dice
            odds = {"broken": str(chance), "held": str(1 - chance)}
            result |= {"stun": modified[begins][0], "dice": dice, "odds": odds}
        return result, self._shot(here, holder, strikes)


def _added(derived: Derived, position: Position) -> list[Charge]:
    """The modifiers that count."""
    rows = [
        Charge(str(rule), place_name(at, position.board), amount, str(unit), step)
        for rule, at, step, amount, unit, _ in derived["added"]
    ]
    return sorted(rows, key=lambda c: (c.rule, c.at))
