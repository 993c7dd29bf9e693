"""The app running on a free loopback port, and the machine's Chromium: for the browser tests and the screenshots."""

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
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, FilePayload, Page, expect, sync_playwright

from model.paths import ROOT
from pages import list_pages

BARE = Path(__file__).parent / "bare"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TRIES = 3  # ports
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--no-first-run", "--disable-sync")  # fmt: skip


class PortTaken(RuntimeError):
    """Somebody else took the port before the server did."""


@dataclass(frozen=True)
class Server:
    """A server that was begun: the address that it will have, its process, and the file that its words go into."""

    address: str
    process: subprocess.Popen[bytes]
    words: Path

    def await_answer(self, pause: float = 0.1) -> None:
        """Wait until it answers, asking every `pause` seconds; PortTaken if another one has its port, RuntimeError if
        it ends or takes a minute."""
        deadline = time.monotonic() + 60
        while not self._answers():
            ended = self.process.poll() is not None
            said = self.words.read_text("utf-8", "replace")
            if ended and re.search(r"Port \d+ is not available", said):
                raise PortTaken(said)
            if ended or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start: {said}")
            time.sleep(pause)

    def _answers(self) -> bool:
        """Whether it is there. On a port that another one has, that one answers: only the server itself says that it
        has it."""
        if self.address not in self.words.read_text("utf-8", "replace"):
            return False
        try:
            urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=1).close()
        except OSError:
            return False
        return True


@contextmanager
def starting(
    folder: Path = ROOT, first: str = "", environment: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Start the app (or the app.py of another folder) on a free loopback port; gives the server at once. `first`: a
    module that the server imports before all else."""
    port = free_port()
    begin = ["-c", f"import {first}, streamlit.web.cli; streamlit.web.cli.main()"] if first else ["-m", "streamlit"]
    command = [sys.executable, *begin, "run", "app.py", "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.address", "127.0.0.1", "--browser.gatherUsageStats", "false"]
    with tempfile.TemporaryDirectory() as kept:
        words = Path(kept) / "words.txt"  # a pipe that nobody reads would hold the server up once it is full
        with words.open("wb") as file:
            process = subprocess.Popen(command, cwd=folder, env={**os.environ, **(environment or {})},
                                       stdout=file, stderr=subprocess.STDOUT)  # fmt: skip
        try:
            yield Server(f"http://127.0.0.1:{port}", process, words)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:  # busy loading a model
                process.kill()
                process.wait()


def free_port() -> int:
    """A port of the loopback that nobody has, as yet."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(folder: Path = ROOT, first: str = "", environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """Start the app (or the app.py of another folder) on a free loopback port, another one where somebody takes it
    first, and wait until it answers; gives its address."""
    for left in reversed(range(TRIES)):
        with starting(folder, first, environment) as server:
            try:
                server.await_answer()
            except PortTaken:
                if left:
                    continue
                raise
            yield server.address
            return


@contextmanager
def chromium() -> Iterator[Browser]:
    """The machine's Chromium or Chrome, headless and asking nobody for anything."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, channel=None if path else "chrome", args=list(QUIET))
        yield browser
        browser.close()


def said(page: Page, patience: float = 60_000) -> None:
    """Wait until the server has nothing more to say of the page of the app, and the frame hears the keys."""
    page.wait_for_selector(".stApp[data-test-script-state='notRunning'] .st-key-sheet", timeout=patience)
    page.wait_for_selector(".frame button", timeout=patience)


def settled(page: Page, patience: float = 60_000) -> None:
    """Wait until all of the page of the app is said and drawn."""
    said(page, patience)
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')", timeout=patience)
    page.evaluate("document.fonts.ready.then(() => {})")
    page.wait_for_timeout(500)  # what fades in has faded in


def brought(page: Page, patience: float = 60_000) -> None:
    """Wait until a page that is presented stands where its walk begins, and has stood so for a while (frame.js)."""
    settled(page, patience)
    page.wait_for_selector(".frame.whole", state="attached", timeout=patience)


def addresses() -> list[str]:
    """Where each page of the app stands below its root, in the order of the navigation."""
    # st.Page knows where it stands only while the app runs; the file's name is the page's address, the default's "".
    files = re.findall(r'st\.Page\("pages/(\w+)\.py"(.*)', inspect.getsource(list_pages))
    return ["" if "default=True" in more else name for name, more in files]


def local(url: str) -> bool:
    """Whether a request stays on this machine."""
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob", "about", "file") or parts.hostname in ("127.0.0.1", "localhost")


def choose_model(page: Page, title: str) -> None:
    """Choose a model by its title: in the list, or by its button where there are few."""
    place = page.locator(".st-key-model")
    button, among = place.get_by_role("radio", name=title, exact=True), place.get_by_role("combobox")
    expect(button.or_(among).first).to_be_visible()  # which of the two it is can't be told before it is drawn
    if among.count():
        among.click()
        page.get_by_role("option", name=title, exact=True).click()
    else:
        button.click()


def expect_model(page: Page, title: str) -> None:
    """The model of that title is the chosen one: in the list, or by its button where there are few."""
    place = page.locator(".st-key-model")
    button, among = place.get_by_role("radio", name=title, checked=True), place.get_by_role("combobox")
    expect(button.or_(among).first).to_be_visible()
    if among.count():
        expect(among).to_have_value(title)


def upload(page: Page, file: FilePayload | Path) -> None:
    """Choose a file on Your own text and wait until the server has it: the button that begins rests meanwhile, and a
    click that comes down before and goes up after is none."""
    with page.expect_response(lambda response: "/upload_file/" in response.url):
        page.locator(".st-key-uploaded input[type=file]").set_input_files(file)
