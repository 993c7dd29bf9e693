"""Search over small random networks in float64, compared with the teacher-forced pass of every target."""

from __future__ import annotations

import itertools
from unittest import mock

import numpy as np
import pytest
import torch

from model.decoding import Settings, search
from model.decoding import settings as settings_module
from model.networks import registry
from tests.model.networks.test_every_kind import SMALL
from tests.model.networks.tiny_networks import run_teacher_forcing
from tests.model.tiny import EOS, PAIRS, V, build_tiny_network

SOURCES = [source for source, _ in PAIRS]


@pytest.mark.verdict
@pytest.mark.parametrize("name", ["rnnsearch", "seq2seq", "luong", "coverage", "transformer"])
@torch.no_grad()
def test_beam_over_a_network_is_exhaustive(name: str) -> None:
    """Compare with every target of at most three tokens."""
    kind, source, max_length = registry.find_kind(name), [4, 3, 5, EOS], 3
    network = kind.build(kind.configure({"kind": name, "vocabulary": 6, **SMALL[name]})).double().eval()
    generator = torch.Generator().manual_seed(1)
    for parameter in network.parameters():
        parameter.normal_(0.0, 0.5, generator=generator)
    words = (3, 4, 5)
    targets = [(*body, EOS) for length in range(max_length) for body in itertools.product(words, repeat=length)]
    targets += itertools.product(words, repeat=max_length)
    scored = []
    for target in targets:
        log_probs, _ = run_teacher_forcing(network, torch.tensor([source]), torch.tensor([target]))
        scored.append((float(log_probs[0, range(len(target)), target].mean()), target))
    expected = sorted(scored, key=lambda pair: (pair[1][-1] != EOS, -pair[0]))
    with mock.patch.object(settings_module, "MIN_TARGET_LIMIT", max_length):
        (hypotheses,) = search(network, [source], Settings(beam=40, n_best=40, max_ratio=0.1))
    assert [hypothesis.tokens for hypothesis in hypotheses] == [target for _, target in expected]
    np.testing.assert_allclose([hypothesis.score for hypothesis in hypotheses], [score for score, _ in expected],
                               rtol=0, atol=1e-9)


def test_gates_are_zero_before_the_first_update_of_groundhog() -> None:
    (hypothesis,) = search(build_tiny_network("rnnsearch", "groundhog"), SOURCES[:1], Settings(detail=True))[0]
    assert hypothesis.detail is not None
    assert [bool(row.all()) for row in hypothesis.detail["update"]] == [False, *[True] * (len(hypothesis.tokens) - 1)]
    assert not hypothesis.detail["update"][0].any()


def test_search_needs_a_network_in_eval_mode_and_leaves_it_trainable() -> None:
    network = build_tiny_network("rnnsearch", "equation4")
    search(network, SOURCES, Settings(beam=2))
    assert all(parameter.grad is None for parameter in network.parameters())
    network.loss(torch.tensor([SOURCES[0]]), torch.tensor([[3, V - 1, 1]])).backward()
    assert all(parameter.grad is not None for parameter in network.parameters())
    with pytest.raises(ValueError, match=r"call eval\(\)"):
        search(network.train(), SOURCES)
