"""Tables that leave faces of a die without a row or give one two rows, and marks of footnotes without their notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from riese_kb.audit.book import Book, Entry, Piece, Sort, listed, plain
from riese_kb.audit.findings import Finding, Kind, Mend, Severity
from riese_kb.audit.sentences import sentences

_RANGE = re.compile(r"(\d{1,2})\s*(?:[-–]\s*(\d{1,2})|(\+|or (?:more|higher)))?(?:\s*:|\s*$|\s+[-–]\s)")
_DIE = re.compile(r"(?<![2-9\w])1?[dDwW](\d{1,2})\b")
_MARK = re.compile(r"[\w)\"”.](\*{1,3}|†|\^)(?=\s|$|\|)")


def check(book: Book) -> Iterator[Finding]:
    """Tables with a column of dice, lists of results below a roll, and footnotes."""
    unread: list[int] = []
    for entry in book.entries:
        for table in entry.tables:
            yield from _dice_column(entry, table, unread)
            yield from _ragged(entry, table)
            yield from _unknown_units(book, entry, table)
        yield from _dice_list(entry)
        yield from _footnotes(entry)
    yield from _prose(book)
    yield from _rows_named(book)
    if unread:
        book.skipped.append(f"tables of dice, not checked for want of faces in some of their rows: {listed(unread)}")


def _faces(text: str, die: int) -> tuple[int, int] | None:
    found = _RANGE.match(text.strip())
    if not found:
        return None
    low = int(found[1])
    return low, (int(found[2]) if found[2] else die if found[3] else low)


def _dice_column(entry: Entry, table: Sequence[Piece], unread: list[int]) -> Iterator[Finding]:
    """``unread`` takes the rows whose faces cannot be read: where one is, nothing can be said of the others."""
    head, *rows = table
    die, columns = 0, []
    for column, name in enumerate(head.cells):
        found = _DIE.search(name) or (
            re.search(r"\b(?:roll|wurf)\b", name, re.IGNORECASE) and _DIE.search(" ".join(p.text for p in entry.pieces))
        )
        if found:
            die = int(found[1])
            columns.append(column)
    cells = [(row, row.cells[column]) for column in columns for row in rows if len(row.cells) > column and row.cells[column]]
    ranges = [(row, _faces(cell, die)) for row, cell in cells]
    if len(ranges) >= 2 and all(faces for _, faces in ranges):
        yield from _covered(entry, head, [(row, faces) for row, faces in ranges if faces], die)
    elif sum(faces is not None for _, faces in ranges) >= 2:
        unread += [row.line for row, faces in ranges if faces is None]


def _dice_list(entry: Entry) -> Iterator[Finding]:
    """Bullets ``- 2-4: …`` after a passage that has a die rolled."""
    rolled: tuple[Piece, int] | None = None
    found: list[tuple[Piece, tuple[int, int]]] = []
    for piece in [*entry.pieces, None]:
        faces = _faces(piece.text, rolled[1]) if piece is not None and rolled is not None and piece.sort is Sort.BULLET else None
        if piece is not None and faces and ":" in piece.text[:12]:
            found.append((piece, faces))
            continue
        if rolled and len(found) >= 2 and max(high for _, (_, high) in found) <= rolled[1]:
            yield from _covered(entry, found[0][0], found, rolled[1])
        if found:
            found = []
        die = _DIE.search(piece.text) if piece is not None and re.search(r"\b(?:[Rr]oll|[Ww]ürf)", piece.text) else None
        rolled = (piece, int(die[1])) if piece is not None and die else None


def _covered(entry: Entry, head: Piece, rows: Sequence[tuple[Piece, tuple[int, int]]], die: int) -> Iterator[Finding]:
    last = max(high for _, (_, high) in rows)
    if last > die and {face for _, (low, high) in rows for face in range(low, high + 1)} >= set(range(2, last + 1)):
        return  # something is added to the roll
    for row, (low, high) in rows:
        if low > high or low < 1 or high > die:
            yield Finding(Kind.TABLE, Severity.HIGH, entry.at(row), f"{low}-{high} is no range of a d{die}")
            return
    times = {face: [row for row, (low, high) in rows if low <= face <= high] for face in range(1, die + 1)}
    missing = [face for face, found in times.items() if not found]
    if missing:
        near = next((row for row, (_, high) in rows if high == missing[0] - 1), head)
        mend = _gap_closed(missing, near, rows)
        yield Finding(
            Kind.TABLE,
            Severity.HIGH,
            entry.at(near),
            f"no row says what happens on {_runs(missing)} of the d{die}",
            fix=f"{mend.text} instead of {mend.find}" if mend else None,
            mend=mend,
        )
    twice = [face for face, found in times.items() if len(found) > 1]
    if twice:
        first, second = times[twice[0]][:2]
        yield Finding(
            Kind.TABLE, Severity.HIGH, entry.at(second), f"{_runs(twice)} of the d{die} stands in two rows", (entry.at(first),)
        )


def _runs(faces: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for face in faces:
        if runs and face == runs[-1][-1] + 1:
            runs[-1].append(face)
        else:
            runs.append([face])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _gap_closed(missing: Sequence[int], near: Piece, rows: Sequence[tuple[Piece, tuple[int, int]]]) -> Mend | None:
    """The row before a gap, if it is one of several faces, goes on to the gap's end."""
    low, high = next((faces for row, faces in rows if row is near), (0, 0))
    printed = re.search(rf"(?<!\d){low}\s*[-–]\s*{high}(?!\d)", near.text)
    whole = [*missing] == [*range(missing[0], missing[-1] + 1)]
    return Mend(printed[0], f"{low}-{missing[-1]}") if printed and low < high and whole else None


def _ragged(entry: Entry, table: Sequence[Piece]) -> Iterator[Finding]:
    width = len(table[0].cells)
    for row in table[1:]:
        if len(row.cells) != width:
            yield Finding(
                Kind.TABLE, Severity.LOW, entry.at(row), f"this row has {len(row.cells)} cells, the table {width} columns"
            )


_AMOUNT = re.compile(r"(?<![\w/.+-])([+−-]?\d{1,3}) ([A-ZÄÖÜ]{2,4})\b")


def _prose(book: Book) -> Iterator[Finding]:
    """A row's words in a sentence whose only number has the unit of its column, and it is another number than the row's."""
    rows = [row for entry in book.entries for table in entry.tables for row in _priced(entry, table)]
    units = {unit for _, _, _, unit, _ in rows}
    told: list[tuple[Entry, Piece, str, str, str]] = []
    for entry, piece in book.pieces() if units else ():
        if piece.sort not in (Sort.ROW, Sort.PICTURE):
            for sentence in sentences(piece.text):
                amounts = _AMOUNT.findall(sentence)
                if len(amounts) == 1 and amounts[0][1] in units and len(re.findall(r"\d+", sentence)) == 1:
                    told.append((entry, piece, f" {plain(sentence)} ", *amounts[0]))
    for entry, row, label, unit, number in rows:
        for other, piece, words, said, of in told:
            if of == unit and f" {label} " in words and int(said.replace("−", "-")) != number:
                yield Finding(
                    Kind.TABLE,
                    Severity.MEDIUM,
                    other.at(piece),
                    f"{said} {unit} here, and {number} in the table's row on {row.cells[0]!r}",
                    (entry.at(row),),
                )


def _priced(entry: Entry, table: Sequence[Piece]) -> Iterator[tuple[Entry, Piece, str, str, int]]:
    """The rows of a table with two columns, the second of which is headed by a unit and holds numbers."""
    head = table[0].cells
    if len(head) != 2 or not re.fullmatch(r"[A-ZÄÖÜ]{2,4}", head[1]):
        return
    for row in table[1:]:
        if len(row.cells) == 2 and re.fullmatch(r"[+−-]?\d{1,3}", row.cells[1]) and len(plain(row.cells[0]).split()) > 1:
            yield entry, row, plain(row.cells[0]), head[1], int(row.cells[1].replace("−", "-"))


_NAMED_ROW = re.compile(
    r"\bthe [“\"]([^”\"]{2,40})[”\"] (row|column)(?: of| in) (?:the )?([A-ZÄÖÜ][A-ZÄÖÜ -]{3,40})(?: (?:table|chart))?"
)


def _rows_named(book: Book) -> Iterator[Finding]:
    """``the “Straw” row of the SEARCHING table``: an entry of that name has a table with such a row or column."""
    for entry, piece in book.pieces():
        for name, sort, where in _NAMED_ROW.findall(piece.text):
            tables = [table for owner in book.by_name.get(plain(where), ()) for table in owner.tables]
            cells = {
                plain(cell) for table in tables for row in table for cell in (row.cells if sort == "row" else table[0].cells)
            }
            if tables and plain(name) not in cells:
                yield Finding(
                    Kind.TABLE, Severity.MEDIUM, entry.at(piece), f"the table of {where.strip()} has no {sort} {name!r}"
                )


_UNIT = re.compile(r"\b\d+ (?:x )?([A-ZÄÖÜ][\wäöüß]{3,})$")


def _unknown_units(book: Book, entry: Entry, table: Sequence[Piece]) -> Iterator[Finding]:
    """``minus 2 Threat``: something is counted that no other place of the book speaks of."""
    inside = re.findall(r"\w+", " ".join(row.text for row in table).casefold())
    for row in table[1:]:
        for cell in row.cells:
            found = _UNIT.search(cell)
            if found and book.times(found[1]) <= sum(word.startswith(found[1].casefold()) for word in inside):
                yield Finding(
                    Kind.TABLE,
                    Severity.MEDIUM,
                    entry.at(row),
                    f"this row counts {found[1]}, and no other place of the book speaks of it",
                )


def _footnotes(entry: Entry) -> Iterator[Finding]:
    """A mark in a table has a note that begins with it, and the other way round."""
    cells = [(piece, mark) for piece in entry.pieces if piece.sort is Sort.ROW for mark in _MARK.findall(piece.text)]
    notes = {
        mark[0]: piece for piece in entry.pieces if piece.sort is Sort.NOTE and (mark := re.match(r"(\*{1,3}|†|\^)", piece.text))
    }
    inside = set(re.findall(r"[*†^]+", " ".join(f" {piece.text}" for piece in notes.values())))
    for mark in dict.fromkeys(mark for _, mark in cells):
        if mark not in notes and mark not in inside:
            piece = next(p for p, m in cells if m == mark)
            yield Finding(Kind.TABLE, Severity.MEDIUM, entry.at(piece), f"the mark {mark} in this table has no note")
    if entry.tables:
        used = {mark for _, mark in cells} | set(
            re.findall(r"[*†^]+", " ".join(p.text for p in entry.pieces if p.sort is not Sort.NOTE))
        )
        for sign, piece in notes.items():
            if sign not in used:
                yield Finding(
                    Kind.TABLE, Severity.MEDIUM, entry.at(piece), f"nothing in the table above bears the mark {sign} of this note"
                )
