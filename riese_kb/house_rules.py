"""Rule files from users: read with clingo's own parser, and refused when they could do more than state rules.

A rule file is a logic program in the vocabulary of ``docs/rule-files.md``. It may add rules and switch printed ones off;
it may not run code, read files, call functions, or constrain models away. ``% @rule id "title"`` names what it adds.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from riese_kb.errors import RulesError

if TYPE_CHECKING:
    from clingo.ast import AST

LIMIT = 200_000
"""Bytes of a rule file at most."""

_NAMED = re.compile(r'^%\s*@rule\s+([a-z0-9][a-z0-9._-]*)(?:\s+"([^"\n]*)")?', re.M)


@dataclass(frozen=True)
class HouseRules:
    """A rule file that may be used: its text, and the rules it names with their titles."""

    text: str
    titles: dict[str, str]
    file: str


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
        text = raw.decode("utf-8")
        odd = next((i for i, c in enumerate(text) if ord(c) < 32 and c not in "\t\n\r"), None)
        if odd is not None:
            line = text[:odd].count("\n") + 1
            raise RulesError("there is a control character in it", fix="remove it", file=path, line=line)
    except UnicodeDecodeError as error:
        raise RulesError(f"byte {error.start + 1} is no UTF-8 text", fix="save the file as UTF-8", file=path) from None
    except OSError as error:
        raise RulesError(error.strerror or "the file cannot be read", fix="name a rule file", file=path) from None
    _check(text, path)
    titles = {rule: title or rule for rule, title in _NAMED.findall(text)}
    facts = "".join(f'rule("{rule}").' for rule in titles)
    return HouseRules(f"{text}\n{facts}\n", titles, path)


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


def _check(text: str, path: str) -> None:
    """Raise the first fault. Faults are collected, not raised, while clingo calls back: it would wrap them."""
    from clingo.ast import parse_string

    # clingo would open an included file while parsing, so this is looked for first.
    bare = _bare(text)
    include = re.search(r"#\s*include\b", bare)
    if include is not None:
        line = bare[: include.start()].count("\n") + 1
        raise RulesError("#include is not allowed: a rule file stands alone", file=path, line=line)
    faults: list[tuple[int, str]] = []

    def visit(node: AST) -> None:
        name = node.ast_type.name
        line = node.location.begin.line
        if name == "Program" and node.name == "base" and not node.parameters:
            return
        if name in _REFUSED:
            faults.append((line, _REFUSED[name]))
        elif name == "Rule":
            faults.extend((line, fault) for fault in _head_faults(node.head))
        if _calls(node):
            faults.append((line, "functions with @ are not allowed"))

    messages: list[str] = []
    try:
        parse_string(text, visit, logger=lambda _, message: messages.append(message))
    except RuntimeError:
        first = messages[0] if messages else "it cannot be parsed"
        found = re.match(r"<string>:(\d+):\d+(?:-\d+)?: error: (.*)", first, re.S)
        at = int(found.group(1)) if found else None
        what = " ".join((found.group(2) if found else first).split())
        raise RulesError(f"not a logic program: {what}", fix="see docs/rule-files.md", file=path, line=at) from None
    for line, fault in faults[:1]:
        raise RulesError(fault, file=path, line=line)


def _head_faults(head: AST) -> list[str]:
    kind = head.ast_type.name
    if kind == "Literal" and head.atom.ast_type.name == "BooleanConstant":
        return ['constraints are not allowed: derive violation(W,"rule-id",At,Step) instead']
    if kind == "Literal" and head.sign:
        return ["negated heads are not allowed"]
    return [] if kind == "Literal" else ["choices and disjunctions are not allowed: rules have one head"]


def _calls(node: AST) -> bool:
    """Whether anything inside calls a function from outside (``@f(…)``)."""
    from clingo.ast import AST, ASTSequence

    if node.ast_type.name == "Function" and node.external:
        return True
    for value in node.values():
        parts = value if isinstance(value, ASTSequence | list | tuple) else [value]
        if any(isinstance(part, AST) and _calls(part) for part in parts):
            return True
    return False


_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|%\*.*?\*%|%[^\n]*', re.S)


def _bare(text: str) -> str:
    """The text with strings and comments blotted out, line for line."""
    return _TOKEN.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
