"""Word vectors from the encoder.

With attention, the vector of a word is the mean of the encoder outputs h_j of its tokens. Without attention it is the
encoder's state after the word, which is at the word's first token where the source is read in reverse.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch.nn.utils.rnn import pad_sequence

from model.analysis.probing.similarity import Array, VectorError
from model.decoding.batch_decoder import get_device
from model.decoding.detail import SourceAnnotator
from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.decoding.translate import TranslationModel, prepare_source
from model.networks.lstm import LSTMNetwork
from model.text.normalise import NormalisedText
from model.text.vocabulary import PAD
from model.trace import Side
from model.trace.trace import build_word_membership

BATCH_SIZE = 32  # sentences


def encode_words(
    model: TranslationModel, texts: Sequence[NormalisedText], should_stop: StopCallback | None = None
) -> list[tuple[Side, Array]]:
    """Return each text as the model tokenises it, with one vector for each of its words, (words, units).

    Raises VectorError for a network without encoder outputs per token, SentenceError for a text that cannot be
    translated, SearchStopped once `should_stop` returns true.
    """
    network: object = model.network
    if not isinstance(network, SourceAnnotator):
        raise VectorError(f"{model.name} has no vectors of single words: choose another model.")
    device = get_device(model.network)
    has_attention = any(description.is_target_by_source for description in model.network.maps)
    is_reversed = isinstance(network, LSTMNetwork) and network.config.reverse
    encoded: list[tuple[Side, Array]] = []
    for start in range(0, len(texts), BATCH_SIZE):
        raise_if_stopped(should_stop)
        sentences = [prepare_source(model, text) for text in texts[start : start + BATCH_SIZE]]
        outputs = annotate_sentences(network, [sentence.ids for sentence in sentences], device)
        for side, tokens in zip((sentence.side for sentence in sentences), outputs, strict=True):
            vectors = _average_tokens(side, tokens) if has_attention else _select_last(side, tokens, is_reversed)
            encoded.append((side, vectors))
    return encoded


def annotate_sentences(network: SourceAnnotator, ids: Sequence[Sequence[int]], device: torch.device) -> list[Array]:
    """Return the encoder outputs (S, units) of sentences given as token ids, in one batch."""
    source = pad_sequence([torch.tensor(list(row)) for row in ids], batch_first=True, padding_value=PAD)
    with torch.inference_mode():
        _, outputs = network.annotate(source.to(device))
    return [output[: len(row)] for output, row in zip(outputs.double().cpu().numpy(), ids, strict=True)]


def _average_tokens(side: Side, tokens: Array) -> Array:
    """Return the mean of the token vectors (tokens, units) of each word, (words, units)."""
    membership = build_word_membership(side.word_of, len(side.words))[: len(side.words)]
    means: Array = membership @ tokens / membership.sum(axis=1, keepdims=True)
    return means


def _select_last(side: Side, tokens: Array, is_reversed: bool) -> Array:
    """Return the vector of the token of each word that is read last, (words, units)."""
    in_order = [(token, word) for token, word in enumerate(side.word_of) if word >= 0]
    last = {word: token for token, word in (reversed(in_order) if is_reversed else in_order)}
    return tokens[[last[word] for word in range(len(side.words))]]
