"""The commands ``example`` and ``manual``."""

from __future__ import annotations

import re
from typing import Any

import click

from riese_kb.board import MAIN, System
from riese_kb.console import FOUND, READ, complain, document, say, say_data

FORMATS = ("text", "md", "svg", "png", "html", "pdf", "json")
system_option = click.option(
    "--system",
    "game",
    type=click.Choice([system.value for system in System]),
    default=MAIN.value,
    help=f"The game; default {MAIN}.",
)


def _size(_: click.Context, __: click.Parameter, said: str | None) -> tuple[int, int] | None:
    found = re.fullmatch(r"([1-9]\d?)x([1-9]\d?)", said or "")
    if said is not None and found is None:
        raise click.BadParameter(f"{said!r} is no size of a map; say for example 5x4")
    return (int(found[1]), int(found[2])) if found else None


@click.command(
    short_help="A worked example in which the rules you name decide.",
    epilog="""\b
Examples:
  riese-kb example movement.diagonal-gap
  riese-kb example attack.running --pair --format md
  riese-kb example attack --with running,figure --seed 3
  riese-kb example check docs/examples.md
""",
)
@click.argument("topic", nargs=-1, required=True)
@click.option("--with", "more", default="", help="Further rules, with commas; the end of an id is enough.")
@click.option("--seed", type=int, default=0, help="Another seed gives another example; default 0.")
@click.option("--size", callback=_size, metavar="WxH", help="The largest map.")
@click.option("--pair", is_flag=True, help="Also the near miss: one small change, another answer.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="How to print it; default text.")
@click.option("--out", metavar="FILE", help="Write to FILE instead of printing.")
@system_option
def example(
    topic: tuple[str, ...],
    more: str,
    seed: int,
    size: tuple[int, int] | None,
    pair: bool,
    form: str,
    out: str | None,
    game: str,
) -> int:
    """Make a small board on which exactly the rules TOPIC… decide, and tell its answer step by step.

    TOPIC is the id of a rule, the end of one, or a chapter. Equal seeds give equal bytes.

    "example check FILE.md" reads the boards and claims of FILE back, asks again, and lists what differs (status 1).
    """
    if topic[0] == "check":
        return _check(topic[1:])
    from msgspec.structs import replace

    from riese_kb.examples import make, page

    system = System(game)
    wished = make.named(system, [*topic, *filter(None, more.replace(" ", "").split(","))], seed)
    found = make.example(system, wished, seed, size)
    if not pair:
        found = replace(found, near=())
    if form == "pdf":
        from riese_kb.examples.typst import pdf, source

        return _put(pdf([source(found, "example")], page.title(found), found.answer.language), out)
    if form == "png":
        from riese_kb.svg import png

        return _put(png(found.answer.svg()), out)
    written: dict[str, Any] = {
        "text": lambda: page.text(found),
        "md": lambda: page.markdown(found),
        "svg": found.answer.svg,
        "html": lambda: page.html_page(page.title(found), page.html(found), found.answer.language),
        "json": lambda: document(page.to_json(found)),
    }
    return _put(written[form]().rstrip("\n").encode() + b"\n", out)


def _put(data: bytes, out: str | None) -> int:
    """To a file, or to standard output."""
    from riese_kb.errors import RieseError
    from riese_kb.files import replace_file

    if out is not None:
        replace_file(out, data)
        return READ
    for mark, form in ((b"%PDF", "pdf"), (b"\x89PNG", "png")):
        if data.startswith(mark):
            raise RieseError(f"a {form.upper()} is not printed to the terminal", fix=f"add --out FILE.{form}")
    say_data(data.decode().removesuffix("\n"))
    return READ


def _check(files: tuple[str, ...]) -> int:
    from riese_kb.examples.check import check

    if not files:
        raise click.UsageError("example check takes a Markdown file.")
    differ = 0
    for file in files:
        count, found = check(file)
        differ += len(found)
        for one in found:
            say(one)
        say(f"{file}: {count} checked, {len(found) or 'none'} {'differs' if len(found) <= 1 else 'differ'}")
    return FOUND if differ else READ


# --- riese-kb manual ------------------------------------------------------------------------------------------------


@click.command(
    short_help="A booklet of worked examples: every rule once kept and once broken.",
    epilog="""\b
Examples:
  riese-kb manual --out booklet.html
  riese-kb manual --chapter door --format md
  riese-kb manual --system tannhaeuser --format pdf --out beispiele.pdf
""",
)
@click.option("--seed", type=int, default=0, help="Another seed gives other examples; default 0.")
@click.option("--chapter", multiple=True, help="Only this chapter; may be given several times.")
@click.option("--format", "form", type=click.Choice(("html", "md", "pdf")), default="html", help="How to write it; default html.")
@click.option("--out", metavar="FILE", help="Write to FILE instead of printing.")
@click.option("--jobs", type=click.IntRange(1, 64), default=None, help="Chapters worked out at once; default: one a core.")
@system_option
def manual(seed: int, chapter: tuple[str, ...], form: str, out: str | None, jobs: int | None, game: str) -> int:
    """Write the booklet: for each chapter the fewest examples that show each of its rules kept and broken.

    With an index from rules to examples, the points that the book leaves open, and a list of what no example shows, with reasons.
    """
    import sys

    from riese_kb.examples import booklet
    from riese_kb.jobs import cores

    show = sys.stderr is not None and sys.stderr.isatty()

    def progress(done: int, total: int, name: str) -> None:
        if show:
            sys.stderr.write(f"\r\033[K{done} of {total} chapters, {name} …" if done < total else "\r\033[K")
            sys.stderr.flush()

    made = booklet.booklet(System(game), seed, chapter, form, jobs or cores(), progress)
    complain(booklet.account(made))
    return _put(booklet.written(made), out)
