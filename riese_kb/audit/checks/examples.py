"""Worked examples whose numbers do not follow from one another: S/W pairs and modifiers, sums of points, pools of dice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from riese_kb.audit.book import Book, Entry, Piece
from riese_kb.audit.checks.dice import NUMBERS
from riese_kb.audit.findings import Finding, Kind, Mend, Severity

if TYPE_CHECKING:
    from riese_kb.proving.worked import Reach

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
    from riese_kb.proving.worked import any_total, follows

    if not any_total((s, w), (t, v)):
        yield Finding(
            Kind.EXAMPLE,
            Severity.HIGH,
            entry.at(piece),
            f"{s}/{w} becomes {t}/{v}: the stun value changes by {t - s:+d}, the wound value by {v - w:+d}",
            fix=f"{t}/{w + t - s} or {s + v - w}/{v}",
            mend=Mend(f"{t}/{v}", f"{t}/{w + t - s}"),
        )
        return
    signed = [int(number) * (1 if sign == "+" else -1) for sign, number in _SIGNED.findall(text)]
    if not signed or t == s or follows((s, w), (t, v), tuple(signed), _reach(text)):
        return
    yield Finding(
        Kind.EXAMPLE,
        Severity.MEDIUM,
        entry.at(piece),
        f"{s}/{w} becomes {t}/{v}, a change of {t - s:+d}; the modifiers named come to {sum(signed):+d}",
        fix=f"{s + sum(signed)}/{w + sum(signed)}",
        mend=Mend(f"{t}/{v}", f"{s + sum(signed)}/{w + sum(signed)}"),
    )


_NUMBER = r"(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)"
_SQUARES = re.compile(rf"\b(?:{_NUMBER} (?:squares|spaces) away|range (?:of |is )?\(?{_NUMBER}\b)")
_PBR = re.compile(rf"\b(?:point-blank range|PBR|PB range) (?:of|is) {_NUMBER}\b")
_RM = re.compile(rf"\b(?:range modifier|RM) (?:of|is) {_NUMBER}\b")
_NAMED = re.compile(r"\branged? (?:attack )?(?:modifier of [+-]|AM)|\bfor (?:the )?range\b")


def _reach(text: str) -> Reach | None:
    """What a passage tells of distance; None where it names the modifier of the range itself, or no distance at all."""
    from riese_kb.proving.worked import Reach

    rest, blank = _PBR.subn(" ", text)
    squares = _SQUARES.search(rest)
    if _NAMED.search(text) or (squares is None and not blank):
        return None
    return Reach(*(_number(found) for found in (squares, _PBR.search(text), _RM.search(text))))


def _number(found: re.Match[str] | None) -> int | None:
    if found is None:
        return None
    word = next(group for group in found.groups() if group)
    return int(word) if word.isdigit() else NUMBERS[word]


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
                mend=Mend(total[0], f"total of {sum(parts)} {unit}"),
            )
