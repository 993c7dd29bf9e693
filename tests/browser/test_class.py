"""The app as a class gets it, behind a proxy under a name and a path of its own: pages/README.md, Serve a class."""

from __future__ import annotations

import re
import time
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.running import TRIES, settled, starting

HOST, PATH = "class.localhost", "attention"  # browsers know that every name below localhost is this machine
SETTINGS = {"STREAMLIT_SERVER_ALLOWED_HOSTS": HOST, "STREAMLIT_BROWSER_SERVER_ADDRESS": HOST,
            "STREAMLIT_SERVER_BASE_URL_PATH": PATH}  # fmt: skip


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """The address of the app as readers type it."""
    with starting(environment=SETTINGS) as server:
        health = urllib.request.Request(f"{server.address}/{PATH}/_stcore/health", headers={"Host": HOST})
        until = time.monotonic() + 10 * TRIES
        while True:
            try:
                urllib.request.urlopen(health, timeout=1).close()
                break
            except OSError:
                assert time.monotonic() < until, server.words.read_text("utf-8")
                time.sleep(0.1)
        yield f"{server.address.replace('127.0.0.1', HOST)}/{PATH}"


def test_pages_components_and_links_work_below_a_path(served: str, browser: Browser) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    # Streamlit tries for its own paths below every part of an address.
    page.on("response", lambda one: failed.extend([one.url] * (one.status >= 400 and "/_stcore/" not in one.url)))
    page.goto(f"{served}/")
    settled(page)
    expect(page.locator(".picture table").first).to_be_visible()
    page.get_by_role("link", name="Compare").click()
    expect(page).to_have_url(re.compile(f"^{re.escape(served)}/compare"))
    settled(page)
    page.reload()
    settled(page)
    assert failed == []
    context.close()
