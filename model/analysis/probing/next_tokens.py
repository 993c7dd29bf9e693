"""The distribution of the next token at each step of a translation: the most likely tokens, and all others together."""

from __future__ import annotations

import torch
from torch import Tensor

from model.analysis.probing.decoder_steps import iterate_steps
from model.analysis.probing.next_token_record import MAX_LISTED_TOKENS, TEMPERATURES, NextTokens
from model.decoding.batch_decoder import get_device
from model.decoding.stop_callback import StopCallback
from model.decoding.translate import EncodedSentence, TranslationModel, prepare_source
from model.text.normalise import NormalisedText
from model.trace import Trace


def list_next_tokens(
    model: TranslationModel, trace: Trace, should_stop: StopCallback | None = None
) -> list[NextTokens]:
    """Return the distribution at each step of a translation. Raises SearchStopped once `should_stop` returns true."""
    sentence = prepare_source(model, NormalisedText(trace.source.text))
    target = [step.id for step in trace.steps]
    with torch.inference_mode():
        encoder_output = model.network.encode(torch.tensor([sentence.ids], device=get_device(model.network)))
        steps = iterate_steps(model.network, encoder_output, should_stop, target)
        return [_summarise(model, sentence, step.result.log_probs[0].double()) for step in steps]


def _summarise(model: TranslationModel, sentence: EncodedSentence, log_probs: Tensor) -> NextTokens:
    values, ids = log_probs.sort(descending=True, stable=True)
    listed_values, rest_values = values[:MAX_LISTED_TOKENS], values[MAX_LISTED_TOKENS:]
    sums = [torch.logsumexp(rest_values / temperature, 0).item() if len(rest_values) else float("-inf")
            for temperature in TEMPERATURES]  # fmt: skip
    tokens = tuple(model.vocabulary.id_to_piece(int(token), sentence.unknown_words)
                   for token in ids[:MAX_LISTED_TOKENS])
    return NextTokens(tokens, tuple(listed_values.tolist()), len(rest_values), tuple(sums))
