"""Force a network to generate given token ids with and without overrides; imports torch, which pages load late."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from model.decoding import NO_OVERRIDES, Overrides, Settings, StopCallback
from model.decoding.batch_decoder import BatchDecoder, get_log_probs
from model.decoding.stop_callback import raise_if_stopped
from model.text.vocabulary import PAD

MIN_LOG_PROB = float(np.log(np.finfo(np.float32).smallest_subnormal, dtype=np.float64))
"""What a token counts that overrides make impossible, so that every effect is finite."""


@torch.inference_mode()
def compute_effects(
    network: Any, source_ids: Sequence[int], token_ids: Sequence[int], overrides: Sequence[Overrides],
    should_stop: StopCallback | None = None,
) -> tuple[list[list[float]], list[list[float]], list[list[bool]]]:
    """Return log-probabilities, KL divergences and whether each token is the most likely one, per token.

    The first row of the log-probabilities has no overrides. All other rows are those of `overrides`, with MIN_LOG_PROB
    for tokens that they make impossible. Raises ValueError for a log-probability that is no number.
    """
    rows = 1 + len(overrides)  # row 0 has no overrides
    row_overrides = [NO_OVERRIDES, *(Overrides(entry.rows, (), entry.rules) for entry in overrides)]
    log_probs: list[list[float]] = [[] for _ in range(rows)]
    divergences: list[list[float]] = [[] for _ in overrides]
    most_likely: list[list[bool]] = [[] for _ in overrides]
    decoder = BatchDecoder(network, [list(source_ids)] * rows, Settings(candidates=0), row_overrides)
    for step, (previous, token) in enumerate(zip([PAD, *token_ids[:-1]], token_ids, strict=True), 1):
        raise_if_stopped(should_stop)
        result, top = decoder.step([previous] * rows, range(rows))
        for flags, best in zip(most_likely, top.tokens[1:], strict=True):
            flags.append(best[0] == token)
        log_probs[0].append(get_log_probs(result, {0: token}, step)[0])
        original_log_probs, *overridden_log_probs = result.log_probs.double()
        is_possible = original_log_probs > -torch.inf
        original_log_probs = original_log_probs[is_possible]
        for row_values, values, row_log_probs in zip(log_probs[1:], divergences, overridden_log_probs, strict=True):
            row_log_probs = row_log_probs.masked_fill(row_log_probs == -torch.inf, MIN_LOG_PROB)
            row_values.append(float(row_log_probs[token]))
            if not math.isfinite(row_values[-1]):
                raise ValueError(f"The network gave no usable log-probability at step {step}: its weights may be "
                                 "damaged.")
            kl = float((original_log_probs.exp() * (original_log_probs - row_log_probs[is_possible])).sum())
            values.append(max(0.0, kl))  # rounding may give a value just below 0
    return log_probs, divergences, most_likely
