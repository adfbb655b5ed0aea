"""Boards on which the two Escape games differ, found by search: drawn with a seed, compared, made smaller.

    python -m tests.stalingrad_z.search_editions --seed 1 --tries 200

prints, for every set of rules that made a difference, the smallest board and question that were drawn. Those worth keeping
stand under queries/editions with what both games answer; test_editions.py holds the games to it.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from riese_kb.boardfile import format_board, parse_board
from riese_kb.editions import Comparison, compare
from riese_kb.errors import RieseError

TYPES = ("beta", "armoured", "kugelfisch", "alpha", "grinser", "omega")


def drawn(rng: random.Random) -> tuple[str, list[str]]:
    """A board file and questions about it."""
    width, height = rng.randint(3, 6), rng.randint(2, 4)
    rows = []
    for row in range(height):
        rows.append("+" + "+".join(rng.choice("     -") if row else "-" for _ in range(width)) + "+")
        squares = [rng.choice("........~#^") for _ in range(width)]
        edges = [rng.choice("      |D") for _ in range(width - 1)]
        line = "|" + "".join(s + e for s, e in zip(squares, [*edges, rng.choice("||>")], strict=True))
        rows.append(line)
    rows.append("+" + "-+" * width)
    free = [(c, r) for r in range(height) for c in range(width) if rows[2 * r + 1][2 * c + 1] != "#"]
    rng.shuffle(free)
    text = ['system = "stalingrad_z"', "map = '''", *rows, "'''"]
    count = min(len(free), rng.randint(2, 5))
    heroes, zombies = [], []
    for number, (c, r) in enumerate(free[:count]):
        at = f"{chr(ord('A') + c)}{r + 1}"
        if number == 0 or rng.random() < 0.25:
            heroes.append(f"h{number}")
            gear = rng.choice(['gear = ["Gas Mask"]', "", "grenades = 1"])
            text += ["[[figure]]", f'id = "h{number}"', 'kind = "hero"', f'at = "{at}"', f"health = {rng.randint(1, 4)}"]
            text += [f'facing = "{rng.choice(("north", "east", "south", "west"))}"', 'weapon = "Luger"', gear]
        elif rng.random() < 0.15:
            text += ["[[figure]]", f'id = "c{number}"', 'kind = "civilian"', f'at = "{at}"']
        else:
            zombies.append(f"z{number}")
            status = rng.choice(("", "", "", 'status = ["stunned"]', 'status = ["unrevealed"]'))
            text += [
                "[[figure]]",
                f'id = "z{number}"',
                'kind = "zombie"',
                f'type = "{rng.choice(TYPES)}"',
                f'at = "{at}"',
                status,
            ]
    if rng.random() < 0.3 and len(free) > count:
        c, r = free[count]
        text += ["[[marker]]", f'kind = "{rng.choice(("gas", "alarm_clock"))}"', f'at = "{chr(ord("A") + c)}{r + 1}"']
    text += ["[[weapon]]", 'name = "Luger"', "h2h_stun = 9", "h2h_wound = 11"]
    questions = [f"reach {h} {rng.choice(('walking', 'running'))}" for h in heroes] + ["zombies"]
    questions += [f"zombie {z}" for z in zombies]
    questions += [f"attack {h} on {z} {rng.choice(('', 'normal', 'h2h'))}".strip() for h in heroes for z in zombies]
    return "\n".join(text), questions


def differing(seed: int, tries: int) -> Iterator[tuple[str, Comparison]]:
    """Boards and comparisons that differ."""
    rng = random.Random(seed)
    for _ in range(tries):
        text, questions = drawn(rng)
        try:
            board = parse_board(text)
        except RieseError:
            continue
        for question in questions:
            try:
                found = compare(board, question)
            except RieseError:
                continue
            if not found.same and found.rules:
                yield format_board(board), found


def smallest(seed: int, tries: int) -> dict[tuple[str, ...], tuple[str, Comparison]]:
    """By the rules that make the difference, the shortest board that was drawn."""
    kept: dict[tuple[str, ...], tuple[str, Comparison]] = {}
    for text, found in differing(seed, tries):
        key = tuple(sorted(f"{system}:{rule.id}" for system, rule in found.rules))
        if key not in kept or len(text) < len(kept[key][0]):
            kept[key] = (text, found)
    return kept


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tries", type=int, default=100)
    given = parser.parse_args()
    for key, (text, found) in sorted(smallest(given.seed, given.tries).items(), key=lambda item: len(item[1][0])):
        print("=" * 20, found.ask, *key)
        print(text)
        for side in found.sides:
            print(side.system, side.answer and (side.answer.verdict, side.answer.result), side.error)


if __name__ == "__main__":
    main()
