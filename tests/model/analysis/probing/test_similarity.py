"""Check cosines and separation on known answers, and the principal plane against an eigendecomposition."""

from __future__ import annotations

import math

import numpy as np
import pytest

from model.analysis.probing.similarity import PrincipalPlane, compute_cosine_similarities, measure_separation


def test_cosines_depend_on_direction_alone() -> None:
    result = compute_cosine_similarities(
        np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([[5.0, 0.0], [0.0, 2.0], [-1.0, 0.0], [1.0, 1.0]])
    )
    np.testing.assert_allclose(result, np.array([[1.0, 0.0, -1.0, math.sqrt(0.5)], [0.0] * 4]), atol=1e-12)


@pytest.mark.verdict
def test_the_plane_has_the_two_largest_eigenvalues() -> None:
    vectors = np.random.default_rng(5).normal(size=(40, 6)) * [1, 7, 2, 0.5, 4, 1] + 3
    plane = PrincipalPlane.fit(vectors)
    values, axes = np.linalg.eigh(np.cov(vectors.T))
    np.testing.assert_allclose(plane.variance_shares, values[::-1][:2] / values.sum(), rtol=1e-9)
    np.testing.assert_allclose(np.abs((plane.axes * axes.T[::-1][:2]).sum(axis=1)), 1, rtol=1e-9)
    points = plane.project(vectors)
    np.testing.assert_allclose(points.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(points.var(axis=0, ddof=1), values[::-1][:2], rtol=1e-9)


def test_separation_counts_neighbours_of_the_same_sense() -> None:
    vectors = np.array([[1, 0.1], [1, 0.0], [1, 0.2], [0.1, 1], [0, 1.0]])
    result = measure_separation("bank", vectors, ["money", "money", "money", "river", "river"])
    assert (result.same_sense, result.count) == (5, 5)
    assert result.expected_by_chance == pytest.approx((3 * 2 + 2 * 1) / 4)
    mixed = measure_separation("bank", vectors, ["a", "b", "c", "d", "e"])
    assert (mixed.same_sense, mixed.expected_by_chance) == (0, 0)
