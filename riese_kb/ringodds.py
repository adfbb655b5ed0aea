"""Exact odds on ten-sided dice: combat roll and shock roll, and duels."""

from __future__ import annotations

from fractions import Fraction
from math import comb

FACES = 10
_PAIRS = [(a, b) for a in range(1, FACES + 1) for b in range(1, FACES + 1)]


def chance(difficulty: int, bonus: int = 0, *, keep_one: bool = True, keep_ten: bool = True) -> Fraction:
    """The chance that one die reaches the difficulty; ``bonus`` does not raise a 1 nor, where it is a penalty, lower a 10."""
    good = 0
    for face in range(1, FACES + 1):
        kept = (face == 1 and bonus > 0 and keep_one) or (face == FACES and bonus < 0 and keep_ten)
        good += (face if kept else face + bonus) >= difficulty
    return Fraction(good, FACES)


def begins(own: int, other: int, *, ties_again: bool = True, repeats: bool = False) -> Fraction:
    """The chance that one side's die plus ``own`` is higher than the other's plus ``other``.

    ``ties_again``: equal sums are rolled again by both. ``repeats``: where it is lower, the side rolls its own die once more.
    """
    wins = sum((a + own > b + other for a, b in _PAIRS), 0)
    ties = sum((a + own == b + other for a, b in _PAIRS), 0)
    decided = len(_PAIRS) - ties if ties_again else len(_PAIRS)
    plain = Fraction(wins, decided) if decided else Fraction(0)
    if not repeats:
        return plain
    again = Fraction(0)
    for a, b in _PAIRS:
        if a + own < b + other:
            higher = sum(face + own > b + other for face in range(1, FACES + 1))
            equal = sum(face + own == b + other for face in range(1, FACES + 1))
            again += (higher + (equal * plain if ties_again else 0)) / Fraction(FACES)
    return plain + again / decided


def successes(count: int, p: Fraction) -> list[Fraction]:
    """The chances of 0, 1, 2 … successes with so many dice."""
    count = max(0, count)
    return [comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count + 1)]


def wounds(hits: list[Fraction], parries: list[Fraction], extra: int = 0, certain: int = 0) -> list[Fraction]:
    """The chances of 0, 1, 2 … wounds: hits less parries, ``extra`` hits where there is one, and ``certain`` wounds."""
    found = [Fraction(0)] * (len(hits) + extra + certain)
    for hit, p in enumerate(hits):
        made = hit + (extra if hit else 0)
        for parried, q in enumerate(parries):
            found[max(0, made - parried) + certain] += p * q
    return found


def wins(own: list[Fraction], other: list[Fraction], *, tie: bool = False) -> Fraction:
    """The chance of more successes than the other side, or, with ``tie``, of as many."""
    return sum((p * q for a, p in enumerate(own) for b, q in enumerate(other) if a > b or (tie and a == b)), Fraction(0))
