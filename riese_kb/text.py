"""An answer as text, to be read at a table.

From the top: the verdict in a sentence, the board with what the answer points at, every number with its rule and
source, the totals, the rules that are broken, the choices that are left, the points that the book leaves open, and what
could be asked instead. It says what the JSON says, and says it once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from riese_kb.answer import Answer
from riese_kb.board import Board, Square, System, square_name
from riese_kb.glyphs import ASCII, UNICODE
from riese_kb.ledger import entered
from riese_kb.npc_ledger import NpcNumbers
from riese_kb.picture import draw
from riese_kb.program import readings
from riese_kb.question import (
    Can,
    CanTo,
    MayCarry,
    Npc,
    NpcTurn,
    Reach,
    Throw,
    Zombie,
    ZombieTurn,
)
from riese_kb.typeset import Paper, Row, counted, listed, table, wrap, wrap_source
from riese_kb.verdicts import sentence
from riese_kb.whytext import change_lines, core_lines

WIDTH = 100
"""Columns where nothing is known about the reader's screen."""


def render(answer: Answer, *, colour: bool = False, ascii: bool = False, width: int = WIDTH) -> str:
    """The answer in words and pictures, without a newline at its end.

    ``colour`` adds ANSI colours, ``ascii`` keeps to ASCII throughout, ``width`` is the number of columns to fill; maps
    and words that are wider are not broken.
    """
    if answer.rings is not None:
        from riese_kb.ringtext import ring_lines

        return "\n".join(ring_lines(answer, Paper(width, colour, ascii)))
    return "\n".join(_Text(answer, Paper(width, colour, ascii)).lines())


class _Text(NpcNumbers):
    """One answer on one paper, from the verdict to the questions that could be asked instead."""

    def lines(self) -> Iterator[str]:
        """All sections, each after an empty line."""
        yield from self.verdict()
        # A sequence is read step by step up to the fault; elsewhere a refusal gives its reasons first.
        sequence = isinstance(self.question.about, Can) if self.question is not None else True
        reasons = (self.body(), self.broken()) if sequence else (self.broken(), self.body())
        for section in (
            self.picture(),
            *reasons,
            self.choices(),
            core_lines(self.answer, self.paper),
            change_lines(self.answer, self.paper),
            self.gives_way(),
            self.open_points(),
            self.supplied(),
            self.caveats(),
            self.instead(),
        ):
            found = list(section)
            if found:
                yield ""
                yield from found

    # --- the parts that all answers share ---

    def verdict(self) -> Iterator[str]:
        """The sentence, its first word in colour."""
        text = self.paper.plain(sentence(self.answer, self.question))
        ink = {"legal": self.paper.good, "clear": self.paper.good, "illegal": self.paper.bad, "blocked": self.paper.bad}
        first, *more = wrap(text, self.paper.width)
        word = re.match(r"Yes|No", first)
        if word:
            yield ink.get(self.answer.verdict, self.paper.bold)(word[0]) + self.paper.bold(first[word.end() :])
        else:
            yield self.paper.bold(first)
        yield from map(self.paper.bold, more)

    def picture(self) -> Iterator[str]:
        """The board with the marks of the answer."""
        board = self.answer.board
        stowing = self.question is not None and isinstance(self.question.about, MayCarry)
        if board is not None and not stowing:
            yield from board_lines(board, self.paper, **self._marks(board))
            note = self._caption()
            if note:
                yield ""
                yield from map(self.paper.dim, wrap(self.paper.plain(note), self.paper.width))

    def _marks(self, board: Board) -> dict[str, Any]:
        marks = self.answer.marks
        taken = {figure.at for figure in board.figures}
        labels = {square: text for square, text in marks.labels.items() if square not in taken and text.isascii()}
        path: Sequence[Square] = marks.path[1:]
        steps = entered(self.answer)
        if steps:
            glyph = (ASCII if self.paper.ascii else UNICODE).step
            labels |= {s: f"{glyph}{steps[square_name(s)]}"[-3:] for s in path if square_name(s) in steps and s not in taken}
            path = ()
        elif self.answer.verdict == "illegal":
            path = ()
        return {"marks": labels, "path": path, "line": marks.line, "blocked": tuple(dict.fromkeys(marks.blocked))}

    def _caption(self) -> str:
        match self.question.about if self.question is not None else None:
            case Can() | CanTo() if entered(self.answer):
                return f"{(ASCII if self.paper.ascii else UNICODE).step}1: entered in step 1, and so on."
            case Reach() if len(self.answer.result["squares"]) > 1:
                return "Numbers: the fewest MP to end there."
            case Throw() if len(self.answer.result["lands"]) > 1:
                return "Numbers: the chance in percent that it comes down there."
            case Zombie() if self.answer.result["moves"]:
                return "Numbers: where that move may end."
            case Npc() if self.answer.marks.labels and not self.answer.result["stays"]:
                return "Numbers: the moves it takes to end there."
            case NpcTurn() if self.answer.marks.labels:
                return "Numbers: the order in which they act."
            case ZombieTurn() if self.answer.marks.labels:
                return "Numbers: where a zombie with that place in the order may end."
        return ""

    def broken(self) -> Iterator[str]:
        """Every rule that is broken, in our words."""
        violations = self.answer.violations
        if not violations:
            return
        yield self.heading({"blocked": "Blocked"}.get(self.answer.verdict, "Against it"))
        places: dict[tuple[int, str, str, str], list[str]] = {}
        for v in violations:
            places.setdefault((v.step, v.rule, v.says, v.cite), []).append(v.at)
        rows = [(self.step(step) if step else "", ", ".join(at)) for (step, *_), at in places.items()]
        widths = [max(len(row[i]) for row in rows) for i in (0, 1)]
        for (_, rule, says, cite), cells in zip(places, rows, strict=True):
            lead = "  " + "".join(f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True) if width)
            first, *more = wrap(self.paper.plain(says), self.paper.width, self.paper.plain(lead))
            yield self.paper.bad(first[: len(lead)]) + first[len(lead) :]
            yield from more
            source = self.source(rule, cite)
            if source:
                lines = wrap_source(self.paper.plain(source), self.paper.width, " " * len(lead))
                yield from map(self.paper.dim, lines)

    def choices(self) -> Iterator[str]:
        """What a diagonal may pass instead."""
        found = self.answer.result.get("choices", [])
        if found:
            yield self.heading("Or else")
        for choice in found:
            price = f"{choice['mp']} MP" + (f" and {counted(choice['wounds'], 'wound')}" if choice["wounds"] else "")
            yield f"  Step {choice['step']} may pass {choice['flank']} instead: {price} for the step."

    def gives_way(self) -> Iterator[str]:
        """The rules of the book that a scenario or a rule of the house took precedence over."""
        if self.answer.overridden:
            yield self.heading("Takes precedence")
        rows = [
            Row((override.title, f"over: {override.over} ({override.rule})"), self.source(override.by, override.cite))
            for override in self.answer.overridden
        ]
        yield from table(self.paper, rows)

    def open_points(self) -> Iterator[str]:
        """The contested points on which the answer depends."""
        known = readings(System(self.answer.system))
        if self.answer.readings:
            yield self.heading("The book leaves open")
        for taken in self.answer.readings:
            yield from wrap(self.paper.plain(taken.about), self.paper.width, "  ")
            meanings = known[taken.reading].values if taken.reading in known else {}
            values = [("taken", taken.value), *((result, value) for value, result in taken.otherwise.items())]
            rows = [Row((f"{result}:", f"{taken.reading}={value}", meanings.get(value, ""))) for result, value in values]
            yield from table(self.paper, rows, indent=4)

    def caveats(self) -> Iterator[str]:
        """What the board says and no rule heeds yet."""
        for caveat in self.answer.caveats:
            yield f"Not counted: {caveat}."

    def supplied(self) -> Iterator[str]:
        """Weapons whose values the board gave, where no line of the ledger says so."""
        names = [n for n in self.answer.supplied if not any(n in line.note for line in self.answer.ledger)]
        if names:
            yield f"The board supplies the values of {listed(names)}."

    def instead(self) -> Iterator[str]:
        """The nearest legal questions, ready to be asked."""
        if self.answer.instead:
            yield self.heading("Legal instead")
            yield from (f"  {self.paper.plain(question)}" for question in self.answer.instead)


# --- the board ------------------------------------------------------------------------------------------------------


def board_lines(board: Board, paper: Paper, **marks: Any) -> Iterator[str]:
    """The picture of a board, its walls dim and its marks in colour."""
    lines = draw(board, ascii=paper.ascii, **marks).split("\n")
    if not paper.colour:
        yield from lines
        return
    start = next(i for i, line in enumerate(lines) if re.fullmatch(r" +A( +[A-Z]+)*", line))
    end = start + 2 * board.height + 2
    for number, line in enumerate(lines):
        yield _inked(line, paper) if start <= number < end else line


_WALLS = re.compile(r"[─│┌┐└┘├┤┬┴┼╴╵╶╷░▒█╌╎·]+")
_POINTS = re.compile(r"•\d+|×+|\*+|(?<=[ ░])\d+(?=[ ░])")


def _inked(line: str, paper: Paper) -> str:
    def point(found: re.Match[str]) -> str:
        return paper.bad(found[0]) if found[0][0] == "×" else paper.mark(found[0])

    margin = re.match(r" *\d* ", line)
    lead = margin[0] if margin else ""
    rest = _POINTS.sub(lambda m: f"\0{point(m)}\1", line[len(lead) :])
    parts = re.split("(\0.*?\1)", rest)
    return paper.dim(lead) + "".join(
        part[1:-1] if part.startswith("\0") else _WALLS.sub(lambda m: paper.dim(m[0]), part) for part in parts
    )
