"""Splitting a sentence into clauses, so that it can be translated with one clause more each time.

Clauses are cut at punctuation, before a short list of words and after verb endings (model/text/languages.py), without a
parser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from model.text.languages import Language, get_language
from model.text.words import is_content_word

STRIDE_WORDS = 5  # length of the parts of a sentence without clauses
MIN_STRIDE_SENTENCE = 8  # words of a sentence that is cut into such parts
MAX_CLAUSES = 16

_CLAUSE_END = re.compile(r"[,;:.!?][\"')\]]*$|^-$")
_OPEN_END = re.compile(r"[\s,;:\"'()\[\]-]+$")
_SENTENCE_END = re.compile(r"[.!?]+[\"')\]]*$")


def split_clauses(sentence: str, language: str) -> tuple[str, ...]:
    """Split a normalised sentence into clauses; joined with spaces they are the sentence.

    A clause ends at punctuation, before a conjunction or relative, or after a connective ending, and has at least
    `Language.min_clause_words` words. Of two cuts too close together the first is kept, but punctuation takes
    precedence over a word. A sentence without cuts is cut about every STRIDE_WORDS words. There are at most
    MAX_CLAUSES; longer texts get longer clauses.
    """
    words, rules = sentence.split(), get_language(language)
    min_words = rules.min_clause_words
    cuts = _find_cuts(words, min_words, rules)
    while len(cuts) >= MAX_CLAUSES:
        min_words += 1 + min_words // 4
        cuts = _find_cuts(words, min_words, rules)
    if not cuts and len(words) >= MIN_STRIDE_SENTENCE:
        cuts = _find_stride_cuts(words, rules)
    cuts = [cut for cut in cuts if _trim_end(words[:cut])]  # no clause of punctuation alone at the beginning
    edges = [0, *cuts, len(words)]
    return tuple(" ".join(words[start:end]) for start, end in pairwise(edges) if start < end)


def build_prefixes(sentence: str, language: str) -> tuple[str, ...]:
    """Return the first clause, the first two, … and the whole of a normalised sentence.

    Each prefix ends with the sentence's own final mark, if it has one, in place of a comma or bracket, because models
    expect complete sentences.
    """
    clauses = split_clauses(sentence, language)
    end = _SENTENCE_END.search(clauses[-1]) if clauses else None
    mark = end.group().rstrip("\"')]") if end else ""
    texts = [_trim_end(clauses[:count]) for count in range(1, len(clauses))]
    prefixes = [text if text.endswith((".", "!", "?")) else text + mark for text in texts]
    return (*prefixes, " ".join(clauses)) if clauses else ()


def _trim_end(parts: Sequence[str]) -> str:
    """Join the parts of a sentence, without commas, brackets, quotes and dashes at the end."""
    return _OPEN_END.sub("", " ".join(parts))


def _find_cuts(words: list[str], min_words: int, rules: Language) -> list[int]:
    """Return the indices of the words before which a sentence is cut.

    A word opens a clause only if `min_words` words follow before the next punctuation, which takes precedence.
    """
    next_ends = [len(words)] * (len(words) + 1)  # the next cut at punctuation after each word
    for index in range(len(words) - 1, 0, -1):
        next_ends[index - 1] = index if _ends_clause(words[index - 1], rules) else next_ends[index]
    cuts: list[int] = []
    last_cut = 0
    for index in range(min_words, len(words) - min_words + 1):
        is_cut = _ends_clause(words[index - 1], rules) or (
            next_ends[index] - index >= min_words
            and (_opens_clause(words, index, rules) or _has_clause_ending(words[index - 1], rules))
        )
        if index - last_cut >= min_words and is_cut:
            cuts.append(index)
            last_cut = index
    return cuts


def _find_stride_cuts(words: list[str], rules: Language) -> list[int]:
    """Return cuts about STRIDE_WORDS words apart, moved by up to two words.

    They are moved to avoid ending with a function word or an abbreviation, such as the title of a name.
    """
    part_count = min(MAX_CLAUSES, max(2, round(len(words) / STRIDE_WORDS)))
    cuts = []
    for part in range(1, part_count):
        center = len(words) * part // part_count
        candidates = [center, center - 1, center + 1, center - 2, center + 2]
        cuts.append(next((cut for cut in candidates if _may_end_part(words[cut - 1], rules)), center))
    return cuts


def _may_end_part(word: str, rules: Language) -> bool:
    return is_content_word(word.strip("\"'()[]"), rules.code) and not rules.is_abbreviation(word)


def _ends_clause(word: str, rules: Language) -> bool:
    return bool(_CLAUSE_END.search(word)) and not rules.is_abbreviation(word)


def _has_clause_ending(word: str, rules: Language) -> bool:
    return rules.clause_endings.search(word) is not None and word not in rules.clause_openers


def _opens_clause(words: list[str], index: int, rules: Language) -> bool:
    word = words[index].lstrip("\"'([").rstrip(",").casefold()
    if word not in rules.clause_openers:
        return False
    return word != "that" or words[index - 1].casefold() not in rules.that_blockers
