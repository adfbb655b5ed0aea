"""Two printings of a book: the pairs of laws that they state.

A reading may be stated outright by a passage (``says`` in ``readings.toml``), and every rule of the catalogue cites one. Where
one printing has the passage as it is known and the other has not, the two state different laws. The texts are the user's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.board import System
from riese_kb.catalogue import Rule, rules
from riese_kb.errors import RulesError
from riese_kb.fingerprint import Entry, State, entries, find, fingerprint, matches
from riese_kb.program import Reading, readings
from riese_kb.witness.sides import Pair, pair_of


def pairs(system: System, old: str, new: str) -> Iterator[Pair]:
    """What the texts of two printings state differently: readings first, then rules whose passage only one of them has."""
    books = entries(old), entries(new)
    for name, point in readings(system).items():
        values = [_taken(point, _stated(point, book)) for book in books]
        if values[0] != values[1]:
            yield _named(pair_of(system, f"{name}={values[0]}", f"{name}={values[1]}"))
    same = [{match.rule for match in matches(system, text) if match.state is State.SAME} for text in (old, new)]
    for id in sorted(id for id in same[0] - same[1] if _gone(rules(system)[id], books[1])):
        yield _named(pair_of(system, id, None))
    for id in sorted(id for id in same[1] - same[0] if _gone(rules(system)[id], books[0])):
        pair = pair_of(system, id, None)
        yield _named(replace(pair, one=pair.other, other=pair.one))


class Reworded(Struct, frozen=True):
    """A passage that both printings have, in other words: the rules that cite it, and the numbers that only one of them has.

    What the rules make of it is not compared: their numbers are those of the printing that they were written from.
    """

    cite: str
    rules: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]


def reworded(system: System, old: str, new: str) -> list[Reworded]:
    """The passages of rules that both texts have, and that do not say the same."""
    books = entries(old), entries(new)
    by: dict[str, list[str]] = {}
    for rule in rules(system).values():
        for cite in rule.cite.split("; "):
            by.setdefault(cite, []).append(rule.id)
    found = []
    for cite, ids in by.items():
        try:
            one, other = (find(book, cite) for book in books)
        except RulesError:
            continue
        if fingerprint(one) != fingerprint(other):
            numbers = [Counter(_NUMBER.findall(" ".join(piece.text for piece in pieces))) for pieces in (one, other)]
            only = [tuple((numbers[n] - numbers[1 - n]).elements()) for n in (0, 1)]
            found.append(Reworded(cite, tuple(ids), only[0], only[1]))
    return found


_NUMBER = re.compile(r"[-+−–]?\d+")


def _gone(rule: Rule, book: list[Entry]) -> bool:
    """Whether none of the passages that the rule cites is left."""
    for cite in rule.cite.split("; "):
        try:
            find(book, cite)
        except RulesError:
            continue
        return False
    return True


def _named(pair: Pair) -> Pair:
    one, other = pair.sides
    sides = {"one": (one, "old"), "other": (other, "new")}
    return replace(pair, **{key: replace(side, label=f"{side.label} ({word} printing)") for key, (side, word) in sides.items()})


def _stated(point: Reading, book: list[Entry]) -> set[str]:
    """The values that this printing states outright."""
    found = set()
    for value, (cite, mark) in point.says.items():
        try:
            pieces = find(book, cite)
        except RulesError:
            continue
        if fingerprint(pieces) == mark:
            found.add(value)
    return found


def _taken(point: Reading, stated: Collection[str]) -> str:
    """The value that holds by a printing: the one that it states, else the one that is taken where it states none or several."""
    return next(iter(stated)) if len(stated) == 1 else point.default
