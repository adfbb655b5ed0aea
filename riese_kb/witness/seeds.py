"""Boards and questions that are there already, as beginnings for a search: those of ``queries/``."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from riese_kb.asking import stand_of, terms_of
from riese_kb.board import System
from riese_kb.draft import Draft
from riese_kb.drafting import drafted
from riese_kb.errors import RieseError
from riese_kb.grounding import drive
from riese_kb.jobs import ALONE, How, crc_of, done
from riese_kb.language import format_question, parse_question, resolve
from riese_kb.question import Question
from riese_kb.tables import data_root
from riese_kb.team import Sheet
from riese_kb.teamfile import format_sheet, load_sheet
from riese_kb.witness.jobdata import case_of, data_of, finished, known_by
from riese_kb.witness.order import size_of
from riese_kb.witness.replay import Told, differ
from riese_kb.witness.shrink import Case, shrink
from riese_kb.witness.sides import Pair
from riese_kb.worlds import Steps, together


@cache
def stored(system: System) -> tuple[Case, ...]:
    """Every question about a shipped board or team that no scenario and no rule file has a part in, each board's together."""
    found: dict[Case, None] = {}
    folder = Path(data_root(), "queries", system)
    for file in sorted([*folder.glob("*.board.toml"), *folder.glob("*.team.toml")]):
        sheet = load_sheet(file)
        with file.with_name(f"{file.name.split('.')[0]}.questions.toml").open("rb") as stream:
            asked = [resolve(parse_question(case["ask"]), sheet) for case in tomllib.load(stream)["question"]]
        seen: dict[object, Question] = {}
        for question in asked:
            if not question.rules and not question.scenarios:
                seen.setdefault(question.about, question)
        found.update(dict.fromkeys((sheet, question) for question in seen.values()))
    return tuple(found)


@cache
def contested(system: System) -> dict[str, tuple[Case, ...]]:
    """By reading and by rule: the questions in whose answers the point comes up, or the rule is named."""
    by: dict[str, list[Case]] = {}
    for case, names in zip(stored(system), _named(stored(system)), strict=True):
        for name in names:
            by.setdefault(name, []).append(case)
    return {name: tuple(cases) for name, cases in by.items()}


def _named(cases: Sequence[Case]) -> Iterator[frozenset[str]]:
    for start in range(0, len(cases), 64):
        yield from drive(together(_names(*case) for case in cases[start : start + 64]))


def _names(sheet: Sheet, question: Question) -> Steps[frozenset[str]]:
    plain = Question(question.text, question.about)
    try:
        draft: Draft = yield from drafted(stand_of(sheet), plain.about, terms_of(sheet, plain))
    except RieseError:
        return frozenset()
    return draft.matters | {line.rule for line in draft.ledger} | {breach.rule for breach in draft.violations}


@cache
def named(system: System) -> dict[str, tuple[Case, ...]]:
    """By rule: the questions whose files say that it is used or broken, then those whose answers name it; short ones first."""
    by: dict[str, dict[Case, None]] = {}
    cases = {(sheet.file, question.text): (sheet, question) for sheet, question in stored(system)}
    for path in sorted(Path(data_root(), "queries", system).glob("*.questions.toml")):
        with path.open("rb") as stream:
            rows = tomllib.load(stream)["question"]
        for row in rows:
            for ending in ("board", "team"):
                case = cases.get((str(path.with_name(f"{path.name.split('.')[0]}.{ending}.toml")), row["ask"]))
                if case is not None:
                    for rule in (*row.get("uses", ()), *row.get("breaks", ())):
                        by.setdefault(rule, {})[case] = None
    for name, found in contested(system).items():
        by.setdefault(name, {}).update(dict.fromkeys(found))
    return {name: tuple(cases) for name, cases in by.items()}


FEW = 3
"""Beginnings of each kind of question that are made smaller."""


def from_stored(pair: Pair, system: System, until: float, asks: str = "", how: How = ALONE) -> tuple[Case | None, bool]:
    """The smallest case that comes of the shipped boards, None where none tells the two apart; and whether Ctrl-C ended it.

    ``until`` is a time of the clock. ``asks``: only questions that begin with that word.
    """
    small: list[Case] = []
    try:
        cases = _beginnings(pair, system, asks)
        told = [*_told(pair, cases, until)]
        for plainly in (True, False):
            few = _few([case for case, both in told if _apart(both, plainly)])
            small = [*few]
            share = max(0.0, until - time.time()) / max(1, len(few))
            jobs: list[dict[str, Any]] = []
            for number, (sheet, question) in enumerate(few, 1):
                what = {"pair": msgspec.to_builtins(pair), **data_of(sheet, question)}
                stamp = [crc_of(path) for path in pair.files]
                jobs.append({**what, "plainly": plainly, "stamp": stamp, "until": time.time() + number * share})
            for number, result in done(SHRINK, jobs, how, known_by, finished):
                small[number] = case_of(result["found"])
            if small:
                return min(small, key=_weight), False
    except KeyboardInterrupt as end:
        small += [end.best] if isinstance(end, StoppedShrinking) else []
        return min(small, key=_weight, default=None), True
    return None, False


SHRINK = "riese_kb.witness.seeds:smaller"


class StoppedShrinking(KeyboardInterrupt):
    """Somebody has stopped it; ``best`` is what it had come to."""

    def __init__(self, best: Case) -> None:
        super().__init__()
        self.best = best


def smaller(given: dict[str, Any]) -> dict[str, Any]:
    """A case made smaller, as a job: ``found`` is what it comes to. Raises ``StoppedShrinking``."""
    pair, plainly = msgspec.convert(given["pair"], Pair), given["plainly"]
    best = case_of(given)

    def apart(case: Case) -> bool:
        nonlocal best
        if not _apart(differ(pair, [case])[0], plainly):
            return False
        best = case
        return True

    try:
        best = shrink(best, apart, time.monotonic() + given["until"] - time.time())
    except KeyboardInterrupt:
        raise StoppedShrinking(best) from None
    return {"found": data_of(*best), "complete": time.time() < given["until"]}


def _beginnings(pair: Pair, system: System, asks: str) -> list[Case]:
    """The shipped cases that may tell the two apart."""
    names = pair.readings | pair.switches
    if pair.games:
        cases = [case for game in pair.games for case in stored(game)]
    elif pair.files:
        cases = list(stored(system))
    else:
        by = contested(system)
        cases = list(dict.fromkeys(case for name in sorted(names) for case in by.get(name, ())))
    return [case for case in cases if case[1].text.startswith(asks)]


def _few(hits: Sequence[Case]) -> list[Case]:
    """The lightest few of each kind of question."""
    kinds: dict[type[object], list[Case]] = {}
    for case in sorted(hits, key=_weight):
        kinds.setdefault(type(case[1].about), []).append(case)
    return [case for alike in kinds.values() for case in alike[:FEW]]


def _told(pair: Pair, cases: Sequence[Case], until: float) -> Iterator[tuple[Case, tuple[Told, Told] | None]]:
    """What both say of each case, many side by side; as far as the time goes."""
    for start in range(0, len(cases), 32):
        if time.time() > until:
            return
        some = cases[start : start + 32]
        yield from zip(some, differ(pair, some), strict=True)


def _apart(both: tuple[Told, Told] | None, plainly: bool) -> bool:
    return both is not None and not (plainly and both[0].refused and both[1].refused)


def _weight(case: Case) -> tuple[object, ...]:
    """The order of witnesses, and then how much is said; boards come before teams."""
    sheet, question = case
    size = size_of(sheet) or ()
    return not size, *size, len(format_sheet(sheet)) + len(format_question(question))
