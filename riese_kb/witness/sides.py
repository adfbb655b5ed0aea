"""What is compared: two laws that differ in one point, each as what a question adds to be asked under it."""

from __future__ import annotations

import os

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.board import Board, System
from riese_kb.catalogue import find_rule, rule_ids
from riese_kb.errors import RulesError, did_you_mean
from riese_kb.program import readings, settle
from riese_kb.question import Question
from riese_kb.team import Sheet


class Side(Struct, frozen=True):
    """One law: the readings it takes, the rules it switches off and the rule files it adds, and what to call it.

    ``game``: the question is asked under that game, on the board carried over to it (``editions``).
    """

    label: str
    under: tuple[tuple[str, str], ...] = ()
    without: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    game: System | None = None

    def on(self, sheet: Sheet, question: Question) -> Sheet:
        """The board as it stands under this law. Raises ``RieseError`` for what the game has no place for."""
        if self.game is None or sheet.system is self.game or not isinstance(sheet, Board):
            return sheet
        from riese_kb.editions import carried_over

        return carried_over(sheet, self.game, question)[0]

    def asks(self, question: Question) -> Question:
        """The question under this law."""
        return replace(question, under=self.under, without=self.without, rules=self.rules)


class Pair(Struct, frozen=True):
    """Two laws, what they differ in, and the passages of the book behind that."""

    one: Side
    other: Side
    about: str
    passages: tuple[str, ...]

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both."""
        return self.one, self.other

    @property
    def readings(self) -> frozenset[str]:
        """The readings in which they differ."""
        return frozenset(name for side in self.sides for name, _ in side.under)

    @property
    def switches(self) -> frozenset[str]:
        """The rules that one of them switches off."""
        return frozenset(rule for side in self.sides for rule in side.without)

    @property
    def games(self) -> tuple[System, ...]:
        """The games, where they are two."""
        return tuple(side.game for side in self.sides if side.game is not None)

    @property
    def files(self) -> tuple[str, ...]:
        """The rule files of both."""
        return tuple(path for side in self.sides for path in side.rules)


def pair_of(system: System, first: str, second: str | None) -> Pair:
    """What two words of the command line name. Raises ``RulesError``.

    Two games are compared with each other. One word alone is compared with the book as it is taken: a reading with its default,
    a rule with its absence, a rule file with the book without it. Two rules are compared each without the other.
    """
    one, other = (_sort(system, word) if word is not None else None for word in (first, second))
    assert one is not None
    if one == "game":
        return _games(System(first), second, other)
    if one == "reading":
        return _readings(system, first, second if other == "reading" else None, second)
    if one == "rule" and other in ("rule", None):
        return _rules(system, first, second)
    if one == "file" and other in ("file", None):
        return _files(first, second)
    fix = "name two values of one reading, two rules, two rule files, or two games"
    raise RulesError(f"{first} and {second} are not alike", fix=fix)


def _sort(system: System, word: str) -> str:
    if word in [*System]:
        return "game"
    if word.endswith((".lp", ".rules")) or os.path.isfile(word):
        return "file"
    if word in rule_ids(system):
        return "rule"
    name, equals, _ = word.partition("=")
    if equals or name in readings(system):
        return "reading"
    raise RulesError(f"no rule or reading is called {word!r}", fix=did_you_mean(word, [*readings(system), *rule_ids(system)]))


def _games(first: System, second: str | None, sort: str | None) -> Pair:
    from riese_kb.editions import sibling

    other = sibling(first)
    if sort != "game" or second != other:
        raise RulesError(f"{first} is compared with {other} only", fix=f"riese-kb witness {first} {other}")
    about = f"{first.called} and {other.called}"
    return Pair(Side(first.called, game=first), Side(other.called, game=other), about, tuple(s.called for s in (first, other)))


def _readings(system: System, first: str, second: str | None, said: str | None) -> Pair:
    name, value = _reading(system, first)
    if second is None and said is not None:
        raise RulesError(f"{first} is a reading, {said} is none", fix="name two values of one reading")
    known = readings(system)[name]
    beside = known.default if second is None else _reading(system, second)[1]
    if second is not None and _reading(system, second)[0] != name:
        raise RulesError(f"{first} and {second} are two readings", fix=f"name two values of one: {', '.join(known.values)}")
    if value == beside:
        raise RulesError(f"{name}={value} is compared with itself", fix=f"one of: {', '.join(known.values)}")
    sides = [Side(f"{name}={v}", ((name, v),)) for v in (value, beside)]
    if second is None:
        sides.reverse()
    return Pair(sides[0], sides[1], known.about, known.passages)


def _reading(system: System, said: str) -> tuple[str, str]:
    name, _, value = said.partition("=")
    known = readings(system)
    if name in known and not value and len(known[name].values) == 2:
        return name, list(known[name].values)[1]
    ((found, settled),) = settle(system, [(name, value)]).items()
    return found, settled


def _rules(system: System, first: str, second: str | None) -> Pair:
    chosen = [find_rule(system, id) for id in (first, second) if id is not None]
    passages = tuple(dict.fromkeys(rule.cite for rule in chosen if rule is not None))
    titles = [rule.title for rule in chosen if rule is not None]
    if second is None:
        return Pair(Side(f"with {first}"), Side(f"without {first}", without=(first,)), titles[0], passages)
    if first == second:
        raise RulesError(f"{first} is compared with itself", fix="name two rules, or one alone")
    one, other = Side(f"{first} alone", without=(second,)), Side(f"{second} alone", without=(first,))
    return Pair(one, other, " / ".join(titles), passages)


def _files(first: str, second: str | None) -> Pair:
    one = Side(first, rules=(first,))
    if second is None:
        return Pair(Side("the book alone"), one, f"What {first} changes", (first,))
    return Pair(one, Side(second, rules=(second,)), f"What {first} and {second} make of it", (first, second))
