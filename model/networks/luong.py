"""Multiplicative attention, told as Luong, Pham and Manning (2015) tell it: decode first, then look.

s_i = LSTM(s_{i-1}, [E y_{i-1}; s~_{i-1}])     the decoder, with input feeding; without it, LSTM(s_{i-1}, E y_{i-1})
alpha_i = align(s_i, h)                        where the new state looks
c_i = sum_j alpha_ij h_j;  s~_i = tanh(W_c [c_i; s_i]);  p(y_i) = softmax(W_o s~_i + b_o)

so that row i of alpha explains y_i, the word being written (the paper writes h_t for s_i, h_s for h_j, a_t for alpha).
The score e_ij that alpha is made of is one of

dot         s_i^T h_j
general     s_i^T W_a h_j
concat      v_a^T tanh(W_a [s_i; h_j])
location    row j of W_a s_i: it does not see the source at all; pieces after the first `places` get nothing
scaled dot  s_i^T h_j / sqrt(n), as Vaswani et al. (2017) divide

and is turned into weights over

global      all pieces: alpha_i = softmax(e_i)
local-m     the pieces at most D from p_i = i (monotonic); behind the sentence's end the window stays at its last piece
local-p     the pieces at most D from p_i = S sigmoid(v_p^T tanh(W_p s_i)), the softmax then multiplied by
            exp(-(j - p_i)^2 / (2 (D/2)^2)). The paper does not renormalise, so that these rows sum to less than 1.

Pieces are counted from 1 to S, EOS among them. Encoder and decoder have the same size n, also where the encoder reads
in two directions: each is half of it. The paper's encoder reads in one, from the last word to the first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

import torch
from torch import Tensor, nn

from model.networks.base import AttentionOverrides, StepResult, apply_override
from model.networks.lstm import LSTMNetwork, LSTMState, build_step_detail, compute_summed_loss
from model.serialization.fields import check_flags, check_sizes
from model.trace import MapDescription

Score = Literal["dot", "general", "concat", "location", "scaled dot"]
Window = Literal["global", "local-m", "local-p"]

ATTENTION = MapDescription("attention")


@dataclass(frozen=True)
class LuongConfig:
    """Sizes and ways of a network; the defaults are the paper's. Raises ValueError naming the field that is off."""

    kind: str
    vocabulary: int
    embedding: int = 1000  # m
    hidden: int = 1000  # n, of every layer
    layers: int = 4
    directions: int = 1  # in which the encoder reads: 1, or 2 of half the size each
    reverse: bool = True  # whether the (first) direction reads from the last word to the first
    score: Score = "general"
    window: Window = "global"
    distance: int = 10  # D, the pieces on either side of a local window's middle
    places: int = 100  # source pieces that `location` can look at
    feeding: bool = True  # whether s~ is fed to the next step
    dropout: float = 0.2  # on both embeddings, between layers and on s~, while training

    def __post_init__(self) -> None:
        check_sizes(self, "vocabulary", "embedding", "hidden", "layers", "directions", "distance", "places")
        check_flags(self, "reverse", "feeding")
        for name, allowed in (("score", get_args(Score)), ("window", get_args(Window))):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} is {getattr(self, name)!r}; allowed: {', '.join(allowed)}")
        if self.directions > 2:
            raise ValueError(f"directions is {self.directions}; allowed: 1, 2")
        if self.hidden % self.directions:
            raise ValueError(f"hidden is {self.hidden}; two directions share it, so that it must be even")
        if self.score == "location" and self.window != "global":
            raise ValueError(f"window is {self.window!r}; location scores places, not pieces, and takes 'global'")


@dataclass(frozen=True)
class LuongEncoderOutput:
    """What the encoder leaves for the decoder to consult."""

    annotations: Tensor  # h (batch, source, n)
    keys: Tensor | None  # what of the score depends on h alone (batch, source, n): computed once a sentence
    mask: Tensor  # (batch, source), true where there is a piece
    lstm: LSTMState  # where its layers stand after the sentence

    def select(self, rows: Tensor) -> LuongEncoderOutput:
        keys = None if self.keys is None else self.keys[rows]
        return LuongEncoderOutput(self.annotations[rows], keys, self.mask[rows], self.lstm.select(rows))


@dataclass(frozen=True)
class LuongDecoderState:
    """Where the decoder stands: its layers, what is fed to the next step, and how many pieces are written."""

    encoder_output: LuongEncoderOutput
    lstm: LSTMState
    attentional: Tensor  # s~ (batch, n); zeros before the first step
    steps: Tensor  # (batch,)

    def reorder(self, rows: Tensor) -> LuongDecoderState:
        """Rows move within their sentence (a beam reorders): the memory stays as it is."""
        return replace(self, cells=self.lstm.select(rows), attentional=self.attentional[rows],
                       written=self.steps[rows])

    def select(self, rows: Tensor) -> LuongDecoderState:
        """Pick or repeat rows (sentences finish, beams open): the memory goes along."""
        return replace(self.reorder(rows), memory=self.encoder_output.select(rows))


class Luong(LSTMNetwork):
    """Two deep LSTMs and a look at the source between the decoder and the word."""

    reach = 0.1  # section 4.1

    def __init__(self, configuration: LuongConfig) -> None:
        n, score = configuration.hidden, configuration.score
        super().__init__(configuration, directions=configuration.directions, fed=n if configuration.feeding else 0)
        self.maps = (replace(ATTENTION, rows_sum_to_one=configuration.window != "local-p"),)
        shapes = {"general": (n, n), "concat": (n, 2 * n), "location": (configuration.places, n)}
        self.W_a = nn.Parameter(torch.empty(shapes[score])) if score in shapes else None
        self.v_a = nn.Parameter(torch.empty(n)) if score == "concat" else None
        predicts = configuration.window == "local-p"
        self.W_p = nn.Parameter(torch.empty(n, n)) if predicts else None
        self.v_p = nn.Parameter(torch.empty(n)) if predicts else None
        self.W_c = nn.Parameter(torch.empty(n, 2 * n))
        self.initialise()

    def encoder_attention_weights(self, encoder_output: LuongEncoderOutput) -> dict[str, Tensor]:
        """Source pieces do not look at one another."""
        return {}

    def get_annotations(self, encoder_output: LuongEncoderOutput) -> Tensor:
        """The annotations."""
        return encoder_output.annotations

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> LuongEncoderOutput:
        """All annotations, and where the layers stand; `source` and `embedded` as `model.networks.lstm.Recurrent.read`
        takes them."""
        mask, h, cells = self.run_encoder(source, embedded)
        return LuongEncoderOutput(h, self.compute_keys(h), mask, cells)

    def compute_keys(self, h: Tensor) -> Tensor | None:
        """What of the score depends on h alone, (batch, source, n); None for `location`."""
        score, n = self.configuration.score, self.configuration.hidden
        if score == "general":
            assert self.W_a is not None
            return h @ self.W_a.T
        if score == "concat":
            assert self.W_a is not None
            return h @ self.W_a[:, n:].T
        return {"dot": h, "scaled dot": h / math.sqrt(n)}.get(score)

    def compute_energies(self, encoder_output: LuongEncoderOutput, s: Tensor) -> Tensor:
        """The scores e_ij of states s (batch, target, n): (batch, target, source)."""
        if encoder_output.keys is None:
            assert self.W_a is not None
            beyond = max(0, encoder_output.mask.shape[1] - self.configuration.places)
            return nn.functional.pad(s @ self.W_a.T, (0, beyond))[:, :, : encoder_output.mask.shape[1]]
        if self.v_a is not None:
            assert self.W_a is not None
            asked = s @ self.W_a[:, : s.shape[2]].T
            return torch.tanh(asked[:, :, None] + encoder_output.keys[:, None]) @ self.v_a
        return s @ encoder_output.keys.mT

    def align(self, encoder_output: LuongEncoderOutput, s: Tensor, step: Tensor) -> tuple[Tensor, Tensor]:
        """Where states s (batch, target, n) of steps (batch, target), counted from 1, look: alpha and the energies,
        each (batch, target, source)."""
        configuration = self.configuration
        e = self.compute_energies(encoder_output, s)
        seen = encoder_output.mask[:, None]  # (batch, 1, source)
        places = torch.arange(1, seen.shape[2] + 1, device=s.device)
        if configuration.score == "location":
            seen = seen & (places <= configuration.places)
        if configuration.window == "global":
            return torch.softmax(e.masked_fill(~seen, -torch.inf), dim=-1), e
        away = places - self.compute_window_center(encoder_output, s, step)[:, :, None]  # (batch, target, source)
        seen = seen & (away.abs() <= configuration.distance)
        alpha = torch.softmax(e.masked_fill(~seen, -torch.inf), dim=-1)
        if configuration.window == "local-m":
            return alpha, e
        return alpha * torch.exp(-2 * (away / configuration.distance).square()), e  # the deviation is D/2

    def compute_window_center(self, encoder_output: LuongEncoderOutput, s: Tensor, step: Tensor) -> Tensor:
        """p_i, the middle of a local window, for states s (batch, target, n) of steps (batch, target), both counted
        from 1: (batch, target)."""
        length = encoder_output.mask.sum(1, keepdim=True)  # S, (batch, 1)
        if self.W_p is None or self.v_p is None:
            return torch.minimum(step, length).to(s.dtype)
        return length * torch.sigmoid(torch.tanh(s @ self.W_p.T) @ self.v_p)

    def build_window_detail(self, encoder_output: LuongEncoderOutput, s: Tensor, step: Tensor) -> dict[str, Tensor]:
        """Of a step's detail the middle of its local window, (batch, 1), for s (batch, n) and step (batch,); {} where
        all pieces are looked at."""
        if self.configuration.window == "global":
            return {}
        return {"middle": self.compute_window_center(encoder_output, s[:, None], step[:, None])}

    def attend(self, annotations: Tensor, alpha: Tensor, s: Tensor) -> tuple[Tensor, Tensor]:
        """c (batch, target, n) and s~ = tanh(W_c [c; s]) of states s and their weights (batch, target, source)."""
        c = alpha @ annotations
        return c, torch.tanh(torch.cat([c, s], dim=-1) @ self.W_c.T)

    def start(self, encoder_output: LuongEncoderOutput) -> LuongDecoderState:
        """The decoder's layers take over where the encoder's stand; nothing has been looked at yet."""
        top = encoder_output.lstm.h[:, -1]
        return LuongDecoderState(encoder_output, encoder_output.lstm, torch.zeros_like(top), torch.zeros(len(top), dtype=torch.int64,
                                                                             device=top.device))

    def advance(self, state: LuongDecoderState, embedded: Tensor, overrides: AttentionOverrides | None = None,
                dropout_masks: Tensor | None = None) -> tuple[LuongDecoderState, Tensor, dict[str, Tensor]]:
        """One step given E y_{i-1} (batch, m): the state after it, alpha (batch, source) and the numbers inside it.
        `kept` as `model.networks.lstm.Recurrent.decode` takes it."""
        x = torch.cat([embedded, state.attentional], dim=-1) if self.configuration.feeding else embedded
        cells, gates = self.run_decoder_step(x, state.lstm, dropout_masks)
        s, step, memory = cells.h[:, -1], state.steps + 1, state.encoder_output
        own, e = (one[:, 0] for one in self.align(memory, s[:, None], step[:, None]))
        used = own if overrides is None else apply_override(own, overrides.get(ATTENTION.key))
        c, attentional = (one[:, 0] for one in self.attend(memory.annotations, used[:, None], s[:, None]))
        extra = {"context": c, "energies": e, **build_step_detail(cells, gates), **self.build_window_detail(memory, s, step)}
        return LuongDecoderState(memory, cells, attentional, step), used, extra

    def step(self, state: LuongDecoderState, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None) -> StepResult:
        """One step of search. `piece` (batch,) is y_{i-1}, PAD at the first step. Returns log p(y_i) and alpha_i."""
        self.check_token(token, len(state.attentional))
        state, used, extra = self.advance(state, self.target_embedding(token), overrides)
        return StepResult(self.compute_log_probs(state.attentional), state, {ATTENTION.key: used}, extra if detail else {})

    def forward(self, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """Teacher forcing: log p(y_i | y_<i, x) of every step, (batch, target, vocabulary), and alpha, (batch, target,
        source), for given (batch, source) and (batch, target) pieces."""
        previous = self.shift_target(source, target)
        state = self.start(self.encode(source))
        embedded = self.apply_dropout(self.target_embedding(previous))  # (batch, target, m)
        between = [self.sample_dropout_mask(*target.shape) for _ in range(self.configuration.layers - 1)]
        attentional, alphas = [], []
        for i in range(target.shape[1]):
            kept = torch.stack([one[:, i] for one in between]) if between else None
            state, alpha, _ = self.advance(state, embedded[:, i], dropout_masks=kept)
            attentional.append(state.attentional)
            alphas.append(alpha)
        return self.compute_log_probs(self.apply_dropout(torch.stack(attentional, dim=1))), torch.stack(alphas, dim=1)

    def sample_dropout_mask(self, *steps: int) -> Tensor:
        """What of a state goes on to the next layer while training: (*steps, n), 0 where it is dropped."""
        return self.apply_dropout(self.W_c.new_ones(*steps, self.configuration.hidden))

    def loss(self, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
        """Summed negative log-likelihood of the target pieces, in nats; padding counts nothing."""
        return compute_summed_loss(self(source, target)[0], target, smoothing)
