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
from model.analysis.ablation.effect import Effect, measure_effects
from model.analysis.ablation.word_changes import align_traces, count_unchanged
from model.decoding import Settings
from model.decoding.translate import translate_n_best
from model.serialization.codec import dump_entries
from model.text.normalise import normalise
from model.trace import END_PIECE, MapDescription, Side
from tests.model.analysis.ablation.test_effect import TEXT
from tests.model.analysis.scripted import ScriptedModel
from tests.model.analysis.traces import build_side, build_trace


def test_each_rule_equals_its_override_applied_alone(model: ScriptedModel) -> None:
    settings = Settings(beam=3)
    result = ablate_sentence(model, TEXT, settings)
    (original,) = translate_n_best(model, TEXT, settings)
    assert result.original.target == original.target
    assert result.original.log_probability == pytest.approx(original.log_probability)
    assert [rule.name for rule in result.rules] == list(RULES)
    for rule in result.rules:
        (free,) = translate_n_best(model, TEXT, settings, overrides=rule.overrides)
        assert rule.trace.target == free.target
        assert rule.unchanged_words == count_unchanged(align_traces(original, free))
        (effect,) = measure_effects(model, TEXT, [step.id for step in original.steps], [rule.overrides])
        assert rule.log_prob_loss == pytest.approx(-sum(effect.log_prob_changes), abs=1e-6)
        assert rule.predicted_words == sum(find_predicted_words(original, effect)) <= rule.word_count
        assert rule.word_count == len(original.target.words)


def test_every_attention_head_is_overridden() -> None:
    maps = [MapDescription("cross", head=1), MapDescription("cross", head=2), MapDescription("inner", rows="source")]
    for edits in build_rule_overrides(maps).values():
        assert [rule.map_key for rule in edits.rules] == ["cross-h1", "cross-h2"]


@pytest.mark.parametrize(("word", "kind"), [("chat", "content"), ("le", "function"), (",", "punctuation"),
                                            ("1998", "number"), ("2e", "number"), ("«", "punctuation")])
def test_words_are_classified(word: str, kind: str) -> None:
    assert classify_word(word, "fr") == kind


def test_a_word_is_predicted_if_all_its_tokens_are() -> None:
    target = Side("bonjour toi", ("bonjour", "toi"), ("▁bon", "jour", "▁toi", END_PIECE), (0, 0, 1, -1))
    trace = build_trace(build_side("hello", "you"), target, None)
    for is_most_likely, expected in (((True, False, True, False), [False, True]),
                                     ((True, True, False, True), [True, False])):
        effect = Effect((-1.0,) * 4, (-1.0,) * 4, (0.0,) * 4, is_most_likely)
        assert find_predicted_words(trace, effect) == expected


def test_counts_add_up_and_hold_no_text(model: ScriptedModel) -> None:
    sentences = [TEXT, normalise("The cat sleeps.")]
    record = measure_ablation(model, sentences, {"name": "two", "sha256": "0" * 64}, command="a test")
    ablations = [ablate_sentence(model, text, Settings(candidates=0)) for text in sentences]
    words = sum(len(ablation.original.target.words) for ablation in ablations)
    for name, results in zip(RULES, zip(*(ablation.rules for ablation in ablations), strict=True), strict=True):
        table = record["forced"][name]
        assert sum(table[kind][0] for kind in WORD_KINDS) == words == record["free"][name][0]
        assert sum(table[kind][1] for kind in WORD_KINDS) == sum(result.predicted_words for result in results)
        word_of = [word for ablation in ablations for word in ablation.original.target.word_of]
        log_prob_changes = [change for result in results for change in result.effect.log_prob_changes]
        lost_nats = -sum(change for change, word in zip(log_prob_changes, word_of, strict=True) if word >= 0)
        assert sum(table[kind][2] for kind in WORD_KINDS) == pytest.approx(1000 * lost_nats, abs=4)
        assert record["free"][name][1] == sum(result.unchanged_words for result in results)
    assert any(counts[1] < counts[0] for table in record["forced"].values() for counts in table.values())
    content = dump_entries(record)
    assert json.loads(content)["data"] == {"name": "two", "sha256": "0" * 64, "sentences": 2}
    assert "cat" not in content
