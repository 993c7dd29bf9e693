"""The beam tree: every node is recomputed, and the hypotheses are found in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from model.decoding import Settings, search
from model.decoding.hypothesis import BeamTreeNode, Hypothesis
from model.decoding.settings import StopRule
from tests.model.decoding.helpers import CALM, PENALTIES, SEEDS, SOURCES, STOPS, are_all_identical
from tests.model.decoding.toy import EOS, PAD, UNK, random_toy


def list_paths(tree: tuple[BeamTreeNode, ...]) -> list[tuple[int, ...]]:
    """Return the tokens of each node's path from the root."""
    paths: list[tuple[int, ...]] = []
    for node in tree:
        paths.append((*(paths[node.parent] if node.parent >= 0 else ()), node.token))
    return paths


def get_tree(hypotheses: list[Hypothesis]) -> tuple[BeamTreeNode, ...]:
    best, *others = hypotheses
    assert best.tree is not None
    assert all(hypothesis.tree is None for hypothesis in others)
    return best.tree


@given(SEEDS, SOURCES, st.floats(-2, 2), PENALTIES, STOPS, st.integers(1, 5))
@run(CALM, max_examples=40)
def test_every_node_equals_recomputation(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], stop: StopRule, width: int
) -> None:
    toy = random_toy(seed, end=end, vocabulary=6)
    settings = Settings(beam=width, n_best=width, stop=stop, tree=True, **penalty)
    results = search(toy, sources, settings)
    assert are_all_identical([[replace(hypothesis, tree=None) for hypothesis in hypotheses] for hypotheses in results],
                             search(toy, sources, replace(settings, tree=False)))
    for source, hypotheses in zip(sources, results, strict=True):
        tree = get_tree(hypotheses)
        paths = list_paths(tree)
        assert len(set(paths)) == len(paths)
        lengths = [len(path) for path in paths]
        assert lengths == sorted(lengths)
        for node, path in zip(tree, paths, strict=True):
            steps = toy.recompute(source, path)
            assert node.log_prob == steps[-1][0][node.token]
            assert (node.fate == "finished") <= (node.token == EOS)
            if not settings.beta:
                total = sum(float(log_probs[token]) for (log_probs, _, _), token in zip(steps, path, strict=True))
                assert node.score == pytest.approx(settings.score(total, len(path)), abs=1e-12)
        # every kept node has its most probable continuations as children, as many as the beam is wide
        for number in [-1, *(number for number, node in enumerate(tree) if node.fate == "kept")]:
            path = paths[number] if number >= 0 else ()
            children = {node.token for node in tree if node.parent == number}
            if len(path) == max(lengths):
                assert children == set()
                continue
            log_probs = toy.recompute(source, (*path, 3))[-1][0]
            allowed = sorted((-log_probs[token], token) for token in range(6) if token not in (PAD, UNK))
            assert children == {token for _, token in allowed[:width]}


@given(SEEDS, SOURCES, st.floats(-2, 2), PENALTIES, STOPS, st.integers(1, 5), st.integers(0, 3))
@run(CALM, max_examples=40)
def test_hypotheses_are_paths_and_each_step_keeps_the_best(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], stop: StopRule, width: int,
    prefix_length: int,
) -> None:
    toy, prefix = random_toy(seed, end=end), [4, 3, 3][:prefix_length]
    settings = Settings(beam=width, n_best=width, stop=stop, tree=True, **penalty)
    for hypotheses in search(toy, sources, settings, [prefix] * len(sources)):
        tree = get_tree(hypotheses)
        paths = list_paths(tree)
        for hypothesis in hypotheses:
            node = tree[paths.index(hypothesis.tokens)]
            assert (node.fate, node.score) == ("finished" if hypothesis.is_finished else "kept", hypothesis.score)
        finished = sorted((node.score for node in tree if node.fate == "finished"), reverse=True)
        assert finished[:width] == [hypothesis.score for hypothesis in hypotheses if hypothesis.is_finished]
        survivors = Counter(len(path) for node, path in zip(tree, paths, strict=True) if node.fate != "pruned")
        assert max(survivors.values()) <= width
        assert [survivors[step] for step in range(1, len(prefix) + 1)] == [1] * len(prefix)
        totals: list[float] = []
        for node in tree:
            totals.append((totals[node.parent] if node.parent >= 0 else 0.0) + node.log_prob)
        for step in range(1, max(map(len, paths)) + 1):
            ranked = [number for number, path in enumerate(paths) if len(path) == step]
            assert [totals[number] for number in ranked] == sorted((totals[number] for number in ranked), reverse=True)
            assert all((tree[number].fate == "pruned") == (rank >= width) for rank, number in enumerate(ranked))


def test_tree_of_greedy_search_is_one_path() -> None:
    (hypothesis,) = search(random_toy(3), [[5, 8, EOS]], Settings(tree=True))[0]
    tree = get_tree([hypothesis])
    assert tuple(node.token for node in tree) == hypothesis.tokens
    assert [node.parent for node in tree] == list(range(-1, len(hypothesis.tokens) - 1))
