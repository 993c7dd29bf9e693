"""The README's pictures, taken from the running app: `python -m tests.browser.screenshots [FOLDER] [PAGE ...]`.

Every page in light and dark, on a narrow screen in Korean, and as it is presented.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page

from model.paths import ROOT
from tests.browser.running import addresses, chromium, serving, settled

FOLDER = ROOT / "assets" / "screenshots"


@dataclass(frozen=True)
class Shot:
    """One way to look at a page: the file's ending, the window, the colours, the reader's language, the link."""

    name: str
    width: int = 1440
    height: int = 900
    scheme: Literal["light", "dark"] = "light"
    locale: str = "en-GB"
    query: str = ""


SHOTS = (
    Shot("light"),
    Shot("dark", scheme="dark"),
    Shot("narrow-ko", 390, 844, locale="ko-KR"),
    Shot("presenting", query="present=1"),
)


OPENED = {"laboratory": "&edits=attention@7:only=2", "story": "&scene=2"}
"""What a page is opened on: the laboratory on a change (the seventh row looks at "brother" alone), the story on its
second scene."""
LAST = 4  # presses of a key to the last step of that scene


def point(page: Page, address: str) -> None:
    """Show what a page is for: a word that lights its partners, a player that is halfway, a scene that has played."""
    if not address:
        page.locator(".attended .sentence .word").nth(1).hover()
    elif address == "step_by_step":
        page.locator(".player").focus()
        for _ in range(4):
            page.keyboard.press("ArrowRight")
    elif address == "story":
        for _ in range(LAST):
            page.keyboard.press("PageDown")
            page.wait_for_timeout(1000)  # each step plays
    page.wait_for_timeout(1500)  # what fades in has faded in, what was far from the window has been drawn


def take(browser: Browser, root: str, address: str, shot: Shot, folder: Path) -> Path:
    """Write one picture as PNG; returns the file."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height}, color_scheme=shot.scheme, locale=shot.locale
    )
    page = context.new_page()
    page.goto(f"{root}/{address}?{shot.query}{OPENED.get(address, '')}")
    settled(page)
    point(page, address)
    file = folder / f"{(address or 'translate').replace('_', '-')}-{shot.name}.png"
    page.screenshot(path=file)
    context.close()
    with Image.open(file) as picture:  # 256 colours are enough for a page, and a third of the size
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)
    return file


def main() -> None:
    """Take every picture, or only those of some pages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where the pictures are written")
    parser.add_argument("only", nargs="*", help='pages by their addresses, "translate" for the first; all if none')
    given = parser.parse_args()
    folder, only = given.folder, given.only
    folder.mkdir(parents=True, exist_ok=True)
    with serving() as root, chromium() as browser:
        for address in addresses():
            if not only or (address or "translate") in only:
                for shot in SHOTS:
                    print(take(browser, root, address, shot, folder), flush=True)


if __name__ == "__main__":
    main()
