"""What a throw and a blast come to in numbers, on the example boards; each expectation is worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import riese_kb
from riese_kb.board import Board, square_name

FOLDER = Path(__file__).resolve().parents[2] / "queries" / "riese"


def result(board: str, question: str) -> dict[str, Any]:
    return riese_kb.ask(riese_kb.load_board(FOLDER / f"{board}.board.toml"), question).result


def effect(question: str, id: str) -> dict[str, Any]:
    found: dict[str, Any] = result("blasts", question)["effects"][id]
    return found


def test_on_the_square_of_the_blast_a_human_is_wounded_whatever_is_rolled() -> None:
    assert effect("blast at B3 with molotov", "vogel")["odds"] == {"wound": "1", "stun": "0", "miss": "0"}
    rolled = effect("blast at B3 with molotov under aoe_centre_human rolled", "vogel")["odds"]
    assert rolled == {"wound": "2/3", "stun": "0", "miss": "1/3"}
    assert effect("blast at B3 with molotov", "vogel")["burns"] == 1


def test_nobody_knows_how_many_wounds_a_civilian_survives() -> None:
    board = riese_kb.load_board(FOLDER / "charges.board.toml")
    assert isinstance(board, Board)
    civilian = next(figure for figure in board.figures if figure.kind == "civilian")
    found = riese_kb.ask(board, f"blast at {square_name(civilian.at)} with grenade").result["effects"][civilian.id]["attack"]
    assert found["wounds"] == {"1": "1"}
    assert "eliminated" not in found


def test_an_armoured_zombie_is_not_stunned_there() -> None:
    assert effect("blast at D3 with grenade", "iron")["odds"] == {"wound": "1/3", "stun": "0", "miss": "2/3"}


def test_dodging_saves_from_the_roll_and_not_from_the_certain_stun() -> None:
    """Panzerfaust 4/7, six of twelve faces wound, of which a third is dodged; whatever is left stuns."""
    on_it = effect("blast at D5 with panzerfaust", "alpha")
    assert on_it["odds"] == {"wound": "1/3", "stun": "2/3", "miss": "0"}
    assert on_it["attack"]["wounds"] == {"0": "2/3", "2": "1/3"}
    assert on_it["attack"]["eliminated"] == "1/3", "two wounds kill an alpha"
    assert effect("blast at D5 with panzerfaust", "daze")["attack"]["wounds"] == {"0": "1/2", "1": "1/2"}


def test_modifiers_count_only_where_they_are_read_to() -> None:
    """Stationary −2, threat 4 +1, a howl +1, a stunned zombie −3."""
    question = "blast at D3 with grenade by nicole"
    assert (effect(question, "daze")["stun"], effect(question, "daze")["wound"]) == (6, 9)
    read = f"{question} under aoe_modifiers standard"
    assert (effect(read, "daze")["stun"], effect(read, "daze")["wound"]) == (3, 6)
    assert effect(read, "iron")["modifier"] == 0


def test_a_molotov_drops_on_a_one() -> None:
    """Needed five: eight faces hit, the one falls at her feet, three deviate."""
    lands = {at: Fraction(chance) for at, chance in result("throwing", "throw nicole molotov at G3")["lands"].items()}
    assert (lands["G3"], lands["B3"]) == (Fraction(8, 12), Fraction(1, 12))
    assert sum(lands.values()) == 1


def test_rolls_into_what_is_obstructive_share_their_chance_among_the_others() -> None:
    """At I3 the pillar H4 and, two squares off, nothing else is shut; K1 two squares off lies open to deviation."""
    lands = {at: Fraction(chance) for at, chance in result("throwing", "throw nicole grenade at I3")["lands"].items()}
    assert "H4" not in lands
    assert sum(lands.values()) == 1
    assert lands["H3"] == 2 * lands["G3"], "one square off has twice the chance of two squares off"


def test_off_the_map_it_is_rolled_again_or_gone() -> None:
    again = result("throwing", "throw nicole grenade at C1")["lands"]
    assert sum(map(Fraction, again.values())) == 1
    assert "off the map" not in again
    gone = result("throwing", "throw nicole grenade at C1 under deviation_off_map gone")["lands"]
    assert sum(map(Fraction, gone.values())) == 1
    missed = 1 - Fraction(gone["C1"])
    assert Fraction(gone["off the map"]) == missed * (Fraction(3, 12) + Fraction(4, 12) * Fraction(3, 8))


def test_a_grenadiers_explosion_is_the_one_that_a_modifier_counts_in() -> None:
    """Grenade 6/9 on who stands beside it: 6/9 of Kelley's throwing, 5/8 of Rai's, 4/7 of Til's second level."""
    found = result("skilled-throws", "blast at B1 with grenade by kelley")["effects"]["rai"]
    assert (found["stun"], found["wound"]) == (6, 9)
    for thrower, square, numbers in (("rai", "B1", (5, 8)), ("til", "B3", (4, 7)), ("til-1", "B5", (5, 8))):
        found = result("skilled-throws", f"blast at {square} with grenade by {thrower}")["effects"][thrower]
        assert (found["stun"], found["wound"], found["modifier"]) == (*numbers, numbers[0] - 6)


def test_a_charge_goes_off_like_any_explosion() -> None:
    """Satchel 3/6, three squares wide: at F3 it attacks Nicole and the alpha, and the pillar shields the zombie behind it."""
    found = result("charges", "round")
    timers = {told["at"]: told for told in found["end"] if told["what"] == "timer"}
    assert {at: told["left"] for at, told in timers.items()} == {"C1": 1, "F3": 0, "H1": 0}
    assert {at for at, told in timers.items() if "explodes" in told} == {"F3"}
    bang = timers["F3"]
    assert (bang["victims"], bang["shielded"], bang["scenario"], bang["when"]) == (["nicole", "lit"], ["z1"], True, "end segment")
    assert bang["effects"]["nicole"]["odds"] == {"wound": "5/6", "stun": "0", "miss": "1/6"}
    assert {told["what"]: told["gone"] for told in found["end"] if told["what"] != "timer"} == {
        "burning": "1/2",
        "decoy": "2/3",
        "fire": "1/2",
        "flare": "0",
    }
    later = {told["at"]: told for told in result("charges", "round under timed_blast=final_phase")["end"] if "at" in told}
    assert later["F3"]["when"] == "final phase"


def test_a_token_rolls_one_die_again() -> None:
    """FG-42 with Blitz, 5/8: four of twelve faces miss, so that a third of everything is added."""
    (option,) = result("blitz", "attack nicole on z1")["options"]
    assert option["odds"] == {"wound": "5/9", "stun": "1/3", "miss": "1/9"}


def test_max_dodges_four_times_in_twelve() -> None:
    """FLAK 38, two dice at 8/8: five faces hit, a third of the hits is dodged."""
    (shot,) = result("blitz", "zombie gunner")["shoots"]
    assert shot["wounds"] == {"0": str(Fraction(13, 18) ** 2), "1": str(2 * Fraction(5, 18) * Fraction(13, 18)), "2": "25/324"}


def test_what_the_end_segment_takes_away() -> None:
    """A decoy goes on 1 to 8, the fire of a cocktail and of a burst zombie on 7 to 12, a flare candle not at all."""
    ends = {(end["what"], end["at"]): end for end in result("charges", "round")["end"] if "at" in end}
    gone = {key: end["gone"] for key, end in ends.items() if "gone" in end}
    assert gone == {("decoy", "D1"): "2/3", ("fire", "E1"): "1/2", ("fire", "G1"): "1/2", ("flare", "D4"): "0"}
    assert ends["timer", "C1"]["left"] == 1
    assert ends["timer", "F3"]["victims"] == ["nicole", "lit"], "the pillar shields the zombie behind it"
