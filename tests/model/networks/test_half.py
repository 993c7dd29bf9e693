"""bfloat16 matrix products on trained weights: gradients keep their direction, the loss has no bias."""

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


def test_gradients_keep_their_direction(sentences: list[tuple[str, str]]) -> None:
    """The cosine with the float32 gradient is above 0.999 for the whole and above 0.998 for every tensor.

    Quantized weights alone give the tensors 0.9989 to 0.9998, depending on the processor.
    """
    model = checkpoint.load_model("rnnsearch-50")
    kind = registry.find_kind(model.card.kind)
    source, target = (torch.from_numpy(pad_sequences(side)) for side in encode_pairs(model, list_pairs(sentences)))
    losses, gradients = [], []
    for half in (False, True):
        model.network.zero_grad(set_to_none=True)
        loss = kind.compute_loss(model.network, source, target, half=half)
        loss.backward()
        losses.append(loss.item())
        gradients.append({key: value.grad.clone() for key, value in model.network.named_parameters()})
    exact, rounded = gradients
    assert losses[1] == pytest.approx(losses[0], rel=1e-3)
    whole = [torch.cat([values.flatten() for values in gradient.values()]) for gradient in gradients]
    assert compute_cosine(*whole) > 0.999
    for key, values in exact.items():
        assert compute_cosine(rounded[key], values) > 0.998, key


@pytest.mark.parametrize("name", ["rnnsearch-50", "luong-50", "transformer-50"])
@torch.no_grad()
def test_rounding_adds_noise_but_no_bias_to_the_loss(name: str, sentences: list[tuple[str, str]]) -> None:
    """Over every fifth pair, in nats per token, the error has a deviation of 0.0026 to 0.0046 and a mean of at most
    0.0012.
    """
    model = checkpoint.load_model(name)
    kind = registry.find_kind(model.card.kind)
    errors = []
    for source, target in zip(*encode_pairs(model, list_pairs(sentences)[::5]), strict=True):
        pair = torch.tensor([source]), torch.tensor([target])
        half, exact = (float(kind.compute_loss(model.network, *pair, half=half)) for half in (True, False))
        errors.append((half - exact) / len(target))
    assert abs(np.mean(errors)) < 0.0025
    assert 0.001 < np.std(errors) < 0.008


def list_pairs(sentences: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pairs of the tests and the everyday sentences, each with one translation."""
    return [*sentences, *((entry.source, expand_pattern(entry.accepted[0])[0])
                          for path in LISTS.values() for entry in read_everyday(path))]  # fmt: skip


def encode_pairs(model: Model, pairs: list[tuple[str, str]]) -> list[list[list[int]]]:
    """Return the token ids of all sources and of all targets."""
    return [[model.vocabulary.encode(normalise(pair[side])) for pair in pairs] for side in (0, 1)]


def compute_cosine(first: torch.Tensor, second: torch.Tensor) -> float:
    return float(torch.nn.functional.cosine_similarity(first.flatten().double(), second.flatten().double(), dim=0))
