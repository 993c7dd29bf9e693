"""Measure whether long sentences are translated to their end: how many reference words are found, by third.

Only content words that occur once in the reference count: their position is unambiguous. The reference is divided into
thirds by words; a word is found if the output has it anywhere, ignoring case. The share that can be found differs
between thirds (sentences often begin with names), so compare models on the same sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.analysis.evaluation.evaluate import translate_texts
from model.analysis.evaluation.evaluation import EvaluationError, ParallelText
from model.analysis.evaluation.stored import build_date_and_command, build_record_head
from model.analysis.metrics.estimates import Sums, estimate_with_band
from model.decoding import Settings
from model.decoding.translate import TranslationModel
from model.progress import ProgressCallback
from model.text.words import is_content_word, split_words

SCHEMA = 1
MIN_WORDS = 30  # whitespace words of the source: where the paper says that RNNencdec-50 begins to drift
THIRDS = ("first", "middle", "last")
COLUMNS = tuple(f"{third}{suffix}" for third in THIRDS for suffix in ("", "_found"))
"""For each third of the reference: how many words are looked for, and how many are found. JSON keys."""


def count_by_third(reference: str, output: str, language: str) -> tuple[int, ...]:
    """Return COLUMNS of one sentence. Both texts are normalised and in `language`."""
    reference_words, output_words = _split_casefolded(reference, language), set(_split_casefolded(output, language))
    occurrences = Counter(reference_words)
    counts = [0] * len(COLUMNS)
    for index, word in enumerate(reference_words):
        if occurrences[word] == 1 and is_content_word(word, language):
            third = 3 * index // len(reference_words)
            counts[2 * third] += 1
            counts[2 * third + 1] += word in output_words
    return tuple(counts)


def select_long_sentences(text: ParallelText) -> ParallelText:
    """Return the pairs whose source has more than MIN_WORDS words. Raises EvaluationError if there are none."""
    pairs = tuple(pair for pair in text.pairs if len(pair[0].split()) > MIN_WORDS)
    if not pairs:
        raise EvaluationError(f"No source of {text.name} has more than {MIN_WORDS} words.")
    return replace(text, name=f"{text.name}, over {MIN_WORDS} words", pairs=pairs)


def measure_endings(
    model: TranslationModel, text: ParallelText, *, settings: Settings | None = None, command: str = "",
    progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """Return the content of `assets/evaluations/endings-NAME.json`: the share of words found in each third, and counts.

    `text` holds long sentences (`select_long_sentences`). Raises EvaluationError if a third has no words to look for.
    """
    settings = settings or Settings()
    outputs = translate_texts(model, [source for source, _ in text.pairs], settings, progress)
    rows = [count_by_third(reference, output, model.languages[1])
            for (_, reference), output in zip(text.pairs, outputs, strict=True)]
    columns = dict(zip(COLUMNS, np.array(rows).T.tolist(), strict=True))
    if not all(sum(columns[third]) for third in THIRDS):
        raise EvaluationError(f"No reference in {text.name} has content words to look for in each third.")
    shares = {third: estimate_with_band(columns, make_found_share(third)) for third in THIRDS}
    return {
        **build_record_head("endings", SCHEMA, model, asdict(text.describe()), settings),
        "shares": {third: asdict(estimate) for third, estimate in shares.items()},
        **build_date_and_command(command), "counts": columns,
    }  # fmt: skip


def make_found_share(third: str) -> Callable[[Sums], NDArray[np.float64]]:
    """Return a function from sums of COLUMNS to the share of a third's words that are found."""
    return lambda sums: sums[f"{third}_found"] / sums[third]


def _split_casefolded(text: str, language: str) -> list[str]:
    return [text[start:end].casefold() for start, end in split_words(text, language)]
