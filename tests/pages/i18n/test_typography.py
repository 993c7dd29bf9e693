"""French typography keeps the number and order of words; large numbers follow the language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.text.words import split_words
from model.trace import Side, Symbol
from pages.ui.i18n.messages import load_messages
from pages.ui.i18n.typography import format_millions, get_trailing_text, split_gaps, typeset, typeset_text

N = "\u202f"  # narrow no-break space


def make_side(text: str) -> Side:
    words = tuple(text[start:end] for start, end in split_words(text, "fr"))
    return Side(text, words, words, tuple(range(len(words))))


@pytest.mark.parametrize(
    ("canonical", "printed"),
    [
        ("Le chat dort.", "Le chat dort."),
        ("Attention: il dort!", f"Attention{N}: il dort{N}!"),
        ("Il dort; elle lit.", f"Il dort{N}; elle lit."),
        ("L'arbre d'hiver", "L’arbre d’hiver"),
        ("aujourd'hui", "aujourd’hui"),
        ('"Viens ici", dit-il.', f"«{N}Viens ici{N}», dit-il."),
        ('Il a dit "oui"?', f"Il a dit «{N}oui{N}»{N}?"),
        ("Il est 9:30.", "Il est 9:30."),
        ("Il vient (demain)?", f"Il vient (demain){N}?"),
        ("Quoi...?!", f"Quoi...{N}?!"),
        ("Voir http://example.org.", "Voir http://example.org."),
        ("?", "?"),
        ("", ""),
    ],
)
def test_typeset(canonical: str, printed: str) -> None:
    assert "".join(gap + word for gap, word in typeset(make_side(canonical), "fr")) == printed


@given(st.text(alphabet="ab '\"?!:;.,-é0", max_size=40).map(lambda text: " ".join(text.split())))
def test_words_keep_number_and_order(text: str) -> None:
    french = make_side(text)
    printed = typeset(french, "fr")
    assert len(printed) == len(french.words)
    for (_, typeset_word), word in zip(printed, french.words, strict=True):
        plain = typeset_word.replace("’", "'").replace("«", '"').replace("»", '"').replace(N, "")
        assert plain == word
    assert "".join(gap + word for gap, word in split_gaps(french)) == text


def test_copied_symbols_are_in_gaps_and_trailing_text() -> None:
    words = ("Oui", "!", "Le", "chat", "dort")
    symbols = (Symbol("🐱", 4), Symbol("🎉", 20))
    french = Side("Oui 🐱! Le chat dort 🎉", words, words, (0, 1, 2, 3, 4), symbols)
    assert typeset(french, "fr") == [("", "Oui"), (f" 🐱{N}", "!"), (" ", "Le"), (" ", "chat"), (" ", "dort")]
    assert get_trailing_text(french) == " 🎉"
    assert typeset_text(french, "fr") == f"Oui 🐱{N}! Le chat dort 🎉"
    assert get_trailing_text(Side("🎉", (), (), (), (Symbol("🎉", 0),))) == "🎉"


def test_words_missing_from_the_text_get_a_space() -> None:
    imported = Side("abc", ("x", "c"), ("x", "c"), (0, 1))
    assert split_gaps(imported) == [(" ", "x"), ("ab", "c")]


def test_languages_without_rules_are_unchanged() -> None:
    text = make_side("\"그는 말했다: 'yes'?\"")
    for language in ("en", "ko", "de", "zh"):
        assert typeset(text, language) == split_gaps(text)


def test_large_numbers_follow_the_language() -> None:
    numbers = (40_000, 800_000, 6_840_000, 9_970_000, 26_400_000, 348_000_000, 400_000_000)
    assert [format_millions(number, load_messages("en")) for number in numbers] == [
        "40,000", "0.8 million", "6.8 million", "10 million", "26 million", "348 million", "400 million",
    ]  # fmt: skip
    assert [format_millions(number, load_messages("ko")) for number in numbers] == [
        "40,000", "80만", "680만", "1,000만", "2,600만", "3억 4,800만", "4억",
    ]  # fmt: skip
