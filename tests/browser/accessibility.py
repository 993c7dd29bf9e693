"""What axe-core has to say about a page: `findings(page)`. The engine comes with axe-playwright-python; nothing is
fetched."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = ("serious", "critical")

EXCUSED: dict[tuple[str, str], str] = {}
"""(rule, part of the element's place): why it is Streamlit's own and cannot be mended from here."""


def findings(page: Page) -> list[str]:
    """Each serious or critical finding as one line: rule, place, and what axe says of it."""
    response: dict[str, Any] = Axe().run(page).response
    found = []
    for violation in response["violations"]:
        if violation["impact"] not in GRAVE:
            continue
        for node in violation["nodes"]:
            place = " >>> ".join(str(part) for part in node["target"])
            if not any(violation["id"] == rule and part in place for rule, part in EXCUSED):
                told = [check["message"] for check in (*node["any"], *node["all"], *node["none"])]
                found.append(f"{violation['id']} at {place}: {'; '.join(told)}")
    return found
