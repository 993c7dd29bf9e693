"""The parts of search and forced decoding that need torch; the rest can be imported without it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import torch

from model.decoding.batch_decoder import get_device, get_log_probs, start_decoding, to_index_tensor
from model.decoding.beam import search_with_beam
from model.decoding.greedy import search_greedily, search_single_path
from model.decoding.hypothesis import Hypothesis
from model.decoding.overrides import Overrides
from model.decoding.sampling import sample
from model.decoding.settings import Settings
from model.decoding.stop_callback import StopCallback
from model.networks.base import Translator
from model.text.vocabulary import PAD


@torch.inference_mode()
def search_batch(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings,
    prefixes: Sequence[Sequence[int]],
    should_stop: StopCallback | None,
    overrides: Sequence[Overrides],
    sample_indices: Sequence[int] | None,
) -> list[list[Hypothesis]]:
    """Run the search that the settings ask for; arguments as in `model.decoding.search`."""
    # A beam of 1 gives the same result as greedy search, bit by bit, but is slower.
    decode = search_greedily if settings.beam == 1 and not settings.tree else search_with_beam
    if settings.sample:
        decode = partial(sample, sample_indices=sample_indices)
    return decode(network, sources, settings, prefixes, should_stop, overrides)


@torch.inference_mode()
def force_batch(
    network: Translator,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    settings: Settings,
    should_stop: StopCallback | None,
) -> list[Hypothesis]:
    """Return each target as a Hypothesis; arguments as in `model.decoding.forced_decoding.force_decode`."""
    max_lengths = list(map(len, targets))
    results = search_single_path(network, sources, settings, targets, should_stop, max_lengths=max_lengths)
    return [hypothesis for (hypothesis,) in results]


@torch.inference_mode()
def sum_target_log_probs(
    network: Translator, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> list[float]:
    """Return log p(target | source) of each pair; a batch takes as many steps as its longest target."""
    totals = [0.0] * len(targets)
    decoder, state = start_decoding(network, sources)
    device, previous_tokens = get_device(network), [PAD] * len(targets)
    for position in range(max(map(len, targets))):
        result = decoder.step(state, to_index_tensor(device, previous_tokens))
        tokens = {row: target[position] for row, target in enumerate(targets) if position < len(target)}
        for row, log_prob in get_log_probs(result, tokens, position + 1).items():
            totals[row] += log_prob
        state, previous_tokens = result.state, [tokens.get(row, PAD) for row in range(len(targets))]
    return totals
