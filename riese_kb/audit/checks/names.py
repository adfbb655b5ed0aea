"""One thing spelled in several ways, and words used like terms that are explained nowhere."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from riese_kb.audit.book import Book, Entry, Piece, Sort, plain, singular
from riese_kb.audit.checks.references import _part_of_heading, known
from riese_kb.audit.findings import Finding, Kind, Mend, Severity
from riese_kb.typeset import counted

SURE = 4
"""So many times as often as the other a spelling must be printed to be taken for the right one."""
_WORD = re.compile(r"[A-ZÄÖÜ][^\W\d_]{4,}")
_ENDINGS = frozenset(
    [
        "",
        "s",
        "es",
        "ed",
        "d",
        "ing",
        "er",
        "ers",
        "n",
        "en",
        "e",
        "ly",
        "y",
        "al",
        "in",
        "m",
        "r",
        "t",
        "cy",
        "te",
        "ten",
        "ter",
        "or",
        "ors",
        "em",
        "ern",
        "ens",
        "innen",
        "ion",
        "ions",
        "ies",
        "ive",
    ]
)
_GERMAN = re.compile(r"\b(?:der|die|das|und|nicht|eine?r?|wird|werden)\b")
_CAPITALS = re.compile(r"(?<![\w#])[A-ZÄÖÜ]{3,}(?:[ -](?:OF |THE |TO )?[A-ZÄÖÜ]{2,})*(?![\w])")


def check(book: Book) -> Iterator[Finding]:
    """Spellings first, then terms."""
    yield from _spellings(book)
    yield from _other_middle(book)
    yield from _terms(book)
    yield from _named(book)


def _other_middle(book: Book) -> Iterator[Finding]:
    """``canal guard duty`` where a heading is ``CANAL WATCH DUTY``: the ends are right, and no heading has the middle."""
    titles: dict[tuple[str, str], tuple[str, Entry]] = {}
    middles = {word for name in book.by_name for word in name.split()}
    for entry in book.entries:
        words = singular(plain(entry.heading)).split()
        if len(words) == 3 and entry.heading.isupper():
            titles[words[0], words[2]] = (words[1], entry)
    if not titles:
        return
    for entry, piece in book.pieces():
        words = singular(plain(piece.text)).split() if piece.sort is not Sort.PICTURE else []
        for first, middle, last in zip(words, words[1:], words[2:], strict=False):
            right, owner = titles.get((first, last), ("", None))
            if owner is None or middle == right or middle in middles or len(middle) < 5:
                continue
            yield Finding(
                Kind.NAMING,
                Severity.MEDIUM,
                entry.at(piece),
                f"{first} {middle} {last} is called {owner.heading} elsewhere",
                (owner.place,),
                fix=owner.heading,
                mend=_put_in(piece.text, middle, right),
            )


def _put_in(text: str, middle: str, right: str) -> Mend | None:
    """The word that stands for ``middle`` in a text, and the right one written as it is."""
    found = re.search(rf"\b{re.escape(middle)}\w{{0,2}}", text, re.IGNORECASE)
    if found is None:
        return None
    word = found[0]
    return Mend(word, right if word.islower() else right.upper() if word.isupper() else right.capitalize())


def _spellings(book: Book) -> Iterator[Finding]:
    """A rare word one slip away from a frequent one. Nouns are capitalised in German, so there the words beside must agree."""
    words: dict[str, list[tuple[Entry, Piece, str, str]]] = defaultdict(list)
    for entry, piece in book.pieces():
        if piece.line in book.guessed:
            continue
        tokens = re.findall(r"[\wäöüß'’-]+", piece.text)
        for at, token in enumerate(tokens):
            word = re.sub(r"['’]s?$", "", token)
            if _WORD.fullmatch(word) and "-" not in word:
                before, after = (tokens[at - 1] if at else ""), (tokens[at + 1] if at + 1 < len(tokens) else "")
                words[word].append((entry, piece, before.casefold(), after.casefold()))
    german = len(_GERMAN.findall(book.text)) > len(re.findall(r"\b(?:the|and|of|is|to)\b", book.text))
    lower = set(re.findall(r"(?<![\w'’-])[a-zäöüß][\wäöüß'’-]{3,}", book.text))
    frequent: dict[int, list[str]] = defaultdict(list)
    for word, places in words.items():
        if len(places) >= 2:
            frequent[len(word)].append(word)
    for word, places in sorted(words.items()):
        if len(places) > 2 or word.lower() in lower or singular(word.lower()) in lower or word[:1] == word[1:2].upper():
            continue
        close = [
            other
            for length in range(len(word) - 2, len(word) + 3)
            for other in frequent.get(length, ())
            if word.isupper() == other.isupper()
            and len(words[other]) >= 2 * len(places)
            and other.lower() not in lower
            and _one_off(word, other)
        ]
        if not close:
            continue
        right = max(close, key=lambda one: len(words[one]))
        beside = _same_company(places, words[right])
        if german and not beside:
            continue
        if not beside and len(words[right]) < 3 and (len(right) < 7 or len(places) > 1):
            continue
        severity = Severity.MEDIUM if beside or len(word) >= 7 else Severity.LOW
        sure = severity is Severity.MEDIUM and len(words[right]) >= SURE * len(places)
        entry, piece, *_ = places[0]
        other, first, *_ = words[right][0]
        yield Finding(
            Kind.NAMING,
            severity,
            entry.at(piece),
            f"{word} is spelled {right} elsewhere ({len(words[right])} times)",
            (other.at(first),),
            fix=right if sure else None,
            mend=Mend(word, right) if sure else None,
        )
    yield from _joined(book)


def _same_company(rare: list[tuple[Entry, Piece, str, str]], often: list[tuple[Entry, Piece, str, str]]) -> bool:
    """Whether a neighbour of the one is a neighbour of the other, too; little words do not count."""
    sides = {(side, word) for _, _, *two in often for side, word in enumerate(two)}
    return any((side, word) in sides and len(word) > 3 for _, _, *two in rare for side, word in enumerate(two))


_TWO = re.compile(r"(?<![\w-])([A-ZÄÖÜ][\wäöüß]+)([ -])([A-ZÄÖÜa-zäöüß][\wäöüß]+)(?![\w-])")


def _joined(book: Book) -> Iterator[Finding]:
    """``Thick Skin``, ``Thick-Skin``, ``Thickskin``: the form used once where another is the rule."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    places: dict[str, tuple[Entry, Piece]] = {}
    singles: dict[str, Counter[str]] = defaultdict(Counter)
    for word in re.findall(r"(?<![\w-])[A-ZÄÖÜ][\wäöüß]{5,}(?![\w-])", book.text):
        singles[word.casefold()][word] += 1
    for entry, piece in book.pieces():
        for one, sign, other in () if piece.line in book.guessed else _TWO.findall(piece.text):
            form = f"{one}{sign}{other}"
            forms[(one + other).casefold()][form] += 1
            places.setdefault(form, (entry, piece))
    for joined, found in sorted(forms.items()):
        found.update(singles.get(joined, {}))
        kept = Counter({form: n for form, n in found.items() if form.casefold() != form})
        by_fold: dict[str, int] = Counter()
        for form, number in kept.items():
            by_fold[form.casefold()] += number
        if len(by_fold) < 2:
            continue
        right, most = Counter(by_fold).most_common(1)[0]
        for form in kept:
            if form.casefold().replace("-", "") == right and re.search(r"-[a-zäöüß]", form):
                continue  # a word broken at the end of a line
            if form.casefold() != right and by_fold[form.casefold()] == 1 and most >= 3 and form in places:
                entry, piece = places[form]
                usual = next(f for f in kept if f.casefold() == right)
                if re.search(r"[ -][a-zäöüß]{1,3}$", usual):
                    continue  # neither is a word: a scanned page breaks them anywhere
                yield Finding(
                    Kind.NAMING,
                    Severity.LOW,
                    entry.at(piece),
                    f"{form} is written {usual} elsewhere ({most} times)",
                    fix=usual,
                    mend=Mend(form, usual),
                )


def _one_off(word: str, other: str) -> bool:
    """Whether two words differ by one slip of the pen (two in long ones) and not by an ending."""
    a, b = word.casefold(), other.casefold()
    if a == b:
        return False
    shared = 0
    while shared < min(len(a), len(b)) and a[shared] == b[shared]:
        shared += 1
    if shared >= 3 and a[shared:] in _ENDINGS and b[shared:] in _ENDINGS:
        return False
    limit = 1 if len(a) < 9 else 2
    if len(a) < 6 and len(a) != len(b):
        return False
    return 0 < _distance(a, b, limit) <= limit


def _distance(a: str, b: str, limit: int) -> int:
    """Insertions, deletions, changes and swaps of neighbours; more than ``limit`` is not counted out."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
        if min(row) > limit:
            return limit + 1
    return rows[-1][-1]


def _terms(book: Book) -> Iterator[Finding]:
    """Terms in capitals, as a glossary's entries are, without an entry or an explanation."""
    headings = sum(1 for e in book.entries if e.heading.isupper())
    if headings < 5:
        return  # this book does not set its terms in capitals
    uses: dict[str, list[tuple[Entry, Piece]]] = defaultdict(list)
    for entry, piece in book.pieces():
        if piece.sort in (Sort.ROW, Sort.PICTURE) or piece.text.isupper():
            continue
        body = re.sub(r"^[^:.!?]{2,60}:\s", "", piece.text)
        for term in _CAPITALS.findall(body):
            uses[term].append((entry, piece))
    brackets = {plain(inner) for inner in re.findall(r"\(([A-ZÄÖÜ/#+.\d ]{2,12})\)", book.text)}
    for term, found in sorted(uses.items()):
        name = plain(term)
        if known(book, term) or singular(name) in brackets or name in brackets or _part_of_heading(book, term) or len(term) < 4:
            continue
        if _explained(book, term):
            continue
        entry, piece = found[0]
        yield Finding(
            Kind.TERM,
            Severity.MEDIUM if sum(not e.number for e, _ in found) > 1 and not _compound(book, term, brackets) else Severity.LOW,
            entry.at(piece),
            f"{term} is written like a term of the rules ({counted(len(found), 'time')}) and explained nowhere",
            tuple(e.at(p) for e, p in found[1:2]),
        )


_NAMED = re.compile(
    r"\b(?:the|an?|this|her|his|their) ((?:[A-ZÄÖÜ][\w-]+ ){1,3})(power|status|skill|ability|proficiency)\b"
    r"|\b(?:Fähigkeit|Sonderfähigkeit|Zustand|Talent) [„»\"]([^„“»«\"]{3,30})[“«\"]"
)


def _named(book: Book) -> Iterator[Finding]:
    """``the Gloom power``: something named as a power, a status or a skill, and no entry, label or row goes by that name."""
    for entry, piece in book.pieces():
        for found in _NAMED.finditer(piece.text) if piece.sort is not Sort.PICTURE else ():
            name = (found[1] or found[3]).strip()
            if known(book, name) or _part_of_heading(book, name) or _explained(book, name) or name.isupper():
                continue
            yield Finding(
                Kind.TERM,
                Severity.MEDIUM,
                entry.at(piece),
                f"{name} is named as {_article(found[2])}, and nothing of that name is explained",
            )


def _article(sort: str | None) -> str:
    return "an ability" if sort in (None, "ability") else f"a {sort}"


def _compound(book: Book, term: str, brackets: set[str]) -> bool:
    """``LOF AM``: two terms side by side, each of which is explained."""
    words = singular(plain(term)).split()
    return len(words) > 1 and all(known(book, word) or word in brackets or _part_of_heading(book, word) for word in words)


def _explained(book: Book, term: str) -> bool:
    """Whether a longer entry's words hold the term, or it is a heading's word in another form."""
    words = singular(plain(term)).split()
    stems = {word[:-3] if len(word) > 6 else word for word in words}
    return any(all(any(w.startswith(stem) for w in name.split()) for stem in stems) for name in (*book.by_name, *book.labels))
