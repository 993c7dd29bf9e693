"""Fixtures of the browser tests: a real server on a free loopback port, and a real Chromium."""

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

from tests.browser.running import is_local, launch_chromium, run_server, wait_for_script

TIMEOUT = 120_000  # milliseconds: a busy machine may have to load a model first


@pytest.fixture(scope="session", autouse=True)
def expect_timeout() -> Iterator[None]:
    expect.set_options(timeout=TIMEOUT)
    yield
    expect.set_options(timeout=None)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The app's address, for all tests of the session."""
    with run_server() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launch_chromium() as browser:
        yield browser


_CONTEXTS: WeakKeyDictionary[Browser, dict[str, BrowserContext]] = WeakKeyDictionary()


def get_context(browser: Browser, options: dict[str, Any]) -> BrowserContext:
    """Return the browser's one context with these options.

    A new context per page would load and compile Streamlit's scripts again, and open a window: half of the time of
    opening a page. So contexts stay open, each with an empty page, and `close_page` resets them.
    """
    contexts = _CONTEXTS.setdefault(browser, {})
    key = repr(sorted(options.items()))
    if key not in contexts:
        contexts[key] = browser.new_context(**options)
        contexts[key].set_default_timeout(TIMEOUT)
        contexts[key].new_page()
    return contexts[key]


def close_page(page: Page) -> None:
    """Close a page, and clear its storage, cookies and permissions."""
    context = page.context
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear()")
    page.close()
    context.clear_cookies()
    context.clear_permissions()
    context.unroute_all()


@contextmanager
def open_pages(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens an address and waits for a selector and for the end of the page's script.

    At the end, fail if any page logged an error, opened a dialog or sent a request to another machine.
    """
    pages: list[Page] = []
    problems: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:  # `on_response` names it
            problems.append(f"console: {message.text}")

    def on_dialog(dialog: Dialog) -> None:
        problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def on_request(request: Request | WebSocket) -> None:
        if not is_local(request.url):
            problems.append(f"request: {request.url}")

    def on_response(response: Response) -> None:
        # Streamlit first looks for its server below every part of a page's path.
        if response.status >= 400 and "/_stcore/" not in response.url:
            problems.append(f"{response.status}: {response.url}")

    def open_page(address: str, ready: str = ".picture table", **options: Any) -> Page:
        options = {"viewport": {"width": 1440, "height": 900}, "locale": "en-GB"} | options
        page = get_context(browser, options).new_page()
        page.set_default_timeout(TIMEOUT)
        pages.append(page)
        page.on("console", on_console)
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("dialog", on_dialog)
        page.on("request", on_request)
        page.on("response", on_response)
        page.on("websocket", on_request)
        page.goto(address)
        try:
            page.wait_for_selector(ready, timeout=TIMEOUT)
            if address.startswith("http"):
                wait_for_script(page)
        except TimeoutError as error:
            raise AssertionError(f"no {ready} on {page.url}: {page.inner_text('body')[:2000]}") from error
        return page

    yield open_page
    for page in pages:
        if not page.is_closed():
            close_page(page)
    assert not problems


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """`open_pages` for one test."""
    with open_pages(browser) as open_page:
        yield open_page


@pytest.fixture
def mount(browser: Browser) -> Iterator[Callable[..., Any]]:
    """Return a function that mounts a component on an empty page (mounted.py), which is closed after the test."""
    from tests.browser.mounted import Mounted  # imports this module

    with ExitStack() as stack:

        def mount_component(name: str, packed: bool = False) -> Mounted:
            component = Mounted(browser, name, packed)
            stack.callback(component.close)
            return component

        yield mount_component
