"""Texts in canonical form, for what trusts that its texts are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.text.normalise import NormalisedText, normalise


def normalise_all(given: Iterable[str]) -> list[NormalisedText]:
    """Each text, normalised."""
    return list(map(normalise, given))


def normalise_pairs(given: Iterable[tuple[str, str]]) -> list[tuple[NormalisedText, NormalisedText]]:
    """Each pair, normalised."""
    return list(iterate_normalised_pairs(given))


def iterate_normalised_pairs(given: Iterable[tuple[str, str]]) -> Iterator[tuple[NormalisedText, NormalisedText]]:
    """Each pair as it comes, normalised."""
    return ((normalise(source), normalise(target)) for source, target in given)
