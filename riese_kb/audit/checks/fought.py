"""Worked combats of a game on rings: the engine is asked for every pool and difficulty that those who are named can have.

Who attacks whom, and whether hand to hand, is tried in every way; wounds and equipment are taken not to be there where none are
named, and where they are nothing is said. A roll is wrong only where no way fits.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

from riese_kb.audit.book import Book, Entry, Piece, listed
from riese_kb.audit.checks.dice import rolls, statements
from riese_kb.audit.findings import Finding, Kind, Severity
from riese_kb.audit.told import What
from riese_kb.board import System

_HEAD = re.compile(r"(Kampfwurf|Schockwurf):")
_OPEN = {
    "something is added to a value or taken off it": re.compile(r"\b(?:Bonus|Abzug|Punktabzug|Modifikation|Zusatzwürfel)", re.I),
    "the values of the wounded are known in part only": re.compile(r"\b(?:verletzt|verwundet)", re.I),
}
"""Why a roll is passed over."""
_NAME = re.compile(r"[A-ZÄÖÜ][\wäöüßï]+")


class Roll(NamedTuple):
    """Dice and what each must reach."""

    pool: int
    difficulty: int


def check(book: Book, system: System) -> Iterator[Finding]:
    """Every combat and shock roll of which one pool is told and at least two of those who fight are known."""
    passed: dict[str, list[int]] = defaultdict(list)
    for entry in book.entries:
        kind = ""
        for roll in rolls(entry):
            text = " ".join(piece.text for piece in roll)
            heads = _HEAD.findall(text)
            kind = heads[0] if _HEAD.match(text) else kind  # else its title was run into the roll before
            pools, difficulties = _told(text)
            if kind and len(pools) == 1:
                parties = _named(text, system)
                parties = parties if len(parties) > 1 else _named(" ".join(piece.text for piece in entry.pieces), system)
                possible = {one for two in permutations(parties, 2) for one in _possible(system, *two, kind)}
                if why := _passed(text, possible, system):
                    passed[why].append(roll[0].line)
                elif not any({one.pool} == pools and difficulties <= {one.difficulty} for one in possible):
                    yield _wrong(entry, roll[0], pools, difficulties, parties, possible)
            kind = heads[-1] if heads else kind
    book.skipped += [f"worked combats, {why}: {listed(lines)}" for why, lines in passed.items()]


def _passed(text: str, possible: set[Roll], system: System) -> str:
    """Why nothing can be said of a roll; empty where something can."""
    from riese_kb.ringtables import pieces

    if not possible:
        return "no values are known of those who fight"
    if any(name in text for name in pieces(system)):
        return "equipment may change a value"
    return next((why for why, pattern in _OPEN.items() if pattern.search(text)), "")


def _told(text: str) -> tuple[set[int], set[int]]:
    """The pools and the difficulties that a roll's words name; without a pool, as many dice as there are results."""
    said = statements(text)
    pools = {one.numbers[0] for one in said if one.what is What.POOL}
    pools = pools or {len(one.numbers) for one in said if one.what is What.RESULTS}
    return pools, {one.numbers[0] for one in said if one.what is What.DIFFICULTY}


def _wrong(
    entry: Entry, piece: Piece, pools: set[int], difficulties: set[int], parties: Sequence[str], possible: set[Roll]
) -> Finding:
    said = " and ".join([*(f"{n} dice" for n in pools), *(f"difficulty {n}" for n in sorted(difficulties))])
    right = ", ".join(f"{one.pool} dice against {one.difficulty}" for one in sorted(possible))
    return Finding(
        Kind.EXAMPLE,
        Severity.HIGH,
        entry.at(piece),
        f"{said}: no attack of {' or '.join(parties)} on one another has that, but {right}",
        witness={"answers": [list(one) for one in sorted(possible)]},
    )


# --- what the engine has ---------------------------------------------------------------------------------------------


def _named(text: str, system: System) -> list[str]:
    """The characters that a text names, by any of their names, also as ``Zermans`` or ``des Commandos``."""
    from riese_kb.ringtables import characters, find_character

    found: dict[str, None] = {}
    for word in dict.fromkeys(_NAME.findall(text)):
        for name in (word, word.removesuffix("s")):
            known = find_character(system, name)
            alike = [known] if known else [one for one in characters(system) if one.split()[0] == name]
            found |= dict.fromkeys(alike)
    return list(found)


@cache
def _possible(system: System, one: str, other: str, kind: str) -> frozenset[Roll]:
    """The rolls of such an attack, hand to hand or not; none where no values are known."""
    from riese_kb.asking import ask_all
    from riese_kb.errors import RieseError
    from riese_kb.teamfile import parse_sheet

    board = parse_sheet(_board(system, one, other), "")
    asked = [(board, f"attack a on b{how}") for how in ("", " h2h")]
    results = [answer.result for answer in ask_all(asked) if not isinstance(answer, RieseError)]
    first = "shock_" if kind == "Schockwurf" else ""
    return frozenset(Roll(told[f"{first}pool"], told[f"{first}difficulty"]) for told in results if f"{first}pool" in told)


def _board(system: System, *fighters: str) -> str:
    """Two figures side by side on one path."""
    from riese_kb.ringtables import characters

    lines = [f'system = "{system}"']
    for ring, other in (("r1", "r2"), ("r2", "r1")):
        lines += ["[[ring]]", f'id = "{ring}"', 'paths = ["red"]', f'next = ["{other}"]']
    for name, id, side, at in zip(fighters, "ab", ("union", "reich"), ("r1", "r2"), strict=True):
        lines += ["[[figure]]", f'id = "{id}"', f'kind = "{characters(system)[name].rank}"', f'name = "{name}"']
        lines += [f'side = "{side}"', f'at = "{at}"']
    return "\n".join(lines) + "\n"
