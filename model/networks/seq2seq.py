"""Sequence to sequence, told as Sutskever, Vinyals and Le (2014) tell it: two deep LSTMs and nothing between them.

The encoder reads the sentence, last word first; the decoder starts from the state h and the cell c in which *every*
layer of the encoder is left, and writes. Nothing of the source is given to it again (RNNencdec, in
`model.networks.rnnsearch`, has one vector too, but gives it to the decoder at every step).

p(y_i) = softmax(W_o s_i + b_o), with s_i the state of the highest layer after the decoder has read y_{i-1}.

The paper feeds the end of the sentence to the decoder's first step; here it gets a vector of zeros, as all networks of
this project do. The source's EOS is read last in either order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from model.networks.base import AttentionOverrides, StepResult
from model.networks.lstm import LSTMNetwork, LSTMState, build_step_detail, compute_summed_loss
from model.serialization.fields import check_flags, check_sizes
from model.trace import MapDescription


@dataclass(frozen=True)
class Seq2SeqConfig:
    """Sizes of a network; the defaults are the paper's. Raises ValueError naming the field that is off."""

    kind: str
    vocabulary: int
    embedding: int = 1000  # m
    hidden: int = 1000  # n, of every layer
    layers: int = 4
    reverse: bool = True  # whether the source is read from its last word to its first
    dropout: float = 0.0  # on both embeddings, between layers and on the highest state, while training

    def __post_init__(self) -> None:
        check_sizes(self, "vocabulary", "embedding", "hidden", "layers")
        check_flags(self, "reverse")


@dataclass(frozen=True)
class Seq2SeqDecoderState:
    """Where the decoder stands: all it has. There is nothing else to go back to."""

    lstm: LSTMState

    def select(self, rows: Tensor) -> Seq2SeqDecoderState:
        return Seq2SeqDecoderState(self.lstm.select(rows))

    reorder = select  # there is no memory that could stay


class Seq2Seq(LSTMNetwork):
    """The network without attention whose only bridge is the state of the LSTM."""

    maps: ClassVar[tuple[MapDescription, ...]] = ()
    reach = 0.08  # section 3.4

    def __init__(self, configuration: Seq2SeqConfig) -> None:
        super().__init__(configuration)
        self.initialise()

    def encoder_attention_weights(self, encoder_output: LSTMState) -> dict[str, Tensor]:
        """Source pieces do not look at one another."""
        return {}

    def get_annotations(self, encoder_output: LSTMState) -> None:
        """Nothing."""

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> LSTMState:
        """Where every layer stands after the sentence; `source` and `embedded` as `model.networks.lstm.Recurrent.read`
        takes them."""
        return self.run_encoder(source, embedded)[2]

    def start(self, encoder_output: LSTMState) -> Seq2SeqDecoderState:
        """The decoder's layers take over where the encoder's stand."""
        return Seq2SeqDecoderState(encoder_output)

    def step(self, state: Seq2SeqDecoderState, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None) -> StepResult:
        """One step of search. `piece` (batch,) is y_{i-1}, PAD at the first step. There is no alpha to change."""
        self.check_token(token, len(state.lstm.h))
        cells, gates = self.run_decoder_step(self.target_embedding(token), state.lstm)
        extra = build_step_detail(cells, gates) if detail else {}
        return StepResult(self.compute_log_probs(cells.h[:, -1]), Seq2SeqDecoderState(cells), {}, extra)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Teacher forcing: log p(y_i | y_<i, x) of every step, (batch, target, vocabulary), for given (batch, source)
        and (batch, target) pieces."""
        previous = self.shift_target(source, target)
        cells = self.encode(source)
        x: Tensor = self.target_embedding(previous)  # (batch, target, m)
        for number, lstm in enumerate(self.decoder_layers):
            x, _ = lstm.run(self.apply_dropout(x), cells.h[:, number], cells.c[:, number])
        return self.compute_log_probs(self.apply_dropout(x))

    def loss(self, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
        """Summed negative log-likelihood of the target pieces, in nats; padding counts nothing."""
        return compute_summed_loss(self(source, target), target, smoothing)
