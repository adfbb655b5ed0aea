"""``spawn …``: what appears, waits or is left out at the spawn locations that come up, or after an unlucky search."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb
from typing import Any

from riese_kb.board import Board, Kind, Marker, Square, Stock, square_name
from riese_kb.draft import Charge, Draft, Marks, Verdict, charges, matters
from riese_kb.facts import Name, fact
from riese_kb.odds import FACES
from riese_kb.position import Position, Terms, line_facts, line_squares
from riese_kb.question import Spawn
from riese_kb.worlds import Derived, Steps, World

PILES = ("aside", "discard", "pool")


def spawn(position: Position, about: Spawn, terms: Terms) -> Steps[Draft]:
    """Everything that one spawn brings; markers of the same label spawn together."""
    board = position.board
    gates = [m for m in board.markers if m.kind == "spawn" and about.label in (None, m.label)]
    searched = next((m for m in board.markers if m.kind == "objective" and m.label == about.label), None) if not gates else None
    if searched is None:
        (derived,) = yield [_world(position, about, terms, gates, None, {m.at for m in gates})]
    else:  # only where it may appear does anybody have to look
        (places,) = yield [_world(position, about, terms, [], searched, set())]
        (derived,) = yield [_world(position, about, terms, [], searched, set(places.values("appears")))]
    return _draft(board, about, gates, searched, derived)


def track_facts(board: Board, world: int) -> list[str]:
    """The round, and what the spaces of the round track show."""
    labels = [(space, label) for space, text in enumerate(board.track, 1) for label in text.split()]
    parts = [fact("round_now", world, board.round)]
    parts += [fact("spaces", world, len(board.track))] if board.track else []
    return parts + [fact("starred", world, s) if label == "*" else fact("prints", world, s, label) for s, label in labels]


def _world(
    position: Position, about: Spawn, terms: Terms, gates: list[Marker], searched: Marker | None, seen: Iterable[Square]
) -> World:
    """The world of one spawn, with the heroes' lines to the squares ``seen``."""
    board = position.board
    lines = [(f.at, square) for f in board.figures if f.kind is Kind.HERO for square in sorted(seen) if f.at != square]
    squares = None
    if searched is None:
        squares = frozenset(m.at for m in gates).union(*(line_squares(*line) for line in lines))

    def facts(world: int) -> str:
        if about.label is None:
            parts = [*track_facts(board, world), *(fact("spawn_at", world, m.label or "", m.at) for m in gates)]
        else:
            parts = [fact("gate", world, m.at) for m in gates]
        parts += [fact("queue", world, m.at, m.waiting) for m in gates if m.waiting]
        parts += [fact("searched", world, searched.at)] if searched is not None else []
        parts += [fact("traces", world, *line) for line in lines]
        parts += [fact("wanted", world, about.type)] if about.type is not None else []
        parts += [fact("stock", world, Name(pile), _count(stock, about.type)) for pile, stock in _piles(board)]
        return "".join(parts)

    return World(position, "spawn", terms, facts, squares, tuple(line_facts(*line) for line in lines), figures=None)


def _piles(board: Board) -> list[tuple[str, Stock]]:
    """The piles that the board tells of. One that it leaves out beside others is empty."""
    piles = {pile: getattr(board, pile) for pile in PILES}
    if board.pool is not None or board.discard is not None:
        return [(pile, piles[pile] or ()) for pile in PILES]
    return [("aside", board.aside)] if board.aside is not None else []


def _count(stock: Stock, type: str | None) -> int:
    return sum(count for kind, count in stock if type in (None, kind))


def _draft(board: Board, about: Spawn, gates: list[Marker], searched: Marker | None, derived: Derived) -> Draft:
    if about.label is None:
        shown = set(derived.values("gate"))
        gates = [m for m in gates if m.at in shown]
    appears = sorted(set(derived.values("appears")))
    quiet = sorted(derived["quiet"])
    inactive = sorted({at for at, _ in quiet})
    waits: dict[Square, str] = {at: str(rule) for at, rule in sorted(derived["waits"], key=str, reverse=True)}
    freed = set(derived.values("freed"))
    queue = {m.at: m.waiting - (m.at in freed) + (m.at in waits) for m in gates}
    dry = derived.holds("dry")
    open_gates = [m for m in gates if m.at not in inactive]
    skipped = (len(open_gates) or int(searched is not None)) if dry else sum(n for n in derived.values("missing"))
    sources = [str(pile) for pile in derived.values("source")]
    result: dict[str, Any] = {
        "appears": [square_name(at) for at in appears],
        "choice": searched is not None and len(appears) > 1,
        "waiting": {square_name(at): count for at, count in sorted(queue.items()) if count},
        "inactive": [square_name(at) for at in inactive],
        "skipped": skipped,
        "wounded": sorted({str(id) for _, id in derived["harmed"]}),
        "revealed": _revealed(derived),
        "from": None if dry or not sources else sources[0],
        "draw": _draw(board, about, sources),
    }
    ledger = [_where(about, at, searched) for at in appears if at not in freed]
    ledger += [Charge("spawning.queue", square_name(at), 1, "comes on from the queue") for at in sorted(freed)]
    ledger += [Charge(rule, square_name(at), queue[at], "waiting") for at, rule in waits.items()]
    ledger += [Charge(str(rule), square_name(at), 0, "nothing spawns") for at, rule in quiet]
    ledger += charges(derived, board)
    ledger += [
        Charge("revealing.in-lof", square_name(at), 1, "revealed", note=str(id)) for at, id in sorted(derived["turned"], key=str)
    ]
    ledger += _source_lines(about, sources, skipped)
    if derived.holds("holds_back"):
        result["rearguard"] = _held_back(derived)
    if derived.holds("rests"):
        ledger.append(Charge("spawning.no-activation", "", 0, "no activation this turn"))
    labels = dict.fromkeys(appears, "1")
    return Draft(Verdict.COMPUTED, result, tuple(dict.fromkeys(ledger)), (), matters(derived), Marks(labels))


def _held_back(derived: Derived) -> dict[str, str]:
    """How many zombies the rearguard keeps away: each number with its chance."""
    ((dice, faces),) = derived["holds_back"]
    one = Fraction(faces, FACES)
    return {str(n): str(comb(dice, n) * one**n * (1 - one) ** (dice - n)) for n in range(dice + 1)}


def _where(about: Spawn, at: Square, searched: Marker | None) -> Charge:
    if searched is not None:
        return Charge("spawning.search", square_name(at), 1, "may appear")
    return Charge("spawning.location", square_name(at), 1, "appears")


def _source_lines(about: Spawn, sources: list[str], skipped: int) -> list[Charge]:
    """Where the zombies come from, and how many do not come at all."""
    lines = []
    rules = {"pool": "spawning.pool", "discard": "spawning.reshuffle"}
    for pile in sources:
        rule = "spawning.specific" if about.type is not None else rules[pile]
        lines.append(Charge(rule, "", 1, f"drawn from {_PILE[pile]}"))
    if skipped:
        rule = "spawning.nothing-left" if about.type is None else "spawning.all-on-map"
        lines.append(Charge(rule, "", skipped, "left out"))
    return lines


_PILE = {"pool": "the pool", "discard": "the discard pile", "aside": "what was set aside"}


def _revealed(derived: Derived) -> dict[str, list[str]]:
    """Squares on which the zombie is turned up at once, with the heroes who see it."""
    found: dict[str, list[str]] = {}
    for at, id in sorted(derived["turned"], key=str):
        found.setdefault(square_name(at), []).append(str(id))
    return found


def _draw(board: Board, about: Spawn, sources: list[str]) -> dict[str, str]:
    """The chances of the type of the first zombie that is drawn; empty where nobody knows the pile."""
    if about.type is not None:
        return {about.type: "1"} if sources else {}
    stock = dict(_piles(board)).get(sources[0], ()) if sources else ()
    total = sum(count for _, count in stock)
    return {kind: str(Fraction(count, total)) for kind, count in stock}
