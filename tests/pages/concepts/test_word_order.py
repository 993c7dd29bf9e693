"""Word order: the columns and links of a chain from Korean into French, and the shares that are shown."""

from dataclasses import replace

import pytest

from model.analysis.alignment.word_order import measure_word_order
from model.trace import Trace
from pages.ui.backend import cards
from pages.ui.concepts.word_order import WordMap, build_word_order_payload
from pages.ui.i18n.messages import load_messages
from tests.cards import build_card
from tests.traces import make_trace

KOREAN, MIDDLE, FRENCH = "나는 어제 갔다 .", "I went yesterday .", "je suis allé hier ."


def make_map(source: str, target: str, order: tuple[int, ...], languages: tuple[str, str], model: str) -> WordMap:
    trace: Trace = replace(make_trace(source, target, order, model=model), languages=languages)
    return WordMap.from_trace(trace)


def test_korean_into_french_is_a_chain_over_the_english_words() -> None:
    first = make_map(KOREAN, MIDDLE, (0, 2, 1, 3), ("ko", "en"), "into-english")
    second = make_map(MIDDLE, FRENCH, (0, 1, 1, 2, 3), ("en", "fr"), "rnnsearch-50")
    data = build_word_order_payload([first, second], (), load_messages("en"))
    assert [(column["language"], column["words"]) for column in data["columns"]] == [
        ("ko", KOREAN.split()), ("en", MIDDLE.split()), ("fr", FRENCH.split())]  # fmt: skip
    pairs = [(one["source"], one["target"], one["title"]) for one in data["translations"]]
    assert pairs == [(0, 1, "KO→EN"), (1, 2, "EN→FR")]
    assert data["translations"][0]["links"] == [(0, 0), (2, 1), (1, 2)]
    assert [one["reversed_words"] for one in data["translations"]] == [[2], []]
    assert (data["is_chain"], data["is_model_missing"], data["reversed_shares"]) == (True, False, [])
    assert [len(row) for row in data["translations"][0]["weights"]] == [4] * 4


def test_from_english_korean_stands_left_and_the_tag_is_no_word() -> None:
    french = make_map(MIDDLE, FRENCH, (0, 1, 1, 2, 3), ("en", "fr"), "rnnsearch-50")
    korean = make_map(f"<plain> {MIDDLE}", KOREAN, (1, 3, 2, 4), ("en", "ko"), "into-korean")
    assert korean.source == french.source
    data = build_word_order_payload([french, korean], (), load_messages("ko"))
    assert [column["language"] for column in data["columns"]] == ["ko", "en", "fr"]
    assert [(one["source"], one["target"]) for one in data["translations"]] == [(1, 2), (1, 0)]
    assert data["translations"][1]["links"] == [(0, 0), (2, 1), (1, 2)]
    assert not data["is_chain"]


@pytest.mark.parametrize(("pairs", "is_missing"), [(["en-fr"], True), (["en-fr", "en-ko"], False)])
def test_korean_models_are_missing_only_if_there_are_none(
    monkeypatch: pytest.MonkeyPatch, pairs: list[str], is_missing: bool
) -> None:
    """A Korean model may have failed; then French is drawn alone too."""
    monkeypatch.setattr(cards, "list_pairs", lambda: pairs)
    french = make_map(MIDDLE, FRENCH, (0, 1, 1, 2, 3), ("en", "fr"), "rnnsearch-50")
    data = build_word_order_payload([french], (), load_messages("en"))
    assert [column["language"] for column in data["columns"]] == ["en", "fr"]
    assert data["is_model_missing"] == is_missing


def test_shares_are_of_the_present_weights_only(monkeypatch: pytest.MonkeyPatch) -> None:
    card = build_card("into-english", languages=("ko", "en"), fingerprint="1" * 12)
    every_card = (*cards.list_cards(), card)
    monkeypatch.setattr(cards, "list_cards", lambda: every_card)
    records = tuple(
        measure_word_order([[(0, 0), (2, 1), (1, 2)]], model="into-english", fingerprint=fingerprint,
                           languages=("ko", "en"), data={"name": "tatoeba", "sha256": ""})
        for fingerprint in ("0" * 12, "1" * 12)
    )  # fmt: skip
    french = make_map(MIDDLE, FRENCH, (0, 1, 1, 2, 3), ("en", "fr"), "rnnsearch-50")
    assert build_word_order_payload([french], records[:1], load_messages("en"))["reversed_shares"] == []
    (share,) = build_word_order_payload([french], records, load_messages("en"))["reversed_shares"]
    assert (share["title"], share["share"], share["sentences"]) == ("KO→EN", 0.5, 1)
