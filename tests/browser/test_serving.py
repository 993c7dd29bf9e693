"""The server: security headers, allowed hosts, a path behind a proxy, and what readers see when requests fail."""

import http.client
import re
import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from pages.ui.frame.serving import HEADERS, THEME_COOKIE
from pages.ui.i18n.messages import load_messages
from tests.browser.conftest import close_page, get_context
from tests.browser.running import Server, enter, get_box, settle, start_server, wait_for_script

REASON = "Ran out of input"  # of tests/browser/breaking.py, which breaks the process that imports it
HOST, PATH = "class.localhost", "attention"  # browsers resolve every name below localhost to this machine


def get_response(server: str, path: str, host: str = "", **headers: str) -> tuple[int, dict[str, str]]:
    """Return the status and the headers of the response to a request with this Host header and others."""
    url = urlsplit(server)
    connection = http.client.HTTPConnection(str(url.hostname), url.port, timeout=30)
    connection.request("GET", path, headers={"Host": host or url.netloc, **headers})
    response = connection.getresponse()
    connection.close()
    return response.status, {name.lower(): value for name, value in response.getheaders()}


@pytest.mark.parametrize("path", ["/", "/laboratory", "/_stcore/health", "/static/nothing.js", "/media/nothing.png"])
def test_every_response_has_the_security_headers_and_foreign_hosts_are_refused(server: str, path: str) -> None:
    for host, expected in (("", {200, 404}), ("evil.example", {400}), ("evil.example:80", {400})):
        status, headers = get_response(server, path, host)
        assert status in expected
        assert {name: headers.get(name.lower()) for name in HEADERS} == HEADERS


def test_a_chosen_theme_is_added_to_the_address_of_a_page(server: str) -> None:
    for path, cookie, accept, expected in (
        ("/story?scene=2", "dark", "text/html", "?scene=2&embed_options=dark_theme"),
        ("/", "light", "text/html,*/*", "?embed_options=light_theme"),
        ("/?embed_options=dark_theme", "light", "text/html", None),
        ("/", "//evil.example", "text/html", None),
        ("/_stcore/health", "dark", "*/*", None),
    ):
        status, headers = get_response(server, path, Cookie=f"{THEME_COOKIE}={cookie}", Accept=accept)
        assert (status, headers.get("location")) == ((307, expected) if expected else (200, None))


def test_a_web_socket_of_a_foreign_host_is_refused(server: str) -> None:
    address = server.replace("http", "ws") + "/_stcore/stream"
    connect(address, subprotocols=["streamlit"]).close()  # type: ignore[list-item]
    url = urlsplit(server)
    with pytest.raises(InvalidStatus) as error, socket.create_connection((url.hostname, url.port)) as connection:
        connect(f"ws://evil.example:{url.port}/_stcore/stream", sock=connection)
    assert error.value.response.status_code == 400


def test_framing_inline_scripts_eval_and_foreign_requests_are_blocked(browser: Browser, server: str) -> None:
    page = get_context(browser, {}).new_page()
    with page.expect_event("framenavigated", lambda frame: frame.parent_frame is not None) as navigation:
        page.set_content(f"<iframe src='{server}'></iframe>")
    assert navigation.value.url == "chrome-error://chromewebdata/"
    page.goto(server)
    wait_for_script(page)
    results = page.evaluate("""async () => {
      const blocked = []
      document.addEventListener("securitypolicyviolation", (event) => blocked.push(event.effectiveDirective))
      const script = document.createElement("script")
      script.textContent = "window.inline = true"
      document.body.append(script)
      await fetch("http://127.0.0.1:9/").catch(() => {})
      // Playwright's own call may use eval, a later callback may not.
      const evaluated = await new Promise((resolve) => setTimeout(() => {
        try { resolve(new Function("return true")()) } catch { resolve(false) }
      }, 100))
      return [window.inline === true, evaluated, blocked]
    }""")
    assert results[:2] == [False, False]
    assert {"script-src-elem", "connect-src"} <= set(results[2])
    close_page(page)


def test_pages_and_links_work_under_a_host_name_and_a_path(browser: Browser) -> None:
    """As behind a class's proxy (pages/SERVING.md, A public host)."""
    settings = {"STREAMLIT_SERVER_ALLOWED_HOSTS": HOST, "STREAMLIT_BROWSER_SERVER_ADDRESS": HOST,
                "STREAMLIT_SERVER_BASE_URL_PATH": PATH}  # fmt: skip
    with start_server(environment=settings) as server:
        address, deadline = f"{server.address.replace('127.0.0.1', HOST)}/{PATH}", time.monotonic() + 60
        while True:
            try:
                get_response(server.address, f"/{PATH}/_stcore/health", HOST)
                break
            except OSError:
                assert time.monotonic() < deadline, server.log.read_text("utf-8")
                time.sleep(0.1)
        page = get_context(browser, {"locale": "en-GB"}).new_page()
        failed: list[str] = []
        page.on("requestfailed", lambda request: failed.append(request.url))
        # Streamlit first looks for its own paths below every part of an address.
        page.on("response", lambda one: failed.extend([one.url] * (one.status >= 400 and "/_stcore/" not in one.url)))
        page.goto(f"{address}/translate?unit=pieces")  # the server's first page
        settle(page)
        expect(page.get_by_role("radio", name="subwords")).to_be_checked()
        expect(page.locator(".st-key-page-now")).to_have_text("Translate")
        expect(page.locator(".picture table").first).to_be_visible()
        page.get_by_role("link", name="Compare").click()
        expect(page).to_have_url(re.compile(f"^{re.escape(address)}/compare"))
        settle(page)
        page.reload()
        settle(page)
        assert failed == []
        close_page(page)


@pytest.fixture(scope="module")
def broken_server() -> Iterator[Server]:
    """The app where nothing can be decoded, and Paper figures raises."""
    with start_server(preload="tests.browser.breaking") as server:
        server.wait_until_ready()
        yield server


def test_after_an_error_the_previous_picture_is_dimmed_and_labelled(browser: Browser, broken_server: Server) -> None:
    page = get_context(browser, {"locale": "ko-KR"}).new_page()
    page.goto(broken_server.address)
    settle(page)
    enter(page, "The deep blue sea.")
    say = load_messages("ko")
    expect(page.get_by_role("alert")).to_have_text(say("problem.inside", model="RNNsearch-50"))
    expect(page.locator(".previous")).to_contain_text(say("status.previous", sentence="", model="").partition("“")[0])
    assert float(page.locator(".st-key-picture").evaluate("node => getComputedStyle(node).opacity")) < 0.6
    line, picture = (get_box(page.locator(f".st-key-{key}")) for key in ("status", "picture"))
    assert line["y"] + line["height"] <= picture["y"]
    assert f"EOFError: {REASON}" in broken_server.log.read_text("utf-8")
    page.goto(f"{broken_server.address}/paper_figures")
    wait_for_script(page)
    expect(page.get_by_role("alert")).to_have_text(say("problem.page"))
    assert REASON not in page.inner_text("body")
    close_page(page)
