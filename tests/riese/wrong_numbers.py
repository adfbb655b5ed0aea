"""Wrong numbers planted in the tables under rules, one at a time, and what finds them.

``make wrong-numbers`` plants one more, one less and the other sign at every number that ``found_by.toml`` does not have yet, and
writes what finds them there; with ``ARGS=all`` it looks at all of them again. test_numbers.py plants a sample of them again.

What finds one is a stored question (``board: question``; about another game ``stalingrad_z/board: question``), a stored range
table (``odds: weapon``), a claim of ``riese-kb prove`` (``topic.claim``) or, where the printed book is at hand, its own tables
and sentences (``book: comparison``).
"""

from __future__ import annotations

import copy
import json
import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from riese_kb import asking, grounding, program, ranges, store, tables
from riese_kb.board import System
from riese_kb.draft import Draft
from riese_kb.errors import RieseError
from riese_kb.language import parse_question, resolve
from riese_kb.proving import bounds, numbers
from riese_kb.proving.claims import Claim, Outcome
from riese_kb.solver import LogicFault
from riese_kb.teamfile import load_sheet
from tests import test_printed_numbers
from tests.conftest import rulebooks_folder
from tests.riese import range_tables
from tests.riese.generated import EXAMPLES, drafts
from tests.riese.places import RULES, Place, game_of, places, printed
from tests.riese.test_examples import ordered, told, within
from tests.stalingrad_z import test_printed_z

# --- planting -----------------------------------------------------------------------------------------------------------

_KEPT = store.kept
_KEEPERS = (store, program, ranges)
_MADE: dict[tuple[str, ...], Any] = {}
_UNTOUCHED = ("pruning", "facts", "reader", "catalogue", "passages", "program")
"""Modules that remember nothing that depends on a number; programs are forgotten only where a table of theirs is changed."""


def _remembered() -> list[Any]:
    """Whatever remembers numbers, by where it is defined; programs apart."""
    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith("riese_kb.")]
    found = {id(one): one for module in modules for one in vars(module).values() if hasattr(one, "cache_clear")}
    return [one for one in found.values() if one.__module__.rpartition(".")[2] not in _UNTOUCHED]


def _forget(law: bool) -> None:
    for one in _remembered():
        one.cache_clear()
    asking._STANDS.clear()
    grounding.KNOWN.forget()
    if law:
        program._SETTLED.clear()
        for made in (program.program, program.table_facts):
            made.cache_clear()


def _once(kind: str, files: Sequence[str], make: Any, *more: str, form: Any = Any) -> Any:
    """What ``kept`` keeps, with the tables as they stand; read once."""
    key = (kind, *more, *files)
    if key not in _MADE:
        _MADE[key] = _KEPT(kind, files, make, *more, form=form)
    return _MADE[key]


@contextmanager
def planted(*wrong: tuple[Place, int]) -> Iterator[None]:
    """The project with those numbers, of one game, in its tables."""
    game = wrong[0][0].game if wrong else System.RIESE
    changed = {place.file: copy.deepcopy(printed(place.file)) for place, _ in wrong}
    for place, number in wrong:
        at: Any = changed[place.file]
        for step in place.way[:-1]:
            at = at[step]
        at[place.way[-1]] = number
    law = bool({"modifiers", "movement_table", "armoury"} & {name.rpartition("/")[2] for name in changed})
    before = program.table_facts(game).split("\n")
    instead: dict[str, str] = {}

    def table(file: str, otherwise: Any) -> Any:
        folder, name = os.path.split(file.removesuffix(".toml"))
        of = os.path.basename(folder)
        name = name if of == System.RIESE else f"{of}/{name}"
        return changed[name] if name in changed else otherwise()

    def kept(kind: str, files: Sequence[str], make: Any, *more: str, form: Any = Any) -> Any:
        if kind == "range":
            return make()
        if kind == "toml":
            return table(files[0], lambda: _once(kind, files, make, *more, form=form))
        if wrong and (kind, *more, *files) not in _MADE:
            return make()  # of the wrong numbers, and not to be kept
        found = _once(kind, files, make, *more, form=form)
        if kind == "program":
            return {**found, "text": "\n".join(instead.get(line, line) for line in found["text"].split("\n"))}
        if kind in ("parts", "settled", "differing", "uncontested"):
            return tuple(rule._replace(text=instead[rule.text]) if rule.text in instead else rule for rule in found)
        return found

    reading = tables._toml
    for module in _KEEPERS:
        vars(module)["kept"] = kept
    vars(tables)["_toml"] = cache(lambda system, name: table(os.path.join("rules", system, name), lambda: reading(system, name)))
    _forget(law)
    try:
        if law:
            after = program.table_facts(game).split("\n")
            instead.update((old, new) for old, new in zip(before, after, strict=True) if old != new)
        yield
    finally:
        for module in _KEEPERS:
            vars(module)["kept"] = _KEPT
        vars(tables)["_toml"] = reading
        _forget(law)


# --- finding ------------------------------------------------------------------------------------------------------------


@cache
def questions() -> dict[str, tuple[Path, dict[str, Any]]]:
    """Every stored question, by its board's name and its text."""
    found = {}
    for game in System:
        folder = EXAMPLES.with_name(game.value)
        for file in sorted([*folder.glob("*.board.toml"), *folder.glob("*.team.toml")]):
            board = file.name.split(".")[0]
            asked = tomllib.loads(file.with_name(f"{board}.questions.toml").read_text(encoding="utf-8"))
            called = board if game is System.RIESE else f"{game}/{board}"
            found.update({f"{called}: {case['ask']}": (file, case) for case in asked["question"]})
    return found


def about(game: System) -> list[str]:
    """The stored questions about a game."""
    return [name for name in questions() if game_of(name) is game]


@cache
def manual(game: System = System.RIESE) -> list[str] | None:
    """The rows of the printed book; None where it is not at hand."""
    folder = rulebooks_folder()
    return (folder / BOOKS[game][0]).read_text(encoding="utf-8").split("\n") if folder else None


BOOKS: dict[System, tuple[str, dict[str, Callable[[Any], None]]]] = {
    System.RIESE: ("riese_field_manual.txt", test_printed_numbers.COMPARISONS),
    System.STALINGRAD_Z: ("stalingrad_z_rulebook.txt", test_printed_z.COMPARISONS),
    System.TANNHAEUSER: ("tannhaeuser_regelheft_de.txt", {}),
}
"""The printed books and what they are compared with."""


def comparisons(game: System) -> list[str]:
    """The comparisons with the book, where it is at hand: ``book: name``, ``stalingrad_z/book: name``."""
    start = "" if game is System.RIESE else f"{game}/"
    return [f"{start}book: {name}" for name in BOOKS[game][1]] if manual(game) else []


def known(finder: str) -> bool:
    """Whether there is such a question, range table, claim or comparison."""
    kind, _, name = finder.partition(": ")
    if not name:
        return finder in {claim.id for game in System for claim in claims(game)}
    if by_book(finder):
        return name in BOOKS[game_of(finder)][1]
    return name in range_tables.tables() if kind == "odds" else finder in questions()


def by_book(finder: str) -> bool:
    """Whether it is a comparison with the printed book."""
    return finder.partition(": ")[0].rpartition("/")[2] == "book"


def fails(finder: str) -> bool:
    """Whether a question, a range table or a comparison no longer comes out as its file or the book promises."""
    kind, _, name = finder.partition(": ")
    try:
        if kind == "odds":
            table = range_tables.tables()[name]
            return range_tables.worked_out(table) != table["bands"]
        if by_book(finder):
            BOOKS[game_of(finder)][1][name](manual(game_of(finder)))
            return False
        file, case = questions()[finder]
        sheet = load_sheet(file)
        (draft,) = drafts([(sheet, resolve(parse_question(case["ask"]), sheet))])
    except (RieseError, LogicFault, LookupError, ValueError, TypeError, ArithmeticError, AssertionError):
        return True
    return not isinstance(draft, Draft) or not _as_promised(draft, case)


def _as_promised(draft: Draft, case: dict[str, Any]) -> bool:
    wanted = {key: ordered(key, value) for key, value in case.get("result", {}).items()}
    broken = {violation.rule for violation in draft.violations}
    expected = set(case["breaks"]) if "breaks" in case else broken
    rules = {line.rule for line in draft.ledger}
    found = {key: ordered(key, draft.result.get(key)) for key in wanted}
    kept = found == wanted and within(case.get("part", {}), told(draft))
    return draft.verdict == case["verdict"] and kept and broken == expected and rules >= set(case.get("uses", ()))


def claims(game: System) -> Iterator[Claim]:
    """The claims about tables and bounds; they need no formulas and take no time."""
    yield from numbers.claims(game)
    yield from bounds.claims(game)


def refuted(game: System = System.RIESE) -> Iterator[str]:
    """Those that no longer hold."""
    try:
        for claim in claims(game):
            if claim.decide().outcome is not Outcome.PROVED and claim.id not in _refuted_already(game):
                yield claim.id
    except (LookupError, ValueError, TypeError):
        yield UNREADABLE


def _refuted_already(game: System) -> dict[str, Any]:
    """What the book itself refutes."""
    file = RULES.with_name(game.value) / "refuted.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


UNREADABLE = "the tables cannot be read"


def finds(finders: Sequence[str], place: Place, number: int) -> bool:
    """Whether one of them finds the wrong number."""
    with planted((place, number)):
        broken = set(refuted(place.game)) if any(": " not in one for one in finders) else set()
        return any(one in broken for one in finders) or any(": " in one and fails(one) for one in finders)


# --- the whole sweep ----------------------------------------------------------------------------------------------------

FOUND = Path(__file__).with_name("found_by.toml")
NEAREST = 40
"""Stored questions that each wrong number is tried on alone; what they miss is tried on all of them together."""


@cache
def _said(name: str) -> tuple[str, str]:
    file, case = questions()[name]
    return tables.loose(file.read_text(encoding="utf-8")), tables.loose(str(case))


_EVERYWHERE = {"limit", "weapon", "item", "type", "power", "also", "rows", "am", "adjust", "weapons"}
"""Words of the tables that say nothing about a question."""


def nearest(place: Place) -> list[str]:
    """The stored questions that speak of what the number belongs to, those most likely to find it first."""
    at: Any = printed(place.file)
    words: list[str] = []
    for step in place.way:
        if isinstance(step, str):
            words.append(step)
        at = at[step]
        if isinstance(at, dict):
            words += [at[key] for key in ("id", "name", "number", "deed", "level") if isinstance(at.get(key), str)]
            words += at.get("aliases", [])
    loose = {tables.loose(word) for word in words} - _EVERYWHERE
    scores = {name: sum(2 * (word in _said(name)[1]) + (word in _said(name)[0]) for word in loose) for name in about(place.game)}
    near = sorted((name for name, score in scores.items() if score), key=lambda name: -scores[name])
    riese = place.game is System.RIESE
    charts = [f"odds: {name}" for name, table in range_tables.tables().items() if riese and table["weapon"] in words]
    return [*charts, *near]


def alone(place: Place, before: Sequence[str]) -> tuple[list[str], list[int]]:
    """What finds the wrong numbers at a place, tried one by one; and those that nothing near finds."""
    finders: list[str] = []
    missed = []
    tried = list(dict.fromkeys([*(one for one in before if ": " in one), *nearest(place)]))[:NEAREST]
    for number in place.wrong:
        with planted((place, number)):
            broken = set(refuted(place.game))
            # Claims first: with a price below nothing no search would ever end.
            found = next((one for one in (*finders, *sorted(broken)) if one in broken), None)
            found = found or next((name for name in (*finders, *tried) if ": " in name and fails(name)), None)
        if found is None:
            missed.append(number)
        elif found not in finders:
            finders.append(found)
    return finders, missed


def together(wrong: list[tuple[Place, int]]) -> Iterator[tuple[Place, int, str]]:
    """Of many wrong numbers those that any stored question finds: planted all at once, then told apart."""
    open_ = list(wrong)
    with planted(*open_):
        failing = [name for name in about(wrong[0][0].game) if fails(name)]
    for name in failing:
        while True:
            with planted(*open_):
                if not open_ or not fails(name):
                    break
            part = open_
            while len(part) > 1:
                half = part[: len(part) // 2]
                with planted(*half):
                    part = half if fails(name) else part[len(part) // 2 :]
            with planted(*part):
                if not fails(name):
                    break  # only several wrong numbers at once are too much for it
            yield (*part[0], name)
            open_ = [one for one in open_ if one != part[0]]


Found = dict[str, list[str]]
Missed = dict[str, list[int]]


def sweep(found: Found, missed: Missed) -> tuple[Found, Missed]:
    """What finds each number, and the wrong numbers that nothing finds.

    What is known already is not looked at again, unless it is no longer there.
    """
    with planted():
        wrong = [
            name for name in (*questions(), *(one for game in System for one in comparisons(game))) if fails(name)
        ]  # reads every program once, too
    assert not wrong, f"these fail without any wrong number: {wrong}"
    whole = {name: found[name] for name in places() if name in found and all(map(known, found[name]))}
    left = {name: missed[name] for name in whole if name in missed}
    open_: list[tuple[Place, int]] = []
    for place in places().values():
        if place.name not in whole:
            whole[place.name], numbers = alone(place, [name for name in found.get(place.name, ()) if known(name)])
            open_ += [(place, number) for number in numbers]
            print(place.name, whole[place.name], numbers, flush=True)
    return whole, left | leftover(whole, open_)


def leftover(found: Found, missed: list[tuple[Place, int]]) -> Missed:
    """What is still missed when every question and the book are asked; what finds the others joins ``found``."""
    rounds: dict[tuple[System, int], list[tuple[Place, int]]] = {}
    for place, number in missed:
        rounds.setdefault((place.game, place.wrong.index(number)), []).append((place, number))
    left: Missed = {}
    for group in rounds.values():
        hits = {(place, number): name for place, number, name in together(group)}
        for place, number in group:
            with planted((place, number)):
                name = hits.get((place, number)) or next((one for one in comparisons(place.game) if fails(one)), None)
            if name is not None:
                found[place.name] = list(dict.fromkeys([*found[place.name], name]))
            else:
                left.setdefault(place.name, []).append(number)
    return left


def write(found: Found, missed: Missed) -> None:
    """The outcome of a sweep as ``found_by.toml``, in the order of the tables."""
    lines = ["# What finds each number of the tables changed; written by make wrong-numbers.", "", "[found_by]"]
    lines += [f"{_toml(name)} = [{', '.join(map(_toml, finders))}]" for name in places() if (finders := found[name])]
    lines += ["", "[missed]", *(f"{_toml(name)} = {missed[name]}" for name in places() if name in missed)]
    FOUND.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    assert manual(), "the book is needed: RIESE_KB_RULEBOOKS=FOLDER names the printed rulebooks"
    table = tomllib.loads(FOUND.read_text(encoding="utf-8")) if FOUND.exists() and "all" not in sys.argv else {}
    write(*sweep(table.get("found_by", {}), table.get("missed", {})))
