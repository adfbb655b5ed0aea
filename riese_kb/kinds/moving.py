"""``can …``: sequences of movement actions, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from riese_kb.baggage import item_facts, stock, unknown_hand
from riese_kb.board import Declared, Facing, Figure, Square, square_name
from riese_kb.draft import Draft, Marks, Verdict, breaches, charges, matters, outside_name
from riese_kb.facts import DIRECTION, FACING, MOVES, Compound, Name, box, call, fact
from riese_kb.kinds.offers import Offer, all_matters, offers, pairs, with_skill
from riese_kb.odds import FACES
from riese_kb.position import Position, Terms
from riese_kb.question import Action, Can, Side, Step
from riese_kb.unprinted import left_out, require_modifiers
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
STEPS = {offset: step for step, offset in OFFSETS.items()}
_TURNS = {Step.TURN_RIGHT: 2, Step.TURN_LEFT: 6}
_SIDES = {Side.AHEAD: 0, Side.RIGHT: 2, Side.BEHIND: 4, Side.LEFT: 6}
SIDE_OF = {offset: side for side, offset in _SIDES.items()}


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
        case Step.OPERATE:
            return call("operate", action.place or "")
        case Step.TAKE:
            return call("take", action.item or "")
        case Step.RESCUE:
            return call("rescue", action.to or "")
        case Step.MOUNT | Step.DEMOUNT:
            return call(str(action.step), action.item or "")
    return call("switch", action.item or "")


def hero_of(position: Position, id: str) -> Figure:
    """The figure that moves."""
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


def can(position: Position, about: Can, terms: Terms, *, policy: str = "wounds") -> Steps[Draft]:
    """Is the sequence a legal activation? ``policy``: what an answer saves first where a flank leaves a choice."""
    figure = hero_of(position, about.figure)
    declared = position.declared(figure, about.declared)
    policy = terms.readings.get("flank_choice", policy)
    squares, near = _window(position, figure, about.actions)
    actions = [_term(action) for action in about.actions]
    things = _things(position, figure, about.actions)
    sought = _sought(position, about.actions)

    def world(*taken: Offer) -> World:
        def facts(world: int) -> str:
            parts = [fact("actor", world, figure.id), fact("mode", world, Name(declared))]
            parts += [fact("do", world, number, action) for number, action in enumerate(actions, 1)]
            parts += [offer.facts(world) for offer in taken]
            return "".join(parts)

        return World(position, "can", terms, facts, squares, (item_facts(position.board, things), sought), near)

    (derived,) = yield [world()]
    if derived.holds("unsure"):
        raise unknown_hand(position.board, things)
    draft = _sequence(position, about, declared, derived, policy)
    seen = draft.matters
    offered = offers(derived, figure.id) if draft.verdict is Verdict.ILLEGAL else []
    alone = [(one,) for one in _uses(about, offered)]
    several = [(a, b) for one, other in pairs(derived, offered) for a in _uses(about, [one]) for b in _uses(about, [other])]
    for tried in (alone, several[:_PAIRS]):
        if not tried:
            break
        answers = yield [world(*taken) for taken in tried]
        helped = [_sequence(position, about, declared, answer, policy) for answer in answers]
        seen |= all_matters(helped)
        for (first, *others), other in zip(tried, helped, strict=True):
            if other.verdict is Verdict.LEGAL:
                return replace(with_skill(position, first, other, *others), matters=seen)
    return replace(draft, matters=seen)


_PAIRS = 100
"""Ways to use two skills in one activation that are tried."""


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
    """Where the markers lie that are searched or operated on the way."""
    wanted = {(action.place, action.step is Step.OPERATE) for action in actions if action.place is not None}
    if not wanted:
        return ""
    from riese_kb.kinds.searching import OPERATED, PLACES, places

    return "".join(
        fact("sought", place, square)
        for place, operated in sorted(wanted)
        for square in places(position.board, place, OPERATED if operated else PLACES)
    )


def _window(position: Position, figure: Figure, actions: tuple[Action, ...]) -> tuple[frozenset[Square], frozenset[str]]:
    """The squares that can matter, one around the track, and the figures, two around it.

    A step off the map leaves the hero behind it: then all within reach.
    """
    way = set(track(figure, actions))
    if all(square in position.ground for square in way):
        squares = around(way)
    else:
        squares = frozenset(box(figure.at, figure.at, len(actions) + 1))
    return squares, beside(position, squares)


def around(squares: Iterable[Square]) -> frozenset[Square]:
    """Those squares and the ones beside them, diagonally too."""
    return frozenset((x + dx, y + dy) for x, y in squares for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def beside(position: Position, squares: frozenset[Square]) -> frozenset[str]:
    """The figures on those squares or beside them."""
    return frozenset(id for id, around in position.surroundings.items() if not around.isdisjoint(squares))


def _sequence(position: Position, about: Can, declared: Declared, derived: Derived, policy: str) -> Draft:
    require_modifiers(position.board, derived)
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
        missing=left_out(position.board, derived),
        sure=(replace(about, actions=about.actions[:done]),) if done and done in derived.values("could_stop") else (),
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
