"""Figures without health: the board as it is once they have been killed. Only boards that have some pass through here."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.board import Board, Figure, Kind
from riese_kb.draft import Charge, Draft, charges
from riese_kb.errors import QuestionError
from riese_kb.language import resolve
from riese_kb.position import Position, Terms
from riese_kb.question import About, Question
from riese_kb.worlds import Steps, World

Core = Callable[[Position, About, Terms], Steps[Draft]]


class After(Struct, frozen=True):
    """The board without its dead, and the rules that say so."""

    position: Position
    ledger: tuple[Charge, ...]


def told(position: Position, about: About, terms: Terms, core: Core) -> Steps[Draft]:
    """The draft of a question about the board on which the dead have risen or are gone.

    Raises ``QuestionError`` when the question is about a figure that is no longer what the board calls it.
    """
    key = ("fallen", terms.law)
    if key not in position.kept:
        position.kept[key] = yield from after_death(position, terms)
    known = position.kept[key]
    assert isinstance(known, After)
    _check(about, position.board, known.position.board)
    draft: Draft = yield from core(known.position, about, terms)
    return replace(draft, ledger=(*known.ledger, *draft.ledger))


def after_death(position: Position, terms: Terms) -> Steps[After]:
    """The board on which the dead have risen or are gone."""
    board = position.board
    dead = frozenset(f.id for f in board.figures if f.health == 0)
    squares = frozenset(f.at for f in board.figures if f.id in dead)
    (derived,) = yield [World(position, "fallen", terms, lambda _: "", squares, figures=dead)]
    risen = {str(id): (str(type), str(power)) for id, type, power in derived["stands_for"]}
    gone = set(map(str, derived.values("vanishes")))
    figures = []
    for figure in board.figures:
        if figure.id in risen:
            type, power = risen[figure.id]
            powers = () if power == "none" else (power,)
            figures.append(Figure(id=figure.id, kind=Kind.ZOMBIE, at=figure.at, type=type, powers=powers))
        elif figure.id not in gone:
            figures.append(replace(figure, locks=tuple(id for id in figure.locks if id not in gone and id not in risen)))
    return After(Position(replace(board, figures=tuple(figures))), tuple(charges(derived, board)))


def _check(about: About, before: Board, after: Board) -> None:
    """Whether the question still fits those whom it names."""
    figures = tuple(replace(f, health=None) if f.health == 0 else f for f in after.figures)
    try:
        resolve(Question("", about), replace(after, figures=figures))
    except QuestionError as fault:
        dead = [f.id for f in before.figures if f.health == 0 and f.id in fault.what]
        raise QuestionError(f"{fault.what}: {dead[0]} has no health left" if dead else fault.what, fix=fault.fix) from None
