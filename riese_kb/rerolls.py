"""Exact odds of rolls that scratch tokens may repeat: initiative, and a success that any one die can bring."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from riese_kb.odds import FACES

Pair = tuple[int, int]
"""The faces of the heroes' and the zombies' die."""


def success(chance: Fraction, dice: int, tokens: int) -> Fraction:
    """The chance that one of so many dice succeeds, dice that fail being rolled again as long as there are tokens."""
    return 1 - (1 - chance) ** (dice + tokens)


def initiative(outcome: Mapping[Pair, str], tokens: int, *, again: bool) -> Fraction:
    """The chance that the heroes win, who may roll either die again for each token and do what is best for them.

    ``outcome`` says for each pair of faces who wins, or ``tie``; ``again``: after a tie both dice are rolled anew for nothing.
    """
    worth: dict[Pair, Fraction] = {}
    for held in range(tokens + 1):
        # What one more token makes of each pair; nothing, where there is none.
        repeated = _one_again(worth) if held else dict.fromkeys(outcome, Fraction(0))
        start = _start(outcome, repeated, again)
        worth = {pair: _worth(who, repeated[pair], start if again else Fraction(0)) for pair, who in outcome.items()}
    return sum(worth.values(), Fraction(0)) / len(outcome)


def _worth(who: str, repeated: Fraction, start: Fraction) -> Fraction:
    if who == "heroes":
        return Fraction(1)
    return max(repeated, start) if who == "tie" else repeated


def _one_again(worth: Mapping[Pair, Fraction]) -> dict[Pair, Fraction]:
    """The better of rolling the heroes' die and rolling the zombies' die once more."""
    faces = range(1, FACES + 1)
    own = {z: sum((worth[h, z] for h in faces), Fraction(0)) / FACES for z in faces}
    other = {h: sum((worth[h, z] for z in faces), Fraction(0)) / FACES for h in faces}
    return {(h, z): max(own[z], other[h]) for h, z in worth}


def _start(outcome: Mapping[Pair, str], repeated: Mapping[Pair, Fraction], again: bool) -> Fraction:
    """The worth of both dice before they are rolled; a tie that is rolled anew is worth just that."""
    ties = {pair for pair, who in outcome.items() if who == "tie"} if again else set()
    won = sum((_worth(who, repeated[pair], Fraction(0)) for pair, who in outcome.items() if pair not in ties), Fraction(0))
    free = set(ties)
    while True:
        start = (won + sum((repeated[pair] for pair in ties - free), Fraction(0))) / (len(outcome) - len(free))
        better = {pair for pair in free if repeated[pair] > start}
        if not better:
            return start
        free -= better
