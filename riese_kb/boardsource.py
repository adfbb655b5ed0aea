"""The text of a board file, with places: which line holds the n-th ``[[figure]]``, or a key of it.

Lines are searched for only when there is something to complain about, so a sound board costs nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from riese_kb.errors import BoardError, did_you_mean, nearest

T = TypeVar("T")

MAX_TEXT = 200
"""The most characters of a title, a name or a label."""

_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_-]+)\s*\]")
_KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*=""")
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (int, "a whole number"),
    (float, "a number with a fraction"),
    (str, "text"),
    (list, "a list"),
    (dict, "a table"),
)

_AT_TOP = "it belongs at the top of the file, above the first [[figure]]"
_ELSEWHERE = dict.fromkeys(
    ("system", "title", "round", "threat", "darkness", "scratch", "notes", "pool", "discard", "aside", "track", "map"), _AT_TOP
) | {
    "ring": "rings belong to Tannhäuser boards",
    "paths": "rings belong to Tannhäuser boards",
    "side": "sides belong to Tannhäuser boards",
    "wounds": "write the health that is left: health = 1",
}
"""Advice for keys that are right in another place or game."""


def shown(value: object) -> str:
    """A value as a message may show it: short, on one line, without control characters."""
    if isinstance(value, str):
        text = value if len(value) <= 60 else value[:57] + "…"
        return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text) + '"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if abs(value) < 10**12 else "a number of more than 12 digits"
    if isinstance(value, float):
        return repr(value)
    return next((words for kind, words in _KINDS if isinstance(value, kind)), "a date or time")


def hint(word: str, names: Collection[str], also: Iterable[str] = ()) -> str | None:
    """Advice for a misspelt word: the nearest of the names and their aliases (``also``), else the list of the names."""
    close = nearest(word, (*names, *also))
    return f"did you mean {close[0]}?" if close else did_you_mean(word, names)


def _places(text: str) -> dict[tuple[str, int, str], int]:
    """The lines of all tables, under (table, its number, ""), and of their keys, under (table, number, key).

    Keys above the first header belong to table "". Lines within a multi-line string are skipped. This is a search for
    places and no second TOML reader: what it does not recognise simply has no line.
    """
    found: dict[tuple[str, int, str], int] = {}
    counts: dict[str, int] = {}
    table, number, closing = "", 0, ""
    for line, row in enumerate(text.split("\n"), 1):
        if closing:
            closing = "" if closing in row else closing
            continue
        if header := _HEADER.match(row):
            table = header.group(2)
            number = counts.get(table, -1) + 1
            counts[table] = number
            found[table, number, ""] = line
        elif key := _KEY.match(row):
            name = next(part for part in key.groups() if part is not None)
            found.setdefault((table, number, name), line)
            value = row[key.end() :].lstrip()
            if value[:3] in ("'''", '"""') and value[:3] not in value[3:]:
                closing = value[:3]
    return found


class Source:
    """The text that is read, and the name of its file (None: it came from elsewhere)."""

    __slots__ = ("file", "text")

    def __init__(self, text: str, file: str | None) -> None:
        self.text = text
        self.file = file

    def line(self, table: str, number: int, key: str | None) -> int | None:
        """The 1-based line of a key, else of its table, as far as the text shows it."""
        places = _places(self.text)
        wanted = [(table, number, ""), ("", 0, table)]
        if key is not None:
            wanted = [(table, number, key), *wanted] if table else [("", 0, key), (key, 0, "")]
        return next((places[place] for place in wanted if place in places), None)

    def error(self, what: str, fix: str | None, table: str = "", number: int = 0, key: str | None = None) -> BoardError:
        """The error to raise for a fault at that key of that table."""
        return BoardError(what, fix=fix, file=self.file, line=self.line(table, number, key))

    def map_error(self, fault: BoardError) -> BoardError:
        """A fault of the map, whose line counts from the first line of the map's text, put in its place in the file."""
        line = self.line("", 0, "map")
        if line is not None and fault.line is not None:
            opening = self.text.split("\n")[line - 1].split("=", 1)[1].lstrip().rstrip("\r")
            if opening[:3] in ("'''", '"""') and opening[:3] not in opening[3:]:
                line += fault.line - (1 if opening[3:] else 0)  # TOML drops a newline right after the quotes
        return BoardError(fault.what, fix=fault.fix, file=self.file, line=line)


class Table:
    """One table of the file, read key by key; every fault becomes a BoardError with its line.

    ``called`` names the table in messages, e.g. ``figure "z1"``. Each reader takes None for a key that is not there.
    """

    __slots__ = ("called", "data", "name", "number", "source")

    def __init__(self, source: Source, data: Mapping[str, Any], name: str = "", number: int = 0) -> None:
        self.source = source
        self.data = data
        self.name = name
        self.number = number
        self.called = f"{name} {number + 1}" if name else "the board"

    def error(self, what: str, fix: str | None = None, key: str | None = None) -> BoardError:
        """The error to raise for a fault of this table, at a key of it."""
        return self.source.error(what, fix, self.name, self.number, key)

    def only(self, keys: Iterable[str]) -> None:
        """Refuse a key that is not among ``keys``."""
        known = tuple(keys)
        for key in self.data:
            if key not in known:
                fix = _ELSEWHERE.get(key) or hint(key, known)
                raise self.error(f"unknown key {shown(key)} in {self.called}", fix, key)

    def need(self, key: str, example: str) -> None:
        """Refuse a table without that key."""
        if key not in self.data:
            raise self.error(f"{self.called} has no {key}", f"add {example}")

    def _wrong(self, key: str, wanted: str) -> BoardError:
        return self.error(f"{key} of {self.called} is {shown(self.data[key])}", f"{key} takes {wanted}", key)

    def text(self, key: str, limit: int = MAX_TEXT) -> str | None:
        """A text on one line, without control characters, of at most ``limit`` characters."""
        value = self.data.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self._wrong(key, f'text in quotes: {key} = "…"')
        return self._clean(key, value, limit)

    def _clean(self, key: str, value: str, limit: int) -> str:
        if len(value) > limit:
            raise self.error(f"{key} of {self.called} has {len(value)} characters", f"{limit} is the limit", key)
        if not value.isprintable():
            bad = next(c for c in value if not c.isprintable())
            what = f"{key} of {self.called} holds the control character U+{ord(bad):04X}"
            raise self.error(what, "take it out: only visible characters and blanks", key)
        return value

    def number_in(self, key: str, low: int, high: int) -> int | None:
        """A whole number within limits; true, 1.0 and nan are none."""
        value = self.data.get(key)
        if value is None:
            return None
        if type(value) is not int or not low <= value <= high:
            raise self._wrong(key, f"a whole number from {low} to {high}")
        return value

    def flag(self, key: str) -> bool | None:
        """Either true or false."""
        value = self.data.get(key)
        if value is not None and not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def texts(self, key: str, limit: int = 60) -> tuple[str, ...]:
        """A list of texts, at most 60 of them."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self._wrong(key, f'a list of texts: {key} = ["…", "…"]')
        if len(value) > limit:
            raise self.error(f"{key} of {self.called} lists {len(value)} things", f"{limit} is the limit", key)
        return tuple(self._clean(key, v, MAX_TEXT) for v in value)

    def choice(self, key: str, words: Mapping[str, T]) -> T | None:
        """One word of a fixed list, turned into what it stands for."""
        word = self.text(key)
        if word is None or word in words:
            return None if word is None else words[word]
        raise self.error(f"unknown {key} {shown(word)} in {self.called}", hint(word, words), key)

    def known(
        self,
        key: str,
        word: str,
        find: Callable[[str], str | None],
        noun: str,
        names: Collection[str],
        *,
        also: Iterable[str] = (),
    ) -> str:
        """The canonical name of ``word``, or the error with the nearest of ``names`` and their aliases, ``also``."""
        found = find(word)
        if found is None:
            raise self.error(f"unknown {noun} {shown(word)} in {self.called}", hint(word, names, also), key)
        return found
