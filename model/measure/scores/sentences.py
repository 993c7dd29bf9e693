"""What can be said of each sentence of a reader's file: numbers to sort sentences by, and sums to score them with.

Those of a translation alone need no reference; BLEU and chrF do. A sentence's own BLEU or chrF is only good for finding
sentences to look at: scores of a system are those of many sentences together, made of the sums here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.measure.contrast.differences import repeated
from model.measure.scores.attention_scores import trace_scores
from model.measure.scores.bleu import ORDERS, Counts, sacrebleu_metrics, statistics
from model.trace import Trace


@dataclass(frozen=True)
class Scores:
    """One output against its reference: BLEU and chrF of this sentence alone, 0 to 100, and the ten numbers that a
    corpus BLEU is made of (`model.measure.scores.bleu.statistics`)."""

    bleu: float
    chrf: float
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Measures:
    """One translation by itself.

    `words`: of the output, at white space; `ratio`: of these to the source's; `log_probability`: the mean over the
    output's pieces, in nats, "</s>" counted; `repetition`: the share of the output's words that repeat more than the
    source does (`model.measure.contrast.differences`), 0 to 1; `confidence` and `coverage`: the attention's
    confidence and coverage deviation over words (`model.measure.scores.attention_scores`, k = 2), as percentages, 100
    at best; None where the model has no attention.
    """

    words: int
    ratio: float
    log_probability: float
    repetition: float
    confidence: float | None
    coverage: float | None


def measure(trace: Trace) -> Measures:
    """The measures of a translation."""
    words = len(trace.target.text.split())
    marked = repeated(trace)
    attends = trace.attends
    attention = trace_scores(trace) if attends else None
    return Measures(
        words=words,
        ratio=words / max(1, len(trace.source.text.split())),
        log_probability=trace.log_probability / len(trace.steps),
        repetition=len(marked) / max(1, len(trace.target.words)),
        confidence=attention.confidence_percent if attention else None,
        coverage=attention.coverage_deviation_percent if attention else None,
    )


def score(output: str, reference: str) -> Scores:
    """The scores of one output, "" for a sentence that could not be translated."""
    (counts,) = statistics([output], [reference])
    return Scores(sentence_bleu(counts), float(sacrebleu_metrics().CHRF().sentence_score(output, [reference]).score),
                  tuple(int(number) for number in counts))


def sentence_bleu(counts: Counts) -> float:
    """sacreBLEU's sentence score of ten numbers, 0 to 100: exponential smoothing, and only such n-grams as an output of
    that length can have."""
    *grams, output_length, reference_length = (int(number) for number in counts)
    made = sacrebleu_metrics().BLEU.compute_bleu(grams[:ORDERS], grams[ORDERS:], output_length, reference_length,
                                                 smooth_method="exp", effective_order=True)  # fmt: skip
    return float(made.score)


def together(scores: Sequence[Scores]) -> Counts:
    """The ten numbers of each sentence, (sentences, 10), for corpus scores, bins and bands."""
    return np.array([one.counts for one in scores], dtype=np.int64).reshape(len(scores), 2 * ORDERS + 2)
