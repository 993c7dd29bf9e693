"""Which pairs of a corpus are worth learning from, and in what form. Every refusal has a name, so it can be counted."""

import re
from collections import Counter
from dataclasses import dataclass

from model.text.normalise import normalise
from model.text.words import LANGUAGES, Language, split_words

Pair = tuple[str, str]
"""A sentence and its translation: English, French."""


@dataclass(frozen=True)
class Limits:
    """What a training pair may be like."""

    words: int = 80
    """Most whitespace words on a side."""
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
        for name in ("words", "pieces", "ratio_from", "identical", "overlap"):
            if getattr(self, name) < 1:
                raise ValueError(f"Limits.{name} is {getattr(self, name)}, but must be at least 1")
        if self.ratio < 1:
            raise ValueError(f"Limits.ratio is {self.ratio}, but must be at least 1")
        if not 0 <= self.letters <= 1:
            raise ValueError(f"Limits.letters is {self.letters}, but must lie between 0 and 1")


# What the minutes of a parliament put before a speech: dashes and stops, and the speaker's language ("(ES)").
_SPEAKER = re.compile(r"(?:[-.,;:] ?)*(?:\([A-Z]{2}\) ?)?(?:[-.,;:] ?)*")


def without_speaker(text: str) -> str:
    """Return a normalised line without the dashes, stops and language mark that minutes put before a speech."""
    match = _SPEAKER.match(text)
    return text[match.end() :] if match and not text.startswith("...") else text


def refusal(source: str, target: str, limits: Limits) -> str | None:
    """Return why a normalised pair is not to be learnt from, or None where it is fine."""
    if not source or not target:
        return "empty"
    lengths = len(source.split()), len(target.split())
    if max(lengths) > limits.words:
        return "too many words"
    if max(lengths) >= limits.ratio_from and max(lengths) > limits.ratio * min(lengths):
        return "lengths too unlike"
    for side in (source, target):
        signs = sum(not character.isspace() for character in side)
        if sum(character.isalpha() for character in side) < limits.letters * signs:
            return "mostly not letters"
    if source == target and lengths[0] > limits.identical:
        return "same on both sides"
    return None


def clean(lines: list[str], limits: Limits, minutes: bool) -> tuple[list[Pair], Counter[str]]:
    """Return the normalised pairs worth keeping of lines "source<TAB>target", and how many were refused for what.

    `minutes` says that the lines are minutes of a parliament, whose marks before a speech are taken off.
    """
    kept: list[Pair] = []
    refused: Counter[str] = Counter()
    for line in lines:
        fields = line.rstrip("\r\n").split("\t")
        if len(fields) != 2:
            refused["not two fields"] += 1
            continue
        source, target = normalise(fields[0]), normalise(fields[1])
        if minutes:
            source, target = without_speaker(source), without_speaker(target)
        reason = refusal(source, target, limits)
        if reason:
            refused[reason] += 1
        else:
            kept.append((source, target))
    return kept, refused


def key(text: str) -> str:
    """Return what two sentences share that differ only in case, punctuation and spacing."""
    return "".join(character for character in text.casefold() if character.isalnum())


def inner_words(pairs: list[Pair]) -> dict[Language, Counter[str]]:
    """Count, for each language, the words that do not begin a sentence, as they are written."""
    counts: dict[Language, Counter[str]] = {language: Counter() for language in LANGUAGES}
    for pair in pairs:
        for language, text in zip(LANGUAGES, pair, strict=True):
            begins = True
            for start, end in split_words(text, language):
                if text[start].isalnum():
                    if not begins:
                        counts[language][text[start:end]] += 1
                    begins = False
                elif text[start:end] not in (",", "-", "'", ";"):
                    begins = True  # after a stop or a quotation mark a capital says nothing about the word
    return counts


def bare(text: str, language: Language, inner: Counter[str]) -> str:
    """Return a sentence as it is typed in haste: no capital at the beginning, no full stop at the end.

    The capital stays where the word is written with it inside sentences at least as often as without ("I", names).
    """
    spans = split_words(text, language)
    if spans:
        start, end = spans[0]
        word = text[start:end]
        small = word[:1].lower() + word[1:]
        if inner[small] > inner[word]:
            text = text[:start] + small + text[end:]
    if text.endswith(".") and not text.endswith(".."):
        text = text[:-1]
    return text
