"""Any rulebook's text as headings, paragraphs, bullets, table rows and notes, each with its line.

Headings are what looks like one: Markdown's ``#``, lines in capitals, ``Appendix 3 - …``, ``2.5 Combat``, numbered entries
(``#47B …``), scenarios (``30: …``), and short lines without an end of a sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache

from riese_kb.audit.findings import Place
from riese_kb.audit.hyphens import unbroken
from riese_kb.audit.pagination import page_marks
from riese_kb.audit.spacing import joined, spaced


class Sort(StrEnum):
    """What a line is."""

    PARAGRAPH = "paragraph"
    BULLET = "bullet"
    ROW = "row"
    NOTE = "note"
    PICTURE = "picture"
    HEADING = "heading"


@dataclass(frozen=True)
class Piece:
    """One line with what it is; ``cells`` of a table's row."""

    sort: Sort
    text: str
    line: int
    cells: tuple[str, ...] = ()


@dataclass
class Entry:
    """A heading (its line, its words), the part of the book it stands in, and the pieces below it."""

    heading: str
    line: int
    part: str = ""
    pieces: list[Piece] = field(default_factory=list)

    @property
    def place(self) -> Place:
        """Where it begins."""
        return Place(self.line, self.heading)

    def at(self, piece: Piece) -> Place:
        """Where one of its pieces stands."""
        return Place(piece.line, self.heading)

    @cached_property
    def number(self) -> str:
        """``47B`` of a numbered entry ``#47B …``; empty for others."""
        found = NUMBERED.match(self.heading)
        return found[1] if found else ""

    @cached_property
    def scenario(self) -> tuple[str, str] | None:
        """Number and title of a scenario's heading."""
        found = SCENARIO.match(self.heading)
        return (found[1], found[2].strip()) if found else None

    @property
    def tables(self) -> list[list[Piece]]:
        """The rows of each table, its first row with the names of the columns included; other words begin another table."""
        found: list[list[Piece]] = []
        before = -2
        for piece in self.pieces:
            if piece.sort is Sort.ROW:
                if piece.line > before + 2 or not found:
                    found.append([])
                found[-1].append(piece)
                before = piece.line
            elif piece.sort is not Sort.NOTE:
                before = -2
        return found


NUMBERED = re.compile(r"#(\d+[A-Z]?)\b")
SCENARIO = re.compile(r"(?:ARRIVAL PATH )?(?:SCENARIO |Scenario )?(\d{1,3}): (.+?)(?: \((?:Continued|Part \d+)\))*$")
_MARKDOWN = re.compile(r"#{1,6} +(\S.*)")
_APPENDIX = re.compile(r"(?:Appendix|APPENDIX|Anhang) +(\w+)\b")
_CHAPTER = re.compile(r"(?:\d+\.)+\d* +[A-ZÄÖÜ]|[IVX]+\. +[A-ZÄÖÜ]")
_RULER = re.compile(r"[|\-: ]+$")
_ENDS = (".", "!", "?", ":", ";", ",", ")", '"', "”", "-", "–")


class Book:
    """The entries of a text, in order, with the words that look-ups need."""

    def __init__(self, text: str) -> None:
        unspaced, guessed = joined(re.split(r"\r\n|\r|\n", text), LONGEST)
        self.lines = unbroken(unspaced, LONGEST)
        self.guessed = frozenset(guessed)
        self.page_marks = page_marks(self.lines)
        self.skipped: list[str] = []
        self.entries = list(self._read())
        if unread := [piece.line for _, piece in self.pieces() if spaced(piece.text)]:
            lines = "1 line that is" if len(unread) == 1 else f"{len(unread)} lines that are"
            self.skipped.append(f"{lines} spaced letter by letter, where no words can be told apart: {listed(unread)}")
        if guessed:
            lines = "1 line" if len(guessed) == 1 else f"{len(guessed)} lines"
            self.skipped.append(
                f"not checked is the spelling of {lines} spaced letter by letter, put together: {listed(guessed)}"
            )

    def _read(self) -> Iterator[Entry]:
        entry = Entry("", 1)
        part = ""
        bullet = False
        loose: list[int] = []
        for number, raw in enumerate(self.lines, 1):
            line = raw.strip()
            if len(line) > LONGEST:
                self.skipped.append(f"line {number} has {len(line):,} characters and was left out")
                continue
            following = self.lines[number].strip() if number < len(self.lines) else ""
            if not line or number in self.page_marks:
                continue
            if "|" in line[1:] and line[0] != "|":
                if _RULER.match(following) or (entry.pieces and entry.pieces[-1].sort is Sort.ROW):
                    line = f"| {line} |"
                else:
                    loose.append(number)
            heading = heading_of(line, following or self._below(number))
            if heading and not bullet:
                if entry.pieces or entry.heading:
                    yield entry
                if found := _APPENDIX.match(heading):
                    part = f"Appendix {found[1]}"
                entry = Entry(heading, number, part)
                continue
            table = bool(entry.pieces) and entry.pieces[-1].sort in (Sort.ROW, Sort.NOTE)
            sort, text = (Sort.NOTE, line) if table and line[0] in "*^†" and not bullet else _sort(line, bullet)
            bullet = line in ("-", "•", "*")
            if not bullet and text:
                cells = tuple(cell.strip() for cell in text.strip("|").split("|")) if sort is Sort.ROW else ()
                if not (sort is Sort.ROW and _RULER.match(text)):
                    entry.pieces.append(Piece(sort, text, number, cells))
        yield entry
        if loose:
            self.skipped.append(f"lines with | that are no table, for want of a line |---| under the first: {listed(loose)}")

    def _below(self, number: int) -> str:
        """The words of the next line but one, where it goes on in the middle of a sentence: scanned books space lines."""
        below = self.lines[number + 1].strip() if number + 1 < len(self.lines) else ""
        return below if below[:1].islower() else ""

    def pieces(self) -> Iterator[tuple[Entry, Piece]]:
        """Every piece with its entry."""
        for entry in self.entries:
            for piece in entry.pieces:
                yield entry, piece

    @cached_property
    def text(self) -> str:
        """All of it, a line each."""
        return "\n".join(self.lines)

    @cached_property
    def _word_counts(self) -> list[tuple[str, int]]:
        return sorted(Counter(re.findall(r"\w+", self.text.casefold())).items())

    def times(self, beginning: str) -> int:
        """How many words of the book begin like that, whatever their case."""
        fold = beginning.casefold()
        # Those sort next to each other, before whatever follows the last letter that there is.
        first, end = (bisect_left(self._word_counts, (word, 0)) for word in (fold, f"{fold}\U0010ffff"))
        return sum(number for _, number in self._word_counts[first:end])

    @cached_property
    def by_name(self) -> dict[str, list[Entry]]:
        """Entries by every name they go by, as ``plain`` writes it."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            for name in names_of(entry.heading):
                found.setdefault(name, []).append(entry)
        return found

    @cached_property
    def parts(self) -> frozenset[str]:
        """``Appendix 1`` and so on."""
        return frozenset(entry.part for entry in self.entries if entry.part)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers of numbered entries."""
        return frozenset(entry.number for entry in self.entries if entry.number)

    @cached_property
    def chapters(self) -> frozenset[str]:
        """``2.5`` of every heading that begins with such a number."""
        found = (re.match(r"((?:\d+\.)+\d*)", entry.heading) for entry in self.entries)
        return frozenset(one[1].rstrip(".") for one in found if one)

    @cached_property
    def word_runs(self) -> frozenset[str]:
        """Every run of words, in the singular, that a heading or label holds."""
        runs = set()
        for name in {*self.by_name, *self.labels}:
            words = singular(name).split()
            if len(words) <= 12:
                runs |= {" ".join(words[a:b]) for a in range(len(words)) for b in range(a + 1, len(words) + 1)}
        return frozenset(runs)

    @cached_property
    def labels(self) -> dict[str, list[tuple[Entry, Piece]]]:
        """Pieces that begin with a label (``DODGE: …``), by that label."""
        found: dict[str, list[tuple[Entry, Piece]]] = {}
        for entry, piece in self.pieces():
            if label := _LABEL.match(piece.text):
                for name in names_of(label[1] or label[2]):
                    found.setdefault(name, []).append((entry, piece))
            if piece.sort is Sort.ROW and piece.cells:
                found.setdefault(plain(piece.cells[0]), []).append((entry, piece))
        return found


CONTENTS = frozenset({"table of contents", "contents", "inhalt", "inhaltsverzeichnis"})
"""Headings of a table of contents, as ``plain`` writes them."""
LONGEST = 20_000
"""Characters of the longest line that is looked at."""
_LABEL = re.compile(r"([^:.!?]{2,60}):(?:\s|$)|([A-ZÄÖÜ][A-ZÄÖÜ ]{2,40})\.\s")


def _sort(line: str, bullet: bool) -> tuple[Sort, str]:
    if line.startswith("|") and line.count("|") > 1:
        return Sort.ROW, line
    if line.startswith("["):
        return Sort.PICTURE, line
    if line.startswith(("- ", "• ", "* ")) or bullet:
        return Sort.BULLET, line.lstrip("-•* ") if not bullet else line
    if line[0] in "*^$†" and len(line) > 1:
        return Sort.NOTE, line
    return Sort.PARAGRAPH, line


def heading_of(line: str, following: str = "") -> str:
    """The heading that a line is, without Markdown's signs; empty for other lines."""
    if markdown := _MARKDOWN.match(line):
        return markdown[1].rstrip("# ")
    if NUMBERED.match(line):
        return line
    if line[0] in "-|[*^$•†“„'" or line.startswith('"') or following.startswith("|") or re.match(r"[Ss]ee ", line):
        return ""
    if _APPENDIX.match(line) and len(line) < 80 and not line.endswith(_ENDS):
        return line
    if SCENARIO.match(line) and len(line) < 80 and not line.endswith((".", ",", ";")):
        return line
    if _CHAPTER.match(line) and len(line) < 70:
        return line
    letters = [c for c in line if c.isalpha()]
    if letters and not any(c.islower() for c in letters):
        return line if len(line) <= 90 and (line.endswith(")") or not line.endswith(_ENDS)) else ""
    if (
        len(line) <= 60
        and line[0].isupper()
        and not line.endswith(_ENDS)
        and len(line.split()) <= 7
        and not following[:1].islower()
        and not re.search(r"\w{5,}[.;!?] ", line)
    ):
        return line
    return ""


def listed(lines: Sequence[int], most: int = 8) -> str:
    """``3, 7-9, 12``: neighbours in one, the first few of many. Scanned pages leave every other line empty."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and line - runs[-1][-1] <= 2:
            runs[-1].append(line)
        else:
            runs.append([line])
    told = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs[:most]]
    return ", ".join(told) + (" …" if len(runs) > most else "")


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """A name without what does not matter: case, brackets' content, punctuation, plural endings of its last word."""
    text = re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", text)
    words = re.findall(r"[\wäöüß]+", text.casefold())
    return " ".join(words)


def short(words: str) -> str:
    """A heading for a message: no more of a book than a few words is ever quoted."""
    several = words.split()
    return " ".join(several[:8]) + (" …" if len(several) > 8 else "")


@lru_cache(maxsize=20_000)
def singular(name: str) -> str:
    """The same name with plural endings taken off its words."""
    return " ".join(re.sub(r"(?<=..[^s])s$|(?<=[sxz])es$", "", re.sub(r"ies$", "y", word)) for word in name.split())


def names_of(heading: str) -> set[str]:
    """Every name that a heading can be referred to by: the whole, the parts of ``A / B``, what stands in brackets."""
    heading = NUMBERED.sub("", heading)
    found = {plain(heading)}
    for piece in re.split(r"\s*/\s*", re.sub(r"\([^)]*\)", "", heading)):
        found.add(plain(piece))
    found |= {plain(inner) for inner in re.findall(r"\(([^)]*)\)", heading)}
    if appendix := re.match(r"(Appendix \w+)\s*[-–:]\s*(.+)", heading):
        found |= {plain(appendix[1]), plain(appendix[2])}
    if scenario := SCENARIO.match(heading):
        found.add(plain(scenario[2]))
    found |= {singular(name) for name in found}
    return found - {""}
