"""Seeded random boards and questions for the tests in this folder, and what they print when something is wrong.

Every draw hangs on a fixed base and a name, so a failure comes again. ``RIESE_KB_SEEDS=10`` looks ten times as far.
"""

from __future__ import annotations

import json
import os
import random
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from riese_kb.asking import ask_all, stand_of, terms_of
from riese_kb.board import Board, System
from riese_kb.boardfile import parse_board
from riese_kb.draft import Draft
from riese_kb.drafting import core
from riese_kb.drawn.boards import random_board, with_spawns
from riese_kb.drawn.questions import random_question
from riese_kb.errors import RieseError
from riese_kb.grounding import drive
from riese_kb.language import format_question, parse_question, resolve
from riese_kb.program import program, readings
from riese_kb.question import (
    Attack,
    BetweenScenarios,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Earn,
    Heal,
    Initiative,
    Join,
    Learn,
    Lof,
    MayCarry,
    Npc,
    NpcTurn,
    Play,
    Question,
    Reach,
    Replay,
    Round,
    SearchPlace,
    Spawn,
    Targets,
    ThreatAfter,
    Throw,
    Victory,
    Zombie,
    ZombieTurn,
)
from riese_kb.team import Sheet, Team
from riese_kb.teamfile import format_sheet, load_sheet
from riese_kb.worlds import Steps, together

BASE = "Projekt Riese 1"
TIMES = max(1, int(os.environ.get("RIESE_KB_SEEDS") or 1))
READINGS = readings(System.RIESE)
QUERIES: dict[type[Any], tuple[str, ...]] = {
    Can: ("can", "fallen"),
    CanTo: ("reach", "range", "can"),
    Reach: ("reach", "range"),
    Lof: ("lof",),
    Attack: ("attack", "flame", "aftermath", "fallen"),
    Targets: ("targets", "fallen"),
    Throw: ("throw",),
    Blast: ("blast", "blast_effect"),
    BreakLock: ("break_lock",),
    SearchPlace: ("search",),
    MayCarry: ("carry",),
    Zombie: ("zombie", "zombie_steps", "zombie_fire", "fallen"),
    ZombieTurn: ("zombie", "zombie_steps", "zombie_order", "zombie_fire"),
    Initiative: ("initiative",),
    Round: ("round", "fallen", "blast", "blast_effect"),
    Spawn: ("spawn",),
    NpcTurn: ("npc_order", "npc", "npc_steps", "npc_targets", "npc_attack", "lof"),
    Npc: ("npc", "npc_steps", "npc_targets", "npc_attack", "lof"),
}
"""The programs under ``queries/`` that each kind of question about a board runs."""
TEAM_QUERIES: dict[type[Any], tuple[str, ...]] = {
    Learn: ("learn",),
    Heal: ("heal",),
    Join: ("join",),
    Play: ("play",),
    Replay: ("replay",),
    Earn: ("earn",),
    Victory: ("victory",),
    ThreatAfter: ("after",),
    BetweenScenarios: ("after", "learn", "heal"),
}
"""The same for questions about a team."""
STEPS = ("forward", "backward", "sideways", "diagonal-forward", "diagonal-backward", "turn", "points")
PRICES = frozenset(f"movement.{step}" for step in STEPS)
EXAMPLES = Path(__file__).resolve().parents[2] / "queries" / "riese"

T = TypeVar("T")
AskedOfTeam = tuple[Team, Question]
Asked = tuple[Board, Question]
AskedOfSheet = tuple[Sheet, Question]


def seeds(count: int) -> range:
    """Numbers of chunks; more of them where more is asked for."""
    return range(count * TIMES)


def dice(*names: object) -> random.Random:
    """The random numbers of that name."""
    return random.Random("/".join(map(str, (BASE, *names))))


def boards(rng: random.Random, count: int, smallest: int = 3, largest: int = 8, **densities: float) -> Iterator[Board]:
    for _ in range(count):
        yield random_board(rng, rng.randint(smallest, largest), rng.randint(smallest, largest), **densities)


def boards_for(kind: type[Any] | None, rng: random.Random, count: int, smallest: int = 3, largest: int = 8) -> Iterator[Board]:
    """Boards that a question of the kind can be asked about: one about NPCs needs an NPC."""
    return boards(rng, count, smallest, largest, npc=1.0) if kind is Npc else boards(rng, count, smallest, largest)


def drawn(
    rng: random.Random,
    kind: type[Any] | None,
    count: int,
    each: int,
    under: Callable[[Board], dict[str, str]] = lambda _: {},
) -> list[Asked]:
    """``each`` questions of a kind about each of ``count`` boards, under the readings that ``under`` draws."""
    return [
        (board, ruled(random_question(rng, board, kind), under(board)))
        for bare in boards_for(kind, rng, count)
        for board in [with_spawns(rng, bare) if kind in (Round, Spawn) else bare]
        for _ in range(each)
    ]


@cache
def stored() -> list[tuple[AskedOfSheet, dict[str, Any]]]:
    """Every question about the example boards and teams, with what its file says of it."""
    found: list[tuple[AskedOfSheet, dict[str, Any]]] = []
    for file in sorted([*EXAMPLES.glob("*.board.toml"), *EXAMPLES.glob("*.team.toml")]):
        sheet = load_sheet(file)
        with file.with_name(f"{file.name.split('.')[0]}.questions.toml").open("rb") as stream:
            cases = tomllib.load(stream)["question"]
        found += [((sheet, resolve(parse_question(case["ask"]), sheet)), case) for case in cases]
    return found


def examples() -> list[Asked]:
    """Every question about the example boards, and some about boards of these tests' own."""
    found: list[Asked] = [(sheet, question) for (sheet, question), _ in stored() if isinstance(sheet, Board)]
    for text, questions in OWN:
        board = parse_board(text)
        found += [(board, resolve(parse_question(question), board)) for question in questions]
    return found


def team_examples() -> list[AskedOfTeam]:
    """Every question about the example teams."""
    return [(sheet, question) for (sheet, question), _ in stored() if isinstance(sheet, Team)]


# From B4, diagonally beside Kelley, whom it cannot come nearer, the Alpha goes on to him, or back to the closer Nicole.
SECOND_THOUGHTS = """
system = "riese"
map = '''
+-+-+-+-+-+
|. . . . .|
+ + + + + +
|. . . . .|
+ + + + + +
|. . . . .|
+ + + + + +
|^ . . . .|
+ + + + + +
|. : . . .|
+ + + + + +
|. . . . .|
+-+-+-+-+-+
'''
[[figure]]
id = "nicole"
kind = "hero"
at = "E1"
[[figure]]
id = "kelley"
kind = "hero"
at = "A5"
[[figure]]
id = "alpha"
kind = "zombie"
type = "alpha"
at = "C3"
"""
# A strong zombie holds Nicole, another bites at Max, and a third howls.
IN_THEIR_GRIP = """
system = "riese"
threat = 6
map = '''
+-+-+-+-+-+
|. . . . .|
+ + + + + +
|. . . . .|
+ + + + + +
|. . . . .|
+-+-+-+-+-+
'''
[[figure]]
id = "nicole"
kind = "hero"
at = "A1"
facing = "east"
[[figure]]
id = "kelley"
kind = "hero"
at = "A3"
[[figure]]
id = "max"
kind = "hero"
name = "Max"
at = "E3"
health = 2
[[figure]]
id = "strong"
kind = "zombie"
at = "B1"
powers = ["Strong"]
status = ["locks:nicole"]
[[figure]]
id = "biting"
kind = "zombie"
at = "E2"
powers = ["Maw"]
status = ["locks:max"]
[[figure]]
id = "howling"
kind = "zombie"
at = "C1"
powers = ["Howl"]
"""
OWN = (
    (SECOND_THOUGHTS, ("zombie alpha",)),
    (IN_THEIR_GRIP, ("break lock nicole", "can kelley walk forward", "reach kelley running", "zombie biting", "zombies")),
)


def sliced(things: Sequence[T], part: int, parts: int) -> list[T]:
    """Every ``parts``-th of them, beginning with number ``part``: a share of about the same weight."""
    return list(things[part::parts])


def ruled(question: Question, under: dict[str, str], without: Iterable[str] = ()) -> Question:
    """The question under those readings, without those rules."""
    question = replace(question, under=tuple(sorted(under.items())), without=tuple(without))
    return replace(question, text=format_question(question))


def chosen(rng: random.Random, names: Sequence[str], most: int) -> dict[str, str]:
    """One to ``most`` readings, each with a random value."""
    picked = rng.sample(sorted(names), rng.randint(1, most))
    return {name: rng.choice(list(READINGS[name].values)) for name in picked}


def switches(kind: type[Any]) -> list[str]:
    """The rules that can be switched off for a kind of question, but for the prices of steps.

    With free steps a search counts through every sum of points and wounds, which takes minutes.
    """
    rules = frozenset().union(*(program(System.RIESE, query).rules for query in QUERIES[kind]))
    return sorted(rules - PRICES)


def drafts(asked: Sequence[tuple[Sheet, Question]]) -> list[Draft | RieseError]:
    """The answers before anything is asked again: no readings named, nothing offered instead. Several times faster."""
    return drive(together(_guarded(board, question) for board, question in asked))


def _guarded(board: Sheet, question: Question) -> Steps[Draft | RieseError]:
    try:
        draft: Draft = yield from core(stand_of(board), question.about, terms_of(board, question))
    except RieseError as error:
        return error
    return draft


@dataclass(frozen=True)
class Told:
    """What an answer and a draft have in common."""

    verdict: str
    result: dict[str, Any]
    broken: tuple[tuple[int, str, str], ...]
    """Step, rule and place of each violation."""

    def __str__(self) -> str:
        return f"{self.verdict} {line(self.result)} {list(self.broken)}"


def told(asked: Sequence[Asked], *, fully: bool) -> list[Told | RieseError]:
    """The answers, fully by ``ask_all`` or quickly as drafts."""
    given = ask_all(asked) if fully else drafts(asked)
    return [
        one
        if isinstance(one, RieseError)
        else Told(str(one.verdict), one.result, tuple(sorted((v.step, v.rule, v.at) for v in one.violations)))
        for one in given
    ]


def line(value: Any) -> str:
    """Data on one line."""
    return json.dumps(value, default=_plain, sort_keys=True, ensure_ascii=False)


def _plain(value: Any) -> Any:
    return sorted(value, key=str) if isinstance(value, (set, frozenset)) else str(value)


def shown(board: Sheet, question: Question | str, **answers: object) -> str:
    """A board and a question, ready to paste, with what was answered."""
    asked = question if isinstance(question, str) else format_question(question)
    said = "\n".join(f"{name}: {value if isinstance(value, (str, Told)) else line(value)}" for name, value in answers.items())
    return f"\n{format_sheet(board)}\n{asked}\n{said}\n"


def complaint(faults: Sequence[str], total: int) -> str:
    """The first few failures of many."""
    return f"{len(faults)} of {total} differ" + "".join(faults[:3])
