"""The smallest sets of rules that together forbid what was asked: *cores*.

A rule *stands in the way* when the answer hangs on it. A set of these is a core when what was asked stays illegal with
only that set of them in force, and becomes legal without any one rule of it. All other rules stay in force throughout;
so do the prices of plain steps, without which no way would have a length.

Every law that is looked at is one more world of the same question, so that a whole round of them shares a grounding.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import combinations, product
from typing import TypeVar

from msgspec import Struct

from riese_kb.draft import Draft, Verdict
from riese_kb.errors import RieseError
from riese_kb.grounding import in_play
from riese_kb.worlds import Steps, together

T = TypeVar("T")
Rules = frozenset[str]
Ask = Callable[[Rules], Steps[Draft]]
"""The draft of the question with those rules switched off, too."""

MOST = 12
"""Cores that are looked for at most."""
ROUNDS = 8
"""So often the rules in the way are switched off, to see what stands behind them."""
TOGETHER = 60
"""Sets of rules that are tried in one go."""


class Cores(Struct, frozen=True):
    """The cores, smallest first.

    With none, nothing forbids it, or what forbids it is no rule that can be switched off. ``complete``: there are no others.
    """

    cores: tuple[tuple[str, ...], ...] = ()
    complete: bool = True


def legal(draft: Draft | None) -> bool:
    """Whether it may be done; what has no answer may not."""
    return draft is not None and draft.verdict in (Verdict.LEGAL, Verdict.CLEAR)


def switches(steps: Steps[T], found: set[str]) -> Steps[T]:
    """The same steps; the rules that they could fall under are noted down on the way."""
    try:
        worlds = next(steps)
        while True:
            for world in worlds:
                found |= in_play(world)
            worlds = steps.send((yield worlds))
    except StopIteration as stop:
        result: T = stop.value
        return result


def cores(ask: Ask, first: Draft, candidates: Rules) -> Steps[Cores]:
    """The cores among the candidates; ``first`` is the draft with all of them in force.

    They are cores when all rules of the others are switched off.
    """
    suspects = yield from _suspects(ask, first, candidates)
    for _ in range(len(suspects)):
        found, complete = yield from _all_of_them(ask, suspects)
        flawed = yield from _flaws(ask, suspects, found)
        helpers = yield from _helpers(ask, suspects, found, flawed)
        union = frozenset[str]().union(*found)
        left = suspects - helpers if helpers else union
        if left == suspects or not legal((yield from _quietly(ask(left)))):
            sound = sorted((tuple(sorted(core)) for core in found if core not in flawed), key=lambda core: (len(core), core))
            return Cores(tuple(sound), complete and len(sound) == len(found))
        suspects = left
    return Cores(complete=False)


def allowing(ask: Ask, candidates: Rules) -> Steps[tuple[str, ...]]:
    """The candidates without any one of which it is forbidden."""
    names = sorted(candidates)
    answers = yield from _drafts(ask, (frozenset({name}) for name in names))
    return tuple(name for name, answer in zip(names, answers, strict=True) if answer is not None and not legal(answer))


def _quietly(steps: Steps[Draft]) -> Steps[Draft | None]:
    try:
        draft: Draft = yield from steps
    except RieseError:
        return None
    return draft


def _drafts(ask: Ask, laws: Iterable[Rules]) -> Steps[list[Draft | None]]:
    found: list[Draft | None] = yield from together(_quietly(ask(off)) for off in laws)
    return found


def signature(draft: Draft) -> object:
    """What tells that something has changed, even where the verdict has not."""
    broken = frozenset((b.step, b.rule, b.at, b.note) for b in draft.violations)
    return (draft.essence, broken)


def _suspects(ask: Ask, first: Draft, candidates: Rules) -> Steps[Rules]:
    """Rules without which it is legal, found layer by layer, or else all but few; empty where there are none."""
    off: Rules = frozenset()
    draft: Draft | None = first
    for _ in range(ROUNDS):
        if draft is None:
            break
        rest = sorted(candidates - off)
        others = yield from _drafts(ask, (off | {rule} for rule in rest))
        broken = {breach.rule for breach in draft.violations}
        layer = {rule for rule, other in zip(rest, others, strict=True) if other is not None and _differs(draft, other, broken)}
        layer |= broken & (candidates - off)
        if not layer:
            break
        off |= layer
        draft = yield from _quietly(ask(off))
        if legal(draft):
            return off
    return (yield from _nearly_all(ask, candidates))


def _nearly_all(ask: Ask, candidates: Rules) -> Steps[Rules]:
    """All candidates, or all but one or two that allow something; empty where it is legal without none of these sets.

    A rule that only comes up behind another one is missed layer by layer where switching it off brings up a third.
    """
    kept: list[Rules] = [frozenset(some) for size in range(3) for some in combinations(sorted(candidates), size)]
    for start in range(0, len(kept), TOGETHER):
        some = kept[start : start + TOGETHER]
        answers = yield from _drafts(ask, (candidates - few for few in some))
        for few, answer in zip(some, answers, strict=True):
            if legal(answer):
                return candidates - few
    return frozenset()


def _differs(draft: Draft, other: Draft, broken: set[str]) -> bool:
    """Whether something is otherwise there, and nothing is forbidden that was not before."""
    return signature(other) != signature(draft) and {breach.rule for breach in other.violations} <= broken


def _all_of_them(ask: Ask, suspects: Rules) -> Steps[tuple[list[Rules], bool]]:
    """The cores: whatever is switched off to be rid of those known, is it legal then? If not, there is another one."""
    found: list[Rules] = []
    tried: set[Rules] = set()
    while len(found) < MOST:
        fresh = [rid for rid in _hitting(found) if rid not in tried][:TOGETHER]
        if not fresh:
            return found, True
        tried.update(fresh)
        answers = yield from _drafts(ask, fresh)
        for rid, answer in zip(fresh, answers, strict=True):
            left = suspects - rid
            if not legal(answer) and not any(core <= left for core in found):
                found.append((yield from _shrunk(ask, suspects, left)))
    return found, False


def _hitting(sets: Collection[Rules]) -> Iterator[Rules]:
    """The smallest ways to take at least one rule out of every set."""
    ways = {frozenset(choice) for choice in _choices(sets)}
    yield from sorted((way for way in ways if not any(other < way for other in ways)), key=lambda way: (len(way), sorted(way)))


def _choices(sets: Collection[Rules]) -> Iterable[tuple[str, ...]]:
    size = 1
    kept = []
    for one in sorted(sets, key=len):
        size *= len(one)
        if size > 20_000:
            break
        kept.append(sorted(one))
    return product(*kept)


def _shrunk(ask: Ask, suspects: Rules, core: Rules) -> Steps[Rules]:
    """A core within a set of rules that forbid it together."""
    needed: set[str] = set()
    while True:
        doubtful = sorted(core - needed)
        answers = yield from _drafts(ask, (suspects - (core - {rule}) for rule in doubtful))
        needed |= {rule for rule, answer in zip(doubtful, answers, strict=True) if legal(answer)}
        spare = sorted(core - needed)
        if not spare:
            return core
        while len(spare) > 1 and legal((yield from _quietly(ask(suspects - (core - set(spare)))))):
            spare = spare[: len(spare) // 2]
        core -= set(spare)


def _flaws(ask: Ask, suspects: Rules, found: Collection[Rules]) -> Steps[dict[Rules, Rules]]:
    """Of those that are no cores after all the rules that do not decide: taking rules away need not only allow."""
    pairs = [(core, rule) for core in found for rule in sorted(core)]
    answers = yield from _drafts(ask, (suspects - core | {rule} for core, rule in pairs))
    flaws: dict[Rules, Rules] = {}
    for (core, rule), answer in zip(pairs, answers, strict=True):
        if not legal(answer):
            flaws[core] = flaws.get(core, frozenset()) | {rule}
    return flaws


def _helpers(ask: Ask, suspects: Rules, found: Collection[Rules], flaws: Mapping[Rules, Rules]) -> Steps[Rules]:
    """Rules that allow something (points, exceptions) and do not stand in the way: with them, less is forbidden."""
    laws = [(suspects - core, rule) for core in found for rule in sorted(suspects - core)]
    laws += [(suspects - core | {less}, rule) for core in flaws for less in flaws[core] for rule in sorted(suspects - core)]
    answers = yield from _drafts(ask, (off - {rule} for off, rule in laws))
    return frozenset(rule for (_, rule), answer in zip(laws, answers, strict=True) if legal(answer))
