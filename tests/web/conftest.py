"""One server and one browser for all tests of the page; `make test-web` runs them, and nothing else collects them.

Every test has a page of its own, which may neither print a fault nor ask anybody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.serving import Served, server
from tests.web.browser import BROWSER, chromium

collect_ignore_glob = {"": ["test_*.py"], "none": ["test_page*.py"]}.get(BROWSER, [])


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def served(browser: Any) -> Iterator[Served]:
    with server("--workers", "2") as running:
        yield running


@pytest.fixture
def opened(browser: Any, served: Served) -> Iterator[Callable[..., Any]]:
    """Opens the page: ``opened(board_text, fragment="", **settings_of_the_browser)``."""
    contexts: list[Any] = []
    faults: list[str] = []

    def hear(page: Any) -> None:
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("console", lambda line: faults.append(f"{line.type}: {line.text}") if line.type in ("error", "warning") else None)
        page.on("request", lambda request: None if _own(request.url, served) else faults.append(f"asks {request.url}"))
        page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))

    def open_page(board: str = "", fragment: str = "", **settings: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", **settings})
        contexts.append(context)
        if board:
            context.add_init_script(f"localStorage.setItem('riese-board-1', {board!r})")
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.expected = lambda text: _forget(faults, text)
        hear(page)
        page.goto(f"{served.address}/{fragment}")
        page.wait_for_selector("#grid, .rings")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, faults


def _own(url: str, served: Served) -> bool:
    return url.startswith((served.address + "/", "data:", "blob:"))


def _forget(faults: list[str], text: str) -> None:
    """What a refused question prints to the console is no fault of the page."""
    faults[:] = [fault for fault in faults if text not in fault]
