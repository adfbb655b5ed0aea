"""Examples on rings (Tannhäuser), told in German."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from riese_kb.answer import Answer
from riese_kb.catalogue import find_rule
from riese_kb.examples.prose import Sentence, Told
from riese_kb.rings import OFF, RingBoard
from riese_kb.ringtext import ring_sentence
from riese_kb.typeset import listed


def ring_told(answer: Answer, board: RingBoard, found: Mapping[str, Any]) -> Told:
    """The answer about a board of rings in words."""
    question = found["question"].get(answer.ask.split()[0], found["question"]["other"]).format(text=answer.ask)
    return Told(" ".join(_situation(board, found)), question, tuple(_steps(answer, found)), ring_sentence(answer))


def _situation(board: RingBoard, found: Mapping[str, Any]) -> Iterator[str]:
    say = found["situation"]
    for ring in board.rings:
        colours = listed([found["colours"].get(path, path) for path in ring.paths], "und")
        following = [other for other in ring.next if other > ring.id]
        kind = found["kinds"].get(str(ring.kind), str(ring.kind))
        text = f"{kind} {ring.id}" + (f" ({colours})" if colours else "")
        if following:
            yield say["ring"].format(ring=text, others=listed(following, "und"))
        elif not ring.next or colours or ring.modifiers:
            yield say["alone"].format(ring=text)
    for figure in board.figures:
        name = figure.name if figure.name and figure.name != figure.id else figure.id
        place = say["off"] if figure.at == OFF else figure.at
        yield say["figure"].format(name=name, id=figure.id, at=place)


def _steps(answer: Answer, found: Mapping[str, Any]) -> Iterator[Sentence]:
    for line in answer.ledger:
        unit = found["units"].get(line.unit, line.unit)
        rule = find_rule(answer.system, line.rule)
        title = rule.titled("de") if rule is not None else line.rule
        where = f" ({line.at})" if line.at else ""
        amount = f"{line.amount} {unit}" if line.amount or line.unit in found["units"] else unit
        yield Sentence(found["step"]["plain"].format(title=title, where=where, n=amount), line.rule, line.cite)
    for v in answer.violations:
        yield Sentence(found["step"]["broken"].format(at=v.at, says=v.says), v.rule, v.cite)
