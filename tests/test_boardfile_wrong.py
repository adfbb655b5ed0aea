"""Every way in which a board file can be wrong: one message with file, line, fault and advice."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from riese_kb.boardfile import MAX_BYTES, load_board, parse_board
from riese_kb.errors import BoardError
from tests.drill import DRILL


def fault(text: str, file: str | None = "x.board.toml") -> BoardError:
    with pytest.raises(BoardError) as caught:
        parse_board(text, file)
    return caught.value


def with_map(*rows: str, more: str = "") -> str:
    return "system = 'riese'\nmap = '''\n" + "\n".join(rows) + "\n'''\n" + more


# What is replaced in DRILL, by what, and line, fault and advice of the one message.
WRONG = [
    ('"riese"', '"riesse"', 1, 'unknown system "riesse"', "did you mean riese?"),
    ('"riese"', '"stalingrad_z"', 4, 'unknown key "threat" on a board of Stalingrad Z', "threat belongs to Projekt Riese boards"),
    ('"riese"', '"tannhaeuser"', 1, "this board has rings and no squares", "read it with load_sheet"),
    ('"riese"', "1", 1, "system of the board is 1", "text in quotes"),
    ("system =", "sytem =", 1, 'unknown key "sytem"', "did you mean system?"),
    ('title = "Corridor drill"', 'title = "a\\u0007b"', 2, "control character U+0007", "take it out"),
    ('title = "Corridor drill"', 'title = "a\\u202eb"', 2, "control character U+202E", "take it out"),
    ("Corridor drill", "x" * 300, 2, "title of the board has 300 characters", "200 is the limit"),
    ("round = 1", "round = 0", 3, "round of the board is 0", "whole number from 1 to 99"),
    ("round = 1", "round = true", 3, "round of the board is true", "whole number from 1 to 99"),
    ("round = 1", "round = 1.0", 3, "round of the board is 1.0", "whole number from 1 to 99"),
    ("round = 1", "round = nan", 3, "round of the board is nan", "whole number from 1 to 99"),
    ("round = 1", "round = 1979-05-27", 3, "round of the board is a date", "whole number from 1 to 99"),
    ("round = 1", "ruond = 1", 3, 'unknown key "ruond"', "did you mean round?"),
    ("threat = 0", "threat = 13", 4, "threat of the board is 13", "whole number from 0 to 12"),
    ("threat = 0", "threat = -inf", 4, "threat of the board is -inf", "whole number from 0 to 12"),
    ("threat = 0", "threat = " + "9" * 40, 4, "a number of more than 12 digits", "whole number from 0 to 12"),
    ("threat = 0", "threat = " + "9" * 9000, 4, "a number is far too long", "two digits"),
    ("darkness = false", "darkness = 0", 5, "darkness of the board is 0", "true or false"),
    ("map = '''", "mapp = '''", 7, 'unknown key "mapp"', "did you mean map?"),
    ("|. . . . .|", "|. . . . . .|", 9, "ragged: this row has 13 characters", "shorten it"),
    ("+ + + +-+ +\n", "", 10, "ragged: an edge row is due here", "a row above is missing"),
    ("|. . . . .|\n", "", 9, "ragged: a row of squares is due here", "take turns"),
    ("+-+-+-+-+-+\n'''", "'''", 13, "ragged: the last row is a row of squares", "close the map"),
    ("|. ~ # . .D", "|. ~ X . .D", 11, 'unknown square character "X" at C2', "did you mean #?"),
    ("|. ~ # . .D", "|. ~ D . .D", 11, 'unknown square character "D" at C2', "a door stands on an edge"),
    ("|. ~ # . .D", "|. ~ ? . .D", 11, 'unknown square character "?" at C2', "squares are . ~ # : ^ !"),
    ("|. ~ # . .D", "|. ~ #%. .D", 11, 'unknown edge character "%" between C2 and D2', "edges are"),
    ("|. ~ # . .D", "|. ~ # . .%", 11, 'unknown edge character "%" on the rim beside E2', "edges are"),
    ("|. ~ # . .D", "|. ~ #.. .D", 11, 'unknown edge character "." between C2 and D2', "shifted by one"),
    ("|. ~ # . .D", "|. ~ #>. .D", 11, "an exit > between C2 and D2", "outer rim"),
    ("[[figure]]\nid", "[[figure]\nid", 17, "this is not TOML", "text stands in quotes"),
    ('id = "nicole"', "id = nicole", 18, "this is not TOML", "text stands in quotes"),
    ('id = "nicole"', 'id = "z1"', 34, 'two figures have the id "z1"', "each figure needs its own"),
    ('id = "nicole"', 'id = "Z1"', 34, 'two figures have the id "z1"', "ids ignore case, and Z1 is taken"),
    ('id = "nicole"', 'id = "z1). :- not"', 18, 'id of figure 1 is "z1). :- not"', "letters"),
    ('id = "nicole"', 'id = "x\\u0000"', 18, "control character U+0000", "take it out"),
    ('id = "nicole"', "", 17, "figure 1 has no id", "add id ="),
    ('kind = "hero"', "", 17, 'figure "nicole" has no kind', "add kind ="),
    ('at = "A3"', "", 17, 'figure "nicole" has no at', "add at ="),
    ('kind = "hero"', 'kind = "heroe"', 19, 'unknown kind "heroe"', "did you mean hero?"),
    ('kind = "hero"', 'kind = "soldier"', 19, 'unknown kind "soldier"', "known: civilian, hero, npc, zombie"),
    ('name = "Nicole"', 'name = "Nicola"', 20, 'unknown hero "Nicola"', "did you mean Nicole?"),
    ('at = "A3"', 'at = "E1"', 37, "nicole and z1 both stand at E1", "one figure a square"),
    ('at = "A3"', 'at = "C2"', 21, "stands at C2, which is obstructive (#)", "C1 is the nearest square"),
    ('at = "A3"', 'at = "F9"', 21, "is at F9, off the map", "the map is A1 to E3"),
    ('at = "A3"', 'at = "A0"', 21, 'at of figure "nicole" is "A0"', "squares are named like C4"),
    ('at = "A3"', "at = [1, 3]", 21, 'at of figure "nicole" is a list', "text in quotes"),
    ('facing = "north"', 'facing = "nort"', 22, 'unknown facing "nort"', "did you mean north?"),
    ('declared = "walking"', 'declared = "walk"', 23, 'unknown declared "walk"', "did you mean walking?"),
    ('weapon = "FG-42"', 'weapon = "FG-43"', 24, 'unknown weapon "FG-43"', "did you mean FG-42?"),
    ('weapon = "FG-42"', 'weapon = "Brownning"', 24, 'unknown weapon "Brownning"', "[[weapon]]"),
    ('weapon = "FG-42"', 'weapon = "gas mask"', 24, "is Gas Mask, which is no weapon", 'gear = ["Gas Mask"]'),
    ('off_hand = "Torch"', 'off_hand = "Toch"', 25, 'unknown weapon "Toch"', "did you mean Torch?"),
    ("ammo = 3", "ammo = 4", 26, 'ammo of figure "nicole" is 4', "whole number from 0 to 3"),
    ("ammo = 3", "grenades = -1", 26, 'grenades of figure "nicole" is -1', "whole number from 0 to 3"),
    ("gear = []", 'gear = ["Gas Musk"]', 27, 'unknown weapon or gear "Gas Musk"', "did you mean Gas Mask?"),
    ("gear = []", 'gear = ["grenade"]', 27, "lists Grenade, which is counted", "write grenades = 1"),
    ("gear = []", 'gear = "Torch"', 27, 'gear of figure "nicole" is "Torch"', "a list of texts"),
    ("gear = []", "gear = [1]", 27, 'gear of figure "nicole" is a list', "a list of texts"),
    ("health = 4", "health = 21", 28, 'health of figure "nicole" is 21', "whole number from 0 to 20"),
    ("health = 4", "helth = 4", 28, 'unknown key "helth"', "did you mean health?"),
    ("health = 4", "fatigue = 4", 28, 'unknown key "fatigue"', "belongs to Stalingrad Z"),
    ("health = 4", "threat = 4", 28, 'unknown key "threat"', "above the first [[figure]]"),
    ("health = 4", 'type = "beta"', 28, "is a hero and cannot have type", "zombie figures"),
    (
        "skills = []",
        'skills = ["Killing Bow"]',
        29,
        'unknown skill of Nicole "Killing Bow"',
        "did you mean Killing Blow?",
    ),
    ("skills = []", 'skills = ["Chicago Piano"]', 29, 'unknown skill of Nicole "Chicago Piano"', "known: Big Time"),
    ("skills = []", 'skills = ["Hero", "hero"]', 29, 'lists "Hero" twice', "once is enough"),
    ("used = []", 'used = ["Tactic 1"]', 30, 'unknown skill "Tactic 1"', "did you mean Tactics 1?"),
    ('["covering"]', '["coverng"]', 31, 'unknown status "coverng"', "did you mean covering?"),
    ('["covering"]', '["locked"]', 31, 'unknown status "locked"', 'status = ["locks:nicole"]'),
    ('type = "beta"', 'type = "betta"', 36, 'unknown zombie type "betta"', "did you mean beta?"),
    ('type = "beta"', 'facing = "north"', 36, "is a zombie and cannot have facing", "hero figures"),
    ('type = "beta"', "ammo = 1", 36, "is a zombie and cannot have ammo", "hero and npc figures"),
    ('type = "beta"', 'powers = ["Howll"]', 36, 'unknown power "Howll"', "did you mean Howl?"),
    ('["stunned"]', '["stuned"]', 38, 'unknown status "stuned"', "did you mean stunned?"),
    ('["stunned"]', '["locks:nicol"]', 38, 'unknown hero to lock "nicol"', "did you mean nicole?"),
    ('["stunned"]', '["locks:z1"]', 38, 'unknown hero to lock "z1"', "known: nicole"),
    ("[[weapon]]", "[weapon]", 40, "weapon of the board is a table", "[[weapon]], with two brackets"),
    ('name = "MP-40"', 'name = "Gas Mask"', 41, "Gas Mask is no weapon", "another name"),
    ('name = "MP-40"', 'name = "?"', 41, 'name of weapon 1 is "?"', "with letters"),
    ("rof = 2", "rof = 21", 42, 'rof of weapon "MP-40" is 21', "whole number from 1 to 20"),
    ("stun = 6", "stun = -6", 43, 'stun of weapon "MP-40" is -6', "whole number from 1 to 40"),
    ("wound = 9", "wund = 9", 44, 'unknown key "wund"', "did you mean wound?"),
    ("rm = 2", 'rm = "B"', 46, 'rm of weapon "MP-40" is "B"', '"A" (explosive)'),
    ("rm = 2", 'rm = 2\n[[weapon]]\nname = "mp40"', 48, 'weapon "MP-40" is given twice', "one [[weapon]]"),
    ("[[marker]]", "[[markers]]", 48, 'unknown key "markers"', "did you mean marker?"),
    ('kind = "fire"', 'kind = "fier"', 49, 'unknown kind "fier"', "did you mean fire?"),
    ('at = "C3"', 'at = "C4"', 50, "marker 1 is at C4, off the map", "the map is A1 to E3"),
    ('label = "O1"', "label = 1", 51, "label of marker 1 is 1", "text in quotes"),
]


@pytest.mark.parametrize(("old", "new", "line", "what", "fix"), WRONG, ids=[f"{n}-{w[1][:30]}" for n, w in enumerate(WRONG)])
def test_a_wrong_board_is_refused_with_place_and_advice(old, new, line, what, fix):
    assert old in DRILL
    error = fault(DRILL.replace(old, new, 1))
    assert (error.file, error.line) == ("x.board.toml", line), str(error)
    assert what in error.what
    assert error.fix is not None
    assert fix in error.fix
    assert str(error) == f"x.board.toml:{line}: {error.what} ({error.fix})"
    assert str(error).isprintable()
    assert len(str(error)) < 300


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", None, "the board is empty"),
        ("# only a comment\n", None, "the board is empty"),
        ('system = "riese"', None, "the board has no map"),
        ("map = '''\n+-+\n|.|\n+-+'''", None, "the board has no system"),
        ('system = "riese"\nmap = 3', 2, "map of the board is 3"),
        ('system = "riese"\nmap = ""', 2, "the map is empty"),
        ("system = 'riese'\nmap = '''\n\n  \n'''", 3, "the map is empty"),
        (with_map("+-+"), 3, "the map has no squares"),
        (with_map("+", "|", "+"), 3, "the map has no squares"),
        (with_map("|.|", "+-+"), 3, "does not begin with +"),
        (with_map("  +-+", "  |.|", " +-+"), 5, "begins left of"),
        ("system = 'riese'\nmap = '''+-+\n|?|\n+-+'''", 3, 'unknown square character "?"'),
        (with_map("+-+", "|\t|", "+-+"), 4, "U+0009"),
        (with_map("+" + "-+" * 201), 3, "the map has 201 x 0 squares, and 200 x 200 is the limit"),
        (with_map(*["+-+", "|.|"] * 201, "+-+"), 3, "the map has 1 x 201 squares"),
        (with_map("+-+", "| |", "+-+", more='[[figure]]\nid="a"\nkind="hero"\nat="A1"'), 10, "no part of the map"),
        (with_map("+-+", "|:|", "+-+", more='[[figure]]\nid="a"\nkind="hero"\nat="A1"'), 10, "barred to movement"),
        (with_map("+-+", "| |", "+-+", more='[[marker]]\nkind="fire"\nat="A1"'), 9, "no part of the map"),
        ("a = " + "[" * 9000, None, "nests too deep"),
        ("x" * (MAX_BYTES + 1), None, "larger than 4 MB"),
        ("system = 'riese'\x00", 1, "this is not TOML"),
        ('[[ring]]\nid = "r1"', 1, 'unknown key "ring"'),
    ],
)
def test_boards_that_are_none(text, line, what):
    error = fault(text)
    assert what in error.what
    assert error.line == line
    assert error.fix


def test_lines_are_found_past_misleading_text():
    text = (
        "system = 'riese'\ntitle = '''a'''\nmap = \"\"\"\n+-+-+\n|. .|\n+-+-+\n\"\"\"\n"
        '# [[figure]]\n[[ figure ]]\n"id" = "a"\nkind = "hero"\nat = "A1"\nname = "Nicole"  # id = 3\n'
        "[[figure]]\n id='b'\n kind='zombie'\n at = 'B7'\n"
    )
    assert fault(text).line == 17


def test_a_board_of_ten_thousand_squares_a_side_is_refused_at_once():
    began = time.perf_counter()
    error = fault(with_map("+" + "-+" * 10_000, *["|" + ". " * 10_000] * 90))
    assert "10000 x 45 squares" in error.what
    assert "larger than 4 MB" in fault(with_map(*["." * 20_000] * 300)).what
    assert time.perf_counter() - began < 2


def test_unreadable_files(tmp_path: Path):
    latin = tmp_path / "latin.board.toml"
    latin.write_bytes(b'system = "riese"\ntitle = "f\xfcr Ilse"\n')
    large = tmp_path / "large.board.toml"
    large.write_bytes(b"#" * (MAX_BYTES + 1))
    expected = {
        latin: (2, "this is not UTF-8 text: byte 0xFC", "save the file as UTF-8"),
        large: (None, "the board is larger than 4 MB", "one map a file"),
        tmp_path: (None, "this is a folder", "name a file"),
        tmp_path / "latine.board.toml": (None, "there is no such file", f"did you mean {latin}?"),
        tmp_path / "no" / "folder": (None, "there is no such file", "its folder"),
        tmp_path / ("x" * 5000): (None, "this file cannot be read", "check its name"),
    }
    for path, (line, what, fix) in expected.items():
        with pytest.raises(BoardError) as caught:
            load_board(path)
        error = caught.value
        assert (error.file, error.line) == (str(path), line)
        assert what in error.what
        assert fix in (error.fix or "")
    with pytest.raises(BoardError, match="cannot be read: embedded null byte"):
        load_board("a\0b")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BoardError, match="no ordinary file"):
        load_board(tmp_path / "pipe")
