"""How fast the app is in a real Chromium: `python -m tests.browser.speed [--times N]`.

Prints for each promise what was measured, the median of N times (10), and what was promised; exits with 1 if a promise
is broken. To be run on a machine that does nothing else. What every machine does at its own pace is measured beside a
bare Streamlit app (bare/app.py: one text box, one line), alternately, and promised as a ratio of the two medians.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page, WebSocket

from model.paths import ROOT
from tests.browser.running import BARE, chromium, local, serving, starting

PATIENCE = 120_000  # milliseconds
KEEPING = {"PYTHONDONTWRITEBYTECODE": ""}  # as readers have it: only a server's very first start compiles the modules
WINDOW = 3.0  # seconds of playing that one count of frames takes

# About thirty pieces on either side.
LONG = (
    "Yesterday evening my sister and her two children walked along the river to the old bridge, "
    "where they waited for the last bus to the village."
)

# Notes what moves without being asked to, from before the page's own scripts on.
SHIFTS = """
  window.shifts = []
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => entry.value)))
    .observe({ type: "layout-shift", buffered: true })
"""
FIND = "[...document.querySelectorAll('*')].map(node => node.shadowRoot?.querySelector('{}')).find(Boolean)"
PICTURE, PLAYER = FIND.format(".picture"), FIND.format(".player")

# From Enter to the frame after the one in which something else stands there.
CHANGE = """() => {{
  const before = {0}
  window.painted = new Promise((tell) => addEventListener("keydown", (event) => {{
    if (event.key !== "Enter") return
    const began = event.timeStamp
    const look = () => {{
      if ({0} === before) return requestAnimationFrame(look)
      requestAnimationFrame(() => setTimeout(() => tell(performance.now() - began)))
    }}
    look()
  }}, {{ capture: true, once: true }}))
}}"""
ENTER = CHANGE.format(f"({PICTURE})?.data?.of")
BARE_ENTER = CHANGE.format("document.querySelector('.line')?.textContent")

GAPS = """(seconds) => new Promise((tell) => {
  const gaps = []
  let last = 0
  const look = (now) => {
    if (last) gaps.push(now - last)
    last = now
    if (gaps.reduce((sum, gap) => sum + gap, 0) < 1000 * seconds) requestAnimationFrame(look)
    else tell(gaps)
  }
  requestAnimationFrame(look)
})"""


def twenty_words() -> Iterator[str]:
    """Sentences of twenty words each, all different."""
    for who, what, when in product(
        ("farmer", "doctor", "painter"), ("house", "table", "window", "bicycle"), ("winter", "summer")
    ):
        yield (f"The old {who} who lives near the river wants to buy a new {what} for his daughter before the {when}.")


@dataclass
class Heard:
    """What went over the wire: bytes of WebSockets, and requests to other hosts."""

    size: int = 0
    strangers: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        def opened(socket: WebSocket) -> None:
            self._asked(socket.url)
            socket.on("framereceived", self._came)
            socket.on("framesent", self._came)

        page.on("request", lambda request: self._asked(request.url))
        page.on("websocket", opened)

    def _asked(self, url: str) -> None:
        if not local(url):
            self.strangers.append(url)

    def _came(self, frame: str | bytes) -> None:
        self.size += len(frame)


@contextmanager
def visiting(browser: Browser, heard: Heard) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(SHIFTS)
    heard.listen(page)
    yield page
    context.close()


def painted(page: Page, selector: str) -> None:
    """Wait until what `selector` finds is on the screen."""
    page.wait_for_selector(selector)
    page.evaluate("new Promise((tell) => requestAnimationFrame(() => setTimeout(tell)))")


def opened(browser: Browser, heard: Heard, folder: Path, selector: str) -> tuple[float, float]:
    """Seconds from `streamlit run` in a folder to what `selector` finds on the screen, and how far things moved."""
    with visiting(browser, heard) as page:
        began = time.monotonic()
        with starting(folder, environment=KEEPING) as server:
            server.await_answer(0.01)
            page.goto(server.address, wait_until="commit")
            painted(page, selector)
            seconds = time.monotonic() - began
            page.wait_for_timeout(1000)  # what comes late must not move anything either
            return seconds, sum(page.evaluate("window.shifts"))


def starts(browser: Browser, heard: Heard, times: int) -> tuple[list[float], list[float], list[float]]:
    """Seconds to the first picture of fresh servers, of the bare app beside them, and how far ours moved meanwhile."""
    ours, bare, shifts = [], [], []
    for _ in range(times):
        bare.append(opened(browser, heard, BARE, ".line")[0])
        seconds, moved = opened(browser, heard, ROOT, ".picture table")
        ours.append(seconds)
        shifts.append(moved)
    return ours, bare, shifts


@dataclass
class Entered:
    """Milliseconds from Enter to the painted answer, and how far things moved on our page."""

    new: list[float] = field(default_factory=list)  # sentences of twenty words that nobody has asked for yet
    known: list[float] = field(default_factory=list)  # the same ones asked for again
    bare: list[float] = field(default_factory=list)  # the bare app's line
    shifts: list[float] = field(default_factory=list)


def entered(page: Page, box: str, text: str, watch: str) -> float:
    """Milliseconds from Enter in the box to the frame after what `watch` looks at has changed."""
    page.locator(box).fill(text)
    page.wait_for_timeout(300)
    page.evaluate("window.shifts = []")
    page.evaluate(watch)
    page.locator(box).press("Enter")
    took: float = page.evaluate("window.painted")
    page.wait_for_timeout(300)
    return took


def enters(browser: Browser, heard: Heard, address: str, times: int) -> Entered:
    """Type sentences of twenty words into our page and into the bare one, in turns."""
    found, coming = Entered(), list(islice(twenty_words(), times + 2))
    with serving(BARE) as bare, visiting(browser, heard) as page, visiting(browser, heard) as beside:
        page.goto(address)
        painted(page, ".picture table")
        beside.goto(bare)
        painted(beside, ".line")
        for number, sentence in enumerate(coming):
            line = entered(beside, "input", sentence + "." * number, BARE_ENTER)
            new = entered(page, ".st-key-sentence textarea", sentence, ENTER)
            moved = sum(page.evaluate("window.shifts"))
            known = entered(page, ".st-key-sentence textarea", coming[number - 1], ENTER) if number else new
            if number >= 2:  # the first ones load the models and warm everything up
                for values, value in zip(
                    (found.new, found.known, found.bare, found.shifts), (new, known, line, moved), strict=True
                ):
                    values.append(value)
    return found


@dataclass
class Played:
    """Playing one sentence: its source and target pieces, frames a second in each window, every gap between two frames
    in milliseconds, bytes over the wire meanwhile, and whether it played to the end of the measuring."""

    pieces: tuple[int, int]
    rates: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    size: int = 0
    playing: bool = False


def playing(browser: Browser, heard: Heard, address: str, times: int) -> Played:
    """Play a sentence of about 30 by 30 pieces."""
    with visiting(browser, heard) as page:
        page.goto(f"{address}/step_by_step?sentence={quote(LONG)}")
        painted(page, ".player")
        page.wait_for_function(f"text => ({PLAYER})?.player.data.sentence === text", arg=LONG)
        source, target = page.evaluate(
            f"(({{ source, steps }}) => [source.length, steps.length])({PLAYER}.player.data)"
        )
        played = Played((source, target))
        page.locator(".player").focus()
        page.wait_for_timeout(2000)  # whatever follows the opening is over
        page.keyboard.press("Space")
        page.wait_for_timeout(500)
        before = heard.size
        for _ in range(times):
            gaps: list[float] = page.evaluate(GAPS, WINDOW)
            played.gaps += gaps
            played.rates.append(1000 * len(gaps) / sum(gaps))
        played.size = heard.size - before
        played.playing = page.evaluate(f"{PLAYER}.player.clock.isPlaying")
    return played


def report(label: str, values: list[float], unit: str, digits: int, promise: float, at_least: bool = False) -> bool:
    """Print the median with the range and whether the promise is kept."""
    median = statistics.median(values)
    kept = median >= promise if at_least else median <= promise
    spread = f"{min(values):.{digits}f} to {max(values):.{digits}f}"
    sign = "at least" if at_least else "at most"
    print(f"{label}: {median:.{digits}f} {unit} ({spread}; {sign} {promise:g}){'' if kept else '  BROKEN'}", flush=True)
    return kept


def beside(label: str, ours: list[float], bare: list[float], unit: str, digits: int, promise: float) -> bool:
    """Print the ratio of the two medians, both of them, and whether the promise is kept."""
    mine, other = statistics.median(ours), statistics.median(bare)
    kept = mine / other <= promise
    medians = f"{mine:.{digits}f} {unit} against {other:.{digits}f}"
    print(f"{label}: {mine / other:.2f} x ({medians}; at most {promise:g}){'' if kept else '  BROKEN'}", flush=True)
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--times", type=int, default=10, help="how often each thing is measured")
    times = parser.parse_args().times
    heard = Heard()
    with chromium() as browser:
        seconds, bare, opening_shifts = starts(browser, heard, times)
        kept = [report("streamlit run to the first picture", seconds, "s", 2, 3.5)]
        kept.append(beside("the same beside a bare app", seconds, bare, "s", 2, 1.2))
        kept.append(report("layout shift while it opens", opening_shifts, "", 3, 0.05))
        with serving() as address:
            found = enters(browser, heard, address, times)
            kept.append(report("Enter to the painted translation of 20 words", found.new, "ms", 0, 350))
            kept.append(beside("the same beside a bare app", found.new, found.bare, "ms", 0, 2.0))
            kept.append(beside("a sentence known already", found.known, found.bare, "ms", 0, 1.5))
            kept.append(report("layout shift after Enter", found.shifts, "", 3, 0.05))
            played = playing(browser, heard, address, times)
    slowest = sorted(played.gaps)[-max(1, len(played.gaps) // 20) :]
    print("playing {} x {} pieces, {:g} s at a time".format(*played.pieces, WINDOW))
    kept.append(played.playing and report("frames a second", played.rates, "/s", 1, 55, at_least=True))
    kept.append(report("where the slowest twentieth of the gaps begins", slowest[:1], "ms", 0, 50))
    kept.append(report("bytes over the wire", [played.size], "bytes", 0, 0))
    kept.append(report("requests to other hosts", [len(heard.strangers)], "", 0, 0))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
