"""Leaving out of a program the rules that cannot fire on the facts at hand.

clingo spends about 50 µs on every rule before it looks at a single fact, so a question about three squares without fire,
doors or zombies should not carry the rules about them. A rule is left out when one of its positive body atoms holds a word
(a predicate, a constant, a string) that no fact and no head of a remaining rule can produce. That never changes the
answer: such a rule has no instance. ``tests/test_pruning.py`` holds whole and pruned programs against each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

Words = frozenset[str]

_STATEMENT = re.compile(r"(?<!\.)\.(?!\.)(?=\s|$)")
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w#])_*[a-z][A-Za-z0-9_]*')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_INNERMOST = re.compile(r"[({][^(){}]*[)}]")
_SEPARATOR = re.compile(r"[,;]")
_NOT_PLAIN = re.compile(r"[=<>!:#]|^not\b|^[^a-z_]")


class Rule(NamedTuple):
    """One statement: its text, the words its positive body needs (all of ``needs``, one of each in ``either``), the words
    its head can make, and the words its body reads.
    """

    text: str
    needs: Words = frozenset()
    either: tuple[Words, ...] = ()
    makes: Words = frozenset()
    reads: Words = frozenset()

    def may_fire(self, words: set[str]) -> bool:
        """Whether these words are enough for it to have an instance."""
        return self.needs <= words and not any(words.isdisjoint(pool) for pool in self.either)


class Prunable:
    """A program text, split into statements once, that can be cut down to what a set of facts needs."""

    def __init__(self, rules: Iterable[Rule], text: str) -> None:
        self.text = text
        self.rules = tuple(rules)
        self._cut: dict[Words, str] = {}

    @classmethod
    def parse(cls, text: str) -> Prunable:
        """Take a program apart."""
        rules = tuple(_rule(s.strip()) for s in _STATEMENT.split(text) if s.strip())
        return cls(_read_by_somebody(rules), text)

    @classmethod
    def of(cls, plain: list[list[Any]], text: str = "") -> Prunable:
        """Put together again what ``plain`` wrote."""
        return cls(
            (Rule(t, frozenset(n), tuple(map(frozenset, e)), frozenset(m), frozenset(r)) for t, n, e, m, r in plain),
            text,
        )

    def plain(self) -> list[list[Any]]:
        """The parts as plain data."""
        return [[r.text, sorted(r.needs), [sorted(e) for e in r.either], sorted(r.makes), sorted(r.reads)] for r in self.rules]

    @cached_property
    def asked(self) -> Words:
        """The words whose presence among the facts decides anything: needed somewhere and made by no rule without a body."""
        given = frozenset(w for rule in self.rules if not rule.needs for w in rule.makes)
        return frozenset(w for rule in self.rules for w in rule.needs.union(*rule.either)) - given

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
        while ready := [rule for rule in waiting if rule.may_fire(words)]:
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
            if id(rule) not in kept and _read(rule, wanted):
                kept.add(id(rule))
                wanted |= rule.reads
                growing = True
    return [rule for rule in rules if id(rule) in kept]


def _read(rule: Rule, wanted: set[str]) -> bool:
    if not rule.reads:  # directives, and facts (several may stand together)
        return not rule.makes or not wanted.isdisjoint(rule.makes)
    return _name(rule) in wanted


_HEAD = re.compile(r"\s*([a-z_]\w*)")


def _name(rule: Rule) -> str:
    found = _HEAD.match(rule.text)
    return found.group(1) if found else ""


def _rule(text: str) -> Rule:
    if text.startswith("#"):
        return Rule(text + ".")
    head, arrow, body = text.partition(":-")
    needs: set[str] = set()
    either: list[Words] = []
    if arrow:
        for atom in _literals(body):
            words = _WORD.findall(atom)
            if ";" in atom:  # a pool (a;b) needs any of its words, not all
                needs.add(words[0])
                either.append(frozenset(words[1:]))
            else:
                needs.update(words)
    heads = frozenset(_WORD.findall(head))
    return Rule(text + ".", frozenset(needs), tuple(either), heads, frozenset(_WORD.findall(body)))


def _literals(body: str) -> list[str]:
    """The positive atoms of a body: no negation, comparison, aggregate, and nothing inside a condition."""
    atoms, conditional = [], False
    for literal, separator in split_body(body):
        shape = _masked(literal)
        if not conditional and shape and not _NOT_PLAIN.search(shape):
            atoms.append(literal)
        # What follows a colon is the condition, up to the next semicolon.
        conditional = (conditional or ":" in shape) and separator == ","
    return atoms


def split_body(body: str) -> list[tuple[str, str]]:
    """The pieces of a body between separators outside brackets and strings, each with the separator that ends it."""
    mask = _masked(body)
    pieces, start = [], 0
    for end in (*(m.start() for m in _SEPARATOR.finditer(mask)), len(mask)):
        pieces.append((body[start:end].strip(), mask[end : end + 1]))
        start = end + 1
    return pieces


def _masked(text: str) -> str:
    """The text with strings and everything in brackets blotted out, of the same length."""
    mask = _STRING.sub(lambda m: "_" * len(m.group()), text)
    while (outer := _INNERMOST.sub(lambda m: "_" * len(m.group()), mask)) != mask:
        mask = outer
    return mask


_SWITCH = re.compile(r"in_force\(\w+,[^()]*\)")
_READING = re.compile(r"reading\(\w+,([a-z_0-9]+),(\(?)([a-z_0-9;]+)\)?\)")


def settle_text(text: str, values: Mapping[str, str]) -> str:
    """The program for worlds that all have every rule in force and the same readings.

    Switches and constant readings are decided here once, instead of in every instance of every rule; what mentions a
    reading with a variable stays as it is.
    """
    statements = (_settled(s.strip(), values) for s in _STATEMENT.split(text) if s.strip())
    return "\n".join(s + "." for s in statements if s is not None)


def _settled(text: str, values: Mapping[str, str]) -> str | None:
    head, arrow, body = text.partition(":-")
    if not arrow or ("in_force(" not in body and "reading(" not in body) or head.startswith("#"):
        return text
    if head.strip().startswith(("in_force(", "reading(")):
        return text
    kept = ""
    for literal, separator in split_body(body):
        holds = _decided(literal, values)
        if holds is False:
            return None
        if holds is None:
            kept += literal + separator + " "
    kept = kept.strip().rstrip(",;").strip()
    if not re.search(r"\bW\b", " ".join(_literals(kept))) and re.search(r"\bW\b", head + kept):
        kept = f"world(W), {kept}" if kept else "world(W)"
    return f"{head.strip()} :- {kept}" if kept else head.strip()


def _decided(literal: str, values: Mapping[str, str]) -> bool | None:
    if _SWITCH.fullmatch(literal):
        return True
    if literal.startswith("not ") and _SWITCH.fullmatch(literal[4:].strip()):
        return False
    found = _READING.fullmatch(literal)
    if found is not None and found.group(1) in values and (found.group(2) or ";" not in found.group(3)):
        return values[found.group(1)] in found.group(3).split(";")
    return None
