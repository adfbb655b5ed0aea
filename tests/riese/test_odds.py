"""Odds of whole attacks and other rolls, held against dice that are really rolled (tests/reference/dice.py).

Up to three dice every way they can fall is played; beyond that many random games, with a tolerance of five standard
deviations of a share among so many. One file, though it is long: every kind of roll is held to the same dice.
"""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from fractions import Fraction
from typing import Any

import pytest

import riese_kb
from riese_kb.board import Board, parse_square
from riese_kb.boardfile import format_board, load_board, parse_board
from riese_kb.chances.reckon import Odds, Wishes, odds
from riese_kb.errors import RieseError, Undecided
from riese_kb.language import parse_question, resolve
from riese_kb.question import Attack
from tests.conftest import CHECKOUT
from tests.reference.attacks import Shot, judge
from tests.reference.dice import Choose, Roll, Table, best, every, often, play, tolerance
from tests.reference.throwing import CARDS, COMPASS, blast_modifier
from tests.reference.throwing import outcomes as blast_outcomes
from tests.riese import range_tables

GUN = '[[weapon]]\nname = "{name}"\nrof = {rof}\nstun = {stun}\nwound = {wound}\npbr = 6\nrm = 4\nselect_fire = true\n'
HALL = "map = '''\n" + "+-+-+-+-+-+\n|. . . . .|\n" + "+ + + + + +\n|. . . . .|\n" * 5 + "+-+-+-+-+-+\n'''\n"


def board(
    rof: int, *figures: str, stun: int = 6, wound: int = 9, top: str = "", name: str = "Jackson", skills: str = ""
) -> Board:
    """A hall of five by six squares with a shooter at C6 who looks north; figures as ``z1 C3 alpha stunned``."""
    gun = "BAR"
    text = f'system = "riese"\ntitle = "Odds"\n{top}\n{HALL}' + GUN.format(name=gun, rof=rof, stun=stun, wound=wound)
    text += f'[[figure]]\nid = "rai"\nkind = "hero"\nname = "{name}"\nat = "C6"\n'
    text += f'facing = "north"\nweapon = "{gun}"\nskills = [{skills}]\n'
    for figure in figures:
        id, at, kind, *more = figure.split()
        text += f'[[figure]]\nid = "{id}"\nat = "{at}"\n'
        if kind == "hero":
            text += f'kind = "hero"\nname = "Trooper"\nhealth = {more[0]}\n'
        else:
            text += f'kind = "zombie"\ntype = "{kind}"\n'
            text += f"status = {json.dumps([w for w in more if w == 'stunned'])}\n"
            text += f"powers = {json.dumps([w for w in more if w != 'stunned'])}\n"
    return parse_board(text)


def shot_of(board: Board, question: str) -> Shot:
    about = resolve(parse_question(question), board).about
    assert isinstance(about, Attack)
    shot, faults = judge(
        board, about.figure, about.target, None, about.type, about.declared, False, False, False, about.select, None
    )
    assert not faults
    return shot


def shares(ends: list[tuple[Fraction, Table]], figures: Any) -> dict[str, Fraction]:
    """Chances of everything that ``odds`` tells of these figures."""
    found: dict[str, Fraction] = {}

    def add(name: str, chance: Fraction) -> None:
        found[name] = found.get(name, Fraction(0)) + chance

    for chance, table in ends:
        for id in figures:
            figure = table.board.figure(id)
            add(f"{id} {table.wounds.get(id, 0)} wounds", chance)
            gone = id in table.gone
            add(f"{id} gone", chance if gone else Fraction(0))
            add(f"{id} stunned", chance if not gone and figure is not None and "stunned" in figure.status else Fraction(0))
        add("ammo", chance if table.emptied else Fraction(0))
    return found


def told(way: dict[str, Any]) -> dict[str, Fraction]:
    found = {"ammo": Fraction(way["ammo_lost"])}
    for id, one in way["figures"].items():
        found |= {f"{id} {n} wounds": Fraction(chance) for n, chance in one["wounds"].items()}
        found |= {f"{id} gone": Fraction(one["eliminated"]), f"{id} stunned": Fraction(one["left_stunned"])}
    return found


def way_of(found: Odds, name: str) -> dict[str, Any]:
    return next(way for way in found.data["ways"] if way["way"] == name)


ALONE = {
    "beta": board(3, "z1 C3 beta"),
    "alpha, two wounds": board(3, "z1 C3 alpha"),
    "stunned already": board(2, "z1 C3 alpha stunned"),
    "armoured": board(3, "z1 C3 armoured"),
    "flammenghul": board(3, "z1 C3 flammenghul"),
    "dodge": board(2, "z1 C3 alpha dodge"),
    "thick skin": board(2, "z1 C3 alpha thick-skin"),
    "thick skin and dodge": board(1, "z1 C3 beta thick-skin dodge"),
    "all dodge": board(2, "z1 C3 beta", top="threat = 8"),
    "howling itself": board(3, "z1 C3 alpha howl"),
    "past a friend": board(3, "z1 C2 beta", "ann C4 hero 2"),
    "past a friend who falls": board(2, "z1 C2 alpha", "ann C4 hero 1"),
    "even a 2 hits": board(3, "z1 C2 alpha", "ann C4 hero 2", stun=1, wound=2),
}


@pytest.mark.parametrize("name", ALONE)
def test_all_dice_at_one_target_by_brute_force(name: str) -> None:
    on = ALONE[name]
    shot = shot_of(on, "attack rai on z1")
    known: dict[Any, Any] = {}
    ends = list(every(lambda roll: play(on, shot, roll, known=known)))
    assert sum(chance for chance, _ in ends) == 1
    mine = told(odds(on, "attack rai on z1").data["ways"][0])
    theirs = shares(ends, [f.id for f in on.figures if f.id != "rai"])
    assert mine == {key: chance for key, chance in theirs.items() if key in mine or chance}
    asked = riese_kb.ask(on, "attack rai on z1").result["attack"]
    assert Fraction(asked["eliminated"]) == mine["z1 gone"]
    assert Fraction(asked["left_stunned"]) == mine["z1 stunned"]


SPREAD = {
    "a row": board(2, "z1 C3 beta", "z2 B2 beta", "z3 D2 alpha"),
    "one behind the other": board(3, "z1 C3 beta", "z2 C2 beta", "z3 D1 alpha"),
    "the one in front counts as cover": board(3, "z1 C3 alpha", "z2 C2 beta", stun=4, wound=6),
    "a dodger in front": board(2, "z1 C3 beta dodge", "z2 C2 beta"),
    "a howler behind": board(3, "z1 C3 beta", "z2 B2 alpha howl"),
    "a Flammenghul beside": board(2, "z1 C3 beta thick-skin", "z2 B2 flammenghul"),
    "one with a grenade in it": board(2, "z1 C3 beta faust", "z2 C2 alpha"),
}


def by_rota(table: Table, last: str, left: int, may: list[str]) -> str:
    """z1 until stunned, then z2 until gone, then z1."""
    first = table.board.figure("z1")
    if "z1" in may and "z1" not in table.gone and first is not None and "stunned" not in first.status:
        return "z1"
    if "z2" in may and "z2" not in table.gone:
        return "z2"
    return "z1" if "z1" in may and "z1" not in table.gone else last


@pytest.mark.parametrize("name", SPREAD)
def test_spread_fire_as_told_by_brute_force(name: str) -> None:
    on = SPREAD[name]
    question = "attack rai on z1 spread"
    shot = shot_of(on, question)
    found = odds(on, question, Wishes(switch="z1 until stunned, z2 until gone, z1"))
    known: dict[Any, Any] = {}
    for way, choose in (("as told", by_rota), ("all dice at z1", None)):
        ends = list(every(lambda roll, choose=choose: play(on, shot, roll, choose, known=known)))  # type: ignore[misc]
        mine = told(way_of(found, way))
        theirs = shares(ends, [f.id for f in on.figures if f.id != "rai"])
        wanted = {key: chance for key, chance in theirs.items() if key in mine}
        assert mine == wanted
        untouched = {key.split()[0] for key in theirs} - {key.split()[0] for key in mine}
        assert all(theirs[f"{id} 0 wounds"] == 1 and not theirs[f"{id} gone"] for id in untouched)


@pytest.mark.parametrize("name", SPREAD)
def test_best_switching_is_the_best_there_is(name: str) -> None:
    on = SPREAD[name]
    question = "attack rai on z1 spread"
    expected = best(on, shot_of(on, question))
    way = way_of(odds(on, question), "best switching")
    assert Fraction(way["expected"]["eliminated"]) == expected
    stay = way_of(odds(on, question), "all dice at z1")
    assert expected >= Fraction(stay["expected"]["eliminated"])


def test_targets_one_by_one() -> None:
    on = SPREAD["one behind the other"]
    question = "attack rai on z1 spread"
    shot = shot_of(on, question)
    rota = {3: "z1", 2: "z2", 1: "z3"}

    def choose(table: Table, last: str, left: int, may: list[str]) -> str:
        return rota[left] if rota[left] in may else last

    known: dict[Any, Any] = {}
    mine = told(way_of(odds(on, question, Wishes(switch="z1 z2 z3")), "as told"))
    theirs = shares(list(every(lambda roll: play(on, shot, roll, choose, known=known))), ("z1", "z2", "z3"))
    assert mine == theirs


FOUR = board(3, "z1 C3 beta thick-skin", "z2 C2 alpha dodge", "z3 D2 beta", top="threat = 8")
GAMES = 8_000


@pytest.mark.parametrize("question", ["attack rai on z1 select", "attack rai on z1 spread select"])
def test_more_dice_by_many_games(question: str) -> None:
    shot = shot_of(FOUR, question)
    choose: Choose | None = by_rota if "spread" in question else None
    wishes = Wishes(switch="z1 until stunned, z2 until gone, z1") if choose else Wishes()
    found = odds(FOUR, question, wishes)
    assert found.data["dice"] == 4
    mine = told(found.data["ways"][0])
    known: dict[Any, Any] = {}
    games = often(lambda roll: play(FOUR, shot, roll, choose, known=known), GAMES, question)
    theirs = shares([(Fraction(1, GAMES), table) for table in games], ("z1", "z2", "z3"))
    for key, chance in mine.items():
        assert abs(float(theirs.get(key, Fraction(0)) - chance)) <= tolerance(chance, GAMES), key


# --- rerolls ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("skill", "faces"), [("Controlled Burst", {2}), ("Extra Mags", {1, 2}), ("Precision Strike", {1, 2, 3})])
def test_skills_that_roll_a_die_again(skill: str, faces: set[int]) -> None:
    owner = "Nicole" if skill == "Precision Strike" else "Jackson"
    on = board(2, "z1 C2 beta", "ann C4 hero 2", name=owner, skills=f'"{skill}"')
    shot = shot_of(on, "attack rai on z1")
    known: dict[Any, Any] = {}
    ends = list(every(lambda roll: play(on, shot, roll, again=frozenset(faces), known=known)))
    mine = told(way_of(odds(on, "attack rai on z1"), f"all dice at z1, {skill}"))
    assert mine == shares(ends, ("z1", "ann"))


def with_tokens(p: Fraction, ones: Fraction, dice: int, tokens: int, most: int = 3) -> Fraction:
    """The chance that one die of some brings success (p): one that fails is rolled again while there are tokens; a natural 1
    that is left brings one. Spending at once is never worse than keeping: every reroll is worth the same."""
    if not dice:
        return Fraction(0)
    later = with_tokens(p, ones, dice - 1, tokens, most)
    richer = with_tokens(p, ones, dice - 1, min(tokens + 1, max(tokens, most)), most)
    again = with_tokens(p, ones, dice, tokens - 1, most) if tokens else Fraction(0)
    return p + ones * max(richer, again) + (1 - p - ones) * max(later, again)


@pytest.mark.parametrize("question", ["attack rai on z1", "attack rai on z1 spread"])
def test_skills_that_make_it_easier_together(question: str) -> None:
    """A plan and a word of encouragement, two less: as with a weapon that needs two less; and what is rolled again on top."""
    foes = ("z1 C3 beta", "z2 B3 alpha")
    mate = '[[figure]]\nid = "kelley"\nkind = "hero"\nname = "Kelley"\nat = "B6"\nskills = ["Inspiring", "Tactics 1"]\n'
    helped = parse_board(format_board(board(3, *foes, skills='"Extra Mags"')) + mate)
    ways = {way["way"]: way for way in odds(helped, question).data["ways"]}
    plain = {way["way"]: way for way in odds(board(3, *foes, stun=4, wound=7, skills='"Extra Mags"'), question).data["ways"]}
    first = next(iter(ways))
    for reroll in ("", " and Extra Mags"):
        together, alone = ways[f"{first}, Inspiring and Tactics 1{reroll}"], plain[first + reroll.replace(" and", ",")]
        assert {key: together[key] for key in ("figures", "expected", "ammo_lost")} == {
            key: alone[key] for key in ("figures", "expected", "ammo_lost")
        }
    assert [use["skill"] for use in ways[f"{first}, Tactics 1"]["used"]] == ["Tactics 1"]


@pytest.mark.parametrize("tokens", range(4))
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_scratch_tokens(dice: int, tokens: int) -> None:
    on = board(dice, "z1 C3 armoured")
    found = odds(on, "attack rai on z1", Wishes(scratch=tokens))
    way = next(way for way in found.data["ways"] if "scratch" in way["way"])
    assert way["tokens"] == tokens
    assert Fraction(way["figures"]["z1"]["eliminated"]) == with_tokens(Fraction(1, 3), Fraction(1, 12), dice, tokens)


def test_a_token_rolls_the_save_of_a_dodger_again() -> None:
    """One die, one token: a miss (8 in 12) is rolled again; so is a dodged hit's save, at the same price."""
    on = board(1, "z1 C3 armoured dodge")
    hit = Fraction(1, 3)
    plain = hit * Fraction(2, 3)
    expected = hit * (Fraction(2, 3) + Fraction(1, 3) * Fraction(2, 3)) + (1 - hit) * plain
    found = odds(on, "attack rai on z1", Wishes(scratch=1))
    assert Fraction(found.data["ways"][1]["figures"]["z1"]["eliminated"]) == expected


def test_a_kept_reroll_is_out_of_reach_of_tokens() -> None:
    """Precision Strike and one token against a third: the token goes first, then the skill; or, the other way, both at once."""
    on = board(1, "z1 C3 armoured", name="Nicole", skills='"Precision Strike"')
    p = Fraction(1, 3)
    skill = p + Fraction(3, 12) * p
    by_token_first = p + (1 - p) * skill
    found = odds(on, "attack rai on z1", Wishes(scratch=1)).data["ways"][-1]
    assert Fraction(found["figures"]["z1"]["eliminated"]) == by_token_first
    # After 1, 2 or 3 the skill, then the token; after other misses the token, then the skill.
    either = p + Fraction(3, 12) * max(p + (1 - p) * p, skill) + Fraction(5, 12) * skill
    found = odds(on, "attack rai on z1 under scratch_kept=token", Wishes(scratch=1)).data["ways"][-1]
    assert Fraction(found["figures"]["z1"]["eliminated"]) == either


# --- locks, initiative, throws ---------------------------------------------------------------------------------------


def test_breaking_a_lock_with_tokens() -> None:
    on = load_board(CHECKOUT / "queries" / "riese" / "scratch-rolls.board.toml")
    for tokens in range(1, 4):
        found = odds(on, "break lock kelley", Wishes(scratch=tokens)).data
        broken = sum(1 for rolls in range(12 ** (tokens + 1)) if any(rolls // 12**n % 12 + 1 >= 8 for n in range(tokens + 1)))
        assert Fraction(found["scratch"]["odds"]["broken"]) == Fraction(broken, 12 ** (tokens + 1))


@pytest.mark.parametrize("tokens", range(1, 4))
def test_initiative_with_tokens(tokens: int) -> None:
    """By going over and over all pairs of dice until nothing changes any more."""
    faces = range(1, 13)
    start = [0.0] * (tokens + 1)
    for _ in range(60):
        worth: list[dict[tuple[int, int], float]] = []
        for held in range(tokens + 1):
            now: dict[tuple[int, int], float] = {}
            for h in faces:
                for z in faces:
                    own = sum(worth[held - 1][n, z] for n in faces) / 12 if held else 0.0
                    other = sum(worth[held - 1][h, n] for n in faces) / 12 if held else 0.0
                    tie = start[held] if h == z - 4 else 0.0
                    now[h, z] = 1.0 if h > z - 4 else max(own, other, tie)
            worth.append(now)
            start[held] = sum(now.values()) / 144
    on = load_board(CHECKOUT / "queries" / "riese" / "scratch-rolls.board.toml")
    found = odds(on, "initiative", Wishes(scratch=tokens)).data
    assert float(Fraction(found["scratch"]["odds"]["heroes"])) == pytest.approx(start[tokens], abs=1e-9)


def thrown(on: Board, at: str, needed: int, tokens: int, roll: Roll, source: random.Random) -> Table:
    """A grenade: the roll to hit, the deviation, and what the blast does to everybody near and in sight; on open ground."""
    target = parse_square(at)
    assert target is not None
    landed = target
    while not roll() >= max(needed, 2):
        if tokens:
            tokens -= 1
            continue
        while True:
            face, squares = roll(), 1
            if face >= 9:
                squares = 2
                while face >= 9:
                    face = roll()
            dx, dy = COMPASS[face - 1]
            landed = (target[0] + squares * dx, target[1] + squares * dy)
            if landed in on.terrain:
                break
        break
    table = Table(on)
    card = CARDS["Grenade"]
    for figure in on.figures:
        away = abs(figure.at[0] - landed[0]) + abs(figure.at[1] - landed[1])
        if away > card.pbr:
            continue
        modifier = blast_modifier(on, figure, None, None)
        ways = blast_outcomes(on, figure, roll(), card.stun + modifier, card.wound + modifier, 1)
        _, lost, stunned, gone = source.choices(ways, [float(way[0]) for way in ways])[0]
        human = figure.kind.value != "zombie"
        if away == 0 and not gone and not stunned:
            lost, gone = (max(lost, 1), False) if human else (lost, gone)
            stunned = not human
        table.wounds[figure.id] = lost
        if gone:
            table.gone.add(figure.id)
        elif stunned:
            table.emptied = table.emptied or figure.id == "z1"
    return table


@pytest.mark.parametrize("tokens", [None, 2])
def test_throws_by_many_games(tokens: int | None) -> None:
    on = board(1, "z1 C2 alpha", "z2 D3 beta")
    figures = tuple(f for f in on.figures)
    text = '[[figure]]\nid = "ann"\nkind = "hero"\nname = "Nicole"\nat = "A6"\nfacing = "north"\ngrenades = 1\n'
    from riese_kb.boardfile import format_board

    on = parse_board(format_board(on) + "\n" + text)
    assert len(on.figures) == len(figures) + 1
    found = odds(on, "throw ann grenade at C2", Wishes(scratch=tokens)).data
    mine = found["figures"] if tokens is None else found["scratch"]["figures"]
    source = random.Random(f"throws {tokens}")
    games = list(often(lambda roll: thrown(on, "C2", found["needed"], tokens or 0, roll, source), GAMES, f"throws {tokens}"))
    for id in ("z1", "z2"):
        gone = Fraction(mine[id]["eliminated"])
        assert abs(sum(id in table.gone for table in games) / GAMES - float(gone)) <= tolerance(gone, GAMES)
        for n, chance in mine[id]["wounds"].items():
            share = sum(table.wounds.get(id, 0) == int(n) for table in games) / GAMES
            assert abs(share - float(Fraction(chance))) <= tolerance(Fraction(chance), GAMES)
    stunned = Fraction(mine["z1"]["left_stunned"])
    assert abs(sum(table.emptied for table in games) / GAMES - float(stunned)) <= tolerance(stunned, GAMES)


# --- what cannot be asked --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "wishes", "says"),
    [
        ("reach rai", Wishes(), "no odds"),
        ("attack rai on z1", Wishes(switch="z1 z2"), "only spread fire"),
        ("attack rai on z1 spread", Wishes(switch="z2 z1"), "first die"),
        ("attack rai on z1 spread", Wishes(switch="z1 z9"), "no figure"),
        ("attack rai on z1 spread", Wishes(switch="z1 z4"), "no die may be rolled at z4"),
        ("attack rai on z1 spread", Wishes(switch="z1 until bored"), "no such end"),
        ("attack rai on z1 spread", Wishes(switch=""), "nobody is named"),
        ("attack rai on z1 spread", Wishes(switch=" , ,"), "nobody is named"),
        ("attack rai on z1 spread", Wishes(switch="z1 until stunned, until"), "no figure 'until'"),
        ("attack rai on z1 spread", Wishes(aim="glory"), "nobody tries"),
        ("initiative", Wishes(aim="kills"), "only an attack"),
    ],
)
def test_wrong_wishes_are_refused(question: str, wishes: Wishes, says: str) -> None:
    on = board(3, "z1 C3 beta", "z2 C2 beta", "z4 E1 beta")
    with pytest.raises(RieseError, match=says):
        odds(on, question, wishes)


def test_too_many_dice_among_too_many_enemies_are_undecided() -> None:
    crowd = (f"z{n} {'BCDEA'[n % 5]}{2 + n // 5} alpha" for n in range(10))
    with pytest.raises(Undecided, match="too many ways"):
        odds(board(9, *crowd), "attack rai on z6 spread")


def test_the_aim_decides() -> None:
    """Against one that hardly dies and one that does, who tries for the first shoots at it all the same."""
    on = board(3, "z1 C3 beta", "z2 B2 omega")
    question = "attack rai on z1 spread"
    kills = odds(on, question).data["ways"][0]
    one = odds(on, question, Wishes(aim="z2")).data["ways"][0]
    assert Fraction(one["figures"]["z2"]["left_stunned"]) > Fraction(kills["figures"].get("z2", {}).get("left_stunned", "0"))
    assert Fraction(kills["expected"]["eliminated"]) >= Fraction(one["expected"]["eliminated"])


# --- explosions between two dice --------------------------------------------------------------------------------------


def test_what_goes_off_is_counted_before_the_next_die() -> None:
    """Spread fire at 7/10, first at one that blows up like a grenade, then at its neighbour (Appendix 2, FAUST).

    The first die kills in a quarter of all cases; the blast then kills the neighbour in 4 of 12, stuns it in 3 of 12 (the
    second die needs a 7), and leaves it in 5 of 12 (a 10): 9/16. A first die that stuns (1/4) or misses (1/2) leaves the second
    at the first target, which dies with 1/2 or 1/4, and the neighbour after it with 1/3.
    """
    on = board(2, "z1 C3 beta Faust", "z2 C2 beta")
    told = odds(on, "attack rai on z1 spread", Wishes(switch="z1 until gone, z2")).data["ways"][0]
    expected = Fraction(1, 4) * Fraction(9, 16) + (Fraction(1, 4) * Fraction(1, 2) + Fraction(1, 2) * Fraction(1, 4)) / 3
    assert told["figures"]["z2"]["eliminated"] == str(expected)


def test_a_zombie_that_bursts_hurts_who_stands_beside_it() -> None:
    """Three faces of each die burst it, half of the times it detonates, and eight faces wound a hero (FLÜCHTIG)."""
    told = odds(board(2, "z1 C3 flammenghul", "ann D3 hero 4"), "attack rai on z1").data["ways"][0]
    bursts = Fraction(1, 4) + Fraction(5, 12) * Fraction(1, 4)
    assert told["figures"]["ann"]["wounds"]["1"] == str(bursts / 2 * Fraction(2, 3))


def test_one_explosion_sets_off_the_next() -> None:
    """Each of them wounds the next one, and no other, with four faces of twelve."""
    chain = ("z1 C3 beta Faust", "z2 C1 beta Faust", "z3 E1 beta")
    told = odds(board(1, *chain), "attack rai on z1").data["ways"][0]["figures"]
    assert [told[id]["eliminated"] for id in ("z1", "z2", "z3")] == ["1/3", "1/9", "1/27"]


def test_a_switched_off_explosion_is_not_counted() -> None:
    told = odds(board(1, "z1 C3 beta Faust", "z2 C2 beta"), "attack rai on z1 without power.faust").data["ways"][0]
    assert "z2" not in told["figures"]


def test_a_flamethrower_rolls_no_dice() -> None:
    with pytest.raises(RieseError, match="rolls no dice"):
        odds(load_board(CHECKOUT / "queries/riese/tanks.board.toml"), "attack til on z2 stationary")


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_book_s_range_chart(terminal, run) -> None:
    """ATTACK MODIFIERS: the MP-40 stuns on a 6 up to range 4, on a 7 at 5 and 6, and so on; the Colt adds one from range 5."""
    values = ("--rof", "2", "--stun", "6", "--wound", "9", "--pbr", "4", "--rm", "2", "--json")
    bands = json.loads(run("odds", "--weapon", "MP-40", *values).out)["bands"]
    assert [(b["from"], b["to"], b["stun"]) for b in bands[:3]] == [(2, 4, 6), (5, 6, 7), (7, 8, 8)]
    shifted = json.loads(run("odds", "--weapon", "MP-40", "running", "--plus", "1", *values).out)["bands"]
    assert shifted[0]["stun"] == 9
    stunned = json.loads(run("odds", "--weapon", "MP-40", "--stunned", *values).out)["bands"]
    assert (stunned[0]["from"], stunned[0]["wound"]) == (1, 6)


@pytest.mark.parametrize("name", range_tables.tables())
def test_range_tables_of_printed_weapons(name: str) -> None:
    table = range_tables.tables()[name]
    assert range_tables.worked_out(table) == table["bands"]


def test_the_picture_says_it_in_words_and_shapes(terminal, run, tmp_path) -> None:
    file = tmp_path / "odds.svg"
    answer = run("odds", "queries/riese/spread-gallery.board.toml", "attack kelley on z1 spread", "--svg", str(file), "--ascii")
    assert answer.status == 0
    assert answer.out.isascii()
    assert "best switching" in answer.out
    root = ET.fromstring(file.read_text(encoding="utf-8"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{space}title") == "attack kelley on z1 spread"
    assert "479/576" in root.findtext(f"{space}desc", "")
    assert len(root.findall(f".//{space}pattern")) == 2
    assert "prefers-color-scheme: dark" in root.findtext(f"{space}style", "")


@pytest.mark.parametrize(
    "words",
    [
        ("odds", "queries/riese/spread-gallery.board.toml"),
        ("odds", "--weapon", "Blunderbuss"),
        ("odds", "--weapon", "MG-42"),
        ("odds", "--weapon", "FG-42", "--against", "dragon"),
        ("odds", "--weapon", "FG-42", "flying"),
        ("odds", "queries/riese/spread-gallery.board.toml", "reach kelley"),
        ("odds", "queries/riese/after-the-breakout.team.toml", "threat after 17 won"),
    ],
)
def test_bad_words_are_refused(terminal, run, words) -> None:
    answer = run(*words)
    assert answer.status == 2
    assert answer.err.strip()


def test_the_picture_in_place_of_the_text(terminal, run, tmp_path, monkeypatch) -> None:
    board = str(CHECKOUT / "queries/riese/spread-gallery.board.toml")
    monkeypatch.chdir(tmp_path)
    answer = run("odds", board, "attack kelley on z1 spread", "--svg", "-")
    assert answer.status == 0
    assert ET.fromstring(answer.out).tag.endswith("svg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        # clingo's numbers have 32 bits: 2**32 more would be the same number again, and the table wrong without a word
        (("--weapon", "FG-42", "--plus", str(2**32)), "--plus"),
        (("--weapon", "BAR", "--stun", str(2**32 + 6)), "--stun"),
        (("--weapon", "BAR", "--wound", "0"), "--wound"),
        (("--weapon", "FG-42", "--switch", "z1"), "--switch is for questions about a board"),
        (("queries/riese/spread-gallery.board.toml", "attack kelley on z1", "--plus", "1"), "--plus is for the range table"),
    ],
)
def test_options_that_cannot_be_meant(terminal, run, words, says) -> None:
    answer = run("odds", *words)
    assert answer.status == 2
    assert says in answer.err
    assert answer.out == ""
