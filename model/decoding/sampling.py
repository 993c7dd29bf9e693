"""Sampling: each piece is drawn at random from what the network gives, sharpened and cut as asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from model.decoding.batch_decoder import mask_forbidden_tokens, top_k
from model.decoding.greedy import search_single_path
from model.decoding.hypothesis import Hypothesis
from model.decoding.overrides import Overrides
from model.decoding.settings import Settings
from model.decoding.stop_callback import StopCallback
from model.networks.base import StepResult, Translator


def sample(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings,
    prefixes: Sequence[Sequence[int]] | None = None,
    stopped: StopCallback | None = None,
    edits: Sequence[Overrides] | None = None,
    draw_numbers: Sequence[int] | None = None,
) -> list[list[Hypothesis]]:
    """For each source (piece ids, EOS last) a list of one drawn hypothesis, which begins with its prefix (piece ids).

    Each sentence has a generator of its own, made from the seed and its own pieces: what is drawn for it depends on
    nothing else in the batch, and different sentences are drawn independently. `numbers`: the how-manieth draw for its
    sentence each is, from 0, all 0 unless given: several draws for one sentence are independent too.
    """
    of = draw_numbers or [0] * len(sources)
    generators = [np.random.Generator(np.random.PCG64([settings.seed, *source, *([number] if number else [])]))
                  for source, number in zip(sources, of, strict=True)]

    def choose(result: StepResult, free: Mapping[int, int]) -> dict[int, int]:
        if not free:
            return {}
        values = result.log_probs
        values = values[torch.tensor(list(free), device=values.device)]
        at = torch.tensor([generators[sentence].random() for sentence in free.values()], dtype=torch.float64)
        drawn: list[int] = draw_tokens(values, at.to(values.device), settings.temperature, settings.top_k,
                                settings.top_p).tolist()
        return dict(zip(free, drawn, strict=True))

    longest = [settings.max_target_length(len(source)) for source in sources]
    given = prefixes or [()] * len(sources)
    return [[one] for one in search_single_path(network, sources, settings, given, longest, choose, stopped, edits)]


def draw_tokens(log_probabilities: Tensor, at: Tensor, temperature: float, top_k: int, top_p: float = 1.0) -> Tensor:
    """One piece for each row, (rows,) int64, by inverting the cumulative distribution at `at` (rows,), from [0, 1).

    A piece's weight is its probability to the power of 1/temperature; `log_probabilities` is (rows, vocabulary). PAD
    and UNK weigh nothing, and with a `top_k` above 0 only the `top_k` likeliest weigh anything; of these with a `top_p`
    below 1 only the fewest likeliest whose weights are at least that share of the sum (of equal ones the lower id comes
    first). Drawn is the first piece up to which the weights, added in the order of the pieces' ids, exceed the share
    `at` of their sum.
    """
    values = mask_forbidden_tokens(log_probabilities).double()
    if top_k:
        best, columns = top_k(values, top_k)
        values = torch.full_like(values, -torch.inf).scatter(1, columns, best)
    widths = ((values - values.amax(dim=1, keepdim=True)) / temperature).exp()
    if top_p < 1:
        columns = values.sort(dim=1, descending=True, stable=True).indices
        ranked = widths.gather(1, columns)
        before = ranked.cumsum(dim=1) - ranked
        kept = ranked.where(before < top_p * ranked.sum(dim=1, keepdim=True), 0.0)
        widths = torch.zeros_like(widths).scatter(1, columns, kept)
    ends = widths.cumsum(dim=1)
    return torch.searchsorted(ends, at[:, None] * ends[:, -1:], right=True)[:, 0]
