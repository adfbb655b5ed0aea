"""Maps of other programs: what they carry comes back, what lies beside the grid is told, what is open is asked."""

import json
import os
from pathlib import Path

import pytest

from riese_kb.board import EdgeKind, edge_between
from riese_kb.boardfile import load_board
from riese_kb.errors import BoardError
from riese_kb.mapfiles import read_map, write_map
from tests.conftest import CHECKOUT

OBJECT = '{"type": "objectgroup", "objects": [{"x": 1, "y": 1}]}'
NOTHING = '{"orientation": "orthogonal", "width": 1, "height": 1, "tilewidth": 0, "tileheight": 1, "layers": [' + OBJECT + "]}"
BOARDS = [*(CHECKOUT / "queries/riese").glob("*.board.toml"), *(CHECKOUT / "queries/stalingrad_z").glob("*.board.toml")]


@pytest.fixture
def samples() -> Path:
    folder = Path(os.environ.get("RIESE_KB_SAMPLES") or CHECKOUT.parent / "shared" / "samples")
    if not folder.is_dir():
        pytest.skip("the sample maps are not here (RIESE_KB_SAMPLES=FOLDER names them)")
    return folder


def uvtt(lines: list[list[tuple[float, float]]], portals: list[tuple] = [], origin: tuple[int, int] = (0, 0)) -> str:  # noqa: B006
    def point(p: tuple[float, float]) -> dict[str, float]:
        return {"x": p[0] + origin[0], "y": p[1] + origin[1]}

    return json.dumps(
        {
            "resolution": {"map_size": {"x": 4, "y": 3}, "map_origin": {"x": origin[0], "y": origin[1]}, "pixels_per_grid": 70},
            "line_of_sight": [[point(p) for p in line] for line in lines],
            "portals": [{"bounds": [point(a), point(b)], "closed": closed} for a, b, closed in portals],
            "image": "AAAA",
        }
    )


def inside(board) -> dict:
    """The edges that are not on the rim."""
    last = (board.width, board.height)
    return {(a, b): kind for (a, b), kind in board.edges.items() if min(a) > 0 and b[0] <= last[0] and b[1] <= last[1]}


def test_a_map_of_tiled_carries_a_whole_board():
    for file in BOARDS:
        board = load_board(file)
        assert read_map(write_map(board, "tmj"), "x.tmj").board == board, file


def test_universal_vtt_carries_walls_and_doors():
    kept = {EdgeKind.WALL, EdgeKind.CLOSED_DOOR, EdgeKind.OPEN_DOOR}
    for file in BOARDS:
        board = load_board(file)
        back = read_map(write_map(board, "uvtt"), "x.uvtt", portals="door").board
        assert back is not None
        assert {e: k for e, k in inside(board).items() if k in kept}.items() <= inside(back).items(), file


@pytest.mark.parametrize("origin", [(0, 0), (2, 1), (-3, 7)])
def test_the_origin_is_subtracted(origin: tuple[int, int]):
    board = read_map(uvtt([[(2, 0), (2, 2)]], origin=origin), "a.dd2vtt").board
    assert board is not None
    assert inside(board) == {((2, 1), (3, 1)): EdgeKind.WALL, ((2, 2), (3, 2)): EdgeKind.WALL}


def test_walls_off_the_grid_are_listed_and_moved_only_when_asked():
    text = uvtt([[(1.1, 0), (1.1, 2)], [(0, 0), (3, 3)]])
    found = read_map(text, "a.uvtt")
    assert len(found.off_grid) == 2
    assert found.board is not None
    assert not inside(found.board)
    found = read_map(text, "a.uvtt", snap=0.2)
    assert len(found.off_grid) == 1
    assert any("moved" in note for note in found.notes)
    assert found.board is not None
    assert {*inside(found.board)} == {((1, 1), (2, 1)), ((1, 2), (2, 2))}


def test_a_wall_on_part_of_an_edge_is_listed():
    found = read_map(uvtt([[(2, 0), (2, 1.5)]]), "a.uvtt")
    assert found.off_grid == ["wall on part of B2|C2 only (50%)"]


def test_an_open_portal_is_asked_about():
    text = uvtt([[(2, 0), (2, 3)]], [((2, 1.2), (2, 1.8), False), ((2, 2), (2, 3), True)])
    asked = read_map(text, "a.df2vtt")
    assert asked.board is None
    assert asked.asked[0].choices == ("window", "door")
    middle, last = edge_between((2, 2), (3, 2)), edge_between((2, 3), (3, 3))
    for answer, kind in (("window", EdgeKind.BARRING), ("door", EdgeKind.OPEN_DOOR)):
        board = read_map(text, "a.df2vtt", portals=answer).board
        assert board is not None
        assert (board.edges[middle], board.edges[last]) == (kind, EdgeKind.CLOSED_DOOR)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.uvtt", "{}"),
        ("a.uvtt", '{"resolution": {"map_size": {"x": 1e9, "y": 2}}}'),
        ("a.uvtt", "["),
        ("a.tmj", "[]"),
        ("a.tmj", '{"orientation": "hexagonal"}'),
        ("a.tmj", '{"orientation": "orthogonal", "width": 2, "height": "x", "layers": []}'),
        (
            "a.tmj",
            f'{{"orientation": "orthogonal", "width": 1, "height": 1, "tilewidth": 0, "tileheight": 1, "layers": [{OBJECT}]}}',
        ),
        ("a.tmx", "<map>"),
        ("a.tmx", '<!DOCTYPE x [<!ENTITY a "b">]><map/>'),
        ("a.png", ""),
    ],
)
def test_what_is_no_map_is_refused(name: str, text: str):
    with pytest.raises(BoardError):
        read_map(text, name)


TMX = """<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16" infinite="0">
<tileset firstgid="1" name="t"><tile id="0"><properties><property name="terrain" value="~"/></properties></tile></tileset>
<layer name="floor"><data encoding="csv">1,2147483650</data></layer>
<objectgroup><object id="1" type="wall" x="16" y="0"><polyline points="0,0 0,16"/></object></objectgroup></map>"""


def test_tiled_xml_and_unknown_tiles():
    asked = read_map(TMX, "a.tmx")
    assert asked.asked[0].things == ("t:1 in layer floor (1x)",)
    for key in ("t:1", "2", "layer floor", "other"):
        board = read_map(TMX, "a.tmx", tiles={key: "#"}).board
        assert board is not None
        assert board.terrain[2, 1].value == "#"
        assert inside(board) == {((1, 1), (2, 1)): EdgeKind.WALL}


def test_the_sample_of_two_rooms(samples: Path):
    """Two rooms of 4 x 8 squares with a door and a window between them; the map's origin is (2, 1)."""
    text = (samples / "two_rooms.dd2vtt").read_text()
    assert read_map(text, "two_rooms.dd2vtt").asked[0].things == ("portal 2 at (5, 8)",)
    found = read_map(text, "two_rooms.dd2vtt", portals="window")
    assert found.board is not None
    assert not found.off_grid
    kinds = [*inside(found.board).values()]
    assert (kinds.count(EdgeKind.WALL), kinds.count(EdgeKind.CLOSED_DOOR), kinds.count(EdgeKind.BARRING)) == (38, 1, 1)


def test_the_sample_of_an_office(samples: Path):
    text = (samples / "conference.tmj").read_text()
    assert len(read_map(text, "conference.tmj").asked[0].things) > 10
    tiles = {"layer walls": "#", "layer floor": ".", "other": "ignore"}
    board = read_map(text, "conference.tmj", tiles=tiles).board
    assert board is not None
    assert (board.width, board.height) == (24, 14)
    assert board.terrain[1, 1].value == "#"


def test_on_the_command_line(run, tmp_path: Path):
    file = tmp_path / "a.dd2vtt"
    file.write_text(uvtt([[(2, 0), (2, 3)], [(0, 0), (1, 1)]], [((2, 1), (2, 2), False)]))
    assert run("board", "import", str(file)).status == 2
    done = run("board", "import", str(file), "--portals", "window")
    assert done.status == 1
    assert "does not follow the grid" in done.err
    board = tmp_path / "a.board.toml"
    board.write_text(done.out)
    assert run("board", "export", str(board), "--format", "tmj").status == 0
