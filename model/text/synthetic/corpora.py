"""Synthetic corpora: template sentences, and sentences of real corpora with other names or in capitals."""

from __future__ import annotations

import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from model.text.cleaning import Pair, make_bare
from model.text.control_file import KOREAN_TEMPLATES, SyntheticSettings
from model.text.languages import DEFAULT_PAIR, LanguagePair
from model.text.normalise import normalise
from model.text.synthetic import english, french, templates
from model.text.synthetic.korean import sentences as korean
from model.text.synthetic.lexicon import FOLDER, load_lexicon, read_names

BARE_SHARE = 0.25  # of template sentences, without capital and full stop
ELIDING = r"(?:[dD]|(?:[qQ]|[jJ]usq|[lL]orsq|[pP]uisq|[qQ]uoiq)u)e"
_FRENCH_NAMES = {"Mary": "Mary|Marie", "John": "John|Jean"}


def generate_corpora(
    settings: SyntheticSettings,
    corpora: Mapping[str, list[Pair]],
    inner_counts: tuple[Counter[str], Counter[str]],
    language_pair: LanguagePair,
    seed: int,
) -> Iterator[tuple[str, list[Pair]]]:
    """Yield each synthetic corpus with its name; the same seed gives the same corpora.

    `corpora`: the real corpora by name. `inner_counts`: counts of words inside sentences, per side
    (`model.text.cleaning.count_inner_words`).
    """
    pairs = [pair for name in settings.names for pair in corpora[name]]
    candidates = list(pairs)
    if settings.names:
        yield "names", [pair for copy in range(settings.names_copies) for pair in replace_names(pairs, seed + copy)]
    if settings.capitals:
        yield "capitals", [pair for name, count in settings.capitals.items()
                           for pair in sample_in_capitals(corpora[name], count, seed)]  # fmt: skip
    for name, count in settings.templates.items():
        rng = random.Random(f"{seed} haste {name}")
        corpus_pairs = []
        template_pairs = (_orient(korean.generate_pairs(name.removesuffix("-ko"), count, seed), language_pair)
                          if name in KOREAN_TEMPLATES else templates.generate_pairs(name, count, seed))  # fmt: skip
        for source, target in template_pairs:
            if rng.random() < BARE_SHARE:
                source = make_bare(source, language_pair[0], inner_counts[0])
                target = make_bare(target, language_pair[1], inner_counts[1])
            corpus_pairs.append((source, target))
        candidates += corpus_pairs
        yield name, corpus_pairs
    if settings.rare_names:
        rare = list(replace_with_rare_names(candidates, seed))
        yield "rare-names", random.Random(f"{seed} rare").sample(rare, min(settings.rare_names, len(rare)))
    if settings.greetings:
        is_default = language_pair == DEFAULT_PAIR
        yield "greetings", build_greetings() if is_default else list(_orient(korean.build_greetings(), language_pair))


def find_unavailable(settings: SyntheticSettings, language_pair: LanguagePair) -> list[str]:
    """Return the synthetic corpora that cannot be generated for a pair of languages."""
    if language_pair == DEFAULT_PAIR:
        return [name for name in settings.corpus_names if name in KOREAN_TEMPLATES]
    available = ("greetings", *KOREAN_TEMPLATES) if sorted(language_pair) == ["en", "ko"] else ()
    return [name for name in settings.corpus_names if name not in available]


def _orient(pairs: Iterable[Pair], language_pair: LanguagePair) -> Iterator[Pair]:
    """Yield English-Korean pairs, reversed if Korean is the source."""
    return ((korean, english) if language_pair[0] == "ko" else (english, korean) for english, korean in pairs)


def replace_names(pairs: Iterable[Pair], seed: int) -> Iterator[Pair]:
    """Yield the pairs that contain Tom, Mary or another replaced name of names.toml, with other names in their place.

    A pair must have each name as often in French as in English. Men's names replace men's, women's replace women's, and
    two different names stay different. Nothing else changes except elision: "de Tom" may become "d'Anna".
    """
    rng = random.Random(f"{seed} names")
    names = read_names()
    candidates = dict.fromkeys(names["replaced_men"], names["men"])
    candidates |= dict.fromkeys(names["replaced_women"], names["women"])
    source_pattern = re.compile(rf"\b(?:{'|'.join(candidates)})\b")
    for source, target in pairs:
        source_names = sorted(set(source_pattern.findall(source)))
        new_names: set[str] = set()
        for name in source_names:
            target_pattern = rf"(?<!-)\b(?:{_FRENCH_NAMES.get(name, name)})\b(?!-)"
            if len(re.findall(rf"\b{name}\b", source)) != len(re.findall(target_pattern, target)):
                break
            new_name = rng.choice([candidate for candidate in candidates[name] if candidate not in new_names])
            new_names.add(new_name)
            source = normalise(re.sub(rf"\b{name}\b", new_name, source))
            target = normalise(substitute_name(target, target_pattern, new_name))
        else:
            if source_names:
                yield source, target


def replace_with_rare_names(pairs: Iterable[Pair], seed: int) -> Iterator[Pair]:
    """Yield the pairs that contain first names or cities, with a rare surname in the place of each.

    A model on whole words learns from them to copy an unknown word. Surnames are put together at random from
    names.toml; some follow a first name, "Mr" or "Mrs". Left out are pairs in which a name is elided or not as often in
    French.
    """
    rng = random.Random(f"{seed} rare names")
    names = read_names()
    men, women = names["replaced_men"] + names["men"], names["replaced_women"] + names["women"]
    cities = [entry.english[0] for entry in load_lexicon().entries_by_kind["city"]
              if entry.english[0] == entry.french["m", False]]  # fmt: skip
    prefixes: dict[str, list[tuple[str, str]]] = {city: [("", "")] for city in cities}
    for first_names, english_title, french_title in ((men, "Mr", "M."), (women, "Mrs", "Mme")):
        for name in first_names:
            prefixes[name] = [("", "")] * 6 + [(name, name)] * 3 + [(english_title, french_title)]
    pattern = re.compile(rf"(?<!-)\b(?:{'|'.join(map(re.escape, prefixes))})\b(?!-)")
    for source, target in pairs:
        matches = pattern.findall(source)
        is_elided = any(map(french.begins_with_vowel, matches))
        if not matches or sorted(matches) != sorted(pattern.findall(target)) or is_elided:
            continue
        surnames = {name: rng.choice(names["surname_beginnings"]) + rng.choice(names["surname_ends"])
                    for name in matches}  # fmt: skip
        name_prefixes = {name: rng.choice(prefixes[name]) for name in surnames}
        for name, surname in surnames.items():
            name_pattern = rf"(?<!-)\b{re.escape(name)}\b(?!-)"
            source_name, target_name = (f"{prefix} {surname}".lstrip() for prefix in name_prefixes[name])
            source = normalise(re.sub(name_pattern, source_name, source))
            target = normalise(substitute_name(target, name_pattern, target_name))
        yield source, target


def substitute_name(target: str, pattern: str, new_name: str) -> str:
    """Replace a name in a French sentence, with elision before a vowel or a mute h."""
    if french.begins_with_vowel(new_name):
        target = re.sub(rf"\b({ELIDING}) {pattern}", lambda match: f"{match[1][:-1]}'{new_name}", target)
    return re.sub(pattern, new_name, target)


def sample_in_capitals(pairs: Sequence[Pair], count: int, seed: int) -> list[Pair]:
    """Sample `count` of the pairs and put them in capitals."""
    sampled = random.Random(f"{seed} capitals").sample(list(pairs), min(count, len(pairs)))
    return [_to_capitals(pair) for pair in sampled]


def build_greetings() -> list[Pair]:
    """Build greetings and single words as written, without final punctuation, in lower case and in capitals."""
    content = tomllib.loads((FOLDER / "greetings.toml").read_text(encoding="utf-8"))
    pairs = [(normalise(source), normalise(target)) for source, target in content["greetings"]]
    for kind in content["alone"]:
        for entry in load_lexicon().entries_by_kind[kind]:
            if not entry.english[0].isdigit():
                pairs.append((normalise(entry.english[0]), normalise(entry.french["m", False])))
    variants: dict[Pair, None] = {}
    for source, target in pairs:
        unpunctuated = normalise(source.rstrip(".!,")), normalise(target.rstrip(".!,"))
        lower_source, lower_target = map(english.to_lower_case, unpunctuated)
        lower_case = normalise(lower_source), normalise(lower_target)
        variants |= dict.fromkeys([(source, target), unpunctuated, lower_case, _to_capitals((source, target))])
    return list(variants)


def _to_capitals(pair: Pair) -> Pair:
    source, target = pair
    return normalise(source.upper()), normalise(target.upper())
