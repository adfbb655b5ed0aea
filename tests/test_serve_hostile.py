"""Whoever means the server ill is told off clearly, and everybody else is still answered."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.serving import CHECKOUT, Served, horde, server

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytestmark = pytest.mark.xdist_group("serve")

DOORS = (CHECKOUT / "queries/riese/doors.board.toml").read_text()
QUESTION = {"board": DOORS, "ask": "reach nicole running"}


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with server("--seconds", "3", "--workers", "2") as running:
        yield running
        assert running.post("/api/ask", QUESTION)[0] == 200  # whatever the tests did


def board(*tables: str, rows: str = "+-+-+\n|. .|\n+-+-+") -> str:
    return f"system = \"riese\"\nmap = '''\n{rows}\n'''\n" + "\n".join(tables)


def table(kind: str, /, **values: object) -> str:
    return f"[[{kind}]]\n" + "\n".join(f"{key} = {json.dumps(value)}" for key, value in values.items())


HERO = table("figure", id="h", kind="hero", name="Trooper", at="A1", weapon="gun")
ZOMBIE = table("figure", id="z", kind="zombie", at="B1")
GUN = {"name": "gun", "rof": 1, "stun": 6, "wound": 9, "pbr": 4, "rm": 2}


def exchange(served: Served, data: bytes, seconds: float = 30) -> bytes:
    """What the server says to those bytes until it hangs up."""
    with socket.create_connection(("127.0.0.1", served.port), seconds) as line:
        line.sendall(data)
        said = b""
        while part := line.recv(65536):
            said += part
        return said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (board(rows="+" + "-+" * 10_000 + "\n|" + ". " * 9_999 + ".|\n+" + "-+" * 10_000), "10000 x 1"),
        (board(rows="+-+\n" + "|.|\n+ +\n" * 9_999 + "|.|\n+-+"), "1 x 10000"),
        (board(table("weapon", **GUN).replace("rof = 1", "rof = nan"), HERO), "nan"),
        (board(table("weapon", **GUN), HERO + "\nhealth = inf"), "inf"),
        (board(table("weapon", **GUN), HERO + "\nammo = " + "9" * 400), "12 digits"),
        ("round = 2147483648\n" + board(HERO), "round"),
        ("title = 1979-05-27\n" + board(HERO), "title"),
        ("title = '\x00'\n" + board(HERO), "TOML"),
        (board(table("weapon", **{**GUN, "name": "\x1b[31m"})), "U+001B"),
        (board(table("marker", kind="objective", at="B1", label="\x00")), "U+0000"),
        (board(table("figure", id='a"). :- legal(', kind="hero", at="A1")), "ids have letters"),
        (board(*[table("figure", id=f"z{n}", kind="zombie", at="A1") for n in range(9_000)]), "one figure a square"),
        (board(table("weapon", **{**GUN, "wound": [[]]})), "wound"),
    ],
)
def test_hostile_boards_are_refused_with_the_reason(served: Served, text: str, says: str):
    for path, given in (("/api/board/check", {}), ("/api/ask", {"ask": "attack h on z"}), ("/api/board/export", {})):
        status, told = served.post(path, {"board": text, **given})
        assert status == 422
        assert says in told["error"]
        assert "defect" not in told["error"]


@pytest.mark.parametrize(
    "name", ['x"). illegal. %', "#script(python) import os #end.", "<script>&", "&(x)", "n(1..9999999)", "Ω not"]
)
def test_names_are_never_read_as_rules_or_markup(served: Served, name: str):
    def told(weapon: str) -> tuple[str, dict]:
        text = board(table("weapon", **{**GUN, "name": weapon}), HERO.replace('"gun"', json.dumps(weapon)), ZOMBIE)
        status, answer = served.post("/api/ask", {"board": text, "ask": "attack h on z h2h", "svg": True})
        assert status == 200, answer
        ElementTree.fromstring(answer.pop("svg"))
        return answer["verdict"], answer["result"]

    assert told(name) == told("gun")


@pytest.mark.parametrize(
    "ask",
    ["reach h\x00", "why not " * 50_000, "reach h with scenario ../../etc/passwd", "reach h without ../x", "(" * 1999, "\n"],
)
def test_hostile_questions_are_refused(served: Served, ask: str):
    status, told = served.post("/api/ask", {"board": board(table("weapon", **GUN), HERO), "ask": ask})
    assert status == 422
    assert "defect" not in told["error"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.uvtt", '{"format":0.3,"resolution":{"map_origin":{"x":0,"y":0},"map_size":{"x":1e9,"y":1e9},"pixels_per_grid":70}}'),
        ("a.uvtt", "[" * 500_000),
        ("a.tmj", json.dumps({"width": 99_999, "height": 99_999, "layers": []})),
        ("a.tmx", '<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]><map width="1" height="1">&a;</map>'),
        ("a.tmx", "<a>" * 500_000),
        ("../../etc/passwd", ""),
    ],
)
def test_hostile_maps_are_refused(served: Served, name: str, text: str):
    status, told = served.post("/api/board/import", {"name": name, "map": text})
    assert status == 422
    assert "defect" not in told["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": ""},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://127.0.0.1"},  # another server of this machine, at its own port
        {"Origin": "http://127.0.0.1:80@evil.example"},
        {"Origin": ""},
    ],
)
def test_foreign_names_and_pages_are_refused(served: Served, headers: dict[str, str]):
    status, told = served.post("/api/ask", QUESTION, **headers)
    assert (status, "answers" in told["error"]) == (403, True)


def test_two_hosts_are_none(served: Served):
    said = exchange(served, b"GET /api/rules HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 4")


@pytest.mark.parametrize(("path", "method"), [("/", "GET"), ("/api/nothing", "GET"), ("/api/ask", "GET"), ("/api/ask", "POST")])
def test_every_answer_forbids_foreign_scripts(served: Served, path: str, method: str):
    line = http.client.HTTPConnection("127.0.0.1", served.port)
    for headers in ({}, {"Host": "evil.example"}):
        line.request(method, path, headers=headers)
        answer = line.getresponse()
        answer.read()
        policy = dict(part.strip().split(" ", 1) for part in answer.headers["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_only_this_machine_is_heard(served: Served):
    """The whole of 127/8 is this machine; whoever listens at all addresses can be reached at each of them."""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", served.port), 5).close()


def test_clients_that_never_finish_a_request_are_hung_up_on(served: Served):
    """Byte by byte or not at all: half a head, a body that stops, a second request on a kept connection."""
    head = b"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"
    first = b"GET /api/rules/zoc HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    def dawdle(sent: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", served.port), 40) as line:
            line.sendall(sent)
            line.settimeout(1)
            said = b""
            for _ in range(40):
                try:
                    part = line.recv(65536)
                    if not part:
                        return said
                    said += part
                except TimeoutError:
                    line.sendall(b"x")
                except ConnectionError:
                    return said
        raise AssertionError("still listening after 40 seconds")

    with ThreadPoolExecutor(80) as pool:
        slow = [
            pool.submit(dawdle, start) for start in (b"GET /", head + b"X-", head + b"\r\n{", first + b"GET /") for _ in range(20)
        ]
        assert served.post("/api/ask", QUESTION)[0] == 200
        assert not any(one.done() for one in slow)
        said = [one.result() for one in slow]
    assert all(b" 408 " in one and b"seconds" in one for one in said[40:60])
    assert all(one.startswith(b"HTTP/1.1 200") for one in said[60:])


def test_fifty_megabytes_are_refused_whoever_announces_them_or_not(served: Served):
    head = b"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
    chunk = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n"
    for body in (
        b"Content-Length: 50000000\r\n\r\n" + b"x" * 50_000_000,
        b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 50 + b"0\r\n\r\n",
    ):
        said = exchange(served, head + body)
        assert said.startswith(b"HTTP/1.1 413 ")
        assert "1,000,000 bytes" in json.loads(said.partition(b"\r\n\r\n")[2])["error"]


def test_many_books_do_not_keep_questions_from_an_answer(served: Served):
    book = "\n".join(
        f"Rule {n}. A hero may move {n % 7} squares; a zombie {n % 5}, see rule {n * 7 % 4000}." for n in range(4000)
    )
    with ThreadPoolExecutor(80) as pool:
        books = [pool.submit(served.post, "/api/audit", {"book": book}) for _ in range(75)]
        refused = next(one for one in as_completed(books) if one.result()[0] == 503)
        assert "at once" in refused.result()[1]["error"]
        assert served.post("/api/ask", QUESTION)[0] == 200
        assert {one.result()[0] for one in books} <= {200, 422, 503}


def test_clients_that_leave_keep_no_worker(served: Served):
    """A page that is dragged over asks and leaves; what it left takes seconds each, and no worker may go on with it."""
    given = json.dumps({"board": horde(), "ask": "zombies"}).encode()
    head = f"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(given)}\r\n\r\n"
    for _ in range(30):
        with socket.create_connection(("127.0.0.1", served.port)) as line:
            line.sendall(head.encode() + given)
    begun = time.monotonic()
    assert served.post("/api/ask", QUESTION)[0] == 200
    assert time.monotonic() - begun < 30  # two workers would take 45 for all of it


def workers_of(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads /proc")
def test_workers_that_die_are_replaced(served: Served):
    """Nobody hears of a worker that dies of itself; the system ends the largest process when memory runs out."""
    assert served.post("/api/ask", QUESTION)[0] == 200
    before = workers_of(served.pid)
    assert len(before) == 2
    for worker in before:
        os.kill(worker, signal.SIGKILL)
    time.sleep(0.3)
    with ThreadPoolExecutor(4) as pool:
        assert [status for status, _ in pool.map(lambda _: served.post("/api/ask", QUESTION), range(4))] == [200] * 4
    assert not {*before} & {*workers_of(served.pid)}


def test_a_restart_loses_nothing():
    """All a question needs is in it: the same port, a new server, the same answer."""
    with server("--workers", "1") as first:
        port = first.port
        before = [first.post("/api/ask", QUESTION), first.get("/api/rules/zoc")]
    with server("--workers", "1", "--port", str(port)) as second:
        assert second.port == port
        assert [second.post("/api/ask", QUESTION), second.get("/api/rules/zoc")] == before


def test_a_port_that_is_taken_is_said_plainly(served: Served):
    words = [sys.executable, "-m", "riese_kb", "serve", "--no-browser", "--port", str(served.port)]
    done = subprocess.run(
        words, cwd=CHECKOUT, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "choose another --port" in done.stderr
    assert "Traceback" not in done.stderr
