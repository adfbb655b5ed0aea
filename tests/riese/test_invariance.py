"""What must not change an answer: mirrors, turns, shifts, far-away figures, names, order, and what was asked before."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from riese_kb.answer import Answer
from riese_kb.asking import ask, ask_all
from riese_kb.board import Board, Edge, EdgeKind, Figure, Kind, Square, Terrain, edge_between, parse_square
from riese_kb.draft import Draft, Verdict
from riese_kb.drawn.boards import all_edges
from riese_kb.drawn.questions import random_question
from riese_kb.errors import RieseError
from riese_kb.question import (
    Attack,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Initiative,
    Lof,
    MayCarry,
    Npc,
    NpcTurn,
    Question,
    Reach,
    Round,
    SearchPlace,
    Spawn,
    Targets,
    Throw,
    Zombie,
    ZombieTurn,
)
from tests.drawing.symmetries import Moved, closed_rim, mirror, rotate, shift
from tests.riese.generated import (
    QUERIES,
    Asked,
    boards,
    boards_for,
    chosen,
    complaint,
    dice,
    drafts,
    drawn,
    line,
    ruled,
    seeds,
    shown,
)

# Boards a chunk, questions a board.
AMOUNTS: dict[type[Any], tuple[int, int]] = {
    Can: (12, 10),
    CanTo: (5, 2),
    Reach: (8, 2),
    Lof: (10, 20),
    Attack: (12, 8),
    Targets: (10, 3),
    Throw: (12, 6),
    Blast: (12, 5),
    BreakLock: (15, 2),
    SearchPlace: (5, 2),
    MayCarry: (10, 2),
    Zombie: (14, 2),
    ZombieTurn: (5, 1),
    Initiative: (3, 1),
    Round: (6, 1),
    Spawn: (10, 2),
    Npc: (10, 2),
    NpcTurn: (5, 1),
}
KINDS = pytest.mark.parametrize("kind", list(QUERIES))
CHUNKS = pytest.mark.parametrize("chunk", seeds(1))

Told = dict[str, Any]


Carry = Callable[[Any, Board, str], Told]
"""What an answer says, given the side on which it was asked."""


def same(thing: Any) -> Any:
    return thing


def off(board: Board, place: str) -> bool:
    """Whether a place is behind the rim or no square of the map."""
    square = parse_square(place)
    return " " in place or (square is not None and board.terrain.get(square, Terrain.VOID) is Terrain.VOID)


def told(
    draft: Draft | RieseError, about: object, board: Board, name: Callable[[str], str] = same, carry: Callable = same
) -> Told:
    """What an answer says, in the names of the other side, with nothing in it that hangs on the order of things.

    Of several cheapest ways, or flanks at the same price, either side may take any.
    """
    if isinstance(draft, RieseError):
        return {"error": type(draft).__name__}
    result = dict(draft.result)
    if isinstance(about, (Can, CanTo)):
        result.pop("steps", None)
        result["choices"] = len(result["choices"])
        if isinstance(about, CanTo):
            result["end"] = result["end"]["at"]
            result.pop("choices")
    ledger = [(entry.rule, name(entry.at), entry.amount, entry.unit, entry.step) for entry in draft.ledger]
    # Of several obstacles at the same distance, either side may name any; behind the rim squares have other names.
    nameless = isinstance(about, CanTo)
    broken = {(b.step, b.rule, "" if nameless or off(board, b.at) else name(b.at)) for b in draft.violations}
    return {
        "verdict": str(draft.verdict),
        "result": carry(result),
        "violations": broken,
        "ledger": [] if isinstance(about, (Can, CanTo, ZombieTurn)) else ledger,
    }


def plain(thing: Any) -> Any:
    """With every list sorted: the order of squares on a line, of outcomes, of names says nothing here."""
    if isinstance(thing, dict):
        return {key: plain(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple, set, frozenset)):
        return sorted((plain(value) for value in thing), key=repr)
    return thing


def check(before: list[Asked], after: list[Asked], carried: Iterable[Carry]) -> None:
    """The answers before, carried over, are the answers after."""
    faults: list[str] = []
    for (board, question), (there, other), one, two, carry in zip(
        before, after, drafts(before), drafts(after), carried, strict=True
    ):
        expected = plain(carry(one, board, "before"))
        got = plain(carry(two, there, "after"))
        if got != expected:
            differs = [key for key in expected if expected[key] != got.get(key)]
            faults.append(shown(board, question, differs=differs, before=expected) + shown(there, other, after=got))
    assert not faults, complaint(faults, len(before))


# --- symmetries ------------------------------------------------------------------------------------------------------

MOVES: dict[str, Callable[[Board], Moved]] = {
    "mirror": mirror,
    "rotate": rotate,
    "shift": lambda board: walled_shift(board, 2, 1),
}


def walled_shift(board: Board, dx: int, dy: int) -> Moved:
    """The board moved on, its old rim still of wall."""
    moved = shift(board, dx, dy)
    walls = {edge_between(moved.square(a), moved.square(b)): kind for (a, b), kind in board.edges.items()}
    return replace(moved, board=replace(moved.board, edges={**moved.board.edges, **walls}))


@CHUNKS
@pytest.mark.parametrize("move", list(MOVES))
@KINDS
def test_symmetries(kind: type[Any], move: str, chunk: int) -> None:
    rng = dice("symmetry", kind.__name__, move, chunk)
    before: list[Asked] = []
    after: list[Asked] = []
    carried: list[Carry] = []
    count, each = AMOUNTS[kind]
    for board in boards_for(kind, rng, count, 3, 7):
        here = closed_rim(board) if move == "shift" else board
        moved = MOVES[move](here)
        for _ in range(each):
            question = random_question(rng, here, kind)
            before.append((here, question))
            after.append((moved.board, moved.question(question)))
            carried.append(along(moved, question))
    check(before, after, carried)


def along(moved: Moved, question: Question) -> Carry:
    def carry(draft: Any, board: Board, side: str) -> Told:
        if side == "after":
            return told(draft, question.about, board)
        return told(draft, question.about, board, lambda at: str(moved.name(at)), moved.answer)

    return carry


# --- figures that are no concern ---------------------------------------------------------------------------------------


@CHUNKS
@pytest.mark.parametrize("stranger", ["stunned zombie", "civilian"])
@pytest.mark.parametrize("kind", [kind for kind in QUERIES if kind is not Round])  # everybody has a turn in a round
def test_somebody_far_away(kind: type[Any], stranger: str, chunk: int) -> None:
    """In a closed room beyond a stretch without map nobody can be reached, seen, or heard.

    A zombie there still takes its turn, a stunned one without moving. It must not howl or lead: those powers reach
    everywhere, which ``test_powers_that_reach_everywhere`` shows.
    """
    rng = dice("far", kind.__name__, stranger, chunk)
    far = Figure(id="far", kind=Kind.CIVILIAN, at=(0, 0), health=1)
    if stranger != "civilian":
        far = Figure(id="far", kind=Kind.ZOMBIE, type="beta", at=(0, 0), status=("stunned",))
    count, each = AMOUNTS[kind]
    before: list[Asked] = []
    after: list[Asked] = []
    for board in map(closed_rim, boards_for(kind, rng, count)):
        there = with_stranger(board, far)
        for _ in range(each):
            question = random_question(rng, board, kind)
            before.append((board, question))
            after.append((there, question))
    check(before, after, [without_far(question) for _, question in before])


def with_stranger(board: Board, figure: Figure, gap: int = 3) -> Board:
    """The board with ``gap`` columns of nothing in the east, then a room of one square with that figure in it."""
    width = board.width + gap + 1
    room = (width, board.height)
    terrain: dict[Square, Terrain] = {
        (x, y): board.terrain.get((x, y), Terrain.VOID) for x in range(1, width + 1) for y in range(1, board.height + 1)
    }
    terrain[room] = Terrain.CLEAR
    edges: dict[Edge, EdgeKind] = dict(board.edges)
    for edge in all_edges(width, board.height):
        if room in edge or any(square not in terrain for square in edge):
            edges[edge] = EdgeKind.WALL
    return replace(board, width=width, terrain=terrain, edges=edges, figures=(*board.figures, replace(figure, at=room)))


def without_far(question: Question) -> Carry:
    def carry(draft: Any, board: Board, side: str) -> Told:
        if side == "after" and isinstance(draft, Draft):
            ledger = tuple(entry for entry in draft.ledger if entry.note != "far" and not entry.note.endswith(", far"))
            draft = replace(draft, ledger=ledger, result=stripped(draft.result))
        return told(draft, question.about, board)

    return carry


def stripped(result: dict[str, Any]) -> dict[str, Any]:
    """The zombie turn without the stranger."""
    if "outcomes" not in result:
        return result
    order = [[id for id in tie if id != "far"] for tie in result["order"]]
    outcomes = [{id: at for id, at in outcome.items() if id != "far"} for outcome in result["outcomes"]]
    return {"order": [tie for tie in order if tie], "outcomes": outcomes}


def test_powers_that_reach_everywhere() -> None:
    """A howling zombie and an awake leader are heard wherever they are."""
    rng = dice("everywhere")
    changed = {"howl": 0, "leader-of-the-pack": 0}
    for power, kind in (("howl", Reach), ("leader-of-the-pack", Zombie)):
        far = Figure(id="far", kind=Kind.ZOMBIE, type="beta", at=(0, 0), powers=(power,))
        asked = drawn(rng, kind, 15, 1)
        there = [(with_stranger(closed_rim(board), far), question) for board, question in asked]
        here = [(closed_rim(board), question) for board, question in asked]
        for one, two in zip(drafts(here), drafts(there), strict=True):
            assert isinstance(one, Draft)
            assert isinstance(two, Draft)
            changed[power] += one.result != two.result
    assert all(changed.values()), changed


# --- names and order --------------------------------------------------------------------------------------------------


@CHUNKS
@KINDS
def test_order_of_the_figures(kind: type[Any], chunk: int) -> None:
    """The figures of the file in another order."""
    rng = dice("order", kind.__name__, chunk)
    count, each = AMOUNTS[kind]
    before = drawn(rng, kind, count, each)
    mixed = {id(board): (board, shuffled(rng, board)) for board, _ in before}
    after = [(mixed[id(board)][1], question) for board, question in before]
    check(before, after, [as_it_is(question) for _, question in before])


def as_it_is(question: Question) -> Carry:
    def carry(draft: Any, board: Board, side: str) -> Told:
        return told(draft, question.about, board)

    return carry


def shuffled(rng: random.Random, board: Board) -> Board:
    figures = list(board.figures)
    rng.shuffle(figures)
    return replace(board, figures=tuple(figures))


@CHUNKS
@KINDS
def test_other_names(kind: type[Any], chunk: int) -> None:
    """Every figure under a name that sorts the other way round."""
    rng = dice("names", kind.__name__, chunk)
    count, each = AMOUNTS[kind]
    before = drawn(rng, kind, count, each)
    names = {id(board): (board, new_names(board)) for board, _ in before}
    after = [(renamed(board, names[id(board)][1]), ask_for(question, names[id(board)][1])) for board, question in before]
    check(before, after, [under_names(question, names[id(board)][1]) for board, question in before])


def new_names(board: Board) -> dict[str, str]:
    ids = sorted(figure.id for figure in board.figures)
    return {id: f"who_{chr(ord('z') - number)}" for number, id in enumerate(ids)}


def renamed(board: Board, names: dict[str, str]) -> Board:
    figures = tuple(
        replace(figure, id=names[figure.id], locks=tuple(names[id] for id in figure.locks)) for figure in board.figures
    )
    return replace(board, figures=figures)


def ask_for(question: Question, names: dict[str, str]) -> Question:
    about: Any = question.about
    fields = {
        key: names[value] for key in ("figure", "target", "start", "end") if isinstance(value := getattr(about, key, None), str)
    }
    return ruled(replace(question, about=replace(about, **fields)), dict(question.under))


def under_names(question: Question, names: dict[str, str]) -> Carry:
    def carry(draft: Any, board: Board, side: str) -> Told:
        mapped = names if side == "before" else {}
        return told(draft, question.about, board, same, lambda result: swapped(result, mapped))

    return carry


def swapped(thing: Any, names: dict[str, str]) -> Any:
    if isinstance(thing, dict):
        return {names.get(key, key): swapped(value, names) for key, value in thing.items()}
    if isinstance(thing, (list, tuple)):
        return [swapped(value, names) for value in thing]
    return names.get(thing, thing) if isinstance(thing, str) else thing


# --- one by one, or all at once -----------------------------------------------------------------------------------------


def mixed_questions(rng: random.Random, count: int) -> list[Asked]:
    kinds: list[type[Any]] = [*(kind for kind in QUERIES if kind not in (ZombieTurn, Npc)), Can, Attack]
    return [(board, random_question(rng, board, kind)) for board in boards(rng, count, 3, 6) for kind in kinds]


def said(answer: Any) -> str:
    return str(answer) if isinstance(answer, RieseError) else line(answer.to_json())


def alone(board: Board, question: Question) -> str:
    """Asked by itself, on a board that nobody has asked about."""
    try:
        return said(ask(replace(board), question))
    except RieseError as error:
        return str(error)


@pytest.mark.parametrize("chunk", seeds(6))
@pytest.mark.parametrize("kind", [Reach, CanTo])
def test_no_way_leads_farther_than_the_bound(kind: type[Any], chunk: int) -> None:
    """A rule that no search heeds is switched off, so that the whole map is searched: the answer is the same."""
    rng = dice("bound", kind.__name__, chunk)
    asked = drawn(rng, kind, 8, 3)
    everywhere = [(board, ruled(question, {}, ("attack.ammo",))) for board, question in asked]
    for (board, question), one, other in zip(asked, drafts(asked), drafts(everywhere), strict=True):
        assert isinstance(one, Draft), shown(board, question)
        assert isinstance(other, Draft), shown(board, question)
        assert (one.verdict, one.result, one.ledger) == (other.verdict, other.result, other.ledger), shown(board, question)


@pytest.mark.parametrize("chunk", seeds(3))
def test_a_batch_answers_like_single_questions(chunk: int) -> None:
    asked = mixed_questions(dice("batch", chunk), 4)
    for (board, question), answer in zip(asked, ask_all(asked), strict=True):
        assert said(answer) == alone(board, question), shown(board, question)


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    rng = dice("before")
    asked = mixed_questions(rng, 4)
    first = {id(question): said(answer) for (_, question), answer in zip(asked, ask_all(asked), strict=True)}
    for _ in range(2):
        rng.shuffle(asked)
        for (board, question), answer in zip(asked, ask_all(asked), strict=True):
            assert said(answer) == first[id(question)], shown(board, question)


def test_questions_under_different_law_do_not_mix() -> None:
    """One batch with switches and readings of many kinds against each question alone."""
    rng = dice("law")
    asked = [
        (board, ruled(question, under, without))
        for board, question in mixed_questions(rng, 2)
        for under, without in (
            ({}, ()),
            ({"zoc": "barrier", "vertex": "any", "z_flank": "bare"}, ()),
            ({}, ("movement.hindering", "attack.arc", "zombie.diagonal", "lof.wall")),
            ({"arc": "exclusive"}, ("movement.points", "power.howl")),
        )
    ]
    rng.shuffle(asked)
    for (board, question), answer in zip(asked, ask_all(asked), strict=True):
        assert said(answer) == alone(board, question), shown(board, question)


# --- what is offered instead -------------------------------------------------------------------------------------------


@CHUNKS
def test_what_is_offered_instead_is_legal(chunk: int) -> None:
    """Also a shorter sequence, which the derivation of the longer one vouches for without being asked again."""
    rng = dice("instead", chunk)
    contested = ["sequence_end", "zoc", "flank"]
    asked = [(board, ruled(question, chosen(rng, contested, 2))) for board, question in drawn(rng, Can, 40, 10)]
    unasked = sum(len(draft.sure) for draft in drafts(asked) if isinstance(draft, Draft))
    offered = [
        (board, text)
        for (board, _), answer in zip(asked, ask_all(asked), strict=True)
        if isinstance(answer, Answer)
        for text in answer.instead
    ]
    assert len(offered) >= unasked > 50
    answers = zip(offered, ask_all(offered), strict=True)
    wrong = [text for (_, text), answer in answers if not isinstance(answer, Answer) or answer.verdict != Verdict.LEGAL]
    assert wrong == []
