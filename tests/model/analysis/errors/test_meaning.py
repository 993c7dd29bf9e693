"""Lost, invented, the thread, and what words likely mean: by the shipped lexicon, on Traces made by hand."""

from dataclasses import replace

import pytest

from model.analysis.errors.differences import find_errors
from model.analysis.errors.meaning import find_meaning_errors, gloss_words, has_lexicon
from model.trace import Trace, WeightMap
from tests.model.analysis.errors.test_differences import made


def told(source: str, target: str, looks: tuple[int | None, ...] | None = None) -> tuple[list[str], list[str]]:
    """The lost words of the source and the invented ones of the target."""
    trace = made(target, looks, source)
    found = find_meaning_errors(trace)
    assert found is not None
    return [trace.source.words[word] for word in found.omissions], [
        trace.target.words[word] for word in found.additions
    ]


def test_what_stands_in_other_words_is_not_lost() -> None:
    assert told("the cat sleeps in the kitchen .", "le chat dort dans la cuisine .") == ([], [])
    assert told("the cat sleeps on the old chair .", "le chat s' est endormi sur le vieux fauteuil .") == ([], [])
    assert told("the children were playing .", "les enfants jouaient .") == ([], [])


def test_what_french_leaves_unsaid_is_not_lost() -> None:
    assert told("he knows how to drive .", "il sait conduire .") == ([], [])
    assert told("How to drive ?", "conduire ?") == ([], [])
    assert told("Good morning , the cat sleeps .", "Bonjour , le chat dort .") == ([], [])
    assert told("the good cat sleeps .", "le chat dort .")[0] == ["good"]
    assert told("the train leaves at half past three .", "le train part à trois heures et demie .") == ([], [])
    assert told("I walked past a cat .", "j' ai un chat .")[0] == ["walked", "past"]
    assert told("my breakfast was good .", "mon petit déjeuner était bon .") == ([], [])
    assert told("my cat was good .", "mon petit chat était bon .") == ([], ["petit"])
    assert told("how old is the cat ?", "le chat dort ?")[0] == ["how", "old"]


def test_what_compares_is_not_invented_where_the_source_compares_by_an_ending() -> None:
    assert told("the oldest cat sleeps .", "le plus vieux chat dort .") == ([], [])
    assert told("the old cat sleeps .", "le plus vieux chat dort .") == ([], ["plus"])


def test_every_lost_word_is_lost_and_every_invented_one_invented() -> None:
    lost, invented = told("the black cat sleeps on the old chair .", "le chat noir a une voiture .")
    assert lost == ["sleeps", "old", "chair"]
    assert invented == ["voiture"]


def test_small_words_and_unknown_ones_are_never_lost() -> None:
    assert told("the cat of the zyxomat .", "chat .") == ([], [])


def test_a_word_nobody_knows_is_invented_only_where_it_can_translate_nothing() -> None:
    assert told("the cat sleeps .", "le chat grombule .") == (["sleeps"], ["grombule"])
    assert told("the zyxomat sleeps .", "le grombule dort .") == ([], [])


def test_a_name_that_came_out_as_another_is_lost_and_the_other_invented() -> None:
    assert told("my cat Jisoo sleeps .", "mon chat Johanneo dort .") == (["Jisoo"], ["Johanneo"])
    assert told("my cat Jisoo sleeps .", "mon chat Jisoo dort .") == ([], [])
    assert told("my cat sleeps in Lisbon .", "mon chat dort à Lisbonne .") == ([], [])
    assert told("my cat Jisoo sleeps .", "mon chat Johanneo dort .", (0, 1, 2, 3, 4)) == (["Jisoo"], ["Johanneo"])
    assert told("Zyxomat sleeps .", "Grombule dort .") == ([], [])  # the capital is the sentence's
    assert told("MY CAT JISOO SLEEPS .", "MON CHAT JOHANNEO DORT .") == ([], [])


def test_breakfast_may_be_taken_in_french() -> None:
    assert told("we had coffee .", "nous avons pris du café .") == ([], [])
    assert told("we had a house .", "nous avons pris une maison .") == ([], ["pris"])


def test_a_model_that_attends_invents_what_nobody_knows_and_begins_like_no_translation() -> None:
    assert told("the cat sleeps .", "le chat grombule dort .", (0, 1, 2, 2, 3)) == ([], ["grombule"])
    assert told("the cat sleeps .", "le chat dormassait dort .", (0, 1, 2, 2, 3)) == ([], [])  # it may be of "dormir"
    assert told("the zyxomat sleeps .", "le grombule dort .", (0, 1, 2, 3)) == ([], [])  # a rare word for a rare word


def test_a_model_that_attends_invents_what_it_writes_while_it_looks_at_a_lost_word() -> None:
    assert told("the cat sleeps .", "le chat voiture .", (0, 1, 2, 3)) == (["sleeps"], ["voiture"])
    assert told("a man reads a book .", "un homme en train de lire un livre .", (0, 1, 2, 2, 2, 2, 3, 4, 5)) == ([], [])


def test_whatever_map_is_shown_the_same_words_are_invented() -> None:
    one = made("le boulanger dort .", (0, 0, 2, 3), "the house sleeps .")
    other = made("le boulanger dort .", (0, 1, 2, 3), "the house sleeps .")
    heads = (
        WeightMap("attention", one.get_map().values, head=1),
        WeightMap("attention", other.get_map().values, head=2),
    )
    found = [find_meaning_errors(replace(one, maps=maps, shown=shown)) for maps in (heads, heads[::-1])
             for shown in ("attention-h1", "attention-h2")]  # fmt: skip
    assert all(found)
    assert found[0] == found[1] != found[2] == found[3]


def test_what_a_model_looked_at_may_be_lost_all_the_same() -> None:
    assert told("the black cat sleeps .", "le chat dort .", (0, 1, 3, 4)) == (["black"], [])
    assert told("the black cat sleeps .", "le chat dort .", (1, 1, 1, 1)) == (["black"], [])


@pytest.mark.verdict
def test_a_paragraph_out_of_thin_air_has_lost_the_thread() -> None:
    source = "the fishermen of our region have waited for two years for the help that the government promised them ."
    empty = find_meaning_errors(
        made("la politique commune est une condition importante de la paix et du progrès .", None, source)
    )
    assert empty is not None
    assert len(empty.additions) >= 5
    assert empty.last_followed == -1
    target = "les pêcheurs de notre région ont la politique commune et une condition importante de la paix ."
    drifting = made(target, None, source)
    found = find_meaning_errors(drifting)
    assert found is not None
    assert found.last_followed is not None
    assert drifting.target.words[found.last_followed] == "région"
    whole = "les pêcheurs de notre région attendent depuis deux ans l' aide que le gouvernement leur a promise ."
    assert find_meaning_errors(made(whole, None, source)).last_followed is None  # type: ignore[union-attr]


def test_one_word_of_the_source_is_no_thread_for_ever() -> None:
    found = find_meaning_errors(made("le chat chat chat chat chat chat .", None, "the cat sleeps on the old chair ."))
    assert found is not None
    assert found.last_followed == 1


def test_other_languages_are_told_nothing_of() -> None:
    korean: Trace = replace(made("le chat ."), languages=("ko", "fr"))
    assert find_meaning_errors(korean) is gloss_words(korean) is None
    assert not has_lexicon(korean)
    assert has_lexicon(made("le chat ."))


def test_a_word_means_what_it_translates_here_or_its_likeliest_translation() -> None:
    trace = made("le fauteuil dort , grombule 20 .", None, "the Chair sleeping , 20 .")
    assert gloss_words(trace) == ("the", "Chair", "sleeping", ",", "", "20", ".")
    assert gloss_words(made("chaise", None, "a cat")) == ("chair",)


@pytest.mark.parametrize(("source", "target"), [
    ("thank you very much .", "merci beaucoup ."), ("see you tomorrow !", "à demain !"),
    ("Julie is twelve years old .", "Julie a douze ans ."), ("she is thirty .", "elle a trente ans ."),
    ("it is hot .", "il fait chaud ."), ("the cat is eating .", "le chat est en train de manger ."),
    ("he eats potatoes .", "il mange des pommes de terre ."), ("there is no bread left .", "il n' y a plus de pain ."),
])  # fmt: skip
def test_what_the_other_language_says_otherwise_is_neither_lost_nor_invented(source: str, target: str) -> None:
    assert told(source, target) == ([], [])


def test_what_turns_the_meaning_round_is_invented_though_a_word_ends_as_comparatives_do() -> None:
    assert told("my father eats .", "mon père ne mange plus .")[1] == ["plus"]
    assert told("my father is older .", "mon père est plus âgé .") == ([], [])
    assert told("the dog is bigger .", "le chien est plus grand .") == ([], [])


def test_what_the_source_says_twice_in_other_words_is_not_repeated() -> None:
    for source, target in (("the boys would be tired and the girls would be sad .",
                            "les garçons seraient fatigués et les filles seraient tristes ."),
                           ("she is taller and older than him .", "elle est plus grande et plus âgée que lui .")):
        assert find_errors(made(target, None, source)).repetitions == ()
