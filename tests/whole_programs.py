"""Grounding with nothing left out: whole programs and all facts, to hold against what the pruning leaves."""

from __future__ import annotations

import pytest

from riese_kb import grounding
from riese_kb.program import Program
from riese_kb.pruning import Cut


class Whole:
    """A program that nothing is ever left out of."""

    def __init__(self, law: Program) -> None:
        self.law = law

    def cut(self, _: object) -> Cut:
        return Cut(self.law.text, frozenset())


def leave_nothing_out(patch: pytest.MonkeyPatch) -> None:
    """From here on every grounding holds everything."""
    patch.setattr(grounding, "_law", lambda law, _: Whole(law))
    patch.setattr(grounding.Facts, "given", lambda facts, _: grounding.Given(facts.text(), []))
