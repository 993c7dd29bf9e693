"""Scores of translations: sacreBLEU and the sums it is made of, BLEU of Moses-tokenised text beside it, and chrF.

Corpus BLEU is a function of ten sums over sentences. Who keeps the ten numbers of every sentence can score any part of
a corpus (a bin of lengths, a bootstrap sample) exactly, without the text.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.text.languages import DEFAULT_PAIR, get_language

NGRAM_ORDERS = 4  # n-grams of 1 to 4 words
CHARACTER_NGRAM_ORDERS = 6  # n-grams of 1 to 6 characters
STATISTIC_COUNT = 2 * NGRAM_ORDERS + 2
"""Per sentence: correct n-grams (n = 1 to 4), all n-grams of the output, length of the output, of the reference."""

Counts = NDArray[np.int64]
Score = tuple[float, str]
"""A score and the signature that says how it was computed."""


def import_sacrebleu_metrics() -> Any:
    """sacreBLEU's module of metrics, imported when a score is first computed: a page that is only drawn needs none."""
    return importlib.import_module("sacrebleu.metrics")


def create_bleu_metric(language: str = DEFAULT_PAIR[1]) -> Any:
    """sacreBLEU's BLEU with the tokeniser for text of that language: 13a, but where words have no spaces between them.
    """
    from sacrebleu.metrics.bleu import BLEU  # when a score is first computed: a page that is only drawn needs none

    return BLEU(tokenize=get_language(language).bleu_tokenizer)


def clear_tokenizer_cache(metric: Any) -> None:
    """Let sacreBLEU's tokenisers forget the lines that they keep, some ten thousands: what readers give is not to stay.
    """
    for one in (metric.tokenizer, getattr(metric.tokenizer, "_post_tokenizer", None)):
        clear = getattr(type(one).__call__, "cache_clear", None)
        if clear is not None:
            clear()


def count_statistics(outputs: Sequence[str], references: Sequence[str], language: str = DEFAULT_PAIR[1]) -> Counts:
    """The ten numbers of every sentence, (sentences, 10): sacreBLEU's own, one reference, in words of `language`."""
    metric = create_bleu_metric(language)
    rows = np.zeros((len(outputs), STATISTIC_COUNT), dtype=np.int64)
    for row, output, reference in zip(rows, outputs, references, strict=True):
        score: Any = metric.corpus_score([output], [[reference]])
        row[:] = [*score.counts, *score.totals, score.sys_len, score.ref_len]
    clear_tokenizer_cache(metric)
    return rows


def count_ngrams(output_lengths: Counts) -> Counts:
    """How many n-grams outputs of these lengths have, (sentences, 4): m words have m, m - 1, m - 2 and m - 3."""
    return np.maximum(output_lengths[:, None] - np.arange(NGRAM_ORDERS), 0)


def compute_bleu(sums: Counts | Sequence[int]) -> float:
    """sacreBLEU's corpus score, 0 to 100, of the ten sums over any sentences; 0 where there are none."""
    *grams, output_length, reference_length = (int(number) for number in sums)
    metric = import_sacrebleu_metrics().BLEU
    score = metric.compute_bleu(grams[:NGRAM_ORDERS], grams[NGRAM_ORDERS:], output_length, reference_length, smooth_method="exp")
    return float(score.score)


def compute_bleu_per_row(sums: Counts) -> NDArray[np.float64]:
    """`bleu` of every row of sums (rows, 10), computed for all at once: bootstrap samples by the thousand."""
    grams, lengths = sums[:, : 2 * NGRAM_ORDERS].astype(np.float64), sums[:, 2 * NGRAM_ORDERS :].astype(np.float64)
    correct, total = grams[:, :NGRAM_ORDERS], grams[:, NGRAM_ORDERS:]
    # Exponential smoothing: the k-th order without a correct n-gram counts as 1 / 2^k of one.
    smoothed = np.where(correct > 0, correct, 0.5 ** np.cumsum(correct == 0, axis=1))
    scored = (total > 0).all(axis=1) & (correct > 0).any(axis=1)
    output, reference = lengths[scored].T
    penalty = np.where(output < reference, np.exp(1 - reference / output), 1.0)
    scores = np.zeros(len(sums))
    scores[scored] = 100 * penalty * np.exp(np.log(smoothed[scored] / total[scored]).mean(axis=1))
    return scores


def get_bleu_signature(language: str = DEFAULT_PAIR[1]) -> str:
    """The signature of the scores made of `statistics`."""
    metric = create_bleu_metric(language)
    metric.corpus_score(["."], [["."]])  # the signature wants to know the number of references
    return str(metric.get_signature())


def compute_moses_bleu(outputs: Sequence[str], references: Sequence[str], language: str) -> Score:
    """BLEU of both sides cut by the tokeniser of Moses for their language (sacremoses), as in papers of 2015.

    In French it splits elisions ("l' homme") and so counts other words than 13a does; the two scores
    are not comparable. It knows no words without spaces between them: of such languages this is what `statistics`
    comes to.
    """
    if not get_language(language).has_spaces:
        metric = create_bleu_metric(language)
        return float(metric.corpus_score(list(outputs), [list(references)]).score), str(metric.get_signature())
    import sacremoses

    cut = sacremoses.MosesTokenizer(lang=language).tokenize

    def tokenised(texts: Sequence[str]) -> list[str]:
        return [cut(text, escape=False, return_str=True) for text in texts]

    metric = import_sacrebleu_metrics().BLEU(tokenize="none", force=True)  # force: it may well look tokenised
    score = metric.corpus_score(tokenised(outputs), [tokenised(references)]).score
    signature = str(metric.get_signature()).replace("tok:none", f"tok:sacremoses-{sacremoses.__version__}-{language}")
    return float(score), signature


def compute_chrf(outputs: Sequence[str], references: Sequence[str]) -> Score:
    """chrF2, 0 to 100: the F-score of character n-grams."""
    metric = import_sacrebleu_metrics().CHRF()
    score = metric.corpus_score(list(outputs), [list(references)]).score
    return float(score), str(metric.get_signature())


def count_character_ngrams(output: str, reference: str) -> Counts:
    """What chrF is made of, (CHARACTER_ORDERS, 3): for n = 1 to 6 the character n-grams of the output, of the reference
    and those that both have; white space is left out. Where the reference has none, those of the output don't count.
    """
    sides = ["".join(text.split()) for text in (output, reference)]
    rows = np.zeros((CHARACTER_NGRAM_ORDERS, 3), dtype=np.int64)
    for n, row in enumerate(rows, 1):
        ours, theirs = (Counter(text[k : k + n] for k in range(len(text) - n + 1)) for text in sides)
        row[:] = ours.total() if theirs else 0, theirs.total(), (ours & theirs).total()
    return rows


def compute_chrf_from_counts(sums: Counts) -> float:
    """`chrf` out of the sums of `characters` over any sentences: precision and recall, each averaged over the orders
    that both sides have, then their F-score with recall weighing twice as much (Popović 2015)."""
    output, reference, shared = sums[(sums[:, :2] > 0).all(axis=1)].T
    if not shared.any():
        return 0.0
    precision, recall = (shared / output).mean(), (shared / reference).mean()
    return float(100 * 5 * precision * recall / (4 * precision + recall))
