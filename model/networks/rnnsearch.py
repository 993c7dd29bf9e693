"""RNNsearch and RNNencdec, told as Bahdanau, Cho and Bengio (2015) tell them, appendix A.

The parameters live here, and the tests trust this file; `model.decoding.fast` repeats the same mathematics over whole
sequences for training, `model.decoding.fast.rnnsearch` step by step for search. Shapes are written (batch, source,
hidden). Symbols are the paper's: x source pieces, y target pieces, h annotations, s decoder states, e energies, alpha
weights, c contexts, t readout.

Three *wirings* of one decoder step are in use, and which piece a row of alpha explains depends on it:

`equation4`  look with s_{i-1}, which has eaten y_1 .. y_{i-2}; s_i = f(s_{i-1}, y_{i-1}, c_i); read out from s_i.
`appendix`   the same, but the readout takes s_{i-1}, so that y_{i-1} reaches it through its embedding alone.
`groundhog`  the authors' code: look, generate, update. s_{i-1} has already eaten y_{i-1}; alpha_i and the readout of
             y_i both use it; then s_i = f(s_{i-1}, y_i, c_i). Here the update stands at the head of the next step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

import torch
from torch import Tensor, nn

from model.networks.base import AttentionOverrides, StepResult, apply_override, check_source, check_token_ids
from model.networks.recurrence import Recurrence, backward_positions, forward_positions
from model.serialization.fields import check_choice, check_sizes
from model.text.vocabulary import PAD
from model.trace import MapDescription

Wiring = Literal["equation4", "appendix", "groundhog"]

ATTENTION = MapDescription("attention")  # alpha of RNNsearch


@dataclass(frozen=True)
class RNNsearchConfig:
    """Sizes and wiring of a network; the defaults are the paper's. Raises ValueError naming the field that is off."""

    kind: str  # which of the networks here; model.networks.registry knows them by name
    vocabulary: int
    embedding: int = 620  # m
    hidden: int = 1000  # n
    alignment: int = 1000  # n'; RNNencdec has none
    readout: int = 500  # l, after maxout
    wiring: Wiring = "groundhog"
    dropout: float = 0.0  # on both embeddings and on the readout, while training

    def __post_init__(self) -> None:
        check_choice(self, "wiring", get_args(Wiring))
        check_sizes(self, "vocabulary", "embedding", "hidden", "alignment", "readout")


class GRU(nn.Module):
    """The gated recurrent unit as printed: the reset gate acts *before* the recurrent matrix.

    z = sigmoid(W_z e + U_z s + C_z c);  r = sigmoid(W_r e + U_r s + C_r c)
    s~ = tanh(W e + U [r * s] + C c + b);  s' = (1 - z) * s + z * s~

    (`torch.nn.GRU` applies r after U, which is another function.) Rows of `W` and `C` stand as z, r, candidate.
    """

    states: ClassVar[int] = 1
    gates: ClassVar[tuple[str, ...]] = ("update", "reset")

    def __init__(self, inputs: int, hidden: int, context: int = 0) -> None:
        super().__init__()
        self.hidden = hidden
        self.W = nn.Parameter(torch.empty(3 * hidden, inputs))
        self.b = nn.Parameter(torch.empty(hidden))
        self.U_gates = nn.Parameter(torch.empty(2 * hidden, hidden))
        self.U = nn.Parameter(torch.empty(hidden, hidden))
        self.C = nn.Parameter(torch.empty(3 * hidden, context)) if context else None

    def project(self, e: Tensor) -> Tensor:
        """W e, with the candidate's bias: (..., m) -> (..., 3n). Does not depend on the state."""
        bias = torch.cat([self.b.new_zeros(2 * self.hidden), self.b])
        return nn.functional.linear(e, self.W, bias)

    def forward(self, projected: Tensor, s: Tensor, c: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
        """One update: (batch, 3n), (batch, n), (batch, context) -> s', z, r, each (batch, n)."""
        if self.C is not None and c is not None:
            projected = projected + c @ self.C.T
        n = self.hidden
        z, r = torch.sigmoid(projected[..., : 2 * n] + s @ self.U_gates.T).chunk(2, dim=-1)
        candidate = torch.tanh(projected[..., 2 * n :] + (r * s) @ self.U.T)
        return (1 - z) * s + z * candidate, z, r


@dataclass(frozen=True)
class EncoderOutput:
    """What the encoder leaves for the decoder to consult."""

    annotations: Tensor  # h (batch, source, 2n); for RNNencdec the one vector c (batch, 1, n)
    keys: Tensor | None  # U_a h (batch, source, n'): computed once a sentence; RNNencdec has none
    mask: Tensor  # (batch, source), true where there is a piece
    summary: Tensor  # (batch, n): what s_0 is made of

    def select(self, rows: Tensor) -> EncoderOutput:
        keys = None if self.keys is None else self.keys[rows]
        return EncoderOutput(self.annotations[rows], keys, self.mask[rows], self.summary[rows])


@dataclass(frozen=True)
class DecoderState:
    """Where the decoder stands: s, and (wiring `groundhog`) the context of the step before, not yet eaten."""

    encoder_output: EncoderOutput
    s: Tensor  # (batch, n)
    context: Tensor | None  # (batch, 2n or n); None before the first step

    def reorder(self, rows: Tensor) -> DecoderState:
        """Rows move within their sentence (a beam reorders): the memory stays as it is."""
        return replace(self, s=self.s[rows], context=None if self.context is None else self.context[rows])

    def select(self, rows: Tensor) -> DecoderState:
        """Pick or repeat rows (sentences finish, beams open): the memory goes along."""
        return replace(self.reorder(rows), memory=self.encoder_output.select(rows))


@dataclass(frozen=True)
class AttentionStep:
    """One glance at the memory: c (batch, context), alpha and energies (batch, source), absent for RNNencdec."""

    context: Tensor
    alpha: Tensor | None
    energies: Tensor | None

    @property
    def weights(self) -> dict[str, Tensor]:
        """By the key of their map."""
        return {} if self.alpha is None else {ATTENTION.key: self.alpha}


@dataclass(frozen=True)
class TeacherForcedOutput:
    """A teacher-forced pass over given targets."""

    log_probs: Tensor  # (batch, target, vocabulary)
    weights: dict[str, Tensor]  # "attention": (batch, target, source); empty for RNNencdec
    states: Tensor  # (batch, target, n): the state each readout used
    contexts: Tensor  # (batch, target, 2n or n)


class GRUNetwork(nn.Module):
    """What both models share: the decoder GRU, the deep output, one step and a teacher-forced pass."""

    maps: tuple[MapDescription, ...] = ()

    def __init__(self, configuration: RNNsearchConfig, context: int) -> None:
        super().__init__()
        self.configuration = configuration
        v, m, n, l = (getattr(configuration, k) for k in ("vocabulary", "embedding", "hidden", "readout"))
        self.source_embedding = nn.Embedding(v, m, padding_idx=PAD)
        self.target_embedding = nn.Embedding(v, m, padding_idx=PAD)  # PAD stands for "no previous word": a zero term
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
    def initialise(self, generator: torch.Generator | None = None) -> None:
        """Appendix B: recurrent matrices orthogonal; W_a, U_a ~ N(0, 0.001²); v_a and biases 0; the rest N(0, 0.01²).

        With v_a = 0 attention starts exactly uniform.
        """
        for name, parameter in self.named_parameters():
            last = name.rsplit(".", 1)[-1]
            if last in ("U", "U_gates"):
                n = parameter.shape[1]
                for block in parameter.split(n):
                    nn.init.orthogonal_(block, generator=generator)
            elif last == "v_a" or last.startswith("b"):
                parameter.zero_()
            else:
                parameter.normal_(0.0, 0.001 if last in ("W_a", "U_a") else 0.01, generator=generator)
        for embedding in (self.source_embedding, self.target_embedding):
            embedding.weight[PAD].zero_()

    def apply_dropout(self, values: Tensor) -> Tensor:
        return nn.functional.dropout(values, self.configuration.dropout, self.training)

    def check_source(self, source: Tensor) -> Tensor:
        """The mask (batch, source) of a padded batch; ValueError for what would give NaN or is no known piece."""
        return check_source(source, self.configuration.vocabulary)

    def check_token_ids(self, pieces: Tensor) -> None:
        check_token_ids(pieces, self.configuration.vocabulary)

    def run_encoder(self, gru: GRU, embedded: Tensor, mask: Tensor, *, backward: bool = False) -> Tensor:
        """States of one direction, (batch, source, m) -> (batch, source, n); padding leaves them as they are."""
        projected = gru.project(embedded).unbind(1)  # each (batch, 3n)
        s = embedded.new_zeros(len(embedded), gru.hidden)
        states: list[Tensor] = []
        steps = range(len(projected))
        for j in reversed(steps) if backward else steps:
            s = torch.where(mask[:, j, None], gru(projected[j], s)[0], s)
            states.append(s)
        return torch.stack(states[::-1] if backward else states, dim=1)

    def embed_source(self, source: Tensor) -> Tensor:
        """E x_j, (batch, source) -> (batch, source, m)."""
        embedded: Tensor = self.source_embedding(source)
        return embedded

    def annotate(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """(batch, source) piece numbers, EOS last, padded on the right -> the mask (batch, source), true where there is
        a piece, and what the encoder says about each piece, h (batch, source, 2n or n). `embedded` (batch, source, m)
        is read in place of the pieces' own embeddings where it is given."""
        raise NotImplementedError

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> EncoderOutput:
        """Source pieces, as `annotate` takes them, -> the memory."""
        raise NotImplementedError

    def encoder_attention_weights(self, encoder_output: EncoderOutput) -> dict[str, Tensor]:
        """Neither model lets source pieces look at one another."""
        return {}

    def recurrences(self) -> tuple[Recurrence, ...]:
        """The GRUs, as `model.networks.recurrence.Recurs` wants them."""
        return (Recurrence("encoder", 1, self.encoder, forward_positions), Recurrence("decoder", 1, self.decoder))

    def get_annotations(self, encoder_output: EncoderOutput) -> Tensor | None:
        """The annotations of a network that attends."""
        return None

    def attend(self, encoder_output: EncoderOutput, s: Tensor, overrides: AttentionOverrides | None = None) -> AttentionStep:
        """Where the decoder in the state s (batch, n) looks; `alpha` as `model.networks.base.Translator.step` takes
        it."""
        raise NotImplementedError

    def attend_from_state(self, state: DecoderState, s: Tensor, overrides: AttentionOverrides | None = None) -> AttentionStep:
        """As `look`, for a network whose looks depend on more of the state than s."""
        return self.attend(state.encoder_output, s, overrides)

    def start(self, encoder_output: EncoderOutput) -> DecoderState:
        """s_0 = tanh(W_s summary + b): RNNsearch from the backward state at the first word, RNNencdec from c."""
        return DecoderState(encoder_output, torch.tanh(encoder_output.summary @ self.W_s.T + self.b_s), None)

    def advance(self, state: DecoderState, projected: Tensor,
                overrides: AttentionOverrides | None = None) -> tuple[DecoderState, Tensor, AttentionStep, dict[str, Tensor]]:
        """One decoder step given W e(y_{i-1}) (batch, 3n): the new state, the readout's s, the look, the gates."""
        s, gates = state.s, {}
        if self.configuration.wiring == "groundhog":
            if state.context is not None:  # at the first step there is no previous word to eat
                s, gates["update"], gates["reset"] = self.decoder(projected, s, state.context)
            look = self.attend_from_state(state, s, overrides)
            return self.build_next_state(state, s, look), s, look, gates
        look = self.attend_from_state(state, s, overrides)
        new, gates["update"], gates["reset"] = self.decoder(projected, s, look.context)
        used = new if self.configuration.wiring == "equation4" else s
        return self.build_next_state(state, new, look), used, look, gates

    def build_next_state(self, state: DecoderState, s: Tensor, attention: AttentionStep) -> DecoderState:
        """The state after a step that began in `state`, came to s and looked so."""
        return DecoderState(state.encoder_output, s, attention.context)

    def compute_readout(self, s: Tensor, embedded: Tensor, c: Tensor) -> Tensor:
        """t~ = U_o s + V_o E y_{i-1} + C_o c, 2l wide; t = max over consecutive pairs: (..., l)."""
        t = s @ self.U_o.T + self.b_o + embedded @ self.V_o.T + c @ self.C_o.T
        return t.unflatten(-1, (self.configuration.readout, 2)).amax(-1)

    def compute_log_probs(self, encoder_output: EncoderOutput, t: Tensor, s: Tensor, embedded: Tensor, attention: AttentionStep) -> Tensor:
        """log p(y_i), (batch, vocabulary), from the readout and what it was read out from; with one more axis, of the
        steps, behind the batch in all but the memory, those of all steps."""
        return self.compute_vocabulary_log_probs(t)

    def compute_vocabulary_log_probs(self, t: Tensor) -> Tensor:
        """log p(y_i), (..., l) -> (..., vocabulary): p ∝ exp(y^T W_o t + b)."""
        return torch.log_softmax(t @ self.W_o.T + self.b_w, dim=-1)

    def step(self, state: DecoderState, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None) -> StepResult:
        """One step of search. `piece` (batch,) is y_{i-1}, PAD at the first step. Returns log p(y_i) and alpha_i."""
        if token.shape != state.s.shape[:1]:
            raise ValueError(f"one piece a row: got pieces {tuple(token.shape)} for {len(state.s)} rows")
        self.check_token_ids(token)
        embedded = self.target_embedding(token)
        state, s, look, gates = self.advance(state, self.decoder.project(embedded), overrides)
        log_probabilities = self.compute_log_probs(state.encoder_output, self.compute_readout(s, embedded, look.context), s, embedded, look)
        weights = look.weights
        extra: dict[str, Tensor] = {}
        if detail:
            extra = {"state": s, "context": look.context, **gates}
            if look.energies is not None:
                extra["energies"] = look.energies
        return StepResult(log_probabilities, state, weights, extra)

    def forward(self, source: Tensor, target: Tensor) -> TeacherForcedOutput:
        """Teacher forcing: log p(y_i | y_<i, x) of every step for given (batch, source) and (batch, target) pieces."""
        if target.dim() != 2 or target.shape[1] == 0 or len(target) != len(source):
            raise ValueError(f"{tuple(source.shape)} source and {tuple(target.shape)} target pieces do not pair up")
        self.check_token_ids(target)
        state = self.start(self.encode(source))
        previous = torch.cat([target.new_full((len(target), 1), PAD), target[:, :-1]], dim=1)
        embedded = self.apply_dropout(self.target_embedding(previous))  # (batch, target, m)
        projected = self.decoder.project(embedded)  # (batch, target, 3n)
        states, looks = [], []
        for i in range(target.shape[1]):
            state, s, look, _ = self.advance(state, projected[:, i])
            states.append(s)
            looks.append(look)
        s, c = torch.stack(states, dim=1), torch.stack([look.context for look in looks], dim=1)
        t = self.apply_dropout(self.compute_readout(s, embedded, c))
        weights = {key: torch.stack([look.weights[key] for look in looks], dim=1) for key in looks[0].weights}
        look = AttentionStep(c, weights.get(ATTENTION.key), None)
        return TeacherForcedOutput(self.compute_log_probs(state.encoder_output, t, s, embedded, look), weights, s, c)

    def loss(self, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
        """Summed negative log-likelihood of the target pieces, in nats; padding counts nothing.

        With smoothing, a piece's label gives up so much of its weight to all pieces alike (Szegedy et al. 2016).
        """
        forced = self(source, target)
        log_p = forced.log_probabilities.flatten(0, 1)
        likelihood = nn.functional.nll_loss(log_p, target.flatten(), ignore_index=PAD, reduction="sum")
        if smoothing:
            uniform = -log_p.mean(-1)[target.flatten() != PAD].sum()
            likelihood = (1 - smoothing) * likelihood + smoothing * uniform
        return likelihood + self.compute_auxiliary_loss(forced.weights, target)

    def compute_auxiliary_loss(self, weights: dict[str, Tensor], target: Tensor) -> Tensor:
        """What the loss has besides, given where a teacher-forced pass looked: nothing."""
        return self.W_o.new_zeros(())


class RNNsearch(GRUNetwork):
    """A bidirectional encoder and additive attention: at every step the decoder looks at all annotations anew."""

    maps: tuple[MapDescription, ...] = (ATTENTION,)

    def __init__(self, configuration: RNNsearchConfig) -> None:
        m, n = configuration.embedding, configuration.hidden
        super().__init__(configuration, context=2 * n)
        self.encoder_backward = GRU(m, n)
        self.W_a = nn.Parameter(torch.empty(configuration.alignment, n))
        self.U_a = nn.Parameter(torch.empty(configuration.alignment, 2 * n))
        self.v_a = nn.Parameter(torch.empty(configuration.alignment))
        self.initialise()

    def annotate(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """h_j = [h->_j ; h<-_j], (batch, source, 2n)."""
        mask = self.check_source(source)
        embedded = self.apply_dropout(self.embed_source(source) if embedded is None else embedded)  # (batch, source, m)
        forward = self.run_encoder(self.encoder, embedded, mask)
        backward = self.run_encoder(self.encoder_backward, embedded, mask, backward=True)
        return mask, torch.cat([forward, backward], dim=-1)  # (batch, source, 2n)

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> EncoderOutput:
        """The annotations, all of them; s_0 will come from h<-_1 alone."""
        mask, h = self.annotate(source, embedded)
        return EncoderOutput(h, h @ self.U_a.T, mask, h[:, 0, self.configuration.hidden :])

    def recurrences(self) -> tuple[Recurrence, ...]:
        forward, decoder = super().recurrences()
        return (forward, Recurrence("encoder", 1, self.encoder_backward, backward_positions), decoder)

    def get_annotations(self, encoder_output: EncoderOutput) -> Tensor:
        return encoder_output.annotations

    def attend(self, encoder_output: EncoderOutput, s: Tensor, overrides: AttentionOverrides | None = None) -> AttentionStep:
        """Eq. 5 and 6: e_ij = v_a^T tanh(W_a s + U_a h_j); alpha_i = softmax_j e_ij; c_i = sum_j alpha_ij h_j."""
        assert encoder_output.keys is not None
        e = torch.tanh((s @ self.W_a.T)[:, None] + encoder_output.keys) @ self.v_a  # (batch, source)
        own = torch.softmax(e.masked_fill(~encoder_output.mask, -torch.inf), dim=-1)
        used = own if overrides is None else apply_override(own, overrides.get(ATTENTION.key))
        return AttentionStep((used[:, None] @ encoder_output.annotations)[:, 0], used, e)


class RNNencdec(GRUNetwork):
    """The model without attention: a forward encoder, whose last state is the context of every step."""

    def __init__(self, configuration: RNNsearchConfig) -> None:
        super().__init__(configuration, context=configuration.hidden)
        self.initialise()

    def annotate(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The forward states h->_j, (batch, source, n)."""
        mask = self.check_source(source)
        embedded = self.apply_dropout(self.embed_source(source) if embedded is None else embedded)  # (batch, source, m)
        return mask, self.run_encoder(self.encoder, embedded, mask)

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> EncoderOutput:
        """c = h->_Tx: one vector for the whole sentence, however long; all other states are dropped."""
        mask, states = self.annotate(source, embedded)
        c = states[:, -1]  # padding leaves the state as it was after EOS
        return EncoderOutput(c[:, None], None, mask, c)

    def attend(self, encoder_output: EncoderOutput, s: Tensor, overrides: AttentionOverrides | None = None) -> AttentionStep:
        return AttentionStep(encoder_output.annotations[:, 0], None, None)
