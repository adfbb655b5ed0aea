"""How long one worked example takes: a hundred seeds and topics, nothing remembered.

Its name comes last: clingo keeps every term that it has met, and after thousands of boards all that follows is slower.
"""

import random
import sys

import pytest

from riese_kb import grounding
from riese_kb.board import System
from riese_kb.catalogue import rules
from riese_kb.examples import make

NUMBER = 100


@pytest.mark.budget(5)
def bench_examples(benchmark):
    """Every tenth asks for two rules of a chapter's kind that a writer would put together."""
    dice = random.Random(5)
    every = [*rules(System.RIESE)]
    dice.shuffle(every)
    words = [[rule] for rule in every[:NUMBER]]
    words[::10] = [["attack", "lof-modifier", "ranged", "running"]] * (NUMBER // 10)
    rest = iter([(named, seed) for seed, named in enumerate(words)])

    def pick():
        grounding.KNOWN.forget()
        named, seed = next(rest)
        return (System.RIESE, make.named(System.RIESE, named, seed), seed), {}

    benchmark.extra_info.update(kind="worked examples", size="")
    benchmark.pedantic(make.example, setup=pick, rounds=NUMBER)
    print(f"worst {benchmark.stats.stats.max:.1f} s", file=sys.stderr)
    assert benchmark.stats.stats.max <= 30
