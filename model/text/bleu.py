"""BLEU (sacreBLEU, and on Moses-tokenised text) and chrF, with their statistics per sentence.

Corpus BLEU is a function of ten sums over sentences. The ten statistics of every sentence allow scoring any subset
(lengths, a bootstrap sample) exactly, without the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.text.languages import DEFAULT_PAIR, get_language

NGRAM_ORDERS = 4  # n-grams of 1 to 4 words
CHARACTER_NGRAM_ORDERS = 6  # n-grams of 1 to 6 characters
STATISTIC_COUNT = 2 * NGRAM_ORDERS + 2
"""Per sentence: correct n-grams (n = 1 to 4), output n-grams, length of the output, length of the reference."""

Counts = NDArray[np.int64]
Score = tuple[float, str]
"""A score and its sacreBLEU signature."""


def import_sacrebleu_metrics() -> Any:
    """Import sacreBLEU's metrics on first use, so that a page's first draw is fast."""
    import sacrebleu.metrics

    return sacrebleu.metrics


def create_bleu_metric(language: str = DEFAULT_PAIR[1]) -> Any:
    """Return sacreBLEU's BLEU with the tokenizer of a language."""
    return import_sacrebleu_metrics().BLEU(tokenize=get_language(language).bleu_tokenizer)


def clear_tokenizer_cache(metric: Any) -> None:
    """Clear the lines that sacreBLEU's tokenizers cache, since users' text must not stay in memory."""
    for tokenizer in (metric.tokenizer, getattr(metric.tokenizer, "_post_tokenizer", None)):
        clear = getattr(type(tokenizer).__call__, "cache_clear", None)
        if clear is not None:
            clear()


def count_statistics(outputs: Sequence[str], references: Sequence[str], language: str = DEFAULT_PAIR[1]) -> Counts:
    """Return sacreBLEU's statistics of every sentence with its one reference, (sentences, 10)."""
    metric = create_bleu_metric(language)
    rows = np.zeros((len(outputs), STATISTIC_COUNT), dtype=np.int64)
    for row, output, reference in zip(rows, outputs, references, strict=True):
        score: Any = metric.corpus_score([output], [[reference]])
        row[:] = [*score.counts, *score.totals, score.sys_len, score.ref_len]
    clear_tokenizer_cache(metric)
    return rows


def count_ngrams(output_lengths: Counts) -> Counts:
    """Return the numbers of 1- to 4-grams of outputs of these lengths, (sentences, 4)."""
    return np.maximum(output_lengths[:, None] - np.arange(NGRAM_ORDERS), 0)


def compute_bleu(sums: Counts | Sequence[int]) -> float:
    """Return sacreBLEU's corpus score, 0 to 100, from the ten sums over any sentences."""
    *grams, output_length, reference_length = (int(number) for number in sums)
    metric = import_sacrebleu_metrics().BLEU
    score = metric.compute_bleu(
        grams[:NGRAM_ORDERS], grams[NGRAM_ORDERS:], output_length, reference_length, smooth_method="exp"
    )
    return float(score.score)


def compute_bleu_per_row(sums: Counts) -> NDArray[np.float64]:
    """Return `compute_bleu` of every row of sums (rows, 10), vectorised for bootstrap samples."""
    grams, lengths = sums[:, : 2 * NGRAM_ORDERS].astype(np.float64), sums[:, 2 * NGRAM_ORDERS :].astype(np.float64)
    correct, total = grams[:, :NGRAM_ORDERS], grams[:, NGRAM_ORDERS:]
    # Exponential smoothing: the k-th order without a correct n-gram counts 1 / 2^k.
    smoothed = np.where(correct > 0, correct, 0.5 ** np.cumsum(correct == 0, axis=1))
    is_positive = (total > 0).all(axis=1) & (correct > 0).any(axis=1)
    output, reference = lengths[is_positive].T
    brevity_penalty = np.where(output < reference, np.exp(1 - reference / output), 1.0)
    precision = np.exp(np.log(smoothed[is_positive] / total[is_positive]).mean(axis=1))
    scores = np.zeros(len(sums))
    scores[is_positive] = 100 * brevity_penalty * precision
    return scores


def get_bleu_signature(language: str = DEFAULT_PAIR[1]) -> str:
    """Return the signature of scores from `count_statistics`."""
    metric = create_bleu_metric(language)
    metric.corpus_score(["."], [["."]])  # the signature includes the number of references
    return str(metric.get_signature())


def compute_moses_bleu(outputs: Sequence[str], references: Sequence[str], language: str) -> Score:
    """Return BLEU on text tokenized by Moses (sacremoses), as in papers of 2015.

    In French it splits elisions ("l' homme"), so the score is not comparable to that with 13a. For languages without
    spaces between words it is sacreBLEU's score.
    """
    if not get_language(language).has_spaces:
        metric = create_bleu_metric(language)
        return float(metric.corpus_score(list(outputs), [list(references)]).score), str(metric.get_signature())
    import sacremoses  # takes seconds, and pages are drawn without it

    tokenizer = sacremoses.MosesTokenizer(lang=language)

    def tokenize(texts: Sequence[str]) -> list[str]:
        return [tokenizer.tokenize(text, escape=False, return_str=True) for text in texts]

    metric = import_sacrebleu_metrics().BLEU(tokenize="none", force=True)  # force: no warning about tokenized text
    score = metric.corpus_score(tokenize(outputs), [tokenize(references)]).score
    signature = str(metric.get_signature()).replace("tok:none", f"tok:sacremoses-{sacremoses.__version__}-{language}")
    return float(score), signature


def compute_chrf(outputs: Sequence[str], references: Sequence[str]) -> Score:
    """Return chrF2, 0 to 100: the F-score of character n-grams."""
    metric = import_sacrebleu_metrics().CHRF()
    score = metric.corpus_score(list(outputs), [list(references)]).score
    return float(score), str(metric.get_signature())


def count_character_ngrams(output: str, reference: str) -> Counts:
    """Return counts of character n-grams for chrF, (CHARACTER_NGRAM_ORDERS, 3): output, reference and shared.

    White space is left out. Orders that the reference lacks count 0 for the output too.
    """
    sides = ["".join(text.split()) for text in (output, reference)]
    rows = np.zeros((CHARACTER_NGRAM_ORDERS, 3), dtype=np.int64)
    for n, row in enumerate(rows, 1):
        ngrams, reference_ngrams = (Counter(text[k : k + n] for k in range(len(text) - n + 1)) for text in sides)
        shared_ngrams = ngrams & reference_ngrams
        row[:] = ngrams.total() if reference_ngrams else 0, reference_ngrams.total(), shared_ngrams.total()
    return rows


def compute_chrf_from_counts(sums: Counts) -> float:
    """Return chrF2 from sums of `count_character_ngrams` over any sentences (Popović 2015).

    Precision and recall are averaged over the orders that both sides have; recall weighs twice as much.
    """
    output_counts, reference_counts, shared_counts = sums[(sums[:, :2] > 0).all(axis=1)].T
    if not shared_counts.any():
        return 0.0
    precision, recall = (shared_counts / output_counts).mean(), (shared_counts / reference_counts).mean()
    return float(100 * 5 * precision * recall / (4 * precision + recall))
