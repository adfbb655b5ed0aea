"""The flamethrower on generated boards: the same on a board mirrored, turned or moved, and as plain loops have it."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from riese_kb.board import Board, Declared, Figure, Kind
from riese_kb.draft import Draft
from riese_kb.question import Attack, Question
from tests.drawing.symmetries import closed_rim
from tests.reference.attacks import in_front
from tests.reference.sight import lof
from tests.riese.generated import Asked, boards, complaint, dice, drafts, ruled, seeds, shown
from tests.riese.test_invariance import CHUNKS, MOVES, Carry, along, check, with_stranger, without_far

TANK = "Flammenwerfer FmW 41"
RANGE = 6


def asked(rng: random.Random, count: int) -> list[tuple[Board, Question]]:
    """Every hero has a tank, stands still and has not attacked; each enemy in front of one is asked about."""
    found: list[Asked] = []
    for drawn in boards(rng, count, 4, 9, npc=0.4, civilian=0.4):
        board = replace(drawn, figures=tuple(armed(figure) for figure in drawn.figures))
        for hero in board.figures:
            enemies = [f for f in board.figures if f.kind in (Kind.ZOMBIE, Kind.NPC)]
            if hero.kind is Kind.HERO:
                found += [(board, ruled(Question("", Attack(hero.id, f.id)), {})) for f in enemies if in_front(hero, f, None)]
    return found


def armed(figure: Figure) -> Figure:
    if figure.kind is not Kind.HERO:
        return figure
    return replace(figure, weapon=TANK, off_hand=None, declared=Declared.STATIONARY, status=())


@CHUNKS
@pytest.mark.parametrize("move", list(MOVES))
def test_symmetries_of_flames(move: str, chunk: int) -> None:
    before: list[Asked] = []
    after: list[Asked] = []
    carried: list[Carry] = []
    for drawn, question in asked(dice("flames", move, chunk), 20):
        board = closed_rim(drawn) if move == "shift" else drawn
        moved = MOVES[move](board)
        before.append((board, question))
        after.append((moved.board, moved.question(question)))
        carried.append(along(moved, question))
    check(before, after, carried)


@CHUNKS
def test_somebody_far_from_the_flames(chunk: int) -> None:
    far = Figure(id="far", kind=Kind.ZOMBIE, type="beta", at=(0, 0), status=("stunned",))
    before = [(closed_rim(board), question) for board, question in asked(dice("far flames", chunk), 20)]
    check(
        before,
        [(with_stranger(board, far), question) for board, question in before],
        [without_far(question) for _, question in before],
    )


@pytest.mark.parametrize("chunk", seeds(3))
def test_flames_burn_everybody_in_front_within_reach_and_sight(chunk: int) -> None:
    """FLAMMENWERFER FMW 41: all figures in the front arc, six squares far, obstructive terrain keeping it off."""
    questions = asked(dice("burnt", chunk), 40)
    faults: list[str] = []
    burnt = 0
    for (board, question), ours in zip(questions, drafts(questions), strict=True):
        assert isinstance(ours, Draft), shown(board, question, error=str(ours))
        if ours.result.get("type") != "flame":
            continue  # an enemy is beside the hero: hand to hand
        assert isinstance(question.about, Attack)
        hero = board.figure(question.about.figure)
        assert hero is not None
        theirs = sorted(figure.id for figure in board.figures if figure is not hero and burns(board, hero, figure))
        if sorted(ours.result["victims"]) != theirs:
            faults.append(shown(board, question, ours=sorted(ours.result["victims"]), reference=theirs))
        burnt += len(theirs)
    assert not faults, complaint(faults, len(questions))
    assert burnt > 50


def burns(board: Board, hero: Figure, figure: Figure) -> bool:
    far = abs(figure.at[0] - hero.at[0]) + abs(figure.at[1] - hero.at[1])
    return far <= RANGE and in_front(hero, figure, None) and lof(board, hero.at, figure.at, None)["verdict"] == "clear"
