"""Which pairs are learnt from: each once, and none that is held out, tested with, or asked by a list."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Set

from model.text import languages
from model.text.cleaning import LanguagePair, Limits, Pair, make_match_key
from model.text.languages import DEFAULT_PAIR


def count_share(pairs: list[Pair], share: float) -> int:
    """How many sentences a share of all is, one at least."""
    return max(1, int(share * len({make_match_key(source) for source, _ in pairs})))


def split_held_out(pairs: list[Pair], count: int, rejected: Counter[str]) -> tuple[list[Pair], list[Pair]]:
    """Split off the pairs of `count` English sentences, chosen by hash; of each the first pair is for development."""
    ranked = sorted({make_match_key(source) for source, _ in pairs}, key=lambda text: hashlib.sha256(text.encode()).digest())
    chosen = set(ranked[:count])
    first: dict[str, Pair] = {}
    rest: list[Pair] = []
    for pair in pairs:
        name = make_match_key(pair[0])
        if name in chosen:
            first.setdefault(name, pair)
            rejected["held out for development"] += 1
        else:
            rest.append(pair)
    return list(first.values()), rest


def is_overlap_checked(source: str, language: str, limits: Limits) -> bool:
    """Whether a sentence of that language is so long that training on it gives away a test that has it too: a short
    phrase is anybody's."""
    return languages.get_language(language).count_words(source) > limits.overlap


def deduplicate(
    pairs: Iterable[Pair], test_keys: set[str], excluded_keys: Set[str], limits: Limits, rejected: Counter[str],
    language_pair: LanguagePair = DEFAULT_PAIR,
) -> list[Pair]:
    """The pairs, each once, whose source is in no development or test file (unless it is a short phrase), and is not
    `asked` by a list of everyday sentences."""
    seen: dict[Pair, None] = {}
    for pair in pairs:
        if pair in seen:
            rejected["duplicate"] += 1
        elif is_overlap_checked(pair[0], language_pair[0], limits) and make_match_key(pair[0]) in test_keys:
            rejected["in a development or test file"] += 1
        elif excluded_keys and make_match_key(pair[0]) in excluded_keys:
            rejected["asked by an everyday list"] += 1
        else:
            seen[pair] = None
    return list(seen)
