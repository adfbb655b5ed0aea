"""Errata sheets: corrections of a book as data, applied, and held against what the audit finds.

An item locates its passage by quoted words (``find``) in an entry, and says what is done with it:

    [[erratum]]
    entry = "ZOMBIES"
    find = "Appendix 3"         # words of the passage; or fingerprint = "…", which takes the passage as a whole
    which = 2                   # where it stands more than once in the entry: the second; optional
    action = "replace"          # delete | replace | insert | clarify
    text = "Appendix 2"         # what to write instead, or after the passage
    settles = "dangling-ref"    # the kind of finding that it is for; optional
    reason = "…"                # optional
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from riese_kb.audit.book import Book, Entry, Piece, Sort, plain
from riese_kb.audit.findings import Finding, Kind
from riese_kb.audit.run import LARGEST, audit
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

    @property
    def name(self) -> str:
        """How messages call it."""
        return f"erratum {self.number} ({self.entry})"


@dataclass
class Outcome:
    """A book with a sheet applied: what did not go as it should, and what is still open."""

    text: str
    faults: list[str] = field(default_factory=list)
    settled: list[Finding] = field(default_factory=list)
    open: list[Finding] = field(default_factory=list)
    new: list[Finding] = field(default_factory=list)


_KEYS = {"entry", "find", "fingerprint", "which", "action", "text", "settles", "reason"}


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
    except ValueError as fault:  # no TOML, no UTF-8, or more digits than Python reads
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
        if key == "which":
            if type(value) is not int or value < 1:
                raise RulesError(f"{where}: which is a number from 1", fix="count the passages of the entry that fit", file=path)
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
    return Erratum(number, action=action, settles=settles, which=entry.get("which", 0), **said)


def applied(text: str, sheet: list[Erratum]) -> Outcome:
    """The book with every item that applies, and all that is amiss with the sheet."""
    before = audit(text).findings
    book = Book(text)
    lines = list(book.lines)
    faults: list[str] = []
    touched: dict[int, Erratum] = {}
    for item in sheet:
        places = [(entry, piece) for entry, piece in _places(book, item)]
        if item.which and len(places) >= item.which:
            places = [places[item.which - 1]]
        elif item.which and places:
            faults.append(f"{item.name} does not apply: its words stand in the entry {counted(len(places), 'time')} only")
            continue
        if not places:
            faults.append(f"{item.name} does not apply: {_why(book, item)}")
            continue
        if len(places) > 1:
            at = ", ".join(str(piece.line) for _, piece in places)
            faults.append(f"{item.name} applies more than once, on lines {at}: quote more words")
            continue
        ((_, piece),) = places
        earlier = touched.get(piece.line)
        if earlier is not None:
            same = (item.action, item.find, item.text) == (earlier.action, earlier.find, earlier.text)
            what = "say the same of" if same else "contradict each other: both change"
            faults.append(f"{item.name} and {earlier.name} {what} line {piece.line}")
            continue
        touched[piece.line] = item
        lines[piece.line - 1] = _changed(lines[piece.line - 1], item)
    after = "\n".join(lines) + "\n"
    found = Outcome(after, faults)
    later = audit(after).findings
    found.settled = [f for f in before if not any(_alike(f, g) for g in later)]
    found.open = [f for f in later if any(_alike(f, g) for g in before)]
    found.new = [f for f in later if not any(_alike(f, g) for g in before)]
    found.faults += [
        f"{item.name} brings a new finding: {f.message}" for line, item in touched.items() for f in found.new if _at(line, f)
    ]
    for line, item in touched.items():
        if item.settles is None:
            if not any(_at(line, f) for f in found.settled):
                found.faults.append(f"{item.name} settles no finding")
        elif not any(f.kind is item.settles and _at(line, f) for f in found.settled):
            found.faults.append(f"{item.name} settles no finding of the kind {item.settles}")
    return found


def _at(line: int, finding: Finding) -> bool:
    return line in (finding.at.line, *(place.line for place in finding.other))


def _alike(one: Finding, other: Finding) -> bool:
    """The same kind on the same line: an erratum changes lines and moves none."""
    return (one.kind, one.at.line) == (other.kind, other.at.line)


def _places(book: Book, item: Erratum) -> Iterator[tuple[Entry, Piece]]:
    for entry, piece in book.pieces():
        if piece.sort is Sort.PICTURE:
            continue  # an editor's note quotes what it speaks of
        fits = item.find in piece.text if item.find else item.fingerprint == mark(piece.text)
        if plain(entry.heading) == plain(item.entry) and fits:
            yield entry, piece


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


def _changed(line: str, item: Erratum) -> str:
    if not item.find:
        item = replace(item, find=line.strip().lstrip("-•* "))
    match item.action:
        case Action.DELETE:
            return (
                line.replace(item.find, "", 1).strip()
                if item.find not in line.strip("- ") or len(item.find) < len(line.strip("- "))
                else ""
            )
        case Action.REPLACE:
            return line.replace(item.find, item.text, 1)
        case Action.INSERT:
            return line.replace(item.find, f"{item.find} {item.text}", 1)
    return f"{line} [{item.text}]"


def proposed(text: str) -> str:
    """A sheet for every finding whose fix is a change of words or a passage left out; one item a line of the book."""
    book = Book(text)
    pieces = {piece.line: (entry, piece) for entry, piece in book.pieces()}
    parts = ["# Proposed by riese-kb audit --propose; read every item before you use it.\n"]
    done: set[int] = set()
    for finding in audit(text).findings:
        entry, piece = pieces.get(finding.at.line, (None, None))
        if entry is None or piece is None or piece.line in done:
            continue
        item = _left_out(finding, entry, piece) or _put_right(finding, piece)
        if item:
            done.add(piece.line)
            parts += ["[[erratum]]", f"entry = {_toml(entry.heading)}", *item]
            parts += [f'settles = "{finding.kind}"', f"reason = {_toml(finding.message)}", ""]
    return "\n".join(parts)


def _left_out(finding: Finding, entry: Entry, piece: Piece) -> list[str]:
    """A passage that stands twice in one entry is left out where it comes again."""
    if finding.kind is not Kind.DUPLICATE or finding.fix != "leave one of them out":
        return []
    same = [other.line for other in entry.pieces if mark(other.text) == mark(piece.text)]
    return [f'fingerprint = "{mark(piece.text)}"', f"which = {same.index(piece.line) + 1}", 'action = "delete"']


def _put_right(finding: Finding, piece: Piece) -> list[str]:
    words = _swap(finding, piece.text)
    if words is None or piece.text.count(words[0]) != 1:
        return []
    return [f"find = {_toml(words[0])}", 'action = "replace"', f"text = {_toml(words[1])}"]


_SWAPS = (
    # the message, the words to look for, and what to write instead; {0}, {1} … are what the message's groups hold
    (r"(.+) is (?:spelled|written) .+ elsewhere", r"{0}", "{fix}"),
    (r"this refers to (.+?), and nothing", r"{0}", "{fix}"),
    (r".+ is scenario (\d+) here and scenario (\d+) elsewhere", r"scenario {0}", "scenario {1}"),
    (r".+ is not in Appendix (\d+) but in Appendix (\d+)$", r"(?:Appendix|Appx\.?) {0}\b", "Appendix {1}"),
    (r".+ make (\d+), not (\d+)", r"total of {1}\b", "total of {0}"),
    (r"[\d/]+ becomes (\d+/\d+), a change of", r"(?<!\d){0}(?!\d)", "{fix}"),
)


def _swap(finding: Finding, text: str) -> tuple[str, str] | None:
    """The words to find and what to write instead, where a finding says so plainly."""
    for message, find, instead in _SWAPS:
        said = re.match(message, finding.message)
        if said and finding.fix:
            places = re.findall(find.format(*map(re.escape, said.groups())), text)
            if len(places) == 1:
                fix = finding.fix.removeprefix("refer to ")
                return places[0], instead.format(*said.groups(), fix=fix)
    return None


def _toml(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
