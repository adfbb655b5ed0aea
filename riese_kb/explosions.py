"""Throws, fire and explosions as text: what has to be rolled, where things come down, and who is hurt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from riese_kb.answer import Answer, Line
from riese_kb.board import square_name
from riese_kb.typeset import Paper, Row, counted, listed, table
from riese_kb.verdicts import called, percent


class Page(Protocol):
    """What these sections need of the answer that is being written (``ledger.Numbers``)."""

    answer: Answer
    paper: Paper

    def heading(self, text: str) -> str:
        """The first line of a section."""

    def title(self, rule: str) -> str:
        """What the catalogue calls a rule."""

    def source(self, rule: str, cite: str) -> str:
        """Id and citation where a rule comes up first."""

    def amount(self, line: Line) -> str:
        """The number of a line with its unit."""


def throw(page: Page) -> Iterator[str]:
    """The number to roll term by term, what else comes of it, then where it may land and whom it would attack there."""
    answer, result = page.answer, page.answer.result
    summed = [line for line in answer.ledger if line.unit in ("to roll", "AM")]
    rows = []
    for line in sorted(summed, key=lambda line: line.unit == "AM"):
        amount = page.paper.signed(line.amount) if line.unit == "AM" else str(line.amount)
        rows.append(Row((line.at, amount, page.title(line.rule)), page.source(line.rule, line.cite)))
    if result["needed"] is not None:
        rows.append(Row(("", str(result["needed"]), "or more on one die"), ink=page.paper.bold))
        yield page.heading("To roll")
        yield from table(page.paper, rows, right=(1,))
        yield ""
    yield page.heading("What comes of it")
    rows = []
    for line in answer.ledger:
        if line not in summed:
            words = f"{page.amount(line)}: {page.title(line.rule)}" if line.amount else line.unit
            rows.append(Row((line.at, words), page.source(line.rule, line.cite)))
    yield from table(page.paper, rows)
    rows = []
    for place, chance in result["lands"].items():
        names = [called(id, answer.board) for id in result.get("victims", {}).get(place, ())]
        attacks = f"attacks {listed(names)}" if names else "attacks nobody" if place in result.get("victims", {}) else ""
        rows.append(Row((place, chance, percent(chance), attacks)))
    if rows:
        yield ""
        yield page.heading("Where it comes down")
        yield from table(page.paper, rows, right=(1, 2))


def flame(page: Page) -> Iterator[str]:
    """Whom the fire wounds, and what else comes of it."""
    answer = page.answer
    at = {square_name(figure.at): figure.id for figure in answer.board.figures} if answer.board is not None else {}
    yield page.heading("What comes of it")
    rows = []
    for line in answer.ledger:
        who = called(at[line.at], answer.board) if line.at in at else line.at
        amount = page.amount(line) if line.amount else f"{line.unit} {line.at} destroyed"
        rows.append(Row((who, amount, page.title(line.rule)), page.source(line.rule, line.cite)))
    yield from table(page.paper, rows)


def blast(page: Page) -> Iterator[str]:
    """Everybody who is attacked with numbers and odds, then the rules behind them."""
    answer, result = page.answer, page.answer.result
    rows = [_victim(page, id, effect) for id, effect in result["effects"].items()]
    if rows:
        yield page.heading(f"Attacked, within range {result['radius']}")
        head = ("", "range", "S/W", "wounded", "stunned", "missed", "eliminated", "left stunned", "")
        yield from table(page.paper, [Row(head, ink=page.paper.dim), *rows], right=(1, 2, 3, 4, 5, 6, 7))
    if result["shielded"]:
        names = [called(id, answer.board) for id in result["shielded"]]
        yield page.paper.plain(f"  near enough, but behind cover: {listed(names)}")
    card = [line for line in answer.ledger if line.unit in ("stun", "wound") and not line.at]
    rows = []
    if card:
        values = "/".join(str(line.amount) for line in card)
        rows.append(Row((card[0].note, values, "", page.title(card[0].rule)), page.source(card[0].rule, card[0].cite)))
    for line in answer.ledger:
        if line not in card:
            who = called(line.note, answer.board) if line.note else ""
            amount = page.amount(line) if line.amount else line.unit
            rows.append(Row((who, amount, line.at, page.title(line.rule)), page.source(line.rule, line.cite)))
    if rows:
        yield ""
        yield page.heading("Why")
        yield from table(page.paper, rows)


def _victim(page: Page, id: str, effect: dict[str, Any]) -> Row:
    """One figure: its range, the numbers, the first die and the whole attack, and what else happens to it."""
    odds, attack = effect.get("odds", {}), effect.get("attack", {})
    more = [f"modifier {page.paper.signed(effect['modifier'])}"] if effect["modifier"] else []
    more += [f"{counted(effect['harm'], 'wound')} each"] if effect.get("harm", 1) > 1 else []
    more += [f"{counted(effect['burns'], 'wound')} by the fire"] if effect.get("burns") else []
    if "tank" in effect:
        others = [called(other, page.answer.board) for other in effect["tank"]]
        more.append(f"the tank may explode: attacks {listed(others) if others else 'nobody else'}")
    if "bystander" in attack:
        hit = attack["bystander"]
        more.append(f"wounds {called(hit['figure'], page.answer.board)} in between: {hit['wounded']}")
        more += [f"only stuns it: {hit['stunned']}"] if "stunned" in hit else []
    return Row(
        (
            called(id, page.answer.board),
            str(effect["range"]),
            f"{effect['stun']}/{effect['wound']}" if "stun" in effect else "",
            odds.get("wound", ""),
            odds.get("stun", ""),
            odds.get("miss", ""),
            attack.get("eliminated", ""),
            attack.get("left_stunned", ""),
            ", ".join(more),
        )
    )
