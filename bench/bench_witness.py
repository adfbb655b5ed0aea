"""How long the witnesses that an editor asks for first take to be found, and two files of equal rules to be told equal."""

from pathlib import Path

import pytest

from riese_kb.board import System
from riese_kb.witness.asked import SORTS
from riese_kb.witness.search import Outcome, search
from riese_kb.witness.sides import pair_of
from tests.test_witness import MINE, YOURS

FOUND = 20
"""Seconds in which a witness is to be found; the budget is for the proof, too."""
NAMED = [
    ("leader=type", None),
    ("aoe_modifiers=standard", None),
    ("search_ground=either", None),
    ("search_distance=steps", None),
    ("fire.no-ending", "fire.entering"),
]


@pytest.mark.budget(120)
@pytest.mark.parametrize(("one", "other"), NAMED)
def bench_a_witness(benchmark, one, other):
    """Found, and proved smallest."""
    pair = pair_of(System.RIESE, one, other)
    result = benchmark.pedantic(search, args=(pair, SORTS, System.RIESE, (4, 4), 3, 120), rounds=1)
    assert (result.outcome, result.minimal) == (Outcome.CONFLICT, True)
    assert result.found_after <= FOUND
    name = one if other is None else f"{one} / {other}"
    benchmark.extra_info.update(kind=f"witness {name}", size="", found=result.found_after)


@pytest.mark.budget(60)
def bench_equal_rules(benchmark, tmp_path: Path):
    """The same rules renamed and in another order, on boards up to 6x6 with up to 4 figures."""
    files = []
    for name, text in (("mine", MINE), ("yours", YOURS)):
        files.append(tmp_path / f"{name}.rules.lp")
        files[-1].write_text(text, encoding="utf-8")
    pair = pair_of(System.RIESE, *map(str, files))
    benchmark.extra_info.update(kind="equal rules", size="")
    result = benchmark.pedantic(search, args=(pair, SORTS, System.RIESE, (6, 6), 4, 120), rounds=1)
    assert result.outcome is Outcome.SAME
