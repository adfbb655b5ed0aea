"""The commands for editors and designers: ``audit``, ``diff`` and ``prove``."""

from __future__ import annotations

import sys
from typing import Any

import click

from riese_kb.console import COLOURS, FOUND, READ, UNDECIDED, complain, document, paper, say, say_all, say_data

ascii_option = click.option("--ascii", is_flag=True, help="Keep to ASCII characters.")
colour_option = click.option(
    "--color", "colour", type=click.Choice(COLOURS), default="auto", help="Colours; auto: on a terminal."
)
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document instead of text.")


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
@click.option("--system", type=click.Choice(["riese"]), default=None, help="The game whose catalogue --logic asks.")
@click.option(
    "--logic", is_flag=True, help="Also tell what the catalogue knows: wrong signs, passages that can be read two ways."
)
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
    from riese_kb.audit.run import audit as look
    from riese_kb.audit.run import book_text
    from riese_kb.board import System

    if propose and sheet is not None:
        raise click.UsageError("--propose writes an errata sheet, --errata reads one: ask for one of them.")
    if (propose and form != "text") or (sheet is not None and form in {"sarif", "html"}):
        raise click.UsageError(f"There is no {form} of errata.")
    text, read_as = book_text(book)
    if read_as:
        complain(f"{book} was read as {read_as}")
    if propose:
        from riese_kb.audit.errata import proposed

        say_data(proposed(text).rstrip("\n"))
        return READ
    if sheet is not None:
        return _errata(book, text, sheet, form, paper(colour, ascii))
    show = sys.stderr is not None and sys.stderr.isatty()

    def progress(step: str) -> None:
        if show:
            sys.stderr.write(f"\r\033[K{step} …")
            sys.stderr.flush()

    found = look(text, System(system) if system else None, logic, progress)
    if ignored := sidecar(book):
        found = without(found, ignored)
    if show:
        sys.stderr.write("\r\033[K")
    least = Severity(level)
    if form == "json":
        say_data(report.to_json(found, least))
    elif form == "sarif":
        say_data(report.to_sarif(found, book, least))
    elif form == "html":
        say_data(report.to_html(found, book, least))
    else:
        say_all(report.lines(found, book, least, paper(colour, ascii)))
    return FOUND if report.at_level(found.findings, least) else READ


def _errata(book: str, text: str, sheet: str, form: str, page: Any) -> int:
    """A sheet applied to a book: its own faults, then the findings that it settles, leaves open and brings."""
    from riese_kb.audit import report
    from riese_kb.audit.errata import applied, read_errata
    from riese_kb.audit.findings import Severity
    from riese_kb.audit.run import Audit

    found = applied(text, read_errata(sheet))
    if form == "json":
        parts = {"settled": found.settled, "findings": [*found.new, *found.open], "new": found.new}
        say_data(document({"faults": found.faults, **{name: [f.to_json() for f in group] for name, group in parts.items()}}))
    else:
        for fault in found.faults:
            say(page.plain(f"✗ {fault}") if not page.ascii else f"! {fault}")
        for title, group in (("settled", found.settled), ("brought by the errata", found.new), ("still open", found.open)):
            say(page.bold(f"{title.capitalize()} ({len(group)})"))
            if group and title != "still open":
                say_all(report.lines(Audit(group), book, Severity.LOW, page))
    return FOUND if found.faults or found.new or found.open else READ


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
@click.option("--system", type=click.Choice(["riese"]), default=None, help="Name the rules whose passages have changed.")
@json_option
@ascii_option
@colour_option
def diff(old: str, new: str, system: str | None, as_json: bool, ascii: bool, colour: str) -> int:
    """Say which passages of OLD were moved, changed, added and removed in NEW, and which findings came and went.

    The exit status is 1 where the printings differ.
    """
    from riese_kb.audit.diff import difference, lines
    from riese_kb.audit.run import book_text
    from riese_kb.board import System

    found = difference(book_text(old)[0], book_text(new)[0], System(system) if system else None)
    if as_json:
        say_data(document(found.to_json()))
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
@click.option("--markdown", is_flag=True, help="What is refuted, as the first section of docs/findings.md.")
@json_option
@ascii_option
@colour_option
def prove(topic: str | None, markdown: bool, as_json: bool, ascii: bool, colour: str) -> int:
    """Decide every claim about tables, modifiers and odds, or those of a TOPIC, of one id, or about one rule.

    A claim is proved for all inputs, refuted by a case (set up on a board and asked), or undecided within two seconds.
    """
    if markdown and (topic is not None or as_json):
        raise click.UsageError("--markdown is about all claims, and in a form of its own: leave out the topic and --json.")
    import gc

    from riese_kb.board import System
    from riese_kb.proving import report
    from riese_kb.proving.claims import Outcome

    gc.disable()  # z3 counts its own references; looking for cycles takes a sixth of the time
    sheet = paper(colour, ascii)
    decided = []
    try:
        for claim in report.claims(System.RIESE, topic):
            verdict = claim.decide()
            decided.append((claim, verdict))
            if not as_json and not markdown:
                say_all(report.lines(claim, verdict, sheet))
                sys.stdout.flush()
    finally:
        gc.enable()
    if markdown:
        from riese_kb.proving import findings

        say_data(findings.section(System.RIESE, decided))
    elif as_json:
        say_data(document(report.to_json(decided)))
    else:
        say(f"\n{report.summary(decided)}")
    outcomes = {verdict.outcome for _, verdict in decided}
    if Outcome.REFUTED in outcomes:
        return FOUND
    return UNDECIDED if Outcome.UNDECIDED in outcomes else READ
