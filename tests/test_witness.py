"""Searching for witnesses: small ones that can be thought out by hand, and what a search must not miss or make up."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import product
from pathlib import Path

import clingo
import pytest
from msgspec.structs import replace

from riese_kb.asking import ask
from riese_kb.board import Board, EdgeKind, System, square_name
from riese_kb.boardfile import parse_board
from riese_kb.catalogue import rules
from riese_kb.commands import run
from riese_kb.console import UNDECIDED
from riese_kb.editions import carried_over, compare, sibling
from riese_kb.errors import RieseError, RulesError
from riese_kb.jobs import How
from riese_kb.language import format_question, parse_question, resolve
from riese_kb.question import Initiative, Lof
from riese_kb.teamfile import format_sheet
from riese_kb.typeset import Paper
from riese_kb.witness import printings, seeds
from riese_kb.witness.asked import SORTS
from riese_kb.witness.effects import effect, questions
from riese_kb.witness.findings import section
from riese_kb.witness.ground import Observed, Reduced
from riese_kb.witness.guess import _Seeing
from riese_kb.witness.order import Size, inner_edges, size_of
from riese_kb.witness.replay import Told, answers, differ, difference
from riese_kb.witness.report import lines, to_json
from riese_kb.witness.search import Outcome, Result, search
from riese_kb.witness.seeds import stored as shipped
from riese_kb.witness.shrink import Case, shrink
from riese_kb.witness.sides import Pair, pair_of
from riese_kb.witness.stored import Stored, stored, wanted

from .conftest import CHECKOUT, rulebooks_folder


def found(pair: Pair, limit: tuple[int, int] = (3, 3), figures: int = 2) -> Result:
    return search(pair, SORTS, System.RIESE, limit, figures, 300)


def reading(one: str, other: str | None = None) -> Pair:
    return pair_of(System.RIESE, one, other)


# --- witnesses that can be found by thinking ------------------------------------------------------------------------------


def test_a_zone_through_a_closed_door():
    """Somebody steps beside a zombie that something parts from him, and does more: three squares in a row, and a wall or door."""
    result = found(reading("zoc=solid"))
    assert (result.outcome, result.minimal) == (Outcome.CONFLICT, True)
    assert result.found is not None
    assert result.found.size == Size(2, 1, 3)
    assert isinstance(result.found.board, Board)
    (edge,) = (result.found.board.edges[one] for one in inner_edges(result.found.board))
    assert edge in (EdgeKind.WALL, EdgeKind.CLOSED_DOOR, EdgeKind.LOCKED_DOOR)


def test_ending_in_fire():
    """One hero, one burning square beside him."""
    result = found(reading("sequence_end=open"))
    assert result.found is not None
    assert result.found.size == size_of(result.found.board) == Size(1, 1, 2)
    one, other = answers(reading("sequence_end=open"), result.found.board, result.found.question)
    assert {getattr(reply, "verdict", None) for reply in (one, other)} == {"legal", "illegal"}


def test_a_step_within_the_zone_of_the_same_zombie():
    result = found(reading("zoc_again=new"))
    assert result.found is not None
    assert result.found.size == Size(2, 0, 4)


def test_whom_the_leader_of_the_pack_speeds_up():
    """An unrevealed zombie beside a leader moves up to a barricade and, by one statement, has a move left to attack it.

    Two zombies, for a leader does not need to be led; something that a zombie goes for; four squares, since on three in a row
    there is no square beside the barricade that is not beside the zombie already or taken.
    """
    result = found(reading("leader=type"), (2, 2))
    assert (result.outcome, result.minimal) == (Outcome.CONFLICT, True)
    assert result.found is not None
    assert result.found.size == Size(2, 1, 4)
    assert isinstance(result.found.board, Board)
    assert {marker.kind for marker in result.found.board.markers} <= {"barricade", "decoy"}


def test_no_smaller_board_tells_whom_the_leader_speeds_up():
    """The same asked one by one: a leader and an unrevealed zombie, and a marker, on every map of up to three squares."""
    cases = []
    for width, height in ((1, 1), (2, 1), (3, 1), (1, 2), (1, 3)):
        squares = [(x, y) for x in range(1, width + 1) for y in range(1, height + 1)]
        for led, leader, marker in product(squares, repeat=3):
            for kind in ("barricade", "decoy") if led != leader and marker not in (led, leader) else ():
                edge = "+" + "-+" * width
                rows = f"\n+{' +' * width}\n".join(f"|{' '.join('.' * width)}|" for _ in range(height))
                board = parse_board(
                    f"system = 'riese'\nmap = '''\n{edge}\n{rows}\n{edge}\n'''\n"
                    f"[[figure]]\nid = 'z1'\nkind = 'zombie'\nat = '{square_name(led)}'\nstatus = ['unrevealed']\n"
                    f"[[figure]]\nid = 'z2'\nkind = 'zombie'\ntype = 'alpha'\nat = '{square_name(leader)}'\n"
                    f"[[marker]]\nkind = '{kind}'\nat = '{square_name(marker)}'\n"
                )
                cases.append((board, resolve(parse_question("zombie z1"), board)))
    assert len(cases) == 24
    assert differ(reading("leader=type"), cases) == [None] * len(cases)


def test_without_a_zombie_only_a_shipped_board_tells_two_zones_apart():
    """Nothing within the bound does, so that the witness needs more figures than it allows, and is proved to be nothing."""
    result = found(reading("zoc=solid"), figures=1)
    assert (result.outcome, result.minimal) == (Outcome.CONFLICT, False)
    assert result.found is not None
    assert result.found.size == Size(2, 1, 9)
    assert "3x3" in result.bound
    assert "shipped boards" in result.bound


def test_a_search_without_time_is_undecided():
    assert search(reading("zoc=solid"), SORTS, System.RIESE, (5, 5), 3, 0).outcome is Outcome.UNDECIDED


# --- stopped, in several processes, and resumed -------------------------------------------------------------------------


def _interrupted(monkeypatch: pytest.MonkeyPatch, models: int) -> None:
    """Ctrl-C once so many boards are found."""
    whole = _Seeing._models
    seen = 0

    def some(self: _Seeing, reduced: Reduced) -> Iterator[list[clingo.Symbol]]:
        nonlocal seen
        for model in whole(self, reduced):
            if seen == models:
                raise KeyboardInterrupt
            seen += 1
            yield model

    monkeypatch.setattr(_Seeing, "_models", some)


def test_ctrl_c_leaves_the_best_so_far(monkeypatch):
    _interrupted(monkeypatch, 1)
    result = found(reading("zoc=solid"))
    assert (result.outcome, result.minimal, result.stopped) == (Outcome.CONFLICT, False, True)
    assert result.found is not None
    assert differ(reading("zoc=solid"), [(result.found.board, result.found.question)])[0] is not None


def test_ctrl_c_before_anything_is_found(monkeypatch):
    _interrupted(monkeypatch, 0)
    result = found(reading("zoc=solid"))
    assert (result.outcome, result.found, result.stopped) == (Outcome.UNDECIDED, None, True)


def test_ctrl_c_while_a_shipped_board_is_made_smaller(monkeypatch):
    asked = 0

    def interrupted(pair: Pair, cases: Sequence[Case]) -> list[tuple[Told, Told] | None]:
        nonlocal asked
        asked += 1
        if asked > 30:
            raise KeyboardInterrupt
        return differ(pair, cases)

    pair = reading("aoe_modifiers=standard")
    cases = len(seeds._beginnings(pair, System.RIESE, ""))
    monkeypatch.setattr(seeds, "differ", interrupted)
    result = found(pair)
    assert cases < 30 * 32, "the interrupt comes while boards are made smaller"
    assert result.stopped
    assert result.found is not None
    assert differ(pair, [(result.found.board, result.found.question)])[0] is not None


def test_the_command_tells_the_best_so_far(monkeypatch, capsys):
    _interrupted(monkeypatch, 2)
    assert run(["witness", "zoc=geometric", "zoc=solid", "--board-limit", "3x3"]) == UNDECIDED
    told = capsys.readouterr()
    assert "not proved" in " ".join(told.out.split())
    assert "To ask it again" in told.out
    assert "--resume" in told.err


@pytest.mark.parametrize("point", ["sequence_end=open", "aoe_modifiers=standard"])
def test_two_processes_find_what_one_finds(point):
    alone, both = (search(reading(point), SORTS, System.RIESE, (2, 2), 1, 300, how=how) for how in (How(), How(jobs=2)))
    assert replace(alone, seconds=0.0, found_after=0.0) == replace(both, seconds=0.0, found_after=0.0)
    assert alone.found is not None


def test_a_search_goes_on_where_it_was_stopped(monkeypatch, tmp_path):
    kept = tmp_path / "done.jsonl"
    pair, bound, how = reading("sequence_end=open"), ((2, 2), 2), How(resume=str(kept))
    whole = found(pair, *bound)
    calls: list[_Seeing] = []

    def second_is_stopped(self: _Seeing) -> bool:
        calls.append(self)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return smallest(self)

    smallest = _Seeing.smallest
    with monkeypatch.context() as patch:
        patch.setattr(_Seeing, "smallest", second_is_stopped)
        assert search(pair, SORTS, System.RIESE, *bound, 300, how=how).stopped
    done = kept.read_text(encoding="utf-8").splitlines()
    assert len(done) == 1, "what was finished is kept"
    resumed = search(pair, SORTS, System.RIESE, *bound, 300, how=how)
    assert replace(resumed, seconds=0.0, found_after=0.0) == replace(whole, seconds=0.0, found_after=0.0)
    assert kept.read_text(encoding="utf-8").splitlines()[: len(done)] == done


# --- what may be compared ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "says"),
    [
        ("zoc=solid", "zoc=solid", "itself"),
        ("zoc=solid", "flank=split", "two readings"),
        ("zoc=solid", "zoc.stop", "not alike|none"),
        ("zoc=sold", None, "no value"),
        ("zoc.stpo", None, "zoc.stop"),
        ("zoc.stop", "zoc.stop", "itself"),
    ],
)
def test_what_cannot_be_compared_is_refused(one: str, other: str | None, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        reading(one, other)


# --- the parts ---------------------------------------------------------------------------------------------------------


def test_choices_have_names_that_the_law_does_not_use():
    """A guess under a name that a chapter derives would say something about the law."""
    given = {"square", "terrain", "edge", "at", "mode", "actor", "do", "traces", "searched"}
    given |= {"marker", "acts", "start", "made", "looks_about", "stands", "measured", "dist"}
    folder = CHECKOUT / "queries" / "witness"
    heads = {name for path in folder.glob("*.lp") for name in derived(path)} - given
    law = [*(CHECKOUT / "logic").rglob("*.lp"), *(CHECKOUT / "queries").glob("*.lp")]
    used = {name for path in law if "tannhaeuser" not in path.parts for name in re.findall(r"([a-z_]\w*)\(", bare(path))}
    assert not heads & used


def bare(path: Path) -> str:
    return re.sub(r'"[^"]*"|%[^\n]*', "", path.read_text(encoding="utf-8"))


def derived(path: Path) -> set[str]:
    statements = re.split(r"(?<!\.)\.(?!\.)\s", bare(path))
    heads = [re.match(r"\s*(?:1 )?(?:\{ )?([a-z_]\w*)\(", statement) for statement in statements]
    return {head[1] for head in heads if head is not None}


PROGRAM = """
{ a; b; c }.
p(1) :- a, not b.  p(1) :- c.
p(2) :- c.  p(2) :- not b, a.
s(1,N) :- N = 0..3, N = #sum { 1 : a; 2 : b }.
s(2,N) :- N = 0..3, N = #sum { 2 : b; 1 : a }.
x :- y.  y :- x.  y :- a.
:- not differs.
"""


def merged(more: str) -> Reduced:
    observed = Observed()
    control = clingo.Control(["--warn=none"])
    control.register_observer(observed)
    control.add("base", [], PROGRAM + more)
    control.ground([("base", [])])
    return Reduced(control, observed)


def test_what_is_the_same_needs_no_search():
    same = "differs :- p(1), not p(2). differs :- p(2), not p(1). differs :- s(1,N), not s(2,N)."
    assert not merged(same).possible


def test_what_differs_is_found():
    """Programs with loops, sums and negation keep their models."""
    for more, needed in (
        ("differs :- p(1), b.", {"b", "c"}),
        ("differs :- s(1,3), x.", {"a", "b"}),
        ("differs :- x, not y, c.", None),
    ):
        reduced = merged(more)
        models: list[set[str]] = []
        if reduced.possible:
            with reduced.control.solve(yield_=True) as handle:
                models = [{*map(str, model.symbols(atoms=True))} for model in handle]
        assert bool(models) == (needed is not None)
        assert all(needed <= model for model in models if needed)


# --- what is kept -----------------------------------------------------------------------------------------------------

KEPT = [(system, one) for system in System for one in stored(system)]


@pytest.mark.parametrize(("system", "one"), KEPT, ids=[f"{system} {one.name}" for system, one in KEPT])
def test_a_stored_witness_still_tells_its_two_sides_apart(system: System, one: Stored) -> None:
    """Asked again, not searched again; its file stands in normal form, so that it can be saved and asked as it is."""
    assert one.holds(system)
    sheet, question = one.case
    assert format_sheet(sheet) == one.board
    assert format_question(question) == one.ask


@pytest.mark.parametrize("system", System)
def test_every_value_of_every_reading_has_a_witness(system):
    """One without would be needless: whichever is chosen, no answer would be another one."""
    assert {*wanted(system)} == {(one.one, one.other) for one in stored(system)}


def test_to_ask_for_a_number_is_another_answer():
    """Where the one law answers and the other needs a number that the book does not print."""
    pair = pair_of(System.STALINGRAD_Z, "fatigue_track=asked", None)
    (kept,) = (one for one in stored(System.STALINGRAD_Z) if one.one == "fatigue_track=asked")
    one, other = answers(pair, *kept.case)
    assert not isinstance(one, str)
    assert isinstance(other, str)
    assert "fatigue" in difference(pair, one, other)
    assert kept.result.found is not None
    assert to_json(pair, kept.result)["answers"][1] == {"error": other}
    assert any("fatigue" in line for line in lines(pair, kept.result, Paper()))


@pytest.mark.parametrize("system", System)
def test_findings_tell_of_the_stored_witnesses(system):
    """`riese-kb witness --all --markdown` writes that section; what differs is worded by the answers, which others test."""
    page = (CHECKOUT / "docs" / "findings.md").read_text(encoding="utf-8")
    rows = [line for line in section(system).splitlines() if line.startswith("| `")]
    assert len(rows) == len(stored(system))
    for row in rows:
        assert row.rpartition(" | ")[0] in page, row


def test_shrinking_leaves_nothing_to_take_away():
    """Of a hall with company the two figures remain, next to each other, without a wall."""
    board = parse_board(HALL)
    question = resolve(parse_question("can hero walk forward, forward"), board)
    small, asked = shrink((board, question), stopped, time.monotonic() + 60)
    assert isinstance(small, Board)
    size = size_of(small)
    assert size is not None
    assert size[:2] == (2, 0)
    assert size.area <= 4
    assert format_question(asked) == "can hero walk forward, forward"


def stopped(case: Case) -> bool:
    return any(violation.rule == "zoc.stop" for violation in ask(*case).violations)


HALL = """
system = "riese"
map = '''
+-+-+-+-+
|. . ~ .|
+ + +D+ +
|. . . .|
+ + + + +
|. . . #|
+ + + + +
|. . . .|
+-+-+-+-+
'''
[[figure]]
id = "hero"
kind = "hero"
name = "Nicole"
at = "B4"
facing = "north"
weapon = "FG-42"
[[figure]]
id = "kelley"
kind = "hero"
at = "D4"
[[figure]]
id = "z1"
kind = "zombie"
at = "A3"
"""

# --- rules that matter ------------------------------------------------------------------------------------------------


def test_a_rule_that_no_answer_names_matters_all_the_same():
    """Zones of control themselves forbid nothing; what stops in them does."""
    cases = [n for n, (sheet, _) in enumerate(questions(System.RIESE)) if (sheet.file or "").endswith("/zone-gaps.board.toml")]
    assert effect({"system": "riese", "rule": "zoc.area", "cases": cases})["matters"] in cases


def test_what_a_rule_cannot_touch_is_idle():
    line = next(n for n, (_, question) in enumerate(questions(System.RIESE)) if isinstance(question.about, Lof))
    assert effect({"system": "riese", "rule": "zoc.area", "cases": [line]}) == {"matters": None, "account": None, "shadows": []}


def test_nobody_wins_the_initiative_by_rules_that_are_switched_off():
    asked = 0
    for sheet, question in questions(System.RIESE):
        if isinstance(question.about, Initiative):
            for id in rules(System.RIESE):
                if id.startswith("initiative."):
                    odds = ask(sheet, replace(question, without=(id,))).result["odds"]
                    assert sum(map(Fraction, odds.values())) in (0, 1), id
                    asked += 1
    assert asked > 50


# --- rule files -------------------------------------------------------------------------------------------------------

MINE = """
% @rule house.sticky-doors "Doors stick"
charge(W,"house.sticky-doors",P,S,1,"MP",none) :- do(W,S,open(_)), state(W,S,P,_), in_force(W,"house.sticky-doors").
% @rule house.hurt "Who is hurt does not run"
hurting(H) :- health(H,1), figure(H,hero).
violation(W,"house.hurt",P,0) :- actor(W,A), hurting(A), at(A,P), mode(W,running), in_force(W,"house.hurt").
"""
YOURS = """
% @rule home.rest "Walk when you are hurt"
violation(Ask,"home.rest",Here,0) :- mode(Ask,running), at(Who,Here), limping(Who), in_force(Ask,"home.rest"), actor(Ask,Who).
limping(Somebody) :- figure(Somebody,hero), health(Somebody,1).
% @rule home.hinges "Hinges"
charge(W,"home.hinges",At,N,1,"MP",none) :- state(W,N,At,_), in_force(W,"home.hinges"), do(W,N,open(_)).
"""


def files(folder: Path, mine: str, yours: str) -> Pair:
    paths = []
    for name, text in (("mine", mine), ("yours", yours)):
        path = folder / f"{name}.rules.lp"
        path.write_text(text, encoding="utf-8")
        paths.append(str(path))
    return pair_of(System.RIESE, *paths)


def test_renamed_and_reordered_rules_are_the_same(tmp_path):
    result = found(files(tmp_path, MINE, YOURS))
    assert result.outcome is Outcome.SAME
    assert "3x3 with up to 2 figures" in result.bound


def test_rules_that_differ_in_one_number_are_not(tmp_path):
    """A door that takes two points more instead of one: one hero, one door, one square and another behind it."""
    result = found(files(tmp_path, MINE, YOURS.replace('1,"MP"', '2,"MP"')))
    assert result.found is not None
    assert result.found.size == Size(1, 1, 2)
    assert result.minimal


# --- two games, two printings ---------------------------------------------------------------------------------------------


def test_two_games_differ_on_a_small_board():
    pair = pair_of(System.RIESE, "riese", "stalingrad_z")
    result = search(pair, SORTS, System.RIESE, (3, 3), 2, 120, asks="zombie ")
    assert result.outcome is Outcome.CONFLICT
    assert result.found is not None
    assert isinstance(result.found.board, Board)
    assert not compare(result.found.board, format_question(result.found.question)).same
    assert result.found.size is not None
    assert result.found.size.figures <= 2


def test_an_empty_square_is_the_smallest_there_is():
    """Even there the two games take turns otherwise."""
    result = search(pair_of(System.RIESE, "riese", "stalingrad_z"), SORTS, System.RIESE, (3, 3), 2, 120, asks="round")
    assert (result.found.size if result.found else None, result.minimal) == (Size(0, 0, 1), True)


@pytest.mark.parametrize("game", [System.RIESE, System.STALINGRAD_Z])
def test_questions_of_one_game_are_answered_or_refused_by_the_other(game):
    """What a game does not know is told in a message: no question of the one is a defect of the other."""
    asked = 0
    for sheet, question in shipped(game):
        if isinstance(sheet, Board):
            with suppress(RieseError):
                ask(carried_over(sheet, sibling(game), question)[0], question)
            asked += 1
    assert asked > 80


OLD = "MOVEMENT\n- One step.\n- A diagonal takes 2 MP.\n"


def test_a_number_that_changed_between_printings_is_named(monkeypatch, tmp_path, capsys):
    """It is no pair of laws: what the rules hold is one printing's number."""
    rule = replace(rules(System.RIESE)["movement.diagonal-gap"], cite="MOVEMENT, 2nd rule")
    monkeypatch.setattr(printings, "rules", lambda _: {rule.id: rule})
    monkeypatch.setattr(printings, "readings", lambda _: {})
    monkeypatch.setattr(printings, "matches", lambda *_: [])
    new = OLD.replace("2 MP", "3 MP")
    assert printings.reworded(System.RIESE, OLD, OLD) == []
    (told,) = printings.reworded(System.RIESE, OLD, new)
    assert (told.cite, told.rules, told.old, told.new) == (rule.cite, (rule.id,), ("2",), ("3",))
    for name, text in (("old", OLD), ("new", new)):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    assert run(["witness", str(tmp_path / "old.txt"), str(tmp_path / "new.txt")]) == UNDECIDED
    assert "2 became 3" in capsys.readouterr().out


def test_printings_that_state_one_of_two_values_each(tmp_path):
    folder = rulebooks_folder()
    if folder is None:
        pytest.skip("the printed rulebooks are not here (RIESE_KB_RULEBOOKS=FOLDER names them)")
    text = (folder / "riese_field_manual.txt").read_text(encoding="utf-8")
    both = [line for line in text.split("\n") if line.startswith("LEADER OF THE PACK: ")]
    assert len(both) == 2
    fewer = [text.replace(f"{line}\n", "") for line in both]
    assert [*printings.pairs(System.RIESE, text, text)] == []
    (pair,) = printings.pairs(System.RIESE, *fewer[::-1])
    assert {side.under for side in pair.sides} == {(("leader", "power"),), (("leader", "type"),)}
    assert pair.one.label.endswith("(old printing)")
