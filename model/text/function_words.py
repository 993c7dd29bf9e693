"""Which words carry content: all but a language's short, closed list of articles, pronouns, auxiliaries and the
commonest prepositions and conjunctions (model/text/languages.py).

Negations and modal verbs count as content: a translation that loses them says something else.
"""

from __future__ import annotations

from model.text import languages


def is_word(text: str) -> bool:
    """Whether `text` holds a letter or a digit: the others are punctuation."""
    return any(character.isalnum() for character in text)


def is_content(word: str, language: str) -> bool:
    """Whether a word (as `split_words` gives it) carries content; of a hyphened word one part is enough.

    Raises ValueError for what is no language code.
    """
    listed = languages.get_language(language).function_words
    return any(is_word(part) and part not in listed for part in word.casefold().split("-"))
