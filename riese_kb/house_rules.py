"""Rule files from users: read with clingo's own parser, and refused when they could do more than state rules.

A rule file is a logic program in the vocabulary of ``docs/house-rules.md``. It may add rules and switch printed ones off;
it may not run code, read files, call functions, or constrain models away. ``% @rule id "title"`` names what it adds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from riese_kb.errors import RulesError
from riese_kb.rule_heads import Clause, calls, clause, head_faults, own_negation

if TYPE_CHECKING:
    from clingo.ast import AST

LIMIT = 200_000
"""Bytes of a rule file at most."""

_NAMED = re.compile(r'^%\s*@rule\s+([a-z0-9][a-z0-9._-]*)(?:\s+"([^"\n]*)")?', re.M)


class HouseRules(Struct, frozen=True):
    """A rule file that may be used: its text, and the rules it names with their titles.

    ``lines`` tells where each predicate is derived for each rule id ("" where the id is no plain text); ``endless`` is the
    first rule that counts on from itself, the one to look at when there is no end to it.
    """

    text: str
    titles: dict[str, str]
    file: str
    lines: dict[tuple[str, str], int] = field(default_factory=dict)
    endless: int | None = None


def read_rules(path: str) -> HouseRules:
    """Read and check a rule file. Raises ``RulesError`` with file and line."""
    try:
        if not os.path.isfile(path):
            raise RulesError(
                "there is no such file" if not os.path.exists(path) else "it is no ordinary file",
                fix="name a rule file",
                file=path,
            )
        with open(path, "rb") as stream:
            raw = stream.read(LIMIT + 1)
        if len(raw) > LIMIT:
            raise RulesError(f"the file has more than {LIMIT} bytes", fix="split it up", file=path)
        text = raw.decode("utf-8-sig")
        odd = next((i for i, c in enumerate(text) if ord(c) < 32 and c not in "\t\n\r"), None)
        if odd is not None:
            line = text[:odd].count("\n") + 1
            raise RulesError("there is a control character in it", fix="remove it", file=path, line=line)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise RulesError(f"byte {error.start + 1} is no UTF-8 text", fix="save the file as UTF-8", file=path, line=line) from None
    except OSError as error:
        raise RulesError(error.strerror or "the file cannot be read", fix="name a rule file", file=path) from None
    titles = {rule: title or rule for rule, title in _NAMED.findall(text)}
    rules = _check(text, path, titles)
    facts = "".join(f'rule("{rule}").' for rule in titles)
    facts += "".join(_precedence(rules))
    lines: dict[tuple[str, str], int] = {}
    for rule in rules:
        lines.setdefault((rule.head, rule.id), rule.line)
        lines.setdefault((rule.head, ""), rule.line)
    endless = next((rule.line for rule in rules if rule.counts_on), None)
    return HouseRules(f"{text}\n{facts}\n", titles, path, lines, endless)


def _precedence(rules: Iterable[Clause]) -> Iterator[str]:
    """What makes an answer name the printed rules that a rule of the house switches off."""
    for rule in rules:
        for by in sorted(rule.asks_force if rule.head == "off" and rule.id else ()):
            yield f'overridden(W,"{rule.id}","{by}") :- off(W,"{rule.id}"), rule("{rule.id}"), in_force(W,"{by}").'


_REFUSED = {
    "Script": "#script is not allowed: a rule file runs no code",
    "External": '#external is not allowed: switch a rule off with off(W,"rule-id") :- world(W)',
    "Program": "#program is not allowed",
    "Minimize": "optimisation is not allowed: rules only derive",
    "Edge": "#edge is not allowed",
    "Heuristic": "#heuristic is not allowed",
    "ProjectAtom": "#project is not allowed",
    "ProjectSignature": "#project is not allowed",
    "ShowSignature": "#show is not allowed",
    "ShowTerm": "#show is not allowed",
    "TheoryDefinition": "#theory is not allowed",
    "Definition": "#const is not allowed",
}


def _check(text: str, path: str, titles: Mapping[str, str]) -> list[Clause]:
    """The rules of the file. Raises the first fault; faults are collected while clingo calls back, which would wrap them."""
    from clingo.ast import parse_string

    # clingo would open an included file while parsing, so this is looked for first.
    bare = _bare(text)
    include = re.search(r"#\s*include\b", bare)
    if include is not None:
        line = bare[: include.start()].count("\n") + 1
        raise RulesError("#include is not allowed: a rule file stands alone", file=path, line=line)
    large = next((n for n in re.finditer(r"(?<!\w)\d{10,}", bare) if int(n[0]) > 2**31 - 1), None)
    if large is not None:
        line = bare.count("\n", 0, large.start()) + 1
        raise RulesError("a number is too large", fix="stay below 2147483648", file=path, line=line)
    faults: list[tuple[int, str]] = []
    rules: list[Clause] = []

    def visit(node: AST) -> None:
        name = node.ast_type.name
        line = node.location.begin.line
        if name == "Program" and node.name == "base" and not node.parameters:
            return
        if name in _REFUSED:
            faults.append((line, _REFUSED[name]))
        elif name == "Rule":
            found = head_faults(node.head, titles)
            faults.extend((line, fault) for fault in found)
            if not found:
                rules.append(clause(node))
        if calls(node):
            faults.append((line, "functions with @ are not allowed"))

    messages: list[str] = []
    try:
        parse_string(text, visit, logger=lambda _, message: messages.append(message))
    except RuntimeError:
        first = messages[0] if messages else "it cannot be parsed"
        found = re.match(r"<string>:(\d+):\d+(?:-\d+)?: error: (.*)", first, re.S)
        at = int(found.group(1)) if found else None
        what = " ".join((found.group(2) if found else first).split())
        raise RulesError(f"not a logic program: {what}", fix="see docs/house-rules.md", file=path, line=at) from None
    faults += own_negation(rules)
    for line, fault in sorted(faults)[:1]:
        raise RulesError(fault, file=path, line=line)
    return rules


_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|%\*.*?\*%|%[^\n]*', re.S)


def _bare(text: str) -> str:
    """The text with strings and comments blotted out, line for line."""
    return _TOKEN.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
