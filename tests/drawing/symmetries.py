"""Boards mirrored, rotated and shifted.

``mirror``, ``rotate`` and ``shift`` give a ``Moved``: the board after the change together with the matching change of
squares, facings, actions, questions and of the names in an answer, so that a test can ask on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.board import (
    Board,
    Edge,
    EdgeKind,
    Facing,
    Square,
    Terrain,
    edge_between,
    parse_square,
    square_name,
)
from riese_kb.drawn.boards import all_edges
from riese_kb.drawn.questions import turned, with_text
from riese_kb.question import (
    Action,
    Blast,
    Can,
    CanTo,
    Exit,
    Lof,
    Npc,
    Place,
    Question,
    Side,
    Step,
    Throw,
)

MIRRORED_FACING = {
    Facing.NORTH: Facing.NORTH,
    Facing.EAST: Facing.WEST,
    Facing.SOUTH: Facing.SOUTH,
    Facing.WEST: Facing.EAST,
}
MIRRORED_STEP = {
    Step.LEFT: Step.RIGHT,
    Step.FORWARD_LEFT: Step.FORWARD_RIGHT,
    Step.BACKWARD_LEFT: Step.BACKWARD_RIGHT,
    Step.TURN_LEFT: Step.TURN_RIGHT,
}
MIRRORED_STEP |= {right: left for left, right in MIRRORED_STEP.items()}
MIRRORED_SIDE = {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}
NAME = re.compile(r"(@|[A-Z]{1,3})[0-9]{1,4}")


def same(thing: Any) -> Any:
    return thing


class Moved(Struct, frozen=True):
    """A board after a change of the grid, and the change of everything that a question or an answer names."""

    board: Board
    square: Callable[[Square], Square]
    facing: Callable[[Facing], Facing] = same
    action: Callable[[Action], Action] = same

    def question(self, question: Question) -> Question:
        """The same question on the new board."""
        about = question.about
        if isinstance(about, Can):
            about = replace(about, actions=tuple(self.action(action) for action in about.actions))
        elif isinstance(about, CanTo):
            about = replace(about, to=self.goal(about.to))
        elif isinstance(about, Lof):
            about = replace(about, start=self.place(about.start), end=self.place(about.end))
        elif isinstance(about, (Throw, Blast)):
            about = replace(about, at=self.square(about.at))
        elif isinstance(about, Npc) and about.to is not None:
            about = replace(about, to=self.goal(about.to))
        return with_text(replace(question, about=about))

    def goal(self, to: Square | Exit) -> Square | Exit:
        if isinstance(to, Exit):
            return Exit(self.square(to.square), self.facing(to.side))
        return self.square(to)

    def place(self, place: Place) -> Place:
        return place if isinstance(place, str) else self.square(place)

    def answer(self, result: Any) -> Any:
        """The result with every square name, edge and facing carried over; lists of plain squares are sorted again.

        Square names are upper case; figures must not be called like squares in upper case. Steps of a way are left
        out, for the two sides may name different cheapest ways.
        """
        if isinstance(result, dict):
            return {self.name(key): self.answer(value) for key, value in result.items() if key != "steps"}
        if isinstance(result, (list, tuple, set, frozenset)):
            return type(result)(self.answer(value) for value in result)
        return self.name(result) if isinstance(result, str) else result

    def name(self, text: Any) -> Any:
        if not isinstance(text, str):
            return text
        if text in set(Facing):
            return str(self.facing(Facing(text)))
        words = text.split(" ")
        return " ".join(self.word(word) for word in words)

    def word(self, word: str) -> str:
        if word in set(Facing):
            return str(self.facing(Facing(word)))
        return NAME.sub(lambda match: self.renamed(match.group()), word) if NAME.match(word) else word

    def renamed(self, name: str) -> str:
        square = parse_square(name)
        return name if square is None else square_name(self.square(square))


def carried(board: Board, width: int, height: int, square: Callable[[Square], Square], facing: Any) -> Board:
    """The board with all its squares renamed."""
    edges: dict[Edge, EdgeKind] = {}
    for (a, b), kind in board.edges.items():
        edges[edge_between(square(a), square(b))] = kind
    return replace(
        board,
        width=width,
        height=height,
        terrain={square(at): kind for at, kind in board.terrain.items()},
        edges=edges,
        figures=tuple(
            replace(figure, at=square(figure.at), facing=None if figure.facing is None else facing(figure.facing))
            for figure in board.figures
        ),
        markers=tuple(replace(marker, at=square(marker.at)) for marker in board.markers),
    )


def mirror(board: Board) -> Moved:
    """East and west exchanged."""

    def square(at: Square) -> Square:
        return board.width + 1 - at[0], at[1]

    def action(action: Action) -> Action:
        side = None if action.side is None else MIRRORED_SIDE.get(action.side, action.side)
        return replace(action, step=MIRRORED_STEP.get(action.step, action.step), side=side)

    return Moved(
        carried(board, board.width, board.height, square, MIRRORED_FACING.__getitem__),
        square,
        MIRRORED_FACING.__getitem__,
        action,
    )


def rotate(board: Board) -> Moved:
    """A quarter turn clockwise."""

    def square(at: Square) -> Square:
        return board.height + 1 - at[1], at[0]

    def facing(old: Facing) -> Facing:
        return turned(old, 1)

    return Moved(carried(board, board.height, board.width, square, facing), square, facing)


def shift(board: Board, dx: int, dy: int) -> Moved:
    """``dx`` columns and ``dy`` rows of nothing added in the west and the north.

    Exits over the west rim (``dx`` > 0) and the north rim (``dy`` > 0) are no rim any more and are dropped, so compare
    only what does not hang on them (``closed_rim`` makes a board without exits).
    """

    def square(at: Square) -> Square:
        return at[0] + dx, at[1] + dy

    new = carried(board, board.width + dx, board.height + dy, square, same)
    terrain = {(c, r): new.terrain.get((c, r), Terrain.VOID) for c in range(1, new.width + 1) for r in range(1, new.height + 1)}
    edges: dict[Edge, EdgeKind] = {}
    for a, b in all_edges(new.width, new.height):
        if a not in terrain or b not in terrain:
            edges[(a, b)] = new.edges.get((a, b), EdgeKind.WALL)
        elif (kind := new.edges.get((a, b))) is not None and {a, b} <= set(new.terrain):
            edges[(a, b)] = kind
    return Moved(replace(new, terrain=terrain, edges=edges), square)


def closed_rim(board: Board) -> Board:
    """The board without exits."""
    edges = {
        edge: kind if all(square in board.terrain for square in edge) else EdgeKind.WALL for edge, kind in board.edges.items()
    }
    return replace(board, edges=edges)
