"""Chromium of the distribution, for the tests of the page; without it they are skipped, or fail where it is required."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
REQUIRED = bool(os.environ.get("RIESE_KB_BROWSER"))
"""Set by `make test-web`: then a missing browser is a failure and no reason to skip."""


@contextmanager
def chromium() -> Iterator[Any]:
    """A running Chromium."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.fail("no Chromium here") if REQUIRED else pytest.skip("no Chromium here: make test-web installs it")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.fail("playwright is not installed") if REQUIRED else pytest.skip("make test-web installs playwright")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
