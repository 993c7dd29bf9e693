"""Check omissions, repetitions and additions on Traces made by hand."""

import numpy as np
import pytest

from model.analysis.errors.differences import MIN_COVERAGE, compare_translations, find_errors, find_repetitions_in_words
from model.trace import Trace
from tests.model.analysis import traces
from tests.model.analysis.traces import build_side

SOURCE = "the small grey cat sleeps on the roof ."
FULL_TARGET = "le petit chat gris dort sur le toit ."
ORDER = (0, 1, 3, 2, 4, 5, 6, 7, 8)


def build_trace(
    target: str, attended_words: tuple[int | None, ...] | None = None, source: str = SOURCE, sharp: float = 0.9
) -> Trace:
    """Return a Trace whose target word t gives `sharp` to source word attended_words[t] and the rest to the end.

    None in `attended_words`: little attention to every word. Without `attended_words` there is no attention.
    """
    source_side, target_side = build_side(*source.split()), build_side(*target.split())
    if attended_words is None:
        return traces.build_trace(source_side, target_side, None)
    values = np.zeros((len(target_side.pieces), len(source_side.pieces)), dtype=np.float32)
    for row, source_word in zip(values, (*attended_words, len(source_side.words)), strict=True):
        if source_word is None:
            row[:-1] = 0.2 / len(source_side.words)
        else:
            row[source_word] = sharp
        row[-1] += 1 - row.sum()
    return traces.build_trace(source_side, target_side, values)


@pytest.mark.verdict
def test_omissions_are_found_for_each_translation_alone() -> None:
    attending, plain = build_trace(FULL_TARGET, ORDER), build_trace("le chat dort sur le toit .")
    result = compare_translations(attending, plain)
    assert result.second.omissions == (1, 2)  # small, grey
    assert result.first.unmatched == (1, 3)  # petit, gris
    assert result.first.omissions == result.first.additions == result.second.additions == ()
    assert (result.first.covered_words, result.second.covered_words) == (8, None)
    assert [column for column in result.columns if None in column] == [(1, None), (3, None)]
    reverse_result = compare_translations(plain, attending)
    assert (reverse_result.first, reverse_result.second) == (result.second, result.first)


def test_a_source_word_is_covered_from_a_quarter_of_attention() -> None:
    target, attended_words = "le chat dort sur le toit .", (0, 3, 4, 5, 6, 7, 8)
    result = compare_translations(build_trace(target, attended_words), build_trace(FULL_TARGET)).first
    assert (result.omissions, result.covered_words) == ((1, 2), 6)
    glance = find_errors(build_trace(target, attended_words, sharp=MIN_COVERAGE + 0.01))
    assert glance.coverage == pytest.approx([0.26, 0, 0, *[0.26] * 6])
    assert glance.covered_words == 6
    assert find_errors(build_trace(target, attended_words, sharp=MIN_COVERAGE - 0.01)).covered_words == 0


def test_a_repetition_includes_the_surrounding_function_words() -> None:
    plain = build_trace("le chat dort sur le toit de la maison de la maison .")
    result = compare_translations(build_trace(FULL_TARGET, ORDER), plain).second
    assert result.repetitions == (9, 10, 11)
    assert result.additions == (8,)  # the first one; the second one is repeated already
    errors = compare_translations(build_trace("le chat dort sur la maison .", (0, 3, 4, 5, 6, 7, 8)), plain).second
    assert errors.unmatched == (5, 11)  # the counterpart of the last word is that of the first "maison"


def test_a_word_for_two_source_words_is_no_repetition_nor_are_its_neighbours() -> None:
    target = ["Il", "a", "dit", "la", "vérité", "et", "elle", "a", "dit", "le", "mensonge", "."]
    source = ["He", "said", "the", "truth", "and", "she", "told", "the", "lie", "."]
    assert find_repetitions_in_words(target, source, "fr", "en") == (7, 8)
    assert find_repetitions_in_words(target, source, "fr", "en", {2, 8}) == ()


@pytest.mark.parametrize(("target", "source", "repetitions"), [
    ("un chat et un chien", "a cat and a dog", []), ("le chat voit le chat", "the cat sees the dog", [3, 4]),
    ("le chat voit le chat", "the cat sees the cat", []), ("le chat le chat le chat", "the cat the cat", [4, 5]),
    ("Chat chat", "cat", [1]), ("nous nous lavons", "we wash", []), ("il il dort", "he sleeps", [1]),
    ("de la de la maison", "of the house", [2, 3]), ("oui , , non", "yes , , no", []),
    ("UNK voit UNK UNK", "the otter sees tame newts", []),  # each stands for another word
])  # fmt: skip
def test_repetitions_are_those_beyond_the_source(target: str, source: str, repetitions: list[int]) -> None:
    assert list(find_repetitions_in_words(target.split(), source.split(), "fr", "en")) == repetitions


@pytest.mark.parametrize(("target", "repetitions"), [
    ("老师说学生们在学校学习中文。", []),  # a character recurs in many words
    ("我们慢慢讨论讨论。", []),  # doubled in correct Chinese
    ("我喜欢我喜欢这本书。", [3, 4, 5]), ("很好很好很好。", [2, 3, 4, 5]), ("猫猫猫猫", [1, 2, 3]),
])  # fmt: skip
def test_repetitions_without_spaces_are_immediate(target: str, repetitions: list[int]) -> None:
    assert list(find_repetitions_in_words(tuple(target), ["A", "sentence", "."], "zh", "en")) == repetitions


def test_a_word_for_two_source_words_is_no_repetition() -> None:
    for source, repetitions in (("he said it and did not tell them .", 0), ("he said it and did not sleep .", 1)):
        trace = build_trace("il a dit cela et ne leur a pas dit .", source=source)
        assert len(find_errors(trace).repetitions) == repetitions
