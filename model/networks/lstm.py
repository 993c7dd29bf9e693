"""Deep LSTMs: the encoder and decoder of `model.networks.seq2seq` and `model.networks.luong`.

One layer, without connections from the cell to the gates, as in both papers:

i, f, o = sigmoid(W x + U h + b);  g = tanh(W x + U h + b);  c' = f * c + i * g;  h' = o * tanh(c')

The states h of a layer are the inputs x of the next. Dropout applies between layers, never between steps (Zaremba et
al. 2014, as in Luong et al.). Shapes are (batch, source, hidden), and (batch, layers, hidden) for several layers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, cast

import torch
from torch import Tensor, nn

from model.networks.base import check_source
from model.networks.recurrence import Recurrence, build_forward_positions
from model.text.vocabulary import PAD


class LSTMLayer(nn.Module):
    """One layer. The rows of `W`, `U` and `b` are stacked in the order i, f, o, g."""

    state_count: ClassVar[int] = 2  # h and c
    gates: ClassVar[tuple[str, ...]] = ("input", "forget", "output")

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.W = nn.Parameter(torch.empty(4 * hidden, inputs))
        self.U = nn.Parameter(torch.empty(4 * hidden, hidden))
        self.b = nn.Parameter(torch.empty(4 * hidden))

    def forward(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return h' and c' (batch, n), and the gates i, f, o (batch, 3n)."""
        return update_lstm(x @ self.W.T + h @ self.U.T + self.b, c)

    def run(self, xs: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """Return all h and all c (batch, time, n) of a sequence (batch, time, inputs)."""
        states, cells = [], []
        for x in xs.unbind(1):
            h, c, _ = self(x, h, c)
            states.append(h)
            cells.append(c)
        return torch.stack(states, dim=1), torch.stack(cells, dim=1)

    def run_from_zeros(self, xs: Tensor) -> tuple[Tensor, Tensor]:
        """Run from h = c = 0."""
        zeros = xs.new_zeros(len(xs), self.hidden)
        return self.run(xs, zeros, zeros)


def update_lstm(sums: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return h', c' and the gates i, f, o (batch, 3n), given W x + U h + b (batch, 4n) and c (batch, n)."""
    n = c.shape[-1]
    gates, g = torch.sigmoid(sums[:, : 3 * n]), torch.tanh(sums[:, 3 * n :])
    i, f, o = gates.chunk(3, dim=-1)
    c = f * c + i * g
    return o * torch.tanh(c), c, gates


@dataclass(frozen=True)
class LSTMState:
    """States h and cells c of all layers, each (batch, layers, n)."""

    h: Tensor
    c: Tensor

    def select(self, rows: Tensor) -> LSTMState:
        return LSTMState(self.h[rows], self.c[rows])


def build_step_detail(lstm: LSTMState, gates: Tensor) -> dict[str, Tensor]:
    """Return state, cell and gates of the highest layer by name, each (batch, n); `gates` is (batch, 3n)."""
    named_gates = dict(zip(LSTMLayer.gates, gates.chunk(3, dim=-1), strict=True))
    return {"state": lstm.h[:, -1], "cell": lstm.c[:, -1], **named_gates}


def reverse_positions(mask: Tensor, *, end_stays: bool) -> Tensor:
    """Return the source positions (batch, source) from last to first; padding stays where it is.

    EOS comes first, or, with `end_stays`, remains last. Applying the positions twice restores the order.
    """
    last = mask.sum(1, keepdim=True) - (2 if end_stays else 1)
    positions = build_forward_positions(mask)
    return torch.where(positions <= last, last - positions, positions)


def gather_positions(values: Tensor, positions: Tensor) -> Tensor:
    """Return values (batch, source, ...) in the order of `positions` (batch, source)."""
    return values[torch.arange(len(values), device=values.device)[:, None], positions]


LayerRunner = Callable[[Tensor], tuple[Tensor, Tensor]]
"""Runs a layer from zeros: (batch, source, inputs) -> all h and all c, each (batch, source, n)."""


def encode_with_layers(layers: Sequence[Sequence[LayerRunner]], x: Tensor, mask: Tensor, reverse: bool,
                       apply_dropout: Callable[[Tensor], Tensor]) -> tuple[Tensor, LSTMState]:  # fmt: skip
    """Encode embedded sentences x (batch, source, m) with layers of one or two directions.

    Returns the highest layer's states in reading order of the text, (batch, source, n), and the final state of every
    layer. `reverse`: whether the first direction reads from the last word to the first. Padding is on the right in
    whatever order a direction reads, and nothing after a sentence's end is used.
    """
    order, opposite = reverse_positions(mask, end_stays=True), reverse_positions(mask, end_stays=False)
    rows, last = torch.arange(len(x), device=x.device), mask.sum(1) - 1
    if reverse:
        x = gather_positions(x, order)
    final_states: list[tuple[Tensor, Tensor]] = []
    for directions in layers:
        x = apply_dropout(x)
        outputs = [run(gather_positions(x, opposite) if number else x) for number, run in enumerate(directions)]
        final_states.append((torch.cat([h[rows, last] for h, _ in outputs], dim=-1),
                             torch.cat([c[rows, last] for _, c in outputs], dim=-1)))  # fmt: skip
        x = torch.cat([gather_positions(h, opposite) if number else h for number, (h, _) in enumerate(outputs)], dim=-1)
    h, c = (torch.stack(parts, dim=1) for parts in zip(*final_states, strict=True))
    return gather_positions(x, order) if reverse else x, LSTMState(h, c)


class LSTMNetwork(nn.Module):
    """Embeddings, a deep encoder, a deep decoder and an output layer.

    The config has `vocabulary`, `embedding` (m), `hidden` (n), `layers`, `reverse` and `dropout`. The encoder reads
    x_1 .. x_n, EOS; with `reverse` x_n .. x_1, EOS. With two directions, each layer has two halves of n/2 units, and
    the second half reads in the opposite order. Encoder states are returned in the order of the text.
    """

    initial_range: ClassVar[float]  # weights are drawn uniformly from -initial_range to initial_range

    def __init__(self, config: Any, *, directions: int = 1, feeding_size: int = 0) -> None:
        """Create the layers. `feeding_size`: width of an additional input of the decoder's first layer."""
        super().__init__()
        self.config = config
        v, m, n = config.vocabulary, config.embedding, config.hidden
        self.source_embedding = nn.Embedding(v, m, padding_idx=PAD)
        self.target_embedding = nn.Embedding(v, m, padding_idx=PAD)  # PAD is "no previous token": a zero vector
        inputs = [m, *[n] * (config.layers - 1)]
        self.encoder = nn.ModuleList(
            nn.ModuleList(LSTMLayer(width, n // directions) for _ in range(directions)) for width in inputs
        )
        inputs[0] += feeding_size
        self.decoder = nn.ModuleList(LSTMLayer(width, n) for width in inputs)
        self.W_o = nn.Parameter(torch.empty(v, n))
        self.b_o = nn.Parameter(torch.empty(v))

    @property
    def encoder_layers(self) -> list[list[LSTMLayer]]:
        """The encoder's layers, each a list of one or two directions."""
        return cast("list[list[LSTMLayer]]", list(self.encoder))

    @property
    def decoder_layers(self) -> list[LSTMLayer]:
        return cast("list[LSTMLayer]", list(self.decoder))

    @torch.no_grad()
    def initialise(self) -> None:
        """Draw weights as in the papers. Biases, which they do not mention, are 0, those of forget gates 1 (Gers et
        al. 2000)."""
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1 or name.endswith(("v_a", "v_p")):
                parameter.uniform_(-self.initial_range, self.initial_range)
            else:
                parameter.zero_()
                if name.endswith(".b"):
                    parameter.chunk(4)[1].fill_(1.0)
        for embedding in (self.source_embedding, self.target_embedding):
            embedding.weight[PAD].zero_()

    def apply_dropout(self, values: Tensor) -> Tensor:
        return nn.functional.dropout(values, self.config.dropout, self.training)

    def embed_source(self, source: Tensor) -> Tensor:
        """Return E x_j: (batch, source) -> (batch, source, m)."""
        embedded: Tensor = self.source_embedding(source)
        return embedded

    def run_encoder(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor, LSTMState]:
        """Return the mask, the highest layer's states (batch, source, n) and the final state of every layer.

        `embedded` (batch, source, m) replaces the embeddings of the source tokens.
        """
        mask = check_source(source, self.config.vocabulary)
        x = self.embed_source(source) if embedded is None else embedded
        layers = [[lstm.run_from_zeros for lstm in directions] for directions in self.encoder_layers]
        return mask, *encode_with_layers(layers, x, mask, self.config.reverse, self.apply_dropout)

    def annotate(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the mask and the highest layer's states (batch, source, n)."""
        mask, states, _ = self.run_encoder(source, embedded)
        return mask, states

    def get_encoder_attention_weights(self, encoder_output: Any) -> dict[str, Tensor]:
        """Return {}: the encoder is recurrent and has no attention."""
        return {}

    def list_recurrences(self) -> tuple[Recurrence, ...]:
        """Return the LSTM layers (`model.networks.recurrence`)."""
        encoder = [Recurrence("encoder", layer, lstm, partial(self.get_reading_positions, direction))
                   for layer, directions in enumerate(self.encoder_layers, 1)
                   for direction, lstm in enumerate(directions)]  # fmt: skip
        return (*encoder, *(Recurrence("decoder", layer, lstm) for layer, lstm in enumerate(self.decoder_layers, 1)))

    def get_reading_positions(self, direction: int, mask: Tensor) -> Tensor:
        """Return the source position that each step of direction 0 or 1 reads, (batch, source)."""
        order = reverse_positions(mask, end_stays=True) if self.config.reverse else build_forward_positions(mask)
        return gather_positions(order, reverse_positions(mask, end_stays=False)) if direction else order

    def run_decoder_step(self, x: Tensor, lstm: LSTMState,
                         dropout_masks: Tensor | None = None) -> tuple[LSTMState, Tensor]:  # fmt: skip
        """Run all decoder layers once on x (batch, inputs).

        Returns their state and the highest layer's gates i, f, o (batch, 3n). `dropout_masks` (layers - 1, batch, n)
        multiply the values between layers.
        """
        hs: list[Tensor] = []
        cs: list[Tensor] = []
        for number, layer in enumerate(self.decoder_layers):
            if number:
                x = hs[-1] if dropout_masks is None else hs[-1] * dropout_masks[number - 1]
            h, c, gates = layer(x, lstm.h[:, number], lstm.c[:, number])
            hs.append(h)
            cs.append(c)
        return LSTMState(torch.stack(hs, dim=1), torch.stack(cs, dim=1)), gates

    def compute_log_probs(self, t: Tensor) -> Tensor:
        """Return log p(y_i): (..., n) -> (..., vocabulary)."""
        return torch.log_softmax(t @ self.W_o.T + self.b_o, dim=-1)
