"""What examples are there for, on Traces made by hand: what shows it, and what just fails to."""

import pytest

from model.gallery import example_criteria
from model.trace import Trace
from tests.model.analysis.errors.test_differences import build_trace

SOURCE = "the black old cat sleeps ."
PLAIN = build_trace("le chat dort .", None, SOURCE)


def attending(target: str, looks: tuple[int, ...], source: str = SOURCE) -> Trace:
    return build_trace(target, looks, source)


def test_an_order_is_turned_round_where_three_words_come_out_backwards() -> None:
    assert example_criteria.reverses_word_order(attending("le chat vieux noir dort .", (0, 3, 2, 1, 4, 5)), PLAIN)
    assert not example_criteria.reverses_word_order(attending("le vieux chat noir dort .", (0, 2, 3, 1, 4, 5)), PLAIN)
    assert not example_criteria.reverses_word_order(
        attending("le chat vieux voiture dort .", (0, 3, 2, 1, 4, 5)), PLAIN
    )  # and one is lost


def test_two_articles_wait_for_their_nouns() -> None:
    source = "the cat and the dog ."
    both = attending("le chat et le chien .", (1, 1, 2, 4, 4, 5), source)
    assert example_criteria.has_articles_attending_to_nouns(both, PLAIN)
    assert not example_criteria.has_articles_attending_to_nouns(
        attending("le chat et le chien .", (0, 1, 2, 4, 4, 5), source), PLAIN
    )


def test_a_phrase_is_longer_where_three_words_look_at_one() -> None:
    source = "he eats potatoes ."
    assert example_criteria.expands_one_word(attending("il mange pommes de terre .", (0, 1, 2, 2, 2, 3), source), PLAIN)
    assert not example_criteria.expands_one_word(
        attending("il mange pommes de terre .", (0, 1, 2, 3, 2, 3), source), PLAIN
    )
    assert not example_criteria.expands_one_word(
        attending("il mange pommes pommes pommes .", (0, 1, 2, 2, 2, 3), source), PLAIN
    )


@pytest.mark.parametrize(
    ("other", "shown"),
    [
        ("le chat noir mange du poisson et la politique commune est une condition importante .", True),
        ("le chat noir mange du poisson et le chien dort sur une vieille chaise .", False),  # it follows to the end
        ("la politique commune est une condition importante de la paix .", False),  # it never had the thread
    ],
)
def test_a_sentence_is_outgrown_where_only_the_other_model_loses_the_thread(other: str, shown: bool) -> None:
    source = "the black cat eats fish and the dog sleeps on an old chair ."
    target = "le chat noir mange du poisson et le chien dort sur une vieille chaise ."
    one = build_trace(target, (0, 2, 1, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13), source)
    assert example_criteria.exceeds_one_vector(one, build_trace(other, None, source)) is shown
    assert not example_criteria.exceeds_one_vector(build_trace(other, (0,) * len(other.split()), source), one) or not shown
