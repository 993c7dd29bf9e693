"""Where a model would first have gone another way, and where to."""

from __future__ import annotations

import pytest

from model.analysis.ablation.divergence import find_divergence, find_divergence_step
from model.decoding import SearchStopped
from model.decoding.translate import SentenceError, translate_one
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from tests.model.analysis.attribution.test_saliency import a_model

TEXT = normalise("The grey cat sleeps.")


@pytest.mark.verdict
def test_it_parts_at_the_first_piece_that_is_not_the_likeliest_and_goes_on_from_there(
    tiny_vocabulary: Vocabulary,
) -> None:
    model = a_model(tiny_vocabulary)
    found = find_divergence(model, TEXT, normalise("Le chat gris dort."))
    step = found.step
    assert step is not None
    for place, one in enumerate(found.forced_trace.steps[: step + 1]):
        likeliest = max(one.candidates, key=lambda candidate: candidate.log_probability)
        assert (likeliest.id == one.id) == (place < step)
    assert found.continuation is not None
    ids = [one.id for one in found.forced_trace.steps]
    assert [one.id for one in found.continuation.steps[:step]] == ids[:step]
    assert found.continuation.steps[step].id == found.forced_trace.steps[step].candidates[0].id
    assert found.continuation.steps[step].id != ids[step]


def test_from_its_own_translation_it_never_parts(tiny_vocabulary: Vocabulary) -> None:
    assert find_divergence_step(translate_one(a_model(tiny_vocabulary), TEXT)) is None


def test_an_empty_translation_is_refused(tiny_vocabulary: Vocabulary) -> None:
    with pytest.raises(SentenceError, match="empty"):
        find_divergence(a_model(tiny_vocabulary), TEXT, normalise(""))


@pytest.mark.parametrize("steps", [0, 3])
def test_it_stops_while_the_translation_is_read(steps: int, tiny_vocabulary: Vocabulary) -> None:
    asked: list[int] = []

    def stopped() -> bool:
        asked.append(len(asked))
        return len(asked) > steps

    with pytest.raises(SearchStopped):
        find_divergence(a_model(tiny_vocabulary), TEXT, normalise("Le chat gris dort."), stopped)
    assert len(asked) == steps + 1
