"""Finding the passages of a printed book that the catalogue cites, and telling whether they have changed.

The catalogue keeps no text of the book, only a fingerprint of each rule's passages. `python -m riese_kb.fingerprint
BOOK` finds every passage in a book's text by the rule's citation, compares, and lists the rules whose passage is
missing or reads differently; ``--write`` puts the fingerprints of that book into the catalogue.

A citation is one or more *places* with semicolons between them. A place names an entry by its heading and, after
commas, what is meant in it::

    ZOMBIE MOVEMENT, 7th rule                        a line of the entry's list, counted from 1
    ZOMBIE MOVEMENT, 2nd list, 1st rule              the same in a later list of the entry
    MOVEMENT, action table, 4th, 5th and 7th row     rows of the table with that word in its caption or first row
    MOVEMENT, 1st note                               a footnote (a line marked *, ^ or $)
    ATTACK/ATTACKING, Rolling Attack Dice, 2nd rule  a section whose first words are a label and a colon
    LINE OF FIRE, 3rd paragraph
    Appendix 3, FIRE, 2nd rule                       an entry of an appendix
    OMEGA [2], 1st rule                              the second entry of that heading
    Appendix 2, DODGE                                everything in an entry, or in a section of that name
    Appendix 6, Scenario 31 Part 2, SPECIAL RULES, 4th paragraph    an entry of a scenario's page

Rules and paragraphs count anew in every section, rules in every list; captions, tables, pictures and the printed names
of sections take no part in it. Case, brackets after a heading and blanks around slashes do not matter.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby

from msgspec import Struct

from riese_kb.board import MAIN
from riese_kb.catalogue import chapter_file, rules
from riese_kb.errors import RieseError, RulesError

# --- a book's text in pieces ----------------------------------------------------------------------------------------


class Sort(StrEnum):
    """What one line of a book's text is; the names are those that citations use, captions and pictures are never cited."""

    PARAGRAPH = "paragraph"
    RULE = "rule"
    ROW = "row"
    NOTE = "note"
    CAPTION = "caption"
    PICTURE = "picture"


class Piece(Struct, frozen=True):
    """One line of a book: ``number`` counts from 1 in the book, the rest says where in its entry it stands.

    ``series`` numbers the lists of a section and the tables of an entry, from 1; a table's ``caption`` holds its own
    and the words of its first row.
    """

    sort: Sort
    text: str
    number: int
    section: str = ""
    series: int = 0
    caption: str = ""


class Entry(Struct, frozen=True):
    """One entry: its heading, the appendix it stands in (empty: the glossary) and its pieces in order."""

    heading: str
    part: str
    number: int
    pieces: tuple[Piece, ...]


_APPENDIX = re.compile(r"(Appendix \d+)\b")
_SCENARIO = re.compile(r"(\d+): .*?(?: - | \()?(Part \d+)?(?:\)|\b)(?: \(Continued\))?$")
"""The first line of a scenario's page in an appendix: ``31: The Weakness of Flesh (Part 2)``."""
_PAGE = re.compile(r"Scenario \d+(?: Part \d+)?")
_LABEL = re.compile(r"([^a-z:]{3,60}):(?:\s|$)")
_NICKNAME = re.compile(r'\w["”]$')
_ENDS = (".", "!", "?", ":", ";", ",", ")", '"', "”")


def entries(book: str) -> list[Entry]:
    """The entries of a book in order, from its plain text."""
    lines = [line.strip() for line in book.splitlines()]
    found: list[Entry] = []
    part = ""
    reader = _Reader()
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        page = _page(line, part)
        if page and page != part:
            found += reader.entry()
            part = page
            reader = _Reader(line, part, index + 1)
        elif not page and _is_heading(line, following):
            found += reader.entry()
            if appendix := _APPENDIX.match(line):
                part = appendix[1]
            reader = _Reader(line, part, index + 1)
        else:
            reader.read(line, index + 1, following)
    return [*found, *reader.entry()]


def _page(line: str, part: str) -> str:
    """The scenario page that a line of an appendix begins, as citations name it; empty for any other line."""
    appendix = _APPENDIX.match(part)
    found = _SCENARIO.match(line) if appendix else None
    if appendix is None or found is None or part.startswith("Appendix 5"):
        return ""
    return f"{appendix[1]}, Scenario {found[1]}{' ' + found[2] if found[2] else ''}"


def _is_heading(line: str, following: str) -> bool:
    if not line or line[0] in "-|[*^$" or following.startswith("|") or line.startswith("See "):
        return False
    return heading_like(line)


def heading_like(line: str) -> bool:
    """Whether a line is worded as headings are: capitals, or a few words without an end of a sentence."""
    if not any(c.islower() for c in line):
        return line.endswith(")") or not line.endswith(_ENDS)
    return len(line) <= 60 and (not line.endswith(_ENDS) or bool(_NICKNAME.search(line)))


class _Reader:
    """Collects the pieces of one entry."""

    def __init__(self, heading: str = "", part: str = "", number: int = 0) -> None:
        self._heading, self._part, self._number = heading, part, number
        self._pieces: list[Piece] = []
        self._section = self._caption = ""
        self._list = self._table = 0
        self._in_list = self._in_table = self._bullet = False

    def entry(self) -> Iterator[Entry]:
        if self._number:
            yield Entry(self._heading, self._part, self._number, tuple(self._pieces))

    def read(self, line: str, number: int, following: str) -> None:
        was_table, self._in_table = self._in_table, line.startswith("|")
        if self._in_table:
            self._row(line, number, was_table)
        elif not line:
            pass
        elif line.startswith("["):  # a picture stands between the lines of a list without ending it
            self._pieces.append(Piece(Sort.PICTURE, line, number, self._section))
        elif following.startswith("|") and not line.startswith("-"):
            self._head_table(line, number)
        elif line == "-":
            self._bullet = True  # a bullet whose text stands on the next line
        elif line.startswith("- ") or self._bullet:
            self._list += not self._in_list
            self._in_list, self._bullet = True, False
            self._add(Sort.RULE, line.removeprefix("- "), number, self._list)
        elif line[0] in "*^$":
            self._add(Sort.NOTE, line, number)
        else:
            self._in_list = False
            if (label := _LABEL.match(line)) and not label[1].startswith("EXAMPLE"):
                self._section, self._list = label[1], 0
            self._add(Sort.PARAGRAPH, line, number)

    def _head_table(self, caption: str, number: int) -> None:
        """A caption ends the section before it: what follows the table belongs to the entry again."""
        self._pieces.append(Piece(Sort.CAPTION, caption, number, self._section))
        self._caption = caption
        if self._section:
            self._section, self._in_list = "", False
            self._list = max((p.series for p in self._pieces if p.sort is Sort.RULE and not p.section), default=0)

    def _row(self, line: str, number: int, was_table: bool) -> None:
        if not was_table:
            self._table += 1
            self._caption = f"{self._caption} {line}"
        elif not set(line) <= set("|-: "):
            self._add(Sort.ROW, line, number, self._table, self._caption)
            return
        else:
            return
        self._pieces.append(Piece(Sort.ROW, line, number, self._section, 0, self._caption))

    def _add(self, sort: Sort, text: str, number: int, series: int = 0, caption: str = "") -> None:
        self._pieces.append(Piece(sort, text, number, self._section, series, caption))
        if sort is not Sort.ROW:
            self._caption = ""


# --- places in it ---------------------------------------------------------------------------------------------------

_SPOT = re.compile(r"^(.*?), ((?:\d+\w\w(?:, | and ))*\d+\w\w) (rule|paragraph|row|note)$")
_LIST = re.compile(r"^(.*), (\d+)\w\w list$")
_WHICH = re.compile(r" \[(\d+)\]$")
_TABLE = re.compile(r"^(.*), (?:(\w+) )?table$")


def find(book: Sequence[Entry], cite: str) -> list[Piece]:
    """The pieces that a citation means, in its order; raises ``RulesError`` naming the place that is not there."""
    return [piece for place in cite.split("; ") for piece in _find(book, place)]


def _find(book: Sequence[Entry], place: str) -> list[Piece]:
    rest, ordinals, sort = place, [1], None
    if spot := _SPOT.match(place):
        rest, sort = spot[1], Sort(spot[3])
        ordinals = [int(n) for n in re.findall(r"\d+", spot[2])]
    series = 1
    if wanted := _LIST.match(rest):
        rest, series = wanted[1], int(wanted[2])
    table = _TABLE.match(rest)
    if table:
        rest = table[1]
    entry, section = _entry(book, rest, place)
    pieces = [p for p in _citable(entry) if section is None or _same(p.section, section)]
    if table:
        pieces = _rows(entry, table[2] or "")
    if sort is None:
        return _some(pieces, place)
    counted = [p for p in pieces if p.sort is sort]
    if sort is Sort.RULE:
        counted = [p for p in counted if p.series == series]
    if sort is Sort.ROW:
        counted = [p for p in counted if p.series]
    elif sort is not Sort.NOTE:
        counted = [p for p in counted if section is not None or not p.section]
    if max(ordinals) > len(counted):
        raise RulesError(f"the book has no {place!r}: there are {len(counted)} of the kind {sort}")
    return [counted[n - 1] for n in ordinals]


def _entry(book: Sequence[Entry], names: str, place: str) -> tuple[Entry, str | None]:
    """The entry of that name, and the section when one is named."""
    words = names.split(", ")
    part = words.pop(0) if _APPENDIX.fullmatch(words[0]) else ""
    if part and words and _PAGE.fullmatch(words[0]):
        part += f", {words.pop(0)}"
    if not words or len(words) > 2:
        raise RulesError(f"no entry can be made out in {place!r}")
    here = [e for e in book if e.part == part]
    which = _WHICH.search(words[0])
    found = [e for e in here if _same(e.heading, _WHICH.sub("", words[0])) and not _only_points_on(e)]
    if which:
        found = found[int(which[1]) - 1 :][:1]
    section = words[1] if len(words) > 1 else None
    if not found and section is None:
        section = words[0]
        found = [e for e in here if any(_same(p.section, section) for p in e.pieces)]
    if not found:
        raise RulesError(f"the book has no {place!r}")
    if len(found) > 1:
        lines = ", ".join(str(e.number) for e in found)
        raise RulesError(f"{place!r} could be several passages (lines {lines})")
    if section is not None and not any(_same(p.section, section) for p in found[0].pieces):
        raise RulesError(f"the book has no {place!r}: the entry has no such section")
    return found[0], section


def _rows(entry: Entry, word: str) -> list[Piece]:
    """The first table of the entry whose caption or first row has the word."""
    tables = (p for p in entry.pieces if p.sort is Sort.ROW and word.casefold() in p.caption.casefold())
    return next((list(rows) for _, rows in groupby(tables, key=lambda p: p.caption)), [])


def _some(pieces: list[Piece], place: str) -> list[Piece]:
    if not pieces:
        raise RulesError(f"the book has nothing at {place!r}")
    return pieces


def _citable(entry: Entry) -> list[Piece]:
    return [p for p in entry.pieces if p.sort not in (Sort.CAPTION, Sort.PICTURE)]


def _only_points_on(entry: Entry) -> bool:
    pieces = _citable(entry)
    return len(pieces) == 1 and pieces[0].text.startswith(("See ", "See: "))


def _same(one: str, other: str) -> bool:
    return _plain(one) == _plain(other)


def _plain(heading: str) -> str:
    return re.sub(r"\s*/\s*", "/", re.sub(r"\s*\([^)]*\)$", "", heading.strip())).casefold()


# --- fingerprints ---------------------------------------------------------------------------------------------------

_FOLDED = str.maketrans({**dict.fromkeys("‘’‚‛′`´", "'"), **dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("‐‑‒–—―−", "-")})


def normalised(text: str) -> str:
    """The text as fingerprints see it: lower case, blanks, quotation marks and dashes each of one kind."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_FOLDED).lower().split())


def fingerprint(pieces: Iterable[Piece]) -> str:
    """Sixteen hexadecimal digits for the wording of some passages."""
    text = "\n".join(normalised(piece.text) for piece in pieces)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class State(StrEnum):
    """What has become of a rule's passage in a book."""

    SAME = "same"
    CHANGED = "changed"
    MISSING = "missing"


class Match(Struct, frozen=True):
    """A rule's passages in one book: state, lines and fingerprint there, and what is amiss when they are missing."""

    rule: str
    state: State
    lines: tuple[int, ...] = ()
    fingerprint: str = ""
    fault: str = ""


def matches(system: str, book: str) -> list[Match]:
    """Every rule of the catalogue held against a book's text."""
    read = entries(book)
    found = []
    for rule in rules(system).values():
        try:
            pieces = find(read, rule.cite)
        except RulesError as fault:
            found.append(Match(rule.id, State.MISSING, fault=fault.what))
            continue
        mark = fingerprint(pieces)
        state = State.SAME if mark == rule.fingerprint else State.CHANGED
        found.append(Match(rule.id, state, tuple(p.number for p in pieces), mark))
    return found


def write(system: str, found: Iterable[Match]) -> list[str]:
    """Put the fingerprints of changed passages into the catalogue's files; gives the ids of the rules concerned."""
    changed = [m for m in found if m.state is State.CHANGED]
    for chapter, group in groupby(changed, key=lambda m: m.rule.partition(".")[0]):
        path = chapter_file(system, chapter)
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        for match in group:
            line = re.compile(rf'(^\["{re.escape(match.rule)}"\]\n(?:[^\[\n].*\n)*?fingerprint = )"[^"]*"', re.M)
            text, count = line.subn(rf'\g<1>"{match.fingerprint}"', text)
            if not count:
                raise RulesError(f'rule {match.rule} has no line fingerprint = ""', file=path)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    return [m.rule for m in changed]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; gives its exit status (0 all agree, 1 some do not, 2 the book cannot be read)."""
    parser = argparse.ArgumentParser(prog="python -m riese_kb.fingerprint", description="Hold the catalogue against a book.")
    parser.add_argument("book", help="the book as plain text")
    parser.add_argument("--system", default=MAIN, help=f"the game whose catalogue is meant (default: {MAIN})")
    parser.add_argument("--write", action="store_true", help="put the book's fingerprints into the catalogue")
    parser.add_argument("--lines", action="store_true", help="list the lines of every rule's passages")
    given = parser.parse_args(arguments)
    try:
        with open(given.book, encoding="utf-8") as stream:
            found = matches(given.system, stream.read())
        written = set(write(given.system, found)) if given.write else set()
    except (OSError, UnicodeDecodeError, RieseError) as fault:
        print(fault, file=sys.stderr)
        return 2
    for match in found:
        lines = ", ".join(map(str, match.lines))
        if match.state is State.MISSING:
            print(f"missing  {match.rule}: {match.fault}")
        elif match.rule in written:
            print(f"written  {match.rule} (lines {lines})")
        elif match.state is State.CHANGED:
            print(f"changed  {match.rule} (lines {lines})")
        elif given.lines:
            print(f"same     {match.rule} (lines {lines})")
    amiss = sum(m.state is not State.SAME and m.rule not in written for m in found)
    print(f"{len(found)} rules, {amiss} to be looked at" if amiss else f"{len(found)} rules agree with the book")
    return 1 if amiss else 0


if __name__ == "__main__":
    sys.exit(main())
