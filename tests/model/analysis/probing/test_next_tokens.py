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
    distributions = list_next_tokens(model, trace)
    target = [step.id for step in trace.steps]
    with torch.no_grad():
        source = torch.tensor([prepare_source(model, TEXT).ids])
        log_probs = model.network(source, torch.tensor([target])).log_probs[0].numpy()
    assert len(distributions) == len(target)
    for step, row in zip(distributions, log_probs, strict=True):
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
    token_ids = [step.id for step in result.forced_trace.steps]
    assert result.forced_trace.target.text == TARGET
    assert len(result.continuations) == len(token_ids)  # none, each token, and not "</s>"
    for count, trace in enumerate(result.continuations):
        single_translation = translate_sentence(model, TEXT, prefix=token_ids[:count])
        assert trace.target == single_translation.target
        assert [step.id for step in trace.steps[:count]] == token_ids[:count]
    for count in (0, 1, 5):
        late_result = replace(result, continuations=result.continuations[count:])
        continued_ids = [step.id for step in late_result.continuations[0].steps]
        pairs = zip(token_ids, continued_ids, strict=False)
        differences = (place for place, pair in enumerate(pairs) if pair[0] != pair[1])
        assert late_result.first_difference == next(differences) >= count
    assert replace(result, continuations=(result.forced_trace,)).first_difference is None
