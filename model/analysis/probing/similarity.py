"""What lies near what among vectors: cosines, a projection to the plane, and whether one word's meanings separate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class VectorError(ValueError):
    """A model whose vectors cannot be looked at; the message is one sentence for the reader."""


def cosine_similarities(some: Array, others: Array) -> Array:
    """The cosine of each of `some` (k, units) with each of `others` (n, units), (k, n); 0 with a vector of zeros."""
    return _units(some) @ _units(others).T


def _units(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    made: Array = vectors / np.where(lengths > 0, lengths, 1)
    return made


@dataclass(frozen=True, eq=False)
class PrincipalPlane:
    """The plane in which vectors vary most (principal components): their `mean` (units,), its two `axes` (2, units),
    orthonormal, and the `shares` of the variance that lie along them, the greater first."""

    mean: Array
    axes: Array
    variance_shares: tuple[float, float]

    @classmethod
    def fit(cls, vectors: Array) -> PrincipalPlane:
        """The plane of vectors (n, units), two or more of each. The greatest coefficient of an axis is positive, so
        that a picture does not turn over from one machine to another."""
        mean = vectors.mean(axis=0)
        _, singular, axes = np.linalg.svd(vectors - mean, full_matrices=False)
        axes = axes[:2]
        signs = np.sign(axes[np.arange(2), np.abs(axes).argmax(axis=1)])
        total = float((singular**2).sum()) or 1.0
        return cls(mean, axes * np.where(signs == 0, 1, signs)[:, None],
                   (float(singular[0] ** 2) / total, float(singular[1] ** 2) / total))

    def project(self, vectors: Array) -> Array:
        """Where vectors (n, units) lie in the plane: (n, 2)."""
        return (vectors - self.mean) @ self.axes.T


@dataclass(frozen=True)
class SenseSeparation:
    """How far the meanings of a word lie apart: of its `count` occurrences, those whose nearest other one has
    the `same` meaning, and how many that would be by `chance`, were the nearest drawn among the others."""

    word: str
    same_sense: int
    count: int
    expected_by_chance: float


def measure_separation(word: str, vectors: Array, senses: Sequence[str]) -> SenseSeparation:
    """For the occurrences of a word, two or more, their vectors (n, units) and their meanings."""
    near = cosine_similarities(vectors, vectors)
    np.fill_diagonal(near, -np.inf)
    same = sum(senses[int(other)] == sense for sense, other in zip(senses, near.argmax(axis=1), strict=True))
    count = len(senses)
    chance = sum(senses.count(sense) - 1 for sense in senses) / (count - 1)
    return SenseSeparation(word, same, count, chance)
