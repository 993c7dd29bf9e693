"""French on the screen: narrow spaces, guillemets, apostrophes; the canonical words keep their number and order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.text.words import split_words
from model.trace import Side, Symbol
from pages.ui.i18n.typography import get_trailing_text, split_gaps, typeset, typeset_text

N = "\u202f"


def side(text: str) -> Side:
    words = tuple(text[start:end] for start, end in split_words(text, "fr"))
    return Side(text, words, words, tuple(range(len(words))))


@pytest.mark.parametrize(
    ("canonical", "printed"),
    [
        ("Le chat dort.", "Le chat dort."),
        ("Où est la gare?", f"Où est la gare{N}?"),
        ("Attention: il dort!", f"Attention{N}: il dort{N}!"),
        ("Il dort; elle lit.", f"Il dort{N}; elle lit."),
        ("Quoi?!", f"Quoi{N}?!"),
        ("L'arbre d'hiver", "L’arbre d’hiver"),
        ("aujourd'hui", "aujourd’hui"),
        ('"Viens ici", dit-il.', f"«{N}Viens ici{N}», dit-il."),
        ('Il a dit "oui".', f"Il a dit «{N}oui{N}»."),
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
    assert "".join(gap + word for gap, word in typeset(side(canonical), "fr")) == printed


@given(st.text(alphabet="ab '\"?!:;.,-é0", max_size=40).map(lambda text: " ".join(text.split())))
def test_words_keep_number_and_order(text: str) -> None:
    of = side(text)
    printed = typeset(of, "fr")
    assert len(printed) == len(of.words)
    for (_, shown), word in zip(printed, of.words, strict=True):
        plain = shown.replace("’", "'").replace("«", '"').replace("»", '"').replace(N, "")
        assert plain == word
    assert "".join(gap + word for gap, word in split_gaps(of)) == text


def test_copied_symbols_stand_before_words_and_after_the_last_one() -> None:
    words = ("Oui", "!", "Le", "chat", "dort")
    symbols = (Symbol("🐱", 4), Symbol("🎉", 20))
    of = Side("Oui 🐱! Le chat dort 🎉", words, words, (0, 1, 2, 3, 4), symbols)
    assert typeset(of, "fr") == [("", "Oui"), (f" 🐱{N}", "!"), (" ", "Le"), (" ", "chat"), (" ", "dort")]
    assert get_trailing_text(of) == " 🎉"
    assert typeset_text(of, "fr") == f"Oui 🐱{N}! Le chat dort 🎉"
    assert get_trailing_text(Side("🎉", (), (), (), (Symbol("🎉", 0),))) == "🎉"


def test_a_record_whose_words_are_not_in_its_text_is_still_drawn() -> None:
    stranger = Side("abc", ("x", "c"), ("x", "c"), (0, 1))
    assert split_gaps(stranger) == [(" ", "x"), ("ab", "c")]


@pytest.mark.parametrize("language", ["en", "ko", "de", "zh"])
def test_languages_without_rules_of_their_own_are_shown_as_they_are(language: str) -> None:
    text = side("\"그는 말했다: 'yes'?\"")
    assert typeset(text, language) == split_gaps(text)
