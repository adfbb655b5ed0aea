"""``npc …``: what an NPC does when it is activated, with every choice that the rules leave (DETERMINING AN NPC'S ACTIONS).

The logic says which situation the NPC is in and where that leads it. Whom it may attack from a square is asked where it
may come to stand, because an NPC that looks for an enemy stops where it finds one.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from riese_kb.board import Edge, EdgeKind, Figure, Kind, Square, Weapon, edge_between, square_name
from riese_kb.draft import Charge, Draft, Marks, Verdict, charges, matters, outside_name
from riese_kb.errors import MissingValue
from riese_kb.facts import Name, fact
from riese_kb.kinds.attacking import require
from riese_kb.kinds.npc_attacks import Gunman, Shot
from riese_kb.kinds.npc_paths import OBJECTIVE, Ways, ways_of
from riese_kb.position import Position, Terms, line_facts, line_squares, npc_moves
from riese_kb.question import Npc
from riese_kb.worlds import Derived, Steps, World

SITUATIONS = {
    "locked": "locked",
    "ranged_target": "ranged weapon with target",
    "hand_target": "hand-to-hand weapon with target",
    "ranged_alone": "ranged weapon with no target",
    "hand_alone": "hand-to-hand weapon with no target",
    "unarmed": "unarmed",
}
WORDS = {
    "back": "moves away first",
    "after": "may move afterwards",
    "objective": "goes to its objective",
    "enemy": "goes towards the closest enemy",
    "second": "then moves a second time",
    "wary": "keeps off enemies on the way",
    "flee": "moves away from all enemies",
    "attack": "attacks",
    "lock": "tries to break the lock",
}
"""What the logic says an NPC does, as the table of an answer has it."""


Doors = frozenset[Edge]
"""Doors that an NPC has opened on its way."""
SHUT: Doors = frozenset()


class _Course(Struct):
    """What has been found out about the activation so far."""

    moves: dict[int, set[Square]] = field(default_factory=dict)
    ends: dict[Square, int] = field(default_factory=dict)
    """Where it may end, with the fewest moves."""
    past: dict[Square, Doors] = field(default_factory=dict)
    """Doors that it has opened when it ends there."""
    attacks: list[tuple[Square, str, Doors]] = field(default_factory=list)
    """From where on whom, and the doors that it has opened by then."""
    aims: list[str] = field(default_factory=list)
    ledger: list[Charge] = field(default_factory=list)
    matters: set[str] = field(default_factory=set)


def npc(position: Position, about: Npc, terms: Terms) -> Steps[Draft]:
    """Situation, targets, moves and attacks of one NPC.

    Raises ``MissingValue`` where the book prints too little of its weapon to tell.
    """
    figure = position.board.figure(about.figure)
    assert figure is not None, "questions are resolved against the board before they are asked"
    weapon = position.weapon(figure.weapon) if figure.weapon else None
    held = armed(weapon)
    ways: Ways = yield from ways_of(position, about, figure, held, terms)
    asker = _Asker(position, about, figure, weapon, ways, terms)
    draft: Draft = yield from asker.answer()
    return draft


def armed(weapon: Weapon | None) -> str:
    """The kind of weapon as the headings of the situations tell them apart."""
    if weapon is None:
        return "nothing"
    require(weapon, ["rm"])
    if weapon.rm == "A":
        raise MissingValue(
            f"the book has no situation for an NPC armed with {weapon.name}", fix="give it another weapon, or none"
        )
    return "hand" if weapon.rm == "H" else "ranged"


class _Asker:
    """One activation, asked phase by phase."""

    def __init__(self, position: Position, about: Npc, figure: Figure, weapon: Weapon | None, ways: Ways, terms: Terms) -> None:
        self.position = position
        self.about = about
        self.figure = figure
        self.armed = armed(weapon)
        self.ways = ways
        self.terms = terms
        self.gunman = Gunman(position, figure, weapon, terms)
        self.gunmen: dict[Doors, Gunman] = {SHUT: self.gunman}
        self.ways_past: dict[Doors, Ways] = {SHUT: ways}
        self.course = _Course()
        self.most = npc_moves(position.board.system)
        self.lengths: dict[tuple[str, Doors], dict[tuple[Square, int], int]] = {}
        self.tied = False

    def answer(self) -> Steps[Draft]:
        """The whole activation."""
        start = {(self.figure.at, 1)}
        if self.armed != "nothing":
            yield from self.gunman.look([self.figure.at], "before_moving")
        derived = yield from self.ask(1, start)
        situation = str(derived.value("situation"))
        if situation == "locked":
            draft: Draft = yield from self.locked(derived)
            return draft
        if derived.holds("cornered"):
            self.tied = True
            yield from self.gunman.look([self.figure.at])
            derived = yield from self.ask(1, start)
        purposes = list(map(str, derived.values("purpose")))
        if purposes and self.armed != "nothing" and purposes[0] in ("back", "objective", "enemy"):
            yield from self.look_along(derived)
            derived = yield from self.ask(1, start)
        yield from self.pursue(derived, 1, 0, SHUT)
        answer: Draft = yield from self.draft(situation)
        return answer

    def pursue(self, derived: Derived, phase: int, made: int, doors: Doors) -> Steps[None]:
        """Take over what a phase says, and ask on: behind doors that it opens, and for the second move where there is one."""
        self.note(derived, made, doors)
        opened = sorted((used, edge_between(p, q), str(goal), p, d) for goal, used, p, d, q in derived["opens"])
        for (used, door, goal), group in groupby(opened, key=itemgetter(0, 1, 2)):
            starts = [(p, d) for *_, p, d in group]
            further = doors | {door}
            following = yield from self.looked(phase, starts, further, used, goal)
            yield from self.pursue(following, phase, made, further)
        first: dict[Square, int] = {}
        for _, used, square, _ in derived["finish"]:
            first[square] = min(first.get(square, 99), made + used)
        again = sorted((first[p], p, d) for p, d in derived["again"])
        for _, p, _ in again:
            self.course.ends.pop(p, None)
        for so_far, later in groupby(again, key=itemgetter(0)):
            following = yield from self.looked(2, [(p, d) for _, p, d in later], doors)
            yield from self.pursue(following, 2, so_far, doors)

    def looked(
        self, phase: int, starts: list[tuple[Square, int]], doors: Doors, used: int = 0, goal: str | None = None
    ) -> Steps[Derived]:
        """One phase, with what it sees along its ways."""
        gunman = self.gunman_past(doors)
        if doors not in self.ways_past:
            self.ways_past[doors] = yield from ways_of(gunman.position, self.about, self.figure, self.armed, self.terms)
        yield from gunman.look({p for p, _ in starts} if doors else ())
        yield from self.look_along((yield from self.ask(phase, starts, doors, used, goal)), doors)
        derived: Derived = yield from self.ask(phase, starts, doors, used, goal)
        return derived

    def gunman_past(self, doors: Doors) -> Gunman:
        """It with its weapon, where these doors stand open."""
        if doors not in self.gunmen:
            board, kept = self.position.board, self.position.kept
            if ("open", doors) not in kept:
                edges = {edge: EdgeKind.OPEN_DOOR if edge in doors else kind for edge, kind in board.edges.items()}
                kept["open", doors] = Position(replace(board, edges=edges))
            position = kept["open", doors]
            assert isinstance(position, Position)
            self.gunmen[doors] = Gunman(position, self.figure, self.gunman.weapon, self.terms)
        return self.gunmen[doors]

    def look_along(self, derived: Derived, doors: Doors = SHUT) -> Steps[None]:
        """Find out about targets wherever it may come to stand."""
        squares = {square for _, _, square, _ in derived["walked"]} - self.ways.filled
        yield from self.gunman_past(doors).look(squares & self.ways.ground)

    def ask(
        self, phase: int, starts: Iterable[tuple[Square, int]], doors: Doors = SHUT, used: int = 0, goal: str | None = None
    ) -> Steps[Derived]:
        """One phase under what is known about targets so far: these doors opened, so many moves made on its way to a goal."""
        starts = sorted(starts)
        ways = self.ways_past[doors]
        near = ways.reach((p for p, _ in starts), self.most)
        goals = [OBJECTIVE, *(foe.id for foe in self.gunman.foes)]
        for one in goals:
            if (one, doors) not in self.lengths:
                self.lengths[one, doors] = ways.lengths(one, self.figure.at)
        shots = [shot for square in near for shot in self.shots(square, doors)]
        ids = frozenset(f.id for f in self.position.board.figures)

        def facts(world: int) -> str:
            parts = [fact("turn_of", world, self.figure.id), fact("actor", world, self.figure.id), fact("phase", world, phase)]
            parts += [fact("used", world, used)]
            parts += [fact("bears", world, Name(self.armed))]
            parts += [fact("start", world, p, d) for p, d in starts]
            parts += [fact("spots", world, p) for p in sorted(near)]
            parts += [fact("step", world, *step) for p in sorted(near) for step in ways.steps(p)]
            parts += [fact("doorway", world, p, q) for p, q in sorted(ways.doorways) if p in near]
            parts += [fact("taken", world, p) for p in sorted(near & ways.filled)]
            parts += [fact("shuns", world, p) for p in sorted(near & ways.shunned.keys())]
            parts += [fact("by", world, p, e) for p in sorted(near) for e in sorted(ways.beside.get(p, ()))]
            parts += [fact("reckoned", world, shot.start, shot.target) for shot in shots]
            parts += [fact("pursues", world, goal)] if goal not in (None, OBJECTIVE) else []
            for one in goals:
                lengths = self.lengths[one, doors]
                parts += [
                    fact("dist", world, one, d, p, lengths[p, d]) for p in sorted(near) for d in (0, 1) if (p, d) in lengths
                ]
            if self.ways.objective is not None:
                parts.append(fact("goes_to", world, self.ways.objective))
            if self.tied:
                parts.append(fact("boxed_in", world))
            return "".join(parts)

        (derived,) = yield [World(self.position, "npc", self.terms, facts, frozenset({self.figure.at}), (), ids)]
        self.course.matters |= matters(derived)
        return derived

    def words(self, square: Square, doors: Doors = SHUT) -> tuple[str, ...]:
        """What the logic must know of an attack from there: where it stands it can still step back, unless it found no room."""
        return ("before_moving",) if square == self.figure.at and not self.tied and not doors else ()

    def shots(self, square: Square, doors: Doors = SHUT) -> list[Shot]:
        """Its targets from a square, as far as looked at."""
        return self.gunman_past(doors).aims(square, *self.words(square, doors))

    def spray(self, places: Iterable[tuple[Square, Doors]]) -> Steps[None]:
        """Add the attacks by spread fire, where other rules than the book's leave it any."""
        for square, doors in sorted(places, key=lambda place: (place[0], sorted(place[1]))):
            words, gunman = self.words(square, doors), self.gunman_past(doors)
            yield from gunman.look([square], *words, "rakes")
            sprayed = gunman.aims(square, *words, "rakes")
            gunman.known[square, words] += [shot for shot in sprayed if shot.result["type"] == "spread"]

    def note(self, derived: Derived, made: int, doors: Doors) -> None:
        """Take over what a phase says."""
        course = self.course
        avoided = set(derived["avoids"])
        for _, used, square, _ in derived["walked"]:
            if used and (used, square) not in avoided:
                course.moves.setdefault(made + used, set()).add(square)
        for used, square in (*derived["pauses"], *((used, square) for _, used, square, _, _ in derived["opens"])):
            course.moves.setdefault(made + used, set()).add(square)
        for _, used, square, _ in derived["finish"]:
            course.ends[square] = min(course.ends.get(square, 99), used + made)
            course.past[square] = doors
        course.attacks += [(square, str(enemy), doors) for square, enemy in derived["hits"]]
        course.aims += [str(goal) for _, _, goal in derived["quest"] if goal not in ("any", "objective")]
        course.ledger += charges(derived, self.position.board)
        course.ledger += self.because(derived)

    def because(self, derived: Derived) -> list[Charge]:
        """The rules that say what it does, in the order in which it does it."""
        order = list(WORDS)
        if "back" not in derived.values("purpose"):
            order = ["attack", *order] if "after" in derived.values("purpose") else order
        rows = sorted(((order.index(str(word)), str(rule), str(word)) for rule, word in derived["because"]))
        at = square_name(self.figure.at)
        return [Charge(rule, at, 0, WORDS[word]) for _, rule, word in rows]

    def locked(self, derived: Derived) -> Steps[Draft]:
        """A locked NPC tries to break free and, if it does, attacks its jailer."""
        holder = next(f for f in self.position.board.figures if self.figure.id in f.locks and "stunned" not in f.status)
        lock, shot = yield from self.gunman.break_lock(holder)
        result = self.result("locked")
        rolls = [shot.result] if shot.allowed else []
        result |= {"targets": [holder.id], "attacks": [holder.id] if shot.allowed else [], "rolls": rolls, "lock": lock}
        ledger = (*self.because(derived), *self.gunman.lock_ledger, *(shot.ledger if shot.allowed else ()))
        seen = matters(derived) | self.gunman.matters | shot.matters
        return Draft(Verdict.COMPUTED, result, ledger, (), frozenset(seen), Marks({holder.at: "◎"}))

    def result(self, situation: str) -> dict[str, Any]:
        """The contract's form of an NPC that does nothing."""
        return {
            "situation": SITUATIONS[situation],
            "targets": [],
            "moves": [],
            "attacks": [],
            "stays": True,
            "ends": {square_name(self.figure.at): 0},
            "rolls": [],
            "left_open": [],
        }

    def name(self, square: Square) -> str:
        """A square, or the way off the map."""
        board = self.position.board
        return square_name(square) if square in board.terrain else outside_name(square, board)

    def seen(self) -> Steps[dict[str, list[str]]]:
        """Where it may end in the line of fire of heroes with ranged weapons: what the book calls safer keeps out of it."""
        gunners = [
            f for f in self.gunman.foes if f.kind is Kind.HERO and f.weapon and isinstance(self.position.weapon(f.weapon).rm, int)
        ]
        pairs = [
            (f, square) for square in sorted(self.course.ends) if square in self.ways.ground for f in gunners if f.at != square
        ]
        ends = [self.gunman_past(self.course.past[square]).position for _, square in pairs]
        answers = yield [_line(position, self.terms, f.at, square) for position, (f, square) in zip(ends, pairs, strict=True)]
        found: dict[str, list[str]] = {}
        for (gunner, square), derived in zip(pairs, answers, strict=True):
            if not derived.holds("violation"):
                found.setdefault(self.name(square), []).append(gunner.id)
        return found

    def draft(self, situation: str) -> Steps[Draft]:
        """The answer."""
        course = self.course
        order = {f.id: i for i, f in enumerate(self.position.board.figures)}
        moves = [sorted(course.moves[i]) for i in sorted(course.moves)]
        aims = [shot.target for shot in self.shots(self.figure.at)] if situation.endswith("_target") else course.aims
        attacks = sorted(set(course.attacks), key=lambda one: (course.ends.get(one[0], 0), one[0], order[one[1]], repr(one[2])))
        if self.terms.without or self.terms.extra:  # under the book's rules it never sprays
            yield from self.spray({(square, doors) for square, _, doors in attacks})
        made = [shot for square, enemy, doors in attacks for shot in self.shots(square, doors) if shot.target == enemy]
        # The same shot may be had whichever door it has come through.
        rolls = [shot for number, shot in enumerate(made) if shot.result not in [one.result for one in made[:number]]]
        ends = sorted(course.ends.items(), key=lambda item: (item[1], item[0]))
        result = self.result(situation)
        result |= {
            "targets": sorted(set(aims), key=order.__getitem__),
            "moves": [[self.name(s) for s in squares] for squares in moves],
            "attacks": sorted({enemy for _, enemy, _ in attacks}, key=order.__getitem__),
            "stays": not moves,
            "ends": {self.name(square): moved for square, moved in ends},
            "rolls": [shot.result for shot in rolls],
        }
        several = len({(square, doors) for square, _, doors in attacks}) < len(attacks)
        result["left_open"] = ["where"] * (len(ends) > 1) + ["whom"] * several
        if result["left_open"]:
            result["seen"] = yield from self.seen()
        ledger = dict.fromkeys([*course.ledger, *(line for shot in rolls for line in shot.ledger)])
        labels = {square: str(moved) for square, moved in ends if moved and square in self.position.board.terrain}
        seen = course.matters.union(
            *(ways.matters for ways in self.ways_past.values()), *(gunman.matters for gunman in self.gunmen.values())
        )
        return Draft(Verdict.COMPUTED, result, tuple(ledger), (), frozenset(seen), Marks(labels))


def _line(position: Position, terms: Terms, start: Square, end: Square) -> World:
    def facts(world: int) -> str:
        return fact("traces", world, start, end)

    return World(position, "lof", terms, facts, frozenset(line_squares(start, end)), (line_facts(start, end),))
