"""``search …``: who may search a place, and what can come of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from riese_kb.board import Board, Figure, Kind, Square, parse_square, square_name
from riese_kb.charts import Entry, charts, find_chart, spoken
from riese_kb.draft import Breach, Charge, Draft, Marks, Verdict, breaches, charges, matters
from riese_kb.facts import fact
from riese_kb.odds import FACES
from riese_kb.position import Position, Terms
from riese_kb.question import SearchPlace
from riese_kb.worlds import Derived, Steps, World

PLACES = ("objective", "cabinet")
"""Markers that can be searched."""
OPERATED = ("objective", "mark")
"""Markers of squares for which a scenario may have a special action of its own."""


_TOKENS = "on hand, each for a die rolled again"


def search(position: Position, about: SearchPlace, terms: Terms) -> Steps[Draft]:
    """May the hero, or which heroes may, search there; and with which chances does the chart give what?"""
    board = position.board
    squares = places(board, about.place)
    asked = [f for f in board.figures if f.kind is Kind.HERO and about.figure in (None, f.id)]
    answers = yield [_world(position, about, hero, squares, terms) for hero in asked]
    broken = {hero.id: breaches(derived, board) for hero, derived in zip(asked, answers, strict=True)}
    result: dict[str, Any] = {"at": [square_name(s) for s in squares], "may": [id for id, rules in broken.items() if not rules]}
    ledger: list[Charge] = []
    id = _id(board, about.chart)
    if id is not None and answers:
        derived = answers[0]
        result |= _chances(board, id, derived, skilled=about.figure is not None)
        chart = charts(board.system)[id]
        ledger.append(Charge("search.roll", "", 1, "die", note=f"{chart.name} ({chart.cite})"))
        if about.figure is not None:
            ledger += [Charge(str(rule), "", amount, "on the roll") for rule, amount in sorted(derived["helps"])]
            ledger += [line for line in charges(derived, board) if line.unit == _TOKENS]
    marks = Marks(labels=dict.fromkeys(squares, "?"))
    seen = frozenset[str]().union(*(matters(derived) for derived in answers)) if about.figure else frozenset()
    if about.figure is None:
        ledger += [Charge(b.rule, b.at, 0, "forbids may", note=id) for id, rules in broken.items() for b in rules]
        return Draft(Verdict.COMPUTED, result, tuple(ledger), (), seen, marks)
    found: list[Breach] = broken[about.figure]
    verdict = Verdict.ILLEGAL if found else Verdict.LEGAL
    others = (f.id for f in board.figures if f.kind is Kind.HERO and f.id != about.figure)
    hints = tuple(SearchPlace(about.place, id, about.chart) for id in others)
    return Draft(verdict, result, tuple(ledger), tuple(found), seen, marks, hints=hints)


def places(board: Board, place: str, kinds: tuple[str, ...] = PLACES) -> list[Square]:
    """The squares with a marker of that label (and of those kinds), or the square of that name."""
    labelled = [m.at for m in board.markers if m.kind in kinds and m.label == place]
    square = parse_square(place)
    return labelled or list(dict.fromkeys(m.at for m in board.markers if m.kind in kinds and m.at == square))


def _world(position: Position, about: SearchPlace, hero: Figure, squares: list[Square], terms: Terms) -> World:
    rows = _rows(position.board, _id(position.board, about.chart))

    def facts(world: int) -> str:
        parts = [fact("actor", world, hero.id), *(fact("seeks", world, square) for square in squares)]
        parts += [fact("row", world, id, number, row.lowest, row.highest) for id, number, row in rows]
        return "".join(parts)

    return World(position, "search", terms, facts, frozenset({*squares, hero.at}), (), frozenset({hero.id}))


def _id(board: Board, name: str | None) -> str | None:
    return None if name is None else find_chart(board.system, name)


def _rows(board: Board, chart: str | None) -> list[tuple[str, int, Entry]]:
    """The rows of a chart and of those that it sends on to."""
    found: list[tuple[str, int, Entry]] = []
    todo = [chart] if chart is not None else []
    while todo:
        id = todo.pop()
        rows = charts(board.system)[id].rows
        found += [(id, number, row) for number, row in enumerate(rows)]
        todo += [row.roll for row in rows if row.roll is not None]
    return found


Chances = Mapping[str, Fraction]


def _chances(board: Board, chart: str, derived: Derived, *, skilled: bool) -> dict[str, Any]:
    """The odds of each result; under every number that a skill may add; of getting it with one of two rolls."""
    shifts = sorted({shift for _, shift, _, _ in derived["finds"]})
    plain = _odds(board, chart, derived, 0)
    result: dict[str, Any] = {"chart": charts(board.system)[chart].name, "odds": _written(plain)}
    shifted = {f"{shift:+d}": _written(_odds(board, chart, derived, shift)) for shift in shifts if shift and skilled}
    twice = {name: 1 - (1 - chance) ** 2 for name, chance in plain.items()} if skilled and derived.holds("rolls_twice") else {}
    return result | {"shifted": shifted, "twice": _written(twice), "one_more": skilled and derived.holds("one_more")}


def _odds(board: Board, chart: str, derived: Derived, shift: int, above: Mapping[str, int] | None = None) -> dict[str, Fraction]:
    """The chance of each result of one roll; a row that sends on to another chart is rolled on there without the skill."""
    rows = charts(board.system)[chart].rows
    faces = Counter(number for id, moved, _, number in derived["finds"] if id == chart and moved == shift)
    found: dict[str, Fraction] = {}
    for number, count in sorted(faces.items()):
        got = dict(Counter(rows[number].found) + Counter(above or {}))
        chance = Fraction(count, FACES)
        further = (
            {spoken(got): Fraction(1)} if rows[number].roll is None else _odds(board, rows[number].roll or "", derived, 0, got)
        )
        for name, part in further.items():
            found[name] = found.get(name, Fraction(0)) + chance * part
    missed = 1 - Fraction(sum(faces.values()), FACES)
    if missed and faces:
        found["nothing"] = found.get("nothing", Fraction(0)) + missed
    return found


def _written(chances: Chances) -> dict[str, str]:
    return {name: str(chance) for name, chance in chances.items()}
