"""What can be said of each sentence of a reader's file: numbers to sort sentences by, and sums to score them with.

Those of a translation alone need no reference; BLEU and chrF do. A sentence's own BLEU or chrF is only good for finding
sentences to look at: scores of a system are those of many sentences together, made of the sums here.
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
    """One output against its reference: BLEU and chrF of this sentence alone, 0 to 100, and the ten numbers that a
    corpus BLEU is made of (`model.text.bleu.statistics`)."""

    bleu: float
    chrf: float
    counts: tuple[int, ...]


@dataclass(frozen=True)
class TranslationMeasures:
    """One translation by itself.

    `words`: of the output, at white space where its language has some (`Language.count`); `ratio`: of these to the
    source's; `log_probability`: the mean over the output's pieces, in nats, "</s>" counted; `repetition`: the share of
    the output's words that repeat more than the source does (`model.analysis.errors.differences`), 0 to 1;
    `confidence` and `coverage`: the attention's confidence and coverage deviation over words, as percentages, 100 at
    best (`model.analysis.metrics.attention_scores`, k = 2); None without attention, or where its rows need not sum to
    1.
    """

    words: int
    ratio: float
    log_probability: float
    repetition: float
    confidence: float | None
    coverage: float | None


def measure_translation(trace: Trace) -> TranslationMeasures:
    """The measures of a translation."""
    words = get_language(trace.target_language).count_words(trace.target.text)
    marked = find_repetitions(trace)
    # Rows that need not sum to 1, as those of local-p windows, are no distribution to be sure or unsure.
    attention = (
        score_trace_attention(trace) if trace.has_attention and trace.get_map().description.rows_sum_to_one else None
    )
    return TranslationMeasures(
        words=words,
        ratio=words / max(1, get_language(trace.source_language).count_words(trace.source.text)),
        log_probability=trace.log_probability / len(trace.steps),
        repetition=len(marked) / max(1, len(trace.target.words)),
        confidence=attention.confidence_percent if attention else None,
        coverage=attention.coverage_deviation_percent if attention else None,
    )


def score_sentence(output: str, reference: str, language: str = DEFAULT_PAIR[1]) -> SentenceScores:
    """The scores of one output, "" for a sentence that could not be translated. `language`: of both."""
    counts = count_statistics([output], [reference], language)
    chrf = import_sacrebleu_metrics().CHRF().sentence_score(output, [reference]).score
    return SentenceScores(
        float(compute_sentence_bleu(counts)[0]), float(chrf), tuple(int(number) for number in counts[0])
    )


def compute_sentence_bleu(counts: Counts) -> NDArray[np.float64]:
    """sacreBLEU's sentence scores of rows of ten numbers, (sentences,), 0 to 100: exponential smoothing (each order
    without a match counts half of what the one before it did), only such n-grams as an output of that length can have,
    and 0 where not one word is right. sacreBLEU scores one sentence at a time, which takes seconds for a test set."""
    right, all_of = (
        counts[:, :NGRAM_ORDERS].astype(np.float64),
        counts[:, NGRAM_ORDERS : 2 * NGRAM_ORDERS].astype(np.float64),
    )
    output, reference = counts[:, -2].astype(np.float64), counts[:, -1].astype(np.float64)
    exist, missed = all_of > 0, (right == 0) & (all_of > 0)
    smoothed = np.where(missed, 0.5 ** missed.cumsum(axis=1), right)
    logarithms = np.log(np.where(exist, smoothed, 1.0) / np.where(exist, all_of, 1.0))
    mean = logarithms.sum(axis=1) / np.maximum(exist.sum(axis=1), 1)
    brevity = np.minimum(0.0, 1.0 - reference / np.maximum(output, 1.0))
    scores: NDArray[np.float64] = np.where(right.any(axis=1), 100.0 * np.exp(mean + brevity), 0.0)
    return scores


def stack_counts(scores: Sequence[SentenceScores]) -> Counts:
    """The ten numbers of each sentence, (sentences, 10), for corpus scores, bins and bands."""
    return np.array([one.counts for one in scores], dtype=np.int64).reshape(len(scores), 2 * NGRAM_ORDERS + 2)
