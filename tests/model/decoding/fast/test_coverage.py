"""The fast decoder of coverage and copying in float32, in which the app translates."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
import torch

from model.decoding.fast.coverage import FastCoverageRNNsearch
from model.networks.coverage import CoverageKind
from tests.model.networks.tiny_networks import COVERAGE_VARIANTS, build_tiny_coverage_network
from tests.model.tiny import build_batch


@torch.no_grad()
@pytest.mark.parametrize(("coverage", "copying"), COVERAGE_VARIANTS)
def test_steps_in_float32_equal_the_network(coverage: CoverageKind, copying: bool) -> None:
    """Coverage adds a term to the energies, which the compiled kernels do not have."""
    exact = build_tiny_coverage_network(coverage, copying)
    network = deepcopy(exact).float()  # kept, since the decoder has a weak reference to it
    fast, (source, target) = FastCoverageRNNsearch(network), build_batch()
    output = fast.encode(source)
    assert (output.kernel_arrays is not None) == (coverage == "none")
    state: Any = exact.start(exact.encode(source))
    fast_state: Any = fast.start(output)
    for tokens in target[:, :4].unbind(1):
        result, fast_result = exact.step(state, tokens), fast.step(fast_state, tokens)
        torch.testing.assert_close(fast_result.log_probs.double(), result.log_probs, rtol=0, atol=5e-5)
        state, fast_state = result.state, fast_result.state
