"""Worked attacks of a book whose rules we have, set up on a board and asked: does the engine get what the book prints?

What an example leaves out, its range or the movement declared, is tried in every way; it is wrong only where none fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from riese_kb import tables
from riese_kb.audit.book import Book
from riese_kb.audit.findings import Finding, Kind, Severity
from riese_kb.board import MAIN, System, Weapon
from riese_kb.errors import RieseError

_PRINTED = re.compile(r"\b(?:modified|[Ff]inal)\b[^./]{0,40}S/W\)?[^./\d]{0,24}(\d{1,2})/(\d{1,2})(?![\d/])")
_MODE = re.compile(r"\b(?:declared(?: as)?|elected to) (walk|run|stationary)")
_RANGE = re.compile(r"\brange (?:of |is )?\(?(\d{1,2})\b|\b(\d{1,2}) squares away|\bAt this range \((\d{1,2})\b")
_HINDERING = re.compile(r"\b(?:one square of|across) hindering terrain")
_FIGURE = re.compile(r"\bintervening figure\b")
_COVERING = re.compile(r"\bcovering attack\b")
_MODES = {"walk": "walking", "run": "running", "stationary": "stationary"}
FARTHEST = 9
"""Squares that are tried where an example does not say how far its target is."""


@dataclass(frozen=True)
class _Scene:
    """One way in which an example may be meant."""

    weapon: str
    card: Weapon
    mode: str
    squares: int
    hindering: bool
    figure: bool
    covering: bool

    @property
    def fits(self) -> bool:
        """Whether what stands between the two has room there; next to the hero hindering terrain does not count."""
        return self.squares > 1 + self.hindering + self.figure

    def board(self) -> str:
        """A corridor with the hero at its west end, the target at its east end."""
        squares = ["."] * (self.squares + 1)
        if self.hindering:
            squares[2 if self.squares > 2 else 1] = "~"
        wall = "+" + "-+" * len(squares)
        numbers = {
            "stun": self.card.stun,
            "wound": self.card.wound,
            "pbr": self.card.pbr,
            "rm": self.card.rm,
            "rof": self.card.rof,
        }
        lines = [f'system = "{MAIN}"', "map = '''", wall, f"|{' '.join(squares)}|", wall, "'''"]
        lines += ["[[figure]]", 'id = "hero"', 'kind = "hero"', 'at = "A1"', 'facing = "east"', f'weapon = "{self.weapon}"']
        lines += [f'declared = "{self.mode}"', 'status = ["covering"]'] if self.covering else []
        lines += ["[[figure]]", 'id = "target"', 'kind = "zombie"', f'at = "{chr(65 + self.squares)}1"']
        lines += (
            ["[[figure]]", 'id = "other"', 'kind = "hero"', f'at = "{chr(64 + self.squares)}1"', 'facing = "east"']
            if self.figure
            else []
        )
        lines += [
            "[[weapon]]",
            f'name = "{self.weapon}"',
            *(f"{key} = {n!r}".replace("'", '"') for key, n in numbers.items() if n is not None),
        ]
        return "\n".join(lines) + "\n"

    def question(self) -> str:
        """What is asked of it."""
        return "attack hero on target covering" if self.covering else f"attack hero on target normal {self.mode}"


def check(book: Book, system: System) -> Iterator[Finding]:
    """Every passage that names a weapon of the book's armoury and prints the values that it comes to."""
    for entry, piece in book.pieces():
        found = _PRINTED.search(piece.text)
        card = _card(piece.text, system) if found else None
        if found is None or card is None:
            continue
        printed = (int(found[1]), int(found[2]))
        answers = []
        for scene in _scenes(piece.text, *card):
            told = _asked(scene)
            if told is not None:
                answers.append((scene, told))
            if told == printed:
                break
        else:
            if answers:
                yield _wrong(entry.at(piece), printed, answers)


def _wrong(at: Any, printed: tuple[int, int], answers: list[tuple[_Scene, tuple[int, int]]]) -> Finding:
    scene, told = answers[0]
    ways = "" if len(answers) == 1 else f", whichever of {len(answers)} ways it is meant"
    return Finding(
        Kind.EXAMPLE,
        Severity.HIGH,
        at,
        f"{scene.weapon}: {printed[0]}/{printed[1]} does not follow from the rules{ways}",
        fix=f"{told[0]}/{told[1]}" if len(answers) == 1 else None,
        witness={
            "board": scene.board(),
            "ask": scene.question(),
            "printed": list(printed),
            "answers": [list(one) for _, one in answers],
        },
    )


def _card(text: str, system: System) -> tuple[str, Weapon] | None:
    """The one weapon that a passage names, with its values; abbreviations of a type (SMG) may be missing."""
    named = []
    for name in tables.armoury(system):
        short = re.sub(r" (?:SMG|Broom Handle)$", "", name)
        card = tables.weapon_card(system, name) if re.search(rf"(?<!\w){re.escape(short)}(?!\w)", text, re.I) else None
        if card is not None and card.stun is not None and card.wound is not None and card.pbr is not None and card.rm is not None:
            named.append((name, card))
    return named[0] if len(named) == 1 else _described(text)


_VALUES = re.compile(r"\bS/W (?:is|of) (\d{1,2})/(\d{1,2})(?![\d/])")
_PBR = re.compile(r"\b(?:PBR|PB range|point-blank range) (?:of|is) (\d{1,2})")


def _described(text: str) -> tuple[str, Weapon] | None:
    """A weapon without a name whose values and point-blank range the passage gives."""
    values, pbr = _VALUES.search(text), _PBR.search(text)
    if values is None or pbr is None:
        return None
    return "Sample", Weapon(name="Sample", stun=int(values[1]), wound=int(values[2]), pbr=int(pbr[1]), rm=1, rof=1)


def _scenes(text: str, weapon: str, card: Weapon) -> Iterator[_Scene]:
    mode, squares = _MODE.search(text), _RANGE.search(text)
    within = re.search(r"\bwithin (?:its|their|her|his)(?: weapon's)? (?:PBR?|point-blank)\b", text)
    far = card.pbr if within and isinstance(card.pbr, int) else FARTHEST
    ranges = [int(next(n for n in squares.groups() if n))] if squares else [*range(1, far + 1)]
    modes = [_MODES[mode[1]]] if mode else [*_MODES.values()]
    on_the_way = (bool(_HINDERING.search(text)), bool(_FIGURE.search(text)), bool(_COVERING.search(text)))
    for declared, distance in product(modes, ranges):
        scene = _Scene(weapon, card, declared, distance, *on_the_way)
        if scene.fits:
            yield scene


def _asked(scene: _Scene) -> tuple[int, int] | None:
    from riese_kb.asking import ask
    from riese_kb.boardfile import parse_board

    try:
        result = ask(parse_board(scene.board()), scene.question()).result
    except RieseError:
        return None  # it cannot be meant like that
    return (result["stun"], result["wound"]) if "stun" in result else None
