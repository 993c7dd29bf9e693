"""The beam's tree: a second beam search written down plainly, and the hypotheses found again in it."""

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
from tests.model.decoding.test_search import CALM, PENALTIES, SEEDS, SOURCES, STOPS, all_same
from tests.model.decoding.toy import EOS, PAD, UNK, random_toy

ENDS = st.floats(-2, 2)


def spelled(tree: tuple[BeamTreeNode, ...]) -> list[tuple[int, ...]]:
    """The pieces of each node's path from the root."""
    paths: list[tuple[int, ...]] = []
    for node in tree:
        paths.append((*(paths[node.parent] if node.parent >= 0 else ()), node.token))
    return paths


def tree_of(found: list[Hypothesis]) -> tuple[BeamTreeNode, ...]:
    first, *others = found
    assert first.tree is not None
    assert all(one.tree is None for one in others)
    return first.tree


@given(SEEDS, SOURCES, ENDS, PENALTIES, STOPS, st.integers(1, 5))
@run(CALM, max_examples=40)
def test_every_node_is_what_the_model_gives_there(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], stop: Any, width: int
) -> None:
    toy = random_toy(seed, end=end, vocabulary=6)
    settings = Settings(beam=width, n_best=width, stop=stop, tree=True, **penalty)
    for source, found in zip(sources, search(toy, sources, settings), strict=True):
        tree = tree_of(found)
        paths = spelled(tree)
        assert len(set(paths)) == len(paths)
        lengths = [len(path) for path in paths]
        assert lengths == sorted(lengths)
        for node, path in zip(tree, paths, strict=True):
            steps = toy.recompute(source, path)
            assert node.log_prob == steps[-1][0][node.token]
            assert (node.fate == "finished") <= (node.token == EOS)
            if not settings.beta:
                total = sum(float(values[piece]) for (values, _, _), piece in zip(steps, path, strict=True))
                assert node.score == pytest.approx(settings.score(total, len(path)), abs=1e-12)
        # what is continued is continued by its likeliest pieces, as many as the beam is wide
        kept = [-1, *(number for number, node in enumerate(tree) if node.fate == "kept")]
        last = max(lengths)
        for number in kept:
            before = paths[number] if number >= 0 else ()
            children = {node.token for node in tree if node.parent == number}
            if len(before) == last:
                assert children == set()
                continue
            values = toy.recompute(source, (*before, 3))[-1][0]
            allowed = sorted((-values[piece], piece) for piece in range(6) if piece not in (PAD, UNK))
            assert children == {piece for _, piece in allowed[:width]}


@given(SEEDS, SOURCES, ENDS, PENALTIES, STOPS, st.integers(1, 5), st.integers(0, 3))
@run(CALM, max_examples=40)
def test_the_hypotheses_are_paths_and_each_step_keeps_the_best(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], stop: Any, width: int, given_pieces: int
) -> None:
    toy, prefix = random_toy(seed, end=end), [4, 3, 3][:given_pieces]
    settings = Settings(beam=width, n_best=width, stop=stop, tree=True, **penalty)
    for found in search(toy, sources, settings, [prefix] * len(sources)):
        tree = tree_of(found)
        paths = spelled(tree)
        for one in found:
            node = tree[paths.index(one.tokens)]
            assert node.fate == ("finished" if one.is_finished else "kept")
            assert node.score == one.score
        finished = sorted((node.score for node in tree if node.fate == "finished"), reverse=True)
        assert finished[:width] == [one.score for one in found if one.is_finished]
        survivors = Counter(len(path) for node, path in zip(tree, paths, strict=True) if node.fate != "pruned")
        assert max(survivors.values()) <= width
        assert [survivors[step] for step in range(1, len(prefix) + 1)] == [1] * len(prefix)
        totals: list[float] = []
        for node in tree:
            totals.append((totals[node.parent] if node.parent >= 0 else 0.0) + node.log_prob)
        for step in range(1, max(map(len, paths)) + 1):
            ranked = [number for number, path in enumerate(paths) if len(path) == step]
            assert [totals[number] for number in ranked] == sorted((totals[number] for number in ranked), reverse=True)
            assert all((tree[number].fate == "pruned") == (place >= width) for place, number in enumerate(ranked))


@given(SEEDS, SOURCES, ENDS, PENALTIES, STOPS, st.integers(1, 4))
@run(CALM, max_examples=30)
def test_to_note_the_tree_changes_nothing(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], stop: Any, width: int
) -> None:
    toy, settings = random_toy(seed, end=end), Settings(beam=width, n_best=width, stop=stop, **penalty)
    noted = search(toy, sources, replace(settings, tree=True))
    assert all_same([[replace(one, tree=None) for one in found] for found in noted], search(toy, sources, settings))


def test_the_tree_of_greedy_search_is_one_path() -> None:
    (one,) = search(random_toy(3), [[5, 8, EOS]], Settings(tree=True))[0]
    assert one.tree is not None
    assert tuple(node.token for node in one.tree) == one.tokens
    assert [node.parent for node in one.tree] == list(range(-1, len(one.tokens) - 1))
