"""Questions about boards of rings: moving, sight, attacks, duels, crates, and whether the game is won."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from riese_kb import ringtables
from riese_kb.draft import Breach, Charge, Draft, Verdict, matters
from riese_kb.errors import MissingValue, QuestionError
from riese_kb.facts import Name, fact
from riese_kb.language.ringnames import ring_of
from riese_kb.position import Terms
from riese_kb.question import About, Attack, AttackType, Duel, Initiative, MoveTo, Reach, Round, Search, Sight, Targets, Won
from riese_kb.ringodds import begins, chance, successes, wins, wounds
from riese_kb.rings import OFF, GearType, Mode, Piece, Property, Team, Token
from riese_kb.ringstand import RingStand
from riese_kb.worlds import Derived, Steps, World

_TYPES = {AttackType.NORMAL: Name("normal"), AttackType.H2H: Name("close")}
_CLOSED = (GearType.GRENADE, GearType.SMOKE)
"""Types of weapons whose rules stand on a page that the text lacks, so that no attack with them can be worked out."""


def steps(stand: RingStand, about: About, terms: Terms) -> Steps[Draft]:
    """The draft of one question about a board of rings."""
    match about:
        case Sight():
            return sight(stand, about, terms)
        case MoveTo():
            return move(stand, about, terms)
        case Reach():
            return reach(stand, about, terms)
        case Attack():
            return attack(stand, about, terms)
        case Targets():
            return targets(stand, about, terms)
        case Duel():
            return duel(stand, about, terms)
        case Search():
            return search(stand, about, terms)
        case Initiative():
            return initiative(stand, terms)
        case Round():
            return round_(stand, terms)
    assert isinstance(about, Won), "questions are resolved against the board before they are asked"
    return won(stand, about, terms)


More = Callable[[int], str] | None
"""Further facts of a question's world."""


def _one(stand: RingStand, query: str, terms: Terms, predicate: str, *values: object, more: More = None) -> Steps[Derived]:
    """What is derived in the one world of a question; values that are needed and nowhere to be found are told."""

    def facts(world: int) -> str:
        return fact(predicate, world, *values) + (more(world) if more is not None else "")

    (derived,) = yield [World(stand, query, terms, facts)]
    for id, property, how, _, _ in derived["wants"]:
        stand.need(_token(stand, str(id)), Property(property), str(how))
    return derived


def _token(stand: RingStand, id: str) -> Token:
    found = stand.board.figure(id)
    assert found is not None, id
    return found


def _breaches(derived: Derived) -> tuple[Breach, ...]:
    return tuple(sorted({Breach(step, str(rule), str(at)) for rule, at, step in derived["violation"]}))


_ORDER = ("on the die", "VP", "MP", "pool", "difficulty", "shock pool", "shock difficulty", "own", "other")


def _charges(derived: Derived) -> tuple[Charge, ...]:
    """The lines of the ledger in the order of the rolls; values come before what changes them."""
    found = [Charge(str(rule), str(at), n, str(unit), note=str(source)) for rule, at, _, n, unit, source in derived["charge"]]
    changes = ("terrain.", "weapon.")
    return tuple(sorted(found, key=lambda c: (_ORDER.index(c.unit), c.rule.startswith(changes), c.rule, c.at, c.note)))


def _available(derived: Derived) -> tuple[Charge, ...]:
    """What there is to spend."""
    return tuple(replace(c, unit="MP available") if c.unit == "MP" else c for c in _charges(derived))


def _totals(derived: Derived) -> dict[str, int]:
    return {str(unit): n for unit, n in derived["total"]}


# --- sight ----------------------------------------------------------------------------------------------------------


def sight(stand: RingStand, about: Sight, terms: Terms) -> Steps[Draft]:
    """Do two rings see each other, and along which paths?"""
    start, end = ring_of(about.start, stand.board), ring_of(about.end, stand.board)
    derived = yield from _one(stand, "t_sight", terms, "looks", start, end)
    shared = {str(colour) for _, _, colour in derived["shares"]}
    along: dict[str, set[str]] = {}
    for _, colour, ring in derived["along"]:
        along.setdefault(str(colour), set()).add(str(ring))
    here = stand.board.ring(start)
    colours = [colour for colour in (here.paths if here is not None else ()) if colour in shared]
    paths = [[colour, *(r.id for r in stand.board.rings if r.id in along[colour])] for colour in colours]
    broken = _breaches(derived)
    return Draft(Verdict.BLOCKED if broken else Verdict.CLEAR, {"paths": paths}, (), broken, matters(derived))


# --- movement -------------------------------------------------------------------------------------------------------


def move(stand: RingStand, about: MoveTo, terms: Terms) -> Steps[Draft]:
    """The cheapest way to a ring, or why there is none."""
    figure = _token(stand, about.figure)
    spent = _spending(about)
    derived = yield from _one(stand, "t_move", terms, "moves", figure.id, more=lambda w: fact("goal", w, about.to) + spent(w))
    mp = _totals(derived).get("MP", 0)
    broken = _breaches(derived)
    rest = {str(ring): n for ring, n in derived["rest"]}
    supplied = stand.supplied(figure)
    result: dict[str, Any]
    if broken or about.to not in rest:
        result = {"mp": mp, "spent": 0, "end": {"at": figure.at}, "steps": []}
        opened = sorted((n, str(enemy)) for ring, n, enemy in derived["after"] if ring == about.to)
        if opened:
            names = {f.at: f.id for f in stand.board.figures}
            result["after_duel"] = {"spent": opened[0][0], "against": [names[enemy] for n, enemy in opened if n == opened[0][0]]}
        return Draft(Verdict.ILLEGAL, result, _available(derived), broken, matters(derived), supplied=supplied, explains=True)
    way = _way(stand, derived, about.to, figure.at)
    result = {"mp": mp, "spent": rest[about.to], "end": {"at": about.to}, "steps": way}
    least = {str(ring): n for ring, n in derived["least"]}
    walked, before = [], 0
    for number, ring in enumerate(way, 1):
        rule = "movement.entering" if number == 1 and figure.at == OFF else "movement.ring"
        left = way[number - 2] if number > 1 else figure.at
        slow = least[ring] - before - 1
        walked.append(Charge(rule, ring, least[ring] - before - slow, "MP", step=number))
        if slow:
            walked.append(Charge("terrain.leaving", left, slow, "MP", step=number))
        before = least[ring]
    return Draft(Verdict.LEGAL, result, (*_available(derived), *walked), (), matters(derived), supplied=supplied)


def _way(stand: RingStand, derived: Derived, goal: str, start: str) -> list[str]:
    """The rings of one cheapest way in order; of ways alike the one over the rings that the file names first."""
    order = {ring.id: number for number, ring in enumerate(stand.board.rings)}
    came: dict[str, list[str]] = {}
    for ring, before in derived["came"]:
        came.setdefault(str(ring), []).append(str(before))
    way: list[str] = []
    while goal not in (start, OFF):
        way.append(goal)
        goal = min(came[goal], key=lambda ring: order.get(ring, -1))
    return way[::-1]


def reach(stand: RingStand, about: Reach, terms: Terms) -> Steps[Draft]:
    """Every ring to end on with its price, and apart what a won duel would open."""
    figure = _token(stand, about.figure)
    derived = yield from _one(stand, "t_reach", terms, "moves", figure.id, more=_spending(about))
    opened = {str(ring): n for ring, n, _ in derived["after"]}
    rest = {str(ring): n for ring, n in derived["rest"]}
    result = {"rings": _sorted(stand, rest), "after_duel": _sorted(stand, opened)}
    broken = _breaches(derived)
    return Draft(Verdict.COMPUTED, result, _available(derived), broken, matters(derived), supplied=stand.supplied(figure))


def _spending(about: MoveTo | Reach) -> Callable[[int], str]:
    """The victory points spent on a movement, as facts."""

    def facts(world: int) -> str:
        return fact("spends", world, about.figure, about.points) + fact("on_turn", world) if about.points else ""

    return facts


def _sorted(stand: RingStand, prices: dict[str, int]) -> dict[str, int]:
    order = {ring.id: number for number, ring in enumerate(stand.board.rings)}
    return dict(sorted(prices.items(), key=lambda item: (item[1], order[item[0]])))


# --- attacks and duels ----------------------------------------------------------------------------------------------


def _effects(piece: Piece) -> str:
    amounts = {"combat": piece.combat, "dice": piece.dice, "hits": piece.hits, "wounds": piece.wounds}
    parts = [fact("piece", piece.name, Name(piece.type.replace("-", "_")))]
    return "".join(parts + [fact("effect", piece.name, Name(key), n) for key, n in amounts.items() if n])


def _arms(stand: RingStand, figure: Token) -> Iterator[Piece]:
    yield from (stand.piece(name) for name in figure.gear or ())


def attack(stand: RingStand, about: Attack, terms: Terms) -> Steps[Draft]:
    """May it be made, with which pools and difficulties, and the exact chance of each number of wounds."""
    attacker, target = _token(stand, about.figure), _token(stand, about.target)
    named = None if about.weapon is None else stand.piece(about.weapon)
    if named is not None and named.type in _CLOSED and not named.supplied:
        page = ringtables.missing_pages(stand.system)["weapons"]
        what = f"the rules of {named.type} weapons such as {named.name} are not in the text of the book"
        raise MissingValue(f"{what}: they stand on {page}", fix=f'add a [[weapon]] name = "{named.name}" with type and values')
    arms = {piece.name: piece for piece in (*_arms(stand, attacker), *([named] if named is not None else []))}

    def more(world: int) -> str:
        said = fact("asked", world, _TYPES[about.type]) if about.type is not None else ""
        said += fact("names", world, named.name) if named is not None else ""
        said += fact("counters", world) if about.counter else ""
        return said + "".join(map(_effects, arms.values()))

    derived = yield from _one(stand, "t_attack", terms, "attacks", attacker.id, target.id, more=more)
    totals = _totals(derived)
    pool, difficulty = totals.get("pool", 0), totals.get("difficulty", 0)
    shock_pool = totals.get("shock pool", 0)
    shock_difficulty = sum(n for _, _, _, n, unit, _ in derived["charge"] if unit == "shock difficulty")
    adds = {key: sum(n for _, what, n, _ in derived["adds"] if what == key) for key in ("dice", "hits", "wounds")}
    p = chance(difficulty, adds["dice"], keep_one=derived.holds("unraised"), keep_ten=derived.holds("unlowered"))
    hits, parries = successes(pool, p), successes(shock_pool, chance(shock_difficulty))
    odds = wounds(hits, parries, adds["hits"], adds["wounds"])
    kind = AttackType.H2H if derived.value("type") == "close" else AttackType.NORMAL
    used = [str(name) for name in derived.values("uses")]
    result: dict[str, Any] = {
        "type": str(kind),
        "pool": pool,
        "difficulty": difficulty,
        "shock_pool": shock_pool,
        "shock_difficulty": shock_difficulty,
        "odds": {str(k): str(q) for k, q in enumerate(odds)},
    }
    if used:
        result["weapon"] = used[0]
    if about.counter:
        result["vp"] = sum(n for *_, n, unit, _ in derived["charge"] if unit == "VP")
    further = [
        Charge(str(rule), attacker.id, n, {"dice": "per die", "hits": "hit", "wounds": "wound"}[str(what)], note=str(name))
        for rule, what, n, name in sorted(derived["adds"], key=str)
    ]
    broken = _breaches(derived)
    supplied = (*stand.supplied(attacker), *stand.supplied(target), *(name for name in used if arms[name].supplied))
    verdict = Verdict.ILLEGAL if broken else Verdict.LEGAL
    return Draft(
        verdict, result, (*_charges(derived), *further), broken, matters(derived), supplied=tuple(dict.fromkeys(supplied))
    )


def targets(stand: RingStand, about: Targets, terms: Terms) -> Steps[Draft]:
    """Whom a character may attack now, and how."""
    figure = _token(stand, about.figure)
    derived = yield from _one(stand, "t_targets", terms, "aims", figure.id)
    found = {(str(how), str(id)) for how, id in derived["may"]}
    result = {
        word: [enemy.id for enemy in stand.enemies(figure) if (how, enemy.id) in found]
        for word, how in (("normal", "normal"), ("h2h", "close"))
    }
    return Draft(Verdict.COMPUTED, result, (), (), matters(derived))


def duel(stand: RingStand, about: Duel, terms: Terms) -> Steps[Draft]:
    """The chance that the asker wins."""
    own, other = _token(stand, about.figure), _token(stand, about.against)
    if own.id == other.id:
        raise QuestionError(f"{own.id} cannot fight a duel alone", fix="name another figure after against")
    derived = yield from _one(stand, "t_duel", terms, "duels", own.id, other.id, Name(about.property))
    totals = _totals(derived)
    mine, theirs = totals.get("own", 0), totals.get("other", 0)
    a, b = successes(mine, chance(theirs)), successes(theirs, chance(mine))
    result = {"wins": str(wins(a, b, tie=not derived.holds("tie_lost"))), "pool": mine, "difficulty": theirs}
    supplied = tuple(dict.fromkeys((*stand.supplied(own), *stand.supplied(other))))
    return Draft(Verdict.COMPUTED, result, _charges(derived), _breaches(derived), matters(derived), supplied=supplied)


# --- crates and victory ---------------------------------------------------------------------------------------------


def search(stand: RingStand, about: Search, terms: Terms) -> Steps[Draft]:
    """May a crate be searched from where the character stands?"""
    derived = yield from _one(stand, "t_search", terms, "searches", about.figure, about.ring)
    broken = _breaches(derived)
    result = {"ring": about.ring, "enemies": [b.at for b in broken if b.rule == "search.enemy"]}
    names = {figure.at: figure.id for figure in stand.board.figures}
    result["enemies"] = [names[ring] for ring in result["enemies"]]
    return Draft(Verdict.ILLEGAL if broken else Verdict.LEGAL, result, (), broken, matters(derived))


def won(stand: RingStand, about: Won, terms: Terms) -> Steps[Draft]:
    """Is the game over, and who has won?"""
    mode = stand.board.mode or Mode.DEATHMATCH
    derived = yield from _one(stand, "t_won", terms, "plays", Name(mode))
    winners = sorted({str(side) for side, _ in derived["wins"]})
    rules = sorted({str(rule) for _, rule in derived["wins"]} | {str(rule) for rule in derived.values("ends")})
    result = {"mode": str(mode), "over": bool(rules), "winner": winners[0] if len(winners) == 1 else None}
    lines = tuple(Charge(rule, ", ".join(winners), 1, "game") for rule in rules)
    return Draft(Verdict.COMPUTED, result, lines, (), matters(derived))


def initiative(stand: RingStand, terms: Terms) -> Steps[Draft]:
    """The chances of each team to begin the round, and what they are where the one who rolled less may roll again."""
    derived = yield from _one(stand, "t_initiative", terms, "rolls")
    bonus = {str(side): n for side, n in derived["bonus"]}
    sides = [str(side) for side in Team]
    result: dict[str, Any] = {"bonus": {side: bonus.get(side, 0) for side in sides}, "odds": {}, "repeated": {}}
    ties_again, may = derived.holds("again"), {str(side) for side in derived.values("may_repeat")}
    for side, other in (sides, sides[::-1]) if derived.holds("higher") else ():
        own, against = bonus.get(side, 0), bonus.get(other, 0)
        result["odds"][side] = str(begins(own, against, ties_again=ties_again))
        if side in may:
            result["repeated"][side] = str(begins(own, against, ties_again=ties_again, repeats=True))
    return Draft(Verdict.COMPUTED, result, _charges(derived), (), matters(derived))


def round_(stand: RingStand, terms: Terms) -> Steps[Draft]:
    """Whose turn it is, and who may be played now."""
    derived = yield from _one(stand, "t_round", terms, "rounds")
    on = sorted(str(side) for side in derived.values("on"))
    may = {(str(side), str(id)) for side, id in derived["may_play"]}
    whom = {side: [f.id for f in stand.board.figures if (side, f.id) in may] for side in on}
    lines = tuple(Charge("turn.alternate", side, len(ids), "to play") for side, ids in whom.items())
    return Draft(Verdict.COMPUTED, {"turn": on, "may": whom}, lines, (), matters(derived))


# --- what is not counted --------------------------------------------------------------------------------------------


def caveats(stand: RingStand, about: About) -> tuple[str, ...]:
    """Equipment that the board names and that does more than the question takes into account, and what the text lacks."""
    found = []
    if isinstance(about, Won) and stand.board.mode is None:
        found.append('the mode, which the board does not name (mode = "story", "flags", "deathmatch" or "domination")')
    ids = (getattr(about, name, None) for name in ("figure", "target", "against"))
    for id in dict.fromkeys(id for id in ids if isinstance(id, str)):
        figure = stand.board.figure(id)
        idle = [name for name in (figure.gear or () if figure is not None else ()) if not stand.piece(name).heeded]
        if idle:
            found.append(f"further effects of {', '.join(idle)} ({id})")
    if isinstance(about, Attack):
        names = [about.weapon] if about.weapon is not None else [*(_token(stand, about.figure).gear or ())]
        if any(stand.piece(name).type is not GearType.GEAR and not stand.piece(name).supplied for name in names):
            found.append(f"whatever {ringtables.missing_pages(stand.system)['weapons']}, adds, which the text lacks")
    return tuple(found)
