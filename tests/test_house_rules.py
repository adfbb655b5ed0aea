"""Rule files: sensible ones change answers and are cited; whatever could do more than state rules is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import riese_kb
import riese_kb.sandbox
from riese_kb.board import Board
from riese_kb.boardfile import parse_board
from riese_kb.errors import RieseError, RulesError, Undecided
from riese_kb.house_rules import LIMIT, read_rules

BOARD = """
system = "riese"
map = '''
+-+-+-+
|. . .|
+ + + +
|. ~ .|
+ + + +
|. . .|
+-+-+-+
'''
[[figure]]
id = "nicole"
kind = "hero"
at = "A3"
facing = "north"
weapon = "Pistol"
[[figure]]
id = "z1"
kind = "zombie"
at = "A1"
[[weapon]]
name = "Pistol"
rof = 2
stun = 6
wound = 9
pbr = 4
rm = 2
h2h_stun = 8
h2h_wound = 11
one_handed = true
"""
SPRINT = """% A house rule.
% @rule house.sprint "A dash costs one more"
charge(W,"house.sprint",Q,S,1,"MP",none) :- goes(W,S,_,Q), mode(W,running), in_force(W,"house.sprint").
"""
NO_PISTOLS = """% @rule house.no-pistols "Pistols stay holstered"
forbids(W,"house.no-pistols",E) :- considers(W,E), target(W,E), in_force(W,"house.no-pistols").
"""
HALL = """% @rule house.quick "Turning is free"
off(W,"movement.turn") :- world(W), in_force(W,"house.quick").
"""


@pytest.fixture
def board() -> Board:
    return parse_board(BOARD)


def write(folder: Path, text: str | bytes, name: str = "house.lp") -> str:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def ask(board: Board, question: str, file: str, more: str = "") -> riese_kb.Answer:
    return riese_kb.ask(board, f'{question} with rules "{file}"{more}')


# --- what they are for ------------------------------------------------------------------------------------------------


def test_a_rule_file_changes_an_answer_and_is_cited(board, tmp_path):
    file = write(tmp_path, SPRINT)
    assert riese_kb.ask(board, "can nicole run right").verdict == "illegal"
    plain = riese_kb.ask(board, "can nicole run turn right, forward")
    house = ask(board, "can nicole run turn right, forward", file)
    assert house.result["spent"] == plain.result["spent"] + 1
    (line,) = [line for line in house.ledger if line.rule == "house.sprint"]
    assert (line.amount, line.unit, line.at) == (1, "MP", "B3")
    assert "house.lp" in line.cite or "rule file" in line.cite


def test_a_violation_names_the_house_rule(board, tmp_path):
    file = write(tmp_path, NO_PISTOLS)
    assert riese_kb.ask(board, "attack nicole on z1").verdict == "legal"
    house = ask(board, "attack nicole on z1", file)
    assert house.verdict == "illegal"
    assert [violation.rule for violation in house.violations] == ["house.no-pistols"]
    assert "Pistols stay holstered" in house.violations[0].says


def test_a_house_rule_can_be_switched_off(board, tmp_path):
    file = write(tmp_path, NO_PISTOLS)
    assert ask(board, "attack nicole on z1", file, " without house.no-pistols").verdict == "legal"


def test_a_rule_file_switches_a_printed_rule_off(board, tmp_path):
    file = write(tmp_path, HALL)
    question = "can nicole walk turn right, turn right, turn right, turn right, turn right"
    assert riese_kb.ask(board, question).verdict == "illegal"
    house = ask(board, question, file)
    assert (house.verdict, house.result["spent"]) == ("legal", 0)


def test_two_rule_files_at_once(board, tmp_path):
    sprint, hall = write(tmp_path, SPRINT, "a.lp"), write(tmp_path, HALL, "b.lp")
    question = "can nicole run turn right, forward"
    both = riese_kb.ask(board, f'{question} with rules "{sprint}" with rules "{hall}"')
    assert [riese_kb.ask(board, question).result["spent"], both.result["spent"]] == [3, 2]


def test_the_answer_without_the_file_stays_as_it_was(board, tmp_path):
    file = write(tmp_path, SPRINT)
    before = riese_kb.ask(board, "can nicole run forward").to_json()
    ask(board, "can nicole run forward", file)
    assert riese_kb.ask(board, "can nicole run forward").to_json() == before


def test_a_batch_keeps_questions_with_and_without_a_file_apart(board, tmp_path):
    file = write(tmp_path, NO_PISTOLS)
    asked = [(board, "attack nicole on z1"), (board, f'attack nicole on z1 with rules "{file}"')] * 3
    answers = list(riese_kb.ask_all(asked))
    assert [answer.verdict for answer in answers if isinstance(answer, riese_kb.Answer)] == ["legal", "illegal"] * 3


def test_a_relative_path_counts_from_the_folder_of_the_board(tmp_path):
    write(tmp_path, NO_PISTOLS)
    path = tmp_path / "hall.board.toml"
    path.write_text(BOARD, encoding="utf-8")
    answer = riese_kb.ask(riese_kb.load_board(str(path)), "attack nicole on z1 with rules house.lp")
    assert answer.verdict == "illegal"


def test_an_empty_file_and_one_of_comments_change_nothing(board, tmp_path):
    for text in ("", "% nothing here\n%* nor here *%\n"):
        file = write(tmp_path, text)
        assert ask(board, "can nicole walk forward", file).result == riese_kb.ask(board, "can nicole walk forward").result


# --- what they must not do ------------------------------------------------------------------------------------------------

REFUSED = {
    "script": ("#script (python)\nraise SystemExit('run')\n#end.", "#script"),
    "lua": ("#script (lua) os.exit(3) #end.", "#script"),
    "external": ('#external in_force(W,"movement.points") : world(W).', "#external"),
    "function": ("a(@f(1)).", "@"),
    "function in a body": ("a(X) :- world(W), X = @f(W).", "@"),
    "constraint": (":- world(W).", "constraint"),
    "constraint by name": ("#false :- world(W).", "constraint"),
    "weak constraint": (":~ a(X). [X]", "optimisation"),
    "minimize": ("#minimize { 1 : a(1) }.", "optimisation"),
    "maximize": ("#maximize { 1 : a(1) }.", "optimisation"),
    "choice": ("{ a(W) } :- world(W).", "choice"),
    "bounded choice": ("1 { a(W); b(W) } 1 :- world(W).", "choice"),
    "disjunction": ("a(W); b(W) :- world(W).", "disjunction"),
    "show": ("#show a/1.", "#show"),
    "show nothing": ("#show.", "#show"),
    "show a term": ("#show X : a(X).", "#show"),
    "const": ("#const n = 3.", "#const"),
    "program": ("#program step(t).", "#program"),
    "project": ("#project a/1.", "#project"),
    "heuristic": ("#heuristic a(1). [1,true]", "#heuristic"),
    "edge": ("#edge (a,b).", "#edge"),
    "theory": ("#theory t { }.", "#theory"),
}


@pytest.mark.parametrize("case", list(REFUSED))
@pytest.mark.parametrize("before", ["", "% first line\nfact(1).\n"])
def test_refused_with_file_and_line(case, before, tmp_path):
    text, word = REFUSED[case]
    file = write(tmp_path, before + text)
    with pytest.raises(RulesError) as caught:
        read_rules(file)
    message = str(caught.value)
    assert word in message
    assert "house.lp" in message
    assert caught.value.line == (3 if before else 1)


INCLUDES = {
    "plain": '#include "{file}".',
    "spaced": '  #include  "{file}" .',
    "after a fact": 'a(1). #include "{file}".',
    "after a block comment": '%* a\n b *% #include "{file}".',
    "after a comment on the same line": '%* a *% #include "{file}".',
    "after a percent sign in a string": 'a("%"). #include "{file}".',
    "on two lines": 'a(1). #include\n"{file}".',
    "library": "#include <incmode>.",
}


@pytest.mark.parametrize("case", list(INCLUDES))
def test_nothing_else_is_read(case, tmp_path):
    """The other file holds no program: parsing it would quote it in the error."""
    other = write(tmp_path, "secret words here", "other.lp")
    file = write(tmp_path, INCLUDES[case].format(file=other))
    with pytest.raises(RulesError, match=r"#include") as caught:
        read_rules(file)
    assert "other.lp" not in str(caught.value).replace(file, "")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("text", ['a("#include").', 'a("% @f(1)"). % #include "x"', "% #script (python) #end.", "%* #include *%"])
def test_words_in_strings_and_comments_are_harmless(text, tmp_path):
    assert read_rules(write(tmp_path, text)).titles == {}


@pytest.mark.parametrize(
    ("text", "line"),
    [("a(1\n", 2), ("a(1).\nb(:-.", 2), ("a(1).\n\n\nb(2) c(3).", 4), ('a("never closed).', 1), ("a(1).\nB(2).", 2)],
)
def test_syntax_errors_name_file_and_line(text, line, tmp_path):
    file = write(tmp_path, text)
    with pytest.raises(RulesError) as caught:
        read_rules(file)
    assert caught.value.line == line
    assert file in str(caught.value)


def test_a_large_file_is_not_even_read(tmp_path):
    file = write(tmp_path, "a(1).\n" * 180_000)
    with pytest.raises(RulesError, match=str(LIMIT)):
        read_rules(file)


def test_text_that_is_not_utf8(tmp_path):
    with pytest.raises(RulesError, match="UTF-8"):
        read_rules(write(tmp_path, b'a("Fl\xfcchtig").'))


def test_a_missing_file_and_a_folder(tmp_path, board):
    with pytest.raises(RulesError, match="no such file"):
        read_rules(str(tmp_path / "nowhere.lp"))
    with pytest.raises(RulesError):
        read_rules(str(tmp_path))
    with pytest.raises(RulesError, match="no such file"):
        ask(board, "can nicole walk forward", str(tmp_path / "nowhere.lp"))


def test_a_nul_byte_does_not_hide_the_rest(tmp_path):
    with pytest.raises(RulesError):
        read_rules(write(tmp_path, "a(1).\x00 this is no program"))


# --- rules that parse and still cannot be used ------------------------------------------------------------------------------

UNUSABLE = {
    "unsafe variable": "a(X) :- world(W).",
    "undefined arithmetic": "a(W,N/0) :- world(W), N = 1.",
    "no model": "a(W) :- world(W), not a(W).",
    "negated head": "not a(W) :- world(W).",
    "two models": "a(W) :- world(W), not b(W). b(W) :- world(W), not a(W).",
    "second budget": "budget(W,99) :- world(W).",
    "second type": "type(W,lasers) :- world(W).",
    "amount in words": 'charge(W,"house.x",(1,1),0,"lots","AM",none) :- world(W).',
    "no place": 'violation(W,"house.x",f(g(1)),0) :- world(W).',
    "no step": 'violation(W,"house.x",(1,1),zero) :- world(W).',
}


@pytest.mark.parametrize("case", list(UNUSABLE))
@pytest.mark.parametrize("question", ["can nicole walk forward", "attack nicole on z1", "reach nicole running", "zombie z1"])
def test_unusable_rules_end_in_an_error_of_ours(case, question, board, tmp_path):
    """Where they touch a question at all: an error that names the file, and no traceback."""
    said = outcome(board, question, write(tmp_path, UNUSABLE[case]))
    assert said is None or "house.lp" in said
    if case in ("unsafe variable", "undefined arithmetic", "no model", "negated head", "two models"):
        assert said is not None, "these touch every question"


def outcome(board: Board, question: str, file: str) -> str | None:
    """What went wrong, in words of ours, or None."""
    try:
        ask(board, question, file).to_json()
    except RieseError as error:
        return str(error)
    return None


# The line that is to blame, and a word of the message.
BLAMED = {
    "unsafe variable": ("a(X) :- world(W).", "unsafe"),
    "undefined arithmetic": ("a(W,N/0) :- world(W), N = 1.", "undefined"),
    "no model": ("a(W) :- world(W), not a(W).", "own negation"),
    "two models": ("a(W) :- world(W), not b(W). b(W) :- world(W), not a(W).", "own negation"),
    "a loop through a count": ("a(N) :- N = #count { X : b(X) }. b(X) :- a(X).", "own negation"),
    "second budget": ("budget(W,99) :- world(W).", "budget belongs to the book"),
    "second type": ("type(W,lasers) :- world(W).", "type belongs to the book"),
    "another place": ('at("nicole",(2,2)).', "at belongs to the book"),
    "no place": ('violation(W,"house.x",f(g(1)),0) :- world(W).', "argument 3 of violation"),
    "no step": ('violation(W,"house.x",(1,1),zero) :- world(W).', "argument 4 of violation"),
    "a step that comes about": ('violation(W,"house.x",(1,1),S) :- world(W), S = (far;away).', "has a step"),
    "amount in words": ('charge(W,"house.x",(1,1),0,"lots","AM",none) :- world(W).', "argument 5 of charge"),
    "a unit of its own": ('charge(W,"house.x",(1,1),1,1,"gold",none) :- world(W).', "argument 6 of charge"),
    "too few": ('violation(W,"house.x",(1,1)) :- world(W).', "has 4 arguments"),
    "a misspelt rule": ('off(W,"movement.trun") :- world(W).', "movement.turn"),
    "no world": ('off(1,"movement.turn").', "argument 1 of off"),
    "a classical negation": ("-a(W) :- world(W).", "negated"),
    "a huge number": ("a(99999999999999999999).", "too large"),
    "a control character": ("a(1).\x00 b(", "control character"),
}


@pytest.mark.parametrize("case", list(BLAMED))
@pytest.mark.parametrize("question", ["can nicole walk forward", "zombie z1"])
def test_one_clear_line_with_file_and_line(case, question, board, tmp_path):
    text, word = BLAMED[case]
    if case == "a step that comes about" and question == "zombie z1":
        pytest.skip("nothing asks for violations there")
    file = write(tmp_path, f"mine(1).\n\n{text}\n")
    said = outcome(board, question, file)
    assert said is not None
    assert said.startswith(f"{file}:3: ")
    assert word in said
    assert "\n" not in said
    assert "RulesError" not in said


def test_the_line_counts_in_the_second_file_too(board, tmp_path):
    first, second = write(tmp_path, SPRINT, "a.lp"), write(tmp_path, "mine(1).\nyours(X) :- mine(1).\n", "b.lp")
    with pytest.raises(RulesError) as fault:
        riese_kb.ask(board, f'can nicole walk forward with rules "{first}" with rules "{second}"')
    assert (fault.value.file, fault.value.line) == (second, 2)


def test_an_endless_rule_is_given_up_and_named(board, tmp_path, monkeypatch):
    monkeypatch.setattr(riese_kb.sandbox, "SECONDS", 1)
    with pytest.raises(Undecided) as fault:
        ask(board, "can nicole walk forward", write(tmp_path, "p(1).\np(X+1) :- p(X).\n"))
    assert fault.value.line == 2


def test_what_a_house_rule_switches_off_is_named(board, tmp_path):
    answer = ask(board, "can nicole walk turn right", write(tmp_path, HALL))
    (override,) = answer.overridden
    assert (override.rule, override.by, override.title) == ("movement.turn", "house.quick", "Turning is free")
    assert "Takes precedence" in str(answer)


def test_a_surcharge_counts_in_sequences_and_searches(board, tmp_path):
    text = '% @rule house.mud "Mud"\nsurcharge(W,"house.mud",(1,2),1,"MP") :- asks(W,(1,2)), in_force(W,"house.mud").\n'
    file = write(tmp_path, text)
    assert ask(board, "can nicole walk forward", file).result["spent"] == 2
    assert ask(board, "reach nicole walking", file).result["squares"]["A2"] == 2
