"""The default model, its baseline and the order of models, by the facts on their cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError, list_cards
from model.checkpoints.selection import (
    select_baseline,
    select_best_per_kind,
    select_default,
    select_default_name,
    sort_for_display,
)
from tests.cards import build_card

LONG, SHORT = build_card("b", longest=50, pieces=5), build_card("a", longest=30, pieces=9)
PLAIN, PLAIN_SHORT = build_card("d", "rnnencdec", 50), build_card("c", "rnnencdec", 30, pieces=9)
KOREAN = build_card("e", longest=50, pieces=3, languages=("en", "ko"))
CARDS = [SHORT, LONG, PLAIN_SHORT, PLAIN, KOREAN]


def test_default_has_attention_the_longest_sentences_and_most_tokens() -> None:
    assert select_default(CARDS) == select_default(CARDS[::-1]) == LONG
    assert select_default([PLAIN_SHORT, PLAIN]) == PLAIN
    assert select_default([]) is None


def test_baseline_has_no_attention_and_the_same_languages_and_length() -> None:
    assert select_baseline(CARDS, LONG) == PLAIN
    assert select_baseline(CARDS, SHORT) == PLAIN_SHORT
    assert select_baseline([LONG, PLAIN_SHORT, KOREAN], LONG) == PLAIN_SHORT
    assert select_baseline([LONG, SHORT, KOREAN], LONG) == SHORT
    assert select_baseline(CARDS, KOREAN) == KOREAN
    assert select_baseline(CARDS, PLAIN) == PLAIN_SHORT


def test_other_kinds_with_more_tokens_are_neither_default_nor_baseline() -> None:
    attending = [build_card("f", "transformer", 60, pieces=99), build_card("g", "copy", 50, pieces=99)]
    plain = build_card("h", "seq2seq", 50, maps=(), pieces=99)
    assert select_default([*attending, plain, *CARDS]) == LONG
    assert select_baseline([*attending, plain, *CARDS], LONG) == PLAIN
    assert select_default([plain, *attending]) == attending[1]  # copying came before the Transformer
    assert select_baseline([plain, *attending], attending[1]) == plain


def test_models_of_whole_words_come_after_those_of_subwords_even_with_longer_sentences() -> None:
    words = build_card("w", longest=60, pieces=99, has_unk=True)
    plain_words = build_card("x", "rnnencdec", 50, pieces=99, has_unk=True)
    assert select_default([words, *CARDS]) == LONG
    assert select_baseline([plain_words, LONG, PLAIN_SHORT], LONG) == PLAIN_SHORT
    assert select_best_per_kind([words, LONG]) == [LONG]


def test_display_order() -> None:
    cards = [build_card("0", longest=50, has_unk=True), build_card("t", "transformer", 50),
             build_card("z", "luong", 50), *CARDS]  # fmt: skip
    assert [card.name for card in sort_for_display(cards)] == ["b", "e", "0", "z", "t", "a", "d", "c"]


@pytest.mark.verdict
def test_shipped_default_and_baseline() -> None:
    cards = list_cards()
    default = select_default(cards)
    assert default is not None
    assert (default.name, select_baseline(cards, default).name) == ("rnnsearch-50", "rnnencdec-50")
    assert select_default_name() == "rnnsearch-50"
    pairs = (("ko", "en"), ("en", "ko"), ("fr", "en"))  # no model of the last: its reverse
    assert [select_default_name(pair) for pair in pairs] == ["rnnsearch-ko-en", "rnnsearch-en-ko", "rnnsearch-50"]


def test_no_models_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path)
    with pytest.raises(CheckpointError, match="there is no model"):
        select_default_name()


def test_longest_sentences_then_longest_training_is_selected_per_kind_by_year() -> None:
    cards = [
        build_card("a", "transformer", 50, pieces=10),
        build_card("b", "transformer", 50, pieces=20),
        build_card("c", "transformer", 30, pieces=20),
        build_card("d", "rnnencdec", 30, pieces=10),
        build_card("e", "strange", 30, pieces=10),
    ]
    assert [card.name for card in select_best_per_kind(cards)] == ["d", "b", "e"]
