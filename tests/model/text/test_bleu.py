"""Tests of BLEU and chrF against values by hand and sacreBLEU's corpus scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from model.text.bleu import (
    compute_bleu,
    compute_bleu_per_row,
    compute_chrf,
    compute_chrf_from_counts,
    compute_moses_bleu,
    count_character_ngrams,
    count_ngrams,
    count_statistics,
    create_bleu_metric,
    get_bleu_signature,
)

WORDS = st.lists(st.sampled_from(["le", "chat", "dort", "l'eau", "3,5", "«", "dit-il", ".", "?!", "🐈"]), max_size=9)
PAIRS = st.lists(st.tuples(WORDS.map(" ".join), WORDS.map(" ".join)), min_size=1, max_size=12)


def test_statistics_and_scores_by_hand() -> None:
    rows = count_statistics(["a b c d e", "a b c d", "the the the", ""], ["a b c d f", "a b c d e", "the cat", "gone"])
    assert rows.tolist() == [
        [4, 3, 2, 1, 5, 4, 3, 2, 5, 5],
        [4, 3, 2, 1, 4, 3, 2, 1, 4, 5],
        [1, 0, 0, 0, 3, 2, 1, 0, 3, 2],  # "the" counts once, as often as in the reference
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ]
    assert compute_bleu(rows[0]) == pytest.approx(100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)
    assert compute_bleu(rows[1]) == pytest.approx(100 * np.exp(1 - 5 / 4))  # one word short
    expected_bleu = 100 * (8 / 9 * 6 / 7 * 4 / 5 * 2 / 3) ** 0.25 * np.exp(1 - 10 / 9)
    assert compute_bleu(rows[:2].sum(axis=0)) == pytest.approx(expected_bleu)
    assert compute_bleu([0] * 10) == 0.0
    with pytest.raises(ValueError, match="shorter"):
        count_statistics(["a", "b"], ["a"])


@pytest.mark.verdict
@given(PAIRS)
@settings(max_examples=60)
def test_sums_of_statistics_give_sacrebleu_corpus_scores(pairs: list[tuple[str, str]]) -> None:
    outputs, references = [output for output, _ in pairs], [reference for _, reference in pairs]
    rows = count_statistics(outputs, references)
    expected = BLEU().corpus_score(outputs, [references])
    assert rows.sum(axis=0).tolist() == [*expected.counts, *expected.totals, expected.sys_len, expected.ref_len]
    assert compute_bleu(rows.sum(axis=0)) == expected.score
    assert np.array_equal(rows[:, 4:8], count_ngrams(rows[:, 8]))
    sums = np.concatenate([rows, np.cumsum(rows, axis=0), np.zeros((1, 10), dtype=np.int64)])
    assert compute_bleu_per_row(sums) == pytest.approx([compute_bleu(row) for row in sums], rel=1e-12, abs=1e-12)
    ngram_sums = sum(count_character_ngrams(output, reference) for output, reference in pairs)
    chrf = CHRF().corpus_score(outputs, [references]).score
    assert compute_chrf(outputs, references)[0] == chrf
    assert compute_chrf_from_counts(np.asarray(ngram_sums)) == pytest.approx(chrf, abs=1e-9)


def test_chrf_by_hand() -> None:
    rows = count_character_ngrams("ab c", "abd")  # abc and abd without white space
    assert rows.tolist() == [[3, 3, 2], [2, 2, 1], [1, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    precision = recall = (2 / 3 + 1 / 2 + 0) / 3
    assert compute_chrf_from_counts(rows) == pytest.approx(100 * 5 * precision * recall / (4 * precision + recall))
    assert count_character_ngrams("abcd", "ab")[2].tolist() == [0, 0, 0]  # the reference has no trigram


def test_moses_splits_elisions() -> None:
    assert count_statistics(["l'eau est là"], ["l'air est là"])[0, 8] == 3
    # "l' eau est là" has 3 of 4 words and 1 of 3 bigrams right; sacreBLEU smooths the other orders to 1/2 and 1/4.
    score, signature = compute_moses_bleu(["l'eau est là"], ["l'air est là"], "fr")
    assert score == pytest.approx(100 * (3 / 4 * 1 / 3 * (1 / 2) / 2 * (1 / 4) / 1) ** 0.25)
    assert "tok:sacremoses-" in signature
    assert "-fr|" in signature


@pytest.mark.parametrize(("language", "tokenizer"), [
    ("zh", "zh"), ("zh-TW", "zh"), ("ja", "char"), ("ko", "char"),
])  # fmt: skip
def test_languages_without_spaces_have_their_own_tokenizers(language: str, tokenizer: str) -> None:
    references = ["老师说学生们在学校学习中文。", "我的哥哥上个星期买了一辆新的车。"]
    outputs = ["老师说学生们在家里学习中文。", "我的哥哥上个星期买了一辆新的车。"]
    assert get_bleu_signature(language).startswith(f"nrefs:1|case:mixed|eff:no|tok:{tokenizer}|smooth:exp|version:")
    score = compute_bleu(count_statistics(outputs, references, language).sum(axis=0))
    assert score == pytest.approx(BLEU(tokenize=tokenizer).corpus_score(outputs, [references]).score)
    if language == "zh":
        assert 50 < score < 99
        moses_score, signature = compute_moses_bleu(references, references, "zh")
        assert (moses_score, "|tok:zh|" in signature) == (pytest.approx(100), True)


@pytest.mark.parametrize("language", ["fr", "zh"])
def test_tokenizer_caches_are_cleared(language: str) -> None:
    """sacreBLEU caches 65,536 lines, but users' text must not stay in memory."""
    count_statistics(["un secret"], ["le secret"], language)
    tokenizer = create_bleu_metric(language).tokenizer
    tokenizers = (tokenizer, getattr(tokenizer, "_post_tokenizer", None))
    caches = [getattr(type(item).__call__, "cache_info", None) for item in tokenizers]
    assert any(caches)
    assert all(get_info().currsize == 0 for get_info in caches if get_info)
