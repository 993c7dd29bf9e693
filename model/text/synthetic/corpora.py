"""The corpora that a control file has made by rule, out of those that were read and of the lists of this package."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping

from model.text.cleaning import LanguagePair, Pair, make_bare
from model.text.control_file import SyntheticSettings
from model.text.synthetic import rules, templates

NAMES, CAPITALS, GREETINGS = "names", "capitals", "greetings"
BARE_SHARE = 0.25  # of the sentences of templates


def generate_corpora(
    settings: SyntheticSettings, corpora: Mapping[str, list[Pair]], inner_counts: tuple[Counter[str], Counter[str]], language_pair: LanguagePair,
    seed: int,
) -> Iterator[tuple[str, list[Pair]]]:
    """Each corpus by its name, made of the pairs of `corpora` and of the templates; the same for the same seed.

    `inner`: how often words stand inside sentences, on either side (`model.text.cleaning.inner_words`).
    """
    if settings.names:
        named = [pair for name in settings.names for pair in corpora[name]]
        yield NAMES, [pair for turn in range(settings.names_copies) for pair in rules.replace_names(named, seed + turn)]
    if settings.capitals:
        yield CAPITALS, [pair for name, count in settings.capitals.items()
                         for pair in rules.sample_in_capitals(corpora[name], count, seed)]
    for name, draws in settings.templates.items():
        rng = random.Random(f"{seed} haste {name}")
        yield name, [
            (make_bare(source, language_pair[0], inner_counts[0]), make_bare(target, language_pair[1], inner_counts[1])) if rng.random() < BARE_SHARE
            else (source, target) for source, target in templates.generate_pairs(name, draws, seed)
        ]  # fmt: skip
    if settings.greetings:
        yield GREETINGS, rules.build_greetings()
