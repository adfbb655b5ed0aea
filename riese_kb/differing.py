"""Two answers to one question, and what differs between them in one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from riese_kb.answer import Answer
from riese_kb.typeset import listed

_FEW = 3
"""So many things are named; more are counted."""


def difference(one: Answer, other: Answer, labels: tuple[str, str] = ("before", "now")) -> str:
    """What differs: the verdict, else the first numbers that do, else what is broken. Empty where nothing does."""
    if one.verdict != other.verdict:
        return f"{one.verdict} {labels[0]}, {other.verdict} {labels[1]}"
    for key in dict.fromkeys((*one.result, *other.result)):
        left, right = one.result.get(key), other.result.get(key)
        if left != right:
            return f"{key}: {_values(left, right, labels)}"
    left, right = ({f"{v.rule} on {v.at}" for v in answer.violations} for answer in (one, other))
    return f"broken: {_sets(left, right, labels)}" if left != right else ""


def _values(left: Any, right: Any, labels: tuple[str, str]) -> str:
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return _few(_entries(left, right, labels))
    if isinstance(left, list) and isinstance(right, list) and all(isinstance(v, str) for v in (*left, *right)):
        if {*left} != {*right}:
            return _sets({*left}, {*right}, labels)
        return f"{', '.join(left)} {labels[0]}, {', '.join(right)} {labels[1]}"
    if isinstance(left, list) and isinstance(right, list) and all(map(_words, (*left, *right))):
        number, one, other = next((n, {*one}, {*other}) for n, (one, other) in enumerate(_pairs(left, right), 1) if one != other)
        return f"no. {number}, {_sets(one, other, labels)}" if one != other else "they differ in order"
    if any(isinstance(value, list | Mapping) for value in (left, right)):
        return "they differ"
    return f"{_said(left)} {labels[0]}, {_said(right)} {labels[1]}"


def _pairs(left: list[list[str]], right: list[list[str]]) -> Iterator[tuple[list[str], list[str]]]:
    return zip_longest(left, right, fillvalue=[])


def _words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _entries(left: Mapping[str, Any], right: Mapping[str, Any], labels: tuple[str, str]) -> list[str]:
    found = []
    for key in dict.fromkeys((*left, *right)):
        if key not in right or key not in left:
            found.append(f"{key} only {labels[key not in left]}")
        elif left[key] != right[key]:
            found.append(f"{key} {_values(left[key], right[key], labels)}")
    return found


def _sets(left: set[str], right: set[str], labels: tuple[str, str]) -> str:
    def parts() -> Iterator[str]:
        for only, label in ((left - right, labels[0]), (right - left, labels[1])):
            if only:
                yield f"{listed(_cut(sorted(only)))} only {label}"

    return ", ".join(parts())


def _cut(words: list[str]) -> list[str]:
    return words if len(words) <= _FEW else [*words[:_FEW], f"{len(words) - _FEW} more"]


def _few(parts: list[str]) -> str:
    return "; ".join(_cut(parts))


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
