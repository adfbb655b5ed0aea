"""The commands for those who decide cases and change rules: ``ruling``."""

from __future__ import annotations

import click

from riese_kb.console import FOUND, READ, document, paper, say, say_all, say_data
from riese_kb.editors import ascii_option, colour_option, json_option

_BOARD = "queries/riese/doors.board.toml"


@click.group()
def ruling() -> None:
    """Keep a file of decided cases, and see which of them flip under the present rules."""


@ruling.command(
    short_help="Keep a decided case.",
    epilog=f"""\b
Examples:
  riese-kb ruling add {_BOARD} "can nicole walk forward" --says illegal --source "club evening, 3 May"
""",
)
@click.argument("board")
@click.argument("question", nargs=-1, required=True)
@click.option("--says", required=True, type=click.Choice(["legal", "illegal", "clear", "blocked"]), help="What was decided.")
@click.option("--source", required=True, help="Who says so, and where.")
@click.option("--disputed", is_flag=True, help="Somebody says otherwise: a flip is told and not counted.")
@click.option("--file", "path", default="rulings.toml", show_default=True, help="The file that it is kept in.")
def add(board: str, question: tuple[str, ...], says: str, source: str, disputed: bool, path: str) -> int:
    """Keep the decision of a QUESTION about the BOARD file. It takes the place of an older one of the same case."""
    from riese_kb import rulings

    answer, before = rulings.add(path, rulings.Ruling(board, " ".join(question), says, source, disputed))
    replaced = f", in place of {before.says} ({before.source})" if before is not None else ""
    say(f"{path}: ruled {says}{replaced}.")
    if answer.verdict != says:
        say(f"The rules say {answer.verdict}; riese-kb ruling check {path} tells which.")
    return READ


@ruling.command(
    short_help="Ask all decided cases again.",
    epilog="""\b
Examples:
  riese-kb ruling check
  riese-kb ruling check rulings.toml --json
""",
)
@click.argument("file", default="rulings.toml")
@json_option
@ascii_option
@colour_option
def check(file: str, as_json: bool, ascii: bool, colour: str) -> int:
    """Ask all cases of FILE (rulings.toml) again; those that flip are told with the rules behind it.

    The exit status is 1 where a ruling flips that is not disputed, or cannot be asked any more.
    """
    from riese_kb import rulings, rulingtext

    sheet = paper(colour, ascii)
    found = []
    for one in rulings.check(file):
        found.append(one)
        if not as_json:
            say_all(rulingtext.lines(one, sheet))
    if as_json:
        say_data(document(rulingtext.to_json(found)))
    else:
        say(f"\n{rulingtext.summary(found)}" if found else f"{file} holds no rulings")
    return FOUND if any(one.counts for one in found) else READ
