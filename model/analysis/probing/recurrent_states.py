"""The states of recurrent encoders at every token: both directions of RNNsearch, and the gates of single units.

All values are computed by the network's own cells, a batch of one sentence, and returned as float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from model.analysis.probing.similarity import Array, VectorError
from model.analysis.probing.word_vectors import annotate_sentences
from model.decoding.batch_decoder import get_device
from model.decoding.translate import TranslationModel, prepare_source
from model.networks.lstm import LSTMLayer, LSTMNetwork
from model.networks.rnnsearch import GRU, GRUNetwork, RNNsearch
from model.text.normalise import NormalisedText
from model.text.vocabulary import PAD
from model.trace import Side


@dataclass(frozen=True, eq=False)
class UnitRecord:
    """What each unit of the encoder's highest layer computed at each step, in the order of reading.

    Attributes:
        side: the source sentence.
        order: the source position that each step reads, (S,).
        gates: each gate by name, from 0 to 1, (S, units).
        candidate: from -1 to 1, (S, units).
        memory: what the gates protect, (S + 1, units): the state of a GRU or the cell of an LSTM before the first step
            (0) and after each step.
        output: the state of an LSTM, o · tanh(cell), (S, units); for a GRU the memory itself.
    """

    side: Side
    order: tuple[int, ...]
    gates: dict[str, Array]
    candidate: Array
    memory: Array
    output: Array


def encode_directions(model: TranslationModel, text: NormalisedText) -> tuple[Side, Array, Array]:
    """Return the sentence and the states of RNNsearch's encoder, forward and backward, each (S, units).

    Raises VectorError for a network of another kind, SentenceError for a text that cannot be translated.
    """
    if not isinstance(model.network, RNNsearch):
        raise VectorError(f"{model.name} has no bidirectional encoder of this kind: choose RNNsearch.")
    sentence = prepare_source(model, text)
    (annotations,) = annotate_sentences(model.network, [sentence.ids], get_device(model.network))
    forward, backward = np.split(annotations, 2, axis=1)
    return sentence.side, forward, backward


def encode_texts(model: TranslationModel, texts: Sequence[NormalisedText]) -> list[Array]:
    """Return the encoder states of each text, (S, units): for RNNencdec, the last one is the vector of the sentence.

    Raises as `encode_directions`.
    """
    if not isinstance(model.network, GRUNetwork):
        raise VectorError(f"{model.name} is no network of gated recurrent units: choose RNNsearch or RNNencdec.")
    ids = [prepare_source(model, text).ids for text in texts]
    return annotate_sentences(model.network, ids, get_device(model.network))


def record_units(model: TranslationModel, text: NormalisedText) -> UnitRecord:
    """Run the first direction of the encoder's highest layer and record every unit.

    Raises VectorError for a network without such cells, SentenceError for a text that cannot be translated.
    """
    network: object = model.network
    if not isinstance(network, GRUNetwork | LSTMNetwork):
        raise VectorError(f"{model.name} has no gated recurrent units: choose a recurrent model.")
    sentence = prepare_source(model, text)
    source = torch.tensor([sentence.ids], device=get_device(model.network))
    with torch.inference_mode():
        embedded = network.embed_source(source)[0]
        if isinstance(network, GRUNetwork):
            return UnitRecord(sentence.side, tuple(range(len(embedded))), *_record_gru(network.encoder, embedded))
        order = network.get_reading_positions(0, source != PAD)[0]
        x = embedded[order]
        *lower_layers, (top, *_) = network.encoder_layers
        for number, layers in enumerate(lower_layers):
            if len(layers) > 1:
                raise VectorError(f"Layer {number + 1} of {model.name} reads in two directions: choose another model.")
            x = layers[0].run_from_zeros(x[None])[0][0]
        return UnitRecord(sentence.side, tuple(order.tolist()), *_record_lstm(top, x))


def _record_gru(cell: GRU, embedded: Tensor) -> tuple[dict[str, Array], Array, Array, Array]:
    """Return gates, candidate, memory and output of `UnitRecord`."""
    n = cell.hidden
    states = [embedded.new_zeros(1, n)]
    update, reset = [], []
    projected = cell.project(embedded)
    for row in projected:
        s, z, r = cell(row[None], states[-1])
        states.append(s)
        update.append(z)
        reset.append(r)
    previous_states, gate = torch.cat(states[:-1]), torch.cat(reset)
    candidate = torch.tanh(projected[:, 2 * n :] + (gate * previous_states) @ cell.U.T)
    memory = _to_array(torch.cat(states))
    gates = {"update": _to_array(torch.cat(update)), "reset": _to_array(gate)}
    return gates, _to_array(candidate), memory, memory[1:]


def _record_lstm(cell: LSTMLayer, x: Tensor) -> tuple[dict[str, Array], Array, Array, Array]:
    """Return gates, candidate, memory and output of `UnitRecord`."""
    n = cell.hidden
    hs, cs, gates = [x.new_zeros(1, n)], [x.new_zeros(1, n)], []
    for row in x:
        h, c, step_gates = cell(row[None], hs[-1], cs[-1])
        hs.append(h)
        cs.append(c)
        gates.append(step_gates)
    sums = x @ cell.W[3 * n :].T + torch.cat(hs[:-1]) @ cell.U[3 * n :].T + cell.b[3 * n :]
    values = torch.cat(gates).chunk(len(cell.gates), dim=-1)
    named = {name: _to_array(value) for name, value in zip(cell.gates, values, strict=True)}
    return named, _to_array(torch.tanh(sums)), _to_array(torch.cat(cs)), _to_array(torch.cat(hs[1:]))


def choose_units(states: Array, count: int) -> list[int]:
    """Return the `count` units whose state (S, units) changes most over the sentence, in rising order."""
    movement = sum((np.abs(later - earlier) for earlier, later in pairwise(states)), np.zeros(states.shape[1]))
    return sorted(int(unit) for unit in np.argsort(-movement, kind="stable")[:count])


def _to_array(values: Tensor) -> Array:
    array: Array = values.double().cpu().numpy()
    return array
