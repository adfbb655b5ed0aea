"""The command ``witness``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from riese_kb.board import MAIN, System
from riese_kb.console import FOUND, READ, UNDECIDED, document, paper, progress, say, say_all, say_data
from riese_kb.editors import ascii_option, colour_option, how, jobs_options, json_option, stopped

if TYPE_CHECKING:
    from riese_kb.jobs import How
    from riese_kb.typeset import Paper
    from riese_kb.witness.printings import Reworded


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
  riese-kb witness mine.rules.lp --time 3600 --jobs 4 --resume done.jsonl
  riese-kb witness riese stalingrad_z --asks zombie
  riese-kb witness first-printing.txt second-printing.txt
""",
)
@click.argument("one", required=False)
@click.argument("other", required=False)
@click.option("--board-limit", "limit", default="5x5", callback=_limit, help="The largest map that is looked at; default 5x5.")
@click.option("--figures", type=click.IntRange(1, 6), default=3, help="The most figures on it; default 3.")
@click.option("--time", "seconds", type=click.IntRange(0, 86400), default=120, help="Seconds to search; default 120.")
@click.option("--asks", default="", metavar="WORD", help="Only questions that begin so: can, lof, attack, zombie …")
@click.option("--system", "game", type=click.Choice([*map(str, System)]), default=MAIN.value, help=f"The game; default {MAIN}.")
@click.option("--svg", "picture", metavar="FILE", help="Write a picture of the first answer to FILE; - prints it instead.")
@click.option("--save", "file", metavar="FILE", help="Write the board to FILE.")
@click.option("--all", "every", is_flag=True, help="Instead: ask all stored witnesses again; status 1 where one no longer holds.")
@click.option("--search", "anew", is_flag=True, help="With --all: search for all of them anew, and store them.")
@click.option("--rules", "by_rule", is_flag=True, help="Instead: which rules matter, and which two do the same.")
@click.option("--markdown", is_flag=True, help="With --all or --rules: the section of docs/findings.md.")
@jobs_options
@json_option
@ascii_option
@colour_option
def witness(
    one: str | None,
    other: str | None,
    picture: str | None,
    file: str | None,
    ascii: bool,
    colour: str,
    as_json: bool,
    **said: Any,
) -> int:
    """Find the smallest board and question that ONE and OTHER answer differently, or show that there is none that small.

    Both are values of one reading (zoc=solid), two rules (each without the other), two rule files, two games, or two printings
    (.txt, .md). ONE alone: a reading against its default, a rule against its absence, a rule file against the book.

    Exit status: 0 no difference within the bound, 1 a witness was found, 3 undecided in the time given, or stopped by Ctrl-C:
    then the best witness so far is told.
    """
    from riese_kb.files import replace_file
    from riese_kb.teamfile import format_sheet
    from riese_kb.witness import report
    from riese_kb.witness.asked import SORTS
    from riese_kb.witness.replay import answers
    from riese_kb.witness.search import Outcome, search
    from riese_kb.witness.sides import pair_of

    system = System(said["game"])
    if (said["every"] or said["by_rule"]) != (one is None) or (one is not None and (said["anew"] or said["markdown"])):
        raise click.UsageError("Name what is compared, or say --all or --rules; --search and --markdown go with those.")
    if said["by_rule"]:
        return _rules(system, said)
    if one is None:
        return _all(system, said, as_json)
    if other is not None and all(word.endswith((".txt", ".md")) for word in (one, other)):
        return _printings(system, one, other, said, paper(colour, ascii), as_json)
    pair = pair_of(system, one, other)
    with progress() as told:
        result = search(pair, SORTS, system, *_bounds(said), told, said["asks"], how=_how(said))
    if result.found is not None and file is not None:
        replace_file(file, format_sheet(result.found.board).encode())
    if result.found is not None and picture is not None:
        replies = answers(pair, result.found.board, result.found.question)
        drawn = next(reply for reply in replies if not isinstance(reply, str)).svg()
        if picture == "-":
            say_data(drawn.rstrip("\n"))
            return FOUND
        replace_file(picture, drawn.encode())
    if as_json:
        say_data(document(report.to_json(pair, result)))
    else:
        say_all(report.lines(pair, result, paper(colour, ascii), file))
    if result.stopped:
        stopped(said["resume"])
        return UNDECIDED
    return {Outcome.CONFLICT: FOUND, Outcome.SAME: READ, Outcome.UNDECIDED: UNDECIDED}[result.outcome]


def _bounds(said: dict[str, Any]) -> tuple[tuple[int, int], int, int]:
    """The largest map, the most figures and the most seconds."""
    return said["limit"], said["figures"], said["seconds"]


def _how(said: dict[str, Any]) -> How:
    return how(said["jobs"], said["cluster"], said["resume"])


def _printings(system: System, old: str, new: str, said: dict[str, Any], sheet: Paper, as_json: bool) -> int:
    """A witness for everything that two printings state differently."""
    from riese_kb.boardfile import read_text
    from riese_kb.witness import printings, report
    from riese_kb.witness.asked import SORTS
    from riese_kb.witness.search import Outcome, search

    told, outcomes, result = [], set(), None
    texts = (read_text(old)[0], read_text(new)[0])
    for pair in printings.pairs(system, *texts):
        result = search(pair, SORTS, system, *_bounds(said), asks=said["asks"], how=_how(said))
        outcomes.add(result.outcome)
        told.append(report.to_json(pair, result))
        if not as_json:
            say_all([*report.lines(pair, result, sheet), ""])
        if result.stopped:
            break
    others = printings.reworded(system, *texts)
    if as_json:
        rows = [{"cite": one.cite, "rules": one.rules, "old": one.old, "new": one.new} for one in others]
        say_data(document({"witnesses": told, "not compared": rows}))
    elif not told and not others:
        say("Nothing that the rules know of is stated differently.")
    if others and not as_json:
        say_all(["In other words, and not compared: rules hold the numbers of the printing that they were written from.", ""])
        say_all(_reworded(one) for one in others)
    if result is not None and result.stopped:
        stopped(said["resume"])
        return UNDECIDED
    if Outcome.CONFLICT in outcomes:
        return FOUND
    return UNDECIDED if Outcome.UNDECIDED in outcomes or others else READ


def _reworded(one: Reworded) -> str:
    numbers = f": {', '.join(one.old) or 'no number'} became {', '.join(one.new) or 'no number'}" if one.old or one.new else ""
    return f"  {one.cite} ({', '.join(one.rules)}){numbers}"


def _all(system: System, said: dict[str, Any], as_json: bool) -> int:
    """Ask every stored witness again, or search for all of them and store what is found."""
    from riese_kb.files import replace_file
    from riese_kb.witness import stored
    from riese_kb.witness.asked import SORTS
    from riese_kb.witness.findings import section
    from riese_kb.witness.search import search
    from riese_kb.witness.sides import pair_of

    if said["anew"]:
        kept = list(stored.stored(system))
        for one, other in stored.wanted(system):
            pair = pair_of(system, one, other)
            result = search(pair, SORTS, system, *_bounds(said), how=_how(said))
            if result.stopped:
                stopped(said["resume"])
                return UNDECIDED
            found = stored.kept_of(one, other, result)
            say(f"{one}: {result.outcome} in {result.seconds:.0f} s" + (f", {found.ask}" if found is not None else ""))
            kept = stored.merged(kept, one, other, found)
            replace_file(stored.file_of(system), stored.written(kept).encode())
        return READ
    if said["markdown"]:
        say_data(section(system))
        return READ
    rows = [(one, one.holds(system)) for one in stored.stored(system)]
    lacking = stored.needless(system)
    if as_json:
        told = [{"what": one.name, "ask": one.ask, "minimal": one.minimal, "holds": holds} for one, holds in rows]
        say_data(document({"witnesses": told, "needless": lacking}))
    else:
        say_all(f"{'differs' if holds else 'NO LONGER'}  {one.name}: {one.ask}" for one, holds in rows)
        say_all(f"needless   {one}: no witness is known" for one in lacking)
    return READ if all(holds for _, holds in rows) and not lacking else FOUND


def _rules(system: System, said: dict[str, Any]) -> int:
    """Which rules matter to a shipped question, and which two could not be told apart."""
    from riese_kb.witness.effects import effects, section

    with progress() as told:
        found = effects(system, told, _how(said))
    say_data(section(found) if said["markdown"] else section(found).replace("`", ""))
    if not found.complete:
        stopped(said["resume"])
        return UNDECIDED
    return FOUND if found.idle or found.alike else READ
