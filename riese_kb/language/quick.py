"""Reading a question by the stored parse table, without lark.

lark makes the table (``grammar.py``); importing it and loading its own form of the table takes longer than answering. Here
only what is right is read: where a text is no question, lark says why.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any, NamedTuple

from msgspec import MsgspecError, Struct
from msgspec.json import decode

from riese_kb.language.reader import Meaning
from riese_kb.language.words import Kinds, cut
from riese_kb.question import Question

_HERE = os.path.dirname(os.path.abspath(__file__))
GRAMMAR = os.path.join(_HERE, "questions.lark")
TABLE = os.path.join(_HERE, "steps.json")


class Rule(NamedTuple):
    """One rule: what it makes, of how many parts, which of them it keeps (and whether their parts take their place), the
    method that says what it means (empty: none), and whether a single part stands for the whole.
    """

    makes: str
    length: int
    keeps: tuple[tuple[int, bool], ...]
    means: str
    passes: bool


class Steps(Struct, frozen=True):
    """The parse table. In each state a word or a part leads to state n, or, as -n, to the rule n-1 that ends there."""

    grammar: str
    start: int
    end: int
    states: tuple[dict[str, int], ...]
    rules: tuple[Rule, ...]
    keywords: dict[str, str]
    shapes: tuple[tuple[str, str], ...]


@cache
def _steps() -> tuple[Steps, Kinds] | None:
    """The stored table, where it is that of the grammar."""
    try:
        with open(TABLE, "rb") as file, open(GRAMMAR, encoding="utf-8") as grammar:
            steps = decode(file.read(), type=Steps)
            if steps.grammar != grammar.read():
                return None
    except (OSError, ValueError, MsgspecError):
        return None
    return steps, Kinds(steps.keywords, steps.shapes, dict(enumerate(steps.states)))


_MEANING = Meaning()


def read(text: str) -> Question | None:
    """The question that a text asks; None where it is none, or no table fits. Raises ``Fault`` as the meanings do."""
    found = _steps()
    if found is None:
        return None
    steps, kinds = found
    states, values = [steps.start], list[Any]()
    for word in cut(text, kinds, lambda: states[-1]):
        if not _reduced(steps, states, values, word.type):
            return None
        states.append(steps.states[states[-1]][word.type])
        values.append(word)
    if not _reduced(steps, states, values, "$END"):
        return None
    question = values[-1]
    return question if isinstance(question, Question) else None


def _reduced(steps: Steps, states: list[int], values: list[Any], kind: str) -> bool:
    """Whether a word of that kind may come next, after every rule that ends before it has been applied."""
    while True:
        step = steps.states[states[-1]].get(kind)
        if step is None:
            return False
        if step >= 0:
            return True
        rule = steps.rules[-step - 1]
        parts: list[Any] = []
        if rule.length:
            parts = values[-rule.length :]
            del values[-rule.length :]
            del states[-rule.length :]
        values.append(_made(rule, parts))
        states.append(steps.states[states[-1]][rule.makes])
        if kind == "$END" and states[-1] == steps.end:
            return True


def _made(rule: Rule, parts: list[Any]) -> Any:
    kept: list[Any] = []
    for place, opened in rule.keeps:
        if opened:
            kept += parts[place]
        else:
            kept.append(parts[place])
    if rule.passes and len(kept) == 1:
        return kept[0]
    return getattr(_MEANING, rule.means)(kept) if rule.means else kept
