"""Worked movements and whose turn it is, asked of the engine: what is true is silent, what no reading makes true is found."""

from __future__ import annotations

import re

import pytest

from riese_kb.audit.book import Book
from riese_kb.audit.checks import played, turned, walked
from riese_kb.audit.findings import Kind
from riese_kb.board import System

TRUE = (
    "Ida declares running, giving her 8 MPs. She moves diagonally into hindering terrain, paying 3 MPs. She then opens the door"
    " for 2 MPs and moves 2 squares forward for 2 MPs. She has spent 7 MPs.",
    "Ida is declared walking. She moves diagonally, costing 2 MPs, then she opens the door for 1 MP. Spending her last MP to step"
    " forward she is through. If she had not walked, but was running, it takes 2 MPs to open the door.",
    "He is declared walking, giving him 4 MPs. He uses 2 MPs to pass Rolf a knife, then he turns left for 1 MP.",
    "Ida is declared walking. She wants to step backward through the rubble, which is hindering terrain. It will cost her 3 MPs.",
    "He is declared running. He turns to the left: it costs him 2 MPs to turn left, and he spends 1 MP to switch weapons.",
    "She is declared walking. She steps sideways for 2 MPs, and picks up the rope for 1 MP, for a total of 3 MPs.",
)


def found(text: str, system: System = System.RIESE):
    return list(walked.check(Book(f"MOVEMENT EXAMPLE\n{text}\n"), system))


@pytest.mark.parametrize("text", TRUE)
@pytest.mark.parametrize("system", [System.RIESE, System.STALINGRAD_Z])
def test_true_movements_are_silent(text, system):
    assert found(text, system) == []


def planted():
    """Every number of every movement, one less and one more, where that cannot be hindering terrain that is not spoken of."""
    for text in TRUE:
        for number in re.finditer(r"\b\d(?= MPs?)", text):
            for wrong in (int(number[0]) - 1, int(number[0]) + 1):
                step = re.search(r"diagonally, costing $|sideways for $|forward for $", text[: number.start()])
                if wrong > 0 and not (step and wrong > int(number[0]) and "total" not in text and "spent" not in text):
                    yield f"{text[: number.start()]}{wrong}{text[number.end() :]}"


def test_planted_movements_are_found():
    missed = [text for text in planted() if not found(text)]
    assert len(missed) <= 0.15 * len(list(planted())), missed


def test_the_fix_is_the_price_that_the_rules_give():
    (one,) = found("He is declared running. He opens the door for 1 MP, and turns left for 2 MPs.")
    assert one.fix == "2 MP"
    assert one.witness is not None
    assert one.witness["answers"] == [2]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("She moves diagonally, paying 3 MPs.", False),  # into hindering terrain, or backward
        ("She moves diagonally, paying 1 MP.", True),
        ("She is declared running. She moves diagonally into hindering terrain, paying 2 MPs.", True),
        ("She opens the door for 2 MPs.", False),  # running
        ("She opens the door for 2 MPs, and steps backward for 2 MPs.", True),  # nobody who runs steps backward
        ("She opens the door for 2 MPs, as the Quick skill lets her.", False),  # what a skill changes is not followed
        ("It costs 3 MPs to open the door.", False),  # a rule, and no story
    ],
)
def test_a_movement_is_wrong_only_where_no_reading_makes_it_right(text, wrong):
    assert bool(found(text)) is wrong


def test_what_is_passed_over_is_told():
    skilled = "She opens the door for 2 MPs, as the Quick skill lets her.\n"
    long = f"He opens the door for 2 MPs.{' The door is old.' * 300}\n"
    attack = "His slingshot has a modified S/W of 7/10.\n"
    book = Book(f"MOVEMENT EXAMPLE\n{skilled}{long}It costs 1 MP to open a door.\n{attack}")
    assert [*walked.check(book, System.RIESE), *played.check(book, System.RIESE)] == []
    assert book.skipped == [
        "worked movements, skill may change what they cost: 2",
        "worked movements, longer than 3,000 characters: 3",
        "worked attacks, no one weapon whose values are known: 5",
    ]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Zombies are activated first in the player turn.", True),
        ("Each hero acts once during the zombie turn.", True),
        ("A hero is not activated in the zombie turn.", False),
        ("A hero who covers may act in the zombie turn.", False),
        ("Advance the round marker by one in the initiative segment.", True),
        ("In the end segment, advance the marker on the track.", False),
        ("In the final phase of his turn, remove any covering or attacked markers.", True),
        ("In the start phase of his turn, remove any covering or attacked markers.", False),
        ("Zombies are spawned in the final phase of the player turn when the round space shows where.", True),
        ("Zombies are spawned in the action phase of the zombie turn when the round space shows where.", True),
        ("Zombies are spawned in the final phase of the zombie turn when the round space shows where.", False),
        ("In the end segment all figures take a wound, everywhere in the affected area.", True),
        ("In the final phase all figures take a wound, everywhere in the affected area.", False),
    ],
)
@pytest.mark.parametrize("system", [System.RIESE, System.STALINGRAD_Z])
def test_what_happens_when_is_asked_of_the_engine(text, wrong, system):
    found = list(turned.check(Book(f"TURNS\n{text}\n"), system))
    assert [one.kind for one in found] == [Kind.SCOPE] * wrong


def test_what_only_one_of_the_games_has():
    timers = Book("TURNS\nIn each start phase, remove one timer marker. NPCs act in the NPC turn.\nNPCs are slow.\n")
    (found,) = turned.check(timers, System.RIESE)
    assert found.message == "a timer marker is removed: not in the start phase, but in the end segment"
    (found,) = turned.check(timers, System.STALINGRAD_Z)
    assert found.message == "this game has no NPCs", "and no timers, of which nothing can be told"
    assert [place.line for place in found.other] == [3]
