"""What heroes carry, as text: where everything is stowed, and how many supplies there are."""

from __future__ import annotations

from collections.abc import Iterator

from riese_kb.explosions import Page
from riese_kb.typeset import Row, table


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
