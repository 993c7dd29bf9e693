"""A file of 2,000 sentences, and a reader beside it: `python -m tests.browser.long_file [--sentences N]`.

In a real Chromium the file goes through two models on the page Your own text; meanwhile another reader puts one
sentence after the other into the box of the first page. Prints how long the file took, how long the other reader
waited, and how long each download took after the click. To be run on a machine that does nothing else.
"""

import argparse
import statistics
import sys
import tempfile
import time
from contextlib import closing
from itertools import cycle, islice, product
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.readers import Reader, sentences
from tests.browser.running import chromium, serving, upload

PATIENCE = 1_800_000  # milliseconds
PAUSE = 3.0  # seconds that the other reader looks at a picture
DOWNLOADS = ("CSV of all sentences", "Traces (JSON)", "Pharaoh", "Nematus α")
_WHO = ("The teacher", "My brother", "A young woman", "The doctor", "Our neighbour")
_DOES = ("buys a red car", "sells the small house", "paints the white door", "reads two books", "finds an old chair")
_WHERE = ("in the garden", "near the river", "at the market", "behind the church")
_WHEN = ("", " today", " again", " this morning")
_WHY = ("", ", because it is cold", ", but nobody knows why", ", while the children are playing",
        ", so that everybody can see it, although the shop is closed")  # fmt: skip


def lines(count: int) -> list[str]:
    """So many sentences of this module's own making, of eight to twenty-three words; the first 2,000 all differ."""
    return ["{} {} {}{}{}.".format(*parts) for parts in
            islice(cycle(product(_WHO, _DOES, _WHERE, _WHEN, _WHY)), count)]  # fmt: skip


def start(page: Page, address: str, file: Path) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/your_text")
    page.wait_for_selector(".sentence-bars .row")
    page.get_by_role("radio", name="as a file").click()
    upload(page, file)
    page.get_by_role("button", name="Translate all").click()
    page.get_by_role("button", name="Stop, keep what is done").wait_for()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--sentences", type=int, default=2000, help="how many sentences the file has")
    count = parser.parse_args().sentences
    with tempfile.TemporaryDirectory() as folder, serving() as address, chromium() as browser:
        file = Path(folder) / "sentences.txt"
        file.write_text("\n".join(lines(count)) + "\n", encoding="utf-8")
        page = browser.new_page(locale="en-GB")
        with closing(Reader(address)) as other:
            coming = sentences()
            other.ask("The models are being loaded.")
            began = time.monotonic()
            start(page, address, file)
            waits = []
            ended = page.get_by_text("translations are there")
            while not ended.is_visible():
                waits.append(other.ask(next(coming)).seconds)
                page.wait_for_timeout(1000 * PAUSE)
            seconds = time.monotonic() - began
        print(f"{count:,} sentences through two models in {seconds:.0f} s")
        print(f"the other reader: {len(waits)} sentences, waits {statistics.median(waits):.2f} s in the median, "
              f"{max(waits):.2f} s at most")  # fmt: skip
        expect(page.locator(".sentence-bars .row").first).to_be_visible()
        for name in DOWNLOADS:
            began = time.monotonic()
            with page.expect_download() as download:
                page.get_by_role("button", name=name).first.click()
            size = Path(download.value.path()).stat().st_size
            print(f"{name}: {time.monotonic() - began:.1f} s, {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
