"""Run a network's decoder on a batch of sentences, step by step, and take the best tokens of each step."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from model.decoding.attention_override import MapOverride
from model.decoding.fast.background_compile import get_decoding_kernels
from model.decoding.fast.get_decoder import get_fast_decoder
from model.decoding.hypothesis import Array, SourceInfo, StepOutput
from model.decoding.override_rules import OverrideError
from model.decoding.overrides import Overrides
from model.decoding.settings import Settings, SettingsError
from model.decoding.stacked_weights import StackedWeights
from model.networks.base import DecoderState, StepResult, Translator
from model.networks.unknown_words import may_write_unk
from model.text.padding import pad_sequences
from model.text.vocabulary import EOS, PAD, UNK

MAX_COMPILED_COUNT = 64  # the compiled selection inserts each new token into a sorted list: slow for long lists
GROUP_SIZE = 16  # columns whose maximum is compared first


class ImpossibleTokenError(ValueError):
    """A token without a finite log-probability."""


class BatchDecoder:
    """The decoder state of a batch of sentences; `state` is the state before the next token.

    Raises as `start_decoding` does; OverrideError for an override that does not fit the network or a sentence;
    SettingsError for `beta` above 0 without attention.
    """

    def __init__(self, network: Translator, sources: Sequence[Sequence[int]], settings: Settings,
                 overrides: Sequence[Overrides] | None = None) -> None:
        self.network, self.settings = network, settings
        self.writes_unk = may_write_unk(network) and settings.unk != "avoid"
        maps = tuple(network.maps)
        self.map_keys = [description.key for description in maps]
        self.self_attention_keys = {description.key for description in maps if description.columns == "target"}
        self.normalised_keys = {description.key for description in maps if description.rows_sum_to_one}
        if settings.beta and not any(description.is_target_by_source for description in maps):
            raise SettingsError(f"beta must be 0 for a model without attention, which covers nothing: got "
                                f"{settings.beta}.")
        self.overrides: list[Overrides] | None = None
        if overrides is not None and any(overrides):
            for source, override in zip(sources, overrides, strict=True):
                override.validate(maps, len(source))
            self.overrides = [override.normalise(maps) for override in overrides]
        rules = [rule for override in self.overrides or () for rule in override.rules]
        self.previous_weights_keys = list(dict.fromkeys(rule.map_key for rule in rules if rule.kind == "before"))
        self.previous_weights: dict[str, Tensor] = {}  # of these maps, before overrides
        self.decoder, encoder_output = _encode_batch(network, sources)
        self.device = get_device(network)
        self.step_number = 0  # counts from 1
        source_maps = {key: weights.cpu().numpy()
                       for key, weights in self.decoder.get_encoder_attention_weights(encoder_output).items()}
        self.sources = [
            SourceInfo(len(source), maps, {key: weights[row, : len(source), : len(source)]
                                           for key, weights in source_maps.items()})
            for row, source in enumerate(sources)
        ]
        self.state: DecoderState = self.decoder.start(encoder_output)

    def step(self, tokens: Sequence[int], sentences: Sequence[int]) -> tuple[StepResult, StepOutput]:
        """Run one step. `tokens`: the previous token of each row; `sentences`: the sentence of each row.

        The output lists as many of the best tokens as the settings need. PAD is never among them, nor UNK unless it may
        be written; the other tokens keep the probabilities that the network gave them.
        """
        settings = self.settings
        self.step_number += 1
        overrides = self._build_step_overrides(sentences)
        result = self.decoder.step(self.state, to_index_tensor(self.device, tokens), detail=settings.detail,
                                   overrides=overrides or None)
        self.state = result.state
        self.previous_weights = {key: weights for key in self.previous_weights_keys
                                 if (weights := overrides[key].own_weights) is not None}
        count = max(settings.beam, settings.candidates)
        values, columns = _select_top_k_on_host(result.log_probs, count)
        if ((columns == PAD) | (columns == UNK) & (not self.writes_unk)).any():  # rare
            masked_log_probs = mask_forbidden_tokens(result.log_probs, self.writes_unk)
            values, columns = _select_top_k_on_host(masked_log_probs, count)
        log_probs, best_tokens = values.tolist(), columns.tolist()
        if not np.isfinite(values).all():
            if not np.isfinite(values[:, 0]).all():  # NaN sorts before every number
                raise ValueError("The network gave no usable log-probability for the next token: its weights may be "
                                 "damaged.")
            log_probs = [[value for value in row if value > -math.inf] for row in log_probs]
            best_tokens = [row[: len(finite)] for row, finite in zip(best_tokens, log_probs, strict=True)]
        return result, StepOutput(
            tokens=best_tokens,
            log_probs=log_probs,
            weights=self._stack_weights(result.weights),
            detail={name: values.cpu().numpy() for name, values in result.detail.items()} if settings.detail else {},
        )

    def get_forced_log_probs(self, result: StepResult, tokens: Mapping[int, int]) -> dict[int, float]:
        """Return the log-probabilities of forced tokens, by row of the last step.

        Raises OverrideError for a token that is impossible with the overrides; ValueError as `get_log_probs` does.
        """
        try:
            return get_log_probs(result, tokens, self.step_number)
        except ImpossibleTokenError:
            if self.overrides is None:
                raise
            raise OverrideError("With these changes the model cannot write the given token at step "
                                f"{self.step_number}: change the row or the beginning.") from None

    def _stack_weights(self, weights: Mapping[str, Tensor]) -> StackedWeights:
        """Return the weights of a step on the host."""
        if not isinstance(weights, StackedWeights):
            keys = [key for key in self.map_keys if key in weights]
            weights = StackedWeights([weights[key][:, None] for key in keys],
                                     {key: (number, 0) for number, key in enumerate(keys)})
        return weights.convert(lambda stack: stack.cpu().numpy())

    def _build_step_overrides(self, sentences: Sequence[int]) -> dict[str, MapOverride]:
        """Return the attention overrides of the current step by map key.

        Maps whose own weights the next step will need are included.
        """
        if self.overrides is None:
            return {}
        rows = [self.overrides[sentence].get_step_overrides(self.step_number) for sentence in sentences]
        source_lengths = [self.sources[sentence].length for sentence in sentences]
        target_lengths = [self.step_number] * len(sentences)
        keys = dict.fromkeys([*(key for row in rows for key in row), *self.previous_weights_keys])
        return {key: MapOverride(self.step_number, [row.get(key) for row in rows],
                                 target_lengths if key in self.self_attention_keys else source_lengths,
                                 self.previous_weights.get(key), key in self.normalised_keys) for key in keys}

    def select(self, rows: Sequence[int]) -> None:
        """Keep these rows of the batch, in this order; a row may occur several times."""
        index = to_index_tensor(self.device, rows)
        self._select_previous_weights(index)
        self.state = self.state.select(index)

    def reorder(self, rows: Sequence[int]) -> None:
        """Like `select`, but each new row comes from a row of the same sentence."""
        index = to_index_tensor(self.device, rows)
        self._select_previous_weights(index)
        self.state = self.state.reorder(index)

    def _select_previous_weights(self, rows: Tensor) -> None:
        self.previous_weights = {key: weights.index_select(0, rows) for key, weights in self.previous_weights.items()}


def start_decoding(network: Translator, sources: Sequence[Sequence[int]]) -> tuple[Translator, DecoderState]:
    """Encode sources (token ids, EOS last) as one batch. Return the fast decoder and the state before the first token.

    Raises ValueError for a source that is empty, does not end in EOS or holds PAD, and for a network in training mode.
    """
    decoder, encoder_output = _encode_batch(network, sources)
    return decoder, decoder.start(encoder_output)


def _encode_batch(network: Translator, sources: Sequence[Sequence[int]]) -> tuple[Translator, Any]:
    """Return the fast decoder and its encoder output for the padded batch."""
    if isinstance(network, nn.Module) and network.training:
        raise ValueError("The network is in training, where dropout acts: call eval() before searching.")
    for source in sources:
        if not source or source[-1] != EOS or PAD in source:
            raise ValueError(f"A source is a list of token ids that ends in EOS ({EOS}) and holds no PAD ({PAD}): "
                             f"got {list(source)[:20]}.")
    decoder = get_fast_decoder(network)
    return decoder, decoder.encode(torch.from_numpy(pad_sequences(sources)).to(get_device(network)))


def mask_forbidden_tokens(log_probs: Tensor, writes_unk: bool = False) -> Tensor:
    """Return log-probabilities (batch, vocabulary) with -inf for PAD, and for UNK unless it may be written."""
    masked = log_probs.clone()
    masked[:, [PAD] if writes_unk else [PAD, UNK]] = -math.inf
    return masked


def get_log_probs(result: StepResult, tokens: Mapping[int, int], step_number: int) -> dict[int, float]:
    """Return the log-probability of one token for each row of `tokens`.

    Raises ValueError for a token that is not in the network's vocabulary; ImpossibleTokenError for one whose
    log-probability is not finite.
    """
    if not tokens:
        return {}
    log_probs = result.log_probs
    for token in tokens.values():
        if not 0 <= token < log_probs.shape[1]:
            raise ValueError(f"Token {token} is not in the network's vocabulary of {log_probs.shape[1]} tokens.")
    rows, columns = (torch.tensor(list(part), device=log_probs.device) for part in (tokens.keys(), tokens.values()))
    values: dict[int, float] = dict(zip(tokens, log_probs[rows, columns].tolist(), strict=True))
    for row, value in values.items():
        if not math.isfinite(value):
            raise ImpossibleTokenError(f"The network gives the token {tokens[row]} at step {step_number} no usable "
                                       f"log-probability: got {value}.")
    return values


def select_top_k(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return the greatest `count` scores of each row (rows, n) and their columns, greatest first.

    Ties go to the lowest column; `torch.topk` leaves their order open. NaN comes before every number.
    """
    count = min(count, scores.shape[1])
    if (top_k := _select_top_k_compiled(scores, count)) is not None:
        return torch.from_numpy(top_k[0]), torch.from_numpy(top_k[1])
    if count == 1:
        first = torch.from_numpy(scores.cpu().numpy().argmax(1)[:, None])  # numpy takes the first of equal scores
        columns = first.to(scores.device)
        return scores.gather(1, columns), columns
    values, columns = _select_top_k_by_group(scores, min(count + 1, scores.shape[1]))  # one more, to find ties
    if bool((values[:, 1:] == values[:, :-1]).any()):
        values, columns = scores.sort(dim=1, descending=True, stable=True)
    return values[:, :count], columns[:, :count]


def _select_top_k_on_host(scores: Tensor, count: int) -> tuple[Array, Array]:
    """Return the result of `select_top_k` as numpy arrays."""
    top_k = _select_top_k_compiled(scores, min(count, scores.shape[1]))
    if top_k is None:
        values, columns = select_top_k(scores, count)
        top_k = values.cpu().numpy(), columns.cpu().numpy()
    return top_k


def _select_top_k_compiled(scores: Tensor, count: int) -> tuple[Array, Array] | None:
    """Run the compiled selection; None if it does not apply or meets NaN."""
    if count > MAX_COMPILED_COUNT or not scores.is_contiguous() or (kernels := get_decoding_kernels(scores)) is None:
        return None
    values, columns = np.empty((scores.shape[0], count), np.float32), np.empty((scores.shape[0], count), np.int64)
    return (values, columns) if kernels.select_top_k(scores.numpy(), values, columns) else None


def _select_top_k_by_group(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return `torch.topk`, faster for many columns.

    The greatest `count` scores lie in the `count` groups with the greatest maxima, or in the columns left over.
    """
    groups = scores.shape[1] // GROUP_SIZE
    if len(scores) == 1 or count * 4 > groups:
        return scores.topk(count)
    best_groups = scores[:, : groups * GROUP_SIZE].unflatten(1, (GROUP_SIZE, groups)).amax(1).topk(count).indices
    members = best_groups[:, None] + torch.arange(GROUP_SIZE, device=scores.device)[:, None] * groups
    leftover_columns = torch.arange(groups * GROUP_SIZE, scores.shape[1], device=scores.device).expand(len(scores), -1)
    columns = torch.cat([members.flatten(1), leftover_columns], dim=1)
    values, indices = scores.gather(1, columns).topk(count)
    return values, columns.gather(1, indices)


def to_index_tensor(device: torch.device, rows: Sequence[int] | Sequence[Sequence[int]]) -> Tensor:
    """Return row numbers or token ids as an int64 tensor."""
    return torch.from_numpy(np.array(rows, np.int64)).to(device)  # faster than torch.tensor on a list


def get_device(network: object) -> torch.device:
    """Return the device of the network's parameters; the CPU if it has none."""
    if isinstance(network, nn.Module):
        for parameter in network.parameters():
            return parameter.device
    return torch.device("cpu")
