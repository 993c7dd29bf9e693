"""A network that is registered from outside: its translation, its heads and its own equations are drawn."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect

from model.checkpoints import model_folders
from tests.browser.conftest import open_pages
from tests.browser.running import run_server
from tests.proof.conftest import NAME, trained

__all__ = ["trained"]  # the fixture

@pytest.fixture(scope="module")
def address(trained: Path) -> Iterator[str]:
    """A server that imports the network's module and has the folder of its checkpoint."""
    with run_server(
        preload="tests.proof.network", environment={model_folders.ENVIRONMENT_VARIABLE: str(trained)}
    ) as address:
        yield address



def test_a_registered_network_is_drawn_with_its_heads_and_equations(address: str, browser: Browser) -> None:
    query = urlencode({"model": NAME, "sentence": "The cat sleeps.", "map": "cross-attention-h2"})
    with open_pages(browser) as visit:
        page = visit(f"{address}/?{query}", ".picture table")
        expect(page.get_by_text("TwoHeads-50").first).to_be_visible()
        expect(page.get_by_text("cross-attention head 2")).to_be_visible()
        assert page.locator(".picture tbody tr").count() > 0
        page = visit(f"{address}/step_by_step?{query}", ".player")
        expect(page.locator(".player")).to_contain_text("√d")
        expect(page.locator(".player")).not_to_contain_text("tanh(")
