"""Payloads of the ideas about attention: score functions, coverage, copied words, input feeding."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.analysis.probing.attention_record import (
    TEMPERATURES,
    CopySplit,
    DecodedTranslation,
    Retrieval,
    ScoredTranslation,
)
from model.trace import Side, WeightMap
from pages.ui.concepts import copying, coverage, input_feeding, retrieval, scores
from pages.ui.concepts.attention_parts import describe_hours_and_bleu
from pages.ui.concepts.context import IdeaContext
from pages.ui.i18n.messages import LANGUAGES, load_messages
from tests.traces import make_trace

T = load_messages("en")
SOURCE = Side("I am here", ("I", "am", "here"), ("▁I", "▁am", "▁he", "re", "</s>"), (0, 1, 2, 2, -1))
TARGET = Side("je suis", ("je", "suis"), ("▁je", "▁su", "is", "</s>"), (0, 1, 1, -1))
ENERGIES = np.random.default_rng(1).normal(size=(4, 5))
PROBABILITIES = np.full(4, 0.5)


def scored(**functions: np.ndarray) -> ScoredTranslation:
    return ScoredTranslation(SOURCE, TARGET, (3, 4, 5, 1), PROBABILITIES, functions)


@pytest.mark.verdict
def test_scores_are_relative_to_the_best_and_say_what_was_trained() -> None:
    weights = scores.compute_weights(ENERGIES)
    heads = {1: weights[::-1], 2: weights, 3: np.full((4, 5), 0.2)}
    products = {"dot": ENERGIES, "scaled dot": ENERGIES / 2, "general": 3 * ENERGIES}
    payload = scores.build_scores_payload(
        ["rnnsearch-50", "luong-50", "transformer-50"], scored(additive=ENERGIES, concat=ENERGIES + 1e-6),
        scored(**products), heads, T)  # fmt: skip
    trained = {form["name"]: form["is_trained"] for form in payload["forms"]}
    assert trained == {"additive": True, "concat": True, "general": True, "dot": False, "scaled_formula": False,
                       "scaled_head": True}  # fmt: skip
    assert payload["source"] == ["I", "am", "he", "·re", "end"]
    for form in payload["forms"]:
        np.testing.assert_allclose(np.max(form["energies"], axis=1), 0)
    by_name = {form["name"]: np.array(form["energies"]) for form in payload["forms"]}
    np.testing.assert_allclose(np.exp(by_name["scaled_head"]) / np.exp(by_name["scaled_head"]).sum(1)[:, None],
                               weights, atol=1e-3)  # fmt: skip
    assert "Head 2 of 3" in payload["forms"][-1]["note"]
    assert "at most 1e-06" in payload["forms"][1]["note"]


def test_infinity_is_sent_as_null() -> None:
    predictions = ((("▁je", 0.5), ("re", 0.25), ("</s>", 0.1)),)
    record = Retrieval(SOURCE, TARGET, (3, 4, 5, 1), PROBABILITIES, ENERGIES, ENERGIES, ENERGIES, ENERGIES, predictions)
    payload = retrieval.build_retrieval_payload("rnnsearch-50", record, T)
    assert payload["temperatures"] == [*TEMPERATURES[:-1], None]
    assert payload["predictions"] == [[("je", 0.5), ("·re", 0.25), ("end", 0.1)]]
    assert payload["units"] == (384, 768)


@pytest.mark.parametrize(("token_ids", "first_difference"), [((3, 4, 7, 1), 2), ((3, 4, 5, 1), -1)])
def test_first_token_that_changes_without_input_feeding(token_ids: tuple[int, ...], first_difference: int) -> None:
    translation, unfed_translation = (
        DecodedTranslation(SOURCE, TARGET, ids, PROBABILITIES) for ids in ((3, 4, 5, 1), token_ids)
    )
    names = ("rnnsearch-50", "luong-50")
    payload = input_feeding.build_feeding_payload(names, make_trace(), translation, unfed_translation, T)
    assert payload["first_difference"] == first_difference


def test_coverage_sums_attention_by_word_and_fertility_divides_it() -> None:
    rng = np.random.default_rng(2)
    trace = make_trace()
    alpha = rng.random((len(trace.target.pieces), len(trace.source.pieces)))
    alpha /= alpha.sum(axis=1, keepdims=True)
    fertility = 0.2 + rng.random((alpha.shape[1],))
    coverage_before = np.vstack([np.zeros(alpha.shape[1]), alpha.cumsum(axis=0)[:-1] / fertility])
    np.testing.assert_allclose(coverage.estimate_fertility(alpha, coverage_before), fertility)
    assert coverage.estimate_fertility(np.zeros((2, 3)), np.zeros((2, 3))).tolist() == [0, 0, 0]

    maps = (WeightMap("attention", alpha.astype(np.float32)),
            WeightMap("coverage", coverage_before.astype(np.float32), rows_sum_to_one=False))  # fmt: skip
    plain, covered = coverage.build_coverage_payload([replace(trace, maps=maps[:1]), replace(trace, maps=maps)],
                                                     T)["models"]  # fmt: skip
    words = np.array(trace.source.word_of)
    for step, row in enumerate(plain["coverage_by_step"]):
        expected = [alpha[:step, words == word].sum() for word in range(len(trace.source.words))]
        np.testing.assert_allclose(np.array(row), expected, atol=1e-4)
    assert plain["fertility"] == []
    needed = [fertility[words == word].sum() for word in range(len(trace.source.words))]
    np.testing.assert_allclose(np.array(covered["fertility"]), needed, atol=1e-3)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("The old president met her.", "Oyelaran", ("president", "The old Oyelaran met her.")),
        ("The Kowalczyk met the prime minister.", "Oyelaran", ("Kowalczyk", "The Oyelaran met the prime minister.")),
        ("The Oyelaran met her.", "Oyelaran", ("", "The Oyelaran met her.")),
        ("...", "Oyelaran", ("", "...")),
    ],
)
def test_a_rare_name_replaces_the_longest_word_or_another_rare_name(
    text: str, name: str, expected: tuple[str, str]
) -> None:
    assert copying.replace_word(text, name, "en") == expected


def test_a_sentence_too_long_to_be_translated_is_not_replaced_by_its_beginning(
    open_app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(IdeaContext, "measure", lambda *_: None)

    def list_keys(sentence: str) -> set[str]:
        return {str(button.key) for button in open_app("concepts", idea="copying", sentence=sentence).button}

    assert "copying-Kowalczyk" in list_keys("The president met her.")
    assert "copying-Kowalczyk" not in list_keys("president " * 250)


def test_copied_parts_are_rounded_and_rows_of_attention_kept() -> None:
    alpha = np.full((4, 5), 0.2)
    split = CopySplit(SOURCE, TARGET, (3, 4, 5, 1), PROBABILITIES, PROBABILITIES / 3, alpha, PROBABILITIES / 7)
    payload = copying.build_copying_payload("copy-50", split, T)
    assert payload["copied"] == [0.0714] * 4
    assert payload["alpha"] == [[0.2] * 5] * 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_training_of_each_model_is_stated(language: str) -> None:
    text = describe_hours_and_bleu(["rnnsearch-50", "luong-50", "missing"], load_messages(language))
    assert "RNNsearch-50" in text
    assert "Luong-50" in text
    assert text.count("newstest2014") == 2
