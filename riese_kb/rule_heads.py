"""What a rule file of the house may derive: which predicates, and with what in their places.

The book's own predicates that are not listed here are not derived by rule files: a second budget or a second place for a
figure would not be another rule but a contradiction. Names that the book does not use are the file's own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from riese_kb.board import System
from riese_kb.catalogue import rule_ids
from riese_kb.errors import did_you_mean
from riese_kb.store import kept
from riese_kb.tables import data_root

if TYPE_CHECKING:
    from clingo.ast import AST

UNITS = ("MP", "wound", "AM")
_PLACES = ("edge", "corner", "between", "barricade", "decoy")
"""Terms of the logic that name a place."""
FORMS: dict[str, tuple[str, ...]] = {
    "violation": ("world", "rule", "place", "step"),
    "charge": ("world", "rule", "place", "step", "number", "unit", "flank"),
    "surcharge": ("world", "rule", "square", "number", "unit"),
    "begins_with": ("world", "rule", "number"),
    "fewer_points": ("world", "rule", "number"),
    "forbids": ("world", "rule", "figure"),
    "undeclarable": ("world", "rule"),
    "bars": ("world", "rule", "any", "square", "square"),
    "shuts": ("world", "rule", "square"),
    "without_zone": ("world", "figure"),
    "hurries": ("world", "number"),
    "idle": ("world", "rule"),
    "off": ("world", "rule"),
    "defeats": ("world", "rule", "rule", "any"),
}
"""Predicates of the book that rule files add to, with the sort of each argument."""

_WANTED = {
    "world": "the world, a variable (W)",
    "rule": "the id of a rule in quotation marks",
    "place": "a square (X,Y), an edge, or a figure",
    "square": "a square (X,Y)",
    "figure": "a figure",
    "step": "a step, a number",
    "number": "a number",
    "unit": 'a unit: "MP", "wound" or "AM"',
    "flank": "a square, or none",
}


class Clause(Struct, frozen=True):
    """One rule of a file, as far as checks need it: what it derives, for which rule id, and what it asks."""

    line: int
    head: str
    id: str = ""
    asks: frozenset[str] = frozenset()
    denies: frozenset[str] = frozenset()
    asks_force: frozenset[str] = frozenset()
    """Ids of rules that its body asks to be in force."""
    counts_on: bool = False
    """Whether it derives a predicate from itself with arithmetic or a larger term."""


def head_faults(head: AST, titles: Mapping[str, str]) -> list[str]:
    """What is wrong with the head of a rule, in words of ours."""
    kind = head.ast_type.name
    if kind != "Literal":
        return ["choices and disjunctions are not allowed: rules have one head"]
    if head.atom.ast_type.name == "BooleanConstant":
        return ['constraints are not allowed: derive violation(W,"rule-id",At,Step) instead']
    if head.sign:
        return ["negated heads are not allowed"]
    if head.atom.ast_type.name != "SymbolicAtom":
        return ["a comparison cannot be derived"]
    symbol = head.atom.symbol
    if symbol.ast_type.name != "Function":
        return ["negated heads are not allowed" if symbol.ast_type.name == "UnaryOperation" else "a pool cannot be derived"]
    return list(_form_faults(symbol.name, list(symbol.arguments), titles))


def _form_faults(name: str, arguments: list[AST], titles: Mapping[str, str]) -> Iterator[str]:
    form = FORMS.get(name)
    if form is None:
        if name in book_words():
            yield f"{name} belongs to the book's rules and is not derived by a rule file (docs/house-rules.md lists what is)"
        return
    if len(arguments) != len(form):
        yield f"{name} has {len(form)} arguments ({', '.join(form)}), not {len(arguments)}"
        return
    for place, (sort, argument) in enumerate(zip(form, arguments, strict=True), 1):
        if not _fits(sort, argument):
            yield f"argument {place} of {name} is {_WANTED[sort]}, not {argument}"
            return
    ids = [arg.symbol.string for sort, arg in zip(form, arguments, strict=True) if sort == "rule" and _is_text(arg)]
    # What a rule file adds needs no entry anywhere; what it takes away must be there.
    known = [id for system in System for id in rule_ids(system)]
    for id in ids if name == "off" else ids[1:]:
        if id not in titles and id not in known:
            hint = did_you_mean(id, [*known, *titles])
            yield f"no rule is called {id!r}" + (f" ({hint})" if hint else "")


def _is_text(term: AST) -> bool:
    return term.ast_type.name == "SymbolicTerm" and str(term).startswith('"')


def _fits(sort: str, term: AST) -> bool:
    """Whether a term may be of that sort, as far as can be told before anything is derived."""
    kind, text = term.ast_type.name, str(term)
    if kind in ("Variable", "Pool") and sort != "world":
        return True
    number = re.fullmatch(r"-?\d+", text) is not None or kind in ("BinaryOperation", "UnaryOperation", "Interval")
    squarish = kind == "Function" and term.name == "" and len(term.arguments) == 2
    match sort:
        case "world":
            return kind == "Variable"
        case "rule":
            return _is_text(term)
        case "unit":
            return _is_text(term) and text[1:-1] in UNITS
        case "step" | "number":
            return number
        case "square":
            return squarish
        case "figure":
            return _is_text(term)
        case "place":
            return squarish or _is_text(term) or (kind == "Function" and term.name in _PLACES)
        case "flank":
            return squarish or text == "none"
    return True


def clause(node: AST) -> Clause:
    """A rule whose head is in order."""
    symbol = node.head.atom.symbol
    arguments = list(symbol.arguments)
    asks: set[str] = set()
    denies: set[str] = set()
    force: set[str] = set()
    for literal in node.body:
        plain = literal.ast_type.name == "Literal" and literal.atom.ast_type.name == "SymbolicAtom"
        names = set(_names(literal))
        (asks if plain and not literal.sign else denies).update(names)
        force |= set(re.findall(r'^in_force\(\w+,"([^"]+)"\)$', str(literal)))
    id = arguments[1].symbol.string if len(arguments) > 1 and _is_text(arguments[1]) else ""
    grows = any(re.search(r"[+*]|\w\(", str(argument)) for argument in arguments)
    return Clause(
        node.location.begin.line,
        symbol.name,
        id,
        frozenset(asks),
        frozenset(denies),
        frozenset(force),
        grows and symbol.name in asks,
    )


def _names(node: AST) -> Iterator[str]:
    """The predicates anywhere inside a literal."""
    from clingo.ast import AST, ASTSequence

    if node.ast_type.name == "SymbolicAtom" and node.symbol.ast_type.name == "Function":
        yield node.symbol.name
    for value in node.values():
        for part in value if isinstance(value, ASTSequence | list | tuple) else [value]:
            if isinstance(part, AST):
                yield from _names(part)


def own_negation(rules: Iterable[Clause]) -> list[tuple[int, str]]:
    """Rules that hold only where they do not, however many other rules of the file stand in between."""
    rules = list(rules)
    reads: dict[str, set[str]] = {}
    for rule in rules:
        reads.setdefault(rule.head, set()).update(rule.asks | rule.denies)

    def leads(start: str) -> set[str]:
        found, queue = {start}, [start]
        while queue:
            fresh = reads.get(queue.pop(), set()) - found
            found |= fresh
            queue += fresh
        return found

    what = "{} depends on its own negation: nothing could be said to hold"
    return [(rule.line, what.format(rule.head)) for rule in rules for name in rule.denies if rule.head in leads(name)]


def calls(node: AST) -> bool:
    """Whether anything inside calls a function from outside (``@f(…)``)."""
    from clingo.ast import AST, ASTSequence

    if node.ast_type.name == "Function" and node.external:
        return True
    for value in node.values():
        parts = value if isinstance(value, ASTSequence | list | tuple) else [value]
        if any(isinstance(part, AST) and calls(part) for part in parts):
            return True
    return False


@cache
def book_words() -> frozenset[str]:
    """Every predicate and functor that the logic uses."""
    files = sorted(
        os.path.join(folder, name)
        for part in ("logic", "queries")
        for folder, _, names in os.walk(os.path.join(data_root(), part))
        for name in names
        if name.endswith(".lp") and not name.endswith(".rules.lp")
    )

    def read() -> list[str]:
        found: set[str] = set()
        for file in files:
            with open(file, encoding="utf-8") as stream:
                found.update(re.findall(r"(?<![\w#\"])([a-z_]\w*)\(", re.sub(r"%[^\n]*", "", stream.read())))
        return sorted(found)

    return frozenset(kept("words", files, read))


def value_fault(predicate: str, row: tuple[object, ...]) -> str | None:
    """What is wrong with an atom that was derived, its first argument the world; None where all is in order."""
    form = FORMS.get(predicate, ())
    for sort, value in zip(form[1:], row[1:], strict=False):
        if not _good(sort, value):
            return f"{predicate} was derived with {_shown(value)} where it has {_WANTED[sort]}"
    return None


def _good(sort: str, value: object) -> bool:
    match sort, value:
        case ("number", int()) | (("rule" | "figure"), str()) | ("unit", str()):
            return True
        case "step", int():
            return True
        case (("place" | "square" | "flank"), (int(), int())):
            return True
        case "place", (str(), *_) | str():
            return True
        case "flank", "none" | int():  # lof: how far along the line
            return True
    return sort == "any"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        functor, rest = (value[0], value[1:]) if value and isinstance(value[0], str) else ("", value)
        return f"{functor}({','.join(map(_shown, rest))})"
    return str(value)
