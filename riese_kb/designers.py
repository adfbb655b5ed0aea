"""The commands for those who decide cases and change rules: ``ruling`` and ``what-if``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from riese_kb.board import MAIN
from riese_kb.console import FOUND, READ, UNDECIDED, document, paper, progress, say, say_all, say_data
from riese_kb.editors import ascii_option, colour_option, how, jobs_options, json_option, stopped

if TYPE_CHECKING:
    from riese_kb.jobs import How
    from riese_kb.whatif import Report

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
@jobs_options
@json_option
@ascii_option
@colour_option
def check(file: str, as_json: bool, ascii: bool, colour: str, **more: Any) -> int:
    """Ask all cases of FILE (rulings.toml) again; those that flip are told with the rules behind it.

    The exit status is 1 where a ruling flips that is not disputed, or cannot be asked any more; 3 where Ctrl-C stopped it.
    """
    from riese_kb import rulings, rulingtext

    with progress() as told:
        found, complete = rulings.check(file, how(**more), told)
    if as_json:
        say_data(document(rulingtext.to_json(found)))
    else:
        for one in found:
            say_all(rulingtext.lines(one, paper(colour, ascii)))
        say(f"\n{rulingtext.summary(found)}" if found else f"{file} holds no rulings")
    if not complete:
        stopped(more["resume"])
        return UNDECIDED
    return FOUND if any(one.counts for one in found) else READ


# --- riese-kb what-if -----------------------------------------------------------------------------------------------


@click.command(
    "what-if",
    short_help="What a file of rules changes: stored boards, rulings, boards drawn at random.",
    epilog="""\b
Examples:
  riese-kb what-if queries/riese/no-running.rules.lp
  riese-kb what-if house.rules.lp --boards my-boards --generated 200 --seed 7
  riese-kb what-if house.rules.lp --generated 5000 --jobs 4 --resume done.jsonl
""",
)
@click.argument("change")
@click.option("--boards", metavar="DIR", help="A folder of boards, with or without .questions.toml; default: those shipped.")
@click.option("--rulings", metavar="FILE", help="Decided cases, asked too (riese-kb ruling); those in DIR are in any case.")
@click.option("--generated", type=click.IntRange(0, 1_000_000), default=0, help="So many boards drawn at random, too.")
@click.option("--seed", type=int, default=1, show_default=True, help="Where drawing begins; the same boards come again.")
@click.option(
    "--time",
    "seconds",
    type=click.IntRange(0, 86400),
    default=60,
    show_default=True,
    help="Seconds to look for the smallest board.",
)
@jobs_options
@json_option
@ascii_option
@colour_option
def what_if(change: str, boards: str | None, rulings: str | None, as_json: bool, ascii: bool, colour: str, **more: Any) -> int:
    """Ask stored questions with and without the rules of the file CHANGE, and tell which are answered otherwise.

    Each is told with both answers' difference in a sentence, and the rule that makes it. The exit status is 1 where anything
    changes, and 3 where Ctrl-C stopped it.
    """
    from riese_kb import whatif, whatiftext

    cases = [*whatif.stored(boards), *(whatif.ruled(rulings) if rulings is not None else ())]
    seconds = more.pop("seconds")
    with progress() as told:
        report = whatif.what_if(change, cases, more.pop("generated"), more.pop("seed"), how(**more), told)
        if report.complete and seconds:
            report = _with_smallest(report, seconds, how(**more), told)
    sheet = paper(colour, ascii)
    if as_json:
        say_data(document(report.to_json()))
    else:
        say_all(whatiftext.lines(report, sheet))
        say_all(whatiftext.smallest_lines(report, sheet))
    if not report.complete:
        stopped(more["resume"])
        return UNDECIDED
    return READ if report.empty else FOUND


def _with_smallest(report: Report, seconds: int, jobs: How, told: Callable[[str], None]) -> Report:
    """The report with the smallest new board, where the search for witnesses finds one in time."""
    from msgspec.structs import replace

    from riese_kb.language import format_question
    from riese_kb.teamfile import format_sheet
    from riese_kb.whatif import compared
    from riese_kb.witness.asked import SORTS
    from riese_kb.witness.search import search
    from riese_kb.witness.sides import pair_of

    result = search(pair_of(MAIN, report.file, None), SORTS, MAIN, (4, 4), 3, seconds, told, how=jobs)
    report = replace(report, complete=not result.stopped)
    if result.found is None:
        return report
    changed = compared(result.found.board, [format_question(result.found.question)], report.file)
    if not changed:
        return report
    found = {"board": format_sheet(result.found.board), **changed[0][1].to_json(), "proved": result.minimal}
    return replace(report, found=found)
