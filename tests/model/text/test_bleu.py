"""BLEU's ten sums, worked out by hand and against sacreBLEU's own corpus score."""

from __future__ import annotations

import random

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


def test_the_ten_numbers_by_hand() -> None:
    rows = count_statistics(["a b c d e", "a b c d", "the the the", ""], ["a b c d f", "a b c d e", "the cat", "gone"])
    assert rows.tolist() == [
        [4, 3, 2, 1, 5, 4, 3, 2, 5, 5],
        [4, 3, 2, 1, 4, 3, 2, 1, 4, 5],
        [1, 0, 0, 0, 3, 2, 1, 0, 3, 2],  # "the" counts once, as often as in the reference
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ]


def test_scores_by_hand() -> None:
    rows = count_statistics(["a b c d e", "a b c d"], ["a b c d f", "a b c d e"])
    assert compute_bleu(rows[0]) == pytest.approx(100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)
    assert compute_bleu(rows[1]) == pytest.approx(100 * np.exp(1 - 5 / 4))  # all right, but one word short
    together = 100 * (8 / 9 * 6 / 7 * 4 / 5 * 2 / 3) ** 0.25 * np.exp(1 - 10 / 9)
    assert compute_bleu(rows.sum(axis=0)) == pytest.approx(together)
    assert compute_bleu([0] * 10) == 0.0


@pytest.mark.verdict
@given(PAIRS)
@settings(max_examples=60)
def test_sums_of_sentences_are_the_corpus(pairs: list[tuple[str, str]]) -> None:
    outputs, references = [output for output, _ in pairs], [reference for _, reference in pairs]
    rows = count_statistics(outputs, references)
    own = BLEU().corpus_score(outputs, [references])
    assert rows.sum(axis=0).tolist() == [*own.counts, *own.totals, own.sys_len, own.ref_len]
    assert compute_bleu(rows.sum(axis=0)) == own.score
    assert np.array_equal(rows[:, 4:8], count_ngrams(rows[:, 8]))


@given(PAIRS)
@settings(max_examples=60)
def test_many_scores_at_once_are_those_one_by_one(pairs: list[tuple[str, str]]) -> None:
    rows = count_statistics([output for output, _ in pairs], [reference for _, reference in pairs])
    sums = np.concatenate([rows, np.cumsum(rows, axis=0), np.zeros((1, 10), dtype=np.int64)])
    assert compute_bleu_per_row(sums) == pytest.approx([compute_bleu(row) for row in sums], rel=1e-12, abs=1e-12)


def test_real_sentences_score_as_sacrebleu_scores_them(sentences: list[tuple[str, str]]) -> None:
    generator = random.Random(1)
    references = [f"{sentences[index][1]} {sentences[-index][1]}" for index in range(60)]
    outputs = [" ".join(word for word in reference.split() if generator.random() < 0.9) for reference in references]
    score = BLEU().corpus_score(outputs, [references]).score
    assert 50 < score < 95
    assert compute_bleu(count_statistics(outputs, references).sum(axis=0)) == score
    assert compute_chrf(outputs, references) == (
        CHRF().corpus_score(outputs, [references]).score,
        compute_chrf([""], ["a"])[1],
    )


def test_chrf_s_counts_by_hand() -> None:
    rows = count_character_ngrams("ab c", "abd")  # abc and abd without white space
    assert rows.tolist() == [[3, 3, 2], [2, 2, 1], [1, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    share = (2 / 3 + 1 / 2 + 0) / 3  # precision and recall alike
    assert compute_chrf_from_counts(rows) == pytest.approx(100 * share)
    assert count_character_ngrams("abcd", "ab")[2].tolist() == [0, 0, 0]  # the reference has no three in a row


@given(PAIRS)
@settings(max_examples=60)
def test_chrf_of_sums_is_sacrebleu_s_corpus_score(pairs: list[tuple[str, str]]) -> None:
    outputs, references = zip(*pairs, strict=True)
    sums = sum(count_character_ngrams(output, reference) for output, reference in pairs)
    assert compute_chrf_from_counts(np.asarray(sums)) == pytest.approx(compute_chrf(outputs, references)[0], abs=1e-9)


def test_moses_splits_what_13a_leaves_whole() -> None:
    assert count_statistics(["l'eau est là"], ["l'air est là"])[0, 8] == 3
    # l' eau est là / l' air est là: 3 of 4 words, 1 of 3 pairs, then none, counted by sacreBLEU as 1/2 and 1/4
    score, signature = compute_moses_bleu(["l'eau est là"], ["l'air est là"], "fr")
    assert score == pytest.approx(100 * (3 / 4 * 1 / 3 * (1 / 2) / 2 * (1 / 4) / 1) ** 0.25)
    assert "tok:sacremoses-" in signature
    assert "-fr|" in signature


def test_signatures_tell_how() -> None:
    assert get_bleu_signature().startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    assert compute_chrf(["a"], ["a"])[1].startswith("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:")


def test_sides_must_pair_up() -> None:
    with pytest.raises(ValueError, match="shorter"):
        count_statistics(["a", "b"], ["a"])


def test_languages_without_spaces_are_scored_by_their_signs() -> None:
    """13a would see one word in a sentence of Chinese, and a perfect translation would have no BLEU at all."""
    texts = ["老师说学生们在学校学习中文。", "我的哥哥上个星期买了一辆新的车。"]
    close = ["老师说学生们在家里学习中文。", "我的哥哥上个星期买了一辆新的车。"]
    for language, tokeniser in (("zh", "zh"), ("zh-TW", "zh"), ("ja", "char"), ("th", "char"), ("ko", "13a")):
        assert f"|tok:{tokeniser}|" in get_bleu_signature(language)
        metric = BLEU(tokenize=tokeniser)
        rows = count_statistics(close, texts, language)
        assert compute_bleu(rows.sum(axis=0)) == pytest.approx(metric.corpus_score(close, [texts]).score)
    assert compute_bleu(count_statistics(texts, texts, "zh").sum(axis=0)) == pytest.approx(100)
    assert 50 < compute_bleu(count_statistics(close, texts, "zh").sum(axis=0)) < 99
    score, signature = compute_moses_bleu(texts, texts, "zh")
    assert (score, "|tok:zh|" in signature) == (pytest.approx(100), True)


@pytest.mark.parametrize("language", ["fr", "zh", "ja"])
def test_no_text_stays_with_the_tokenisers(language: str) -> None:
    """They keep 65,536 lines for good: a reader who has discarded a file is promised that it is gone."""
    count_statistics(["un secret"], ["le secret"], language)
    tokeniser = create_bleu_metric(language).tokenizer
    parts = (tokeniser, getattr(tokeniser, "_post_tokenizer", None))
    caches = [getattr(type(one).__call__, "cache_info", None) for one in parts]
    assert any(caches)
    assert all(info().currsize == 0 for info in caches if info)
