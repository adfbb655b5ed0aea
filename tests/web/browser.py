"""The Chromium that ``make test-web`` found, for the tests of the page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

BROWSER = os.environ.get("RIESE_KB_BROWSER", "")
"""Its path; empty: nothing here is collected; ``none``: there is no browser, and the tests of the page are left out."""


@contextmanager
def chromium() -> Iterator[Any]:
    """A running Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()
