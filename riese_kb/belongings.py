"""What heroes carry and what a jump may bring, as text."""

from __future__ import annotations

from collections.abc import Iterator

from riese_kb.explosions import Page
from riese_kb.typeset import Row, counted, listed, table
from riese_kb.verdicts import percent


def stowage(page: Page) -> Iterator[str]:
    """Thing by thing, where it is carried; of supplies, how many."""
    answer = page.answer
    if not answer.ledger:
        return
    yield page.heading("What is carried, and where" if answer.verdict == "legal" else "Supplies")
    rows = []
    for line in answer.ledger:
        where = {"carried": str(line.amount), "slots": "in the notes"}.get(line.unit, line.unit)
        where += f" (fills {line.amount})" if line.unit not in ("carried", "slots") and line.amount > 1 else ""
        rows.append(Row((line.note, where, page.title(line.rule)), page.source(line.rule, line.cite)))
    yield from table(page.paper, rows)


def jump(page: Page) -> Iterator[str]:
    """What a jump test may bring; what comes after the jump happens only where the activation goes on."""
    found = page.answer.result["jumps"]
    chances = [(counted(int(count), "wound"), chance) for count, chance in found["wounds"].items()]
    chances.append(("the activation goes on", found["goes_on"]))
    yield ""
    steps = listed([str(step) for step in found["steps"]])
    yield page.heading(f"Jump test in step {steps}")
    yield from table(page.paper, [Row((words, chance, percent(chance))) for words, chance in chances], right=(1, 2))
