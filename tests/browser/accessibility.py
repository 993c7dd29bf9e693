"""Accessibility checks by axe-core, which axe-playwright-python contains."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def find_violations(page: Page) -> list[str]:
    """Return the serious and critical violations on a page, one line each: rule, element, messages."""
    # Otherwise axe also names every element that passes, which takes as long again.
    response: dict[str, Any] = Axe().run(page, options={"resultTypes": ["violations"]}).response
    lines = []
    for violation in response["violations"]:
        if violation["impact"] not in ("serious", "critical"):
            continue
        for node in violation["nodes"]:
            element = " >>> ".join(str(part) for part in node["target"])
            messages = [check["message"] for check in (*node["any"], *node["all"], *node["none"])]
            lines.append(f"{violation['id']} at {element}: {'; '.join(messages)}")
    return lines
