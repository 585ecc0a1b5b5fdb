"""Where the browser of the tests is, and how it is started; one process may start it only once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["HOW_TO_GET_IT", "start_browser"]

CHROMIUM = Path("/usr/bin/chromium")
HOW_TO_GET_IT = (
    "no browser for tests of the report page: run `make browser` (Debian's chromium and playwright)"
)
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@contextmanager
def start_browser() -> "Iterator[Browser]":
    """Start Chromium, or skip the test where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason=HOW_TO_GET_IT)
    if not CHROMIUM.exists():
        pytest.skip(HOW_TO_GET_IT)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()
