"""Compare teacher forcing with single translations, and distributions of next tokens with numpy float64."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from model.analysis.probing import next_tokens
from model.analysis.probing.next_token_record import TEMPERATURES
from model.analysis.probing.next_tokens import list_next_tokens
from model.analysis.probing.teacher_forcing import compare_teacher_forcing
from model.decoding import SearchStopped
from model.decoding.translate import prepare_source, translate_sentence
from model.text.normalise import normalise
from tests.model.analysis.probing.test_nearest_words import TEXT

TARGET = normalise("Le vieux chien court.")


@pytest.mark.verdict
@pytest.mark.parametrize("model", ["rnnsearch"], indirect=True)
def test_next_tokens_sum_to_one_at_every_temperature(
    model: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(next_tokens, "MAX_LISTED_TOKENS", 5)
    trace = translate_sentence(model, TEXT)
    found = list_next_tokens(model, trace)
    target = [step.id for step in trace.steps]
    with torch.no_grad():
        source = torch.tensor([prepare_source(model, TEXT).ids])
        log_probs = model.network(source, torch.tensor([target])).log_probs[0].numpy()
    assert len(found) == len(target)
    for step, row in zip(found, log_probs, strict=True):
        order = np.argsort(-row, kind="stable")
        assert step.tokens == tuple(model.vocabulary.id_to_piece(int(token)) for token in order[:5])
        np.testing.assert_allclose(step.log_probs, row[order[:5]], atol=1e-9)
        assert step.rest_count == len(row) - 5
        expected = [np.log(np.exp(row[order[5:]] / temperature).sum()) for temperature in TEMPERATURES]
        np.testing.assert_allclose(step.rest_log_sums, expected, atol=1e-9)
    with pytest.raises(SearchStopped):
        list_next_tokens(model, trace, lambda: True)


@pytest.mark.parametrize("model", ["rnnsearch", "seq2seq"], indirect=True)
def test_each_part_of_a_given_translation_is_continued_as_alone(model: SimpleNamespace) -> None:
    result = compare_teacher_forcing(model, TEXT, TARGET)
    given = [step.id for step in result.forced_trace.steps]
    assert result.forced_trace.target.text == TARGET
    assert len(result.continuations) == len(given)  # none, each token, and not "</s>"
    for count, trace in enumerate(result.continuations):
        alone = translate_sentence(model, TEXT, prefix=given[:count])
        assert trace.target == alone.target
        assert [step.id for step in trace.steps[:count]] == given[:count]
    for count in (0, 1, 5):
        late = replace(result, continuations=result.continuations[count:])
        other = [step.id for step in late.continuations[0].steps]
        differences = (place for place, pair in enumerate(zip(given, other, strict=False)) if pair[0] != pair[1])
        assert late.first_difference == next(differences) >= count
    assert replace(result, continuations=(result.forced_trace,)).first_difference is None
