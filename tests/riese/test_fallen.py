"""Figures without health: questions about them say what stands there now."""

from __future__ import annotations

from pathlib import Path

import pytest

import riese_kb
from riese_kb.boardfile import load_board
from riese_kb.errors import QuestionError

BOARD = Path(__file__).resolve().parents[2] / "queries" / "riese" / "the-dead.board.toml"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("reach kelley", "kelley is a zombie, .* kelley has no health left"),
        ("attack kelley on z1", "kelley has no health left"),
        ("can max walk forward", 'no figure "max" .* max has no health left'),
        ("npc guard", "guard is a zombie, .* guard has no health left"),
        ("zombie max", 'no figure "max"'),
        ("zombie kelley without health.killed", "kelley is a hero"),
    ],
)
def test_who_is_dead_does_nothing_more(question, says):
    with pytest.raises(QuestionError, match=says):
        riese_kb.ask(load_board(BOARD), question)


def test_without_the_dead_nothing_is_said_of_them():
    answer = riese_kb.ask(load_board(BOARD.with_name("printed-colt.board.toml")), "targets kelley")
    assert not {"health.killed", "hero-death.antihero", "npc.rises"} & {line.rule for line in answer.ledger}
