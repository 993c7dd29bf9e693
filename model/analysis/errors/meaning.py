"""Find omissions, additions and drift of a translation with a lexicon and, if the model has attention, with α.

No reference is needed. Only *content words* (`model.text.words`) are marked, and only those that the lexicon knows: the
translations it lists have a total probability of at least MIN_KNOWN_PROBABILITY. Two words *pair* if the lexicon lists
one, or a form of it, as a translation of the other or of its forms ("sleeps" and "endormi", by "sleepy"). Words that
are spelt almost alike, as names are, pair too.

- *Omission*: a known source word, or an unknown name (by its capital inside the sentence), that pairs with no target
  word. Nor does a target word begin like a translation of it ("pleuvait" for "rains"). Words that French leaves
  out, as "how" before "to", do not count. Attention is not asked: an attended word may be omitted all the same, and
  diffuse attention must not hide omissions.
- *Addition*, without attention: a known target word that pairs with no source word (except words that English leaves
  out, as "heures" in a time, or "plus" for a comparative ending); an unknown word, if all source content words are
  known, so that it cannot translate a rare word. With attention: a target word that pairs with no source word and gives
  MIN_ATTENTION of its attention to omissions; or one that the lexicon does not have and that begins like no translation
  of the source ("rombli"), unless it attends to a rare word. UNK is no addition: it stands for a source word.
- *Drift*: the target's content words are cut where that best separates those that match a source word, each another
  one, from those that do not (`model.analysis.errors.drift.find_cut`). The translation drifts if at least
  MIN_DRIFT_WORDS follow, of which at most a quarter match.

The marks were judged by hand on sentences not used for the rules (tests/model/analysis/errors/test_judged.py).
Languages whose words end in particles have none: of the content words of 300 human translations between Korean and
English more than a fifth would be marked, of English and French a tenth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from model.analysis.errors.drift import find_cut
from model.analysis.lexicon import lexicon
from model.analysis.lexicon.lexicon import Lexicon
from model.text import languages
from model.text.languages import Language
from model.text.words import is_content_word
from model.trace import Trace, is_unk
from model.trace.maps import find_main_map

MIN_KNOWN_PROBABILITY = 0.3
MIN_ATTENTION = 0.1  # of a target word's attention
MIN_DRIFT_WORDS = 4  # content words
WordIndices = tuple[int, ...]
"""Indices of words, rising."""


@dataclass(frozen=True)
class MeaningErrors:
    """Omissions, additions and drift.

    Attributes:
        omissions: indices of source words.
        additions: indices of target words.
        last_followed: index of the last target word before drift; -1 if none follows, None without drift.
    """

    omissions: WordIndices
    additions: WordIndices
    last_followed: int | None


def has_lexicon(trace: Trace) -> bool:
    """Return whether a lexicon of a Trace's languages tells omissions and additions."""
    return _load_lexicon_for_marks(trace) is not None


def _load_lexicon_for_marks(trace: Trace) -> Lexicon | None:
    if any(languages.get_language(code).endings for code in trace.languages):
        return None
    return lexicon.load_lexicon(*trace.languages)


def find_meaning_errors(trace: Trace) -> MeaningErrors | None:
    """Find the omissions, additions and drift of a translation; None if no lexicon tells them."""
    bilingual_lexicon = _load_lexicon_for_marks(trace)
    if bilingual_lexicon is None:
        return None
    source, target = trace.source.words, trace.target.words
    source_language, target_language = map(languages.get_language, trace.languages)
    optional_source = _find_optional_words(source, source_language)
    optional_target = _find_optional_words(target, target_language)
    source_content = [index for index, word in enumerate(source)
             if is_content_word(word, trace.source_language) and index not in optional_source]
    target_content = [index for index, word in enumerate(target)
                      if is_content_word(word, trace.target_language) and not is_unk(word)]
    pairs = {index: [source_index for source_index, source_word in enumerate(source)
                     if bilingual_lexicon.is_pair(source_word, target_word)]
             for index, target_word in enumerate(target)}
    translated_words = {source_index for indices in pairs.values() for source_index in indices}
    entries = {index: bilingual_lexicon.find_translations(source[index]) for index in source_content}
    names = _find_names(source)
    known_words = {index for index, entry in entries.items()
                   if entry.known_probability >= MIN_KNOWN_PROBABILITY or (index in names and not entry.translations)}
    omissions = tuple(index for index in source_content if index in known_words and index not in translated_words
                 and not any(bilingual_lexicon.is_similar_to_translation(source[index], word) for word in target))
    no_longer = source_language.no_longer.search(" ".join(source).casefold())
    is_comparative = no_longer or find_graded_words(source, trace.source_language, bilingual_lexicon)
    unpaired = [index for index in target_content if not pairs[index] and index not in optional_target
                and not (is_comparative and target[index].casefold() in target_language.comparative_words)]
    if trace.has_attention:
        main_map = find_main_map(weight_map.description for weight_map in trace.maps)  # need not be the shown map
        weights = trace.compute_word_map(main_map.key if main_map else None)
        to_omissions = weights[:, list(omissions)].sum(axis=1)
        to_rare_words = weights[:, [index for index in source_content if index not in known_words]].sum(axis=1)

        def is_addition(index: int) -> bool:
            return bool(to_omissions[index] >= MIN_ATTENTION) or (
                bool(to_rare_words[index] < MIN_ATTENTION)
                and _is_unknown_word(target[index], source, bilingual_lexicon)
            )
    else:

        def is_addition(index: int) -> bool:
            is_known_word = bilingual_lexicon.find_sources(target[index]).known_probability >= MIN_KNOWN_PROBABILITY
            return len(known_words) == len(source_content) or is_known_word

    additions = tuple(filter(is_addition, unpaired))
    return MeaningErrors(omissions, additions, _find_last_followed(target_content, pairs))


def _find_names(words: Sequence[str]) -> set[int]:
    """Return the indices of names, recognised by a capital inside the sentence.

    Most names are spelt alike in all languages; the lexicon has frequent ones that are not ("Lisbon").
    """
    if not any(word[:1].islower() for word in words):
        return set()  # all in capitals
    return {index for index, word in enumerate(words)
            if word[:1].isupper() and index and words[index - 1][:1].isalpha()}


def _is_unknown_word(word: str, source: Sequence[str], bilingual_lexicon: Lexicon) -> bool:
    """Return whether the lexicon does not have a word, and it begins like no translation of the source."""
    return not bilingual_lexicon.find_sources(word).translations and not any(
        bilingual_lexicon.is_similar_to_translation(source_word, word) for source_word in source
    )


def find_graded_words(source: Sequence[str], code: str, bilingual_lexicon: Lexicon) -> list[str]:
    """Return the comparatives of a source: "more", and words with a comparative ending ("older", not "father").

    The lexicon must have the word that is compared.
    """
    language = languages.get_language(code)
    graded = []
    for word in map(str.casefold, source):
        if language.comparatives.fullmatch(word):
            bare = re.sub(r"(?:er|est)$", "", word)
            stems = {bare, f"{bare}e", re.sub(r"(.)\1$", r"\1", bare), re.sub(r"i$", "y", bare)}
            if bare == word or (
                word not in language.comparative_exceptions and any(stem in bilingual_lexicon.lines for stem in stems)
            ):
                graded.append(word)
    return graded


def _find_optional_words(words: Sequence[str], language: Language) -> set[int]:
    """Return the indices of words that other languages often leave out."""
    text = " ".join(words).casefold()
    return {text.count(" ", 0, match.start(match.lastindex)) for match in language.optional_words.finditer(text)
            if match.lastindex}  # fmt: skip


def _find_last_followed(content: list[int], pairs: dict[int, list[int]]) -> int | None:
    """Return `MeaningErrors.last_followed` of the content words."""
    free = {source_index for indices in pairs.values() for source_index in indices}
    is_matched: list[bool] = []
    for index in content:
        match = next((source_index for source_index in pairs[index] if source_index in free), None)
        free.discard(-1 if match is None else match)
        is_matched.append(match is not None)
    index = find_cut(is_matched)
    flags_after_cut = is_matched[index:]
    if len(flags_after_cut) < MIN_DRIFT_WORDS or 4 * sum(flags_after_cut) > len(flags_after_cut):
        return None
    return content[index - 1] if index else -1


def gloss_words(trace: Trace) -> tuple[str, ...] | None:
    """Return a likely meaning of each target word; None without a lexicon of its languages.

    It is the source word that it pairs with, else its most likely translation, "" for an unknown word.
    """
    bilingual_lexicon = lexicon.load_lexicon(*trace.languages)
    if bilingual_lexicon is None:
        return None
    source = trace.source.words
    glosses = []
    for word in trace.target.words:
        candidates = bilingual_lexicon.find_sources(word).translations
        matches = [source_word for source_word in source if bilingual_lexicon.is_pair(source_word, word)]
        ranked_matches = (match for name in candidates for match in matches if match.casefold() == name)
        glosses.append(next(ranked_matches, None) or next(iter(matches), None) or next(iter(candidates), ""))
    return tuple(glosses)
