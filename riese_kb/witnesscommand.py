"""The command ``witness``."""

from __future__ import annotations

import re
import sys
from typing import Any

import click

from riese_kb.console import FOUND, READ, UNDECIDED, document, paper, say_all, say_data
from riese_kb.editors import ascii_option, colour_option, json_option


def _limit(_: click.Context, __: click.Parameter, said: str) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9])x([1-9])", said)
    if found is None:
        raise click.BadParameter(f"{said!r} is no size of a map; say for example 5x5, 9x9 at most")
    return int(found[1]), int(found[2])


@click.command(
    short_help="The smallest board on which two readings, rules or rule files disagree.",
    epilog="""\b
Examples:
  riese-kb witness zoc=geometric zoc=solid
  riese-kb witness zoc.stop
  riese-kb witness mine.rules.lp yours.rules.lp --board-limit 6x6 --figures 4
""",
)
@click.argument("one")
@click.argument("other", required=False)
@click.option("--board-limit", "limit", default="5x5", callback=_limit, help="The largest map that is looked at; default 5x5.")
@click.option("--figures", type=click.IntRange(1, 6), default=3, help="The most figures on it; default 3.")
@click.option("--time", "seconds", type=click.IntRange(1, 86400), default=120, help="Seconds to search; default 120.")
@click.option("--svg", "picture", metavar="FILE", help="Write a picture of the first answer to FILE; - prints it instead.")
@click.option("--save", "file", metavar="FILE", help="Write the board to FILE.")
@json_option
@ascii_option
@colour_option
def witness(
    one: str, other: str | None, picture: str | None, file: str | None, as_json: bool, ascii: bool, colour: str, **bounds: Any
) -> int:
    """Find the smallest board and question that ONE and OTHER answer differently, or show that there is none that small.

    Both are values of one reading (zoc=solid), two rules (each without the other), or two rule files. ONE alone: a reading
    against its default, a rule against its absence, a rule file against the book.

    Exit status: 0 no difference within the bound, 1 a witness was found, 3 undecided in the time given.
    """
    from riese_kb.board import System
    from riese_kb.boardfile import format_board
    from riese_kb.files import replace_file
    from riese_kb.witness import report
    from riese_kb.witness.asked import SORTS
    from riese_kb.witness.replay import answers
    from riese_kb.witness.search import Outcome, search
    from riese_kb.witness.sides import pair_of

    system = System.RIESE
    pair = pair_of(system, one, other)
    show = sys.stderr is not None and sys.stderr.isatty()

    def progress(step: str) -> None:
        if show:
            sys.stderr.write(f"\r\033[K{step} …")
            sys.stderr.flush()

    result = search(pair, SORTS, system, bounds["limit"], bounds["figures"], bounds["seconds"], progress)
    if show:
        sys.stderr.write("\r\033[K")
    if result.found is not None and file is not None:
        replace_file(file, format_board(result.found.board).encode())
    if result.found is not None and picture is not None:
        drawn = answers(pair, result.found.board, result.found.question)[0].svg()
        if picture == "-":
            say_data(drawn.rstrip("\n"))
            return FOUND
        replace_file(picture, drawn.encode())
    if as_json:
        say_data(document(report.to_json(pair, result)))
    else:
        say_all(report.lines(pair, result, paper(colour, ascii), file))
    return {Outcome.CONFLICT: FOUND, Outcome.SAME: READ, Outcome.UNDECIDED: UNDECIDED}[result.outcome]
