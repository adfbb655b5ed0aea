"""A wrong number in any table is found: by a stored question or range table, by a claim of ``riese-kb prove``, or by the book.

``found_by.toml`` names for each number of the tables what finds it (written by ``make wrong-numbers``, which plants one more, one
less, and the other sign at each of them). Here every number must stand in it or have a reason, and a sample is planted again.
"""

from __future__ import annotations

import random
import tomllib
from functools import cache

import pytest

from tests.riese.places import Place, places
from tests.riese.wrong_numbers import FOUND, by_book, fails, finds, known, manual, nearest, planted, refuted

TABLE = tomllib.loads(FOUND.read_text(encoding="utf-8"))
FOUND_BY: dict[str, list[str]] = TABLE["found_by"]
MISSED: dict[str, list[int]] = TABLE["missed"]
"""By number, the wrong ones that nothing finds."""

UNFOUND: dict[str, str] = {
    "modifiers.threat.threat.undead-agitation.1": "a mark that the effect has: zombies get a power, and there is no second one",
    "stalingrad_z/armoury.weapon.Maxim Gun.also.emplaced": "a mark: it stands on the board, and there is no second way to",
    "tannhaeuser/equipment.Flash Machine Gun A6a.wounds": "no board has a question that counts them up to the end",
    "tannhaeuser/equipment.": "wounds of grenades: page 22, which the text lacks, says whom; no question counts them",
    "tannhaeuser/characters.John MacNeal.mind.3": "no question asks for this value in the row that an example gives",
    "tannhaeuser/characters.": "the sheets with the last rows are pictures; a row more changes no stored answer",
    "tannhaeuser/modifiers.number.gear.durchmarsch": "no stored board puts a penalty of two in the way of somebody who has it",
    "tannhaeuser/modifiers.number.victory.": "no stored board is one short of it",
    "movement_table.jump.leap.1": "no bound of the book: any number is right that no roll reaches, whatever is added to it",
}
"""Why a wrong number is not found, or not each: by the number's name, or the beginning of it."""

SAMPLE = sorted(random.Random("wrong numbers").sample(sorted(FOUND_BY), 120))


def reason(name: str) -> str | None:
    """The reason for a number, the longest name first."""
    return next((UNFOUND[start] for start in sorted(UNFOUND, key=len, reverse=True) if name.startswith(start)), None)


def test_every_number_is_found_or_has_a_reason() -> None:
    assert FOUND_BY.keys() | MISSED.keys() == places().keys(), "make wrong-numbers"
    assert not [name for name in MISSED if reason(name) is None], "nothing finds these: a question or a claim, or a reason"


def test_no_reason_is_left_over() -> None:
    assert all(any(name.startswith(start) for name in MISSED) for start in UNFOUND)
    assert all(set(numbers) <= set(places()[name].wrong) for name, numbers in MISSED.items()), "make wrong-numbers"


def test_what_finds_them_is_there() -> None:
    assert not [finder for finder in {one for found in FOUND_BY.values() for one in found} if not known(finder)]


@cache
def broken_already() -> frozenset[str]:
    """What fails without any wrong number."""
    asked = {one for name in SAMPLE for one in FOUND_BY[name] if ": " in one and (manual() or not by_book(one))}
    with planted():
        return frozenset(one for one in sorted(asked) if fails(one))


@pytest.mark.parametrize("name", SAMPLE)
def test_a_wrong_number_is_found(name: str) -> None:
    place, finders = places()[name], FOUND_BY[name]
    if any(map(by_book, finders)) and not manual():
        pytest.skip("only the printed book finds it, which is not here")
    assert not broken_already().intersection(finders)
    for number in place.wrong:
        assert finds(finders, place, number) or number in MISSED.get(name, ()), number


def test_what_is_not_found_is_not() -> None:
    """All of them at once, on the questions that speak of them: one that fails finds one of them after all."""
    wrong: list[tuple[Place, int]] = [(places()[name], numbers[0]) for name, numbers in sorted(MISSED.items())]
    near = dict.fromkeys(one for place, _ in wrong for one in nearest(place)[:5])
    with planted(*wrong):
        assert not list(refuted(wrong[0][0].game))
        assert not [one for one in near if fails(one)]
