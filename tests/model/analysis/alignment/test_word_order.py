"""Links that turn back, counted by hand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model.analysis.alignment.word_order import (
    find_links,
    find_turns,
    load_word_orders,
    measure_word_order,
    parse_word_order,
)
from model.analysis.evaluation.evaluation import EvaluationError
from model.serialization.codec import CodecError, dump_entries, to_plain

KOREAN = ("나는", "어제", "서울에서", "부산까지", "KTX를", "타고", "갔다", ".")
ENGLISH = ("I", "took", "the", "KTX", "from", "Seoul", "to", "Busan", "yesterday", ".")
ATTENDED = (0, 6, 8, 4, 2, 2, 3, 3, 1, 7)  # "the" attends to the end of the sentence


def test_links_leave_out_punctuation_and_the_end_and_turn_back_where_the_source_word_is_earlier() -> None:
    weights = np.full((len(ENGLISH) + 1, len(KOREAN) + 1), 0.01)
    weights[np.arange(len(ENGLISH)), ATTENDED] = 0.9
    links = find_links(weights, KOREAN, ENGLISH)
    assert [target for _, target in links] == [0, 1, 3, 4, 5, 6, 7, 8]
    assert [ENGLISH[target] for target in find_turns(links)] == ["KTX", "from", "yesterday"]


def test_the_share_counts_links_that_follow_another_and_is_stored(tmp_path: Path) -> None:
    sentences = [[(0, 0), (2, 1), (1, 2)], [(0, 0), (1, 1)], [(0, 0)]]
    measured = measure_word_order(sentences, model="made", fingerprint="0" * 12, languages=("ko", "en"),
                                  data={"name": "by hand", "sha256": ""})  # fmt: skip
    assert (measured.turned, measured.links, measured.data["sentences"]) == (1, 3, 2)
    assert measured.share.value == pytest.approx(1 / 3)
    assert measured.share.low == 0.0 < measured.share.high
    (tmp_path / "word-order-made.json").write_text(dump_entries(to_plain(measured)), encoding="utf-8")
    (tmp_path / "word-order-other.json").write_text('{"kind": "word-order"}', encoding="utf-8")
    (tmp_path / "word-order-unreadable.json").mkdir()
    assert load_word_orders(tmp_path) == (measured,)
    with pytest.raises(CodecError):
        parse_word_order(b"[]")
    with pytest.raises(CodecError, match="schema 1 is needed: got schema 2"):
        parse_word_order(dump_entries(to_plain(replace(measured, schema=2))).encode())


def test_sentences_of_one_link_have_no_order() -> None:
    with pytest.raises(EvaluationError, match="No sentence of short has two links"):
        measure_word_order([[(0, 0)], []], model="made", fingerprint="0" * 12, languages=("en", "fr"),
                           data={"name": "short", "sha256": ""})  # fmt: skip
