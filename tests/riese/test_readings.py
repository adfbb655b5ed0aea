"""Contested points: every value matters somewhere, and an answer names exactly those on which it depends.

An answer is asked again only under the readings that the logic flags (``matters``). Here questions are asked under every
other value of every reading that the program mentions, flagged or not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import riese_kb.kinds
from riese_kb.answer import Answer
from riese_kb.asking import ask_all
from riese_kb.board import Declared, System
from riese_kb.draft import Draft
from riese_kb.errors import RieseError
from riese_kb.program import program
from riese_kb.question import (
    Action,
    Attack,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Lof,
    MayCarry,
    Npc,
    Question,
    Reach,
    Round,
    SearchPlace,
    Spawn,
    Step,
    Targets,
    Throw,
    Zombie,
    ZombieTurn,
)
from riese_kb.team import Sheet
from tests.riese.generated import (
    QUERIES,
    READINGS,
    TEAM_QUERIES,
    TIMES,
    Asked,
    chosen,
    complaint,
    dice,
    drafts,
    drawn,
    examples,
    ruled,
    seeds,
    shown,
    sliced,
    team_examples,
)

# Kind, chunks, boards a chunk, questions a board.
AMOUNTS: dict[type[Any], tuple[int, int, int]] = {
    Can: (2, 8, 10),
    Reach: (1, 8, 1),
    CanTo: (1, 3, 1),
    Lof: (1, 12, 20),
    Attack: (2, 8, 8),
    Targets: (1, 10, 3),
    Throw: (1, 8, 4),
    Blast: (1, 10, 4),
    BreakLock: (1, 10, 2),
    SearchPlace: (1, 10, 2),
    MayCarry: (1, 10, 2),
    Zombie: (3, 10, 2),
    ZombieTurn: (1, 4, 1),
    Round: (1, 10, 1),
    Spawn: (1, 10, 3),
    Npc: (2, 8, 2),
}
CASES = [
    pytest.param(kind, chunk, id=f"{kind.__name__}-{chunk}")
    for kind, (chunks, _, _) in AMOUNTS.items()
    for chunk in seeds(chunks)
]


MOVING = {"flank_choice", "death"}
"""Readings that the code around the logic takes part in."""


def mentioned(kind: type[Any]) -> frozenset[str]:
    """The readings that can change an answer of this kind at all: its programs ask for them, or the code around them."""
    asked = frozenset().union(*(program(System.RIESE, query).readings for query in (QUERIES | TEAM_QUERIES)[kind]))
    return asked | (MOVING if kind in (Can, CanTo, Reach) else set())


def test_no_other_reading_is_settled_outside_the_logic() -> None:
    folder = Path(riese_kb.kinds.__path__[0])
    code = "".join(path.read_text(encoding="utf-8") for path in [*folder.glob("*.py"), *folder.parent.glob("*.py")])
    settled = set(re.findall(r'(?:readings\.get|_setting|\.under)\([^()]*?"([a-z_]+)"', code))
    assert settled & set(READINGS) <= MOVING | mentioned(Zombie)


def others(question: Question) -> list[tuple[str, str]]:
    """Every reading with every value but the one in force."""
    names = sorted(mentioned(type(question.about)))
    now = {**{name: READINGS[name].default for name in names}, **dict(question.under)}
    return [(name, value) for name in names for value in READINGS[name].values if value != now[name]]


def changes(asked: Sequence[tuple[Sheet, Question]]) -> list[dict[str, set[str]]]:
    """By brute force: for each question the values of each reading under which the answer is another one."""
    found: list[dict[str, set[str]]] = []
    for board, question in asked:
        under = dict(question.under)
        ways = others(question)
        wanted = [question, *(ruled(question, {**under, name: value}, question.without) for name, value in ways)]
        base, *changed = drafts([(board, one) for one in wanted])
        by: dict[str, set[str]] = {}
        for (name, value), other in zip(ways, changed, strict=True):
            if isinstance(base, Draft) and isinstance(other, Draft) and other.essence != base.essence:
                by.setdefault(name, set()).add(value)
        found.append(by)
    return found


def check_named(asked: Sequence[tuple[Sheet, Question]]) -> None:
    faults: list[str] = []
    for (board, question), answer, changed in zip(asked, ask_all(asked), changes(asked), strict=True):
        if isinstance(answer, RieseError):
            continue
        named = {taken.reading: set(taken.otherwise) for taken in answer.readings}
        if named != changed:
            faults.append(shown(board, question, named=named, changed_by=changed, answer=summary(answer)))
    assert not faults, complaint(faults, len(asked))


def summary(answer: Answer) -> dict[str, Any]:
    broken = [(v.rule, v.at) for v in answer.violations]
    return {"verdict": answer.verdict, "result": answer.result, "violations": broken}


@pytest.mark.parametrize(("kind", "chunk"), CASES)
def test_answers_name_the_readings_they_depend_on(kind: type[Any], chunk: int) -> None:
    _, count, each = AMOUNTS[kind]
    rng = dice("readings", kind.__name__, chunk)
    check_named(drawn(rng, kind, count, each, lambda _: chosen(rng, list(READINGS), 2) if rng.random() < 0.3 else {}))


@pytest.mark.parametrize("part", range(min(6, TIMES)))
def test_answers_about_the_example_boards_name_them_too(part: int) -> None:
    """A sixth of them in each part; one part unless more is asked for."""
    check_named(sliced(own_questions(), part, 6))


# --- every value -----------------------------------------------------------------------------------------------------

VALUES = [(name, value) for name, reading in READINGS.items() for value in list(reading.values)[1:]]


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_every_value_changes_some_answer(name: str, value: str) -> None:
    """On an example board, or else on one of many generated ones."""
    kinds = [kind for kind in QUERIES if name in mentioned(kind)]
    of_teams = [kind for kind in TEAM_QUERIES if name in mentioned(kind)]
    if differs([asked for asked in own_questions() if type(asked[1].about) in (*kinds, *of_teams)], name, value):
        return
    rng = dice("values", name)
    for _ in range(12):
        for kind in (kind for kind in kinds if kind not in (CanTo, ZombieTurn)):
            if differs(drawn(rng, kind, 6, 4), name, value):
                return
    raise AssertionError(f"no answer changes under {name}={value}")


@cache
def own_questions() -> list[tuple[Sheet, Question]]:
    return [*((board, question) for board, question in examples() if not question.rules), *team_examples()]


def differs(pool: Sequence[tuple[Sheet, Question]], name: str, value: str) -> bool:
    """Whether any answer changes when the reading is not the default but ``value``."""
    for start in range(0, len(pool), 40):
        plain, changed = (
            drafts([(board, ruled(asked, {**dict(asked.under), name: one}, asked.without)) for board, asked in portion])
            for portion in [pool[start : start + 40]]
            for one in (READINGS[name].default, value)
        )
        pairs = zip(plain, changed, strict=True)
        if any(isinstance(a, Draft) and isinstance(b, Draft) and a.essence != b.essence for a, b in pairs):
            return True
    return False


UNSAID = {"death", "flank_choice"}
"""Not saying anything is a third reading of these two, as readings.toml explains: it differs for sequences and searches."""


@pytest.mark.parametrize("kind", [kind for kind in QUERIES if kind is not ZombieTurn])
def test_naming_a_default_changes_nothing(kind: type[Any]) -> None:
    rng = dice("defaults", kind.__name__)
    asked = drawn(rng, kind, 10, 3)
    defaults = {name: reading.default for name, reading in READINGS.items() if name not in UNSAID}
    explicit = [(board, ruled(question, defaults)) for board, question in asked]
    for (board, question), plain, named in zip(asked, drafts(asked), drafts(explicit), strict=True):
        assert isinstance(plain, Draft)
        assert isinstance(named, Draft)
        assert (plain.essence, plain.ledger) == (named.essence, named.ledger), shown(board, question)


def test_switching_weapons_is_drawn_too() -> None:
    """Random sequences do not switch weapons, so that reading gets questions of its own."""
    asked: list[Asked] = []
    for board, _ in drawn(dice("switching"), Can, 20, 1):
        for hero in board.figures:
            if hero.weapon is not None:
                switch = Can(hero.id, Declared.WALKING, (Action(Step.SWITCH, item=hero.weapon),))
                asked.append((board, ruled(Question("", switch), {})))
    check_named(asked)
