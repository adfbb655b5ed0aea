"""Which rules matter: for each a shipped question that is answered otherwise without it, and which two do the same.

A rule without such a question may be one that can never matter. Two rules on one subject of which either may be missing with the
same outcome, in every question of both, may be duplicates in effect.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.asking import stand_of, terms_of
from riese_kb.board import System
from riese_kb.catalogue import rules
from riese_kb.draft import Draft
from riese_kb.drafting import drafted
from riese_kb.errors import RieseError
from riese_kb.forbidding import switches
from riese_kb.grounding import drive
from riese_kb.jobs import ALONE, How, collected
from riese_kb.language import parse_question, resolve
from riese_kb.tables import data_root
from riese_kb.teamfile import load_sheet
from riese_kb.typeset import counted
from riese_kb.witness.seeds import named
from riese_kb.witness.shrink import Case
from riese_kb.worlds import Steps, together

MOST = 8
"""Questions of two rules that are asked without either, and of an idle rule that are asked without a second one."""
TOGETHER = 32
"""Questions that are asked in one go."""


class Effects(Struct, frozen=True):
    """What came of every rule, and of pairs of rules on one subject.

    ``matter``: a question whose verdict, result or broken rules change without it. ``account``: one of which only the account
    changes. ``idle``: neither, with the number of questions that could fall under it and the rules that stand in its way.
    """

    matter: dict[str, Case]
    account: dict[str, Case]
    idle: dict[str, tuple[int, tuple[str, ...]]]
    pairs: int
    alike: tuple[tuple[str, str], ...]
    complete: bool = True


def effects(system: System, progress: Callable[[str], None] = lambda _: None, how: How = ALONE) -> Effects:
    """Ask the shipped questions that could fall under a rule without it. Takes some minutes; Ctrl-C leaves what is found."""
    known = rules(system)
    cases = questions(system)
    progress("which rules each question could fall under")
    under = at_work(system)
    first = named(system)
    jobs: list[dict[str, Any]] = [
        {"system": str(system), "rule": id, "cases": _in_turn(cases, under.get(id, ()), first.get(id, ()))} for id in known
    ]
    found, complete = collected(
        "riese_kb.witness.effects:effect", jobs, how, lambda count, _: progress(f"{count} of {len(jobs)} rules")
    )
    results = {job["rule"]: (job, found[number]) for number, job in enumerate(jobs) if number in found}
    matter = {id: cases[result["matters"]] for id, (_, result) in results.items() if result["matters"] is not None}
    account = {id: cases[result["account"]] for id, (_, result) in results.items() if _only_account(result)}
    idle = {
        id: (len(job["cases"]), tuple(result["shadows"]))
        for id, (job, result) in results.items()
        if result["matters"] is None and result["account"] is None
    }
    couples = [pair for pair in combinations(known, 2) if known[pair[0]].subject == known[pair[1]].subject]
    return Effects(matter, account, idle, len(couples), tuple(_alike(couples, matter, first)) if complete else (), complete)


def _only_account(result: Mapping[str, Any]) -> bool:
    return result["matters"] is None and result["account"] is not None


@cache
def questions(system: System) -> tuple[Case, ...]:
    """Every question about a shipped board or team that no rule file has a part in; scenarios may."""
    found: list[Case] = []
    folder = Path(data_root(), "queries", system)
    for file in sorted([*folder.glob("*.board.toml"), *folder.glob("*.team.toml")]):
        sheet = load_sheet(file)
        with file.with_name(f"{file.name.split('.')[0]}.questions.toml").open("rb") as stream:
            asked = [resolve(parse_question(case["ask"]), sheet) for case in tomllib.load(stream)["question"]]
        found += [(sheet, replace(question, without=())) for question in asked if not question.rules]
    return tuple(found)


@cache
def at_work(system: System) -> dict[str, tuple[int, ...]]:
    """By rule: the numbers of the questions that could fall under it."""
    cases = questions(system)
    names: list[set[str]] = [set() for _ in cases]
    for start in range(0, len(cases), TOGETHER):
        some = range(start, min(start + TOGETHER, len(cases)))
        drive(together(switches(_draft(cases[number], ()), names[number]) for number in some))
    by: dict[str, list[int]] = {}
    for number, here in enumerate(names):
        for id in here:
            by.setdefault(id, []).append(number)
    return {id: tuple(numbers) for id, numbers in by.items()}


def _in_turn(cases: Sequence[Case], under: Iterable[int], first: Iterable[Case]) -> list[int]:
    """The numbers of the questions that could fall under a rule, those that name it first."""
    naming = {(sheet.file, question.about) for sheet, question in first}
    return sorted(under, key=lambda number: (cases[number][0].file, cases[number][1].about) not in naming)


def effect(given: dict[str, Any]) -> dict[str, Any]:
    """What comes of switching a rule off, as a job.

    The first question that ``matters``, the first of which only the ``account`` changes, and the rules that stand in its way.
    """
    system, id, numbers = System(given["system"]), given["rule"], given["cases"]
    cases = questions(system)
    account = None
    for start in range(0, len(numbers), TOGETHER):
        some = numbers[start : start + TOGETHER]
        before, after = (_drafts([(cases[number], off) for number in some]) for off in ((), (id,)))
        for number, one, other in zip(some, before, after, strict=True):
            if _essence(one) != _essence(other):
                return {"matters": number, "account": None, "shadows": []}
            if account is None and _account(one) != _account(other):
                account = number
    shadows = [] if account is not None else sorted({*_shadows(system, id, [cases[number] for number in numbers[:MOST]])})
    return {"matters": None, "account": account, "shadows": shadows}


def _shadows(system: System, id: str, cases: Sequence[Case]) -> Iterator[str]:
    """Rules without which it matters: in its own questions those that could be told there, too."""
    known = rules(system)
    for case in cases:
        names: set[str] = set()
        drive(switches(_draft(case, ()), names))
        others = sorted(names & known.keys() - {id})
        one = _drafts([(case, (other,)) for other in others])
        both = _drafts([(case, (other, id)) for other in others])
        yield from (o for o, left, right in zip(others, one, both, strict=True) if _essence(left) != _essence(right))


def _alike(
    couples: Iterable[tuple[str, str]], matter: Mapping[str, Case], first: Mapping[str, Sequence[Case]]
) -> Iterator[tuple[str, str]]:
    """Pairs that no question of either tells apart; of two that change nothing it is said already."""
    known: dict[tuple[Case, str], object] = {}

    def told(case: Case, rule: str) -> object:
        key = (case, rule)
        if key not in known:
            (draft,) = _drafts([(case, (rule,))])
            known[key] = _essence(draft)
        return known[key]

    for one, other in couples:
        if matter.keys().isdisjoint((one, other)):
            continue
        cases = [matter[id] for id in (one, other) if id in matter]
        cases += [case for id in (one, other) for case in first.get(id, ())[:MOST]]
        if all(told(case, one) == told(case, other) for case in cases):
            yield one, other


def _drafts(asked: Sequence[tuple[Case, tuple[str, ...]]]) -> list[Draft | str]:
    return drive(together(_draft(case, without) for case, without in asked))


def _draft(case: Case, without: tuple[str, ...]) -> Steps[Draft | str]:
    """The draft without those rules; the text of an error where there is none."""
    sheet, question = case
    try:
        asked = resolve(replace(question, without=without), sheet)
        draft: Draft = yield from drafted(stand_of(sheet), asked.about, terms_of(sheet, asked))
    except RieseError as error:
        return str(error)
    return draft


def _essence(draft: Draft | str) -> object:
    return draft if isinstance(draft, str) else draft.essence


def _account(draft: Draft | str) -> object:
    return draft if isinstance(draft, str) else frozenset(draft.ledger)


def section(found: Effects) -> str:
    """The section of ``docs/findings.md``."""
    every = len(found.matter) + len(found.account) + len(found.idle)
    lines = [
        "## Rules that matter",
        "",
        "Written by `riese-kb witness --rules --markdown`: every rule is switched off in the shipped questions that could fall "
        "under it.",
        "",
        f"{counted(len(found.matter), 'rule')} of {every} change the verdict, the result or the broken rules of one; "
        f"{len(found.account)} only the account. "
        f"Of {counted(found.pairs, 'pair')} of rules on one subject, {len(found.alike)} could not be told apart by them.",
        "",
    ]
    if found.account:
        lines += [f"Only the account: {', '.join(f'`{id}`' for id in found.account)}.", ""]
    if found.idle:
        lines += [
            "These changed nothing; with the number of questions in which they were switched off, and the rules that stand in "
            f"their way in up to {MOST} of them:",
            "",
        ]
        for id, (asked, others) in found.idle.items():
            behind = ", ".join(f"`{other}`" for other in others)
            lines.append(f"- `{id}` ({asked})" + (f": matters without {behind}" if behind else ""))
        lines.append("")
    if found.alike:
        lines += ["Not told apart, and so perhaps duplicates in effect:", ""]
        lines += [f"- `{one}` and `{other}`" for one, other in found.alike]
    return "\n".join(lines).rstrip("\n")
