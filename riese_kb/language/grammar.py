"""The grammar ``questions.lark`` as lark reads it: why a text is no question, what may come next, and the tables kept beside it.

Reading a grammar costs lark about 40 ms. The finished parse table is therefore kept, in ``questions.json`` as lark wants
it and in ``steps.json`` for reading without lark (``python -m riese_kb.language`` writes both); a table made of another
grammar or by another lark is not used, so that it can never be wrong, only slow. Whether they are up to date is tested.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import Lexer, LexerState, PatternStr, TerminalDef, Token
from lark.parsers.lalr_analysis import Shift
from msgspec.json import decode

from riese_kb.language.quick import GRAMMAR
from riese_kb.language.reader import Meaning
from riese_kb.language.words import Kinds, cut


class Words(Lexer):
    """Cuts a question into words and names each by what the grammar allows at its place.

    It stands in for lark's own contextual lexer, which would find keywords inside of words (``to`` in ``tomorrow``) and
    takes longer to build than a question to answer.
    """

    def __init__(self, conf: Any, states: Mapping[int, Collection[str]], always_accept: Collection[str] = ()) -> None:
        self.kinds = Kinds(*_vocabulary(conf.terminals), states)

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        """The words of the text; one that fits nowhere has the type STRAY."""
        # A Word has all that lark asks of a token.
        yield from cut(str(lexer_state.text.text), self.kinds, lambda: parser_state.position)  # type: ignore[misc]


def _vocabulary(terminals: Collection[TerminalDef]) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """The keywords with their terminals, and the shapes of the other words."""
    keywords = {t.pattern.value: t.name for t in terminals if isinstance(t.pattern, PatternStr)}
    return keywords, [(t.name, t.pattern.value) for t in terminals if not isinstance(t.pattern, PatternStr)]


_HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(_HERE, "questions.json")
_OURS: dict[str, Any] = {"transformer": Meaning(), "_plugins": {"ContextualLexer": Words}}


def _grammar() -> str:
    with open(GRAMMAR, encoding="utf-8") as file:
        return file.read()


def _build(grammar: str) -> lark.Lark:
    return lark.Lark(grammar, parser="lalr", lexer="contextual", **_OURS)


def table_text() -> str:
    """The text that ``questions.json`` should hold."""
    grammar = _grammar()
    data, memo = _build(grammar).memo_serialize([TerminalDef, Rule])
    for ours in _OURS:
        del data["options"][ours]
    table = {"lark": lark.__version__, "grammar": grammar, "data": data, "memo": memo}
    return json.dumps(table, separators=(",", ":")) + "\n"


def steps_text() -> str:
    """The text that ``steps.json`` should hold: the same table, with the rules that lark applies to each part written out."""
    grammar = _grammar()
    built = _build(grammar)
    # lark has no public way to its table.
    table = built.parser.parser._parse_table
    numbers: dict[Any, int] = {}
    states: list[dict[str, int]] = []
    for state in range(len(table.states)):
        steps = {}
        for name, (action, to) in sorted(table.states[state].items()):
            steps[str(name)] = to if action is Shift else -1 - numbers.setdefault(to, len(numbers))
        states.append(steps)
    keywords, shapes = _vocabulary(built.terminals)
    data = {
        "grammar": grammar,
        "start": table.start_states["start"],
        "end": table.end_states["start"],
        "states": states,
        "rules": [_written_out(rule) for rule in numbers],
        "keywords": keywords,
        "shapes": shapes,
    }
    return json.dumps(data, separators=(",", ":")) + "\n"


def _written_out(rule: Any) -> tuple[str, int, list[tuple[int, bool]], str, bool]:
    """A rule as ``quick.Rule`` has it."""
    name = str(rule.alias or rule.origin.name)
    kept = [(i, not part.is_term and part.name.startswith("_")) for i, part in enumerate(rule.expansion)]
    kept = [(i, opened) for i, opened in kept if not (rule.expansion[i].is_term and rule.expansion[i].filter_out)]
    means = name if hasattr(Meaning, name) else ""
    return str(rule.origin.name), len(rule.expansion), kept, means, bool(rule.options.expand1 and not rule.alias)


def _numbered(table: dict[str, Any]) -> dict[int, Any]:
    """Numbers as keys are text in JSON; here they are numbers again."""
    return {int(key): value for key, value in table.items()}


def _load(data: Any, memo: Any) -> lark.Lark:
    states = data["parser"]["parser"]
    states["tokens"] = _numbered(states["tokens"])
    states["states"] = {int(key): _numbered(accepted) for key, accepted in states["states"].items()}
    # The entrance that lark's own generated parsers use; it has no annotations.
    loaded: lark.Lark = lark.Lark._load_from_dict(data, _numbered(memo), **_OURS)  # type: ignore[no-untyped-call]
    return loaded


def stored_table() -> dict[str, Any] | None:
    """What ``questions.json`` holds, where it is the table of this grammar and this lark."""
    try:
        with open(TABLE, encoding="utf-8") as file:
            table: dict[str, Any] = decode(file.read())
        fits = table["lark"] == lark.__version__ and table["grammar"] == _grammar()
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return table if fits else None


@cache
def parser() -> lark.Lark:
    """The parser of questions, built once a process: from the stored table where that fits, else from the grammar."""
    table = stored_table()
    return _build(_grammar()) if table is None else _load(table["data"], table["memo"])


@cache
def keywords() -> dict[str, str]:
    """The keyword behind each of the grammar's terminals that is one: ``FORWARD`` → ``forward``."""
    return {t.name: t.pattern.value for t in parser().terminals if isinstance(t.pattern, PatternStr)}
