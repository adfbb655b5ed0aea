"""References to pages, where the text bears marks of its pages or a table of contents with their numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from riese_kb.audit.book import CONTENTS, Book, Entry, Piece, Sort, listed, plain, short, singular
from riese_kb.audit.checks.references import known, unknown
from riese_kb.audit.findings import Finding, Kind, Mend, Place, Severity
from riese_kb.audit.pagination import Pages, rising
from riese_kb.typeset import counted

_PAGE = re.compile(r"(?<!\w)(?:pages?|Seiten?|pp?\.|S\.|Page|PAGE) ?(\d{1,3})(?![\d/])(?! ?(?:mm|cm|Punkte))")
_CHAPTER = re.compile(r", (?:Kapitel|chapter|section|Abschnitt) (\d+(?:\.\d+)+)")
_AFTER = re.compile(r", ([A-ZÄÖÜ][A-ZÄÖÜ'’ -]{2,40})\b")
_LISTED = re.compile(r"(.*[^\W\d_][^\d]*?)[ .·…\t]+(\d{1,3})$")
NEAR = 120
"""Characters before and behind a reference in which its title may stand."""
_LINKS = frozenset(["on", "auf", "at", "see", "siehe", "s", "und", "and", "in", "im", "the", "der", "die", "das", "p"])


@dataclass(frozen=True)
class _Said:
    """A reference to a page, with the heading it names beside it, if any."""

    entry: Entry
    piece: Piece
    page: int
    words: str
    title: str = ""
    heads: tuple[Entry, ...] = ()
    at: int = 0
    """Where in its passage."""

    @property
    def place(self) -> Place:
        return self.entry.at(self.piece)


def check(book: Book) -> Iterator[Finding]:
    """Pages that are not there, titles that stand on another one, contents with the wrong one; else that none was checked."""
    contents = list(_contents(book))
    said = [*_references(book)]
    if not said and not contents:
        return
    yield from _unknown(book, said)
    titled = [(head.line, one.page) for one in (*said, *contents) for head in one.heads if len(one.heads) == 1]
    pages = Pages.of(book.lines, book.page_marks, titled)
    if pages is None:
        yield from _by_title(book, said, contents)
        return
    yield from _absent(pages, [*said, *contents])
    for one in (*said, *contents):
        on = sorted({page for head in one.heads for page in pages.on(head.line)})
        if on and one.page not in on and 0 < one.page <= pages.last:
            where = (
                f"page {on[0]}" if len(on) == 1 else f"pages {on[0]} to {on[-1]}" if len(on) > 2 else f"page {on[0]} or {on[1]}"
            )
            yield _elsewhere(one, where, one.heads[0].place, on)


_CALLED = re.compile(r"(?<![.!?:] )((?:[A-Z][\w'’-]+ ){2,4})\($|\(((?:[A-Z][\w'’-]+ ){1,4})$")


def _unknown(book: Book, said: Sequence[_Said]) -> Iterator[Finding]:
    """``… in Versus Mode (page 46)``, and no heading is called so. In German every noun has a capital: nothing can be told."""
    for one in said:
        called = (
            _CALLED.search(one.piece.text[max(0, one.at - NEAR) : one.at]) if one.words[0] in "pP" and not one.title else None
        )
        name = called and (called[1] or called[2]).strip()
        if name and not known(book, name) and not name.startswith(("Scenario", "The")):
            yield unknown(book, one.entry, one.piece, name)


def _elsewhere(one: _Said, where: str, other: Place, pages: Sequence[int]) -> Finding:
    right = one.words.replace(str(one.page), str(pages[0])) if len(pages) == 1 else ""
    return Finding(
        Kind.REFERENCE,
        Severity.MEDIUM,
        one.place,
        f"{one.title} is said to be on page {one.page}, and stands on {where}",
        (other,),
        fix=f"page {pages[0]}" if right else None,
        mend=Mend(one.words, right) if right else None,
    )


def _absent(pages: Pages, said: Sequence[_Said]) -> Iterator[Finding]:
    """Pages after the last one."""
    for one in said:
        if one.page > pages.last or one.page == 0:
            message = f"there is no page {one.page}; the last one is {pages.last - pages.spare}"
            yield Finding(Kind.REFERENCE, Severity.MEDIUM, one.place, message)


# --- a text without pages ---------------------------------------------------------------------------------------------


def _by_title(book: Book, said: Sequence[_Said], contents: Sequence[_Said]) -> Iterator[Finding]:
    """What can be known without pages: one title has one page, that of the contents if they say it."""
    by_title: dict[str, list[_Said]] = defaultdict(list)
    for one in (*contents, *said):
        if one.title:
            by_title[singular(plain(one.title))].append(one)
    for found in by_title.values():
        first = found[0]
        right = first.page if first in contents else Counter(one.page for one in found).most_common(1)[0][0]
        usual = next(one for one in found if one.page == right)
        for one in found:
            if one.page != right:
                yield _elsewhere(one, f"page {right} by another place", usual.place, [right])
    series = {one.heads[0].line: one for one in (*said, *contents) if len(one.heads) == 1 and one.heads[0].scenario is None}
    yield from _out_of_order([one for _, one in sorted(series.items())])
    alone = [one for one in said if one.heads == () or (len(by_title[singular(plain(one.title))]) < 2 and len(series) < 4)]
    if alone:
        lines = listed([one.piece.line for one in alone])
        book.skipped.append(f"not checked, for want of marks of pages: {counted(len(alone), 'reference')} to pages: {lines}")


def _out_of_order(said: Sequence[_Said]) -> Iterator[Finding]:
    """Headings in the text's order, each said to be on a page: a later one cannot be on an earlier page."""
    fitting = {line for line, _ in rising([(one.heads[0].line, one.page * len(said) + n) for n, one in enumerate(said)])}
    odd = [n for n, one in enumerate(said) if one.heads[0].line not in fitting]
    if len(said) < 4 or len(odd) > len(said) // 4:
        return
    for n in odd:
        one = said[n]
        other = next(b for m, b in enumerate(said) if m not in odd and (m < n) == (b.page > one.page) and b.page != one.page)
        where = "after" if other.heads[0].line < one.heads[0].line else "before"
        yield Finding(
            Kind.REFERENCE,
            Severity.MEDIUM,
            one.place,
            f"{one.title} is said to be on page {one.page}, and stands {where} {short(other.title)}, said to be on {other.page}",
            (other.place, one.heads[0].place),
        )


# --- what is said of pages --------------------------------------------------------------------------------------------


def _references(book: Book) -> Iterator[_Said]:
    for entry, piece in book.pieces():
        if piece.sort is Sort.PICTURE or plain(entry.heading) in CONTENTS:
            continue
        for found in _PAGE.finditer(piece.text):
            before, after = piece.text[max(0, found.start() - NEAR) : found.start()], piece.text[found.end() : found.end() + NEAR]
            title, heads = _named(book, before, after)
            yield _Said(entry, piece, int(found[1]), found[0], title, tuple(heads), found.start())


def _named(book: Book, before: str, after: str) -> tuple[str, list[Entry]]:
    """The heading that a reference names: ``… 2.5.1`` behind it, the longest one right before it, ``, TITLE`` behind it."""
    if chapter := _CHAPTER.match(after):
        heads = [e for e in book.entries if e.heading.split(" ")[0].rstrip(".") == chapter[1]]
        return f"chapter {chapter[1]}", heads
    before = before.rstrip(" (")
    opened = before.rpartition("(")[2] if "(" in before[-60:] else before
    words = re.split(r"\s+", re.split(r"[.:;!?]\s", opened.rstrip(" (,"))[-1])
    while words and words[-1].casefold().strip(",") in _LINKS:
        words.pop()
    for size in range(min(6, len(words)), 0, -1):
        title_words = " ".join(words[-size:]).strip(' ,"“”„»«(')
        if title_words[:1].isupper() and plain(title_words) in book.by_name:
            return title_words, book.by_name[plain(title_words)]
    if (title := _AFTER.match(after)) and plain(title[1]) in book.by_name:
        return title[1], book.by_name[plain(title[1])]
    return "", []


def _contents(book: Book) -> Iterator[_Said]:
    """The lines of a table of contents that end in a page, if most of them do."""
    for entry in book.entries:
        if plain(entry.heading) not in CONTENTS:
            continue
        rows = [(piece, _LISTED.match(" ".join(piece.cells).strip() if piece.cells else piece.text)) for piece in entry.pieces]
        numbered = [(piece, found) for piece, found in rows if found]
        if len(numbered) < 3 or len(numbered) < 0.6 * len(rows):
            continue
        for piece, found in numbered:
            title = found[1].rstrip(" .·…")
            heads = [e for e in book.by_name.get(plain(title), ()) if e is not entry]
            yield _Said(entry, piece, int(found[2]), found[0], title, tuple(heads))
