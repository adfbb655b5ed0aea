"""ATTACKING, ATTACK MODIFIERS, HAND TO HAND, SPREAD FIRE, SELECT FIRE, COVERING, and the powers that matter there.

One file for these chapters, though it is long: it is read beside the book, from top to bottom.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from riese_kb.board import Board, Declared, Facing, Figure, Kind, Weapon
from riese_kb.question import AttackType

from .movement import declaration
from .readings import Readings, taken
from .sight import lof
from .terrain import (
    OFFSET,
    health,
    howlers,
    lockers,
    powers,
    reaches_over,
    stunned,
    wounded_trooper,
)

D12 = range(1, 13)
DODGED = Fraction(4, 12)
"""DODGE: 9 to 12 on a d12."""
TURNED_TO_STUN = Fraction(2, 12)
"""THICK SKIN: 1 or 2 on a d12."""

UNARMED = Weapon(name="unarmed", rof=1, h2h_stun=10, h2h_wound=12, pbr=1, rm="H")
DECLARED_AM = {Declared.STATIONARY: -2, Declared.WALKING: 0, Declared.RUNNING: 2}
COVERING_AM = {Declared.STATIONARY: 0, Declared.WALKING: 2, Declared.RUNNING: 4}


@dataclass(frozen=True)
class Shot:
    """An attack with everything decided that the player decides."""

    hero: str
    target: str
    type: AttackType
    weapon: Weapon | None
    declared: Declared
    covering: bool
    off_hand: bool
    select: bool


# --- who and where ---------------------------------------------------------------------------------------------------


def enemies(board: Board) -> list[Figure]:
    """Those not on the heroes' side: zombies and NPCs."""
    return [figure for figure in board.figures if figure.kind in (Kind.ZOMBIE, Kind.NPC)]


def distance(a: Figure, b: Figure) -> int:
    """Squares counted from one to the other; a diagonal counts as two."""
    return abs(a.at[0] - b.at[0]) + abs(a.at[1] - b.at[1])


def in_front(hero: Figure, other: Figure, readings: Readings | None) -> bool:
    """Is it in the front arc, 90 degrees wide?"""
    ahead = OFFSET[hero.facing or Facing.NORTH]
    dx, dy = other.at[0] - hero.at[0], other.at[1] - hero.at[1]
    along = dx * ahead[0] + dy * ahead[1]
    across = abs(dx * ahead[1] - dy * ahead[0])
    return along >= across if taken(readings, "arc") == "inclusive" else along > across


def closest(board: Board, hero: Figure, readings: Readings | None) -> list[Figure]:
    """The closest enemies in the front arc with a line of fire to them."""
    seen = [
        enemy
        for enemy in enemies(board)
        if in_front(hero, enemy, readings) and lof(board, hero.at, enemy.at, readings)["verdict"] == "clear"
    ]
    return [enemy for enemy in seen if distance(hero, enemy) == min(distance(hero, other) for other in seen)]


def forced_to_h2h(board: Board, hero: Figure, readings: Readings | None) -> bool:
    """Is an enemy adjacent, so that only hand to hand is left?"""
    also_stunned = taken(readings, "stunned_forces_h2h") == "yes"
    return any(
        reaches_over(board, hero.at, enemy.at, taken(readings, "adjacent")) and (also_stunned or not stunned(enemy))
        for enemy in enemies(board)
    )


# --- with what -------------------------------------------------------------------------------------------------------


def weapon_named(board: Board, name: str | None) -> Weapon | None:
    return next((weapon for weapon in board.weapons if weapon.name == name), None)


def for_h2h(weapon: Weapon | None) -> bool:
    return weapon is not None and weapon.h2h_stun is not None and weapon.h2h_wound is not None


def for_ranged(weapon: Weapon | None) -> bool:
    return weapon is not None and isinstance(weapon.rm, int) and weapon.stun is not None and weapon.wound is not None


def rate_of_fire(shot: Shot) -> int:
    weapon = shot.weapon
    if weapon is None:
        return 1
    if shot.type is AttackType.H2H and weapon.rm != "H":
        return 1
    return (weapon.rof or 1) + (1 if shot.select else 0)


def point_blank(shot: Shot) -> int:
    weapon = shot.weapon
    if weapon is None or (shot.type is AttackType.H2H and weapon.rm != "H"):
        return 1
    return weapon.pbr or 1


def basic_values(shot: Shot) -> tuple[int, int] | None:
    """The S/W values on the card for this type of attack."""
    weapon = shot.weapon
    if weapon is None:
        return None
    if shot.type is AttackType.H2H:
        stun, wound = weapon.h2h_stun, weapon.h2h_wound
    else:
        stun, wound = weapon.stun, weapon.wound
    return None if stun is None or wound is None else (stun, wound)


def choose_weapon(
    board: Board, hero: Figure, type: AttackType, name: str | None, off_hand: bool, unarmed: bool
) -> tuple[Weapon | None, bool, list[str]]:
    """The weapon used, whether it is the one in the off hand, and what is wrong with that."""
    faults: list[str] = []
    ready, second = weapon_named(board, hero.weapon), weapon_named(board, hero.off_hand)
    suitable = [weapon for weapon in (ready, second) if for_h2h(weapon)]
    if unarmed:
        if type is not AttackType.H2H or name is not None or off_hand:
            faults.append("unarmed-h2h-only")
        if suitable:
            faults.append("unarmed-with-weapon")
        return UNARMED, False, faults
    if name is not None and name != hero.weapon and name == hero.off_hand:
        off_hand = True
    if off_hand:
        chosen = second
        if hero.off_hand is None or (name is not None and name != hero.off_hand):
            faults.append("not-readied")
            chosen = weapon_named(board, name) or second
        elif not (ready and ready.one_handed and second and second.one_handed):
            faults.append("off-hand-one-handed")
    else:
        chosen = ready
        if name is not None and name != hero.weapon:
            faults.append("not-readied")
            chosen = weapon_named(board, name)
    if type is AttackType.H2H and not for_h2h(chosen):
        if suitable or faults:
            return chosen, off_hand, [*faults, "unsuitable"]
        return UNARMED, False, faults
    if type is not AttackType.H2H and not for_ranged(chosen):
        faults.append("unsuitable")
    return chosen, off_hand, faults


# --- modifiers -------------------------------------------------------------------------------------------------------


def modifiers(board: Board, shot: Shot, readings: Readings | None) -> dict[str, int]:
    """Every attack modifier of the next die, by reason; zeros left out."""
    hero, target = figures(board, shot)
    found: dict[str, int] = {}
    found["lof"] = lof(board, hero.at, target.at, readings)["modifier"]
    found["range"] = range_modifier(shot, distance(hero, target))
    if target.kind is Kind.ZOMBIE and stunned(target):
        found["stunned"] = -3
    if shot.type is AttackType.SPREAD:
        found["spread"] = 1
    if shot.covering:
        found["covering"] = COVERING_AM.get(shot.declared, 0)
    if not shot.covering or taken(readings, "covering_declared") == "added":
        found["declared"] = DECLARED_AM.get(shot.declared, 0)
    if shot.off_hand:
        found["off-hand"] = 2
    if shot.select:
        found["select"] = -1
    if wounded_trooper(hero):
        found["wounded-trooper"] = 2
    if board.threat >= 4:
        found["threat-4"] = 1
    if board.threat >= 11:
        found["threat-11"] = 1
    found["howl"] = len(howlers(board))
    if "antihero" in powers(target):
        found["antihero"] = 1
    if "shutzshild" in powers(target):
        found["shutzshild"] = 2
    return {reason: amount for reason, amount in found.items() if amount}


def range_modifier(shot: Shot, squares: int) -> int:
    """+1 each time the RM must be added to the PB range to get there."""
    if shot.type is AttackType.H2H or shot.weapon is None or not isinstance(shot.weapon.rm, int):
        return 0
    reached, times = point_blank(shot), 0
    while reached < squares:
        if shot.weapon.rm <= 0:
            return 0
        reached += shot.weapon.rm
        times += 1
    return times


def figures(board: Board, shot: Shot) -> tuple[Figure, Figure]:
    hero, target = board.figure(shot.hero), board.figure(shot.target)
    assert hero is not None
    assert target is not None
    return hero, target


# --- the question ----------------------------------------------------------------------------------------------------


def attack(
    board: Board,
    hero_id: str,
    target_id: str,
    weapon: str | None = None,
    type: AttackType | None = None,
    declared: Declared | None = None,
    covering: bool = False,
    off_hand: bool = False,
    unarmed: bool = False,
    select: bool = False,
    readings: Readings | None = None,
) -> dict[str, Any]:
    """Is the attack legal, what is needed, and what are the odds?"""
    board = turn_over(board, target_id)
    shot, faults = judge(board, hero_id, target_id, weapon, type, declared, covering, off_hand, unarmed, select, readings)
    return answer(board, shot, faults, readings)


def judge(
    board: Board,
    hero_id: str,
    target_id: str,
    weapon: str | None,
    type: AttackType | None,
    declared: Declared | None,
    covering: bool,
    off_hand: bool,
    unarmed: bool,
    select: bool,
    readings: Readings | None,
) -> tuple[Shot, list[str]]:
    """The attack with everything filled in, and the rules it breaks (whether it is impossible is not asked here)."""
    hero = board.figure(hero_id)
    target = board.figure(target_id)
    assert hero is not None
    assert target is not None
    declared = declaration(board, hero, declared)
    forced = forced_to_h2h(board, hero, readings)
    if type is None:
        type = AttackType.H2H if forced else AttackType.NORMAL
    chosen, off_hand, faults = choose_weapon(board, hero, type, weapon, off_hand, unarmed)
    shot = Shot(hero_id, target_id, type, chosen, declared, covering, off_hand, select)
    faults += state_faults(board, hero, shot)
    faults += target_faults(board, hero, target, shot, readings)
    if forced and type is not AttackType.H2H:
        faults.append("h2h-only")
    if select and (type is AttackType.H2H or not (chosen and chosen.select_fire)):
        faults.append("select")
    if type is AttackType.SPREAD and rate_of_fire(shot) < 2:
        faults.append("spread-rof")
    if type is not AttackType.H2H and (3 if hero.ammo is None else hero.ammo) < 1:
        faults.append("ammo")
    return shot, faults


def turn_over(board: Board, target_id: str) -> Board:
    """Whoever can be attacked has been seen, so a face-down marker is revealed first."""
    return board_with(board, target_id, drop="unrevealed")


def state_faults(board: Board, hero: Figure, shot: Shot) -> list[str]:
    faults: list[str] = []
    if shot.declared is Declared.SPECIAL:
        faults.append("special-action")
    if "attacked" in hero.status:
        faults.append("attacked")
    if lockers(board, hero.id):
        faults.append("locked")
    if shot.covering and "covering" not in hero.status:
        faults.append("not-covering")
    if wounded_trooper(hero) and shot.declared is Declared.RUNNING:
        faults.append("trooper-running")
    return faults


def target_faults(board: Board, hero: Figure, target: Figure, shot: Shot, readings: Readings | None) -> list[str]:
    faults: list[str] = []
    if target not in enemies(board):
        faults.append("no-enemy")
    if not in_front(hero, target, readings):
        faults.append("arc")
    if lof(board, hero.at, target.at, readings)["verdict"] == "blocked":
        faults.append("lof")
    near = closest(board, hero, readings)
    if near and distance(hero, target) > distance(hero, near[0]):
        faults.append("closest")
    if board.darkness and distance(hero, target) > 2:
        faults.append("darkness")
    if shot.type is AttackType.H2H and distance(hero, target) > point_blank(shot):
        faults.append("h2h-range")
    return faults


def answer(board: Board, shot: Shot, faults: list[str], readings: Readings | None) -> dict[str, Any]:
    hero, target = figures(board, shot)
    ledger = modifiers(board, shot, readings)
    modifier = sum(ledger.values())
    values = basic_values(shot)
    result: dict[str, Any] = {
        "type": str(shot.type),
        "range": distance(hero, target),
        "modifier": modifier,
        "dice": rate_of_fire(shot),
    }
    whole: dict[str, Any] = {}
    if values is not None:
        stun, wound = values[0] + modifier, values[1] + modifier
        impossible = min(stun, wound) > 12
        if impossible and taken(readings, "impossible") == "illegal":
            faults = [*faults, "impossible"]
        odds = first_die(board, shot, readings)
        result |= {
            "stun": stun,
            "wound": wound,
            "impossible": impossible,
            "odds": {name: str(odds[name]) for name in ("wound", "stun", "miss")},
        }
        whole = whole_attack(board, shot, readings)
    return {
        "verdict": "illegal" if faults else "legal",
        "violations": set(faults),
        "result": result,
        "ledger": ledger,
        "whole": whole,
    }


def targets(
    board: Board,
    hero_id: str,
    readings: Readings | None = None,
    declared: Declared | None = None,
    covering: bool = False,
) -> dict[str, list[str]]:
    """Whom may the hero attack, type by type, with any readied weapon? Impossible attacks are not left out."""
    found: dict[str, list[str]] = {str(type): [] for type in AttackType}
    for enemy in enemies(board):
        seen = turn_over(board, enemy.id)
        for type in AttackType:
            judged = [
                judge(seen, hero_id, enemy.id, None, type, declared, covering, off, bare, select, readings)
                for off in (False, True)
                for bare in (False, True)
                for select in (False, True)
            ]
            if any(not faults for _, faults in judged):
                found[str(type)].append(enemy.id)
    return found


def break_lock(board: Board, hero_id: str, declared: Declared | None = None, readings: Readings | None = None) -> dict[str, Any]:
    """For each zombie that locks the hero: the number needed with the readied weapon, and the chance."""
    hero = board.figure(hero_id)
    assert hero is not None
    declared = declaration(board, hero, declared)
    ready = weapon_named(board, hero.weapon)
    weapon = ready if for_h2h(ready) else UNARMED
    needed: dict[str, dict[str, Any]] = {}
    for zombie in lockers(board, hero_id):
        shot = Shot(hero_id, zombie.id, AttackType.H2H, weapon, declared, False, False, False)
        values = basic_values(shot)
        assert values is not None
        ledger = modifiers(board, shot, readings)
        if "strong" in powers(zombie):
            ledger["strong"] = -2
        stun = values[0] + sum(ledger.values())
        needed[zombie.id] = {
            "modifier": sum(ledger.values()),
            "stun": stun,
            "odds": str(Fraction(sum(1 for roll in D12 if roll != 1 and roll >= stun), 12)),
        }
    runs = wounded_trooper(hero) and declared is Declared.RUNNING
    return {"verdict": "legal" if needed and not runs else "illegal", "result": needed}


# --- dice ------------------------------------------------------------------------------------------------------------
# What one hit does to a figure: a list of (chance, wounds, stunned, gone).

Effect = tuple[Fraction, int, bool, bool]
NOTHING: Effect = (Fraction(1), 0, False, False)


def dodges(board: Board, figure: Figure) -> bool:
    """DODGE by power, or of all zombies from threat 8 on."""
    return figure.kind is Kind.ZOMBIE and ("dodge" in powers(figure) or board.threat >= 8)


def hit(board: Board, figure: Figure, wound: bool) -> list[Effect]:
    """What a rolled wound (or else a rolled stun) does, with its further dice."""
    effects = undodged(figure, wound)
    if not dodges(board, figure):
        return effects
    # mypy loses the shape of an Effect in a starred tuple.
    return [(DODGED, 0, False, False), *((chance * (1 - DODGED), *rest) for chance, *rest in effects)]  # type: ignore[list-item]


def undodged(figure: Figure, wound: bool) -> list[Effect]:
    if figure.kind is not Kind.ZOMBIE:
        return [(Fraction(1), 1, False, health(figure) <= 1)]  # a stun or more wounds heroes and NPCs
    if not wound:
        if "thick-skin" in powers(figure):
            return [NOTHING]
        return [(Fraction(1), 0, *stun_of(figure))]
    wounded: Effect = (Fraction(1), 1, False, True) if health(figure) <= 1 else (Fraction(1), 1, *stun_of(figure))
    if "thick-skin" not in powers(figure):
        return [wounded]
    return [(TURNED_TO_STUN, 0, *stun_of(figure)), (1 - TURNED_TO_STUN, *wounded[1:])]


def stun_of(figure: Figure) -> tuple[bool, bool]:
    """Is it stunned, is it gone, when it should be stunned?"""
    if powers(figure) & {"armoured", "shutzshild"}:
        return False, False
    if "fluchtig" in powers(figure):
        return True, True  # it pops
    return True, False


def rolled(board: Board, shot: Shot, readings: Readings | None, roll: int) -> list[Effect]:
    """What this number on the next die does to the target."""
    values = basic_values(shot)
    assert values is not None
    _, target = figures(board, shot)
    modifier = sum(modifiers(board, shot, readings).values())
    stun, wound = values[0] + modifier, values[1] + modifier
    if roll == 1 or roll < min(stun, wound):
        return [NOTHING]
    return hit(board, target, roll >= wound)


def first_die(board: Board, shot: Shot, readings: Readings | None) -> dict[str, Fraction]:
    """Chances of the next die: a wound, a stun only, nothing new."""
    _, target = figures(board, shot)
    odds = {"wound": Fraction(0), "stun": Fraction(0), "miss": Fraction(0)}
    for roll in D12:
        for chance, wounds, now_stunned, gone in rolled(board, shot, readings, roll):
            if wounds:
                name = "wound"
            elif gone or (now_stunned and not stunned(target)):
                name = "stun"
            else:
                name = "miss"
            odds[name] += chance / 12
    return odds


def whole_attack(
    board: Board, shot: Shot, readings: Readings | None, dice: int | None = None, friendly_fire: bool = True
) -> dict[str, Any]:
    """All dice, all at the same target, modifiers found anew before each: wounds taken, chance to be rid of it.

    A natural 2 wounds the first intervening figure, once an attack; if that one leaves the map, later dice are easier.
    """
    left = rate_of_fire(shot) if dice is None else dice
    # (board, wounds, gone, a 2 was rolled) -> chance
    states: list[tuple[Board, int, bool, bool, Fraction]] = [(board, 0, False, not friendly_fire, Fraction(1))]
    for _ in range(left):
        after: list[tuple[Board, int, bool, bool, Fraction]] = []
        for now, wounds, gone, two, chance in states:
            if gone:
                after.append((now, wounds, gone, two, chance))
                continue
            after += one_die(now, shot, readings, wounds, two, chance)
        states = merged(after)
    wound_odds: dict[int, Fraction] = defaultdict(Fraction)
    killed = still_stunned = Fraction(0)
    for now, wounds, gone, _, chance in states:
        wound_odds[wounds] += chance
        if gone:
            killed += chance
        elif stunned(figures(now, shot)[1]):
            still_stunned += chance
    return {
        "wounds": {count: str(wound_odds[count]) for count in sorted(wound_odds)},
        "kill": str(killed),
        "stunned": str(still_stunned),
    }


def merged(
    states: list[tuple[Board, int, bool, bool, Fraction]],
) -> list[tuple[Board, int, bool, bool, Fraction]]:
    sums: dict[Any, Fraction] = defaultdict(Fraction)
    boards: dict[Any, Board] = {}
    for board, wounds, gone, two, chance in states:
        key = (board.figures, wounds, gone, two)
        boards[key] = board
        sums[key] += chance
    return [(boards[key], key[1], key[2], key[3], chance) for key, chance in sums.items()]


def one_die(
    board: Board, shot: Shot, readings: Readings | None, wounds: int, two: bool, chance: Fraction
) -> list[tuple[Board, int, bool, bool, Fraction]]:
    found: list[tuple[Board, int, bool, bool, Fraction]] = []
    hero, target = figures(board, shot)
    passed = lof(board, hero.at, target.at, readings)["intervening"]
    for roll in D12:
        for share, lost, now_stunned, gone in rolled(board, shot, readings, roll):
            probability = chance * share / 12
            later = hurt(board, target, lost, now_stunned, gone) if not gone else board
            if roll != 2 or two or not passed:
                found.append((later, wounds + lost, gone, two, probability))
                continue
            victim = later.figure(passed[0])
            assert victim is not None
            for part, pain, dazed, dead in hit(later, victim, True):
                struck = hurt(later, victim, pain, dazed, dead)
                found.append((struck, wounds + lost, gone, True, probability * part))
    return found


def hurt(board: Board, figure: Figure, wounds: int, now_stunned: bool, gone: bool) -> Board:
    """The board after that; a killed hero or NPC stands up as a Beta zombie on its square."""
    if gone and figure.kind is Kind.HERO:
        return rise(board, figure, ("antihero",))
    if gone and figure.kind is Kind.NPC:
        return rise(board, figure, ())
    if gone:
        return replace(board, figures=tuple(other for other in board.figures if other.id != figure.id))
    board = board_with(board, figure.id, health=health(figure) - wounds)
    return board_with(board, figure.id, add="stunned") if now_stunned else board


def rise(board: Board, figure: Figure, new_powers: tuple[str, ...]) -> Board:
    zombie = Figure(id=figure.id, kind=Kind.ZOMBIE, at=figure.at, type="beta", powers=new_powers)
    return replace(board, figures=tuple(zombie if other.id == figure.id else other for other in board.figures))


def board_with(board: Board, id: str, *, health: int | None = None, add: str | None = None, drop: str | None = None) -> Board:
    """The board with that figure's health or status changed. A stunned zombie lets go of whom it locked."""
    changed: list[Figure] = []
    for figure in board.figures:
        if figure.id != id:
            changed.append(figure)
            continue
        status = [word for word in figure.status if word not in (add, drop)]
        if add:
            status.append(add)
        locks = () if add == "stunned" else figure.locks
        left = figure.health if health is None else health
        changed.append(replace(figure, status=tuple(status), health=left, locks=locks))
    return replace(board, figures=tuple(changed))
