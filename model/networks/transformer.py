"""The Transformer (Vaswani et al. 2017, section 3).

Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V; h heads share d_model = `hidden`. An encoder layer is self-attention
and feed-forward; a decoder layer is masked self-attention, cross-attention and feed-forward. Norm "post" is the paper's
LayerNorm(x + Dropout(sublayer(x))). Norm "pre" is x + Dropout(sublayer(LayerNorm(x))), with a final LayerNorm after
each stack. One matrix serves as both embeddings, times sqrt(d_model), and as output layer. Positions are sines and
cosines. At the first step the decoder's input is its position alone.

This file and `model.networks.transformer_layers`, whose shapes and symbols it uses, are the reference;
`model.training.losses.transformer` computes the loss with fused attention.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.networks.base import (
    AttentionOverrides,
    StepResult,
    apply_override,
    check_source,
    check_target,
    check_token,
    compute_summed_loss,
    shift_target,
)
from model.networks.recurrence import Recurrence
from model.networks.transformer_layers import (
    AttentionFunction,
    DecoderLayer,
    DecoderLayerOutput,
    EncoderLayer,
    KVCache,
    TransformerConfig,
    WeightOverride,
    attend_explicitly,
    attend_fused,
    compute_positions,
)
from model.text.vocabulary import PAD
from model.trace import MapDescription

ROUNDING_ERROR = 1e-6  # of a mean over heads
_OLD_NAMES = {
    "own": "self_attention",
    "cross": "cross_attention",
    "around_own": "self_attention_residual",
    "around_cross": "cross_attention_residual",
    "around_feed_forward": "feed_forward_residual",
}
_OLD_NAME = re.compile(rf"(?<=\.)({'|'.join(_OLD_NAMES)})(?=\.)")


def describe_maps(encoder_layers: int, decoder_layers: int, heads: int) -> tuple[MapDescription, ...]:
    """Return all maps of a network: the mean of each decoder layer's cross-attention heads, then every head.

    The mean of the second-last layer comes first: there, heads agree best with word alignments (Garg et al. 2019,
    "Jointly Learning to Align and Translate with Transformer Models").
    """
    encoder_heads, decoder_heads = (
        [(layer, head) for layer in range(1, layers + 1) for head in range(1, heads + 1)]
        for layers in (encoder_layers, decoder_layers)
    )
    main_layer = max(1, decoder_layers - 1)
    means = [describe_mean_map(layer)
             for layer in sorted(range(1, decoder_layers + 1), key=lambda layer: layer != main_layer)]  # fmt: skip
    return (*means, *(describe_cross_map(*head) for head in decoder_heads),
            *(describe_decoder_map(*head) for head in decoder_heads),
            *(describe_encoder_map(*head) for head in encoder_heads))  # fmt: skip


@lru_cache(maxsize=4096)
def describe_mean_map(layer: int) -> MapDescription:
    """Return the mean over the heads of a layer's cross-attention. An override of it applies to every head."""
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
    """What the decoder reads from the encoder."""

    annotations: Tensor  # output of the last encoder layer (batch, source, hidden)
    cross_kv_caches: tuple[KVCache, ...]  # keys and values of the source for each decoder layer
    mask: Tensor  # (batch, source), True where there is a token
    self_attention_weights: tuple[Tensor, ...] = ()  # of each encoder layer (batch, heads, source, source)

    def select(self, rows: Tensor) -> TransformerEncoderOutput:
        weights = tuple(layer[rows] for layer in self.self_attention_weights)
        return TransformerEncoderOutput(
            self.annotations[rows], _select_rows(self.cross_kv_caches, rows), self.mask[rows], weights
        )


@dataclass(frozen=True)
class TransformerDecoderState:
    """The keys and values of all steps so far, for each decoder layer; () before the first step."""

    encoder_output: TransformerEncoderOutput
    kv_caches: tuple[KVCache, ...] = ()

    def reorder(self, rows: Tensor) -> TransformerDecoderState:
        return replace(self, kv_caches=_select_rows(self.kv_caches, rows))

    def select(self, rows: Tensor) -> TransformerDecoderState:
        return replace(self.reorder(rows), encoder_output=self.encoder_output.select(rows))


def _select_rows(kv_caches: tuple[KVCache, ...], rows: Tensor) -> tuple[KVCache, ...]:
    return tuple((keys[rows], values[rows]) for keys, values in kv_caches)


@dataclass(frozen=True)
class TeacherForcedOutput:
    """Result of a teacher-forced pass over given targets."""

    log_probs: Tensor  # (batch, target, vocabulary)
    weights: dict[str, Tensor]  # by the key of their map: (batch, target, source) or (batch, target, target)
    states: Tensor  # (batch, target, hidden): input of the output layer


class Transformer(nn.Module):
    """Encoder, decoder, and one matrix for both embeddings and the output layer."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        decoder_layers = cast("int", config.decoder_layers)
        self.maps = describe_maps(config.layers, decoder_layers, config.heads)
        self.main_layer = self.maps[0].layer or 1
        self.embedding = nn.Parameter(torch.empty(config.vocabulary, config.hidden))
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.layers))
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(decoder_layers))
        is_pre_norm = config.norm == "pre"
        self.after_encoder, self.after_decoder = (
            nn.LayerNorm(config.hidden) if is_pre_norm else nn.Identity() for _ in range(2)
        )
        self.register_load_state_dict_pre_hook(_rename_old_weights)
        self.initialise()

    @torch.no_grad()
    def initialise(self) -> None:
        """Initialise as is usual, since the paper does not say.

        Matrices as in Glorot and Bengio (2010), embeddings N(0, 1 / d_model), so that after scaling they are as large
        as the positions, biases 0, LayerNorm gains 1.
        """
        for name, parameter in self.named_parameters():
            last = name.rsplit(".", 1)[-1]
            if last == "embedding":
                parameter.normal_(0.0, self.config.hidden**-0.5)
            elif last == "weight":
                parameter.fill_(1.0)
            elif last.startswith("b"):
                parameter.zero_()
            else:
                nn.init.xavier_uniform_(parameter)

    def embed_source(self, source: Tensor) -> Tensor:
        """Return E x_j: (batch, source) -> (batch, source, hidden)."""
        return F.embedding(source, self.embedding)

    def add_positions(self, embedded: Tensor, first: int = 0) -> Tensor:
        """Scale embeddings (batch, n, hidden) by sqrt(d_model) and add the positions from `first` on."""
        n, hidden = embedded.shape[1:]
        positions = compute_positions(first + n, hidden, embedded.dtype, embedded.device)[first:]
        return F.dropout(embedded * math.sqrt(hidden) + positions, self.config.dropout, self.training)

    def run_encoder(
        self, source: Tensor, mask: Tensor | None, attend: AttentionFunction, embedded: Tensor | None = None
    ) -> tuple[Tensor, list[Tensor | None]]:
        """Return the encoder's output (batch, source, hidden) and the self-attention weights of its layers.

        `mask` (batch, source) is True where there is a token; None means everywhere.
        """
        x = self.add_positions(self.embed_source(source) if embedded is None else embedded)
        all_weights = []
        for layer in self.encoder:
            x, weights = layer(x, _broadcast_over_heads(mask), attend)
            all_weights.append(weights)
        return self.after_encoder(x), all_weights

    def run_decoder(
        self,
        token_ids: Tensor,
        kv_caches: tuple[KVCache, ...],
        cross_kv_caches: tuple[KVCache, ...],
        mask: Tensor | None,
        attend: AttentionFunction,
        overrides: AttentionOverrides | None = None,
    ) -> tuple[Tensor, list[DecoderLayerOutput]]:
        """Return the input of the output layer, (batch, n, hidden), and the outputs of the decoder layers.

        `token_ids` (batch, n) are the inputs of n steps; PAD is a zero vector. `overrides` work for n = 1 only.
        """
        first, n = kv_caches[0][0].shape[2] if kv_caches else 0, token_ids.shape[1]
        embedded = F.embedding(token_ids, self.embedding) * (token_ids != PAD)[:, :, None]
        x, outputs = self.add_positions(embedded, first), []
        causal_mask = None
        if n > 1:
            causal_mask = torch.ones(n, first + n, dtype=torch.bool, device=token_ids.device).tril(first)
        for number, layer in enumerate(self.decoder):
            kv_cache = kv_caches[number] if kv_caches else None
            layer_overrides = self.build_layer_overrides(number + 1, overrides)
            x, output = layer(x, kv_cache, cross_kv_caches[number], causal_mask, _broadcast_over_heads(mask), attend,
                              layer_overrides)  # fmt: skip
            outputs.append(output)
        return self.after_decoder(x), outputs

    def build_layer_overrides(
        self, layer: int, overrides: AttentionOverrides | None
    ) -> tuple[WeightOverride | None, WeightOverride | None]:
        """Return the overrides of a decoder layer's self-attention and cross-attention weights."""
        if not overrides:
            return None, None
        by_key, heads = overrides, range(1, self.config.heads + 1)

        def override_self_attention(weights: Tensor) -> Tensor:
            rows = [
                apply_override(weights[:, head - 1, 0], by_key.get(describe_decoder_map(layer, head).key))
                for head in heads
            ]
            return torch.stack(rows, dim=1)[:, :, None]

        def override_cross_attention(weights: Tensor) -> Tensor:
            rows = [
                apply_override(weights[:, head - 1, 0], by_key.get(describe_cross_map(layer, head).key))
                for head in heads
            ]
            new_weights = torch.stack(rows, dim=1)[:, :, None]
            mean = new_weights.mean(1)
            new_mean = apply_override(mean[:, 0], by_key.get(describe_mean_map(layer).key))[:, None]
            is_overridden = ~(new_mean - mean).abs().le(ROUNDING_ERROR).all(-1)  # else each head keeps its weights
            return torch.where(is_overridden[:, None, :, None], new_mean[:, None], new_weights)

        return override_self_attention, override_cross_attention

    def annotate(self, source: Tensor, embedded: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the mask and the encoder's output (batch, source, hidden)."""
        mask = check_source(source, self.config.vocabulary)
        return mask, self.run_encoder(source, mask, attend_fused, embedded)[0]

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> TransformerEncoderOutput:
        """Encode a batch; `embedded` (batch, source, hidden) replaces the embeddings of the source tokens."""
        mask = check_source(source, self.config.vocabulary)
        h, weights = self.run_encoder(source, mask, attend_explicitly, embedded)
        return TransformerEncoderOutput(
            h, self.compute_cross_kv_caches(h), mask, tuple(cast("list[Tensor]", weights))
        )

    def compute_cross_kv_caches(self, h: Tensor) -> tuple[KVCache, ...]:
        """Return the keys and values of h (batch, source, hidden) for each decoder layer."""
        return tuple(cast("DecoderLayer", layer).cross_attention.compute_kv_cache(h) for layer in self.decoder)

    def list_recurrences(self) -> tuple[Recurrence, ...]:
        """Return (): there are no recurrent cells."""
        return ()

    def get_annotations(self, encoder_output: TransformerEncoderOutput) -> Tensor:
        return encoder_output.annotations

    def get_encoder_attention_weights(self, encoder_output: TransformerEncoderOutput) -> dict[str, Tensor]:
        """Return the encoder's self-attention weights of each head, (batch, source, source), by key."""
        is_token = encoder_output.mask[:, :, None]
        return {
            describe_encoder_map(layer, head + 1).key: weights[:, head] * is_token
            for layer, weights in enumerate(encoder_output.self_attention_weights, 1)
            for head in range(self.config.heads)
        }

    def start(self, encoder_output: TransformerEncoderOutput) -> TransformerDecoderState:
        """Return the state before the first step, without the encoder's weights, which no step needs."""
        return TransformerDecoderState(replace(encoder_output, self_attention_weights=()))

    def step(
        self,
        state: TransformerDecoderState,
        token: Tensor,
        *,
        detail: bool = False,
        overrides: AttentionOverrides | None = None,
    ) -> StepResult:
        """Run one step; `token` (batch,) is y_{i-1}, PAD at the first step. Implements `Translator.step`."""
        output = state.encoder_output
        check_token(token, len(output.mask), self.config.vocabulary)
        t, layers = self.run_decoder(
            token[:, None], state.kv_caches, output.cross_kv_caches, output.mask, attend_explicitly, overrides
        )
        weights = {key: values[:, 0] for key, values in _collect_weights(layers).items()}
        tensors = {"state": t[:, 0], "context": layers[self.main_layer - 1].context[:, 0]} if detail else {}
        next_state = TransformerDecoderState(output, tuple(layer.kv_cache for layer in layers))
        return StepResult(self.compute_log_probs(t[:, 0]), next_state, weights, tensors)

    def compute_log_probs(self, t: Tensor) -> Tensor:
        """Return log p(y_i), where p(y_i) is proportional to exp(E t): (..., hidden) -> (..., vocabulary)."""
        return torch.log_softmax(F.linear(t, self.embedding), dim=-1)

    def forward(self, source: Tensor, target: Tensor) -> TeacherForcedOutput:
        """Return log p(y_i | y_<i, x) of every step: teacher forcing."""
        check_target(source, target, self.config.vocabulary)
        output = self.encode(source)
        t, layers = self.run_decoder(shift_target(target), (), output.cross_kv_caches, output.mask, attend_explicitly)
        return TeacherForcedOutput(self.compute_log_probs(t), _collect_weights(layers), t)

    def loss(self, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
        """Return the summed negative log-likelihood of the target, in nats."""
        return compute_summed_loss(self(source, target).log_probs, target, smoothing)


def name_weights(self_attention: Sequence[Tensor], cross_attention: Sequence[Tensor]) -> dict[str, Tensor]:
    """Return the weights of every decoder head, (batch, ...), by key, from those of the layers (batch, heads, ...)."""
    by_key: dict[str, Tensor] = {}
    for layer, (self_weights, cross_weights) in enumerate(zip(self_attention, cross_attention, strict=True), 1):
        by_key[describe_mean_map(layer).key] = cross_weights.mean(1)
        for head, weights in enumerate(cross_weights.unbind(1), 1):
            by_key[describe_cross_map(layer, head).key] = weights
        for head, weights in enumerate(self_weights.unbind(1), 1):
            by_key[describe_decoder_map(layer, head).key] = weights
    return by_key


def _collect_weights(layers: list[DecoderLayerOutput]) -> dict[str, Tensor]:
    return name_weights(
        [cast("Tensor", layer.self_attention_weights) for layer in layers],
        [cast("Tensor", layer.cross_attention_weights) for layer in layers],
    )


def _broadcast_over_heads(mask: Tensor | None) -> Tensor | None:
    """Return a mask (batch, source) as (batch, 1, 1, source)."""
    return None if mask is None else mask[:, None, None]


def _rename_old_weights(_: nn.Module, state_dict: dict[str, Any], *__: object) -> None:
    """Accept checkpoints whose layers have their earlier names."""
    for name in list(state_dict):
        if (new_name := _OLD_NAME.sub(lambda match: _OLD_NAMES[match[0]], name)) != name:
            state_dict[new_name] = state_dict.pop(name)
