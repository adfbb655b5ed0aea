"""What a file of rules changes: which stored questions, rulings and boards drawn at random are answered otherwise with it.

Every board is one job (``jobs``): its questions are asked with and without the file, and where the answers differ the rule that
makes the difference is found by switching off the file's rules one by one.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.asking import ask, read_question, stand_of, terms_of
from riese_kb.board import MAIN, Board, Kind, Terrain
from riese_kb.boardfile import format_board
from riese_kb.differing import difference
from riese_kb.draft import Draft
from riese_kb.drafting import drafted
from riese_kb.drawn.boards import random_board
from riese_kb.drawn.questions import random_question
from riese_kb.errors import RieseError
from riese_kb.grounding import drive
from riese_kb.house_rules import read_rules
from riese_kb.jobs import How, collected, crc_of
from riese_kb.question import Question
from riese_kb.rings import RingBoard
from riese_kb.rulings import read_rulings
from riese_kb.store import read_toml
from riese_kb.tables import data_root
from riese_kb.team import Sheet, Team
from riese_kb.teamfile import load_sheet
from riese_kb.worlds import Steps, together

EACH = 5
"""Questions that are asked of each generated board."""
SIZES = (3, 7)
"""Width and height of a generated board: at least, at most."""


class Case(Struct, frozen=True):
    """A question about a stored board, and what it stands for: ``printed``, ``stored``, or ``ruling`` (with what was ruled)."""

    board: str
    ask: str
    of: str
    ruled: str = ""


class Changed(Struct, frozen=True):
    """A question that is answered otherwise: the difference in one sentence, and the rules of the file that make it."""

    ask: str
    says: str
    rules: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"ask": self.ask, "says": self.says, "rules": list(self.rules)}


class Report(Struct, frozen=True):
    """What was asked and what has changed. ``complete``: nothing was left out because somebody stopped it."""

    file: str
    asked: dict[str, int]
    changed: list[tuple[Case, Changed]]
    generated: int
    seed: int
    drawn: list[dict[str, Any]]
    """Of the generated boards those with questions that change: ``board`` (its text), ``size`` and ``changed``."""
    failed: list[tuple[str, str]]
    complete: bool
    found: dict[str, Any] | None = None
    """The smallest board that a search has found: ``board``, ``ask``, ``says``, ``rules`` and ``proved``."""

    @property
    def empty(self) -> bool:
        """Whether nothing changes."""
        return not self.changed and not self.drawn and self.found is None

    @property
    def smallest(self) -> dict[str, Any] | None:
        """The smallest new board that is known to change, as ``found`` or else of those generated.

        Smaller is: fewer figures, then less terrain, then less area. ``proved``: there is no smaller one.
        """
        if self.found is not None:
            return self.found
        least = min(self.drawn, key=lambda one: tuple(one["size"]), default=None)
        return None if least is None else {"board": least["board"], **least["changed"][0], "proved": False}

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "rules": self.file,
            "asked": self.asked,
            "changed": [
                {"of": case.of, "board": case.board, **change.to_json()} | ({"ruled": case.ruled} if case.ruled else {})
                for case, change in self.changed
            ],
            "generated": {"boards": self.generated, "seed": self.seed, "changed": len(self.drawn)},
            "smallest": self.smallest,
            "failed": [{"board": board, "error": error} for board, error in self.failed],
            "complete": self.complete,
        }


# --- what is asked --------------------------------------------------------------------------------------------------


def stored(folder: str | None) -> list[Case]:
    """The questions about the boards of a folder; of those without a file of questions, what anybody would ask first.

    None: the folder that is shipped. Raises ``RieseError``.
    """
    folder = os.path.join(data_root(), "queries", MAIN) if folder is None else folder
    try:
        names = sorted(os.listdir(folder))
    except OSError as fault:
        raise RieseError(fault.strerror or "it cannot be read", fix="name a folder of boards", file=folder) from None
    return [case for name in names for case in _cases(folder, name, names)]


def _cases(folder: str, name: str, names: Sequence[str]) -> Iterator[Case]:
    path = os.path.join(folder, name)
    if name.endswith(".rulings.toml") or name == "rulings.toml":
        yield from ruled(path)
        return
    stem = next((name.removesuffix(end) for end in (".board.toml", ".team.toml") if name.endswith(end)), None)
    if stem is None:
        return
    of = "printed" if stem.startswith("printed") else "stored"
    if f"{stem}.questions.toml" in names:
        questions = read_toml(os.path.join(folder, f"{stem}.questions.toml")).get("question", ())
        yield from (Case(path, question["ask"], of) for question in questions)
    else:
        yield from (Case(path, question, of) for question in _usual(load_sheet(path)))


def ruled(path: str) -> list[Case]:
    """The rulings of a file as cases."""
    folder = os.path.dirname(path)
    return [Case(os.path.join(folder, one.board), one.ask, "ruling", f"{one.says} ({one.source})") for one in read_rulings(path)]


def _usual(sheet: Sheet) -> Iterator[str]:
    if isinstance(sheet, Team | RingBoard):
        return
    for figure in sheet.figures:
        if figure.kind is Kind.HERO:
            yield from (f"reach {figure.id} walking", f"reach {figure.id} running", f"targets {figure.id}")
        elif figure.kind is Kind.ZOMBIE:
            yield f"zombie {figure.id}"


# --- comparing ------------------------------------------------------------------------------------------------------


def what_if(
    file: str, cases: Sequence[Case], generated: int, seed: int, how: How, told: Callable[[str], None] = lambda _: None
) -> Report:
    """Ask everything with and without the rules of a file. Raises ``RulesError`` for a file that cannot be used."""
    read_rules(file)
    path = os.path.abspath(file)
    stamp = crc_of(path)
    boards: dict[str, list[Case]] = {}
    for case in cases:
        boards.setdefault(case.board, []).append(case)
    jobs: list[dict[str, Any]] = [
        {"rules": path, "stamp": [stamp, crc_of(board)], "board": os.path.abspath(board), "asks": [case.ask for case in of_it]}
        for board, of_it in boards.items()
    ]
    jobs += [{"rules": path, "stamp": stamp, "seed": seed, "number": number} for number in range(generated)]
    found, complete = collected("riese_kb.whatif:job", jobs, how, lambda count, _: told(f"{count} of {len(jobs)} boards"))
    changed: list[tuple[Case, Changed]] = []
    failed: list[tuple[str, str]] = []
    asked: dict[str, int] = {}
    for number, (board, of_it) in enumerate(boards.items()):
        result = found.get(number)
        if result is None:
            continue
        failed += [(board, result["error"])] if "error" in result else []
        for case in of_it:
            asked[case.of] = asked.get(case.of, 0) + 1
        for place, says, rules in result.get("changed", ()):
            changed.append((of_it[place], Changed(of_it[place].ask, says, tuple(rules))))
    drawn = [found[number] for number in range(len(boards), len(jobs)) if found.get(number)]
    done = sum(number in found for number in range(len(boards), len(jobs)))
    return Report(file, asked, changed, done, seed, drawn, failed, complete)


def job(given: dict[str, Any]) -> Any:
    """One board: a stored one with its questions, or one that is drawn with some (None where nothing changes there)."""
    rules = given["rules"]
    if "board" in given:
        try:
            changes = compared(load_sheet(given["board"]), given["asks"], rules)
        except RieseError as fault:
            return {"error": str(fault)}
        return {"changed": [(place, change.says, change.rules) for place, change in changes]}
    rng = random.Random(f"{given['seed']}/{given['number']}")
    board = random_board(rng, rng.randint(*SIZES), rng.randint(*SIZES))
    asks = list(dict.fromkeys(random_question(rng, board).text for _ in range(EACH)))
    found = compared(board, asks, rules)
    if not found:
        return None
    return {"board": format_board(board), "size": _size(board), "changed": [change.to_json() for _, change in found]}


def _size(board: Board) -> list[int]:
    rough = sum(kind is not Terrain.CLEAR for kind in board.terrain.values())
    return [len(board.figures), rough, board.width * board.height]


def compared(sheet: Sheet, asks: Sequence[str], rules: str) -> list[tuple[int, Changed]]:
    """The questions that are answered otherwise with the rules of that file, by their places."""
    plain = [_read(sheet, text) for text in asks]
    with_it = [None if question is None else replace(question, rules=(*question.rules, rules)) for question in plain]
    drafts = drive(together(_draft(sheet, question) for question in (*plain, *with_it)))
    before, after = drafts[: len(asks)], drafts[len(asks) :]
    own = list(read_rules(rules).titles)
    found = []
    for place, (one, other) in enumerate(zip(before, after, strict=True)):
        question = with_it[place]
        if one is not None and other is not None and question is not None and one.essence != other.essence:
            off = [replace(question, without=(*question.without, id)) for id in own] if len(own) > 1 else []
            without = drive(together(_draft(sheet, less) for less in off))
            guilty = [id for id, draft in zip(own, without, strict=False) if draft is None or draft.essence != other.essence]
            says = difference(ask(sheet, asks[place]), ask(sheet, question))
            found.append((place, Changed(asks[place], says, tuple(guilty or own))))
    return found


def _read(sheet: Sheet, text: str) -> Question | None:
    try:
        return read_question(sheet, text)
    except RieseError:
        return None


def _draft(sheet: Sheet, question: Question | None) -> Steps[Draft | None]:
    if question is None:
        return None
    try:
        draft: Draft = yield from drafted(stand_of(sheet), question.about, terms_of(sheet, question))
    except RieseError:
        return None
    return draft
