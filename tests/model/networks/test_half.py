"""bfloat16 matrix products on trained weights: the gradients point where float32's do, the loss leans to no side."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import Model
from model.networks import registry
from model.text.everyday_sentences import LISTS, expand_pattern, read_everyday
from model.text.normalise import normalise
from model.training.batches import pad_sequences
from model.training.losses import gru as fast


@pytest.mark.parametrize("name", ["rnnsearch-50", "rnnsearch-30", "rnnencdec-50", "rnnencdec-30"])
def test_gradients_keep_their_direction(name: str, sentences: list[tuple[str, str]]) -> None:
    """The whole gradient has a cosine above 0.999 with float32's, every tensor's one above 0.998; the loss agrees
    within a thousandth.

    The pairs of the everyday lists stand beside the sixty: over those alone the loss of one of the models is 1.1
    thousandths off by the chance of its rounding.
    Rounding to eight bits alone gives the tensors 0.9989 to 0.9998, a little more or less with the processor.
    """
    model = checkpoint.load_model(name)
    source, target = (torch.from_numpy(pad_sequences(side)) for side in encoded(model, [*sentences, *everyday()]))
    gradients: dict[bool, dict[str, torch.Tensor]] = {}
    losses: dict[bool, float] = {}
    for half in (False, True):
        model.network.zero_grad(set_to_none=True)
        loss = fast.compute_loss(model.network, source, target, half=half)
        loss.backward()
        losses[half] = loss.item()
        gradients[half] = {key: p.grad.clone() for key, p in model.network.named_parameters() if p.grad is not None}
    assert gradients[True].keys() == gradients[False].keys() == dict(model.network.named_parameters()).keys()
    assert losses[True] == pytest.approx(losses[False], rel=1e-3)
    whole = {half: torch.cat([values.flatten() for values in of.values()]) for half, of in gradients.items()}
    assert direction(whole[True], whole[False]) > 0.999
    for key, exact in gradients[False].items():
        cosine = direction(gradients[True][key], exact)
        assert cosine > 0.998, f"{key}: {cosine:.5f}"


@pytest.mark.parametrize("name", ["rnnsearch-50", "rnnencdec-50", "copy-50", "coverage-50", "luong-50", "seq2seq-50",
                                  "transformer-50"])
@torch.no_grad()
def test_rounding_adds_noise_to_the_loss_and_nothing_else(name: str, sentences: list[tuple[str, str]]) -> None:
    """Of every fifth pair, in nats a piece: what is off scatters by 0.0026 to 0.0046, its mean is at most 0.0012."""
    model = checkpoint.load_model(name)
    kind = registry.find_kind(model.card.kind)
    sources, targets = encoded(model, [*sentences, *everyday()][::5])
    off = []
    for source, target in zip(sources, targets, strict=True):
        pair = torch.tensor([source]), torch.tensor([target])
        half, exact = (float(kind.compute_loss(model.network, *pair, half=half)) for half in (True, False))
        off.append((half - exact) / len(target))
    assert abs(np.mean(off)) < 0.0025
    assert 0.001 < np.std(off) < 0.008


def everyday() -> list[tuple[str, str]]:
    """The sentences of the everyday lists with a translation each."""
    return [(one.source, expand_pattern(one.accepted[0])[0]) for path in LISTS.values() for one in read_everyday(path)]


def encoded(model: Model, pairs: list[tuple[str, str]]) -> list[list[list[int]]]:
    """The pieces of all sources, and those of all targets."""
    return [[model.vocabulary.encode(normalise(pair[side])) for pair in pairs] for side in (0, 1)]


def direction(one: torch.Tensor, other: torch.Tensor) -> float:
    """The cosine of the angle between two gradients, of any shape."""
    return float(torch.nn.functional.cosine_similarity(one.flatten().double(), other.flatten().double(), dim=0))
