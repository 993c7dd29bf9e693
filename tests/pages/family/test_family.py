"""Which models All models shows, and in which order: by their kinds and cards, not their names."""

from dataclasses import replace

import pytest

from model.checkpoints import selection
from model.checkpoints.checkpoint import Card, list_cards
from model.networks import registry


def make_card(kind: str, **facts: object) -> Card:
    shipped = next(iter(list_cards()))
    return replace(shipped, network={**shipped.network, "kind": kind}, **facts)  # type: ignore[arg-type]


def test_kinds_are_ordered_by_year() -> None:
    assert [kind.name for kind in registry.list_kinds_by_year() if kind.year] == [
        "rnnencdec", "seq2seq", "rnnsearch", "luong", "coverage", "copy", "transformer",
    ]  # fmt: skip


def test_kind_without_a_year_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = registry.NetworkKind("aaa", "Unknown", "m:n", "m:c")
    monkeypatch.setattr(registry, "KINDS", {"aaa": unknown, **registry.KINDS})
    assert registry.list_kinds_by_year()[-1].year == 0


def test_longest_sentences_then_longest_training_is_selected_per_kind() -> None:
    short, long = ({"target_pieces": pieces} for pieces in (10, 20))
    cards = [
        make_card("transformer", name="a", longest_words=50, training=short),
        make_card("transformer", name="b", longest_words=50, training=long),
        make_card("transformer", name="c", longest_words=30, training=long),
        make_card("rnnencdec", name="d", longest_words=30, training=short),
        make_card("strange", name="e", longest_words=30, training=short),
    ]
    assert [card.name for card in selection.select_best_per_kind(cards)] == ["d", "b", "e"]
