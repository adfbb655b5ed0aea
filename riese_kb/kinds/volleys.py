"""The dice of an attack one by one, with everything that is decided or changes between them (``riese_kb.volley``).

The logic is asked for the numbers of every target, and again for each change among the figures on which they hang
(``leans_on``): one that was killed gives no cover any more, one that was stunned howls no longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from riese_kb.board import Figure, Kind
from riese_kb.draft import Draft, Verdict
from riese_kb.facts import fact
from riese_kb.kinds.aftermath import explosions, followed
from riese_kb.kinds.attacking import attack_world, dice_of, figure_of
from riese_kb.kinds.offers import Offer
from riese_kb.odds import added_up
from riese_kb.position import Position, Terms
from riese_kb.question import Attack, AttackType
from riese_kb.volley import NO_TOKENS, Aim, Body, Chooser, Explosion, Mark, Plan, Shot, Situation, State, Tokens, Volley
from riese_kb.worlds import Derived, Steps

ROUNDS = 12
"""Whoever stands in the line of so many targets one after the other is not to be found on any map."""


class Way(Struct, frozen=True):
    """One way to roll an attack: what is tried for, who is shot at next, and what may be rolled again.

    ``aim``: ``kills``, ``wounds``, ``stops`` (stunned or destroyed), or the id of one enemy. ``switch`` picks the next target
    of spread fire; None: the best by the aim. ``skills``, ``tokens``: whether skills and scratch tokens roll dice again.
    """

    aim: str = "kills"
    stays: bool = False
    """All dice at the first target."""
    switch: Callable[[State, int, list[str]], str] | None = None
    skills: bool = False
    tokens: bool = False


class Ground(Struct):
    """What the logic told of an attack so far."""

    position: Position
    about: Attack
    terms: Terms
    dice: int
    taken: tuple[Offer, ...] = ()
    """The skills that are used on the whole attack."""
    worlds: dict[Situation, Derived] = field(default_factory=dict)
    bodies: dict[str, Body] = field(default_factory=dict)
    wanted: dict[Situation, None] = field(default_factory=dict)
    shots: dict[Situation, Shot] = field(default_factory=dict)
    explosions: dict[str, dict[str, Explosion]] = field(default_factory=dict)
    unlit: dict[str, None] = field(default_factory=dict)
    """Figures of which it is not known yet what goes off where they end."""

    def learn(self, situation: Situation, derived: Derived) -> None:
        """Take in one world: what a die does there, and what a hit does to its target."""
        target = self.position.board.figure(situation.target)
        assert target is not None
        self.worlds[situation] = derived
        self.shots[situation] = _shot(derived)
        if situation.target not in self.bodies:
            self.bodies[situation.target] = _body(self.position, target, derived)

    def leans(self, target: str) -> frozenset[str]:
        """Those besides the target on whom its numbers hang; everybody where other rules than the book's are in force."""
        if self.terms.extra or self.terms.without:
            return frozenset(self.bodies) - {target}
        return frozenset(map(str, self.worlds[Situation(target)].values("leans_on"))) - {target}

    @property
    def at_hand(self) -> int:
        """How many dice scratch tokens may roll again."""
        rerolls: list[int] = self.worlds[Situation(self.about.target)].values("token")
        return rerolls[0] if rerolls else 0

    def situation(self, state: State) -> Situation:
        """The world in which the next die is rolled."""
        leans = self.leans(state.target)
        marks = [(id, mark) for id, mark in state.marks if id in leans]
        gone = frozenset(id for id, mark in marks if mark.end and self.bodies[id].vanishes)
        dazed = frozenset(id for id, mark in marks if mark.stunned and not mark.end and not self.bodies[id].stunned)
        return Situation(state.target, gone, dazed)

    def shot(self, state: State) -> Shot:
        """What the die does; one that is not known yet is noted down, and taken to be like the first."""
        situation = self.situation(state)
        if situation not in self.shots:
            self.wanted[situation] = None
            situation = Situation(state.target)
        shot = self.shots[situation]
        if shot.between is not None and shot.between not in self.bodies:
            self.wanted[Situation(shot.between)] = None
            return replace(shot, between=None)
        return shot

    def explodes(self, id: str, end: str) -> Explosion | None:
        """What goes off where a figure ends that way (FAUST, FLÜCHTIG); noted down where it is not known yet."""
        figure = self.position.board.figure(id)
        if figure is None or not followed(self.position, figure):
            return None
        if id not in self.explosions:
            self.unlit[id] = None
            return None
        found = self.explosions[id].get(end)
        unknown = [victim for victim, _ in found.victims if victim not in self.bodies] if found is not None else []
        self.wanted.update(dict.fromkeys(map(Situation, unknown)))
        return None if unknown else found

    def reachable(self, state: State, left: int) -> list[str]:
        """The targets to which the next die may go (SPREAD FIRE): the present one first."""
        if left == self.dice or self.about.type is not AttackType.SPREAD:
            return [state.target]
        beside = sorted(map(str, self.worlds[Situation(state.target)].values("next_target")))
        for id in beside:
            if Situation(id) not in self.worlds:
                self.wanted[Situation(id)] = None
        ended = {id for id, mark in state.marks if mark.end and self.bodies[id].vanishes}
        return [state.target, *(id for id in beside if Situation(id) in self.worlds and id not in ended)]


def ground_of(
    position: Position, about: Attack, terms: Terms, draft: Draft, derived: Derived, taken: tuple[Offer, ...] = ()
) -> Ground | None:
    """What is known after the attack was asked about; None where nothing is rolled, and for barricades."""
    if draft.verdict is not Verdict.LEGAL or "attack" not in draft.result or position.board.figure(about.target) is None:
        return None
    kind = AttackType(draft.result["type"])
    ground = Ground(position, replace(about, type=kind), terms, draft.result["dice"], taken)
    ground.learn(Situation(about.target), derived)
    return ground


class Played(Struct, frozen=True):
    """An attack rolled one way: what is to be expected, and the target of each further die (``State``, dice left)."""

    way: Way
    plan: Plan
    choices: Mapping[tuple[State, int], str]


def played(ground: Ground, way: Way) -> Steps[Played]:
    """The attack rolled that way. Worlds that come up are asked for until nothing new does."""
    start = State(ground.about.target, tokens=ground.at_hand if way.tokens else 0)
    yield from _explored(ground, way, start)
    volley = _volley(ground, way, _aim(ground, way.aim))
    return Played(way, volley.play(start, ground.dice), volley.choices(start, ground.dice))


def _explored(ground: Ground, way: Way, start: State) -> Steps[None]:
    """Ask for every world in which a die may be rolled: the attack is gone through, no way better than another."""
    for _ in range(ROUNDS):
        ground.wanted.clear()
        ground.unlit.clear()
        _volley(ground, way, lambda _: ()).play(start, ground.dice)
        if not ground.wanted and not ground.unlit:
            return
        for id in list(ground.unlit):
            blown = yield from explosions(ground.position, ground.terms, figure_of(ground.position.board, id))
            ground.explosions[id] = {
                end: Explosion(one.chance, tuple((victim, _shot(derived).effects) for victim, derived in one.victims))
                for end, one in blown.items()
            }
        asked = list(ground.wanted)
        found = yield [
            attack_world(ground.position, replace(ground.about, target=s.target), ground.terms, _told(s, ground.taken))
            for s in asked
        ]
        for situation, derived in zip(asked, found, strict=True):
            ground.learn(situation, derived)
    raise AssertionError("the dice of an attack never come to an end")


def _volley(ground: Ground, way: Way, aim: Aim) -> Volley:
    sealed = ground.worlds[Situation(ground.about.target)].holds("sealed")
    tokens = _tokens(ground, way)
    return Volley(
        ground.bodies, ground.shot, _chooser(ground, way), aim, tokens, skills=way.skills, sealed=sealed, explodes=ground.explodes
    )


def _told(situation: Situation, taken: Iterable[Offer]) -> Callable[[int], str]:
    """What a world is told about earlier dice and the skills that are used."""

    def facts(world: int) -> str:
        parts = [offer.facts(world) for offer in taken]
        parts += [fact("gone", world, id) for id in sorted(situation.gone)]
        return "".join((*parts, *(fact("dazed", world, id) for id in sorted(situation.dazed))))

    return facts


def _shot(derived: Derived) -> Shot:
    effects: dict[int, dict[int, str]] = {0: {}, 1: {}}
    for state, face, effect in derived["effect"]:
        effects[state][face] = str(effect)
    single = set(derived.values("once"))  # tokens: they are counted one by one
    again = {s: frozenset(face for skill, state, face in derived["again"] if state == s and skill not in single) for s in (0, 1)}
    between = derived.values("bystander")
    return Shot(effects, again, str(between[0]) if between else None)


def _body(position: Position, target: Figure, derived: Derived) -> Body:
    dice = dice_of(position, target, derived)
    return Body(
        health=dice.health,
        cancelled=dice.cancelled,
        softened=dice.softened,
        dazes=dice.dazes,
        bursts=dice.bursts,
        vanishes=derived.holds("taken_off"),
        stunned=bool(dice.begins),
    )


def _tokens(ground: Ground, way: Way) -> Tokens:
    if not way.tokens:
        return NO_TOKENS
    derived = ground.worlds[Situation(ground.about.target)]
    most = derived.values("purse")
    return Tokens(dict(derived["earns"]), most[0] if most else None)


def _chooser(ground: Ground, way: Way) -> Chooser:
    def choose(state: State, left: int) -> Iterable[str]:
        may = [state.target] if way.stays else ground.reachable(state, left)
        return may if way.switch is None or left == ground.dice else [way.switch(state, left, may)]

    return choose


def refined(position: Position, about: Attack, terms: Terms, draft: Draft, derived: Derived) -> Steps[Draft]:
    """The answer to a plain attack where figures in between or scratch tokens have a part in it."""
    ground = ground_of(position, about, terms, draft, derived)
    if ground is None:
        return draft
    result = dict(draft.result)
    if derived.holds("bystander"):
        result["attack"] = single(ground, (yield from played(ground, Way(stays=True))).plan)
    if derived.holds("token"):
        tried = yield from played(ground, Way(stays=True, tokens=True))
        result["scratch"] = {"tokens": ground.at_hand, "attack": single(ground, tried.plan)}
        if any(skill not in derived.values("once") for skill, _, _ in derived["again"]):
            both = yield from played(ground, Way(stays=True, skills=True, tokens=True))
            result["scratch"]["with_skills"] = single(ground, both.plan)
    return replace(draft, result=result)


# --- what is tried for ----------------------------------------------------------------------------------------------


def _aim(ground: Ground, aim: str) -> Callable[[State], tuple[Fraction, ...]]:
    """The worth of an end: first what is tried for, then the other things that a shooter cares about."""
    board = ground.position.board
    heroes = {f.id for f in board.figures if f.kind is Kind.HERO}

    def worth(state: State) -> tuple[Fraction, ...]:
        enemies = [(id, mark) for id, mark in state.marks if id not in heroes]
        kills = sum(bool(mark.end) for _, mark in enemies)
        wounds = sum(mark.wounds for _, mark in enemies)
        stops = sum(bool(mark.end) or mark.stunned for _, mark in enemies)
        hurt = sum(mark.wounds for id, mark in state.marks if id in heroes)
        besides = (kills, wounds, stops, -hurt, -int(state.emptied), state.tokens)
        mark = state.mark(aim)
        one = (int(bool(mark.end)), mark.wounds, int(mark.stunned)) if mark is not None else (0, 0, 0)
        first = {"kills": (kills,), "wounds": (wounds,), "stops": (stops,)}.get(aim, one)
        return tuple(Fraction(n) for n in (*first, *besides))

    return worth


# --- in figures -----------------------------------------------------------------------------------------------------


def figures(ground: Ground, tried: Played) -> dict[str, Any]:
    """The plan as plain data: for everybody concerned the wounds and the end, how many enemies go, what it costs."""
    ends = tried.plan.ends
    heroes = {f.id for f in ground.position.board.figures if f.kind is Kind.HERO}
    order = [f.id for f in ground.position.board.figures]
    touched = {ground.about.target} | {id for state in ends for id, _ in state.marks}
    foes = sorted(touched - heroes, key=order.index)
    told: dict[str, Any] = {
        "figures": {id: _of_one(ground, ends, id) for id in sorted(touched, key=order.index)},
        "eliminated": _spread(ends, lambda s: sum(bool(m.end) for id, m in s.marks if id in foes)),
    }
    told["expected"] = {
        "eliminated": str(sum((p for s, p in ends.items() for id, m in s.marks if id in foes and m.end), Fraction(0))),
        "wounds": str(sum((p * m.wounds for s, p in ends.items() for id, m in s.marks if id in foes), Fraction(0))),
    }
    if ground.worlds[Situation(ground.about.target)].holds("loses_ammo"):
        told["ammo_lost"] = str(_chance(ends, lambda s: s.emptied))
    if tried.way.tokens:
        told["tokens_left"] = _spread(ends, lambda s: s.tokens)
    rows = [{"left": left, "after": _news(s), "target": target} for (s, left), target in tried.choices.items()]
    told["choices"] = [row for n, row in enumerate(rows) if row not in rows[:n]] if len(foes) > 1 else []
    return told


def _news(state: State) -> dict[str, str]:
    """What has happened to whom, in a word each."""

    def word(mark: Mark) -> str:
        return mark.end or ("stunned" if mark.stunned else "wounded" if mark.wounds else "as before")

    return {id: word(mark) for id, mark in state.marks}


def single(ground: Ground, plan: Plan) -> dict[str, Any]:
    """The same for one target, as the contract writes an attack."""
    told = _of_one(ground, plan.ends, ground.about.target)
    first = ground.shots[Situation(ground.about.target)].between
    if ground.worlds[Situation(ground.about.target)].holds("loses_ammo"):
        told["ammo_lost"] = str(_chance(plan.ends, lambda s: s.emptied))
    if first is not None:
        told["bystander"] = {"figure": first, "wounded": str(_chance(plan.ends, lambda s: _wounds(s, first) > 0))}
        if ground.bodies[first].softened:
            told["bystander"]["stunned"] = str(_chance(plan.ends, lambda s: s.strayed and _only_stunned(s, first)))
    return told


def _of_one(ground: Ground, ends: Mapping[State, Fraction], id: str) -> dict[str, Any]:
    stunned = ground.bodies[id].stunned if id in ground.bodies else False

    def lies(state: State) -> bool:
        mark = state.mark(id)
        return stunned if mark is None else mark.stunned and not mark.end

    return {
        "wounds": _spread(ends, lambda s: _wounds(s, id)),
        "eliminated": str(_chance(ends, lambda s: bool(mark.end) if (mark := s.mark(id)) is not None else False)),
        "left_stunned": str(_chance(ends, lies)),
    }


def _wounds(state: State, id: str) -> int:
    mark = state.mark(id)
    return mark.wounds if mark is not None else 0


def _only_stunned(state: State, id: str) -> bool:
    mark = state.mark(id)
    return mark is not None and not mark.wounds


def _chance(ends: Mapping[State, Fraction], holds: Callable[[State], bool]) -> Fraction:
    return sum((p for state, p in ends.items() if holds(state)), Fraction(0))


def _spread(ends: Mapping[State, Fraction], number: Callable[[State], int]) -> dict[str, str]:
    found = added_up((number(state), p) for state, p in ends.items())
    return {str(n): str(found[n]) for n in sorted(found)}
