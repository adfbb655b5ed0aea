"""What a weapon does at every range: the range chart of ATTACK MODIFIERS for any weapon, target and modifiers.

Each range is a board of its own, a corridor with the target at its end, and a question like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb import tables
from riese_kb.answer import Answer
from riese_kb.asking import ask_all
from riese_kb.board import MAIN, Board, Facing, Figure, Kind, System, Terrain, Weapon
from riese_kb.chances.chart import FULL, HALF, Bar, Group
from riese_kb.errors import QuestionError, RieseError, did_you_mean


class Band(Struct, frozen=True):
    """Ranges ``first`` to ``last`` with the same numbers, and the answer for one of them."""

    first: int
    last: int
    answer: Answer

    @property
    def label(self) -> str:
        """``5-6``"""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    def to_json(self) -> dict[str, Any]:
        """Ranges, modified numbers and odds."""
        result = self.answer.result
        kept = {
            key: result[key] for key in ("modifier", "stun", "wound", "dice", "impossible", "odds", "attack") if key in result
        }
        return {"from": self.first, "to": self.last, "verdict": self.answer.verdict} | kept


def card(supplied: Weapon | None, name: str, system: System = MAIN) -> Weapon:
    """The weapon of that name: the book's, completed or replaced by what was supplied. Raises ``QuestionError``."""
    known = tables.find_item(system, name) or (supplied.name if supplied is not None else None)
    if known is None:
        advice = f"{did_you_mean(name, sorted(tables.armoury(system)))} Or give its values: --rof --stun --wound --pbr --rm"
        raise QuestionError(f"no weapon is called {name!r}", fix=advice)
    printed = tables.weapon_card(system, known) or Weapon(name=known)
    if supplied is None:
        return printed
    given = {key: value for key in ("rof", "stun", "wound", "pbr", "rm") if (value := getattr(supplied, key)) is not None}
    return replace(printed, **given, supplied=True)


def bands(weapon: Weapon, words: str, *, against: str, stunned: bool, plus: int, to: int, system: System = MAIN) -> list[Band]:
    """The bands of ranges, nearest first. ``words`` are those of an attack question (``running``, ``spread``, ``select`` …).

    ``plus`` is added to the numbers needed, as further modifiers would be. Raises what asking raises.
    """
    known = tables.zombie_types(system)
    if against not in known:
        raise QuestionError(f"no type of zombie is called {against!r}", fix=did_you_mean(against, sorted(known)))
    missing = [key for key in ("rof", "stun", "wound", "pbr", "rm") if getattr(weapon, key) is None]
    if missing:
        options = " ".join(f"--{key} …" for key in missing)
        raise QuestionError(f"the book prints no {', '.join(missing)} for {weapon.name}", fix=f"give {options}")
    shifted = replace(
        weapon,
        stun=None if weapon.stun is None else weapon.stun + plus,
        wound=None if weapon.wound is None else weapon.wound + plus,
        supplied=True,
    )
    # Nobody shoots at a neighbour, unless that one is stunned.
    nearest = 1 if stunned else 2
    boards = [_corridor(system, shifted, squares, against, stunned) for squares in range(nearest, to + 1)]
    asked = [(board, f"attack shooter on target {words}") for board in boards]
    found: list[Band] = []
    for squares, answer in enumerate(ask_all(asked), nearest):
        if isinstance(answer, RieseError):
            raise answer
        if found and _numbers(found[-1].answer) == _numbers(answer):
            found[-1] = replace(found[-1], last=squares)
        else:
            found.append(Band(squares, squares, answer))
    return found


def _numbers(answer: Answer) -> tuple[Any, ...]:
    if answer.result.get("impossible"):
        return answer.verdict, "impossible"
    return answer.verdict, answer.result.get("stun"), answer.result.get("wound"), answer.result.get("dice")


def _corridor(system: System, weapon: Weapon, squares: int, against: str, stunned: bool) -> Board:
    """A shooter who faces the target along a row of clear squares."""
    shooter = Figure(id="shooter", kind=Kind.HERO, at=(1, 1), facing=Facing.EAST, weapon=weapon.name)
    status = ("stunned",) if stunned else ()
    target = Figure(id="target", kind=Kind.ZOMBIE, at=(squares + 1, 1), type=against, status=status)
    terrain = {(x, 1): Terrain.CLEAR for x in range(1, squares + 2)}
    figures = (shooter, target)
    return Board(system=system, width=squares + 1, height=1, terrain=terrain, edges={}, figures=figures, weapons=(weapon,))


def first_die(found: Sequence[Band]) -> Group:
    """The bands as bars: the first die, wounds solid and stuns hatched."""
    return Group("First die at range", tuple(_bars(found)), key=((FULL, "wound"), (HALF, "stun")))


def kills(found: Sequence[Band]) -> Group:
    """The chance to be rid of the target with all dice."""
    rows = [(b, b.answer.result["attack"]["eliminated"]) for b in found if "attack" in b.answer.result]
    return Group("Target eliminated by all dice", tuple(Bar(b.label, ((FULL, Fraction(chance)),)) for b, chance in rows))


def _bars(found: Sequence[Band]) -> Iterator[Bar]:
    for band in found:
        result = band.answer.result
        if "odds" not in result:
            yield Bar(band.label, (), "; ".join(v.says for v in band.answer.violations))
            continue
        if result["impossible"]:
            yield Bar(band.label, (), "impossible")
            continue
        parts = ((FULL, Fraction(result["odds"]["wound"])), (HALF, Fraction(result["odds"]["stun"])))
        percent = " / ".join(f"{float(chance) * 100:.0f} %" for _, chance in parts)
        yield Bar(band.label, parts, f"S/W {result['stun']}/{result['wound']}  {percent}")
