"""Emoji and arrows set aside and put back; signs that are read in bytes only, and a text without them."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.text.normalise import normalise
from model.text.symbols import find_unspelled_signs, remove_signs, restore_symbols, split_symbols
from model.text.vocabulary import Vocabulary
from model.text.words import split_words
from model.trace import Array, Side, Symbol
from tests.hostile import CASES

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
ODD = st.text(f"aé1 .,!'\"()-🐶→❤\ufe0f♥👍🏽🇫🇷\u20e3\u200d®猫\u0301{FAMILY}", max_size=30)


def a_side(vocabulary: Vocabulary, text: str, language: str = "en") -> Side:
    """The side of a text, its symbols set aside, as `model.decoding.translate.encode` makes it."""
    bare, symbols = split_symbols(normalise(text), vocabulary)
    words = tuple(bare[start:end] for start, end in split_words(bare, language))
    return Side(text if symbols else bare, words, words, tuple(range(len(words))), symbols)


def looks(pairs: str) -> Array:
    """Weights (target words, source words) of links "source-target", each looking at that word alone."""
    links = [tuple(map(int, pair.split("-"))) for pair in pairs.split()]
    weights = np.zeros((1 + max(target for _, target in links), 1 + max(source for source, _ in links)), np.float32)
    for source, target in links:
        weights[target, source] = 1
    return weights


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("text", "bare", "symbols"),
    [
        ("My cat is asleep 🐱.", "My cat is asleep.", ["🐱"]),
        ("See you soon! 😀", "See you soon!", ["😀"]),
        ("🎉 Happy birthday!", "Happy birthday!", ["🎉"]),
        ("Thank you 🙏🏽 for the flowers 🌹🌹.", "Thank you for the flowers.", ["🙏🏽", "🌹🌹"]),
        ("The cat 🐱 🐶 sleeps", "The cat sleeps", ["🐱 🐶"]),
        ("Press the → key.", "Press the key.", ["→"]),
        ("From Paris→London", "From Paris London", ["→"]),
        (f"Our family ({FAMILY}) is here.", "Our family is here.", [f"({FAMILY})"]),
        (f"Made in 🇫🇷 and {SCOTLAND}.", "Made in and.", ["🇫🇷", SCOTLAND]),
        ("Room 1️⃣ is free.", "Room is free.", ["1️⃣"]),
        ("Yes ❤️", "Yes", ["❤️"]),
        ("Well, 🙂 maybe", "Well, maybe", ["🙂"]),
        ("The dog🐶 and (🐱 the cat)", "The dog and (the cat)", ["🐶", "🐱"]),
        ('He said "yes 👍".', 'He said "yes".', ["👍"]),
        # Not set aside: a heart that may be a verb, other scripts, signs, and what has no words besides.
        ("I ♥ Paris.", "I ♥ Paris.", []),
        ("We ❤️ you.", "We ❤️ you.", []),
        ("The cat 猫 sleeps.", "The cat 猫 sleeps.", []),
        ("Is a ≥ b?", "Is a ≥ b?", []),
        ("🐶 🐶!", "🐶 🐶!", []),
        ("The cat sleeps.", "The cat sleeps.", []),
    ],
)
def test_what_is_set_aside(tiny_vocabulary: Vocabulary, text: str, bare: str, symbols: list[str]) -> None:
    assert normalise(text) == text
    found, copied = split_symbols(normalise(text), tiny_vocabulary)
    assert (found, [symbol.text for symbol in copied]) == (bare, symbols)
    assert all(text[symbol.start : symbol.end] == symbol.text for symbol in copied)


def test_what_the_vocabulary_spells_is_not_set_aside(sentences: list[tuple[str, str]], tmp_path: Path) -> None:
    lines = [side for pair in sentences for side in pair]
    spelt = Vocabulary.train(lines, 400, tmp_path / "v.model", alphabet="→猫")
    assert split_symbols(normalise("The → cat 🐱."), spelt) == ("The → cat.", (Symbol("🐱", 10),))
    assert find_unspelled_signs(normalise("猫 → 犬"), spelt) == ("犬",)
    words = Vocabulary.train(lines, 300, tmp_path / "words.model", kind="word")
    assert split_symbols(normalise("The cat 🐱."), words) == ("The cat 🐱.", ())
    assert find_unspelled_signs(normalise("猫"), words) == ()


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("source", "target", "links", "expected"),
    [
        ("My cat is asleep 🐱.", "Mon chat dort.", "0-0 1-1 2-2 3-2 4-3", "Mon chat dort 🐱."),
        ("My cat is asleep 🐱", "Mon chat dort.", "0-0 1-1 2-2 3-2", "Mon chat dort. 🐱"),
        ("Soon! 😀", "Bientôt!", "0-0 1-1", "Bientôt! 😀"),
        ("🎉 Yes!", "Oui!", "0-0 1-1", "🎉 Oui!"),
        ("A black cat 🐱 sleeps.", "Un chat noir dort.", "0-0 2-1 1-2 3-3 4-4", "Un chat 🐱 noir dort."),
        ("A cat 🐱 sleeps.", "Dort un chat.", "2-0 0-1 1-2 3-3", "Dort un chat 🐱."),
        ("A pizza 🍕 today.", "De la pizza hier.", "1-0 1-1 1-2 2-3 3-4", "De la pizza 🍕 hier."),
        # Never within a word: after "l'" it waits for the word that begins with it.
        ("The tree 🌳 sleeps.", "L'arbre dort.", "1-0 0-1 2-2 3-3", "L'arbre 🌳 dort."),
        ("From Paris→London", "De Paris à Londres", "0-0 1-1 2-3", "De Paris→à Londres"),
        ("The dog🐶 sleeps 😴.", "Le chien dort.", "0-0 1-1 2-2 3-3", "Le chien🐶 dort 😴."),
        ("Yes, 🙂 maybe (🐱 the cat).", "Oui, peut-être (le chat).", "0-0 1-1 2-2 3-3 4-4 5-5 6-6",
         "Oui, 🙂 peut-être (🐱 le chat)."),
        ("The cat 🐱 sleeps 😴 🐱!", "", "0-0", "🐱 😴 🐱"),
        ("The cat 🐱 sleeps.", "Le chat 🐱 dort.", "0-0", "Le chat 🐱 dort."),  # a reader forced it
        ("The cat sleeps.", "Le chat dort.", "0-0", "Le chat dort."),
    ],
)
def test_symbols_are_put_back_beside_what_their_neighbours_became(
    tiny_vocabulary: Vocabulary, source: str, target: str, links: str, expected: str
) -> None:
    words = tuple(target[start:end] for start, end in split_words(target, "fr"))
    bare = Side(target, words, words, tuple(range(len(words))))
    of = a_side(tiny_vocabulary, source)
    weights = np.zeros((len(words), len(of.words)), np.float32)
    given_weights = looks(links)[: len(words), : len(of.words)]
    weights[: len(given_weights), : given_weights.shape[1]] = given_weights
    found = restore_symbols(of, bare, weights)
    assert found.text == expected
    assert found.words == words
    assert [found.text[symbol.start : symbol.end] for symbol in found.symbols] == [one.text for one in found.symbols]


def test_without_attention_a_symbol_keeps_its_share_of_the_sentence(tiny_vocabulary: Vocabulary) -> None:
    words = ("un", "deux", "trois", "quatre", "cinq", "six", ".")
    target = Side("un deux trois quatre cinq six.", words, words, tuple(range(7)))
    for source, expected in (("a 🐱 b c.", "un deux 🐱 trois quatre cinq six."),
                             ("a b c 🐱.", "un deux trois quatre cinq six 🐱.")):  # fmt: skip
        assert restore_symbols(a_side(tiny_vocabulary, source), target, None).text == expected


@pytest.mark.parametrize("case", CASES)
def test_hostile_text_is_split_and_loses_nothing(tiny_vocabulary: Vocabulary, case: str) -> None:
    check_split(tiny_vocabulary, CASES[case][:5000])


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ODD)
def test_any_text_is_split_and_loses_nothing(tiny_vocabulary: Vocabulary, text: str) -> None:
    check_split(tiny_vocabulary, text)


def check_split(vocabulary: Vocabulary, typed: str) -> None:
    """Text and symbols together are what was there; the text alone is canonical and read without the symbols; both
    sides know where their words are, and a copy of the text as its own translation has the symbols again."""
    text = normalise(typed)
    bare, symbols = split_symbols(text, vocabulary)
    assert normalise(bare) == bare
    assert split_symbols(bare, vocabulary) == (bare, ())
    rest, end = "", 0
    for symbol in symbols:
        rest, end = rest + text[end : symbol.start], symbol.end
    assert (rest + text[end:]).replace(" ", "") == bare.replace(" ", "")
    side = a_side(vocabulary, text)
    assert None not in side.word_spans
    if symbols:
        words = Side(bare, side.words, side.pieces, side.word_of)
        back = restore_symbols(side, words, np.eye(len(side.words), dtype=np.float32))
        assert sorted(symbol.text for symbol in back.symbols) == sorted(symbol.text for symbol in symbols)
        assert None not in back.word_spans
    signs = find_unspelled_signs(text, vocabulary)
    left = remove_signs(typed, signs, vocabulary)
    assert not set(signs) & set(find_unspelled_signs(normalise(left), vocabulary))


def test_a_text_without_the_signs_that_are_read_in_bytes(tiny_vocabulary: Vocabulary) -> None:
    def remedy(text: str) -> tuple[tuple[str, ...], str]:
        signs = find_unspelled_signs(normalise(text), tiny_vocabulary)
        return signs, remove_signs(text, signs, tiny_vocabulary)

    assert remedy("The cat 猫 sleeps 🐱.") == (("猫",), "The cat sleeps 🐱.")
    assert remedy("I ♥ Paris.\nIs a  ≥ b?") == (("♥", "≥"), "I Paris.\nIs a b?")
    assert remedy("We ❤️ the ＣＡＴ, 犬.") == (("❤️", "Ｃ", "Ａ", "Ｔ", "犬"), "We the CAT,.")
    assert remedy("猫🐱") == (("猫",), "")
    assert remedy("猫 ≥ 犬") == (("猫", "≥", "犬"), "")
    assert remedy("The cat sleeps.") == ((), "The cat sleeps.")
