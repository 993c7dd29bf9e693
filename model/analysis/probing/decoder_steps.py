"""One sentence decoded step by step by the reference network, greedily or along a given translation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import torch

from model.decoding.batch_decoder import get_device
from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.networks.base import StepResult, Translator
from model.text.vocabulary import EOS, PAD


@dataclass(frozen=True)
class DecoderStep:
    """A step of one sentence: the state before it, y_{i-1}, its result with details, and y_i."""

    state: Any
    previous: int
    result: StepResult
    token: int


def iterate_steps(
    network: Translator, encoder_output: Any, should_stop: StopCallback | None,
    target: Sequence[int] | None = None, change_state: Callable[[Any], Any] = lambda state: state,
) -> Iterator[DecoderStep]:  # fmt: skip
    """Yield the steps up to EOS or the end of `target`, without limit if there is none.

    `change_state` is applied to the state before each step.
    """
    state, token, device = network.start(encoder_output), PAD, get_device(network)
    for index in count() if target is None else range(len(target)):
        raise_if_stopped(should_stop)
        state = change_state(state)
        result = network.step(state, torch.tensor([token], device=device), detail=True)
        previous, token = token, int(result.log_probs.argmax()) if target is None else target[index]
        yield DecoderStep(state, previous, result, token)
        state = result.state
        if token == EOS:
            return
