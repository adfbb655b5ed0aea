"""Exact odds of dice between which somebody decides: whom to shoot at next, and whether to roll a die once more.

The logic says what each face of a die does to whom (``Shot``) and what a hit does to a body (``Body``); here the dice are
rolled one after the other, every face of them, and of several ways to go on the best one by an aim is taken. All chances
are fractions. What a die does is the Field Manual's ATTACK/ATTACKING, SPREAD FIRE and SCRATCH RULE, as the logic reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.errors import Undecided
from riese_kb.odds import FACES, added_up

AMMO_FACE, BYSTANDER_FACE = 1, 2
"""A natural one loses ammo, a natural two hits the first figure in between."""


class Mark(NamedTuple):
    """What has become of a figure: wounds by this attack, whether it is stunned, and how it ended (``killed``, ``popped``)."""

    wounds: int = 0
    stunned: bool = False
    end: str = ""


class Body(Struct, frozen=True):
    """What a hit does to a figure.

    ``health``: wounds it can take (None: it never dies in the figures); ``cancelled``: the chance that a hit has no effect;
    ``softened``: that a wound only stuns; ``dazes``: a wound stuns, too; ``bursts``: what stuns it destroys it.
    ``vanishes``: killed, it is off the map; others rise where they fell. ``stunned``: it is so before the first die.
    """

    health: int | None
    cancelled: Fraction = Fraction(0)
    softened: Fraction = Fraction(0)
    dazes: bool = False
    bursts: bool = False
    vanishes: bool = True
    stunned: bool = False


class Shot(Struct, frozen=True):
    """What one die does, rolled at one target as things are.

    ``effects[s][face]``: ``wound``, ``stun`` or ``pop``, the target being stunned (s = 1) or not (0); other faces miss.
    ``again[s]``: faces that a skill lets the attacker roll once more. ``between``: the first figure in the line.
    """

    effects: Mapping[int, Mapping[int, str]]
    again: Mapping[int, frozenset[int]]
    between: str | None


class Explosion(NamedTuple):
    """What goes off where a figure ends: its chance, and what its die does to each figure that it attacks (as in a ``Shot``)."""

    chance: Fraction
    victims: tuple[tuple[str, Mapping[int, Mapping[int, str]]], ...]


class State(Struct, frozen=True):
    """An attack between two dice. ``marks`` name only figures that something happened to, in order of their ids."""

    target: str
    marks: tuple[tuple[str, Mark], ...] = ()
    tokens: int = 0
    emptied: bool = False
    """A natural one was left."""
    strayed: bool = False
    """A natural two hit somebody in between, which happens once an attack."""

    def mark(self, id: str) -> Mark | None:
        """What has become of a figure; None: nothing yet."""
        return next((mark for name, mark in self.marks if name == id), None)

    def marked(self, id: str, mark: Mark) -> State:
        """The same with another mark on one figure."""
        others = {name: known for name, known in self.marks if name != id} | {id: mark}
        return replace(self, marks=tuple(sorted(others.items())))


class Situation(NamedTuple):
    """Who is off the map and who was stunned by an earlier die, of those on whom the numbers at a target hang."""

    target: str
    gone: frozenset[str] = frozenset()
    dazed: frozenset[str] = frozenset()


Chooser = Callable[[State, int], Iterable[str]]
"""The targets among which the next die may be rolled, by what happened and how many dice are left."""
Aim = Callable[[State], tuple[Fraction, ...]]
"""What an end is worth, the most important first: of several ways the one that is worth more on average is taken."""


class Plan:
    """What is to be expected: an end, or further plans with their chances. It is reckoned only as far as it is asked for."""

    __slots__ = ("_ends", "_worth", "parts")

    def __init__(self, parts: Sequence[tuple[Fraction, Plan]], end: State | None = None, worth: Iterable[Fraction] = ()) -> None:
        self.parts = parts
        self._worth = list(worth)
        self._ends = {end: Fraction(1)} if end is not None else None

    def worth(self, number: int) -> Fraction:
        """The average of the ends' worth in one respect."""
        while len(self._worth) <= number:
            known = len(self._worth)
            self._worth.append(sum((chance * plan.worth(known) for chance, plan in self.parts), Fraction(0)))
        return self._worth[number]

    @property
    def ends(self) -> dict[State, Fraction]:
        """The chance of every end."""
        if self._ends is None:
            self._ends = added_up((end, p * share) for p, plan in self.parts for end, share in plan.ends.items())
        return self._ends


class Tokens(Struct, frozen=True):
    """Scratch tokens: the faces of an attack die that bring some, and how many are held at most (None: any number)."""

    earns: Mapping[int, int]
    purse: int | None

    def after(self, face: int, held: int) -> int:
        """How many are held once a die of the attack is left on that face."""
        more = held + self.earns.get(face, 0)
        return more if self.purse is None or held >= more else max(held, min(more, self.purse))


NO_TOKENS = Tokens({}, 0)


MOST = 20_000
"""Dice followed at most, each after what happened before it; three dice among twelve enemies and all tokens are 1,772."""


class Volley:
    """All dice of an attack. ``bodies`` and ``shots`` must know whoever and whatever comes up."""

    def __init__(
        self,
        bodies: Mapping[str, Body],
        shots: Callable[[State], Shot],
        choose: Chooser,
        aim: Aim,
        tokens: Tokens = NO_TOKENS,
        *,
        skills: bool = True,
        sealed: bool = True,
        explodes: Callable[[str, str], Explosion | None] = lambda id, end: None,
    ) -> None:
        """``skills``: whether they roll dice again; ``sealed``: a die that a skill rolled again is out of reach of tokens.

        ``explodes`` tells what goes off where a figure ends in a way, before the next die is rolled.
        """
        self.explodes = explodes
        self._thrown = 0
        self.bodies, self.shots, self.choose, self.aim, self.tokens = bodies, shots, choose, aim, tokens
        self.skills, self.sealed = skills, sealed
        self.chosen: dict[tuple[State, int], str] = {}
        """At whom the next die is rolled, by what happened and how many dice are left."""
        self._played: dict[tuple[State, int], Plan] = {}
        self._cast: dict[tuple[State, int, bool], Plan] = {}
        self._follows: dict[tuple[State, int], dict[State, None]] = {}
        self._respects = 0

    def play(self, state: State, dice: int) -> Plan:
        """The best that so many dice can bring from here on."""
        known = self._played.get((state, dice))
        if known is None:
            known = self._played[state, dice] = self._next(state, dice) if dice else self._end(state)
        return known

    def _end(self, state: State) -> Plan:
        worth = self.aim(state)
        self._respects = len(worth)
        return Plan((), state, worth)

    def _next(self, state: State, dice: int) -> Plan:
        plans = {target: self._die(_at(state, target), dice) for target in self.choose(state, dice)}
        best = self._best(list(plans.values()))
        self.chosen[state, dice] = next(target for target, plan in plans.items() if plan is best)
        return best

    def choices(self, start: State, dice: int) -> dict[tuple[State, int], str]:
        """What was decided wherever the attack may come to, first things first: the target of each die after the first."""
        found: dict[tuple[State, int], str] = {}
        level: dict[State, None] = {start: None}
        for left in range(dice, 0, -1):
            after: dict[State, None] = {}
            for state in level:
                target = found[state, left] = self.chosen[state, left]
                for tokens in range(state.tokens + 1):
                    after |= self._follows.get((_spent(_at(state, target), tokens), left), {})
            level = after
        return {key: target for key, target in found.items() if key[1] < dice}

    def _best(self, ways: list[Plan]) -> Plan:
        """The way that is worth most; of equals the first."""
        for respect in range(self._respects if len(ways) > 1 else 0):
            most = max(plan.worth(respect) for plan in ways)
            ways = [plan for plan in ways if plan.worth(respect) == most]
            if len(ways) == 1:
                break
        return ways[0]

    # --- one die ---

    def _die(self, state: State, dice: int, rerolled: bool = False) -> Plan:
        """A die rolled at the target, then the others. ``rerolled``: by a skill, which happens once a die."""
        key = (state, dice, rerolled)
        if key not in self._cast:
            if len(self._cast) >= MOST:
                raise Undecided("these dice may fall in too many ways to follow", fix="fewer dice, or fewer enemies in reach")
            self._cast[key] = self._rolled(state, dice, rerolled)
        return self._cast[key]

    def _rolled(self, state: State, dice: int, rerolled: bool) -> Plan:
        shot, mark = self.shots(state), self._mark(state, state.target)
        stunned = int(mark.stunned)
        again = shot.again[stunned] if self.skills and not mark.end and not rerolled else frozenset[int]()
        by_token = self._die(_spent(state, state.tokens - 1), dice, rerolled) if self._may_spend(state, rerolled) else None
        by_skill = self._die(state, dice, True) if again else None
        # Faces that do the same are looked at once.
        alike: dict[tuple[str, int, bool], list[int]] = {}
        for face in range(1, FACES + 1):
            special = face if face in (AMMO_FACE, BYSTANDER_FACE) or face in self.tokens.earns else 0
            alike.setdefault((shot.effects[stunned].get(face, ""), special, face in again), []).append(face)
        parts = []
        for (effect, _, skilled), faces in alike.items():
            ways = [self._landed(state, shot, effect, faces[0], dice)]
            ways += [by_token] if by_token is not None else []
            ways += [by_skill] if by_skill is not None and skilled else []
            parts.append((Fraction(len(faces), FACES), self._best(ways)))
        return Plan(parts)

    def _may_spend(self, state: State, rerolled: bool) -> bool:
        return state.tokens > 0 and not (rerolled and self.sealed)

    def _landed(self, state: State, shot: Shot, effect: str, face: int, dice: int) -> Plan:
        """A die that is left on a face: what it does to the target, then to who stands in between, then the other dice."""
        follows = self._follows.setdefault((state, dice), {})
        now = _spent(state, self.tokens.after(face, state.tokens))
        if face == AMMO_FACE and not now.emptied:
            now = replace(now, emptied=True)
        stray = shot.between if face == BYSTANDER_FACE and not now.strayed else None

        def last(end: State) -> Plan:
            follows[end] = None
            return self.play(end, dice - 1)

        def then(after: State) -> Plan:
            return last(after) if stray is None else self._hit(replace(after, strayed=True), stray, "wound", last)

        return self._hit(now, now.target, effect, then)

    def _hit(self, state: State, id: str, effect: str, then: Callable[[State], Plan]) -> Plan:
        """What a hit does to a figure, its saves included."""
        if not effect or self._mark(state, id).end:
            return then(state)
        body = self.bodies[id]

        def left(now: State) -> Plan:
            return self._blown(now, id, then)

        def struck(now: State) -> Plan:
            if effect != "wound":
                return left(now.marked(id, self._dazed(body, self._mark(now, id))))
            return self._save(now, body.softened, lambda s: left(self._softened(s, id)), lambda s: left(self._wounded(s, id)))

        return self._save(state, body.cancelled, then, struck)

    def _blown(self, state: State, id: str, then: Callable[[State], Plan]) -> Plan:
        """What goes off where a figure has just ended, then the other dice."""
        end = self._mark(state, id).end
        explosion = self.explodes(id, end) if end else None
        if explosion is None or not explosion.victims:
            return then(state)
        caught = self._caught(state, explosion.victims, then)
        return caught if explosion.chance == 1 else Plan([(explosion.chance, caught), (1 - explosion.chance, then(state))])

    def _caught(
        self, state: State, victims: Sequence[tuple[str, Mapping[int, Mapping[int, str]]]], then: Callable[[State], Plan]
    ) -> Plan:
        """The die of an explosion for each of its victims in turn; who ends may explode, too."""
        if not victims:
            return then(state)
        self._thrown += 1
        if self._thrown > MOST:
            raise Undecided("these explosions may end in too many ways to follow", fix="fewer dice, or fewer figures around them")
        (id, effects), others = victims[0], victims[1:]
        faces = effects[int(self._mark(state, id).stunned)]
        shares = added_up((faces.get(face, ""), Fraction(1, FACES)) for face in range(1, FACES + 1))
        plans = [(p, self._hit(state, id, effect, lambda s: self._caught(s, others, then))) for effect, p in shares.items()]
        return Plan(plans)

    def _save(self, state: State, chance: Fraction, saved: Callable[[State], Plan], hit: Callable[[State], Plan]) -> Plan:
        """A die that decides between two ways; a token rolls it again."""
        if not chance:
            return hit(state)
        again = [self._save(_spent(state, state.tokens - 1), chance, saved, hit)] if state.tokens else []
        return Plan([(chance, self._best([saved(state), *again])), (1 - chance, self._best([hit(state), *again]))])

    def _dazed(self, body: Body, mark: Mark) -> Mark:
        return mark._replace(end="popped") if body.bursts else mark._replace(stunned=True)

    def _softened(self, state: State, id: str) -> State:
        body = self.bodies[id]
        return state.marked(id, self._dazed(body, self._mark(state, id))) if body.dazes else state

    def _wounded(self, state: State, id: str) -> State:
        body, mark = self.bodies[id], self._mark(state, id)
        mark = mark._replace(wounds=mark.wounds + 1)
        if body.health is not None and mark.wounds >= body.health:
            return state.marked(id, mark._replace(end="killed"))
        return state.marked(id, self._dazed(body, mark) if body.dazes else mark)

    def _mark(self, state: State, id: str) -> Mark:
        return state.mark(id) or Mark(stunned=self.bodies[id].stunned)


def _at(state: State, target: str) -> State:
    return state if state.target == target else replace(state, target=target)


def _spent(state: State, tokens: int) -> State:
    return state if state.tokens == tokens else replace(state, tokens=tokens)
