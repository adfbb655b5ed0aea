"""An answer as text, to be read at a table.

From the top: the verdict in a sentence, the board with what the answer points at, every number with its rule and source,
the totals, the rules that are broken, the choices that are left, the points that the book leaves open, and what could be
asked instead. It says what the JSON says, and says it once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Any

from riese_kb.answer import Answer, Line
from riese_kb.board import Board, Square, System, square_name
from riese_kb.catalogue import find_rule
from riese_kb.glyphs import ASCII, UNICODE
from riese_kb.picture import draw
from riese_kb.program import readings
from riese_kb.question import Attack, BreakLock, Can, CanTo, Lof, Question, Reach, Targets, Zombie, ZombieTurn
from riese_kb.typeset import Paper, Row, counted, listed, table, wrap
from riese_kb.verdicts import TYPES, called, percent, question_of, sentence

WIDTH = 100
"""Columns where nothing is known about the reader's screen."""

_MOST_ROWS = 60
"""Rows of outcomes shown; the turn of a horde can come out in thousands of ways."""


def render(answer: Answer, *, colour: bool = False, ascii: bool = False, width: int = WIDTH) -> str:
    """The answer in words and pictures, without a newline at its end.

    ``colour`` adds ANSI colours, ``ascii`` keeps to ASCII throughout, ``width`` is the number of columns to fill; maps
    and words that are wider are not broken.
    """
    return "\n".join(_Text(answer, Paper(width, colour, ascii)).lines())


class _Text:
    """One answer on one paper."""

    def __init__(self, answer: Answer, paper: Paper) -> None:
        self.answer = answer
        self.paper = paper
        self.question: Question | None = question_of(answer)
        self.cited: set[str] = set()

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
            self.open_points(),
            self.supplied(),
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
        if board is not None:
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
        steps = _entered(self.answer)
        if steps:
            glyph = (ASCII if self.paper.ascii else UNICODE).step
            labels |= {
                s: f"{glyph}{steps[square_name(s)]}"[-3:] for s in path if square_name(s) in steps and s not in taken
            }
            path = ()
        elif self.answer.verdict == "illegal":
            path = ()
        return {"marks": labels, "path": path, "line": marks.line, "blocked": marks.blocked}

    def _caption(self) -> str:
        match self.question.about if self.question is not None else None:
            case Can() | CanTo() if _entered(self.answer):
                return f"{(ASCII if self.paper.ascii else UNICODE).step}1: entered in step 1, and so on."
            case Reach() if len(self.answer.result["squares"]) > 1:
                return "Numbers: the fewest MP to end there."
            case Zombie() if self.answer.result["moves"]:
                return "Numbers: where that move may end."
            case ZombieTurn() if self.answer.marks.labels:
                return "Numbers: where a zombie with that place in the order may end."
        return ""

    def source(self, rule: str, cite: str) -> str:
        """``id · citation`` where a rule comes up first, nothing later on."""
        if rule in self.cited:
            return ""
        self.cited.add(rule)
        return f"{rule}{' - ' if self.paper.ascii else ' · '}{cite}"

    def title(self, rule: str) -> str:
        """What the catalogue calls a rule; its id for a rule of the house."""
        found = find_rule(self.answer.system, rule)
        return found.title if found is not None else rule

    def heading(self, text: str) -> str:
        """The first line of a section."""
        return self.paper.bold(text)

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
                lines = wrap(self.paper.plain(source), self.paper.width, " " * len(lead))
                yield from map(self.paper.dim, lines)

    def step(self, number: int) -> str:
        """``2 turn left``: a step with its action, where the question or the result names it."""
        actions = self._actions()
        return f"{number} {actions[number - 1]}" if 0 < number <= len(actions) else str(number)

    def _actions(self) -> Sequence[str]:
        about = self.question.about if self.question is not None else None
        return [str(a) for a in about.actions] if isinstance(about, Can) else self.answer.result.get("steps", [])

    def choices(self) -> Iterator[str]:
        """What a diagonal may pass instead."""
        found = self.answer.result.get("choices", [])
        if found:
            yield self.heading("Or else")
        for choice in found:
            price = f"{choice['mp']} MP" + (f" and {counted(choice['wounds'], 'wound')}" if choice["wounds"] else "")
            yield f"  Step {choice['step']} may pass {choice['flank']} instead: {price} for the step."

    def open_points(self) -> Iterator[str]:
        """The contested points on which the answer depends."""
        known = readings(System(self.answer.system))
        if self.answer.readings:
            yield self.heading("The book leaves open")
        for taken in self.answer.readings:
            yield from wrap(self.paper.plain(taken.about), self.paper.width, "  ")
            meanings = known[taken.reading].values if taken.reading in known else {}
            values = [("taken", taken.value), *((result, value) for value, result in taken.otherwise.items())]
            rows = [
                Row((f"{result}:", f"{taken.reading}={value}", meanings.get(value, ""))) for result, value in values
            ]
            yield from table(self.paper, rows, indent=4)

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

    # --- the numbers, kind by kind ---

    def body(self) -> Iterator[str]:
        """The ledger and the result."""
        match self.question.about if self.question is not None else None:
            case Can() | CanTo():
                yield from self.walk()
            case Reach():
                yield from self.reach()
            case Lof():
                yield from self.line()
            case Targets():
                yield from self.targets()
            case Attack() | BreakLock():
                yield from self.attack()
            case Zombie():
                yield from self.zombie()
            case ZombieTurn():
                yield from self.zombies()

    def row(self, line: Line, first: str, amount: str) -> Row:
        """A line of the ledger as a row: what it is about, square, amount, rule."""
        return Row((first, line.at, amount, self.title(line.rule)), self.source(line.rule, line.cite))

    def modifier(self, line: Line) -> Row:
        """A modifier as a row: where, how much, by which rule."""
        title = self.title(line.rule) + (f": {line.note}" if line.note else "")
        return Row((line.at, self.paper.signed(line.amount), title), self.source(line.rule, line.cite))

    def walk(self) -> Iterator[str]:
        """Step by step, then what is spent."""
        answer, result = self.answer, self.answer.result
        yield self.heading("Step by step" if self._actions() else "Movement points")
        rows = [
            self.row(line, "to spend" if line.unit == _AVAILABLE else "", _amount(line))
            for line in answer.ledger
            if not line.step
        ]
        done = max((line.step for line in answer.ledger), default=0)
        done = max([done, *range(1, len(self._actions()) + 1)]) if answer.verdict == "legal" else done
        for step in range(1, done + 1):
            lines = [line for line in answer.ledger if line.step == step]
            first = self.step(step)
            rows += [self.row(l, first if n == 0 else "", _amount(l)) for n, l in enumerate(lines)] or [
                Row((first, "", "free"))
            ]
        total = f"{result['spent']} of {result['mp']} MP"
        if result["wounds"]:
            total += f", {counted(result['wounds'], 'wound')}"
        if answer.verdict == "illegal" and done:
            total += f"; stopped on {result['end']['at']} facing {result['end']['facing']}"
        yield from table(self.paper, rows)
        yield "  " + self.paper.bold(f"spent: {total}")

    def reach(self) -> Iterator[str]:
        """The squares by their price."""
        answer, result = self.answer, self.answer.result
        yield self.heading("Movement points")
        yield from table(self.paper, [self.row(line, "", _amount(line)) for line in answer.ledger])
        hurts = result["wounds"]
        rows = []
        for mp, names in groupby(result["squares"], key=result["squares"].__getitem__):
            words = [name + (f" ({counted(hurts[name], 'wound')})" if name in hurts else "") for name in names]
            rows.append((f"  {mp} MP", ", ".join(words)))
        for name, mp in result["exits"].items():
            hurt = f" ({counted(hurts[name], 'wound')})" if name in hurts else ""
            rows.append((f"  {mp} MP", f"off the map at {name}{hurt}"))
        width = max(len(lead) for lead, _ in rows)
        yield ""
        yield self.heading("Where to")
        for lead, words in rows:
            yield from wrap(words, self.paper.width, f"{lead:>{width}}  ")

    def line(self) -> Iterator[str]:
        """What the line passes, and what that comes to."""
        result = self.answer.result
        yield self.heading("Line of fire")
        along = sorted(self.answer.ledger, key=lambda line: line.step or len(result["squares"]) * 2 + 9)
        rows = [self.modifier(line) for line in along]
        rows.append(
            Row(("", self.paper.signed(result["modifier"]), "modifier of an attack along it"), ink=self.paper.bold)
        )
        yield from table(self.paper, rows, right=(1,))
        if result["intervening"]:
            names = [called(id, self.answer.board) for id in result["intervening"]]
            yield self.paper.plain(f"  in between: {listed(names)}")

    def targets(self) -> Iterator[str]:
        """Who may be attacked how, and why the others may not."""
        result = self.answer.result
        yield self.heading("Targets")
        rows = [
            Row((TYPES[type_], listed([called(e, self.answer.board) for e in ids]) if ids else "nobody"))
            for type_, ids in result.items()
        ]
        yield from table(self.paper, rows)
        refused: dict[str, dict[str, list[str]]] = {}
        cites = {line.rule: line.cite for line in self.answer.ledger}
        for line in self.answer.ledger:
            type_ = line.unit.removeprefix("forbids ")
            if line.note not in result.get(type_, ()):  # another weapon in hand may do what this one cannot
                refused.setdefault(line.rule, {}).setdefault(line.note, []).append(type_)
        if not refused:
            return
        yield ""
        yield self.heading("Why not the others")
        rows = []
        for rule, by_enemy in refused.items():
            groups: dict[tuple[str, ...], list[str]] = {}
            for enemy, types in by_enemy.items():
                groups.setdefault(tuple(types), []).append(called(enemy, self.answer.board))
            for types, enemies in groups.items():
                how = "any attack" if len(types) == len(TYPES) else listed([TYPES[t] for t in types])
                rows.append(Row((self.title(rule), how, listed(enemies)), self.source(rule, cites[rule])))
        yield from table(self.paper, rows, below=0)

    def attack(self) -> Iterator[str]:
        """S/W term by term, then the odds."""
        answer, result = self.answer, self.answer.result
        card = [line for line in answer.ledger if line.unit in ("stun", "wound")]
        rows = []
        for (rule, note), found in groupby(card, key=lambda line: (line.rule, line.note)):
            lines = list(found)
            values = "/".join(str(line.amount) for line in lines)
            title = f"{note[:1].upper()}{note[1:]}: {self.title(rule)[:1].lower()}{self.title(rule)[1:]}"
            rows.append(Row(("", values, title), self.source(rule, lines[0].cite)))
        rows += [self.modifier(line) for line in answer.ledger if line not in card]
        if "modifier" in result:
            rows.append(Row(("", self.paper.signed(result["modifier"]), "modifier"), ink=self.paper.bold))
        if "stun" in result:
            both = "wound" in result
            values = f"{result['stun']}/{result['wound']}" if both else str(result["stun"])
            rows.append(Row(("", values, f"modified {'S/W' if both else 'stun value'}"), ink=self.paper.bold))
        if rows:
            yield self.heading("S/W" if "wound" in result or not result.get("odds") else "Stun value")
            yield from table(self.paper, rows, right=(1,))
        if result.get("odds"):
            yield ""
            yield from self.odds()
        if result.get("next_targets"):
            names = [called(id, answer.board) for id in result["next_targets"]]
            yield ""
            yield from wrap(
                self.paper.plain(f"After a die the attack may shift to {listed(names, 'or')}."), self.paper.width
            )

    def odds(self) -> Iterator[str]:
        """The first die, and beside it the whole attack."""
        result = self.answer.result
        first = [(_CHANCES.get(key, key), chance) for key, chance in result["odds"].items()]
        whole = list(_whole(result.get("attack", {}), self.answer.board))
        dice = result["dice"]
        yield self.heading(f"Odds of {counted(dice, 'die', 'dice')}")
        if dice == 1 or not whole:
            again = {counted(n, "wound") for n in (0, 1)}  # the one die has said so
            rows = [Row((words, chance, percent(chance))) for words, chance in (*first, *whole) if words not in again]
            yield from table(self.paper, rows, right=(1, 2))
            return
        rows = [Row(("first die", "", "", "", f"all {dice} dice at this target"), ink=self.paper.dim)]
        for left, right in zip_longest(first, whole, fillvalue=("", "")):
            cells = [(words, chance, percent(chance)) if chance else ("", "", "") for words, chance in (left, right)]
            rows.append(Row((*cells[0], "  ", *cells[1])))
        yield from table(self.paper, rows, right=(1, 2, 5, 6))

    def zombie(self) -> Iterator[str]:
        """The allowance, the options of each move, the attack."""
        answer, result = self.answer, self.answer.result
        yield self.heading("Why")
        rows = []
        key = lambda l: (l.rule, l.unit, l.step, l.amount, l.note)  # noqa: E731
        for _, found in groupby(answer.ledger, key=key):
            lines = list(found)
            first = lines[0]
            what = {"stays": "stays", "lock": f"locks {first.note}", "wound": f"wounds {first.note}"}.get(
                first.unit, ""
            )
            if first.unit == "move":
                what = f"move {first.step}" if first.step else counted(first.amount, "move")
            squares = ", ".join(dict.fromkeys(line.at for line in lines))
            rows.append(Row((what, squares, self.title(first.rule)), self.source(first.rule, first.cite)))
        yield from table(self.paper, rows)
        names = [called(id, answer.board) for id in result["targets"]]
        reached = listed(names, "or") if names else "nobody it can reach"
        yield self.paper.plain(f"  target: {reached}")

    def zombies(self) -> Iterator[str]:
        """The order with its ties, and all outcomes."""
        answer, result = self.answer, self.answer.result
        yield self.heading("Order")
        rows = []
        for line in answer.ledger:
            tie = ", ".join(called(id, answer.board) for id in line.note.split(", "))
            tie += " (the player chooses the order)" if "," in tie else ""
            rows.append(Row((str(line.amount), tie, self.title(line.rule)), self.source(line.rule, line.cite)))
        yield from table(self.paper, rows, right=(0,))
        if result["outcomes"]:
            yield ""
            yield self.heading("Where they may end")
            yield from self.outcomes(result["outcomes"])

    def outcomes(self, outcomes: list[dict[str, str]]) -> Iterator[str]:
        """The outcomes, taken apart into groups of zombies that do not depend on each other."""
        rows = []
        for block in _blocks(outcomes):
            combos = list(dict.fromkeys(tuple(outcome.get(id, "dead") for id in block) for outcome in outcomes))
            if len(block) == 1:
                rows.append((block[0], listed([c[0] for c in combos], "or")))
                continue
            for number, combo in enumerate(combos[:_MOST_ROWS]):
                words = ", ".join(f"{id} {at}" for id, at in zip(block, combo, strict=True))
                rows.append((listed(block) if number == 0 else "", words if number == 0 else f"or {words}"))
            if len(combos) > _MOST_ROWS:
                rows.append(("", f"and {len(combos) - _MOST_ROWS} more; JSON lists them all"))
        width = max(len(who) for who, _ in rows)
        for who, where in rows:
            yield from wrap(self.paper.plain(where), self.paper.width, self.paper.plain(f"  {who:<{width}}  "))


_AVAILABLE = "MP available"


def _amount(line: Line) -> str:
    unit = "MP" if line.unit == _AVAILABLE else line.unit
    return counted(line.amount, unit) if unit == "wound" else f"{line.amount} {unit}"


def _entered(answer: Answer) -> dict[str, int]:
    """The step in which each square was first stepped into, as the ledger has it."""
    steps: dict[str, int] = {}
    for line in answer.ledger:
        if line.step and line.rule in _STEPPING:
            steps.setdefault(line.at, line.step)
    return steps


_STEPPING = frozenset(
    f"movement.{kind}" for kind in ("forward", "backward", "sideways", "diagonal-forward", "diagonal-backward")
)


_CHANCES = {
    "wound": "wounds",
    "stun": "only stuns",
    "miss": "no effect",
    "broken": "the lock breaks",
    "held": "the lock holds",
}


def _whole(attack: dict[str, Any], board: Board | None) -> Iterator[tuple[str, str]]:
    for wounds, chance in attack.get("wounds", {}).items():
        yield counted(int(wounds), "wound"), chance
    for key, words in (
        ("eliminated", "target eliminated"),
        ("left_stunned", "target left stunned"),
        ("ammo_lost", "ammo lost"),
    ):
        if key in attack:
            yield words, attack[key]
    if "bystander" in attack:
        yield f"{called(attack['bystander']['figure'], board)} wounded", attack["bystander"]["wounded"]


def _blocks(outcomes: list[dict[str, str]]) -> list[tuple[str, ...]]:
    """The finest groups of zombies whose fates combine freely: every choice of one group goes with every of another."""
    ids = list(dict.fromkeys(id for outcome in outcomes for id in outcome))
    group = {id: [id] for id in ids}

    def fates(*names: str) -> int:
        return len({tuple(outcome.get(name) for name in names) for outcome in outcomes})

    for n, a in enumerate(ids):
        for b in ids[n + 1 :]:
            if group[a] is not group[b] and fates(a, b) < fates(a) * fates(b):
                group[a] += group[b]
                group.update(dict.fromkeys(group[b], group[a]))
    blocks = [tuple(sorted(block, key=ids.index)) for block in {id(g): g for g in group.values()}.values()]
    ways = 1
    for block in blocks:
        ways *= fates(*block)
    return blocks if ways == len(outcomes) else [tuple(ids)]


# --- the board ------------------------------------------------------------------------------------------------------


def board_lines(board: Board, paper: Paper, **marks: Any) -> Iterator[str]:
    """The picture of a board, its walls dim and its marks in colour."""
    lines = draw(board, ascii=paper.ascii, **marks).split("\n")
    if not paper.colour:
        yield from lines
        return
    start = next(i for i, line in enumerate(lines) if line.strip().startswith("A"))
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
