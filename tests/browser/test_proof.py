"""The third network in a real Chromium: its translation and its heads are drawn, and its own equations."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect

from model.checkpoints import model_folders
from tests.browser.conftest import watching
from tests.browser.running import serving
from tests.proof.conftest import NAME, trained

__all__ = ["trained"]  # the fixture

PATIENCE = 60_000


@pytest.fixture(scope="module")
def address(trained: Path) -> Iterator[str]:
    """A server that knows the network as somebody's server would: by the line that registers it, and by its folder."""
    with serving(
        first="tests.proof.network", environment={model_folders.ENVIRONMENT_VARIABLE: str(trained)}
    ) as address:
        yield address




def test_it_is_drawn_with_its_heads_and_its_equations(address: str, browser: Browser) -> None:
    query = urlencode({"model": NAME, "sentence": "The cat sleeps.", "map": "cross-attention-h2"})
    with watching(browser) as visit:
        page = visit(f"{address}/?{query}", ".picture table")
        expect(page.get_by_text("TwoHeads-50").first).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_text("cross-attention head 2")).to_be_visible(timeout=PATIENCE)
        assert page.locator(".picture tbody tr").count() > 0
        page = visit(f"{address}/step_by_step?{query}", ".player")
        expect(page.locator(".player")).to_contain_text("√d", timeout=PATIENCE)
        expect(page.locator(".player")).not_to_contain_text("tanh(")
