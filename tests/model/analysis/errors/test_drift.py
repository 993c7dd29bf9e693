"""Check where a translation drifts, on known words."""

from model.analysis.errors.drift import measure_drift
from model.text.words import split_words


def split_french(text: str) -> list[str]:
    return [text[start:end] for start, end in split_words(text, "fr")]


REFERENCE = split_french("les vieux pêcheurs de la côte demandent que le port reste ouvert demain.")
CONTENT_WORDS = ["vieux", "pêcheurs", "côte", "demandent", "port", "reste", "ouvert", "demain"]


def test_a_complete_translation_has_no_drift() -> None:
    result = measure_drift(REFERENCE, REFERENCE, "fr")
    assert [REFERENCE[place] for place in result.content_words] == CONTENT_WORDS
    assert result.matches == result.content_words
    assert (result.is_complete, result.last_followed, result.found_share) == (True, None, 1.0)


def test_drift_starts_where_matches_end() -> None:
    output = split_french("les pêcheurs de la côte demandent des écoles et encore des écoles.")
    result = measure_drift(REFERENCE, output, "fr")
    assert [None if place is None else output[place] for place in result.matches] == [
        None, "pêcheurs", "côte", "demandent", None, None, None, None
    ]  # fmt: skip
    assert result.followed_count == 4
    assert result.last_followed == output.index("demandent")
    assert result.found_share == 3 / 8


def test_a_chance_match_at_the_end_does_not_undo_drift() -> None:
    output = split_french("les vieux pêcheurs de la côte ont une école et une école demain.")
    assert measure_drift(REFERENCE, output, "fr").followed_count == 3


def test_forms_match_and_each_word_only_once() -> None:
    reference, output = map(split_french, ("le port ouvert et le port fermé", "un port qui est ouverte"))
    assert measure_drift(reference, output, "fr").matches == (1, 4, None, None)
