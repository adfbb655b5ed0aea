"""``can …`` and ``reach …``: sequences of movement actions, and searches for a way.

Longer than a file should be since gas, elevations, locks and skills came in: the searches are to move out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from riese_kb.baggage import item_facts, stock, unknown_hand
from riese_kb.board import Declared, Facing, Figure, Square, square_name
from riese_kb.draft import Breach, Draft, Marks, Verdict, breaches, charges, matters, outside_name
from riese_kb.facts import DIRECTION, FACING, MOVES, SIDES, Compound, Name, box, call, diamond, fact
from riese_kb.kinds.offers import Offer, all_matters, offers, used, with_skill, worth
from riese_kb.odds import FACES
from riese_kb.position import Position, Terms
from riese_kb.question import Action, Can, CanTo, Exit, Reach, Side, Step
from riese_kb.ranges import ranges
from riese_kb.worlds import Derived, Steps, World

OFFSETS = {
    Step.FORWARD: 0,
    Step.FORWARD_RIGHT: 1,
    Step.RIGHT: 2,
    Step.BACKWARD_RIGHT: 3,
    Step.BACKWARD: 4,
    Step.BACKWARD_LEFT: 5,
    Step.LEFT: 6,
    Step.FORWARD_LEFT: 7,
}
_STEPS = {offset: step for step, offset in OFFSETS.items()}
_TURNS = {Step.TURN_RIGHT: 2, Step.TURN_LEFT: 6}
_SIDES = {Side.AHEAD: 0, Side.RIGHT: 2, Side.BEHIND: 4, Side.LEFT: 6}
_SIDE_OF = {offset: side for side, offset in _SIDES.items()}


def _term(action: Action) -> Compound:
    step = action.step
    if step in OFFSETS:
        return call("step", OFFSETS[step])
    if step in _TURNS:
        return call("turn", _TURNS[step])
    match step:
        case Step.OPEN_DOOR:
            return call("open", _SIDES[action.side or Side.AHEAD])
        case Step.CLOSE_DOOR:
            return call("close", _SIDES[action.side or Side.AHEAD])
        case Step.UNLOCK_DOOR:
            return call("unlock", _SIDES[action.side or Side.AHEAD], action.item or Name("any"))
        case Step.FORCE_DOOR:
            return call("force", _SIDES[action.side or Side.AHEAD])
        case Step.UNLOCK_CABINET:
            return call("unlock_cabinet", action.item or Name("any"))
        case Step.FORCE_CABINET:
            return call("force_cabinet", 0)
        case Step.PASS:
            return call("pass", action.item or "", action.to or "")
        case Step.PICK_UP:
            return call("pick", action.item or "")
        case Step.SET:
            return call("set", action.item or "", action.at or (0, 0), action.rounds or 0)
        case Step.SEARCH:
            return call("search", action.place or "")
        case Step.TAKE:
            return call("take", action.item or "")
        case Step.RESCUE:
            return call("rescue", action.to or "")
    return call("switch", action.item or "")


def _hero(position: Position, id: str) -> Figure:
    figure = position.board.figure(id)
    assert figure is not None, "questions are resolved against the board before they are asked"
    return figure


def track(figure: Figure, actions: tuple[Action, ...]) -> list[Square]:
    """The squares that a sequence leads over if nothing stops it: the window of the question."""
    (x, y), facing = figure.at, DIRECTION[figure.facing or Facing.NORTH]
    squares = [figure.at]
    for action in actions:
        if action.step in OFFSETS:
            dx, dy = MOVES[(facing + OFFSETS[action.step]) % 8]
            x, y = x + dx, y + dy
            squares.append((x, y))
        elif action.step in _TURNS:
            facing = (facing + _TURNS[action.step]) % 8
    return squares


def steps(position: Position, about: Can | CanTo | Reach, terms: Terms) -> Steps[Draft]:
    """The question of that kind."""
    match about:
        case Can():
            return can(position, about, terms)
        case CanTo():
            return can_to(position, about, terms)
    return reach(position, about, terms)


def can(position: Position, about: Can, terms: Terms, *, policy: str = "wounds") -> Steps[Draft]:
    """Is the sequence a legal activation? ``policy``: what an answer saves first where a flank leaves a choice."""
    figure = _hero(position, about.figure)
    declared = position.declared(figure, about.declared)
    policy = terms.readings.get("flank_choice", policy)
    squares, near = _window(position, figure, about.actions)
    actions = [_term(action) for action in about.actions]
    things = _things(position, figure, about.actions)
    sought = _sought(position, about.actions)

    def world(offer: Offer | None) -> World:
        def facts(world: int) -> str:
            parts = [fact("actor", world, figure.id), fact("mode", world, Name(declared))]
            parts += [fact("do", world, number, action) for number, action in enumerate(actions, 1)]
            parts += [offer.facts(world)] if offer is not None else []
            return "".join(parts)

        return World(position, "can", terms, facts, squares, (item_facts(position.board, things), sought), near)

    (derived,) = yield [world(None)]
    if derived.holds("unsure"):
        raise unknown_hand(position.board, things)
    draft = _sequence(position, about, declared, derived, policy)
    tried = list(_uses(about, offers(derived, figure.id))) if draft.verdict is Verdict.ILLEGAL else []
    if not tried:
        return draft
    answers = yield [world(offer) for offer in tried]
    helped = [_sequence(position, about, declared, answer, policy) for answer in answers]
    legal = ((offer, other) for offer, other in zip(tried, helped, strict=True) if other.verdict is Verdict.LEGAL)
    found = next((with_skill(position, offer, other) for offer, other in legal), draft)
    return replace(found, matters=draft.matters | all_matters(helped))


def _uses(about: Can, offered: list[Offer]) -> Iterator[Offer]:
    """Every moment of the sequence at which an offer could be taken up."""
    for offer in offered:
        if offer.use == "mp":
            yield offer
        for number, action in enumerate(about.actions, 1):
            fits = action.step in OFFSETS if offer.use == "squares" else action.step is Step.OPEN_DOOR
            if offer.use != "mp" and fits:
                yield replace(offer, step=number)


def _things(position: Position, figure: Figure, actions: tuple[Action, ...]) -> list[str]:
    """Everything whose room matters where things change hands: what the heroes concerned have, and what is named."""
    if not any(action.step in (Step.PASS, Step.PICK_UP) for action in actions):
        return []
    concerned = {figure.id, *(action.to for action in actions)}
    owned = [name for other in position.board.figures if other.id in concerned for name in stock(other)]
    return [*owned, *(action.item for action in actions if action.item)]


def _sought(position: Position, actions: tuple[Action, ...]) -> str:
    """Where the markers lie that are searched on the way."""
    wanted = {action.place for action in actions if action.place is not None}
    if not wanted:
        return ""
    from riese_kb.kinds.searching import places

    return "".join(fact("sought", place, square) for place in sorted(wanted) for square in places(position.board, place))


def _window(position: Position, figure: Figure, actions: tuple[Action, ...]) -> tuple[frozenset[Square], frozenset[str]]:
    """The squares that can matter, one around the track, and the figures, two around it.

    A step off the map leaves the hero behind it: then all within reach.
    """
    way = set(track(figure, actions))
    if all(square in position.ground for square in way):
        squares = _around(way)
    else:
        squares = frozenset(box(figure.at, figure.at, len(actions) + 1))
    return squares, _beside(position, squares)


def _around(squares: Iterable[Square]) -> frozenset[Square]:
    """Those squares and the ones beside them, diagonally too."""
    return frozenset((x + dx, y + dy) for x, y in squares for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def _beside(position: Position, squares: frozenset[Square]) -> frozenset[str]:
    """The figures on those squares or beside them."""
    return frozenset(id for id, around in position.surroundings.items() if not around.isdisjoint(squares))


def _sequence(position: Position, about: Can, declared: Declared, derived: Derived, policy: str) -> Draft:
    broken = breaches(derived, position.board)
    count = len(about.actions)
    first = min((b.step for b in broken), default=count + 1)
    done = count if first > count else max(first - 1, 0)
    flanks, (spent, wounds) = _cheapest(derived, done, policy)
    states: dict[int, tuple[Square, int]] = {s: (p, f) for s, p, f in derived["state"]}
    at, facing = states[done]
    ledger = [c for c in charges(derived, position.board, via=flanks) if c.step <= done]
    result: dict[str, Any] = {
        "mp": derived.number("budget"),
        "spent": spent,
        "wounds": wounds,
        "end": {"at": _spot(position, at), "facing": FACING_NAMES[facing]},
        "choices": _choices(derived, done, flanks),
    }
    if any(isinstance(step, int) and step <= done for step in derived.values("killed")):
        result["dies"] = True
    jumps = sorted(step for step in derived.values("jumps") if isinstance(step, int) and step <= done)
    if jumps:
        result["jumps"] = {"steps": jumps} | _jump_odds(derived)
    gas = sum(charge.amount for charge in ledger if charge.rule == "toxic.wound")
    if gas:
        result["gas"] = gas
    path = tuple(states[s][0] for s in range(count + 1) if s in states)
    stops = tuple(states[b.step][0] for b in broken if b.step in states)
    return Draft(
        Verdict.ILLEGAL if broken else Verdict.LEGAL,
        result,
        tuple(ledger),
        tuple(broken),
        matters(derived),
        Marks(path=tuple(dict.fromkeys(path)), blocked=stops),
    )


def _jump_odds(derived: Derived) -> dict[str, Any]:
    """The chances of one jump test: of each number of wounds, and of going on afterwards."""
    wounds: dict[str, Fraction] = {}
    for _, count, _ in sorted(derived["jump_face"], key=lambda row: row[1]):
        wounds[str(count)] = wounds.get(str(count), Fraction(0)) + Fraction(1, FACES)
    goes_on = sum((Fraction(1, FACES) for _, _, end in derived["jump_face"] if end == "goes_on"), Fraction(0))
    return {"wounds": {count: str(chance) for count, chance in wounds.items()}, "goes_on": str(goes_on)}


FACING_NAMES: Mapping[int, str] = {number: str(facing) for number, facing in FACING.items()}


def _spot(position: Position, at: Square) -> str:
    """The square's name, or ``E2 east`` when the hero has left the map from E2."""
    return square_name(at) if at in position.ground else outside_name(at, position.board)


def _options(derived: Derived) -> dict[int, list[tuple[object, int, int]]]:
    options: dict[int, list[tuple[object, int, int]]] = {}
    for step, flank, mp, wounds in derived["option"]:
        options.setdefault(step, []).append((flank, mp, wounds))
    for rows in options.values():
        rows.sort(key=lambda row: (row[2], row[1], str(row[0])))
    return options


def _cheapest(derived: Derived, count: int, policy: str) -> tuple[dict[int, object], tuple[int, int]]:
    """The flanks to choose so that ``count`` steps come to the best sum, and that sum (movement points, wounds).

    What each step costs past each flank comes from the logic; adding up and picking is arithmetic.
    """
    options = _options(derived)
    budget = None if derived.holds("unlimited") else derived.number("budget")
    sums = [{(0, 0)}]
    for step in range(1, count + 1):
        ways = {(mp + m, wounds + w) for mp, wounds in sums[-1] for _, m, w in options[step]}
        sums.append({way for way in ways if budget is None or way[0] <= budget})
    best = min(sums[count] or {(0, 0)}, key=lambda s: (s[1], s[0]) if policy == "wounds" else s)
    flanks: dict[int, object] = {}
    mp, wounds = best
    for step in range(count, 0, -1):
        flank, m, w = next(o for o in options[step] if (mp - o[1], wounds - o[2]) in sums[step - 1])
        flanks[step] = flank
        mp, wounds = mp - m, wounds - w
    return flanks, best


def _choices(derived: Derived, count: int, flanks: Mapping[int, object]) -> list[dict[str, Any]]:
    return [
        {"step": step, "flank": square_name(flank), "mp": mp, "wounds": wounds}
        for step, rows in sorted(_options(derived).items())
        if step <= count
        for flank, mp, wounds in rows
        if flank != flanks.get(step) and isinstance(flank, tuple)
    ]


def _search(
    position: Position,
    figure: Figure,
    declared: Declared,
    terms: Terms,
    to: Square | None,
    more: int = 0,
    offer: Offer | None = None,
) -> World:
    radius = position.most_points(figure, declared) + more
    if offer is not None:  # a diagonal for nothing leads two squares away
        radius += worth(position, offer, "mp") if offer.use == "mp" else 2 * worth(position, offer, "squares")
    squares = _near(position, figure, declared, terms, radius, offer)
    window = None if squares is None else _around(squares)
    if squares is None:
        squares, radius = dict.fromkeys(position.board.terrain, 0), 99

    def facts(world: int) -> str:
        parts = [fact("actor", world, figure.id), fact("mode", world, Name(declared))]
        parts += [f"near({world},({x},{y}),{n})." for (x, y), n in squares.items() if (x, y) in position.ground]
        parts.append(fact("radius", world, radius))
        if to is not None:
            parts.append(fact("wanted", world, to))
        parts.append(fact("spare", world, more))
        parts += [offer.facts(world)] if offer is not None else []
        return "".join(parts)

    return World(position, "reach", terms, facts, window, figures=_beside(position, window) if window is not None else None)


def _near(
    position: Position, figure: Figure, declared: Declared, terms: Terms, radius: int, offer: Offer | None
) -> Mapping[Square, int] | None:
    """The squares that so many points can reach at best, and how many it takes at least; None where nothing bounds them."""
    if terms.without or terms.extra:
        return None  # with other prices, distance bounds nothing
    x, y = figure.at
    if offer is not None or terms.scenario:
        return {(a, b): abs(a - x) + abs(b - y) for a, b in diamond(figure.at, radius)}
    steps = ranges(position.system, declared, radius, figure.facing or Facing.NORTH)
    return {(x + dx, y + dy): n for (dx, dy), n in steps.items()} or {figure.at: 0}


def reach(position: Position, about: Reach, terms: Terms) -> Steps[Draft]:
    """Every square the hero can end on, with the fewest movement points."""
    figure = _hero(position, about.figure)
    declared = position.declared(figure, about.declared)
    (derived,) = yield [_search(position, figure, declared, terms, None)]
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
        answers = yield [_search(position, figure, declared, terms, None, offer=offer) for offer in tried]
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
    )


def _further(position: Position, derived: Derived, known: Mapping[str, int]) -> dict[str, int]:
    """The squares that can be reached besides the known ones, by points and name."""
    ends = sorted((mp, square_name(square)) for square, mp, _ in derived["end"] if square in position.ground)
    return {name: mp for mp, name in ends if name not in known}


def berserk(position: Position, id: str, terms: Terms) -> Steps[list[str]]:
    """The squares to which a hero may step whom a wound has enraged (BERSERKER, Appendix 4)."""
    figure = _hero(position, id)
    rage = Offer(id, "berserker", "squares")
    (derived,) = yield [_search(position, figure, Declared.STATIONARY, terms, None, offer=rage)]
    squares = sorted(square for square, _, _ in derived["end"] if square in position.ground and square != figure.at)
    return [square_name(square) for square in squares]


def can_to(position: Position, about: CanTo, terms: Terms) -> Steps[Draft]:
    """Is there a legal sequence that ends there? The cheapest one is asked like any other sequence."""
    figure = _hero(position, about.figure)
    declared = position.declared(figure, about.declared)
    target = about.to if not isinstance(about.to, Exit) else _outside(about.to)
    (derived,) = yield [_search(position, figure, declared, terms, target)]
    ends = {square: (mp, wounds) for square, mp, wounds in derived["end"]}
    if target in ends:
        actions = _walk_back(derived, figure, target)
        draft = yield from can(position, Can(about.figure, about.declared, actions), terms, policy="mp")
        result = {**draft.result, "steps": [str(action) for action in actions]}
        return Draft(draft.verdict, result, draft.ledger, draft.violations, draft.matters | matters(derived), draft.marks)
    tried = offers(derived, figure.id, "mp", "squares")
    answers = (yield [_search(position, figure, declared, terms, target, offer=offer) for offer in tried]) if tried else ()
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
        found.append(Action(_STEPS[(direction - facing) % 8]))
        if door != "none":
            found.append(Action(Step.OPEN_DOOR, side=_SIDE_OF[_offset(here, door, facing)]))
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
    if not terms.without and not terms.extra and far > budget + MORE:
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
