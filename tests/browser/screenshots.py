"""The README's pictures, taken from the running app: `python -m tests.browser.screenshots [FOLDER]`."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.browser.running import ROOT, chromium, serving

FOLDER = ROOT / "assets" / "screenshots"


@dataclass(frozen=True)
class Shot:
    """One picture: the file's name, the window, the colours and the reader's language."""

    name: str
    width: int = 1440
    height: int = 900
    scheme: Literal["light", "dark"] = "light"
    locale: str = "en-GB"


SHOTS = (
    Shot("translate-light"),
    Shot("translate-dark", scheme="dark"),
    Shot("translate-narrow-ko", 390, 844, locale="ko-KR"),
)


def take(folder: Path = FOLDER) -> list[Path]:
    """Write every picture as PNG into `folder`; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    with serving() as address, chromium() as browser:
        for shot in SHOTS:
            context = browser.new_context(
                viewport={"width": shot.width, "height": shot.height}, color_scheme=shot.scheme, locale=shot.locale
            )
            page = context.new_page()
            page.goto(address)
            page.wait_for_selector(".picture table", timeout=60_000)
            page.evaluate("document.fonts.ready")
            page.locator(".attended .sentence .word").nth(2).hover()
            page.wait_for_timeout(500)  # the light of the ribbons fades in
            files.append(folder / f"{shot.name}.png")
            page.screenshot(path=files[-1])
            context.close()
    return files


if __name__ == "__main__":
    for file in take(*map(Path, sys.argv[1:2])):
        print(file)
