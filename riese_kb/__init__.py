"""Rules questions about the skirmish game *Escape from Projekt Riese*, answered with the rules that say so.

    import riese_kb

    board = riese_kb.load_board("queries/riese/doors.board.toml")
    answer = riese_kb.ask(board, "can nicole walk forward")
    answer.legal                            # False
    [v.rule for v in answer.violations]     # ['door.closed']
    print(answer)                           # the same in words, with a picture

``ask`` returns an ``Answer``; ``answer.to_json()`` is its plain data, and a notebook shows it as text. What cannot be
read raises one of the ``errors`` (all of them a ``RieseError``), with file, line and the nearest thing that would work.

Everything here is loaded when it is first used, so that ``import riese_kb`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from riese_kb import errors
    from riese_kb.answer import Answer
    from riese_kb.asking import ask, ask_all
    from riese_kb.board import Board
    from riese_kb.boardfile import parse_board
    from riese_kb.errors import RieseError
    from riese_kb.teamfile import load_sheet as load_board

    __version__: str

__all__ = ["Answer", "Board", "RieseError", "__version__", "ask", "ask_all", "errors", "load_board", "parse_board"]

_HOMES = {
    "Answer": "riese_kb.answer",
    "Board": "riese_kb.board",
    "RieseError": "riese_kb.errors",
    "ask": "riese_kb.asking",
    "ask_all": "riese_kb.asking",
    "parse_board": "riese_kb.boardfile",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value: Any = _version()
    elif name == "errors":
        value = import_module("riese_kb.errors")
    elif name == "load_board":  # boards of squares and of rings alike
        value = import_module("riese_kb.teamfile").load_sheet
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _version() -> str:
    """The version of the checkout, else of what is installed."""
    import os
    from importlib.metadata import version

    from riese_kb.tables import data_root

    project = os.path.join(data_root(), "pyproject.toml")
    if os.path.isfile(project):
        from riese_kb.store import read_toml

        return str(read_toml(project)["project"]["version"])
    return version("riese-kb")
