"""One small change more than taking something away: another value where the board or the question says one.

Looked for where no removal keeps a broken rule: nearer to the cabinet, the other weapon in hand, one grenade less.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.board import Board, EdgeKind, Facing, Figure, Kind, Marker, Square, Terrain, edge_between, square_name
from riese_kb.examples.places import moved, placed, renamed
from riese_kb.examples.smaller import retold, usual, written
from riese_kb.examples.wish import Case
from riese_kb.question import Side
from riese_kb.tables import armoury, characters
from riese_kb.team import Outcome, Team

_FARTHEST = 2
"""Squares that a figure is moved at most, either way."""


def otherwise(case: Case) -> Iterator[tuple[str, Case]]:
    """The case with one value changed, in words for a reader; those that cannot be read as a file are left out."""
    sheet, question = case
    before = written(case)
    changed = [(what, other, question.about) for what, other in _sheets(case)]
    changed += [*_zombies(case), *_beside(case), *_wider(case), *(("", sheet, about) for about in _asked(case))]
    for what, other, about in changed:
        read = usual((other, replace(question, about=about)))
        if read is not None and written(read) != before:
            yield what or f"asked otherwise, “{retold(read[1]).text}”", read


# --- the board or the team --------------------------------------------------------------------------------------------


def _sheets(case: Case) -> Iterator[tuple[str, Any]]:
    sheet, question = case
    acting = getattr(question.about, "figure", None) or getattr(question.about, "hero", None)
    if isinstance(sheet, Board):
        yield from _cast(sheet)
        ordered = sorted(sheet.figures, key=lambda figure: figure.id != acting)
        for figure in ordered:
            for what, other in _figures(sheet, figure, case):
                yield what, replace(sheet, figures=tuple(other if f is figure else f for f in sheet.figures))
        for name in ("round", "threat", "scratch"):
            for value in _near(getattr(sheet, name) or 0):
                yield f"with {name} {value}", replace(sheet, **{name: value})
    if isinstance(sheet, Team):
        for member in sheet.members:
            for what, other in _members(member):
                yield what, replace(sheet, members=tuple(other if m is member else m for m in sheet.members))
        for name in ("replays", "replayed", "threat"):
            for value in _near(getattr(sheet, name)):
                yield f"with {value} as {name}", replace(sheet, **{name: value})
        for outcome in Outcome:
            yield f"with the last scenario {outcome}", replace(sheet, result=outcome)


def _cast(board: Board) -> Iterator[tuple[str, Board]]:
    """Somebody else of the book in a hero's place: what is said of one person is kept by another."""
    for figure in board.figures:
        if figure.kind is Kind.HERO and figure.name is not None:
            for person in characters(board.system).values():
                if person.name.isalpha() and all(person.name != other.name for other in board.figures):
                    stranger = replace(figure, name=person.name, skills=())
                    figures = tuple(stranger if f is figure else f for f in board.figures)
                    yield f"with {person.name} in {figure.name}'s place", replace(board, figures=figures)
                    break
    for marker in board.markers:
        if marker.kind != "objective":
            other = replace(marker, kind="objective")
            yield (
                f"with an objective marker on {square_name(marker.at)}",
                replace(board, markers=tuple(other if m is marker else m for m in board.markers)),
            )


def _zombies(case: Case) -> Iterator[tuple[str, Board, Any]]:
    """A zombie in the place of somebody else."""
    board, question = case
    if not isinstance(board, Board):
        return
    new = next(f"z{n}" for n in range(1, 999) if board.figure(f"z{n}") is None)
    for figure in board.figures:
        if figure.kind is not Kind.ZOMBIE:
            other, about = renamed(board, question.about, {figure.id: (new, "")})
            figures = tuple(Figure(id=new, kind=Kind.ZOMBIE, at=f.at) if f.id == new else f for f in other.figures)
            yield f"with a zombie in {figure.name or figure.id}'s place", replace(other, figures=figures), about


def _wider(case: Case) -> Iterator[tuple[str, Board, Any]]:
    """A row or a column more."""
    board, question = case
    if not isinstance(board, Board):
        return
    beyond = {"row in the north": (0, 1), "column in the west": (1, 0), "row in the south": (0, 0), "column in the east": (0, 0)}
    for words, (right, down) in beyond.items():
        column = "column" in words

        def there(square: Square, right: int = right, down: int = down) -> Square:
            return square[0] + right, square[1] + down

        grown = moved(board, there)
        width, height = board.width + column, board.height + (not column)
        squares = [(x, y) for y in range(1, height + 1) for x in range(1, width + 1)]
        terrain = {square: grown.terrain.get(square, Terrain.CLEAR) for square in squares}
        rim = {edge for edge in grown.edges if not {*edge} <= {*grown.terrain}}
        edges = {edge: kind for edge, kind in grown.edges.items() if edge not in rim or not {*edge} <= {*squares}}
        wider = replace(grown, width=width, height=height, terrain=terrain, edges=edges)
        yield f"with one more {words}", wider, placed(question.about, there)


def _beside(case: Case) -> Iterator[tuple[str, Board, Any]]:
    """A door or a cabinet beside the hero."""
    board, question = case
    acting = board.figure(str(getattr(question.about, "figure", ""))) if isinstance(board, Board) else None
    if not isinstance(board, Board) or acting is None:
        return
    column, row = acting.at
    for at in ((column, row - 1), (column + 1, row), (column, row + 1), (column - 1, row)):
        beyond = square_name(at) if at in board.terrain else "the rim"
        for kind, word in ((EdgeKind.CLOSED_DOOR, "closed"), (EdgeKind.LOCKED_DOOR, "locked")):
            door = replace(board, edges={**board.edges, edge_between(acting.at, at): kind})
            yield f"with a {word} door between {square_name(acting.at)} and {beyond}", door, question.about
        if at in board.terrain:
            marker = Marker(kind="cabinet", at=at)
            changed = replace(board, markers=(*board.markers, marker))
            yield f"with a cabinet on {square_name(at)}", changed, question.about


def _figures(board: Board, figure: Figure, case: Case) -> Iterator[tuple[str, Figure]]:
    name = figure.name or figure.id
    if figure.kind is Kind.HERO:
        for facing in Facing:
            yield f"with {name} facing {facing}", replace(figure, facing=facing)
        for item in _things(board, case):
            yield f"with {item} in {name}'s hand", replace(figure, weapon=item)
            yield f"with {item} in {name}'s off hand", replace(figure, off_hand=item)
            yield f"with {name} carrying {item}", replace(figure, gear=(*figure.gear, item))
        for field in ("ammo", "grenades", "medkits", "health"):
            for value in _near(getattr(figure, field) or 0):
                yield f"with {name}'s {field} {value}", replace(figure, **{field: value})
    if figure.kind is Kind.ZOMBIE:
        for other in board.figures:
            if other.kind is Kind.HERO and other.id not in figure.locks:
                yield f"with {other.name or other.id} locked by {figure.id}", replace(figure, locks=(*figure.locks, other.id))
    column, row = figure.at
    steps = [(c, r) for c in range(-_FARTHEST, _FARTHEST + 1) for r in range(-_FARTHEST, _FARTHEST + 1) if (c, r) != (0, 0)]
    for right, down in sorted(steps, key=lambda step: abs(step[0]) + abs(step[1])):
        at = (column + right, row + down)
        if at in board.terrain:
            yield f"with {name} on {square_name(at)}", replace(figure, at=at)


def _things(board: Board, case: Case) -> list[str]:
    """What a hand may be given instead: what the question names, what lies about, weapons of the board and the book."""
    about = case[1].about
    asked = [getattr(about, name, None) for name in ("item", "weapon")]
    asked += [action.item for action in getattr(about, "actions", ())]
    held = [thing for f in board.figures for thing in (f.weapon, f.off_hand, *f.gear)]
    book = [item.name for item in armoury(board.system).values() if item.weapon is not None and item.weapon.wound is not None]
    return list(dict.fromkeys(filter(None, [*asked, *held, *(w.name for w in board.weapons), *book[:3]])))


def _members(member: Any) -> Iterator[tuple[str, Any]]:
    for field in ("health", "xp", "medkits", "ammo", "grenades"):
        for value in _near(getattr(member, field)):
            yield f"with {member.name}'s {field} {value}", replace(member, **{field: value})
    for field in ("healed", "stayed", "laid"):
        yield (
            f"with {member.name} {'not ' if getattr(member, field) else ''}{field}",
            replace(member, **{field: not getattr(member, field)}),
        )
    for skill in member.skills:
        yield f"with {member.name} without {skill}", replace(member, skills=tuple(one for one in member.skills if one != skill))


# --- the question -----------------------------------------------------------------------------------------------------


def _asked(case: Case) -> Iterator[Any]:
    """The question with one thing in it otherwise."""
    sheet, question = case
    ids = [f.id for f in sheet.figures] if isinstance(sheet, Board) else []
    if isinstance(sheet, Team):
        people = characters(sheet.system)
        ids += [one.id for one in sheet.members]
        ids += [skill.name for one in sheet.members if one.name in people for skill in people[one.name].skills]
    words = [*ids, *(_things(sheet, case) if isinstance(sheet, Board) else ())]
    words += [marker.label for marker in sheet.markers if marker.label] if isinstance(sheet, Board) else []
    squares = [*sheet.terrain] if isinstance(sheet, Board) else []
    yield from _values(question.about, words, squares)


def _values(value: Any, words: list[str], squares: list[Any]) -> Iterator[Any]:
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            for other in _values(getattr(value, name), words, squares):
                yield replace(value, **{name: other})
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, Enum):
        if isinstance(value, Side):
            yield from (one for one in Side if one is not value)
    elif isinstance(value, int):
        yield from _near(value)
    elif isinstance(value, str):
        yield from (word for word in words if word != value)
    elif isinstance(value, tuple) and len(value) == 2 and all(isinstance(one, int) for one in value):
        yield from (square for square in squares if square != value)
    elif isinstance(value, tuple):
        for number, one in enumerate(value):
            if len(value) > 1:
                yield value[:number] + value[number + 1 :]
            for other in _values(one, words, squares):
                yield (*value[:number], other, *value[number + 1 :])
        yield from ((*value, word) for word in words if value and isinstance(value[0], str))


def _near(value: int) -> list[int]:
    return [other for other in (value + 1, value - 1, value + 2, value + 3) if other >= 0]
