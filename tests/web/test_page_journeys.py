"""Whole journeys through the page: by keys alone, by touch, over a restart, with a slow server; axe finds nothing on the way."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from bench.boards import board as large_board
from riese_kb import ask
from riese_kb.board import square_name
from riese_kb.boardfile import format_board
from riese_kb.drawn.boards import random_board
from tests.serving import CHECKOUT, Served, server
from tests.web.test_page import DRILL, OPEN, TIE, VTT, answered, cell, drag, fragment, label, read, source, status, until

RING = (CHECKOUT / "queries/tannhaeuser/arsenal.board.toml").read_text()


def tab_to(page: Any, condition: str) -> None:
    """Press Tab until the element that has the focus meets the condition on ``e``."""
    for _ in range(120):
        if page.evaluate(f"(e => {condition})(document.activeElement)"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not reach {condition}")


def walk(page: Any, name: str) -> None:
    """Go with the arrows to a square; the focus is on the board."""
    tab_to(page, "e.dataset.at !== undefined")
    for _ in range(40):
        at = page.evaluate("document.activeElement.dataset.at")
        if at == name:
            return
        (column, row), (goal, line) = (at[0], at[1:]), (name[0], name[1:])
        page.keyboard.press(
            "ArrowRight" if column < goal else "ArrowLeft" if column > goal else "ArrowDown" if row < line else "ArrowUp"
        )
    pytest.fail(f"the arrows do not reach {name}")


def press(page: Any, id: str) -> None:
    """Press the button of that id by key."""
    tab_to(page, f"e.id === '{id}'")
    page.keyboard.press("Enter")


def pick(page: Any, id: str, value: str) -> None:
    """Choose from a list by its letters, as a keyboard does."""
    tab_to(page, f"e.id === '{id}'")
    for _ in range(30):
        if page.evaluate(f"document.getElementById('{id}').value") == value:
            return
        page.keyboard.press("ArrowDown")
    pytest.fail(f"{value} is not in the list {id}")


def test_a_game_from_an_empty_board_by_keys_alone(opened):
    """Two heroes far from a zombie in the middle: its turn has a tie."""
    page = opened(DRILL)
    page.mouse.move(0, 0)
    press(page, "do-new")
    for id, size in (("new-width", "5"), ("new-height", "3")):
        tab_to(page, f"e.id === '{id}'")
        page.keyboard.press("Control+a")
        page.keyboard.type(size)
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('#grid [role=gridcell]').length === 15")
    press(page, "tool-terrain")
    pick(page, "sign", "^")
    walk(page, "A1")
    page.keyboard.press("Enter")
    press(page, "tool-edge")
    walk(page, "B1")
    page.keyboard.press("Shift+ArrowRight")
    press(page, "tool-marker")
    pick(page, "sign", "objective")
    walk(page, "E1")
    page.keyboard.press("Space")
    press(page, "tool-figure")
    for name in ("A2", "E2"):
        pick(page, "sign", "hero")
        walk(page, name)
        page.keyboard.press("Enter")
        answered(page)
    pick(page, "sign", "zombie")
    walk(page, "C3")
    page.keyboard.press("Enter")
    answered(page)
    sheet = read(source(page))
    assert {(one.kind, one.at) for one in sheet.figures} == {("hero", (1, 2)), ("hero", (5, 2)), ("zombie", (3, 3))}
    assert "fire" in label(page, "A1")
    assert "east: wall" in label(page, "B1")
    assert "objective" in label(page, "E1")

    press(page, "tool-point")
    walk(page, "A2")
    page.keyboard.press("Enter")
    answered(page)
    walk(page, "A3")
    page.keyboard.press("s")
    answered(page)
    assert page.input_value("#line") == "can h1 walk backward"
    told = ask(sheet, "can h1 walk backward")
    assert f"{told.result['spent']}/{told.result['mp']} MP" in page.text_content("#status")
    walk(page, "C3")
    page.keyboard.press("l")
    answered(page)
    assert page.input_value("#line") == "lof h1 to C3"

    outcomes = ask(sheet, "zombies").result["outcomes"]
    assert len(outcomes) > 1
    press(page, "zombie-turn")
    page.wait_for_selector("#b-step")
    press(page, "b-step")
    focused = page.evaluate("document.activeElement.textContent")  # the first choice has the focus already
    assert focused in {outcome["z1"] for outcome in outcomes}
    page.keyboard.press("Tab")
    chosen = page.evaluate("document.activeElement.textContent")
    assert chosen in {outcome["z1"] for outcome in outcomes} - {focused}
    page.keyboard.press("Enter")
    status(page, "done")
    assert "z1" in label(page, chosen)
    page.keyboard.press("Control+z")
    assert "z1" in label(page, "C3")


def test_whatever_has_the_focus_shows_it(opened):
    page = opened(DRILL)
    page.click(cell("A3"))
    answered(page)
    page.locator("#h-board").click()
    seen: dict[str, str] = {}
    for _ in range(80):
        page.keyboard.press("Tab")
        name, outline, stroke = page.evaluate(
            "(e => [e.id || e.dataset.at || e.textContent, getComputedStyle(e).outlineStyle + getComputedStyle(e).outlineWidth,"
            " e.firstElementChild?.tagName === 'rect' ? parseFloat(getComputedStyle(e.firstElementChild).strokeWidth) : 0])"
            "(document.activeElement)"
        )
        if not page.evaluate("document.activeElement === document.body"):  # which is between the last and the first
            seen[name] = outline if stroke < 3 else "solid3px"
    assert len(seen) > 25
    assert [name for name, outline in seen.items() if not re.match(r"(solid|auto)[1-9]", outline)] == []


PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 500}, "has_touch": True, "is_mobile": True}


def stroke(page: Any, *names: str) -> int:
    """Draw with a finger over those squares; how far the page was scrolled by it."""
    page.evaluate("document.querySelector('#grid').scrollIntoView({ block: 'center' })")
    finger = page.context.new_cdp_session(page)
    boxes = [page.locator(f"{cell(name)} rect").first.bounding_box() for name in names]
    before = page.evaluate("scrollY")
    for number, box in enumerate(boxes):
        spot = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove" if number else "touchStart", "touchPoints": [spot]})
        page.wait_for_timeout(60)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(100)
    return int(page.evaluate("scrollY")) - int(before)


def test_a_finger_drags_a_hero_and_draws_terrain_and_otherwise_scrolls(opened):
    page = opened(DRILL, **PHONE)
    assert stroke(page, "A3", "A2", "B2", "B3", "B4") == 0
    answered(page)
    assert page.input_value("#line") == "can nicole walk forward, right, backward, backward"
    page = opened(DRILL, **PHONE)  # without an answer, whose going makes the page shorter
    page.click("#tool-terrain")
    assert stroke(page, "F1", "F2", "F3", "F4") == 0
    assert [name for name in ("F1", "F2", "F3", "F4") if "obstructive" in label(page, name)] == ["F1", "F2", "F3", "F4"]
    page.click("#tool-point")
    assert stroke(page, "E4", "E3", "E2", "E1") != 0
    assert "obstructive" not in label(page, "E3")


# --- answers that take their time ----------------------------------------------------------------------------------------


def hold(page: Any, wanted: Callable[[dict[str, Any]], bool]) -> list[Any]:
    """Requests for answers that meet the condition are kept; ``continue_`` lets one go on."""
    kept: list[Any] = []
    page.route("**/api/ask", lambda route: kept.append(route) if wanted(route.request.post_data_json) else route.continue_())
    return kept


def test_an_opened_rule_stays_open_when_the_readings_arrive(opened):
    page = opened(OPEN)
    kept = hold(page, lambda asked: not asked.get("quick"))
    page.fill("#line", "attack nicole on z3")
    page.press("#line", "Enter")
    page.wait_for_selector("#answer .bar")
    button = page.locator("#answer td .link").first
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".rule")
    assert page.locator("#answer select").count() == 0
    kept[0].continue_()
    page.wait_for_selector("#answer select")
    assert page.locator(".rule").count() == 1
    assert button.evaluate("e => e === document.activeElement")


def test_no_answer_about_the_board_as_it_was(opened):
    """A wall is drawn while the server still thinks about the board without it."""
    page = opened(DRILL)
    page.click("#tool-edge")
    kept = hold(page, lambda asked: True)
    page.fill("#line", "lof nicole to A1")
    page.press("#line", "Enter")
    until(page, "document.getElementById('answer').ariaBusy === 'true'")
    page.locator(cell("A2")).focus()
    page.keyboard.press("Shift+ArrowDown")
    assert "south: wall" in label(page, "A2")
    for route in kept:
        route.continue_()
    page.wait_for_timeout(500)
    assert page.locator("#answer *").count() == 0
    assert page.locator("#grid .sight").count() == 0


def test_the_last_question_wins(opened):
    """Answers that overtake each other: the one to the newer question stays."""
    page = opened(DRILL)
    kept = hold(page, lambda asked: asked["ask"] == "reach nicole walking")
    page.fill("#line", "reach nicole walking")
    page.press("#line", "Enter")
    page.fill("#line", "targets nicole")
    page.press("#line", "Enter")
    answered(page)
    for route in kept:
        route.continue_()
    page.wait_for_timeout(500)
    assert page.text_content("#answer h3") == "targets nicole"


def test_a_busy_server_is_asked_again(opened):
    page = opened(DRILL)
    refusals = [1, 1]

    def refuse(route: Any) -> None:
        if refusals:
            refusals.pop()
            route.fulfill(status=503, content_type="application/json", body=json.dumps({"error": "too many questions at once"}))
        else:
            route.continue_()

    page.route("**/api/ask", refuse)
    page.fill("#line", "targets nicole")
    page.press("#line", "Enter")
    answered(page)
    page.expected("503")
    assert page.text_content("#answer h3") == "targets nicole"
    assert not refusals


def test_a_restart_of_the_server_loses_nothing(browser, served: Served):
    """The board is the browser's: it outlives the server, and the page says meanwhile that nobody answers."""
    with server("--workers", "1") as first:
        port = first.port
        page = browser.new_context(locale="en-GB").new_page()
        page.goto(first.address)
        page.wait_for_selector("#grid")
        page.click("#tool-terrain")
        page.click(cell("B4"))
        before = source(page)
        assert "obstructive" in label(page, "B4")
    page.fill("#line", "targets nicole")
    page.press("#line", "Enter")
    status(page, "does not answer")
    with server("--workers", "1", "--port", str(port)):
        page.press("#line", "Enter")
        answered(page)
        assert "may attack" in page.text_content("#status")
        page.reload()
        page.wait_for_selector("#grid")
        assert source(page) == before
    page.context.close()


def test_ones_own_board_is_behind_a_link_that_was_opened(opened):
    page = opened(DRILL, "#" + fragment(TIE, "zombies"))
    answered(page)
    assert read(source(page)).figures == read(TIE).figures
    page.click("#undo")
    assert read(source(page)).figures == read(DRILL).figures


@pytest.mark.parametrize("wrong", ["#2.AAAA", "#1.!", "#1." + "A" * 3000, "#" + fragment("system = 1", ""), "#x"])
def test_links_that_are_none_leave_a_board(opened, wrong):
    page = opened(DRILL, wrong)
    page.click(cell("A3"))
    answered(page)
    assert read(source(page)).figures == read(DRILL).figures
    page.expected("422")


def test_rings_are_asked_about_in_words(opened):
    page = opened(RING)
    page.wait_for_selector(".rings")
    page.fill("#line", "can eva move to r2")
    page.press("#line", "Enter")
    answered(page)
    told = ask(RING_SHEET(), "can eva move to r2")
    assert page.text_content("#answer h3") == told.ask
    page.fill("#line", "won")
    page.press("#line", "Enter")
    status(page, "won")
    page.click("#source summary")
    page.fill("#toml", DRILL)
    page.wait_for_selector("#grid")


def RING_SHEET() -> Any:
    from riese_kb.teamfile import parse_sheet

    return parse_sheet(RING, "")


def test_a_choice_on_a_large_board_is_brought_into_sight(opened):
    sheet = large_board("24×34", 0)
    page = opened(format_board(sheet), viewport={"width": 1280, "height": 500})
    page.click("#zombie-turn")
    page.wait_for_selector("#b-step")
    page.click("#b-step")
    who = sheet.figure(str(page.get_attribute("#chosen [role=group]", "aria-label")))
    assert who is not None
    page.wait_for_timeout(100)
    board = page.locator("#sheet").bounding_box()
    square = page.locator(cell(square_name(who.at))).bounding_box()
    assert board["x"] <= square["x"] <= board["x"] + board["width"] - square["width"]
    assert board["y"] <= square["y"] <= board["y"] + board["height"] - square["height"]


def test_what_the_page_writes_is_what_it_was_given(opened):
    """The page writes board files by itself: read again, they are the same boards, rings and teams."""
    page = opened(DRILL)
    rng = random.Random(5)
    files = sorted(file for kind in ("board", "team") for file in (CHECKOUT / "queries").rglob(f"*.{kind}.toml"))
    texts = {str(file): file.read_text() for file in files[::4]}
    texts |= {f"random {n}": format_board(random_board(rng, rng.randint(3, 9), rng.randint(3, 9))) for n in range(20)}
    for name, text in texts.items():
        first, second = page.evaluate(
            """async (board) => {
                const { Board } = await import("/static/board.js"), { call } = await import("/static/server.js");
                const read = await call("/api/board/check", { board });
                return [read.board, (await call("/api/board/check", { board: new Board(read.tables).toText() })).board];
            }""",
            text,
        )
        assert first == second, name


# --- axe on the way ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [{}, {"color_scheme": "dark"}, {"locale": "de-DE", "viewport": {"width": 390, "height": 844}}])
def test_axe_finds_nothing_on_the_way(opened, tmp_path, how):
    from axe_playwright_python.sync_playwright import Axe

    axe = Axe()

    def clean(page: Any, state: str) -> None:
        found = axe.run(page)
        assert not found.violations_count, f"{state}: {found.generate_report()}"

    page = opened(DRILL, **how)
    page.locator(cell("A3")).scroll_into_view_if_needed()
    drag(page, "A3", "B3", "C2")
    clean(page, "an illegal path")
    page.click("#a-look")
    page.click(cell("D1"))
    answered(page)
    clean(page, "a blocked line")
    page.click(".result summary")
    page.fill("#line", "reach nobody")
    page.press("#line", "Enter")
    until(page, "document.getElementById('status').textContent.includes('nobody')")
    clean(page, "a question that cannot be read")
    page.expected("422")
    page.click("#source summary")
    page.fill("#toml", "system = 1")
    until(page, "document.getElementById('fault').textContent")
    clean(page, "a text that is no board")
    page.expected("422")
    page.fill("#toml", TIE)
    until(page, "document.querySelectorAll('#grid [role=gridcell]').length === 35")
    page.click(cell("D3"))
    answered(page)
    clean(page, "a zombie's options")
    page.click("#zombie-turn")
    page.wait_for_selector("#b-step")
    answered(page)
    clean(page, "a zombie turn")
    page.click("#b-step")
    page.wait_for_selector("#chosen [role=group] button")
    clean(page, "a tie")
    for tool in ("terrain", "edge", "figure", "marker", "erase"):
        page.click(f"#tool-{tool}")
        clean(page, tool)
    if "viewport" in how:
        page.click("#menu summary")
    for act in ("example", "export", "settings"):
        page.click(f"#do-{act}")
        page.wait_for_selector("#dialog[open]")
        clean(page, act)
        page.keyboard.press("Escape")
    file = tmp_path / "cellar.dd2vtt"
    portal = {"position": {"x": 2, "y": 1.5}, "bounds": [{"x": 2, "y": 1}, {"x": 2, "y": 2}], "closed": False}
    file.write_text(json.dumps({**VTT, "portals": [{**portal, "rotation": 0, "freestanding": False}]}))
    page.click("#do-open")
    page.set_input_files("#file-input", str(file))
    clean(page, "open")
    page.click("#dialog-form [value=ok]")
    page.wait_for_selector("#portals")
    clean(page, "what an open portal is")
    page.click("#dialog-form [value=ok]")
    page.wait_for_selector("#answer li")
    clean(page, "what is off the grid")
    page.fill("#toml", RING)
    page.wait_for_selector(".rings")
    clean(page, "rings")
