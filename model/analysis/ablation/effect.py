"""Measure what overrides change at each step while both runs generate the same tokens.

Two free translations diverge at the first changed word, and later steps are not comparable. Here the network is forced
to generate one given translation, with and without the overrides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.decoding import Overrides, StopCallback
from model.decoding.translate import TranslationModel, prepare_source
from model.text.normalise import NormalisedText
from model.text.vocabulary import EOS, PAD


@dataclass(frozen=True)
class Effect:
    """What overrides change at each token of a given translation.

    Attributes:
        log_probs_before: log-probabilities of the tokens without the overrides, in nats.
        log_probs_after: the same with the overrides; about -103 for a token that they make impossible.
        kl_divergence: KL(without || with) of the next-token distributions, in nats, at least 0.
        is_most_likely: whether the token is the most likely one with the overrides.
    """

    log_probs_before: tuple[float, ...]
    log_probs_after: tuple[float, ...]
    kl_divergence: tuple[float, ...]
    is_most_likely: tuple[bool, ...]

    @property
    def log_prob_changes(self) -> tuple[float, ...]:
        """Log-probability with the overrides minus without them, per token, in nats."""
        return tuple(after - before for before, after
                     in zip(self.log_probs_before, self.log_probs_after, strict=True))  # fmt: skip


def measure_effects(
    model: TranslationModel,
    text: NormalisedText,
    token_ids: Sequence[int],
    overrides: Sequence[Overrides],
    should_stop: StopCallback | None = None,
) -> list[Effect]:
    """Measure each of several overrides on one translation of a text, all in one batch.

    `token_ids` ends with EOS or has none. Forced prefixes in `overrides` are ignored.

    Raises:
        SentenceError: the text cannot be translated.
        OverrideError: the overrides do not fit.
        ValueError: the token ids are no translation or are impossible.
        SearchStopped: `should_stop` returned true.
    """
    from model.analysis.ablation.effect_computation import compute_effects  # imports torch, which pages load late

    if not token_ids or PAD in token_ids or EOS in token_ids[:-1]:
        raise ValueError(f"A translation is a list of token ids without PAD ({PAD}), with EOS ({EOS}) at its end or "
                         f"not at all: got {list(token_ids)[:20]}.")
    source_ids = prepare_source(model, text).ids
    log_probs, divergences, most_likely = compute_effects(model.network, source_ids, token_ids, overrides, should_stop)
    return [Effect(tuple(log_probs[0]), tuple(log_probs_after), tuple(values), tuple(flags))
            for log_probs_after, values, flags in zip(log_probs[1:], divergences, most_likely, strict=True)]
