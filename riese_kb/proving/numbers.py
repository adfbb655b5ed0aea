"""Claims about the printed tables themselves: rows, steps and ranges of dice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from riese_kb import catalogue, tables
from riese_kb.board import System
from riese_kb.proving.claims import Claim, Verdict, over
from riese_kb.store import read_toml

FACES = 12


def claims(system: System) -> Iterator[Claim]:
    """Every claim about the tables that a game has."""
    if system.on_rings:
        yield Claim(
            "tables.rows",
            "No value of a character is better in a lower row, and none is below the lowest.",
            "the characters' pages",
            partial(_values_by_row, system),
        )
        yield Claim(
            "tables.ring-price",
            "To enter the board and to leave a ring costs a movement point or more; searches rely on it.",
            catalogue.rules(system)["movement.ring"].cite,
            partial(_ring_prices, system),
            _RING_PRICES,
        )
        return
    rules = catalogue.rules(system)
    yield Claim(
        "tables.saving-rolls",
        "Every roll that saves or counts is a range of faces of a d12.",
        rules["power.dodge"].cite,
        partial(_rolls, system),
    )
    if "threat" in _toml(system, "modifiers"):
        yield Claim(
            "tables.threat-levels",
            "The effects of the threat tracker stand in rising order, each with an amount of its own.",
            rules["threat.unnerving-sounds"].cite,
            partial(_threat, system),
        )
    if _toml(system, "characters")["xp"]["levels"]:
        yield from _skills(system)
    yield Claim(
        "tables.step-prices",
        "Whatever is done with movement points costs one or more, a diagonal step two or more; searches rely on it.",
        rules["movement.forward"].cite,
        partial(_steps, system),
        tuple(id for id in rules if id.startswith("movement.") and id in _costs(system)),
    )
    if "jump" in _toml(system, "movement_table"):
        yield Claim(
            "tables.jump",
            "The rows of the jump test begin at 1 and follow each other without a gap, and a higher roll is never worse.",
            rules["jump.test"].cite,
            partial(_jump, system),
        )
    if "event" in _toml(system, "campaign"):
        yield Claim(
            "tables.events",
            "The random events give every sum of a roll and a counter one row, and one only.",
            "The Zombie Master, Random Events Chart",
            partial(_events, system),
        )
    for name, rows in dice_tables(system):
        yield Claim(
            f"tables.d12.{name}", f"The d12 table {name} gives every face one row, and one only.", name, partial(covers, rows)
        )


def numberless(system: System) -> frozenset[str]:
    """The rules whose number the book does not print: which way it goes is for the board to say."""
    printed: dict[str, int] = _toml(system, "modifiers")["am"]
    return frozenset(tables.unprinted(system)) - printed.keys()


def _skills(system: System) -> Iterator[Claim]:
    yield Claim(
        "tables.skill-prices",
        "Every level of a skill group costs more experience than the one before.",
        "EXPERIENCE POINTS (XP)",
        partial(_prices, system),
    )
    yield Claim(
        "tables.skill-groups",
        "Every character has three groups of as many skills as there are levels.",
        "Appendix 4",
        partial(_groups, system),
    )


def _toml(system: System, name: str) -> dict[str, Any]:
    return read_toml(f"{tables.data_root()}/rules/{system}/{name}.toml")


def _costs(system: System) -> dict[str, dict[str, int]]:
    costs: dict[str, dict[str, int]] = _toml(system, "movement_table")["mp_cost"]
    return costs


def dice_tables(system: System) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Every table of rows with a range of faces, ``roll = [low, high]``, in any file of the game's rules."""
    import os

    folder = f"{tables.data_root()}/rules/{system}"
    for file in sorted(os.listdir(folder)):
        if file.endswith(".toml"):
            for name, table in read_toml(f"{folder}/{file}").items():
                yield from _found(name, table)
    rolls = _toml(system, "modifiers")["roll"]
    yield "deviation", [(low, high) for id, (low, high) in rolls.items() if id.startswith("deviation.")]
    for scenario in _toml(system, "scenarios").values():
        if "energy_row" in scenario.get("facts", {}):
            # Several colours share a row; the row without any is left out of the table.
            yield "energy", [(1, 1), *sorted({(low, high) for low, high, _ in scenario["facts"]["energy_row"]})]


def _charted(row: Any) -> bool:
    """``[lowest, highest, result]``, as charts.toml has it."""
    return isinstance(row, list) and len(row) == 3 and isinstance(row[2], dict)


def _found(name: str, value: Any) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    if isinstance(value, list) and value and all(isinstance(row, dict) and "roll" in row for row in value):
        rolls = [row["roll"] if isinstance(row["roll"], list) else [row["roll"], row["roll"]] for row in value]
        yield name, [(low, high) for low, high in rolls]
    elif isinstance(value, list) and value and all(_charted(row) for row in value):
        yield name, [(low, high) for low, high, _ in value]
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _found(f"{name}.{key}", inner)


def covers(rows: list[tuple[int, int]], first: int = 1, last: int = FACES) -> Verdict:
    """Whether every face of a d12, or number from first to last, has one row, and no row goes beyond."""
    return over(
        range(min(first, *(low for low, _ in rows)), max(last, *(high for _, high in rows)) + 1),
        lambda face: sum(low <= face <= high for low, high in rows) == (first <= face <= last),
        lambda face: {"face": face, "rows": [list(row) for row in rows if row[0] <= face <= row[1]]},
    )


def _rolls(system: System) -> Verdict:
    rows = _toml(system, "modifiers")["roll"]
    return over(rows.items(), lambda row: 1 <= row[1][0] <= row[1][1] <= FACES, lambda row: {row[0]: row[1]})


def _threat(system: System) -> Verdict:
    rows = list(_toml(system, "modifiers")["threat"].items())
    return over(
        pairwise(rows),
        lambda two: two[0][1][0] < two[1][1][0] and two[0][1][1] > 0,
        lambda two: {"rows": [list(row) for row in two]},
    )


def _events(system: System) -> Verdict:
    campaign = _toml(system, "campaign")
    counters = campaign["counters"]
    rows = [(low, high) for low, high in (event["rolls"] for event in campaign["event"])]
    return covers(rows, 1 + counters["lowest"], FACES + counters["highest"])


def _values_by_row(system: System) -> Verdict:
    values = [
        (name, key, [column[row] for row in sorted(column) if row.isdigit()], column.get("lowest", 0))
        for name, entry in _toml(system, "characters").items()
        for key, column in entry.items()
        if isinstance(column, dict)
    ]
    return over(
        values,
        lambda one: all(better >= worse >= one[3] for better, worse in pairwise([*one[2][:1], *one[2]])),
        lambda one: dict(zip(("character", "value", "by row", "lowest"), one, strict=True)),
    )


_RING_PRICES = ("movement.ring", "movement.entering")


def _ring_prices(system: System) -> Verdict:
    prices = _toml(system, "modifiers")["number"]
    return over(_RING_PRICES, lambda rule: prices[rule] >= 1, lambda rule: {"rule": rule, "price": prices[rule]})


def _jump(system: System) -> Verdict:
    rows = list(_toml(system, "movement_table")["jump"].values())
    return over(
        pairwise([[0, 0, rows[0][2], "stops"], *rows]),
        lambda two: two[0][1] + 1 == two[1][0] <= two[1][1] and two[0][2] >= two[1][2] >= 0,
        lambda two: {"rows": list(two)},
    )


def _prices(system: System) -> Verdict:
    levels = _toml(system, "characters")["xp"]["levels"]
    return over(pairwise(levels), lambda two: two[0] < two[1], lambda two: {"levels": list(two)})


def _groups(system: System) -> Verdict:
    levels = len(_toml(system, "characters")["xp"]["levels"])
    people = _toml(system, "characters")["character"]
    return over(
        people,
        lambda who: len(who["skills"]) == levels and all(len(group) == levels for group in who["skills"].values()),
        lambda who: {"character": who["name"], "groups": {name: len(group) for name, group in who["skills"].items()}},
    )


def _steps(system: System) -> Verdict:
    return over(
        [(id, mode, price) for id, row in _costs(system).items() for mode, price in row.items()],
        lambda one: one[2] >= (2 if one[0] in _DIAGONAL else 1),
        lambda one: dict(zip(("rule", "mode", "price"), one, strict=True)),
    )


_DIAGONAL = {"movement.diagonal-forward", "movement.diagonal-backward"}
