"""Boards and questions that are there already, as beginnings for a search: those of ``queries/``."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from riese_kb.asking import stand_of, terms_of
from riese_kb.board import System
from riese_kb.draft import Draft
from riese_kb.drafting import drafted
from riese_kb.errors import RieseError
from riese_kb.grounding import drive
from riese_kb.language import format_question, parse_question, resolve
from riese_kb.question import Question
from riese_kb.tables import data_root
from riese_kb.team import Sheet
from riese_kb.teamfile import format_sheet, load_sheet
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


def from_stored(pair: Pair, system: System, until: float, asks: str = "") -> Case | None:
    """The smallest case that comes of the shipped boards; None where none of them tells the two apart.

    ``asks``: only questions that begin with that word.
    """
    names = pair.readings | pair.switches
    by = contested(system)
    cases = list(dict.fromkeys(case for name in sorted(names) for case in by.get(name, ())))
    if pair.files:
        cases = list(stored(system))
    if pair.games:
        cases = [case for game in pair.games for case in stored(game)]
    cases = [case for case in cases if case[1].text.startswith(asks)]
    for plainly in (True, False):

        def apart(case: Case, plainly: bool = plainly) -> bool:
            return _apart(differ(pair, [case])[0], plainly)

        hits = [case for case, both in _told(pair, cases, until) if _apart(both, plainly)]
        kinds: dict[type[object], list[Case]] = {}
        for case in sorted(hits, key=_weight):
            kinds.setdefault(type(case[1].about), []).append(case)
        few = [case for alike in kinds.values() for case in alike[:FEW]]
        share = max(0.0, until - time.monotonic()) / max(1, len(few))
        small = [shrink(case, apart, time.monotonic() + share) for case in few]
        if small:
            return min(small, key=_weight)
    return None


def _told(pair: Pair, cases: Sequence[Case], until: float) -> Iterator[tuple[Case, tuple[Told, Told] | None]]:
    """What both say of each case, many side by side; as far as the time goes."""
    for start in range(0, len(cases), 32):
        if time.monotonic() > until:
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
