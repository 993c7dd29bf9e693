"""The corpora that a control file has made by rule, out of those that were read and of the lists of this package."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping

from model.text.cleaning import LanguagePair, Pair, make_bare
from model.text.control_file import SyntheticSettings
from model.text.synthetic import rules, templates

NAMES, CAPITALS, GREETINGS = "names", "capitals", "greetings"
IN_HASTE = 0.25  # of the sentences of templates


def make(
    settings: SyntheticSettings, corpora: Mapping[str, list[Pair]], inner: tuple[Counter[str], Counter[str]], spoken: LanguagePair,
    seed: int,
) -> Iterator[tuple[str, list[Pair]]]:
    """Each corpus by its name, made of the pairs of `corpora` and of the templates; the same for the same seed.

    `inner`: how often words stand inside sentences, on either side (`model.text.cleaning.inner_words`).
    """
    if settings.names:
        named = [pair for name in settings.names for pair in corpora[name]]
        yield NAMES, [pair for turn in range(settings.names_copies) for pair in rules.renamed(named, seed + turn)]
    if settings.capitals:
        yield CAPITALS, [pair for name, count in settings.capitals.items()
                         for pair in rules.shouted(corpora[name], count, seed)]
    for name, draws in settings.templates.items():
        rng = random.Random(f"{seed} haste {name}")
        yield name, [
            (make_bare(source, spoken[0], inner[0]), make_bare(target, spoken[1], inner[1])) if rng.random() < IN_HASTE
            else (source, target) for source, target in templates.made(name, draws, seed)
        ]  # fmt: skip
    if settings.greetings:
        yield GREETINGS, rules.greetings()
