"""``initiative`` and ``round``: who takes the first turn, and what happens in the present round."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from riese_kb import tables
from riese_kb.board import Board, Figure, Kind, Square, square_name
from riese_kb.draft import Charge, Draft, Verdict, charges, matters
from riese_kb.facts import Name, fact
from riese_kb.kinds.spawning import track_facts
from riese_kb.odds import FACES
from riese_kb.position import Position, Terms
from riese_kb.question import Blast, Initiative, Round
from riese_kb.worlds import Derived, Steps, World, together


def _skill_facts(world: int, heroes: Iterable[Figure]) -> str:
    """What skills the heroes have, which are used up, and which are versions of one another."""
    parts = []
    for hero in heroes:
        parts += [fact("unlocked", world, hero.id, skill) for skill in hero.skills]
        parts += [fact("used_up", world, hero.id, skill) for skill in hero.used]
    names = sorted({skill for hero in heroes for skill in hero.skills})
    parts += [fact("series", name, *known) for name in names if (known := tables.series(name)) is not None]
    return "".join(parts)


def initiative(position: Position, about: Initiative, terms: Terms) -> Steps[Draft]:
    """The exact odds of the initiative roll, with and without the skills that may be used on it."""
    heroes = [f for f in position.board.figures if f.kind is Kind.HERO]

    def facts(world: int) -> str:
        return _skill_facts(world, heroes)

    (derived,) = yield [World(position, "initiative", terms, facts, frozenset(), figures=None)]
    ledger = charges(derived, position.board)
    offers = sorted((str(hero), str(skill), n) for hero, skill, n in derived["offers"])
    ledger += [Charge("initiative.skills", _place(position, hero), n, "hero die", note=skill) for hero, skill, n in offers]
    ledger += [Charge(str(rule), "", 1, f"if the {side} win") for side, rule in sorted(derived["decides"], key=str)]
    if derived.holds("again"):
        ledger.append(Charge("initiative.ties", "", 1, "reroll"))
    result: dict[str, Any] = {
        "modifier": sum(line.amount for line in ledger if line.unit == "zombie die"),
        "odds": _odds(derived, 0),
        "skills": [{"figure": hero, "skill": skill, "bonus": n, "odds": _odds(derived, n)} for hero, skill, n in offers],
    }
    if len(offers) > 1:
        result["all_skills"] = _odds(derived, sum(n for _, _, n in offers))
    if derived.holds("token") and derived.holds("outcome"):
        result["scratch"] = _with_tokens(derived, 0) | {"skills": [_with_tokens(derived, n)["odds"] for _, _, n in offers]}
    return Draft(Verdict.COMPUTED, result, tuple(ledger), (), matters(derived))


def _place(position: Position, id: str) -> str:
    figure = position.board.figure(id)
    return square_name(figure.at) if figure is not None else ""


def _odds(derived: Derived, added: int) -> dict[str, str]:
    """The chance of each side; ties count only where they are not rolled again."""
    rolls = {str(side): n for total, side, n in derived["chances"] if total == added}
    if derived.holds("again"):
        rolls.pop("tie", None)
    count = sum(rolls.values())
    return {side: str(Fraction(rolls[side], count)) for side in ("heroes", "zombies", "tie") if side in rolls and count}


def _with_tokens(derived: Derived, added: int) -> dict[str, Any]:
    """The odds where scratch tokens roll either die again."""
    from riese_kb import rerolls

    held, again = derived.number("token"), derived.holds("again")
    outcome = {(h, z): str(side) for total, h, z, side in derived["outcome"] if total == added}
    if not {*outcome.values()} - ({"tie"} if again else set()):  # no rule says who wins
        return {"tokens": held, "odds": {}}
    heroes = rerolls.initiative(outcome, held, again=again)
    return {"tokens": held, "odds": {"heroes": str(heroes)} | ({"zombies": str(1 - heroes)} if again else {})}


def round_(position: Position, about: Round, terms: Terms) -> Steps[Draft]:
    """The turns of the present round in either order, who acts in them, what spawns, and what the end segment does."""
    board = position.board

    def facts(world: int) -> str:
        parts = track_facts(board, world)
        if board.track and board.discard is not None:
            parts.append(fact("discarded", world, sum(count for _, count in board.discard)))
        return "".join((*parts, *_lying(board, world)))

    (derived,) = yield [World(position, "round", terms, facts, frozenset(), figures=None)]
    ranks = {figure.id: number for number, figure in enumerate(board.figures)}
    acts: dict[str, list[str]] = {turn: [] for turn in ("player", "npcs", "zombies")}
    for turn, id in sorted(derived["acts_in"], key=lambda row: ranks[str(row[1])]):
        acts[str(turn)].append(str(id))
    orders: dict[str, list[str]] = {}
    for side, _, turn in sorted(derived["segment"], key=lambda row: (str(row[0]), row[1])):
        orders.setdefault(str(side), []).append(str(turn))
    cleared = sorted(((str(turn), str(id), str(rule)) for turn, id, rule in derived["clears"]), key=lambda row: ranks[row[1]])
    result: dict[str, Any] = {"round": board.round, "orders": orders, "acts": acts, "cleared": [id for _, id, _ in cleared]}
    ledger = [Charge("round.order", "", 1, "one order", note=", ".join(order)) for _, order in sorted(orders.items())]
    if any("npcs" in order for order in orders.values()):
        ledger.append(Charge("round.npcs-between", "", 2, "second turn", note="npcs"))
    ledger += [Charge("round.activations", "", len(ids), f"activations of {_WHO[turn]}") for turn, ids in acts.items() if ids]
    ledger += [Charge(rule, _place(position, id), 1, "marker removed", note=id) for _, id, rule in cleared]
    moments = sorted(((str(id), str(what)) for id, what in derived["any_moment"]), key=lambda row: (ranks[row[0]], row[1]))
    result["any_moment"] = _any_moment(board, moments)
    rules = {True: "covering.interrupts", False: "skill.any-time"}
    ledger += [Charge(rules[what == "covering"], _place(position, id), 0, "at any moment", note=id) for id, what in moments]
    ledger += charges(derived, board)
    if board.track:
        result["track"] = _track(derived)
        ledger += _track_lines(derived, result["track"])
    if derived.holds("final"):
        result["gas"] = sorted(map(str, derived.values("final")), key=ranks.__getitem__)
    blasts = [Blast(at, str(item)) for at, item, _ in sorted(derived["explodes"])]
    drafts = (yield from _exploded(position, blasts, terms)) if blasts else []
    end = [*_times(derived, blasts, drafts), *_markers(board, derived)]
    result |= {"end": end} if end else {}
    seen = matters(derived).union(*(draft.matters for draft in drafts))
    return Draft(Verdict.COMPUTED, result, tuple(ledger), (), seen)


def _any_moment(board: Board, moments: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Who may act in other turns than their own: by a covering attack, or a skill."""
    found: dict[str, list[str]] = {}
    for id, what in moments:
        hero = board.figure(id)
        names = {tables.skill_id(board.system, name, hero.name): name for name in hero.skills} if hero else {}
        found.setdefault(id, []).append("covering attack" if what == "covering" else names.get(what, what))
    return found


_ENDINGS = ("gone_up_to", "fire_ends_on", "burn_wounds", "burn_ends_on")
"""Printed figures of things that the end of a round is about."""
_LEFT_BY = {"molotov": "Molotov Cocktail", "fluchtig": "fluchtig"}
"""Labels of fire markers that go out by a roll, and what left the fire."""


def _lying(board: Board, world: int) -> Iterable[str]:
    """What lies on the map that the end of a round may change, and the printed figures that say how."""
    timers = [marker.at for marker in board.markers if marker.kind == "timer"]
    yield from (fact("ticks", world, at, timers.count(at)) for at in dict.fromkeys(timers))
    for marker in board.markers:
        if marker.kind in ("satchel", "decoy", "flare", "objective", "alarm_clock"):
            yield fact("lies", world, Name(marker.kind), marker.at)
        if marker.kind == "satchel" and (marker.label or "").casefold() == "red":
            yield fact("flipped", world, marker.at)
        by = _LEFT_BY.get(tables.loose(marker.label or "")) if marker.kind == "fire" else None
        if by is not None:
            yield fact("left_by", world, marker.at, by)
    printed = [(power.id, power.also) for power in tables.powers(board.system).values()]
    printed += [(item.name, item.also) for item in tables.armoury(board.system).values()]
    yield from (fact("listed", world, thing, Name(key), n) for thing, row in printed for key, n in row.items() if key in _ENDINGS)


def _exploded(position: Position, blasts: list[Blast], terms: Terms) -> Steps[list[Draft]]:
    from riese_kb.kinds.blasting import blast

    found: list[Draft] = yield from together(blast(position, one, terms) for one in blasts)
    return found


def _times(derived: Derived, blasts: list[Blast], drafts: list[Draft]) -> Iterable[dict[str, Any]]:
    """The timers at the end of the round, and what explodes when they have run out."""
    when: dict[Square, str] = {at: str(phase) for at, _, phase in derived["explodes"]}
    blown = {one.at: draft.result for one, draft in zip(blasts, drafts, strict=True)}
    besides = set(derived.values("besides"))
    for at, left in sorted(derived["counts_down"]):
        told: dict[str, Any] = {"what": "timer", "at": square_name(at), "left": left}
        if at in blown:
            told |= {"explodes": blown[at]["weapon"], "when": when[at].replace("_", " ")}
            told |= {key: blown[at][key] for key in ("victims", "shielded")}
            effects = blown[at]["effects"].items()
            told["effects"] = {id: {key: effect[key] for key in _TOLD if key in effect} for id, effect in effects}
            told["scenario"] = at in besides
        yield told


_TOLD = ("range", "stun", "wound", "odds")
"""What is told of whom an explosion attacks; ``blast`` tells the rest."""


def _markers(board: Board, derived: Derived) -> Iterable[dict[str, Any]]:
    """What burns in somebody or goes out by a roll of the end segment; what stays."""
    wounds: dict[str, int] = {str(id): n for id, n in derived["sears"]}
    chances = {(_WHAT[str(rule)], at): str(Fraction(faces, FACES)) for rule, at, faces in derived["goes_out"]}
    for figure in board.figures:
        chance = chances.pop(("burning", figure.at), None)
        if figure.id in wounds or chance is not None:
            yield {"what": "burning", "figure": figure.id, "wounds": wounds.get(figure.id, 0), "gone": chance or "0"}
    for (what, at), chance in sorted(chances.items()):
        yield {"what": what, "at": square_name(at), "gone": chance}
    for rule, at in sorted(derived["lasts"]):
        yield {"what": _WHAT[str(rule)], "at": square_name(at), "gone": "0"}


_WHAT = {
    "decoy.ends": "decoy",
    "alarm-clock.ends": "alarm clock",
    "molotov.fire-ends": "fire",
    "power.fluchtig-fire-ends": "fire",
    "flare-pistol.goes-out": "burning",
    "flare.lasts": "flare",
}


_WHO = {"player": "heroes", "npcs": "NPCs", "zombies": "zombies"}


def _track(derived: Derived) -> dict[str, Any]:
    """Where the marker of the round track is, what spawns, and where it goes."""
    ((space, resets),) = derived["space"]
    track: dict[str, Any] = {"space": space, "resets": resets, "spawns": sorted(map(str, derived.values("spawns")))}
    track["next"] = next((s for s, _ in derived["next_space"]), None)
    track["reset_now"] = derived.holds("resets")
    track["zombie_xp"] = not derived.holds("without_xp")
    track["returned"] = sum(derived.values("returns"))
    track["threat"] = sum(derived.values("raises"))
    return track


def _track_lines(derived: Derived, track: dict[str, Any]) -> list[Charge]:
    lines = [Charge("round.spawns", "", 1, "spawn", note=label) for label in track["spawns"]]
    if track["reset_now"]:
        lines.append(Charge("round.reset", "", 1, "back to space"))
    elif track["next"] is not None:
        lines.append(Charge("round.advance", "", track["next"], "on to space"))
    if derived.holds("returns"):
        lines.append(Charge("round.discard-returns", "", track["returned"], "back into the pool"))
    if derived.holds("without_xp"):
        lines.append(Charge("round.no-more-experience", "", 0, "XP a zombie"))
    if track["threat"]:
        lines.append(Charge("round.stars", "", track["threat"], "threat"))
    return lines
