"""Sequence to sequence learning with two deep LSTMs (Sutskever, Vinyals and Le 2014), without attention.

The encoder reads the sentence from its last word to its first. The decoder starts from the final state h and cell c of
*every* encoder layer, and gets nothing else of the source. (RNNencdec, in `model.networks.rnnsearch`, also has one
vector, but feeds it to the decoder at every step.)

p(y_i) = softmax(W_o s_i + b_o), where s_i is the highest layer's state after reading y_{i-1}.

The paper feeds EOS to the decoder's first step; here, as in all networks of this project, it gets a zero vector. The
source's EOS is read last in either order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from model.networks.base import (
    AttentionOverrides,
    StepResult,
    check_dropout,
    check_flags,
    check_sizes,
    check_target,
    check_token,
    compute_summed_loss,
    shift_target,
)
from model.networks.lstm import LSTMNetwork, LSTMState, build_step_detail
from model.trace import MapDescription


@dataclass(frozen=True)
class Seq2SeqConfig:
    """Sizes; the defaults are the paper's. Raises ValueError naming the field that is wrong."""

    kind: str
    vocabulary: int
    embedding: int = 1000  # m
    hidden: int = 1000  # n, of every layer
    layers: int = 4
    reverse: bool = True  # whether the source is read from its last word to its first
    dropout: float = 0.0  # on both embeddings, between layers and on the highest state, in training

    def __post_init__(self) -> None:
        check_sizes(self, "vocabulary", "embedding", "hidden", "layers")
        check_dropout(self)
        check_flags(self, "reverse")


@dataclass(frozen=True)
class Seq2SeqDecoderState:
    """The state of the decoder's layers."""

    lstm: LSTMState

    def select(self, rows: Tensor) -> Seq2SeqDecoderState:
        return Seq2SeqDecoderState(self.lstm.select(rows))

    reorder = select  # the state holds no encoder output


class Seq2Seq(LSTMNetwork):
    """A deep LSTM encoder-decoder, connected by the LSTM state alone."""

    maps: ClassVar[tuple[MapDescription, ...]] = ()
    initial_range = 0.08  # section 3.4

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__(config)
        self.initialise()

    def get_annotations(self, encoder_output: LSTMState) -> None:
        """Return None: there is no attention."""

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> LSTMState:
        """Return the final state of every layer; arguments as in `LSTMNetwork.run_encoder`."""
        return self.run_encoder(source, embedded)[2]

    def start(self, encoder_output: LSTMState) -> Seq2SeqDecoderState:
        """Start each decoder layer from the final state of the encoder layer."""
        return Seq2SeqDecoderState(encoder_output)

    def step(
        self,
        state: Seq2SeqDecoderState,
        token: Tensor,
        *,
        detail: bool = False,
        overrides: AttentionOverrides | None = None,
    ) -> StepResult:
        """Run one step; `token` (batch,) is y_{i-1}, PAD at the first step. There are no weights to override."""
        check_token(token, len(state.lstm.h), self.config.vocabulary)
        lstm, gates = self.run_decoder_step(self.target_embedding(token), state.lstm)
        tensors = build_step_detail(lstm, gates) if detail else {}
        return StepResult(self.compute_log_probs(lstm.h[:, -1]), Seq2SeqDecoderState(lstm), {}, tensors)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return log p(y_i | y_<i, x) of every step, (batch, target, vocabulary): teacher forcing."""
        check_target(source, target, self.config.vocabulary)
        lstm = self.encode(source)
        x: Tensor = self.target_embedding(shift_target(target))  # (batch, target, m)
        for number, layer in enumerate(self.decoder_layers):
            x, _ = layer.run(self.apply_dropout(x), lstm.h[:, number], lstm.c[:, number])
        return self.compute_log_probs(self.apply_dropout(x))

    def loss(self, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
        """Return the summed negative log-likelihood of the target, in nats."""
        return compute_summed_loss(self(source, target), target, smoothing)
