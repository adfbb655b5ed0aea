"""``why not …``: the rules that together forbid what was asked, and the fewest changes to the board that would allow it.

Both are found by asking again: the rules by switching them off (``forbidding``), the changes by making them on a copy of the
board. What is told here was asked, and what was not tried is not denied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from riese_kb.draft import Draft
from riese_kb.drafting import drafted
from riese_kb.errors import RieseError
from riese_kb.forbidding import Ask, Cores, allowing, cores, legal, signature, switches
from riese_kb.kinds.changes import Change, changed
from riese_kb.position import Position, Terms
from riese_kb.question import About, Question
from riese_kb.ranges import plain_prices
from riese_kb.worlds import Stand, Steps, together

MOST = 3
"""Changes that are tried together."""
TRIED = 80
"""Sets of two changes, and of three, that are tried at most."""
LISTED = 12
"""Sets of changes that an answer lists at most."""
_Way = tuple[Change, ...]
"""Changes that are made together."""


def why_not(stand: Stand, question: Question, terms: Terms, draft: Draft) -> Steps[dict[str, Any]]:
    """What the result of the answer holds besides: ``cores``, ``complete``, ``changes`` and ``tried``."""
    if legal(draft):
        return {"cores": [], "complete": True, "changes": [], "tried": 0}
    found = yield from forbidden_by(stand, question, terms, draft)
    ways: list[_Way] = []
    tried = 0
    if isinstance(stand, Position):
        ways, tried = yield from _Changes(stand, question.about, terms, draft).fewest()
    return {
        "cores": [list(core) for core in found.cores],
        "complete": found.complete,
        "changes": [_told(stand, question, way) for way in ways],
        "tried": tried,
    }


def forbidden_by(stand: Stand, question: Question, terms: Terms, draft: Draft) -> Steps[Cores]:
    """The smallest sets of rules that forbid what was asked; ``draft`` says that it is illegal."""
    names = yield from _at_work(stand, question, terms)
    return (yield from cores(_asker(stand, question, terms), draft, names))


def allowed_by(stand: Stand, question: Question, terms: Terms) -> Steps[tuple[str, ...]]:
    """The rules without any one of which what was asked would be illegal, though it is legal."""
    names = yield from _at_work(stand, question, terms)
    return (yield from allowing(_asker(stand, question, terms), names))


def _asker(stand: Stand, question: Question, terms: Terms) -> Ask:
    return lambda off: drafted(stand, question.about, replace(terms, without=terms.without | off))


def _at_work(stand: Stand, question: Question, terms: Terms) -> Steps[frozenset[str]]:
    """The rules that the question could fall under, but for the prices of plain steps."""
    names: set[str] = set()
    yield from switches(drafted(stand, question.about, terms), names)
    return frozenset(names) - (frozenset() if stand.system.on_rings else plain_prices(stand.system))


def _told(stand: Stand, question: Question, way: Sequence[Change]) -> dict[str, Any]:
    from riese_kb.boardfile import format_board
    from riese_kb.language import format_question

    assert isinstance(stand, Position)
    board, about = changed(stand.board, question.about, way)
    return {
        "says": [change.says for change in way],
        "changes": [change.to_json() for change in way],
        "ask": format_question(replace(question, about=about, why_not=False)),
        "board": format_board(board),
    }


class _Changes:
    """The search for the fewest changes: one at a time, then more on top of those that have changed anything."""

    def __init__(self, position: Position, about: About, terms: Terms, draft: Draft) -> None:
        self.position = position
        self.about = about
        self.terms = terms
        self.before = draft
        self.tried = 0

    def fewest(self) -> Steps[tuple[list[_Way], int]]:
        """The smallest sets that make it legal, the nearest at hand first, and how many were tried."""
        from riese_kb.kinds.would_be import candidates

        singles = list(candidates(self.position, self.about))
        sets: list[_Way] = [(change,) for change in singles]
        drafts: dict[frozenset[Change], Draft] = {frozenset(): self.before}
        for _ in range(MOST):
            found = yield from together(self._after(way) for way in sets)
            self.tried += len(sets)
            good = [way for way, draft in zip(sets, found, strict=True) if legal(draft)]
            if good:
                return (yield from self._listed(good)), self.tried
            drafts |= {frozenset(way): draft for way, draft in zip(sets, found, strict=True) if draft is not None}
            telling = sorted((way for way in sets if self._tells(way, drafts)), key=lambda way: self._left(way, drafts))
            if not self.before.explains:  # all that is broken is known, so that each change must mend some of it
                singles = [change for change in singles if self._tells((change,), drafts)]
            sets = list(islice(_larger(telling, singles), TRIED))
        return [], self.tried

    def _tells(self, way: _Way, drafts: Mapping[frozenset[Change], Draft]) -> bool:
        """Whether the last of these changes has changed anything; where all that is broken is known: mended anything."""
        before, after = drafts.get(frozenset(way[:-1])), drafts.get(frozenset(way))
        if before is None or after is None or signature(before) == signature(after):
            return False
        return self.before.explains or not set(before.violations) <= set(after.violations)

    def _left(self, way: _Way, drafts: Mapping[frozenset[Change], Draft]) -> int:
        """How much is broken then."""
        return 0 if self.before.explains else len(drafts[frozenset(way)].violations)

    def _after(self, way: Sequence[Change]) -> Steps[Draft | None]:
        """The draft with those changes made; None where it cannot be asked then."""
        board, about = changed(self.position.board, self.about, way)
        try:
            draft: Draft = yield from drafted(Position(board), about, self.terms)
        except RieseError:
            return None
        return draft

    def _listed(self, good: list[_Way]) -> Steps[list[_Way]]:
        """Of squares to stand on the nearest, of amounts the least."""
        found: dict[object, _Way] = {}
        for way in good:
            key = tuple((change.key, "" if change.key == "stands" else change.value) for change in way)
            found.setdefault(key, way)
        listed: list[_Way] = yield from together(map(self._least, list(found.values())[:LISTED]))
        return listed

    def _least(self, way: _Way) -> Steps[_Way]:
        """The same with the smallest amount that will do."""
        for change in way:
            ways = [tuple(less if one is change else one for one in way) for less in change.less]
            drafts = yield from together(self._after(fewer) for fewer in ways)
            for fewer, draft in zip(ways, drafts, strict=True):
                if legal(draft):
                    return fewer
        return way


def _larger(telling: Iterable[_Way], singles: Sequence[Change]) -> Iterator[_Way]:
    """Each of these sets with one change more, no set twice."""
    known: set[frozenset[Change]] = set()
    for way in telling:
        for change in singles:
            clash = change.key in _ONE_OF and any(one.key == change.key for one in way)
            if change not in way and not clash and frozenset((*way, change)) not in known:
                known.add(frozenset((*way, change)))
                yield (*way, change)


_ONE_OF = ("declared", "facing", "stands", "weapon")
"""There can be one change of each of these."""
