"""The HTTP API: the command line's answers, and clear refusals; the server lives whatever comes in."""

import http.client
import json
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import pytest

from riese_kb import ask, ask_all
from riese_kb.boardfile import format_board, parse_board
from riese_kb.drawn.boards import random_board
from riese_kb.drawn.questions import random_question
from riese_kb.errors import RieseError
from riese_kb.language import format_question
from riese_kb.teamfile import load_sheet
from riese_kb.text import render
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


def test_answers_are_those_of_the_command_line(served: Served):
    board = "queries/riese/doors.board.toml"
    for question in (
        "reach nicole running",
        "can nicole walk open door ahead, forward",
        "lof nicole to kelley",
        "can nicole run to A1",
    ):
        told = ask(load_sheet(str(CHECKOUT / board)), question).to_json()
        assert served.post("/api/ask", {"board": DOORS, "ask": question}) == (200, json.loads(json.dumps(told)))


def test_two_hundred_random_boards_are_answered_as_the_command_line_does(served: Served):
    """And each answer can be written out and drawn."""
    rng = random.Random("two hundred boards")
    asked = []
    for _ in range(200):
        board = random_board(rng, rng.randint(2, 8), rng.randint(2, 8))
        asked.append((format_board(board), format_question(random_question(rng, board))))
    refused = 0
    with ThreadPoolExecutor(2) as pool:
        given = [{"board": text, "ask": question, "text": True, "svg": True} for text, question in asked]
        answers = list(pool.map(lambda one: served.post("/api/ask", one), given))
    expected = ask_all([(parse_board(text), question) for text, question in asked])
    for (text, question), told, (status, answer) in zip(asked, expected, answers, strict=True):
        if isinstance(told, RieseError):
            refused += 1
            assert (status, answer["what"]) == (422, told.what)
            continue
        assert status == 200, f"{text}{question}\n{answer}"
        assert answer.pop("text") == render(told, colour=False, ascii=False, width=100)
        assert ElementTree.fromstring(answer.pop("svg")).tag.endswith("svg")
        assert answer == json.loads(json.dumps(told.to_json())), text + question
    assert refused < 20


def test_quick_leaves_out_what_takes_further_questions(served: Served):
    status, told = served.post("/api/ask", {**QUESTION, "quick": True, "svg": True})
    assert (status, told["verdict"]) == (200, "computed")
    assert told["svg"].startswith("<svg")
    assert "readings" not in told


def test_rings_and_teams_are_asked_about_too(served: Served):
    ring = next((CHECKOUT / "queries/tannhaeuser").glob("*.board.toml")).read_text()
    status, told = served.post("/api/board/check", {"board": ring})
    assert (status, told["tables"]["system"]) == (200, "tannhaeuser")
    team = (CHECKOUT / "queries/riese/before-the-stalag.team.toml").read_text()
    assert served.post("/api/ask", {"board": team, "ask": "threat after 17 won"})[0] == 200


@pytest.mark.parametrize(
    ("path", "given", "status", "says"),
    [
        ("/api/ask", {**QUESTION, "ask": "reach nobody"}, 422, "nobody"),
        ("/api/ask", {**QUESTION, "ask": "reach nicole with rules /etc/passwd"}, 422, "rule files"),
        ("/api/ask", {**QUESTION, "ask": "why not reach nicole with rules /etc/passwd"}, 422, ""),
        ("/api/ask", {**QUESTION, "board": "system = 1"}, 422, "system"),
        ("/api/ask", {**QUESTION, "bord": ""}, 422, "bord"),
        ("/api/ask", [], 422, "openapi"),
        ("/api/ask", b"{", 400, "JSON"),
        ("/api/ask", b'{"board": NaN}', 400, "JSON"),
        ("/api/ask", b"[" * 100_000, 400, "JSON"),
        ("/api/ask", b'{"board": "\\ud800", "ask": "x"}', 400, "JSON"),
        ("/api/board/check", {"board": "[[[[" * 1000}, 422, "TOML"),
        ("/api/nothing", {}, 404, "/api/nothing"),
        ("/api/rules", {}, 405, "POST"),
    ],
)
def test_bad_requests_are_told_what_is_wrong(served: Served, path: str, given: object, status: int, says: str):
    code, told = served.post(path, given)
    assert code == status
    assert says in told["error"]
    assert "Traceback" not in told["error"]


def test_rules_and_readings(served: Served):
    assert served.get("/api/rules/movement.diagonal-gap")[1]["cite"].startswith("MOVEMENT")
    assert {rule["id"].partition(".")[0] for rule in served.get("/api/rules/zoc")[1]["rules"]} == {"zoc"}
    assert served.get("/api/rules/movement.diagonal-gab")[0] == 404
    assert served.get("/api/rules?system=chess")[0] == 422
    assert "zoc" in {point["id"] for point in served.get("/api/readings")[1]["readings"]}


def test_only_its_own_page_is_heard(served: Served):
    """DNS rebinding shows as a foreign Host, another site's page as a foreign Origin."""
    assert served.get("/api/rules/movement.diagonal-gap", Host="evil.example")[0] == 403
    assert served.get("/api/rules/movement.diagonal-gap", Host=f"evil.example:{served.port}")[0] == 403
    assert served.post("/api/ask", QUESTION, Origin="http://evil.example")[0] == 403
    assert served.post("/api/ask", QUESTION, Origin=served.address)[0] == 200
    status, told = served.post("/api/ask", json.dumps(QUESTION).encode(), **{"Content-Type": "text/plain"})
    assert (status, "JSON" in told["error"]) == (415, True)


def test_the_page_may_run_nothing_but_its_own_scripts(served: Served):
    connection = http.client.HTTPConnection("127.0.0.1", served.port)
    connection.request("GET", "/")
    answer = connection.getresponse()
    text = answer.read().decode()
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http:" not in text.replace("http://www.w3.org/", "")
    assert "https:" not in text
    folder = CHECKOUT / "riese_kb/web/static"
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 300_000
    for name in ("../app.py", "%2e%2e%2fapp.py", "..%2f..%2f..%2fpyproject.toml"):
        connection.request("GET", f"/static/{name}")
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 404


def test_large_bodies_are_refused(served: Served):
    status, told = served.post("/api/ask", b'{"board": "' + b"x" * 50_000_000 + b'"}')
    assert (status, "bytes" in told["error"]) == (413, True)
    assert served.post("/api/ask", QUESTION)[0] == 200


def test_slow_clients_keep_nobody_waiting(served: Served):
    slow = []
    head = b"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"
    for _ in range(40):
        one = socket.create_connection(("127.0.0.1", served.port))
        one.sendall(head + b"\r\n{")
        slow.append(one)
    assert served.post("/api/ask", QUESTION)[0] == 200
    for one in slow:
        one.close()


def test_two_hundred_questions_at_once(served: Served):
    asked = [{**QUESTION, "ask": f"can nicole run to A{n % 3 + 1}"} for n in range(200)]
    with ThreadPoolExecutor(200) as pool:
        found = list(pool.map(lambda one: served.post("/api/ask", one), asked))
    codes = {status for status, _ in found}
    assert codes <= {200, 503}
    assert 200 in codes
    assert all("at once" in told["error"] for status, told in found if status == 503)
    assert served.post("/api/ask", QUESTION)[0] == 200


def test_a_hostile_board_costs_its_own_question_only(served: Served):
    """A question that takes too long is stopped; meanwhile others are answered."""
    with ThreadPoolExecutor(1) as pool:
        begun = time.monotonic()
        hostile = pool.submit(served.post, "/api/ask", {"board": horde(), "ask": "zombies"})
        assert served.post("/api/ask", QUESTION)[0] == 200
        status, told = hostile.result()
        assert time.monotonic() - begun < 30
    assert status == 200 or (status == 422 and "seconds" in told["error"])
    assert served.post("/api/ask", QUESTION)[0] == 200


def test_a_plain_question_loads_no_server():
    code = """
import sys, riese_kb.cli as c
try:
    c.main(['ask', 'queries/riese/doors.board.toml', 'reach nicole'])
except SystemExit:
    print({'starlette', 'uvicorn', 'asyncio', 'riese_kb.web', 'riese_kb.mapfiles'} & {*sys.modules}, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "set()"
