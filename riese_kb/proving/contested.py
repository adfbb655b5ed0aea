"""Contested points on boards: the smallest known question that two readings answer differently (docs/witness.md)."""

from __future__ import annotations

import os
from typing import Any

from riese_kb.asking import ask
from riese_kb.board import System
from riese_kb.boardfile import parse_board
from riese_kb.store import read_toml
from riese_kb.tables import data_root
from riese_kb.teamfile import parse_team


def witness(system: System, reading: str) -> dict[str, Any] | None:
    """A stored board, or team, and a question whose answer is another one under another value of a reading; None without one."""
    path = os.path.join(data_root(), "rules", system, "witnesses.toml")
    for row in read_toml(path)["witness"] if os.path.exists(path) else ():
        if row["one"].startswith(f"{reading}="):
            board = parse_team(row["board"]) if "[[hero]]" in row["board"] else parse_board(row["board"])
            answers = {text: ask(board, text).to_json() for text in (row["ask"], f"{row['ask']} under {row['one']}")}
            told = {text: {"verdict": answer["verdict"], "result": answer["result"]} for text, answer in answers.items()}
            return {"board": row["board"], "answers": told}
    return None
