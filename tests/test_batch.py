"""`riese-kb batch`: a line in, a line out, whatever the line holds."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
from typing import Any

import pytest

import riese_kb
from riese_kb import batch
from riese_kb.boardfile import load_board

from .command_line import DOORS, WALK, process
from .conftest import CHECKOUT

pytestmark = pytest.mark.usefixtures("terminal")


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
        ({"id": 2, "board": DOORS, "ask": "won"}, "a board of rings"),
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

    monkeypatch.setattr(batch, "load_sheet", load)
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


def test_many_lines_get_the_same_answers_from_several_processes(tmp_path, run):
    asked = [{"id": n, "board": f"{number}.board.toml", "ask": WALK} for n in range(150) for number in (n % 3,)]
    for number in (0, 1):
        shutil.copy(DOORS, tmp_path / f"{number}.board.toml")
    file = tmp_path / "asked.jsonl"
    file.write_bytes(lines(*asked[:70], b"oops", *asked[70:]))
    alone, several = run("batch", str(file), "--jobs", "1"), run("batch", str(file), "--jobs", "2")
    assert (several.status, several.err) == (0, "")
    assert several.out == alone.out
    found = [json.loads(line) for line in several.out.splitlines()]
    assert [answer["id"] for answer in found] == [*range(70), None, *range(70, 150)]
    assert "line 71: this is not JSON" in found[70]["error"]


@pytest.mark.skipif(os.name != "posix", reason="signals are posix's")
def test_ctrl_c_ends_many_lines_with_status_130(tmp_path):
    entry = {"id": 1, "board": "queries/riese/zombie-queue.board.toml", "ask": "zombies"}
    running = interruptible("batch", "-", "--jobs", "2")
    with running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(lines(*[entry] * 1000))
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["id"] == 1
        running.send_signal(signal.SIGINT)
        running.stdout.read()
        assert running.wait(20) == 130
        assert running.stderr is not None
        assert b"Traceback" not in running.stderr.read()


def interruptible(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "riese_kb", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    # A shell starts what it puts in the background deaf to Ctrl-C, and children stay so.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    running = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, env=environment)
    signal.signal(signal.SIGINT, before)
    return running


@pytest.mark.skipif(os.name != "posix", reason="signals are posix's")
def test_ctrl_c_ends_a_batch_with_status_130():
    running = interruptible("batch", "-")
    with running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(lines({"id": 1, "board": DOORS, "ask": WALK}))
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["id"] == 1  # answered while the pipe is open
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 130
        assert running.stderr.read() == b""
