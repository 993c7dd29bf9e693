"""The tree of a beam search: derived values, checks, and the tree of a Trace."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from model.serialization.codec import CodecError
from model.trace import Trace, TraceError
from model.trace.tree import Tree
from tests.model.trace.test_trace import LOGS, TARGET, build_trace

# les (hiboux | chats, pruned) | un </s> | des, pruned
TREE = Tree(
    parents=(-1, -1, -1, 0, 1, 0),
    ids=(5, 6, 7, 8, 1, 9),
    pieces=("▁les", "▁un", "▁des", "▁hiboux", "</s>", "▁chats"),
    log_probabilities=(-0.5, -1.0, -2.0, -0.25, -0.125, -3.0),
    scores=(-0.5, -1.0, -2.0, -0.375, -0.5625, -1.75),
    fates="kkpkfp",
)


def build_tree_of_trace(**changes: Any) -> Tree:
    """The path of the example's target, and one pruned node."""
    columns: dict[str, Any] = {
        "parents": (-1, -1, 0, 2, 3, 4), "ids": (10, 9, 11, 12, 13, 14), "pieces": ("▁les", "ette", *TARGET.pieces[1:]),
        "log_probabilities": (LOGS[0], -7.5, *LOGS[1:]), "scores": (-0.5, -7.5, -0.75, -0.6, -0.5, -0.8),
        "fates": "kpkkkf",
    }
    return Tree(**(columns | changes))


def test_steps_log_probs_and_paths_follow_from_the_parents() -> None:
    assert len(TREE) == 6
    assert TREE.steps == (0, 0, 0, 1, 1, 1)
    assert TREE.cumulative_log_probs == (-0.5, -1.0, -2.0, -0.75, -1.125, -3.5)
    assert [TREE.get_fate(node) for node in range(6)] == ["kept", "kept", "pruned", "kept", "finished", "pruned"]
    assert (TREE.get_path(4), TREE.get_path(2)) == ((1, 4), (2,))
    assert [TREE.find_path(ids) for ids in ([5, 8], [6, 1], [])] == [(0, 3), (1, 4), ()]
    assert TREE.find_path([5, 1]) is TREE.find_path([8]) is None


@pytest.mark.parametrize(("changes", "message"), [
    ({"ids": (5, 6)}, r"of one length, at least 1: got \[6, 2, 6, 6, 6, 6\]"),
    (dict.fromkeys(Tree.__dataclass_fields__, ()) | {"fates": ""}, r"at least 1: got \[0, 0, 0, 0, 0, 0\]"),
    ({"fates": "kkpkfx"}, "one of the letters k, f, p: got 'x'"),
    ({"parents": (-1, -1, -1, 0, 1, 5)}, "The parent of a node comes before it: got 5 for node 5"),
    ({"parents": (-1, -2, -1, 0, 1, 0)}, "got -2 for node 1"),
    ({"parents": (-1, -1, -1, 0, 1, 2)}, "Only a kept node is continued: node 5 continues 2, pruned"),
    ({"parents": (-1, 0, -1, 0, 1, 0), "fates": "kkkkfp"}, "come in the order of the steps"),
    ({"ids": (5, 5, 7, 8, 1, 9)}, "Two nodes of the tree write the same piece after the same node"),
    ({"ids": (5, 6, 7, 8, -1, 9)}, "A token id is 0 or more: got -1 for node 4"),
    ({"pieces": (*TREE.pieces[:5], "\ud800")}, "The piece of a tree holds a broken character"),
    ({"log_probabilities": (-0.5, -1.0, -2.0, 0.25, -0.125, -3.0)}, "at most 0: got 0.25 for node 3"),
    ({"scores": (-0.5, -1.0, -2.0, float("nan"), -0.5625, -1.75)}, "must be finite: got nan"),
])
def test_inconsistent_trees_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(TraceError, match=message) as caught:
        replace(TREE, **changes)
    assert "\n" not in str(caught.value)


def test_tree_is_part_of_the_trace() -> None:
    assert build_trace().tree is None
    trace = build_trace(tree=build_tree_of_trace())
    assert trace.tree is not None
    assert trace.tree.find_path([step.id for step in trace.steps]) == (0, 2, 3, 4, 5)
    assert trace != build_trace()
    assert trace == build_trace(tree=build_tree_of_trace())
    assert trace != build_trace(tree=build_tree_of_trace(scores=(-0.5, -7.5, -0.75, -0.6, -0.5, -0.9)))


@pytest.mark.parametrize(("changes", "message"), [
    ({"ids": (10, 9, 11, 12, 13, 15)}, "The tree has no path for the target of 5 pieces"),
    ({"fates": "kpkkkk"}, "The target's last node in the tree must be finished: got kept"),
    ({"pieces": ("▁les", "ette", "▁hi", "bo", "x", "</s>")}, "Step 3 wrote 'bou' and the tree has 'bo' there"),
])
def test_tree_without_the_target_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(TraceError, match=message):
        build_trace(tree=build_tree_of_trace(**changes))


def test_unfinished_target_ends_in_a_kept_node() -> None:
    full_trace = build_trace()
    cut_target = replace(TARGET, pieces=TARGET.pieces[:4], word_of=TARGET.word_of[:4])
    columns = {name: getattr(build_tree_of_trace(), name)[:5] for name in Tree.__dataclass_fields__}
    trace = build_trace(target=cut_target, steps=full_trace.steps[:4], maps=(), is_finished=False, tree=Tree(**columns))
    assert trace.tree is not None
    with pytest.raises(TraceError, match="must be kept: got pruned"):
        replace(trace, tree=Tree(**(columns | {"fates": "kpkkp"})))


def test_json_round_trip_of_the_tree_is_exact() -> None:
    odd = build_tree_of_trace(scores=(-0.1, -1 / 3, -1e-300, -2.0, -3.0000000000000004, 0.0))
    trace = build_trace(tree=odd)
    loaded_trace = Trace.from_json(trace.to_json())
    assert loaded_trace == trace
    assert loaded_trace.tree == odd
    data = json.loads(trace.to_json())
    data["tree"]["ids"][0] = 10**400
    with pytest.raises(CodecError, match="The tree has no path"):
        Trace.from_json(json.dumps(data))
    del data["tree"], data["detail"]
    assert Trace.from_json(json.dumps(data)) == build_trace()
