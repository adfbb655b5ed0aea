"""Worked movements of a book whose rules we have: what each action costs is asked of the engine, z3 looks for a reading.

The grammar of ``told`` takes paces, actions, prices and totals out of an example. What it leaves out, the pace or what lies on
the squares, is tried in every way; skills are taken not to be used where none is named. It is wrong only where nothing fits.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

from riese_kb.audit.book import Book, Entry, Piece, listed
from riese_kb.audit.findings import Finding, Kind, Mend, Severity
from riese_kb.audit.told import Said, What, told
from riese_kb.board import System
from riese_kb.errors import RieseError

_ASKED = {
    What.DIAGONAL: ("forward-left", "backward-left"),
    What.FORWARD: ("forward",),
    What.SIDEWAYS: ("left",),
    What.BACKWARD: ("backward",),
    What.TURN: ("turn left",),
    What.DOOR: ("open door ahead",),
    What.PASS: ("pass Spare to friend",),
    What.PICK_UP: ("pick up Spare",),
    What.SWITCH: ("switch weapon to Spare",),
}
"""What an action is asked as: in every way in which its word may be meant."""
LONGEST = 3000
"""Characters of an example at most: each of its actions is asked of the engine in many ways."""
_TOLD = re.compile(r"\b(?:she|he)\b", re.I)
"""What a story has, and a rule has not."""
_SKILLED = re.compile(r"\b(?:skill|threat level|drug|howl|wounded leg)", re.I)
"""What changes prices, and is not followed."""


@dataclass(frozen=True)
class _Step:
    """An action with the price that is printed; None where none is."""

    action: What
    price: int | None
    times: int = 1
    hindering: bool = False

    def __str__(self) -> str:
        where = " with hindering terrain" if self.hindering else ""
        many = f", {self.times} squares" if self.times > 1 else ""
        return f"{self.action.replace('_', ' ')}{many}{where} for {self.price} MP"


@dataclass
class _Walk:
    """One movement as it is told."""

    steps: list[_Step]
    running: bool | None = None
    given: int | None = None
    total: int | None = None
    spends_all: bool = False


def check(book: Book, system: System) -> Iterator[Finding]:
    """Every passage with an action and its price; a sentence on the other pace is a movement of its own."""
    passed: dict[str, list[int]] = defaultdict(list)
    for entry, piece in book.pieces():
        if " MP" not in piece.text or not _TOLD.search(piece.text):
            continue
        priced = [walk for walk in walks(piece.text) if any(step.price is not None for step in walk.steps)]
        if not priced:
            continue
        if len(piece.text) > LONGEST:
            passed[f"longer than {LONGEST:,} characters"].append(piece.line)
        elif skill := _SKILLED.search(piece.text):
            passed[f"{skill[0].casefold()} may change what they cost"].append(piece.line)
        else:
            yield from _wrong(entry, piece, priced, system)
    book.skipped += [f"worked movements, {why}: {listed(lines)}" for why, lines in passed.items()]


def _wrong(entry: Entry, piece: Piece, walks: Sequence[_Walk], system: System) -> Iterator[Finding]:
    for walk in walks:
        if fault := _impossible(walk, system):
            what, step = fault
            right = sorted(_prices(step, walk.running, system)) if step else []
            fix = f"{right[0]} MP" if len(right) == 1 else None
            printed = re.findall(rf"\b{step.price} MPs?\b", piece.text) if step and fix else []
            yield Finding(
                Kind.EXAMPLE,
                Severity.HIGH,
                entry.at(piece),
                f"this movement cannot follow from the rules, whatever is not said of it: {what}",
                fix=fix,
                witness=_witness(step, walk, system) if step else None,
                mend=Mend(printed[0], re.sub(r"\d", str(right[0]), printed[0])) if len(printed) == 1 else None,
            )


# --- what is told -----------------------------------------------------------------------------------------------------


def walks(text: str) -> list[_Walk]:
    """The movements of a passage: the one it tells, and what it says of another pace (``If she was running …``)."""
    main, others = _Walk([]), []
    before: list[Said] = []
    for sentence in _sentences(text):
        kinds = {one.what for one in sentence}
        if What.MODAL in kinds and any(one.words in ("if", "If") for one in sentence):
            if What.PACE in kinds:
                other = _Walk([])
                _read(sentence, [], other)
                others.append(other)
            continue
        _read(sentence, before, main)
        before = sentence if kinds & _ASKED.keys() else before + sentence
    return [main, *others]


def _sentences(text: str) -> Iterator[list[Said]]:
    """Sentences and half-sentences; what stands after ``: 2 for …`` is only counted up again."""
    found: list[Said] = []
    again = False
    for one in told(text):
        again = (again or one.what is What.PARTS) and one.words != "."
        if one.what is What.STOP:
            yield found
            found = []
        elif not again and not (one.what in (What.PRICE, What.PRICE_TO) and ("XP" in one.words or one.numbers[0] > MOST)):
            found.append(one)
    yield found


MOST = 9
"""Movement points that one action may be said to cost; more is no price of one."""


def _read(sentence: Sequence[Said], before: Sequence[Said], walk: _Walk) -> None:
    """One sentence: each price goes with the action that it is paid ``to`` do, else with the one before it."""
    kinds = {one.what for one in sentence}
    action: _Step | None = None
    price: int | None = None
    flagged = False
    if What.PRICE in kinds and not kinds & _ASKED.keys():  # it is about the sentence before
        sentence = [*(one for one in before if one.what in _ASKED or one.what is What.FLAG), *sentence]
    for one in sentence:
        number = one.numbers[0] if one.numbers else 1
        if one.what is What.PACE:
            walk.running = "run" in one.words
        elif one.what is What.GIVEN:
            walk.given = number
        elif one.what is What.TOTAL:
            walk.total = number
        elif one.what is What.FLAG:
            if action is not None and action.price is not None and walk.steps and walk.steps[-1] is action:
                action = walk.steps[-1] = replace(action, hindering=True)
            else:
                flagged = True
        elif one.what in (What.LAST, What.PRICE_TO):
            price = number
            walk.spends_all = walk.spends_all or one.what is What.LAST
        elif one.what in _ASKED:
            action = _Step(one.what, price, number if one.what is What.FORWARD else 1, flagged)
            if price is not None or What.MODAL not in kinds:
                walk.steps.append(action)
            price, flagged = None, False
        elif one.what is What.PRICE and action is not None and action.price is None:
            priced = replace(action, price=number, hindering=action.hindering or flagged)
            walk.steps[-1:] = [priced] if walk.steps and walk.steps[-1] is action else [*walk.steps[-1:], priced]
            action, flagged = priced, False


# --- what the engine gets ---------------------------------------------------------------------------------------------


def board(ground: tuple[str, str, str]) -> str:
    """A figure with a friend beside it, and another before a door.

    ``ground``: the squares straight from the first, those diagonal from it, and its edges.
    """
    straight, diagonal, edge = ground
    figure = '[[figure]]\nid = "{}"\nkind = "hero"\nat = "{}"\nfacing = "north"\n'
    weapon = '[[weapon]]\nname = "{}"\none_handed = true\nstun = 6\nwound = 9\npbr = 3\nrm = 1\nrof = 1\n'
    rows = (
        "+-+-+-+-+",
        f"|{diagonal} {straight} . .|",
        f"+{edge}+{edge}+ + +",
        f"|{straight}{edge}. . .|",
        f"+{edge}+{edge}+ +D+",
    )
    plan = "\n".join([*rows, f"|{diagonal} {straight} . .|", "+-+-+-+-+"])
    return "\n".join(
        [
            f"map = '''\n{plan}\n'''\n",
            figure.format("mover", "B2") + 'weapon = "Sample"\ngear = ["Spare"]\n',
            figure.format("friend", "C2"),
            figure.format("porter", "D3"),
            weapon.format("Sample"),
            weapon.format("Spare"),
            '[[marker]]\nkind = "item"\nat = "B2"\nlabel = "Spare"\n',
        ]
    )


_PLAIN = (".", ".", " ")


@cache
def _asked(system: System, asked: str, running: bool, ground: tuple[str, str, str]) -> int | None:
    from riese_kb.asking import ask
    from riese_kb.boardfile import parse_board

    try:
        answer = ask(parse_board(f'system = "{system}"\n{board(ground)}'), _question(asked, running))
    except RieseError:
        return None
    return answer.result["spent"] if answer.verdict == "legal" else None


def _question(asked: str, running: bool) -> str:
    return f"can {'porter' if 'door' in asked else 'mover'} {'run' if running else 'walk'} {asked}"


@cache
def _allowance(system: System, running: bool) -> int:
    from riese_kb.asking import ask
    from riese_kb.boardfile import parse_board

    return int(ask(parse_board(f'system = "{system}"\n{board(_PLAIN)}'), _question("forward", running)).result["mp"])


def _prices(step: _Step, running: bool | None, system: System) -> set[int]:
    """All that the step may cost: on clear squares unless hindering terrain is named, and with such on any of them."""
    single = {
        price
        for way in _ASKED[step.action]
        for pace in ((False, True) if running is None else (running,))
        for ground in product(".~", ".~" if "-" in way else ".", " ~")
        if (ground != _PLAIN or not step.hindering) and (price := _asked(system, way, pace, ground)) is not None
    }
    sums = {0}
    for _ in range(min(step.times, 8)):
        sums = {total + price for total in sums for price in single}
    return sums


def _impossible(walk: _Walk, system: System) -> tuple[str, _Step | None] | None:
    """What cannot be true together, in words, and the step that is at fault where it is one; None where a reading exists."""
    import z3

    running = z3.Bool("running")
    solver = z3.Solver()
    solver.set("core.minimize", True)
    said: dict[str, tuple[str, _Step | None]] = {}

    def claim(what: z3.BoolRef, words: str, step: _Step | None = None) -> None:
        said[str(len(said))] = (words, step)
        solver.assert_and_track(what, str(len(said) - 1))

    costs = [z3.Int(f"cost {index}") for index, _ in enumerate(walk.steps)]
    for cost, step in zip(costs, walk.steps, strict=True):
        fits = [z3.And(running == pace, cost == price) for pace in (False, True) for price in _prices(step, pace, system)]
        solver.add(z3.Or(fits))
        if step.price is not None:
            claim(cost == step.price, str(step), step)
    given = z3.Int("given")
    if walk.running is not None:
        claim(running == walk.running, "running" if walk.running else "walking")
    if walk.given is not None or walk.spends_all:
        solver.add(given == z3.If(running, _allowance(system, True), _allowance(system, False)))
    if walk.given is not None:
        claim(given == walk.given, f"{walk.given} MP given")
    if walk.total is not None:
        claim(z3.Sum(costs) == walk.total, f"{walk.total} MP in all")
    if walk.spends_all:
        claim(z3.Sum(costs) == given, "the last MP spent")
    if solver.check() != z3.unsat:
        return None
    core = [said[str(name)] for name in solver.unsat_core()]
    steps = [step for _, step in core if step is not None]
    return ", ".join(words for words, _ in core) or "no such action is possible", steps[0] if len(steps) == 1 else None


def _witness(step: _Step, walk: _Walk, system: System) -> dict[str, Any]:
    """A board for the step at fault, the question, and what the engine gets in all ways in which it may be meant."""
    ground = ("~", "~", " ") if step.hindering else _PLAIN
    return {
        "board": f'system = "{system}"\n{board(ground)}',
        "ask": _question(_ASKED[step.action][0], bool(walk.running)),
        "printed": step.price,
        "answers": sorted(_prices(step, walk.running, system)),
    }
