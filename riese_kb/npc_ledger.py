"""The numbers of an answer about an NPC: its situation, its attacks and its moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from riese_kb.answer import Line
from riese_kb.ledger import Numbers
from riese_kb.question import Npc, NpcTurn
from riese_kb.typeset import Row, counted, listed, table, wrap
from riese_kb.verdicts import TYPES, called, percent


class NpcNumbers(Numbers):
    """Any answer, those about NPCs included."""

    def body(self) -> Iterator[str]:
        """The ledger and the result."""
        about = self.question.about if self.question is not None else None
        if isinstance(about, Npc):
            yield from self.npc()
            return
        yield from super().body()
        if isinstance(about, NpcTurn):
            for id, result in self.answer.result["first"].items():
                yield ""
                yield self.heading(f"First: {called(id, self.answer.board)}")
                yield from NpcNumbers(replace(self.answer, result=result, ledger=()), self.paper).npc()

    def npc(self) -> Iterator[str]:
        """The situation, what it makes the NPC do, its attacks, and where it may end."""
        result = self.answer.result
        yield self.heading(f"Situation: {result['situation']}")
        doing = [line for line in self.answer.ledger if line.unit not in ("AM", "stun", "wound", "revealed by a hit")]
        rows = [
            Row(
                (counted(line.amount, "move") if line.unit == "move" else line.unit, line.at, self.title(line.rule)),
                self.source(line.rule, line.cite),
            )
            for line in doing
        ]
        yield from table(self.paper, rows)
        if "lock" in result and result["lock"]["odds"]:
            lock = result["lock"]
            chance, held = lock["odds"]["broken"], lock["odds"]["held"]
            needs = f"needs {lock['stun']} or more on {counted(lock['dice'], 'die', 'dice')}"
            words = f"{needs}: {chance}, {percent(chance)}; it holds: {held}"
            yield self.paper.plain(f"  lock of {called(lock['holder'], self.answer.board)}: {words}")
        if result["rolls"]:
            yield ""
            yield self.heading("Attacks")
            yield from table(self.paper, [self._shot(roll) for roll in result["rolls"]], right=(2,))
        rest = [line for line in self.answer.ledger if line not in doing]
        alike: dict[tuple[str, int], list[Line]] = {}
        for line in rest:
            if line.unit not in ("stun", "wound"):
                alike.setdefault((line.rule, line.amount), []).append(line)
        merged = [replace(found[0], at=", ".join(dict.fromkeys(line.at for line in found)), note="") for found in alike.values()]
        yield from table(self.paper, [*self._cards(rest), *(self.modifier(line) for line in merged)], right=(1,))
        if result["moves"]:
            yield ""
            yield self.heading("Moves")
            for number, squares in enumerate(result["moves"], 1):
                yield from wrap(self.paper.plain(", ".join(squares)), self.paper.width, f"  {'move ' + str(number):<9}")
            yield from wrap(self.paper.plain(", ".join(result["ends"])), self.paper.width, "  may end  ")
            seen: dict[str, list[str]] = {}
            for name, gunners in result.get("seen", {}).items():
                seen.setdefault(listed([called(id, self.answer.board) for id in gunners]), []).append(name)
            for gunner, exposed in seen.items():
                places = "all of these" if len(exposed) == len(result["ends"]) else ", ".join(exposed)
                lead = self.paper.plain(f"  in the line of fire of {gunner}: ")
                yield from wrap(self.paper.plain(places), self.paper.width, lead)
        if result["left_open"]:
            yield ""
            words = listed([{"where": "where it goes", "whom": "whom it attacks"}[word] for word in result["left_open"]])
            text = f"The book leaves it to tactical sense {words}: whatever serves the NPC best, without regard to the player."
            yield from wrap(self.paper.plain(text), self.paper.width)

    def _cards(self, lines: Sequence[Line]) -> Iterator[Row]:
        """The numbers that modifiers are added to: ``6/9``."""
        card = dict.fromkeys((line.rule, line.cite, line.unit, line.amount) for line in lines if line.unit in ("stun", "wound"))
        for (rule, cite), found in groupby(card, key=lambda row: row[:2]):
            values = "/".join(dict.fromkeys(str(amount) for *_, amount in found))
            yield Row(("", values, self.title(rule)), self.source(rule, cite))

    def _shot(self, roll: dict[str, Any]) -> Row:
        values = f"S/W {roll['stun']}/{roll['wound']}, {counted(roll['dice'], 'die', 'dice')}" if "stun" in roll else ""
        hurt = 1 - Fraction(roll["attack"]["wounds"].get("0", 0)) if "attack" in roll and "wounds" in roll["attack"] else None
        odds = f"wounds {hurt}, {percent(str(hurt))}" if hurt is not None else ""
        who = called(roll["on"], self.answer.board)
        return Row((f"from {roll['from']} on {who}", TYPES[roll["type"]], f"range {roll['range']}", values, odds))
