"""Measure the app's speed in a real Chromium: `python -m tests.browser.speed [--times N]`.

Prints the median of N measurements (10) of each quantity and its limit; exits with 1 if one exceeds it. Run it on an
idle machine. What depends on the machine is measured alternately with a bare Streamlit app (bare/app.py), and limited
as a ratio of the two medians.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice, product
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page, WebSocket

from model.paths import ROOT
from tests.browser.running import BARE, is_local, launch_chromium, run_server, start_server

ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": ""}  # only the very first start of a server compiles its modules
WINDOW = 3.0  # seconds of one measurement of the frame rate
BOX = ".st-key-sentence textarea"

# About thirty pieces on either side.
LONG = (
    "Yesterday evening my sister and her two children walked along the river to the old bridge, "
    "where they waited for the last bus to the village."
)

# Records layout shifts from before the page's own scripts.
RECORD_SHIFTS = """
  window.shifts = []
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => entry.value)))
    .observe({ type: "layout-shift", buffered: true })
"""
FIND = "[...document.querySelectorAll('*')].map(node => node.shadowRoot?.querySelector('{}')).find(Boolean)"
PICTURE, PLAYER = FIND.format(".picture"), FIND.format(".player")

# The time from Enter to the frame after the one in which the value changes.
MEASURE_CHANGE = """() => {{
  const before = {0}
  window.painted = new Promise((resolve) => addEventListener("keydown", (event) => {{
    if (event.key !== "Enter") return
    const start = event.timeStamp
    const check = () => {{
      if ({0} === before) return requestAnimationFrame(check)
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
    }}
    check()
  }}, {{ capture: true, once: true }}))
}}"""
MEASURE_PICTURE = MEASURE_CHANGE.format(f"({PICTURE})?.data?.of")
MEASURE_LINE = MEASURE_CHANGE.format("document.querySelector('.line')?.textContent")

MEASURE_GAPS = """(seconds) => new Promise((resolve) => {
  const gaps = []
  let last = 0
  const record = (now) => {
    if (last) gaps.push(now - last)
    last = now
    if (gaps.reduce((sum, gap) => sum + gap, 0) < 1000 * seconds) requestAnimationFrame(record)
    else resolve(gaps)
  }
  requestAnimationFrame(record)
})"""


def generate_sentences() -> Iterator[str]:
    """Yield different sentences of twenty words."""
    for who, what, when in product(
        ("farmer", "doctor", "painter"), ("house", "table", "window", "bicycle"), ("winter", "summer")
    ):
        yield f"The old {who} who lives near the river wants to buy a new {what} for his daughter before the {when}."


class Traffic:
    """Counts the bytes of WebSockets, and lists requests to other hosts."""

    def __init__(self) -> None:
        self.num_bytes, self.foreign_urls = 0, list[str]()

    def listen(self, page: Page) -> None:
        def on_websocket(socket: WebSocket) -> None:
            self._add_url(socket.url)
            socket.on("framereceived", self._add_frame)
            socket.on("framesent", self._add_frame)

        page.on("request", lambda request: self._add_url(request.url))
        page.on("websocket", on_websocket)

    def _add_url(self, url: str) -> None:
        if not is_local(url):
            self.foreign_urls.append(url)

    def _add_frame(self, frame: str | bytes) -> None:
        self.num_bytes += len(frame)


@contextmanager
def open_page(browser: Browser, traffic: Traffic) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.add_init_script(RECORD_SHIFTS)
    traffic.listen(page)
    yield page
    context.close()


def wait_for_paint(page: Page, selector: str) -> None:
    page.wait_for_selector(selector)
    page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")


def measure_start(browser: Browser, traffic: Traffic, folder: Path, selector: str) -> tuple[float, float]:
    """Return the seconds from `streamlit run` to the painted selector, and the layout shift."""
    with open_page(browser, traffic) as page:
        start = time.monotonic()
        with start_server(folder, environment=ENVIRONMENT) as server:
            server.wait_until_ready(0.01)
            page.goto(server.address, wait_until="commit")
            wait_for_paint(page, selector)
            seconds = time.monotonic() - start
            page.wait_for_timeout(1000)  # for late shifts
            return seconds, sum(page.evaluate("window.shifts"))


def measure_enter(page: Page, box: str, text: str, measure: str) -> float:
    """Return the milliseconds from Enter in the box to the paint of what `measure` watches."""
    page.locator(box).fill(text)
    page.wait_for_timeout(300)
    page.evaluate("window.shifts = []")
    page.evaluate(measure)
    page.locator(box).press("Enter")
    milliseconds: float = page.evaluate("window.painted")
    page.wait_for_timeout(300)
    return milliseconds


def measure_translations(browser: Browser, traffic: Traffic, address: str, times: int) -> list[tuple[float, ...]]:
    """Return for each sentence the milliseconds of a new translation, of a repeated one and of the bare app, and the
    layout shift of the first."""
    measurements, sentences = list[tuple[float, ...]](), list(islice(generate_sentences(), times + 2))
    with run_server(BARE) as bare, open_page(browser, traffic) as page, open_page(browser, traffic) as bare_page:
        page.goto(address)
        wait_for_paint(page, ".picture table")
        bare_page.goto(bare)
        wait_for_paint(bare_page, ".line")
        for number, sentence in enumerate(sentences):
            line = measure_enter(bare_page, "input", sentence + "." * number, MEASURE_LINE)
            new = measure_enter(page, BOX, sentence, MEASURE_PICTURE)
            shift = sum(page.evaluate("window.shifts"))
            repeated = measure_enter(page, BOX, sentences[number - 1], MEASURE_PICTURE) if number else new
            measurements.append((new, repeated, line, shift))
    return measurements[2:]  # the first ones load the models


def measure_player(
    browser: Browser, traffic: Traffic, address: str, times: int
) -> tuple[list[float], list[float], int]:
    """Play a long sentence; return the frames per second, the gaps between frames in ms, and the bytes sent."""
    rates, all_gaps = list[float](), list[float]()
    with open_page(browser, traffic) as page:
        page.goto(f"{address}/step_by_step?sentence={quote(LONG)}")
        wait_for_paint(page, ".player")
        page.wait_for_function(f"text => ({PLAYER})?.player.data.sentence === text", arg=LONG)
        size = page.evaluate(f"(({{ source, steps }}) => [source.length, steps.length])({PLAYER}.player.data)")
        print("playing {} x {} pieces, {:g} s at a time".format(*size, WINDOW))
        page.locator(".player").focus()
        page.wait_for_timeout(2000)
        page.keyboard.press("Space")
        page.wait_for_timeout(500)
        before = traffic.num_bytes
        for _ in range(times):
            gaps: list[float] = page.evaluate(MEASURE_GAPS, WINDOW)
            all_gaps += gaps
            rates.append(1000 * len(gaps) / sum(gaps))
        assert page.evaluate(f"{PLAYER}.player.clock.isPlaying"), "the sentence was too short"
    return rates, all_gaps, traffic.num_bytes - before


def report(label: str, values: list[float], unit: str, digits: int, limit: float, is_minimum: bool = False) -> bool:
    """Print the median and the range; return whether the median is within the limit."""
    median = statistics.median(values)
    is_within = median >= limit if is_minimum else median <= limit
    spread = f"{min(values):.{digits}f} to {max(values):.{digits}f}"
    sign = "at least" if is_minimum else "at most"
    print(f"{label}: {median:.{digits}f} {unit} ({spread}; {sign} {limit:g}){'' if is_within else '  BROKEN'}",
          flush=True)  # fmt: skip
    return is_within


def report_ratio(label: str, values: list[float], bare: list[float], unit: str, digits: int, limit: float) -> bool:
    """Print both medians and their ratio; return whether it is within the limit."""
    median, bare_median = statistics.median(values), statistics.median(bare)
    is_within = median / bare_median <= limit
    medians = f"{median:.{digits}f} {unit} against {bare_median:.{digits}f}"
    print(f"{label}: {median / bare_median:.2f} x ({medians}; at most {limit:g}){'' if is_within else '  BROKEN'}",
          flush=True)  # fmt: skip
    return is_within


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--times", type=int, default=10, help="how often each quantity is measured")
    times = parser.parse_args().times
    traffic = Traffic()
    with launch_chromium() as browser:
        bare_seconds, seconds, shifts = [], [], []
        for _ in range(times):
            bare_seconds.append(measure_start(browser, traffic, BARE, ".line")[0])
            taken, shift = measure_start(browser, traffic, ROOT, ".picture table")
            seconds.append(taken)
            shifts.append(shift)
        results = [report("streamlit run to the first picture", seconds, "s", 2, 3.5)]
        results.append(report_ratio("the same beside a bare app", seconds, bare_seconds, "s", 2, 1.2))
        results.append(report("layout shift while it opens", shifts, "", 3, 0.05))
        with run_server() as address:
            columns = zip(*measure_translations(browser, traffic, address, times), strict=True)
            new, repeated, line, shifts = map(list, columns)
            results.append(report("Enter to the painted translation of 20 words", new, "ms", 0, 350))
            results.append(report_ratio("the same beside a bare app", new, line, "ms", 0, 2.0))
            results.append(report_ratio("the same, asked before", repeated, line, "ms", 0, 1.5))
            results.append(report("layout shift after Enter", shifts, "", 3, 0.05))
            rates, gaps, num_bytes = measure_player(browser, traffic, address, times)
    slowest = sorted(gaps)[-max(1, len(gaps) // 20) :]
    results.append(report("frames per second", rates, "/s", 1, 55, is_minimum=True))
    results.append(report("where the slowest twentieth of the gaps begins", slowest[:1], "ms", 0, 50))
    results.append(report("bytes over the wire", [num_bytes], "bytes", 0, 0))
    results.append(report("requests to other hosts", [len(traffic.foreign_urls)], "", 0, 0))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
