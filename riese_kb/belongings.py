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


def search(page: Page) -> Iterator[str]:
    """Who may search and why others may not; what the chart gives, and what skills make of it."""
    answer, result = page.answer, page.answer.result
    where = f"It lies at {listed(result['at'])}" + (f"; to search it: {listed(result['may'])}" if result["may"] else "")
    yield page.paper.plain(f"{where}.")
    forbidden = [line for line in answer.ledger if line.unit == "forbids may"]
    if forbidden:
        yield ""
        yield page.heading("Why not the others")
        rows = [Row((line.note, line.at, page.title(line.rule)), page.source(line.rule, line.cite)) for line in forbidden]
        yield from table(page.paper, rows)
    if "odds" not in result:
        yield page.paper.plain("What a search finds is told by the scenario; its chart can be named: on Supplies.")
        return
    yield ""
    yield page.heading(f"On the chart {result['chart']}")
    rows = []
    for line in answer.ledger:
        if line.unit != "forbids may":
            both = f"{page.paper.signed(line.amount)} or {page.paper.signed(-line.amount)}"
            both = both if line.unit == "on the roll" else page.amount(line) if not line.note else ""
            rows.append(
                Row((page.title(line.rule), line.note or (both if line.amount else "")), page.source(line.rule, line.cite))
            )
    yield from table(page.paper, rows)
    yield from _outcomes(page, "One die", result["odds"])
    for shift, odds in result["shifted"].items():
        yield from _outcomes(page, f"With {shift} on the roll", odds)
    if result["twice"]:
        yield from _outcomes(page, "With one of two rolls", result["twice"])
    if result["one_more"]:
        yield page.paper.plain("  One more of any one kind of supplies that was found.")


def _outcomes(page: Page, heading: str, odds: dict[str, str]) -> Iterator[str]:
    yield ""
    yield page.heading(heading)
    yield from table(page.paper, [Row((found, chance, percent(chance))) for found, chance in odds.items()], right=(1, 2))
