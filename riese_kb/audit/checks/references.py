"""References that lead nowhere, to another place than they say, or past a title that is another one; series with holes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from riese_kb.audit.book import CONTENTS, Book, Entry, Piece, Sort, plain, singular
from riese_kb.audit.findings import Finding, Kind, Mend, Place, Severity
from riese_kb.errors import nearest

_TERM = r"[A-ZÄÖÜ][A-ZÄÖÜ0-9'’/&-]+"
_SEE = re.compile(
    rf"\b(?:[Ss]ee|SEE)(?: also)?(?: the)?(?: rules (?:for|under))? "
    rf"((?:{_TERM}(?: (?:OF|AND|THE|TO|IN|A)\b)?[ ,]*(?:\([A-Za-z .\d]+\) ?)?(?:(?:and|und|,) )?)+)"
)
# Names are bounded: without an end in sight a long run of capitals would be tried from each of them to its end.
_IN_APPENDIX = re.compile(r"([A-ZÄÖÜ][A-ZÄÖÜ'’-]{1,40}(?: [A-ZÄÖÜ'’-]{2,40}){0,9}) \((?:[Ss]ee )?(?:Appx\.?|Appendix) (\d+)\)")
_APPENDIX_OF = re.compile(r"[Ss]ee (?:Appendix|Appx\.?) (\d+)[,:] (?:the )?([A-ZÄÖÜ][A-ZÄÖÜ'’-]+(?: [A-ZÄÖÜ'’-]{2,})*)")
_APPENDIX = re.compile(r"\b(?:Appendix|Appx\.?|Anhang) (\d+)\b")
_ENTRY = re.compile(r"\b[Ee]ntry (?:#|number |no\. ?)(\d+[A-Z]?)\b")
_SCENARIO = re.compile(r"\bscenarios? (\d{1,3}): ([A-Z0-9ÄÖÜ][^,;.()\n]*?)(?=[,;.()]| or | and | instead|$)")
_CHAPTER = re.compile(r"\b(?:Kapitel|chapter|Chapter|section|Abschnitt) (\d+(?:\.\d+)+)\b")


def check(book: Book) -> Iterator[Finding]:
    """All kinds of references, then the series they count on."""
    for entry, piece in book.pieces():
        yield from _named(book, entry, piece)
        yield from _appendices(book, entry, piece)
        yield from _numbered(book, entry, piece)
    yield from _titles(book)
    yield from _calls(book)
    yield from _holes(book)
    yield from _contents(book)


# --- see X ------------------------------------------------------------------------------------------------------------


def known(book: Book, name: str) -> bool:
    """Whether an entry or a labelled passage goes by that name."""
    names = {plain(name), singular(plain(name))}
    return bool(names & book.by_name.keys() or names & book.labels.keys())


def _named(book: Book, entry: Entry, piece: Piece) -> Iterator[Finding]:
    for found in _SEE.finditer(piece.text):
        for name in _split(found[1]):
            if known(book, name) or _part_of_heading(book, name):
                continue
            yield unknown(book, entry, piece, name)


def unknown(book: Book, entry: Entry, piece: Piece, name: str) -> Finding:
    """A name that leads nowhere, with the heading that may be meant."""
    close, sure = _close(book, name)
    hint = f"; the nearest heading is {close[0]!r}" if close else ""
    return Finding(
        Kind.REFERENCE,
        Severity.MEDIUM,
        entry.at(piece),
        f"this refers to {name}, and nothing goes by that name{hint}",
        tuple(e.place for e in book.entries if close and e.heading == close[0])[:1],
        fix=f"refer to {close[0]}" if sure else None,
        mend=Mend(name, close[0]) if sure else None,
    )


def _close(book: Book, name: str) -> tuple[list[str], bool]:
    """The heading most like a name, if any, and whether it can only be meant: the same words, or a slip of the pen."""
    headings = [e.heading for e in book.entries if e.heading]
    words = set(singular(plain(name)).split())
    same = [h for h in headings if set(singular(plain(h)).split()) == words]
    if same:
        return same[:1], True
    near = nearest(name, [h for h in headings if h.isupper()]) or nearest(name, headings)
    if near and SequenceMatcher(None, plain(name), plain(near[0])).ratio() > 0.9:
        return near[:1], True
    first = singular(plain(name)).split()[:1]
    begun = [h for h in headings if h.isupper() and singular(plain(h)).split()[:1] == first and len(h.split()) > 1]
    return (begun or list(near))[:1], False


def _split(names: str) -> list[str]:
    names = re.sub(r"\([^)]*\)", "", names)
    parts = re.split(r",| and | und ", names)
    return [part.strip(" .,") for part in parts if len(part.strip(" .,")) > 2 and part.strip(" .,") not in ("THE", "AND")]


def _part_of_heading(book: Book, name: str) -> bool:
    return singular(plain(name)) in book.word_runs


# --- appendices -------------------------------------------------------------------------------------------------------


def _appendices(book: Book, entry: Entry, piece: Piece) -> Iterator[Finding]:
    parts = book.parts
    if parts:
        for found in _APPENDIX.finditer(piece.text):
            if f"Appendix {found[1]}" not in parts:
                yield Finding(Kind.REFERENCE, Severity.MEDIUM, entry.at(piece), f"there is no Appendix {found[1]}")
    for name, number, words in [(f[1], f[2], f[0]) for f in _IN_APPENDIX.finditer(piece.text)] + [
        (f[2], f[1], f[0]) for f in _APPENDIX_OF.finditer(piece.text)
    ]:
        places = _stands_in(book, name)
        said = f"Appendix {number}"
        if said not in parts or not places or any(place.part == said for place in places):
            continue
        elsewhere = sorted({place.part for place in places if place.part})
        if not elsewhere:
            continue
        yield Finding(
            Kind.REFERENCE,
            Severity.HIGH,
            entry.at(piece),
            f"{name} is not in {said} but in {' and '.join(elsewhere)}",
            tuple(place.place for place in places if place.part)[:2],
            fix=f"{name} ({elsewhere[0]})",
            mend=Mend(words, re.sub(rf"(?:Appx\.?|Appendix) {number}\b", elsewhere[0], words)),
        )


def _stands_in(book: Book, name: str) -> list[Entry]:
    names = {plain(name), singular(plain(name))}
    found = [e for one in names for e in book.by_name.get(one, ())]
    found += [e for one in names for e, _ in book.labels.get(one, ())]
    return found


# --- numbers ----------------------------------------------------------------------------------------------------------


def _numbered(book: Book, entry: Entry, piece: Piece) -> Iterator[Finding]:
    numbers = book.numbers
    if numbers:
        for found in _ENTRY.finditer(piece.text):
            if found[1] not in numbers and not any(n.startswith(found[1]) for n in numbers if not n.isdigit()):
                yield Finding(
                    Kind.REFERENCE,
                    Severity.HIGH,
                    entry.at(piece),
                    f"this sends the reader to entry #{found[1]}, which does not exist",
                )
    chapters = book.chapters
    if len(chapters) > 3:
        for found in _CHAPTER.finditer(piece.text):
            if found[1] not in chapters:
                yield Finding(Kind.REFERENCE, Severity.MEDIUM, entry.at(piece), f"there is no chapter {found[1]}")


def _titles(book: Book) -> Iterator[Finding]:
    """A scenario goes by one title: that of its page, else the one given most often."""
    pages = {e.scenario[0]: (e.scenario[1], e) for e in book.entries if e.scenario}
    said: dict[str, list[tuple[str, Entry, Piece]]] = defaultdict(list)
    for entry, piece in book.pieces():
        for found in _SCENARIO.finditer(piece.text):
            said[found[1]].append((found[2].strip(), entry, piece))
    titles = {number: title for number, (title, _) in pages.items()}
    for number, mentions in said.items():
        if number not in titles:
            title, count = Counter(_base(title) for title, _, _ in mentions).most_common(1)[0]
            if count > 1:
                titles[number] = next(t for t, _, _ in mentions if _base(t) == title)
            elif not _alike(mentions[0][0], mentions[1][0] if len(mentions) > 1 else mentions[0][0]):
                (one, entry, piece), (other, there, again) = mentions[:2]
                message = f"scenario {number} is called {one!r} here and {other!r} elsewhere"
                yield Finding(Kind.REFERENCE, Severity.MEDIUM, entry.at(piece), message, (there.at(again),))
    numbers = {_base(title): number for number, title in titles.items()}
    for number, mentions in said.items():
        for title, entry, piece in mentions:
            right = titles.get(number)
            owner = numbers.get(_base(title))
            if right is None:
                owner = owner or next((n for n, t in titles.items() if len(_base(t)) > 5 and _alike(title, t)), None)
            if right is None and owner:
                yield Finding(
                    Kind.REFERENCE,
                    Severity.HIGH,
                    entry.at(piece),
                    f"{title} is scenario {number} here and scenario {owner} elsewhere",
                    tuple(e.at(p) for _, e, p in said[owner])[:2],
                    fix=f"scenario {owner}: {title}",
                    mend=Mend(f"scenario {number}: {title}", f"scenario {owner}: {title}"),
                )
            if right is None or _alike(title, right):
                continue
            fix = f"scenario {owner}: {title}" if owner else f"scenario {number}: {right}"
            yield Finding(
                Kind.REFERENCE,
                Severity.HIGH if owner else Severity.LOW,
                entry.at(piece),
                f"scenario {number} is called {right!r} elsewhere, not {title!r}"
                + (f", which is scenario {owner}" if owner else ""),
                tuple(e.place for n, (_, e) in pages.items() if n in (number, owner))[:2]
                or tuple(e.at(p) for t, e, p in mentions if _alike(t, right))[:1],
                fix=fix,
                mend=Mend(f"scenario {number}: {title}", fix),
            )


_CALLED = re.compile(r"\b([A-ZÄÖÜ][\w-]{2,40}) \(scenario (\d{1,3})\b")
_LISTED = re.compile(
    r"\b([A-ZÄÖÜ][\w-]{2,40}(?:(?:,? |,)(?:or |and |und |oder )?[A-ZÄÖÜ][\w-]{2,40}){1,15}),? ?"
    r"\(scenario numbers (\d{1,3}(?:(?:,? |,)(?:and |or )?\d{1,3}){1,15})\)"
)


@dataclass(frozen=True)
class _Call:
    """A scenario called by a name, with its number, and the words that say so (empty: its own page)."""

    number: str
    entry: Entry
    line: int
    words: str = ""

    @property
    def place(self) -> Place:
        return Place(self.line, self.entry.heading)


def _calls(book: Book) -> Iterator[Finding]:
    """Scenarios called by a name with their number: one name, one number; that of its page, if there is one."""
    said: dict[str, list[_Call]] = defaultdict(list)
    for entry, piece in book.pieces():
        for found in _CALLED.finditer(piece.text):
            said[found[1].casefold()].append(_Call(found[2], entry, piece.line, found[0]))
        for found in _LISTED.finditer(piece.text):
            for name, number in zip(*_named_list(found), strict=False):
                said[name.casefold()].append(_Call(number, entry, piece.line, found[0]))
    right: dict[str, str] = {}
    for name, calls in said.items():
        numbers = Counter(call.number for call in calls)
        pages = [e for e in book.entries if e.scenario and f"{_base(e.scenario[1])} ".startswith(f"{name} ")]
        titled = {page.scenario[0] for page in pages if page.scenario}
        # A longer title that begins like the name may be another scenario's: then somebody must have called it so.
        if len(titled) == 1 and (titled & numbers.keys() or any(_base(p.scenario[1]) == name for p in pages if p.scenario)):
            calls[:0] = [_Call(page.scenario[0], page, page.line) for page in pages if page.scenario]
            right[name] = calls[0].number
        else:
            right[name] = numbers.most_common(1)[0][0]
    for name, calls in said.items():
        wrong = next((call for call in calls if call.words and call.number != right[name]), None)
        if wrong is None:
            continue
        yield Finding(
            Kind.REFERENCE,
            Severity.HIGH,
            wrong.place,
            f"{name.capitalize()} is scenario {wrong.number} here and scenario {right[name]} elsewhere",
            tuple(call.place for call in calls if call.number == right[name])[:2],
            fix=f"scenario {right[name]}",
            mend=Mend(wrong.words, _corrected(wrong.words, right)),
        )


def _named_list(found: re.Match[str]) -> tuple[list[str], list[str]]:
    numbers = re.findall(r"\d+", found[2])
    return re.findall(r"[A-ZÄÖÜ][\w-]{2,}", found[1])[-len(numbers) :], numbers


def _corrected(words: str, right: dict[str, str]) -> str:
    """The same words with every scenario's right number: ``Loot (scenario 44`` or a list of names and one of numbers."""
    names, _, numbers = words.partition("(")
    fit = iter([right[name.casefold()] for name in re.findall(r"[A-ZÄÖÜ][\w-]{2,}", names) if name.casefold() in right])
    put_right = re.sub(r"\d+", lambda old: next(fit, old[0]), numbers)
    return f"{names}({put_right}"


def _base(title: str) -> str:
    return plain(re.sub(r"\(.*?\)|Part \d+", "", title))


def _alike(one: str, other: str) -> bool:
    a, b = _base(one), _base(other)
    return a == b or a.startswith(b) or b.startswith(a)


def _holes(book: Book) -> Iterator[Finding]:
    """A series of numbered entries without a gap, each number once."""
    numbered = [e for e in book.entries if e.number]
    if len(numbered) < 3:
        return
    plain_numbers = sorted({int(re.match(r"\d+", e.number)[0]) for e in numbered})  # type: ignore[index] # a number begins with a digit
    for missing in sorted(set(range(plain_numbers[0], plain_numbers[-1])) - set(plain_numbers)):
        if any(p.sort is Sort.PICTURE and re.search(rf"#{missing}\b", p.text) for _, p in book.pieces()):
            continue  # an editor's note says so
        after = next(e for e in numbered if int(re.sub(r"\D", "", e.number)) > missing)
        yield Finding(Kind.REFERENCE, Severity.MEDIUM, after.place, f"the numbered entries leave out #{missing}")
    counts = Counter(e.number for e in numbered)
    for entry in numbered:
        if counts[entry.number] > 1:
            first = next(e for e in numbered if e.number == entry.number)
            if first is not entry:
                yield Finding(
                    Kind.DUPLICATE, Severity.MEDIUM, entry.place, f"two entries have the number #{entry.number}", (first.place,)
                )


def _contents(book: Book) -> Iterator[Finding]:
    """What a table of contents lists is a heading of the book."""
    for entry in book.entries:
        if plain(entry.heading) not in CONTENTS:
            continue
        listed = [p for p in entry.pieces if len(p.text) < 80]
        missing = [
            p
            for p in listed
            if not known(book, re.sub(r"[.\s]*\d+$", "", p.text))
            and not _part_of_heading(book, re.sub(r"[.\s]*\d+$", "", p.text))
        ]
        if len(missing) <= len(listed) // 2:
            for piece in missing:
                if elsewhere := _renumbered(book, piece.text):
                    number = elsewhere.heading.split()[0]
                    yield Finding(
                        Kind.REFERENCE,
                        Severity.MEDIUM,
                        entry.at(piece),
                        f"the contents call this chapter {piece.text.split()[0]}, its heading says {number}",
                        (elsewhere.place,),
                        fix=f"{number} instead of {piece.text.split()[0]}",
                        mend=Mend(piece.text.split()[0], number),
                    )
                    continue
                yield Finding(
                    Kind.REFERENCE,
                    Severity.LOW,
                    entry.at(piece),
                    f"the contents list {piece.text!r}, and no heading is called so",
                )


_CHAPTERED = re.compile(r"((?:\d+\.)*\d+\.?) +(\D.*?)[.\s]*\d*$")


def _renumbered(book: Book, listed: str) -> Entry | None:
    """The heading that has a listed chapter's words and another number."""
    chapter = _CHAPTERED.match(listed)
    for entry in book.entries if chapter else ():
        found = _CHAPTERED.match(entry.heading)
        if chapter and found and plain(found[2]) == plain(chapter[2]) and found[1] != chapter[1]:
            return entry
    return None
