"""Find the first step at which a model prefers another token."""

from __future__ import annotations

import pytest

from model.analysis.ablation.divergence import find_difference, find_divergence, find_divergence_step
from model.decoding.translate import SentenceError, translate_sentence
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from tests.model.analysis.scripted import build_random_model

TEXT = normalise("The grey cat sleeps.")


@pytest.mark.verdict
def test_divergence_is_the_first_token_that_is_not_the_most_likely(tiny_vocabulary: Vocabulary) -> None:
    model = build_random_model(tiny_vocabulary)
    result = find_divergence(model, TEXT, normalise("Le chat gris dort."))
    step = result.step
    assert step is not None
    for index, forced in enumerate(result.forced_trace.steps[: step + 1]):
        best = max(forced.candidates, key=lambda candidate: candidate.log_probability)
        assert (best.id == forced.id) == (index < step)
    assert result.continuation is not None
    ids = [forced.id for forced in result.forced_trace.steps]
    assert [generated.id for generated in result.continuation.steps[:step]] == ids[:step]
    assert result.continuation.steps[step].id == result.forced_trace.steps[step].candidates[0].id
    assert result.continuation.steps[step].id != ids[step]


def test_its_own_translation_has_no_divergence_and_an_empty_one_is_refused(tiny_vocabulary: Vocabulary) -> None:
    assert find_divergence_step(translate_sentence(build_random_model(tiny_vocabulary), TEXT)) is None
    with pytest.raises(SentenceError, match="empty"):
        find_divergence(build_random_model(tiny_vocabulary), TEXT, normalise(""))


@pytest.mark.parametrize(
    ("second", "step"), [((3, 4, 6, 1), 2), ((3, 4, 5, 1), None), ((3, 4), 2), ((3, 4, 5, 1, 2), 4)]
)
def test_translations_differ_at_the_first_other_or_missing_token(second: tuple[int, ...], step: int | None) -> None:
    assert find_difference((3, 4, 5, 1), second) == step
