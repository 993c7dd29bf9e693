"""Compare the measured effect of overrides with the network run one row at a time."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from model.analysis.ablation.effect import Effect, measure_effects
from model.decoding import OverrideRule, Overrides
from model.decoding.attention_override import MapOverride
from model.networks.rnnsearch import ATTENTION
from model.text.normalise import normalise
from model.text.vocabulary import EOS, PAD
from tests.model.analysis.scripted import ScriptedModel
from tests.word_models import build_copying_network, train_word_vocabulary

TEXT = normalise("The old dog runs in the garden.")
TOKEN_IDS = [7, 12, 9, 9, 20, EOS]


def measure_one(model: ScriptedModel, edits: Overrides) -> Effect:
    (effect,) = measure_effects(model, TEXT, TOKEN_IDS, [edits])
    return effect


def compute_distributions(model: ScriptedModel, rule: OverrideRule | None) -> list[torch.Tensor]:
    """Return the log-probabilities at each of TOKEN_IDS, the attention rows replaced by a rule."""
    ids = model.vocabulary.encode(TEXT)
    state, log_probs = model.network.start(model.network.encode(torch.tensor([ids]))), []
    for step, previous in enumerate([PAD, *TOKEN_IDS[:-1]], 1):
        override = {} if rule is None else {ATTENTION.key: MapOverride(step, [rule], [len(ids)], None)}
        result = model.network.step(state, torch.tensor([previous]), overrides=override)
        state = result.state
        log_probs.append(result.log_probs[0].detach())
    return log_probs


@pytest.mark.verdict
@pytest.mark.parametrize("rule", [OverrideRule("attention", "uniform"), OverrideRule("attention", "max"),
                                  OverrideRule("attention", "never", positions=(2,))])
def test_effect_equals_the_networks_own_distributions(model: ScriptedModel, rule: OverrideRule) -> None:
    measured = measure_one(model, Overrides(rules=(rule,)))
    original_log_probs = compute_distributions(model, None)
    overridden_log_probs = compute_distributions(model, rule)
    for step, token in enumerate(TOKEN_IDS):
        assert measured.log_probs_before[step] == pytest.approx(float(original_log_probs[step][token]), abs=1e-9)
        assert measured.log_probs_after[step] == pytest.approx(float(overridden_log_probs[step][token]), abs=1e-9)
        difference = original_log_probs[step] - overridden_log_probs[step]
        expected = float((original_log_probs[step].exp() * difference).sum())
        assert measured.kl_divergence[step] == pytest.approx(expected, abs=1e-9)
        assert measured.is_most_likely[step] == (int(overridden_log_probs[step].argmax()) == token)
        assert measured.log_prob_changes[step] == measured.log_probs_after[step] - measured.log_probs_before[step]
    assert max(measured.kl_divergence) > 1e-5
    late_effect = measure_one(model, Overrides(rules=(replace(rule, first_step=3),)))
    assert late_effect.kl_divergence[:2] == pytest.approx([0.0, 0.0], abs=1e-12)
    assert late_effect.kl_divergence[2] > 0


def test_effect_of_an_impossible_token_is_finite(sentences: list[tuple[str, str]], tmp_path: Path) -> None:
    """An unknown word can only be copied, which these overrides forbid."""
    vocabulary = train_word_vocabulary(sentences, tmp_path)
    model = ScriptedModel(vocabulary, build_copying_network(vocabulary))
    text, overrides = normalise("Zyzzyva reads."), Overrides.from_text("attention@*:never=1")
    (effect,) = measure_effects(model, text, [len(vocabulary), EOS], [overrides])
    assert effect.log_probs_after[0] < -80 < effect.log_probs_before[0]
    assert all(map(math.isfinite, (*effect.log_prob_changes, *effect.kl_divergence)))


def test_a_forced_prefix_is_ignored(model: ScriptedModel) -> None:
    measured = measure_one(model, Overrides(prefix=(9, 9)))
    assert measured.log_prob_changes == pytest.approx([0.0] * len(TOKEN_IDS), abs=1e-12)


@pytest.mark.parametrize("token_ids", [[], [PAD], [EOS, EOS], [5, EOS, 5]])
def test_token_ids_that_are_no_translation_are_refused(model: ScriptedModel, token_ids: list[int]) -> None:
    with pytest.raises(ValueError, match="A translation is a list of token ids"):
        measure_effects(model, TEXT, token_ids, [Overrides()])
