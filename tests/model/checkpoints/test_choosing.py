"""Which model is taken where nobody has chosen one: by the facts on the cards, whatever the models are called."""

from __future__ import annotations

import pytest

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError, available
from model.checkpoints.selection import baseline, default, default_name, in_order
from tests.cards import card

LONG, SHORT = card("b", longest=50, pieces=5), card("a", longest=30, pieces=9)
PLAIN, PLAIN_SHORT = card("d", "rnnencdec", 50), card("c", "rnnencdec", 30, pieces=9)
KOREAN = card("e", longest=50, pieces=3, languages=("en", "ko"))
CARDS = [SHORT, LONG, PLAIN_SHORT, PLAIN, KOREAN]


def names(*cards: checkpoint.Card) -> list[str]:
    return [one.name for one in cards]


def test_the_default_attends_and_knows_the_longest_sentences_and_the_most_pieces() -> None:
    assert default(CARDS) == default(CARDS[::-1]) == LONG
    assert default([PLAIN_SHORT, PLAIN]) == PLAIN
    assert default([]) is None


def test_the_baseline_has_no_attention_the_same_languages_and_sentences_as_long() -> None:
    assert baseline(CARDS, LONG) == PLAIN
    assert baseline(CARDS, SHORT) == PLAIN_SHORT
    assert baseline([LONG, PLAIN_SHORT, KOREAN], LONG) == PLAIN_SHORT
    assert baseline([LONG, SHORT, KOREAN], LONG) == SHORT
    assert baseline(CARDS, KOREAN) == KOREAN
    assert baseline(CARDS, PLAIN) == PLAIN_SHORT


def test_relatives_that_saw_more_neither_become_the_default_nor_its_baseline() -> None:
    attending = [card("f", "transformer", 60, pieces=99), card("g", "copy", 50, pieces=99)]
    plain = card("h", "seq2seq", 50, maps=(), pieces=99)
    assert default([*attending, plain, *CARDS]) == LONG
    assert baseline([*attending, plain, *CARDS], LONG) == PLAIN
    assert default([plain, *attending]) == attending[1]  # copying came before the Transformer
    assert baseline([plain, *attending], attending[1]) == plain


def test_the_order_they_are_offered_in() -> None:
    assert names(*in_order(CARDS)) == ["b", "e", "a", "d", "c"]
    assert names(*in_order([card("a", "transformer", 50), card("z", "luong", 50), *CARDS])) == ["b", "e", "z", "a", "a",
                                                                                               "d", "c"]  # fmt: skip


@pytest.mark.verdict
def test_of_the_shipped_models_these_are_the_papers_best_and_its_rival() -> None:
    cards = available()
    found = default(cards)
    assert found is not None
    assert (found.name, baseline(cards, found).name) == ("rnnsearch-50", "rnnencdec-50")
    assert default_name() == "rnnsearch-50"


def test_without_models_the_command_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "_shipped", list)
    with pytest.raises(CheckpointError, match="there is no model"):
        default_name()
