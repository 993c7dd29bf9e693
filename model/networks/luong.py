"""Multiplicative attention (Luong, Pham and Manning 2015): update the state first, then attend.

s_i = LSTM(s_{i-1}, [E y_{i-1}; s~_{i-1}])     the decoder, with input feeding; without it, LSTM(s_{i-1}, E y_{i-1})
alpha_i = align(s_i, h)                        attention weights
c_i = sum_j alpha_ij h_j;  s~_i = tanh(W_c [c_i; s_i]);  p(y_i) = softmax(W_o s~_i + b_o)

Row i of alpha explains y_i. (The paper writes h_t for s_i, h_s for h_j, a_t for alpha.) The score e_ij is one of

dot         s_i^T h_j
general     s_i^T W_a h_j
concat      v_a^T tanh(W_a [s_i; h_j])
location    row j of W_a s_i: independent of the source; tokens after the first `places` get no attention
scaled dot  s_i^T h_j / sqrt(n), as in Vaswani et al. (2017)

and the weights are computed over

global      all tokens: alpha_i = softmax(e_i)
local-m     tokens at most D from p_i = i (monotonic); beyond the sentence's end, p_i is its last token
local-p     tokens at most D from p_i = S sigmoid(v_p^T tanh(W_p s_i)), the softmax multiplied by
            exp(-(j - p_i)^2 / (2 (D/2)^2)). As in the paper, rows are not renormalised and sum to less than 1.

Tokens are counted from 1 to S, including EOS. Encoder and decoder both have size n; an encoder with two directions has
n/2 units in each. The paper's encoder has one direction, from the last word to the first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

import torch
from torch import Tensor, nn

from model.networks.base import (
    AttentionOverrides,
    StepResult,
    apply_override,
    check_choice,
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

Score = Literal["dot", "general", "concat", "location", "scaled dot"]
Window = Literal["global", "local-m", "local-p"]

ATTENTION = MapDescription("attention")


@dataclass(frozen=True)
class LuongConfig:
    """Sizes and variants; the defaults are the paper's. Raises ValueError naming the field that is wrong."""

    kind: str
    vocabulary: int
    embedding: int = 1000  # m
    hidden: int = 1000  # n, of every layer
    layers: int = 4
    directions: int = 1  # of the encoder: 1, or 2 of half the size each
    reverse: bool = True  # whether the (first) direction reads from the last word to the first
    score: Score = "general"
    window: Window = "global"
    distance: int = 10  # D, tokens on either side of a local window's centre
    places: int = 100  # source tokens that the score `location` can attend to
    feeding: bool = True  # whether s~ is fed to the next step
    dropout: float = 0.2  # on both embeddings, between layers and on s~, in training

    def __post_init__(self) -> None:
        check_sizes(self, "vocabulary", "embedding", "hidden", "layers", "directions", "distance", "places")
        check_dropout(self)
        check_flags(self, "reverse", "feeding")
        check_choice(self, "score", get_args(Score))
        check_choice(self, "window", get_args(Window))
        if self.directions > 2:
            raise ValueError(f"directions is {self.directions}; allowed: 1, 2")
        if self.hidden % self.directions:
            raise ValueError(f"hidden is {self.hidden}; two directions share it, so that it must be even")
        if self.score == "location" and self.window != "global":
            raise ValueError(f"window is {self.window!r}; location scores positions, not tokens, and takes 'global'")


@dataclass(frozen=True)
class LuongEncoderOutput:
    """What the decoder reads from the encoder."""

    annotations: Tensor  # h (batch, source, n)
    keys: Tensor | None  # the part of the score that depends on h alone (batch, source, n), computed once per sentence
    mask: Tensor  # (batch, source), True where there is a token
    lstm: LSTMState  # final state of every layer

    def select(self, rows: Tensor) -> LuongEncoderOutput:
        keys = None if self.keys is None else self.keys[rows]
        return LuongEncoderOutput(self.annotations[rows], keys, self.mask[rows], self.lstm.select(rows))


@dataclass(frozen=True)
class LuongDecoderState:
    """The state of the decoder's layers, s~, and the number of tokens generated."""

    encoder_output: LuongEncoderOutput
    lstm: LSTMState
    attentional: Tensor  # s~ (batch, n); zeros before the first step
    steps: Tensor  # (batch,)

    def reorder(self, rows: Tensor) -> LuongDecoderState:
        return replace(
            self, lstm=self.lstm.select(rows), attentional=self.attentional[rows], steps=self.steps[rows]
        )

    def select(self, rows: Tensor) -> LuongDecoderState:
        return replace(self.reorder(rows), encoder_output=self.encoder_output.select(rows))


class Luong(LSTMNetwork):
    """Two deep LSTMs with attention between the decoder and the output layer."""

    initial_range = 0.1  # section 4.1

    def __init__(self, config: LuongConfig) -> None:
        n, score = config.hidden, config.score
        super().__init__(config, directions=config.directions, feeding_size=n if config.feeding else 0)
        self.maps = (replace(ATTENTION, rows_sum_to_one=config.window != "local-p"),)
        shapes = {"general": (n, n), "concat": (n, 2 * n), "location": (config.places, n)}
        self.W_a = nn.Parameter(torch.empty(shapes[score])) if score in shapes else None
        self.v_a = nn.Parameter(torch.empty(n)) if score == "concat" else None
        has_predicted_center = config.window == "local-p"
        self.W_p = nn.Parameter(torch.empty(n, n)) if has_predicted_center else None
        self.v_p = nn.Parameter(torch.empty(n)) if has_predicted_center else None
        self.W_c = nn.Parameter(torch.empty(n, 2 * n))
        self.initialise()

    def get_annotations(self, encoder_output: LuongEncoderOutput) -> Tensor:
        return encoder_output.annotations

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> LuongEncoderOutput:
        """Encode a batch; arguments as in `LSTMNetwork.run_encoder`."""
        mask, h, lstm = self.run_encoder(source, embedded)
        return LuongEncoderOutput(h, self.compute_keys(h), mask, lstm)

    def compute_keys(self, h: Tensor) -> Tensor | None:
        """Return the part of the score that depends on h alone, (batch, source, n); None for `location`."""
        score, n = self.config.score, self.config.hidden
        if score == "general":
            assert self.W_a is not None
            return h @ self.W_a.T
        if score == "concat":
            assert self.W_a is not None
            return h @ self.W_a[:, n:].T
        return {"dot": h, "scaled dot": h / math.sqrt(n)}.get(score)

    def compute_energies(self, encoder_output: LuongEncoderOutput, s: Tensor) -> Tensor:
        """Return the scores e_ij of states s (batch, target, n): (batch, target, source)."""
        keys, length = encoder_output.keys, encoder_output.mask.shape[1]
        if keys is None:
            assert self.W_a is not None
            return nn.functional.pad(s @ self.W_a.T, (0, max(0, length - self.config.places)))[:, :, :length]
        if self.v_a is not None:
            assert self.W_a is not None
            queries = s @ self.W_a[:, : s.shape[2]].T
            return torch.tanh(queries[:, :, None] + keys[:, None]) @ self.v_a
        return s @ keys.mT

    def align(self, encoder_output: LuongEncoderOutput, s: Tensor, step: Tensor) -> tuple[Tensor, Tensor]:
        """Return alpha and the energies, each (batch, target, source).

        `s` (batch, target, n) are the states of steps `step` (batch, target), counted from 1.
        """
        config = self.config
        e = self.compute_energies(encoder_output, s)
        mask = encoder_output.mask[:, None]  # (batch, 1, source)
        positions = torch.arange(1, mask.shape[2] + 1, device=s.device)
        if config.score == "location":
            mask = mask & (positions <= config.places)
        if config.window == "global":
            return torch.softmax(e.masked_fill(~mask, -torch.inf), dim=-1), e
        offsets = positions - self.compute_window_center(encoder_output, s, step)[:, :, None]  # (batch, target, source)
        mask = mask & (offsets.abs() <= config.distance)
        alpha = torch.softmax(e.masked_fill(~mask, -torch.inf), dim=-1)
        if config.window == "local-m":
            return alpha, e
        return alpha * torch.exp(-2 * (offsets / config.distance).square()), e  # the standard deviation is D/2

    def compute_window_center(self, encoder_output: LuongEncoderOutput, s: Tensor, step: Tensor) -> Tensor:
        """Return p_i (batch, target), counted from 1; arguments as in `align`."""
        length = encoder_output.mask.sum(1, keepdim=True)  # S, (batch, 1)
        if self.W_p is None or self.v_p is None:
            return torch.minimum(step, length).to(s.dtype)
        return length * torch.sigmoid(torch.tanh(s @ self.W_p.T) @ self.v_p)

    def build_window_detail(self, encoder_output: LuongEncoderOutput, s: Tensor, step: Tensor) -> dict[str, Tensor]:
        """Return the local window's centre (batch, 1) for s (batch, n) and step (batch,); {} for global attention."""
        if self.config.window == "global":
            return {}
        return {"window_center": self.compute_window_center(encoder_output, s[:, None], step[:, None])}

    def attend(self, annotations: Tensor, alpha: Tensor, s: Tensor) -> tuple[Tensor, Tensor]:
        """Return c and s~ = tanh(W_c [c; s]) (batch, target, n) for weights (batch, target, source) and states s."""
        c = alpha @ annotations
        return c, torch.tanh(torch.cat([c, s], dim=-1) @ self.W_c.T)

    def start(self, encoder_output: LuongEncoderOutput) -> LuongDecoderState:
        """Start each decoder layer from the final state of the encoder layer, with s~_0 = 0."""
        top = encoder_output.lstm.h[:, -1]
        steps = torch.zeros(len(top), dtype=torch.int64, device=top.device)
        return LuongDecoderState(encoder_output, encoder_output.lstm, torch.zeros_like(top), steps)

    def advance(
        self,
        state: LuongDecoderState,
        embedded: Tensor,
        overrides: AttentionOverrides | None = None,
        dropout_masks: Tensor | None = None,
    ) -> tuple[LuongDecoderState, Tensor, dict[str, Tensor]]:
        """Run one step on E y_{i-1} (batch, m): the next state, alpha (batch, source) and the step's detail.

        `dropout_masks` as in `LSTMNetwork.run_decoder_step`.
        """
        x = torch.cat([embedded, state.attentional], dim=-1) if self.config.feeding else embedded
        lstm, gates = self.run_decoder_step(x, state.lstm, dropout_masks)
        s, step, output = lstm.h[:, -1], state.steps + 1, state.encoder_output
        alpha, e = (values[:, 0] for values in self.align(output, s[:, None], step[:, None]))
        if overrides is not None:
            alpha = apply_override(alpha, overrides.get(ATTENTION.key))
        c, attentional = (values[:, 0] for values in self.attend(output.annotations, alpha[:, None], s[:, None]))
        window = self.build_window_detail(output, s, step)
        tensors = {"context": c, "energies": e, **build_step_detail(lstm, gates), **window}
        return LuongDecoderState(output, lstm, attentional, step), alpha, tensors

    def step(
        self,
        state: LuongDecoderState,
        token: Tensor,
        *,
        detail: bool = False,
        overrides: AttentionOverrides | None = None,
    ) -> StepResult:
        """Run one step; `token` (batch,) is y_{i-1}, PAD at the first step. Implements `Translator.step`."""
        check_token(token, len(state.attentional), self.config.vocabulary)
        state, alpha, tensors = self.advance(state, self.target_embedding(token), overrides)
        log_probs = self.compute_log_probs(state.attentional)
        return StepResult(log_probs, state, {ATTENTION.key: alpha}, tensors if detail else {})

    def forward(self, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """Return log p(y_i | y_<i, x) (batch, target, vocabulary) and alpha (batch, target, source)."""
        check_target(source, target, self.config.vocabulary)
        state = self.start(self.encode(source))
        embedded = self.apply_dropout(self.target_embedding(shift_target(target)))  # (batch, target, m)
        masks = [self.sample_dropout_mask(*target.shape) for _ in range(self.config.layers - 1)]
        attentional, alphas = [], []
        for i in range(target.shape[1]):
            step_masks = torch.stack([mask[:, i] for mask in masks]) if masks else None
            state, alpha, _ = self.advance(state, embedded[:, i], dropout_masks=step_masks)
            attentional.append(state.attentional)
            alphas.append(alpha)
        t = self.apply_dropout(torch.stack(attentional, dim=1))
        return self.compute_log_probs(t), torch.stack(alphas, dim=1)

    def sample_dropout_mask(self, *shape: int) -> Tensor:
        """Return factors (*shape, n) for the values between two layers: 0 where dropped, in training."""
        return self.apply_dropout(self.W_c.new_ones(*shape, self.config.hidden))

    def loss(self, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
        """Return the summed negative log-likelihood of the target, in nats."""
        return compute_summed_loss(self(source, target)[0], target, smoothing)
