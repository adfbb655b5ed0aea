"""Errata sheets: corrections of a book as data, applied, and held against what the audit finds.

An item locates its passage by quoted words (``find``) in an entry, and says what is done with it:

    [[erratum]]
    entry = "ZOMBIES"
    find = "Appendix 3"         # words of the passage; or fingerprint = "…", which takes the passage as a whole
    which = 2                   # where it stands more than once in the entry: the second; optional
    passages = 9                # so many passages from there on, as a whole; optional
    action = "replace"          # delete | replace | insert | clarify
    text = "Appendix 2"         # what to write instead, or after the passage
    settles = "dangling-ref"    # the kind of finding that it is for; optional
    reason = "…"                # optional
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from riese_kb.audit.book import Book, Entry, Piece, Sort, plain
from riese_kb.audit.findings import Finding, Kind
from riese_kb.audit.run import LARGEST, Audit, audit
from riese_kb.errors import RulesError, did_you_mean
from riese_kb.typeset import counted


class Action(StrEnum):
    """What is done with the passage."""

    DELETE = "delete"
    REPLACE = "replace"
    INSERT = "insert"
    CLARIFY = "clarify"


@dataclass(frozen=True)
class Erratum:
    """One correction; ``number`` counts from 1 in its sheet."""

    number: int
    entry: str
    find: str = ""
    action: Action = Action.CLARIFY
    text: str = ""
    settles: Kind | None = None
    reason: str = ""
    fingerprint: str = ""
    which: int = 0
    passages: int = 1

    @property
    def name(self) -> str:
        """How messages call it."""
        return f"erratum {self.number} ({self.entry})"


@dataclass
class Outcome:
    """A book with a sheet applied: what did not go as it should, and what is still open."""

    text: str
    amiss: list[tuple[int, str]] = field(default_factory=list)
    """What is amiss, each with the number of its item."""
    settled: list[Finding] = field(default_factory=list)
    open: list[Finding] = field(default_factory=list)
    new: list[Finding] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """What is amiss with the sheet, in words."""
        return [fault for _, fault in self.amiss]


_KEYS = {"entry", "find", "fingerprint", "which", "passages", "action", "text", "settles", "reason"}


def read_errata(path: str) -> list[Erratum]:
    """The items of a sheet. Raises ``RulesError`` with the file, what is wrong and the nearest spelling."""
    try:
        with open(path, "rb") as source:
            sheet = source.read(LARGEST + 1)
    except OSError as fault:
        raise RulesError(f"this sheet cannot be read: {fault.strerror or fault}", fix="name an errata file", file=path) from None
    except ValueError:
        raise RulesError("this is no name of a file", fix="name an errata file") from None
    if len(sheet) > LARGEST:
        raise RulesError(f"this has more than {LARGEST // 1_000_000} MB", fix="name an errata file", file=path)
    try:
        data = tomllib.loads(sheet.decode("utf-8-sig"))
    except RecursionError:
        raise RulesError("this sheet nests too deep", fix="see docs/audit.md", file=path) from None
    except UnicodeDecodeError:
        raise RulesError("this sheet is no UTF-8", fix="save it as UTF-8", file=path) from None
    except ValueError as fault:  # no TOML, or more digits than Python reads
        raise RulesError(f"this is no TOML: {fault}", fix="see docs/audit.md", file=path) from None
    unknown = data.keys() - {"erratum"}
    if unknown or not isinstance(data.get("erratum"), list):
        raise RulesError("an errata sheet holds [[erratum]] tables and nothing else", fix="see docs/audit.md", file=path)
    return [_item(number, entry, path) for number, entry in enumerate(data["erratum"], 1)]


def _item(number: int, entry: Any, path: str) -> Erratum:
    where = f"erratum {number}"
    if not isinstance(entry, dict):
        raise RulesError(f"{where} is no table", fix="write [[erratum]]", file=path)
    for key, value in entry.items():
        if key not in _KEYS:
            raise RulesError(f"{where} has an unknown key {key!r}", fix=did_you_mean(key, _KEYS), file=path)
        if key in {"which", "passages"}:
            if type(value) is not int or value < 1:
                raise RulesError(f"{where}: {key} is a number from 1", fix="count passages of the entry", file=path)
        elif not isinstance(value, str):
            raise RulesError(f"{where}: {key} is no text", file=path)
    if bool(entry.get("find")) == bool(entry.get("fingerprint")):
        raise RulesError(f"{where} has no find or two", fix='quote words, find = "…", or give a fingerprint', file=path)
    for key in ("entry", "action"):
        if not entry.get(key):
            raise RulesError(f"{where} has no {key}", fix=f'add {key} = "…"', file=path)
    for key, kinds in (("action", Action), ("settles", Kind)):
        if key in entry and entry[key] not in list(kinds):
            raise RulesError(f"{where}: {key} is {entry[key]!r}", fix=did_you_mean(entry[key], list(kinds)), file=path)
    action = Action(entry["action"])
    if action is not Action.DELETE and not entry.get("text"):
        raise RulesError(f"{where} has no text to {action}", fix='add text = "…"', file=path)
    settles = Kind(entry["settles"]) if "settles" in entry else None
    said = {key: entry.get(key, "") for key in ("entry", "find", "text", "reason", "fingerprint")}
    counts = {"which": entry.get("which", 0), "passages": entry.get("passages", 1)}
    return Erratum(number, action=action, settles=settles, **counts, **said)


def applied(
    text: str, sheet: Sequence[Erratum], look: Callable[[str], Audit] = audit, before: Sequence[Finding] | None = None
) -> Outcome:
    """The book with every item that applies, and all that is amiss with the sheet.

    ``look`` audits a text; ``before`` are the book's own findings, where they are known already.
    """
    if before is None:
        before = look(text).findings
    book = Book(text)
    amiss: list[tuple[int, str]] = []
    edits: list[Edit] = []
    for item in sheet:
        made = _edits(book, item)
        if isinstance(made, str):
            amiss.append((item.number, f"{item.name} {made}"))
        elif clash := next((old for new in made for old in edits if new.meets(old)), None):
            same = (item.action, item.find, item.text) == (clash.item.action, clash.item.find, clash.item.text)
            what = "say the same of" if same else "contradict each other: both change"
            amiss.append((item.number, f"{item.name} and {clash.item.name} {what} line {clash.line}"))
        else:
            edits += made
    lines = list(book.lines)
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        lines[edit.line - 1] = edit.made(lines[edit.line - 1])
    after = "\n".join(lines) + "\n"
    again = look(after)
    later = again.findings
    found = Outcome(after, amiss, skipped=again.skipped)
    found.settled = [f for f in before if not any(_alike(f, g) for g in later)]
    found.open = [f for f in later if any(_alike(f, g) for g in before)]
    found.new = [f for f in later if not any(_alike(f, g) for g in before)]
    found.amiss += _effects(edits, found)
    return found


def _effects(edits: Sequence[Edit], found: Outcome) -> Iterator[tuple[int, str]]:
    """New findings that an item brings; then items that settle nothing, or nothing of the kind that they are for."""
    lines: dict[int, tuple[Erratum, set[int]]] = {}
    for edit in edits:
        lines.setdefault(edit.item.number, (edit.item, set()))[1].add(edit.line)
    for number, (item, at) in lines.items():
        yield from ((number, f"{item.name} brings a new finding: {f.message}") for f in found.new if _at(at, f))
    for number, (item, at) in lines.items():
        if item.settles is None:
            if not any(_at(at, f) for f in found.settled):
                yield number, f"{item.name} settles no finding"
        elif not any(f.kind is item.settles and _at(at, f) for f in found.settled):
            yield number, f"{item.name} settles no finding of the kind {item.settles}"


def _at(lines: set[int], finding: Finding) -> bool:
    return bool(lines & {finding.at.line, *(place.line for place in finding.other)})


def _alike(one: Finding, other: Finding) -> bool:
    """The same kind on the same line: an erratum changes lines and moves none."""
    return (one.kind, one.at.line) == (other.kind, other.at.line)


@dataclass(frozen=True)
class Edit:
    """What an item does to one line: the characters that it replaces, and by what; ``end`` -1 is the line's end."""

    item: Erratum
    line: int
    start: int
    end: int
    text: str

    def meets(self, other: Edit) -> bool:
        """Whether both change the same words."""
        if self.line != other.line:
            return False
        return self.start == other.start or (self.start < other.end and other.start < self.end)

    def made(self, line: str) -> str:
        """The line with it."""
        left = line[: self.start] + self.text + line[self.end :]
        return left if re.search(r"\w", left) else ""


def _edits(book: Book, item: Erratum) -> list[Edit] | str:
    """What an item changes, or why it does not apply."""
    passages = elements(book)
    places = fitting(passages, item)
    if item.which and places:
        if len(places) < item.which:
            return f"does not apply: its words stand in the entry {counted(len(places), 'time')} only"
        places = [places[item.which - 1]]
    if not places:
        return f"does not apply: {_why(book, item)}"
    if len(places) > 1:
        at = ", ".join(str(passages[place][1].line) for place in places)
        return f"applies more than once, on lines {at}: quote more words"
    first = places[0]
    if len(passages) < first + item.passages:
        return f"does not apply: there are no {item.passages} passages from there on"
    rest = [_whole(book, item, piece, "") for _, piece in passages[first + 1 : first + item.passages]]
    return [_edit(book, item, passages[first][1]), *rest]


def _edit(book: Book, item: Erratum, piece: Piece) -> Edit:
    """The change of the passage that an item names."""
    line = book.lines[piece.line - 1]
    if item.action is Action.CLARIFY:
        return Edit(item, piece.line, len(line), len(line), f" [{item.text}]")
    if not item.find or item.passages > 1:
        return _whole(book, item, piece, f"{piece.text} {item.text}" if item.action is Action.INSERT else item.text)
    start = line.index(item.find)
    end = start + len(item.find)
    text = f"{item.find} {item.text}" if item.action is Action.INSERT else item.text
    return Edit(item, piece.line, start, end, text)


def _whole(book: Book, item: Erratum, piece: Piece, text: str) -> Edit:
    """A passage as a whole gives way; the sign of its bullet stays."""
    line = book.lines[piece.line - 1]
    start = line.find(piece.text)
    return Edit(item, piece.line, max(start, 0), len(line), text)


Place = tuple[Entry, Piece]


def elements(book: Book) -> list[Place]:
    """Everything that an item can name, in the book's order: headings, and the pieces below them."""
    found: list[Place] = []
    for entry in book.entries:
        found += [(entry, Piece(Sort.HEADING, entry.heading, entry.line))] if entry.heading else []
        found += [(entry, piece) for piece in entry.pieces]
    return found


def fitting(passages: Sequence[Place], item: Erratum) -> list[int]:
    """Which passages an item fits. A heading is meant only where it is quoted in full, an editor's note never."""
    entry = plain(item.entry)
    found = []
    for index, (owner, piece) in enumerate(passages):
        if piece.sort is Sort.PICTURE or plain(owner.heading) != entry:
            continue
        if piece.sort is Sort.HEADING:
            fits = item.find == piece.text
        else:
            fits = item.find in piece.text if item.find else item.fingerprint == mark(piece.text)
        if fits:
            found.append(index)
    headings = [index for index in found if passages[index][1].sort is Sort.HEADING]
    return headings or found


def mark(text: str) -> str:
    """The fingerprint of one passage, as errata name it: letters and digits count, nothing else does."""
    return hashlib.sha256(plain(text).encode()).hexdigest()[:16]


def _why(book: Book, item: Erratum) -> str:
    entries = [entry for entry in book.entries if plain(entry.heading) == plain(item.entry)]
    if not entries:
        return f"there is no entry {item.entry!r} ({did_you_mean(item.entry, [e.heading for e in book.entries if e.heading])})"
    if item.text and any(item.text in piece.text for entry in entries for piece in entry.pieces):
        return "the book says already what it should say"
    return f"its words do not stand in the entry {item.entry!r}"
