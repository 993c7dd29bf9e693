"""Invented evaluations for the tests of the pages, with the quality of each sentence given by a rule."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from model.analysis.evaluation.evaluation import COLUMNS, DataDescription, Evaluation, compute_perplexity
from model.analysis.metrics.length_curve import compute_length_curve, estimate_bleu_band
from model.text.bleu import NGRAM_ORDERS, compute_bleu, count_ngrams

LENGTHS = [length for length in range(1, 71) for _ in range(3)]
Rule = Callable[[int], float]


def constant_quality(length: int) -> float:
    """The same share of correct words for every length."""
    return 0.8


def falling_quality(length: int) -> float:
    """A share of correct words that falls with the length."""
    return max(0.1, 0.8 - 0.01 * length)


def make_evaluation(
    model: str = "rnnsearch-50",
    rule: Rule = constant_quality,
    lengths: Sequence[int] = LENGTHS,
    *,
    data: str = "made-up",
    beam: int = 1,
    date: str = "2026-01-02T03:04:05+00:00",
) -> Evaluation:
    """Return an evaluation of sources of these lengths with a share of about rule(length) correct words."""
    counts = np.zeros((len(lengths), len(COLUMNS)), dtype=np.int64)
    column = {name: counts[:, number] for number, name in enumerate(COLUMNS)}
    words = np.array(lengths)
    column["source_words"][:] = column["output_tokens"][:] = column["reference_tokens"][:] = words
    column["reference_pieces"][:] = words + 1
    column["reference_millinats"][:] = 2000 * (words + 1)
    noise = 0.1 * np.sin(np.arange(len(words)))
    share = np.array([rule(length) for length in lengths]) * (1 + noise)
    for order in range(NGRAM_ORDERS):
        column[f"correct_{order + 1}"][:] = np.floor(
            count_ngrams(words)[:, order] * np.clip(share, 0, 1) ** (order + 1)
        )
    sums = np.concatenate([counts[:, 1:5], count_ngrams(words), words[:, None], words[:, None]], axis=1)
    low, high = estimate_bleu_band(sums, 50)
    return Evaluation(
        model=model,
        fingerprint="0123456789ab",
        data=DataDescription(data, "0" * 64, len(lengths)),
        search={"name": "greedy" if beam == 1 else f"beam {beam}", "beam": beam},
        scores={
            "bleu": compute_bleu(sums.sum(axis=0)),
            "bleu_low": low,
            "bleu_high": high,
            "bleu_moses": 1.0,
            "chrf": 1.0,
            "perplexity": compute_perplexity(counts),
        },
        signatures={"bleu": "made-up|signature"},
        by_length=compute_length_curve(sums, words, 50),
        unfinished=0,
        untranslated=0,
        unscored=0,
        date=date,
        command="none",
        counts=counts,
    )


def write_evaluations(folder: Path, *evaluations: Evaluation) -> Path:
    """Write evaluations into a folder as the command line does."""
    for number, evaluation in enumerate(evaluations):
        (folder / f"{number}-{evaluation.model}-greedy.json").write_text(evaluation.to_json(), encoding="utf-8")
    return folder
