"""The commands of ``riese-kb`` as click sees them; ``cli`` runs them and turns errors into exit statuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from riese_kb.console import FOUND, INTERRUPTED, LANGUAGES, READ, ask_one, complain, document, paper, say, say_all, say_data
from riese_kb.designers import ruling, what_if
from riese_kb.editors import ascii_option, audit, colour_option, diff, game_named, game_option, json_option, prove
from riese_kb.errors import RieseError
from riese_kb.examplescommand import example, manual
from riese_kb.mapcommands import export_map, import_map
from riese_kb.oddscommand import odds
from riese_kb.webcommand import serve
from riese_kb.witnesscommand import witness

if TYPE_CHECKING:
    pass

_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_BOARD = "queries/riese/doors.board.toml"


def run(arguments: Sequence[str]) -> int:
    """Run one command; click's own complaints are printed here."""
    try:
        # Not commands.main(): that has exit statuses of its own for readers that leave.
        with commands.make_context("riese-kb", [*arguments]) as context:
            status = commands.invoke(context)
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        error.show()
        return error.exit_code
    return status if isinstance(status, int) else READ


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from riese_kb import __version__

        say(f"riese-kb {__version__}")
        context.exit()


@click.group(context_settings=_HELP, epilog="Begin with: riese-kb tour")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version.")
def commands() -> None:
    """Rules questions about Escape from Projekt Riese, answered with the rules that say so.

    A board is a text file, a question is a line of text. The answer says legal or not, names every rule behind it with
    its place in the book, and shows it on the board.

    Exit status: 0 answered (legal and illegal alike), 1 a check found something, 2 the question, board or text could
    not be read, 3 undecided within the limits.
    """


for _command in (audit, diff, example, manual, odds, prove, ruling, serve, what_if, witness):
    commands.add_command(_command)


@commands.command(
    short_help="Answer one question about a board.",
    epilog=f"""\b
Questions:
  can ID walk|run forward, turn left, …   can ID run to D7   reach ID running
  lof ID to ID   lof A3 to E1   targets ID   break lock ID
  attack ID on ID [with "FG-42"] [spread|h2h|normal] [covering] [off hand] [select]
  zombie ID   zombies   why not can ID run to D7   what gives 8/11 with "FG-42"   max range for ID to wound ID
  of a team file (docs/teams.md): can ID learn SKILL   between scenarios   threat after 17 won
  … under READING   … without RULE   … with rules FILE

\b
Examples:
  riese-kb ask {_BOARD} "can nicole walk open door ahead, forward"
  riese-kb ask {_BOARD} "can nicole walk to A1" --json
""",
)
@click.argument("board")
@click.argument("question", nargs=-1, required=True)
@json_option
@ascii_option
@colour_option
@click.option("--lang", type=click.Choice(LANGUAGES), help="Language of an answer about rings; default: the question's.")
@click.option(
    "--svg",
    metavar="FILE",
    help="Draw the answer into FILE, as SVG or (FILE.png) PNG; - prints the SVG in place of the text.",
)
def ask(board: str, question: tuple[str, ...], as_json: bool, ascii: bool, colour: str, lang: str | None, svg: str | None) -> int:
    """Answer one QUESTION about the BOARD file, which may be a team file."""
    return ask_one(board, " ".join(question), as_json, ascii, colour, lang, svg)


# --- riese-kb batch -------------------------------------------------------------------------------------------------


@commands.command(
    short_help="Answer many questions, a JSON line each.",
    epilog="""\b
Examples:
  riese-kb batch questions.jsonl > answers.jsonl
  echo '{"id": 1, "board": "queries/riese/doors.board.toml", "ask": "reach nicole running"}' | riese-kb batch -
""",
)
@click.argument("questions")
@click.option("--jobs", type=click.IntRange(1, 256), default=None, help="So many processes; default: one a core.")
def batch(questions: str, jobs: int | None) -> int:
    """Answer the QUESTIONS of a file, one JSON object {"id", "board", "ask"} a line; - reads standard input.

    One answer a line comes out, in the same order and with the same id. A line that cannot be answered gets the verdict
    "error". A relative board counts from the folder of the file. Many questions at a time are answered in several processes.
    """
    from riese_kb.batch import answers
    from riese_kb.jobs import cores

    source, folder = _source(questions)
    show = sys.stderr is not None and sys.stderr.isatty()
    count = 0
    try:
        for group in answers(source, folder, jobs or cores()):
            say_data("\n".join(group))
            sys.stdout.flush()
            count += len(group)
            if show:
                sys.stderr.write(f"\r{count} answered")
                sys.stderr.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        if show and count:
            sys.stderr.write("\n")
        if questions != "-":
            source.close()
    return READ


def _source(path: str) -> tuple[Any, str]:
    """The bytes of a file or of standard input, and the folder that relative boards count from."""
    if path == "-":
        if sys.stdin is None:
            raise RieseError("there is no standard input")
        return sys.stdin.buffer, ""
    return _opened(path), os.path.dirname(path)


def _opened(path: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise RieseError("there is no such file", fix="check its name", file=path) from None
    except IsADirectoryError:
        raise RieseError("this is a folder", fix="name a file", file=path) from None
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise RieseError(f"this file cannot be read: {reason}", file=path) from None


# --- riese-kb board -------------------------------------------------------------------------------------------------


@commands.group()
def board() -> None:
    """Show a board file, or put it into shape."""


@board.command(
    epilog=f"""\b
Examples:
  riese-kb board show {_BOARD}
  riese-kb board show drill.board.toml --ascii
"""
)
@click.argument("file")
@ascii_option
@colour_option
def show(file: str, ascii: bool, colour: str) -> int:
    """Draw the board in FILE; a board of rings is listed ring by ring."""
    from riese_kb.board import Board
    from riese_kb.rings import RingBoard
    from riese_kb.teamfile import load_sheet

    board = load_sheet(file)
    if isinstance(board, RingBoard):
        from riese_kb.ringtext import board_lines as ring_by_ring

        say_all(ring_by_ring(board, paper(colour, ascii)))
    elif isinstance(board, Board):
        from riese_kb.text import board_lines

        say_all(board_lines(board, paper(colour, ascii)))
    else:
        raise RieseError("this is a team file and no board", fix="riese-kb board fmt shows it", file=file)
    return READ


@board.command(
    epilog="""\b
Examples:
  riese-kb board fmt drill.board.toml
  riese-kb board fmt drill.board.toml --write
  riese-kb board fmt drill.board.toml --check
"""
)
@click.argument("file")
@click.option("--check", is_flag=True, help="Only say whether FILE is normalised; status 1 if it is not.")
@click.option("--write", is_flag=True, help="Replace FILE instead of printing.")
def fmt(file: str, check: bool, write: bool) -> int:
    """Print the board or team in FILE normalised: keys in one order, canonical names, nothing that is default.

    Comments at the top of the file are kept, others are not.
    """
    from riese_kb.boardfmt import normalised
    from riese_kb.files import replace_file

    if check and write:
        raise click.UsageError("--check and --write exclude each other.")
    before, after, lost = normalised(file)
    if check:
        if before != after:
            say(f"{file} is not normalised")
        return READ if before == after else FOUND
    if lost:
        complain(f"{file}: comments on {'line' if len(lost) == 1 else 'lines'} {', '.join(map(str, lost))} are not kept")
    if not write:
        say_data(after.decode().removesuffix("\n"))
    elif before != after:
        replace_file(file, after)
    return READ


for _command in (import_map, export_map):
    board.add_command(_command)


# --- riese-kb compare -----------------------------------------------------------------------------------------------


@commands.command(
    short_help="Ask one question under both Escape games.",
    epilog="""\b
Examples:
  riese-kb compare queries/stalingrad_z/burning-way.board.toml "zombie z2"
  riese-kb compare queries/riese/doors.board.toml "reach nicole running" --json
""",
)
@click.argument("board")
@click.argument("question", nargs=-1, required=True)
@json_option
@colour_option
def compare(board: str, question: tuple[str, ...], as_json: bool, colour: str) -> int:
    """Answer one QUESTION about the BOARD file under its own game and under the other one of its family.

    The rules that make the difference are named, with their places in the books.
    """
    from riese_kb.boardfile import load_board
    from riese_kb.editions import compare as compared
    from riese_kb.editions import lines, to_json
    from riese_kb.typeset import wrap

    found = compared(load_board(board), " ".join(question))
    if as_json:
        say_data(document(to_json(found)))
        return READ
    page = paper(colour)
    for line in lines(found):
        indent = line[: len(line) - len(line.lstrip())]
        say("\n".join(wrap(line.strip(), page.width, indent)) if line else "")
    return READ


# --- riese-kb rules, readings ---------------------------------------------------------------------------------------


@commands.command(
    short_help="List the rules, or explain one.",
    epilog="""\b
Examples:
  riese-kb rules
  riese-kb rules movement
  riese-kb rules movement.diagonal-gap
  riese-kb rules --coverage field_manual.txt
""",
)
@click.argument("id", required=False)
@click.option("--coverage", "book", metavar="BOOK", help="Account for every passage of BOOK, your copy as plain text.")
@game_option
@json_option
@ascii_option
@colour_option
def rules(id: str | None, book: str | None, game: str, as_json: bool, ascii: bool, colour: str) -> int:
    """List all rules or those of a chapter, or explain the rule ID.

    A rule is explained in our own words, with its place in the book, its exceptions, and the shipped boards that keep
    and break it. --coverage says of each passage of the book which rules or tables say it, or what is missing; status 1
    when a passage has changed or is not accounted for.
    """
    if book is not None:
        if id is not None:
            raise click.UsageError("--coverage takes the whole book, not one rule.")
        return _coverage(book, as_json, ascii, colour)
    from riese_kb.catalogue import chapters
    from riese_kb.handbook import entry
    from riese_kb.lookup import rule_lines, rule_list, rules_json

    system = game_named(game)
    if id is None or id in chapters(system):
        if as_json:
            say_data(document(rules_json(system, id)))
        else:
            say_all(rule_list(system, id, paper(colour, ascii)))
        return READ
    found = entry(system, id)
    if as_json:
        say_data(document(found.to_json()))
    else:
        say_all(rule_lines(found, paper(colour, ascii)))
    return READ


def _coverage(book: str, as_json: bool, ascii: bool, colour: str) -> int:
    from riese_kb.account import account_json, account_lines
    from riese_kb.coverage import book_text, held_by
    from riese_kb.program import readings

    text = book_text(book)
    system, held = held_by(text)
    if as_json:
        say_data(document(account_json(held, book, readings(system))))
    else:
        say_all(account_lines(held, readings(system), paper(colour, ascii)))
    return READ if held.agrees else FOUND


@commands.command(
    short_help="List what the book leaves open, or explain one point.",
    epilog="""\b
Examples:
  riese-kb readings
  riese-kb readings zoc
""",
)
@click.argument("name", required=False)
@click.option("--markdown", is_flag=True, help="The whole list as docs/readings.md.")
@game_option
@json_option
@ascii_option
@colour_option
def readings(name: str | None, markdown: bool, game: str, as_json: bool, ascii: bool, colour: str) -> int:
    """List the points that the book leaves open, or explain the point NAME.

    A question picks another reading with "under NAME=VALUE".
    """
    from riese_kb.lookup import reading_lines, reading_list, readings_json, readings_markdown

    system = game_named(game)
    if markdown:
        say_data(readings_markdown(system))
    elif as_json:
        say_data(document(readings_json(system, name)))
    elif name is None:
        say_all(reading_list(system, paper(colour, ascii)))
    else:
        say_all(reading_lines(system, name, paper(colour, ascii)))
    return READ


# --- riese-kb tour --------------------------------------------------------------------------------------------------


@commands.command(
    short_help="Walk through real questions on shipped boards.",
    epilog="""\b
Examples:
  riese-kb tour
  riese-kb tour --pause
""",
)
@click.option("--pause", is_flag=True, help="Wait for Enter between two questions (on a terminal).")
@ascii_option
@colour_option
def tour(pause: bool, ascii: bool, colour: str) -> int:
    """Walk through half a dozen real questions on shipped boards."""
    from riese_kb import tour as walk

    waits = pause and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()

    def wait() -> None:
        if waits:
            sys.stdout.flush()
            sys.stderr.write("\nEnter for the next question ")
            sys.stderr.flush()
            sys.stdin.readline()

    walk.run(paper(colour, ascii), say, wait)
    return READ
