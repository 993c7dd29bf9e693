"""The fast decoders of `model.networks.seq2seq` and `model.networks.luong`, one step at a time.

Results are the same but for rounding. As in `model.decoding.fast.rnnsearch`, W E y + b of the lowest layer is a table
of all tokens, and W and U of a layer are one matrix. Matrices are packed in fp16 where that is exact.
Attention is computed by the network itself (`Luong.align`). Shapes and symbols are those of `model.networks.lstm`.
"""

from __future__ import annotations

import weakref
from functools import cached_property, partial
from typing import Any

import torch
from torch import Tensor

from model.decoding.fast.packed_linear import PackedLinear
from model.networks.base import AttentionOverrides, StepResult, apply_override, check_source
from model.networks.lstm import LayerRunner, LSTMState, build_step_detail, encode_with_layers, update_lstm
from model.networks.luong import ATTENTION, Luong, LuongDecoderState, LuongEncoderOutput
from model.networks.seq2seq import Seq2Seq, Seq2SeqDecoderState
from model.trace import MapDescription


class FastLSTM:
    """What both decoders share, with the weights that the network had when this was created."""

    def __init__(self, network: Seq2Seq | Luong) -> None:
        self.maps: tuple[MapDescription, ...] = network.maps
        self.config = network.config
        m = network.config.embedding
        self.source_embedding = network.source_embedding.weight.detach()
        self.target_embedding = network.target_embedding.weight.detach()
        self.encoder_layers: list[list[LayerRunner]] = [
            [partial(_run_layer, PackedLinear([lstm.W], lstm.b), PackedLinear([lstm.U])) for lstm in layer]
            for layer in network.encoder_layers
        ]
        lowest, *upper = network.decoder_layers
        self.token_linear = PackedLinear([lowest.W[:, :m]], lowest.b)
        self.lowest_layer = PackedLinear([torch.cat([lowest.W[:, m:], lowest.U], dim=1)])
        self.upper_layers = [PackedLinear([torch.cat([lstm.W, lstm.U], dim=1)], lstm.b) for lstm in upper]
        self.output_linear = PackedLinear([network.W_o], network.b_o)

    @cached_property
    def target_table(self) -> Tensor:
        """The projection of all target tokens (vocabulary, 4n), computed by the first step."""
        return self.token_linear(self.target_embedding)

    def get_encoder_attention_weights(self, encoder_output: Any) -> dict[str, Tensor]:
        return {}

    def run_encoder(self, source: Tensor) -> tuple[Tensor, Tensor, LSTMState]:
        """Return the mask, the states of the highest layer, and the final states of all layers."""
        mask = check_source(source, self.config.vocabulary)
        x = self.source_embedding[source]
        return mask, *encode_with_layers(self.encoder_layers, x, mask, self.config.reverse, lambda values: values)

    def run_decoder_layers(self, token: Tensor, fed_input: Tensor | None, lstm: LSTMState) -> tuple[LSTMState, Tensor]:
        """Run one step of the decoder's layers; return their states and the gates of the highest one.

        token (rows,); fed_input (rows, n): s~ with input feeding.
        """
        h = lstm.h[:, 0] if fed_input is None else torch.cat([fed_input, lstm.h[:, 0]], dim=-1)
        sums = self.lowest_layer(h).add_(self.target_table.index_select(0, token))
        h, c, gates = update_lstm(sums, lstm.c[:, 0])
        hs, cs = [h], [c]
        for index, layer in enumerate(self.upper_layers, 1):
            sums = layer(torch.cat([h, lstm.h[:, index]], dim=-1))
            h, c, gates = update_lstm(sums, lstm.c[:, index])
            hs.append(h)
            cs.append(c)
        return LSTMState(torch.stack(hs, dim=1), torch.stack(cs, dim=1)), gates

    def compute_log_probs(self, t: Tensor) -> Tensor:
        """Return log p(y_i): (rows, n) -> (rows, vocabulary)."""
        return torch.log_softmax(self.output_linear(t), dim=-1)


class FastSeq2Seq(FastLSTM):
    """The fast decoder of `Seq2Seq`."""

    def encode(self, source: Tensor) -> LSTMState:
        return self.run_encoder(source)[2]

    def start(self, encoder_output: LSTMState) -> Seq2SeqDecoderState:
        return Seq2SeqDecoderState(encoder_output)

    def step(self, state: Seq2SeqDecoderState, token: Tensor, *, detail: bool = False,
             overrides: AttentionOverrides | None = None) -> StepResult:
        lstm, gates = self.run_decoder_layers(token, None, state.lstm)
        extra = build_step_detail(lstm, gates) if detail else {}
        return StepResult(self.compute_log_probs(lstm.h[:, -1]), Seq2SeqDecoderState(lstm), {}, extra)


class FastLuong(FastLSTM):
    """The fast decoder of `Luong`."""

    def __init__(self, network: Luong) -> None:
        super().__init__(network)
        self._network = weakref.ref(network)
        self.attentional_linear = PackedLinear([network.W_c])

    @property
    def network(self) -> Luong:
        network = self._network()
        assert network is not None  # search keeps it alive
        return network

    def encode(self, source: Tensor) -> LuongEncoderOutput:
        mask, h, lstm = self.run_encoder(source)
        return LuongEncoderOutput(h, self.network.compute_keys(h), mask, lstm)

    def start(self, encoder_output: LuongEncoderOutput) -> LuongDecoderState:
        return self.network.start(encoder_output)

    def step(self, state: LuongDecoderState, token: Tensor, *, detail: bool = False,
             overrides: AttentionOverrides | None = None) -> StepResult:
        output, steps = state.encoder_output, state.steps + 1
        lstm, gates = self.run_decoder_layers(token, state.attentional if self.config.feeding else None, state.lstm)
        s = lstm.h[:, -1]
        alpha, e = (values[:, 0] for values in self.network.align(output, s[:, None], steps[:, None]))
        if overrides is not None:
            alpha = apply_override(alpha, overrides.get(ATTENTION.key))
        c = (alpha[:, None] @ output.annotations)[:, 0]
        attentional = self.attentional_linear(torch.cat([c, s], dim=-1)).tanh_()
        extra: dict[str, Tensor] = {}
        if detail:
            window = self.network.build_window_detail(output, s, steps)
            extra = {"context": c, "energies": e, **build_step_detail(lstm, gates), **window}
        next_state = LuongDecoderState(output, lstm, attentional, steps)
        return StepResult(self.compute_log_probs(attentional), next_state, {ATTENTION.key: alpha}, extra)


def _run_layer(W: PackedLinear, U: PackedLinear, xs: Tensor) -> tuple[Tensor, Tensor]:
    """Run a layer over a sentence from zeros: (batch, source, inputs) -> all h and all c."""
    projected = W(xs)  # (batch, source, 4n)
    h = c = projected.new_zeros(len(projected), projected.shape[2] // 4)
    hs, cs = [], []
    for inputs in projected.unbind(1):
        h, c, _ = update_lstm(U(h).add_(inputs), c)
        hs.append(h)
        cs.append(c)
    return torch.stack(hs, dim=1), torch.stack(cs, dim=1)
