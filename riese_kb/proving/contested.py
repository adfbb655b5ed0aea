"""Contested points on stored boards: a question that two readings answer differently."""

from __future__ import annotations

import os
import re
from typing import Any

from riese_kb.asking import ask
from riese_kb.board import System
from riese_kb.errors import RieseError
from riese_kb.store import read_toml
from riese_kb.tables import data_root


def witness(system: System, reading: str) -> dict[str, Any] | None:
    """The first stored board and question whose answer is another one under another value of a reading; None without one."""
    folder = os.path.join(data_root(), "queries", system)
    asked = re.compile(rf"(.+?) under {reading}[ =]\w+$")
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.endswith(".questions.toml"):
            continue
        with open(path, encoding="utf-8") as stream:
            if f" under {reading}" not in stream.read():
                continue
        sheet = f"{path.removesuffix('.questions.toml')}.board.toml"
        for question in read_toml(path).get("question", ()):
            found = asked.fullmatch(question["ask"])
            if found and os.path.exists(sheet) and (told := _both(sheet, found[1], found[0])):
                return told
    return None


def _both(sheet: str, question: str, other: str) -> dict[str, Any] | None:
    try:
        answers = {text: ask(sheet, text).to_json() for text in (question, other)}
    except RieseError:
        return None  # an example of a question that is refused
    told = {text: {"verdict": answer["verdict"], "result": answer["result"]} for text, answer in answers.items()}
    if told[question] == told[other]:
        return None
    with open(sheet, encoding="utf-8") as stream:
        return {"board": stream.read(), "answers": told}
