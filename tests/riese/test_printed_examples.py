"""The worked examples that the Field Manual prints, each on a board where all that its text tells holds.

Where a printed number does not follow from the printed rules, the test pins what the rules give and says so.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import riese_kb
from riese_kb.boardfile import load_board
from riese_kb.teamfile import parse_team

FOLDER = Path(__file__).resolve().parents[2] / "queries" / "riese"


def ask(name: str, question: str) -> Any:
    return riese_kb.ask(riese_kb.load_board(FOLDER / f"printed-{name}.board.toml"), question)


def ledger(answer: Any, unit: str) -> list[tuple[str, int]]:
    """What was added up in that unit, zeros left out."""
    return [(line.rule, line.amount) for line in answer.ledger if line.unit == unit and line.amount]


def numbers(answer: Any) -> tuple[int, int]:
    return answer.result["stun"], answer.result["wound"]


def broken(answer: Any) -> set[str]:
    return {violation.rule for violation in answer.violations}


# --- MOVEMENT EXAMPLES ------------------------------------------------------------------------------------------------


def test_movement_example_1_nicole_runs_into_rubble() -> None:
    """Diagonal 2, diagonal onto rubble 3, one square ahead onto rubble 2; the eighth point is lost."""
    answer = ask("run-into-rubble", "can nicole run forward-right, forward-right, forward")
    assert answer.verdict == "legal"
    assert (answer.result["mp"], answer.result["spent"], answer.result["wounds"]) == (8, 7, 0)
    steps = [sum(line.amount for line in answer.ledger if line.unit == "MP" and line.step == step) for step in (1, 2, 3)]
    assert steps == [2, 3, 2]
    longer = ask("run-into-rubble", "can nicole run forward-right, forward-right, forward, turn left")
    assert broken(longer) == {"movement.points"}, "with one point left she cannot turn"


def test_movement_example_2_nicole_chooses_the_rubble_rather_than_the_fire() -> None:
    """Three points and no wound; the other way, two points and a wound, is told as a choice."""
    answer = ask("fire-or-rubble", "can nicole walk forward-left")
    assert answer.verdict == "legal"
    assert (answer.result["spent"], answer.result["wounds"]) == (3, 0)
    assert ledger(answer, "MP") == [("movement.diagonal-forward", 2), ("movement.hindering", 1)]
    (choice,) = answer.result["choices"]
    assert (choice["mp"], choice["wounds"]) == (2, 1)


def test_movement_example_2_with_crates_only_the_fire_is_left() -> None:
    answer = ask("fire-or-crates", "can nicole walk forward-left")
    assert answer.verdict == "legal"
    assert (answer.result["spent"], answer.result["wounds"], answer.result["choices"]) == (2, 1, [])


def test_movement_example_3_nicole_opens_a_door() -> None:
    """Walking: diagonal 2, door 1, step 1. Running the door costs 2."""
    answer = ask("through-the-door", "can nicole walk forward-right, open door ahead, forward")
    assert answer.verdict == "legal"
    assert (answer.result["mp"], answer.result["spent"]) == (4, 4)
    prices = [("movement.diagonal-forward", 2), ("movement.open-close-door", 1), ("movement.forward", 1)]
    assert ledger(answer, "MP") == prices
    running = ask("through-the-door", "can nicole run forward-right, open door ahead, forward")
    assert ("movement.open-close-door", 2) in ledger(running, "MP")


# --- COVERING ---------------------------------------------------------------------------------------------------------


def test_covering_example_kelley_and_the_beta_round_the_corner() -> None:
    """6/9 and +2 for having walked: 8/11, within point-blank range."""
    answer = ask("covering", "attack kelley on beta covering")
    assert answer.verdict == "legal"
    assert answer.result["range"] <= 4
    assert numbers(answer) == (8, 11)
    assert ledger(answer, "AM") == [("covering.walked", 2)]


# --- ATTACKING EXAMPLES -----------------------------------------------------------------------------------------------


def test_attacking_example_1_nicole_shoots_past_kelley() -> None:
    """Range 4, 8/11, a six misses, a natural two hits Kelley."""
    answer = ask("attack-past-kelley", "attack nicole on zombie-b")
    assert answer.verdict == "legal"
    assert (answer.result["range"], answer.result["modifier"]) == (4, 2)
    assert numbers(answer) == (8, 11)
    assert ledger(answer, "AM") == [("lof.figure", 2)]
    assert answer.result["stun"] > 6, "the six that she rolls is a miss"
    assert answer.result["attack"]["bystander"] == {"figure": "kelley", "wounded": "1/12"}


def test_attacking_example_2_kelley_rolls_two_dice() -> None:
    """Range 2, no modifiers: 5 to 8 stun, 9 and more wound; two dice; the zombie further off is no target.

    The text goes on that a 4 would wound the zombie once it is stunned. From a wound value of 9 and a modifier of -3 a
    6 follows; that is what the whole attack is reckoned with: 1/3 + 1/3 of 7/12 + 1/3 of 1/3 kill, 23 in 36.
    """
    answer = ask("attack-past-kelley", "attack kelley on zombie-b")
    assert answer.verdict == "legal"
    assert (answer.result["range"], answer.result["modifier"], answer.result["dice"]) == (2, 0, 2)
    assert numbers(answer) == (5, 9)
    assert answer.result["odds"] == {"wound": "1/3", "stun": "1/3", "miss": "1/3"}
    assert answer.result["attack"]["eliminated"] == "23/36"
    assert broken(ask("attack-past-kelley", "attack kelley on zombie-c")) == {"attack.closest"}


def test_attacking_example_3_nicole_runs_and_shoots_over_rubble() -> None:
    """Range 6, since the diagonal counts twice; 10/13: a wound cannot be rolled, a stun can."""
    answer = ask("attack-over-rubble", "attack nicole on zombie-a")
    assert answer.verdict == "legal"
    assert (answer.result["range"], answer.result["modifier"]) == (6, 4)
    assert numbers(answer) == (10, 13)
    assert sorted(ledger(answer, "AM")) == [("attack.running", 2), ("lof.hindering", 2)]
    assert answer.result["odds"] == {"wound": "0", "stun": "1/4", "miss": "3/4"}
    assert answer.result["impossible"] is False


def test_attacking_example_4_kelley_stands_and_shoots_over_rubble() -> None:
    """-2 for standing, +2 for the rubble, +1 for the fifth square: 7/10."""
    answer = ask("attack-over-rubble", "attack kelley on zombie-b")
    assert answer.verdict == "legal"
    assert (answer.result["range"], answer.result["modifier"]) == (5, 1)
    assert numbers(answer) == (7, 10)
    assert sorted(ledger(answer, "AM")) == [("attack.range", 1), ("attack.stationary", -2), ("lof.hindering", 2)]


def test_attacking_example_5_kelley_and_the_flammenghul() -> None:
    """0 for walking, 0 for the rubble beside him, +2 for the second square: 8/11."""
    answer = ask("kelley-and-the-flammenghul", "attack kelley on flammenghul-a")
    assert answer.verdict == "legal"
    assert answer.result["modifier"] == 2
    assert numbers(answer) == (8, 11)
    assert ledger(answer, "AM") == [("lof.hindering", 2)]
    assert {"attack.walking", "lof.adjacent-hindering"} <= {line.rule for line in answer.ledger}


def test_attack_results_example_a_beta_at_4_7() -> None:
    """Seven or more kill it, four to six stun it."""
    answer = ask("colt", "attack nicole on z4")
    assert numbers(answer) == (4, 7)
    assert answer.result["odds"] == {"wound": "1/2", "stun": "1/4", "miss": "1/4"}
    assert answer.result["attack"]["eliminated"] == "1/2"


# --- LINE OF FIRE -----------------------------------------------------------------------------------------------------


def test_line_of_fire_diagram() -> None:
    """Nicole may attack B past Kelley (+2), not A behind the wall; Kelley, facing away, may attack neither."""
    past = ask("lines-of-fire", "attack nicole on zombie-b")
    assert past.verdict == "legal"
    assert ledger(past, "AM") == [("lof.figure", 2)]
    assert past.result["attack"]["bystander"] == {"figure": "kelley", "wounded": "1/12"}
    assert broken(ask("lines-of-fire", "attack nicole on zombie-a")) == {"attack.lof"}
    assert broken(ask("lines-of-fire", "lof nicole to zombie-a")) == {"lof.wall"}
    assert ask("lines-of-fire", "targets nicole").result["normal"] == ["zombie-b"]
    assert ask("lines-of-fire", "targets kelley").result == {"normal": [], "spread": [], "h2h": []}
    for zombie in ("zombie-a", "zombie-b"):
        assert "attack.arc" in broken(ask("lines-of-fire", f"attack kelley on {zombie}"))


# --- RANGE ATTACK MODIFIERS, WEAPON -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("lane", "shooter", "stun"), [(1, "m4", 6), (2, "m5", 7), (3, "m6", 7), (4, "m7", 8), (6, "m9", 9)])
def test_range_table_of_the_mp_40(lane: int, shooter: str, stun: int) -> None:
    """Six up to range 4, seven at 5 and 6, and so on."""
    answer = ask("range-table", f"attack {shooter} on z{lane}")
    assert answer.verdict == "legal"
    assert answer.result["range"] == int(shooter[1:])
    assert answer.result["stun"] == stun
    assert sum(amount for _, amount in ledger(answer, "AM")) == stun - 6


@pytest.mark.parametrize(("lane", "shooter", "modifier"), [(8, "l3", 0), (7, "l4", 1), (5, "l6", 3)])
def test_range_table_of_the_luger(lane: int, shooter: str, modifier: int) -> None:
    """The chart's numbers for the Luger are not in the text at hand; with the one supplied every square counts."""
    answer = ask("range-table", f"attack {shooter} on z{lane}")
    assert answer.result["modifier"] == modifier
    assert "Luger" in answer.to_json()["supplied"]


def test_weapon_example_the_colt_m1911() -> None:
    """One die, 6/9; +1 at range 5, +2 at range 6."""
    at_five, at_six = ask("colt", "attack kelley on z5"), ask("colt", "attack jackson on z6")
    assert [answer.result["range"] for answer in (at_five, at_six)] == [5, 6]
    assert ledger(at_five, "AM") == [("attack.range", 1)]
    assert ledger(at_six, "AM") == [("attack.range", 2)]
    assert at_five.result["dice"] == 1
    assert numbers(at_five) == (7, 10)


# --- SPREAD FIRE, SPECIAL ACTIONS, THREAT LEVEL -----------------------------------------------------------------------


def test_spread_fire_example_kelley_and_the_mg_42() -> None:
    """Zombie 1 must be the first target; then the dice may go to 2 and 3. Three dice are rolled.

    The book prints no more of the MG-42 than its three dice; the board supplies the rest.
    """
    answer = ask("spread-fire", "attack kelley on z1 spread")
    assert answer.verdict == "legal"
    assert (answer.result["type"], answer.result["dice"], answer.result["modifier"]) == ("spread", 3, 1)
    assert answer.result["next_targets"] == ["z2", "z3"]
    assert ask("spread-fire", "targets kelley").result["spread"] == ["z1"]
    for other in ("z2", "z3"):
        assert broken(ask("spread-fire", f"attack kelley on {other} spread")) == {"attack.closest"}


def test_special_action_diagram_kelley_may_not_move_or_attack() -> None:
    assert broken(ask("special-action", "can kelley special turn left")) == {"movement.no-points"}
    assert broken(ask("special-action", "attack kelley on z1")) == {"attack.not-special"}


def test_threat_level_example_at_six_both_effects_are_in_force() -> None:
    """One movement point fewer, and S/W values one higher."""
    board = riese_kb.load_board(FOLDER / "threat-six.board.toml")
    assert riese_kb.ask(board, "can nicole walk forward").result["mp"] == 3
    attack = riese_kb.ask(board, "attack nicole on z1")
    assert numbers(attack) == (7, 10)
    assert ledger(attack, "AM") == [("threat.distracting-cacophony-4", 1)]


def test_adjusting_threat_example_from_two_to_three() -> None:
    """Two from the title, less one for the Armoured zombie: an adjustment of one."""
    answer = riese_kb.ask(FOLDER / "printed-threat.team.toml", "threat after 99 won with 1 Armoured zombie killed")
    assert ledger(answer, "threat") == [("adjustment.title", 2), ("adjustment.condition", -1)]
    assert (answer.result["before"], answer.result["change"], answer.result["after"]) == (2, 1, 3)


def test_forces_example_characters_and_the_troopers_in_their_place() -> None:
    """Two places: two characters, one character and two troopers, or four troopers."""
    team = parse_team(
        'system = "riese"\n[[scenario]]\nnumber = "99"\ncharacters = 2\n'
        + "".join(f'[[hero]]\nid = "{n}"\nname = "{n}"\n' for n in ("Kelley", "Nicole", "Rai"))
        + "".join(f'[[hero]]\nid = "t{n}"\nname = "Trooper"\n' for n in range(1, 5))
    )
    for heroes in ("Kelley, Nicole", "Kelley, t1, t2", "t1, t2, t3, t4"):
        assert riese_kb.ask(team, f"can team play 99 with {heroes}").verdict == "legal", heroes
    for heroes in ("Kelley, Nicole, Rai", "Kelley, Nicole, t1", "Kelley, t1, t2, t3"):
        assert broken(riese_kb.ask(team, f"can team play 99 with {heroes}")) == {"forces.characters"}, heroes


# --- ZOMBIE MOVEMENT --------------------------------------------------------------------------------------------------


def test_zombie_movement_example() -> None:
    """The first zombie is closest and moves beside Kelley (B). The other two are two moves away, so the player orders
    them; the second cannot move diagonally to C and does not move at all, the third moves to C.
    """
    assert ask("zombie-movement", "zombie z1").result["moves"] == [["A2"]]
    turn = ask("zombie-movement", "zombies").result
    assert [sorted(group) for group in turn["order"]] == [["z1"], ["z2", "z3"]]
    assert turn["outcomes"] == [{"z1": "A2", "z2": "A4", "z3": "B3"}]


# --- ADJACENT, SKILLS ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "adjacent"), [*((at, True) for at in ("B1", "C2", "B3", "A2")), *((at, False) for at in ("A1", "C1", "C3", "A3"))]
)
def test_adjacent_diagram_the_four_numbered_squares(at: str, adjacent: bool) -> None:
    """Beside the character a zombie stays and attacks; on an unnumbered square it is only diagonally adjacent, and moves."""
    board = riese_kb.parse_board(
        "system = \"riese\"\nmap = '''\n+-+-+-+\n|. . .|\n+ + + +\n|. . .|\n+ + + +\n|. . .|\n+-+-+-+\n'''\n"
        f'[[figure]]\nid = "hero"\nkind = "hero"\nat = "B2"\n[[figure]]\nid = "z"\nkind = "zombie"\nat = "{at}"\n'
    )
    found = riese_kb.ask(board, "zombie z").result
    assert (found["stays"], not found["moves"]) == (adjacent, adjacent)
    assert found["attacks"] == (["hero"] if adjacent else [])


def test_skills_example_hero_is_not_combined_with_tactics() -> None:
    """Nicole has had Tactics 1 used on her, and cannot use Hero in the same round."""
    board = riese_kb.load_board(FOLDER / "skilled-dice.board.toml")
    offered = {option["skill"] for option in riese_kb.ask(board, "attack nicole on z9").result.get("options", ())}
    assert "Hero" not in offered
    freely = riese_kb.ask(board, "attack nicole on z9 without skill.no-combination").result["options"]
    assert "Hero" in {option["skill"] for option in freely}


def test_skills_example_tactics_2_replaces_tactics_1() -> None:
    learning = riese_kb.ask(FOLDER / "after-the-breakout.team.toml", 'can kelley learn "Tactics 2"').result
    assert learning["replaces"] == ["Tactics 1"]


# --- TIMERS -----------------------------------------------------------------------------------------------------------


def test_timers_example_a_satchel_charge_with_two_markers() -> None:
    """One marker goes in the end segment of the same round, the other in the next, and the charge explodes."""
    board = load_board(FOLDER / "printed-timer.board.toml")
    assert riese_kb.ask(board, "round").result["end"] == [{"what": "timer", "at": "F1", "left": 1}]
    later = replace(board, round=2, markers=board.markers[:-1])
    (timer,) = riese_kb.ask(later, "round").result["end"]
    assert (timer["left"], timer["explodes"], timer["victims"]) == (0, "Satchel Charge", ["z1"])
    assert timer["effects"]["z1"]["odds"] == {"wound": "7/12", "stun": "1/4", "miss": "1/6"}, "3/6, two squares away"


# --- THROWN EXPLOSIVES, AREA OF EFFECT ----------------------------------------------------------------------------------


def test_throwing_example_nicole_throws_around_the_wall() -> None:
    """No line of fire, a way of five squares around the wall: she needs a nine."""
    answer = ask("grenade-around", "throw nicole grenade at C1")
    assert answer.verdict == "legal"
    assert (answer.result["range"], answer.result["needed"], answer.result["lof"]) == (5, 9, False)
    assert ledger(answer, "to roll") == [("throw.number", 5)]
    assert ledger(answer, "AM") == [("throw.without-lof", 4)]
    assert answer.result["lands"]["C1"] == "1/3"


def test_deviation_chart_one_and_two_squares_in_eight_directions() -> None:
    """Two thirds of the misses go one square off, a third two squares, in each of the eight directions alike."""
    answer = ask("deviation", "throw nicole grenade at E5")
    lands = {at: Fraction(chance) for at, chance in answer.result["lands"].items()}
    missed = 1 - lands.pop("E5")
    assert lands == {
        **dict.fromkeys(("E4", "F4", "F5", "F6", "E6", "D6", "D5", "D4"), missed * Fraction(8, 12) / 8),
        **dict.fromkeys(("E3", "G3", "G5", "G7", "E7", "C7", "C5", "C3"), missed * Fraction(4, 12) / 8),
    }


def test_aoe_example_the_grenade_lands_on_the_first_zombie() -> None:
    """Zombie 1 dies on a nine and is stunned by anything less; zombie 2 is stunned from six; Nicole is wounded from six."""
    answer = ask("blast", "blast at C2 with grenade")
    assert set(answer.result["victims"]) == {"zombie-1", "zombie-2", "nicole"}, "3 and 4 are too far away"
    odds = {id: effect["odds"] for id, effect in answer.result["effects"].items()}
    assert odds["zombie-1"] == {"wound": "1/3", "stun": "2/3", "miss": "0"}
    assert odds["zombie-2"] == {"wound": "1/3", "stun": "1/4", "miss": "5/12"}
    assert odds["nicole"] == {"wound": "7/12", "stun": "0", "miss": "5/12"}


def test_thrown_aoe_example_nicole_stands_outside() -> None:
    """The same blast in the entry on throwing: there she is out of the radius, and nothing is rolled against her."""
    answer = ask("blast", "blast at C1 with grenade")
    assert set(answer.result["victims"]) == {"zombie-1", "zombie-2"}
    assert ask("blast", "throw nicole grenade at C1").result["victims"]["C1"] == ["zombie-1", "zombie-2"]
