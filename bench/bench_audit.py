"""How long a rulebook of 500 pages takes to audit, and how much memory: a synthetic one, with everything that is looked at."""

import random
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PAGES, PAGE = 500, 2400
"""Pages, and characters of one: 1.2 MB."""
LARGEST = 500_000
"""Kilobytes of memory at most."""
SYLLABLES = ("bo", "ka", "ri", "tu", "len", "mor", "sa", "vin", "el", "dra", "pe", "gno", "wis", "cor", "ab", "ust", "ino", "fer")
COMMON = "the a of to and is in each may not when two figure round square player zone cost point moves beside token loses rolls"


def entries(rng: random.Random) -> Iterator[str]:
    """Entries without an end: words of the game, references, tables of dice with notes, worked examples, numbered entries."""

    def made(syllables: int) -> str:
        return "".join(rng.choice(SYLLABLES) for _ in range(syllables))

    words = COMMON.split() * 12 + [made(rng.randint(2, 4)) for _ in range(3000)]
    names = sorted({" ".join(made(2) for _ in range(rng.choice([1, 1, 2]))).upper() for _ in range(2600)})
    people = [made(3).capitalize() for _ in range(300)]

    def sentence() -> str:
        text = " ".join(rng.choice(words) for _ in range(rng.randint(7, 28))).capitalize()
        more = [
            f" with {rng.choice(people)}.",
            f". See {rng.choice(names)}.",
            f", is harder and costs +{rng.randint(1, 3)} AM.",
            ".",
        ]
        return text + rng.choices(more, [15, 15, 5, 65])[0]

    for count in range(10**6):
        yield f"#{count // 9} {rng.choice(names).title()}" if count % 9 == 8 else names[count % len(names)]
        for _ in range(rng.randint(3, 9)):
            yield rng.choice(["", "- "]) + " ".join(sentence() for _ in range(rng.choice([1, 1, 2, 3])))
        if rng.random() < 0.15:
            yield from ("| D12 ROLL | RESULT |", "|---|---|", "| 1-4 | rope |", "| 5-8 | nothing* |", "| 9-12 | one of each |")
            yield "* Not in the dark."
        if rng.random() < 0.1:
            yield f"Its S/W is 6/9 and there is a modifier of +2: a modified S/W of 8/11 for {rng.choice(people)}."
            yield "She has a pool of 5 against difficulty 6, so she rolls 5 dice and gets 2, 9, 7, 3 and 6: 3 successes."


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit") / "book.txt"
    size, lines = 0, []
    for line in entries(random.Random(7)):
        lines.append(line)
        size += len(line) + 1
        if size > PAGES * PAGE:
            break
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.budget(20)
def bench_audit_of_500_pages(benchmark, book):
    command = [sys.executable, "-m", "riese_kb", "audit", str(book)]
    done = benchmark.pedantic(subprocess.run, args=(command,), kwargs={"capture_output": True}, rounds=2)
    assert done.returncode == 1, done.stderr
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < LARGEST
