"""A refuting situation set up on a board and asked like any other question, with the rule and without it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from riese_kb.asking import ask
from riese_kb.board import System
from riese_kb.boardfile import parse_board
from riese_kb.errors import RieseError
from riese_kb.proving.situations import CARD, GEAR, WEAPON

_DRUGGED = (('blitz("hero")', "blitz"), ('crash("hero")', "crash"))
_RIFLE = "Kar 98"
"""A weapon of the book that takes a bayonet."""
_SPEAK = {"normal": "normal", "spread": "spread", "hand": "h2h"}


def replay(system: System, facts: Collection[str], rule: str) -> dict[str, Any]:
    """The board, the question, and what it answers with and without the rule."""
    board = _board(system, facts)
    question = _question(facts)
    case: dict[str, Any] = {"situation": sorted(facts), "board": board, "ask": question}
    try:
        stage = parse_board(board)
        case["with the rule"] = _short(ask(stage, question).to_json())
        case["without it"] = _short(ask(stage, f"{question} without {rule}").to_json())
    except RieseError as error:
        case["error"] = str(error)
    return case


def _short(answer: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("modifier", "stun", "wound", "dice", "odds")
    return {"verdict": answer["verdict"], **{key: answer["result"][key] for key in kept if key in answer["result"]}}


def _mode(facts: Collection[str]) -> str:
    return next(fact for fact in facts if fact.startswith("mode("))[len("mode(0,") : -1]


def _type(facts: Collection[str]) -> str:
    return next(fact for fact in facts if fact.startswith("type("))[len("type(0,") : -1]


def _near(facts: Collection[str]) -> bool:
    return _type(facts) == "hand"


def _question(facts: Collection[str]) -> str:
    if "breaks(0)" in facts:
        return f"break lock hero {_mode(facts)}"
    words = [f"attack hero on target {_SPEAK[_type(facts)]} {_mode(facts)}"]
    words += [
        word for fact, word in (("covers(0)", "covering"), ("selects(0)", "select"), ("off_hand(0)", "off hand")) if fact in facts
    ]
    return " ".join(words)


def _board(system: System, facts: Collection[str]) -> str:
    """The hero in the west, the target in the east of a corridor; hand to hand they stand side by side."""
    squares = [
        "~" if f"terrain(({column},1),hindering)" in facts and not (_near(facts) and column > 2) else "."
        for column in range(1, 5)
    ]
    edges = [" "] * 3
    if "edge((1,1),(2,1),hindering)" in facts:
        edges[0] = "~"
    row = "|" + "".join(s + e for s, e in zip(squares, [*edges, "|"], strict=True))
    threat = next((fact[len("threat(") : -1] for fact in facts if fact.startswith("threat(")), "0")
    powers = [fact.partition('target","')[2][:-2] for fact in facts if fact.startswith('power("target"')]
    status = [word for fact, word in (('stunned("target")', "stunned"), ("breaks(0)", "locks:hero")) if fact in facts]
    pbr = next(fact for fact in facts if fact.startswith("card(0,pbr,"))[len("card(0,pbr,") : -1]
    lines = [
        f'system = "{system}"',
        *([f"threat = {threat}"] if threat != "0" else []),
        "map = '''",
        "+-+-+-+-+",
        row,
        "+-+-+-+-+",
        "'''",
        "",
    ]
    lines += ["[[figure]]", 'id = "hero"', 'kind = "hero"', 'at = "A1"', 'facing = "east"']
    hand = "off_hand" if "off_hand(0)" in facts else "weapon"
    whole = 'health("hero",2)' in facts
    lines += [f'{hand} = "Sample gun"', f"health = {2 if whole else 1}"]
    lines += ['name = "Trooper"'] if 'trooper("hero")' in facts else []
    lines += ["fatigue = 2"] if 'fatigue("hero",2)' in facts else []
    fixed = 'bayonet("hero")' in facts and f'takes_bayonet("{WEAPON}")' in facts
    words = [word for fact, word in (("covers(0)", "covering"), *_DRUGGED) if fact in facts] + ["bayonet"] * fixed
    lines += [f"status = {json.dumps(words)}"] if words else []
    gear = [item for item in GEAR if f'carries("hero","{item}")' in facts] + ["Knife"] * fixed
    lines += [f"gear = {json.dumps(gear)}"] if gear else []
    lines += ["", "[[figure]]", 'id = "target"', 'kind = "zombie"', f'at = "{"B1" if _near(facts) else "D1"}"']
    lines += [f"powers = {json.dumps(powers)}"] if powers else []
    lines += [f"status = {json.dumps(status)}"] if status else []
    if 'at("other",(3,1))' in facts and not _near(facts):
        lines += ["", "[[figure]]", 'id = "other"', 'kind = "hero"', 'at = "C1"', 'facing = "east"', "health = 4"]
    if "marker(barricade,(3,1))" in facts and not _near(facts):
        lines += ["", "[[marker]]", 'kind = "barricade"', 'at = "C1"']
    lines += ["", "[[weapon]]", 'name = "Sample gun"', f"pbr = {pbr}", "one_handed = true", "select_fire = true"]
    lines += [f"{key} = {value}" for key, value in CARD.items()]
    text = "\n".join(lines) + "\n"
    return text.replace(WEAPON, _RIFLE) if fixed else text
