"""Take the README's screenshots: `python -m tests.browser.screenshots [FOLDER] [PAGE ...]`.

Every page in light and dark, on a narrow screen in Korean, and presented.
"""

import argparse
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page

from model.paths import ROOT
from tests.browser.running import launch_chromium, list_addresses, run_server, settle

FOLDER = ROOT / "assets" / "screenshots"
WIDE = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light", "locale": "en-GB"}
OPTIONS: dict[str, dict[str, Any]] = {
    "light": WIDE,
    "dark": WIDE | {"color_scheme": "dark"},
    "narrow-ko": WIDE | {"viewport": {"width": 390, "height": 844}, "locale": "ko-KR"},
    "presenting": WIDE,
}
# The laboratory with an override (the seventh row attends to "brother" alone), the story at its second scene.
QUERIES = {"laboratory": "&overrides=attention@7:only=2", "story": "&scene=2"}
NUM_STORY_STEPS = 4


def prepare(page: Page, address: str) -> None:
    """Point at a word, or move the player or the scene forward."""
    if not address:
        page.locator(".attended .sentence .word").nth(1).hover()
    elif address == "step_by_step":
        page.locator(".player").focus()
        for _ in range(4):
            page.keyboard.press("ArrowRight")
    elif address == "story":
        for _ in range(NUM_STORY_STEPS):
            page.keyboard.press("PageDown")
            page.wait_for_timeout(1000)
    page.wait_for_timeout(1500)  # fades end, and distant parts are drawn


def take_screenshot(browser: Browser, root: str, address: str, name: str, folder: Path) -> Path:
    """Write one screenshot as PNG and return its path."""
    context = browser.new_context(**OPTIONS[name])
    page = context.new_page()
    presenting = "present=1" if name == "presenting" else ""
    page.goto(f"{root}/{address}?{presenting}{QUERIES.get(address, '')}")
    settle(page)
    prepare(page, address)
    file = folder / f"{(address or 'translate').replace('_', '-')}-{name}.png"
    page.screenshot(path=file)
    context.close()
    with Image.open(file) as picture:  # 256 colours take a third of the size
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)
    return file


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where the pictures are written")
    parser.add_argument("only", nargs="*", help='pages by their addresses, "translate" for the first; all if none')
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with run_server() as root, launch_chromium() as browser:
        for address in list_addresses():
            if not arguments.only or (address or "translate") in arguments.only:
                for name in OPTIONS:
                    print(take_screenshot(browser, root, address, name, arguments.folder), flush=True)


if __name__ == "__main__":
    main()
