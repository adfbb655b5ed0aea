"""Questions asked backwards in words: the sentence of such an answer, and its result as a small table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from riese_kb.answer import Answer
from riese_kb.question import MaxRange, WhatGives, WhatLets
from riese_kb.typeset import Paper, Row, counted, listed, table, wrap

_MANY = 20
"""So many situations are shown; --json has them all."""


def sentence(answer: Answer, about: WhatGives | WhatLets | MaxRange) -> str:
    """The answer in one sentence."""
    result = answer.result
    match about:
        case WhatGives(stun, wound):
            found = result["situations"]
            number = counted(len(found), "situation") if found else "No situation"
            return f"{number} {'give' if len(found) > 1 else 'gives'} {stun}/{wound} with the {result['weapon']}."
        case WhatLets(figure, target, on):
            if result["already"]:
                return f"{figure} wounds {target} on {on} already."
            number = counted(len(result["ways"]), "way")
            one = f"let {figure} wound {target} on {on}"
            return f"{number} to {one}." if result["ways"] else f"No change to the board {one.replace('let', 'lets', 1)}."
    if result["max_range"] is None:
        return f"{about.figure} wounds {about.target} on {result['on']} from nowhere."
    return f"{about.figure} wounds {about.target} on {result['on']} from {counted(result['max_range'], 'square')} at most."


def lines(answer: Answer, about: WhatGives | WhatLets | MaxRange, paper: Paper) -> Iterator[str]:
    """What was found, row by row."""
    result = answer.result
    match about:
        case WhatGives() if result["situations"]:
            shown = result["situations"][:_MANY]
            yield from table(paper, [Row((_range(one["range"]), one["declared"], _rest(one))) for one in shown])
            left = len(result["situations"]) - len(shown)
            if left:
                yield paper.dim(f"  and {left} more (--json)")
        case WhatLets():
            for way in result["ways"]:
                says = listed([change["says"] for change in way["changes"]])
                yield from wrap(f"{says}: {way['stun']}/{way['wound']}", paper.width, "  ")


def _range(band: list[int | None]) -> str:
    low, high = band
    return f"{low} and more" if high is None else f"{low}" if low == high else f"{low}-{high}"


def _rest(one: dict[str, Any]) -> str:
    words = ["spread fire"] if one["attack"] == "spread" else []
    told = {"covering": "covering", "select": "select fire", "stunned": "target stunned"}
    words += [word for key, word in told.items() if one[key]]
    words += [counted(one["intervening"], "intervening figure")] if one["intervening"] else []
    words += [counted(one["hindering"], "hindering square")] if one["hindering"] else []
    return ", ".join(words)
