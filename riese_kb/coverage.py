"""The account of a book: what has become of each of its passages.

``rules/<system>/coverage/`` holds one TOML file a chapter. A table is an entry of the book, a line in it a passage by its
ordinal, with the fingerprint of its wording (never the wording) and what has become of it::

    ["LINE OF FIRE (LOF)"]
    3 = { mark = "0123456789abcdef", encoded = ["lof.blocked"] }                   # these rules say all of it
    4 = { mark = "0123456789abcdef", table = ["modifiers.toml lof lof.figure"] }   # file and keys of the row
    5 = { mark = "0123456789abcdef", open = ["lof.echo"], encoded = ["lof.maximum"] }   # a gap; the rest is there
    6 = { mark = "0123456789abcdef", open = ["vertex"], encoded = ["lof.corner"] }      # a reading that the rules encode
    7 = { mark = "0123456789abcdef", is = "flavour" }                              # or "record keeping", "components"

A passage with a gap is open; one that hangs on a reading is encoded where rules encode every value of it, else open.
``rules/<system>/coverage.toml`` says in our words what each gap is, which parts of the book the account leaves out, and
why some rules have no passage of their own.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache
from itertools import groupby
from typing import Any

from msgspec import Struct

from riese_kb.board import System
from riese_kb.catalogue import rules
from riese_kb.errors import RulesError
from riese_kb.passages import Passage, passages
from riese_kb.program import readings
from riese_kb.store import read_toml
from riese_kb.tables import data_root


class Standing(StrEnum):
    """What has become of a passage. The first three are those of passages that a rule stands in."""

    ENCODED = "encoded"
    TABLE = "table"
    OPEN = "open"
    RECORD = "record keeping"
    COMPONENTS = "components"
    FLAVOUR = "flavour"


NORMATIVE = (Standing.ENCODED, Standing.TABLE, Standing.OPEN)
_SILENT = (Standing.RECORD, Standing.COMPONENTS, Standing.FLAVOUR)


class Line(Struct, frozen=True):
    """One line of the account: the rules, rows of tables, gaps and readings behind one passage."""

    chapter: str
    entry: str
    ordinal: int
    mark: str
    standing: Standing
    rules: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()

    @property
    def behind(self) -> tuple[str, ...]:
        """Everything named for the passage."""
        return (*self.gaps, *self.rules, *self.rows)

    @property
    def contested(self) -> bool:
        """Whether the passage is encoded, in each way that it can be read."""
        return self.standing is not Standing.OPEN and bool(self.gaps)


class Account(Struct, frozen=True):
    """The account of one book. ``outside`` and ``unprinted`` give a reason for each part, and for each rule; ``parts`` are the
    headings that begin a chapter, where letters and appendices do not.
    """

    lines: tuple[Line, ...]
    gaps: Mapping[str, str]
    outside: Mapping[str, str]
    unprinted: Mapping[str, str]
    parts: tuple[str, ...] = ()


@cache
def account(system: System) -> Account:
    """The account that is shipped for a game's book; raises ``RulesError`` when it is not written as it should be."""
    return read_account(os.path.join(data_root(), "rules", system))


def read_account(folder: str) -> Account:
    """The account kept in ``coverage.toml`` and ``coverage/`` of a folder; ``RulesError`` names the file at fault."""
    lines: list[Line] = []
    head = _read(os.path.join(folder, "coverage.toml"))
    gaps = head.get("gaps", {})
    chapters = os.path.join(folder, "coverage")
    for name in sorted(os.listdir(chapters)) if os.path.isdir(chapters) else ():
        if name.endswith(".toml"):
            path = os.path.join(chapters, name)
            try:
                lines += _chapter(name[:-5], _read(path), gaps)
            except (KeyError, TypeError, ValueError, AttributeError) as fault:
                raise RulesError(f"the account is not written as it should be: {fault}", file=path) from fault
    if not lines:
        raise RulesError("there is no account of this book", file=chapters)
    return Account(tuple(lines), gaps, head.get("outside", {}), head.get("unprinted", {}), tuple(head.get("parts", ())))


def _read(path: str) -> dict[str, Any]:
    try:
        return read_toml(path)
    except FileNotFoundError:
        raise RulesError("there is no account of this book", file=path) from None
    except ValueError as fault:
        raise RulesError(f"this is no TOML: {fault}", file=path) from fault


def _chapter(chapter: str, tables: dict[str, Any], gaps: Mapping[str, str]) -> Iterator[Line]:
    for entry, found in tables.items():
        for number, (ordinal, line) in enumerate(found.items(), 1):
            if int(ordinal) != number:
                raise ValueError(f"{entry}: passage {number} is missing or out of order")
            yield _line(chapter, entry, number, dict(line), gaps)


def _line(chapter: str, entry: str, ordinal: int, line: dict[str, Any], gaps: Mapping[str, str]) -> Line:
    mark = line.pop("mark")
    lists = {key: tuple(line.pop(key, ())) for key in ("open", "encoded", "table")}
    silent = line.pop("is", None)
    if line:
        raise ValueError(f"{entry}, passage {ordinal}: nothing is called {next(iter(line))!r}")
    if silent is not None:
        standing = Standing(silent)
        if any(lists.values()) or standing not in _SILENT:
            raise ValueError(f"{entry}, passage {ordinal}: {silent!r} does not go with what stands beside it")
    else:
        said = [key for key, named in lists.items() if named]
        if not said:
            raise ValueError(f"{entry}, passage {ordinal}: nothing is said of it")
        # What is open may be a reading only, and the rules beside it encode all its values.
        read = said[0] == "open" and len(said) > 1 and gaps.keys().isdisjoint(lists["open"])
        standing = Standing(said[1] if read else said[0])
    return Line(chapter, entry, ordinal, mark, standing, lists["encoded"], lists["table"], lists["open"])


# --- the account itself ---------------------------------------------------------------------------------------------


def faults(system: System, kept: Account) -> Iterator[str]:
    """What is wrong with an account, whatever the book says: names of nothing, gaps without words, rules left out."""
    known, points = rules(system), readings(system)
    named: set[str] = set()
    for line in kept.lines:
        place = f"{line.entry}, passage {line.ordinal}"
        named.update(line.rules, line.gaps)
        yield from (f"{place}: no rule is called {id!r}" for id in line.rules if id not in known)
        yield from (f"{place}: no table has {row!r}" for row in line.rows if not _has(system, row))
        yield from (f"{place}: no gap or reading is called {id!r}" for id in line.gaps if id not in {*kept.gaps, *points})
    yield from (f"gap {id} says nothing" for id, says in kept.gaps.items() if not says.strip())
    yield from (f"gap {id} is a reading, too" for id in kept.gaps if id in points)
    yield from (f"gap {id} is left open by no passage" for id in kept.gaps if id not in named)
    yield from (f"{id} is listed without a passage, but has one" for id in kept.unprinted if id in named)
    yield from (f"no rule is called {id!r}" for id in kept.unprinted if id not in known)
    for id, rule in known.items():
        if id not in named and id not in kept.unprinted and not _cites_only(rule.cite, kept.outside):
            yield f"rule {id} is named by no passage and has no reason for it"


def _cites_only(cite: str, parts: Iterable[str]) -> bool:
    """Whether a rule stands only in parts of the book that the account leaves out."""
    return all(any(place.startswith(f"{part},") for part in parts) for place in cite.split("; "))


def _has(system: System, row: str) -> bool:
    """Whether a table of the game has that row: a file, then keys; an element of a list goes by its name or id."""
    file, *keys = row.split(" ", 1)
    path = os.path.join(data_root(), "rules", system, file)
    return os.path.isfile(path) and bool(keys) and _reaches(read_toml(path), keys[0])


def _reaches(at: Any, keys: str) -> bool:
    if not keys:
        return True
    if isinstance(at, dict):
        steps: Iterable[tuple[str, Any]] = at.items()
    elif isinstance(at, list):
        steps = [(str(each.get(key)), each) for each in at if isinstance(each, dict) for key in ("name", "id", "number")]
    else:
        return False
    return any(_reaches(value, keys[len(key) + 1 :]) for key, value in steps if f"{keys} ".startswith(f"{key} "))


# --- held against a book --------------------------------------------------------------------------------------------


class Held(Struct, frozen=True):
    """An account held against one copy of the book.

    ``same`` and ``changed`` pair a line of the account with the passage in the copy; ``new`` are passages that the account
    does not know, ``missing`` lines whose passage the copy does not have; ``outside`` counts passages by part left out.
    """

    account: Account
    same: tuple[tuple[Line, Passage], ...]
    changed: tuple[tuple[Line, Passage], ...]
    new: tuple[Passage, ...]
    missing: tuple[Line, ...]
    outside: Mapping[str, int]

    @property
    def agrees(self) -> bool:
        """Whether every passage of the copy is accounted for and none has changed or gone."""
        return not (self.changed or self.new or self.missing)

    def counts(self) -> Counter[Standing]:
        """How many passages of the copy have become what."""
        return Counter(line.standing for line, _ in self.same)

    @property
    def normative(self) -> int:
        """The passages that a rule stands in."""
        return sum(count for standing, count in self.counts().items() if standing in NORMATIVE)

    @property
    def settled(self) -> int:
        """Those of them that rules or tables say in full."""
        return self.normative - self.counts()[Standing.OPEN]


def hold(kept: Account, book: str) -> Held:
    """Hold the account against a book's text; raises ``RulesError`` when it shares no entry with the account."""
    found = list(passages(book, kept.parts))
    outside = Counter(p.chapter for p in found if p.chapter in kept.outside)
    inside = {name: list(group) for name, group in _by_entry(p for p in found if p.chapter not in kept.outside)}
    known = {name: list(group) for name, group in groupby(kept.lines, key=lambda line: line.entry)}
    if not inside.keys() & known.keys():
        raise RulesError("this does not look like the book: it has none of the entries of the account")
    same: list[tuple[Line, Passage]] = []
    changed: list[tuple[Line, Passage]] = []
    new: list[Passage] = []
    missing: list[Line] = []
    for name in [*inside, *(name for name in known if name not in inside)]:
        lines, here = known.get(name, []), inside.get(name, [])
        for equal, ours, theirs in _aligned(lines, here):
            both = min(len(ours), len(theirs))
            (same if equal else changed).extend(zip(ours[:both], theirs[:both], strict=True))
            missing += ours[both:]
            new += theirs[both:]
    return Held(kept, tuple(same), tuple(changed), tuple(new), tuple(missing), dict(outside))


def held_by(book: str) -> tuple[System, Held]:
    """The game whose account knows most of the book's passages, and that account held against it. Raises ``RulesError``."""
    found: list[tuple[System, Held]] = []
    for system in System:
        try:
            found.append((system, hold(account(system), book)))
        except RulesError:
            continue
    if not found:
        raise RulesError("this does not look like the book of any of these games: it has none of the entries of their accounts")
    return max(found, key=lambda pair: len(pair[1].same))


def _by_entry(found: Iterable[Passage]) -> Iterator[tuple[str, Iterator[Passage]]]:
    return groupby(found, key=lambda p: p.entry)


def _aligned(lines: Sequence[Line], here: Sequence[Passage]) -> Iterator[tuple[bool, Sequence[Line], Sequence[Passage]]]:
    """Stretches of both, in order, that agree or do not; a sentence put in between moves the others without harm."""
    matcher = SequenceMatcher(None, [line.mark for line in lines], [p.mark for p in here], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        yield kind == "equal", lines[a:b], here[c:d]


# --- reading a book -------------------------------------------------------------------------------------------------

LARGEST = 16_000_000
"""Bytes of the longest text that is read; the printed book has some 240 000."""


def book_text(path: str) -> str:
    """The text of a book; raises ``RulesError``, with the file and what to do, for whatever is no such text."""
    try:
        with open(path, "rb") as source:
            data = source.read(LARGEST + 1)
    except FileNotFoundError:
        raise RulesError("there is no such file", fix="name the book as plain text", file=path) from None
    except IsADirectoryError:
        raise RulesError("this is a folder", fix="name the book as plain text", file=path) from None
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise RulesError(f"this file cannot be read: {reason}", file=path) from None
    if len(data) > LARGEST:
        raise RulesError(f"this is too long for a rulebook: more than {LARGEST // 1_000_000} MB", file=path)
    if b"\0" in data:
        raise RulesError("this is no plain text", fix="save the book as UTF-8 text", file=path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise RulesError("this is not UTF-8", fix="save the book as UTF-8 text", file=path, line=line) from None
    if not text.strip():
        raise RulesError("this file is empty", fix="name the book as plain text", file=path)
    return text
