"""Which pairs of a corpus are worth learning from, and in what form. Every refusal has a name, so it can be counted."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from unicodedata import category

from model.serialization.toml import check_range
from model.text import languages
from model.text.languages import DEFAULT_PAIR
from model.text.normalise import Normalised, normalise
from model.text.words import split_words

Pair = tuple[Normalised, Normalised]
"""A sentence and its translation."""

LanguagePair = tuple[str, str]
"""The codes of the languages of the source and of the target."""


@dataclass(frozen=True)
class Limits:
    """What a training pair may be like."""

    words: int = 80
    """Most words on a side."""
    pieces: int = 160
    """Most pieces on a side, EOS counted."""
    ratio: float = 3.0
    """Most times as many words on one side as on the other,"""
    ratio_from: int = 7
    """asked only where the longer side has at least so many words."""
    letters: float = 0.5
    """Least share of letters among the signs of a side."""
    identical: int = 4
    """A source equal to its target is refused when it has more words than this."""
    overlap: int = 5
    """A source that is also in a development or test file is refused when it has more words than this."""

    def __post_init__(self) -> None:
        check_range(self, "limits", 1, 65535, "words", "pieces", "ratio_from", "identical", "overlap")
        check_range(self, "limits", 1, 65535, "ratio")
        check_range(self, "limits", 0, 1, "letters")


# What the minutes of a parliament put before a speech: dashes and stops, and the speaker's language ("(ES)").
_SPEAKER = re.compile(r"(?:[-.,;:] ?)*(?:\([A-Z]{2}\) ?)?(?:[-.,;:] ?)*")


def strip_speaker_marks(text: Normalised) -> Normalised:
    """Return a normalised line without the dashes, stops and language mark that minutes put before a speech."""
    match = _SPEAKER.match(text)
    return Normalised(text[match.end() :]) if match and not text.startswith("...") else text


def find_rejection_reason(
    source: str, target: str, limits: Limits, language_pair: LanguagePair = DEFAULT_PAIR
) -> str | None:
    """Return why a normalised pair is not to be learnt from, or None where it is fine."""
    if not source or not target:
        return "empty"
    lengths = (
        languages.get_language(language_pair[0]).count_words(source),
        languages.get_language(language_pair[1]).count_words(target),
    )
    if max(lengths) > limits.words:
        return "too many words"
    if max(lengths) >= limits.ratio_from and max(lengths) > limits.ratio * min(lengths):
        return "lengths too unlike"
    for side in (source, target):
        signs = sum(not character.isspace() for character in side)
        if sum(map(_is_letter, side)) < limits.letters * signs:
            return "mostly not letters"
    if source == target and lengths[0] > limits.identical:
        return "same on both sides"
    return None


def clean_lines(
    lines: list[str],
    limits: Limits,
    is_minutes: bool,
    language_pair: LanguagePair = DEFAULT_PAIR,
    is_reversed: bool = False,
) -> tuple[list[Pair], Counter[str]]:
    """Return the normalised pairs worth keeping of lines "source<TAB>target", and how many were refused for what.

    `minutes` says that the lines are minutes of a parliament, whose marks before a speech are taken off; `turned`
    that the target comes first.
    """
    kept: list[Pair] = []
    refused: Counter[str] = Counter()
    for line in lines:
        fields = line.rstrip("\r\n").split("\t")
        if len(fields) != 2:
            refused["not two fields"] += 1
            continue
        source, target = (normalise(side) for side in (reversed(fields) if is_reversed else fields))
        if is_minutes:
            source, target = strip_speaker_marks(source), strip_speaker_marks(target)
        reason = find_rejection_reason(source, target, limits, language_pair)
        if reason:
            refused[reason] += 1
        else:
            kept.append((source, target))
    return kept, refused


def make_match_key(text: str) -> str:
    """Return what two sentences share that differ only in case, punctuation and spacing."""
    return "".join(character for character in text.casefold() if character.isalnum() or _is_letter(character))


def _is_letter(character: str) -> bool:
    """Whether it is a letter, or a mark that is one's part: most vowels of the Indian scripts."""
    return character.isalpha() or category(character)[0] == "M"


def count_inner_words(
    pairs: list[Pair], language_pair: LanguagePair = DEFAULT_PAIR
) -> tuple[Counter[str], Counter[str]]:
    """Count, for each side, the words that do not begin a sentence, as they are written."""
    counts = Counter[str](), Counter[str]()
    for pair in pairs:
        for language, text, counted in zip(language_pair, pair, counts, strict=True):
            begins = True
            for start, end in split_words(text, language):
                if text[start].isalnum():
                    if not begins:
                        counted[text[start:end]] += 1
                    begins = False
                elif text[start:end] not in (",", "-", "'", ";"):
                    begins = True  # after a stop or a quotation mark a capital says nothing about the word
    return counts


def make_bare(text: Normalised, language: str, inner_counts: Counter[str]) -> Normalised:
    """Return a sentence as it is typed in haste: no capital at the beginning, no full stop at the end.

    The capital stays where the word is written with it inside sentences at least as often as without ("I", names).
    """
    spans = split_words(text, language)
    if spans:
        start, end = spans[0]
        word = text[start:end]
        small = word[:1].lower() + word[1:]
        if inner_counts[small] > inner_counts[word]:
            text = Normalised(text[:start] + small + text[end:])
    stop = languages.get_language(language).full_stop
    if stop and text.endswith(stop) and not text.endswith(2 * stop):
        text = Normalised(text.removesuffix(stop))
    return text


def format_as_sentence(pair: Pair, language_pair: LanguagePair) -> Pair:
    """A phrase as a sentence: a capital at its beginning and, where both sides end in a letter or a digit, a full stop
    at their ends."""
    source, target = (side[:1].upper()[:1] + side[1:] for side in pair)
    if source[-1:].isalnum() and target[-1:].isalnum():
        source, target = (
            source + languages.get_language(language_pair[0]).full_stop,
            target + languages.get_language(language_pair[1]).full_stop,
        )
    return Normalised(source), Normalised(target)


def is_selected_by_hash(source: str) -> bool:
    """Whether a phrase is of the half that is made `sentence_like`: decided by its text, and so always the same way."""
    return hashlib.sha256(source.encode()).digest()[0] % 2 == 0
