"""What the server adds to Streamlit's, and what a reader sees of a server on which things fail."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from pages.ui.frame.serving import HEADERS
from pages.ui.i18n.messages import load_messages
from tests.browser.conftest import context_of, leave
from tests.browser.running import Server, said, settled, starting

REASON = "Ran out of input"  # of the errors of tests/browser/breaking.py, which breaks the process that imports it


def answered(server: str, path: str, host: str = "") -> tuple[int, dict[str, str]]:
    """The status and the headers of an answer to a request that names `host`."""
    place = urlsplit(server)
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=30)
    connection.request("GET", path, headers={"Host": host or place.netloc})
    response = connection.getresponse()
    connection.close()
    return response.status, {name.lower(): value for name, value in response.getheaders()}


@pytest.mark.parametrize("path", ["/", "/laboratory", "/_stcore/health", "/static/nothing.js", "/media/nothing.png"])
def test_every_answer_has_the_security_headers_and_foreign_hosts_get_none(server: str, path: str) -> None:
    for host, expected in (("", {200, 404}), ("evil.example", {400}), ("evil.example:80", {400})):
        status, headers = answered(server, path, host)
        assert status in expected
        assert {name: headers.get(name.lower()) for name in HEADERS} == HEADERS


def test_a_web_socket_of_a_foreign_host_is_refused(server: str) -> None:
    address = server.replace("http", "ws") + "/_stcore/stream"
    connect(address, subprotocols=["streamlit"]).close()  # type: ignore[list-item]
    place = urlsplit(server)
    with pytest.raises(InvalidStatus) as refused, socket.create_connection((place.hostname, place.port)) as there:
        connect(f"ws://evil.example:{place.port}/_stcore/stream", sock=there)
    assert refused.value.response.status_code == 400


def test_no_page_elsewhere_may_frame_the_app(browser: Browser, server: str) -> None:
    page = context_of(browser, {}).new_page()
    page.set_content(f"<iframe src='{server}'></iframe>")
    page.wait_for_timeout(2000)
    assert [frame.url for frame in page.frames[1:]] == ["chrome-error://chromewebdata/"]
    leave(page)


def test_nothing_but_the_app_s_own_scripts_may_run(browser: Browser, server: str) -> None:
    """A policy that blocks nothing would pass on every page: what it is for is tried here."""
    page = context_of(browser, {}).new_page()
    page.goto(server)
    said(page)
    tried = page.evaluate("""async () => {
      const script = document.createElement("script")
      script.textContent = "window.inline = true"
      document.body.append(script)
      const sent = await fetch("http://127.0.0.1:9/").catch((error) => error.message)
      // A debugger's own call may evaluate: what runs later may not.
      const evaluated = await new Promise((tell) => setTimeout(() => {
        try { tell(new Function("return true")()) } catch { tell(false) }
      }, 100))
      return [window.inline === true, evaluated, sent]
    }""")
    assert tried[:2] == [False, False]
    assert "Failed to fetch" in tried[2]
    leave(page)


@pytest.fixture(scope="module")
def broken() -> Iterator[Server]:
    """The app where nothing can be decoded, and Paper figures not be drawn."""
    with starting(first="tests.browser.breaking") as server:
        server.await_answer()
        yield server


def test_what_stands_below_a_failure_is_dimmed_and_called_previous(browser: Browser, broken: Server) -> None:
    page = context_of(browser, {"locale": "ko-KR"}).new_page()
    page.goto(broken.address)
    settled(page)
    box = page.locator(".st-key-sentence textarea")
    box.fill("The deep blue sea.")
    box.press("Enter")
    say = load_messages("ko")
    expect(page.get_by_role("alert")).to_have_text(say("problem.inside", model="RNNsearch-50"), timeout=90_000)
    expect(page.locator(".previous")).to_contain_text(say("status.previous", sentence="", model="").partition("“")[0])
    assert float(page.locator(".st-key-picture").evaluate("node => getComputedStyle(node).opacity")) < 0.6
    line, picture = (page.locator(place).bounding_box() for place in (".st-key-status", ".st-key-picture"))
    assert line is not None
    assert picture is not None
    assert line["y"] + line["height"] <= picture["y"]
    leave(page)
    assert f"EOFError: {REASON}" in broken.words.read_text("utf-8")


def test_a_page_that_cannot_be_drawn_says_so_in_the_readers_language(browser: Browser, broken: Server) -> None:
    page = context_of(browser, {"locale": "ko-KR"}).new_page()
    page.goto(f"{broken.address}/paper_figures")
    said(page)
    expect(page.get_by_role("alert")).to_have_text(load_messages("ko")("problem.page"))
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert REASON not in page.inner_text("body")
    leave(page)
