"""The names in a question against a board: figures, squares, weapons and items, found or refused with the nearest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riese_kb.board import Board, Declared, Facing, Figure, Kind, Marker, System, Terrain, Weapon
from riese_kb.errors import QuestionError
from riese_kb.language import format_question, parse_question, resolve
from riese_kb.question import About, Action, Attack, Can, CanTo, Exit, Lof, Step, Zombie, ZombieTurn

TERRAIN = {(c, r): Terrain.CLEAR for c in range(1, 6) for r in range(1, 4)} | {(3, 3): Terrain.VOID}
BOARD = Board(
    system=System.RIESE,
    width=5,
    height=3,
    terrain=TERRAIN,
    edges={},
    figures=(
        Figure(id="nicole", kind=Kind.HERO, at=(1, 3), weapon="FG-42", gear=("Grandma's Pie",)),
        Figure(id="kelley", kind=Kind.HERO, at=(1, 1)),
        Figure(id="B2", kind=Kind.ZOMBIE, at=(5, 1)),
        Figure(id="guard1", kind=Kind.NPC, at=(5, 3)),
    ),
    weapons=(Weapon(name="Pitchfork", supplied=True),),
    markers=(Marker(kind="item", at=(2, 1), label="Red Folder"), Marker(kind="objective", at=(2, 2), label="O1")),
)


def on_board(text: str, board: Board = BOARD) -> About:
    return resolve(parse_question(text), board).about


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("can nicole walk forward", Can("nicole", Declared.WALKING, (Action(Step.FORWARD),))),
        ("lof nicole to B2", Lof("nicole", "B2")),
        ("lof a3 to b1", Lof((1, 3), (2, 1))),
        ("lof guard1 to b2", Lof("guard1", (2, 2))),
        ("can nicole to E2 east", CanTo("nicole", None, Exit((5, 2), Facing.EAST))),
        ("can nicole to C2 south", CanTo("nicole", None, Exit((3, 2), Facing.SOUTH))),
        ("attack nicole on kelley with fg 42", Attack("nicole", "kelley", "FG-42")),
        ("attack nicole on B2 with PITCHFORK", Attack("nicole", "B2", "Pitchfork")),
        ("can nicole pick up red folder", Can("nicole", None, (Action(Step.PICK_UP, item="Red Folder"),))),
        (
            "can nicole pass grandmas pie to kelley",
            Can("nicole", None, (Action(Step.PASS, item="Grandma's Pie", to="kelley"),)),
        ),
        ("can nicole switch weapon to stg 44", Can("nicole", None, (Action(Step.SWITCH, item="StG-43/44"),))),
        ("zombie B2", Zombie("B2")),
        ("zombies", ZombieTurn()),
    ],
)
def test_names_are_found(text: str, about: About) -> None:
    assert on_board(text) == about


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "can nicol walk forward",
            'no figure "nicol" on the board (did you mean nicole? known figures: nicole, kelley',
        ),
        ("can walk forward", 'no figure "walk"'),
        ("can Nicole walk forward", "did you mean nicole?"),
        ("reach B2", "B2 is a zombie, and this question is about a hero (heroes on the board: nicole, kelley)"),
        ("targets guard1", "guard1 is a npc"),
        ("break lock B2", "B2 is a zombie"),
        ("attack B2 on nicole", "B2 is a zombie"),
        ("attack nicole on z1", 'no figure "z1"'),
        ("zombie nicole", "nicole is a hero, and this question is about a zombie (zombies on the board: B2)"),
        ("lof nicole to kely", "did you mean kelley?"),
        ("lof nicole to F1", "square F1 is off the map (its squares are A1 to E3)"),
        ("can nicole to A4", "square A4 is off the map"),
        ("can nicole to C3", "square C3 is blank"),
        ("can nicole to E2 west", "the map goes on west of E2"),
        ("can nicole pass Knife to keley", "did you mean kelley?"),
        ("can nicole pick up FG-43", "did you mean FG-42?"),
        ("can nicole pick up O1", 'no weapon or item "O1"'),
        ("can nicole pick up -", 'no weapon or item "-"'),
        ("attack nicole on B2 with pitchfrk", "did you mean Pitchfork?"),
        ("attack nicole on B2 with Medkit", "Medkit is no weapon"),
        ("can nicole switch weapon to Ammo", "Ammo is no weapon"),
    ],
)
def test_names_that_are_not_there(text: str, says: str) -> None:
    with pytest.raises(QuestionError) as caught:
        on_board(text)
    assert says in str(caught.value)


TEXTS = [
    "can {a} walk forward, pass {item} to {b}, pick up {item}",
    "can {a} run to {place}",
    "can {a} to {place} east",
    "lof {a} to {place}",
    "lof {place} to {b}",
    "targets {a}",
    "attack {a} on {b} with {item}",
    "zombie {a}",
    "break lock {a}",
]
NAMES = st.sampled_from(["nicole", "kelley", "B2", "guard1", "walk", "Nicole"])
PLACES = st.sampled_from(["A1", "a1", "B2", "b2", "C3", "E3", "F3", "E4", "ZZZ9999"])
ITEMS = st.sampled_from(["FG-42", "Pitchfork", "Red Folder", "medkit", "nothing", "-", "O1"])


@given(st.sampled_from(TEXTS), NAMES, NAMES, PLACES, ITEMS)
def test_a_resolved_question_stays_as_it_is(text: str, a: str, b: str, place: str, item: str) -> None:
    question = parse_question(text.format(a=a, b=b, place=place, item=item))
    try:
        found = resolve(question, BOARD)
    except QuestionError:
        return
    assert resolve(found, BOARD) == found
    if "b2" not in question.text:  # the square b2 is written B2, and that is the zombie
        assert on_board(format_question(found)) == found.about
