"""Force a network to generate given token ids with and without overrides; imports torch, which pages load late."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from model.decoding import NO_OVERRIDES, Overrides, Settings, StopCallback
from model.decoding.batch_decoder import BatchDecoder, get_log_probs
from model.decoding.stop_callback import raise_if_stopped
from model.text.vocabulary import PAD


@torch.inference_mode()
def compute_effects(
    network: Any, source_ids: Sequence[int], token_ids: Sequence[int], overrides: Sequence[Overrides],
    should_stop: StopCallback | None = None,
) -> tuple[list[list[float]], list[list[float]], list[list[bool]]]:
    """Return log-probabilities, KL divergences and whether each token is the most likely one, per token.

    The first row of the log-probabilities has no overrides. All other rows are those of `overrides`.
    """
    rows = 1 + len(overrides)  # row 0 has no overrides
    row_overrides = [NO_OVERRIDES, *(Overrides(entry.rows, (), entry.rules) for entry in overrides)]
    log_probs: list[list[float]] = [[] for _ in range(rows)]
    divergences: list[list[float]] = [[] for _ in overrides]
    most_likely: list[list[bool]] = [[] for _ in overrides]
    decoding = BatchDecoder(network, [list(source_ids)] * rows, Settings(candidates=0), row_overrides)
    for step, (previous, token) in enumerate(zip([PAD, *token_ids[:-1]], token_ids, strict=True), 1):
        raise_if_stopped(should_stop)
        result, top = decoding.step([previous] * rows, range(rows))
        for flags, best in zip(most_likely, top.tokens[1:], strict=True):
            flags.append(best[0] == token)
        for row, value in get_log_probs(result, dict.fromkeys(range(rows), token), step).items():
            log_probs[row].append(value)
        original_log_probs, *overridden_log_probs = result.log_probs.double()
        is_possible = original_log_probs > -torch.inf
        original_log_probs = original_log_probs[is_possible]
        for values, row_log_probs in zip(divergences, overridden_log_probs, strict=True):
            kl = float((original_log_probs.exp() * (original_log_probs - row_log_probs[is_possible])).sum())
            values.append(max(0.0, kl))  # rounding may give a value just below 0
    return log_probs, divergences, most_likely
