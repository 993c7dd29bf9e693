"""Measure a vote: `python -m tests.browser.voters [--readers N] [--within S] [--processes N]`.

A real browser shows the vote's dialog. Each phone has its own connection and sends what the phones' page sends. All
choose within some seconds, every fifth twice. Meanwhile another reader translates. Prints the waits and the projector's
frames; exits with 1 if the projector's counts differ from what the phones chose last.
"""

import argparse
import http.client
import json
import random
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.browser.proxied import add_server_options, open_server
from tests.browser.readers import Reader, generate_sentences
from tests.browser.running import launch_chromium, settle_presentation

TIMEOUT = 120.0  # seconds
_MEASURE_FRAMES = """() => {
  window.gaps = []
  let last = performance.now()
  const step = (now) => { gaps.push(now - last); last = now; requestAnimationFrame(step) }
  requestAnimationFrame(step)
}"""


class Phone:
    """One phone: joins a room, waits for the question, and chooses."""

    def __init__(self, address: str, room: str, seed: int) -> None:
        url = urlsplit(address)
        self._connection = http.client.HTTPConnection(str(url.hostname), url.port, timeout=TIMEOUT)
        self._path, self._random = f"{url.path.rstrip('/')}/vote/{room}", random.Random(seed)
        self._cookie = ""
        self.asked_at, self.choice = 0.0, -1
        self.waits: list[float] = []

    def join(self) -> int:
        """Open the page and join; return the room's version."""
        self._request("GET", "")
        version: int = self._request("GET", "/state")["version"]
        return version

    def wait_for_question(self, version: int) -> dict[str, Any]:
        state = self._request("GET", f"/state?version={version}")
        while state["phase"] != "open":
            state = self._request("GET", f"/state?version={state['version']}")
        self.asked_at = time.monotonic()
        return state

    def choose(self, state: dict[str, Any]) -> None:
        self.choice = self._random.randrange(len(state["question"]["options"]))
        self._connection.close()  # the server ends what is idle; a browser opens a new one
        start = time.monotonic()
        answer = self._request("POST", "/choice", {"number": state["number"], "option": self.choice})
        self.waits.append(time.monotonic() - start)
        assert answer["choice"] == self.choice

    def _request(self, method: str, path: str, body: dict[str, int] | None = None) -> Any:
        headers = {"Cookie": self._cookie} if self._cookie else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        self._connection.request(method, self._path + path, None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        content = response.read()
        self._cookie = (response.headers["Set-Cookie"] or self._cookie).partition(";")[0]
        assert response.status == 200, content
        return json.loads(content) if path else None


def run_phone(phone: Phone, joined: threading.Barrier, delay: float, times: int, errors: list[BaseException]) -> None:
    """Let a phone choose `delay` seconds after the question came, so many times."""
    try:
        version = phone.join()
        joined.wait(TIMEOUT)
        state = phone.wait_for_question(version)
        time.sleep(delay)
        for _ in range(times):
            phone.choose(state)
    except BaseException as error:
        errors.append(error)
        joined.abort()


def read_counts(projector: Page) -> list[int]:
    """Return the counts on the projector."""
    texts = projector.locator("dialog .bars .number").all_inner_texts()
    return [int(text or "0") for text in texts]


def describe(times: Sequence[float]) -> str:
    late = statistics.quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
    return f"median {statistics.median(times):.3f}, 95th percentile {late:.3f}, slowest {max(times):.3f}"


def measure_vote(address: str, projector: Page, num_readers: int, within: float) -> int:
    """Run one vote; print what was measured, and return 1 if the counts are wrong."""
    projector.goto(f"{address}/step_by_step?present=1")
    settle_presentation(projector)
    projector.keyboard.press("v")
    code = projector.locator("dialog .room-code").inner_text()
    errors: list[BaseException] = []
    joined = threading.Barrier(num_readers + 1)
    phones = [Phone(address, code, seed) for seed in range(num_readers)]
    threads = [
        threading.Thread(
            target=run_phone, args=(phone, joined, within * k / num_readers, 1 if k % 5 else 2, errors), daemon=True
        )
        for k, phone in enumerate(phones)
    ]
    for thread in threads:
        thread.start()
    joined.wait(TIMEOUT)
    waits: list[float] = []
    sentences = generate_sentences()
    with closing(Reader(address)) as reader:
        reader.translate(next(sentences))  # loads the models
        projector.evaluate(_MEASURE_FRAMES)
        asked_at = time.monotonic()
        projector.keyboard.press("PageDown")
        while any(thread.is_alive() for thread in threads):
            waits.append(reader.translate(next(sentences)).seconds)
            projector.wait_for_timeout(200)
    if errors:
        raise errors[0]
    last = time.monotonic()
    expected = Counter(phone.choice for phone in phones)
    counts = read_counts(projector)
    while sum(counts) != num_readers and time.monotonic() - last < 10:
        projector.wait_for_timeout(50)
        counts = read_counts(projector)
    shown_after = time.monotonic() - last
    gaps: list[float] = projector.evaluate("gaps")
    projector.locator("dialog .end").click()
    choices = [wait for phone in phones for wait in phone.waits]
    print(f"{num_readers} phones, {len(choices)} choices within {within:g} s")
    print(f"until a phone had the question: {describe([phone.asked_at - asked_at for phone in phones])} s")
    print(f"until a choice was counted: {describe(choices)} s")
    print(f"until the projector showed the last one: {shown_after:.2f} s")
    print(f"frames of the projector: {1000 * len(gaps) / sum(gaps):.0f} a second, gaps {describe(gaps)} ms")
    print(f"another reader's sentences meanwhile: {describe(waits)} s")
    is_right = counts == [expected[option] for option in range(len(counts))]
    print("counts: right" if is_right else f"counts: {counts} instead of {expected}")
    return 0 if is_right else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--readers", type=int, default=100, help="how many phones choose")
    parser.add_argument("--within", type=float, default=5.0, help="seconds in which they choose")
    add_server_options(parser)
    arguments = parser.parse_args()
    with open_server(arguments) as address, launch_chromium() as browser:
        projector = browser.new_page(viewport={"width": 1280, "height": 720})
        projector.set_default_timeout(TIMEOUT * 1000)
        return measure_vote(address, projector, arguments.readers, arguments.within)


if __name__ == "__main__":
    sys.exit(main())
