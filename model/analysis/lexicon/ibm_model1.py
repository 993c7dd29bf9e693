"""The two steps of expectation maximisation for IBM Model 1 (Brown et al. 1993).

Model 1 assumes that each produced token translates one given token, or none. A link is a given and a produced token of
one sentence pair. Links are arrays: the index of their word pair, and of their produced token.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]  # float32 or float64
Integers = NDArray[Any]


def compute_posteriors(
    probabilities: Floats, word_pairs: Integers, produced_tokens: Integers, prior: Floats | None = None,
    null_weights: Floats | None = None,
) -> Floats:
    """E-step: return for each link the probability that its produced token translates its given token.

    probabilities: t(produced | given) of each word pair.
    prior: weight of each link, such as its distance to the diagonal.
    null_weights: weight of "translates none" for each produced token; otherwise 0.
    """
    weights = probabilities[word_pairs]
    if prior is not None:
        weights *= prior
    totals = np.bincount(produced_tokens, weights, minlength=0 if null_weights is None else len(null_weights))
    totals = totals.astype(weights.dtype)
    if null_weights is not None:
        totals += null_weights
    weights /= totals[produced_tokens]
    return weights


def normalise_counts(counts: NDArray[np.floating | np.integer], given_words: Integers) -> NDArray[np.float64]:
    """M-step: return each word pair's expected count divided by the sum for its given word."""
    normalised: NDArray[np.float64] = counts / np.maximum(np.bincount(given_words, counts)[given_words], 1e-9)
    return normalised
