"""Worked attacks of a book whose rules we have, set up on a board and asked: does the engine get what the book prints?

What an example leaves out, its range or the movement declared, is tried in every way; it is wrong only where none fits.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from msgspec import structs

from riese_kb import tables
from riese_kb.audit.book import Book, listed
from riese_kb.audit.findings import Finding, Kind, Severity
from riese_kb.audit.told import Said, What, told
from riese_kb.board import System, Weapon
from riese_kb.errors import RieseError

if TYPE_CHECKING:
    from riese_kb.proving.worked import Pair

_MODES = {"walk": "walking", "run": "running", "stationary": "stationary"}
FARTHEST = 9
"""Squares that are tried where an example does not say how far its target is."""


@dataclass(frozen=True)
class _Scene:
    """One way in which an example may be meant."""

    system: System
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
        lines = [f'system = "{self.system}"', "map = '''", wall, f"|{' '.join(squares)}|", wall, "'''"]
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
    passed: dict[str, list[int]] = defaultdict(list)
    for entry, piece in book.pieces():
        if "S/W" not in piece.text or (printed := _printed(said := told(piece.text), piece.text)) is None:
            continue
        card = _card(piece.text, said, system)
        if card is None:
            passed["no one weapon whose values are known"].append(piece.line)
            continue
        answers = []
        for scene in _scenes(said, system, *card):
            result = _asked(scene)
            if result is not None:
                answers.append((scene, result))
            if result == printed:
                break
        else:
            if answers:
                yield _wrong(entry.at(piece), printed, answers)
            else:
                passed["no board can be set up for them"].append(piece.line)
    book.skipped += [f"worked attacks, {why}: {listed(lines)}" for why, lines in passed.items()]


def _printed(said: Sequence[Said], text: str) -> Pair | None:
    """The values that an example comes to: ``modified S/W is 7/10``, in one breath."""
    before: Said | None = None
    named: Said | None = None
    for one in said:
        if one.what in (What.MODIFIED, What.FINAL):
            before, named = one, None
        elif one.what is What.SW and before and one.start - before.end <= FAR:
            named = one
        elif one.what is What.PAIR and named and not any(c.isdigit() for c in text[named.end : one.start]):
            return one.numbers[0], one.numbers[1]
        elif one.what in (What.STOP, What.PAIR):
            before = named = None
    return None


FAR = 40
"""Characters at most between the word that says which values are meant and ``S/W``."""


def _wrong(at: Any, printed: tuple[int, int], answers: list[tuple[_Scene, tuple[int, int]]]) -> Finding:
    scene, values = answers[0]
    ways = "" if len(answers) == 1 else f", whichever of {len(answers)} ways it is meant"
    return Finding(
        Kind.EXAMPLE,
        Severity.HIGH,
        at,
        f"{scene.weapon}: {printed[0]}/{printed[1]} does not follow from the rules{ways}",
        fix=f"{values[0]}/{values[1]}" if len(answers) == 1 else None,
        witness={
            "board": scene.board(),
            "ask": scene.question(),
            "printed": list(printed),
            "answers": [list(one) for _, one in answers],
        },
    )


def _card(text: str, said: Sequence[Said], system: System) -> tuple[str, Weapon] | None:
    """The one weapon that a passage names, with its values; abbreviations of a type (SMG) may be missing."""
    named = []
    for name in tables.armoury(system):
        short = re.sub(r" (?:SMG|Broom Handle)$", "", name)
        card = tables.weapon_card(system, name) if re.search(rf"(?<!\w){re.escape(short)}(?!\w)", text, re.I) else None
        if card is not None and card.stun is not None and card.wound is not None and card.pbr is not None:
            named.append((name, card))
    return named[0] if len(named) == 1 else _described(said)


def _described(said: Sequence[Said]) -> tuple[str, Weapon] | None:
    """A weapon without a name whose values and point-blank range the passage gives."""
    values = next((two for one, two in pairwise(said) if (one.what, two.what) == (What.SW, What.PAIR)), None)
    blank = next((one for one in said if one.what is What.PBR), None)
    if values is None or blank is None:
        return None
    return "Sample", Weapon(name="Sample", stun=values.numbers[0], wound=values.numbers[1], pbr=blank.numbers[0], rm=1, rof=1)


def _scenes(said: Sequence[Said], system: System, weapon: str, card: Weapon) -> Iterator[_Scene]:
    kinds = {one.what for one in said}
    declared = next((one.words.split()[-1] for one in said if one.what is What.PACE and one.words.startswith(_DECLARED)), None)
    squares = next((one.numbers[0] for one in said if one.what is What.RANGE), None)
    far = card.pbr if What.WITHIN in kinds and isinstance(card.pbr, int) else FARTHEST
    ranges = [squares] if squares else [*range(1, far + 1)]
    modes = [next(mode for start, mode in _MODES.items() if declared.startswith(start))] if declared else [*_MODES.values()]
    across = any(one.what is What.FLAG and one.words.startswith(("one square of", "across")) for one in said)
    # How many dice are rolled changes no value.
    cards = [structs.replace(card, rm=rm, rof=card.rof or 1) for rm in (_STEPS if card.rm is None else (card.rm,))]
    for mode, distance, one in product(modes, ranges, cards):
        scene = _Scene(system, weapon, one, mode, distance, across, What.FIGURE in kinds, What.COVERING in kinds)
        if scene.fits:
            yield scene


_DECLARED = ("declared", "elected to")
_STEPS = (1, 2, 3, 4)
"""Range modifiers that are tried where the book does not give the weapon's."""


def _asked(scene: _Scene) -> tuple[int, int] | None:
    from riese_kb.asking import ask
    from riese_kb.boardfile import parse_board

    try:
        result = ask(parse_board(scene.board()), scene.question()).result
    except RieseError:
        return None  # it cannot be meant like that
    return (result["stun"], result["wound"]) if "stun" in result else None
