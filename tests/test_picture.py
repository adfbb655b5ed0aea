"""Boards as pictures in text: exact where a table would notice, aligned everywhere."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riese_kb.board import Board, Figure, Kind, square_name
from riese_kb.boardfile import parse_board
from riese_kb.picture import draw

DRILL = """
system = "riese"
title = "Corridor drill"
round = 2
map = '''
+-+>+-+-+-+
|. . . . .|
+ + + +-+ +
|. ~ # .:.D
+ + + + +~+
|.d. ^ .L
+ +-+:+-+-+
|. .|
+-+-+-+-+-+
'''
[[figure]]
id = "nicole"
kind = "hero"
name = "Nicole"
at = "A3"
facing = "east"
weapon = "FG-42"
off_hand = "Torch"
declared = "walking"
health = 3
status = ["covering"]
[[figure]]
id = "z1"
kind = "zombie"
at = "B2"
status = ["stunned", "locks:nicole"]
[[figure]]
id = "guard7"
kind = "npc"
name = "SS Mann"
at = "C1"
weapon = "MP-40"
[[marker]]
kind = "objective"
at = "D3"
label = "O1"
[[marker]]
kind = "spawn"
at = "B4"
label = "Back gate"
"""

UNICODE = """\
Corridor drill · round 2

    A   B   C   D   E
  ┌─────↑─────────────┐
1 │ ·   ·  ◆G7  ·   · │
  │           ╶───╴   │
2 │ ·  z1░ ███  · ╎ · D
  │   ╷           ╷░░░╵
3 │▶N d ·  ^^^ O1 L
  │   └───┐╌╌╌╶───┴───╴
4 │ ·  (S)│
  └───────┘

▶N   nicole  A3  Nicole, facing east, walking, FG-42 and Torch, health 3, covering
z1   z1      B2  beta, stunned, locks nicole
◆G7  guard7  C1  SS Mann, MP-40

O1   objective: D3
(S)  spawn "Back gate": B4

░ hindering   █ obstructive   ^ fire   D closed door   d open door   L locked door   ↑→↓← exit
╎ no step across, but a clear view"""

ASCII = """\
Corridor drill, round 2

    A   B   C   D   E
  +-----^-------------+
1 |=1  =2  &G7  *   * |
  |           +-x-+   |
2 | 7  z1* #x#  . : . D
  |   +           +~~~+
3 |>N d .  12^ O1 L
  |   +---+:::+---+---+
4 | .  (S)|
  +-------+

>N   nicole  A3  Nicole, facing east, walking, FG-42 and Torch, health 3, covering
z1   z1      B2  beta, stunned, locks nicole
&G7  guard7  C1  SS Mann, MP-40

O1   objective: D3
(S)  spawn "Back gate": B4

=1  path: A1 -> B1
*   line: D1, E1, B2
x   blocked: C2, D1|D2

~ hindering   # obstructive   ^ fire   D closed door   d open door   L locked door   ^>v< exit
: no step across, but a clear view"""


@pytest.fixture(scope="module")
def drill() -> Board:
    # the lost corner: E3 is no part of the map
    return parse_board(DRILL)


def test_a_picture_at_the_table(drill):
    assert draw(drill) == UNICODE


def test_an_answer_in_ascii(drill):
    picture = draw(
        drill,
        {(1, 2): "7", (3, 3): "12"},
        path=[(1, 1), (2, 1)],
        line=[(4, 1), (5, 1), (2, 2)],
        blocked=[(3, 2), ((4, 2), (4, 1))],
        ascii=True,
    )
    assert picture == ASCII


def grid_of(picture: str, board: Board) -> list[str]:
    rows = picture.split("\n")
    first = next(n for n, row in enumerate(rows) if re.match(r" +A( |$)", row))
    return rows[first : first + 2 * board.height + 2]


def plain(width: int, height: int, **more) -> Board:
    rows = ["+" + "-+" * width]
    for _ in range(height):
        rows += ["|" + ". " * (width - 1) + ".|", "+" + " +" * width]
    rows[-1] = rows[0]
    board = parse_board("system = 'riese'\nmap = '''\n" + "\n".join(rows) + "\n'''\n")
    return Board(system=board.system, width=width, height=height, terrain=board.terrain, edges=board.edges, **more)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (9, 10), (27, 3), (60, 60), (200, 101)])
def test_letters_and_numbers_stand_over_their_squares(width, height):
    marks = {(c, height): square_name((c, 1))[:-1] for c in range(1, width + 1)}
    board = plain(width, height)
    rows = grid_of(draw(board, marks), board)
    bottom = rows[-2]
    side = len(str(height))
    assert bottom.startswith(f"{height:>{side}} │")
    for c in range(1, width + 1):
        start = side + 2 + 4 * (c - 1)
        name = square_name((c, 1))[:-1]
        assert rows[0][start : start + 3].strip() == name
        assert bottom[start : start + 3].strip() == name
    assert len({len(row) for row in rows[1::2]}) == 1
    if width >= 20:
        assert bottom.endswith(f"│ {height}")


def test_figures_can_be_told_apart():
    ids = [f"zombie{n}" for n in range(1, 13)] + ["zeta", "zed", "z1", "Z-2", "x" * 40, "x" * 39]
    ids += [f"{'x' * n}9" for n in range(30, 38)]
    heroes = ["nicole", "nic", "ni", "n", "Nora", "n1", "n2", "nn", "trooper1", "trooper2", "trooper10", "trooper11"]
    figures = [Figure(id=id, kind=Kind.ZOMBIE, at=(n + 1, 1)) for n, id in enumerate(ids)]
    figures += [Figure(id=id, kind=Kind.HERO, at=(n + 1, 2)) for n, id in enumerate(heroes)]
    board = plain(30, 2, figures=tuple(figures))
    rows = grid_of(draw(board), board)
    symbols = [rows[r][3 + 4 * c : 6 + 4 * c].strip() for r, count in ((2, len(ids)), (4, len(heroes))) for c in range(count)]
    assert len({symbol.casefold() for symbol in symbols}) == len(figures)
    assert "z1" in symbols
    assert "▲ni" in symbols
    assert "z12" in symbols
    assert "▲T1" in symbols


def test_a_thousand_zombies():
    figures = tuple(Figure(id=f"zombie-{n}x", kind=Kind.ZOMBIE, at=(n % 40 + 1, n // 40 + 1)) for n in range(1000))
    board = plain(40, 25, figures=figures)
    rows = grid_of(draw(board), board)
    symbols = {rows[2 * r][4 + 4 * c : 7 + 4 * c].strip() for r in range(1, 26) for c in range(40)}
    assert len(symbols) == 1000


def test_what_is_long_is_refused_and_what_is_foreign_is_spelt_out(drill):
    with pytest.raises(ValueError, match="at A1 has more than three characters"):
        draw(drill, {(1, 1): "1234"})
    board = plain(2, 2, title="Für Ilse · Groß 漢")
    assert draw(board, ascii=True).startswith("Fuer Ilse , Gross ?\n")


@given(st.sets(st.tuples(st.integers(1, 5), st.integers(1, 4))), st.lists(st.tuples(st.integers(1, 5), st.integers(1, 4))))
def test_marks_never_disturb_the_grid(marked, way):
    board = parse_board(DRILL)
    empty = grid_of(draw(board), board)
    rows = grid_of(draw(board, dict.fromkeys(marked, "99"), path=way, line=marked, blocked=marked), board)
    assert len(rows) == len(empty)
    for row, other in zip(rows, empty, strict=True):
        for c in range(6):
            assert row.ljust(23)[2 + 4 * c] == other.ljust(23)[2 + 4 * c]
    assert draw(board, dict.fromkeys(marked, "99"), path=way, ascii=True).isascii()
