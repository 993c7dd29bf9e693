"""Tests of copying emoji and arrows, and of signs that are read in bytes."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from model.text.normalise import normalise
from model.text.symbols import find_unspelled_signs, remove_signs, restore_symbols, split_symbols
from model.text.vocabulary import Vocabulary
from model.text.words import split_words
from model.trace import Side, Symbol
from tests.hostile import CASES

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
TEXTS = st.text(f"aé1 .,!'\"()-🐶→❤\ufe0f♥👍🏽🇫🇷\u20e3\u200d®猫\u0301{FAMILY}", max_size=30)


def build_target(text: str, language: str = "fr") -> Side:
    """Return a side with a piece for each word."""
    words = tuple(text[start:end] for start, end in split_words(text, language))
    return Side(text, words, words, tuple(range(len(words))))


def build_source(vocabulary: Vocabulary, text: str) -> Side:
    """Return a side with a piece for each word and the copied symbols, as `encode` builds it."""
    remaining, symbols = split_symbols(normalise(text), vocabulary)
    side = build_target(remaining, "en")
    return Side(text if symbols else remaining, side.words, side.pieces, side.word_of, symbols)


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("text", "remaining", "symbols"),
    [
        ("My cat is asleep 🐱.", "My cat is asleep.", ["🐱"]),
        ("Thank you 🙏🏽 for the flowers 🌹🌹.", "Thank you for the flowers.", ["🙏🏽", "🌹🌹"]),
        ("From Paris→London", "From Paris London", ["→"]),
        (f"Our family ({FAMILY}) is here.", "Our family is here.", [f"({FAMILY})"]),
        (f"Made in 🇫🇷 and {SCOTLAND}.", "Made in and.", ["🇫🇷", SCOTLAND]),
        ("Room 1️⃣ is free.", "Room is free.", ["1️⃣"]),
        ("Well, 🙂 maybe", "Well, maybe", ["🙂"]),
        ("The dog🐶 and (🐱 the cat)", "The dog and (the cat)", ["🐶", "🐱"]),
        ('He said "yes 👍".', 'He said "yes".', ["👍"]),
        # not copied: a heart that may be a verb, other scripts, signs, a text without words
        ("I ♥ Paris.", "I ♥ Paris.", []),
        ("The cat 猫 sleeps.", "The cat 猫 sleeps.", []),
        ("🐶 🐶!", "🐶 🐶!", []),
    ],
)
def test_symbols_are_split_off(tiny_vocabulary: Vocabulary, text: str, remaining: str, symbols: list[str]) -> None:
    remaining_text, copied = split_symbols(normalise(text), tiny_vocabulary)
    assert (remaining_text, [symbol.text for symbol in copied]) == (remaining, symbols)
    assert all(text[symbol.start : symbol.end] == symbol.text for symbol in copied)


def test_symbols_in_the_vocabulary_stay(sentences: list[tuple[str, str]], tmp_path: Path) -> None:
    lines = [side for pair in sentences for side in pair]
    vocabulary = Vocabulary.train(lines, 400, tmp_path / "v.model", alphabet="→猫")
    assert split_symbols(normalise("The → cat 🐱."), vocabulary) == ("The → cat.", (Symbol("🐱", 10),))
    assert find_unspelled_signs(normalise("猫 → 犬"), vocabulary) == ("犬",)
    word_vocabulary = Vocabulary.train(lines, 300, tmp_path / "words.model", kind="word")
    assert split_symbols(normalise("The cat 🐱."), word_vocabulary) == ("The cat 🐱.", ())
    assert find_unspelled_signs(normalise("猫"), word_vocabulary) == ()


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("source", "target", "links", "expected"),
    [
        ("My cat is asleep 🐱.", "Mon chat dort.", "0-0 1-1 2-2 3-2 4-3", "Mon chat dort 🐱."),
        ("My cat is asleep 🐱", "Mon chat dort.", "0-0 1-1 2-2 3-2", "Mon chat dort. 🐱"),
        ("🎉 Yes!", "Oui!", "0-0 1-1", "🎉 Oui!"),
        ("A cat 🐱 sleeps.", "Dort un chat.", "2-0 0-1 1-2 3-3", "Dort un chat 🐱."),
        ("A pizza 🍕 today.", "De la pizza hier.", "1-0 1-1 1-2 2-3 3-4", "De la pizza 🍕 hier."),
        ("The tree 🌳 sleeps.", "L'arbre dort.", "1-0 0-1 2-2 3-3", "L'arbre 🌳 dort."),  # never within a word
        ("The dog🐶 sleeps 😴.", "Le chien dort.", "0-0 1-1 2-2 3-3", "Le chien🐶 dort 😴."),
        ("Yes, 🙂 maybe (🐱 the cat).", "Oui, peut-être (le chat).", "0-0 1-1 2-2 3-3 4-4 5-5 6-6",
         "Oui, 🙂 peut-être (🐱 le chat)."),
        ("The cat 🐱 sleeps 😴 🐱!", "", "0-0", "🐱 😴 🐱"),
        ("The cat 🐱 sleeps.", "Le chat 🐱 dort.", "0-0", "Le chat 🐱 dort."),  # in the forced target already
        ("a 🐱 b 🐱🐱 c.", "un 🐱 deux trois.", "0-0 1-2 2-3 3-4", "un 🐱 deux 🐱🐱 trois."),  # the first one
        ("🐱 a 🐱 b.", "🐱 un deux.", "0-1 1-2 2-3", "🐱 un 🐱 deux."),
        ("a 🐱 b c.", "un deux trois quatre cinq six.", "", "un deux 🐱 trois quatre cinq six."),  # no attention
        ("a b c 🐱.", "un deux trois quatre cinq six.", "", "un deux trois quatre cinq six 🐱."),
    ],
)
def test_symbols_are_restored_beside_their_neighbours(
    tiny_vocabulary: Vocabulary, source: str, target: str, links: str, expected: str
) -> None:
    """`links`: "source-target" word numbers; each target word attends to its source word only."""
    source_side, target_side = build_source(tiny_vocabulary, source), build_target(target)
    weights = np.zeros((len(target_side.words), len(source_side.words)), np.float32)
    for source_word, target_word in (map(int, link.split("-")) for link in links.split() if target_side.words):
        weights[target_word, source_word] = 1
    restored = restore_symbols(source_side, target_side, weights if links else None)
    assert restored.text == expected
    assert restored.words == target_side.words
    assert all(restored.text[symbol.start : symbol.end] == symbol.text for symbol in restored.symbols)


def check_symbols(vocabulary: Vocabulary, typed_text: str) -> None:
    """Check that no character is lost, and that a copy of the text as its translation gets all symbols."""
    text = normalise(typed_text)
    remaining, symbols = split_symbols(text, vocabulary)
    assert normalise(remaining) == remaining
    assert split_symbols(remaining, vocabulary) == (remaining, ())
    without_symbols, end = "", 0
    for symbol in symbols:
        without_symbols, end = without_symbols + text[end : symbol.start], symbol.end
    assert (without_symbols + text[end:]).replace(" ", "") == remaining.replace(" ", "")
    source = build_source(vocabulary, text)
    assert None not in source.word_spans
    if symbols:
        copy = Side(remaining, source.words, source.pieces, source.word_of)
        restored = restore_symbols(source, copy, np.eye(len(source.words), dtype=np.float32))
        assert sorted(symbol.text for symbol in restored.symbols) == sorted(symbol.text for symbol in symbols)
        assert None not in restored.word_spans
    signs = find_unspelled_signs(text, vocabulary)
    remedy = remove_signs(typed_text, signs, vocabulary)
    assert not find_unspelled_signs(normalise(remedy), vocabulary)


def test_users_words_do_not_stay_in_memory(tiny_vocabulary: Vocabulary) -> None:
    source, target = build_source(tiny_vocabulary, "My cat 🐱 sleeps."), build_target("Mon chat dort.")
    count = sys.getrefcount(target.words)
    restored = restore_symbols(source, target, None).symbols
    count_afterwards = sys.getrefcount(target.words)
    assert restored
    assert count_afterwards == count


def test_hostile_text_loses_nothing(tiny_vocabulary: Vocabulary) -> None:
    for text in CASES.values():
        check_symbols(tiny_vocabulary, text[:5000])


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS)
@example("1(🇫 \u0301")
@example("1(🇫 🏽")
@example("♥1♥1")
def test_any_text_loses_nothing(tiny_vocabulary: Vocabulary, text: str) -> None:
    check_symbols(tiny_vocabulary, text)


@pytest.mark.parametrize(("text", "signs", "remedy"), [
    ("The cat 猫 sleeps 🐱.", "猫", "The cat sleeps 🐱."),
    ("I ♥ Paris.\nIs a  ≥ b?", "♥ ≥", "I Paris.\nIs a b?"),
    ("We ❤️ the ＣＡＴ, 犬.", "❤️ Ｃ Ａ Ｔ 犬", "We the CAT,."),
    ("猫🐱", "猫", ""),
    ("The ♥ ≥ cat.", "≥", "The cat."),  # without "≥" the heart may mean "love"
])  # fmt: skip
def test_unspelled_signs_are_removed(tiny_vocabulary: Vocabulary, text: str, signs: str, remedy: str) -> None:
    unspelled_signs = find_unspelled_signs(normalise(text), tiny_vocabulary)
    assert unspelled_signs == tuple(signs.split())
    assert remove_signs(text, unspelled_signs, tiny_vocabulary) == remedy
