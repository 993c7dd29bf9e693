"""Does a translation stay the same when its sentence is typed in another way?

Compared are the words that carry meaning: how often each stands in the translation, whatever its place, case or accents
(capitals often go without). A way of typing that the canonical form undoes (`model.text.normalise`) gives the model the
very same text; it is told apart from one that the model had to see through.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from model.analysis.evaluation.evaluate import translate_texts
from model.decoding import Settings
from model.decoding.translate import TranslationModel
from model.progress import ProgressCallback
from model.serialization.codec import to_plain
from model.text import languages
from model.text.normalise import normalise
from model.text.typing_variants import TYPING_VARIANTS
from model.text.words import is_word, split_words

SCHEMA = 1


@dataclass(frozen=True)
class TypingResult:
    """How translations fared under one way of typing: to how many sentences it applies, for how many of these the
    model got the same text, and how many translations changed in a word that carries meaning."""

    sentences: int
    same_text: int
    changed: int


@dataclass(frozen=True)
class ChangedTranslation:
    """A translation that changed: the way, what was typed, and the translation of the sentence as written and of it."""

    way: str
    typed: str
    before: str
    after: str


def count_words_with_content(text: str, language: str) -> Counter[str]:
    """How often each word that carries meaning stands in a text, without case and accents."""
    words = (_bare(text[start:end]) for start, end in split_words(text, language))
    listed = _bare_function_words(language)
    return Counter(word for word in words if any(is_word(part) and part not in listed for part in word.split("-")))


def measure_robustness(
    model: TranslationModel, sentences: Sequence[str], sha256: str, *, settings: Settings | None = None, command: str = "",
    progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """What `assets/evaluations/robustness-NAME.json` holds: Way by the way's name, and every Change.

    `sentences`: English, in canonical form; `sha256`: of their file.
    """
    settings = settings or Settings()
    typed = {
        name: [(text, form) for text in sentences if (form := way(text)) != text]
        for name, way in TYPING_VARIANTS.items()
    }
    forms = [form for pairs in typed.values() for _, form in pairs]
    texts = list(dict.fromkeys(map(normalise, (*sentences, *forms))))  # what is the same to the model is decoded once
    outputs = dict(zip(texts, translate_texts(model, texts, settings, progress), strict=True))
    language, ways, changes = model.languages[1], {}, []
    for name, pairs in typed.items():
        said = [(form, outputs[normalise(text)], outputs[normalise(form)]) for text, form in pairs]
        found = [ChangedTranslation(name, form, before, after) for form, before, after in said
                 if count_words_with_content(before, language) != count_words_with_content(after, language)]
        changes += found
        ways[name] = TypingResult(len(pairs), sum(normalise(form) == text for text, form in pairs), len(found))
    return {
        "schema": SCHEMA, "kind": "robustness", "model": model.name, "fingerprint": model.fingerprint,
        "data": {"name": "typed", "sha256": sha256, "sentences": len(sentences)},
        "search": {"name": settings.method, **settings.provenance}, "ways": to_plain(ways),
        "date": datetime.now(UTC).isoformat(timespec="seconds"), "command": command, "changes": to_plain(changes),
    }  # fmt: skip


@lru_cache
def _bare_function_words(language: str) -> frozenset[str]:
    """A language's words without content as capitals may have them: "ETES" is one too."""
    return frozenset(map(_bare, languages.get_language(language).function_words))


def _bare(word: str) -> str:
    """A word without case and accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(sign))
