"""Exact odds on ten-sided dice: combat roll and shock roll, and duels."""

from __future__ import annotations

from fractions import Fraction
from math import comb

FACES = 10


def chance(difficulty: int, bonus: int = 0, *, keep_one: bool = True, keep_ten: bool = True) -> Fraction:
    """The chance that one die reaches the difficulty; ``bonus`` does not raise a 1 nor, where it is a penalty, lower a 10."""
    good = 0
    for face in range(1, FACES + 1):
        kept = (face == 1 and bonus > 0 and keep_one) or (face == FACES and bonus < 0 and keep_ten)
        good += (face if kept else face + bonus) >= difficulty
    return Fraction(good, FACES)


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
