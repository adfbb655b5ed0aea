"""Boards for the situations in which movement points, zombies' moves, throws and attacks by NPCs are looked at (points.py)."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from riese_kb.asking import ask
from riese_kb.board import System
from riese_kb.boardfile import parse_board
from riese_kb.errors import RieseError

_TYPES = {("beta", "1"): "beta", ("advanced", "1"): "armoured", ("alpha", "2"): "alpha", ("omega", "2"): "omega"}
"""Printed types by category and move value; other pairs are looked at, but no zombie of the book has them."""
_GUN = '[[weapon]]\nname = "Sample gun"\nrof = 1\nstun = 6\nwound = 9\npbr = 1\nrm = 2\nh2h_stun = 6\nh2h_wound = 9\n'


def played(system: System, name: str, facts: Collection[str], rule: str) -> dict[str, Any]:
    """The facts of a refuting situation; where it can be set up the board, too, with what it answers with and without the rule.

    ``name`` is the last part of the claim's id: ``budget``, ``allowance``, ``throw`` or ``npc``.
    """
    case: dict[str, Any] = {"facts": sorted(facts)}
    stage = {"budget": _points, "allowance": _moves, "throw": _throw, "npc": _npc}[name](frozenset(facts))
    if stage is None:
        return case
    body, question = stage
    board = f'system = "{system}"\n{body}'
    case |= {"board": board, "ask": question}
    try:
        on = parse_board(board)
        case["with the rule"] = _short(ask(on, question).to_json())
        case["without it"] = _short(ask(on, f"{question} without {rule}").to_json())
    except RieseError as error:
        case["error"] = str(error)
    return case


def _short(answer: dict[str, Any]) -> dict[str, Any]:
    result = answer["result"]
    kept = {key: result[key] for key in ("mp", "moves", "needed", "range") if key in result}
    rolls = [{key: roll[key] for key in ("modifier", "stun", "wound")} for roll in result.get("rolls", ())[:1]]
    return {"verdict": answer["verdict"], **kept, **({"rolls": rolls} if rolls else {})}


def _value(facts: Collection[str], start: str) -> str:
    """The last argument of the fact that begins so."""
    return next((fact[len(start) : -1] for fact in facts if fact.startswith(start)), "")


def _map(*rows: str, threat: str) -> str:
    """Rows of squares, each with its edges, and open ground between them."""
    width = len(rows[0]) // 2
    rim, open_ = "+" + "-+" * width, "+" + " +" * width
    body = f"\n{open_}\n".join(rows)
    level = f"threat = {threat}\n" if threat not in ("", "0") else ""
    return f"{level}map = '''\n{rim}\n{body}\n{rim}\n'''\n"


def _figure(id: str, kind: str, at: str, **more: Any) -> str:
    lines = [f'[[figure]]\nid = "{id}"\nkind = "{kind}"\nat = "{at}"']
    return "\n".join([*lines, *(f"{key} = {json.dumps(value)}" for key, value in more.items() if value)]) + "\n"


def _words(facts: Collection[str], id: str, *words: str) -> list[str]:
    return [word for word in words if f'{word}("{id}")' in facts]


def _points(facts: Collection[str]) -> tuple[str, str]:
    board = _map(*(["|. . . . . . . . .|"] * 9), threat=_value(facts, "threat("))
    howls = ["Howl"] if 'power("z","howl")' in facts else []
    board += _figure("h", "hero", "A1", facing="east")
    board += _figure("z", "zombie", "I9", powers=howls, status=_words(facts, "z", "stunned", "unrevealed"))
    return board, f"can h {_value(facts, 'mode(0,')} forward"


def _moves(facts: Collection[str]) -> tuple[str, str] | None:
    kind = _TYPES.get((_value(facts, 'category("z",'), _value(facts, 'move_value("z",')))
    if kind is None:
        return None
    board = _map("|. . . . . . . . .|", "|. . . . . . . . .|", threat=_value(facts, "threat("))
    board += _figure("z", "zombie", "A1", type=kind, status=_words(facts, "z", "unrevealed"))
    if 'power("y","leader-of-the-pack")' in facts:
        board += _figure("y", "zombie", "A2", powers=["Leader of the Pack"], status=_words(facts, "y", "unrevealed"))
    return board + _figure("h", "hero", "I1"), "zombie z"


def _throw(facts: Collection[str]) -> tuple[str, str]:
    walled = any(fact.startswith("edge(") for fact in facts)
    board = _map("|. .|.|" if walled else "|. . .|", "|. . .|", threat=_value(facts, "threat("))
    item = _value(facts, "hurls(0,").strip('"')
    health = int(_value(facts, 'health("h",') or 2)
    words = _words(facts, "h", "blitz", "crash")
    supply = {"grenades": 1} if item == "Grenade" else {"gear": [item]}
    return board + _figure("h", "hero", "A1", name="Trooper", facing="east", health=health, status=words, **supply), (
        f'throw h "{item}" at C1 {_value(facts, "mode(0,")}'
    )


def _npc(facts: Collection[str]) -> tuple[str, str]:
    board = _map("|. . .|", "|. . .|", threat=_value(facts, "threat("))
    board += _figure("h", "npc", "A1", weapon="Sample gun", health=int(_value(facts, 'health("h",') or 2))
    if "broke_free(0)" in facts:
        board += _figure("e", "zombie", "B1", status=["locks:h"])
    elif 'stunned("e")' in facts:
        board += _figure("e", "zombie", "C1", status=["stunned"])
    else:
        board += _figure("e", "hero", "C1")
    return board + _GUN, "npc h"
