"""Worked examples with pools of dice: can any pool and any difficulty make all that is printed of a roll true?

The grammar of ``told`` takes the statements out of a roll's words; z3 looks for a reading. Only where there is none, the roll
"cannot follow from what is printed": a number that the example does not give is never held against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from riese_kb.audit.book import Book, Entry, Piece
from riese_kb.audit.findings import Finding, Kind, Severity
from riese_kb.audit.spacing import spaced
from riese_kb.audit.told import Said, What, told

_ROLL = re.compile(r"Würfelvorrat|\b(?:dice )?pool of \d|Würfeln?\b|\bdice\b", re.I)
_HEADS = re.compile(r"[A-ZÄÖÜ][\w-]{0,12}(?:wurf|[Rr]oll):")
_HEAD_AT_END = re.compile(r"(.*\S) ?([A-ZÄÖÜ][\w-]{0,12}(?:wurf|[Rr]oll):)$")


def check(book: Book) -> Iterator[Finding]:
    """Every roll of every worked example."""
    for entry in book.entries:
        for roll in rolls(entry):
            text = " ".join(piece.text for piece in roll)
            if len(_ROLL.findall(text)) and re.search(r"\d, \d", text):
                yield from _possible(entry, roll, text)


def rolls(entry: Entry) -> Iterator[list[Piece]]:
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


def statements(text: str) -> list[Said]:
    """What a roll's words say of it, in their order; words broken inside a line are put together first."""
    said = told(re.sub(r"(?<=[a-zäöüß])- (?=[a-zäöüß])", "", text))
    return [one for one in said if one.what in (What.POOL, What.RESULTS, What.HITS, What.DIFFICULTY)]


def _possible(entry: Entry, roll: Sequence[Piece], text: str) -> Iterator[Finding]:
    """The statements together; where they fail, the smallest set of them that cannot all be true."""
    said = statements(text)
    if sum(one.what is What.RESULTS for one in said) != 1:
        return  # none, or several rolls told at once
    if core := contradiction(tuple(said)):
        names = ", ".join(_named(said[index]) for index in core)
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
    results = next(one.numbers for one in said if one.what is What.RESULTS)
    hits = z3.Sum([z3.If(result >= difficulty, 1, 0) for result in results])
    solver = z3.Solver()
    solver.add(pool >= 1, difficulty >= 1, difficulty <= 20)
    for index, one in enumerate(said):
        claim = {
            What.POOL: pool == one.numbers[0],
            What.RESULTS: pool == len(one.numbers),
            What.HITS: hits == one.numbers[0],
            What.DIFFICULTY: difficulty == one.numbers[0],
        }[one.what]
        solver.assert_and_track(claim, str(index))
    solver.set("core.minimize", True)
    return sorted(int(str(name)) for name in solver.unsat_core()) if solver.check() == z3.unsat else []


def _named(said: Said) -> str:
    number = said.numbers[0]
    return {
        What.RESULTS: f"{len(said.numbers)} results",
        What.POOL: f"a pool of {number}",
        What.HITS: f"{number} successes",
        What.DIFFICULTY: f"difficulty {number}",
    }[said.what]
