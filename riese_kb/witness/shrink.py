"""Making a witness smaller, one thing at a time, as long as the answers still differ.

This finds small boards for any kind of question, and proves nothing: a smaller one may be there all the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import FieldInfo, fields, replace

from riese_kb.board import Board, Square, Terrain, edge_between, parse_square, square_name
from riese_kb.errors import RieseError
from riese_kb.language import format_question, parse_question, resolve
from riese_kb.question import About, Can, Question
from riese_kb.rings import RingBoard
from riese_kb.team import Sheet
from riese_kb.teamfile import format_sheet, parse_sheet
from riese_kb.witness.order import inner_edges

Case = tuple[Sheet, Question]
Differs = Callable[[Case], bool]


def shrink(case: Case, differs: Differs, until: float) -> Case:
    """A case with nothing left to take away, of those for which ``differs`` holds; as small as it got when time is up."""
    seen: set[tuple[str, str]] = {_text(case)}

    def try_out(smaller: Case) -> Case | None:
        usual = _usual(smaller) if time.monotonic() < until else None
        if usual is None or _text(usual) in seen:
            return None
        seen.add(_text(usual))
        return usual if differs(usual) else None

    while True:
        before = case
        case = _without_parts(case, try_out)
        for variants in (_squeezed, _plainer):
            case = _one_by_one(case, variants, try_out)
        if case is before:
            return case


TryOut = Callable[[Case], Case | None]


def _one_by_one(case: Case, variants: Callable[[Case], Iterable[Case]], try_out: TryOut) -> Case:
    """Each thing that can be taken away is tried once; what is left of the list after one has gone is where it goes on."""
    number = 0
    while True:
        smaller = next(islice(variants(case), number, None), None)
        if smaller is None:
            return case
        found = try_out(smaller)
        if found is None:
            number += 1
        else:
            case = found


def _text(case: Case) -> tuple[str, str]:
    return format_sheet(case[0]), format_question(case[1])


def _usual(case: Case) -> Case | None:
    """The case as its files would be read again; None where they could not be."""
    sheet, question = case
    try:
        read = parse_sheet(format_sheet(sheet), file_of(sheet))
        asked = resolve(parse_question(format_question(Question("", question.about))), read)
    except RieseError:
        return None
    if isinstance(read, Board) and len({f.at for f in read.figures}) < len(read.figures):
        return None
    return read, asked


def file_of(sheet: Sheet) -> str:
    """The name of the file that a witness is kept in."""
    return "witness.board.toml" if isinstance(sheet, Board | RingBoard) else "witness.team.toml"


# --- fewer figures and features ---------------------------------------------------------------------------------------


def _without_parts(case: Case, try_out: TryOut) -> Case:
    """Without figures, markers, ground and edges: half of them at once, then ever fewer."""
    if not isinstance(case[0], Board | RingBoard):
        return case
    parts = _parts(case[0]) if isinstance(case[0], Board) else _ring_parts(case[0])
    size = len(parts)
    while size:
        start = 0
        while start < len(parts):
            gone = parts[start : start + size]
            found = try_out((_fewer(case[0], gone), case[1]))
            if found is None:
                start += size
            else:
                case = found
                parts = parts[:start] + parts[start + size :]
        size //= 2
    return case


def _parts(board: Board) -> list[object]:
    """Everything that counts in the order of witnesses, each kind together."""
    ground = [square for square, kind in board.terrain.items() if kind is not Terrain.CLEAR]
    return [*inner_edges(board), *ground, *board.markers, *(figure.id for figure in board.figures)]


def _fewer(sheet: Sheet, gone: Iterable[object]) -> Sheet:
    if isinstance(sheet, RingBoard):
        return _ring_drop(sheet, gone)
    return _drop(sheet, gone) if isinstance(sheet, Board) else sheet


def _ring_parts(board: RingBoard) -> list[object]:
    """Figures and rings, the former first, since somebody may stand on a ring."""
    return [*board.markers, *(figure.id for figure in board.figures), *(ring.id for ring in board.rings)]


def _ring_drop(board: RingBoard, gone: Iterable[object]) -> RingBoard:
    gone = [*gone]
    rings = tuple(replace(r, next=tuple(n for n in r.next if n not in gone)) for r in board.rings if r.id not in gone)
    figures = tuple(figure for figure in board.figures if figure.id not in gone)
    return replace(board, rings=rings, figures=figures, markers=tuple(m for m in board.markers if m not in gone))


def _drop(board: Board, gone: Iterable[object]) -> Board:
    gone = [*gone]
    figures = [figure for figure in board.figures if figure.id not in gone]
    kept = tuple(replace(f, locks=tuple(held for held in f.locks if held not in gone)) for f in figures)
    terrain = {square: Terrain.CLEAR if square in gone else kind for square, kind in board.terrain.items()}
    edges = {edge: kind for edge, kind in board.edges.items() if edge not in gone}
    return replace(board, figures=kept, terrain=terrain, edges=edges, markers=tuple(m for m in board.markers if m not in gone))


# --- a smaller map ----------------------------------------------------------------------------------------------------


def _squeezed(case: Case) -> Iterator[Case]:
    """Without one row or column; who stands there moves on to the next."""
    sheet, question = case
    if not isinstance(sheet, Board):
        return
    ids = frozenset(figure.id for figure in sheet.figures)
    for axis, length in ((0, sheet.width), (1, sheet.height)):
        for line in range(1, length + 1) if length > 1 else ():
            yield _cut(sheet, axis, line), replace(question, about=_moved(question.about, axis, line, ids))


def _cut(board: Board, axis: int, line: int) -> Board:
    length = (board.width, board.height)[axis]

    def there(square: Square) -> Square:
        return _shift(square, axis, line)

    terrain = {there(square): kind for square, kind in board.terrain.items() if square[axis] != line}
    edges = {}
    for (a, b), kind in board.edges.items():
        if there(a) != there(b) and line not in (a[axis], b[axis]):
            edges[edge_between(there(a), there(b))] = kind
    figures = tuple(replace(figure, at=min_square(there(figure.at), axis, length - 1)) for figure in board.figures)
    markers = tuple(replace(marker, at=min_square(there(marker.at), axis, length - 1)) for marker in board.markers)
    size = {("width", "height")[axis]: length - 1}
    return replace(board, terrain=terrain, edges=edges, figures=figures, markers=markers, **size)


def _shift(square: Square, axis: int, line: int) -> Square:
    moved = square[axis] - (square[axis] > line)
    return (moved, square[1]) if axis == 0 else (square[0], moved)


def min_square(square: Square, axis: int, most: int) -> Square:
    """The square, kept on the map."""
    return (min(square[0], most), square[1]) if axis == 0 else (square[0], min(square[1], most))


def _moved(value: Any, axis: int, line: int, ids: frozenset[str]) -> Any:
    """The question after a line of the map has gone: squares in it, also by name, move along; z7 may be a figure, too."""
    if isinstance(value, msgspec.Struct):
        return replace(value, **{name: _moved(getattr(value, name), axis, line, ids) for name in value.__struct_fields__})
    if isinstance(value, tuple):
        if len(value) == 2 and all(isinstance(one, int) for one in value):
            return _shift(value, axis, line)
        return tuple(_moved(one, axis, line, ids) for one in value)
    if isinstance(value, str) and not isinstance(value, Enum) and value not in ids:
        square = parse_square(value)
        return square_name(_shift(square, axis, line)) if square is not None else value
    return value


# --- less said --------------------------------------------------------------------------------------------------------


def _plainer(case: Case) -> Iterator[Case]:
    """With one thing less said, of the board, of a figure, or in the question."""
    sheet, question = case
    yield from ((less, question) for less in _less(sheet, frozenset({"terrain", "edges", "file"})))
    for about in _shorter(question.about):
        yield sheet, replace(question, about=about)


def _shorter(about: About) -> Iterator[Any]:
    if isinstance(about, Can):
        for number in range(len(about.actions)):
            if len(about.actions) > 1:
                yield replace(about, actions=about.actions[:number] + about.actions[number + 1 :])
    yield from _less(about, frozenset({"actions"}))


def _less(record: Any, kept: frozenset[str] = frozenset()) -> Iterator[Any]:
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name in kept:
            continue
        usual = _usual_value(field)
        if usual is not msgspec.NODEFAULT and value != usual:
            yield replace(record, **{field.name: usual})
        if isinstance(value, tuple) and not any(isinstance(one, int) for one in value):
            for number, one in enumerate(value):
                if len(value) > 1:
                    yield replace(record, **{field.name: value[:number] + value[number + 1 :]})
                if isinstance(one, msgspec.Struct):
                    for less in _less(one):
                        yield replace(record, **{field.name: (*value[:number], less, *value[number + 1 :])})


def _usual_value(field: FieldInfo) -> Any:
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
