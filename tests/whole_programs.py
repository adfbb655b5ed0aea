"""Grounding with nothing left out: whole programs and all facts, to hold against what the pruning leaves."""

from __future__ import annotations

import re

import pytest
from clingo import parse_term

from riese_kb import grounding
from riese_kb.program import Program
from riese_kb.pruning import Cut, facts_in

_SHOW = re.compile(r"#show (\w+)/(\d+)\.")


class Whole:
    """A program that nothing is ever left out of."""

    def __init__(self, law: Program) -> None:
        self.law = law

    def cut(self, _: object) -> Cut:
        shown = tuple((name, int(arity)) for name, arity in _SHOW.findall(self.law.text))
        bare = _SHOW.sub("", self.law.text)
        return Cut(bare, frozenset(), bare, (), shown)


def leave_nothing_out(patch: pytest.MonkeyPatch) -> None:
    """From here on every grounding holds everything."""
    patch.setattr(grounding, "_law", lambda law, _: Whole(law))
    patch.setattr(grounding.Facts, "symbols", lambda facts, _: list(map(parse_term, facts_in(facts.text()))))
