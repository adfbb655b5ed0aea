"""Worked examples: small, right, about the rule that was asked for, and the same when they are read back."""

from __future__ import annotations

import json
import os
import re

import pytest
from msgspec.structs import replace

from riese_kb import ask
from riese_kb.board import Board, Figure, Kind, System, Terrain
from riese_kb.catalogue import find_rule
from riese_kb.cli import main
from riese_kb.examples import booklet, make, page
from riese_kb.examples.check import check
from riese_kb.examples.cover import Cover, cover
from riese_kb.examples.otherwise import otherwise
from riese_kb.examples.places import turned
from riese_kb.examples.prose import phrases, told
from riese_kb.examples.smaller import retold, usual
from riese_kb.examples.synthesis import synthesise
from riese_kb.examples.wish import Role, judge
from riese_kb.language import parse_question, resolve
from riese_kb.question import Attack
from riese_kb.teamfile import format_sheet, parse_sheet
from tests.example_proof import faults, wishes
from tests.reference.test_reference import ask as reference

from .conftest import CHECKOUT

SAMPLE = [
    ("movement.diagonal-gap", 0),
    ("movement.hindering", 1),
    ("lof.figure", 2),
    ("attack.running", 3),
    ("zombie.option-adjacent", 4),
    ("door.closed", 5),
]


@pytest.fixture(scope="module")
def examples():
    found = {}
    for rule, seed in SAMPLE:
        found[rule] = make.example(System.RIESE, [rule], seed)
    return found


@pytest.mark.parametrize("rule", [rule for rule, _ in SAMPLE])
def test_the_rule_decides_and_the_board_read_again_gives_the_same_answer(examples, rule):
    made = examples[rule]
    again = parse_sheet(format_sheet(made.sheet), "again.board.toml")
    answer = ask(again, made.answer.ask)
    assert (answer.verdict, answer.result) == (made.answer.verdict, made.answer.result)
    reasons = {line.rule for line in answer.ledger} | {v.rule for v in answer.violations}
    assert rule in reasons
    assert not made.besides


@pytest.mark.parametrize("rule", [rule for rule, _ in SAMPLE])
def test_no_figure_ground_or_edge_can_be_taken_away(examples, rule):
    """The removal test written a second time, plainly: without each thing the reasons or the answer are others."""
    made = examples[rule]
    board = made.sheet
    assert isinstance(board, Board)
    without = [replace(board, figures=tuple(f for f in board.figures if f is not figure)) for figure in board.figures]
    without += [
        replace(board, terrain={**board.terrain, square: Terrain.CLEAR})
        for square, kind in board.terrain.items()
        if kind is not Terrain.CLEAR
    ]
    inside = [edge for edge in board.edges if {*edge} <= {*board.terrain}]
    without += [replace(board, edges={e: kind for e, kind in board.edges.items() if e != edge}) for edge in inside]
    for smaller in without:
        case = usual((smaller, parse_question(made.answer.ask)))
        if case is None:
            continue  # the question names what has gone
        answer = ask(*case)
        before = (made.answer.verdict, made.answer.result, made.answer.ledger, made.answer.violations, made.answer.readings)
        assert (answer.verdict, answer.result, answer.ledger, answer.violations, answer.readings) != before, format_sheet(case[0])


def test_a_wall_that_no_longer_matters_would_be_noticed():
    """An example with a wall too many fails the removal test."""
    made = make.example(System.RIESE, ["movement.diagonal-gap"], 0)
    board = made.sheet
    assert isinstance(board, Board)
    beyond = {(board.width + 1, y): Terrain.OBSTRUCTIVE for y in range(1, board.height + 1)}
    wider = replace(board, width=board.width + 1, terrain={**board.terrain, **beyond})
    (one,) = judge([(wider, resolve(parse_question(made.answer.ask), wider))], ["movement.diagonal-gap"])
    assert one is not None
    again = make.worked_out(one, ["movement.diagonal-gap"], float("inf"))
    assert isinstance(again.sheet, Board)
    assert again.sheet.width <= board.width


@pytest.mark.parametrize("rule", ["movement.diagonal-gap", "attack.running"])
def test_the_markdown_form_is_read_back_and_a_changed_number_is_found(examples, rule, tmp_path):
    file = tmp_path / "example.md"
    text = page.markdown(examples[rule])
    file.write_text(text, encoding="utf-8")
    assert check(str(file))[1] == []
    step = re.search(r"^\| 1\. .*?(\d+)", text, re.M)
    assert step is not None
    file.write_text(text[: step.start(1)] + "99" + text[step.end(1) :], encoding="utf-8")
    assert any("99" in line for line in check(str(file))[1])
    file.write_text(text.replace('verdict = "', 'verdict = "not ', 1), encoding="utf-8")
    assert any("verdict" in line for line in check(str(file))[1])


@pytest.mark.parametrize("rule", [rule for rule, _ in SAMPLE])
def test_the_text_reads_well_and_its_numbers_are_the_answers(examples, rule):
    words = told(examples[rule].answer)
    whole = " ".join([words.situation, words.question, words.verdict, *(step.text for step in words.steps)])
    assert not re.search(r"\b1 (\w+ )?(squares|wounds|moves|dice|figures)\b|MP MP|[{}]|None|\bA [AEIOU]", whole), whole
    given = set(re.findall(r"\d+", json.dumps(examples[rule].answer.to_json())))
    for step in words.steps:
        counted = re.sub(r"\b[A-Z]+\d+\b|\b[a-z]\d+\b|S/W|\w+-\d+", " ", step.text)
        derived = re.fullmatch(r"(?:Together )?.*; (\d+) left\.", step.text)
        for number in re.findall(r"\d+", counted):
            assert number in given or (derived and number == derived[1]), step


def test_the_plain_reference_agrees(examples):
    """The reference knows no armoury, so that attacks with printed weapons are not asked there."""
    compared = 0
    for made in examples.values():
        question = resolve(parse_question(made.answer.ask), made.sheet)
        if isinstance(question.about, Attack):
            continue
        theirs = reference(made.sheet, question, {})
        result = theirs.get("result", theirs)
        assert theirs.get("verdict", made.answer.verdict) == made.answer.verdict
        for key in ("mp", "spent", "wounds", "end", "targets", "moves", "attacks", "stays", "squares", "modifier", "needed"):
            if key in made.answer.result and key in result:
                assert result[key] == made.answer.result[key], (made.answer.ask, key)
        compared += 1
    assert compared > 2


def test_equal_seeds_give_equal_bytes(capsys):
    def run() -> str:
        with pytest.raises(SystemExit) as left:
            main(["example", "movement.diagonal-gap", "--seed", "7", "--pair", "--format", "html"])
        assert left.value.code == 0
        return capsys.readouterr().out

    assert run() == run()


def test_the_near_miss_is_another_answer(examples):
    made = examples["movement.diagonal-gap"]
    assert (made.answer.verdict, made.near[0].answer.verdict) == ("illegal", "legal")
    assert made.near[0].rules == ("movement.diagonal-gap",)


def test_the_picture_points_at_the_squares_of_the_answer(examples):
    made = examples["lof.figure"]
    result = made.answer.result
    drawn = re.findall(r'data-line="([^"]+)"', made.answer.svg())
    assert drawn
    if "squares" in result:
        assert drawn == result["squares"]


def test_unknown_topics_name_the_nearest(capsys):
    with pytest.raises(SystemExit) as left:
        main(["example", "movement.diagonal-gapp"])
    assert left.value.code == 2
    assert "movement.diagonal-gap?" in capsys.readouterr().err


def test_words_of_a_manual_mean_one_of_several_rules():
    seen = {tuple(make.named(System.RIESE, ["attack", "lof-modifier", "ranged", "running"], seed)) for seed in range(12)}
    assert {first for first, *_ in seen} == {"lof.figure", "lof.hindering"}
    assert {tuple(rest) for _, *rest in seen} == {("attack.range", "attack.running")}
    every = [id for ids in phrases(System.RIESE)["topic"].values() for id in ids]
    assert not [id for id in every if find_rule(System.RIESE, id) is None]


def test_four_quarter_turns_are_none(examples):
    made = examples["door.closed"]
    board, about = made.sheet, resolve(parse_question(made.answer.ask), made.sheet).about
    assert isinstance(board, Board)
    start = (format_sheet(board), about)
    for _ in range(4):
        board, about = turned(board, about)
    assert (format_sheet(board), about) == start
    assert retold(resolve(parse_question(made.answer.ask), made.sheet)).text == made.answer.ask
    assert made.rules == {"door.closed": Role.BROKEN}


def test_a_chapter_of_the_booklet_shows_each_rule_kept_and_broken_and_is_checked(tmp_path):
    made = booklet.booklet(System.RIESE, 0, ["door"], "md", 1, lambda *_: None)
    (chapter,) = made.chapters
    shown = {item for example in chapter.examples for item in example.shows}
    assert {"broken door.closed", "kept door.closed", "broken door.locked", "kept door.locked"} <= shown
    assert len(chapter.examples) >= chapter.at_least
    file = tmp_path / "booklet.md"
    file.write_bytes(booklet.written(made))
    assert check(str(file))[1] == []
    again = booklet.booklet(System.RIESE, 0, ["door"], "md", 1, lambda *_: None)
    assert booklet.written(again) == file.read_bytes()


def test_a_cover_takes_the_fewest_and_of_those_the_lightest():
    sets = [frozenset("ab"), frozenset("bc"), frozenset("cd"), frozenset("d"), frozenset("cd")]
    assert cover(sets, [1, 1, 5, 1, 2]) == Cover((0, 4), 2)


def test_rules_that_exclude_each_other_are_named_without_the_others():
    wished = ["hero-activation.walking", "movement.turn", "hero-activation.running"]
    found = synthesise(System.RIESE, wished, (2, 2), 1, float("inf"))
    assert found.judged is None
    assert found.excluded == ("hero-activation.walking", "hero-activation.running")


def test_clingo_guesses_a_board_for_rules_that_no_shipped_one_shows_together():
    wished = ["movement.diagonal-gap", "movement.hindering"]
    found = synthesise(System.RIESE, wished, (3, 3), 2, float("inf"))
    assert found.judged is not None
    assert found.judged.teaches(wished)
    assert found.judged.reasons.broken == {"movement.diagonal-gap"}


def test_a_board_close_to_a_shipped_one_brings_rules_of_attacks_together():
    made = make.example(System.RIESE, ["attack.running", "lof.figure"], 1)
    assert {*made.rules} == {"attack.running", "lof.figure"} <= {line.rule for line in made.answer.ledger}
    assert not made.besides


def test_the_booklet_on_rings_is_in_german_and_shows_every_rule():
    made = booklet.chapter_of(System.TANNHAEUSER, "dice", 0, "md")
    assert all(item.startswith("broken ") for item in made.missing)  # dice are nobody's to break
    assert "Schwierigkeit" in made.examples[0].written


def test_a_rule_about_one_person_is_kept_by_another():
    made = booklet.chapter_of(System.RIESE, "max", 0, "md")
    assert not [item for item in made.missing if item.startswith("kept")]
    assert any("with Kelley in Max's place" in one.written for one in made.examples)


@pytest.mark.parametrize("chapter", ["fire", "difficulty", "scratch"])
def test_rules_that_settle_nothing_under_the_book_alone_are_shown_where_they_do(chapter):
    """FIRE says of diagonals what the table says, too; a replay stands under one reading; a purse may be full."""
    made = booklet.chapter_of(System.RIESE, chapter, 0, "md")
    assert not [item for item in made.missing if not item.startswith("broken ")]


def test_every_change_of_one_value_can_be_read_and_is_one(examples):
    made = examples["door.closed"]
    case = (made.sheet, resolve(parse_question(made.answer.ask), made.sheet))
    changes = [*otherwise(case)]
    assert len(changes) > 40
    written = {(format_sheet(sheet), retold(question).text) for _, (sheet, question) in changes}
    assert (format_sheet(made.sheet), made.answer.ask) not in written
    assert not [what for what, _ in changes if "@" in what]


@pytest.mark.parametrize(("rule", "seed"), wishes(16, seed=3))
def test_examples_of_any_rule_hold(rule, seed):
    """A few of those that `python -m tests.example_proof 300` makes: asked again, taken apart, compared, drawn."""
    assert [*faults(make.example(System.RIESE, [rule], seed))] == []


def test_the_proof_notices_an_element_too_many(examples):
    made = examples["door.closed"]
    board = made.sheet
    assert isinstance(board, Board)
    idle = Figure(id="idle", kind=Kind.ZOMBIE, at=(board.width + 1, 1), status=("stunned",))
    terrain = {**board.terrain, **{(board.width + 1, y): Terrain.CLEAR for y in range(1, board.height + 1)}}
    wider = replace(board, width=board.width + 1, terrain=terrain, figures=(*board.figures, idle))
    assert "idle can be taken away" in [*faults(replace(made, sheet=wider))]


PICTURES = CHECKOUT / "tests" / "drawing" / "examples"
"""Pictures of worked examples, looked at; UPDATE_DOCS=1 draws them anew."""
DRAWN = [
    ("movement.diagonal-gap", 0), ("movement.hindering", 1), ("movement.turn", 2), ("door.closed", 5),
    ("fire.entering", 3), ("zoc.stop", 2), ("lof.figure", 2), ("lof.obstructive", 4),
    ("lof.hindering", 1), ("attack.running", 3), ("attack.arc", 6), ("zombie.option-adjacent", 4),
    ("zombie.option-closer", 7), ("throw.number", 2), ("aoe.radius", 1), ("spread-fire.next-target", 1),
    ("npc.attack", 2), ("spawning.occupied-by-hero", 3), ("locked.break-first", 1), ("search.beside", 1),
    ("darkness.range", 2),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "seed"), DRAWN)
def test_pictures_of_examples_are_as_they_were(rule, seed):
    drawn = make.example(System.RIESE, [rule], seed).answer.svg()
    file = PICTURES / f"{rule}.svg"
    if os.environ.get("UPDATE_DOCS"):
        PICTURES.mkdir(exist_ok=True)
        file.write_text(drawn, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == drawn, "look at it; UPDATE_DOCS=1 pytest tests/test_examples.py rewrites it"


def test_a_picture_is_written_as_png(tmp_path):
    pytest.importorskip("resvg_py")
    with pytest.raises(SystemExit) as left:
        main(["example", "door.closed", "--format", "png", "--out", str(tmp_path / "door.png")])
    assert left.value.code == 0
    assert (tmp_path / "door.png").read_bytes().startswith(b"\x89PNG")


def test_points_left_open_stand_in_the_margin_with_their_witness():
    made = booklet.booklet(System.RIESE, 0, ["zoc"], "md", 1, lambda *_: None)
    text = booklet.written(made).decode()
    assert "> Does a zone of control reach through walls and closed doors? Taken: zoc=geometric" in text
    assert "legal with zoc=solid" in text


def test_a_booklet_as_pdf_has_the_same_bytes_each_time(tmp_path):
    pytest.importorskip("typst")
    made = booklet.booklet(System.RIESE, 0, ["door"], "pdf", 1, lambda *_: None)
    first = booklet.written(made)
    assert first.startswith(b"%PDF")
    assert booklet.written(booklet.booklet(System.RIESE, 0, ["door"], "pdf", 1, lambda *_: None)) == first
