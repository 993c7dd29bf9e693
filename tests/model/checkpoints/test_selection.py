"""Which model is taken where nobody has chosen one: by the facts on the cards, whatever the models are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError, list_cards
from model.checkpoints.selection import select_baseline, select_default, select_default_name, sort_for_display
from tests.cards import build_card

LONG, SHORT = build_card("b", longest=50, pieces=5), build_card("a", longest=30, pieces=9)
PLAIN, PLAIN_SHORT = build_card("d", "rnnencdec", 50), build_card("c", "rnnencdec", 30, pieces=9)
KOREAN = build_card("e", longest=50, pieces=3, languages=("en", "ko"))
CARDS = [SHORT, LONG, PLAIN_SHORT, PLAIN, KOREAN]


def names(*cards: checkpoint.Card) -> list[str]:
    return [one.name for one in cards]


def test_the_default_attends_and_knows_the_longest_sentences_and_the_most_pieces() -> None:
    assert select_default(CARDS) == select_default(CARDS[::-1]) == LONG
    assert select_default([PLAIN_SHORT, PLAIN]) == PLAIN
    assert select_default([]) is None


def test_the_baseline_has_no_attention_the_same_languages_and_sentences_as_long() -> None:
    assert select_baseline(CARDS, LONG) == PLAIN
    assert select_baseline(CARDS, SHORT) == PLAIN_SHORT
    assert select_baseline([LONG, PLAIN_SHORT, KOREAN], LONG) == PLAIN_SHORT
    assert select_baseline([LONG, SHORT, KOREAN], LONG) == SHORT
    assert select_baseline(CARDS, KOREAN) == KOREAN
    assert select_baseline(CARDS, PLAIN) == PLAIN_SHORT


def test_relatives_that_saw_more_neither_become_the_default_nor_its_baseline() -> None:
    attending = [build_card("f", "transformer", 60, pieces=99), build_card("g", "copy", 50, pieces=99)]
    plain = build_card("h", "seq2seq", 50, maps=(), pieces=99)
    assert select_default([*attending, plain, *CARDS]) == LONG
    assert select_baseline([*attending, plain, *CARDS], LONG) == PLAIN
    assert select_default([plain, *attending]) == attending[1]  # copying came before the Transformer
    assert select_baseline([plain, *attending], attending[1]) == plain


def test_the_order_they_are_offered_in() -> None:
    assert names(*sort_for_display(CARDS)) == ["b", "e", "a", "d", "c"]
    more = [build_card("a", "transformer", 50), build_card("z", "luong", 50), *CARDS]
    assert names(*sort_for_display(more)) == ["b", "e", "z", "a", "a", "d", "c"]


@pytest.mark.verdict
def test_of_the_shipped_models_these_are_the_papers_best_and_its_rival() -> None:
    cards = list_cards()
    found = select_default(cards)
    assert found is not None
    assert (found.name, select_baseline(cards, found).name) == ("rnnsearch-50", "rnnencdec-50")
    assert select_default_name() == "rnnsearch-50"


def test_without_models_the_command_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path)
    with pytest.raises(CheckpointError, match="there is no model"):
        select_default_name()
