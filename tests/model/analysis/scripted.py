"""A scripted translator, whose outputs and scores can be worked out by hand, and a random one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch
from torch import Tensor

from model.networks.base import AttentionOverrides, StepResult
from model.networks.rnnsearch import RNNsearchConfig
from model.text.normalise import normalise
from model.text.vocabulary import EOS, PAD, Vocabulary
from model.trace import MapDescription
from tests.networks import build_network

Key = tuple[int, ...]


@dataclass(frozen=True)
class ScriptedState:
    """Which source each row has, and the step it is at."""
    keys: tuple[Key, ...]  # of each row its source
    position: int
    columns: int  # source pieces of the batch, padding included

    def select(self, rows: Tensor) -> ScriptedState:
        return ScriptedState(tuple(self.keys[row] for row in rows.tolist()), self.position, self.columns)

    reorder = select


@dataclass
class ScriptedNetwork:
    """A network that gives token i of the scripted answer probability 0.5 at step i; the others share the rest.

    A source without an answer never ends: it repeats `filler`. `compute_attention` gives a row's attention weights
    (source tokens,) at a step; without it they are uniform.
    """

    vocabulary: int
    answers: dict[Key, list[int]]
    filler: int
    compute_attention: Callable[[Key, int], list[float]] | None = None
    batches: list[int] = field(default_factory=list)  # how many sentences each encoding had
    maps: ClassVar[tuple[MapDescription, ...]] = (MapDescription("attention"),)

    def get_encoder_attention_weights(self, encoder_output: ScriptedState) -> dict[str, Tensor]:
        return {}

    def encode(self, source: Tensor) -> ScriptedState:
        self.batches.append(len(source))
        keys = tuple(tuple(piece for piece in row if piece != PAD) for row in source.tolist())
        return ScriptedState(keys, 0, source.shape[1])

    def start(self, encoder_output: ScriptedState) -> ScriptedState:
        return encoder_output

    def step(
        self, state: ScriptedState, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None
    ) -> StepResult:
        rest_log_prob = math.log(0.5 / (self.vocabulary - 1))
        values = torch.full((len(state.keys), self.vocabulary), rest_log_prob, dtype=torch.float64)
        weights = torch.zeros(len(state.keys), state.columns, dtype=torch.float64)
        for row, key in enumerate(state.keys):
            answer = self.answers.get(key, [])
            next_token = answer[state.position] if state.position < len(answer) else EOS if answer else self.filler
            values[row, next_token] = math.log(0.5)
            uniform = [1 / len(key)] * len(key)
            row_weights = self.compute_attention(key, state.position) if self.compute_attention else uniform
            weights[row, : len(key)] = torch.tensor(row_weights, dtype=torch.float64)
        return StepResult(values, ScriptedState(state.keys, state.position + 1, state.columns), {"attention": weights})


@dataclass(frozen=True)
class ScriptedModel:
    """A model as the translation functions need it."""

    vocabulary: Vocabulary
    network: Any
    name: str = "scripted"
    fingerprint: str = "0123456789ab"
    languages: tuple[str, str] = ("en", "fr")


def build_scripted_model(
    vocabulary: Vocabulary, translations: dict[str, str],
    compute_attention: Callable[[Key, int], list[float]] | None = None,
) -> ScriptedModel:
    """Return a model with scripted translations."""
    filler = vocabulary.encode(normalise("a"))[0]
    answers = {tuple(vocabulary.encode(normalise(source))): vocabulary.encode(normalise(output))
               for source, output in translations.items()}
    return ScriptedModel(vocabulary, ScriptedNetwork(len(vocabulary), answers, filler, compute_attention))


def build_random_model(vocabulary: Vocabulary, kind: str = "rnnsearch", seed: int = 4) -> ScriptedModel:
    """Return a model with random float64 weights large enough to matter, whose translations are short."""
    torch.manual_seed(seed)
    network = build_network(RNNsearchConfig(kind, len(vocabulary), 6, 7, 5, 4)).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(0.0, 1 / parameter.shape[-1] ** 0.5)
    return ScriptedModel(vocabulary, network)
