"""Cosine similarity, projection to the principal plane, and how well the meanings of a word separate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class VectorError(ValueError):
    """Raised for a model without word vectors; the message is one sentence for the user."""


def compute_cosine_similarities(first: Array, second: Array) -> Array:
    """Return the cosines (k, n) of vectors (k, units) and (n, units); 0 for a zero vector."""
    return _normalise_rows(first) @ _normalise_rows(second).T


def _normalise_rows(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    normalised: Array = vectors / np.where(lengths > 0, lengths, 1)
    return normalised


@dataclass(frozen=True, eq=False)
class PrincipalPlane:
    """The plane of the first two principal components.

    Attributes:
        mean: the mean of the vectors, (units,).
        axes: two orthonormal axes, (2, units).
        variance_shares: the share of the variance along each axis, the larger first.
    """

    mean: Array
    axes: Array
    variance_shares: tuple[float, float]

    @classmethod
    def fit(cls, vectors: Array) -> PrincipalPlane:
        """Fit the plane to vectors (n, units), n and units at least 2.

        The largest coefficient of an axis is made positive, so that the plot has the same orientation on all machines.
        """
        mean = vectors.mean(axis=0)
        _, singular, axes = np.linalg.svd(vectors - mean, full_matrices=False)
        axes = axes[:2]
        signs = np.sign(axes[np.arange(2), np.abs(axes).argmax(axis=1)])
        total = float((singular**2).sum()) or 1.0
        return cls(mean, axes * np.where(signs == 0, 1, signs)[:, None],
                   (float(singular[0] ** 2) / total, float(singular[1] ** 2) / total))

    def project(self, vectors: Array) -> Array:
        """Project vectors (n, units) to the plane, (n, 2)."""
        return (vectors - self.mean) @ self.axes.T


@dataclass(frozen=True)
class SenseSeparation:
    """How well the meanings of one word separate.

    Attributes:
        word: the word.
        same_sense: how many occurrences have a nearest neighbour of the same meaning.
        count: the number of occurrences.
        expected_by_chance: `same_sense` expected if the neighbour were drawn at random among the other occurrences.
    """

    word: str
    same_sense: int
    count: int
    expected_by_chance: float


def measure_separation(word: str, vectors: Array, senses: Sequence[str]) -> SenseSeparation:
    """Measure the separation of two or more occurrences, given their vectors (n, units) and meanings."""
    cosines = compute_cosine_similarities(vectors, vectors)
    np.fill_diagonal(cosines, -np.inf)
    nearest_indices = cosines.argmax(axis=1)
    same_sense = sum(senses[int(index)] == sense for sense, index in zip(senses, nearest_indices, strict=True))
    count = len(senses)
    expected = sum(senses.count(sense) - 1 for sense in senses) / (count - 1)
    return SenseSeparation(word, same_sense, count, expected)
