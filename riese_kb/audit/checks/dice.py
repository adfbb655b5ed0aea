"""Worked examples with pools of dice: can any pool and any difficulty make all that is printed of a roll true?

A lark grammar takes the statements out of a roll's words; z3 looks for a reading. Only where there is none, the roll
"cannot follow from what is printed": a number that the example does not give is never held against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from riese_kb.audit.book import Book, Entry, Piece
from riese_kb.audit.findings import Finding, Kind, Severity
from riese_kb.audit.spacing import spaced

_NUMBER = (
    r"(?:\d{1,2}|eine[nm]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|one|two|three|four|five|six|seven|eight|nine|ten)"
)
_GRAMMAR = rf"""
start: (POOL | RESULTS | HITS | DIFFICULTY | _OTHER)*
POOL.2: /{_NUMBER} (Würfeln?|dice) (als (Würfel)?[Vv]orrat|as (the|a|its|her|his) pool)\b/
      | /(Würfelvorrat|pool) (von|of) {_NUMBER}\b/
      | /([Mm]it|[Ww]ith|rolls?|würfelt|wirft) {_NUMBER} (Würfeln?|dice)\b/
RESULTS.3: /\d{{1,2}}(, \d{{1,2}}){{1,9}},? (und|and) \d{{1,2}}(?![\w\/])/
HITS.2: /{_NUMBER} (Erfolge|successes)\b/
DIFFICULTY.2: /(gegen|against) (einen |a )?(Schwierigkeitswert|difficulty)( von| of)? {_NUMBER}\b/
_OTHER: /[^\W\d_]+/ | /\d+/ | /\S/
%ignore /\s+/
"""
NUMBERS = {
    word: value
    for value, words in enumerate(
        ("ein eine einen einem one", "zwei two", "drei three", "vier four", "fünf five", "sechs six", "sieben seven",
         "acht eight", "neun nine", "zehn ten"), 1
    )
    for word in words.split()
}  # fmt: skip
_ROLL = re.compile(r"Würfelvorrat|\b(?:dice )?pool of \d|Würfeln?\b|\bdice\b", re.I)
_HEADS = re.compile(r"[A-ZÄÖÜ][\w-]{0,12}(?:wurf|[Rr]oll):")
_HEAD_AT_END = re.compile(r"(.*\S) ?([A-ZÄÖÜ][\w-]{0,12}(?:wurf|[Rr]oll):)$")


def check(book: Book) -> Iterator[Finding]:
    """Every roll of every worked example."""
    for entry in book.entries:
        rolls = list(_rolls(entry))
        for roll in rolls:
            text = " ".join(piece.text for piece in roll)
            if len(_ROLL.findall(text)) and re.search(r"\d, \d", text):
                yield from _possible(entry, roll, text)


def _rolls(entry: Entry) -> Iterator[list[Piece]]:
    """The pieces from one heading of a roll (``Attack roll:``) to the next; a paragraph where there is no such heading."""
    run: list[Piece] = []
    titled = bool(_HEADS.search(entry.heading)) or any(_HEADS.search(piece.text) for piece in entry.pieces)
    for piece in entry.pieces:
        if spaced(piece.text):
            continue
        if run and (not titled or _HEADS.match(piece.text)):
            yield run
            run = []
        run.append(piece)
        if _HEAD_AT_END.match(piece.text):  # the next roll's title, run into the line before it
            yield run
            run = []
    if run:
        yield run


@cache
def _grammar() -> Any:
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr")


Said = tuple[str, tuple[int, ...]]
"""``("POOL", (5,))``, ``("RESULTS", (2, 9, 7))``, ``("HITS", (3,))``, ``("DIFFICULTY", (6,))``."""


def statements(text: str) -> list[Said]:
    """What a roll's words say of it, in their order."""
    tokens = _grammar().parse(re.sub(r"(?<=[a-zäöüß])- (?=[a-zäöüß])", "", text)).children
    return [(token.type, tuple(_value(word) for word in re.findall(_NUMBER, token) if word)) for token in tokens]


def _value(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word.casefold()]


def _possible(entry: Entry, roll: Sequence[Piece], text: str) -> Iterator[Finding]:
    """The statements together; where they fail, the smallest set of them that cannot all be true."""
    said = statements(text)
    if sum(kind == "RESULTS" for kind, _ in said) != 1:
        return  # none, or several rolls told at once
    if core := contradiction(tuple(said)):
        names = ", ".join(_told(said[index]) for index in core)
        yield Finding(
            Kind.EXAMPLE,
            Severity.HIGH,
            entry.at(roll[0]),
            f"this roll cannot follow from what is printed, whatever is not said of it: {names}",
            tuple(entry.at(piece) for piece in roll if _ROLL.search(piece.text))[:3],
        )


@cache
def contradiction(said: tuple[Said, ...]) -> list[int]:
    """The statements that no size of the pool and no difficulty makes true together; empty where a reading exists."""
    import z3

    pool, difficulty = z3.Ints("pool difficulty")
    results = next(numbers for kind, numbers in said if kind == "RESULTS")
    hits = z3.Sum([z3.If(result >= difficulty, 1, 0) for result in results])
    solver = z3.Solver()
    solver.add(pool >= 1, difficulty >= 1, difficulty <= 20)
    for index, (kind, numbers) in enumerate(said):
        claim = {
            "POOL": pool == numbers[0],
            "RESULTS": pool == len(numbers),
            "HITS": hits == numbers[0],
            "DIFFICULTY": difficulty == numbers[0],
        }[kind]
        solver.assert_and_track(claim, str(index))
    solver.set("core.minimize", True)
    return sorted(int(str(name)) for name in solver.unsat_core()) if solver.check() == z3.unsat else []


def _told(said: Said) -> str:
    kind, numbers = said
    if kind == "RESULTS":
        return f"{len(numbers)} results"
    return {"POOL": f"a pool of {numbers[0]}", "HITS": f"{numbers[0]} successes", "DIFFICULTY": f"difficulty {numbers[0]}"}[kind]
