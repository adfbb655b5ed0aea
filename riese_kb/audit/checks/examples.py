"""Worked examples whose numbers do not follow from one another: S/W pairs, modifiers, rolls that are needed, sums of points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from riese_kb.audit.book import Book, Entry, Piece
from riese_kb.audit.findings import Finding, Kind, Mend, Severity
from riese_kb.audit.told import Said, What, told

if TYPE_CHECKING:
    from riese_kb.proving.worked import Pair, Reach


HIGHEST = 24
"""A value of stun or wound at most; higher numbers beside a stroke are something else."""


def check(book: Book) -> Iterator[Finding]:
    """Passage by passage, where one holds a calculation."""
    for entry, piece in book.pieces():
        if "/" in piece.text or " MP" in piece.text or " XP" in piece.text:
            said = told(piece.text)
            yield from _pairs(entry, piece, said)
            yield from _needed(entry, piece, said)
            yield from _sums(entry, piece, said)


def _all(said: Sequence[Said], *what: What) -> list[Said]:
    return [one for one in said if one.what in what]


# --- values of stun and wound -----------------------------------------------------------------------------------------


def _pairs(entry: Entry, piece: Piece, said: Sequence[Said]) -> Iterator[Finding]:
    """One S/W pair becomes another: both values change by the same, and by what the modifiers come to."""
    becomes = _all(said, What.MODIFIED, What.BECOMES)
    pairs = _all(said, What.PAIR)
    if not becomes or len({pair.numbers for pair in pairs}) != 2:
        return
    after = next((pair for pair in pairs if pair.start > becomes[0].start), pairs[-1]).numbers
    (s, w), (t, v) = next(pair.numbers for pair in pairs if pair.numbers != after), after
    if not (s <= w and t <= v) or max(s, w, t, v) > HIGHEST:
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
    signed = _signed(said)
    if not signed or t == s or follows((s, w), (t, v), signed, _reach(said)):
        return
    yield Finding(
        Kind.EXAMPLE,
        Severity.MEDIUM,
        entry.at(piece),
        f"{s}/{w} becomes {t}/{v}, a change of {t - s:+d}; the modifiers named come to {sum(signed):+d}",
        fix=f"{s + sum(signed)}/{w + sum(signed)}",
        mend=Mend(f"{t}/{v}", f"{s + sum(signed)}/{w + sum(signed)}"),
    )


def _signed(said: Sequence[Said]) -> tuple[int, ...]:
    return tuple(one.numbers[0] for one in _all(said, What.SIGNED))


def _reach(said: Sequence[Said]) -> Reach | None:
    """What a passage tells of distance; None where it names the modifier of the range itself, or no distance at all."""
    from riese_kb.proving.worked import Reach

    squares, blank, modifier = (next((one.numbers[0] for one in _all(said, what)), None) for what in _DISTANCE)
    if _all(said, What.RANGED) or (squares is None and blank is None):
        return None
    return Reach(squares, blank, modifier)


_DISTANCE = (What.RANGE, What.PBR, What.RM)


def _needed(entry: Entry, piece: Piece, said: Sequence[Said]) -> Iterator[Finding]:
    """``needs a 5, 6, 7 or 8 to stun``, ``wounds on 9+``: what must be rolled follows from a pair that the passage gives."""
    for index, roll in enumerate(said):
        if roll.what not in (What.STUN, What.WOUND) or not _definite(roll):
            continue
        pairs, named, reach = _ground(said, index)
        if not pairs or any(_enough(roll, pair, named, reach) for pair in pairs):
            continue
        values = " or ".join(f"{s}/{w}" for s, w in pairs)
        right = _right(roll, pairs, named, reach)
        printed, mended = f"{roll.numbers[0]}+", f"{right}+"
        yield Finding(
            Kind.EXAMPLE,
            Severity.MEDIUM,
            entry.at(piece),
            f"{_faces(roll)} to {roll.what}: that does not follow from {values}, whatever of the passage is added to it",
            fix=f"{right} or more" if right else None,
            mend=Mend(printed, mended) if right and piece.text.count(printed) == 1 else None,
        )


def _right(roll: Said, pairs: Sequence[Pair], named: Sequence[int], reach: Reach | None) -> int | None:
    """The least roll that is enough, where one pair and one modifier at most leave no doubt of it."""
    if len(pairs) > 1 or len(named) > 1 or not _open(roll):
        return None
    least = pairs[0][roll.what is What.WOUND] + sum(named)
    return least if _enough(replace(roll, numbers=(least,)), pairs[0], tuple(named), reach) else None


def _ground(said: Sequence[Said], index: int) -> tuple[list[Pair], tuple[int, ...], Reach | None]:
    """What a roll may follow from: modified values told before it, with what is named since; else all that is told."""
    before = said[:index]
    modified = [
        at
        for at, one in enumerate(before)
        if one.what is What.PAIR and any(two.what in _MODIFIED for two in before[max(0, at - 2) : at])
    ]
    pairs = [said[at] for at in modified] or _all(said, What.PAIR)
    within = before[modified[0] :] if modified else said
    values: dict[Pair, None] = {(one.numbers[0], one.numbers[1]): None for one in pairs}
    return [(s, w) for s, w in values if s < w <= HIGHEST], _signed(within), None if modified else _reach(said)


_MODIFIED = (What.MODIFIED, What.FINAL, What.BECOMES)


def _definite(roll: Said) -> bool:
    """Whether it says which faces, rather than which one came up."""
    return len(roll.numbers) > 1 or _open(roll) or not roll.words.startswith("roll")


def _open(roll: Said) -> bool:
    return "+" in roll.words or any(f" or {more}" in roll.words for more in ("more", "better", "higher"))


def _faces(roll: Said) -> str:
    low, high = roll.numbers[0], roll.numbers[-1]
    return f"{low}-{high}" if high > low else f"{low} or more" if _open(roll) else str(low)


def _enough(roll: Said, pair: Pair, named: tuple[int, ...], reach: Reach | None) -> bool:
    """Whether some of the modifiers make these the faces: up to the first that wounds, if they stun and the last is told."""
    from riese_kb.proving.worked import reaches

    low, high = roll.numbers[0], roll.numbers[-1]
    apart = pair[1] - pair[0]
    if roll.what is What.WOUND:
        return reaches(pair, (low - apart, low), named, reach)
    return (_open(roll) or high == low or high - low == apart - 1) and reaches(pair, (low, low + apart), named, reach)


# --- sums of points ---------------------------------------------------------------------------------------------------


def _sums(entry: Entry, piece: Piece, said: Sequence[Said]) -> Iterator[Finding]:
    """``2 MP … 1 MP … for a total of 4 MP``."""
    for unit in ("MP", "XP"):
        total = next((one for one in _all(said, What.TOTAL) if one.words.startswith("total of") and unit in one.words), None)
        if total is None:
            continue
        prices = [one for one in _all(said, What.PRICE, What.PRICE_TO) if unit in one.words and one.end <= total.start]
        parts = [one.numbers[0] for one in prices]
        if len(parts) >= 2 and sum(parts) != total.numbers[0]:
            yield Finding(
                Kind.EXAMPLE,
                Severity.MEDIUM,
                entry.at(piece),
                f"{' + '.join(map(str, parts))} {unit} make {sum(parts)}, not {total.numbers[0]}",
                fix=f"a total of {sum(parts)} {unit}",
                mend=Mend(total.words, f"total of {sum(parts)} {unit}"),
            )
