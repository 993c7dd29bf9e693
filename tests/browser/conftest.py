"""A real server on a free loopback port and a real Chromium, for what only a browser can tell."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Page,
    Request,
    Response,
    TimeoutError,
    WebSocket,
    expect,
)

from tests.browser.running import chromium, local, said, serving


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--server", help="the address of a server that runs already, instead of a fresh one")


PATIENCE = 30_000  # milliseconds that what is expected may take: most of it a server on a busy machine has to make


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Expectations wait as long as pages do, unless a test says otherwise."""
    expect.set_options(timeout=PATIENCE)
    yield
    expect.set_options(timeout=None)


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The app's address, for all tests of the session."""
    running = request.config.getoption("--server")
    if running:
        yield running
        return
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


_CONTEXTS: WeakKeyDictionary[Browser, dict[str, BrowserContext]] = WeakKeyDictionary()


def context_of(browser: Browser, options: dict[str, Any]) -> BrowserContext:
    """The one context of a browser with these options. A fresh one for every page would fetch and compile Streamlit's
    scripts each time, and Chromium would draw a window around each, together half of what it takes to open a page. So
    contexts stay, each with an empty page that keeps its window open, and `leave` makes them as new."""
    contexts = _CONTEXTS.setdefault(browser, {})
    key = repr(sorted(options.items()))
    if key not in contexts:
        contexts[key] = browser.new_context(**options)
        contexts[key].new_page()
    return contexts[key]


def leave(page: Page) -> None:
    """Close a page, and forget what it stored and was allowed."""
    context = page.context
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear()")
    page.close()
    context.clear_cookies()
    context.clear_permissions()
    context.unroute_all()


@contextmanager
def watching(browser: Browser) -> Iterator[Callable[..., Page]]:
    """What opens an address in a window as new and waits for what `ready` selects, and for the server to have said all:
    what stands there sooner may be drawn anew. At the end no page may have complained, opened a dialog or asked another
    host than the loopback."""
    opened_pages: list[Page] = []
    complaints: list[str] = []

    def told(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:  # `answered` names it
            complaints.append(f"console: {message.text}")

    def opened(dialog: Dialog) -> None:
        complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def asked(request: Request | WebSocket) -> None:
        if not local(request.url):
            complaints.append(f"request: {request.url}")

    def answered(response: Response) -> None:
        # Streamlit looks for its server below every part of a page's path first.
        if response.status >= 400 and "/_stcore/" not in response.url:
            complaints.append(f"{response.status}: {response.url}")

    def open_page(address: str, ready: str = ".picture table", **options: Any) -> Page:
        page = context_of(browser, {"viewport": {"width": 1440, "height": 900}, "locale": "en-GB"} | options).new_page()
        opened_pages.append(page)
        page.on("console", told)
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", opened)
        page.on("request", asked)
        page.on("response", answered)
        page.on("websocket", asked)
        page.goto(address)
        try:
            page.wait_for_selector(ready, timeout=60_000)  # the first page of a server may have to load a model
            if address.startswith("http"):
                said(page)
        except TimeoutError as error:
            raise AssertionError(f"{ready} did not come on {page.url}: {page.inner_text('body')[:2000]}") from error
        return page

    yield open_page
    for page in opened_pages:
        if not page.is_closed():
            leave(page)
    assert not complaints


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """`watching`, for one test."""
    with watching(browser) as open_page:
        yield open_page


@pytest.fixture
def mount(browser: Browser) -> Iterator[Callable[..., Any]]:
    """Puts a component on a page of its own (mounted.py), which is closed after the test."""
    from tests.browser.mounted import Mounted  # whose pages are made here

    with ExitStack() as stack:

        def mounted(name: str, packed: bool = False) -> Mounted:
            made = Mounted(browser, name, packed)
            stack.callback(made.close)
            return made

        yield mounted
