"""A walk through riese-kb for newcomers: real questions about shipped boards, each with the sentence that it shows."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from typing import NamedTuple

from riese_kb.asking import ask
from riese_kb.boardfile import load_board
from riese_kb.tables import data_root
from riese_kb.text import render
from riese_kb.typeset import Paper, wrap


class Stop(NamedTuple):
    """One stop of the walk: a board under ``queries/``, a question, and what the answer shows."""

    board: str
    ask: str
    shows: str


STOPS = (
    Stop(
        "riese/doors",
        "can nicole walk to A1",
        "Ask whether a hero can get somewhere: the cheapest way comes back, every point with the rule behind it.",
    ),
    Stop(
        "riese/zone-of-control",
        "can nicole run forward, forward, forward",
        "An illegal move is refused with every rule that it breaks, and with what could be done instead.",
    ),
    Stop("riese/reach-hall", "reach nicole walking", "All squares in reach, with the fewest points for each."),
    Stop(
        "riese/printed-lines-of-fire",
        "lof nicole to zombie-a",
        "A line of fire is exact to the corner of a wall, and names what blocks it.",
    ),
    Stop(
        "riese/hopeless",
        "attack nicole on z1",
        "An attack comes with its S/W term by term, and with the odds as exact fractions.",
    ),
    Stop(
        "riese/zombie-choice-of-targets",
        "zombies",
        "Where the rules leave the player a choice, the answer is all of it: every way the zombie turn can come out.",
    ),
    Stop(
        "riese/behind-the-screen",
        "attack kelley on z4 normal",
        "Where the book can be read in several ways, the answer says which reading it took, and what the others give.",
    ),
)
"""From the plainest question to the point where the book runs out."""


def walk(paper: Paper) -> Iterator[str]:
    """The stops one by one, as text."""
    shown = command_root()
    for number, stop in enumerate(STOPS, 1):
        file = f"{stop.board}.board.toml"
        answer = ask(load_board(os.path.join(data_root(), "queries", file)), stop.ask)
        lines = [paper.dim(f"({number}/{len(STOPS)})"), *map(paper.bold, wrap(paper.plain(stop.shows), paper.width))]
        command = f'riese-kb ask {shlex.quote(os.path.join(shown, file))} "{stop.ask}"'
        lines += ["", f"$ {command}", "", render(answer, colour=paper.colour, ascii=paper.ascii, width=paper.width)]
        yield "\n".join(lines)


def command_root() -> str:
    """``queries/`` as one would type it here: relative where that is shorter."""
    folder = os.path.join(data_root(), "queries")
    try:
        relative = os.path.relpath(folder)
    except ValueError:  # another drive
        return folder
    return relative if len(relative) < len(folder) else folder


def run(paper: Paper, say: Callable[[str], None], pause: Callable[[], None]) -> None:
    """The whole walk, with ``pause`` between two stops."""
    for number, text in enumerate(walk(paper)):
        if number:
            pause()
            say("")
            say(paper.dim(("-" if paper.ascii else "─") * min(paper.width, 72)))
            say("")
        say(text)
    say("")
    say('Your own turn: riese-kb ask BOARD "QUESTION"; riese-kb ask -h lists the questions, riese-kb rules the rules.')
