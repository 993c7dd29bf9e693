"""Compare each rule's ablation with the same override applied by hand, and check that counts add up."""

from __future__ import annotations

import json

import pytest

from model.analysis.ablation.ablation import (
    RULES,
    WORD_KINDS,
    ablate_sentence,
    build_rule_overrides,
    classify_word,
    find_predicted_words,
    measure_ablation,
)
from model.analysis.ablation.effect import measure_effects
from model.analysis.ablation.word_changes import align_traces, count_unchanged
from model.decoding import Settings
from model.decoding.translate import translate_n_best
from model.serialization.codec import dump_entries
from model.text.normalise import normalise
from model.trace import MapDescription
from tests.model.analysis.ablation.test_effect import TEXT, model
from tests.model.analysis.scripted import ScriptedModel

__all__ = ["model"]


def test_each_rule_equals_its_override_applied_alone(model: ScriptedModel) -> None:
    settings = Settings(beam=3)
    result = ablate_sentence(model, TEXT, settings)
    (before,) = translate_n_best(model, TEXT, settings)
    assert result.original.target == before.target
    assert result.original.log_probability == pytest.approx(before.log_probability)
    assert [rule.name for rule in result.rules] == list(RULES)
    for rule in result.rules:
        (free,) = translate_n_best(model, TEXT, settings, overrides=rule.overrides)
        assert rule.trace.target == free.target
        assert rule.unchanged_words == count_unchanged(align_traces(before, free))
        (alone,) = measure_effects(model, TEXT, [step.id for step in before.steps], [rule.overrides])
        assert rule.log_prob_loss == pytest.approx(-sum(alone.log_prob_changes), abs=1e-6)
        assert rule.predicted_words == sum(find_predicted_words(before, alone)) <= rule.word_count
        assert rule.word_count == len(before.target.words)


def test_every_attention_head_is_overridden() -> None:
    maps = [MapDescription("cross", head=1), MapDescription("cross", head=2), MapDescription("inner", rows="source")]
    for edits in build_rule_overrides(maps).values():
        assert [rule.map_key for rule in edits.rules] == ["cross-h1", "cross-h2"]


@pytest.mark.parametrize(("word", "kind"), [("chat", "content"), ("le", "function"), (",", "punctuation"),
                                            ("1998", "number"), ("2e", "number"), ("«", "punctuation")])
def test_words_are_classified(word: str, kind: str) -> None:
    assert classify_word(word, "fr") == kind


def test_counts_add_up_and_hold_no_text(model: ScriptedModel) -> None:
    sentences = [TEXT, normalise("The cat sleeps.")]
    record = measure_ablation(model, sentences, {"name": "two", "sha256": "0" * 64}, command="a test")
    words = sum(len(ablate_sentence(model, text, Settings(candidates=0)).original.target.words) for text in sentences)
    for name in RULES:
        table = record["forced"][name]
        assert sum(table[kind][0] for kind in WORD_KINDS) == words == record["free"][name][0]
        assert all(0 <= table[kind][1] <= table[kind][0] for kind in WORD_KINDS)
        assert 0 <= record["free"][name][1] <= words
    written = dump_entries(record)
    assert json.loads(written)["data"] == {"name": "two", "sha256": "0" * 64, "sentences": 2}
    assert "cat" not in written
