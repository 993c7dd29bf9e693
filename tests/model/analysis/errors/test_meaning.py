"""Check omissions, additions, drift and glosses with the shipped lexicon, on Traces made by hand."""

from dataclasses import replace

import pytest

from model.analysis.errors.differences import find_errors
from model.analysis.errors.meaning import find_meaning_errors, gloss_words, has_lexicon
from model.trace import WeightMap
from tests.model.analysis.errors.test_differences import build_trace


def mark_errors(
    source: str, target: str, attended: tuple[int | None, ...] | None = None
) -> tuple[list[str], list[str]]:
    """Return the omitted words of the source and the added ones of the target."""
    trace = build_trace(target, attended, source)
    result = find_meaning_errors(trace)
    assert result is not None
    omissions = [trace.source.words[word] for word in result.omissions]
    return omissions, [trace.target.words[word] for word in result.additions]


@pytest.mark.parametrize(("source", "target", "omissions", "additions"), [
    ("the black cat sleeps on the old chair .", "le chat noir a une voiture .", "sleeps old chair", "voiture"),
    ("the cat sleeps on the old chair .", "le chat s' est endormi sur le vieux fauteuil .", "", ""),
    ("the children were playing .", "les enfants jouaient .", "", ""),
    ("the cat sleeps .", "le chat grombule .", "sleeps", "grombule"),
    ("the zyxomat sleeps .", "le grombule dort .", "", ""),  # an unknown word may translate an unknown one
    ("my cat Jisoo sleeps .", "mon chat Johanneo dort .", "Jisoo", "Johanneo"),
    ("my cat Jisoo sleeps .", "mon chat Jisoo dort .", "", ""),
    ("my cat sleeps in Lisbon .", "mon chat dort à Lisbonne .", "", ""),
    ("Zyxomat sleeps .", "Grombule dort .", "", ""),  # the capital is the sentence's
    ("MY CAT JISOO SLEEPS .", "MON CHAT JOHANNEO DORT .", "", ""),
    ("he knows how to drive .", "il sait conduire .", "", ""),
    ("Good morning , the cat sleeps .", "Bonjour , le chat dort .", "", ""),
    ("the good cat sleeps .", "le chat dort .", "good", ""),
    ("the train leaves at half past three .", "le train part à trois heures et demie .", "", ""),
    ("I walked past a cat .", "j' ai un chat .", "walked past", ""),
    ("my breakfast was good .", "mon petit déjeuner était bon .", "", ""),
    ("my cat was good .", "mon petit chat était bon .", "", "petit"),
    ("how old is the cat ?", "le chat dort ?", "how old", "dort"),
    ("we had coffee .", "nous avons pris du café .", "", ""),
    ("we had a house .", "nous avons pris une maison .", "", "pris"),
    ("the oldest cat sleeps .", "le plus vieux chat dort .", "", ""),
    ("the old cat sleeps .", "le plus vieux chat dort .", "", "plus"),
    ("my father eats .", "mon père ne mange plus .", "", "plus"),
    ("there is no bread left .", "il n' y a plus de pain .", "", ""),
    ("Julie is twelve years old .", "Julie a douze ans .", "", ""),
    ("it is hot .", "il fait chaud .", "", ""),
    ("the cat of the zyxomat .", "chat .", "", ""),
])  # fmt: skip
def test_omissions_and_additions_without_attention(source: str, target: str, omissions: str, additions: str) -> None:
    assert mark_errors(source, target) == (omissions.split(), additions.split())


@pytest.mark.parametrize(("source", "target", "attended", "omissions", "additions"), [
    ("the cat sleeps .", "le chat grombule dort .", (0, 1, 2, 2, 3), "", "grombule"),
    ("the cat sleeps .", "le chat dormassait dort .", (0, 1, 2, 2, 3), "", ""),  # it may be of "dormir"
    ("the zyxomat sleeps .", "le grombule dort .", (0, 1, 2, 3), "", ""),  # a rare word for a rare word
    ("my cat Jisoo sleeps .", "mon chat Johanneo dort .", (0, 1, 2, 3, 4), "Jisoo", "Johanneo"),
    ("the cat sleeps .", "le chat voiture .", (0, 1, 2, 3), "sleeps", "voiture"),
    ("a man reads a book .", "un homme en train de lire un livre .", (0, 1, 2, 2, 2, 2, 3, 4, 5), "", ""),
    ("the black cat sleeps .", "le chat dort .", (1, 1, 1, 1), "black", ""),  # attended, and omitted all the same
    ("the squirrel sleeps .", "l' UNK dort .", (0, 1, 2, 3), "squirrel", ""),
])  # fmt: skip
def test_omissions_and_additions_with_attention(
    source: str, target: str, attended: tuple[int, ...], omissions: str, additions: str
) -> None:
    assert mark_errors(source, target, attended) == (omissions.split(), additions.split())


def test_additions_do_not_depend_on_the_shown_map() -> None:
    first_trace = build_trace("le boulanger dort .", (0, 0, 2, 3), "the house sleeps .")
    second_trace = build_trace("le boulanger dort .", (0, 1, 2, 3), "the house sleeps .")
    heads = tuple(WeightMap("attention", trace.get_map().values, head=head)
                  for head, trace in ((1, first_trace), (2, second_trace)))
    result = [find_meaning_errors(replace(first_trace, maps=maps, displayed_map_key=key))
              for maps in (heads, heads[::-1])
              for key in ("attention-h1", "attention-h2")]  # fmt: skip
    assert all(result)
    assert result[0] == result[1] != result[2] == result[3]


@pytest.mark.verdict
def test_an_unrelated_paragraph_is_drift() -> None:
    source = "the fishermen of our region have waited for two years for the help that the government promised them ."
    for target, last_followed in (
        ("la politique commune est une condition importante de la paix et du progrès .", -1),
        ("les pêcheurs de notre région ont la politique commune et une condition importante de la paix .", 4),
        ("les pêcheurs de notre région attendent depuis deux ans l' aide que le gouvernement leur a promise .", None),
    ):
        assert find_errors(build_trace(target, None, source)).last_followed == last_followed
    repeating = build_trace("le chat chat chat chat chat chat .", None, "the cat sleeps on the old chair .")
    assert find_errors(repeating).last_followed == 1


def test_a_gloss_is_the_paired_word_or_the_likeliest_translation() -> None:
    trace = build_trace("le fauteuil dort , grombule 20 .", None, "the Chair sleeping , 20 .")
    assert gloss_words(trace) == ("the", "Chair", "sleeping", ",", "", "20", ".")
    assert gloss_words(build_trace("chaise", None, "a cat")) == ("chair",)
    korean = replace(trace, languages=("ko", "fr"))
    assert find_meaning_errors(korean) is gloss_words(korean) is None
    assert has_lexicon(trace) > has_lexicon(korean)


def test_korean_words_are_glossed_by_their_stems_and_not_marked() -> None:
    trace = build_trace("나는 어제 도서관에서 책을 읽었습니다 .", None, "I read a book yesterday .")
    trace = replace(trace, languages=("en", "ko"))
    assert gloss_words(trace) == ("I", "yesterday", "library", "book", "read", ".")
    assert find_meaning_errors(trace) is None
    assert not has_lexicon(trace)
