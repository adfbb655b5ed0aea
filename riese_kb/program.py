"""Putting a logic program together: a query, the chapters it names, and the tables as facts.

A query file under ``queries/`` names its chapters in a line ``% chapters: …``. A chapter is a file of that name in
``logic/core``, ``logic/escape`` (shared by the two Escape games) or the game's own folder; all that exist are taken, in
that order. A comment ``% @rule id`` before a block makes ``id`` a switch.

A scenario is laid over a query: its special rules, ``logic/<game>/scenarios/<number>.lp``, join the program, with chapters
that they name in turn, and with ``overlay.lp``, which tells what they take precedence over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Any

from msgspec import Struct

from riese_kb.board import System
from riese_kb.errors import RulesError, did_you_mean
from riese_kb.facts import Name, fact
from riese_kb.pruning import Prunable, Rule, rules_of, statements
from riese_kb.settling import asks_reading, open_text, settle_text
from riese_kb.store import kept, read_toml
from riese_kb.tables import data_root, unarmed

_RULE = re.compile(r"^%\s*@rule\s+(\S+)", re.M)
_SWITCH = re.compile(r'in_force\(W,"([^"]+)"\)')
_CHAPTERS = re.compile(r"^%\s*chapters:(.*)$", re.M)
_READING = re.compile(r"\b(?:reading|chosen)\(W,([a-z_0-9]+),")


class Program(Struct, frozen=True, dict=True):
    """One query's program: its text without comments, its rule ids, and the readings it can be asked under."""

    system: System
    query: str
    text: str
    rules: frozenset[str]
    readings: frozenset[str]
    files: tuple[str, ...]
    scenario: str = ""

    @cached_property
    def tells(self) -> bool:
        """Whether it says which contested points come up."""
        return "#show matters/2." in self.text

    @cached_property
    def prunable(self) -> Prunable:
        """The program with every switch and reading open."""
        parts = kept(
            "parts", self.sources, lambda: Prunable.parse(self.text).rules, self.query, self.scenario, form=tuple[Rule, ...]
        )
        return Prunable(parts, self.text)

    @cached_property
    def differing(self) -> Prunable:
        """The program for worlds that differ in switches or readings."""
        parts = kept(
            "differing",
            self.sources,
            lambda: Prunable.parse(open_text(self.text)).rules,
            self.query,
            self.scenario,
            form=tuple[Rule, ...],
        )
        return Prunable(parts, "")

    @cached_property
    def sources(self) -> list[str]:
        """The files that it was made from: the logic, the tables, and the code that takes it apart."""
        return _sources(self.files, self.system)

    def settled(self, chosen: tuple[tuple[str, str], ...]) -> Prunable:
        """The program for worlds that switch nothing off and all choose these readings."""
        return _settled(self, chosen, frozenset())

    def contested(self, names: Iterable[str]) -> Prunable:
        """The program for worlds that switch nothing off and differ in these readings alone; what they share is the default.

        A reading in which worlds once differed stays open, so that the program is soon the same for all.
        """
        self._open.update(names)
        return _settled(self, (), frozenset(self._open))

    @cached_property
    def _open(self) -> set[str]:
        return set()

    @cached_property
    def _uncontested(self) -> tuple[Rule, ...]:
        """Its statements that mention no reading, with every switch decided."""

        def make() -> tuple[Rule, ...]:
            plain = "\n".join(f"{statement}." for statement in statements(self.text) if not asks_reading(statement))
            return tuple(rules_of(settle_text(plain, {})))

        return kept("uncontested", self.sources, make, self.query, self.scenario, form=tuple[Rule, ...])  # type: ignore[no-any-return]

    @cached_property
    def _disputed(self) -> str:
        """Its statements that mention readings."""
        return "\n".join(f"{statement}." for statement in statements(self.text) if asks_reading(statement))

    def ruled(self, values: Mapping[str, str]) -> Prunable:
        """The program with every switch decided, and these readings."""
        return Prunable.of([*self._uncontested, *rules_of(settle_text(self._disputed, values))])


_SETTLED: dict[tuple[int, tuple[tuple[str, str], ...], frozenset[str]], Prunable] = {}


def _settled(law: Program, chosen: tuple[tuple[str, str], ...], left: frozenset[str]) -> Prunable:
    key = (id(law), chosen, left)
    if key not in _SETTLED:
        if len(_SETTLED) > 256:
            _SETTLED.clear()
        values = {name: reading.default for name, reading in readings(law.system).items() if name not in left} | dict(chosen)
        if chosen or left:
            _SETTLED[key] = law.ruled(values)
        else:  # only the everyday case is worth keeping between runs
            rules = kept("settled", law.sources, lambda: law.ruled(values).rules, law.query, law.scenario, form=tuple[Rule, ...])
            _SETTLED[key] = Prunable(rules, "")
    return _SETTLED[key]


@cache
def program(system: System, query: str, scenario: str = "") -> Program:
    """The program of ``queries/<query>.lp`` for one game, under the special rules of a scenario where one is given.

    Raises ``RulesError`` when a chapter is nowhere to be found.
    """
    files = _files(system, query, scenario)
    plain = kept("program", _sources(files, system), lambda: _put_together(system, files), query, scenario)
    return Program(
        system,
        query,
        plain["text"],
        frozenset(plain["rules"]),
        frozenset(plain["readings"]),
        files,
        scenario,
    )


def overlay(system: System) -> str:
    """What tells of a rule that another one takes precedence over; rule files of the house are laid over with it, too."""
    with open(_scenario_file(system, "overlay"), encoding="utf-8") as stream:
        return _without_comments(stream.read())


def _scenario_file(system: System, name: str) -> str:
    return os.path.join(data_root(), "logic", system, "scenarios", f"{name}.lp")


def _sources(files: tuple[str, ...], system: System) -> list[str]:
    folder = os.path.join(data_root(), "rules", system)
    code = os.path.dirname(os.path.abspath(__file__))
    names = ("readings", "modifiers") if system.on_rings else ("readings", "movement_table", "modifiers", "armoury")
    tables = [os.path.join(folder, f"{name}.toml") for name in names]
    return [
        *files,
        *tables,
        os.path.join(code, "program.py"),
        os.path.join(code, "pruning.py"),
        os.path.join(code, "settling.py"),
    ]


def _put_together(system: System, files: tuple[str, ...]) -> dict[str, Any]:
    sources = []
    for path in files:
        with open(path, encoding="utf-8") as stream:
            sources.append(stream.read())
    # A chapter may ask for the switch of a rule that stands in another one.
    rules = sorted({rule for source in sources for found in (_RULE, _SWITCH) for rule in found.findall(source)})
    names = sorted({name for source in sources for name in _READING.findall(source)})
    defaults = readings(system)
    texts = [_without_comments(source) for source in sources]
    texts += [fact("rule", rule) for rule in rules]
    texts += [fact("default", Name(n), Name(defaults[n].default)) for n in names]
    texts.append(table_facts(system))
    text = "\n".join(texts)
    return {"text": text, "rules": rules, "readings": names}


def _files(system: System, query: str, scenario: str) -> tuple[str, ...]:
    root = data_root()
    path = os.path.join(root, "queries", f"{query}.lp")
    laid_over = [_scenario_file(system, name) for name in ("overlay", scenario)] if scenario else []
    found: list[str] = []
    for chapter in dict.fromkeys((*_always(system), *(chapter for file in (path, *laid_over) for chapter in _named(file)))):
        here = [os.path.join(root, "logic", folder, f"{chapter}.lp") for folder in system.folders]
        there = [p for p in here if os.path.isfile(p)]
        if not there and not _elsewhere(chapter):
            raise RulesError(f"no chapter {chapter!r} under logic/", file=path)
        found += there
    return (*found, *laid_over, path)


def _elsewhere(chapter: str) -> bool:
    """Whether the chapter is one of other games."""
    return any(
        os.path.isfile(os.path.join(data_root(), "logic", folder, f"{chapter}.lp")) for s in System for folder in s.folders
    )


def _always(system: System) -> tuple[str, ...]:
    """The chapters that every question needs."""
    return ("world",) if system.on_rings else ("world", "grid", "precedence")


def _named(path: str) -> list[str]:
    """The chapters that a file asks for."""
    with open(path, encoding="utf-8") as stream:
        found = _CHAPTERS.search(stream.read())
    return found.group(1).split() if found else []


_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|%\*.*?\*%|%[^\n]*', re.S)


def _without_comments(source: str) -> str:
    text = _COMMENT.sub(lambda m: m.group(1) or "", source)
    return "\n".join(line for line in (line.strip() for line in text.splitlines()) if line)


class Reading(Struct, frozen=True):
    """A point the book leaves open: what is open, the readings (default first) with their meaning, and the reason."""

    id: str
    about: str
    passages: tuple[str, ...]
    values: dict[str, str]
    reason: str
    says: dict[str, tuple[str, str]] = {}
    """By value: a passage that states it outright, and the fingerprint of its wording."""

    @property
    def default(self) -> str:
        """The value in force unless a question says otherwise."""
        return next(iter(self.values))


@cache
def readings(system: System) -> dict[str, Reading]:
    """``rules/<system>/readings.toml``, by id; ``like`` names a game whose book leaves the same open, with the same readings."""
    found = {}
    for name, table in _points(system).items():
        told = {**_points(table["like"])[name], **table} if "like" in table else table
        says = {value: (cite, mark) for value, (cite, mark) in table.get("says", {}).items()}
        found[name] = Reading(name, told["about"], tuple(told["passages"]), dict(told["values"]), told["reason"], says)
    return found


def _points(system: System) -> dict[str, Any]:
    return read_toml(os.path.join(data_root(), "rules", system, "readings.toml"))


def settle(system: System, under: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What a question says after ``under`` as {reading: value}; raises ``RulesError`` with the nearest spelling.

    Either half may be missing: a value alone is enough where only one reading has it, a name alone never is.
    """
    known = readings(system)
    settled: dict[str, str] = {}
    for said in under:
        name, value = said
        if not name or (not value and name not in known):
            name, value = _by_value(known, value or name)
        if name not in known:
            raise RulesError(f"no reading is called {name!r}", fix=did_you_mean(name, known))
        if value not in known[name].values:
            offered = ", ".join(known[name].values)
            raise RulesError(
                f"reading {name} has no value {value!r}" if value else f"reading {name} needs a value",
                fix=f"one of: {offered}",
            )
        if settled.setdefault(name, value) != value:
            raise RulesError(f"reading {name} is asked for twice, as {settled[name]} and as {value}")
    return settled


def _by_value(known: dict[str, Reading], value: str) -> tuple[str, str]:
    owners = [name for name, reading in known.items() if value in reading.values]
    if len(owners) == 1:
        return owners[0], value
    if owners:
        raise RulesError(
            f"{value!r} could be {' or '.join(f'{o}={value}' for o in owners[:6])}",
            fix=f"say for example under {owners[0]}={value}",
        )
    raise RulesError(
        f"no reading is called {value!r}",
        fix=did_you_mean(value, [*known, *(v for r in known.values() for v in r.values)]),
    )


@cache
def table_facts(system: System) -> str:
    """The numbers of ``movement_table.toml`` and ``modifiers.toml`` as facts; the one place where they enter the logic.

    Games on rings have only the latter.
    """
    folder = os.path.join(data_root(), "rules", system)
    if system.on_rings:
        numbers = read_toml(os.path.join(folder, "modifiers.toml"))["number"]
        return "\n".join(fact("number", rule, n) for rule, n in numbers.items())
    moves = read_toml(os.path.join(folder, "movement_table.toml"))
    mods = read_toml(os.path.join(folder, "modifiers.toml"))
    facts = [fact("mp_cost", rule, Name(mode), n) for rule, row in moves["mp_cost"].items() for mode, n in row.items()]
    facts += [fact("base_mp", Name(mode), n) for mode, n in moves["base_mp"].items()]
    facts += [fact("howl_mp", Name(mode), n) for mode, n in moves.get("howl_mp", {}).items()]
    facts += [fact("jump", low, high, wounds, Name(end)) for low, high, wounds, end in moves.get("jump", {}).values()]
    facts += [fact("fire_wounds", moves["fire"]["wounds"])]
    facts += [fact("am", rule, n) for rule, n in {**mods["am"], **mods["lof"]}.items()]
    facts += [fact("threat_effect", rule, level, n) for rule, (level, n) in mods.get("threat", {}).items()]
    facts += [fact("limit", rule, n) for rule, n in mods["limit"].items()]
    bare = unarmed(system)
    values = {"stun": bare.h2h_stun, "wound": bare.h2h_wound, "rof": mods["limit"]["h2h.rate"]}
    facts += [fact("unarmed", Name(key), n) for key, n in values.items()]
    facts += [fact("saves_on", rule, low, high) for rule, (low, high) in mods["roll"].items()]
    facts += [fact("initiative_bonus", skill, n) for skill, n in mods.get("initiative", {}).items()]
    return "\n".join(facts)
