"""What the HTTP API can be asked: plain data in, plain data out. Runs in a worker process.

Nothing here opens a file that a request names: boards and books come as text, and ``with rules FILE`` is refused.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from riese_kb.board import MAIN, System
from riese_kb.errors import QuestionError, RieseError, RulesError
from riese_kb.team import Sheet

Data = dict[str, Any]
_KEPT = 16
"""Boards that stay read; questions about one board share their work."""

_sheets: OrderedDict[str, Sheet] = OrderedDict()


def answer(what: str, given: Data) -> tuple[int, Data]:
    """The status and the body of the answer to one request; what the user got wrong is 422, what is not there 404."""
    try:
        return 200, _CALLS[what](given)
    except NotHere as error:
        return 404, fault(error)
    except RieseError as error:
        return 422, fault(error)


class NotHere(RieseError):
    """There is no rule or reading of that name."""


def fault(error: RieseError) -> Data:
    """An error as data: the whole message, and its parts."""
    parts = {"error": str(error), "what": error.what, "fix": error.fix, "line": error.line}
    start, width = getattr(error, "start", None), getattr(error, "width", None)
    return parts | ({"column": start + 1, "width": width} if start is not None and width is not None else {})


def _sheet(text: str) -> Sheet:
    from riese_kb.teamfile import parse_sheet, parse_team

    if text not in _sheets:
        if len(_sheets) >= _KEPT:
            _sheets.popitem(last=False)
        # A board never has the table [[hero]], and a team always has.
        _sheets[text] = parse_team(text) if "[[hero]]" in text else parse_sheet(text, "")
    _sheets.move_to_end(text)
    return _sheets[text]


# --- boards and questions -------------------------------------------------------------------------------------------


def _ask(given: Data) -> Data:
    """The answer as the command line gives it; with ``quick`` without what takes further questions."""
    from msgspec.structs import replace

    from riese_kb.asking import ask
    from riese_kb.language import parse_question

    sheet = _sheet(given["board"])
    question = parse_question(given["ask"])
    if question.rules:
        raise QuestionError("rule files cannot be named over HTTP", fix='leave out "with rules", or ask on the command line')
    if "lang" in given:
        question = replace(question, language=given["lang"])
    found = ask(sheet, question)
    if given.get("quick"):
        found = replace(found, look_further=lambda: ((), ()))
    told = found.to_json()
    if given.get("quick"):
        told = {key: value for key, value in told.items() if key not in ("instead", "readings")}
    if given.get("text"):
        from riese_kb.text import render

        told["text"] = render(found, colour=False, ascii=False, width=100)
    return told | ({"svg": found.svg()} if given.get("svg") else {})


def _check(given: Data) -> Data:
    """The board in its normal form, as text and as the tables of that text."""
    import tomllib

    from riese_kb.teamfile import format_sheet

    text = format_sheet(_sheet(given["board"]))
    return {"board": text, "tables": tomllib.loads(text)}


def _complete(given: Data) -> Data:
    from riese_kb.board import Board
    from riese_kb.language import complete
    from riese_kb.rings import RingBoard

    names: tuple[str, ...] = ()
    if "board" in given:
        sheet = _sheet(given["board"])
        names = tuple(figure.id for figure in sheet.figures) if isinstance(sheet, Board | RingBoard) else ()
    return {"words": complete(given["text"], names)}


def _import(given: Data) -> Data:
    from riese_kb.mapfiles import read_map

    keys = ("snap", "portals", "objects")
    found = read_map(given["map"], given["name"], **{key: given[key] for key in keys if key in given}, tiles=given.get("tiles"))
    return found.to_json()


def _export(given: Data) -> Data:
    from riese_kb.board import Board
    from riese_kb.mapfiles import write_map

    sheet = _sheet(given["board"])
    if not isinstance(sheet, Board):
        raise QuestionError("only boards of squares can be exported", fix="rings and teams have no map")
    return {"map": write_map(sheet, given["format"])}


# --- books ----------------------------------------------------------------------------------------------------------


def _audit(given: Data) -> Data:
    import json

    from riese_kb.audit import report
    from riese_kb.audit.findings import Severity
    from riese_kb.audit.run import audit

    if not given["book"].strip():
        raise RulesError("the book is empty", fix="send its text as book")
    system = System(given.get("system", MAIN))
    if system is not MAIN:
        raise RulesError(f"no audit asks the catalogue of {system}", fix=f"leave out system, or send {MAIN}")
    found = audit(given["book"], system, given.get("logic", False))
    data: Data = json.loads(report.to_json(found, Severity(given.get("level", "low"))))
    return data


def _rules(given: Data) -> Data:
    from riese_kb.catalogue import chapters
    from riese_kb.handbook import entry
    from riese_kb.lookup import rules_json

    system = System(given.get("system", MAIN))
    id = given.get("id")
    if id is None or id in chapters(system):
        return rules_json(system, id)
    try:
        found = entry(system, id)
    except RulesError as error:
        raise NotHere(error.what, fix=error.fix) from None
    german = {"title_de": found.rule.title_de, "says_de": found.rule.says_de}
    return found.to_json() | {key: text for key, text in german.items() if text}


def _readings(given: Data) -> Data:
    from riese_kb.lookup import readings_json

    try:
        return readings_json(System(given.get("system", MAIN)), given.get("name"))
    except RulesError as error:
        raise NotHere(error.what, fix=error.fix) from None


# --- what the page offers -------------------------------------------------------------------------------------------


def _names(given: Data) -> Data:
    """The names that a board of that game may use: what the page puts into its lists."""
    from riese_kb import tables

    system = System(given.get("system", MAIN))
    if system.on_rings:
        return {"characters": {}, "weapons": [], "gear": [], "zombies": [], "npcs": [], "markers": [], "kinds": []}
    items = tables.armoury(system)
    people = {name: [skill.name for skill in person.skills] for name, person in tables.characters(system).items()}
    weapons = [name for name in items if tables.weapon_card(system, name) is not None]
    return {
        "characters": people,
        "weapons": weapons,
        "gear": list(items),
        "zombies": list(tables.zombie_types(system)),
        "npcs": list(tables.npcs(system)),
        "markers": list(system.markers),
        "kinds": [kind for kind in ("hero", "zombie", "npc", "civilian", "soldier") if not system.lacks(kind)],
    }


def _examples(_: Data) -> Data:
    """The shipped boards, by the names of their files."""
    from riese_kb.tables import data_root

    found: dict[str, str] = {}
    for system in System:
        folder = os.path.join(data_root(), "queries", system)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if name.endswith(".board.toml"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found[f"{system}/{name.removesuffix('.board.toml')}"] = file.read()
    return {"boards": found}


_CALLS: Mapping[str, Callable[[Data], Data]] = {
    "ask": _ask,
    "check": _check,
    "complete": _complete,
    "import": _import,
    "export": _export,
    "audit": _audit,
    "rules": _rules,
    "readings": _readings,
    "names": _names,
    "examples": _examples,
}
