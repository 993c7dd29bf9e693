"""Corpora made out of other corpora and lists by rule: other names, capitals, greetings."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence

from model.text.cleaning import Pair
from model.text.normalise import normalise
from model.text.synthetic import french
from model.text.synthetic.lexicon import FOLDER, load_lexicon, read_names

ELIDING = r"(?:[dD]|(?:[qQ]|[jJ]usq|[lL]orsq|[pP]uisq|[qQ]uoiq)u)e"


def replace_names(pairs: Iterable[Pair], seed: int) -> Iterator[Pair]:
    """The pairs that name Tom, Mary and others of names.toml as often in French as in English, each with other names: a
    man's for a man's, a woman's for a woman's, two for two; nothing else changes but "de Tom", which is "d'Anna"."""
    rng = random.Random(f"{seed} names")
    names = read_names()
    others = dict.fromkeys(names["replaced_men"], names["men"]) | dict.fromkeys(names["replaced_women"], names["women"])
    asked = re.compile(rf"\b(?:{'|'.join(others)})\b")
    french_of = {"Mary": "Mary|Marie", "John": "John|Jean"}
    for source, target in pairs:
        found = sorted(set(asked.findall(source)))
        taken: set[str] = set()
        for name in found:
            written = rf"(?<!-)\b(?:{french_of.get(name, name)})\b(?!-)"
            if len(re.findall(rf"\b{name}\b", source)) != len(re.findall(written, target)):
                break
            new = rng.choice([other for other in others[name] if other not in taken])
            taken.add(new)
            source, target = normalise(re.sub(rf"\b{name}\b", new, source)), normalise(_substitute_name(target, written, new))
        else:
            if found:
                yield source, target


def _substitute_name(target: str, written: str, new: str) -> str:
    """French with another name in the place of one, elided where a vowel or a mute h begins it."""
    if french.begins_with_vowel(new):
        target = re.sub(rf"\b({ELIDING}) {written}", lambda found: f"{found[1][:-1]}'{new}", target)
    return re.sub(written, new, target)


def sample_in_capitals(pairs: Sequence[Pair], count: int, seed: int) -> list[Pair]:
    """So many of the pairs, drawn, all in capitals."""
    drawn = random.Random(f"{seed} capitals").sample(list(pairs), min(count, len(pairs)))
    return [_to_capitals(pair) for pair in drawn]


def build_greetings() -> list[Pair]:
    """Greetings and single words, each in four ways: as it is written, without its last sign, in small letters without
    it, in capitals."""
    listed = tomllib.loads((FOLDER / "greetings.toml").read_text(encoding="utf-8"))
    pairs = [(normalise(source), normalise(target)) for source, target in listed["greetings"]]
    for kind in listed["alone"]:
        for entry in load_lexicon().entries_by_kind[kind]:
            if not entry.english[0].isdigit():  # a number of digits is no news
                pairs.append((normalise(entry.english[0]), normalise(entry.french["m", False])))
    found: dict[Pair, None] = {}
    for source, target in pairs:
        plain = normalise(source.rstrip(".!,")), normalise(target.rstrip(".!,"))
        small = normalise(_to_lower_case(plain[0])), normalise(_to_lower_case(plain[1]))
        found |= dict.fromkeys([(source, target), plain, small, _to_capitals((source, target))])
    return list(found)


def _to_lower_case(text: str) -> str:
    """A text in small letters, but for the English "I"."""
    return re.sub(r"\bi\b(?!-)", "I", text.lower())


def _to_capitals(pair: Pair) -> Pair:
    source, target = pair
    return normalise(source.upper()), normalise(target.upper())
