"""The command line as a script meets it: what is printed where, and the status it leaves with."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import riese_kb
from riese_kb import boardfmt, cli, commands, console
from riese_kb.boardfile import load_board
from riese_kb.errors import BoardError, Undecided
from riese_kb.tour import STOPS

from .command_line import DOORS, WALK, process
from .conftest import CHECKOUT

# As a shell takes it: a checkout may lie in a folder with a space in its name.
PYTHON = shlex.quote(sys.executable)
pytestmark = pytest.mark.usefixtures("terminal")
COMMENTED = """# The drill.
# In two lines.

system = "riese"
map = '''
+-+-+
|. .|   # not a comment, but this map is ragged without it
+-+-+
'''
"""
UNTIDY = """\ufeff# The drill.

title = "A # in a title"
system = "riese"

map = '''
+-+-+
|. .|
+-+-+
'''
[[figure]]   # who is there
at = "A1"
kind = "hero"
id = "nicole"
name = "nicole"  # with a small letter
"""


# --- ask ------------------------------------------------------------------------------------------------------------


def test_ask_prints_the_answer(run):
    done = run("ask", DOORS, WALK)
    assert (done.status, done.err) == (0, "")
    assert done.out == str(riese_kb.ask(load_board(DOORS), WALK)) + "\n"


def test_illegal_is_an_answer_too(run):
    done = run("ask", DOORS, "can nicole walk forward")
    assert done.status == 0
    assert done.out.startswith("No: ")


def test_json_is_one_document(run):
    done = run("ask", DOORS, WALK, "--json")
    assert json.loads(done.out) == riese_kb.ask(load_board(DOORS), WALK).to_json()
    assert run("ask", "--json", DOORS, WALK).out == done.out


def test_a_question_may_come_in_words(run):
    assert run("ask", DOORS, *WALK.split()).out == run("ask", DOORS, WALK).out


@pytest.mark.parametrize("words", [(), ("--json",), ("--ascii",), ("--color", "always"), ("--color=never", "--ascii")])
def test_the_short_way_and_click_agree(run, monkeypatch, words):
    short = run("ask", DOORS, WALK, *words)
    monkeypatch.setattr(cli, "_plain_ask", lambda arguments: None)
    long = run("ask", DOORS, WALK, *words)
    assert (short.status, short.out, short.err) == (long.status, long.out, long.err)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ask", DOORS, "can nicole flie"], "expected walk, run or stay"),
        (["ask", DOORS, "can nicola walk forward"], "did you mean nicole?"),
        (["ask", DOORS, "zombie nicole"], "nicole is a hero"),
        (["ask", DOORS, "zombies without zoc.stopp"], "did you mean zoc.stop?"),
        (["ask", DOORS, "zombies under zoc=sold"], "one of: geometric, solid, barrier"),
        (["ask", DOORS, "zombies with rules nothing.lp"], "nothing.lp: there is no such file"),
        (["ask", DOORS, "z1). :- not"], "expected"),
        (["ask", DOORS, ""], "the question is empty"),
        (["ask", DOORS, "can nicole walk " + "forward, " * 200_000], "characters"),
        (["ask", DOORS, "zombies\x1b[31m"], "cannot be printed"),
        (["ask", DOORS], "Missing argument 'QUESTION...'"),
        (["ask"], "Missing argument 'BOARD'"),
        (["ask", DOORS, WALK, "--jsn"], "No such option"),
        (["ask", DOORS, WALK, "--color", "red"], "'red' is not one of"),
        (["ask", "queries/riese/door.board.toml", WALK], "did you mean queries/riese/doors.board.toml?"),
        (["ask", "queries", WALK], "this is a folder"),
        (["ask", "no\0file", WALK], "cannot be read"),
        (["board", "show", "queries"], "this is a folder"),
        (["board", "show", "riese_kb/cli.py"], "this is not TOML"),
        (["board", "fmt", "nothing.toml"], "there is no such file"),
        (["board", "fmt", DOORS, "--check", "--write"], "exclude each other"),
        (["rules", "movement.diagonal-gapp"], "did you mean movement.diagonal-gap?"),
        (["readings", "zocc"], "did you mean zoc?"),
        (["batch", "nothing.jsonl"], "nothing.jsonl: there is no such file"),
        (["batch", "queries"], "queries: this is a folder"),
        (["bogus"], "No such command 'bogus'"),
    ],
    ids=lambda value: " ".join(value)[:50] if isinstance(value, list) else "",
)
def test_what_cannot_be_read_is_one_message_and_status_2(run, words, said):
    done = run(*words)
    assert done.status == 2
    assert done.out == ""
    assert said in done.err
    assert "Traceback" not in done.err


def test_binary_and_unreadable_files(run, tmp_path):
    file = tmp_path / "noise.board.toml"
    file.write_bytes(bytes(range(256)))
    assert run("ask", str(file), WALK).status == 2
    if os.name == "posix" and os.geteuid() != 0:
        file.chmod(0)
        assert "Permission denied" in run("ask", str(file), WALK).err


def test_undecided_is_status_3(run, monkeypatch):
    def undecided(*_):
        raise Undecided("too many courses", fix="ask about single zombies")

    monkeypatch.setattr("riese_kb.cli.ask_one", undecided)
    done = run("ask", DOORS, WALK)
    assert (done.status, done.err) == (3, "riese-kb: too many courses (ask about single zombies)\n")


def test_defects_are_owned_up_to(run, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("half a zombie")

    monkeypatch.setattr("riese_kb.cli.ask_one", fail)
    done = run("ask", DOORS, WALK)
    assert done.status == console.DEFECT
    assert "half a zombie" in done.err
    assert "Traceback" not in done.err


def test_ctrl_c_is_quiet(run, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("riese_kb.cli.ask_one", interrupt)
    done = run("ask", DOORS, WALK)
    assert (done.status, done.out, done.err) == (130, "", "")


def test_version_and_help(run):
    assert run("--version").out == f"riese-kb {riese_kb.__version__}\n"
    for words in (["-h"], ["--help"], *([name, "-h"] for name in commands.commands.commands)):
        done = run(*words)
        assert (done.status, done.err) == (0, "")
        assert done.out.startswith("Usage: riese-kb")
    assert "--svg FILE" in run("ask", "-h").out


# --- where it is printed --------------------------------------------------------------------------------------------


def test_a_stream_that_is_ascii_gets_ascii():
    done = process("ask", DOORS, WALK, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert b"^N" in done.stdout
    assert process("ask", DOORS, WALK, "--ascii").stdout == done.stdout


def test_json_is_utf8_whatever_the_stream_is(tmp_path):
    board = tmp_path / "b.board.toml"
    board.write_text(Path(DOORS).read_text(encoding="utf-8"), encoding="utf-8")
    done = process("ask", str(board), 'can nicole walk switch weapon to "Müller"', env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 2
    assert b"M\\xfcller" in done.stderr
    done = process("readings", "--json", env={"PYTHONIOENCODING": "latin-1"})
    json.loads(done.stdout.decode("utf-8"))


@pytest.mark.parametrize(
    ("environment", "words", "coloured"),
    [
        ({}, (), False),
        ({"FORCE_COLOR": "1"}, (), True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False),
        ({"NO_COLOR": "1"}, ("--color", "always"), True),
        ({"FORCE_COLOR": "1"}, ("--color=never",), False),
    ],
)
def test_colours_only_where_they_are_wanted(run, monkeypatch, environment, words, coloured):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\033[" in run("ask", DOORS, WALK, *words).out) is coloured


@pytest.mark.parametrize(("term", "coloured"), [("xterm", True), ("dumb", False)])
def test_colours_on_a_terminal(monkeypatch, term, coloured):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", term)
    assert console.paper().colour is coloured


def test_a_reader_that_leaves_is_no_fault():
    command = f'{PYTHON} -m riese_kb rules | true; exit "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, env={**os.environ, "PYTHONPATH": "."})
    assert done.returncode in (0, console.PIPE_CLOSED)
    assert done.stderr == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk at hand")
def test_a_full_disk_is_one_message():
    for words in (f'ask {DOORS} "{WALK}"', f'ask {DOORS} "{WALK}" --json', "rules"):
        command = ["bash", "-c", f"{PYTHON} -m riese_kb {words} > /dev/full"]
        done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "PYTHONPATH": "."})
        assert (done.returncode, done.stderr) == (2, b"riese-kb: No space left on device\n")


def test_closed_streams_do_no_harm():
    command = ["bash", "-c", f'{PYTHON} -m riese_kb ask {DOORS} "{WALK}" >&- 2>&- <&-']
    assert subprocess.run(command, check=False, env={**os.environ, "PYTHONPATH": "."}).returncode == 0


# --- board ----------------------------------------------------------------------------------------------------------


def test_show_draws_the_board(run):
    done = run("board", "show", DOORS)
    assert done.status == 0
    assert "▲N  nicole  B2" in done.out


@pytest.mark.parametrize("path", sorted((CHECKOUT / "queries/riese").glob("*.board.toml")), ids=lambda p: p.name)
def test_fmt_keeps_every_board(path, tmp_path):
    before, after, _ = boardfmt.normalised(str(path))
    copy = tmp_path / path.name
    copy.write_bytes(after)
    assert load_board(copy) == load_board(path)
    assert boardfmt.normalised(str(copy))[1] == after
    assert before.startswith(after.split(b"\n")[0])


def test_fmt_prints_by_default_and_says_what_it_drops(run, tmp_path):
    file = tmp_path / "drill.board.toml"
    file.write_text(UNTIDY, encoding="utf-8")
    done = run("board", "fmt", str(file))
    assert done.status == 0
    assert done.out.startswith('# The drill.\nsystem = "riese"\ntitle = "A # in a title"\n')
    assert 'name = "Nicole"' in done.out
    assert "comments on lines 11, 15 are not kept" in done.err
    assert file.read_text(encoding="utf-8") == UNTIDY


def test_fmt_check(run, tmp_path):
    file = tmp_path / "drill.board.toml"
    file.write_text(UNTIDY, encoding="utf-8")
    done = run("board", "fmt", str(file), "--check")
    assert (done.status, done.out) == (1, f"{file} is not normalised\n")
    assert run("board", "fmt", str(file), "--write").status == 0
    done = run("board", "fmt", str(file), "--check")
    assert (done.status, done.out, done.err) == (0, "", "")


def test_fmt_write_keeps_links_and_permissions(run, tmp_path):
    file = tmp_path / "real" / "drill.board.toml"
    file.parent.mkdir()
    file.write_text(UNTIDY, encoding="utf-8")
    file.chmod(0o640)
    link = tmp_path / "drill.board.toml"
    link.symlink_to(file)
    assert run("board", "fmt", str(link), "--write").out == ""
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert file.read_text(encoding="utf-8").startswith('# The drill.\nsystem = "riese"')
    assert os.listdir(file.parent) == ["drill.board.toml"]


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_fmt_write_never_loses_the_file(run, tmp_path, monkeypatch, step):
    file = tmp_path / "drill.board.toml"
    file.write_text(UNTIDY, encoding="utf-8")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, full)
    done = run("board", "fmt", str(file), "--write")
    assert done.status == 2
    assert "No space left on device" in done.err
    assert file.read_text(encoding="utf-8") == UNTIDY
    assert os.listdir(tmp_path) == ["drill.board.toml"]


def test_fmt_refuses_what_is_no_board(run, tmp_path):
    file = tmp_path / "drill.board.toml"
    file.write_text(COMMENTED, encoding="utf-8")
    done = run("board", "fmt", str(file), "--write")
    assert done.status == 2
    assert f"{file}:" in done.err
    assert file.read_text(encoding="utf-8") == COMMENTED
    with pytest.raises(BoardError):
        boardfmt.normalised(str(file))


# --- rules, readings, tour ------------------------------------------------------------------------------------------


def test_rules_lists_chapters(run):
    done = run("rules")
    assert done.status == 0
    assert "\nmovement\n" in done.out
    assert "movement.diagonal-gap" in done.out
    only = run("rules", "fire").out
    assert "fire.entering" in only
    assert "movement" not in only.splitlines()[0]
    assert json.loads(run("rules", "fire", "--json").out)["rules"][0]["id"] == "fire.entering"


def test_a_rule_is_explained(run):
    done = run("rules", "zombie.hindering")
    for said in ("ZOMBIE MOVEMENT, 4th rule", "overridden by  power.leap", "without zombie.hindering"):
        assert said in done.out
    data = json.loads(run("rules", "zoc.area", "--json").out)
    assert data["readings"][0] == "zoc"
    assert data["cite"].startswith("ZOMBIE ZONE OF CONTROL")


def test_the_boards_of_a_rule_can_be_pasted(run):
    data = json.loads(run("rules", "door.closed", "--json").out)
    assert data["breaks"]
    for case in data["breaks"]:
        answer = json.loads(run("ask", case["board"], case["ask"], "--json").out)
        assert "door.closed" in {violation["rule"] for violation in answer["violations"]}
    assert f'riese-kb ask {data["breaks"][0]["board"]} "' in run("rules", "door.closed").out


def test_readings(run):
    assert "Does a zone of control reach through walls" in run("readings").out
    assert "under zoc=solid" in run("readings", "zoc").out
    assert json.loads(run("readings", "zoc", "--json").out)["default"] == "geometric"


def test_the_tour_asks_real_questions(run):
    done = run("tour")
    assert (done.status, done.err) == (0, "")
    for stop in STOPS:
        assert f'"{stop.ask}"' in done.out
    assert 6 <= len(STOPS) <= 8


# --- imports --------------------------------------------------------------------------------------------------------


def imported(*words: str) -> set[str]:
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run([sys.executable, "-X", "importtime", *words], capture_output=True, check=True, env=environment)
    return {line.rsplit("|", 1)[1].strip() for line in done.stderr.decode().splitlines() if line.count("|") == 2}


def test_ask_loads_no_more_than_it_needs():
    heavy = {"click", "rich", "networkx", "z3", "numpy", "importlib.metadata", "asyncio", "lark", "riese_kb.commands"}
    assert not heavy & imported("-m", "riese_kb", "ask", DOORS, WALK)


def test_importing_the_package_loads_nothing():
    assert {name for name in imported("-c", "import riese_kb") if name.startswith("riese_kb.")} == set()


def test_the_public_names():
    code = "import riese_kb.asking; import riese_kb; print(*(callable(getattr(riese_kb, n)) for n in ('ask', 'load_board')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=CHECKOUT)
    assert done.stdout.split() == [b"True", b"True"]
    assert set(riese_kb.__all__) <= set(dir(riese_kb))
    for name in riese_kb.__all__:
        assert getattr(riese_kb, name) is not None
    with pytest.raises(AttributeError):
        _ = riese_kb.nothing
    assert (CHECKOUT / "riese_kb/py.typed").is_file()
