"""Numbers inside the attention of shipped networks, for the pictures of the page Concepts.

Everything is read from the reference networks (`model.networks`), one sentence at a time. Rows of matrices are target
tokens (T), columns source tokens (S), EOS included. A translation is greedy, or forced where `target` gives token ids.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from model.analysis.probing.attention_record import (
    TEMPERATURES,
    WINDOW_DISTANCES,
    Array,
    CopySplit,
    DecodedTranslation,
    Retrieval,
    ScoredTranslation,
    WindowTranslations,
)
from model.analysis.probing.decoder_steps import DecoderStep, iterate_steps
from model.decoding.batch_decoder import get_device
from model.decoding.detail import BLOCKS
from model.decoding.settings import Settings
from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.decoding.translate import SentenceError, TranslationModel, prepare_source
from model.networks.coverage import CoverageRNNsearch
from model.networks.luong import Luong
from model.networks.rnnsearch import ATTENTION, RNNsearch
from model.networks.transformer import Transformer, describe_cross_map
from model.text.normalise import NormalisedText
from model.text.vocabulary import EOS, PAD
from model.trace import Side

MAX_SOURCE, MAX_TARGET = 61, 80  # tokens with EOS; a picture of more is unreadable


@torch.inference_mode()
def measure_retrieval(model: TranslationModel, text: NormalisedText, should_stop: StopCallback) -> Retrieval:
    """Translate with RNNsearch, and ask at each step what would follow at other temperatures."""
    network = cast("RNNsearch", model.network)
    encoded = _encode(model, text)
    steps = _decode(model, encoded, should_stop)
    return Retrieval(
        **_build_sides(model, text, steps),
        queries=_average_blocks(torch.cat([_get_query(network, step) for step in steps])),
        keys=_average_blocks(cast("Tensor", encoded.keys)[0]),
        values=_average_blocks(encoded.annotations[0]),
        energies=_to_array(torch.cat([step.result.detail["energies"] for step in steps])),
        predictions=tuple(_predict_at_temperatures(model, step) for step in steps),
    )


def _predict_at_temperatures(model: TranslationModel, step: DecoderStep) -> tuple[tuple[str, float], ...]:
    energies = step.result.detail["energies"]
    weights = torch.cat([weigh_at_temperature(energies, temperature) for temperature in TEMPERATURES])
    state = step.state.select(torch.zeros(len(weights), dtype=torch.int64, device=weights.device))
    previous = torch.full((len(weights),), step.previous, device=weights.device)
    result = model.network.step(state, previous, overrides={ATTENTION.key: weights})
    best = result.log_probs.max(-1)
    return tuple((model.vocabulary.id_to_piece(int(token)), math.exp(float(value)))
                 for value, token in zip(best.values, best.indices, strict=True))  # fmt: skip


def weigh_at_temperature(energies: Tensor, temperature: float) -> Tensor:
    """Return softmax(e / temperature) along the last axis; all weight on the best one at 0."""
    if temperature == 0.0:
        return torch.nn.functional.one_hot(energies.argmax(-1), energies.shape[-1]).to(energies.dtype)
    return torch.softmax(energies / temperature, dim=-1)


@torch.inference_mode()
def measure_additive_scores(
    model: TranslationModel, text: NormalisedText, should_stop: StopCallback
) -> ScoredTranslation:
    """Translate with RNNsearch; return its scores, and those of `concat` with the same matrices side by side."""
    network = cast("RNNsearch", model.network)
    encoded = _encode(model, text)
    steps = _decode(model, encoded, should_stop)
    s, h = torch.cat([_get_query(network, step) for step in steps]), encoded.annotations[0]
    pairs = torch.cat([s[:, None].expand(-1, len(h), -1), h[None].expand(len(s), -1, -1)], dim=-1)
    concat = torch.tanh(pairs @ torch.cat([network.W_a, network.U_a], dim=1).T) @ network.v_a
    energies = torch.cat([step.result.detail["energies"] for step in steps])
    scores = {"additive": _to_array(energies), "concat": _to_array(concat)}
    return ScoredTranslation(**_build_sides(model, text, steps), scores=scores)


@torch.inference_mode()
def measure_luong_scores(
    model: TranslationModel, text: NormalisedText, should_stop: StopCallback, target: Sequence[int] | None = None
) -> ScoredTranslation:
    """Return the scores of Luong's network, by their name, and those of the products that need no parameters."""
    network = cast("Luong", model.network)
    encoded = _encode(model, text)
    steps = _decode(model, encoded, should_stop, target)
    s = torch.cat([step.result.detail["state"] for step in steps])
    dot = _to_array(s @ encoded.annotations[0].T)
    energies = _to_array(torch.cat([step.result.detail["energies"] for step in steps]))
    scores = {"dot": dot, "scaled dot": dot / math.sqrt(s.shape[1]), network.config.score: energies}
    return ScoredTranslation(**_build_sides(model, text, steps), scores=scores)


@torch.inference_mode()
def measure_head_weights(
    model: TranslationModel, text: NormalisedText, should_stop: StopCallback, target: Sequence[int]
) -> dict[int, Array]:
    """Return the cross-attention weights (T, S) of each head, from 1, in the Transformer's main layer."""
    network = cast("Transformer", model.network)
    steps = _decode(model, _encode(model, text), should_stop, target)
    keys = {head: describe_cross_map(network.main_layer, head).key for head in range(1, network.config.heads + 1)}
    return {head: _to_array(torch.cat([step.result.weights[key] for step in steps])) for head, key in keys.items()}


@torch.inference_mode()
def translate_in_windows(
    model: TranslationModel, text: NormalisedText, should_stop: StopCallback
) -> WindowTranslations:
    """Translate with Luong's network, trained globally, in local windows of each of WINDOW_DISTANCES at every step."""
    count = len(WINDOW_DISTANCES)
    device = get_device(model.network)
    distances = torch.tensor(WINDOW_DISTANCES, device=device).repeat(2)  # rows: local-m, then local-p
    is_predictive = torch.arange(2 * count, device=device) >= count
    encoded = _encode(model, text)
    state = model.network.start(encoded).select(torch.zeros(2 * count, dtype=torch.int64, device=device))
    tokens, rows = torch.full((2 * count,), PAD, device=device), []
    for step in range(1, _get_max_length(encoded) + 1):
        raise_if_stopped(should_stop)

        def limit(alpha: Tensor, step: int = step) -> Tensor:
            centers = torch.where(is_predictive, alpha.argmax(-1) + 1, min(step, alpha.shape[-1]))
            return limit_to_windows(alpha, centers, distances, is_predictive)

        result = model.network.step(state, tokens, overrides={ATTENTION.key: limit})
        tokens, state = result.log_probs.argmax(-1), result.state
        rows.append(tokens)
        if bool((torch.stack(rows) == EOS).any(0).all()):
            break
    sides = tuple(_build_target(model, row) for row in torch.stack(rows, dim=1).tolist())
    return WindowTranslations(sides[:count], sides[count:])


def limit_to_windows(alpha: Tensor, centers: Tensor, distances: Tensor, is_gaussian: Tensor) -> Tensor:
    """Return the weights of local windows from those of global attention (rows, source), a window for each row.

    The softmax over a window is the global one divided by its sum there. Rows with a Gaussian are not renormalised.
    """
    offsets = torch.arange(1, alpha.shape[-1] + 1, device=alpha.device) - centers[:, None]
    window_alpha = alpha * (offsets.abs() <= distances[:, None])
    weights = window_alpha / window_alpha.sum(-1, keepdim=True).clamp_min(torch.finfo(alpha.dtype).tiny)
    gaussian = torch.exp(-2 * (offsets / distances[:, None]).square()).to(alpha.dtype)
    return torch.where(is_gaussian[:, None], weights * gaussian, weights)


def _build_target(model: TranslationModel, token_ids: list[int]) -> Side:
    end = token_ids.index(EOS) + 1 if EOS in token_ids else len(token_ids)
    return model.vocabulary.build_side(token_ids[:end], model.languages[1])


@torch.inference_mode()
def translate_without_feeding(
    model: TranslationModel, text: NormalisedText, should_stop: StopCallback
) -> DecodedTranslation:
    """Translate with Luong's network, with zeros in place of s~ as input of every step."""

    def zero_fed_vector(state: Any) -> Any:
        return replace(state, attentional=torch.zeros_like(state.attentional))

    steps = _decode(model, _encode(model, text), should_stop, change_state=zero_fed_vector)
    return DecodedTranslation(**_build_sides(model, text, steps))


@torch.inference_mode()
def translate_greedily(model: TranslationModel, text: NormalisedText, should_stop: StopCallback) -> DecodedTranslation:
    """Translate with any network."""
    return DecodedTranslation(**_build_sides(model, text, _decode(model, _encode(model, text), should_stop)))


@torch.inference_mode()
def split_copying(model: TranslationModel, text: NormalisedText, should_stop: StopCallback) -> CopySplit:
    """Translate with a pointer-generator, and split the probability of each token."""
    assert cast("CoverageRNNsearch", model.network).config.copying
    steps = _decode(model, _encode(model, text), should_stop)
    p_gen = _to_array(torch.cat([step.result.detail["p_gen"][:, 0] for step in steps]))
    alpha = _to_array(torch.cat([step.result.weights[ATTENTION.key] for step in steps]))
    ids = np.array(prepare_source(model, text).ids)
    copied = (1 - p_gen) * np.array([row[ids == step.token].sum() for row, step in zip(alpha, steps, strict=True)])
    return CopySplit(**_build_sides(model, text, steps), p_gen=p_gen, alpha=alpha, copied=copied)


def _encode(model: TranslationModel, text: NormalisedText) -> Any:
    """Encode a sentence. Raises SentenceError if it is empty or has more than MAX_SOURCE tokens."""
    ids = prepare_source(model, text).ids
    if len(ids) > MAX_SOURCE:
        raise SentenceError("pieces", len(ids) - 1, MAX_SOURCE - 1)
    return model.network.encode(torch.tensor([ids], device=get_device(model.network)))


def _get_max_length(encoded: Any) -> int:
    """Return the tokens that search allows a translation, at most MAX_TARGET."""
    return min(MAX_TARGET, Settings().compute_max_target_length(encoded.mask.shape[1]))


def _decode(
    model: TranslationModel, encoded: Any, should_stop: StopCallback, target: Sequence[int] | None = None,
    change_state: Callable[[Any], Any] = lambda state: state,
) -> list[DecoderStep]:  # fmt: skip
    """Return the steps up to EOS, without `target` at most `_get_max_length`."""
    steps = iterate_steps(model.network, encoded, should_stop, target, change_state)
    return list(steps if target is not None else islice(steps, _get_max_length(encoded)))


def _get_query(network: RNNsearch, step: DecoderStep) -> Tensor:
    """Return the state (1, n) that attended."""
    return step.result.detail["state"] if network.config.wiring == "groundhog" else step.state.s


def _build_sides(model: TranslationModel, text: NormalisedText, steps: Sequence[DecoderStep]) -> dict[str, Any]:
    """Return the fields of DecodedTranslation."""
    token_ids, sentence = tuple(step.token for step in steps), prepare_source(model, text)
    return {
        "source": sentence.side,
        "target": model.vocabulary.build_side(token_ids, model.languages[1], sentence.unknown_words),
        "token_ids": token_ids,
        "probabilities": np.exp([float(step.result.log_probs[0, step.token]) for step in steps]),
    }


def _average_blocks(values: Tensor) -> Array:
    """Return the means of at most BLOCKS blocks of neighbouring units, (..., units) -> (..., blocks)."""
    blocks = np.array_split(_to_array(values), min(BLOCKS, values.shape[-1]), axis=-1)
    return np.stack([block.mean(axis=-1) for block in blocks], axis=-1)


def _to_array(values: Tensor) -> Array:
    return values.detach().cpu().numpy().astype(np.float64)
