"""The command ``odds``."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from riese_kb.board import MAIN, System
from riese_kb.console import READ, document, paper, say, say_all, say_data
from riese_kb.editors import ascii_option, colour_option, json_option

SQUARES = [system.value for system in System if not system.on_rings]
_GALLERY = "queries/riese/spread-gallery.board.toml"


@click.command(
    short_help="The odds of a whole attack, throw or roll, as bars; a weapon's range table.",
    epilog=f"""\b
Examples:
  riese-kb odds {_GALLERY} "attack kelley on z1 spread"
  riese-kb odds {_GALLERY} "attack kelley on z1 spread" --switch "z1 until stunned, z2"
  riese-kb odds queries/riese/scratch-rolls.board.toml initiative --scratch 3
  riese-kb odds --weapon FG-42 running --against armoured
  riese-kb odds --weapon MP-40 --rof 2 --stun 6 --wound 9 --pbr 4 --rm 2 --svg mp40.svg
""",
)
@click.argument("words", nargs=-1)
@click.option(
    "--aim",
    default=None,
    help="What dice are used for: kills (the default), wounds, stops (stunned or killed), or an enemy's id.",
)
@click.option("--switch", default=None, help='Targets of spread fire: "z1 z2 z2", or "z1 until stunned, z2 until gone, z3".')
@click.option("--scratch", type=click.IntRange(0), default=None, help="Scratch tokens at hand, instead of the board's.")
@click.option("--weapon", default=None, help="Instead of a board: the range table of a weapon.")
@click.option("--rof", type=click.IntRange(1, 12), default=None, help="Values of a weapon that the book does not print …")
@click.option("--stun", type=click.IntRange(1, 40), default=None, help="… the number that stuns …")
@click.option("--wound", type=click.IntRange(1, 40), default=None, help="… the number that wounds …")
@click.option("--pbr", type=click.IntRange(1, 99), default=None, help="… its point-blank range …")
@click.option("--rm", type=click.IntRange(1, 99), default=None, help="… and its range modifier.")
@click.option("--against", default="beta", help="The type of zombie that a range table is for.")
@click.option("--stunned", is_flag=True, help="… which is stunned.")
@click.option("--system", "game", type=click.Choice(SQUARES), default=MAIN.value, help="The game whose weapon it is.")
@click.option(
    "--plus", type=click.IntRange(-40, 40), default=0, help="Further modifiers for a range table, added to the numbers needed."
)
@click.option("--to", type=click.IntRange(2, 60), default=24, help="The longest range of a table.")
@click.option(
    "--svg", "picture", default=None, help="Also write the bars as a picture into this file; - prints it in place of the text."
)
@json_option
@ascii_option
@colour_option
def odds(words: tuple[str, ...], picture: str | None, as_json: bool, ascii: bool, colour: str, **given: Any) -> int:
    """The exact odds of what a QUESTION about a BOARD rolls (WORDS: both), or a --weapon's range table.

    Questions: attack …, throw …, break lock …, initiative. Counted in are all dice, what each changes for the next, figures in
    between, saves, rerolls by skills and scratch tokens, and, for spread fire, the best switching of targets.
    """
    _refuse_idle("weapon" if given["weapon"] is not None else "board")
    title, groups, data, notes = _table(words, **given) if given["weapon"] is not None else _asked(words, **given)
    if picture is not None and groups:
        from riese_kb.chances.chart import svg
        from riese_kb.files import replace_file

        if picture == "-":
            say_data(svg(title, groups).rstrip("\n"))
            return READ
        replace_file(picture, svg(title, groups).encode())
    if as_json:
        say_data(document(data))
        return READ
    from riese_kb.chances.chart import lines

    sheet = paper(colour, ascii)
    say(sheet.bold(sheet.plain(title)))
    say_all(lines(groups, sheet))
    for note in notes:
        say(sheet.plain(f"\n{note}"))
    return READ


_IDLE = {
    "weapon": (("aim", "switch", "scratch"), "is for questions about a board, not for range tables"),
    "board": (
        ("rof", "stun", "wound", "pbr", "rm", "against", "stunned", "plus", "to", "game"),
        "is for the range table of a --weapon",
    ),
}
"""Options without a meaning for a range table, and for a question."""
_OPTION = {"game": "system"}


def _refuse_idle(form: str) -> None:
    """An option that would change nothing is a misunderstanding."""
    context = click.get_current_context()
    names, why = _IDLE[form]
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{_OPTION.get(name, name)} {why}.")


Told = tuple[str, tuple[Any, ...], dict[str, Any], tuple[str, ...]]
"""Title, groups of bars, data, notes."""


def _asked(words: tuple[str, ...], **given: Any) -> Told:
    from riese_kb.board import Board
    from riese_kb.chances.reckon import Wishes, odds
    from riese_kb.errors import QuestionError
    from riese_kb.teamfile import load_sheet

    if len(words) < 2:
        raise click.UsageError("Name a board and ask a question, or name a --weapon.")
    board = load_sheet(words[0])
    if not isinstance(board, Board):
        raise QuestionError("odds are reckoned on boards of squares", fix="riese-kb ask answers questions about this file")
    found = odds(board, " ".join(words[1:]), Wishes(given["aim"], given["switch"], given["scratch"]))
    notes = (*found.notes, *_plans(found.data)) if found.groups else (f"{found.answer.verdict}:", *found.notes)
    return found.title, found.groups, found.to_json(), notes


def _plans(data: dict[str, Any]) -> tuple[str, ...]:
    """The decisions of the best switching, in words."""
    best = next((way for way in data.get("ways", ()) if way["way"] == "best switching"), None)
    if best is None or not best["choices"]:
        return ()
    rows = []
    for row in best["choices"]:
        after = ", ".join(f"{id} {word}" for id, word in row["after"].items()) or "nothing yet"
        rows.append(f"  {row['left']} left, {after}: {row['target']}")
    return ("Best switching: the target of the next die\n" + "\n".join(rows),)


def _table(words: tuple[str, ...], **given: Any) -> Told:
    from riese_kb.board import Weapon
    from riese_kb.chances.card import bands, card, first_die, kills

    values = {key: given[key] for key in ("rof", "stun", "wound", "pbr", "rm")}
    supplied = Weapon(name=given["weapon"], **values) if any(v is not None for v in values.values()) else None
    system = System(given["game"])
    weapon = card(supplied, given["weapon"], system)
    said = " ".join(words)
    options = {key: given[key] for key in ("against", "stunned", "plus", "to")}
    found = bands(weapon, said, **options, system=system)
    title = f"{weapon.name}: {said or 'walking'}, against {'stunned ' if given['stunned'] else ''}{given['against']}"
    title += f", {given['plus']:+d}" if given["plus"] else ""
    data = {"weapon": weapon.name, "words": said, "against": given["against"], "stunned": given["stunned"], "plus": given["plus"]}
    return title, (first_die(found), kills(found)), data | {"bands": [band.to_json() for band in found]}, ()
