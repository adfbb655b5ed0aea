"""Passages that stand twice, and passages that say almost the same with one number or one word that matters changed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from riese_kb.audit.book import Book, Entry, Piece, Sort, plain, short
from riese_kb.audit.findings import Finding, Kind, Mend, Severity
from riese_kb.audit.spacing import spaced

SHORTEST = 8
"""Words of a passage that is compared."""
TEMPLATE = 3
"""So many places with the same words are a form that the book repeats on purpose."""
LIKE = 0.86
"""Share of words that two passages must have in common to be held beside each other."""
_NEGATES = re.compile("not|never|no|cannot|nicht|nie|niemals|keine?|except|unless|außer")
_MATTERS = re.compile(
    "may|must|can|cannot|not|never|always|no|all|any|each|every|only|first|last|before|after|more|less|higher|lower|least|most|"
    "front|rear|left|right|adjacent|diagonally|hero(?:es)?|zombies?|kann|muss|darf|nicht|nie|immer|keine?|alle|jede|nur|vor|nach|"
    "mehr|weniger|höher|niedriger|mindestens|höchstens"
)
_COUNTED = re.compile(
    "once|twice|thrice|one|two|three|four|five|six|seven|eight|nine|ten|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|[0-9]+"
)


def check(book: Book) -> Iterator[Finding]:
    """Whole blocks first, as one finding each; then single passages; then near ones."""
    pieces = [(entry, piece) for entry, piece in book.pieces() if piece.sort is not Sort.PICTURE and _long(piece)]
    same: dict[str, list[int]] = defaultdict(list)
    for index, (_, piece) in enumerate(pieces):
        same[plain(piece.text)].append(index)
    told: set[int] = set()
    headings = Counter(plain(entry.heading) for entry in book.entries)
    fields = Counter(_field(piece) for _, piece in book.pieces())
    yield from _twice_the_heading(book, told, pieces)
    for places in list(same.values()):
        if 2 <= len(places) < TEMPLATE:
            first, second = places
            if first in told or second in told:
                continue
            field = _field(pieces[first][1])
            form = bool(field and fields[field] >= TEMPLATE) or _card(book, pieces[first]) or _lists(pieces, first, second)
            yield from _block(pieces, first, second, told, headings, form)
    # Of a passage that stands twice the first is compared on; one that stands more often is a form.
    repeated = {index for places in same.values() for index in places[0 if len(places) >= TEMPLATE else 1 :]}
    yield from _near(pieces, repeated)


def _long(piece: Piece) -> bool:
    return len(piece.text.split()) >= SHORTEST and not spaced(piece.text)


def _field(piece: Piece) -> str:
    """``Powers`` of ``Powers: …``: a field of a form, where it comes again and again."""
    found = re.match(r"([^:.!?]{2,30}):\s", piece.text)
    return found[1].casefold() if found else ""


def _card(book: Book, at: tuple[Entry, Piece]) -> bool:
    """A card, its name in quotation marks in front or on the line above: every owner has his own."""
    entry, piece = at
    before = [other.text for other in entry.pieces if piece.line - 4 <= other.line <= piece.line]
    return entry.heading[:1] in _QUOTES or any(text[0] in _QUOTES for text in before)


_QUOTES = tuple("»«„")


def _lists(pieces: Sequence[tuple[Entry, Piece]], first: int, second: int) -> bool:
    """The same step in two lists of one entry, each with its own opening line."""
    (one, bullet), (other, again) = pieces[first], pieces[second]
    if one is not other or bullet.sort is not Sort.BULLET or again.sort is not Sort.BULLET:
        return False
    return any(bullet.line < p.line < again.line and p.sort is not Sort.BULLET and p.text.endswith(":") for p in one.pieces)


def _twice_the_heading(book: Book, told: set[int], pieces: Sequence[tuple[Entry, Piece]]) -> Iterator[Finding]:
    """An entry that stands twice under the same heading, with mostly the same words."""
    by_heading: dict[str, list[Entry]] = defaultdict(list)
    for entry in book.entries:
        if entry.heading and entry.pieces and len(entry.heading) > 2 and not spaced(f"{entry.heading} x"):
            by_heading[plain(entry.heading)].append(entry)
    for entries in by_heading.values():
        if len(entries) != 2:
            continue
        one, other = entries
        share = _share(_words(one), _words(other))
        if share < 0.7 or len(_words(one)) < SHORTEST:
            continue
        told.update(i for i, (entry, _) in enumerate(pieces) if entry in (one, other))
        difference = "" if share > 0.995 else f"; they differ in {_differences(_words(one), _words(other))}"
        yield Finding(
            Kind.DUPLICATE,
            Severity.HIGH if share <= 0.995 else Severity.MEDIUM,
            other.place,
            f"the entry {short(other.heading)!r} stands twice{difference}",
            (one.place,),
            fix=f"keep one of lines {one.line} and {other.line}",
            mend=Mend(find=other.heading, passages=1 + len(other.pieces)),
        )


def _words(entry: Entry) -> list[str]:
    return [word for piece in entry.pieces for word in plain(piece.text).split()]


def _share(one: Sequence[str], other: Sequence[str]) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio() if len(one) + len(other) < 4000 else 0.0


def _block(
    pieces: Sequence[tuple[Entry, Piece]], first: int, second: int, told: set[int], headings: Counter[str], form: bool
) -> Iterator[Finding]:
    """The longest run of equal passages that begins at two places."""
    length = 0
    while (
        second + length < len(pieces)
        and first + length < second
        and plain(pieces[first + length][1].text) == plain(pieces[second + length][1].text)
    ):
        told.update((first + length, second + length))
        length += 1
    (entry, piece), (other, before) = pieces[second], pieces[first]
    if _sheets(entry, other, piece):
        return
    form = form or headings[plain(entry.heading)] > 2  # SETUP, SPECIAL RULES …: what every scenario has
    severity = Severity.MEDIUM if (length > 1 or entry is other) and not form else Severity.LOW
    what = f"{length} passages stand" if length > 1 else "this passage stands"
    elsewhere = other.heading if entry.heading != other.heading else ""
    yield Finding(
        Kind.DUPLICATE,
        severity,
        entry.at(piece),
        f"{what} here and, word for word, under {short(other.heading)!r}",
        (other.at(before),),
        fix=None if form else "say it once and refer to it" if elsewhere else "leave one of them out",
        mend=None if form else Mend(text=f"See {elsewhere}." if elsewhere else "", passages=length),
    )


def _sheets(one: Entry, other: Entry, piece: Piece) -> bool:
    """Two sheets of one form (characters, scenarios, numbered entries): their lines repeat on purpose."""
    if one is other:
        return False
    if (one.number and other.number) or (one.scenario and other.scenario):
        return piece.sort is Sort.BULLET or len(piece.text.split()) < 14
    labels = [{p.text.partition(":")[0] for p in e.pieces if ":" in p.text[:40]} for e in (one, other)]
    return len(labels[0] & labels[1]) >= 3


def _near(pieces: Sequence[tuple[Entry, Piece]], repeated: set[int]) -> Iterator[Finding]:
    """Pairs that share most of their words; found by the rarest triples of words that they have in common."""
    words = [plain(piece.text).split() for _, piece in pieces]
    triples: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, found in enumerate(words):
        if index not in repeated and len(found) >= 10:
            for at in range(len(found) - 2):
                triples[tuple(found[at : at + 3])].append(index)
    common: Counter[tuple[int, int]] = Counter()
    for places in triples.values():
        if 2 <= len(places) <= 4:
            unique = sorted(set(places))
            for n, one in enumerate(unique):
                for other in unique[n + 1 :]:
                    common[one, other] += 1
    like: list[tuple[int, int, SequenceMatcher[str]]] = []
    for (one, other), count in sorted(common.items()):
        shorter = min(len(words[one]), len(words[other]))
        if count < 0.4 * (shorter - 2):
            continue
        matcher = SequenceMatcher(None, words[one], words[other], autojunk=False)
        if matcher.ratio() < LIKE:
            continue
        like.append((one, other, matcher))
    times = Counter(index for one, other, _ in like for index in (one, other))
    for one, other, matcher in like:
        if times[one] == times[other] == 1:  # else it is a form that is filled in
            yield from _pair(pieces[one], pieces[other], words[one], words[other], matcher)


def _pair(
    one: tuple[Entry, Piece], other: tuple[Entry, Piece], words: Sequence[str], more: Sequence[str], matcher: SequenceMatcher[str]
) -> Iterator[Finding]:
    (entry, before), (second, piece) = one, other
    if _sheets(entry, second, piece) or (piece.sort is Sort.ROW) or abs(piece.line - before.line) <= 3:
        return
    if _EXAMPLE.search(entry.heading) and _EXAMPLE.search(second.heading):
        return  # two stories, told alike
    changed = [(words[a:b], more[c:d]) for op, a, b, c, d in matcher.get_opcodes() if op != "equal"]
    numbers = [(_numbers(a), _numbers(b)) for a, b in changed]
    matter = any(a != b and a and b for a, b in numbers) or any(
        (a and b and _any(_MATTERS, {*a, *b})) or _any(_NEGATES, set(a) ^ set(b)) for a, b in changed
    )
    if len(changed) > 3 or _other_things(before.text, piece.text, changed):
        return
    shown = "; ".join(
        f"“{' '.join(a)}” here, “{' '.join(b)}” there".replace("“”", "nothing") for a, b in ((y, x) for x, y in changed)
    )
    if matter and len(changed) <= 2 and sum(len(a) + len(b) for a, b in changed) <= 8:
        yield Finding(
            Kind.CONFLICT,
            Severity.MEDIUM,
            second.at(piece),
            f"this says almost what {short(entry.heading)!r} says, but {shown}",
            (entry.at(before),),
        )
    elif not matter:
        yield Finding(
            Kind.DUPLICATE,
            Severity.LOW,
            second.at(piece),
            f"this says what {short(entry.heading)!r} says already, reworded",
            (entry.at(before),),
        )


_EXAMPLE = re.compile(r"example|beispiel", re.IGNORECASE)


def _other_things(one: str, other: str, changed: Sequence[tuple[Sequence[str], Sequence[str]]]) -> bool:
    """Whether a name takes the place of a name, so that each passage speaks of its own thing."""
    return any(
        a
        and b
        and not _numbers(a)
        and not _numbers(b)
        and all(
            re.search(rf"(?<![.!?] )(?<!^)\b{re.escape(words[0][:1].upper() + words[0][1:])}", text)
            for words, text in ((a, one), (b, other))
        )
        for a, b in changed
    )


def _numbers(words: Sequence[str]) -> list[str]:
    return [word for word in words if _COUNTED.fullmatch(word)]


def _any(pattern: re.Pattern[str], words: set[str]) -> bool:
    return any(pattern.fullmatch(word) for word in words)


def _differences(one: Sequence[str], other: Sequence[str]) -> str:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    parts = [
        f"“{' '.join(one[a:b][:3])}” / “{' '.join(other[c:d][:3])}”" for op, a, b, c, d in matcher.get_opcodes() if op != "equal"
    ]
    return ", ".join(parts[:2]) + (" …" if len(parts) > 2 else "")
