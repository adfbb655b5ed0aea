"""Board files: read, written, and read again. Wrong ones: ``test_boardfile_wrong``."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riese_kb import tables
from riese_kb.board import (
    Board,
    Declared,
    Edge,
    EdgeKind,
    Facing,
    Figure,
    Kind,
    Marker,
    Square,
    System,
    Terrain,
    Weapon,
)
from riese_kb.boardfile import (
    find_weapon,
    format_board,
    load_board,
    parse_board,
    weapon_names,
    weapon_values,
)
from riese_kb.errors import BoardError, QuestionError
from tests.drill import DRILL

SMALL = "system = 'riese'\nmap = '''\n+-+-+\n|. .|\n+-+-+\n'''\n"


def with_map(*rows: str, more: str = "") -> str:
    return "system = 'riese'\nmap = '''\n" + "\n".join(rows) + "\n'''\n" + more


# --- reading --------------------------------------------------------------------------------------------------------


def test_the_board_of_the_contract():
    board = parse_board(DRILL, "drill.board.toml")
    assert (board.system, board.title, board.width, board.height) == (System.RIESE, "Corridor drill", 5, 3)
    assert (board.round, board.threat, board.darkness, board.file) == (1, 0, False, "drill.board.toml")
    assert board.terrain[2, 2] is Terrain.HINDERING
    assert board.terrain[3, 2] is Terrain.OBSTRUCTIVE
    assert board.terrain[3, 3] is Terrain.FIRE
    assert len(board.terrain) == 15
    assert board.edges[(4, 1), (4, 2)] is EdgeKind.WALL
    assert board.edges[(5, 2), (6, 2)] is EdgeKind.CLOSED_DOOR
    assert ((1, 1), (1, 2)) not in board.edges
    nicole, zombie = board.figures
    assert nicole == Figure(
        id="nicole",
        kind=Kind.HERO,
        at=(1, 3),
        name="Nicole",
        facing=Facing.NORTH,
        declared=Declared.WALKING,
        weapon="FG-42",
        off_hand="Torch",
        ammo=3,
        health=4,
        status=("covering",),
    )
    assert zombie == Figure(id="z1", kind=Kind.ZOMBIE, at=(5, 1), type="beta", status=("stunned",))
    assert board.markers == (Marker(kind="fire", at=(3, 3), label="O1"),)
    assert board.weapons == (Weapon(name="MP-40", rof=2, stun=6, wound=9, pbr=4, rm=2, supplied=True),)


def test_what_is_not_said_stays_unsaid():
    figure = parse_board(SMALL + '[[figure]]\nid = "a"\nkind = "hero"\nat = "b1"\n').figures[0]
    assert figure == Figure(id="a", kind=Kind.HERO, at=(2, 1))
    board = parse_board(SMALL)
    assert (board.title, board.round, board.threat, board.darkness) == (None, 1, 0, False)


def test_usual_spellings_become_canonical_names():
    text = SMALL + (
        '[[figure]]\nid="a"\nkind="hero"\nat="A1"\nname="irish"\nweapon="thompson"\noff_hand="colt"\n'
        'gear=["gas mask","decoys","decoy","STG-44","club"]\nskills=["chicago-piano"]\nused=["Hero 2"]\n'
        '[[figure]]\nid="Z1"\nkind="zombie"\nat="B1"\ntype="Groß Karl"\npowers=["Thick Skin","FAUST"]\n'
        'status=["locks:A","unrevealed"]\n[[weapon]]\nname="mg42"\nstun=6\n[[weapon]]\nname="Club"\nh2h_stun=6\n'
    )
    board = parse_board(text)
    kelley, karl = board.figures
    assert (kelley.name, kelley.weapon, kelley.off_hand) == ("Kelley", "M1 Thompson SMG", "Colt M1911")
    assert kelley.gear == ("Gas Mask", "Decoy", "Decoy", "StG-43/44", "Club")
    assert (kelley.skills, kelley.used) == (("Chicago Piano",), ("Hero 2",))
    assert (karl.type, karl.powers) == ("gross-karl", ("thick-skin", "faust"))
    assert (karl.status, karl.locks) == (("unrevealed",), ("a",))
    assert [weapon.name for weapon in board.weapons] == ["MG-42", "Club"]


def test_npcs_and_civilians_may_be_called_anything():
    text = SMALL + (
        '[[figure]]\nid="g"\nkind="npc"\nat="A1"\nname="SS Man"\nweapon="MP-40"\ngear=["Gas Mask"]\n'
        '[[figure]]\nid="c"\nkind="civilian"\nat="B1"\nname="Thessa"\nhealth=2\n'
    )
    guard, girl = parse_board(text).figures
    assert (guard.name, guard.weapon, girl.name) == ("SS Mann", "MP-40", "Thessa")


def test_margins_blank_lines_and_stripped_rows():
    plain = parse_board(with_map("+-+-+", "|. ~", "+ +:+", "", "+-+-+"))
    assert plain.terrain == {
        (1, 1): Terrain.CLEAR,
        (2, 1): Terrain.HINDERING,
        (1, 2): Terrain.VOID,
        (2, 2): Terrain.VOID,
    }
    assert plain.edges[(2, 1), (2, 2)] is EdgeKind.BARRING
    for margin in ("  ", "\t", "\t  "):
        assert parse_board(with_map("", *(margin + r for r in ("+-+-+", "|. ~|", "+ +:+", "", "+-+-+")), "")) == plain
    assert parse_board('system="riese"\nmap="+-+-+\\n|. ~|\\n+ +:+\\n\\n+-+-+"') == plain
    assert parse_board(with_map("+-+-+", "|. ~", "+ +:+", "", "+-+-+").replace("\n", "\r\n")) == plain


def test_the_rim_is_wall_but_for_doors_and_exits():
    board = parse_board(with_map("+>+ +:+", "L.|.:. ", "+d+-+~+"))
    assert board.edges == {
        ((1, 0), (1, 1)): EdgeKind.EXIT,
        ((2, 0), (2, 1)): EdgeKind.WALL,
        ((3, 0), (3, 1)): EdgeKind.WALL,
        ((0, 1), (1, 1)): EdgeKind.LOCKED_DOOR,
        ((1, 1), (2, 1)): EdgeKind.WALL,
        ((2, 1), (3, 1)): EdgeKind.BARRING,
        ((3, 1), (4, 1)): EdgeKind.WALL,
        ((1, 1), (1, 2)): EdgeKind.OPEN_DOOR,
        ((2, 1), (2, 2)): EdgeKind.WALL,
        ((3, 1), (3, 2)): EdgeKind.WALL,
    }


LABELLED_AT_WILL = tuple(kind for kind in System.RIESE.markers if kind not in ("level", "lock"))


@pytest.mark.parametrize(("kind", "label"), [("level", "up"), ("level", ""), ("lock", "")])
def test_some_markers_need_their_label(kind: str, label: str):
    with pytest.raises(BoardError, match=r"marker .* (names no key|has no elevation)"):
        parse_board(SMALL + f'[[marker]]\nkind = "{kind}"\nat = "A1"\nlabel = "{label}"\n')


def test_every_marker_kind_is_read():
    for kind in LABELLED_AT_WILL:
        assert parse_board(SMALL + f'[[marker]]\nkind = "{kind}"\nat = "A1"\n').markers == (Marker(kind=kind, at=(1, 1)),)


def test_files_with_a_byte_order_mark(tmp_path: Path):
    path = tmp_path / "drill.board.toml"
    path.write_text(DRILL, encoding="utf-8-sig")
    assert load_board(path) == parse_board(DRILL)
    assert load_board(path).file == str(path)


def test_names_are_never_code():
    text = SMALL + '[[weapon]]\nname = "z1). :- not"\nstun = 3\n[[figure]]\nid="a"\nkind="hero"\nat="A1"\nweapon="z1). :- not"\n'
    board = parse_board(text.replace("map", 'title = "#script(python) x. #end."\nmap', 1))
    assert board.figures[0].weapon == "z1). :- not"
    assert parse_board(format_board(board)) == board


# --- weapons --------------------------------------------------------------------------------------------------------


def test_printed_values_count_until_the_board_says_otherwise():
    board = parse_board(DRILL)
    fg42 = weapon_values(board, "FG-42")
    assert (fg42.stun, fg42.h2h_stun, fg42.supplied) == (6, 8, False)
    mp40 = weapon_values(board, "MP-40")
    assert (mp40.rof, mp40.wound, mp40.supplied, mp40.h2h_known) == (2, 9, True, False)
    board = parse_board(SMALL + '[[weapon]]\nname="FG42"\nwound=8\n[[weapon]]\nname="Colt"\nh2h_stun=9\nh2h_wound=12\n')
    fg42, colt = (weapon_values(board, name) for name in ("FG-42", "Colt M1911"))
    assert (fg42.stun, fg42.wound, fg42.select_fire, fg42.supplied) == (6, 8, True, True)
    assert (colt.stun, colt.h2h_stun, colt.h2h_known) == (6, 9, True)


def test_weapons_of_the_boards_own():
    board = parse_board(SMALL + '[[weapon]]\nname="Club"\nrof=1\nrm="H"\nh2h_stun=6\nh2h_wound=9\none_handed=true\n')
    club = weapon_values(board, "Club")
    assert (club.rm, club.h2h_wound, club.one_handed, club.supplied, club.h2h_known) == ("H", 9, True, True, True)
    assert find_weapon(board, "CLUB") == "Club"
    assert find_weapon(board, "mg42") == "MG-42"
    assert find_weapon(board, "Gas Mask") is None
    assert weapon_names(board)[0] == "Club"
    with pytest.raises(QuestionError, match=r'unknown weapon "Clubb" \(did you mean Club'):
        weapon_values(board, "Clubb")


# --- there and back -------------------------------------------------------------------------------------------------

IDS = st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=30).filter(str.isprintable)
SKILLS = {name: [skill.name for skill in p.skills] for name, p in tables.characters("riese").items()}
RIM_KINDS = [EdgeKind.WALL, EdgeKind.CLOSED_DOOR, EdgeKind.OPEN_DOOR, EdgeKind.LOCKED_DOOR, EdgeKind.EXIT]
INNER_KINDS = [kind for kind in EdgeKind if kind is not EdgeKind.EXIT]
ITEMS = [name for name, item in tables.armoury("riese").items() if item.kind != "supply"]
CARDS = [name for name, item in tables.armoury("riese").items() if item.weapon]


def some(*values: object) -> st.SearchStrategy[object]:
    return st.sampled_from([None, *values])


def several(values: list[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(values), max_size=3, unique=True).map(tuple)


@st.composite
def figures(draw: st.DrawFn, id: str, at: Square, heroes: list[str]) -> Figure:
    kind = draw(st.sampled_from([kind for kind in Kind if not System.RIESE.lacks(kind)]))
    more: dict[str, object] = {"health": draw(some(0, 1, 20))}
    if kind is Kind.ZOMBIE:
        more |= {"type": draw(some(*tables.zombie_types("riese")))}
        more |= {
            "powers": draw(several(list(tables.powers("riese")))),
            "status": draw(several(["stunned", "unrevealed"])),
        }
        more |= {"locks": draw(several(heroes)) if heroes else ()}
    elif kind is Kind.CIVILIAN:
        more |= {"name": draw(st.none() | TEXTS)}
    else:
        more |= {key: draw(some(0, 1, 3)) for key in ("ammo", "grenades", "medkits")}
        more |= {"weapon": draw(some(*CARDS)), "gear": draw(st.lists(st.sampled_from(ITEMS), max_size=3).map(tuple))}
        more |= {"status": draw(several(["covering", "attacked"]))}
    if kind is Kind.HERO:
        name = draw(some(*SKILLS))
        declared = [one for one in Declared if one is not Declared.REACTION]  # a question may say it, a board may not
        more |= {"name": name, "facing": draw(some(*Facing)), "declared": draw(some(*declared))}
        more |= {"off_hand": draw(some(*CARDS)), "skills": draw(several(SKILLS[str(name)])) if name else ()}
        more |= {"used": draw(several(SKILLS["Kelley"]))}
    # mypy cannot see which fields a dict holds.
    return Figure(id=id, kind=kind, at=at, **more)  # type: ignore[arg-type]


@st.composite
def boards(draw: st.DrawFn) -> Board:
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    squares = [(c, r) for c in range(1, width + 1) for r in range(1, height + 1)]
    terrain = {square: draw(st.sampled_from(list(Terrain))) for square in squares}
    edges: dict[Edge, EdgeKind] = {}
    for c in range(width + 1):
        for r in range(1, height + 1):
            edges[(c, r), (c + 1, r)] = draw(st.sampled_from(RIM_KINDS if c in (0, width) else INNER_KINDS))
    for c in range(1, width + 1):
        for r in range(height + 1):
            edges[(c, r), (c, r + 1)] = draw(st.sampled_from(RIM_KINDS if r in (0, height) else INNER_KINDS))
    barred = (Terrain.VOID, Terrain.OBSTRUCTIVE, Terrain.BARRING)
    free = [square for square in squares if terrain[square] not in barred]
    ids = draw(st.lists(IDS, max_size=min(4, len(free)), unique_by=str.casefold))
    places = draw(st.permutations(free))
    found: list[Figure] = []
    for id, at in zip(ids, places, strict=False):
        found.append(draw(figures(id, at, [f.id for f in found if f.kind is not Kind.ZOMBIE])))
    on_map = [square for square in squares if terrain[square] is not Terrain.VOID]
    markers = st.builds(
        Marker, kind=st.sampled_from(LABELLED_AT_WILL), at=st.sampled_from(on_map or squares), label=st.none() | TEXTS
    )
    values = {key: some(1, 12, 40) for key in ("stun", "wound", "pbr", "h2h_stun", "h2h_wound")}
    flags = {key: some(True, False) for key in ("one_handed", "select_fire")}
    own = TEXTS.filter(lambda text: bool(tables.loose(text)) and tables.find_item("riese", text) is None)
    weapon = st.builds(
        Weapon,
        name=own | st.sampled_from(CARDS),
        rof=some(1, 20),
        rm=some(1, 40, "A", "H"),
        supplied=st.just(True),
        **values,
        **flags,
    )
    return Board(
        system=System.RIESE,
        width=width,
        height=height,
        terrain=terrain,
        edges={edge: kind for edge, kind in edges.items() if kind is not EdgeKind.OPEN},
        figures=tuple(found),
        weapons=tuple(draw(st.lists(weapon, max_size=2, unique_by=lambda w: tables.loose(w.name)))),
        markers=tuple(draw(st.lists(markers, max_size=3))) if on_map else (),
        title=draw(st.none() | TEXTS),
        round=draw(st.integers(1, 99)),
        threat=draw(st.integers(0, 12)),
        darkness=draw(st.booleans()),
    )


@given(boards())
def test_a_written_board_reads_back_the_same(board: Board):
    text = format_board(board)
    again = parse_board(text)
    assert again == board
    assert format_board(again) == text


def read_or_refused(text: str) -> Board | BoardError:
    try:
        return parse_board(text)
    except BoardError as refused:
        return refused


@given(st.text(alphabet="+-|.~#:^!DdL> \nx", max_size=60))
def test_any_map_is_read_or_refused(rows: str):
    board = read_or_refused(f'system = "riese"\nmap = """{rows}"""')
    if isinstance(board, BoardError):
        assert board.what
        assert board.fix
    else:
        assert parse_board(format_board(board)) == board


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str):
    for whole in (text, SMALL + text, SMALL + "[[figure]]\n" + text):
        refused = read_or_refused(whole)
        if isinstance(refused, BoardError):
            assert refused.what
            assert str(refused).isprintable()


def test_formatting_forgets_comments_and_defaults_only():
    text = format_board(parse_board(DRILL))
    assert "#" not in text.replace("~ # .", "")
    assert "round" not in text
    assert text.startswith('system = "riese"\ntitle = "Corridor drill"\n\nmap = \'\'\'\n+-+-+-+-+-+\n|. . . . .|\n')
    assert 'off_hand = "Torch"\nammo = 3\nhealth = 4\n' in text


# --- speed ---------------------------------------------------------------------------------------------------------


def test_large_boards_are_read_quickly():
    for width, height, limit in ((24, 34, 0.015), (60, 60, 0.06)):
        edge, squares = "+" + "-+" * width, "|" + ".~" * width
        rows = [edge, *([re.sub("~$", "|", squares), "+" + "~+" * width] * height)]
        text = with_map(*rows[:-1], edge)
        times = []
        for _ in range(5):
            began = time.perf_counter()
            board = parse_board(text)
            times.append(time.perf_counter() - began)
        assert (board.width, board.height) == (width, height)
        assert min(times) < limit
