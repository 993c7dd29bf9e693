"""A lecturer types a surname: a model of whole words says UNK, and one click replaces it."""

from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from model.checkpoints import model_folders
from tests.browser.running import run_server
from tests.word_models import TEXT, build_unsure_network, save_word_model, train_word_vocabulary

Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def own_server(sentences: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("words")
    vocabulary = train_word_vocabulary(sentences, folder)
    save_word_model(folder / "runs/unsure", build_unsure_network(vocabulary), vocabulary)
    with run_server(environment={model_folders.ENVIRONMENT_VARIABLE: str(folder / "runs")}) as address:
        yield address


def test_unk_is_replaced_by_one_click(own_server: str, visit: Visit) -> None:
    link = f"{own_server}/?sentence={quote(TEXT)}&model=unsure&beside=unsure&more=1"
    page = visit(link, ready=".picture .attended .sentence")
    unknown = page.locator(".picture .attended .sentence .word.unknown")
    expect(unknown.first).to_have_text("UNK")
    expect(page.locator(".picture .lane.source .word.unknown").first).to_have_text("Zyzzyva's")
    page.get_by_role("radio", name="word attended to").click()
    expect(unknown.first).not_to_have_text("UNK")
    expect(page.locator(".picture .legend")).to_contain_text("replaced by a translation or copy")
    page.wait_for_url("**unk=replace**")
