"""RNNsearch and RNNencdec, in the order of appendix A of Bahdanau, Cho and Bengio (2015).

Read from top to bottom. Symbols are the paper's; B is the batch, T_x and T_y the lengths of source and target:

    x_j, y_i   source and target tokens                                        (B, T_x), (B, T_y)
    E x_j      embeddings                                                      (B, T_x, m)
    h_j        annotations, both directions of the encoder side by side        (B, T_x, 2n)
    s_i        decoder state                                                   (B, n)
    e_ij       energies: how well s fits h_j                                   (B, T_x)
    alpha_ij   attention weights                                               (B, T_x)
    c_i        context vector                                                  (B, 2n)
    t_i        readout, after maxout                                           (B, l)

The model, with its place in the paper and the method that computes it:

    h_j = [h->_j ; h<-_j]                                    A.2.1, `RNNsearch.annotate`
    s_0 = tanh(W_s h<-_1 + b_s)                              A.2.2, `start`
    e_ij = v_a^T tanh(W_a s_{i-1} + U_a h_j)                 A.1.2, `RNNsearch.attend`
    alpha_ij = exp(e_ij) / sum_k exp(e_ik)                   eq. 6, `RNNsearch.attend`
    c_i = sum_j alpha_ij h_j                                 eq. 5, `RNNsearch.attend`
    s_i = f(s_{i-1}, y_{i-1}, c_i)                           A.1.1 and A.2.2, `GRU`, called by `advance`
    p(y_i) = g(y_{i-1}, s_i, c_i)                            eq. 4 and A.2.2, `compute_readout` and the next two

RNNencdec has no attention: c_i is the last state of a forward encoder, at every step.

Three orders of a decoder step, called *wirings*, are in use. They differ in which state the readout uses:

`equation4`  Attend with s_{i-1}, update to s_i = f(s_{i-1}, y_{i-1}, c_i), read out from s_i.
`appendix`   The same, but read out from s_{i-1}: y_{i-1} reaches the readout through its embedding alone.
`groundhog`  The authors' code: attend, read out, update. Here s_{i-1} has already read y_{i-1}; attention and readout
             both use it; then s_i = f(s_{i-1}, y_i, c_i). This file runs the update at the start of the next step.

This file is the reference: `model.training.losses.gru` and `model.decoding.fast.rnnsearch` compute the same, faster.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

import torch
from torch import Tensor, nn

from model.networks.base import (
    AttentionOverrides,
    StepResult,
    apply_override,
    check_choice,
    check_dropout,
    check_sizes,
    check_source,
    check_target,
    check_token,
    compute_summed_loss,
    shift_target,
)
from model.networks.recurrence import Recurrence, build_backward_positions, build_forward_positions
from model.text.vocabulary import PAD
from model.trace import MapDescription

Wiring = Literal["equation4", "appendix", "groundhog"]

ATTENTION = MapDescription("attention")


@dataclass(frozen=True)
class RNNsearchConfig:
    """Sizes and wiring; the defaults are the paper's. Raises ValueError naming the field that is wrong."""

    kind: str  # "rnnsearch", "rnnencdec": names in `model.networks.registry`
    vocabulary: int
    embedding: int = 620  # m
    hidden: int = 1000  # n
    alignment: int = 1000  # n', of the alignment model; RNNencdec ignores it
    readout: int = 500  # l, after maxout
    wiring: Wiring = "groundhog"
    dropout: float = 0.0  # on both embeddings and on the readout, in training

    def __post_init__(self) -> None:
        check_choice(self, "wiring", get_args(Wiring))
        check_sizes(self, "vocabulary", "embedding", "hidden", "alignment", "readout")
        check_dropout(self)


# ---- A.1.1 Recurrent neural network -----------------------------------------------------------------------------


class GRU(nn.Module):
    """The gated recurrent unit as the paper prints it: the reset gate acts *before* the recurrent matrix.

    z = sigmoid(W_z e + U_z s + C_z c)               update gate
    r = sigmoid(W_r e + U_r s + C_r c)               reset gate
    s~ = tanh(W e + U [r * s] + C c + b)             candidate
    s' = (1 - z) * s + z * s~

    `torch.nn.GRU` applies r after U, which is a different function. The rows of `W` and `C` are stacked in the order
    z, r, candidate.
    """

    state_count: ClassVar[int] = 1
    gates: ClassVar[tuple[str, ...]] = ("update", "reset")

    def __init__(self, inputs: int, hidden: int, context: int = 0) -> None:
        super().__init__()
        self.hidden = hidden
        self.W = nn.Parameter(torch.empty(3 * hidden, inputs))
        self.b = nn.Parameter(torch.empty(hidden))
        self.U_gates = nn.Parameter(torch.empty(2 * hidden, hidden))
        self.U = nn.Parameter(torch.empty(hidden, hidden))
        self.C = nn.Parameter(torch.empty(3 * hidden, context)) if context else None

    @property
    def input_bias(self) -> Tensor:
        """The bias (3n,) of z, r and the candidate, of which only the candidate has one."""
        return nn.functional.pad(self.b, (2 * self.hidden, 0))

    def project(self, e: Tensor) -> Tensor:
        """Return W e plus the candidate's bias, which do not depend on the state: (..., m) -> (..., 3n)."""
        return nn.functional.linear(e, self.W, self.input_bias)

    def forward(self, projected: Tensor, s: Tensor, c: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
        """Return s', z and r, each (B, n), for `projected` (B, 3n), s (B, n) and c (B, context)."""
        if self.C is not None and c is not None:
            projected = projected + c @ self.C.T
        n = self.hidden
        z, r = torch.sigmoid(projected[..., : 2 * n] + s @ self.U_gates.T).chunk(2, dim=-1)
        candidate = torch.tanh(projected[..., 2 * n :] + (r * s) @ self.U.T)
        return (1 - z) * s + z * candidate, z, r


# ---- Records ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GRUEncoderOutput:
    """What the decoder reads from the encoder."""

    annotations: Tensor  # h (B, T_x, 2n); for RNNencdec the single vector c (B, 1, n)
    keys: Tensor | None  # U_a h (B, T_x, n'), computed once per sentence; None for RNNencdec
    mask: Tensor  # (B, T_x), True where there is a token
    summary: Tensor  # (B, n), from which s_0 is computed

    def select(self, rows: Tensor) -> GRUEncoderOutput:
        keys = None if self.keys is None else self.keys[rows]
        return GRUEncoderOutput(self.annotations[rows], keys, self.mask[rows], self.summary[rows])


@dataclass(frozen=True)
class GRUDecoderState:
    """The state s and the last context vector, which the wiring `groundhog` feeds to its next update."""

    encoder_output: GRUEncoderOutput
    s: Tensor  # (B, n)
    context: Tensor | None  # (B, 2n or n); None before the first step

    def reorder(self, rows: Tensor) -> GRUDecoderState:
        return replace(self, s=self.s[rows], context=None if self.context is None else self.context[rows])

    def select(self, rows: Tensor) -> GRUDecoderState:
        return replace(self.reorder(rows), encoder_output=self.encoder_output.select(rows))


@dataclass(frozen=True)
class AttentionStep:
    """Result of attending once: c (B, 2n or n), alpha and the energies (B, T_x), both None for RNNencdec."""

    context: Tensor
    alpha: Tensor | None
    energies: Tensor | None

    @property
    def weights(self) -> dict[str, Tensor]:
        """Attention weights by the key of their map."""
        return {} if self.alpha is None else {ATTENTION.key: self.alpha}


@dataclass(frozen=True)
class TeacherForcedOutput:
    """Result of a teacher-forced pass over given targets."""

    log_probs: Tensor  # (B, T_y, vocabulary)
    weights: dict[str, Tensor]  # by map key, such as "attention": (B, T_y, T_x); empty for RNNencdec
    states: Tensor  # (B, T_y, n), the state that each readout used
    contexts: Tensor  # (B, T_y, 2n or n)


# ---- A.2 Both networks: encoder, decoder and deep output ---------------------------------------------------------


class GRUNetwork(nn.Module):
    """The parts that RNNsearch and RNNencdec share: one encoder direction, the decoder GRU and the deep output."""

    maps: tuple[MapDescription, ...] = ()

    def __init__(self, config: RNNsearchConfig, context: int) -> None:
        super().__init__()
        self.config = config
        v, m, n, l = (getattr(config, k) for k in ("vocabulary", "embedding", "hidden", "readout"))
        self.source_embedding = nn.Embedding(v, m, padding_idx=PAD)
        self.target_embedding = nn.Embedding(v, m, padding_idx=PAD)  # PAD is "no previous token": a zero vector
        self.encoder = GRU(m, n)
        self.decoder = GRU(m, n, context)
        self.W_s = nn.Parameter(torch.empty(n, n))
        self.b_s = nn.Parameter(torch.empty(n))
        self.U_o = nn.Parameter(torch.empty(2 * l, n))
        self.b_o = nn.Parameter(torch.empty(2 * l))
        self.V_o = nn.Parameter(torch.empty(2 * l, m))
        self.C_o = nn.Parameter(torch.empty(2 * l, context))
        self.W_o = nn.Parameter(torch.empty(v, l))
        self.b_w = nn.Parameter(torch.empty(v))

    @torch.no_grad()
    def initialise(self) -> None:
        """Initialise as in B.1: recurrent matrices orthogonal, W_a and U_a ~ N(0, 0.001²), v_a and biases 0, the rest
        N(0, 0.01²). With v_a = 0, attention starts exactly uniform.
        """
        for name, parameter in self.named_parameters():
            last = name.rsplit(".", 1)[-1]
            if last in ("U", "U_gates"):
                for block in parameter.split(parameter.shape[1]):
                    nn.init.orthogonal_(block)
            elif last == "v_a" or last.startswith("b"):
                parameter.zero_()
            else:
                parameter.normal_(0.0, 0.001 if last in ("W_a", "U_a") else 0.01)
        for embedding in (self.source_embedding, self.target_embedding):
            embedding.weight[PAD].zero_()

    # ---- A.2.1 Encoder ----

    def check_source(self, source: Tensor) -> Tensor:
        """Return the mask (B, T_x) of a padded batch. Raises ValueError if it is malformed."""
        return check_source(self.replace_unknown(source), self.config.vocabulary)

    def replace_unknown(self, token_ids: Tensor) -> Tensor:
        """Return the ids that are embedded. Networks that copy unknown words read those as UNK."""
        return token_ids

    def apply_dropout(self, values: Tensor) -> Tensor:
        return nn.functional.dropout(values, self.config.dropout, self.training)

    def embed_source(self, source: Tensor) -> Tensor:
        """Return E x_j: (B, T_x) -> (B, T_x, m)."""
        embedded: Tensor = self.source_embedding(self.replace_unknown(source))
        return embedded

    def run_encoder(self, gru: GRU, embedded: Tensor, mask: Tensor, *, backward: bool = False) -> Tensor:
        """Return the states of one direction, (B, T_x, m) -> (B, T_x, n). Padding does not change the state."""
        projected = gru.project(embedded).unbind(1)  # T_x tensors (B, 3n)
        s = embedded.new_zeros(len(embedded), gru.hidden)
        states: list[Tensor] = []
        positions = range(len(projected))
        for j in reversed(positions) if backward else positions:
            s = torch.where(mask[:, j, None], gru(projected[j], s)[0], s)
            states.append(s)
        return torch.stack(states[::-1] if backward else states, dim=1)

    def annotate(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the mask (B, T_x) and the annotations h (B, T_x, 2n or n) of `source` (B, T_x).

        `embedded` (B, T_x, m) replaces the embeddings of the source tokens.
        """
        raise NotImplementedError

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> GRUEncoderOutput:
        """Encode a batch; arguments as in `annotate`."""
        raise NotImplementedError

    # ---- A.2.2 Decoder ----

    def start(self, encoder_output: GRUEncoderOutput) -> GRUDecoderState:
        """Return s_0 = tanh(W_s h<-_1 + b_s); RNNencdec has c in place of h<-_1."""
        return GRUDecoderState(encoder_output, torch.tanh(encoder_output.summary @ self.W_s.T + self.b_s), None)

    def attend(
        self, encoder_output: GRUEncoderOutput, s: Tensor, overrides: AttentionOverrides | None = None
    ) -> AttentionStep:
        """Return the context vector for the decoder state s (B, n)."""
        raise NotImplementedError

    def attend_from_state(
        self, state: GRUDecoderState, s: Tensor, overrides: AttentionOverrides | None = None
    ) -> AttentionStep:
        """Attend as `attend` does, for networks whose attention needs more of the state, such as coverage."""
        return self.attend(state.encoder_output, s, overrides)

    def advance(
        self, state: GRUDecoderState, projected: Tensor, overrides: AttentionOverrides | None = None
    ) -> tuple[GRUDecoderState, Tensor, AttentionStep, dict[str, Tensor]]:
        """Attend and update, in the order of the wiring. `projected` (B, 3n) is W E y_{i-1}.

        Returns the next state, the state (B, n) that the readout uses, the attention and the gates.
        """
        s, gates = state.s, {}
        if self.config.wiring == "groundhog":
            if state.context is not None:  # at the first step there is no previous token to read
                s, gates["update"], gates["reset"] = self.decoder(projected, s, state.context)
            attention = self.attend_from_state(state, s, overrides)
            return self.build_next_state(state, s, attention), s, attention, gates
        attention = self.attend_from_state(state, s, overrides)
        updated, gates["update"], gates["reset"] = self.decoder(projected, s, attention.context)
        readout_state = updated if self.config.wiring == "equation4" else s
        return self.build_next_state(state, updated, attention), readout_state, attention, gates

    def build_next_state(self, state: GRUDecoderState, s: Tensor, attention: AttentionStep) -> GRUDecoderState:
        """Return the state after a step that began in `state`."""
        return GRUDecoderState(state.encoder_output, s, attention.context)

    def compute_readout(self, s: Tensor, embedded: Tensor, c: Tensor) -> Tensor:
        """Return t_i (..., l), the maximum of each pair of t~_i = U_o s + V_o E y_{i-1} + C_o c_i (..., 2l)."""
        t = s @ self.U_o.T + self.b_o + embedded @ self.V_o.T + c @ self.C_o.T
        return t.unflatten(-1, (self.config.readout, 2)).amax(-1)

    def compute_vocabulary_log_probs(self, t: Tensor) -> Tensor:
        """Return log p(y_i), where p(y_i) is proportional to exp(y_i^T W_o t_i): (..., l) -> (..., vocabulary)."""
        return torch.log_softmax(t @ self.W_o.T + self.b_w, dim=-1)

    def compute_log_probs(
        self, encoder_output: GRUEncoderOutput, t: Tensor, s: Tensor, embedded: Tensor, attention: AttentionStep
    ) -> Tensor:
        """Return log p(y_i) from the readout t and its inputs, (B, vocabulary).

        With an axis T_y after the batch in all tensors but the encoder output, return those of all steps.
        Pointer-generator networks override this to add the copy distribution.
        """
        return self.compute_vocabulary_log_probs(t)

    # ---- Decoding and training ----

    def step(
        self,
        state: GRUDecoderState,
        token: Tensor,
        *,
        detail: bool = False,
        overrides: AttentionOverrides | None = None,
    ) -> StepResult:
        """Run one step; `token` (B,) is y_{i-1}, PAD at the first step. Implements `Translator.step`."""
        token = self.replace_unknown(token)
        check_token(token, len(state.s), self.config.vocabulary)
        embedded = self.target_embedding(token)
        state, s, attention, gates = self.advance(state, self.decoder.project(embedded), overrides)
        t = self.compute_readout(s, embedded, attention.context)
        log_probs = self.compute_log_probs(state.encoder_output, t, s, embedded, attention)
        tensors: dict[str, Tensor] = {}
        if detail:
            tensors = {"state": s, "context": attention.context, **gates}
            if attention.energies is not None:
                tensors["energies"] = attention.energies
        return StepResult(log_probs, state, attention.weights, tensors)

    def forward(self, source: Tensor, target: Tensor) -> TeacherForcedOutput:
        """Return log p(y_i | y_<i, x) of every step for source (B, T_x) and target (B, T_y): teacher forcing."""
        target = self.replace_unknown(target)
        check_target(source, target, self.config.vocabulary)
        state = self.start(self.encode(source))
        embedded = self.apply_dropout(self.target_embedding(shift_target(target)))  # (B, T_y, m)
        projected = self.decoder.project(embedded)  # (B, T_y, 3n)
        states, attentions = [], []
        for i in range(target.shape[1]):
            state, s, attention, _ = self.advance(state, projected[:, i])
            states.append(s)
            attentions.append(attention)
        s, c = torch.stack(states, dim=1), torch.stack([step.context for step in attentions], dim=1)
        t = self.apply_dropout(self.compute_readout(s, embedded, c))
        weights = {key: torch.stack([step.weights[key] for step in attentions], dim=1) for key in attentions[0].weights}
        attention = AttentionStep(c, weights.get(ATTENTION.key), None)
        log_probs = self.compute_log_probs(state.encoder_output, t, s, embedded, attention)
        return TeacherForcedOutput(log_probs, weights, s, c)

    def loss(self, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
        """Return the summed negative log-likelihood of the target, in nats, plus the auxiliary loss."""
        output = self(source, target)
        loss = compute_summed_loss(output.log_probs, target, smoothing)
        return loss + self.compute_auxiliary_loss(output.weights, target)

    def compute_auxiliary_loss(self, weights: dict[str, Tensor], target: Tensor) -> Tensor:
        """Return an additional loss term from the attention weights (B, T_y, T_x) by key; here 0."""
        return self.W_o.new_zeros(())

    # ---- For measurements ----

    def get_encoder_attention_weights(self, encoder_output: GRUEncoderOutput) -> dict[str, Tensor]:
        """Return {}: the encoder is recurrent and has no attention."""
        return {}

    def list_recurrences(self) -> tuple[Recurrence, ...]:
        """Return the GRUs (`model.networks.recurrence`)."""
        return (Recurrence("encoder", 1, self.encoder, build_forward_positions), Recurrence("decoder", 1, self.decoder))

    def get_annotations(self, encoder_output: GRUEncoderOutput) -> Tensor | None:
        """Return the annotations that attention reads, None for RNNencdec."""
        return None


# ---- A.2.1 Bidirectional encoder, and A.1.2 alignment model -----------------------------------------------------


class RNNsearch(GRUNetwork):
    """The paper's model: a bidirectional encoder, and additive attention over all annotations at every step."""

    maps: tuple[MapDescription, ...] = (ATTENTION,)

    def __init__(self, config: RNNsearchConfig) -> None:
        m, n = config.embedding, config.hidden
        super().__init__(config, context=2 * n)
        self.encoder_backward = GRU(m, n)
        self.W_a = nn.Parameter(torch.empty(config.alignment, n))
        self.U_a = nn.Parameter(torch.empty(config.alignment, 2 * n))
        self.v_a = nn.Parameter(torch.empty(config.alignment))
        self.initialise()

    def annotate(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the mask and h_j = [h->_j ; h<-_j], (B, T_x, 2n)."""
        mask = self.check_source(source)
        embedded = self.apply_dropout(self.embed_source(source) if embedded is None else embedded)  # (B, T_x, m)
        forward = self.run_encoder(self.encoder, embedded, mask)
        backward = self.run_encoder(self.encoder_backward, embedded, mask, backward=True)
        return mask, torch.cat([forward, backward], dim=-1)

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> GRUEncoderOutput:
        """Keep all annotations and, for s_0, h<-_1: the backward state at the first token."""
        mask, h = self.annotate(source, embedded)
        return GRUEncoderOutput(h, h @ self.U_a.T, mask, h[:, 0, self.config.hidden :])

    def attend(
        self, encoder_output: GRUEncoderOutput, s: Tensor, overrides: AttentionOverrides | None = None
    ) -> AttentionStep:
        """Compute e_ij = v_a^T tanh(W_a s + U_a h_j) (A.1.2), alpha_i = softmax(e_i) (eq. 6) and c_i (eq. 5)."""
        assert encoder_output.keys is not None
        e = torch.tanh((s @ self.W_a.T)[:, None] + encoder_output.keys) @ self.v_a  # (B, T_x)
        alpha = torch.softmax(e.masked_fill(~encoder_output.mask, -torch.inf), dim=-1)
        if overrides is not None:
            alpha = apply_override(alpha, overrides.get(ATTENTION.key))
        c = (alpha[:, None] @ encoder_output.annotations)[:, 0]  # (B, 2n)
        return AttentionStep(c, alpha, e)

    def list_recurrences(self) -> tuple[Recurrence, ...]:
        forward, decoder = super().list_recurrences()
        return (forward, Recurrence("encoder", 1, self.encoder_backward, build_backward_positions), decoder)

    def get_annotations(self, encoder_output: GRUEncoderOutput) -> Tensor:
        return encoder_output.annotations


# ---- RNN Encoder-Decoder, the baseline without attention ---------------------------------------------------------


class RNNencdec(GRUNetwork):
    """The baseline without attention (Cho et al. 2014): the encoder's last state is the context of every step."""

    def __init__(self, config: RNNsearchConfig) -> None:
        super().__init__(config, context=config.hidden)
        self.initialise()

    def annotate(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the mask and the forward states h->_j, (B, T_x, n)."""
        mask = self.check_source(source)
        embedded = self.apply_dropout(self.embed_source(source) if embedded is None else embedded)
        return mask, self.run_encoder(self.encoder, embedded, mask)

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> GRUEncoderOutput:
        """Keep c = h->_{T_x} alone: one vector for the whole sentence, whatever its length."""
        mask, states = self.annotate(source, embedded)
        c = states[:, -1]  # the state after EOS: padding does not change it
        return GRUEncoderOutput(c[:, None], None, mask, c)

    def attend(
        self, encoder_output: GRUEncoderOutput, s: Tensor, overrides: AttentionOverrides | None = None
    ) -> AttentionStep:
        """Return c; there is nothing to attend to."""
        return AttentionStep(encoder_output.annotations[:, 0], None, None)
