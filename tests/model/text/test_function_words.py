"""What counts as content, in both languages."""

import pytest

from model.text.words import is_content_word, is_word, split_words


@pytest.mark.parametrize(
    ("text", "language", "content"),
    [
        ("The old cat doesn't sleep on it, 3 times.", "en", ["old", "cat", "doesn't", "sleep", "3", "times"]),
        ("We must not go.", "en", ["must", "not", "go"]),
        ("L'homme n'est pas à la maison, où a-t-il dormi ?", "fr", ["homme", "pas", "maison", "dormi"]),
        ("C'est peut-être un chef-d'œuvre.", "fr", ["peut-être", "chef-d'œuvre"]),
    ],
)
def test_content_words(text: str, language: str, content: list[str]) -> None:
    words = [text[start:end] for start, end in split_words(text, language)]
    assert [word for word in words if is_content_word(word, language)] == content


def test_signs_are_no_words() -> None:
    assert not any(map(is_word, ("", ".", "?!", "—", "-", "'")))
    assert is_word("l'")
    assert is_word("3")
    assert not is_content_word("?!", "en")


def test_without_a_list_every_word_carries_content() -> None:
    assert is_content_word("die", "de")
    assert not is_content_word("!", "de")
    assert is_content_word("고양이가", "ko")
    assert not is_content_word("그리고", "ko")
