"""The Transformer, told as Vaswani et al. (2017) tell it, section 3.

Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V; h heads share d_model = `hidden` among them. An encoder layer is
self-attention and feed-forward, a decoder layer masked self-attention, attention to the encoder, feed-forward. The
paper has LayerNorm(x + Dropout(sublayer(x))), here norm "post"; with "pre" it is x + Dropout(sublayer(LayerNorm(x))),
and a last LayerNorm at the end of each stack. Both languages' embeddings, times sqrt(d_model), and the output layer are
one matrix; sines and cosines of the position are added. Before the first piece nothing is written: what the decoder is
given there is its position alone.

The parameters live here and in `model.networks.transformer_layers`, and the tests trust these files;
`model.training.losses.transformer` gives the loss over whole sequences with torch's own attention. Shapes and symbols
are those of the layers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.networks.base import AttentionOverrides, StepResult, apply_override, check_source, check_token_ids
from model.networks.recurrence import Recurrence
from model.networks.transformer_layers import (
    AttentionFunction,
    DecoderLayer,
    DecoderLayerOutput,
    EncoderLayer,
    KVCache,
    TransformerConfig,
    WeightOverride,
    compute_positions,
    explicit_attention,
    fused_attention,
)
from model.text.vocabulary import PAD
from model.trace import MapDescription


def describe_maps(layers: int, heads: int) -> tuple[MapDescription, ...]:
    """Every map of a network of these sizes: of each decoder layer the mean of its heads' looks at the source, then
    every head. The mean of the last layer but one comes first: there heads agree most on what belongs to what (Garg et
    al. 2019, "Jointly Learning to Align and Translate with Transformer Models")."""
    every = [(layer, head) for layer in range(1, layers + 1) for head in range(1, heads + 1)]
    shown = max(1, layers - 1)
    means = [describe_mean_map(layer) for layer in sorted(range(1, layers + 1), key=lambda layer: layer != shown)]
    return (*means, *(describe_cross_map(*one) for one in every), *(describe_decoder_map(*one) for one in every),
            *(describe_encoder_map(*one) for one in every))


@lru_cache(maxsize=4096)
def describe_mean_map(layer: int) -> MapDescription:
    """The mean of a decoder layer's heads. Changed by a reader, its row becomes that of every head of the layer."""
    return MapDescription("cross-attention", layer)


@lru_cache(maxsize=4096)
def describe_cross_map(layer: int, head: int) -> MapDescription:
    return MapDescription("cross-attention", layer, head)


@lru_cache(maxsize=4096)
def describe_decoder_map(layer: int, head: int) -> MapDescription:
    return MapDescription("decoder self-attention", layer, head, columns="target")


@lru_cache(maxsize=4096)
def describe_encoder_map(layer: int, head: int) -> MapDescription:
    return MapDescription("encoder self-attention", layer, head, rows="source")


@dataclass(frozen=True)
class TransformerEncoderOutput:
    """What the encoder leaves for the decoder to consult."""

    annotations: Tensor  # what the encoder's last layer says (batch, source, hidden)
    cross_kv_caches: tuple[KVCache, ...]  # keys and values of the source for each decoder layer: computed once a sentence
    mask: Tensor  # (batch, source), true where there is a piece
    self_attention_weights: tuple[Tensor, ...] = ()  # each encoder layer's own weights (batch, heads, source, source)

    def select(self, rows: Tensor) -> TransformerEncoderOutput:
        return TransformerEncoderOutput(self.annotations[rows], _select_rows(self.cross_kv_caches, rows), self.mask[rows],
                      tuple(one[rows] for one in self.self_attention_weights))


@dataclass(frozen=True)
class TransformerDecoderState:
    """Where the decoder stands: the keys and values of all steps so far, of each layer; none before the first."""

    encoder_output: TransformerEncoderOutput
    kv_caches: tuple[KVCache, ...] = ()

    @property
    def steps(self) -> int:
        """How many steps there were."""
        return self.kv_caches[0][0].shape[2] if self.kv_caches else 0

    def reorder(self, rows: Tensor) -> TransformerDecoderState:
        """Rows move within their sentence (a beam reorders): keys and values of the past go along."""
        return replace(self, past=_select_rows(self.kv_caches, rows))

    def select(self, rows: Tensor) -> TransformerDecoderState:
        """Pick or repeat rows (sentences finish, beams open): the memory goes along."""
        return TransformerDecoderState(self.encoder_output.select(rows), _select_rows(self.kv_caches, rows))


@dataclass(frozen=True)
class TransformerOutput:
    """A teacher-forced pass over given targets."""

    log_probs: Tensor  # (batch, target, vocabulary)
    weights: dict[str, Tensor]  # by the key of their map: (batch, target, source) or (batch, target, target)
    states: Tensor  # (batch, target, hidden): what the output layer was given


class Transformer(nn.Module):
    """The encoder, the decoder, and the matrix that both embeddings and the output layer are."""

    def __init__(self, configuration: TransformerConfig) -> None:
        super().__init__()
        self.configuration = configuration
        self.maps = describe_maps(configuration.layers, configuration.heads)
        self.main_layer = self.maps[0].layer or 1
        self.embedding = nn.Parameter(torch.empty(configuration.vocabulary, configuration.hidden))
        self.encoder = nn.ModuleList(EncoderLayer(configuration) for _ in range(configuration.layers))
        self.decoder = nn.ModuleList(DecoderLayer(configuration) for _ in range(configuration.layers))
        pre = configuration.norm == "pre"
        self.after_encoder, self.after_decoder = (nn.LayerNorm(configuration.hidden) if pre else nn.Identity()
                                                  for _ in range(2))
        self.initialise()

    @torch.no_grad()
    def initialise(self, generator: torch.Generator | None = None) -> None:
        """The paper does not say; as is usual: matrices as Glorot and Bengio (2010) have them, embeddings
        N(0, 1 / d_model), so that times sqrt(d_model) they are as large as the positions, biases 0, LayerNorm's gains
        1."""
        for name, parameter in self.named_parameters():
            last = name.rsplit(".", 1)[-1]
            if last == "embedding":
                parameter.normal_(0.0, self.configuration.hidden**-0.5, generator=generator)
            elif last == "weight":
                parameter.fill_(1.0)
            elif last.startswith("b"):
                parameter.zero_()
            else:
                nn.init.xavier_uniform_(parameter, generator=generator)

    def embed_source(self, source: Tensor) -> Tensor:
        """E x_j, (batch, source) -> (batch, source, hidden)."""
        return F.embedding(source, self.embedding)

    def add_positions(self, embedded: Tensor, first: int = 0) -> Tensor:
        """Embeddings (batch, n, hidden) times sqrt(d_model), and the positions from `first` on."""
        n, hidden = embedded.shape[1:]
        where = compute_positions(first + n, hidden, embedded.dtype, embedded.device)[first:]
        return F.dropout(embedded * math.sqrt(hidden) + where, self.configuration.dropout, self.training)

    def run_encoder(self, source: Tensor, mask: Tensor | None, attend: AttentionFunction,
             embedded: Tensor | None = None) -> tuple[Tensor, list[Tensor | None]]:
        """What the encoder says about source pieces, (batch, source, hidden), and its layers' weights; `mask` (batch,
        source) is true where there is a piece, None for everywhere."""
        x = self.add_positions(self.embed_source(source) if embedded is None else embedded)
        looked = []
        for layer in self.encoder:
            x, weights = layer(x, _broadcast_over_heads(mask), attend)
            looked.append(weights)
        return self.after_encoder(x), looked

    def run_decoder(self, pieces: Tensor, past: tuple[KVCache, ...], offered: tuple[KVCache, ...], mask: Tensor | None,
              attend: AttentionFunction, alpha: AttentionOverrides | None = None) -> tuple[Tensor, list[DecoderLayerOutput]]:
        """What the output layer is given, (batch, n, hidden), after `pieces` (batch, n), PAD standing for nothing; and
        what each layer did. `alpha` as `model.networks.base.Translator.step` takes it, for one step."""
        first, n = past[0][0].shape[2] if past else 0, pieces.shape[1]
        embedded = F.embedding(pieces, self.embedding) * (pieces != PAD)[:, :, None]
        x, looked = self.add_positions(embedded, first), []
        before = torch.ones(n, first + n, dtype=torch.bool, device=pieces.device).tril(first) if n > 1 else None
        for number, layer in enumerate(self.decoder):
            x, one = layer(x, past[number] if past else None, offered[number], before, _broadcast_over_heads(mask), attend,
                           self.build_layer_overrides(number + 1, alpha))
            looked.append(one)
        return self.after_decoder(x), looked

    def build_layer_overrides(self, layer: int, alpha: AttentionOverrides | None) -> tuple[WeightOverride | None, WeightOverride | None]:
        """What `alpha` makes of the weights (batch, heads, 1, m) of a decoder layer's two attentions."""
        if not alpha:
            return None, None
        given, heads = alpha, range(1, self.configuration.heads + 1)

        def own(weights: Tensor) -> Tensor:
            rows = [apply_override(weights[:, head - 1, 0], given.get(describe_decoder_map(layer, head).key)) for head in heads]
            return torch.stack(rows, dim=1)[:, :, None]

        def cross(weights: Tensor) -> Tensor:
            rows = [apply_override(weights[:, head - 1, 0], given.get(describe_cross_map(layer, head).key)) for head in heads]
            used = torch.stack(rows, dim=1)[:, :, None]
            mean = used.mean(1)
            all_of_them = apply_override(mean[:, 0], given.get(describe_mean_map(layer).key))[:, None]
            moved = (all_of_them != mean).any(-1)  # of rows left as they are, each head keeps its own
            return torch.where(moved[:, None, :, None], all_of_them[:, None], used)

        return own, cross

    def check_source(self, source: Tensor) -> Tensor:
        """The mask (batch, source) of a padded batch; ValueError for what would give NaN or is no known piece."""
        return check_source(source, self.configuration.vocabulary)

    def annotate(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """(batch, source) piece numbers, EOS last, padded on the right -> the mask (batch, source), true where there is
        a piece, and what the encoder says about each piece (batch, source, hidden)."""
        mask = self.check_source(source)
        return mask, self.run_encoder(source, mask, fused_attention, embedded)[0]

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> TransformerEncoderOutput:
        """Source pieces, as `annotate` takes them, -> the memory; `embedded` (batch, source, hidden) is read in place
        of the pieces' own embeddings where it is given."""
        mask = self.check_source(source)
        h, looked = self.run_encoder(source, mask, explicit_attention, embedded)
        return TransformerEncoderOutput(h, self.compute_cross_kv_caches(h), mask, tuple(cast("list[Tensor]", looked)))

    def compute_cross_kv_caches(self, h: Tensor) -> tuple[KVCache, ...]:
        """What the encoder's h (batch, source, hidden) offers to each decoder layer."""
        return tuple(cast("DecoderLayer", layer).cross_attention.compute_kv_cache(h) for layer in self.decoder)

    def recurrences(self) -> tuple[Recurrence, ...]:
        """Nothing goes from step to step."""
        return ()

    def get_annotations(self, encoder_output: TransformerEncoderOutput) -> Tensor:
        """What the encoder's last layer says."""
        return encoder_output.annotations

    def encoder_attention_weights(self, encoder_output: TransformerEncoderOutput) -> dict[str, Tensor]:
        """What source pieces gave to one another, in each head of each layer: (batch, source, source)."""
        present = encoder_output.mask[:, :, None]
        return {describe_encoder_map(layer, head + 1).key: weights[:, head] * present
                for layer, weights in enumerate(encoder_output.self_attention_weights, 1) for head in range(self.configuration.heads)}

    def start(self, encoder_output: TransformerEncoderOutput) -> TransformerDecoderState:
        """Nothing is written yet. The source's looks at itself are done with, and need not go along."""
        return TransformerDecoderState(replace(encoder_output, looked=()))

    def step(self, state: TransformerDecoderState, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None) -> StepResult:
        """One step of search. `piece` (batch,) is y_{i-1}, PAD at the first step. Returns log p(y_i) and the weights of
        every head of the decoder."""
        memory = state.encoder_output
        if token.shape != memory.mask.shape[:1]:
            raise ValueError(f"one piece a row: got pieces {tuple(token.shape)} for {len(memory.mask)} rows")
        check_token_ids(token, self.configuration.vocabulary)
        t, looked = self.run_decoder(token[:, None], state.kv_caches, memory.cross_kv_caches, memory.mask, explicit_attention, overrides)
        weights = {key: values[:, 0] for key, values in _weights(looked).items()}
        extra = {"state": t[:, 0], "context": looked[self.main_layer - 1].context[:, 0]} if detail else {}
        return StepResult(self.compute_log_probs(t[:, 0]), TransformerDecoderState(memory, tuple(one.kv_cache for one in looked)), weights, extra)

    def compute_log_probs(self, t: Tensor) -> Tensor:
        """log p(y_i), (..., hidden) -> (..., vocabulary): p ∝ exp(E t)."""
        return torch.log_softmax(F.linear(t, self.embedding), dim=-1)

    def forward(self, source: Tensor, target: Tensor) -> TransformerOutput:
        """Teacher forcing: log p(y_i | y_<i, x) of every step for given (batch, source) and (batch, target) pieces."""
        if target.dim() != 2 or target.shape[1] == 0 or len(target) != len(source):
            raise ValueError(f"{tuple(source.shape)} source and {tuple(target.shape)} target pieces do not pair up")
        check_token_ids(target, self.configuration.vocabulary)
        memory = self.encode(source)
        t, looked = self.run_decoder(shift_target(target), (), memory.cross_kv_caches, memory.mask, explicit_attention)
        return TransformerOutput(self.compute_log_probs(t), _weights(looked), t)

    def loss(self, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
        """Summed negative log-likelihood of the target pieces, in nats; padding counts nothing."""
        log_p = self(source, target).log_probabilities.flatten(0, 1)
        return F.cross_entropy(log_p, target.flatten(), ignore_index=PAD, reduction="sum", label_smoothing=smoothing)


def name_weights(own: Sequence[Tensor], cross: Sequence[Tensor]) -> dict[str, Tensor]:
    """The weights of every head of the decoder, (batch, ...), by the key of their map, from those of each layer's two
    attentions, (batch, heads, ...)."""
    found: dict[str, Tensor] = {}
    for layer, (back, looked) in enumerate(zip(own, cross, strict=True), 1):
        found[describe_mean_map(layer).key] = looked.mean(1)
        found |= {describe_cross_map(layer, head).key: weights for head, weights in enumerate(looked.unbind(1), 1)}
        found |= {describe_decoder_map(layer, head).key: weights for head, weights in enumerate(back.unbind(1), 1)}
    return found


def _weights(looked: list[DecoderLayerOutput]) -> dict[str, Tensor]:
    return name_weights([cast("Tensor", one.self_attention_weights) for one in looked], [cast("Tensor", one.cross_attention_weights) for one in looked])


def shift_target(target: Tensor) -> Tensor:
    """What the decoder is given at each step of a target (batch, target): nothing, then the piece before."""
    return torch.cat([torch.full_like(target[:, :1], PAD), target[:, :-1]], dim=1)


def _broadcast_over_heads(mask: Tensor | None) -> Tensor | None:
    """(batch, source) -> (batch, 1, 1, source)."""
    return None if mask is None else mask[:, None, None]


def _select_rows(offered: tuple[KVCache, ...], rows: Tensor) -> tuple[KVCache, ...]:
    return tuple((keys[rows], values[rows]) for keys, values in offered)
