"""Boards that nobody has drawn yet: clingo guesses a board and a sequence on which the wished rules decide, and no other.

If there is none within the bound, the wishes that exclude each other are named: an unsatisfiable core, made as small as it goes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import clingo
from msgspec import Struct

from riese_kb.board import System
from riese_kb.examples.wish import Judged, judge
from riese_kb.facts import fact
from riese_kb.language import format_question
from riese_kb.question import Question
from riese_kb.solver import gather
from riese_kb.witness.asked import SORTS, Sort
from riese_kb.witness.guess import open_law
from riese_kb.witness.scene import GUESSED, Scene

_SPURIOUS = 40
"""Boards that asking may refute before a search is given up."""
_WISHES = """
decides(R) :- violation(1,R,_,_).
decides(R) :- charge(1,R,_,S,_,_,_), not failed(1,S).
{ wanted(R) : wish(R) }.
:- wanted(R), not decides(R).
:- violation(1,R,_,_), not wish(R).
#show.
"""


class Found(Struct, frozen=True):
    """What a search came to: a case, or the rules that exclude each other within the bound (neither: undecided)."""

    judged: Judged | None
    excluded: tuple[str, ...]
    bound: str


def synthesise(system: System, wished: Sequence[str], limit: tuple[int, int], figures: int, until: float) -> Found:
    """The first board, with ever more figures, on which all these rules decide a sequence of movement."""
    sort = SORTS[0]
    bound = f"maps up to {limit[0]}x{limit[1]}, up to {figures} figures, {sort.asked(limit).bound}"
    excluded: tuple[str, ...] = ()
    for number in range(sort.fewest, figures + 1):
        search = _Search(system, sort, wished, limit, number)
        for one in search.cases(until):
            if one.teaches(wished) and one.reasons.broken <= {*wished}:
                return Found(one, (), bound)
        if not search.finished:
            return Found(None, (), bound)
        excluded = search.core(until)
    return Found(None, excluded, bound)


class _Search:
    def __init__(self, system: System, sort: Sort, wished: Sequence[str], limit: tuple[int, int], figures: int) -> None:
        self.scene: Scene = sort.scene(system, *limit, figures)
        self.asked = sort.asked(limit)
        self.wished = [*wished]
        self.finished = False
        text = [*open_law(self.asked, self.scene), *(fact("wish", rule) for rule in wished), _WISHES]
        self.control = clingo.Control(["--warn=none", "--opt-mode=ignore"])
        self.control.add("base", [], "\n".join(text))
        self.control.ground([("base", [])])

    def cases(self, until: float) -> Iterator[Judged]:
        """Boards with a sequence, each asked; those that turn out otherwise are looked at no more."""
        for _ in range(_SPURIOUS):
            model = self._model(self.wished, until)
            if model is None:
                return
            atoms = gather(symbol for symbol in model if symbol.name in GUESSED | self.asked.guessed)
            about = self.asked.about(atoms, self.scene.names(atoms))
            question = Question(format_question(Question("", about)), about)
            (one,) = judge([(self.scene.board(atoms), question)], self.wished)
            if one is not None:
                yield one
            guessed = [symbol for symbol in model if symbol.name in self.asked.guessed | {"at", "terrain", "edging"}]
            with self.control.backend() as backend:
                backend.add_rule([], [backend.add_atom(symbol) for symbol in guessed])

    def _model(self, wished: Sequence[str], until: float) -> list[clingo.Symbol] | None:
        """A board for these wishes; None where there is none, or no time."""
        assumed = [(clingo.Function("wanted", [clingo.String(rule)]), True) for rule in wished]
        with self.control.solve(assumptions=assumed, yield_=True, async_=True) as handle:
            if not handle.wait(min(max(0.0, until - time.monotonic()), 86400.0)):
                handle.cancel()
                self.finished = False
                return None
            model = handle.model()
            self.finished = model is None
            return list(model.symbols(atoms=True)) if model is not None else None

    def core(self, until: float) -> tuple[str, ...]:
        """The fewest wishes, as far as leaving out one at a time goes, that cannot come together."""
        left = [*self.wished]
        for rule in self.wished:
            fewer = [other for other in left if other != rule]
            if self._model(fewer, until) is None and self.finished:
                left = fewer
        return tuple(left)
