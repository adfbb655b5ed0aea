"""The logic against the plain reference in ``tests/reference``, on thousands of generated boards.

Half of the questions are asked under the readings in force, half under one to four others. What is compared is what the
contract promises; where contract and book leave an answer open, the comparison leaves it open, too (see each function).
The first chunk of each kind goes through ``ask_all``, the others through the drafts behind it, which is much faster.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from riese_kb.board import Board, Declared
from riese_kb.errors import RieseError
from riese_kb.question import Attack, Blast, BreakLock, Can, CanTo, Lof, Npc, Question, Reach, Targets, Throw, Zombie, ZombieTurn
from tests.reference import READINGS as REFERENCE_READINGS
from tests.reference.attacks import judge, turn_over, whole_attack
from tests.reference.terrain import wounded_trooper
from tests.reference.test_reference import ask as ask_reference
from tests.riese.generated import Told, chosen, complaint, dice, drawn, seeds, shown, told

# What the reference calls by another name: ours → its own.
NAMES = {"impossible_attack": "impossible"}
VALUES = {("impossible_attack", "forbidden"): "illegal", ("impossible_attack", "allowed"): "legal"}
KNOWN = sorted({*REFERENCE_READINGS, *NAMES} - set(NAMES.values()))

# Kind, chunks, boards a chunk, questions a board.
AMOUNTS: dict[type[Any], tuple[int, int, int]] = {
    Can: (6, 20, 25),
    Reach: (4, 25, 4),
    CanTo: (4, 17, 3),
    Lof: (2, 50, 30),
    Attack: (4, 25, 20),
    Targets: (4, 50, 5),
    Throw: (4, 20, 6),
    Blast: (4, 25, 6),
    Npc: (4, 20, 3),
    Zombie: (6, 84, 3),
    ZombieTurn: (6, 25, 1),
    BreakLock: (2, 50, 3),
}
CASES = [
    pytest.param(kind, law, chunk, id=f"{kind.__name__}-{law}-{chunk}")
    for kind, (chunks, _, _) in AMOUNTS.items()
    for chunk in seeds(chunks)
    for law in (("book", "other")[chunk % 2],)
]


@pytest.mark.parametrize(("kind", "law", "chunk"), CASES)
def test_logic_and_reference_agree(kind: type[Any], law: str, chunk: int) -> None:
    _, count, each = AMOUNTS[kind]
    rng = dice("differential", kind.__name__, chunk)

    def under(board: Board) -> dict[str, str]:
        picked = chosen(rng, KNOWN, 4) if law == "other" else {}
        # The reference knows no attack over a barricade, which is what this reading says of hand to hand.
        over = {"barricade_across": "ranged"} if any(m.kind == "barricade" for m in board.markers) else {}
        # Targets of the reference may be attacked in vain.
        vain = {"impossible_attack": "allowed"} if kind is Targets else {}
        return picked | over | vain

    asked = drawn(rng, kind, count, each, under)
    faults: list[str] = []
    for (board, question), ours in zip(asked, told(asked, fully=chunk == 0), strict=True):
        if isinstance(ours, RieseError):
            faults.append(shown(board, question, ours=str(ours)))
            continue
        readings = reference_readings(question)
        theirs = ask_reference(board, question, readings)
        if theirs is None:
            continue  # more courses than the reference follows
        for what, mine, other in COMPARED[kind](board, question, readings, ours, theirs):
            if mine != other:
                faults.append(
                    shown(
                        board,
                        question,
                        differs=what,
                        ours=mine,
                        reference=other,
                        ours_in_full=ours,
                        reference_in_full=theirs,
                    )
                )
                break
    assert not faults, complaint(faults, len(asked))


def reference_readings(question: Question) -> dict[str, str]:
    """The readings of a question in the words of the reference."""
    return {NAMES.get(name, name): VALUES.get((name, value), value) for name, value in question.under if name in KNOWN}


# --- what is compared: name, ours, the reference's --------------------------------------------------------------------

Compared = list[tuple[str, Any, Any]]
Compare = Callable[[Board, Question, dict[str, str], Told, Any], Compared]


def fields(ours: Told, theirs: Any, *names: str) -> Compared:
    return [(name, ours.result.get(name), theirs["result"].get(name)) for name in names]


# What the reference calls a broken rule, and the ids it can stand for.
MOVING = {
    "trooper-running": {"trooper.no-running"},
    "locked": {"locked.break-first"},
    "dead": {"lethal.entering", "health.death"},
    "killed": {"health.death"},
    "mp": {"movement.points", "movement.no-points"},
    "end-on-fire": {"fire.no-ending"},
    "not-running": {"movement.not-while-running"},
    "zoc-stop": {"zoc.stop", "zoc.only-turn"},
    "zoc-turn": {"zoc.only-turn"},
    "zoc-between": {"zoc.between"},
    "off-map": {"movement.map", "movement.off-the-map", "movement.obstructive", "movement.chosen-flank"}
    | {"movement.diagonal-gap", "zoc.between", "movement.open-close-door", "door.locked"},
    "edge": {"movement.obstructive", "door.closed", "door.locked"},
    "obstructed": {"movement.obstructive", "barricade.movement"},
    "occupied": {"movement.occupied"},
    "diagonal-gap": {"movement.diagonal-gap", "movement.chosen-flank", "zoc.between"},
    "no-such-door": {"movement.open-close-door", "door.locked"},
}


# Breaking these leaves no doubt what the step costs and where the hero is then.
PLAIN = {"movement.points", "movement.no-points", "movement.open-close-door", "door.locked", "fire.no-ending"}
PLAIN |= {"locked.break-first", "trooper.no-running", "zoc.stop", "zoc.only-turn"}


def sequence(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    """Legal: everything. Illegal: the first broken step and the rules broken there; later steps where they are sure.

    What a forbidden step costs is in no rule; what an illegal sequence costs before it depends on the flanks taken, where
    there is a choice. The reading ``exact`` of turns in a zone is tried on single turns: the reference looks at each
    turn by itself, the logic at where they end.
    """
    about = question.about
    assert isinstance(about, Can)
    turns = ["turn" in action.step for action in about.actions]
    if readings.get("zoc_turn") == "exact" and any(map(all, pairwise(turns))):
        return []
    found: Compared = [("verdict", ours.verdict, theirs["verdict"]), *fields(ours, theirs, "mp")]
    if ours.verdict == theirs["verdict"] == "legal":
        found += fields(ours, theirs, "spent", "wounds", "end")
        return [*found, ("choices", *choices(ours.result["choices"], theirs["result"]["choices"]))]
    if ours.verdict != theirs["verdict"]:
        return found
    steps = {step for step, _, _ in theirs["violations"]}
    first = min(steps)
    found.append(("first broken step", min(step for step, _, _ in ours.broken), first))
    mine = {rule for step, rule, _ in ours.broken if step == first}
    words = {word for step, _, word in theirs["violations"] if step == first}
    if not mine <= PLAIN:  # a forbidden step: what it would cost is not said
        words -= {"mp"}
        mine -= MOVING["mp"]
    found.append(("rules without a word", {r for r in mine if not any(r in MOVING[w] for w in words)}, set()))
    found.append(("words without a rule", {w for w in words if not MOVING[w] & mine}, set()))
    if not theirs["result"]["choices"]:
        found += fields(ours, theirs, "spent", "wounds", "end")
    if {rule for _, rule, _ in ours.broken} <= PLAIN:
        found.append(("broken steps", {step for step, _, _ in ours.broken}, steps))
    return found


def choices(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> tuple[Any, Any]:
    """Ours lists what was not taken; the reference lists both, and may have taken the other where both cost the same."""
    known = {(c["step"], *sorted(c[w].items())) for c in theirs for w in ("taken", "other")}
    unknown = [c for c in ours if (c["step"], *sorted((k, c[k]) for k in ("flank", "mp", "wounds"))) not in known]
    return ({c["step"] for c in ours}, unknown), ({c["step"] for c in theirs}, [])


def way(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    """The facing at the end may be that of any of the cheapest ways."""
    found: Compared = [("verdict", ours.verdict, theirs["verdict"])]
    if ours.verdict == theirs["verdict"] == "legal":
        found += fields(ours, theirs, "mp", "spent", "wounds")
        found.append(("end", ours.result["end"]["at"], theirs["result"]["end"]["at"]))
    return found


def within_reach(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    return fields(ours, {"result": theirs}, "squares", "wounds", "exits")


def sight(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    lists = ("squares", "blocked_by", "intervening", "hindering")
    return [
        ("verdict", ours.verdict, theirs["verdict"]),
        *((name, sorted(ours.result[name]), sorted(theirs[name])) for name in lists),
        ("modifier", ours.result["modifier"], theirs["modifier"]),
    ]


ATTACKING = {
    "special-action": "attack.not-special",
    "attacked": "attack.once",
    "locked": "locked.break-first",
    "not-covering": "covering.status",
    "trooper-running": "trooper.no-running",
    "no-enemy": "attack.enemy",
    "arc": "attack.arc",
    "lof": "attack.lof",
    "closest": "attack.closest",
    "darkness": "darkness.range",
    "h2h-range": "hand-to-hand.reach",
    "h2h-only": "hand-to-hand.forced",
    "select": "select-fire.weapon",
    "spread-rof": "spread-fire.rof",
    "ammo": "attack.ammo",
    "not-readied": "attack.readied-weapon",
    "off-hand-one-handed": "off-hand.one-handed",
    "unarmed-with-weapon": "hand-to-hand.unarmed",
    "impossible": "attack.impossible",
}
UNSUITABLE = {"attack.suitable-weapon", "hand-to-hand.values"}


def shot(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    """Also the broken rules one by one, and the odds of all dice together.

    How a weapon is unsuitable has one word in the reference and two rules in the logic; with no suitable weapon it does
    not matter how many dice it would roll. Select fire where there is none has no numbers to compare. That a wounded
    trooper cannot run is no objection to covering: he may have been wounded since he ran.
    """
    about = question.about
    assert isinstance(about, Attack)
    mine = {rule for _, rule, _ in ours.broken}
    words = set(theirs["violations"])
    unsuitable = bool(words & {"unsuitable", "unarmed-h2h-only"})
    if "not-readied" in words and about.weapon is not None:
        return [("verdict", ours.verdict, "illegal")]  # what a weapon in the pack would do hand to hand is nobody's question
    found: Compared = [("unsuitable", bool(mine & UNSUITABLE), unsuitable)]
    loose = {"spread-fire.rof", "attack.impossible"} if unsuitable or "select" in words else set()
    if about.covering:
        words -= {"trooper-running"}
    expected = {ATTACKING[word] for word in words - {"unsuitable", "unarmed-h2h-only"}}
    if about.covering and "locked" in words:
        expected.add("covering.lost-when-locked")  # the reference says it once, as locked
    found.append(("violations", mine - UNSUITABLE - loose, expected - loose))
    found.append(("verdict", ours.verdict, "illegal" if words else "legal"))
    if about.select and ours.verdict == "illegal":
        return found
    found += fields(ours, theirs, "type", "range", "modifier", "stun", "wound", "impossible", "odds")
    if "stun" in ours.result and "stun" in theirs["result"]:
        found += fields(ours, theirs, "dice")
        found.append(
            ("whole attack", whole(ours.result["attack"]), reference_whole(board, about, readings, ours.verdict == "legal"))
        )
    return found


def whole(attack: dict[str, Any]) -> dict[str, Any]:
    return {"wounds": attack["wounds"], "kill": attack["eliminated"], "stunned": attack["left_stunned"]}


def reference_whole(board: Board, about: Attack, readings: dict[str, str], legal: bool) -> dict[str, Any]:
    """All dice at one target. What an illegal attack would do to whoever stands in between is nobody's question."""
    seen = turn_over(board, about.target)
    taken, _ = judge(
        seen,
        about.figure,
        about.target,
        about.weapon,
        about.type,
        about.declared,
        about.covering,
        about.off_hand,
        about.unarmed,
        about.select,
        readings,
    )
    found = whole_attack(seen, taken, readings, friendly_fire=legal)
    return {**found, "wounds": {str(count): chance for count, chance in found["wounds"].items()}}


def whom(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    """Not for a wounded trooper who covers after running (see above)."""
    about = question.about
    assert isinstance(about, Targets)
    hero = board.figure(about.figure)
    assert hero is not None
    if about.covering and wounded_trooper(hero) and (about.declared or hero.declared) is Declared.RUNNING:
        return []
    return [(name, sorted(ours.result[name]), sorted(theirs[name])) for name in ("normal", "spread", "h2h")]


SAME = ("special-action", "attacked", "locked", "trooper-running", "h2h-only", "darkness")
THROWING = {word: ATTACKING[word] for word in SAME} | {
    "throwable": "throw.throwable",
    "supply": "throw.supply",
    "not-readied": "attack.readied-weapon",
    "arc": "throw.arc",
    "lof": "throw.lof",
    "no-path": "throw.obstructive",
    "too-far": "throw.range",
}


def thrown(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    found: Compared = [
        ("violations", {rule for _, rule, _ in ours.broken}, {THROWING[word] for word in theirs["violations"]}),
        ("verdict", ours.verdict, theirs["verdict"]),
        *fields(ours, theirs, "range", "lof", "needed", "lands"),
    ]
    return [*found, ("victims", listed(ours.result["victims"]), listed(theirs["result"]["victims"]))]


def listed(victims: dict[str, list[str]]) -> dict[str, list[str]]:
    """Squares with victims, whoever is named first."""
    return {square: sorted(ids) for square, ids in victims.items() if ids}


def exploding(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    found: Compared = [(name, sorted(ours.result[name]), sorted(theirs[name])) for name in ("victims", "shielded")]
    far = [theirs["effects"][id]["range"] for id in ours.result["victims"] if id in theirs["effects"]]
    found.append(("nearest first", far, sorted(far)))
    for id, effect in theirs["effects"].items():
        mine = ours.result["effects"].get(id, {})
        found += [(f"{id}: {name}", mine.get(name), effect.get(name)) for name in (*effect, "burns") if name != "attack"]
        found.append((f"{id}: attack", mine.get("attack", {}), effect["attack"]))
    return found


def patrolling(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    """Not the single moves: of ways that nobody measures, an answer lists those without detours."""
    found: Compared = [
        ("situation", ours.result["situation"], theirs["situation"]),
        ("ends", ours.result["ends"], theirs["ends"]),
    ]
    if "lock" in theirs:
        lock = ours.result["lock"]
        return [*found, ("lock", (lock["stun"], lock["odds"]["broken"]), (theirs["lock"]["needed"], theirs["lock"]["broken"]))]
    keys = ("from", "on", "type", "range", "modifier", "stun", "wound", "dice")
    return [
        *found,
        ("stays", ours.result["stays"], not any(theirs["ends"].values())),
        ("targets", sorted(ours.result["targets"]), theirs["targets"]),
        ("attacks", sorted(ours.result["attacks"]), theirs["attacks"]),
        ("rolls", sorted(tuple(roll.get(key) for key in keys) for roll in ours.result["rolls"]), theirs["rolls"]),
    ]


def shambling(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    return [
        ("targets", sorted(ours.result["targets"]), sorted(theirs["targets"])),
        ("moves", [sorted(move) for move in ours.result["moves"]], [sorted(move) for move in theirs["moves"]]),
        ("attacks", sorted(ours.result["attacks"]), sorted(theirs["attacks"])),
        ("stays", ours.result["stays"], theirs["stays"]),
    ]


def turn(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    return [
        ("order", [sorted(tie) for tie in ours.result["order"]], [sorted(tie) for tie in theirs["order"]]),
        ("outcomes", unordered(ours.result["outcomes"]), unordered(theirs["outcomes"])),
    ]


def unordered(outcomes: list[dict[str, str]]) -> list[list[tuple[str, str]]]:
    return sorted(sorted(outcome.items()) for outcome in outcomes)


def breaking(board: Board, question: Question, readings: dict[str, str], ours: Told, theirs: Any) -> Compared:
    """The reference gives the chance of one die for each zombie that holds the hero; ours that of all dice, for one."""
    found: Compared = [("verdict", ours.verdict, theirs["verdict"])]
    if not theirs["result"] or "holder" not in ours.result:
        return found
    one = theirs["result"][ours.result["holder"]]
    held = (1 - Fraction(one["odds"])) ** ours.result["dice"]
    return [
        *found,
        *((name, ours.result[name], one[name]) for name in ("modifier", "stun")),
        ("odds", ours.result["odds"], {"broken": str(1 - held), "held": str(held)}),
    ]


COMPARED: dict[type[Any], Compare] = {
    Can: sequence,
    CanTo: way,
    Reach: within_reach,
    Lof: sight,
    Attack: shot,
    Targets: whom,
    Throw: thrown,
    Blast: exploding,
    Npc: patrolling,
    Zombie: shambling,
    ZombieTurn: turn,
    BreakLock: breaking,
}
