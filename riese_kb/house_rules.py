"""Rule files from users: read with clingo's own parser, and refused when they could do more than state rules.

A rule file is a logic program in the vocabulary of ``docs/rule-files.md``. It may add rules and switch printed ones off;
it may not run code, read files, call functions, or constrain models away. ``% @rule id "title"`` names what it adds.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from riese_kb.errors import RulesError

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
        size = os.path.getsize(path)
        if size > LIMIT:
            raise RulesError(f"the file has {size} bytes", fix=f"rule files have {LIMIT} at most", file=path)
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    except FileNotFoundError:
        raise RulesError("there is no such file", fix="name an existing rule file", file=path) from None
    except UnicodeDecodeError as error:
        raise RulesError(f"byte {error.start + 1} is no UTF-8 text", fix="save the file as UTF-8", file=path) from None
    except OSError as error:
        raise RulesError(error.strerror or "the file cannot be read", file=path) from None
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
    from clingo.ast import AST, Transformer, parse_string

    include = re.search(r"^\s*#\s*include\b", _bare(text), re.M)
    if include is not None:
        line = _bare(text)[: include.end()].count("\n") + 1
        raise RulesError("#include is not allowed: a rule file stands alone", file=path, line=line)

    class Guard(Transformer):
        """Refuses functions of ours or anybody's (``@f(…)``)."""

        def visit_Function(self, node: AST) -> AST:
            if node.external:
                raise RulesError("functions with @ are not allowed", file=path, line=node.location.begin.line)
            return node.update(**self.visit_children(node))

    guard = Guard()

    def visit(node: AST) -> None:
        name = node.ast_type.name
        line = node.location.begin.line
        if name == "Program" and node.name == "base" and not node.parameters:
            return
        if name in _REFUSED:
            raise RulesError(_REFUSED[name], file=path, line=line)
        if name == "Rule":
            head = node.head
            if head.ast_type.name == "Literal" and head.atom.ast_type.name == "BooleanConstant":
                raise RulesError(
                    'constraints are not allowed: derive violation(W,"rule-id",At,Step) instead', file=path, line=line
                )
            if head.ast_type.name in ("Aggregate", "Disjunction", "TheoryAtom", "HeadAggregate"):
                raise RulesError("choices and disjunctions are not allowed: rules have one head", file=path, line=line)
        guard(node)

    messages: list[str] = []
    try:
        parse_string(text, visit, logger=lambda _, message: messages.append(message))
    except RuntimeError:
        first = messages[0] if messages else "it cannot be parsed"
        found = re.match(r"<string>:(\d+):\d+(?:-\d+)?: error: (.*)", first, re.S)
        at = int(found.group(1)) if found else None
        what = " ".join((found.group(2) if found else first).split())
        raise RulesError(f"not a logic program: {what}", fix="see docs/rule-files.md", file=path, line=at) from None


def _bare(text: str) -> str:
    return re.sub(r"%[^\n]*", "", text)
