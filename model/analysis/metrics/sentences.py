"""Measures and scores of single sentences, for sorting a user's file and for corpus scores.

TranslationMeasures need no reference, BLEU and chrF do. Sentence scores are only good for finding sentences to look at;
a system is scored by the sums over many sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.analysis.errors.differences import find_repetitions
from model.analysis.metrics.attention_scores import score_trace_attention
from model.text.bleu import NGRAM_ORDERS, Counts, count_statistics, import_sacrebleu_metrics
from model.text.languages import DEFAULT_PAIR, get_language
from model.trace import Trace


@dataclass(frozen=True)
class SentenceScores:
    """Scores of one output against its reference.

    Attributes:
        bleu: sentence BLEU, from 0 to 100.
        chrf: sentence chrF, from 0 to 100.
        counts: the ten statistics of corpus BLEU (`model.text.bleu.count_statistics`).
    """

    bleu: float
    chrf: float
    counts: tuple[int, ...]


@dataclass(frozen=True)
class TranslationMeasures:
    """Measures of one translation without a reference.

    Attributes:
        words: words of the output, separated by white space where its language has spaces.
        ratio: these divided by the source's.
        log_probability: mean over the output's tokens with "</s>", in nats.
        repetition: share of the output's words that repeat more than the source (`model.analysis.errors.differences`).
        confidence: confidence of the attention over words, in per cent (`model.analysis.metrics.attention_scores`, k =
            2); None without attention or if its rows need not sum to 1.
        coverage: coverage deviation in per cent, 100 at best; None as above.
    """

    words: int
    ratio: float
    log_probability: float
    repetition: float
    confidence: float | None
    coverage: float | None


def measure_translation(trace: Trace) -> TranslationMeasures:
    """Return the measures of a translation."""
    words = get_language(trace.target_language).count_words(trace.target.text)
    repetitions = find_repetitions(trace)
    # Rows that need not sum to 1, as with local-p windows, are no distributions.
    attention = (
        score_trace_attention(trace) if trace.has_attention and trace.get_map().description.rows_sum_to_one else None
    )
    return TranslationMeasures(
        words=words,
        ratio=words / max(1, get_language(trace.source_language).count_words(trace.source.text)),
        log_probability=trace.log_probability / len(trace.steps),
        repetition=len(repetitions) / max(1, len(trace.target.words)),
        confidence=attention.confidence_percent if attention else None,
        coverage=attention.coverage_deviation_percent if attention else None,
    )


def score_sentence(output: str, reference: str, language: str = DEFAULT_PAIR[1]) -> SentenceScores:
    """Score one output, "" for a sentence that could not be translated. `language` is that of both texts."""
    counts = count_statistics([output], [reference], language)
    chrf = import_sacrebleu_metrics().CHRF().sentence_score(output, [reference]).score
    return SentenceScores(
        float(compute_sentence_bleu(counts)[0]), float(chrf), tuple(int(number) for number in counts[0])
    )


def compute_sentence_bleu(counts: Counts) -> NDArray[np.float64]:
    """Return sacreBLEU's sentence scores of rows of ten statistics, (sentences,), from 0 to 100.

    Smoothing is exponential: an order without a match counts half of the order before. Orders longer than the output
    are left out, and the score is 0 without a correct word. Vectorised, because sacreBLEU takes seconds for a test set.
    """
    numbers = counts.astype(np.float64)
    matches, totals = numbers[:, :NGRAM_ORDERS], numbers[:, NGRAM_ORDERS : 2 * NGRAM_ORDERS]
    output, reference = numbers[:, -2], numbers[:, -1]
    has_ngrams, is_zero = totals > 0, (matches == 0) & (totals > 0)
    smoothed = np.where(is_zero, 0.5 ** is_zero.cumsum(axis=1), matches)
    logarithms = np.log(np.where(has_ngrams, smoothed, 1.0) / np.where(has_ngrams, totals, 1.0))
    mean = logarithms.sum(axis=1) / np.maximum(has_ngrams.sum(axis=1), 1)
    brevity = np.minimum(0.0, 1.0 - reference / np.maximum(output, 1.0))
    scores: NDArray[np.float64] = np.where(matches.any(axis=1), 100.0 * np.exp(mean + brevity), 0.0)
    return scores


def stack_counts(scores: Sequence[SentenceScores]) -> Counts:
    """Return the statistics of all sentences, (sentences, 10), for corpus scores, bins and bands."""
    return np.array([score.counts for score in scores], dtype=np.int64).reshape(len(scores), 2 * NGRAM_ORDERS + 2)
