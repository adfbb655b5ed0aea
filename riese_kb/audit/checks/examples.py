"""Worked examples whose numbers do not follow from one another: S/W pairs and modifiers, sums of points, pools of dice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from riese_kb.audit.book import Book, Entry, Piece
from riese_kb.audit.findings import Finding, Kind, Severity

_PAIR = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?![\d/])")
_SIGNED = re.compile(r"(?<![\d\w/+-])([+-−])(\d{1,2})(?![\d/])")


def check(book: Book) -> Iterator[Finding]:
    """Passage by passage, where one holds a calculation."""
    for entry, piece in book.pieces():
        yield from _pairs(entry, piece)
        yield from _sums(entry, piece)


def _pairs(entry: Entry, piece: Piece) -> Iterator[Finding]:
    """One S/W pair becomes another: both values change by the same, and by what the modifiers come to."""
    text = piece.text
    told = re.search(r"[Mm]odified S/W|[Mm]odified|becomes|ergibt|wird zu", text)
    pairs = [(int(found[1]), int(found[2]), found.start()) for found in _PAIR.finditer(text)]
    if told is None or len({(s, w) for s, w, _ in pairs}) != 2:
        return
    after = next((pair for pair in pairs if pair[2] > told.start()), pairs[-1])
    before = next(pair for pair in pairs if pair[:2] != after[:2])
    (s, w, _), (t, v, _) = before, after
    if not (s <= w and t <= v) or max(s, w, t, v) > 24:
        return
    if t - s != v - w:
        yield Finding(
            Kind.EXAMPLE,
            Severity.HIGH,
            entry.at(piece),
            f"{s}/{w} becomes {t}/{v}: the stun value changes by {t - s:+d}, the wound value by {v - w:+d}",
            fix=f"{t}/{w + t - s} or {s + v - w}/{v}",
        )
        return
    signed = [int(number) * (1 if sign == "+" else -1) for sign, number in _SIGNED.findall(text)]
    # A modifier may be named twice: where it comes up, and where it is added.
    sums = {sum(signed), sum(dict.fromkeys(signed)), *accumulate(signed)}
    if not signed or t == s or t - s in sums or (t - s) * 2 == sum(signed):
        return
    yield Finding(
        Kind.EXAMPLE,
        Severity.MEDIUM,
        entry.at(piece),
        f"{s}/{w} becomes {t}/{v}, a change of {t - s:+d}; the modifiers named come to {sum(signed):+d}",
        fix=f"{s + sum(signed)}/{w + sum(signed)}",
    )


def _sums(entry: Entry, piece: Piece) -> Iterator[Finding]:
    """``2 MP … 1 MP … for a total of 4 MP``."""
    for unit in ("MP", "XP"):
        total = re.search(rf"total of (\d{{1,3}}) {unit}", piece.text)
        if not total:
            continue
        before = piece.text[: total.start()]
        parts = [int(n) for n in re.findall(rf"(?<![\d-])(\d{{1,3}}) {unit}", before)]
        if len(parts) >= 2 and sum(parts) != int(total[1]):
            yield Finding(
                Kind.EXAMPLE,
                Severity.MEDIUM,
                entry.at(piece),
                f"{' + '.join(map(str, parts))} {unit} make {sum(parts)}, not {total[1]}",
                fix=f"a total of {sum(parts)} {unit}",
            )
