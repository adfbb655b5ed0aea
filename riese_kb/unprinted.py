"""Modifiers that a book has and prints no number for: what is said where an answer needs one that the board does not supply."""

from __future__ import annotations

from riese_kb import tables
from riese_kb.board import Board
from riese_kb.errors import MissingValue
from riese_kb.worlds import Derived


def require_modifiers(board: Board, derived: Derived) -> None:
    """Raise ``MissingValue`` for the first modifier that the question needs and nobody gave."""
    for rule in sorted(map(str, derived.values("unprinted"))):
        what, fix = missing_modifier(board, rule)
        raise MissingValue(f"the book prints no number for {what}", fix=fix)


def left_out(board: Board, derived: Derived) -> tuple[str, ...]:
    """What the answer leaves out because neither book nor board gives a number, in words."""
    return tuple(
        f"{missing_modifier(board, rule)[0]}, for want of a number" for rule in sorted(map(str, derived.values("left_out")))
    )


def missing_modifier(board: Board, rule: str) -> tuple[str, str]:
    """What a modifier without a printed number is called, and how a board supplies it."""
    name = tables.unprinted(board.system)[rule][0]
    return f"the modifier {name!r}", f'add it to the board: [[modifier]] name = "{name}", value = …'
