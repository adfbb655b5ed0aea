"""An example told in the style of a field manual, from the phrases in ``rules/*/phrases.toml``; all numbers are the answer's."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.answer import Answer, Line
from riese_kb.asking import ask
from riese_kb.board import MAIN, Board, EdgeKind, Figure, Kind, Square, System, Terrain, square_name
from riese_kb.catalogue import find_rule
from riese_kb.language import format_question
from riese_kb.ledger import Numbers
from riese_kb.program import readings
from riese_kb.question import Can, CanTo, Exit, Question
from riese_kb.rings import RingBoard
from riese_kb.ringtext import ring_sentence
from riese_kb.store import read_toml
from riese_kb.tables import data_root
from riese_kb.team import Sheet, Team
from riese_kb.typeset import Paper, counted, listed
from riese_kb.verdicts import called, question_of, sentence


class Sentence(Struct, frozen=True):
    """One step of the working: what is said, and in the margin the rule and its place in the book."""

    text: str
    rule: str = ""
    cite: str = ""


class Told(Struct, frozen=True):
    """An answer in words."""

    situation: str
    question: str
    steps: tuple[Sentence, ...]
    verdict: str
    ties: str = ""


def told(answer: Answer, silent: Sequence[str] = ()) -> Told:
    """The answer about a board, a team or a board of rings, in words.

    ``silent`` are rules that decide and that the answer does not name: what it would be without each is asked and told.
    """
    sheet = answer.board or answer.rings or answer.team
    assert sheet is not None, "an answer keeps what it was asked about"
    found = phrases(answer.system)
    if isinstance(sheet, RingBoard):
        from riese_kb.examples.ringprose import ring_told

        words = ring_told(answer, sheet, found)
    else:
        said = _Words(answer, found)
        before = " ".join((*situation(sheet, found), *_terms(answer, said.question, found)))
        words = Told(before, said.question_text(), tuple(said.steps()), said.verdict())
    return replace(words, steps=(*words.steps, *_without(answer, sheet, silent, found))) if silent else words


def _terms(answer: Answer, question: Question | None, found: Mapping[str, Any]) -> Iterator[str]:
    """The readings and the rules switched off under which an example stands."""
    say = found["situation"]
    if question is not None:
        for name, value in question.under:
            point = readings(System(answer.system))[name]
            yield say["under"].format(about=point.about, says=point.values[value])
        for rule in question.without:
            yield say["without"].format(title=heading(answer.system, [rule]))


def _without(answer: Answer, sheet: Sheet, rules: Sequence[str], found: Mapping[str, Any]) -> Iterator[Sentence]:
    """For each rule what the answer would be without it, or which reasons it would have."""
    question = question_of(answer)
    assert question is not None, "an example has a question"
    say = found["step"]
    for rule in rules:
        less = replace(question, without=(*question.without, rule), language=answer.language)
        other = ask(sheet, replace(less, text=format_question(less)))
        known = find_rule(answer.system, rule)
        title, cite = (known.titled(answer.language), known.cite) if known is not None else (rule, "")
        verdicts = [_bare(one, question, sheet) for one in (other, answer)]
        then, now = ({*_rules_of(one)} for one in (other, answer))
        if verdicts[0] != verdicts[1]:
            text = say["but"].format(title=title, verdict=verdicts[0])
        elif then != now:
            form = say["but_for"] if then - now else say["but_not"]
            text = form.format(title=title, others=_titles(answer, then - now or now - then))
        else:
            text = say["but_other"].format(title=title)
        yield Sentence(text, rule, cite)


def _titles(answer: Answer, rules: Iterable[str]) -> str:
    last = "und" if answer.language == "de" else "and"
    return listed([heading(answer.system, [rule], answer.language) for rule in sorted(rules)], last)


def _rules_of(answer: Answer) -> Iterator[str]:
    yield from (line.rule for line in answer.ledger)
    yield from (v.rule for v in answer.violations)


def _bare(answer: Answer, question: Question, sheet: Sheet) -> str:
    """The verdict in a sentence, without the terms of the question."""
    if isinstance(sheet, RingBoard):
        return ring_sentence(answer)
    return sentence(answer, replace(question, under=(), without=()))


def phrases(system: str) -> Mapping[str, Any]:
    """The phrases of a game; both Escape games share those of Riese."""
    path = os.path.join(data_root(), "rules", system, "phrases.toml")
    return read_toml(path if os.path.isfile(path) else os.path.join(data_root(), "rules", MAIN, "phrases.toml"))


# --- the situation ----------------------------------------------------------------------------------------------------


def situation(sheet: Sheet, found: Mapping[str, Any]) -> Iterator[str]:
    """Who stands where, on what ground, and what else is the case, each once."""
    say = found["situation"]
    if isinstance(sheet, Team):
        for member in sheet.members:
            yield say["member"].format(name=member.name, more=_more(member, found))
        return
    assert isinstance(sheet, Board)
    for figure in sheet.figures:
        yield _figure(sheet, figure, found)
    for ground in Terrain:
        squares = [square_name(s) for s, kind in sorted(sheet.terrain.items(), key=lambda p: p[0][::-1]) if kind is ground]
        if squares and ground.name in found["ground"]:
            text = say["terrain"].format(squares=_some(squares), ground=found["ground"][ground.name], **{"is": _are(squares)})
            yield text
    yield from _edges(sheet, found)
    for marker in sheet.markers:
        label = f" {marker.label}" if marker.label else ""
        yield say["marker"].format(at=square_name(marker.at), thing=f"{_an(marker.kind.replace('_', ' '))} marker{label}")
    if sheet.darkness:
        yield say["dark"]
    if sheet.threat:
        yield say["threat"].format(threat=sheet.threat)
    if sheet.round > 1:
        yield say["round"].format(round=sheet.round)
    if sheet.scratch:
        yield say["scratch"].format(scratch=counted(sheet.scratch, "scratch token"))
    if sheet.notes:
        yield say["note"].format(notes=listed(sheet.notes))
    for weapon in sheet.weapons:
        if weapon.supplied and None not in (weapon.stun, weapon.wound, weapon.rof, weapon.pbr, weapon.rm):
            values = {key: getattr(weapon, key) for key in ("name", "stun", "wound", "rof", "pbr", "rm")}
            yield say["weapon"].format(**values)


def _edges(board: Board, found: Mapping[str, Any]) -> Iterator[str]:
    for (a, b), kind in sorted(board.edges.items(), key=lambda pair: pair[0]):
        inside = a in board.terrain and b in board.terrain
        if kind.name in found["edge"] and (inside or kind is not EdgeKind.WALL):
            one, other = (square_name(s) if s in board.terrain else "the rim" for s in (a, b))
            yield found["situation"]["edge"].format(one=one, other=other, thing=found["edge"][kind.name])


def _figure(board: Board, figure: Figure, found: Mapping[str, Any]) -> str:
    name = figure.name.split()[0] if figure.name and figure.kind is Kind.HERO else called(figure.id, board)
    word = figure.kind if figure.kind in (Kind.HERO, Kind.NPC, Kind.ZOMBIE) else "other"
    values = {"name": name, "at": square_name(figure.at), "facing": figure.facing or "north", "type": _kind(figure)}
    return _capital(str(found["situation"][word]).format(more=_more(figure, found), **values))


def _kind(figure: Figure) -> str:
    if figure.kind is not Kind.ZOMBIE:
        return str(figure.type or figure.kind)
    return _an(f"{figure.type or 'beta'} zombie")


def _more(figure: Any, found: Mapping[str, Any]) -> str:
    parts = []
    for key, phrase in found["more"].items():
        value = getattr(figure, key, None)
        if value is None or value in ((), 0, "none"):
            continue
        if isinstance(value, tuple):
            value = listed(str(one) for one in value)
        parts.append(phrase.format(value=value))
    return "".join(f", {part}" for part in parts)


# --- the working ------------------------------------------------------------------------------------------------------


_ARTICLE = re.compile(r"\b(open|close|force|unlock) (door|cabinet)\b")


class _Words(Numbers):
    def __init__(self, answer: Answer, found: Mapping[str, Any]) -> None:
        super().__init__(answer, Paper())
        self.phrases = found
        self.say: Mapping[str, str] = found["step"]

    def question_text(self) -> str:
        """The question as a sentence."""
        about: Any = self.question.about if self.question is not None else None
        template = self.phrases["question"].get(type(about).__name__)
        if template is None or self.question is None:
            return str(self.phrases["question"]["other"]).format(text=self.answer.ask)
        values = {name: self._asked(getattr(about, name)) for name in about.__struct_fields__}
        if isinstance(about, Can | CanTo):
            declared = about.declared
            rest = [str(action) for action in about.actions] if isinstance(about, Can) else [_goal(about.to)]
            steps = isinstance(about, CanTo) or rest[0].startswith(("forward", "backward", "left", "right"))
            verbs = {"walking": "walk", "running": "run"} if steps else {"walking": "(walking)", "running": "(running)"}
            values |= {"verb": verbs.get(str(declared), "")}
            values |= {"rest": _ARTICLE.sub(r"\1 the \2", ", then ".join(rest))}
        values |= {"moving": str(getattr(about, "declared", None) or "walking")}
        text = " ".join(str(template).format(**values).split())
        suffix = [f"scenario {number}" for number in self.question.scenarios]
        return f"{text[:-1]} in {listed(suffix)}?" if suffix else text

    def _asked(self, value: Any) -> str:
        if isinstance(value, tuple) and len(value) == 2 and all(isinstance(one, int) for one in value):
            return square_name(value)
        if isinstance(value, tuple):
            return listed([self._asked(one) for one in value])
        if isinstance(value, str) and self.answer.team is not None:
            member = self.answer.team.member(value)
            return member.name if member is not None else value
        if isinstance(value, str):
            name = called(value, self.answer.board)
            items = self.answer.board is not None and self.answer.board.figure(value) is None
            return _an(value) if items and value[:1].isupper() and value.isalpha() else name
        return str(value)

    def verdict(self) -> str:
        """The answer in a sentence."""
        return sentence(self.answer, self.question)

    def steps(self) -> Iterator[Sentence]:
        """Every number with its rule, then what is broken, then what it comes to."""
        ledger = _once(sorted(self.answer.ledger, key=lambda line: line.step))
        cards: dict[tuple[str, str, str], list[Line]] = {}
        for line in ledger:
            if line.unit in ("stun", "wound") and not line.step:
                cards.setdefault((line.rule, line.note, line.at), []).append(line)
        pairs = {id(lines[0]): lines for lines in cards.values() if len(lines) == 2 and lines[0].unit != lines[1].unit}
        second = {id(lines[1]) for lines in pairs.values()}
        for line in ledger:
            if id(line) in pairs:
                yield self._card(sorted(pairs[id(line)], key=lambda one: one.unit != "stun"))
            elif id(line) not in second:
                yield self._line(line)
        for v in self.answer.violations:
            where = f"{v.at}: " if v.at else ""
            form = self.say["broken"] if v.step else self.say["barred"]
            yield Sentence(form.format(action=self._step(v.step), says=v.says, where=where), v.rule, v.cite)
        yield from map(Sentence, self._result())

    def _card(self, lines: Sequence[Line]) -> Sentence:
        values = "/".join(str(line.amount) for line in lines)
        return Sentence(self.say["card"].format(note=lines[0].note or "Card", n=values), lines[0].rule, lines[0].cite)

    def _line(self, line: Line) -> Sentence:
        title, amount = self.title(line.rule), self._amount(line)
        where = f", {line.at}" if line.at else ""
        note = f", {self._names(line.note)}" if line.note else ""
        if line.unit == "MP available":
            text = self.say["budget"].format(title=title, n=line.amount)
        elif line.unit in ("MP", "wound") and line.step:
            cost = line.amount if line.unit == "MP" else amount
            text = self.say[line.unit].format(action=self._step(line.step), n=cost, title=title)
        elif line.unit == "AM" and not line.amount:
            text = self.say["no_AM"].format(title=title, where=where)
        elif line.unit == "AM":
            text = self.say["AM"].format(title=title, where=where, n=amount)
        elif amount and line.amount:
            text = self.say["plain"].format(title=title, where=where, note=note, n=amount)
        elif amount:
            text = self.say["plain"].format(title=title, where=where, note=note, n=amount.removeprefix("0 "))
        else:
            text = self.say["bare"].format(title=title, where=where, note=note)
        return Sentence(text, line.rule, line.cite)

    def _amount(self, line: Line) -> str:
        """The amount; more than one move are moves."""
        many = self.phrases["plural"].get(line.unit)
        return f"{line.amount} {many}" if many and abs(line.amount) != 1 else self.amount(line)

    def _names(self, note: str) -> str:
        return called(note, self.answer.board)

    def _step(self, number: int) -> str:
        actions = self._actions()
        return _capital(actions[number - 1]) if 0 < number <= len(actions) else f"Step {number}"

    def _result(self) -> Iterator[str]:
        result, say = self.answer.result, self.say
        if "spent" in result and "mp" in result and self.answer.verdict == "legal" and result["mp"] is not None:
            costs = [line.amount for line in self.answer.ledger if line.unit == "MP" and line.step]
            together = " + ".join(map(str, costs)) + f" = {result['spent']}" if len(costs) > 1 else str(result["spent"])
            if costs and sum(costs) == result["spent"]:
                form = say["spent" if len(costs) > 1 else "spent_one"]
                yield form.format(sum=together, mp=result["mp"], left=result["mp"] - result["spent"])
        if "modifier" in result and self.answer.ledger:
            several = sum(line.unit == "AM" for line in self.answer.ledger) != 1
            if several:
                yield say["total"].format(n=self.paper.signed(result["modifier"]))
        card = [line.amount for line in self.answer.ledger if line.unit in ("stun", "wound")]
        if "wound" in result and len(card) == 2 and result.get("modifier"):
            after = f"{result['stun']}/{result['wound']}"
            yield say["modified"].format(before="/".join(map(str, card)), after=after)
        odds = result.get("odds")
        if isinstance(odds, dict) and odds and not result.get("impossible"):
            yield say["odds"].format(odds=", ".join(f"{what} {chance}" for what, chance in odds.items()))
        if "squares" in result and isinstance(result["squares"], list) and result["squares"]:
            yield say["line"].format(squares=listed(result["squares"]))
        if "moves" in result:
            yield from self._moves()
        lands = result.get("lands", {})
        for at, chance in [*lands.items()][:1]:
            yield say["lands"].format(at=at, chance=chance)

    def _moves(self) -> Iterator[str]:
        result, say = self.answer.result, self.say
        if result.get("targets") and result["moves"]:
            yield say["target"].format(who=listed([self._names(id) for id in result["targets"]], "or"))
        for number, squares in enumerate(result["moves"], 1):
            yield say["move"].format(number=number, squares=_some(squares, "or"))
        if result.get("stays"):
            yield say["stays"]
        if result.get("attacks"):
            yield say["attacks"].format(who=listed([self._names(id) for id in result["attacks"]], "or"))


def _once(lines: Sequence[Line]) -> list[Line]:
    """Lines that say the same of several squares as one."""
    found: dict[Line, list[str]] = {}
    for line in lines:
        found.setdefault(replace(line, at=""), []).append(line.at)
    return [replace(line, at=_some([*dict.fromkeys(filter(None, places))])) for line, places in found.items()]


def _goal(to: Square | Exit) -> str:
    return f"off the map at {square_name(to.square)}" if isinstance(to, Exit) else f"to {square_name(to)}"


_FEW = 8


def _some(names: Sequence[str], last: str = "and") -> str:
    """A list, cut short where nobody would read it."""
    return listed(names, last) if len(names) <= _FEW else f"{', '.join(names[:_FEW])} and {len(names) - _FEW} others"


def _are(things: Sequence[object]) -> str:
    return "is" if len(things) == 1 else "are"


def _an(thing: str) -> str:
    return f"{'an' if re.match('[aeiouAEIOU]', thing) else 'a'} {thing}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def heading(system: str, rules: Sequence[str], lang: str = "en") -> str:
    """The titles of the rules that an example is about."""
    titles = [found.titled(lang) if (found := find_rule(system, id)) is not None else id for id in rules]
    return " · ".join(titles)
