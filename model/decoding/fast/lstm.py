"""`model.networks.seq2seq` and `model.networks.luong` for search, one step at a time: the same numbers but for
rounding, far sooner.

As `model.decoding.fast.rnnsearch` does it for the GRU networks: what depends on the piece alone, W E y + b of the
lowest layer, is a table of all pieces; matrices that are added up, W and U of a layer, are one that eats both vectors
at once; and matrices are fetched in half precision where that is what they are (`model.decoding.fast.packed_linear`). The look
is the network's own.

Shapes and symbols are those of `model.networks.lstm`.
"""

from __future__ import annotations

import weakref
from functools import cached_property, partial

import torch
from torch import Tensor

from model.decoding.fast.packed_linear import PackedLinear
from model.networks.base import AttentionOverrides, StepResult, apply_override, check_source
from model.networks.lstm import LayerRunner, LSTMNetwork, LSTMState, build_step_detail, encode_with_layers, update_lstm
from model.networks.luong import ATTENTION, Luong, LuongEncoderOutput
from model.networks.luong import LuongDecoderState as LuongState
from model.networks.seq2seq import Seq2Seq
from model.networks.seq2seq import Seq2SeqDecoderState as Seq2SeqState
from model.trace import MapDescription


class FastLSTM:
    """What search needs of both, with the weights they had when this was made."""

    def __init__(self, network: LSTMNetwork, maps: tuple[MapDescription, ...]) -> None:
        self.maps = maps
        self.config = network.config
        m = network.config.embedding
        self.source_embedding = network.source_embedding.weight.detach()
        self.target_embedding = network.target_embedding.weight.detach()
        self.layers: list[list[LayerRunner]] = [
            [partial(_over, PackedLinear([lstm.W], lstm.b), PackedLinear([lstm.U])) for lstm in layer]
            for layer in network.encoder_layers
        ]
        lowest, *above = network.decoder_layers
        self.piece = PackedLinear([lowest.W[:, :m]], lowest.b)
        self.lowest = PackedLinear([torch.cat([lowest.W[:, m:], lowest.U], dim=1)])
        self.above = [PackedLinear([torch.cat([lstm.W, lstm.U], dim=1)], lstm.b) for lstm in above]
        self.output = PackedLinear([network.W_o], network.b_o)

    @cached_property
    def table(self) -> Tensor:
        """What each piece adds to the lowest layer's sums, (vocabulary, 4n): made by the first step."""
        return self.piece(self.target_embedding)

    def read(self, source: Tensor) -> tuple[Tensor, Tensor, LSTMState]:
        """As `model.networks.lstm.Recurrent.read`."""
        mask = check_source(source, self.config.vocabulary)
        x = self.source_embedding[source]
        return mask, *encode_with_layers(self.layers, x, mask, self.config.reverse, lambda values: values)

    def decode(self, piece: Tensor, fed: Tensor | None, cells: LSTMState) -> tuple[LSTMState, Tensor]:
        """One step of the decoder's layers after `piece` (rows,), given what is fed to it (rows, n)."""
        h = cells.h[:, 0] if fed is None else torch.cat([fed, cells.h[:, 0]], dim=-1)
        sums = self.lowest(h).add_(self.table.index_select(0, piece))
        h, c, gates = update_lstm(sums, cells.c[:, 0])
        hs, cs = [h], [c]
        for number, layer in enumerate(self.above, 1):
            sums = layer(torch.cat([h, cells.h[:, number]], dim=-1))
            h, c, gates = update_lstm(sums, cells.c[:, number])
            hs.append(h)
            cs.append(c)
        return LSTMState(torch.stack(hs, dim=1), torch.stack(cs, dim=1)), gates

    def log_softmax(self, t: Tensor) -> Tensor:
        """log p(y_i), (rows, n) -> (rows, vocabulary)."""
        return torch.log_softmax(self.output(t), dim=-1)


class FastSeq2Seq(FastLSTM):
    """`model.networks.seq2seq.Seq2Seq` as `model.networks.base.Translator`."""

    def __init__(self, network: Seq2Seq) -> None:
        super().__init__(network, network.maps)

    def encoder_attention_weights(self, encoder_output: LSTMState) -> dict[str, Tensor]:
        return {}

    def encode(self, source: Tensor) -> LSTMState:
        return self.read(source)[2]

    def start(self, encoder_output: LSTMState) -> Seq2SeqState:
        return Seq2SeqState(encoder_output)

    def step(self, state: Seq2SeqState, token: Tensor, *, detail: bool = False,
             overrides: AttentionOverrides | None = None) -> StepResult:
        """One step of search, as `model.networks.seq2seq.Seq2Seq.step`."""
        cells, gates = self.decode(token, None, state.lstm)
        extra = build_step_detail(cells, gates) if detail else {}
        return StepResult(self.log_softmax(cells.h[:, -1]), Seq2SeqState(cells), {}, extra)


class FastLuong(FastLSTM):
    """`model.networks.luong.Luong` as `model.networks.base.Translator`."""

    def __init__(self, network: Luong) -> None:
        super().__init__(network, network.maps)
        self._network = weakref.ref(network)
        self.attentional = PackedLinear([network.W_c])

    @property
    def network(self) -> Luong:
        found = self._network()
        assert found is not None  # whoever searches holds it
        return found

    def encoder_attention_weights(self, encoder_output: LuongEncoderOutput) -> dict[str, Tensor]:
        return {}

    def encode(self, source: Tensor) -> LuongEncoderOutput:
        mask, h, cells = self.read(source)
        return LuongEncoderOutput(h, self.network.compute_keys(h), mask, cells)

    def start(self, encoder_output: LuongEncoderOutput) -> LuongState:
        return self.network.start(encoder_output)

    def step(
        self, state: LuongState, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None
    ) -> StepResult:
        """One step of search, as `model.networks.luong.Luong.step`."""
        memory, step = state.encoder_output, state.steps + 1
        cells, gates = self.decode(token, state.attentional if self.config.feeding else None, state.lstm)
        s = cells.h[:, -1]
        own, e = (one[:, 0] for one in self.network.align(memory, s[:, None], step[:, None]))
        used = own if overrides is None else apply_override(own, overrides.get(ATTENTION.key))
        c = (used[:, None] @ memory.annotations)[:, 0]
        attentional = self.attentional(torch.cat([c, s], dim=-1)).tanh_()
        window = self.network.build_window_detail(memory, s, step) if detail else {}
        extra = {"context": c, "energies": e, **build_step_detail(cells, gates), **window} if detail else {}
        after = LuongState(memory, cells, attentional, step)
        return StepResult(self.log_softmax(attentional), after, {ATTENTION.key: used}, extra)


def _over(w: PackedLinear, u: PackedLinear, xs: Tensor) -> tuple[Tensor, Tensor]:
    """A layer over a sentence from nothing, (batch, source, inputs) -> all h and all c."""
    given = w(xs)  # (batch, source, 4n)
    h = c = given.new_zeros(len(given), given.shape[2] // 4)
    states, cells = [], []
    for one in given.unbind(1):
        h, c, _ = update_lstm(u(h).add_(one), c)
        states.append(h)
        cells.append(c)
    return torch.stack(states, dim=1), torch.stack(cells, dim=1)
