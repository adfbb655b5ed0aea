"""``riese-kb odds``: the odds of an attack, a throw, a roll to break a lock, or the initiative roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.answer import Answer
from riese_kb.asking import ask, position_of, terms_of
from riese_kb.board import Board, Kind, Square, parse_square
from riese_kb.chances.chart import FULL, HALF, LIGHT, Bar, Group, bar
from riese_kb.drafting import core
from riese_kb.errors import QuestionError, did_you_mean
from riese_kb.grounding import drive
from riese_kb.kinds import volleys
from riese_kb.kinds.attacking import attempt
from riese_kb.kinds.offers import groups, offers, used
from riese_kb.kinds.volleys import Ground, Played, Way
from riese_kb.language import parse_question, resolve
from riese_kb.odds import added_up
from riese_kb.position import Position, Terms
from riese_kb.question import Attack, AttackType, Blast, BreakLock, Initiative, Throw
from riese_kb.tables import most_tokens
from riese_kb.volley import Mark, Situation, State
from riese_kb.worlds import Steps, together

AIMS = ("kills", "wounds", "stops")
"""What a shooter may try for: enemies destroyed, wounds, or enemies stunned or destroyed."""

Switch = Callable[[State, int, list[str]], str]


class Odds(Struct, frozen=True):
    """The odds of one action: the plain answer, all numbers as data, and what is worth drawing."""

    answer: Answer
    data: dict[str, Any]
    groups: tuple[Group, ...]
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What was asked, as a heading."""
        return self.answer.ask

    def to_json(self) -> dict[str, Any]:
        """Plain data; chances are exact fractions."""
        known = self.answer.to_json()
        kept = {key: known[key] for key in ("ask", "system", "verdict", "violations")}
        return kept | self.data | ({"notes": list(self.notes)} if self.notes else {})


class Wishes(Struct, frozen=True):
    """How dice are to be used: what is tried for, who is shot at next (None: the best), tokens at hand (None: the board's)."""

    aim: str | None = None
    """None: enemies destroyed."""
    switch: str | None = None
    scratch: int | None = None


_PLAIN = Wishes()


def odds(board: Board, question: str, wishes: Wishes = _PLAIN) -> Odds:
    """The odds of what a question asks about. Raises ``QuestionError`` where nothing is rolled, and what ``ask`` raises."""
    if wishes.scratch is not None:
        most = most_tokens(board.system)
        if wishes.scratch > most:
            raise QuestionError(f"a team never holds {wishes.scratch} scratch tokens", fix=f"{most} at most")
        board = replace(board, scratch=wishes.scratch)
    asked = resolve(parse_question(question), board)
    answer = ask(board, asked)
    position, terms = position_of(board), terms_of(board, asked)
    about = asked.about
    if isinstance(about, Attack):
        if answer.result.get("type") == "flame":
            raise QuestionError(
                "a flamethrower rolls no dice: whoever it reaches takes its wounds",
                fix=f'riese-kb ask BOARD "{asked.text}" tells whom and how many',
            )
        return _attack(answer, position, about, terms, wishes)
    if wishes.aim is not None:
        raise QuestionError("only an attack is aimed at something", fix="leave --aim out")
    if wishes.switch is not None:
        raise QuestionError("only spread fire goes from one target to the next", fix='ask "attack … spread"')
    match about:
        case Throw():
            return _throw(answer, position, about, terms)
        case BreakLock():
            return _lock(answer)
        case Initiative():
            return _initiative(answer)
    raise QuestionError("there are no odds of this", fix='ask about "attack …", "throw …", "break lock …" or "initiative"')


# --- attacks --------------------------------------------------------------------------------------------------------


def _attack(answer: Answer, position: Position, about: Attack, terms: Terms, wishes: Wishes) -> Odds:
    aim = _aim(position, wishes.aim or "kills")

    def steps() -> Steps[list[tuple[str, Ground, Played]] | None]:
        draft, derived = yield from attempt(position, about, terms)
        ground = volleys.ground_of(position, about, terms, draft, derived)
        if ground is None:
            return None
        if wishes.switch is not None and ground.about.type is not AttackType.SPREAD:
            raise QuestionError("only spread fire goes from one target to the next", fix="add the word spread")
        found = []
        for name, way in _ways(ground, _main(ground, aim, wishes.switch), answer):
            found.append((name, ground, (yield from volleys.played(ground, way))))
        aims = offers(derived, about.figure, "aim")
        united = groups(derived, aims)
        rerolls = _rerolls(ground, answer)
        for taken in (*((offer,) for offer in aims), *united):
            helped = volleys.ground_of(position, about, terms, *(yield from attempt(position, about, terms, taken)), taken)
            assert helped is not None, "what makes an attack easier leaves it legal"
            way = _main(helped, aim, wishes.switch)
            skills = [str(used(position, offer)["skill"]) for offer in taken]
            found.append((_with(found[0][0], skills), helped, (yield from volleys.played(helped, way))))
            if rerolls and taken == (united[0] if united else (aims[0],)):  # everything at once
                way = replace(way, skills=True)
                found.append((_with(found[0][0], [*skills, *rerolls]), helped, (yield from volleys.played(helped, way))))
        return found

    ways = drive(steps())
    if ways is None:
        return Odds(answer, {}, (), _refused(answer))
    result = answer.result
    data: dict[str, Any] = {key: result[key] for key in ("type", "range", "stun", "wound", "dice", "odds")}
    data["ways"] = []
    for name, stage, tried in ways:
        held = stage.at_hand if tried.way.tokens else 0
        told_way = {"way": name, "aim": aim, "skills": tried.way.skills, "tokens": held}
        told_way |= {"used": [used(position, offer) for offer in stage.taken]} if stage.taken else {}
        data["ways"].append(told_way | volleys.figures(stage, tried))
    return Odds(answer, data, tuple(_attack_groups(data)), tuple(_attack_notes(answer, position, about)))


def _main(ground: Ground, aim: str, switch: str | None) -> Way:
    """The way that was asked for."""
    return Way(
        aim, stays=ground.about.type is not AttackType.SPREAD, switch=_switch(switch, ground) if switch is not None else None
    )


def _ways(ground: Ground, main: Way, answer: Answer) -> Iterator[tuple[str, Way]]:
    """The ways to roll that are worth comparing, the one that was asked for first."""
    first = ground.about.target
    name = f"all dice at {first}" if main.stays else "as told" if main.switch is not None else "best switching"
    yield name, main
    if not main.stays:
        if main.switch is not None:
            yield "best switching", replace(main, switch=None)
        yield f"all dice at {first}", replace(main, stays=True, switch=None)
    derived = ground.worlds[Situation(first)]
    skills = _rerolls(ground, answer)
    tokens = ground.at_hand if derived.holds("token") or derived.holds("earns") else None
    if skills:
        yield _with(name, skills), replace(main, skills=True)
    if tokens is not None:
        held = f"{tokens} scratch token{'' if tokens == 1 else 's'}"
        yield f"{name}, {held}", replace(main, tokens=True)
        if skills:
            yield f"{_with(name, skills)}, {held}", replace(main, skills=True, tokens=True)


def _rerolls(ground: Ground, answer: Answer) -> list[str]:
    """The skills that may roll a die again."""
    by_token = set(ground.worlds[Situation(ground.about.target)].values("once"))
    return [str(o["skill"]) for o in answer.result.get("options", ()) if o.get("use") == "reroll" and o["skill"] not in by_token]


def _with(name: str, skills: Sequence[str]) -> str:
    return f"{name}, {' and '.join(skills)}"


def _attack_groups(data: Mapping[str, Any]) -> Iterator[Group]:
    first = data["odds"]
    numbers = f"S/W {data['stun']}/{data['wound']}, {data['dice']} {'die' if data['dice'] == 1 else 'dice'}"
    yield Group(
        f"First die ({numbers})",
        (bar("wound", first["wound"]), bar("stun", first["stun"], HALF), bar("miss", first["miss"], LIGHT)),
    )
    main = data["ways"][0]
    for id, told in main["figures"].items():
        yield _fate(f"{id}, {main['way']}", told)
    if "ammo_lost" in main:
        yield Group("Ammo", (bar("one lost", main["ammo_lost"], LIGHT),))
    if len(main["figures"]) > 1 and len(data["ways"]) > 1:
        yield from (_count(way) for way in data["ways"][:3])
    if len(data["ways"]) > 1:
        yield Group("Enemies destroyed on average", tuple(_average(way, data["ways"]) for way in data["ways"]))


def _fate(title: str, told: Mapping[str, Any]) -> Group:
    """What becomes of one figure."""
    rows = [bar(f"{n} wound{'' if n == '1' else 's'}", chance) for n, chance in told["wounds"].items()]
    return Group(title, (*rows, bar("eliminated", told["eliminated"]), bar("left stunned", told["left_stunned"], HALF)))


def _count(way: Mapping[str, Any]) -> Group:
    rows = tuple(bar(f"{n} destroyed", chance) for n, chance in way["eliminated"].items())
    return Group(way["way"].capitalize(), rows)


def _average(way: Mapping[str, Any], ways: Sequence[Mapping[str, Any]]) -> Bar:
    """A bar as long as the average is, the longest being a whole one where it is more than one."""
    average = Fraction(way["expected"]["eliminated"])
    longest = max(Fraction(1), *(Fraction(w["expected"]["eliminated"]) for w in ways))
    fraction = f"  {average}" if len(str(average)) <= 15 else ""
    return Bar(way["way"], ((FULL, average / longest),), f"{float(average):.3f}{fraction}")


def _attack_notes(answer: Answer, position: Position, about: Attack) -> Iterator[str]:
    if "after" in answer.result:
        yield "what fire and gas do that are left behind is not counted here: riese-kb ask tells of them under after"
    if any(o.get("use") == "die" for o in answer.result.get("options", ())):
        yield "a die that a skill may turn to any face is not counted"


def _refused(answer: Answer) -> tuple[str, ...]:
    return tuple(violation.says for violation in answer.violations)


def _aim(position: Position, aim: str) -> str:
    enemies = [f.id for f in position.board.figures if f.kind is not Kind.HERO]
    if aim in AIMS or aim in enemies:
        return aim
    raise QuestionError(f"nobody tries for {aim!r}", fix=did_you_mean(aim, [*AIMS, *enemies]))


# --- where to shoot next --------------------------------------------------------------------------------------------


def _switch(words: str, ground: Ground) -> Switch:
    """A way to choose the next target in words.

    ``z1 z2 z2`` names the target of each die, the last one of all that follow. ``z2 until stunned, z3 until gone, z1``
    takes the first one within reach that has not come to that yet; without one the target stays.
    """
    parts = words.split(",") if "until" in words.split() else words.replace(",", " ").split()
    entries = [part.split() for part in parts if part.strip()]
    if not entries:
        raise QuestionError("nobody is named to switch to", fix='for example "z1 z2 z2" or "z1 until stunned, z2"')
    known = {f.id for f in ground.position.board.figures}
    for entry in entries:
        if entry[0] not in known:
            raise QuestionError(f"there is no figure {entry[0]!r} to shoot at", fix=did_you_mean(entry[0], sorted(known)))
        if entry[1:2] == ["until"] and entry[2:] not in (["stunned"], ["gone"], ["wounded"]):
            raise QuestionError(f"shooting at {entry[0]} has no such end", fix="say: until stunned, until wounded or until gone")
        if len(entry) > 1 and entry[1] != "until":
            raise QuestionError(f"{' '.join(entry)!r} is no target", fix='for example "z1 z2 z2" or "z1 until stunned, z2"')
    if all(len(entry) == 1 for entry in entries):
        return _one_by_one([entry[0] for entry in entries], ground)
    return _in_order([(entry[0], entry[2] if len(entry) > 1 else "") for entry in entries], ground)


def _one_by_one(ids: list[str], ground: Ground) -> Switch:
    if ids[0] != ground.about.target:
        raise QuestionError(f"the first die is rolled at {ground.about.target}", fix=f"begin with {ground.about.target}")

    def switch(state: State, left: int, may: list[str]) -> str:
        wanted = ids[min(ground.dice - left, len(ids) - 1)]
        mark = state.mark(wanted)
        if wanted not in may and (mark is None or not mark.end) and not ground.wanted:
            raise QuestionError(f"after {state.target} no die may be rolled at {wanted}", fix=f"one of {', '.join(may)}")
        return wanted if wanted in may else state.target

    return switch


def _in_order(ends: list[tuple[str, str]], ground: Ground) -> Switch:
    def done(state: State, id: str, end: str) -> bool:
        mark = state.mark(id) or Mark(stunned=ground.bodies[id].stunned)
        if mark.end:
            return True
        return {"stunned": mark.stunned, "wounded": mark.wounds > 0}.get(end, False)

    def switch(state: State, left: int, may: list[str]) -> str:
        return next((id for id, end in ends if id in may and not done(state, id, end)), state.target)

    return switch


# --- throws, locks, initiative --------------------------------------------------------------------------------------


def _throw(answer: Answer, position: Position, about: Throw, terms: Terms) -> Odds:
    """Where it lands, and what its explosion does to everybody, as the figures stand now."""
    if not answer.legal:
        return Odds(answer, {}, (), _refused(answer))
    result = answer.result
    victims = {name: parse_square(name) for name, ids in result["victims"].items() if ids}
    squares = {name: square for name, square in victims.items() if square is not None}
    blasts = _blasts(position, about, terms, squares) if squares else {}
    data: dict[str, Any] = {"needed": result["needed"], "lands": result["lands"], "figures": _caught(result["lands"], blasts)}
    groups = [_landing("Where it lands", result["lands"])]
    groups += [_fate(id, told) for id, told in data["figures"].items()]
    if "scratch" in result:
        lands = result["scratch"]["lands"]
        data["scratch"] = result["scratch"] | {"figures": _caught(lands, blasts)}
        rows = [bar(f"{id} eliminated", told["eliminated"]) for id, told in data["scratch"]["figures"].items()]
        title = f"With {result['scratch']['tokens']} scratch tokens for a throw that misses"
        groups.append(Group(title, (bar(next(iter(lands)), next(iter(lands.values()))), *rows)))
    notes = []
    if any("bystander" in effect["attack"] for effects in blasts.values() for effect in effects.values()):
        notes.append("natural twos that hit somebody between the blast and its victim are not counted into these figures")
    return Odds(answer, data, tuple(groups), tuple(notes))


def _landing(title: str, lands: Mapping[str, str]) -> Group:
    first = next(iter(lands), "")
    return Group(title, tuple(bar(name, chance, FULL if name == first else LIGHT) for name, chance in lands.items()))


def _blasts(position: Position, about: Throw, terms: Terms, squares: Mapping[str, Square]) -> dict[str, dict[str, Any]]:
    """What an explosion on each square does to everybody."""
    drafts = drive(together(core(position, Blast(square, about.item, about.figure), terms) for square in squares.values()))
    return {name: draft.result["effects"] for name, draft in zip(squares, drafts, strict=True)}


def _caught(lands: Mapping[str, str], blasts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What becomes of each figure, wherever it lands."""
    everybody = dict.fromkeys(id for effects in blasts.values() for id in effects)
    told: dict[str, Any] = {}
    for id in everybody:
        wounds: list[tuple[int, Fraction]] = []
        gone = stunned = Fraction(0)
        for name, chance in lands.items():
            effect = blasts.get(name, {}).get(id)
            share = Fraction(chance)
            if effect is None or "attack" not in effect:
                wounds.append((0, share))
                continue
            attack = effect["attack"]
            wounds += [(int(n), share * Fraction(part)) for n, part in attack["wounds"].items()]
            gone += share * Fraction(attack["eliminated"])
            stunned += share * Fraction(attack["left_stunned"])
        spread = added_up(wounds)
        told[id] = {
            "wounds": {str(n): str(spread[n]) for n in sorted(spread)},
            "eliminated": str(gone),
            "left_stunned": str(stunned),
        }
    return told


def _lock(answer: Answer) -> Odds:
    found = answer.result.get("odds", {})
    if not answer.legal or not found:
        return Odds(answer, {}, (), _refused(answer))
    data: dict[str, Any] = {key: answer.result[key] for key in ("stun", "dice", "odds", "scratch") if key in answer.result}
    rows = [bar("broken", found["broken"]), bar("held", found["held"], LIGHT)]
    if "scratch" in answer.result:
        kept = answer.result["scratch"]
        rows.append(bar(f"broken, {kept['tokens']} scratch tokens", kept["odds"]["broken"]))
    return Odds(answer, data, (Group("The lock", tuple(rows)),))


def _initiative(answer: Answer) -> Odds:
    result = answer.result
    data: dict[str, Any] = {key: result[key] for key in ("modifier", "odds", "skills", "all_skills", "scratch") if key in result}
    rows = [bar("no skill", result["odds"].get("heroes", "0"))]
    rows += [bar(f"{one['skill']} ({one['figure']})", one["odds"].get("heroes", "0")) for one in result["skills"]]
    if "all_skills" in result:
        rows.append(bar("all of them", result["all_skills"].get("heroes", "0")))
    if "scratch" in result:
        rows.append(bar(f"{result['scratch']['tokens']} scratch tokens", result["scratch"]["odds"]["heroes"]))
    return Odds(answer, data, (Group("The heroes win the initiative", tuple(rows)),))
