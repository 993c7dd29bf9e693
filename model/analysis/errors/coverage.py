"""Measure repetitions and coverage deviation, the two things that coverage (Tu et al. 2016) is to improve.

Repetitions are the words that a translation repeats more than its source (`model.analysis.errors.differences`). The
coverage deviation of a source word is ln(1 + (1 - cov_j)^2), "</s>" included. Here cov_j is the sum of its attention
weights (`model.analysis.metrics.attention_scores`).
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.analysis.errors.differences import find_repetitions
from model.analysis.evaluation.evaluation import EvaluationError, ParallelText
from model.analysis.evaluation.stored import build_date_and_command, build_record_head
from model.analysis.metrics.attention_scores import score_trace_attention
from model.analysis.metrics.estimates import Sums, estimate_with_band
from model.decoding import Settings
from model.decoding.translate import TranslationModel, translate
from model.progress import ProgressCallback, ignore_progress
from model.trace import Trace

SCHEMA = 1
COLUMNS = ("words", "repeated", "source_words", "deviation")
"""Counts of each sentence, as JSON keys: target words, repeated ones, source words with "</s>", and the sum of their
coverage deviations in millionths of a nat.
"""

Values = NDArray[np.float64]


def count_repetition_and_coverage(trace: Trace) -> tuple[int, ...]:
    """Return COLUMNS of one translation."""
    columns = trace.compute_word_map_with_end().shape[1]
    deviation = -score_trace_attention(trace).coverage_deviation * columns
    return len(trace.target.words), len(find_repetitions(trace)), columns, round(1e6 * deviation)


def measure_coverage(
    model: TranslationModel, text: ParallelText, *, settings: Settings | None = None, command: str = "",
    progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """Return the content of `assets/evaluations/coverage-NAME.json`: share of repeated words, mean deviation, and
    counts.

    Raises:
        EvaluationError: no word was generated.
        TraceError, AttentionScoresError: the model has no attention, or its rows do not sum to 1.
        SentenceError: a source cannot be translated.
    """
    settings = settings or Settings(candidates=0)
    report = progress or ignore_progress
    rows = []
    for number, traces in enumerate(translate(model, [source for source, _ in text.pairs], settings), 1):
        rows.append(count_repetition_and_coverage(traces[0]))
        report("coverage", number, len(text.pairs))
    columns = dict(zip(COLUMNS, np.array(rows).T.tolist(), strict=True))
    if not sum(columns["words"]):
        raise EvaluationError(f"{model.name} wrote no word for any sentence of {text.name}.")
    return {
        **build_record_head("coverage", SCHEMA, model, asdict(text.describe()), settings),
        "shares": {"repeated": asdict(estimate_with_band(columns, compute_repetition_share)),
                   "deviation": asdict(estimate_with_band(columns, compute_mean_deviation))},
        **build_date_and_command(command), "counts": columns,
    }  # fmt: skip


def compute_repetition_share(sums: Sums) -> Values:
    """Return the share of repeated words, from sums of COLUMNS."""
    return sums["repeated"] / sums["words"]


def compute_mean_deviation(sums: Sums) -> Values:
    """Return the mean coverage deviation of a source word in nats, from sums of COLUMNS."""
    return sums["deviation"] / sums["source_words"] / 1e6
