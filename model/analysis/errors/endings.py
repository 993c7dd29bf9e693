"""Do long sentences keep their end? How many words of the reference are found again, by where in it they stand.

Counted are content words that the reference has once: where they belong can't be mistaken, and no "de" from elsewhere
stands in for them. The reference is cut in thirds by its words; a word is found if the output has it anywhere, whatever
its case. What share can be found at all differs from third to third (names begin sentences, for one), and so it is the
difference between models on the same sentences that says something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.analysis.evaluation.evaluate import translate_texts
from model.analysis.evaluation.evaluation import EvaluationError, ParallelText
from model.analysis.metrics.estimates import Sums, estimate_with_band
from model.decoding import Settings
from model.decoding.translate import TranslationModel
from model.progress import ProgressCallback
from model.text.words import is_content_word, split_words

SCHEMA = 1
MIN_WORDS = 30  # whitespace words of the source: where the paper says that RNNencdec-50 begins to drift
THIRDS = ("first", "middle", "last")
COLUMNS = tuple(f"{third}{what}" for third in THIRDS for what in ("", "_found"))
"""For each third of the reference how many words are asked for, and how many of them the output has."""


def count_by_third(reference: str, output: str, language: str) -> tuple[int, ...]:
    """COLUMNS of one sentence, both texts of that language in canonical form."""
    wanted, given = _words(reference, language), set(_words(output, language))
    times = Counter(wanted)
    counts = [0] * len(COLUMNS)
    for place, word in enumerate(wanted):
        if times[word] == 1 and is_content_word(word, language):
            third = 3 * place // len(wanted)
            counts[2 * third] += 1
            counts[2 * third + 1] += word in given
    return tuple(counts)


def select_long_sentences(text: ParallelText) -> ParallelText:
    """Those pairs whose source has more than LONGER_THAN words; EvaluationError where there are none."""
    pairs = tuple(pair for pair in text.pairs if len(pair[0].split()) > MIN_WORDS)
    return ParallelText(f"{text.name}, over {MIN_WORDS} words", text.sha256, pairs)


def measure_endings(
    model: TranslationModel, text: ParallelText, *, settings: Settings | None = None, command: str = "",
    progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """What `assets/evaluations/endings-NAME.json` holds: the share of words found in each third, and the counts.

    `text`: long sentences (`long_sentences`). Raises EvaluationError where no reference has a word to ask for.
    """
    settings = settings or Settings()
    outputs = translate_texts(model, [source for source, _ in text.pairs], settings, progress)
    rows = [count_by_third(reference, output, model.languages[1])
            for (_, reference), output in zip(text.pairs, outputs, strict=True)]
    columns = dict(zip(COLUMNS, np.array(rows).T.tolist(), strict=True))
    if not all(sum(columns[third]) for third in THIRDS):
        raise EvaluationError(f"No reference in {text.name} has content words to look for in each third.")
    shares = {third: estimate_with_band(columns, found_share(third)) for third in THIRDS}
    return {
        "schema": SCHEMA, "kind": "endings", "model": model.name, "fingerprint": model.fingerprint,
        "data": {"name": text.name, "sha256": text.sha256, "sentences": len(text.pairs)},
        "search": {"name": settings.method, **settings.provenance},
        "shares": {third: asdict(found) for third, found in shares.items()},
        "date": datetime.now(UTC).isoformat(timespec="seconds"), "command": command, "counts": columns,
    }  # fmt: skip


def found_share(third: str) -> Callable[[Sums], NDArray[np.float64]]:
    """What share of a third's words is found, of the sums of COLUMNS (`model.analysis.metrics.estimates.estimate`)."""
    return lambda sums: sums[f"{third}_found"] / sums[third]


def _words(text: str, language: str) -> list[str]:
    return [text[start:end].casefold() for start, end in split_words(text, language)]
