"""The commands ``board import`` and ``board export``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from riese_kb.console import FOUND, READ, complain, say_data
from riese_kb.errors import BoardError, RieseError

if TYPE_CHECKING:
    from riese_kb.mapfiles.imported import Asked

LARGEST = 200_000_000
"""Bytes of a map at most: pictures are most of it."""


@click.command(
    "import",
    short_help="Make a board of a map from another program.",
    epilog="""\b
Examples:
  riese-kb board import cellar.dd2vtt --portals window > cellar.board.toml
  riese-kb board import cellar.uvtt --snap 0.1
  riese-kb board import office.tmj --tiles office.tiles.toml
""",
)
@click.argument("file")
@click.option("--snap", type=click.FloatRange(0, 0.5), default=0.0, help="Squares by which a wall may lie beside the grid.")
@click.option("--portals", type=click.Choice(["window", "door"]), help="What an open portal is.")
@click.option("--objects", type=click.Choice(["ignore", "wall"]), help="What furniture is; default: left out.")
@click.option("--tiles", "list_", metavar="FILE", help="A TOML file that says what tiles are (docs/page.md).")
def import_map(file: str, snap: float, portals: str | None, objects: str | None, list_: str | None) -> int:
    """Print a board made of the map in FILE (.dd2vtt, .uvtt, .df2vtt, .tmj, .tmx).

    Walls beside the grid are listed, never moved unasked; the exit status is 1 where there are any. What only you can know
    is asked on a terminal, and elsewhere by the options.
    """
    from riese_kb.boardfile import format_board
    from riese_kb.mapfiles import read_map

    text = _text(file)
    tiles = _tiles(list_) if list_ is not None else {}
    while (found := read_map(text, file, snap=snap, portals=portals, objects=objects, tiles=tiles)).board is None:
        for asked in found.asked:
            if asked.about == "portals":
                portals = _choice(asked, file, "--portals window or --portals door")
            else:
                tiles |= _each_tile(asked, file)
    for what, lines in (("off the grid", found.off_grid), ("note", found.notes)):
        for line in lines:
            complain(f"{file}: {what}: {line}")
    say_data(format_board(found.board).removesuffix("\n"))
    return FOUND if found.off_grid else READ


@click.command(
    "export",
    short_help="Make a map for another program of a board.",
    epilog="""\b
Examples:
  riese-kb board export drill.board.toml --format tmj > drill.tmj
""",
)
@click.argument("file")
@click.option("--format", "form", type=click.Choice(["uvtt", "tmj"]), default="uvtt", help="Default: uvtt.")
def export_map(file: str, form: str) -> int:
    """Print the board in FILE as a map. A .uvtt has its walls, doors and windows; a .tmj has everything."""
    from riese_kb.boardfile import load_board
    from riese_kb.mapfiles import write_map

    say_data(write_map(load_board(file), form).removesuffix("\n"))
    return READ


def _text(file: str) -> str:
    try:
        with open(file, "rb") as stream:
            data = stream.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise BoardError(f"this has more than {LARGEST // 1_000_000} MB", fix="export it without its picture", file=file)
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        raise BoardError("there is no such file", fix="check its name", file=file) from None
    except UnicodeDecodeError:
        raise BoardError("this is not UTF-8 text", fix="known are .dd2vtt, .uvtt, .df2vtt, .tmj and .tmx", file=file) from None
    except (OSError, ValueError) as fault:
        raise BoardError(f"this file cannot be read: {getattr(fault, 'strerror', None) or fault}", file=file) from None


def _tiles(file: str) -> dict[str, str]:
    from riese_kb.boardfile import read_toml_text

    found = read_toml_text(_text(file), file).get("tiles")
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        fix = 'for example: [tiles], and below it "Floors:12" = "." and other = "ignore"'
        raise BoardError("this file does not say what tiles are", fix=fix, file=file)
    return found


def _choice(asked: Asked, file: str, option: str) -> str:
    if not (sys.stdin is not None and sys.stdin.isatty()):
        raise RieseError(f"{asked.says} {', '.join(asked.things[:6])}", fix=f"say so with {option}", file=file)
    complain(f"{file}: {', '.join(asked.things)}")
    answer: str = click.prompt(asked.says, type=click.Choice(asked.choices), err=True)
    return answer


def _each_tile(asked: Asked, file: str) -> dict[str, str]:
    if not (sys.stdin is not None and sys.stdin.isatty()):
        shown = ", ".join(asked.things[:6])
        what = f"{len(asked.things)} kinds of tiles are not known: {shown}{', …' if len(asked.things) > 6 else ''}"
        raise RieseError(what, fix="say what they are in a file, and name it with --tiles", file=file)
    told = {}
    for thing in asked.things:
        told[thing.partition(" in layer ")[0]] = click.prompt(thing, type=click.Choice(asked.choices), err=True)
    return told
