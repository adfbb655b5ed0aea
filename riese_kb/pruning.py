"""Leaving out of a program the rules that cannot fire on the facts at hand.

clingo spends about 50 µs on every rule before it looks at a single fact, so a question about three squares without fire,
doors or zombies should not carry the rules about them. A rule is left out when one of its positive body atoms holds a word
(a predicate, a constant, a string) that no fact and no head of a remaining rule can produce. That never changes the
answer: such a rule has no instance. ``tests/test_pruning.py`` holds whole and pruned programs against each other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

Words = frozenset[str]

_STATEMENT = re.compile(r"(?<!\.)\.(?!\.)(?=\s|$)")
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w#])_*[a-z][A-Za-z0-9_]*')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_INNERMOST = re.compile(r"[({][^(){}]*[)}]")
_SEPARATOR = re.compile(r"[,;]")
_NOT_PLAIN = re.compile(r"[=<>!:#]|^not\b|^[^a-z_]")

@dataclass(frozen=True, slots=True)
class Rule:
    """One statement: its text, the words its positive body needs, and the words its head can make."""

    text: str
    needs: Words
    makes: Words
    reads: Words


class Prunable:
    """A program text, split into statements once, that can be cut down to what a set of facts needs."""

    def __init__(self, text: str) -> None:
        self.text = text
        rules = tuple(_rule(s.strip()) for s in _STATEMENT.split(text) if s.strip())
        self.rules = tuple(_read_by_somebody(rules))
        self._cut: dict[Words, str] = {}

    @cached_property
    def asked(self) -> Words:
        """The words whose presence among the facts decides anything: needed somewhere and made by no rule without a body."""
        given = frozenset(w for rule in self.rules if not rule.needs for w in rule.makes)
        return frozenset(w for rule in self.rules for w in rule.needs) - given

    def cut(self, facts: str) -> str:
        """The program for those facts."""
        present = frozenset(w for w in self.asked if w in facts)
        if present not in self._cut:
            if len(self._cut) > 4096:
                self._cut.clear()
            self._cut[present] = "\n".join(rule.text for rule in self._live(present))
        return self._cut[present]

    def _live(self, present: Words) -> list[Rule]:
        words = set(present)
        waiting = list(self.rules)
        live: set[int] = set()
        while ready := [rule for rule in waiting if rule.needs <= words]:
            for rule in ready:
                words |= rule.makes
                live.add(id(rule))
            waiting = [rule for rule in waiting if id(rule) not in live]
        return [rule for rule in self.rules if id(rule) in live]


_SHOWN = re.compile(r"#show\s+([a-z_]\w*)/")


def _read_by_somebody(rules: tuple[Rule, ...]) -> list[Rule]:
    """The rules whose head some shown atom depends on, however indirectly; the others compute for nobody."""
    wanted = {name for rule in rules for name in _SHOWN.findall(rule.text)}
    if not wanted:
        return list(rules)
    kept: set[int] = set()
    growing = True
    while growing:
        growing = False
        for rule in rules:
            if id(rule) not in kept and (not rule.makes or _name(rule) in wanted):
                kept.add(id(rule))
                wanted |= rule.reads
                growing = True
    return [rule for rule in rules if id(rule) in kept]


_HEAD = re.compile(r"\s*([a-z_]\w*)")


def _name(rule: Rule) -> str:
    found = _HEAD.match(rule.text)
    return found.group(1) if found else ""


def _rule(text: str) -> Rule:
    if text.startswith("#"):
        return Rule(text + ".", frozenset(), frozenset(), frozenset())
    head, arrow, body = text.partition(":-")
    needs: set[str] = set()
    if arrow:
        for atom in _literals(body):
            # A pool (a;b) needs any of its words, not all: only the predicate is sure.
            needs.update(_WORD.findall(atom.partition("(")[0] if ";" in atom else atom))
    heads = frozenset(_WORD.findall(head))
    return Rule(text + ".", frozenset(needs), heads, frozenset(_WORD.findall(body)))


def _literals(body: str) -> list[str]:
    """The positive atoms of a body: no negation, comparison, aggregate, and nothing inside a condition."""
    mask = _STRING.sub(lambda m: "_" * len(m.group()), body)
    while (outer := _INNERMOST.sub(lambda m: "_" * len(m.group()), mask)) != mask:
        mask = outer
    atoms, start, conditional = [], 0, False
    for end in (*(m.start() for m in _SEPARATOR.finditer(mask)), len(mask)):
        shape = mask[start:end].strip()
        if not conditional and shape and not _NOT_PLAIN.search(shape):
            atoms.append(body[start:end].strip())
        # What follows a colon is the condition, up to the next semicolon.
        conditional = (conditional or ":" in shape) and mask[end : end + 1] == ","
        start = end + 1
    return atoms
