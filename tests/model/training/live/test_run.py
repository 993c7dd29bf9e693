"""Snapshots of a live run: what they count, α of the right target, scheduled sampling, and a reader's input."""

import base64
import os
import subprocess
import sys
from random import Random

import numpy as np
import pytest
import torch

from model.networks import registry
from model.networks.base import shift_target
from model.paths import ROOT
from model.training.live.run import LiveRun, mix_previous_tokens
from model.training.live.settings import KINDS, LiveSettings, LiveSettingsError


def train(updates: int, **settings: object) -> LiveRun:
    run = LiveRun(LiveSettings(**{"task": "copy", "limit": 4, "hidden": 32, "interval": 0.0, **settings}))  # type: ignore[arg-type]
    run.take_snapshot()
    for _ in range(updates):
        run.update()
    run.take_snapshot()
    return run


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_learns_and_is_measured(kind: str) -> None:
    run = train(25, kind=kind)
    first, last = run.snapshots
    assert (first["updates"], first["loss"], last["updates"], last["pairs"]) == (0, None, 25, 25 * 64)
    assert last["loss"] is not None
    for _ in range(25):
        run.update()
    assert run.take_snapshot()["loss"] < last["loss"]  # type: ignore[operator]
    assert len(last["by_length"]) == 4
    assert last["norm"] <= last["max_norm"]  # type: ignore[operator]
    for view, (source, target) in zip(last["examples"], run.examples, strict=True):
        weights = np.frombuffer(base64.b64decode(view["alpha"]), np.uint8)
        shape = (len(target) + 1, len(source) + 1)
        if kind in ("rnnencdec", "seq2seq"):
            assert not view["alpha"]
        else:
            assert np.allclose(weights.reshape(shape).sum(1) / 255, 1, atol=0.5 * shape[1] / 255)


def test_same_seed_same_numbers_and_same_pairs_for_each_kind() -> None:
    drop = {"seconds"}
    runs = [train(3), train(3), train(3, kind="rnnencdec"), train(3, seed=2)]
    first, repeated, other_kind, other_seed = (
        [{k: v for k, v in s.items() if k not in drop} for s in r.snapshots] for r in runs)
    assert first == repeated != other_seed
    assert first[-1]["norm"] != other_kind[-1]["norm"]
    batches = [run.draw_batch(run._random) for run in runs]
    assert (batches[0].source == batches[2].source).all()
    assert (batches[0].target == batches[2].target).all()


@pytest.mark.verdict
def test_accuracy_counts_whole_outputs() -> None:
    run = train(0)
    test = run.draw_test([2, 4], 5)
    targets = {source: list(target) for pairs in test for source, target in pairs}
    wrong = test[1][0][0]

    def translate(network: object, sources: list[list[int]]) -> list[list[str] | None]:
        decoded_sources = [tuple(run.vocabulary.decode(source)) for source in sources]
        return [targets[source][:-1] if source == wrong else targets[source] for source in decoded_sources]

    run.translate = translate  # type: ignore[method-assign, assignment]
    assert run.measure(run.learner.average, test) == [1.0, 0.8]


DRAW_TEST = "from model.training.live.run import LiveRun; from model.training.live.settings import LiveSettings\n" \
            "print(LiveRun(LiveSettings(task='copy', limit=4, hidden=32)).draw_test([2, 5], 5))"


def test_test_pairs_are_the_same_in_every_process() -> None:
    """Python's hashes of texts differ between processes."""
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"  # without it, this process has a random one
    output = subprocess.run([sys.executable, "-c", DRAW_TEST], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
                            capture_output=True, text=True, check=True).stdout
    assert output == f"{train(0).draw_test([2, 5], 5)}\n"


def test_readers_input_at_every_snapshot() -> None:
    run = train(2)
    example, views = run.view_input("abca")
    assert (example["target"], len(views)) == (list("abca"), 2)
    assert run.take_snapshot()["examples"][-1] == views[-1]
    assert run.view_input("abca")[1][0] == views[0]


@pytest.mark.parametrize("kind", KINDS)
def test_loss_of_other_previous_tokens(kind: str) -> None:
    """The fused loss equals the steps of the reference network on the same tokens."""
    learner = train(1, kind=kind).learner
    random = Random(3)
    source, target = (torch.tensor([[random.randint(3, 20) for _ in range(4)] + [1] for _ in range(5)]) for _ in "12")
    previous = mix_previous_tokens(learner.network, source, target, 0.5, torch.Generator().manual_seed(1))
    assert (previous != shift_target(target)).any()
    state = learner.network.start(learner.network.encode(source))
    total = 0.0
    with torch.no_grad():
        for step in range(target.shape[1]):
            result = learner.network.step(state, previous[:, step])
            state = result.state
            total -= result.log_probs.gather(1, target[:, step, None]).sum().item()
        loss = learner.kind.compute_loss(learner.network, source, target, previous=previous).item()
    assert loss == pytest.approx(total, rel=1e-5)
    forced = mix_previous_tokens(learner.network, source, target, 1.0, torch.Generator())
    assert (forced == shift_target(target)).all()


def test_kinds_without_a_fused_loss_refuse_other_previous_tokens() -> None:
    kind = registry.NetworkKind("plain", "Plain", "", "")
    with pytest.raises(ValueError, match="Plain has no fused loss that takes previous tokens"):
        kind.compute_loss(None, torch.zeros(1, 1), torch.zeros(1, 1), previous=torch.zeros(1, 1))


def test_settings_out_of_range() -> None:
    for wrong in ({"hidden": 63}, {"rate": float("nan")}, {"task": "sums"}, {"limit": 5}, {"seed": 0},
                  {"seed": 1.5}, {"hidden": 32.0}, {"limit": 12.0}):
        with pytest.raises(LiveSettingsError, match=next(iter(wrong))):
            LiveSettings(**wrong)
