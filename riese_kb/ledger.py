"""The numbers of an answer as text, kind by kind: every line of the ledger with its rule and source, and the result.

Longer than a file should be: sections of attacks and zombies are to follow explosions and belongings into files of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Any

from msgspec.structs import replace

from riese_kb import belongings, explosions
from riese_kb.answer import Answer, Line
from riese_kb.board import Board, Kind
from riese_kb.catalogue import find_rule
from riese_kb.question import (
    Attack,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Initiative,
    Learn,
    Lof,
    MaxRange,
    MayCarry,
    NpcTurn,
    Question,
    Reach,
    Round,
    SearchPlace,
    Spawn,
    Targets,
    TeamAbout,
    Throw,
    WhatGives,
    WhatLets,
    Zombie,
    ZombieTurn,
)
from riese_kb.teamledger import team_lines
from riese_kb.typeset import Paper, Row, counted, listed, table, wrap
from riese_kb.verdicts import TYPES, called, percent, question_of

_MOST_ROWS = 60
"""Rows of outcomes shown; the turn of a horde can come out in thousands of ways."""


class Numbers:
    """One answer on one paper: its ledger and its result."""

    def __init__(self, answer: Answer, paper: Paper) -> None:
        self.answer = answer
        self.paper = paper
        self.question: Question | None = question_of(answer)
        self.cited: set[str] = set()

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

    def step(self, number: int) -> str:
        """``2 turn left``: a step with its action, where the question or the result names it."""
        actions = self._actions()
        return f"{number} {actions[number - 1]}" if 0 < number <= len(actions) else str(number)

    def _actions(self) -> Sequence[str]:
        about = self.question.about if self.question is not None else None
        if isinstance(about, Learn):
            return about.skills
        return [str(a) for a in about.actions] if isinstance(about, Can) else self.answer.result.get("steps", [])

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
            case Attack() if self.answer.result["type"] == "flame":
                yield from explosions.flame(self)
            case Attack() | BreakLock():
                yield from self.attack()
            case Throw():
                yield from explosions.throw(self)
                yield from self.with_tokens()
                yield from self.options()
            case Blast():
                yield from explosions.blast(self)
            case SearchPlace():
                yield from belongings.search(self)
            case MayCarry():
                yield from belongings.stowage(self)
            case Zombie():
                yield from self.zombie()
            case ZombieTurn() | NpcTurn():
                yield from self.zombies()
            case WhatGives() | WhatLets() | MaxRange() as about:
                from riese_kb import backtext

                yield from backtext.lines(self.answer, about, self.paper)
            case Initiative() | Round() | Spawn() as about:
                yield from self.rounds(about)
            case about if isinstance(about, TeamAbout):
                yield from team_lines(self, about)
            case _:
                yield from table(self.paper, [self.row(line, line.note, self.amount(line)) for line in self.answer.ledger])

    def row(self, line: Line, first: str, amount: str) -> Row:
        """A line of the ledger as a row: what it is about, square, amount, rule."""
        return Row((first, line.at, amount, self.title(line.rule)), self.source(line.rule, line.cite))

    def amount(self, line: Line) -> str:
        """``2 MP``, ``1 wound``, and modifiers with their sign."""
        if line.unit == "AM":
            return self.paper.signed(line.amount)
        if line.unit == "skill":
            return ""
        if not line.amount and " " in line.unit and line.unit != _AVAILABLE:
            return line.unit
        unit = "MP" if line.unit == _AVAILABLE else line.unit
        number = self.paper.signed(line.amount) if line.amount < 0 else str(line.amount)
        return counted(line.amount, unit) if unit == "wound" else f"{number} {unit}"

    def modifier(self, line: Line) -> Row:
        """A modifier as a row: where, how much, by which rule."""
        title = self.title(line.rule) + (f": {line.note}" if line.note else "")
        return Row((line.at, self.amount(line), title), self.source(line.rule, line.cite))

    def walk(self) -> Iterator[str]:
        """Step by step, then what is spent."""
        answer, result = self.answer, self.answer.result
        yield self.heading("Step by step" if self._actions() else "Movement points")
        before = [line for line in answer.ledger if not line.step]
        rows = [self.row(line, "" if n else "to spend", self.amount(line)) for n, line in enumerate(before)]
        done = max((line.step for line in answer.ledger), default=0)
        done = max([done, *range(1, len(self._actions()) + 1)]) if answer.verdict == "legal" else done
        for step in range(1, done + 1):
            lines = [line for line in answer.ledger if line.step == step]
            first = self.step(step)
            rows += [self.row(line, "" if n else first, self.amount(line)) for n, line in enumerate(lines)]
            rows += [] if lines else [Row((first, "", "free"))]
        total = f"{result['spent']} of {result['mp']} MP"
        if result["wounds"]:
            total += f", {counted(result['wounds'], 'wound')}"
        if answer.verdict == "illegal" and done:
            total += f"; stopped on {result['end']['at']} facing {result['end']['facing']}"
        yield from table(self.paper, rows, right=(2,))
        yield "  " + self.paper.bold(f"spent: {total}")
        if "jumps" in result:
            yield from belongings.jump(self)

    def reach(self) -> Iterator[str]:
        """The squares by their price."""
        answer, result = self.answer, self.answer.result
        yield self.heading("Movement points")
        yield from table(self.paper, [self.row(line, "", self.amount(line)) for line in answer.ledger])
        hurts, gas = result["wounds"], result.get("gas", ())
        rows = []
        for mp, names in groupby(result["squares"], key=result["squares"].__getitem__):
            shown = []
            for name in names:
                notes = ([counted(hurts[name], "wound")] if name in hurts else []) + ["in the gas"] * (name in gas)
                shown.append(f"{name} ({', '.join(notes)})" if notes else name)
            rows.append((f"  {mp} MP", ", ".join(shown)))
        for name, mp in result["exits"].items():
            hurt = f" ({counted(hurts[name], 'wound')})" if name in hurts else ""
            rows.append((f"  {mp} MP", f"off the map at {name}{hurt}"))
        rows = rows or [("  nowhere", "every way ends where no activation may end")]
        width = max(len(lead) for lead, _ in rows)
        yield ""
        yield self.heading("Where to")
        for lead, words in rows:
            yield from wrap(words, self.paper.width, f"{lead:>{width}}  ")
        yield from self.options()

    def line(self) -> Iterator[str]:
        """What the line passes, and what that comes to."""
        result = self.answer.result
        yield self.heading("Line of fire")
        along = sorted(self.answer.ledger, key=lambda line: line.step or len(result["squares"]) * 2 + 9)
        rows = [self.modifier(line) for line in along]
        rows.append(Row(("", self.paper.signed(result["modifier"]), "modifier of an attack along it"), ink=self.paper.bold))
        yield from table(self.paper, rows, right=(1,))
        if result["intervening"]:
            names = [called(id, self.answer.board) for id in result["intervening"]]
            yield self.paper.plain(f"  in between: {listed(names)}")

    def targets(self) -> Iterator[str]:
        """Who may be attacked how, and why the others may not."""
        result = self.answer.result
        yield self.heading("Targets")
        rows = [
            Row((_HOW[type_], listed([called(e, self.answer.board) for e in ids]) if ids else "nobody"))
            for type_, ids in result.items()
        ]
        yield from table(self.paper, rows)
        for unit, lines in groupby((x for x in self.answer.ledger if "only with" in x.unit), key=lambda line: line.unit):
            found = list(lines)
            names = listed([called(line.note, self.answer.board) for line in found])
            row = Row((f"{names}: {unit}",), self.source(found[0].rule, found[0].cite))
            yield from table(self.paper, [row])
        others = [x for x in self.answer.ledger if "only with" not in x.unit and not x.unit.startswith("forbids ")]
        yield from table(self.paper, [self.row(line, line.note, self.amount(line)) for line in others])
        refused: dict[str, dict[str, list[str]]] = {}
        cites = {line.rule: line.cite for line in self.answer.ledger}
        for line in self.answer.ledger:
            if not line.unit.startswith("forbids "):
                continue
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
            for kinds, enemies in groups.items():
                how = "any attack" if len(kinds) == len(result) else listed([_HOW[t] for t in kinds])
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
        rows += [self.modifier(line) for line in answer.ledger if line not in card and line.unit not in (*_LATER, *_SAVES)]
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
        saves = [line for line in answer.ledger if line.unit in _SAVES]
        if saves:
            yield ""
            yield self.heading("The target")
            yield from table(self.paper, [self.modifier(line) for line in saves])
        yield from self.with_tokens()
        yield from self.options()
        if result.get("after"):
            from riese_kb.roundtable import aftermath

            yield ""
            yield self.heading("What may follow")
            caught = {line.rule: line for line in answer.ledger if line.unit == "caught"}
            rows = [
                Row(row, self.source(line.rule, line.cite)) for row, line in zip(aftermath(answer), caught.values(), strict=True)
            ]
            yield from table(self.paper, rows, right=(1, 2))
        back = [line for line in answer.ledger if line.unit == "squares off"]
        if back:
            yield ""
            yield from table(
                self.paper,
                [
                    Row(("eliminated, it comes back", line.at, self.amount(line)), self.source(line.rule, line.cite))
                    for line in back
                ],
            )
        if result.get("next_targets"):
            names = [called(id, answer.board) for id in result["next_targets"]]
            yield ""
            yield from wrap(self.paper.plain(f"After a die the attack may shift to {listed(names, 'or')}."), self.paper.width)

    def with_tokens(self) -> Iterator[str]:
        """What scratch tokens make of the roll."""
        kept = self.answer.result.get("scratch")
        if kept is None:
            return
        yield ""
        yield self.heading(f"With {counted(kept['tokens'], 'scratch token')}, each spent where it serves best")
        board = self.answer.board
        found = [("", *row) for row in _whole(kept.get("attack", {}), board)]
        found += [("skills, too", *row) for row in _whole(kept.get("with_skills", {}), board)]
        found += [("", _CHANCES.get(key, key), chance) for key, chance in kept.get("odds", {}).items()]
        for skill, odds in zip(self.answer.result.get("skills", ()), kept.get("skills", ()), strict=False):
            found += [(skill["skill"], key, chance) for key, chance in odds.items()]
        found += [("", place, chance) for place, chance in kept.get("lands", {}).items()]
        rows = [Row((how, words, chance, percent(chance))) for how, words, chance in found]
        yield from table(self.paper, rows, right=(2, 3))

    def options(self) -> Iterator[str]:
        """What skills would change that somebody may use or not, each by itself."""
        options = self.answer.result.get("options", ())
        if not options:
            return
        yield ""
        skills = all(self._is_skill(option) for option in options)
        yield self.heading("With a skill, if it is used" if skills else "If it is used")
        rows = []
        for option in options:
            who = f"{option['skill']} ({called(option['by'], self.answer.board)})"
            rows.append((who, self.change(option)))
        rows += [
            (f"{listed([one['skill'] for one in several['skills']])} together", self.change({"use": "aim"} | several))
            for several in self.answer.result.get("together", ())
        ]
        width = max(len(who) for who, _ in rows)
        for who, what in rows:
            yield from wrap(self.paper.plain(what), self.paper.width, self.paper.plain(f"  {who:<{width}}  "))

    def _is_skill(self, option: dict[str, Any]) -> bool:
        figure = self.answer.board.figure(option["by"]) if self.answer.board is not None else None
        return figure is None or option["skill"] in figure.skills

    def change(self, option: dict[str, Any]) -> str:
        """What one use of a skill comes to."""
        if option["use"] == "die":
            return "one die turned to any face"
        if "needed" in option:
            target = next(iter(option["lands"].values()), "1")
            return f"{option['needed']} or more on one die, which lands {target}"
        if "squares" in option:
            points = "one movement point more" if option["use"] == "mp" else "squares moved for nothing"
            return f"{points}: also {listed(list(option['squares']))}" if option["squares"] else f"{points}: no other square"
        if option["use"] == "reroll":
            words = [f"dice that miss with {listed([str(f) for f in option.get('faces', ())], 'or')} rolled again"]
        else:
            words = [f"{self.paper.signed(option['modifier'] - self.answer.result['modifier'])} AM"]
        if "wound" in option:
            words.append(f"S/W {option['stun']}/{option['wound']}")
        if "odds" in option:
            words.append(f"wounds {option['odds']['wound']}, only stuns {option['odds']['stun']}")
        return ", ".join(words)

    def odds(self) -> Iterator[str]:
        """The first die, and beside it the whole attack."""
        result = self.answer.result
        first = [(_CHANCES.get(key, key), chance) for key, chance in result["odds"].items()]
        whole = list(_whole(result.get("attack", {}), self.answer.board))
        dice = result.get("dice", 1)
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
        for _, found in groupby(answer.ledger, key=lambda line: replace(line, at="")):
            lines = list(found)
            first = lines[0]
            what = {
                "lock": f"locks {first.note}",
                "wound": f"wounds {first.note}".rstrip(),
                "lock from": f"locks on {first.amount}+",
                "wound from": f"wounds on {first.amount}+",
            }.get(first.unit, first.unit)
            if first.unit == "dice":
                what = f"{counted(first.amount, 'die', 'dice')} at {called(first.note, answer.board)}"
            if first.unit == "move":
                what = f"move {first.step}" if first.step else counted(first.amount, "move")
            squares = ", ".join(dict.fromkeys(line.at for line in lines))
            rows.append(Row((what, squares, self.title(first.rule)), self.source(first.rule, first.cite)))
        yield from table(self.paper, rows)
        names = [called(id, answer.board) for id in result["targets"]]
        reached = listed(names, "or") if names else "nobody it can reach"
        yield self.paper.plain(f"  target: {reached}")
        for id, squares in result.get("berserk", {}).items():
            where = f"steps to {listed(squares, 'or')}" if squares else "steps a square"
            yield from wrap(self.paper.plain(f"  {called(id, answer.board)} {where} and strikes"), self.paper.width)
        if result.get("shoots"):
            from riese_kb.roundtable import shots

            yield ""
            yield self.heading("Shots")
            yield from table(self.paper, [Row(row) for row in shots(answer)])

    def zombies(self) -> Iterator[str]:
        """The order with its ties, and all outcomes."""
        answer, result = self.answer, self.answer.result
        if not answer.ledger:
            return
        yield self.heading("Order")
        rows = []
        for line in answer.ledger:
            if not line.note:
                rows.append(Row((str(line.amount), line.unit, self.title(line.rule)), self.source(line.rule, line.cite)))
                continue
            tie = ", ".join(called(id, answer.board) for id in line.note.split(", "))
            tie += " (the player chooses the order)" if "," in tie else ""
            rows.append(Row((str(line.amount), tie, self.title(line.rule)), self.source(line.rule, line.cite)))
        yield from table(self.paper, rows, right=(0,))
        if result.get("outcomes"):
            yield ""
            yield self.heading("Where they may end")
            yield from self.outcomes(result["outcomes"])

    def rounds(self, about: Initiative | Round | Spawn) -> Iterator[str]:
        """The result in small tables, then the rules behind it."""
        from riese_kb.roundtable import amount, sections

        for heading, cells in sections(self.answer, about):
            yield self.heading(heading)
            yield from table(self.paper, [Row(row) for row in cells])
            yield ""
        yield self.heading("Why")
        yield from table(self.paper, [self.row(line, line.note, amount(line, self.paper)) for line in self.answer.ledger])
        yield from self.with_tokens()

    def outcomes(self, outcomes: list[dict[str, str]]) -> Iterator[str]:
        """The outcomes, taken apart into groups of zombies that do not depend on each other."""
        rows = []
        for block in _blocks(outcomes):
            combos = list(dict.fromkeys(tuple(outcome.get(id, _gone(self.answer, id)) for id in block) for outcome in outcomes))
            if len(block) == 1:
                rows.append((block[0], listed([c[0] for c in combos], "or")))
                continue
            for number, combo in enumerate(combos[:_MOST_ROWS]):
                words = ", ".join(f"{id} {at}" for id, at in zip(block, combo, strict=True))
                rows.append((listed(block) if number == 0 else "", words if number == 0 else f"or {words}"))
            if len(combos) > _MOST_ROWS:
                rows.append(("", f"and {len(combos) - _MOST_ROWS} more; JSON lists them all"))
        width = max((len(who) for who, _ in rows), default=0)
        for who, where in rows:
            yield from wrap(self.paper.plain(where), self.paper.width, self.paper.plain(f"  {who:<{width}}  "))


_HOW = {**TYPES, "flame": "the flamethrower"}
_AVAILABLE = "MP available"
_LATER = ("caught", "squares off")
"""Units of what happens only when the target is eliminated."""
_SAVES = ("no stun", "faces dodge a hit", "faces dull a wound")
"""Units of what takes a roll's effect off again."""


def entered(answer: Answer) -> dict[str, int]:
    """The step in which each square was first stepped into, as the ledger has it."""
    steps: dict[str, int] = {}
    for line in answer.ledger:
        if line.step and line.rule in STEPPING:
            steps.setdefault(line.at, line.step)
    return steps


STEPPING = frozenset(f"movement.{kind}" for kind in ("forward", "backward", "sideways", "diagonal-forward", "diagonal-backward"))


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
        hit = attack["bystander"]
        yield from ((f"{called(hit['figure'], board)} {word}", hit[word]) for word in ("wounded", "stunned") if word in hit)


def _gone(answer: Answer, id: str) -> str:
    """What has become of whoever is no zombie on the map."""
    figure = answer.board.figure(id) if isinstance(answer.board, Board) else None
    return "dead" if figure is None or figure.kind is Kind.ZOMBIE else "has not risen"


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
