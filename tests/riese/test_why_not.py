"""Why not: every core is minimal, and every change that is proposed makes it legal when it is made and asked about.

Forty illegal questions are drawn; ``RIESE_KB_SEEDS=5`` draws two hundred.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from riese_kb.asking import ask, ask_all
from riese_kb.boardfile import format_board, parse_board
from riese_kb.drawn.boards import random_board
from riese_kb.drawn.questions import random_question
from riese_kb.language import format_question, parse_question
from riese_kb.question import Attack, Can, CanTo, Lof, Throw
from riese_kb.text import render

from .generated import dice, seeds

KINDS = {"can": Can, "can to": CanTo, "attack": Attack, "throw": Throw, "lof": Lof}
EACH = {"can": 12, "can to": 5, "attack": 12, "throw": 6, "lof": 5}
LARGEST = {"can to": 5}
"""Width and height of boards at most, where it is not 7: every rule of a search for a way is a search of its own."""
BOARDS = "queries/riese/{}.board.toml"
REFUSED = ("illegal", "blocked")


def illegal(kind, chunk):
    """Illegal questions of a kind about random boards, one a board."""
    rng = dice("why not", kind, chunk)
    while True:
        largest = LARGEST.get(kind, 7)
        board = random_board(rng, rng.randint(3, largest), rng.randint(3, largest))
        question = format_question(random_question(rng, board, KINDS[kind]))
        (answer,) = ask_all([(board, question)])
        if getattr(answer, "verdict", None) in REFUSED:
            yield board, question


def off(question, rules):
    return f"{question} without {', '.join(sorted(rules))}" if rules else question


@pytest.mark.parametrize("chunk", seeds(1))
@pytest.mark.parametrize("kind", KINDS)
def test_cores_are_minimal_and_changes_verify(kind, chunk):
    found: Counter[str] = Counter()
    for board, question in islice(illegal(kind, chunk), EACH[kind]):
        result = ask(board, f"why not {question}").result
        cores = [frozenset(core) for core in result["cores"]]
        others = frozenset().union(*cores)
        asked = [off(question, others - core) for core in cores]
        asked += [off(question, others - core | {rule}) for core in cores for rule in sorted(core)]
        verdicts = [getattr(answer, "verdict", "error") for answer in ask_all([(board, one) for one in asked])]
        assert all(verdict in REFUSED for verdict in verdicts[: len(cores)]), (question, cores)
        assert all(verdict in ("legal", "clear") for verdict in verdicts[len(cores) :]), (question, cores)
        assert [len(core) for core in cores] == sorted(map(len, cores))
        assert not any(one < other for one in cores for other in cores)
        for change in result["changes"]:
            then = ask(parse_board(change["board"]), change["ask"])
            assert then.verdict in ("legal", "clear"), (question, change)
        found.update(cores=bool(cores), changes=bool(result["changes"]), complete=result["complete"], asked=True)
    assert found["cores"] >= 0.9 * found["asked"], "hardly anything is forbidden by what is no rule"


# --- cases to read ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "question", "cores"),
    [
        ("doors", "can nicole walk backward", [["door.locked"]]),
        # The way round costs too much, and the locked door is on the short one.
        ("doors", "can nicole walk to B3", [["door.locked", "movement.points"]]),
        # Two reasons, each enough: the door, and the end of the map behind it.
        ("doors", "can nicole walk forward, forward", [["door.closed"], ["movement.obstructive"]]),
        # Without zones neither rule about them says anything.
        ("zone-gaps", "can nicole walk forward-right", [["movement.diagonal-gap", "zoc.area"], ["zoc.area", "zoc.between"]]),
        ("doors", "can nicole walk to C3", [["movement.occupied"]]),
        ("shooting-gallery", "attack nicole on z2", [["attack.arc"]]),
    ],
)
def test_what_forbids_it(board, question, cores):
    result = ask(BOARDS.format(board), f"why not {question}").result
    assert (result["cores"], result["complete"]) == (cores, True)


@pytest.mark.parametrize(
    ("board", "question", "says"),
    [
        ("doors", "can nicole walk backward", "the door B2|B3 is open"),
        ("doors", "can nicole walk to B3", "nicole has 1 MP more"),
        ("doors", "can nicole walk to B3", "nicole declares running"),
        ("zone-gaps", "can nicole walk forward-right", "z1 is stunned"),
        ("zone-gaps", "can nicole walk forward-right", "z2 is not there"),
        ("shooting-gallery", "attack nicole on z2", "nicole faces east"),
    ],
)
def test_what_would_make_it_legal(board, question, says):
    changes = {tuple(change["says"]): change for change in ask(BOARDS.format(board), f"why not {question}").result["changes"]}
    change = changes[says,]
    assert ask(parse_board(change["board"]), change["ask"]).legal
    assert len(change["changes"]) == 1


def test_two_changes_where_one_will_not_do():
    board = parse_board(
        'system = "riese"\nmap = """\n+-+-+-+\n|. . .|\n+-+-+-+\n"""\n'
        '[[figure]]\nid = "hero"\nkind = "hero"\nat = "A1"\nfacing = "east"\n'
        '[[figure]]\nid = "one"\nkind = "civilian"\nat = "B1"\n[[figure]]\nid = "two"\nkind = "civilian"\nat = "C1"\n'
    )
    result = ask(board, "why not can hero walk to C1").result
    assert ["two is not there"] not in [change["says"] for change in result["changes"]], "one stands in the way"
    assert ["one is not there", "two is not there"] in [sorted(change["says"]) for change in result["changes"]]
    assert all(len(change["changes"]) == 2 for change in result["changes"])


def test_two_reasons_on_one_way_hide_neither():
    """The only way out leads through a fire that kills, beside a zombie that stops: no way is too far."""
    board = parse_board(
        'system = "riese"\nmap = """\n+-+-+\n>^ .|\n+ + +\n|. #|\n+-+-+\n"""\n'
        '[[figure]]\nid = "hero"\nkind = "hero"\nat = "B1"\nfacing = "west"\nhealth = 1\n'
        '[[figure]]\nid = "z1"\nkind = "zombie"\nat = "A2"\n'
    )
    answer = ask(board, "why not can hero run to A1 west")
    broken = {violation.rule for violation in answer.violations}
    assert "health.death" in broken
    assert "movement.points" not in broken
    assert answer.result["cores"] == [["fire.entering"], ["zoc.area", "zoc.stop"]]
    survived = ask(board, "can hero run to A1 west without fire.entering")
    assert "zoc.stop" in {violation.rule for violation in survived.violations}


def test_the_answer_is_the_plain_one_with_more_to_it():
    plain = ask(BOARDS.format("zone-gaps"), "can nicole walk forward-right").to_json()
    told = ask(BOARDS.format("zone-gaps"), "why not can nicole walk forward-right")
    data = told.to_json()
    result = dict(data["result"])
    more = {key: result.pop(key) for key in ("cores", "complete", "changes", "tried")}
    assert more["changes"]
    assert data | {"ask": plain["ask"], "result": result} == plain
    text = render(told)
    assert "What forbids it" in text
    assert "z1 is stunned" in text


def test_what_is_legal_needs_no_reasons():
    answer = ask(BOARDS.format("doors"), "why not can kelley walk forward")
    assert (answer.result["cores"], answer.result["changes"]) == ([], [])
    assert "What forbids it" not in render(answer)


def test_rules_of_the_house_forbid_too():
    question = "why not can nicole run forward with rules queries/riese/no-running.rules.lp"
    assert ask(BOARDS.format("reach-hall"), question).result["cores"] == [["house.no-running"]]


def test_rings_and_teams():
    sight = ask("queries/tannhaeuser/corridor.board.toml", "why not sight eva to tala")
    assert sight.result["cores"] == [["path.sight"]]
    assert "path.sight" in render(sight)
    # Rai is dead, and could not pay for it either.
    learn = ask("queries/riese/before-the-stalag.team.toml", "why not can rai learn Bladesman")
    assert learn.result["cores"] == [["team.killed"], ["unlocking.price"]]
    assert learn.result["changes"] == []


def test_it_is_read_and_written():
    question = parse_question("Why not attack nicole on z1 with FG-42 spread under zoc=solid?")
    assert question.why_not
    assert format_question(question) == 'why not attack nicole on z1 with "FG-42" spread under zoc=solid'
    assert replace(parse_question(format_question(question)), text=question.text) == question


def test_movement_points_of_a_board():
    text = (Path("queries/riese/reach-hall.board.toml")).read_text(encoding="utf-8")
    board = parse_board(text.replace('kind = "hero"', 'kind = "hero"\nmp = 2', 1))
    assert parse_board(format_board(board)) == board
    hero = board.figures[0].id
    for mode in ("walk", "run"):
        assert ask(board, f"can {hero} {mode} turn left").result["mp"] == 2
    assert ask(board, f"can {hero} stay turn left").result["mp"] == 0
    assert max(ask(board, f"reach {hero} running").result["squares"].values()) <= 2
