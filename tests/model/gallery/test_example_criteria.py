"""Criteria of the opening examples, on Traces that just meet or just miss them."""

from __future__ import annotations

import pytest

from model.gallery import example_criteria
from model.gallery.example_criteria import Criterion
from tests.model.analysis.errors.test_differences import build_trace

BLACK_CAT, TWO_NOUNS, POTATOES = "the black old cat sleeps .", "the cat and the dog .", "he eats potatoes ."
REVERSES, ARTICLES, EXPANDS = (
    example_criteria.reverses_word_order, example_criteria.has_articles_attending_to_nouns,
    example_criteria.expands_one_word)
LONG_SOURCE = "the black cat eats fish and the dog sleeps on an old chair ."
LONG_TARGET = "le chat noir mange du poisson et le chien dort sur une vieille chaise ."


@pytest.mark.parametrize(("criterion", "source", "target", "attended", "expected"), [
    (REVERSES, BLACK_CAT, "le chat vieux noir dort .", (0, 3, 2, 1, 4, 5), True),
    (REVERSES, BLACK_CAT, "le vieux chat noir dort .", (0, 2, 3, 1, 4, 5), False),
    (REVERSES, BLACK_CAT, "le chat vieux voiture dort .", (0, 3, 2, 1, 4, 5), False),  # omits a word
    (ARTICLES, TWO_NOUNS, "le chat et le chien .", (1, 1, 2, 4, 4, 5), True),
    (ARTICLES, TWO_NOUNS, "le chat et le chien .", (0, 1, 2, 4, 4, 5), False),  # one article attends to an article
    (EXPANDS, POTATOES, "il mange pommes de terre .", (0, 1, 2, 2, 2, 3), True),
    (EXPANDS, POTATOES, "il mange pommes de terre .", (0, 1, 2, 3, 2, 3), False),
    (EXPANDS, POTATOES, "il mange pommes pommes pommes .", (0, 1, 2, 2, 2, 3), False),  # not different words
])
def test_criteria_of_one_trace(criterion: Criterion, source: str, target: str, attended: tuple[int, ...],
                               expected: bool) -> None:
    assert criterion(build_trace(target, attended, source), build_trace("le chat dort .", None, source)) is expected


@pytest.mark.parametrize(("other_target", "expected"), [
    ("le chat noir mange du poisson et la politique commune est une condition importante .", True),
    ("le chat noir mange du poisson et le chien dort sur une vieille chaise .", False),  # faithful to the end
    ("la politique commune est une condition importante de la paix .", False),  # never faithful
])
def test_sentence_exceeds_one_vector_if_only_the_other_model_diverges(other_target: str, expected: bool) -> None:
    trace = build_trace(LONG_TARGET, (0, 2, 1, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13), LONG_SOURCE)
    assert example_criteria.exceeds_one_vector(trace, build_trace(other_target, None, LONG_SOURCE)) is expected
    if expected:
        diverging = build_trace(other_target, (0,) * len(other_target.split()), LONG_SOURCE)
        assert not example_criteria.exceeds_one_vector(diverging, trace)
