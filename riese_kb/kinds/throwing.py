"""``throw … at …``: may it be thrown there, where can it come down, and whom does it attack there?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from riese_kb import tables
from riese_kb.board import Board, Declared, Figure, Kind, Square, Terrain, Weapon, square_name
from riese_kb.draft import Draft, Marks, Verdict, breaches, charges, matters
from riese_kb.facts import MOVES, Name, diamond, fact
from riese_kb.geometry import inside
from riese_kb.kinds.attacking import card_facts, require
from riese_kb.kinds.offers import Offer, all_matters, groups, offers, used, with_skill
from riese_kb.odds import FACES
from riese_kb.position import Position, Terms, line_facts, line_squares, throwing_range
from riese_kb.question import Throw
from riese_kb.unprinted import left_out, require_modifiers
from riese_kb.worlds import Derived, Steps, World, together

OFF_MAP = "off the map"
"""What ``lands`` calls the outside, under the reading that an explosive may be lost there."""


def throw(position: Position, about: Throw, terms: Terms) -> Steps[Draft]:
    """Is the throw legal, what must be rolled, where may it come down, and whom does it hit there?

    A skill that somebody may use makes a throw legal that would not be; else it is told as an option.
    """
    draft, derived = yield from _throw(position, about, terms, ())
    tried = offers(derived, about.figure, "attack" if draft.verdict is Verdict.ILLEGAL else "aim")
    united = groups(derived, tried) if draft.verdict is Verdict.LEGAL else []
    answers = yield from together(_throw(position, about, terms, taken) for taken in (*((offer,) for offer in tried), *united))
    seen = draft.matters | all_matters(other for other, _ in answers)
    if draft.verdict is Verdict.ILLEGAL:
        legal = (with_skill(position, o, d) for o, (d, _) in zip(tried, answers, strict=False) if d.verdict is Verdict.LEGAL)
        return replace(next(legal, draft), matters=seen)
    options = [
        used(position, offer) | {key: other.result[key] for key in ("needed", "lands")}
        for offer, (other, _) in zip(tried, answers, strict=False)
    ]
    several = [
        {"skills": [used(position, offer) for offer in group]} | {key: other.result[key] for key in ("needed", "lands")}
        for group, (other, _) in zip(united, answers[len(tried) :], strict=True)
    ]
    options += [used(position, offer) for offer in offers(derived, about.figure, "die")]
    result = {**draft.result, "options": options} | ({"together": several} if several else {})
    return replace(draft, result=result, matters=seen) if options else draft


def _throw(position: Position, about: Throw, terms: Terms, taken: tuple[Offer, ...]) -> Steps[tuple[Draft, Derived]]:
    """The throw in the world in which those offers are taken up."""
    board = position.board
    hero = board.figure(about.figure)
    assert hero is not None, "questions are resolved against the board before they are asked"
    weapon = _weapon(position, about.item)
    declared = position.declared(hero, about.declared)
    landings = _landings(hero.at, about.at)
    endless = terms.without or terms.extra or "aoe_modifiers" in terms.readings  # a reading may know no limit
    reach = None if endless or weapon is None else weapon.pbr
    close = [(square, figure) for square in landings for figure in near(board, square, reach)] if weapon is not None else []
    beside = [
        f
        for f in board.figures
        if f.kind in (Kind.ZOMBIE, Kind.NPC) and (terms.without or terms.extra or _far(hero.at, f.at) < 2)
    ]
    lines = lines_between([(hero.at, about.at), *((about.at, s) for s in landings), *((s, f.at) for s, f in close)])

    def facts(world: int) -> str:
        parts = [fact("actor", world, hero.id), fact("mode", world, Name(declared)), fact("aims", world, about.at)]
        parts += [fact("hurls", world, about.item), fact("asked_type", world, Name("thrown")), fact("armed", world)]
        parts += [fact("views", world, figure.id) for figure in beside]
        parts.append(fact("endless", world, len(board.terrain)))
        parts += printed_facts(board, world, about.item)
        if any(marker.kind == "objective" and marker.at == about.at for marker in board.markers):
            parts.append(fact("lies", world, Name("objective"), about.at))
        parts += [offer.facts(world) for offer in taken]
        if weapon is not None:
            parts.append(card_facts(world, weapon))
        if about.item not in (hero.weapon, hero.off_hand):
            parts.append(fact("not_readied", world))
        return "".join(parts)

    squares = _window(hero.at, about.at, lines, terms, board.system)
    figures = frozenset({hero.id, *(f.id for f in beside), *(f.id for _, f in close)})
    (derived,) = yield [World(position, "throw", terms, facts, squares, tuple(line_facts(a, b) for a, b in lines), figures)]
    if weapon is not None:
        require(weapon, [key for key in derived.values("wants") if key != "pbr"])
    require_modifiers(board, derived)
    return _throw_draft(position, about, hero, weapon, derived), derived


def _weapon(position: Position, item: str) -> Weapon | None:
    """The card of what is thrown, where it has one."""
    board = position.board
    if any(weapon.name == item for weapon in board.weapons) or tables.weapon_card(board.system, item) is not None:
        return position.weapon(item)
    return None


def printed_facts(board: Board, world: int, item: str) -> Iterator[str]:
    """Further figures printed for an item."""
    known = tables.armoury(board.system).get(item)
    if known is not None:
        yield from (fact("printed", world, Name(key), number) for key, number in known.also.items())


def _far(a: Square, b: Square) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def near(board: Board, square: Square, reach: int | None) -> Iterator[Figure]:
    """The figures within reach of an explosion; everybody where the reach is unknown or switched off."""
    return (figure for figure in board.figures if reach is None or _far(square, figure.at) <= reach)


def _landings(start: Square, target: Square) -> tuple[Square, ...]:
    """The squares on which something thrown may come down: the target, up to two squares off it, the thrower's own."""
    x, y = target
    around = ((x + n * dx, y + n * dy) for n in (1, 2) for dx, dy in MOVES)
    return tuple(dict.fromkeys((target, *around, start)))


def lines_between(pairs: Iterable[tuple[Square, Square]]) -> tuple[tuple[Square, Square], ...]:
    """The lines that are wanted, each once; a square needs none to itself."""
    return tuple(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))


def _window(
    start: Square, target: Square, lines: Iterable[tuple[Square, Square]], terms: Terms, system: str
) -> frozenset[Square] | None:
    """The squares that can matter: those of the lines, and of every way round that is short enough (docs/lemmas.md, Throws)."""
    if terms.without or terms.extra:
        return None
    squares = {start, target}.union(*(line_squares(a, b) for a, b in lines))
    longest = throwing_range(system)
    squares.update(square for square in diamond(start, longest) if _far(start, square) + _far(square, target) <= longest)
    return frozenset(squares)


def _throw_draft(position: Position, about: Throw, hero: Figure, weapon: Weapon | None, derived: Derived) -> Draft:
    board = position.board
    broken = breaches(derived, board)
    ledger = [line for line in charges(derived, board) if line.unit != "MP available"]
    places = _lands(about.at, hero.at, derived, board)
    result: dict[str, Any] = {
        "range": derived.number("away"),
        "needed": None if derived.holds("drops") else derived.number("needed"),
        "lof": derived.holds("sees"),
        "lands": {_place(square, board): str(chance) for square, chance in places.items()},
    }
    if derived.holds("token") and not derived.holds("drops"):
        result["scratch"] = _with_tokens(about.at, places, board, derived)
    hit: dict[str, list[str]] = {}
    if weapon is not None:
        order = {figure.id: number for number, figure in enumerate(board.figures)}
        for square, id in sorted(derived["hits"], key=lambda row: order[str(row[1])]):
            hit.setdefault(square_name(square), []).append(str(id))
        hit = {square: hit.get(square, []) for square in result["lands"] if square != OFF_MAP}
    unknown = weapon is not None and weapon.pbr is None and ("pbr",) in derived["wants"]
    if not unknown:
        result["victims"] = hit
    if derived.holds("leaves"):
        result["leaves"] = str(derived["leaves"][0][0])
    marks = Marks(
        labels={square: _percent(chance) for square, chance in places.items() if square is not None},
        line=(hero.at, *inside(hero.at, about.at), about.at) if derived.holds("sees") else (),
    )
    supplied = (weapon.name,) if weapon is not None and weapon.supplied else ()
    hints = tuple(_hints(position, about)) if broken else ()
    return Draft(
        Verdict.ILLEGAL if broken else Verdict.LEGAL,
        result,
        tuple(ledger),
        tuple(broken),
        matters(derived),
        marks,
        supplied,
        hints,
        missing=((f"whom it attacks: no blast range (pbr) of {about.item} is known",) if unknown else ())
        + left_out(position.board, derived),
    )


def _with_tokens(target: Square, places: dict[Square | None, Fraction], board: Board, derived: Derived) -> dict[str, Any]:
    """Where it lands if every token there is goes into a throw that misses."""
    from riese_kb.rerolls import success

    held = derived.number("token")
    before = Fraction(len(derived["lucky"]), FACES)
    after = success(before, 1, held)
    shrunk = (1 - after) / (1 - before) if before < 1 else Fraction(0)
    # The target square may be the thrower's own, too.
    lands = {square: shrunk * chance for square, chance in places.items()}
    if before:
        lands[target] = lands.get(target, Fraction(0)) + after - before * shrunk
    return {"tokens": held, "lands": {_place(square, board): str(chance) for square, chance in lands.items() if chance}}


def _percent(chance: Fraction) -> str:
    """Whole percent for the picture; what is less than half of one is still shown."""
    return str(max(1, round(chance * 100)))


def _place(square: Square | None, board: Board) -> str:
    return OFF_MAP if square is None else square_name(square)


def _lands(target: Square, start: Square, derived: Derived, board: Board) -> dict[Square | None, Fraction]:
    """The chance of each square, the target first; None is the outside. They add up to one unless nowhere is left to land."""
    if derived.holds("drops"):
        return {target: Fraction(1)}
    chances: dict[Square | None, Fraction] = {}
    terrain = {square for square, kind in board.terrain.items() if kind is not Terrain.VOID}

    def add(square: Square | None, chance: Fraction) -> None:
        if chance:
            chances[square] = chances.get(square, Fraction(0)) + chance

    add(target, Fraction(len(derived["lucky"]), FACES))
    add(start, Fraction(len(derived["backfires"]), FACES))
    faces: dict[int, int] = dict(derived["faces"])
    weights = [(square, faces[n]) for n, _, square in sorted(derived["settles"])]
    # Rolls that lead nowhere are rolled again, so that the others share all of the chance.
    every = sum(weight for _, weight in weights)
    for square, weight in weights:
        add(square if square in terrain else None, Fraction(len(derived["strays"]), FACES) * Fraction(weight, every))
    return chances


def _hints(position: Position, about: Throw) -> Iterator[Throw]:
    """What may be thrown instead: the same by somebody who stands or walks, or a grenade at the same square."""
    if about.declared is not None:
        yield replace(about, declared=None)
    yield replace(about, declared=Declared.STATIONARY)
    if about.item != "Grenade":
        yield replace(about, item="Grenade")
