"""What can be looked up about rules and readings: exceptions, open points, the boards that keep and break a rule."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from riese_kb.board import System
from riese_kb.catalogue import Rule, rule_ids, rules
from riese_kb.errors import RulesError, did_you_mean
from riese_kb.program import Reading, readings
from riese_kb.store import read_toml
from riese_kb.tables import data_root


class Case(Struct, frozen=True):
    """One question about a shipped board, and the sentence that says what it shows."""

    board: str
    ask: str
    shows: str

    def to_json(self) -> dict[str, str]:
        """Board, question and sentence."""
        return {"board": self.board, "ask": self.ask, "shows": self.shows}


class Entry(Struct, frozen=True):
    """All about one rule. ``exceptions`` are the rules that override it, ``open`` the readings that touch it."""

    rule: Rule
    exceptions: tuple[str, ...]
    open: tuple[str, ...]
    keeps: tuple[Case, ...]
    breaks: tuple[Case, ...]
    system: System

    def to_json(self) -> dict[str, Any]:
        """Plain data, for scripts."""
        rule = self.rule
        return {
            "id": rule.id,
            "title": rule.title,
            "says": rule.says,
            "broken": rule.broken,
            "cite": rule.cite,
            "kind": str(rule.kind),
            "subject": rule.subject,
            "overrides": list(rule.overrides),
            "overridden_by": list(self.exceptions),
            "readings": list(self.open),
            "keeps": [case.to_json() for case in self.keeps],
            "breaks": [case.to_json() for case in self.breaks],
        }


def entry(system: System, id: str) -> Entry:
    """Everything about one rule; raises ``RulesError`` with the nearest id."""
    found = rules(system).get(id)
    if found is None:
        raise RulesError(f"no rule is called {id!r}", fix=did_you_mean(id, rule_ids(system)))
    exceptions = tuple(other.id for other in rules(system).values() if id in other.overrides)
    open_points = tuple(name for name, touched in _touched(system).items() if id in touched)
    keeps, breaks = tuple(_cases(system, id, "uses", "keeps")), tuple(_cases(system, id, "breaks"))
    return Entry(found, exceptions, open_points, keeps, breaks, system)


def touched_by(system: System, reading: str) -> tuple[str, ...]:
    """The ids of the rules whose meaning hangs on a reading."""
    return tuple(sorted(_touched(system).get(reading, ())))


def reading(system: System, name: str) -> Reading:
    """One open point; raises ``RulesError`` with the nearest name."""
    known = readings(system)
    if name not in known:
        raise RulesError(f"no reading is called {name!r}", fix=did_you_mean(name, known))
    return known[name]


# --- the boards -----------------------------------------------------------------------------------------------------


def _cases(system: System, id: str, *keys: str) -> Iterator[Case]:
    for board, question in shown(system):
        if any(id in question.get(key, ()) for key in keys):
            yield Case(board, question["ask"], question.get("shows", ""))


@cache
def shown(system: System) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """All questions of the shipped boards; a board is named from ``queries/`` on, which is where one can type it."""
    folder = os.path.join(data_root(), "queries", system)
    found = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".questions.toml"):
            about = name.removesuffix(".questions.toml")
            kind = "team" if os.path.exists(os.path.join(folder, f"{about}.team.toml")) else "board"
            board = os.path.join("queries", system, f"{about}.{kind}.toml")
            found += [(board, question) for question in read_toml(os.path.join(folder, name)).get("question", ())]
    return tuple(found)


# --- the logic ------------------------------------------------------------------------------------------------------

_RULE = re.compile(r"%\s*@rule\s+(\S+)")
_NAMED = re.compile(r'"([a-z0-9-]+\.[a-z0-9-]+)"')


@cache
def _touched(system: System) -> Mapping[str, frozenset[str]]:
    """The rules that each reading touches: those in whose statements or blocks the logic asks for it, or for what hangs
    on it and on no rule.
    """
    known = rule_ids(system)
    statements = []
    for path in _programs(system):
        with open(path, encoding="utf-8") as file:
            statements += [(set(_NAMED.findall(text)) & known or ids & known, text) for ids, text in _statements(file.read())]
    return {name: frozenset(_rules_under(rf"(?:reading|chosen)\(W,{name}", statements)) for name in readings(system)}


def _rules_under(asked: str, statements: list[tuple[set[str], str]]) -> Iterator[str]:
    """The rules of the statements that ask for a predicate; where none does, of those that ask for what hangs on it."""
    sought = {asked}
    for _ in range(3):
        found = [
            (ids, head)
            for ids, text in statements
            for head, _, body in [text.partition(":-")]
            if not head.startswith("matters(") and any(re.search(rf"\b{pattern}\b", body) for pattern in sought)
        ]
        if any(ids for ids, _ in found):
            yield from (id for ids, _ in found for id in ids)
            return
        sought = {re.escape(head.split("(")[0].strip()) + r"\(" for _, head in found}


def _statements(source: str) -> Iterator[tuple[set[str], str]]:
    """Every statement with the rules that the block it stands in begins with."""
    ids: set[str] = set()
    heading = False
    statement = ""
    for line in source.splitlines():
        rule = _RULE.match(line)
        if rule:
            ids = ids | {rule[1]} if heading else {rule[1]}
            heading = True
        elif not line.strip():
            ids, heading = set(), False
        elif not line.lstrip().startswith("%"):
            heading = False
            statement += line.split(" %")[0] + " "
            if statement.rstrip().endswith("."):
                yield ids, statement
                statement = ""


def _programs(system: System) -> Iterator[str]:
    root = data_root()
    folders = [os.path.join(root, "logic", part) for part in ("core", "escape", system)]
    for folder in (*folders, os.path.join(root, "queries")):
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if name.endswith(".lp"):
                yield os.path.join(folder, name)
