"""The distribution of the next token at each step of a translation: the most likely tokens, and all others together."""

from __future__ import annotations

import torch
from torch import Tensor

from model.analysis.probing.next_token_record import LISTED, TEMPERATURES, NextTokens
from model.decoding.batch_decoder import get_device
from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.decoding.translate import TranslationModel, prepare_source
from model.networks.base import Translator
from model.text.normalise import NormalisedText
from model.text.vocabulary import PAD
from model.trace import Trace


def list_next_tokens(model: TranslationModel, trace: Trace, stopped: StopCallback | None = None) -> list[NextTokens]:
    """Return the distribution at each step of a translation. Raises SearchStopped once `stopped` returns true."""
    ids = prepare_source(model, NormalisedText(trace.source.text)).ids
    with torch.inference_mode():
        return [_summarise(model, log_probs) for log_probs in
                _force(model.network, ids, [step.id for step in trace.steps], stopped)]  # fmt: skip


def _force(network: Translator, source: list[int], target: list[int], stopped: StopCallback | None) -> list[Tensor]:
    """Return the log-probabilities (vocabulary,) of each step."""
    device = get_device(network)
    state = network.start(network.encode(torch.tensor([source], device=device)))
    rows, previous = [], torch.tensor([PAD], device=device)
    for token in target:
        raise_if_stopped(stopped)
        result = network.step(state, previous)
        rows.append(result.log_probs[0].double())
        state, previous = result.state, torch.full_like(previous, token)
    return rows


def _summarise(model: TranslationModel, log_probs: Tensor) -> NextTokens:
    values, ids = log_probs.sort(descending=True, stable=True)
    listed, rest = values[:LISTED], values[LISTED:]
    sums = [torch.logsumexp(rest / temperature, 0).item() if len(rest) else float("-inf")
            for temperature in TEMPERATURES]  # fmt: skip
    tokens = tuple(model.vocabulary.id_to_piece(int(token)) for token in ids[:LISTED])
    return NextTokens(tokens, tuple(listed.tolist()), len(rest), tuple(sums))
