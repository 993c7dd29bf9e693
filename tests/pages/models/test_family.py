"""Which models stand in the family, and in which order: by facts of their kinds and cards, never by names."""

from dataclasses import replace

import pytest

from model.analysis.paper.published import EARLIER, SYSTEMS
from model.checkpoints import selection
from model.checkpoints.checkpoint import Card, list_cards
from model.networks import registry


def card(kind: str, **facts: object) -> Card:
    shipped = next(iter(list_cards()))
    return replace(shipped, network={**shipped.network, "kind": kind}, **facts)  # type: ignore[arg-type]


def test_kinds_come_in_the_order_of_their_years() -> None:
    assert [kind.name for kind in registry.list_kinds_by_year() if kind.year] == [
        "rnnencdec", "seq2seq", "rnnsearch", "luong", "coverage", "copy", "transformer",
    ]  # fmt: skip


def test_a_kind_that_tells_no_year_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = registry.NetworkKind("aaa", "Unknown", "m:n", "m:c")
    monkeypatch.setattr(registry, "KINDS", {"aaa": unknown, **registry.KINDS})
    assert registry.list_kinds_by_year()[-1].year == 0


def test_of_each_kind_the_one_for_the_longest_sentences_that_was_taught_most() -> None:
    little, much = ({"target_pieces": pieces} for pieces in (10, 20))
    cards = [
        card("transformer", name="a", longest_words=50, training=little),
        card("transformer", name="b", longest_words=50, training=much),
        card("transformer", name="c", longest_words=30, training=much),
        card("rnnencdec", name="d", longest_words=30, training=little),
        card("strange", name="e", longest_words=30, training=little),
    ]
    assert [one.name for one in selection.select_best_per_kind(cards)] == ["d", "b", "e"]


def test_every_published_score_is_of_a_kind_or_of_what_was_before() -> None:
    known = {*registry.KINDS, *(one.name for one in EARLIER)}
    assert {one.kind for one in SYSTEMS} <= known
    assert all(0 < one.bleu < 100 and one.source for one in SYSTEMS)
