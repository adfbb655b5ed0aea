"""A plain reference of sight, movement and combat on rings, written from the rules, against the logic on drawn boards."""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass, field
from fractions import Fraction

import pytest

import riese_kb
from riese_kb.rings import RingBoard
from riese_kb.teamfile import parse_sheet

KNIFE, SMG, PISTOL = ["Kampfmesser"], ["MP 40"], ["Luger P-08"]


@dataclass
class Spot:
    kind: str
    paths: list[str]
    movement: int
    combat: int
    condition: int
    next: set[str] = field(default_factory=set)


@dataclass
class Man:
    id: str
    side: str
    at: str
    wounds: int
    values: list[list[int]]
    gear: list[str] | None

    def now(self, column: int) -> int:
        return self.values[self.wounds][column]

    @property
    def low(self) -> int:
        return min(row[0] for row in self.values)

    @property
    def shoots(self) -> bool:
        return self.gear is None or self.gear in (SMG, PISTOL)


@dataclass
class Drawn:
    spots: dict[str, Spot]
    men: list[Man]
    debris: list[tuple[str, int]]

    def board(self) -> RingBoard:
        lines = ['system = "tannhaeuser"']
        for id, spot in self.spots.items():
            lines += [
                "[[ring]]",
                f'id = "{id}"',
                f"paths = {spot.paths!r}",
                f"next = {sorted(spot.next)!r}",
                f'kind = "{spot.kind}"',
            ]
            lines += [f"{key} = {getattr(spot, key)}" for key in ("movement", "combat", "condition")]
        for man in self.men:
            lines += ["[[figure]]", f'id = "{man.id}"', 'kind = "hero"', f'side = "{man.side}"', f'at = "{man.at}"']
            lines += [f"wounds = {man.wounds}", f"values = {man.values!r}"]
            lines += [] if man.gear is None else [f"gear = {man.gear!r}"]
        for at, n in self.debris:
            lines += ["[[marker]]", 'kind = "debris"', f'at = "{at}"', f"movement = {n}"]
        sheet = parse_sheet("\n".join(lines), "drawn.board.toml")
        assert isinstance(sheet, RingBoard)
        return sheet

    # --- the rules, plainly ---

    def path(self, start: str, colour: str) -> set[str]:
        seen, left = {start}, [start]
        while left:
            for other in self.spots[left.pop()].next:
                if colour in self.spots[other].paths and other not in seen:
                    seen.add(other)
                    left.append(other)
        return seen

    def sight(self, a: str, b: str) -> dict[str, set[str]]:
        return {colour: path for colour in self.spots[a].paths if b in (path := self.path(a, colour))}

    def reach(self, man: Man) -> tuple[dict[str, int], dict[str, int]]:
        points = man.now(3)
        others = {other.at: other for other in self.men if other is not man and other.at != "off"}
        foes = {at for at, other in others.items() if other.side != man.side}
        leaving = {
            id: 1 + max([0, -spot.movement, *(-n for at, n in self.debris if at == id)]) for id, spot in self.spots.items()
        }

        def spread(start: dict[str, int], passed: set[str]) -> dict[str, int]:
            found, queue = dict(start), [(price, id) for id, price in start.items()]
            heapq.heapify(queue)
            while queue:
                price, id = heapq.heappop(queue)
                for other in self.spots[id].next:
                    closed = self.spots[other].kind in ("objective", "action") or (other in foes and other not in passed)
                    if not closed and price + leaving[id] <= min(points, found.get(other, 99) - 1):
                        found[other] = price + leaving[id]
                        heapq.heappush(queue, (found[other], other))
            return found

        entries = {id: 1 for id, spot in self.spots.items() if spot.kind == "entry" and id not in foes and points}
        first = spread(entries if man.at == "off" else {man.at: 0}, set())
        rest = {id: n for id, n in first.items() if self.spots[id].kind != "entry" and id not in others}
        after: dict[str, int] = {}
        for foe in foes:
            chain, left = {foe}, [foe]
            while left:
                fresh = {other for other in self.spots[left.pop()].next if other in foes} - chain
                chain |= fresh
                left += fresh
            for id, n in spread({id: n for id, n in rest.items() if foe in self.spots[id].next}, chain).items():
                if self.spots[id].kind != "entry" and id not in others and id not in rest:
                    after[id] = min(n, after.get(id, 99))
        return rest, after

    def attack(self, a: Man, d: Man, how: str | None) -> tuple[bool, dict[str, object]]:
        how = how or ("normal" if a.shoots else "h2h")
        near = how == "h2h"
        terrain = {man.id: self.spots.get(man.at, Spot("", [], 0, 0, 0)) for man in (a, d)}
        pool = a.low if near and a.gear != KNIFE else a.now(0) + terrain[a.id].combat + (not near and a.gear == SMG)
        difficulty = d.low if near and d.gear != KNIFE else d.now(0) + terrain[d.id].combat
        shock = d.now(1) + terrain[d.id].condition
        pistol = not near and a.gear == PISTOL
        hits = rolls(pool, sum(face + (pistol and face > 1) >= difficulty for face in range(1, 11)))
        parries = rolls(shock, sum(face >= pool for face in range(1, 11)))
        extra = near and a.gear == KNIFE
        odds = [Fraction(0)] * (pool + 1 + extra)
        for hit, p in enumerate(hits):
            for parried, q in enumerate(parries):
                odds[max(0, hit + (extra and hit > 0) - parried)] += p * q
        numbers = {"pool": pool, "difficulty": difficulty, "shock_pool": shock, "shock_difficulty": pool}
        legal = a.side != d.side and "off" not in (a.at, d.at)
        if legal and near:
            here, there = self.spots[a.at], self.spots[d.at]
            legal = d.at in here.next and bool({*here.paths} & {*there.paths})
        elif legal:
            legal = a.shoots and bool(self.sight(a.at, d.at))
        return legal, {**numbers, "odds": {str(k): str(p) for k, p in enumerate(odds)}}


def rolls(dice: int, faces: int) -> list[Fraction]:
    p, found = Fraction(faces, 10), [Fraction(1)]
    for _ in range(dice):
        found = [x * (1 - p) + y * p for x, y in zip([*found, Fraction(0)], [Fraction(0), *found], strict=True)]
    return found


def drawn(rng: random.Random) -> Drawn:
    ids = [f"r{n}" for n in range(1, rng.randint(5, 14))]
    spots = {}
    for id in ids:
        kind = rng.choices(["ring", "entry", "objective", "action"], [8, 1, 0.7, 0.7])[0]
        paths = [] if kind in ("objective", "action") else rng.sample(["red", "grey", "blue"], rng.choice([1, 1, 2]))
        spots[id] = Spot(kind, paths, rng.choice([0, 0, 0, -1, -2]), rng.choice([0, 0, 1, -1]), rng.choice([0, 0, 1]))
    for id in ids:
        for other in rng.sample(ids, rng.choice([1, 2, 2])):
            if other != id:
                spots[id].next.add(other)
                spots[other].next.add(id)
    free = [id for id, spot in spots.items() if spot.kind == "ring"]
    men = []
    for number, at in enumerate(rng.sample(free, min(len(free), rng.randint(2, 6)))):
        values = [[*(rng.randint(3, 7) for _ in range(3)), rng.randint(2, 7)] for _ in range(rng.randint(2, 4))]
        gear = rng.choice([None, None, [], KNIFE, SMG, PISTOL])
        stands = at if rng.random() < 0.9 else "off"
        men.append(Man(f"f{number}", rng.choice(["reich", "union"]), stands, rng.randrange(len(values)), values, gear))
    return Drawn(spots, men, [(rng.choice(ids), rng.choice([-1, -2])) for _ in range(rng.choice([0, 0, 1, 2]))])


@pytest.mark.parametrize("seed", range(25))
def test_the_logic_says_what_the_reference_says(seed: int) -> None:
    rng = random.Random(f"rings {seed}")
    game = drawn(rng)
    board = game.board()
    a, b = rng.sample(sorted(game.spots), 2)
    seen = riese_kb.ask(board, f"sight {a} to {b}")
    assert {colour: {*rings} for colour, *rings in seen.result["paths"]} == game.sight(a, b)
    assert (seen.verdict == "clear") == bool(game.sight(a, b))
    for man in game.men:
        rest, after = game.reach(man)
        result = riese_kb.ask(board, f"reach {man.id}").result
        assert (result["rings"], result["after_duel"]) == (rest, after)
        for goal in rng.sample(sorted(game.spots), 2):
            answer = riese_kb.ask(board, f"can {man.id} move to {goal}")
            assert answer.verdict == ("legal" if goal in rest else "illegal")
            assert answer.result["spent"] == rest.get(goal, 0)
            assert bool(answer.violations) == (goal not in rest)
        for foe in rng.sample(game.men, 1):
            how = rng.choice([None, "normal", "h2h"])
            if foe is not man:
                answer = riese_kb.ask(board, f"attack {man.id} on {foe.id} {how or ''}")
                legal, numbers = game.attack(man, foe, how)
                assert answer.verdict == ("legal" if legal else "illegal")
                assert {key: answer.result[key] for key in numbers} == numbers
