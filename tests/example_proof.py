"""Whether generated examples hold: ``python -m tests.example_proof 300`` makes so many and lists what does not.

Each is read back and asked again, everything on its board is taken away once, the plain reference is asked where it knows the
question, and the picture is compared with the answer.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any
from xml.etree import ElementTree

from msgspec.structs import replace

from riese_kb import ask
from riese_kb.answer import Answer
from riese_kb.board import Board, Figure, System, Terrain
from riese_kb.catalogue import rules
from riese_kb.errors import RieseError
from riese_kb.examples import make
from riese_kb.examples.smaller import usual
from riese_kb.examples.wish import asked
from riese_kb.language import parse_question, resolve
from riese_kb.question import Can, CanTo, Lof, Question, Reach, Zombie
from riese_kb.rings import RingBoard
from riese_kb.team import Sheet
from riese_kb.teamfile import format_sheet, parse_sheet
from tests.reference import TooManyWays
from tests.reference.movement import COST
from tests.reference.test_reference import ask as reference


def wishes(number: int, seed: int = 0, system: System = System.RIESE) -> list[tuple[str, int]]:
    """Rules of a game with seeds: every rule once before any comes again."""
    dice = random.Random(seed)
    found: list[tuple[str, int]] = []
    while len(found) < number:
        every = [*rules(system)]
        dice.shuffle(every)
        found += [(rule, dice.randrange(1000)) for rule in every]
    return found[:number]


def faults(made: make.Example) -> Iterator[str]:
    """What is wrong with an example."""
    name = "read.board.toml" if isinstance(made.sheet, Board | RingBoard) else "read.team.toml"
    again = parse_sheet(format_sheet(made.sheet), name)
    answer = ask(again, made.answer.ask if made.answer.language == "en" else _german(made, again))
    if _told(answer) != _told(made.answer):
        yield "read back and asked again, the answer is another"
    yield from (f"{what} can be taken away" for what in _needless(made, again))
    yield from _reference(again, made)
    yield from _picture(answer)


def _german(made: make.Example, sheet: Sheet) -> Question:
    return replace(resolve(parse_question(made.answer.ask), sheet), language=made.answer.language)


def _told(answer: Answer) -> tuple[Any, ...]:
    return (answer.verdict, answer.result, answer.ledger, answer.violations, answer.readings, answer.overridden)


def _needless(made: make.Example, sheet: Sheet) -> Iterator[str]:
    """Figures, markers, ground, edges, steps, and what is said of the board or a figure, that nothing hangs on.

    A rule that the answer does not name is told by what would be without it, so that is a part of the reasons.
    """
    question = resolve(parse_question(made.answer.ask), sheet)
    question = replace(question, language=made.answer.language)
    whole = _held((sheet, question), made.silent)
    for what, smaller in _less(sheet):
        case = usual((smaller, question))
        if case is not None and _held(case, made.silent) == whole:
            yield what
    about = question.about
    if isinstance(about, Can) and len(about.actions) > 1:
        for number in range(len(about.actions)):
            shorter = replace(about, actions=about.actions[:number] + about.actions[number + 1 :])
            if _held((sheet, replace(question, about=shorter)), made.silent) == whole:
                yield f"step {number + 1}"


def _held(case: tuple[Sheet, Question], silent: tuple[str, ...]) -> list[tuple[Any, ...] | None]:
    """The answer, the open points that came up, and the answers without each of the silent rules; None for one that cannot
    be asked.
    """
    (reasons,) = asked([case])
    found: list[tuple[Any, ...] | None] = [None if reasons is None else tuple(sorted(reasons.open))]
    for without in ((), *((rule,) for rule in silent)):
        try:
            found.append(_told(ask(case[0], replace(case[1], without=(*case[1].without, *without)))))
        except RieseError:
            found.append(None)
    return found


def _less(sheet: Sheet) -> Iterator[tuple[str, Sheet]]:
    if not isinstance(sheet, Board):
        return
    for figure in sheet.figures:
        others = tuple(f for f in sheet.figures if f is not figure)
        yield figure.id, replace(sheet, figures=others)
        for field in (
            "weapon",
            "off_hand",
            "declared",
            "ammo",
            "health",
            "facing",
            "gear",
            "skills",
            "powers",
            "status",
            "locks",
        ):
            usual_value: Any = () if isinstance(getattr(figure, field), tuple) else None
            if getattr(figure, field) != usual_value:
                plain = replace(figure, **{field: usual_value})
                yield f"{figure.id}'s {field}", replace(sheet, figures=tuple(plain if f is figure else f for f in sheet.figures))
    for marker in sheet.markers:
        yield f"marker {marker.kind}", replace(sheet, markers=tuple(m for m in sheet.markers if m is not marker))
    for square, kind in sheet.terrain.items():
        if kind is not Terrain.CLEAR:
            yield f"{kind.name} on {square}", replace(sheet, terrain={**sheet.terrain, square: Terrain.CLEAR})
    for edge in sheet.edges:
        if {*edge} <= {*sheet.terrain}:
            yield f"edge {edge}", replace(sheet, edges={e: kind for e, kind in sheet.edges.items() if e != edge})
    if sheet.darkness:
        yield "darkness", replace(sheet, darkness=False)


# --- the plain reference ----------------------------------------------------------------------------------------------

_COMPARED = ("mp", "spent", "wounds", "end", "targets", "moves", "attacks", "stays", "squares", "modifier", "needed")


def known_to_the_reference(sheet: Sheet, question: Question) -> bool:
    """Whether the reference was written for all that is on the board: terrain, edges, figures without skills and powers."""
    if not isinstance(sheet, Board) or sheet.system is not System.RIESE or sheet.markers or sheet.notes or sheet.darkness:
        return False
    if question.scenarios or question.without or not isinstance(question.about, Can | CanTo | Reach | Lof | Zombie):
        return False
    steps = question.about.actions if isinstance(question.about, Can) else ()
    return (
        sheet.threat == 0
        and all(map(_plain, sheet.figures))
        and all(a.step in COST and not (a.item or a.place or a.to) for a in steps)
    )


def _plain(figure: Figure) -> bool:
    more = (figure.skills, figure.used, figure.powers, figure.gear, figure.off_hand, figure.fuel, figure.mp, figure.rescued)
    known = {*figure.status} <= {"stunned", "covering", "attacked"} and figure.kind in ("hero", "zombie")
    return known and not any(more) and figure.type in (None, "beta", "armoured") and figure.name != "Max"


def _reference(sheet: Sheet, made: make.Example) -> Iterator[str]:
    question = resolve(parse_question(made.answer.ask), sheet)
    if not isinstance(sheet, Board) or not known_to_the_reference(sheet, question):
        return
    try:
        theirs = reference(sheet, question, dict(question.under))
    except (TooManyWays, NotImplementedError):
        return
    result = theirs.get("result", theirs)
    if theirs.get("verdict", made.answer.verdict) != made.answer.verdict:
        yield f"the reference says {theirs['verdict']}, the answer {made.answer.verdict}"
    for key in _COMPARED:
        if key in made.answer.result and key in result and result[key] != made.answer.result[key]:
            yield f"the reference has {key} {result[key]}, the answer {made.answer.result[key]}"
    COUNTS["compared with the reference"] += 1


# --- the picture ------------------------------------------------------------------------------------------------------


def _picture(answer: Answer) -> Iterator[str]:
    try:
        tree = ElementTree.fromstring(answer.svg())
    except RieseError:
        return
    COUNTS["pictures compared"] += 1
    result = answer.result

    def told(name: str, of: str = "at", where: Callable[[ElementTree.Element], bool] = lambda _: True) -> list[str]:
        return [str(e.get(f"data-{of}")) for e in tree.iter() if e.get(f"data-{name}") is not None and where(e)]

    if isinstance(result.get("squares"), list) and answer.ask.startswith("lof") and told("line") != result["squares"]:
        yield f"the line is drawn over {told('line')}, not {result['squares']}"
    if answer.ask.startswith("lof") and [*dict.fromkeys(told("blocked", "blocked"))] != result.get("blocked_by", []):
        yield f"blocked are drawn {told('blocked', 'blocked')}, not {result.get('blocked_by')}"
    if answer.ask.startswith("zombie ") and "moves" in result:
        for number, squares in enumerate(result["moves"], 1):
            drawn = told("option", "at", lambda e, n=str(number): e.get("data-option") == n)  # type: ignore[misc]
            if drawn != squares:
                yield f"option {number} is drawn on {drawn}, not {squares}"
    if answer.ask.startswith("reach") and isinstance(result.get("squares"), dict):
        mp = {
            str(e.get("data-at")): int(str(e.get("data-reach")).strip("!"))
            for e in tree.iter()
            if e.get("data-reach") is not None
        }
        if mp != result["squares"] | result.get("exits", {}):
            yield f"reach is drawn as {mp}, not {result['squares']}"
    spent = told("mp", "mp") if answer.ask.startswith("can ") and answer.verdict == "legal" and result.get("spent") else []
    if spent and int(spent[-1]) != result["spent"]:
        yield f"the way is drawn for {spent[-1]} MP, not {result['spent']}"
    if answer.ask.startswith("blast") and {*told("target", "target")} != {*result.get("victims", ())}:
        yield f"victims are drawn {told('target', 'target')}, not {result.get('victims')}"


# --- the whole --------------------------------------------------------------------------------------------------------

COUNTS: Counter[str] = Counter()


def main(number: int, seed: int) -> int:
    """Make and check them; what does not hold is printed. Returns how many examples do not."""
    wrong, times = 0, []
    for rule, one in wishes(number, seed):
        begun = perf_counter()
        try:
            made = make.example(System.RIESE, [rule], one)
        except RieseError as error:
            COUNTS["not made"] += 1
            print(f"{rule} {one}: {error}", flush=True)
            continue
        times.append(perf_counter() - begun)
        found = [*faults(made)]
        wrong += bool(found)
        for fault in found:
            print(f"{rule} --seed {one}: {fault}", flush=True)
    print(f"{len(times)} made, median {median(times):.1f} s, worst {max(times):.1f} s; {wrong} with faults; {dict(COUNTS)}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 300, int(sys.argv[2]) if len(sys.argv) > 2 else 0) > 0)
