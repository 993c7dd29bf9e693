"""Measure a file of 2,000 sentences, and another reader meanwhile: `python -m tests.browser.long_file [--sentences N]`.

In a real Chromium the file goes through two models on Your text, while another reader enters one sentence after the
other on the first page. Prints the time of the file and the waits of the other reader. Run it on an idle machine.
"""

import argparse
import re
import statistics
import sys
import tempfile
import time
from contextlib import closing
from itertools import islice
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.readers import Reader, generate_sentences
from tests.browser.running import launch_chromium, run_server, upload

PAUSE = 3.0  # seconds between two sentences of the other reader


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--sentences", type=int, default=2000, help="how many sentences the file has")
    count = parser.parse_args().sentences
    sentences = generate_sentences()
    with tempfile.TemporaryDirectory() as folder, run_server() as address, launch_chromium() as browser:
        file = Path(folder) / "sentences.txt"
        file.write_text("\n".join(islice(sentences, count)) + "\n", encoding="utf-8")
        page = browser.new_page(locale="en-GB")
        page.set_default_timeout(1_800_000)
        with closing(Reader(address)) as reader:
            reader.translate("The models are being loaded.")
            page.goto(f"{address}/your_text")
            page.wait_for_selector(".sentence-bars .row")
            page.get_by_role("radio", name="as a file").click()
            upload(page, file)
            start = time.monotonic()
            page.get_by_role("button", name="Translate all").click()
            waits, end = [], page.get_by_text(re.compile(r"^\d+ of \d+ done$"))
            while not end.is_visible():
                waits.append(reader.translate(next(sentences)).seconds)
                page.wait_for_timeout(1000 * PAUSE)
            seconds = time.monotonic() - start
        print(f"{count:,} sentences through two models in {seconds:.0f} s")
        print(f"the other reader: {len(waits)} sentences, waits {statistics.median(waits):.2f} s in the median, "
              f"{max(waits):.2f} s at most")  # fmt: skip
        expect(page.locator(".sentence-bars .row").first).to_be_visible()
    return 0


if __name__ == "__main__":
    sys.exit(main())
