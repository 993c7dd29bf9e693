"""Tests of the benchmark: the sentences that are decoded, and the count of operations."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from model.analysis import benchmark
from model.analysis.benchmark import BenchmarkSizes, count_matmul_operations
from model.networks import registry
from model.text.vocabulary import Vocabulary
from tests.model.analysis.scripted import build_random_model


def test_batches_are_decoded_of_the_same_sentences_as_one_by_one(
    tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    model: Any = build_random_model(tiny_vocabulary)
    searched = []

    def record_lengths(_network: object, sources: list[list[int]], _settings: object) -> list[list[SimpleNamespace]]:
        searched.append([len(source) for source in sources])
        return [[SimpleNamespace(tokens=[1])] for _ in sources]

    monkeypatch.setattr(benchmark, "search", record_lengths)
    sentences = ["Yes.", "The cat sleeps.", "The grey cat sleeps on the roof."]
    list(benchmark.benchmark_decoding(model, sentences, rounds=1, progress=lambda _: None))
    *single_lengths, batch_lengths = searched[:4]
    assert [batch_lengths.count(length) for (length,) in single_lengths] == [22, 21, 21]


def test_matmul_operations_equal_those_of_the_equations() -> None:
    """RNNsearch: 2 operations per weight and row, and twice as many backward. The first steps have slightly fewer."""
    m, n, a, l, v = 3, 5, 4, 2, 11
    shape = BenchmarkSizes(hidden=n, alignment=a, embedding=m, readout=l, vocabulary=v, batch=2, source=60, target=80)
    kind = registry.find_kind("rnnsearch")
    network = kind.build(shape.build_config(kind))
    source, target = (torch.randint(3, v, (shape.batch, length)) for length in (shape.source, shape.target))
    encoder = 2 * 3 * n * (m + n) + 2 * n * a
    attention = n * a + shape.source * 2 * n  # without the product with v_a, a vector
    decoder = 3 * n * (m + n + 2 * n) + attention
    output = 2 * l * (n + m + 2 * n) + l * v
    expected = 3 * 2 * shape.batch * (shape.source * encoder + shape.target * (decoder + output))
    assert count_matmul_operations(lambda: network.loss(source, target)) == pytest.approx(expected, rel=0.03)
