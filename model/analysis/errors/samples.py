"""Many translations of one sentence beside one of them: the same ones counted, what stands in each word's place, and
where that place looked on the average."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.analysis.errors.word_alignment import align_words
from model.decoding.stop_callback import Stopped, go_on
from model.trace import Array, Trace
from model.trace.checks import freeze_array


@dataclass(frozen=True, eq=False)
class SampleComparison:
    """`groups`: each different translation with how often it came, the most frequent first, of equal ones the likelier;
    `chosen`: for each word of `like` what stood in its place, how often, most often first, None for nothing;
    `alpha` (words of `like` and its end, source words and its end): the mean weights of what stood there, None without
    attention, a row of zeros where nothing ever did."""

    reference: Trace
    counted: tuple[tuple[Trace, int], ...]
    alternatives: tuple[tuple[tuple[str | None, int], ...], ...]
    alpha: Array | None


def compare_samples(reference: Trace, drawn: Sequence[Trace], stopped: Stopped | None = None) -> SampleComparison:
    """The drawn translations of a sentence, set beside the translation `like` of the same sentence.

    A word of a drawn translation stands in the place of the word of `like` that the cheapest alignment puts it with
    (`model.analysis.errors.word_alignment`). Raises ValueError for none, and for translations of another sentence;
    SearchStopped once `stopped` says so.
    """
    if not drawn or any(one.source != reference.source for one in drawn):
        raise ValueError(f"Translations of one sentence are set beside one another: got {len(drawn)}, of others too.")
    words, width = len(reference.target.words), len(reference.source.words) + 1
    counts = Counter(one.target.text for one in drawn)
    first = {one.target.text: one for one in reversed(drawn)}
    order = sorted(first, key=lambda text: (-counts[text], -first[text].log_probability))
    places: list[Counter[str | None]] = [Counter() for _ in range(words)]
    sums, looked = np.zeros((words + 1, width)), np.zeros(words + 1)
    for text, count in counts.items():
        across = align_words(reference.target.words, first[text].target.words, reference.target_language)
        for place, word in across:
            if place is not None:
                places[place][None if word is None else first[text].target.words[word]] += count
        both = [(place, word) for place, word in across if place is not None and word is not None]
        for one in drawn if reference.has_attention else ():
            go_on(stopped)
            if one.target.text != text:
                continue
            alpha = one.compute_word_map_with_end(reference.shown)
            for place, word in [*both, *([(words, len(alpha) - 1)] if one.finished else [])]:
                sums[place] += alpha[word]
                looked[place] += 1
    return SampleComparison(
        reference,
        tuple((first[text], counts[text]) for text in order),
        tuple(
            tuple(sorted(place.items(), key=lambda pair: (-pair[1], pair[0] is None, pair[0] or "")))
            for place in places
        ),
        freeze_array(sums / np.maximum(looked, 1)[:, None], "The mean of the maps")
        if reference.has_attention
        else None,
    )
