"""Answers as SVG: the picture says what the answer says, and can be read by machines, screen readers and printers."""

from __future__ import annotations

import os
import re
from xml.etree import ElementTree

import pytest

from riese_kb import ask
from riese_kb.errors import RieseError
from riese_kb.svg import save
from riese_kb.teamfile import load_sheet, parse_sheet

from .command_line import DOORS, WALK, Run, process
from .conftest import CHECKOUT

ALL = """
riese/reach-hall|can nicole run to C1 east
riese/reach-hall|reach nicole running
riese/doors|can nicole walk open door ahead, forward
riese/zone-gaps|can nicole walk forward-right
riese/lof-modifiers|lof nicole to z1
riese/lof-modifiers|lof A3 to E3
riese/lof-blockers|lof A5 to C5
riese/lof-corners|lof A1 to C4
riese/blitz|npc guard
riese/alpha|zombie z1
riese/decoys|zombies
riese/charges|throw rai panzerfaust at F3
riese/charges|round
riese/blasts|blast at D3 with grenade
riese/aftermath|attack nicole on flamm
riese/hand-to-hand|targets jackson
riese/initiative|spawn
riese/searching|search O1
riese/locked-heroes|break lock nicole
riese/burning-corner|zombies
tannhaeuser/corridor|sicht karl zu tala
tannhaeuser/corridor|kann eva nach r4
tannhaeuser/corridor|reach eva
tannhaeuser/corridor|angriff karl auf tala zweikampf
tannhaeuser/corridor|duel karl against tala with condition
tannhaeuser/corridor|won
tannhaeuser/printed_movement|reach eva
"""
SHOWN = {
    "way": ("riese/reach-hall", "can nicole run to C1 east"),
    "refused": ("riese/zone-gaps", "can nicole walk forward-right"),
    "line": ("riese/lof-modifiers", "lof nicole to z1"),
    "throw": ("riese/charges", "throw rai panzerfaust at F3"),
    "zombies": ("riese/decoys", "zombies"),
    "rings": ("tannhaeuser/corridor", "reach eva"),
}
"""The pictures kept under docs/pictures, to be looked at when they change."""


def drawn(board: str, question: str):
    """The answer and the tree of its picture."""
    answer = ask(load_sheet(str(CHECKOUT / f"queries/{board}.board.toml")), question)
    return answer, ElementTree.fromstring(answer.svg())


def told(tree, *names: str) -> list:
    """The data attributes of those names, of every element that has them all."""
    keys = [f"data-{name}" for name in names]
    found = [tuple(e.get(key) for key in keys) for e in tree.iter() if all(e.get(key) is not None for key in keys)]
    return [values[0] for values in found] if len(names) == 1 else found


# --- the picture agrees with the answer -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "question"),
    [
        ("riese/lof-modifiers", "lof nicole to z1"),
        ("riese/lof-modifiers", "lof A3 to E3"),
        ("riese/lof-blockers", "lof A5 to C5"),
        ("riese/lof-corners", "lof A1 to C4"),
        ("riese/lof-corners", "lof B1 to D3"),
    ],
)
def test_a_line_of_fire(board, question):
    answer, tree = drawn(board, question)
    assert [at for _, at in told(tree, "line", "at")] == answer.result["squares"]
    assert [*dict.fromkeys(told(tree, "blocked"))] == answer.result["blocked_by"]
    assert {*answer.result["hindering"]} <= {*told(tree, "hindering")}
    assert sum(map(int, told(tree, "modifier"))) == answer.result["modifier"]


def test_a_way():
    answer, tree = drawn("riese/reach-hall", "can nicole run to C1 east")
    spent = told(tree, "mp", "steps", "at")
    assert spent == [("4", "1 2", "C1"), ("5", "3", "C1 east")]
    assert int(spent[-1][0]) == answer.result["spent"]
    assert told(tree, "path") == ["B2 C1 C1 east"]


def test_a_step_that_fails():
    answer, tree = drawn("riese/zone-gaps", "can nicole walk forward-right")
    assert {*told(tree, "blocked")} == {violation.at for violation in answer.violations}
    assert told(tree, "tried") == ["C2"]
    assert not told(tree, "mp")


def test_reach():
    answer, tree = drawn("riese/reach-hall", "reach nicole running")
    assert {at: int(mp) for mp, at in told(tree, "reach", "at")} == answer.result["squares"] | answer.result["exits"]


def test_a_throw():
    answer, tree = drawn("riese/charges", "throw rai panzerfaust at F3")
    assert {at for _, at in told(tree, "lands", "at")} == {*answer.result["lands"]}
    assert dict(told(tree, "at", "lands"))["F3"] == "58%"
    assert {*told(tree, "target")} == {id for ids in answer.result["victims"].values() for id in ids}


def test_the_moves_of_a_zombie():
    answer, tree = drawn("riese/alpha", "zombie z1")
    assert [[at for n, at in told(tree, "option", "at") if n == number] for number in "12"] == answer.result["moves"]
    assert [at for n, at in told(tree, "number", "to") if n == "1"] == answer.result["moves"][0]


def test_the_outcomes_of_a_zombie_turn():
    answer, tree = drawn("riese/decoys", "zombies")
    stood = {figure.id: at for figure, at in zip(answer.board.figures, ["A3", "B3", "D3", "G2"], strict=True)}
    ends = {pair for outcome in answer.result["outcomes"] for pair in outcome.items() if stood[pair[0]] != pair[1]}
    assert {*told(tree, "figure", "to")} == ends
    assert [n for n, _ in told(tree, "order", "at")] == ["1", "2", "1"]


def test_an_npc():
    answer, tree = drawn("riese/blitz", "npc guard")
    assert {at: int(n) for n, at in told(tree, "option", "at")} == {at: n for at, n in answer.result["ends"].items() if n}
    assert {*told(tree, "target")} == {*answer.result["attacks"]}
    assert len(told(tree, "aim")) == len(answer.result["rolls"])


def test_an_attack_and_its_targets():
    _, tree = drawn("riese/aftermath", "attack nicole on flamm")
    assert told(tree, "target") == ["flamm"]
    assert told(tree, "arc") == ["nicole", "nicole"]
    answer, tree = drawn("riese/hand-to-hand", "targets jackson")
    assert told(tree, "target") == answer.result["h2h"] == ["z4"]
    answer, tree = drawn("riese/blasts", "blast at D3 with grenade")
    assert {*told(tree, "target")} == {*answer.result["victims"]}


def test_rings():
    answer, tree = drawn("tannhaeuser/corridor", "reach eva")
    assert {at: int(mp) for mp, at in told(tree, "reach", "at")} == answer.result["rings"]
    assert {at: int(mp.strip("()")) for mp, at in told(tree, "after-duel", "at")} == answer.result["after_duel"]
    assert told(tree, "ring") == [ring.id for ring in answer.rings.rings]
    answer, tree = drawn("tannhaeuser/corridor", "sicht karl zu tala")
    assert [[colour, *rings.split()] for colour, rings in told(tree, "path", "rings")] == answer.result["paths"]
    answer, tree = drawn("tannhaeuser/corridor", "kann eva nach r4")
    assert [at for _, at in told(tree, "step", "at")] == answer.result["steps"]
    _, tree = drawn("tannhaeuser/corridor", "angriff karl auf tala zweikampf")
    assert told(tree, "target") == ["tala"]
    assert told(tree, "blocked") == ["r5"]


# --- every picture --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ALL.split("\n")[1:-1])
def test_a_picture_can_be_read_by_everybody(line):
    answer, tree = drawn(*line.split("|"))
    space = "{http://www.w3.org/2000/svg}"
    assert [child.tag for child in tree[:2]] == [f"{space}title", f"{space}desc"]
    assert tree[0].text == answer.ask
    assert (tree[1].text or "").strip()
    assert tree.get("aria-labelledby") == f"{tree[0].get('id')} {tree[1].get('id')}"
    width, height = map(float, tree.get("viewBox").split()[2:])
    for text in tree.iter(f"{space}text"):
        half = 0.31 * 12 * len(text.text) if text.get("text-anchor") == "middle" else 0
        long = 0.52 * 13 * len(text.text) if text.get("text-anchor") == "start" else 0
        x, y = float(text.get("x")), float(text.get("y"))
        if all("transform" not in parent.attrib for parent in tree.iter() if text in list(parent)):
            assert half - 4 <= x <= width - half + 4, text.text
            assert x + long <= width, text.text
            assert 0 < y < height, text.text
    classes = {name for e in tree.iter() for name in (e.get("class") or "").split()}
    styled = {*re.findall(r"\.([a-z][\w-]*)", tree[2].text)}
    shapes = {"line", "rect", "circle", "polyline", "polygon"}
    for e in tree.iter():
        if e.tag.removeprefix(space) in shapes and "fill" not in e.attrib:
            assert {*(e.get("class") or "").split()} <= styled, classes


@pytest.mark.parametrize("name", SHOWN)
def test_pictures_are_as_they_were(name):
    answer, _ = drawn(*SHOWN[name])
    file = CHECKOUT / f"docs/pictures/{name}.svg"
    if os.environ.get("UPDATE_DOCS"):
        save(answer, str(file))
    assert file.read_text(encoding="utf-8") == answer.svg(), "look at it; UPDATE_DOCS=1 pytest tests/test_svg.py rewrites it"


@pytest.mark.parametrize("name", SHOWN)
def test_pictures_can_be_rendered(name):
    resvg = pytest.importorskip("resvg_py")
    image = bytes(resvg.svg_to_bytes(svg_string=(CHECKOUT / f"docs/pictures/{name}.svg").read_text(encoding="utf-8")))
    assert image.startswith(b"\x89PNG")
    assert len(image) > 5000


def test_what_a_board_says_is_only_text():
    board = parse_sheet(
        """
system = "riese"
title = '</title><script>alert("1")</script> & more'
map = '''
+-+-+-+
|. . .|
+-+-+-+
'''
figure = [
  {id = "a", kind = "npc", name = '<b onclick="x">', at = "A1"},
  {id = "n", kind = "hero", at = "C1"},
]
marker = [{kind = "objective", at = "B1", label = "<i>"}]
""",
        "hostile.board.toml",
    )
    text = ask(board, "lof a to n").svg()
    tree = ElementTree.fromstring(text)
    assert "<script" not in text
    assert "<b " not in text
    assert {e.tag.partition("}")[2] for e in tree.iter()} <= {
        *("svg", "title", "desc", "style", "defs", "pattern"),
        *("g", "rect", "circle", "line", "polyline", "polygon", "text"),
    }
    assert any(e.text == '</title><script>alert("1")</script> & more' for e in tree.iter())


def test_the_same_answer_gives_the_same_bytes():
    words = ("ask", "queries/tannhaeuser/corridor.board.toml", "reach eva", "--svg", "-")
    runs = {process(*words, cwd=CHECKOUT, env={"PYTHONHASHSEED": seed}).stdout for seed in ("1", "2")}
    assert len(runs) == 1
    assert runs.pop().decode() == drawn("tannhaeuser/corridor", "reach eva")[0].svg()


# --- the command line -----------------------------------------------------------------------------------------------


def test_a_picture_beside_the_answer(capsysbinary, monkeypatch, tmp_path):
    monkeypatch.chdir(CHECKOUT)
    file = tmp_path / "answer.svg"
    file.write_text("older")
    run = Run(capsysbinary, "ask", DOORS, WALK, "--json", "--svg", str(file))
    assert (run.status, run.err) == (0, "")
    assert '"verdict": "legal"' in run.out
    assert file.read_text(encoding="utf-8").startswith("<svg")
    assert [*tmp_path.iterdir()] == [file]
    run = Run(capsysbinary, "ask", DOORS, WALK, "--svg=-", "--color", "never")
    assert run.out == file.read_text(encoding="utf-8")


def test_a_picture_that_cannot_be_written(capsysbinary, monkeypatch, tmp_path):
    monkeypatch.chdir(CHECKOUT)
    for place, says in ((tmp_path / "no" / "x.svg", "cannot be written"), (tmp_path, "Is a directory")):
        run = Run(capsysbinary, "ask", DOORS, WALK, "--svg", str(place))
        assert (run.status, run.out) == (2, "")
        assert says in run.err
        assert run.err.count("\n") == 1
    team = "queries/riese/hard-luck.team.toml"
    run = Run(capsysbinary, "ask", team, "between scenarios", "--svg", str(tmp_path / "x.svg"))
    assert run.status == 2
    assert "no board to draw" in run.err
    assert not [*tmp_path.iterdir()]


def test_a_file_that_could_not_be_replaced_is_as_it_was(monkeypatch, tmp_path):
    answer, _ = drawn("riese/reach-hall", "reach nicole")
    file = tmp_path / "answer.svg"
    file.write_text("older")

    def fails(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(RieseError, match="No space left"):
        save(answer, str(file))
    assert file.read_text() == "older"
    assert [*tmp_path.iterdir()] == [file]


def test_a_plain_answer_does_not_pay_for_it():
    code = "import sys\nfrom riese_kb.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print(*sorted({'xml.etree', 'riese_kb.svg', 'riese_kb.sketch', 'networkx'} & {*sys.modules}))"
    import subprocess
    import sys

    found = subprocess.run(
        [sys.executable, "-c", code, "ask", DOORS, WALK, "--json"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    assert found.stdout.rstrip().endswith("}")
