"""The command line as a script meets it: what is printed where, and the status it leaves with."""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import riese_kb
from riese_kb import batch, boardfmt, cli, commands, console
from riese_kb.boardfile import load_board
from riese_kb.errors import BoardError, Undecided
from riese_kb.tour import STOPS

from .conftest import CHECKOUT

# As a shell takes it: a checkout may lie in a folder with a space in its name.
PYTHON = shlex.quote(sys.executable)
DOORS = "queries/riese/doors.board.toml"
WALK = "can nicole walk open door ahead, forward"
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


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    monkeypatch.chdir(CHECKOUT)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("FORCE_COLOR", "NO_COLOR", "RIESE_KB_DEBUG"):
        monkeypatch.delenv(name, raising=False)


class Run:
    """What a command printed and how it left, run in this process."""

    def __init__(self, capsysbinary, *words: str) -> None:
        with pytest.raises(SystemExit) as left:
            cli.main(words)
        assert isinstance(left.value.code, int)
        self.status = left.value.code
        out, err = capsysbinary.readouterr()
        self.out, self.err = out.decode(), err.decode()


@pytest.fixture
def run(capsysbinary):
    return lambda *words: Run(capsysbinary, *words)


def process(*words: str, **more) -> subprocess.CompletedProcess[bytes]:
    """The same in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), **more.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-m", "riese_kb", *words],
        capture_output=True,
        check=False,
        env=environment,
        timeout=60,
        **more,
    )


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
    assert "--svg" not in run("ask", "-h").out


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


# --- batch ----------------------------------------------------------------------------------------------------------


def lines(*entries: object) -> bytes:
    return b"".join((e if isinstance(e, bytes) else json.dumps(e).encode()) + b"\n" for e in entries)


def answered(data: bytes, folder: str = "") -> list[dict]:
    return [json.loads(line) for group in batch.answers(io.BytesIO(data), folder) for line in group]


def test_batch_answers_in_order_with_the_same_ids():
    asked: list[dict[str, Any]] = [
        {"id": "a", "board": DOORS, "ask": WALK},
        {"id": 7, "board": "queries/riese/hopeless.board.toml", "ask": "attack nicole on z1"},
        {"id": None, "board": DOORS, "ask": "can nicole walk forward", "note": "ignored"},
        {"id": {"x": [1]}, "board": "queries/riese/zombie-queue.board.toml", "ask": "zombies"},
    ]
    found = answered(lines(*asked))
    assert [answer.pop("id") for answer in found] == [entry["id"] for entry in asked]
    assert found == [riese_kb.ask(load_board(e["board"]), e["ask"]).to_json() for e in asked]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "line 2: this is not JSON"),
        (b"[1]", "line 2: this is no JSON object"),
        (b'"text"', "line 2: this is no JSON object"),
        (b"NaN", "this is not JSON"),
        (b'{"id": NaN, "board": "x", "ask": "y"}', "this is not JSON"),
        (b"\xff\xfe", "line 2: this is not UTF-8 text"),
        (b"[" * 100_000, "this is not JSON"),
        (b"9" * 10_000, "this is not JSON"),
        ({"board": DOORS, "ask": WALK}, 'line 2: this has no "id"'),
        ({"id": 2}, 'line 2: this has no "board" and no "ask"'),
        ({"id": 2, "board": 3, "ask": WALK}, '"board" is no text'),
        ({"id": 2, "board": DOORS, "ask": None}, '"ask" is no text'),
        ({"id": 2, "board": "", "ask": WALK}, '"board" is empty'),
        ({"id": 2, "board": "nothing.toml", "ask": WALK}, "nothing.toml: there is no such file"),
        ({"id": 2, "board": "queries", "ask": WALK}, "this is a folder"),
        ({"id": 2, "board": "a\0b", "ask": WALK}, "cannot be read"),
        ({"id": 2, "board": DOORS, "ask": ""}, "the question is empty"),
        ({"id": 2, "board": DOORS, "ask": "can nicole fly"}, "expected"),
        ({"id": 2, "board": DOORS, "ask": "x" * 1_000_000}, "1,000,000 characters"),
        ({"id": 2, "board": DOORS, "ask": "zombies\nzombies"}, "cannot be printed"),
        ({"id": 2, "board": DOORS, "ask": "throw nicole grenade at A1"}, "later version"),
    ],
    ids=lambda value: "",
)
def test_one_bad_line_never_stops_the_rest(line, said):
    good = {"id": 1, "board": DOORS, "ask": WALK}
    first, bad, last = answered(lines(good, line, good))
    assert first["verdict"] == last["verdict"] == "legal"
    assert bad["verdict"] == "error"
    assert said in bad["error"]
    assert {"id", "ask", "ledger", "violations", "result", "instead", "readings"} <= set(bad)


def test_empty_lines_are_skipped_and_the_last_needs_no_newline():
    data = b"\xef\xbb\xbf" + lines({"id": 1, "board": DOORS, "ask": WALK}) + b"\n  \r\n\xef\xbb\xbf\n"
    data += lines({"id": 2, "board": DOORS, "ask": WALK}).rstrip(b"\n")
    assert [answer["id"] for answer in answered(data)] == [1, 2]
    assert answered(b"") == answered(b"\n") == []


def test_half_a_surrogate_pair_comes_back_as_it_went():
    data = b'{"id": "\\ud800", "board": "x", "ask": "\\udfff"}\n'
    (answer,) = answered(data)
    assert (answer["id"], answer["ask"]) == ("\ud800", "\udfff")


def test_a_line_without_end(monkeypatch):
    monkeypatch.setattr(batch, "LONGEST", 100_000)
    good = {"id": 1, "board": DOORS, "ask": WALK}
    first, bad, last = answered(lines(good, b"x" * 300_000, good))
    assert (first["verdict"], bad["verdict"], last["verdict"]) == ("legal", "error", "legal")
    assert "longer than 100,000 bytes" in bad["error"]


def test_lines_are_answered_as_they_arrive():
    sent = lines(*({"id": n, "board": DOORS, "ask": WALK} for n in range(3)))

    class Slow:
        """Gives a few bytes at a time, as a pipe does."""

        def __init__(self) -> None:
            self.parts = iter([sent[:10], sent[10:200], sent[200:]])

        def read1(self, size: int, /) -> bytes:
            return next(self.parts, b"")

    groups = [[json.loads(line)["id"] for line in group] for group in batch.answers(Slow(), "")]
    assert [id for group in groups for id in group] == [0, 1, 2]
    assert len(groups) > 1


def test_boards_are_read_once(monkeypatch):
    read = []

    def load(path):
        read.append(path)
        return load_board(path)

    monkeypatch.setattr(batch, "load_board", load)
    answered(lines(*({"id": n, "board": DOORS, "ask": WALK} for n in range(5)), *({"id": 1, "board": "no", "ask": "x"},) * 3))
    assert sorted(map(os.path.basename, read)) == ["doors.board.toml", "no"]


def test_a_defect_costs_one_answer(monkeypatch):
    def fail_together(pairs):
        raise ZeroDivisionError

    def fail_alone(board, question):
        if "forward" in question:
            raise ZeroDivisionError("half a zombie")
        return riese_kb.ask(board, question)

    monkeypatch.setattr(batch, "ask_all", fail_together)
    monkeypatch.setattr(batch, "ask", fail_alone)
    good = {"id": 1, "board": DOORS, "ask": "can nicole walk turn left"}
    found = answered(lines(good, {**good, "ask": "can nicole walk forward"}, good))
    assert [answer["verdict"] for answer in found] == ["legal", "error", "legal"]
    assert "half a zombie" in found[1]["error"]


def test_boards_count_from_the_folder_of_the_file(tmp_path, run):
    shutil.copy(DOORS, tmp_path / "doors.board.toml")
    file = tmp_path / "asked.jsonl"
    file.write_bytes(lines({"id": 1, "board": "doors.board.toml", "ask": WALK}, b"oops"))
    done = run("batch", str(file))
    assert (done.status, done.err) == (0, "")
    assert [json.loads(line)["verdict"] for line in done.out.splitlines()] == ["legal", "error"]


def test_batch_reads_standard_input():
    done = process("batch", "-", input=lines({"id": 1, "board": DOORS, "ask": WALK}))
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["verdict"] == "legal"


@pytest.mark.skipif(os.name != "posix", reason="signals are posix's")
def test_ctrl_c_ends_a_batch_with_status_130():
    command = [sys.executable, "-m", "riese_kb", "batch", "-"]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, env=environment) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(lines({"id": 1, "board": DOORS, "ask": WALK}))
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["id"] == 1  # answered while the pipe is open
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 130
        assert running.stderr.read() == b""


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
    heavy = {"click", "rich", "networkx", "z3", "numpy", "importlib.metadata", "asyncio", "riese_kb.commands"}
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
