"""``can … to`` and ``reach …``: searches for a way."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from riese_kb.board import Declared, Facing, Figure, Square, square_name
from riese_kb.draft import Breach, Draft, Marks, Verdict, breaches, charges, matters, outside_name
from riese_kb.facts import DIRECTION, MOVES, SIDES, Name, diamond, fact
from riese_kb.kinds.moving import SIDE_OF, STEPS, around, beside, can, hero_of
from riese_kb.kinds.offers import Offer, offers, pairs, used, worth
from riese_kb.position import Position, Terms
from riese_kb.question import Action, Can, CanTo, Exit, Reach, Step
from riese_kb.ranges import bounds, ranges
from riese_kb.unprinted import left_out, require_modifiers
from riese_kb.worlds import Derived, Steps, World


def _search(
    position: Position,
    figure: Figure,
    declared: Declared,
    terms: Terms,
    to: Square | None,
    more: int = 0,
    taken: tuple[Offer, ...] = (),
) -> World:
    radius = position.most_points(figure, declared) + more
    for offer in taken:  # a diagonal for nothing leads two squares away
        radius += worth(position, offer, "mp") if offer.use == "mp" else 2 * worth(position, offer, "squares")
    squares = _near(position, figure, declared, terms, radius, bool(taken))
    window = None if squares is None else around(squares)
    if squares is None:
        squares, radius = dict.fromkeys(position.board.terrain, 0), 99

    def facts(world: int) -> str:
        parts = [fact("actor", world, figure.id), fact("mode", world, Name(declared))]
        parts += [f"near({world},({x},{y}),{n})." for (x, y), n in squares.items() if (x, y) in position.ground]
        parts.append(fact("radius", world, radius))
        if to is not None:
            parts.append(fact("wanted", world, to))
        parts.append(fact("spare", world, more))
        parts += [offer.facts(world) for offer in taken]
        return "".join(parts)

    return World(position, "reach", terms, facts, window, figures=beside(position, window) if window is not None else None)


def _near(
    position: Position, figure: Figure, declared: Declared, terms: Terms, radius: int, helped: bool
) -> Mapping[Square, int] | None:
    """The squares that so many points can reach at best, and how many it takes at least; None where nothing bounds them."""
    if not _bounded(position, terms):
        return None
    x, y = figure.at
    if helped or terms.scenario:
        return {(a, b): abs(a - x) + abs(b - y) for a, b in diamond(figure.at, radius)}
    steps = ranges(position.system, declared, radius, figure.facing or Facing.NORTH)
    return {(x + dx, y + dy): n for (dx, dy), n in steps.items()} or {figure.at: 0}


def _bounded(position: Position, terms: Terms) -> bool:
    """Whether distance bounds what a way costs: with other prices it does not."""
    return not terms.extra and terms.without.isdisjoint(bounds(position.system))


def reach(position: Position, about: Reach, terms: Terms) -> Steps[Draft]:
    """Every square the hero can end on, with the fewest movement points."""
    figure = hero_of(position, about.figure)
    declared = position.declared(figure, about.declared)
    (derived,) = yield [_search(position, figure, declared, terms, None)]
    require_modifiers(position.board, derived)
    squares: dict[str, int] = {}
    hurts: dict[str, int] = {}
    exits: dict[str, int] = {}
    labels: dict[Square, str] = {}
    for square, mp, wounds in sorted(derived["end"], key=str):
        if square in position.ground:
            name = square_name(square)
            squares[name] = mp
            labels[square] = str(mp)
        else:
            name = outside_name(square, position.board)
            exits[name] = mp
        if wounds:
            hurts[name] = wounds
    order = sorted(squares, key=lambda n: (squares[n], n))
    result: dict[str, Any] = {"squares": {n: squares[n] for n in order}, "wounds": hurts, "exits": dict(sorted(exits.items()))}
    gas = sorted(square_name(square) for square in derived.values("gas"))
    result |= {"gas": gas} if gas else {}
    tried = offers(derived, figure.id, "mp", "squares")
    if tried:
        answers = yield [_search(position, figure, declared, terms, None, taken=(offer,)) for offer in tried]
        result["options"] = [
            used(position, offer) | {"squares": _further(position, answer, squares)}
            for offer, answer in zip(tried, answers, strict=True)
        ]
    ledger = charges(derived, position.board)
    return Draft(
        Verdict.COMPUTED,
        result,
        tuple(ledger),
        tuple(breaches(derived, position.board)),
        matters(derived),
        Marks(labels),
        missing=left_out(position.board, derived),
    )


def _further(position: Position, derived: Derived, known: Mapping[str, int]) -> dict[str, int]:
    """The squares that can be reached besides the known ones, by points and name."""
    ends = sorted((mp, square_name(square)) for square, mp, _ in derived["end"] if square in position.ground)
    return {name: mp for mp, name in ends if name not in known}


def berserk(position: Position, id: str, terms: Terms) -> Steps[list[Square]]:
    """The squares to which a hero may step whom a wound has enraged (BERSERKER, Appendix 4)."""
    figure = hero_of(position, id)
    rage = Offer(id, "berserker", "squares")
    (derived,) = yield [_search(position, figure, Declared.STATIONARY, terms, None, taken=(rage,))]
    return sorted(square for square, _, _ in derived["end"] if square in position.ground and square != figure.at)


def can_to(position: Position, about: CanTo, terms: Terms) -> Steps[Draft]:
    """Is there a legal sequence that ends there? The cheapest one is asked like any other sequence."""
    figure = hero_of(position, about.figure)
    declared = position.declared(figure, about.declared)
    target = about.to if not isinstance(about.to, Exit) else _outside(about.to)
    (derived,) = yield [_search(position, figure, declared, terms, target)]
    ends = {square: (mp, wounds) for square, mp, wounds in derived["end"]}
    if target in ends:
        actions = _walk_back(derived, figure, target)
        draft = yield from can(position, Can(about.figure, about.declared, actions), terms, policy="mp")
        result = {**draft.result, "steps": [str(action) for action in actions]}
        return replace(draft, result=result, matters=draft.matters | matters(derived), hints=(), sure=())
    tried = offers(derived, figure.id, "mp", "squares")
    both = [pair for pair in pairs(derived, tried) if "mp" in (pair[0].use, pair[1].use)]
    answers = (
        (yield [_search(position, figure, declared, terms, target, taken=taken) for taken in (*((o,) for o in tried), *both)])
        if tried
        else ()
    )
    for answer in answers:
        if any(square == target for square, _, _ in answer["end"]):
            actions = _walk_back(answer, figure, target)
            draft = yield from can(position, Can(about.figure, about.declared, actions), terms, policy="mp")
            if draft.verdict is Verdict.LEGAL:
                result = {**draft.result, "steps": [str(action) for action in actions]}
                return replace(draft, result=result, matters=draft.matters | matters(answer))
    return (yield from _no_way(position, about, figure, declared, terms, target, derived))


def _outside(way: Exit) -> Square:
    dx, dy = SIDES[way.side]
    return way.square[0] + dx, way.square[1] + dy


def _walk_back(derived: Derived, figure: Figure, target: Square) -> tuple[Action, ...]:
    """The actions of one cheapest way: the one with the fewest actions, in a fixed order of preference.

    Legs may cost nothing (rules switched off), so they can run in circles; a state is entered once.
    """
    legs: dict[tuple[Any, ...], list[tuple[Any, tuple[Any, ...]]]] = {}
    for *here, action, q, f, g, n, i in derived["leg"]:
        legs.setdefault(tuple(here), []).append((action, (q, f, g, n, i)))
    best = next((mp, wounds) for square, mp, wounds in derived["end"] if square == target)
    start = (figure.at, DIRECTION[figure.facing or Facing.NORTH], "free", 0, 0)
    came: dict[tuple[Any, ...], tuple[tuple[Any, ...], Any] | None] = {start: None}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        if state[0] == target and state[3:] == best:
            return _actions(came, state)
        for action, after in sorted(legs.get(state, ()), key=lambda leg: _preference(leg[0], state[1])):
            if after not in came:
                came[after] = (state, action)
                queue.append(after)
    raise ValueError(f"no legs lead to {target}")


def _actions(came: Mapping[tuple[Any, ...], tuple[tuple[Any, ...], Any] | None], state: tuple[Any, ...]) -> tuple[Action, ...]:
    """The actions that led to a state, first to last; a closed door on the way is opened before it is passed."""
    found: list[Action] = []
    while (step := came[state]) is not None:
        state, action = step
        here, facing = state[0], state[1]
        if action[0] == "turn":
            found.append(Action(Step.TURN_RIGHT if action[1] == 2 else Step.TURN_LEFT))
            continue
        _, direction, door = action
        found.append(Action(STEPS[(direction - facing) % 8]))
        if door != "none":
            found.append(Action(Step.OPEN_DOOR, side=SIDE_OF[_offset(here, door, facing)]))
    return tuple(reversed(found))


def _preference(action: Any, facing: int) -> tuple[int, int]:
    return (0, (action[1] - facing) % 8) if action[0] == "step" else (1, action[1])


def _offset(here: Any, there: Any, facing: int) -> int:
    return (MOVES.index((there[0] - here[0], there[1] - here[1])) - facing) % 8


def _no_way(
    position: Position, about: CanTo, figure: Figure, declared: Declared, terms: Terms, target: Square, derived: Derived
) -> Steps[Draft]:
    """Why there is no way: what forbids the square itself, or how many movement points are missing."""
    broken = breaches(derived, position.board)
    name = square_name(target) if target in position.ground else _goal_name(about)
    for rule, square in derived["unfit_end"]:
        if square == target:
            broken.append(Breach(0, str(rule), name))
    if not broken and declared not in (Declared.WALKING, Declared.RUNNING):
        broken.append(Breach(0, "movement.no-points", name))
    if not broken:
        broken = yield from _too_far(position, figure, declared, terms, target, derived, name)
    result: dict[str, Any] = {
        "mp": derived.number("budget"),
        "spent": 0,
        "wounds": 0,
        "end": {"at": square_name(figure.at), "facing": str(figure.facing or Facing.NORTH)},
        "steps": [],
        "choices": [],
    }
    ledger = charges(derived, position.board)
    reached = sorted(
        ((abs(x - target[0]) + abs(y - target[1]), mp, (x, y)) for (x, y), mp, _ in derived["end"] if (x, y) in position.ground),
    )
    near = tuple(CanTo(about.figure, about.declared, square) for _, _, square in reached[:3] if square != figure.at)
    marks = Marks(blocked=(target,))
    return Draft(
        Verdict.ILLEGAL,
        result,
        tuple(ledger),
        tuple(sorted(broken)),
        matters(derived),
        marks,
        hints=near,
        missing=left_out(position.board, derived),
        explains=True,
    )


MORE = 6
"""Points beyond the budget that are looked at to say how many are missing."""


def _too_far(
    position: Position, figure: Figure, declared: Declared, terms: Terms, target: Square, derived: Derived, name: str
) -> Steps[list[Breach]]:
    """What a way would cost that the points do not pay, or that the hero does not survive; else what fences the square off."""
    far = abs(figure.at[0] - target[0]) + abs(figure.at[1] - target[1])
    budget = derived.number("budget")
    if _bounded(position, terms) and far > budget + MORE:
        return [Breach(0, "movement.points", name, f": any way costs {far} MP or more, and there are {budget}")]
    reckless = terms.under("death", "ignored")
    longer, deadly = yield [
        _search(position, figure, declared, terms, target, MORE),
        _search(position, figure, declared, reckless, target),
    ]
    price = next((mp for square, mp, _ in longer["end"] if square == target), None)
    if price is not None:
        return [Breach(0, "movement.points", name, f": the cheapest way costs {price} MP, and there are {budget}")]
    wounds = next((hurt for square, _, hurt in deadly["end"] if square == target), None)
    if wounds is not None:
        return [Breach(0, "health.death", name, f": every way there costs {wounds} wounds or more")]
    return _fences(derived, target, name)


def _fences(derived: Derived, target: Square, name: str) -> list[Breach]:
    """The rules that keep the hero from going on towards the square, each where it does so nearest to it."""
    nearest: dict[str, tuple[int, Square]] = {}
    for rule, _, square in derived["fence"]:
        distance = abs(square[0] - target[0]) + abs(square[1] - target[1])
        nearest[rule] = min(nearest.get(rule, (distance, square)), (distance, square))
    found = [Breach(0, rule, square_name(square), f", on the way to {name}") for rule, (_, square) in sorted(nearest.items())]
    return found or [Breach(0, "movement.points", name, ": it is too far")]


def _goal_name(about: CanTo) -> str:
    return f"{square_name(about.to.square)} {about.to.side}" if isinstance(about.to, Exit) else square_name(about.to)
