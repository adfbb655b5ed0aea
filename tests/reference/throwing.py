"""THROWN EXPLOSIVE ATTACK, AREA OF EFFECT ATTACK, and the entries of Appendix 1 on what is thrown or fired so."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from riese_kb.board import Board, Declared, Facing, Figure, Kind, Square, Terrain, parse_square, square_name

from .attacks import D12, DECLARED_AM, DODGED, TURNED_TO_STUN, dodges, forced_to_h2h, stun_of
from .movement import declaration
from .readings import Readings, taken
from .sight import lof
from .terrain import (
    OFFSET,
    SOLID_EDGES,
    beside,
    edge_kind,
    health,
    howlers,
    lockers,
    on_map,
    powers,
    revealed,
    stunned,
    terrain_at,
    wounded_trooper,
)

OFF_THE_MAP = "off the map"
COMPASS = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
"""The deviation chart, 1 to 8."""


@dataclass(frozen=True)
class Card:
    """What the book prints about it. Without S/W values it does not explode."""

    name: str
    stun: int = 0
    wound: int = 0
    pbr: int = 0
    farthest: int = 8
    thrown: bool = True


CARDS = {
    card.name: card
    for card in (
        Card("Grenade", 6, 9, 2),
        Card("Molotov Cocktail", 5, 6, 2),
        Card("Satchel Charge", 3, 6, 3, farthest=5),
        Card("Panzerfaust", 4, 7, 3, farthest=16, thrown=False),
        Card("Decoy"),
        Card("Flare"),
    )
}


# --- whether it may be thrown ----------------------------------------------------------------------------------------


def straight(a: Square, b: Square) -> int:
    """Squares counted from one to the other; a diagonal counts as two."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def around(board: Board, start: Square, end: Square, farthest: int) -> int | None:
    """The squares of the shortest path that goes around obstructive terrain, or None where there is none in range.

    What is dashed can be thrown through.
    """
    reached = {start: 0}
    edge = [start]
    while edge:
        square = edge.pop(0)
        if square == end:
            return reached[square]
        for other in beside(square) if reached[square] < farthest else []:
            if not on_map(board, other) or other in reached or terrain_at(board, other) is Terrain.OBSTRUCTIVE:
                continue
            if edge_kind(board, square, other) not in SOLID_EDGES:
                reached[other] = reached[square] + 1
                edge.append(other)
    return None


def in_arcs(hero: Figure, at: Square, readings: Readings | None) -> bool:
    """Front or side arcs: not behind. On the border to the rear arc ``arc`` decides as on that to the front."""
    ahead = OFFSET[hero.facing or Facing.NORTH]
    dx, dy = at[0] - hero.at[0], at[1] - hero.at[1]
    along = dx * ahead[0] + dy * ahead[1]
    across = abs(dx * ahead[1] - dy * ahead[0])
    return along >= -across and at != hero.at


def carrying_faults(hero: Figure, name: str, readings: Readings | None) -> set[str]:
    if name == "Grenade":
        return set() if (hero.grenades or 0) > 0 else {"supply"}
    readied = name in (hero.weapon, hero.off_hand)
    faults = set() if readied or name in hero.gear else {"supply"}
    if name == "Panzerfaust" and not readied and taken(readings, "panzerfaust_ready") == "yes":
        faults.add("not-readied")
    return faults


def throw(
    board: Board, hero_id: str, item: str, at: Square, declared: Declared | None = None, readings: Readings | None = None
) -> dict[str, Any]:
    """Is the throw legal, what must be rolled, where does it come down, and whom does it attack there?"""
    hero = board.figure(hero_id)
    assert hero is not None
    declared = declaration(board, hero, declared)
    card = CARDS.get(item, Card(item))
    faults: set[str] = set()
    if item not in CARDS:
        faults.add("throwable")
    faults |= carrying_faults(hero, item, readings)
    if declared is Declared.SPECIAL:
        faults.add("special-action")
    if "attacked" in hero.status:
        faults.add("attacked")
    if lockers(board, hero_id):
        faults.add("locked")
    if wounded_trooper(hero) and declared is Declared.RUNNING:
        faults.add("trooper-running")
    if forced_to_h2h(board, hero, readings):
        faults.add("h2h-only")
    dropped = item == "Flare" and at == hero.at
    any_arc = dropped or (not card.thrown and taken(readings, "panzerfaust_arc") == "any")
    if not any_arc and not in_arcs(hero, at, readings):
        faults.add("arc")
    seen = lof(board, hero.at, at, readings)["verdict"] == "clear"
    squares = straight(hero.at, at)
    if not seen and item == "Grenade":
        path = around(board, hero.at, at, card.farthest)
        if path is None:
            faults.add("no-path")
        else:
            squares = path
    elif not seen:
        faults.add("lof")
    if squares > card.farthest:
        faults.add("too-far")
    if board.darkness and squares > 2:
        faults.add("darkness")
    needed = None
    lands = {square_name(at): Fraction(1)}
    if not dropped:
        needed = squares if card.thrown else 6
        needed += sum(throwing_modifiers(board, hero, item, declared, seen).values())
        lands = landing(board, hero, item, at, needed, readings)
    result = {
        "range": squares,
        "lof": seen,
        "needed": needed,
        "lands": {name: str(chance) for name, chance in lands.items()},
        "victims": {name: victims(board, parse_square(name), card, readings) for name in lands} if card.pbr else {},
    }
    return {"verdict": "illegal" if faults else "legal", "violations": faults, "result": result}


def throwing_modifiers(board: Board, hero: Figure, item: str, declared: Declared, seen: bool) -> dict[str, int]:
    """The standard modifiers: none of the line of fire, none of the range."""
    found = general_modifiers(board, hero, declared)
    if item == "Satchel Charge":
        found["satchel"] = 1
    if item == "Grenade" and not seen:
        found["no-lof"] = 4
    return found


def general_modifiers(board: Board, hero: Figure | None, declared: Declared) -> dict[str, int]:
    """What hangs on who attacks and on the times."""
    found = {"howl": len(howlers(board))}
    if hero is not None:
        found["declared"] = DECLARED_AM.get(declared, 0)
        found["wounded-trooper"] = 2 if wounded_trooper(hero) else 0
        found["threat-4"] = 1 if board.threat >= 4 else 0
        found["threat-11"] = 1 if board.threat >= 11 else 0
    return found


# --- where it comes down ---------------------------------------------------------------------------------------------


def landing(board: Board, hero: Figure, item: str, at: Square, needed: int, readings: Readings | None) -> dict[str, Fraction]:
    """The chance of every square, roll by roll."""
    found: dict[str, Fraction] = defaultdict(Fraction)
    away = deviation(board, at, readings)
    for roll in D12:
        share = Fraction(1, 12)
        if roll == 1 and item == "Molotov Cocktail":
            found[square_name(hero.at)] += share
        elif roll >= needed and (roll != 1 or taken(readings, "throw_natural_one") == "lands"):
            found[square_name(at)] += share
        else:
            for name, chance in away.items():
                found[name] += share * chance
    return dict(found)


def deviation(board: Board, at: Square, readings: Readings | None) -> dict[str, Fraction]:
    """The landing of one that missed: 1-8 one square that way, 9-12 two squares and a new roll for the way; what does
    not hold is rolled again from scratch, so that the rest share its chance."""
    found: dict[str, Fraction] = defaultdict(Fraction)
    for dx, dy in COMPASS:
        for squares, share in ((1, Fraction(1, 12)), (2, Fraction(4, 12) / 8)):
            there = (at[0] + squares * dx, at[1] + squares * dy)
            if not on_map(board, there):
                if taken(readings, "deviation_off_map") == "gone":
                    found[OFF_THE_MAP] += share
                continue
            kind = terrain_at(board, there)
            if kind is Terrain.OBSTRUCTIVE:
                continue
            if kind is Terrain.BARRING and taken(readings, "deviation_dashed") == "again":
                continue
            if taken(readings, "deviation_line") == "again" and lof(board, at, there, readings)["verdict"] == "blocked":
                continue
            found[square_name(there)] += share
    total = sum(found.values(), Fraction(0))
    return {name: share / total for name, share in found.items()}


# --- what the explosion does -----------------------------------------------------------------------------------------


def victims(board: Board, at: Square | None, card: Card, readings: Readings | None) -> list[str]:
    """Every figure within the PBR that has a line of fire to the explosion."""
    if at is None:
        return []
    return [
        figure.id
        for figure in board.figures
        if straight(at, figure.at) <= card.pbr and lof(board, at, figure.at, readings)["verdict"] == "clear"
    ]


def blast(board: Board, at: Square, weapon: str, hero_id: str | None = None, readings: Readings | None = None) -> dict[str, Any]:
    """Whom does it attack, with which numbers and odds?"""
    card = CARDS[weapon]
    hit = victims(board, at, card, readings)
    near = [figure for figure in board.figures if straight(at, figure.at) <= card.pbr]
    effects: dict[str, dict[str, Any]] = {}
    for figure in near:
        if figure.id not in hit:
            continue
        revealed_figure = turned_over(figure)
        modifier = blast_modifier(board, revealed_figure, hero_id, readings)
        effects[figure.id] = blast_effect(board, revealed_figure, at, card, modifier, readings)
    return {
        "victims": hit,
        "shielded": [figure.id for figure in near if figure.id not in hit],
        "effects": effects,
    }


def turned_over(figure: Figure) -> Figure:
    return figure if revealed(figure) else replace(figure, status=tuple(w for w in figure.status if w != "unrevealed"))


def blast_modifier(board: Board, figure: Figure, hero_id: str | None, readings: Readings | None) -> int:
    if taken(readings, "aoe_modifiers") == "none":
        return 0
    hero = board.figure(hero_id) if hero_id else None
    found = general_modifiers(board, hero, declaration(board, hero, None) if hero else Declared.WALKING)
    if figure.kind is Kind.ZOMBIE and stunned(figure):
        found["stunned"] = -3
    if "antihero" in powers(figure):
        found["antihero"] = 1
    if "shutzshild" in powers(figure):
        found["shutzshild"] = 2
    return sum(found.values())


def blast_effect(
    board: Board, figure: Figure, at: Square, card: Card, modifier: int, readings: Readings | None
) -> dict[str, Any]:
    squares = straight(at, figure.at)
    stun, wound = card.stun + modifier, card.wound + modifier
    harm = 2 if card.name == "Panzerfaust" and squares == 0 else 1
    odds = {"wound": Fraction(0), "stun": Fraction(0), "miss": Fraction(0)}
    wounds: dict[int, Fraction] = defaultdict(Fraction)
    gone = dazed = Fraction(0)
    for roll in D12:
        for outcome in outcomes(board, figure, roll, stun, wound, harm):
            final = at_the_centre(figure, outcome, harm, readings) if squares == 0 else outcome
            chance, lost, now_stunned, eliminated = final
            share = chance / 12
            news = (now_stunned and not stunned(figure)) or eliminated
            odds["wound" if lost else "stun" if news else "miss"] += share
            wounds[lost] += share
            if eliminated:
                gone += share
            elif now_stunned or stunned(figure):
                dazed += share
    found: dict[str, Any] = {
        "range": squares,
        "modifier": modifier,
        "stun": stun,
        "wound": wound,
        "harm": harm,
        "odds": {name: str(chance) for name, chance in odds.items()},
        "attack": {
            "wounds": {str(count): str(wounds[count]) for count in sorted(wounds)},
            "eliminated": str(gone),
            "left_stunned": str(dazed),
        },
    }
    between = lof(board, at, figure.at, readings)["intervening"]
    if between:
        found["attack"]["bystander"] = bystander(board, between[0])
    if card.name == "Molotov Cocktail" and squares == 0:
        found["burns"] = 1
    return found


Outcome = tuple[Fraction, int, bool, bool]
"""Chance, wounds, stunned, eliminated."""


def outcomes(board: Board, figure: Figure, roll: int, stun: int, wound: int, harm: int) -> list[Outcome]:
    """What this number does to the figure."""
    if roll == 1 or roll < min(stun, wound):
        return [(Fraction(1), 0, False, False)]
    if figure.kind is not Kind.ZOMBIE:
        return [(Fraction(1), harm, False, harm >= health(figure))]
    sure = zombie_hit(figure, roll >= wound, harm)
    if not dodges(board, figure):
        return sure
    return [(DODGED, 0, False, False), *((c * (1 - DODGED), w, s, g) for c, w, s, g in sure)]


def zombie_hit(figure: Figure, wounded: bool, harm: int) -> list[Outcome]:
    thick = "thick-skin" in powers(figure)
    if not wounded:
        return [(Fraction(1), 0, *((False, False) if thick else stun_of(figure)))]
    hurt: Outcome = (Fraction(1), harm, False, True) if harm >= health(figure) else (Fraction(1), harm, *stun_of(figure))
    if not thick:
        return [hurt]
    return [(TURNED_TO_STUN, 0, *stun_of(figure)), (1 - TURNED_TO_STUN, *hurt[1:])]


def bystander(board: Board, id: str) -> dict[str, str]:
    """The first figure in between, whom a natural 2 wounds."""
    figure = board.figure(id)
    assert figure is not None
    wounded = Fraction(1, 12)
    if dodges(board, figure):
        wounded *= 1 - DODGED
    if "thick-skin" not in powers(figure):
        return {"figure": id, "wounded": str(wounded)}
    return {"figure": id, "wounded": str(wounded * (1 - TURNED_TO_STUN)), "stunned": str(wounded * TURNED_TO_STUN)}


def at_the_centre(figure: Figure, outcome: Outcome, harm: int, readings: Readings | None) -> Outcome:
    """Stunned whatever was rolled."""
    chance, lost, now_stunned, eliminated = outcome
    if eliminated or now_stunned or "thick-skin" in powers(figure):
        return outcome
    if figure.kind is Kind.ZOMBIE:
        return (chance, lost, *stun_of(figure))
    if lost or taken(readings, "aoe_centre_human") == "rolled":
        return outcome
    return chance, harm, False, harm >= health(figure)
