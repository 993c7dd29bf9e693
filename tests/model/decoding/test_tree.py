"""The beam tree: every node is recomputed, and the hypotheses are found in it."""

from __future__ import annotations

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


@given(SEEDS, SOURCES, st.floats(-2, 2), PENALTIES, STOPS, st.integers(1, 5), st.integers(0, 3))
@run(CALM, max_examples=40)
def test_every_node_equals_recomputation_and_each_step_keeps_the_best(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], stop: StopRule, width: int,
    prefix_length: int,
) -> None:
    toy, prefix = random_toy(seed, end=end, vocabulary=6), [4, 3, 3][:prefix_length]
    settings = Settings(beam=width, n_best=width, stop=stop, tree=True, **penalty)
    prefixes = [prefix] * len(sources)
    results = search(toy, sources, settings, prefixes)
    assert are_all_identical([[replace(hypothesis, tree=None) for hypothesis in hypotheses] for hypotheses in results],
                             search(toy, sources, replace(settings, tree=False), prefixes))
    for source, hypotheses in zip(sources, results, strict=True):
        tree = get_tree(hypotheses)
        paths = list_paths(tree)
        assert len(set(paths)) == len(paths)
        totals: list[float] = []
        for node, path in zip(tree, paths, strict=True):
            totals.append((totals[node.parent] if node.parent >= 0 else 0.0) + node.log_prob)
            assert node.log_prob == toy.recompute(source, path)[-1][0][node.token]
            assert (node.fate == "finished") <= (node.token == EOS)
            assert settings.beta or node.score == pytest.approx(settings.score(totals[-1], len(path)), abs=1e-12)
        for hypothesis in hypotheses:
            node = tree[paths.index(hypothesis.tokens)]
            assert (node.fate, node.score) == ("finished" if hypothesis.is_finished else "kept", hypothesis.score)
        finished = sorted((node.score for node in tree if node.fate == "finished"), reverse=True)
        assert finished[:width] == [hypothesis.score for hypothesis in hypotheses if hypothesis.is_finished]
        for step in range(1, max(map(len, paths)) + 1):
            ranked = [number for number, path in enumerate(paths) if len(path) == step]
            assert [totals[number] for number in ranked] == sorted((totals[number] for number in ranked), reverse=True)
            kept_count = 1 if step <= prefix_length else width
            assert all((tree[number].fate == "pruned") == (rank >= kept_count) for rank, number in enumerate(ranked))
        # every kept node has its most probable continuations as children, as many as the beam is wide
        for number in [number for number, node in enumerate(tree) if node.fate == "kept"]:
            path = paths[number]
            if prefix_length <= len(path) < max(map(len, paths)):
                log_probs = toy.recompute(source, (*path, 3))[-1][0]
                allowed = sorted((-log_probs[token], token) for token in range(6) if token not in (PAD, UNK))
                children = {node.token for node in tree if node.parent == number}
                assert children == {token for _, token in allowed[:width]}


def test_tree_of_greedy_search_is_one_path() -> None:
    (hypothesis,) = search(random_toy(3), [[5, 8, EOS]], Settings(tree=True))[0]
    tree = get_tree([hypothesis])
    assert tuple(node.token for node in tree) == hypothesis.tokens
    assert [node.parent for node in tree] == list(range(-1, len(hypothesis.tokens) - 1))
