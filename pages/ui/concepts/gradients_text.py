"""Sentences about curves of gradients by distance, made of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.analysis.attribution.gradient_record import Array, Gradients, fit_decay_factor
from pages.ui.charts.payload_parts import build_word_labels
from pages.ui.concepts.token_labels import label_tokens
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal

MIN_STATES = 5  # encoder states; fewer distances are not described
DECAY_THRESHOLD = 0.5  # share of the gradient that must remain over the sentence; with less it has decayed


@dataclass(frozen=True)
class TitledGradients:
    """One model's gradients, its title and its target language."""

    title: str
    gradients: Gradients
    language: str


@dataclass(frozen=True)
class RemainingGradient:
    """The share of the gradient that remains over all distances, by an exponential fit."""

    title: str
    share: float


def describe_curves(models: Sequence[TitledGradients], t: Messages) -> list[str]:
    """Describe the curves of the whole translation, then of each target word."""
    if not models:
        return []
    curves = [model.gradients.compute_word_decay_curves(model.gradients.total) for model in models]
    words = [
        build_word_labels(
            model.gradients.target, model.language, t("gradients.end") if -1 in model.gradients.target.word_of else ""
        )
        for model in models
    ]
    positions = range(max(map(len, words)))
    return [describe_everything(models, t), *(_describe_word(models, curves, words, index, t) for index in positions)]


def describe_everything(models: Sequence[TitledGradients], t: Messages) -> str:
    """Say in which encoders the gradient decays, and which decoders bridge the distance by attention."""
    long = [model for model in models if len(model.gradients.remaining_steps) >= MIN_STATES]
    recurrent = [remaining for model in long if (remaining := _measure_recurrence(model))]
    direct = [remaining for model in long if (remaining := _measure_attention(model))]
    if not recurrent and not direct:
        return t("gradients.short", least=MIN_STATES)
    sentences = [t("gradients.left")]
    decayed, stable = split_by_decay(recurrent)
    if decayed:
        sentences.append(t("gradients.falls", list=_format_list(decayed, t)))
    if stable:
        sentences.append(t("gradients.stays", list=_format_list(stable, t)))
    decayed, stable = split_by_decay(direct)
    if stable:
        sentences.append(t("gradients.bridged", list=_format_list(stable, t)))
    if decayed:
        sentences.append(t("gradients.unbridged", list=_format_list(decayed, t)))
    return " ".join(sentences)


def _measure_recurrence(model: TitledGradients) -> RemainingGradient | None:
    """Return what remains through the recurrence of a unidirectional encoder; None for others.

    In a bidirectional encoder each position is first for one direction and last for the other: it has no distance.
    """
    gradients = model.gradients
    is_bidirectional = any(gates.side == "encoder" and gates.direction == 2 for gates in gradients.gates)
    return _fit(model, gradients.total) if gradients.is_recurrent and not is_bidirectional else None


def _measure_attention(model: TitledGradients) -> RemainingGradient | None:
    """Return what remains through attention alone; None without attention."""
    return None if model.gradients.direct is None else _fit(model, model.gradients.direct)


def _fit(model: TitledGradients, values: Array) -> RemainingGradient | None:
    factor = fit_decay_factor(model.gradients.compute_decay_curve(values))
    if factor is None:
        return None
    return RemainingGradient(model.title, factor ** (len(model.gradients.remaining_steps) - 1))


def split_by_decay(gradients: Sequence[RemainingGradient]) -> tuple[list[RemainingGradient], list[RemainingGradient]]:
    """Separate decayed gradients from stable ones, by the digits that are shown."""
    decayed_gradients = [gradient for gradient in gradients if round(gradient.share, 2) < DECAY_THRESHOLD]
    return decayed_gradients, [gradient for gradient in gradients if gradient not in decayed_gradients]


def _format_list(gradients: Sequence[RemainingGradient], t: Messages) -> str:
    return ", ".join(
        t("gradients.kept", model=gradient.title, left=format_factor(gradient.share)) for gradient in gradients
    )


def format_factor(factor: float) -> str:
    """Format a factor with at least two significant digits; a small one is never shown as 0."""
    if factor >= 10:
        return f"{factor:,.0f}"
    return "<0.001" if 0 < factor < 0.0005 else format_decimal(factor, 1 if factor >= 1 else 2 if factor >= 0.1 else 3)


def _describe_word(
    models: Sequence[TitledGradients],
    curves: Sequence[Sequence[Array]],
    words: Sequence[Sequence[str]],
    index: int,
    t: Messages,
) -> str:
    """Say which source token each model's target word at `index` depends on most."""
    sentences = []
    for model, own_curves, own_words in zip(models, curves, words, strict=True):
        if index >= len(own_words):
            sentences.append(t("gradients.unwritten", model=model.title, count=len(own_words)))
            continue
        distance = int(np.argmax(own_curves[index + 1]))
        piece = label_tokens(model.gradients.source, t)[model.gradients.positions_by_distance[distance]]
        sentences.append(t("gradients.hangs", model=model.title, word=own_words[index], piece=piece, distance=distance))
    return " ".join(sentences)
