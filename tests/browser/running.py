"""Servers of the app on free loopback ports, a headless Chromium, and helpers for pages of the app."""

import inspect
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, FilePayload, FloatRect, Locator, Page, expect, sync_playwright

from model.paths import ROOT
from pages import list_pages

BARE = Path(__file__).parent / "bare"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAX_TRIES = 3  # ports
NO_DOUBLE_PRESS = 300  # milliseconds between two presses that count as two
CHROMIUM_OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
                    "--no-first-run", "--disable-sync")  # fmt: skip


class PortTaken(RuntimeError):
    """Another process took the port before the server did."""


@dataclass(frozen=True)
class Server:
    """A started server: its address, its process, and the file of its output."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path

    def wait_until_ready(self, pause: float = 0.1) -> None:
        """Poll until the server answers.

        Raises PortTaken if another process has its port, RuntimeError if it ends or takes more than two minutes.
        """
        deadline = time.monotonic() + 120
        while not self._is_ready():
            has_ended = self.process.poll() is not None
            output = self.log.read_text("utf-8", "replace")
            if has_ended and re.search(r"Port \d+ is not available", output):
                raise PortTaken(output)
            if has_ended or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start: {output}")
            time.sleep(pause)

    def _is_ready(self) -> bool:
        # Another server may answer on this port: the log says whether this one has it.
        if self.address not in self.log.read_text("utf-8", "replace"):
            return False
        try:
            urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=1).close()
        except OSError:
            return False
        return True


@contextmanager
def start_server(
    folder: Path = ROOT,
    preload: str = "",
    environment: Mapping[str, str] | None = None,
    arguments: Sequence[str] = (),
) -> Iterator[Server]:
    """Start the app.py of a folder on a free port without waiting for it. `preload`: a module to import first.
    `arguments`: for app.py."""
    port = find_free_port()
    start = ["-c", f"import {preload}, streamlit.web.cli; streamlit.web.cli.main()"] if preload else ["-m", "streamlit"]
    command = [sys.executable, *start, "run", "app.py", "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.address", "127.0.0.1", "--browser.gatherUsageStats", "false"]
    command += ["--", *arguments] if arguments else []
    with tempfile.TemporaryDirectory() as folder_of_log:
        log = Path(folder_of_log) / "log.txt"  # a pipe that nobody reads would block the server once it is full
        with log.open("wb") as file:
            process = subprocess.Popen(command, cwd=folder, env={**os.environ, **(environment or {})},
                                       stdout=file, stderr=subprocess.STDOUT)  # fmt: skip
        try:
            yield Server(f"http://127.0.0.1:{port}", process, log)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:  # busy loading a model
                process.kill()
                process.wait()


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def run_server(folder: Path = ROOT, preload: str = "", environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """Start a server as `start_server` does and wait until it answers; yield its address."""
    for tries_left in reversed(range(MAX_TRIES)):
        with start_server(folder, preload, environment) as server:
            try:
                server.wait_until_ready()
            except PortTaken:
                if tries_left:
                    continue
                raise
            yield server.address
            return


@contextmanager
def launch_chromium() -> Iterator[Browser]:
    """Start the installed Chromium or Chrome, headless and without background requests."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, channel=None if path else "chrome", args=list(CHROMIUM_OPTIONS)
        )
        yield browser
        browser.close()


def wait_for_script(page: Page) -> None:
    """Wait until the page's script has run and the frame listens to keys."""
    page.wait_for_selector(".stApp[data-test-script-state='notRunning'] .st-key-sheet", timeout=120_000)
    page.wait_for_selector(".frame .bar", state="attached", timeout=120_000)


def settle(page: Page) -> None:
    """Wait until the page's script has run and everything is drawn."""
    wait_for_script(page)
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')", timeout=120_000)
    page.evaluate("document.fonts.ready.then(() => {})")
    page.wait_for_timeout(400)  # fades end


def settle_presentation(page: Page) -> None:
    """Wait until a presented page is drawn and has been scrolled to its first stop (frame.js)."""
    settle(page)
    page.wait_for_selector(".frame.whole", state="attached", timeout=120_000)


def list_addresses() -> list[str]:
    """Return the path of every page below the root, in the order of the navigation."""
    # st.Page knows its path only while the app runs. It is the file's name, or "" for the default page.
    files = re.findall(r'st\.Page\("pages/(\w+)\.py"(.*)', inspect.getsource(list_pages))
    return ["" if "default=True" in rest else name for name, rest in files]


def is_local(url: str) -> bool:
    """Return whether a request stays on this machine."""
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob", "about", "file") or parts.hostname in ("127.0.0.1", "localhost")


def get_box(node: Locator) -> FloatRect:
    """Return the position and size of a node that is drawn."""
    box = node.bounding_box()
    assert box is not None
    return box


def choose_model(page: Page, title: str) -> None:
    """Choose a model in the list of models, or by its button if there are few."""
    choice = page.locator(".st-key-model")
    button, selectbox = choice.get_by_role("radio", name=title, exact=True), choice.get_by_role("combobox")
    expect(button.or_(selectbox).first).to_be_visible()
    if selectbox.count():
        selectbox.click()
        page.get_by_role("option", name=title, exact=True).click()
    else:
        button.click()


def expect_model(page: Page, title: str) -> None:
    """Expect that this model is chosen."""
    choice = page.locator(".st-key-model")
    button, selectbox = choice.get_by_role("radio", name=title, checked=True), choice.get_by_role("combobox")
    expect(button.or_(selectbox).first).to_be_visible()
    if selectbox.count():
        expect(selectbox).to_have_value(title)


def enter(page: Page, text: str) -> None:
    """Type a sentence into the box and submit it."""
    box = page.locator(".st-key-sentence textarea")
    box.fill(text)
    box.press("Enter")


def list_highlighted(words: Locator) -> list[str]:
    """Return the words that have at least half of the full highlight."""
    return words.evaluate_all(
        """nodes => nodes.filter(node => getComputedStyle(node).getPropertyValue("--lit") >= 0.5)
                         .map(node => node.textContent)"""
    )


def is_presenting(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.hasAttribute('data-presenting')"))


def upload(page: Page, file: FilePayload | Path) -> None:
    """Upload a file on Your text and wait until the server has it, after it has deleted the one before."""
    with page.expect_response(lambda response: "/upload_file/" in response.url and response.request.method == "PUT"):
        page.locator(".st-key-uploaded input[type=file]").set_input_files(file)
