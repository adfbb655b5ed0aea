"""Figures that are activated in a turn in which, by the rules that we have of the game, none of their kind ever is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from riese_kb.audit.book import Book, Sort
from riese_kb.audit.findings import Finding, Kind, Severity
from riese_kb.board import System

_ACTS = re.compile(
    r"\b(hero(?:es)?|zombies?|NPCs?) (?:(?:is|are|that|who) ){0,2}(?:activated?s?|acts?)\b[^.;:,]{0,30}? (?:in|during) "
    r"(?:the|each|every|a) (player|hero|zombie|NPC)(?:e?s?'s?|s)? turn",
    re.I,
)
_DENIED = re.compile(r"\b(?:not|never|no|may|can|even|except|instead|if)\b|n't\b", re.I)
_KINDS = {"hero": "hero", "zomb": "zombie", "npc": "npc", "npcs": "npc"}
_TURNS = {"player": "player", "hero": "player", "zombie": "zombies", "npc": "npcs"}
BOARD = """map = '''
+-+-+-+
|. . .|
+-+-+-+
'''

[[figure]]
id = "hero"
kind = "hero"
at = "A1"
facing = "north"

[[figure]]
id = "npc"
kind = "npc"
name = "SS Man"
at = "B1"

[[figure]]
id = "zombie"
kind = "zombie"
at = "C1"
"""
"""One figure of each kind; the answer to ``round`` says which acts in whose turn."""


def check(book: Book, system: System) -> Iterator[Finding]:
    """Every passage that says so plainly; what may be done at any moment is another thing."""
    for entry, piece in book.pieces():
        for found in _ACTS.finditer(piece.text) if piece.sort is not Sort.PICTURE else ():
            kind, turn = _KINDS[found[1].casefold()[:4]], _TURNS[found[2].casefold()]
            acts = _acts(system)
            if _DENIED.search(found[0]) or kind in acts.get(turn, (kind,)):
                continue
            own = next((of for of, kinds in acts.items() if kind in kinds), None)
            yield Finding(
                Kind.SCOPE,
                Severity.MEDIUM,
                entry.at(piece),
                f"no {kind} is ever activated in the {found[2]} turn" + (f", but in that of the {own}" if own else ""),
                witness={
                    "board": f'system = "{system}"\n{BOARD}',
                    "ask": "round",
                    "answers": {of: [*k] for of, k in acts.items()},
                },
            )


@cache
def _acts(system: System) -> dict[str, tuple[str, ...]]:
    """The kinds of figures that each turn activates, as the engine has it."""
    from riese_kb.asking import ask
    from riese_kb.boardfile import parse_board

    told = ask(parse_board(f'system = "{system}"\n{BOARD}'), "round").result["acts"]
    return {turn: tuple(ids) for turn, ids in told.items()}
