"""Finding an example: shipped boards that show the rules are varied by the seed and made as small as they go."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.answer import Answer
from riese_kb.asking import ask, read_question
from riese_kb.board import Board, System
from riese_kb.catalogue import chapters, rule_ids, rules
from riese_kb.errors import RieseError, RulesError, did_you_mean
from riese_kb.examples.mutation import towards
from riese_kb.examples.otherwise import otherwise
from riese_kb.examples.places import renamed, turned
from riese_kb.examples.prose import phrases
from riese_kb.examples.smaller import Smallest, heroes, retold, shrink, swaps
from riese_kb.examples.wish import Case, Judged, Role, judge
from riese_kb.handbook import shown
from riese_kb.tables import characters, data_root
from riese_kb.team import Sheet
from riese_kb.teamfile import load_sheet
from riese_kb.typeset import listed

SECONDS = 120.0
"""How long a case is made smaller."""
_GUESSED = (3, 3)
"""The largest map that clingo guesses."""
_LOOKED_AT = 12
"""Shipped questions that are asked before one is chosen."""


class Near(Struct, frozen=True):
    """A near miss: what makes it, the other answer, and the rules that no longer decide."""

    change: str
    answer: Answer
    rules: tuple[str, ...]


class Example(Struct, frozen=True):
    """A board, a question, the answer, and the rules it is there for, each with the role that it plays.

    ``removed`` says of everything on the board what taking it away does; ``near`` are near misses, one a rule.
    """

    sheet: Sheet
    answer: Answer
    rules: Mapping[str, Role]
    removed: tuple[tuple[str, str], ...] = ()
    near: tuple[Near, ...] = ()

    @property
    def silent(self) -> tuple[str, ...]:
        """The rules that decide and that the answer does not name."""
        return tuple(rule for rule, role in self.rules.items() if role in (Role.NEEDED, Role.FELT))

    @property
    def besides(self) -> tuple[str, ...]:
        """Rules that are broken, too, because nothing breaks these alone on such a board."""
        return tuple(sorted({v.rule for v in self.answer.violations} - self.rules.keys()))


def named(system: System, words: Iterable[str], seed: int = 0) -> list[str]:
    """The rules that words mean: ids, ends of ids (``diagonal-gap``), topics of ``phrases.toml`` or chapters, of which the seed
    takes a rule; of chapters only where no other words say which.

    Raises ``RulesError`` with the nearest names.
    """
    found: list[str] = []
    dice = random.Random(seed)
    words = [*words]
    about = {word for word in words if word in chapters(system)}
    topics: Mapping[str, Sequence[str]] = phrases(system).get("topic", {})
    for word in words:
        ends = [id for id in rules(system) if id.partition(".")[2] == word]
        near = [id for id in ends if id.partition(".")[0] in about]
        if word in rule_ids(system):
            found.append(word)
        elif word in topics:
            found.append(dice.choice([id for id in topics[word] if id in rule_ids(system)]))
        elif word in about and about < {*words}:
            continue  # it tells which rules are meant by the other words
        elif word in about:
            found.append(dice.choice([id for id in rules(system) if id.startswith(f"{word}.") and id not in found]))
        elif len(ends) == 1 or len(near) == 1:
            found.append((ends if len(ends) == 1 else near)[0])
        elif ends:
            raise RulesError(f"several rules are called {word!r}", fix=f"one of: {', '.join(ends)}")
        else:
            known = [*rule_ids(system), *chapters(system), *topics, *(id.partition(".")[2] for id in rules(system))]
            raise RulesError(f"no rule or chapter is called {word!r}", fix=did_you_mean(word, known))
    return list(dict.fromkeys(found))


def example(
    system: System,
    wished: Sequence[str],
    seed: int = 0,
    size: tuple[int, int] | None = None,
    seconds: float = SECONDS,
) -> Example:
    """A smallest example in which these rules decide; equal seeds give equal examples.

    It begins with a shipped question that shows them, else with one that comes close and is changed, else clingo guesses a board.
    Raises ``RulesError`` where that leads nowhere, with the rules that exclude each other where that is known.
    """
    dice = random.Random(f"{seed} {' '.join(wished)}")
    until = time.monotonic() + seconds
    judged: list[Judged] = []
    found: list[Judged] = []
    for candidates in _candidates(system, wished, dice):
        judged += [one for one in judge(candidates, wished) if one is not None]
        found = [one for one in judged if one.teaches(wished)]
        if found:
            break
    if not found and len(wished) > 1:
        found = towards([one.case for one in judged], wished, dice)
    if not found:
        found = [*_guessed(system, wished, _apart(judged, wished), size or _GUESSED, until)]
    found.sort(key=lambda one: (*_apt(one, wished), Role.BROKEN not in one.roles.values()))
    fewest = [one for one in found if _apt(one, wished) == _apt(found[0], wished)]
    dice.shuffle(fewest)
    for start in [*fewest, *(one for one in found if one not in fewest)]:
        made = worked_out(varied(start, wished, dice), wished, until)
        if size is None or _fits(made.sheet, size):
            return made
    raise RulesError(f"no example shows {listed(wished)} on so small a map", fix="ask for a larger --size")


def _apt(one: Judged, wished: Sequence[str]) -> tuple[bool, bool, int]:
    """The less, the better the start: under the book's rules alone, every rule settles the answer, no other is broken."""
    altered = bool(one.case[1].under or one.case[1].without)
    return altered, Role.FELT in one.roles.values(), len(one.reasons.broken - {*wished})


def _apart(judged: Sequence[Judged], wished: Sequence[str]) -> Sequence[str]:
    """Two of the rules that no answer shows together, where there are such; else all of them."""
    pairs = combinations(wished, 2)
    return next((pair for pair in pairs if not any(one.teaches(pair) for one in judged)), wished)


def _guessed(
    system: System, wished: Sequence[str], apart: Sequence[str], size: tuple[int, int], until: float
) -> Iterator[Judged]:
    """A board that clingo finds. Raises ``RulesError`` with the rules that exclude each other."""
    from riese_kb.examples.synthesis import synthesise

    never = f"{listed(apart)} decide no shipped answer together, nor any close to one"
    if len(wished) == 1:
        never = f"{wished[0]} decides no shipped answer by itself"
    if system.on_rings:
        raise RulesError(never, fix="ask for fewer rules")
    found = synthesise(system, wished, (min(size[0], _GUESSED[0]), min(size[1], _GUESSED[1])), 3, until)
    if found.judged is not None:
        yield found.judged
    elif len(found.excluded) > 1:
        raise RulesError(f"{listed(found.excluded)} exclude each other ({found.bound})", fix="ask for them one by one")
    else:
        proved = "nor any sequence of movement" if found.excluded else "sequences of movement are undecided"
        raise RulesError(f"{never}; {proved} ({found.bound})", fix="ask for one rule at a time")


def worked_out(start: Judged, wished: Sequence[str], until: float) -> Example:
    """The case made as small as it goes, asked in full, with its near miss."""
    smallest = shrink(start, wished, until)
    tidy = _numbered(smallest.judged, wished)
    if tidy is not smallest.judged:
        smallest = shrink(tidy, wished, until)
    sheet, question = smallest.judged.case
    answer = ask(sheet, retold(question))
    changed = {what: _change(smallest.judged, one) for what, one in smallest.removed}
    roles = {rule: role for rule, role in smallest.judged.roles.items() if role is not None}
    near = _near_misses(answer, smallest, wished)
    return Example(sheet, answer, roles, tuple(changed.items()), tuple(near))


def _numbered(now: Judged, wished: Sequence[str]) -> Judged:
    """The case with its zombies called z1, z2 …: a name that says what no longer matters would mislead."""
    board, question = now.case
    if not isinstance(board, Board):
        return now
    zombies = [figure.id for figure in board.figures if figure.kind == "zombie"]
    names = {id: f"z{number}" for number, id in enumerate(zombies, 1)}
    if all(old == new for old, new in names.items()) or {*names.values()} & {f.id for f in board.figures if f.kind != "zombie"}:
        return now
    sheet, about = renamed(board, question.about, {old: (new, "") for old, new in names.items()})
    figures = tuple(replace(figure, name=figure.name or None) for figure in sheet.figures)
    (one,) = judge([(replace(sheet, figures=figures), replace(question, about=about))], wished)
    return one if one is not None and one.roles == now.roles and one.reasons.rules == now.reasons.rules else now


def _change(now: Judged, then: Judged | None) -> str:
    if then is None:
        return "there would be nothing to ask"
    if then.reasons.verdict != now.reasons.verdict:
        return f"the answer would be {then.reasons.verdict}"
    return "the answer would be another" if then.reasons.essence != now.reasons.essence else "the reasons would be others"


def _near_misses(answer: Answer, smallest: Smallest, wished: Sequence[str]) -> Iterator[Near]:
    """Small changes after which a rule no longer decides, one for each rule: another verdict rather than another number."""
    now = smallest.judged
    tried = [(f"without {what}", one) for what, one in smallest.removed if one is not None]
    left = {*wished}
    for near in _kept(now, [*tried, *_judged(swaps(now.case), wished)], left):
        left -= {*near.rules}
        yield near
    if left and now.reasons.broken:
        for near in _kept(now, _judged(otherwise(now.case), wished), left):
            left -= {*near.rules}
            yield near
    if left and now.reasons.broken:
        for question in answer.instead[:1]:
            yield Near("asked otherwise", ask(now.case[0], question), tuple(sorted(left)))


def _judged(changed: Iterable[tuple[str, Case]], wished: Sequence[str]) -> list[tuple[str, Judged]]:
    changed = [*changed]
    found = zip(changed, judge([case for _, case in changed], wished), strict=True)
    return [(what, one) for (what, _), one in found if one is not None]


_ASIDE = (None, Role.FELT)
"""Roles in which a rule does not settle the answer."""


def _kept(now: Judged, tried: Sequence[tuple[str, Judged]], rules: Collection[str]) -> Iterator[Near]:
    """Of the changes those that are worth telling, the best first, and what no longer decides after each."""
    left = {*rules}
    worth = [(what, one) for what, one in tried if one.reasons.essence != now.reasons.essence]
    worth.sort(
        key=lambda pair: (pair[1].reasons.verdict == now.reasons.verdict, _of_the_map(pair[0]), len(pair[1].reasons.broken))
    )
    for what, one in worth:
        gone = {rule for rule in left if one.roles[rule] in _ASIDE and one.roles[rule] is not now.roles[rule]}
        # A broken rule is kept where the whole is allowed, or where it is the only one that is gone.
        better = one.reasons.verdict != now.reasons.verdict or len(now.reasons.broken) > len(one.reasons.broken)
        if gone and (better or not now.reasons.broken):
            left -= gone
            yield Near(what, ask(one.case[0], retold(one.case[1])), tuple(sorted(gone)))


def _of_the_map(change: str) -> bool:
    """Whether a change takes a row or a column, which shifts everything beyond it."""
    return change.startswith(("without row", "without column"))


# --- where examples begin ---------------------------------------------------------------------------------------------


def _candidates(system: System, wished: Sequence[str], dice: random.Random) -> Iterator[list[Case]]:
    """Shipped questions that name all of these rules, in the order of the seed; those under other rules than the book's after
    the others. In the end those that name any.
    """
    for some in (_told(system), _told(system, True)):
        sure = [case for case, kept, broken in some if {*kept, *broken} >= {*wished}]
        dice.shuffle(sure)
        yield [read for case in sure[:_LOOKED_AT] for read in _read(system, *case)]
    if len(wished) > 1:
        listed = [(case, {*kept, *broken}) for case, kept, broken in _told(system)]
        listed.sort(key=lambda pair: -len(pair[1] & {*wished}))
        yield [read for case, told in listed[:40] if told & {*wished} for read in _read(system, *case)]


@cache
def _told(system: System, altered: bool = False) -> tuple[tuple[tuple[str, str], tuple[str, ...], tuple[str, ...]], ...]:
    """Every shipped question under the book's rules alone, with the rules that its page says are kept, and broken;
    ``altered``: instead those under a reading, or without a rule.
    """
    return tuple(
        (
            (board, question["ask"]),
            (*question.get("uses", ()), *question.get("keeps", ())),
            tuple(question.get("breaks", ())),
        )
        for board, question in shown(system)
        if altered is _says(question, "under", "without") and not _says(question, "with rules", "why not")
    )


def _says(question: Mapping[str, Any], *words: str) -> bool:
    return any(f" {word} " in question["ask"] for word in words)


def _read(system: System, board: str, text: str) -> Iterator[Case]:
    sheet = _sheet(os.path.join(data_root(), board))
    try:
        question = read_question(sheet, text)
    except RieseError:
        return
    if not question.why_not and not question.rules:
        yield sheet, replace(question, language="de" if system.on_rings else "en")


@cache
def _sheet(path: str) -> Sheet:
    return load_sheet(path)


class Listed(Struct, frozen=True):
    """A shipped question, and the rules that its page says it keeps and breaks."""

    board: str
    ask: str
    kept: tuple[str, ...]
    broken: tuple[str, ...]

    def read(self, system: System) -> Case | None:
        """Board and question; None where it cannot be asked."""
        return next(_read(system, self.board, self.ask), None)


def listed_cases(system: System, altered: bool = False) -> list[Listed]:
    """Every shipped question under the book's rules alone; or those under a reading or without a rule."""
    return [Listed(*case, kept, broken) for case, kept, broken in _told(system, altered)]


# --- the hand of the seed ---------------------------------------------------------------------------------------------


def varied(start: Judged, wished: Sequence[str], dice: random.Random) -> Judged:
    """The case turned, with other heroes, where the rules play the same roles."""
    for case in _variants(start.case, dice):
        one = judge([case], wished)[0]
        if one is not None and one.roles == start.roles and one.reasons.rules == start.reasons.rules:
            start = one
            break
    return start


def _variants(case: Case, dice: random.Random) -> Iterator[Case]:
    board, question = case
    if not isinstance(board, Board):
        return
    about: Any = question.about
    for _ in range(dice.randrange(4)):
        board, about = turned(board, about)
    names = _cast(board, dice)
    both = renamed(board, about, names)
    for sheet, asked in (both, (board, about)):
        yield replace(sheet, title=None), replace(question, about=asked)


def _cast(board: Board, dice: random.Random) -> dict[str, tuple[str, str]]:
    """Other heroes of the book for those on the board, each by first name, as far as the cast goes."""
    taken = {figure.id for figure in board.figures}
    people = characters(board.system).values()
    cast = [person.name for person in people if len(person.skills) > 2 and person.name.isalpha() and person.name.isascii()]
    cast = [name for name in cast if name.casefold() not in taken]
    chosen = dice.sample(cast, min(len(cast), len(heroes(board))))
    return {
        figure.id: (name.casefold(), name)
        for figure, name in zip(heroes(board), chosen, strict=False)
        if not figure.skills and (figure.name is None or figure.id == figure.name.casefold())
    }


def _fits(sheet: Sheet, size: tuple[int, int]) -> bool:
    return not isinstance(sheet, Board) or (sheet.width <= size[0] and sheet.height <= size[1])
