"""The commands for editors and designers: ``audit``, ``diff`` and ``prove``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from riese_kb.board import MAIN, System
from riese_kb.console import COLOURS, FOUND, READ, UNDECIDED, complain, document, paper, progress, say, say_all, say_data
from riese_kb.errors import RieseError
from riese_kb.typeset import Paper, counted

if TYPE_CHECKING:
    from riese_kb.audit.errata import Outcome
    from riese_kb.audit.findings import Severity
    from riese_kb.audit.report import Told
    from riese_kb.jobs import How

ascii_option = click.option("--ascii", is_flag=True, help="Keep to ASCII characters.")
colour_option = click.option(
    "--color", "colour", type=click.Choice(COLOURS), default="auto", help="Colours; auto: on a terminal."
)
F = TypeVar("F", bound=Callable[..., Any])
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document instead of text.")
game_option = click.option(
    "--system", "game", default=MAIN.value, metavar="GAME", help=f"The game that is meant (default: {MAIN})."
)


def jobs_options(command: F) -> F:
    """The options of commands that do many jobs: ``--jobs``, ``--cluster`` and ``--resume``."""
    for option in (
        click.option("--resume", metavar="FILE", help="Keep finished jobs in FILE, and go on where a run with it left off."),
        click.option("--cluster", metavar="ADDRESS", help="Run on the workers of a dask scheduler (extra: cluster)."),
        click.option("--jobs", type=click.IntRange(1, 256), default=1, help="So many processes; default 1."),
    ):
        command = option(command)
    return command


def how(jobs: int, cluster: str | None, resume: str | None) -> How:
    """Where the jobs run, as those options say."""
    from riese_kb.jobs import How

    if cluster is not None and jobs > 1:
        raise click.UsageError("--jobs and --cluster exclude each other.")
    return How(jobs, cluster, resume)


def stopped(resume: str | None) -> None:
    """Say that Ctrl-C ended it before all was done."""
    complain("stopped before all was done" + ("; the same command goes on there" if resume else " (--resume FILE can go on)"))


def game_named(name: str) -> System:
    """The game of that name."""
    from riese_kb.errors import did_you_mean

    if name not in set(System):
        raise RieseError(f'no game is called "{name}"', fix=did_you_mean(name, System))
    return System(name)


# --- riese-kb audit -------------------------------------------------------------------------------------------------


@click.command(
    short_help="Look through a rulebook for what contradicts, dangles or stands twice.",
    epilog="""\b
Examples:
  riese-kb audit manual.txt
  riese-kb audit manual.txt --level medium
  riese-kb audit manual.txt --logic --format json
""",
)
@click.argument("book")
@click.option("--system", type=click.Choice([*map(str, System)]), default=None, help="The game whose catalogue is asked, too.")
@click.option("--logic", is_flag=True, help=f"Also tell what the catalogue knows; without --system, that of {MAIN.called}.")
@click.option("--errata", "sheet", default=None, help="An errata sheet: apply it, and say what is amiss with it.")
@click.option("--propose", is_flag=True, help="Print an errata sheet for what can be mended by changing words.")
@click.option("--level", type=click.Choice(["high", "medium", "low"]), default="low", help="The least severity that counts.")
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif", "html"]), default="text", help="How to print it.")
@ascii_option
@colour_option
def audit(  # noqa: PLR0917  # click hands over every option, by name
    book: str, system: str | None, logic: bool, sheet: str | None, propose: bool, level: str, form: str, ascii: bool, colour: str
) -> int:
    """Read the BOOK (plain text or Markdown, English or German) and list findings, the most severe first.

    The exit status is 1 where anything was found at the level asked for.
    """
    from riese_kb.audit import report
    from riese_kb.audit.findings import Severity
    from riese_kb.audit.ignored import sidecar, without
    from riese_kb.audit.run import Audit, book_text
    from riese_kb.audit.run import audit as audited
    from riese_kb.board import System

    if propose and sheet is not None:
        raise click.UsageError("--propose writes an errata sheet, --errata reads one: ask for one of them.")
    if propose and form != "text":
        raise click.UsageError(f"There is no {form} of an errata sheet.")
    least = Severity(level)
    game = System(system) if system else None
    text, read_as = book_text(book)
    if read_as:
        complain(f"{book} was read as {read_as}")
    ignored = sidecar(book)
    with progress() as step:

        def look(words: str) -> Audit:
            seen = audited(words, game, logic, step)
            return without(seen, ignored) if ignored else seen

        if propose:
            from riese_kb.audit.proposing import proposal
            from riese_kb.audit.proposing import sheet as written

            found = proposal(text, look)
        elif sheet is not None:
            from riese_kb.audit.errata import applied, read_errata

            outcome = applied(text, read_errata(sheet), look)
        else:
            plain = look(text)
    if propose:
        say_all(written(found))
        return READ
    if sheet is not None:
        return _errata(book, sheet, outcome, least, form, paper(colour, ascii))
    shown = report.at_level(plain.findings, least)
    if form == "json":
        say_data(report.to_json(plain, least))
    elif form == "text":
        say_all(report.lines(plain, book, least, paper(colour, ascii)))
    else:
        title = f"{book}: {counted(len(shown), 'finding')}"
        say_data(_formed(form, report.Told(title, [report.Part("", shown)], skipped=plain.skipped), book))
    return FOUND if shown else READ


def _errata(book: str, sheet: str, found: Outcome, least: Severity, form: str, page: Paper) -> int:
    """A sheet applied to a book: its own faults, then the findings that it settles, leaves open and brings."""
    from riese_kb.audit import report
    from riese_kb.audit.run import Audit

    groups = [
        ("settled", found.settled, "absent"),
        ("brought by the errata", found.new, "new"),
        ("still open", found.open, "unchanged"),
    ]
    parts = [report.Part(title.capitalize(), report.at_level(group, least), state) for title, group, state in groups]
    settled, new, left = (part.findings for part in parts)
    if form == "json":
        told = {"settled": settled, "findings": [*new, *left], "new": new}
        data = {"faults": found.faults, **{name: [f.to_json() for f in group] for name, group in told.items()}}
        say_data(document(data | ({"skipped": found.skipped} if found.skipped else {})))
    elif form == "text":
        for fault in found.faults:
            say(page.plain(f"✗ {fault}") if not page.ascii else f"! {fault}")
        for part in parts:
            say(page.bold(f"{part.title} ({len(part.findings)})"))
            if part.findings:
                say_all(report.lines(Audit(part.findings), book, least, page))
        for one in found.skipped:
            say(page.dim(f"left out: {one}"))
    else:
        notes = [report.Note("erratum", fault, sheet) for fault in found.faults]
        title = f"{book} with {sheet}: {counted(len(settled), 'finding')} settled, {len(new) + len(left)} open"
        say_data(_formed(form, report.Told(title, parts, notes, found.skipped), book))
    return FOUND if found.faults or new or left else READ


def _formed(form: str, told: Told, book: str) -> str:
    """A report as SARIF or as a page."""
    if form == "sarif":
        from riese_kb.audit.sarif import to_sarif

        return to_sarif(told, book)
    from riese_kb.audit.page import to_html

    return to_html(told)


# --- riese-kb diff --------------------------------------------------------------------------------------------------


@click.command(
    short_help="Compare two printings of a rulebook.",
    epilog="""\b
Examples:
  riese-kb diff first-printing.txt second-printing.txt
  riese-kb diff first-printing.txt second-printing.txt --system riese --json
""",
)
@click.argument("old")
@click.argument("new")
@click.option(
    "--system",
    type=click.Choice([str(one) for one in System if not one.on_rings]),  # of the others we have no passages by their entry
    default=None,
    help="Name the rules whose passages have changed.",
)
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif", "html"]), default="text", help="How to print it.")
@json_option
@ascii_option
@colour_option
def diff(old: str, new: str, system: str | None, form: str, as_json: bool, ascii: bool, colour: str) -> int:
    """Say which passages of OLD were moved, changed, added and removed in NEW, and which findings came and went.

    The exit status is 1 where the printings differ.
    """
    from riese_kb.audit.diff import difference, lines, told
    from riese_kb.audit.run import book_text
    from riese_kb.board import System

    texts = []
    for book in (old, new):
        text, read_as = book_text(book)
        texts.append(text)
        if read_as:
            complain(f"{book} was read as {read_as}")
    with progress() as step:
        found = difference(texts[0], texts[1], System(system) if system else None, step)
    if as_json or form == "json":
        say_data(document(found.to_json()))
    elif form != "text":
        say_data(_formed(form, told(found, old, new), new))
    else:
        say_all(lines(found, paper(colour, ascii)))
    return READ if found.empty else FOUND


# --- riese-kb prove -------------------------------------------------------------------------------------------------


@click.command(
    short_help="Prove what the rules' numbers should keep to, or show where they do not.",
    epilog="""\b
Examples:
  riese-kb prove
  riese-kb prove intent
  riese-kb prove power.strong --json
""",
)
@click.argument("topic", required=False)
@game_option
@click.option("--markdown", is_flag=True, help="What is refuted, as the first section of docs/findings.md.")
@json_option
@ascii_option
@colour_option
def prove(topic: str | None, game: str, markdown: bool, as_json: bool, ascii: bool, colour: str) -> int:
    """Decide every claim about tables, modifiers and odds, or those of a TOPIC, of one id, or about one rule.

    A claim is proved for all inputs, refuted by a case (set up on a board and asked), or undecided within two seconds.
    """
    if markdown and (topic is not None or as_json):
        raise click.UsageError("--markdown is about all claims, and in a form of its own: leave out the topic and --json.")
    import gc

    from riese_kb.proving import report
    from riese_kb.proving.claims import Outcome

    gc.disable()  # z3 counts its own references; looking for cycles takes a sixth of the time
    sheet = paper(colour, ascii)
    decided = []
    system = game_named(game)
    try:
        for claim in report.claims(system, topic):
            verdict = claim.decide()
            decided.append((claim, verdict))
            if not as_json and not markdown:
                say_all(report.lines(claim, verdict, sheet, fully=topic is not None))
                sys.stdout.flush()
    finally:
        gc.enable()
    if markdown:
        from riese_kb.proving import findings

        say_data(findings.section(system, decided))
    elif as_json:
        say_data(document(report.to_json(decided)))
    else:
        say(f"\n{report.summary(decided)}")
    outcomes = {verdict.outcome for _, verdict in decided}
    if Outcome.REFUTED in outcomes:
        return FOUND
    return UNDECIDED if Outcome.UNDECIDED in outcomes else READ
