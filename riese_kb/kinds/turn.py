"""``zombies``: the order of activation and every way the zombie turn can come out.

The turn is searched move by move: what a zombie may do next in a scene is asked of the logic, the scenes that follow are
collected, and equal ones are followed once. Scenes of one depth share groundings, and a zombie that finds the same
surroundings in two scenes is asked about once. One file, though it is long: the scenes, what follows from each and the
search over them are one algorithm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from math import prod
from typing import Any, NamedTuple

from riese_kb.board import Board, Figure, Kind, Square, square_name
from riese_kb.draft import Charge, Draft, Marks, Verdict, matters
from riese_kb.errors import Undecided
from riese_kb.facts import fact
from riese_kb.kinds.footpaths import Paths, Prey, Scene, gait_of, opening, paths, prey_term
from riese_kb.kinds.gunnery import fire
from riese_kb.kinds.raging import Toll, berserkers, sequels
from riese_kb.kinds.shambling import FARTHEST, act, farthest
from riese_kb.position import Position, Terms, barricade_health, maw_wounds
from riese_kb.question import ZombieTurn
from riese_kb.worlds import Derived, Steps, World, together


class Now(NamedTuple):
    """A scene in the middle of the turn: who still has to act, and the zombie that is moving (with the moves it made)."""

    scene: Scene
    waiting: tuple[tuple[str, ...], ...]
    mover: str = ""
    made: int = 0
    wounds: tuple[tuple[Prey, int], ...] = ()
    given: tuple[tuple[Prey, int], ...] = ()
    """Rescued figures that heroes have given up."""
    rage: str = ""
    """Who has just been wounded into a rage."""


_FAR_REACHING = frozenset({"cannibal", "mg-42"})
"""Powers that make zombies matter to each other however far apart they are, or take them off the map."""
_AROUND = 2500
"""Scenes that are looked at where every one of them has paths of its own, around the zombies that stand in the way."""
_RAGE = 100
"""What the turn after a rage weighs as much as, in scenes: it is worked out on a board of its own."""
MOST = 20_000
"""Outcomes that are listed."""
Places = tuple[tuple[str, Square], ...]
Way = tuple[Places, tuple[Now, ...]]
"""One way on from a scene: who has found his final place with it, and the parts of the turn that follow."""


def zombies(position: Position, about: ZombieTurn, terms: Terms) -> Steps[Draft]:
    """Order, ties, and the set of final positions over all choices. Raises ``Undecided`` past ``terms.courses`` scenes."""
    board = position.board
    figures = [f for f in board.figures if f.kind is Kind.ZOMBIE]
    turn = yield from _begun(position, terms)
    ways = turn.ways
    order, disputed = yield from _order(position, terms, figures, turn.gaits, ways)
    yield from turn.rehearse([f.id for f in figures])
    ends = yield from turn.outcomes(Now(turn.opening, order))
    named = {place: (place[0], square_name(place[1])) for group in ends for places in group for place in places}
    outcomes = [dict(map(named.__getitem__, places)) for places in _combined(ends, figures)]
    result: dict[str, Any] = {"order": [list(tie) for tie in order], "outcomes": outcomes}
    ledger = [
        Charge("zombie.order", square_name(_at(figures, tie[0])), i, "activation", note=", ".join(tie))
        for i, tie in enumerate(order, 1)
    ]
    labels: dict[Square, str] = {}
    for number, tie in enumerate(order, 1):
        for id in tie:
            labels.update({at: str(number) for group in ends for places in group for other, at in places if other == id})
    return Draft(
        Verdict.COMPUTED,
        result,
        tuple(ledger),
        (),
        frozenset(turn.matters | disputed).union(*(way.matters for way in ways.values())),
        Marks(labels),
    )


def _begun(position: Position, terms: Terms) -> Steps[_Turn]:
    """The turn on a board, before anybody acts."""
    gaits = {f.id: gait_of(position, f, terms) for f in position.board.figures if f.kind is Kind.ZOMBIE}
    ways: dict[tuple[str, str], Paths] = {}
    for gait in sorted(set(gaits.values())):
        ways[gait, ""] = yield from paths(position, terms, gait)
    return _Turn(position, terms, gaits, ways, terms.readings.get("z_path") == "avoid")


def _combined(ends: Iterable[Iterable[Places]], figures: Sequence[Figure]) -> list[Places]:
    """Every choice of one way to end for each group, as one: zombies as the board lists them, then the risen."""
    rank = {figure.id: number for number, figure in enumerate(figures)}
    ranked = [[[(rank.get(place[0], len(rank)), place) for place in places] for places in group] for group in ends]
    chosen = (sorted(chain.from_iterable(parts)) for parts in product(*ranked))
    return sorted(tuple([place for _, place in places]) for places in chosen)


Course = tuple[dict[int, set[Square]], list[tuple[Prey, object]], list[str]]
"""Of one activation: the squares each move may end on, the possible attacks, and whom the zombie may eat."""


def activation(position: Position, terms: Terms, id: str) -> Steps[Course]:
    """One zombie's activation, scene by scene."""
    figure = next(f for f in position.board.figures if f.id == id)
    gait = gait_of(position, figure, terms)
    turn = _Turn(
        position,
        terms,
        {id: gait},
        {(gait, ""): (yield from paths(position, terms, gait))},
        terms.readings.get("z_path") == "avoid",
    )
    moves: dict[int, set[Square]] = {}
    struck: list[tuple[Prey, object]] = []
    eaten: list[str] = []
    layer = [Now(opening(position.board), (), mover=id)]
    while layer:
        following = yield from turn.step(layer)
        for now in layer:
            derived = turn.told[turn.key(now)]
            for index, _, _, _, square in derived["step_choice"]:
                if index == now.made:
                    moves.setdefault(now.made + 1, set()).add(square)
            struck += [(prey, effect) for index, prey, effect in derived["victim"] if index == now.made]
            eaten += map(str, derived.values("feeds"))
        layer = list(dict.fromkeys(now for now in following if now.mover))
    return moves, struck, eaten


def _at(figures: Sequence[Figure], id: str) -> Square:
    return next(f.at for f in figures if f.id == id)


def _order(
    position: Position,
    terms: Terms,
    figures: Sequence[Figure],
    gaits: dict[str, str],
    ways: dict[tuple[str, str], Paths],
) -> Steps[tuple[tuple[tuple[str, ...], ...], frozenset[str]]]:
    """The ties of the order of activation, first to last, and the contested points that came up."""
    if not figures:
        return (), frozenset()
    ranks = {f.id: ways[gaits[f.id], ""].rank(f.at) for f in figures}

    def facts(world: int) -> str:
        parts = [fact("lost", world, id) for id, rank in ranks.items() if rank is None]
        if position.skilled or terms.scenario or _divided(position.board):  # who or what may hide others
            parts += [
                fact("away", world, f.id, prey_term(prey), n) for f in figures for prey, n in ways[gaits[f.id], ""].away(f.at)
            ]
        else:
            parts += [fact("rank", world, id, rank) for id, rank in ranks.items() if rank is not None]
        return "".join(parts)

    (derived,) = yield [World(position, "zombie_order", terms, facts, frozenset(), figures=frozenset(ranks))]
    ties: dict[int, list[str]] = {}
    places: dict[str, int] = dict(derived["place"])
    for figure in figures:
        if figure.id in places:
            ties.setdefault(places[figure.id], []).append(figure.id)
    return tuple(tuple(ties[place]) for place in sorted(ties)), matters(derived)


def _divided(board: Board) -> bool:
    """Whether targets differ in more than how far they are."""
    return any(m.kind in ("decoy", "alarm_clock") for m in board.markers) or any(
        f.kind in (Kind.CIVILIAN, Kind.SOLDIER) for f in board.figures
    )


def _apart(a: Square, b: Square) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


class _Turn:
    """What the search keeps: paths, the answers of the logic so far, and the contested points that came up."""

    def __init__(
        self, position: Position, terms: Terms, gaits: dict[str, str], ways: dict[tuple[str, str], Paths], around: bool
    ) -> None:
        self.position = position
        self.terms = terms
        self.gaits = gaits
        self.ways = ways
        self.around = around
        self.matters: set[str] = set()
        self.told: dict[tuple[object, ...], Derived] = {}
        self.living = {f.id: f.at for f in position.board.figures if f.kind is not Kind.ZOMBIE}
        self.health: dict[Prey, int | None] = {
            f.id: position.health(f) for f in position.board.figures if f.kind is not Kind.ZOMBIE
        }
        barricade = barricade_health(position.board.system)
        self.health |= {("barricade", m.at): barricade for m in position.board.markers if m.kind == "barricade"}
        self.mauling = maw_wounds(position.board.system)
        self.berserkers = berserkers(position.board, terms)
        self.opening = opening(position.board)
        if self.berserkers:
            grips = frozenset((f.id, prey) for f in position.board.figures if "stunned" not in f.status for prey in f.locks)
            self.opening = self.opening._replace(grips=grips)
        self.rescued = {f.id: f.rescued for f in position.board.figures if f.rescued}
        self.fragile = bool(self.berserkers) or _fragile(self)
        self.patience = min(terms.courses, _AROUND) if around else terms.courses
        self.effort = 0
        """Scenes of the turns that rages have begun."""
        self.moves = {f.id: farthest(position, f, terms) for f in position.board.figures if f.kind is Kind.ZOMBIE}
        powers = {power for f in position.board.figures for power in position.powers(f)}
        self.nests: dict[tuple[object, ...], set[Square]] = {}
        """Where a zombie that moves for its line of fire may end."""
        self.local = not ("rough" in gaits.values() or powers & _FAR_REACHING)
        """Whether a zombie's next move depends on zombies near it only, and on how long its ways are."""
        self.detours: dict[tuple[object, ...], Paths] = {}
        """Paths as others stand in the way of them."""
        self.apart = self.local and not self.fragile and not around
        """Whether only zombies near each other can make a difference to each other: nobody can die of several."""

    def rehearse(self, ids: Sequence[str]) -> Steps[None]:
        """Let every zombie act as if it were the first: most find the same surroundings when their turn comes."""
        layer = [Now(self.opening, (), mover=id) for id in ids]
        while layer:
            following = yield from self.step(layer)
            layer = list(dict.fromkeys(now for now in following if now.mover))

    def step(self, moving: Sequence[Now]) -> Steps[list[Now]]:
        """The scenes that follow one more move, or the end of the mover's activation."""
        found = yield from self.tell(moving)
        return [after for now, derived in zip(moving, found, strict=True) for after in self.follow(now, derived)]

    def tell(self, moving: Sequence[Now]) -> Steps[list[Derived]]:
        """What each mover may do next."""
        if self.around:
            yield from together(self.look_around(now) for now in moving)
        keys = [self.key(now) for now in moving]
        asked = {key: now for key, now in zip(keys, moving, strict=True) if key not in self.told}
        all_ways = yield from together(self.paths_in(now) for now in asked.values())
        worlds = [
            act(self.position, self.terms, now.scene, now.mover, ways, now.made, self.leaps(now.mover))
            for now, ways in zip(asked.values(), all_ways, strict=True)
        ]
        for key, derived in zip(asked, (yield worlds) if worlds else (), strict=True):
            self.told[key] = derived
            self.matters |= matters(derived)
            if derived.holds("perches"):
                volley = yield from fire(self.position, self.terms, asked[key].scene, asked[key].mover, derived)
                self.nests[key] = volley.ends
                self.matters |= volley.matters
        return [self.told[key] for key in keys]

    def sees(self, id: str) -> int:
        """How far off a zombie must stand to make no difference to its next move."""
        return FARTHEST + 1 if self.leaps(id) else 2

    def company(self, id: str, places: Mapping[str, Square]) -> frozenset[str]:
        """The zombies whose moves can touch one another, starting from one: everybody that may meet anybody among them."""
        found, queue = {id}, [id]
        while queue:
            one = queue.pop()
            near = [
                other
                for other, at in places.items()
                if other not in found
                and _apart(places[one], at) <= self.moves[one] + self.moves[other] + max(self.sees(one), self.sees(other))
            ]
            found.update(near)
            queue += near
        return frozenset(found)

    def parts(self, now: Now) -> tuple[Now, ...]:
        """What is left of the turn, taken apart into companies that cannot touch one another; nothing when all have acted.

        Each part knows only who can matter to it, so that it is worked out once however the others moved.
        """
        waiting = {id for tie in now.waiting for id in tie}
        if not waiting or not self.apart:
            return (now,) if waiting else ()
        found = []
        places = dict(now.scene.places)
        left = {id: at for id, at in places.items() if id in waiting}
        while left:
            company = self.company(next(iter(left)), left)
            kept = tuple(
                (id, at)
                for id, at in now.scene.places
                if id in company
                or (id not in waiting and any(_apart(at, places[one]) <= self.moves[one] + self.sees(one) for one in company))
            )
            ties = (tuple(id for id in tie if id in company) for tie in now.waiting)
            found.append(Now(now.scene._replace(places=kept), tuple(tie for tie in ties if tie)))
            left = {id: at for id, at in left.items() if id not in company}
        return tuple(found)

    def ways_after(self, now: Now, derived: Derived | None) -> Iterator[Way]:
        """The ways on from a scene: who is next, or what the mover does."""
        if derived is None:
            first, *rest = now.waiting
            for id in first:
                left = tuple(other for other in first if other != id)
                yield (), (now._replace(waiting=(*((left,) if left else ()), *rest), mover=id, made=0),)
            return
        for after in self.follow(now, derived):
            if after.mover or after.rage:
                yield (), (after,)
            elif self.apart:
                yield tuple(place for place in after.scene.places if place[0] == now.mover), self.parts(after)
            else:
                yield () if after.waiting else after.scene.places, self.parts(after)

    def outcomes(self, start: Now) -> Steps[list[set[Places]]]:
        """Every way the turn can end, company by company. Raises ``Undecided`` past ``patience`` scenes, or too many ways."""
        still = self.still(start) if self.apart else frozenset()
        ties = (tuple(id for id in tie if id not in still) for tie in start.waiting)
        beginnings = self.parts(start._replace(waiting=tuple(tie for tie in ties if tie)))
        layer, ways = list(beginnings), dict[Now, list[Way]]()
        while layer:
            moving = [now for now in layer if now.mover]
            for now in (now for now in layer if now.rage):
                ways[now] = [(places, ()) for places in (yield from self.rages(now))]
            told = dict(zip(moving, (yield from self.tell(moving)), strict=True))
            for now in (now for now in layer if not now.rage):
                ways[now] = list(dict.fromkeys(self.ways_after(now, told.get(now))))
            layer = list(dict.fromkeys(n for now in layer for _, parts in ways[now] for n in parts if n not in ways))
            if len(ways) + self.effort > self.patience:
                raise self.too_many(self.patience, "different courses")
        ends: dict[Now, set[Places]] = {}

        def ends_of(now: Now) -> set[Places]:
            if now not in ends:
                found = ends[now] = set()
                for settled, parts in ways[now]:
                    if len(parts) == 1 and not settled:
                        found |= ends_of(parts[0])
                    else:
                        chosen = self.choices([ends_of(part) for part in parts])
                        found.update(tuple(sorted(chain(settled, *choice))) for choice in chosen)
            return ends[now]

        found = [ends_of(beginning) for beginning in beginnings]
        if self.apart:  # else the last scenes tell of those, too, who are never activated
            still |= {id for id, _ in start.scene.places} - {id for tie in start.waiting for id in tie}
        found.append({tuple(place for place in start.scene.places if place[0] in still)})
        self.choices(found)
        return found

    def rages(self, now: Now) -> Steps[set[Places]]:
        """Every way the turn can end once a berserker has been wounded."""
        waiting = frozenset(id for tie in now.waiting for id in tie)
        toll = Toll(dict(now.wounds), dict(now.given))
        ends: set[Places] = set()
        seen: set[object] = set()
        for sequel in (yield from sequels(self.position, self.terms, now.scene, waiting, now.rage, toll)):
            left = tuple(tuple(id for id in tie if id != sequel.destroyed) for tie in now.waiting)
            ties = tuple(tie for tie in left if tie)
            if not ties:
                ends.add(sequel.scene.places)
                continue
            key = (sequel.board.figures, sequel.scene)
            if key in seen:
                continue
            seen.add(key)
            turn = yield from _begun(Position(sequel.board), self.terms)
            turn.effort = self.effort + _RAGE
            parts = yield from turn.outcomes(Now(sequel.scene, ties))
            self.effort = turn.effort
            self.matters |= turn.matters
            ends.update(tuple(sorted(chain(*choice))) for choice in self.choices(parts))
        return ends

    def still(self, start: Now) -> frozenset[str]:
        """Zombies that stay where they are whatever the others do: stunned, beside a target, or without a path."""
        movers = (start._replace(waiting=(), mover=id) for tie in start.waiting for id in tie)
        return frozenset(
            now.mover
            for now in movers
            if self.told[self.key(now)].holds("idle") and not self.told[self.key(now)].holds("perches")
        )

    def choices(self, ends: Sequence[set[Places]]) -> Iterator[tuple[Places, ...]]:
        """One end of each company, in every combination."""
        if prod(map(len, ends)) > MOST:
            raise self.too_many(MOST, "outcomes")
        return product(*ends)

    def too_many(self, limit: int, what: str) -> Undecided:
        """The turn has more than can be looked at or listed."""
        return Undecided(f"the zombie turn has more than {limit} {what}", fix="ask about single zombies, zombie ID")

    def key(self, now: Now) -> tuple[object, ...]:
        """All that the next move depends on: the mover, its place, who stands within two squares, and who is locked beside it."""
        here = now.scene.at(now.mover)
        x, y = here
        if not self.local:
            return (now.mover, now.made, here, now.scene)
        far = self.sees(now.mover)
        near = frozenset(at for id, at in now.scene.places if abs(at[0] - x) <= far and abs(at[1] - y) <= far and id != now.mover)
        locked = frozenset(prey for prey in now.scene.locked if _apart(self.place(prey), here) <= 1)
        ways = self.detours[self.crowd(now)].around_here(here) if self.around else ()
        return (now.mover, now.made, here, near, locked, now.scene.dead, ways)

    def crowd(self, now: Now) -> tuple[object, ...]:
        """All that paths around zombies depend on."""
        others = frozenset(at for id, at in now.scene.places if id != now.mover)
        return (self.gaits[now.mover], others, now.scene.dead)

    def look_around(self, now: Now) -> Steps[None]:
        """Find the paths around the zombies of a scene."""
        crowd = self.crowd(now)
        if crowd not in self.detours:
            found = yield from paths(self.position, self.terms, self.gaits[now.mover], now.mover, now.scene)
            self.detours[crowd] = found

    def leaps(self, id: str) -> bool:
        """Whether a zombie's next move depends on the ones after it."""
        return self.gaits[id] == "leaping"

    def place(self, prey: Prey) -> Square:
        """The square of a target."""
        if isinstance(prey, tuple):
            square: Square = prey[1]
            return square
        return self.living[str(prey)]

    def paths_in(self, now: Now) -> Steps[Paths]:
        """Shortest paths as they are now: they change when a target dies, and under the reading that leads around zombies."""
        gait = self.gaits[now.mover]
        if self.around:
            return self.detours[self.crowd(now)]
        if not now.scene.dead:
            return self.ways[gait, ""]
        found = yield from paths(self.position, self.terms, gait, now.mover, now.scene)
        return found

    def follow(self, now: Now, derived: Derived) -> list[Now]:
        """The mover's next squares, or its attack, or its rest."""
        if derived.holds("perches"):
            done = now._replace(mover="", made=0)
            return [
                self.moved(now, q, False)._replace(mover="", made=0) if q != now.scene.at(now.mover) else done
                for q in sorted(self.nests[self.key(now)])
            ]
        if derived.holds("feeds"):
            return [self.eaten(now, str(food)) for food in derived.values("feeds")]
        steps = [(q, i) for i, _, _, _, q in derived["step_choice"] if i == now.made]
        if steps:
            swapped = {q for p, q in derived["swaps"]}
            fatal = {p for i, p in derived["fallen"] if i == now.made + 1}
            moved = [self.gone(now) if q in fatal else self.moved(now, q, q in swapped) for q, _ in steps]
            if not derived.holds("may_stop"):
                return moved
            return [*moved, *self.ended(now, derived)]
        return self.ended(now, derived)

    def ended(self, now: Now, derived: Derived) -> list[Now]:
        """The scenes after the mover's last move: what its attack brings, if it makes one."""
        blows = [(t, e) for i, t, e in derived["victim"] if i == now.made and e != "grasp"]
        done = now._replace(mover="", made=0)
        risen, spared = set(derived.values("rises")), set(derived.values("may_give_up"))
        if not blows:
            return [done]
        return [then for t, e in blows for then in self.struck(done, now.mover, t, str(e), t in risen, t in spared)]

    def eaten(self, now: Now, food: str) -> Now:
        """The scene after a cannibal has bitten another zombie: what that one had as its last health is gone."""
        figure = self.position.board.figure(food)
        last = figure is None or (self.position.health(figure) or 1) <= 1
        places = tuple(place for place in now.scene.places if not (last and place[0] == food))
        ties = (tuple(id for id in tie if not (last and id == food)) for tie in now.waiting)
        scene = now.scene._replace(places=places, fed=now.scene.fed | {now.mover})
        return now._replace(scene=scene, waiting=tuple(tie for tie in ties if tie), made=now.made + 1)

    def gone(self, now: Now) -> Now:
        """The scene after the mover's death."""
        places = tuple(place for place in now.scene.places if place[0] != now.mover)
        return now._replace(scene=now.scene._replace(places=places), mover="", made=0)

    def moved(self, now: Now, square: Square, swapped: bool) -> Now:
        before = now.scene.at(now.mover)
        places = []
        for id, at in now.scene.places:
            if id == now.mover:
                places.append((id, square))
            elif swapped and at == square:
                places.append((id, before))
            else:
                places.append((id, at))
        return now._replace(scene=now.scene._replace(places=tuple(places)), made=now.made + 1)

    def struck(self, now: Now, by: str, target: Prey, effect: str, rises: bool, spared: bool) -> list[Now]:
        """The scenes after an attack. Locks and wounds are kept only where somebody can die or fall into a rage of them."""
        if not self.fragile:
            return [now]
        scene = now.scene
        if effect == "lock":
            grips = scene.grips | ({(by, target)} if self.berserkers else set())
            return [now._replace(scene=scene._replace(locked=scene.locked | {target}, grips=grips))]
        count = self.mauling if effect == "maul" else 1
        given = dict(now.given)
        left = self.rescued.get(str(target), 0) - given.get(target, 0) if spared else 0
        found = []
        for paid in range(min(count, left) + 1):
            after = now
            if paid:
                after = now._replace(given=tuple(sorted({**given, target: given.get(target, 0) + paid}.items(), key=str)))
            found.append(self.wounded(after, target, count - paid, rises, effect) if paid < count else after)
        return found

    def wounded(self, now: Now, target: Prey, count: int, rises: bool, effect: str = "wound") -> Now:
        """The scene after so many wounds, or after a blow that kills outright."""
        scene = now.scene
        wounds = dict(now.wounds)
        wounds[target] = wounds.get(target, 0) + count
        health = self.health.get(target)
        if effect != "kill" and (health is None or wounds[target] < health):
            rage = str(target) if target in self.berserkers else ""
            return now._replace(wounds=tuple(sorted(wounds.items(), key=str)), rage=rage)
        del wounds[target]
        places = scene.places
        fallen = self.position.board.figure(str(target))
        if rises and fallen is not None:
            places = (*places, (fallen.id, fallen.at))
        grips = frozenset(pair for pair in scene.grips if pair[1] != target)
        scene = Scene(places, scene.locked - {target}, scene.dead | {target}, scene.fed, grips)
        return now._replace(scene=scene, wounds=tuple(sorted(wounds.items(), key=str)))


def _fragile(turn: _Turn) -> bool:
    """Whether anybody could die in this turn at all: of as many blows as there are zombies that can come near."""
    places = opening(turn.position.board).places
    for prey, health in turn.health.items():
        lengths = (
            turn.ways[turn.gaits.get(id, ""), ""].near_by.lengths.get(prey, {}).get(at) for id, at in places if id in turn.gaits
        )
        blows = sum(1 for length in lengths if length is not None and length < FARTHEST)
        if health is not None and blows >= health:
            return True
    return False
