"""How soon a changed row of attention is answered, in a real Chromium: `python -m tests.browser.console_speed`.

On the laboratory's page a sentence of 25 words that nobody has asked for is typed, and then one of its rows is dragged
and let go, in turns; promised is that letting go takes at most twice what Enter takes. Prints both medians of N times
(10) and exits with 1 if the promise is broken. To be run on a machine that does nothing else.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import islice, product

from playwright.sync_api import Page

from tests.browser.running import chromium, serving
from tests.browser.speed import CHANGE, FIND, Heard, beside, entered, painted, report, visiting

CONSOLE = FIND.format(".console")
SHOWN = f"({CONSOLE})?.data?.of"
ENTER = CHANGE.format(SHOWN)
LET_GO = ENTER.replace('"keydown"', '"pointerup"').replace('if (event.key !== "Enter") return', "")
BOX = ".st-key-sentence textarea"


def twenty_five_words() -> Iterator[str]:
    """Sentences of 25 words each, all different."""
    for who, what, when in product(
        ("farmer", "doctor", "painter"), ("bridge", "station", "market", "school"), ("winter", "summer")
    ):
        yield (f"Yesterday evening the {who} and his two children walked along the river to the new {what}, where they "
               f"waited for the last bus in {when}.")  # fmt: skip


def let_go(page: Page, step: int, place: int) -> float:
    """Milliseconds from letting go of a dragged bar to the frame after what the console shows has changed."""
    page.locator(f'.step[data-step="{step}"]').click()
    bar = page.locator(f'.bar[data-place="{place}"]').bounding_box()
    assert bar is not None
    x, foot = bar["x"] + bar["width"] / 2, bar["y"] + bar["height"]
    page.mouse.move(x, foot - 8)
    page.mouse.down()
    page.mouse.move(x, foot - 8 - 0.6 * bar["height"], steps=5)
    page.evaluate("window.shifts = []")
    page.evaluate(LET_GO)
    page.mouse.up()
    took: float = page.evaluate("window.painted")
    page.wait_for_timeout(300)
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--times", type=int, default=10, help="how often each thing is measured")
    times = parser.parse_args().times
    heard, enters, gone, shifts = Heard(), list[float](), list[float](), list[float]()
    with chromium() as browser, serving() as address, visiting(browser, heard) as page:
        page.goto(f"{address}/laboratory")
        painted(page, ".console .bar")
        for number, sentence in enumerate(islice(twenty_five_words(), times + 2)):
            asked = entered(page, BOX, sentence, ENTER)
            answered = let_go(page, step=3, place=9)
            if number >= 2:  # the first ones load the model and warm everything up
                enters.append(asked)
                gone.append(answered)
                shifts.append(sum(page.evaluate("window.shifts")))
            page.locator("button.none").click()
            page.wait_for_function(f"() => ({CONSOLE})?.data?.after === null")
    kept = [beside("letting go, beside Enter, 25 words", gone, enters, "ms", 0, 2.0)]
    kept.append(report("layout shift after letting go", shifts, "", 3, 0.05))
    kept.append(report("requests to other hosts", [len(heard.strangers)], "", 0, 0))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
