"""A second pair of languages: Korean typed in an English box, the offer of the pair, and word order beside French."""

from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Browser, Page, expect

from model.checkpoints import checkpoint, model_folders
from model.networks.registry import build_network
from model.networks.rnnsearch import RNNsearchConfig
from model.text.vocabulary import Vocabulary
from tests.browser.conftest import open_pages
from tests.browser.running import run_server, settle

KOREAN = "나는 학생이다."


@pytest.fixture(scope="module")
def address(tiny_vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a model of random weights from Korean into English."""
    folder = tmp_path_factory.mktemp("pairs")
    tiny_vocabulary.save(folder / "vocabulary.model")
    torch.manual_seed(3)
    network = build_network(RNNsearchConfig("rnnsearch", len(tiny_vocabulary), 8, 10, 9, 7)).eval()
    checkpoint.save_checkpoint(
        folder / "models/into-english", network, folder / "vocabulary.model", name="into-english", title="Into English",
        training={}, languages=("ko", "en"),
    )  # fmt: skip
    with run_server(environment={model_folders.ENVIRONMENT_VARIABLE: str(folder / "models")}) as address:
        yield address


def test_typed_korean_offers_its_pair_and_a_word_shows_how_it_is_read(address: str, browser: Browser) -> None:
    with open_pages(browser) as visit:
        page: Page = visit(address, ".picture table")
        box = page.locator(".st-key-sentence textarea")
        box.fill(KOREAN)
        box.press("Enter")
        page.get_by_role("button", name="Translate from Korean into English").click()
        expect(page.locator(".picture")).to_contain_text("Into English")
        assert "pair=ko-en" in page.url
        expect(box).to_have_value(KOREAN)
        settle(page)
        page.get_by_text("학생이다", exact=True).first.hover()
        expect(page.locator(".reading")).to_have_text("haksaengida")
        page.get_by_role("radio", name="EN→FR").click()
        expect(page.locator(".picture")).to_contain_text("RNNsearch-50")
        assert "pair=" not in page.url


def test_word_order_joins_three_languages(address: str, browser: Browser) -> None:
    with open_pages(browser) as visit:
        page: Page = visit(f"{address}/concepts?idea=word_order&pair=ko-en&sentence={KOREAN}", ".word-order .columns")
        expect(page.locator(".word-order .words").first.locator("li").nth(1)).to_have_text("학생이다")
        expect(page.locator(".word-order .shares")).to_contain_text("EN→FR")
        page.locator(".word-order .words li").first.hover()
        expect(page.locator(".word-order .told")).to_contain_text("나는")
        page.get_by_role("button", name="heatmaps").click()
        expect(page.locator(".word-order .chain i").first).to_be_visible()
