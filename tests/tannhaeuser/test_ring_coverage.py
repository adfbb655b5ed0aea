"""The account of Tannhäuser's rulebook: every passage of its rules part, and what has become of it."""

from __future__ import annotations

from pathlib import Path

from riese_kb.board import System
from riese_kb.coverage import Standing, account, faults, held_by

GAME = System.TANNHAEUSER
SETTLED = 0.68
"""The share of the passages with rules that are encoded; to be raised with every gap that is closed."""


def test_the_account_names_what_there_is() -> None:
    assert list(faults(GAME, account(GAME))) == []


def test_every_passage_is_accounted_for(rulebooks: Path) -> None:
    system, held = held_by((rulebooks / "tannhaeuser_regelheft_de.txt").read_text(encoding="utf-8"))
    assert system is GAME
    assert held.agrees
    assert held.settled / held.normative >= SETTLED


def test_what_is_open_is_a_gap_in_words() -> None:
    kept = account(GAME)
    for line in kept.lines:
        assert line.standing is not Standing.OPEN or set(line.gaps) & set(kept.gaps), line
