"""axe-core finds nothing serious on any page, light or dark."""

import pytest
from playwright.sync_api import Browser

from tests.browser.accessibility import findings
from tests.browser.running import addresses, settled


@pytest.mark.parametrize("address", addresses(), ids=lambda address: address or "first")
def test_no_page_has_a_serious_finding(server: str, browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light", locale="en-GB")
    page.goto(f"{server}/{address}")
    settled(page)
    assert findings(page) == []
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => getComputedStyle(document.querySelector('.stApp')).colorScheme === 'dark'")
    settled(page)
    assert findings(page) == []
    page.close()


def test_a_serious_finding_is_noticed(browser: Browser) -> None:
    """The test above can fail: a picture without a text, and grey on grey inside a shadow root."""
    page = browser.new_page()
    page.set_content("<html lang='en'><title>x</title><main><h1>x</h1><img src='data:,'><div></div></main>")
    page.evaluate(
        """const root = document.querySelector("div").attachShadow({ mode: "open" })
        const text = root.appendChild(document.createElement("p"))
        text.textContent = "pale"
        text.style.color = "#ccc" """
    )
    found = findings(page)
    assert [line.split(" ")[0] for line in found] == ["color-contrast", "image-alt"]
    page.close()
