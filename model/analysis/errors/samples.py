"""Compare many sampled translations of one sentence with one reference translation of the same sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.analysis.errors.word_alignment import align_words
from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.trace import Array, Trace
from model.trace.checks import freeze_array


@dataclass(frozen=True, eq=False)
class SampleComparison:
    """Sampled translations against a reference translation.

    Attributes:
        reference: the translation compared with.
        sample_counts: each distinct translation with its count, the most frequent first, ties by probability.
        alternatives: for each word of `reference`, the words in its place with their counts, the most frequent first;
            None for a missing word.
        alpha: mean attention of what stood in each place, (reference words + end, source words + end); a row of zeros
            if nothing did. None without attention.
    """

    reference: Trace
    sample_counts: tuple[tuple[Trace, int], ...]
    alternatives: tuple[tuple[tuple[str | None, int], ...], ...]
    alpha: Array | None


def compare_samples(
    reference: Trace, samples: Sequence[Trace], should_stop: StopCallback | None = None
) -> SampleComparison:
    """Align sampled translations with a reference translation and count the words in each place.

    Words are aligned by `model.analysis.errors.word_alignment`. Raises ValueError without samples or for another
    sentence, SearchStopped once `should_stop` returns true.
    """
    if not samples:
        raise ValueError("A comparison needs at least one sampled translation: got none.")
    if any(sample.source != reference.source for sample in samples):
        raise ValueError(f"Sampled translations must be of the reference's sentence {reference.source.text[:60]!r}: "
                         "got one of another sentence.")
    words, width = len(reference.target.words), len(reference.source.words) + 1
    counts = Counter(sample.target.text for sample in samples)
    first_trace = {sample.target.text: sample for sample in reversed(samples)}
    texts = sorted(first_trace, key=lambda text: (-counts[text], -first_trace[text].log_probability))
    alternatives: list[Counter[str | None]] = [Counter() for _ in range(words)]
    sums, counted_rows = np.zeros((words + 1, width)), np.zeros(words + 1)
    for text, count in counts.items():
        columns = align_words(reference.target.words, first_trace[text].target.words, reference.target_language)
        for index, word in columns:
            if index is not None:
                alternatives[index][None if word is None else first_trace[text].target.words[word]] += count
        aligned = [(index, word) for index, word in columns if index is not None and word is not None]
        for sample in samples if reference.has_attention else ():
            raise_if_stopped(should_stop)
            if sample.target.text != text:
                continue
            alpha = sample.compute_word_map_with_end(reference.displayed_map_key)
            for index, word in [*aligned, *([(words, len(alpha) - 1)] if sample.is_finished else [])]:
                sums[index] += alpha[word]
                counted_rows[index] += 1
    return SampleComparison(
        reference,
        tuple((first_trace[text], counts[text]) for text in texts),
        tuple(
            tuple(sorted(counts_of_words.items(), key=lambda pair: (-pair[1], pair[0] is None, pair[0] or "")))
            for counts_of_words in alternatives
        ),
        freeze_array(sums / np.maximum(counted_rows, 1)[:, None], "The mean of the maps")
        if reference.has_attention
        else None,
    )
