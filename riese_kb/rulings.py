"""Rulings: cases that somebody has decided, kept in a file, and asked again under the rules as they are now.

``rulings.toml`` holds one table a case; the page docs/rulings.md says what stands in it. A ruling *flips* when the rules
answer otherwise; then the rules behind the answer are looked for by switching rules off.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from riese_kb.answer import Answer
from riese_kb.asking import ask, ask_all, read_question, stand_of, terms_of
from riese_kb.boardfile import line_of
from riese_kb.boardsource import shown
from riese_kb.drafting import drafted
from riese_kb.errors import RieseError, did_you_mean
from riese_kb.files import replace_file
from riese_kb.grounding import Memo, drive
from riese_kb.jobs import ALONE, How, collected, crc_of
from riese_kb.teamfile import load_sheet
from riese_kb.why_not import allowed_by, forbidden_by

VERDICTS = {"legal": "illegal", "illegal": "legal", "clear": "blocked", "blocked": "clear"}
"""What can be ruled, and its opposite."""
FILE = "rulings.toml"
"""The file where nothing else is said."""
_ALLOWED = ("legal", "clear")


class Ruling(Struct, frozen=True):
    """One decided case: the board's file (as the rulings' file names it), the question, the verdict, and who says so.

    ``disputed``: somebody says otherwise, so that a flip is told and not counted.
    """

    board: str
    ask: str
    says: str
    source: str
    disputed: bool = False


class Checked(Struct, frozen=True):
    """A ruling and what the rules say now: a verdict, or why there is none.

    ``rules`` are the smallest sets of rules that forbid what was ruled legal, or, each alone, the rules that allow what was
    ruled illegal; ``readings`` the points left open that decide it, with the value that agrees with the ruling.
    """

    ruling: Ruling
    now: str
    fault: str = ""
    rules: tuple[tuple[str, ...], ...] = ()
    readings: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether the rules say what was ruled."""
        return self.now == self.ruling.says

    @property
    def counts(self) -> bool:
        """Whether a check should fail for it."""
        return not self.agrees and not self.ruling.disputed

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        ruling = {key: getattr(self.ruling, key) for key in ("board", "ask", "says", "source", "disputed")}
        data: dict[str, Any] = {**ruling, "now": self.now, "agrees": self.agrees}
        if not self.agrees:
            data |= {"rules": [list(core) for core in self.rules], "readings": list(self.readings)}
        return data | ({"error": self.fault} if self.fault else {})


# --- the file -------------------------------------------------------------------------------------------------------


def read_rulings(path: str) -> list[Ruling]:
    """The rulings of a file, in order. Raises ``RieseError`` with the ruling and the key that is wrong."""
    import tomllib

    try:
        with open(path, "rb") as stream:
            data = tomllib.load(stream)
    except FileNotFoundError:
        raise RieseError("there is no such file", fix="riese-kb ruling add … makes it", file=path) from None
    except (OSError, UnicodeDecodeError) as fault:
        raise RieseError(f"this file cannot be read: {getattr(fault, 'strerror', None) or fault}", file=path) from None
    except tomllib.TOMLDecodeError as fault:
        raise RieseError(f"this is no TOML: {fault}", fix="see docs/rulings.md", file=path) from None
    tables = data.pop("ruling", [])
    if data or not isinstance(tables, list):
        what = f"unknown key {shown(next(iter(data)))}" if data else "ruling is no list of tables"
        raise RieseError(what, fix="write [[ruling]], with two brackets", file=path)
    return [_ruling(table, number, path) for number, table in enumerate(tables, 1)]


def _ruling(table: Any, number: int, path: str) -> Ruling:
    def error(what: str, fix: str | None) -> RieseError:
        return RieseError(f"ruling {number}: {what}", fix=fix, file=path)

    if not isinstance(table, dict):
        raise error("it is no table", "write [[ruling]], with two brackets")
    keys = Ruling.__struct_fields__
    for key, value in table.items():
        if key not in keys:
            raise error(f"unknown key {shown(key)}", did_you_mean(key, keys))
        if not isinstance(value, bool if key == "disputed" else str) or value == "":
            raise error(f"{key} is {shown(value)}", "true or false" if key == "disputed" else "write a text")
    for key in keys[:4]:
        if key not in table:
            raise error(f"{key} is missing", f'add {key} = "…"')
    if table["says"] not in VERDICTS:
        raise error(f"says is {shown(table['says'])}", did_you_mean(table["says"], VERDICTS))
    return Ruling(**table)


def write_rulings(path: str, rulings: Sequence[Ruling]) -> None:
    """Write the file anew, beside the old one and then in its place."""
    parts = ["# Decided cases; riese-kb ruling check asks them again. See docs/rulings.md.\n"]
    for ruling in rulings:
        said: dict[str, object] = {key: getattr(ruling, key) for key in Ruling.__struct_fields__[:4]}
        lines = ["[[ruling]]", *(line_of(key, value) for key, value in said.items())]
        parts.append("\n".join([*lines, *(["disputed = true"] if ruling.disputed else [])]) + "\n")
    replace_file(path, "\n".join(parts).encode())


def add(path: str, ruling: Ruling) -> tuple[Answer, Ruling | None]:
    """Put a ruling into a file; its board is named from the present folder. The answer of the rules, and what it replaces.

    Raises ``RieseError`` for what cannot be asked, or is not answered with such a verdict.
    """
    if not ruling.source.isprintable():
        raise RieseError("the source is no line of text", fix="leave out line breaks and control characters")
    rulings = read_rulings(path) if os.path.exists(path) else []
    answer = ask(load_sheet(ruling.board), ruling.ask)
    if ruling.says not in (answer.verdict, VERDICTS.get(answer.verdict)):
        known = " or ".join((answer.verdict, VERDICTS[answer.verdict])) if answer.verdict in VERDICTS else "numbers"
        raise RieseError(f"this question is answered with {known}, not with {ruling.says}", fix="see docs/rulings.md")
    folder = os.path.dirname(os.path.abspath(path))
    board = os.path.relpath(os.path.abspath(ruling.board), folder).replace(os.sep, "/")
    ruling = replace(ruling, board=board)
    places = [n for n, other in enumerate(rulings) if (other.board, other.ask) == (ruling.board, ruling.ask)]
    before = rulings[places[0]] if places else None
    write_rulings(path, [*(other for n, other in enumerate(rulings) if n not in places), ruling])
    return answer, before


# --- asking again ---------------------------------------------------------------------------------------------------


def check(path: str, how: How = ALONE, told: Callable[[str], None] = lambda _: None) -> tuple[list[Checked], bool]:
    """Every ruling of a file under the present rules, and whether all were asked; boards count from the file's folder.

    Raises ``RieseError`` for a file that cannot be used.
    """
    folder = os.path.abspath(os.path.dirname(path))
    rulings = read_rulings(path)
    jobs = [[folder, to_builtins(ruling), crc_of(os.path.join(folder, ruling.board))] for ruling in rulings]
    found, complete = collected("riese_kb.rulings:job", jobs, how, lambda count, _: told(f"{count} of {len(jobs)} rulings"))
    return [convert(found[number], Checked) for number in sorted(found)], complete


def job(given: tuple[str, dict[str, Any], int]) -> Any:
    """One ruling as a job."""
    folder, ruling, _ = given
    return to_builtins(checked(convert(ruling, Ruling), folder))


def checked(ruling: Ruling, folder: str) -> Checked:
    """One ruling under the present rules."""
    try:
        sheet = load_sheet(os.path.join(folder, ruling.board))
        (answer,) = ask_all([(sheet, ruling.ask)])
    except RieseError as fault:
        return Checked(ruling, "error", str(fault))
    if isinstance(answer, RieseError):
        return Checked(ruling, "error", str(answer))
    if answer.verdict == ruling.says:
        return Checked(ruling, answer.verdict)
    stand, question = stand_of(sheet), read_question(sheet, ruling.ask)
    terms, memo = terms_of(sheet, question), Memo()
    rules: tuple[tuple[str, ...], ...]
    if answer.verdict in _ALLOWED:
        rules = tuple((rule,) for rule in drive(allowed_by(stand, question, terms), memo))
    else:
        draft = drive(drafted(stand, question.about, terms), memo)
        rules = drive(forbidden_by(stand, question, terms, draft), memo).cores
    others = ((taken.reading, value, then) for taken in answer.readings for value, then in taken.otherwise.items())
    turned = tuple(f"{reading}={value}" for reading, value, then in others if then == ruling.says)
    return Checked(ruling, answer.verdict, rules=rules, readings=turned)
