"""Check omissions, additions, drift and glosses with the shipped lexicon, on Traces made by hand."""

from dataclasses import replace

import pytest

from model.analysis.errors.differences import find_errors
from model.analysis.errors.meaning import find_meaning_errors, gloss_words, has_lexicon
from model.trace import Trace, WeightMap
from tests.model.analysis.errors.test_differences import build_trace


def mark_errors(
    source: str, target: str, attended: tuple[int | None, ...] | None = None
) -> tuple[list[str], list[str]]:
    """Return the omitted words of the source and the added ones of the target."""
    trace = build_trace(target, attended, source)
    result = find_meaning_errors(trace)
    assert result is not None
    return [trace.source.words[word] for word in result.omissions], [
        trace.target.words[word] for word in result.additions
    ]


def test_paraphrased_words_are_no_omissions() -> None:
    assert mark_errors("the cat sleeps in the kitchen .", "le chat dort dans la cuisine .") == ([], [])
    assert mark_errors("the cat sleeps on the old chair .", "le chat s' est endormi sur le vieux fauteuil .") == (
        [],
        [],
    )
    assert mark_errors("the children were playing .", "les enfants jouaient .") == ([], [])


@pytest.mark.parametrize(("source", "target", "omissions", "additions"), [
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
def test_grammar_and_idioms_are_no_errors(source: str, target: str, omissions: str, additions: str) -> None:
    assert mark_errors(source, target) == (omissions.split(), additions.split())


def test_omissions_and_additions_are_marked() -> None:
    assert mark_errors("the black cat sleeps on the old chair .", "le chat noir a une voiture .") == (
        ["sleeps", "old", "chair"], ["voiture"])  # fmt: skip


def test_an_unknown_word_is_an_addition_only_if_all_source_words_are_known() -> None:
    assert mark_errors("the cat sleeps .", "le chat grombule .") == (["sleeps"], ["grombule"])
    assert mark_errors("the zyxomat sleeps .", "le grombule dort .") == ([], [])


def test_a_changed_name_is_an_omission_and_an_addition() -> None:
    assert mark_errors("my cat Jisoo sleeps .", "mon chat Johanneo dort .") == (["Jisoo"], ["Johanneo"])
    assert mark_errors("my cat Jisoo sleeps .", "mon chat Jisoo dort .") == ([], [])
    assert mark_errors("my cat sleeps in Lisbon .", "mon chat dort à Lisbonne .") == ([], [])
    assert mark_errors("my cat Jisoo sleeps .", "mon chat Johanneo dort .", (0, 1, 2, 3, 4)) == (
        ["Jisoo"],
        ["Johanneo"],
    )
    assert mark_errors("Zyxomat sleeps .", "Grombule dort .") == ([], [])  # the capital is the sentence's
    assert mark_errors("MY CAT JISOO SLEEPS .", "MON CHAT JOHANNEO DORT .") == ([], [])


def test_an_unknown_word_unlike_any_translation_is_an_addition() -> None:
    assert mark_errors("the cat sleeps .", "le chat grombule dort .", (0, 1, 2, 2, 3)) == ([], ["grombule"])
    assert mark_errors("the cat sleeps .", "le chat dormassait dort .", (0, 1, 2, 2, 3)) == (
        [],
        [],
    )  # it may be of "dormir"
    assert mark_errors("the zyxomat sleeps .", "le grombule dort .", (0, 1, 2, 3)) == (
        [],
        [],
    )  # a rare word for a rare word


def test_a_word_attending_to_an_omission_is_an_addition() -> None:
    assert mark_errors("the cat sleeps .", "le chat voiture .", (0, 1, 2, 3)) == (["sleeps"], ["voiture"])
    assert mark_errors("a man reads a book .", "un homme en train de lire un livre .", (0, 1, 2, 2, 2, 2, 3, 4, 5)) == (
        [],
        [],
    )


def test_additions_do_not_depend_on_the_shown_map() -> None:
    one = build_trace("le boulanger dort .", (0, 0, 2, 3), "the house sleeps .")
    other = build_trace("le boulanger dort .", (0, 1, 2, 3), "the house sleeps .")
    heads = (
        WeightMap("attention", one.get_map().values, head=1),
        WeightMap("attention", other.get_map().values, head=2),
    )
    result = [find_meaning_errors(replace(one, maps=maps, shown=shown)) for maps in (heads, heads[::-1])
             for shown in ("attention-h1", "attention-h2")]  # fmt: skip
    assert all(result)
    assert result[0] == result[1] != result[2] == result[3]


def test_an_attended_word_may_be_an_omission() -> None:
    assert mark_errors("the black cat sleeps .", "le chat dort .", (0, 1, 3, 4)) == (["black"], [])
    assert mark_errors("the black cat sleeps .", "le chat dort .", (1, 1, 1, 1)) == (["black"], [])


@pytest.mark.verdict
def test_an_unrelated_paragraph_is_drift() -> None:
    source = "the fishermen of our region have waited for two years for the help that the government promised them ."
    empty = find_meaning_errors(
        build_trace("la politique commune est une condition importante de la paix et du progrès .", None, source)
    )
    assert empty is not None
    assert len(empty.additions) >= 5
    assert empty.last_followed == -1
    target = "les pêcheurs de notre région ont la politique commune et une condition importante de la paix ."
    drifting = build_trace(target, None, source)
    result = find_meaning_errors(drifting)
    assert result is not None
    assert result.last_followed is not None
    assert drifting.target.words[result.last_followed] == "région"
    whole = "les pêcheurs de notre région attendent depuis deux ans l' aide que le gouvernement leur a promise ."
    assert find_meaning_errors(build_trace(whole, None, source)).last_followed is None  # type: ignore[union-attr]


def test_one_repeated_match_is_drift() -> None:
    trace = build_trace("le chat chat chat chat chat chat .", None, "the cat sleeps on the old chair .")
    result = find_meaning_errors(trace)
    assert result is not None
    assert result.last_followed == 1


def test_other_languages_have_no_lexicon() -> None:
    korean: Trace = replace(build_trace("le chat ."), languages=("ko", "fr"))
    assert find_meaning_errors(korean) is gloss_words(korean) is None
    assert not has_lexicon(korean)
    assert has_lexicon(build_trace("le chat ."))


def test_a_gloss_is_the_paired_word_or_the_likeliest_translation() -> None:
    trace = build_trace("le fauteuil dort , grombule 20 .", None, "the Chair sleeping , 20 .")
    assert gloss_words(trace) == ("the", "Chair", "sleeping", ",", "", "20", ".")
    assert gloss_words(build_trace("chaise", None, "a cat")) == ("chair",)


def test_source_synonyms_allow_repetition() -> None:
    for source, target in (("the boys would be tired and the girls would be sad .",
                            "les garçons seraient fatigués et les filles seraient tristes ."),
                           ("she is taller and older than him .", "elle est plus grande et plus âgée que lui .")):
        assert find_errors(build_trace(target, None, source)).repetitions == ()
