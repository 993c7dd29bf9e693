"""Corpus cleaning: selection and form of training pairs. Rejected pairs are counted by reason."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass
from unicodedata import category

from model.serialization.toml import check_range
from model.text.languages import DEFAULT_PAIR, LanguagePair, get_language
from model.text.normalise import NormalisedText, normalise
from model.text.words import split_words

Pair = tuple[NormalisedText, NormalisedText]
"""A sentence and its translation."""

# Minutes of a parliament put this before a speech: dashes, stops and the speaker's language ("(ES)").
_SPEAKER_MARKS = re.compile(r"(?:[-.,;:] ?)*(?:\([A-Z]{2}\) ?)?(?:[-.,;:] ?)*")


@dataclass(frozen=True)
class PairLimits:
    """Limits on a training pair."""

    words: int = 80
    """Most words on a side."""
    pieces: int = 160
    """Most tokens on a side, EOS counted."""
    ratio: float = 3.0
    """Largest ratio of the two sides' numbers of words."""
    ratio_from: int = 7
    """Fewest words on the longer side for `ratio` to be checked."""
    letters: float = 0.5
    """Least share of letters among the characters of a side."""
    identical: int = 4
    """A source equal to its target is rejected if it has more words than this."""
    overlap: int = 5
    """A source that is also in a development or test file is rejected if it has more words than this."""

    def __post_init__(self) -> None:
        check_range(self, "limits", 1, 65535, "words", "pieces", "ratio_from", "identical", "overlap")
        check_range(self, "limits", 1, 65535, "ratio")
        check_range(self, "limits", 0, 1, "letters")


def clean_lines(
    lines: list[str],
    limits: PairLimits,
    is_minutes: bool,
    language_pair: LanguagePair = DEFAULT_PAIR,
    is_reversed: bool = False,
) -> tuple[list[Pair], Counter[str]]:
    """Return the usable normalised pairs of lines "source<TAB>target", and counts of rejected lines by reason.

    `is_minutes`: strip the marks that minutes of a parliament put before a speech. `is_reversed`: the target comes
    first.
    """
    pairs: list[Pair] = []
    rejected: Counter[str] = Counter()
    for line in lines:
        fields = line.rstrip("\r\n").split("\t")
        if len(fields) != 2:
            rejected["not two fields"] += 1
            continue
        source, target = (normalise(side) for side in (reversed(fields) if is_reversed else fields))
        if is_minutes:
            source, target = strip_speaker_marks(source), strip_speaker_marks(target)
        reason = find_rejection_reason(source, target, limits, language_pair)
        if reason:
            rejected[reason] += 1
        else:
            pairs.append((source, target))
    return pairs, rejected


def strip_speaker_marks(text: NormalisedText) -> NormalisedText:
    """Remove the dashes, stops and language code that minutes put before a speech."""
    match = _SPEAKER_MARKS.match(text)
    return NormalisedText(text[match.end() :]) if match and not text.startswith("...") else text


def find_rejection_reason(
    source: str, target: str, limits: PairLimits, language_pair: LanguagePair = DEFAULT_PAIR
) -> str | None:
    """Return why a normalised pair is unusable, None if it is usable."""
    if not source or not target:
        return "empty"
    counts = [get_language(code).count_words(side) for code, side in zip(language_pair, (source, target), strict=True)]
    if max(counts) > limits.words:
        return "too many words"
    if max(counts) >= limits.ratio_from and max(counts) > limits.ratio * min(counts):
        return "lengths too unlike"
    for side in (source, target):
        visible = sum(not character.isspace() for character in side)
        if sum(map(_is_letter, side)) < limits.letters * visible:
            return "mostly not letters"
    if source == target and counts[0] > limits.identical:
        return "same on both sides"
    return None


def deduplicate(
    pairs: Iterable[Pair],
    test_keys: set[str],
    excluded_keys: Set[str],
    limits: PairLimits,
    rejected: Counter[str],
    language_pair: LanguagePair = DEFAULT_PAIR,
) -> list[Pair]:
    """Return each pair once, without sources of development and test files and excluded sources.

    `test_keys`, `excluded_keys`: keys of `make_match_key`. A short phrase may be in a development or test file.
    """
    unique: dict[Pair, None] = {}
    for pair in pairs:
        if pair in unique:
            rejected["duplicate"] += 1
        elif is_overlap_checked(pair[0], language_pair[0], limits) and make_match_key(pair[0]) in test_keys:
            rejected["in a development or test file"] += 1
        elif excluded_keys and make_match_key(pair[0]) in excluded_keys:
            rejected["asked by an everyday list"] += 1
        else:
            unique[pair] = None
    return list(unique)


def drop_known_targets(pairs: list[Pair], target_keys: Set[str], rejected: Counter[str]) -> list[Pair]:
    """Return the pairs whose target's key (`make_match_key`) is not among these."""
    remaining_pairs = [pair for pair in pairs if make_match_key(pair[1]) not in target_keys]
    rejected["in a development or test file"] += len(pairs) - len(remaining_pairs)
    return remaining_pairs


def is_overlap_checked(source: str, language: str, limits: PairLimits) -> bool:
    """Return whether a source has more than `limits.overlap` words, and so must not be in a test file too."""
    return get_language(language).count_words(source) > limits.overlap


def count_sources_in_share(pairs: list[Pair], share: float) -> int:
    """Return `share` of the number of distinct sources, at least one."""
    return max(1, int(share * len({make_match_key(source) for source, _ in pairs})))


def split_held_out(pairs: list[Pair], count: int, rejected: Counter[str]) -> tuple[list[Pair], list[Pair]]:
    """Split off the pairs of `count` sources, chosen by hash. Return the first pair of each, and the other pairs."""
    keys = {make_match_key(source) for source, _ in pairs}
    held_out_keys = set(sorted(keys, key=lambda key: hashlib.sha256(key.encode()).digest())[:count])
    held_out: dict[str, Pair] = {}
    remaining: list[Pair] = []
    for pair in pairs:
        key = make_match_key(pair[0])
        if key in held_out_keys:
            held_out.setdefault(key, pair)
            rejected["held out for development"] += 1
        else:
            remaining.append(pair)
    return list(held_out.values()), remaining


def make_match_key(text: str) -> str:
    """Return a key that is equal for sentences that differ only in case, punctuation and spacing."""
    return "".join(character for character in text.casefold() if character.isalnum() or _is_letter(character))


def _is_letter(character: str) -> bool:
    """Return whether a character is a letter or a combining mark, as most vowels of the Indian scripts are."""
    return character.isalpha() or category(character)[0] == "M"


def count_inner_words(
    pairs: list[Pair], language_pair: LanguagePair = DEFAULT_PAIR
) -> tuple[Counter[str], Counter[str]]:
    """Count the words inside sentences as written, per side; first words are left out."""
    counts = Counter[str](), Counter[str]()
    for pair in pairs:
        for language, text, side_counts in zip(language_pair, pair, counts, strict=True):
            is_first = True
            for start, end in split_words(text, language):
                if text[start].isalnum():
                    if not is_first:
                        side_counts[text[start:end]] += 1
                    is_first = False
                elif text[start:end] not in (",", "-", "'", ";"):
                    is_first = True  # after a stop or a quotation mark a capital says nothing about the word
    return counts


def make_bare(text: NormalisedText, language: str, inner_counts: Counter[str]) -> NormalisedText:
    """Return a sentence without its initial capital and its full stop, as people type it.

    The capital stays if the word has one inside sentences at least half of the time ("I", names).
    """
    spans = split_words(text, language)
    if spans:
        start, end = spans[0]
        word = text[start:end]
        lower = word[:1].lower() + word[1:]
        if inner_counts[lower] > inner_counts[word]:
            text = NormalisedText(text[:start] + lower + text[end:])
    full_stop = get_language(language).full_stop
    if full_stop and text.endswith(full_stop) and not text.endswith(2 * full_stop):
        text = NormalisedText(text.removesuffix(full_stop))
    return text


def format_as_sentence(pair: Pair, language_pair: LanguagePair) -> Pair:
    """Capitalise a phrase and, if both sides end in a letter or a digit, add full stops."""
    source, target = (side[:1].title() + side[1:] for side in pair)
    if source[-1:].isalnum() and target[-1:].isalnum():
        source += get_language(language_pair[0]).full_stop
        target += get_language(language_pair[1]).full_stop
    return normalise(source), normalise(target)


def is_selected_by_hash(source: str) -> bool:
    """Return whether a phrase is in the half that becomes sentences; the choice depends on its text alone."""
    return hashlib.sha256(source.encode()).digest()[0] % 2 == 0
