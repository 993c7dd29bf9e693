"""Normalised texts, for functions that require them."""

from __future__ import annotations

from collections.abc import Iterable

from model.text.normalise import NormalisedText, normalise


def normalise_all(texts: Iterable[str]) -> list[NormalisedText]:
    return list(map(normalise, texts))


def normalise_pairs(pairs: Iterable[tuple[str, str]]) -> list[tuple[NormalisedText, NormalisedText]]:
    return [(normalise(source), normalise(target)) for source, target in pairs]
