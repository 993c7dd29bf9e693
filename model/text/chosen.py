"""Which pairs are learnt from: each once, and none that is held out, tested with, or asked by a list."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Set

from model.text import languages
from model.text.cleaning import Languages, Limits, Pair, key
from model.text.languages import PAIR


def share_of(pairs: list[Pair], share: float) -> int:
    """How many sentences a share of all is, one at least."""
    return max(1, int(share * len({key(source) for source, _ in pairs})))


def hold_out(pairs: list[Pair], count: int, refused: Counter[str]) -> tuple[list[Pair], list[Pair]]:
    """Split off the pairs of `count` English sentences, chosen by hash; of each the first pair is for development."""
    ranked = sorted({key(source) for source, _ in pairs}, key=lambda text: hashlib.sha256(text.encode()).digest())
    chosen = set(ranked[:count])
    first: dict[str, Pair] = {}
    rest: list[Pair] = []
    for pair in pairs:
        name = key(pair[0])
        if name in chosen:
            first.setdefault(name, pair)
            refused["held out for development"] += 1
        else:
            rest.append(pair)
    return list(first.values()), rest


def is_telling(source: str, language: str, limits: Limits) -> bool:
    """Whether a sentence of that language is so long that training on it gives away a test that has it too: a short
    phrase is anybody's."""
    return languages.of(language).count(source) > limits.overlap


def distinct(
    pairs: Iterable[Pair], forbidden: set[str], asked: Set[str], limits: Limits, refused: Counter[str],
    spoken: Languages = PAIR,
) -> list[Pair]:
    """The pairs, each once, whose source is in no development or test file (unless it is a short phrase), and is not
    `asked` by a list of everyday sentences."""
    seen: dict[Pair, None] = {}
    for pair in pairs:
        if pair in seen:
            refused["duplicate"] += 1
        elif is_telling(pair[0], spoken[0], limits) and key(pair[0]) in forbidden:
            refused["in a development or test file"] += 1
        elif asked and key(pair[0]) in asked:
            refused["asked by an everyday list"] += 1
        else:
            seen[pair] = None
    return list(seen)
