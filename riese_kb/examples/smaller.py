"""Making a case smaller until everything left matters, and what each last removal would have changed.

All removals are tried side by side; those that leave the wish as it is are made together as far as they go together. What is
left can be taken away nowhere without changing the answer or its reasons: the removal test, run to its end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields, replace

from riese_kb.board import Board, EdgeKind, Figure, Kind, Square, Terrain, square_name
from riese_kb.errors import RieseError
from riese_kb.examples.places import moved, placed
from riese_kb.examples.wish import Case, Judged, Role, judge
from riese_kb.language import format_question, parse_question, resolve
from riese_kb.question import Can, Lof, Question
from riese_kb.rings import RingBoard
from riese_kb.team import Sheet
from riese_kb.teamfile import format_sheet, parse_sheet


class Removal(Struct, frozen=True):
    """One thing taken away: what it is called, and the case without it (None where there is nothing to take)."""

    what: str
    make: Callable[[Case], Case | None]


class Smallest(Struct, frozen=True):
    """A case with nothing left to take away, and what taking each thing would make of it."""

    judged: Judged
    removed: tuple[tuple[str, Judged | None], ...]


def shrink(start: Judged, rules: Sequence[str], until: float) -> Smallest:
    """The smallest case around ``start`` in which the rules play their roles and no other rule joins in."""
    now = start
    removed: list[tuple[str, Judged | None]] = []
    while True:
        before = now
        for kind in (_lines, _parts, _details):
            now, left = _pass(now, [*kind(now.case)], rules, until)
            removed = [*removed, *left] if before is now else left
        if before is now or time.monotonic() > until:
            return Smallest(now, tuple(removed))


def _pass(
    now: Judged, removals: list[Removal], rules: Sequence[str], until: float
) -> tuple[Judged, list[tuple[str, Judged | None]]]:
    before = written(now.case)
    tried = [(removal, usual(removal.make(now.case))) for removal in removals]
    cases = [(removal, case) for removal, case in tried if case is not None and written(case) != before]
    found = judge([case for _, case in cases], rules)
    good = [removal for (removal, _), one in zip(cases, found, strict=True) if one is not None and still(now, one)]
    left: list[tuple[str, Judged | None]] = [
        (removal.what, one) for (removal, _), one in zip(cases, found, strict=True) if one is not None and not still(now, one)
    ]
    left += [(removal.what, None) for removal, case in tried if case is None]
    return _made(now, good, rules, until), left


def written(case: Case) -> tuple[str, str]:
    """Board and question as text, to tell whether two cases are the same."""
    return format_sheet(case[0]), format_question(replace(case[1], text=""))


def _made(now: Judged, removals: list[Removal], rules: Sequence[str], until: float) -> Judged:
    """After as many of these removals as go together, by halves."""
    if not removals or time.monotonic() > until:
        return now
    case: Case | None = now.case
    for removal in removals:
        case = (removal.make(case) or case) if case is not None else None
    case = usual(case)
    one = judge([case], rules)[0] if case is not None else None
    if one is not None and still(now, one):
        return one
    if len(removals) == 1:
        return now
    half = len(removals) // 2
    return _made(_made(now, removals[:half], rules, until), removals[half:], rules, until)


def still(now: Judged, then: Judged) -> bool:
    """Whether the rules play the same roles and nothing else has joined in."""
    return (
        then.roles == now.roles
        and then.reasons.verdict == now.reasons.verdict
        and then.reasons.broken <= now.reasons.broken
        and then.reasons.used <= now.reasons.used
        and then.reasons.open <= now.reasons.open
        and (not {Role.NEEDED, Role.FELT} & {*now.roles.values()} or _says_something(then))
    )


def _says_something(judged: Judged) -> bool:
    """Whether there is anything to tell, where the reasons name none of the rules."""
    return bool(judged.reasons.rules)


def usual(case: Case | None) -> Case | None:
    """The case as its file would be read again; None where it could not be."""
    if case is None:
        return None
    sheet, question = case
    try:
        read = parse_sheet(format_sheet(sheet), file_of(sheet))
        asks = resolve(parse_question(format_question(replace(question, text=""))), read)
    except (RieseError, ValueError):
        return None
    if isinstance(read, Board) and not _sensible(read, asks):
        return None
    return read, asks


def _sensible(board: Board, question: Question) -> bool:
    """Whether nobody stands on another, and no line begins or ends in a solid square."""
    if len({figure.at for figure in board.figures}) < len(board.figures):
        return False
    about = question.about
    ends = (about.start, about.end) if isinstance(about, Lof) else ()
    return not any(board.terrain.get(end) is Terrain.OBSTRUCTIVE for end in ends if not isinstance(end, str))


def file_of(sheet: Sheet) -> str:
    """What the file of a sheet would be called."""
    return "example.board.toml" if isinstance(sheet, Board | RingBoard) else "example.team.toml"


# --- parts: figures, markers, ground, edges, rings, actions -----------------------------------------------------------


def _parts(case: Case) -> Iterator[Removal]:
    sheet, question = case
    if isinstance(sheet, Board):
        yield from (Removal(f"the figure {f.id}", _dropping("figures", "id", f.id)) for f in sheet.figures)
        yield from (
            Removal(f"the {m.kind} on {square_name(m.at)}", _dropping_marker(m.kind, m.at, m.label)) for m in sheet.markers
        )
        yield from (
            Removal(f"the {kind.name.lower()} ground on {square_name(square)}", _clearing(square))
            for square, kind in sheet.terrain.items()
            if kind is not Terrain.CLEAR
        )
        for (a, b), kind in sheet.edges.items():
            yield Removal(f"the {kind.name.lower()} between {square_name(a)} and {square_name(b)}", _opening((a, b)))
    if isinstance(sheet, RingBoard):
        yield from (Removal(f"the figure {f.id}", _dropping("figures", "id", f.id)) for f in sheet.figures)
        yield from (Removal(f"the ring {ring.id}", _dropping_ring(ring.id)) for ring in sheet.rings)
    if isinstance(question.about, Can) and len(question.about.actions) > 1:
        for number in range(len(question.about.actions)):
            yield Removal(f"step {number + 1}", _skipping(number, len(question.about.actions)))


def _changing(change: Callable[[Any], Any]) -> Callable[[Case], Case | None]:
    return lambda case: (change(case[0]), case[1])


def _dropping(field: str, key: str, value: str) -> Callable[[Case], Case | None]:
    def drop(sheet: Any) -> Any:
        kept = tuple(one for one in getattr(sheet, field) if getattr(one, key) != value)
        if isinstance(sheet, Board):
            kept = tuple(replace(f, locks=tuple(held for held in f.locks if held != value)) for f in kept)
        return replace(sheet, **{field: kept})

    return _changing(drop)


def _dropping_marker(kind: str, at: Square, label: str | None) -> Callable[[Case], Case | None]:
    def drop(board: Board) -> Board:
        return replace(board, markers=tuple(m for m in board.markers if (m.kind, m.at, m.label) != (kind, at, label)))

    return _changing(drop)


def _clearing(square: Square) -> Callable[[Case], Case | None]:
    return _changing(lambda board: replace(board, terrain={**board.terrain, square: Terrain.CLEAR}))


def _opening(edge: tuple[Square, Square]) -> Callable[[Case], Case | None]:
    return _changing(lambda board: replace(board, edges={e: kind for e, kind in board.edges.items() if e != edge}))


def _dropping_ring(id: str) -> Callable[[Case], Case | None]:
    def drop(board: RingBoard) -> RingBoard:
        rings = tuple(replace(r, next=tuple(n for n in r.next if n != id)) for r in board.rings if r.id != id)
        return replace(board, rings=rings)

    return _changing(drop)


def _skipping(number: int, count: int) -> Callable[[Case], Case | None]:
    def skip(case: Case) -> Case | None:
        sheet, question = case
        about = question.about
        if not isinstance(about, Can) or len(about.actions) != count:  # one step at a time: the others have moved up
            return None
        return sheet, replace(question, about=replace(about, actions=about.actions[:number] + about.actions[number + 1 :]))

    return skip


# --- rows and columns -------------------------------------------------------------------------------------------------


def _lines(case: Case) -> Iterator[Removal]:
    """Every row and column, the last first: so those before it keep their numbers."""
    sheet = case[0]
    if isinstance(sheet, Board):
        for axis, word, length in ((0, "column", sheet.width), (1, "row", sheet.height)):
            if length > 1:
                for line in range(length, 0, -1):
                    name = square_name((line, 1))[:-1] if axis == 0 else str(line)
                    yield Removal(f"{word} {name}", _cutting(axis, line))


def _cutting(axis: int, line: int) -> Callable[[Case], Case | None]:
    def cut(case: Case) -> Case | None:
        board, question = case
        assert isinstance(board, Board)
        length = (board.width, board.height)[axis]
        taken = {figure.at for figure in board.figures} | {marker.at for marker in board.markers}
        if length == 1 or any(square[axis] == line for square in taken):
            return None

        def there(square: Square) -> Square:
            moved = square[axis] - (square[axis] > line)
            return (moved, square[1]) if axis == 0 else (square[0], moved)

        kept = replace(
            board,
            width=board.width - (axis == 0),
            height=board.height - (axis == 1),
            terrain={square: kind for square, kind in board.terrain.items() if square[axis] != line},
            edges={(a, b): kind for (a, b), kind in board.edges.items() if line not in (a[axis], b[axis])},
        )
        smaller = moved(kept, there)
        return smaller, replace(question, about=placed(question.about, there))

    return cut


# --- details ----------------------------------------------------------------------------------------------------------

_KEPT = frozenset(
    {"id", "kind", "at", "name", "system", "width", "height", "terrain", "edges", "file", "figures", "markers", "rings"}
)
"""Fields that are parts, or that are there for the reader: names."""


def _details(case: Case) -> Iterator[Removal]:
    """What is said of the board, of a figure, and in the question, each left out or set back to what is usual."""
    sheet, question = case
    yield from (Removal(what, _changing(change)) for what, change in _less("the board", sheet))
    for figure in getattr(sheet, "figures", ()):
        for what, change in _less(figure.id, figure):
            yield Removal(what, _of_figure(figure.id, change))
    for what, change in _less("the question", question.about, frozenset({"actions", "figure", "target", "item", "to"})):
        yield Removal(what, _of_question(change))


def _of_figure(id: str, change: Callable[[Any], Any]) -> Callable[[Case], Case | None]:
    def less(sheet: Any) -> Any:
        return replace(sheet, figures=tuple(change(f) if f.id == id else f for f in sheet.figures))

    return _changing(less)


def _of_question(change: Callable[[Any], Any]) -> Callable[[Case], Case | None]:
    return lambda case: (case[0], replace(case[1], about=change(case[1].about)))


def _less(whose: str, record: Any, kept: frozenset[str] = _KEPT) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    for field in fields(record):
        value = getattr(record, field.name)
        default = _default(field)
        if field.name in kept or default is NODEFAULT or value == default:
            continue
        said = f" ({value})" if isinstance(value, str | int) and not isinstance(value, bool) else ""
        yield f"{whose}'s {field.name}{said}", _resetting(field.name, default)
        if isinstance(value, tuple) and len(value) > 1 and not any(isinstance(one, int) for one in value):
            for one in value:
                yield f"{whose}'s {_called(one)}", _taking(field.name, one)


def _called(one: object) -> str:
    return str(getattr(one, "name", one))


def _resetting(name: str, default: Any) -> Callable[[Any], Any]:
    return lambda record: replace(record, **{name: default})


def _taking(name: str, one: Any) -> Callable[[Any], Any]:
    def take(record: Any) -> Any:
        held = getattr(record, name)
        return replace(record, **{name: tuple(other for other in held if other != one)}) if isinstance(held, tuple) else record

    return take


def _default(field: FieldInfo) -> Any:
    return field.default_factory() if field.default_factory is not NODEFAULT else field.default


# --- one small change -------------------------------------------------------------------------------------------------

_SHUT = (EdgeKind.CLOSED_DOOR, EdgeKind.LOCKED_DOOR)


def swaps(case: Case) -> list[tuple[str, Case]]:
    """The case with one thing otherwise instead of gone: a door open, a zombie stunned, a hero walking."""
    board, question = case
    found: list[tuple[str, Case | None]] = []
    if isinstance(board, Board):
        for edge, kind in board.edges.items():
            if kind is EdgeKind.LOCKED_DOOR:
                closed = replace(board, edges={**board.edges, edge: EdgeKind.CLOSED_DOOR})
                found.append(("with the door closed and not locked", (closed, question)))
            if kind in _SHUT:
                found.append(("with the door open", (replace(board, edges={**board.edges, edge: EdgeKind.OPEN_DOOR}), question)))
        for figure in board.figures:
            if figure.kind is Kind.ZOMBIE and "stunned" not in figure.status:
                stunned = _of_figure(figure.id, lambda f: replace(f, status=(*f.status, "stunned")))
                found.append((f"with {figure.id} stunned", stunned(case)))
    return [(what, read) for what, changed in found if (read := usual(changed)) is not None]


# --- readable again ---------------------------------------------------------------------------------------------------


def heroes(sheet: Sheet) -> list[Figure]:
    """The heroes of a board."""
    return [figure for figure in sheet.figures if figure.kind == "hero"] if isinstance(sheet, Board) else []


def retold(question: Question) -> Question:
    """The question with the text that asks it."""
    return replace(question, text=format_question(question))
