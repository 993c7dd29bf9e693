"""Translations of single words, for the replacement of UNK (Luong et al. 2015): the first entries of the lexicon.

The lexicon is learnt by `python -m model lexicon` and described in `model.analysis.lexicon.lexicon`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from model.paths import ASSETS
from model.serialization.codec import CodecError, parse_json

MIN_PROBABILITY = 50  # in hundredths, that the lexicon's translations translate the word at all
_SAME_SPELLING = "="


@cache
def load_dictionary(source_language: str, target_language: str) -> Mapping[str, str]:
    """Return the most likely translation of each word, both in lower case.

    Returns {} if there is no lexicon or it is damaged.
    """
    languages = (code.partition("-")[0] for code in (source_language, target_language))
    try:
        entries = parse_json((ASSETS / "lexicon" / f"{'-'.join(languages)}.json").read_bytes(), "a lexicon")["entries"]
        lines = [line.split(" ") for line in entries.split("\n")]
        return {word: word if first == _SAME_SPELLING else first
                for word, percent, first, *_ in lines if int(percent) >= MIN_PROBABILITY}  # fmt: skip
    except (OSError, CodecError, LookupError, TypeError, ValueError, AttributeError):
        return {}


def translate_or_copy(word: str, dictionary: Mapping[str, str], *, is_first: bool) -> str:
    """Return the translation of a source word, or the word itself if the dictionary lacks it.

    A possessive "'s" is left out. A capital stays, unless the word has it as the first of its sentence.
    """
    word = word[:-2] if word.casefold().endswith("'s") and len(word) > 2 else word
    translation = dictionary.get(word.casefold())
    if translation is None or translation == word.casefold():
        return word
    return translation.capitalize() if word[:1].isupper() and not is_first else translation
