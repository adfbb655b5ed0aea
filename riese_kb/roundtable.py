"""Rounds, initiative and spawning in words: the sentence of such an answer, and its result as small tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from riese_kb.answer import Answer, Line
from riese_kb.question import About, Initiative, Round, Spawn
from riese_kb.tables import zombie_types
from riese_kb.typeset import Paper, counted, listed
from riese_kb.verdicts import called, percent

Section = tuple[str, list[tuple[str, ...]]]
"""A heading and rows of cells."""

_TURNS = {"player": "player", "npcs": "NPCs", "zombies": "zombies"}


def sentence(answer: Answer, about: Initiative | Round | Spawn) -> str:
    """The answer in one sentence."""
    match about:
        case Initiative():
            return _initiative(answer.result)
        case Round():
            return _round(answer.result)
    return _spawn(answer, about)


def _initiative(result: dict[str, Any]) -> str:
    odds = result["odds"]
    if not odds:
        return "Nothing says who wins the initiative."
    if odds["heroes"] == "1":
        return "The heroes win the initiative for certain."
    text = f"The heroes win the initiative with a chance of {odds['heroes']}"
    best = result.get("all_skills") or next((skill["odds"] for skill in result["skills"]), None)
    return f"{text}, with all their skills {best['heroes']}." if best else f"{text}, the zombies with {odds['zombies']}."


def _round(result: dict[str, Any]) -> str:
    track = result.get("track")
    text = f"Round {result['round']}"
    blasts = [told for told in result.get("end", ()) if "explodes" in told]
    bang = f" Time is up for the charge on {listed([told['at'] for told in blasts])}." if blasts else ""
    if track is None:
        return f"{text}: the turns, and who acts in them.{bang}"
    text += f", space {track['space']} of the track"
    text += f", after {counted(track['resets'], 'reset')}" if track["resets"] else ""
    verb = "spawns" if len(track["spawns"]) == 1 else "spawn"
    text += f": {listed(track['spawns'])} {verb}" if track["spawns"] else ": nothing spawns"
    if track["reset_now"]:
        text += ", and the track is reset at its end"
    return (f"{text}, and threat goes up by {track['threat']}." if track["threat"] else f"{text}.") + bang


def _spawn(answer: Answer, about: Spawn) -> str:
    result = answer.result
    words = []
    if result["appears"] and result["choice"]:
        words.append(f"a zombie appears on {listed(result['appears'], 'or')}")
    elif result["appears"]:
        kind = "a zombie appears" if len(result["appears"]) == 1 else "zombies appear"
        words.append(f"{kind} on {listed(result['appears'])}")
    if result["waiting"]:
        count = sum(result["waiting"].values())
        verb = "waits" if count == 1 else "wait"
        words.append(f"{counted(count, 'zombie')} {verb} beside the map for {listed(result['waiting'])}")
    if result["wounded"]:
        verb = "takes" if len(result["wounded"]) == 1 else "take"
        words.append(f"{listed([called(id, answer.board) for id in result['wounded']])} {verb} a wound")
    if result["inactive"]:
        words.append(f"nothing spawns on {listed(result['inactive'])}")
    if result["skipped"]:
        words.append(f"{counted(result['skipped'], 'spawn')} {'is' if result['skipped'] == 1 else 'are'} left out")
    text = listed(words) if words else "nothing spawns"
    return f"{text[:1].upper()}{text[1:]}."


_COUNTED = (
    "waiting",
    "left out",
    "back into the pool",
    "XP a zombie",
    "left on the timer",
    "wound in the final phase",
    "on hand, each for a die rolled again",
)


def amount(line: Line, paper: Paper) -> str:
    """What a line of the ledger says, with its number where that is one."""
    unit = line.unit
    if unit in ("zombie die", "hero die"):
        return f"{paper.signed(line.amount)} on the {unit}"
    if unit == "threat":
        return f"{paper.signed(line.amount)} {unit}"
    if unit.endswith("to space"):
        return f"{unit} {line.amount}"
    if unit == "wound":
        return counted(line.amount, unit)
    if unit.startswith("activations of "):
        return counted(line.amount, "activation") + unit.removeprefix("activations")
    if unit == "faces put it out":
        return f"{line.amount} of 12 {unit}"
    return f"{line.amount} {unit}" if unit in _COUNTED else unit


def shots(answer: Answer) -> list[tuple[str, ...]]:
    """From where a zombie shoots, at whom, with which numbers, and the chance of each number of wounds."""
    rows: list[tuple[str, ...]] = []
    for shot in answer.result["shoots"]:
        values = f"{counted(shot['dice'], 'die', 'dice')} {shot['stun']}/{shot['wound']}"
        wounds = ", ".join(f"{n}: {chance}" for n, chance in shot["wounds"].items())
        more = [f"empty {shot['empty']}"] if "empty" in shot else []
        if "bystander" in shot:
            hit = shot["bystander"]
            more.append(f"hits {called(hit['figure'], answer.board)} {hit['wounded']}")
            more += [f"stuns it {hit['stunned']}"] if "stunned" in hit else []
        rows.append(
            (f"from {shot['from']}", f"at {called(shot['at'], answer.board)}", values, f"wounds {wounds}", "; ".join(more))
        )
    return rows


_AFTER = {"killed": "a grenade goes off", "detonated": "it detonates", "gassed": "a toxic cloud"}


def aftermath(answer: Answer) -> list[tuple[str, ...]]:
    """What follows where the target is destroyed, with its chance and whom it reaches."""
    rows: list[tuple[str, ...]] = []
    for way, told in answer.result["after"].items():
        names = listed([called(id, answer.board) for id in told["victims"]]) if told["victims"] else "nobody"
        what = _AFTER[way] + (f" ({told['stun']}/{told['wound']})" if "stun" in told else "")
        where = (
            f", gas on {listed(told['gas'])}"
            if told.get("gas")
            else f", fire on {listed(told['fire'])}"
            if told.get("fire")
            else ""
        )
        rows.append((what, told["chance"], percent(told["chance"]), f"reaches {names}{where}"))
    return rows


def sections(answer: Answer, about: About) -> Iterator[Section]:
    """The result as tables."""
    match about:
        case Initiative():
            yield from _chances(answer)
        case Round():
            yield from _turns(answer)
        case Spawn():
            yield from _arrivals(answer)


def _chances(answer: Answer) -> Iterator[Section]:
    result = answer.result
    if not result["odds"]:
        return
    ways = [("no skill", result["odds"])]
    ways += [
        (f"{called(skill['figure'], answer.board)}: {skill['skill']} (+{skill['bonus']})", skill["odds"])
        for skill in result["skills"]
    ]
    if "all_skills" in result:
        ways.append(("all of them", result["all_skills"]))
    rows: list[tuple[str, ...]] = [("", *result["odds"])] if len(ways) > 1 or len(result["odds"]) > 2 else []
    if rows:
        rows += [(name, *(f"{chance} ({percent(chance)})" for chance in odds.values())) for name, odds in ways]
    else:
        rows = [(side, chance, percent(chance)) for side, chance in result["odds"].items()]
    yield "Chances", rows


def _turns(answer: Answer) -> Iterator[Section]:
    result = answer.result
    orders = {side: [_TURNS[turn] for turn in order] for side, order in result["orders"].items()}
    yield (
        "Turns",
        [
            (f"with the {_TURNS[side]} first", ", then ".join(order))
            for side, order in sorted(orders.items(), key=lambda pair: pair[0] != "player")
        ],
    )
    acts: list[tuple[str, ...]] = [
        (_TURNS[turn], ", ".join(called(id, answer.board) for id in ids)) for turn, ids in result["acts"].items() if ids
    ]
    yield "Who acts, once each", acts
    if result.get("any_moment"):
        yield "At any moment", [(called(id, answer.board), listed(means)) for id, means in result["any_moment"].items()]
    if result.get("gas"):
        yield "In the final phase", [(called(id, answer.board), "wounded by the gas") for id in result["gas"]]
    if result.get("end"):
        yield "In the end segment", [row for told in result["end"] for row in _ended(answer, told)]


_WHAT = {
    "decoy": "the decoy is gone",
    "alarm clock": "the alarm clock is gone",
    "fire": "the fire is out",
    "burning": "the flare is out",
    "flare": "the flare is out",
}


def _ended(answer: Answer, told: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """One timer, flare, fire or decoy in the end segment."""
    if told["what"] != "timer":
        chance = told["gone"]
        burns = f"{counted(told['wounds'], 'wound')}; " if told.get("wounds") else ""
        rest = f"{_WHAT[told['what']]}: {chance} ({percent(chance)})" if chance != "0" else "stays"
        yield (called(told["figure"], answer.board) if "figure" in told else told["at"], f"{burns}{rest}")
    elif "explodes" not in told:
        yield told["at"], f"{counted(told['left'], 'timer marker')} left" if told["left"] else "time is up"
    else:
        names = listed([called(id, answer.board) for id in told["victims"]]) if told["victims"] else "nobody"
        later = "" if told["when"] == "end segment" else " in the next final phase"
        yield told["at"], f"{told['explodes']} explodes{later}: attacks {names}"
        for id, effect in told["effects"].items():
            odds = ", ".join(f"{what} {chance}" for what, chance in effect.get("odds", {}).items())
            values = f", S/W {effect['stun']}/{effect['wound']}, {odds}" if odds else ""
            yield "", f"{called(id, answer.board)}: range {effect['range']}{values}"


def _arrivals(answer: Answer) -> Iterator[Section]:
    result = answer.result
    rows: list[tuple[str, ...]] = []
    for square in result["appears"]:
        seen = [called(id, answer.board) for id in result["revealed"].get(square, [])]
        rows.append((square, f"revealed at once: in sight of {listed(seen)}" if seen else "stays face down"))
    rows += [(square, f"{counted(count, 'zombie')} in the queue") for square, count in result["waiting"].items()]
    if rows:
        yield "Squares", rows
    names = {kind: one.name for kind, one in zombie_types(answer.system).items()}
    draw: list[tuple[str, ...]] = [(names.get(kind, kind), chance, percent(chance)) for kind, chance in result["draw"].items()]
    if draw:
        yield "The first zombie drawn", draw
