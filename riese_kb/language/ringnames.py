"""The names in a question against a board of rings: figures, rings, weapons."""

from __future__ import annotations

from msgspec.structs import replace

from riese_kb.board import square_name
from riese_kb.errors import QuestionError, did_you_mean
from riese_kb.question import (
    About,
    Attack,
    AttackType,
    CanTo,
    Duel,
    Exit,
    Initiative,
    Lof,
    MoveTo,
    Reach,
    Round,
    Search,
    Sight,
    Targets,
    Won,
)
from riese_kb.rings import RingBoard
from riese_kb.tables import loose

_FORMS = (
    "can ID move to RING [with 2 vp], reach ID [with 2 vp], sight ID to ID, targets ID, attack ID on ID [h2h], "
    "counterattack ID on ID [h2h], "
    "duel ID against ID with condition or mind, may ID search RING, initiative, round, won"
)


def ring_about(about: About, board: RingBoard) -> About:
    """The question with figures and rings spelled as the board spells them. Raises QuestionError with the nearest name."""
    match about:
        case MoveTo(figure, ring, points):
            return MoveTo(_figure(figure, board), _ring(ring, board), points)
        case CanTo(figure, None, to) if not isinstance(to, Exit):
            return MoveTo(_figure(figure, board), _ring(square_name(to), board))
        case Sight(start, end) | Lof(str(start), str(end)):
            return Sight(_place(start, board), _place(end, board))
        case Reach(figure, None, points):
            return Reach(_figure(figure, board), None, points)
        case Targets(figure, None, False):
            return Targets(_figure(figure, board))
        case Attack(figure, target, weapon, kind, None, False, False, False, False) if kind is not AttackType.SPREAD:
            named = None if weapon is None else _weapon(weapon, board)
            return replace(about, figure=_figure(figure, board), target=_figure(target, board), weapon=named)
        case Duel(figure, against):
            return replace(about, figure=_figure(figure, board), against=_figure(against, board))
        case Search(figure, ring):
            return Search(_figure(figure, board), _ring(ring, board))
        case Won() | Initiative() | Round():
            return about
    raise QuestionError("this is no question about a board of rings", fix=f"here: {_FORMS}")


def _figure(id: str, board: RingBoard) -> str:
    found = board.figure(id)
    if found is None:
        ids = [figure.id for figure in board.figures]
        raise QuestionError(f'there is no figure "{id}" on the board', fix=did_you_mean(id, ids))
    return found.id


def _ring(id: str, board: RingBoard) -> str:
    found = board.ring(id)
    if found is None:
        raise QuestionError(f'there is no ring "{id}" on the board', fix=did_you_mean(id, [ring.id for ring in board.rings]))
    return found.id


def _place(id: str, board: RingBoard) -> str:
    """A figure's id, else a ring's."""
    figure, ring = board.figure(id), board.ring(id)
    if figure is not None:
        return figure.id
    if ring is not None:
        return ring.id
    names = [*(figure.id for figure in board.figures), *(ring.id for ring in board.rings)]
    raise QuestionError(f'there is no figure or ring "{id}" on the board', fix=did_you_mean(id, names))


def ring_of(place: str, board: RingBoard) -> str:
    """The ring of a figure or the ring itself; ``off`` for a figure that is not on the board."""
    figure = board.figure(place)
    return figure.at if figure is not None else place


def _weapon(spelling: str, board: RingBoard) -> str:
    from riese_kb.ringtables import find_piece, pieces

    own = [piece.name for piece in board.pieces]
    for name in own:
        if loose(name) == loose(spelling) != "":
            return name
    found = find_piece(board.system, spelling)
    if found is None:
        raise QuestionError(f'there is no weapon "{spelling}"', fix=did_you_mean(spelling, [*own, *pieces(board.system)]))
    return found
