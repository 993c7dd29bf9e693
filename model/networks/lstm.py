"""Deep LSTMs, and what the two networks made of them share: `model.networks.seq2seq` and `model.networks.luong`.

A layer as both papers use it, with no connections from the cell to its gates:

i, f, o = sigmoid(W x + U h + b);  g = tanh(W x + U h + b);  c' = f * c + i * g;  h' = o * tanh(c')

Layers stand on one another: the states h of one are the inputs x of the next. Dropout falls on what goes from layer to
layer and never on what goes from step to step (Zaremba et al. 2014, whom Luong et al. follow). Shapes are written
(batch, source, hidden); of several layers (batch, layers, hidden).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, cast

import torch
from torch import Tensor, nn

from model.networks.base import check_source, check_token_ids
from model.networks.recurrence import Recurrence, forward_positions
from model.text.vocabulary import PAD


class LSTMLayer(nn.Module):
    """One layer. Rows of `W`, `U` and `b` stand as i, f, o, g."""

    states: ClassVar[int] = 2  # h and c
    gates: ClassVar[tuple[str, ...]] = ("input", "forget", "output")

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.W = nn.Parameter(torch.empty(4 * hidden, inputs))
        self.U = nn.Parameter(torch.empty(4 * hidden, hidden))
        self.b = nn.Parameter(torch.empty(4 * hidden))

    def forward(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """One update: (batch, inputs), (batch, n), (batch, n) -> h', c', each (batch, n), and i, f, o (batch, 3n)."""
        return update_lstm(x @ self.W.T + h @ self.U.T + self.b, c)

    def run(self, xs: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """All updates of a sequence: (batch, time, inputs) -> all h and all c, each (batch, time, n)."""
        states, cells = [], []
        for x in xs.unbind(1):
            h, c, _ = self(x, h, c)
            states.append(h)
            cells.append(c)
        return torch.stack(states, dim=1), torch.stack(cells, dim=1)

    def run_from_zeros(self, xs: Tensor) -> tuple[Tensor, Tensor]:
        """As `over`, from nothing."""
        nothing = xs.new_zeros(len(xs), self.hidden)
        return self.run(xs, nothing, nothing)


def update_lstm(sums: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """A layer's update from its sums W x + U h + b (batch, 4n) and c: h', c', each (batch, n), and i, f, o
    (batch, 3n)."""
    n = c.shape[-1]
    gates, g = torch.sigmoid(sums[:, : 3 * n]), torch.tanh(sums[:, 3 * n :])
    i, f, o = gates.chunk(3, dim=-1)
    c = f * c + i * g
    return o * torch.tanh(c), c, gates


@dataclass(frozen=True)
class LSTMState:
    """Where a deep LSTM stands: the state h and the cell c of every layer, each (batch, layers, n)."""

    h: Tensor
    c: Tensor

    def select(self, rows: Tensor) -> LSTMState:
        return LSTMState(self.h[rows], self.c[rows])


def build_step_detail(cells: LSTMState, gates: Tensor) -> dict[str, Tensor]:
    """What a step's detail tells of the highest layer, each (batch, n), given its gates (batch, 3n)."""
    of_gates = dict(zip(("input", "forget", "output"), gates.chunk(3, dim=-1), strict=True))
    return {"state": cells.h[:, -1], "cell": cells.c[:, -1], **of_gates}


def reverse_positions(mask: Tensor, *, end_stays: bool) -> Tensor:
    """The places (batch, source) of a padded batch in the opposite order, x_n .. x_1, padding where it is; EOS before
    x_n, or after x_1 where it stays at the end. Done twice it changes nothing."""
    last = mask.sum(1, keepdim=True) - (2 if end_stays else 1)
    places = torch.arange(mask.shape[1], device=mask.device).expand(mask.shape)
    return torch.where(places <= last, last - places, places)


def gather_positions(values: Tensor, places: Tensor) -> Tensor:
    """values (batch, source, ...) in the order that `places` (batch, source) says."""
    return values[torch.arange(len(values), device=values.device)[:, None], places]


LayerRunner = Callable[[Tensor], tuple[Tensor, Tensor]]
"""A layer over a sentence, from nothing: (batch, source, inputs) -> all h and all c, each (batch, source, n)."""


def encode_with_layers(layers: Sequence[Sequence[LayerRunner]], x: Tensor, mask: Tensor, reverse: bool,
                 dropped: Callable[[Tensor], Tensor]) -> tuple[Tensor, LSTMState]:
    """Read embedded sentences x (batch, source, m) by layers of one or two directions: the states of the highest layer
    at each piece in the reader's order (batch, source, n), and where every layer stands after the last piece it reads.

    Sentences are read in the encoder's own order with their padding on the right, and what comes after their end is
    never looked at. `dropped` is what dropout makes of a layer's inputs.
    """
    order, opposite = reverse_positions(mask, end_stays=True), reverse_positions(mask, end_stays=False)
    rows, last = torch.arange(len(x), device=x.device), mask.sum(1) - 1
    if reverse:
        x = gather_positions(x, order)
    ends: list[tuple[Tensor, Tensor]] = []
    for layer in layers:
        x = dropped(x)
        ways = [run(gather_positions(x, opposite) if way else x) for way, run in enumerate(layer)]
        ends.append((torch.cat([h[rows, last] for h, _ in ways], dim=-1),
                     torch.cat([c[rows, last] for _, c in ways], dim=-1)))
        x = torch.cat([gather_positions(h, opposite) if way else h for way, (h, _) in enumerate(ways)], dim=-1)
    h, c = (torch.stack(parts, dim=1) for parts in zip(*ends, strict=True))
    return gather_positions(x, order) if reverse else x, LSTMState(h, c)


class LSTMNetwork(nn.Module):
    """Embeddings, a deep encoder, a deep decoder and an output layer. The configuration has `vocabulary`, `embedding`
    (m), `hidden` (n), `layers`, `reverse` and `dropout`.

    The encoder reads x_1 .. x_n, EOS, or x_n .. x_1, EOS where `reverse` says so; with two directions each layer is two
    halves, of which the second reads in the opposite order. What it says about pieces stands in the reader's order.
    """

    initial_range: ClassVar[float]  # weights are drawn evenly from -reach to reach

    def __init__(self, configuration: Any, *, directions: int = 1, fed: int = 0) -> None:
        super().__init__()
        self.configuration = configuration
        v, m, n = configuration.vocabulary, configuration.embedding, configuration.hidden
        self.source_embedding = nn.Embedding(v, m, padding_idx=PAD)
        self.target_embedding = nn.Embedding(v, m, padding_idx=PAD)  # PAD stands for "no previous word": a zero vector
        below = [m, *[n] * (configuration.layers - 1)]
        self.encoder = nn.ModuleList(
            nn.ModuleList(LSTMLayer(inputs, n // directions) for _ in range(directions)) for inputs in below
        )
        below[0] += fed
        self.decoder = nn.ModuleList(LSTMLayer(inputs, n) for inputs in below)
        self.W_o = nn.Parameter(torch.empty(v, n))
        self.b_o = nn.Parameter(torch.empty(v))

    @property
    def encoder_layers(self) -> list[list[LSTMLayer]]:
        """The encoder's layers, each of one direction or two."""
        return cast("list[list[LSTM]]", list(self.encoder))

    @property
    def decoder_layers(self) -> list[LSTMLayer]:
        """The decoder's layers."""
        return cast("list[LSTM]", list(self.decoder))

    @torch.no_grad()
    def initialise(self, generator: torch.Generator | None = None) -> None:
        """Weights as the papers draw them; they say nothing of biases, which are 0, but for the forget gates' 1: cells
        keep what they hold from the first update on (Gers et al. 2000)."""
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1 or name.endswith("v_a") or name.endswith("v_p"):
                parameter.uniform_(-self.initial_range, self.initial_range, generator=generator)
            else:
                parameter.zero_()
                if name.endswith(".b"):
                    parameter.chunk(4)[1].fill_(1.0)
        for embedding in (self.source_embedding, self.target_embedding):
            embedding.weight[PAD].zero_()

    def apply_dropout(self, values: Tensor) -> Tensor:
        return nn.functional.dropout(values, self.configuration.dropout, self.training)

    def embed_source(self, source: Tensor) -> Tensor:
        """E x_j, (batch, source) -> (batch, source, m)."""
        embedded: Tensor = self.source_embedding(source)
        return embedded

    def run_encoder(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor, LSTMState]:
        """(batch, source) piece numbers, EOS last, padded on the right -> the mask (batch, source), true where there is
        a piece; the states of the highest layer at each piece (batch, source, n); and where every layer stands after
        the last piece it reads. `embedded` (batch, source, m) is read in place of the pieces' own embeddings."""
        mask = check_source(source, self.configuration.vocabulary)
        x = self.embed_source(source) if embedded is None else embedded
        layers = [[lstm.run_from_zeros for lstm in layer] for layer in self.encoder_layers]
        return mask, *encode_with_layers(layers, x, mask, self.configuration.reverse, self.apply_dropout)

    def recurrences(self) -> tuple[Recurrence, ...]:
        """The LSTMs, as `model.networks.recurrence.Recurs` wants them."""
        read = [Recurrence("encoder", layer, lstm, partial(self.get_reading_positions, way))
                for layer, ways in enumerate(self.encoder_layers, 1) for way, lstm in enumerate(ways)]
        return (*read, *(Recurrence("decoder", layer, lstm) for layer, lstm in enumerate(self.decoder_layers, 1)))

    def get_reading_positions(self, way: int, mask: Tensor) -> Tensor:
        """The place that each step of a direction, 0 or 1, reads: (batch, source)."""
        order = reverse_positions(mask, end_stays=True) if self.configuration.reverse else forward_positions(mask)
        return gather_positions(order, reverse_positions(mask, end_stays=False)) if way else order

    def annotate(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The mask (batch, source) and what the encoder's highest layer says at each piece, (batch, source, n)."""
        mask, states, _ = self.run_encoder(source, embedded)
        return mask, states

    def run_decoder_step(self, x: Tensor, cells: LSTMState, dropout_masks: Tensor | None = None) -> tuple[LSTMState, Tensor]:
        """One step of the decoder's layers on x (batch, inputs): where they stand then, and the highest layer's gates
        i, f, o (batch, 3n). `kept` (layers - 1, batch, n) multiplies what goes from layer to layer."""
        hs: list[Tensor] = []
        cs: list[Tensor] = []
        for number, lstm in enumerate(self.decoder_layers):
            if number:
                x = hs[-1] if dropout_masks is None else hs[-1] * dropout_masks[number - 1]
            h, c, gates = lstm(x, cells.h[:, number], cells.c[:, number])
            hs.append(h)
            cs.append(c)
        return LSTMState(torch.stack(hs, dim=1), torch.stack(cs, dim=1)), gates

    def compute_log_probs(self, t: Tensor) -> Tensor:
        """log p(y_i), (..., n) -> (..., vocabulary)."""
        return torch.log_softmax(t @ self.W_o.T + self.b_o, dim=-1)

    def shift_target(self, source: Tensor, target: Tensor) -> Tensor:
        """Of given target pieces (batch, target) the one before each, PAD before the first; ValueError where they are
        none or do not pair up with the source."""
        if target.dim() != 2 or target.shape[1] == 0 or len(target) != len(source):
            raise ValueError(f"{tuple(source.shape)} source and {tuple(target.shape)} target pieces do not pair up")
        check_token_ids(target, self.configuration.vocabulary)
        return torch.cat([target.new_full((len(target), 1), PAD), target[:, :-1]], dim=1)

    def check_token(self, piece: Tensor, rows: int) -> None:
        """ValueError unless there is one known piece a row."""
        if piece.shape != (rows,):
            raise ValueError(f"one piece a row: got pieces {tuple(piece.shape)} for {rows} rows")
        check_token_ids(piece, self.configuration.vocabulary)


def compute_summed_loss(log_p: Tensor, target: Tensor, smoothing: float) -> Tensor:
    """The summed negative log-likelihood in nats of target pieces (batch, target), padding counting nothing, given the
    logarithms (batch, target, vocabulary); with smoothing, of labels smoothed by so much."""
    return nn.functional.cross_entropy(log_p.flatten(0, 1), target.flatten(), ignore_index=PAD, reduction="sum",
                                       label_smoothing=smoothing)
