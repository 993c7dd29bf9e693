"""How evenly a model looks at its sources and how often it repeats itself, as coverage (Tu et al. 2016) is to mend.

Counted are the words of a translation that repeat more than the source does (`model.analysis.errors.differences`), and
how far the looks that each word of the source got, "</s>" among them, are from one in all: its coverage deviation
ln(1 + (1 - cov_j)^2) (`model.analysis.metrics.attention_scores`), 0 where they are even.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.analysis.errors.differences import find_repetitions
from model.analysis.evaluation.evaluation import EvaluationError, ParallelText
from model.analysis.metrics.attention_scores import score_trace_attention
from model.analysis.metrics.estimates import Sums, estimate_with_band
from model.decoding import Settings
from model.decoding.translate import TranslationModel, translate
from model.progress import ProgressCallback
from model.trace import Trace

SCHEMA = 1
COLUMNS = ("words", "repeated", "source_words", "deviation")
"""Of each sentence: the words of its translation and how many of them repeat; the words of the source, "</s>" among
them, and the sum of their coverage deviations in millionths of a nat."""

Values = NDArray[np.float64]


def count_repetition_and_coverage(trace: Trace) -> tuple[int, ...]:
    """COLUMNS of one translation."""
    columns = trace.compute_word_map_with_end().shape[1]
    deviation = -score_trace_attention(trace).coverage_deviation * columns
    return len(trace.target.words), len(find_repetitions(trace)), columns, round(1e6 * deviation)


def measure_coverage(
    model: TranslationModel, text: ParallelText, *, settings: Settings | None = None, command: str = "",
    progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """What `assets/evaluations/looking-NAME.json` holds: the share of words repeated, the mean deviation of a word, and
    the counts. Raises EvaluationError where no word was written, TraceError or AttentionScoresError for a model that
    looks at nothing or whose rows are no shares of 1, SentenceError for a source that cannot be translated."""
    settings = settings or Settings(candidates=0)
    report = progress or (lambda stage, done, total: None)
    rows = []
    for number, found in enumerate(translate(model, [source for source, _ in text.pairs], settings), 1):
        rows.append(count_repetition_and_coverage(found[0]))
        report("looking", number, len(text.pairs))
    columns = dict(zip(COLUMNS, np.array(rows).T.tolist(), strict=True))
    if not sum(columns["words"]):
        raise EvaluationError(f"{model.name} wrote no word for any sentence of {text.name}.")
    return {
        "schema": SCHEMA, "kind": "looking", "model": model.name, "fingerprint": model.fingerprint,
        "data": {"name": text.name, "sha256": text.sha256, "sentences": len(text.pairs)},
        "search": {"name": settings.method, **settings.provenance},
        "shares": {"repeated": asdict(estimate_with_band(columns, repetition_share)),
                   "deviation": asdict(estimate_with_band(columns, mean_deviation))},
        "date": datetime.now(UTC).isoformat(timespec="seconds"), "command": command, "counts": columns,
    }  # fmt: skip


def repetition_share(sums: Sums) -> Values:
    """The share of the words that repeat, of the sums of COLUMNS (`model.analysis.metrics.estimates.estimate`)."""
    return sums["repeated"] / sums["words"]


def mean_deviation(sums: Sums) -> Values:
    """The mean coverage deviation of a word of the source, in nats, of the sums of COLUMNS."""
    return sums["deviation"] / sums["source_words"] / 1e6
