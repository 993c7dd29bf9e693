"""Sampling: draw each token at random from the network's distribution, after temperature, top-k and top-p."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from model.decoding.batch_decoder import mask_forbidden_tokens, select_top_k
from model.decoding.greedy import search_single_path
from model.decoding.hypothesis import Hypothesis
from model.decoding.overrides import Overrides
from model.decoding.settings import Settings
from model.decoding.stop_callback import StopCallback
from model.networks.base import StepResult, Translator
from model.networks.unknown_words import may_write_unk


def sample(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings,
    prefixes: Sequence[Sequence[int]],
    should_stop: StopCallback | None = None,
    overrides: Sequence[Overrides] | None = None,
    sample_indices: Sequence[int] | None = None,
) -> list[list[Hypothesis]]:
    """Draw a translation of each source. Return a list of one hypothesis for each.

    Each sentence has a random generator, seeded with `settings.seed` and its token ids, so that its draw does not
    depend on the rest of the batch. `sample_indices` (0 by default) make several draws of one sentence independent.
    """
    sample_indices = sample_indices or [0] * len(sources)
    generators = [np.random.Generator(np.random.PCG64([settings.seed, *source, *([number] if number else [])]))
                  for source, number in zip(sources, sample_indices, strict=True)]

    writes_unk = may_write_unk(network) and settings.unk != "avoid"

    def choose_tokens(result: StepResult, sentences: Mapping[int, int]) -> dict[int, int]:
        if not sentences:
            return {}
        log_probs = result.log_probs
        log_probs = log_probs[torch.tensor(list(sentences), device=log_probs.device)]
        quantiles = torch.tensor([generators[sentence].random() for sentence in sentences.values()],
                                 dtype=torch.float64)
        tokens: list[int] = draw_tokens(log_probs, quantiles.to(log_probs.device), settings.temperature,
                                        settings.top_k, settings.top_p, writes_unk).tolist()
        return dict(zip(sentences, tokens, strict=True))

    return search_single_path(network, sources, settings, prefixes, should_stop, overrides, choose_tokens)


def draw_tokens(
    log_probs: Tensor, quantiles: Tensor, temperature: float, top_k: int, top_p: float = 1.0, writes_unk: bool = False
) -> Tensor:
    """Draw a token for each row by inverting the cumulative distribution: (rows, vocabulary) -> (rows,) int64.

    `quantiles` (rows,) are numbers from [0, 1). The weight of a token is its probability to the power of
    1/temperature. PAD has none, nor UNK unless `writes_unk`. `top_k` above 0 keeps the `top_k` most probable tokens.
    `top_p` below 1 keeps the fewest of these whose share of the sum is at least `top_p`; ties go to the lower id. The
    token drawn is the first, in the order of ids, up to which the weights exceed the quantile of their sum.
    """
    values = mask_forbidden_tokens(log_probs, writes_unk).double()
    if top_k:
        best, columns = select_top_k(values, top_k)
        values = torch.full_like(values, -torch.inf).scatter(1, columns, best)
    weights = ((values - values.amax(dim=1, keepdim=True)) / temperature).exp()
    if top_p < 1:
        columns = values.sort(dim=1, descending=True, stable=True).indices
        ranked = weights.gather(1, columns)
        preceding_sum = ranked.cumsum(dim=1) - ranked
        kept_weights = ranked.where(preceding_sum < top_p * ranked.sum(dim=1, keepdim=True), 0.0)
        weights = torch.zeros_like(weights).scatter(1, columns, kept_weights)
    cumulative = weights.cumsum(dim=1)
    return torch.searchsorted(cumulative, quantiles[:, None] * cumulative[:, -1:], right=True)[:, 0]
