"""Measure whether a translation stays the same when its sentence is typed in another way.

Compared are the counts of content words, ignoring position, case and accents (capitals often lack them). A variant that
normalising undoes (`model.text.normalise`) gives the model the same text, and is counted separately.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from model.analysis.evaluation.evaluate import translate_texts
from model.analysis.evaluation.stored import build_date_and_command, build_record_head
from model.decoding import Settings
from model.decoding.translate import TranslationModel
from model.progress import ProgressCallback
from model.serialization.codec import to_plain
from model.text import languages, typing_variants
from model.text.everyday_sentences import PAIR_LISTS, read_everyday
from model.text.normalise import NormalisedText, normalise
from model.text.politeness import CHOSEN_STYLES, add_tag, find_style
from model.text.typing_variants import VARIANTS_BY_LANGUAGE
from model.text.words import is_word, split_words

SCHEMA = 1


@dataclass(frozen=True)
class TypingResult:
    """Results for one way of typing. The fields are JSON keys.

    Attributes:
        sentences: how many sentences it applies to.
        same_text: for how many of them the model got the same text.
        changed: how many translations changed in a content word.
    """

    sentences: int
    same_text: int
    changed: int


@dataclass(frozen=True)
class ChangedTranslation:
    """A translation that changed. The fields are JSON keys.

    Attributes:
        variant: the name of the typing variant.
        typed: what was typed.
        before: the translation of the normal sentence.
        after: the translation of what was typed.
    """

    variant: str
    typed: str
    before: str
    after: str


def read_test_sentences(language: str) -> tuple[Path, tuple[NormalisedText, ...]]:
    """Return the sentences of a source language to be typed in other ways, and their file. Raises ValueError.

    The English ones are `assets/typed.txt`, the Korean ones the everyday sentences.
    """
    if language == "en":
        return typing_variants.FILE, tuple(map(normalise, typing_variants.read_typed_sentences()))
    if language != "ko":
        raise ValueError(f"the sentences are English or Korean, not {language}: name another model with --model")
    (path,) = PAIR_LISTS["ko", "en"].values()
    return path, tuple(normalise(sentence.source) for sentence in read_everyday(path))


def count_content_words(text: str, language: str) -> Counter[str]:
    """Count the content words of a text, ignoring case and accents."""
    words = (_strip_case_and_accents(text[start:end]) for start, end in split_words(text, language))
    function_words = _strip_function_words(language)
    return Counter(word for word in words
                   if any(is_word(part) and part not in function_words for part in word.split("-")))


def measure_robustness(
    model: TranslationModel,
    sentences: Sequence[str],
    sha256: str,
    *,
    data: str = "typed",
    settings: Settings | None = None,
    command: str = "",
    progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """Return the content of `assets/evaluations/robustness-NAME.json`: a TypingResult by name, and all changed
    translations.

    `sentences` are normalised, in the model's source language, one of VARIANTS_BY_LANGUAGE; `data` names their file,
    `sha256` is its checksum. Into Korean, `styles` has how many translations keep to each style that a tag asks for.
    """
    settings = settings or Settings()
    pairs_by_variant = {
        name: [(text, typed_text) for text in sentences if (typed_text := type_variant(text)) != text]
        for name, type_variant in VARIANTS_BY_LANGUAGE[model.languages[0]].items()
    }
    styles = CHOSEN_STYLES if model.languages[1] == "ko" else ()
    texts_by_style = {style: [add_tag(normalise(text), style) for text in sentences] for style in styles}
    typed_texts = [typed_text for typed_pairs in pairs_by_variant.values() for _, typed_text in typed_pairs]
    texts_to_translate = (*sentences, *typed_texts, *chain(*texts_by_style.values()))
    texts = list(dict.fromkeys(map(normalise, texts_to_translate)))  # equal texts are decoded once
    outputs = dict(zip(texts, translate_texts(model, texts, settings, progress), strict=True))
    language, results, all_changes = model.languages[1], {}, []
    for name, typed_pairs in pairs_by_variant.items():
        compared = [
            (typed_text, outputs[normalise(text)], outputs[normalise(typed_text)]) for text, typed_text in typed_pairs
        ]
        changes = [ChangedTranslation(name, typed_text, before, after) for typed_text, before, after in compared
                   if count_content_words(before, language) != count_content_words(after, language)]
        all_changes += changes
        results[name] = TypingResult(
            len(typed_pairs), sum(normalise(typed_text) == text for text, typed_text in typed_pairs), len(changes)
        )
    style_counts = {style: sum(find_style(outputs[text]) == style for text in tagged_texts)
                    for style, tagged_texts in texts_by_style.items()}  # fmt: skip
    described = {"name": data, "sha256": sha256, "sentences": len(sentences)}
    return {
        **build_record_head("robustness", SCHEMA, model, described, settings), "variants": to_plain(results),
        **build_date_and_command(command), "changes": to_plain(all_changes),
    } | ({"styles": style_counts} if style_counts else {})  # fmt: skip


@lru_cache
def _strip_function_words(language: str) -> frozenset[str]:
    """Return a language's function words without accents, as in capitals: "ETES"."""
    return frozenset(map(_strip_case_and_accents, languages.get_language(language).function_words))


def _strip_case_and_accents(word: str) -> str:
    """Return a word without case and accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(sign))
