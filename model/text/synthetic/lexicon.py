"""The words that fill the slots of the templates, read from words.toml and names.toml: each with its forms."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from model.text.synthetic import dates, english, french
from model.text.synthetic.french import FORMS, Form

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class LexiconEntry:
    """A word or phrase of both languages."""

    english: tuple[str, str]
    """Its singular and its plural;"""
    french: Mapping[Form, str]
    """its forms by gender and number."""
    genders: str = "m"
    """"m" or "f", or "mf" of what may be either."""
    is_adjective: bool = False
    precedes_noun: bool = False
    """An adjective or a number that stands before its noun in French;"""
    vowel_form: str = ""
    """and what it is there before a masculine noun that begins with a vowel ("vieil")."""
    person: int = 2
    """Of a subject, which form of a verb it takes;"""
    is_plural: bool = False
    """and whether it is several."""
    article: str = "le"
    """What stands before the name of a country: an article, or nothing."""


@dataclass(frozen=True)
class Verb:
    """The present of a verb: six persons in each language."""

    english: tuple[str, ...]
    french: tuple[str, ...]


@dataclass(frozen=True)
class Lexicon:
    """All entries by the kind of slot that they fill, and the verbs by their names."""

    entries_by_kind: Mapping[str, tuple[LexiconEntry, ...]]
    verbs: Mapping[str, Verb] = field(default_factory=dict)


def build_invariable_entry(source: str, target: str, genders: str = "m", **more: Any) -> LexiconEntry:
    """An entry that is the same in all forms."""
    return LexiconEntry((source, source), dict.fromkeys(FORMS, target), genders, **more)


@cache
def load_lexicon() -> Lexicon:
    """The words of this package."""
    words = tomllib.loads((FOLDER / "words.toml").read_text(encoding="utf-8"))
    names = read_names()
    kinds = {kind: tuple(map(_parse_noun, rows)) for kind, rows in words["nouns"].items()}
    kinds |= {kind: tuple(map(_parse_adjective, rows)) for kind, rows in words["adjectives"].items()}
    kinds |= {kind: tuple(build_invariable_entry(*row.split("|")) for row in rows) for kind, rows in words["phrases"].items()}
    kinds["man"] = tuple(build_invariable_entry(name, name) for name in names["men"])
    kinds["woman"] = tuple(build_invariable_entry(name, name, "f") for name in names["women"])
    kinds["name"] = kinds["man"] + kinds["woman"]
    kinds["subject"] = tuple(map(_parse_subject, words["subjects"]))
    kinds["somebody"] = tuple(one for one in kinds["subject"] if one.person == 2) + kinds["name"]
    pronouns = tuple(one for one in kinds["subject"] if " " not in one.english[0])
    kinds["who"] = kinds["subject"] * 12 + pronouns * 30 + kinds["name"]
    for kind, gender in (("kinsman", "m"), ("kinswoman", "f")):
        kinds[kind] = tuple(replace(one, genders=gender) for one in kinds["relative"] if gender in one.genders)
    kinds["country"] = tuple(map(_parse_country, words["countries"]))
    kinds["city"] = tuple(build_invariable_entry(*_parse_name(row), article="") for row in words["cities"])
    kinds |= _build_number_entries()
    return Lexicon(kinds, {name: _parse_verb(row) for name, row in words["verbs"].items()})


def read_names() -> dict[str, list[str]]:
    """First names of men and of women from all over the world, and those of the corpora that they take the place of."""
    listed = tomllib.loads((FOLDER / "names.toml").read_text(encoding="utf-8"))
    return {kind: text.split() for kind, text in listed.items()}


def _parse_name(row: str) -> tuple[str, str]:
    """A name that may be the same in both languages, so that it is written once."""
    source, _, target = row.partition("|")
    return source, target or source


def _parse_noun(row: str) -> LexiconEntry:
    """"mouse|souris|f|mice|souris": the plurals where they are irregular; a job has "infirmier/infirmière|mf"."""
    source, target, gender, *plurals = row.split("|")
    sources = source, plurals[0] if plurals and plurals[0] else english.pluralise(source)
    if gender == "mf":
        masculine, _, feminine = target.partition("/")
        return LexiconEntry(sources, french.build_forms(masculine, feminine or masculine), "mf")
    several = plurals[1] if len(plurals) > 1 else french.pluralise(target)
    return LexiconEntry(sources, {(gender, False): target, (gender, True): several}, gender)


def _parse_adjective(row: str) -> LexiconEntry:
    """"white|blanc|blanche|blancs|blanches", as far as it is irregular; "<" before one that precedes its noun, whose
    last field may be its form before a vowel ("old|<vieux|vieille|vieux|vieilles|vieil")."""
    source, target, *more = row.split("|")
    vowel = more.pop() if len(more) == 4 else ""
    found = french.build_forms(target.removeprefix("<"), *more)
    return LexiconEntry((source, source), found, "mf", is_adjective=True, precedes_noun=target.startswith("<"), vowel_form=vowel)


def _parse_subject(row: str) -> LexiconEntry:
    """"my sister|ma sœur|f|2": gender, the person of the verb (3 to 5 are several)."""
    source, target, genders, person = row.split("|")
    several = int(person) in (3, 5)
    return build_invariable_entry(source, target, genders, person=int(person), plural=several)


def _parse_country(row: str) -> LexiconEntry:
    """"Japan|Japon|m", "Cuba|Cuba|-": the gender, with "p" for a plural, "-" for a name without
    an article."""
    source, target, gender = row.split("|")
    several = gender.endswith("p")
    return build_invariable_entry(source, target, "f" if gender.startswith("f") else "m", article="" if "-" in gender else "le",
                      person=5 if several else 2, plural=several)


def _parse_verb(row: str) -> Verb:
    """"eat eats|mange manges mange mangeons mangez mangent": base and third person, or all six in English too."""
    source, target = (side.split() for side in row.split("|"))
    if len(source) == 2:
        base, third = source
        source = [base, base, third, base, base, base]
    return Verb(tuple(word.replace("_", " ") for word in source), tuple(word.replace("_", " ") for word in target))


def _build_number_entries() -> dict[str, tuple[LexiconEntry, ...]]:
    """Numbers in words and digits, days, months, dates, times and years."""
    def numbers(start: int, end: int) -> Iterator[LexiconEntry]:
        for value in range(start, end):
            words = {form: french.spell_number(value, form[0]) for form in FORMS}
            yield LexiconEntry((english.spell_number(value),) * 2, words, is_adjective=True, precedes_noun=True)
            digits = dict.fromkeys(FORMS, f"{value:,}".replace(",", " "))
            yield LexiconEntry((f"{value:,}",) * 2, digits, is_adjective=True, precedes_noun=True)

    return {
        "number": tuple(numbers(2, 100)), "small": tuple(numbers(2, 13))[::2], "hundred": tuple(numbers(100, 1000)),
        "thousand": tuple(numbers(1000, 10_001)), "year": tuple(build_invariable_entry(str(y), str(y)) for y in range(1901, 2031)),
        "date": tuple(build_invariable_entry(*pair) for pair in dates.list_dates()),
        "time": tuple(build_invariable_entry(*pair) for pair in dates.list_times()),
        "month": tuple(build_invariable_entry(month, mois) for month, mois, _ in dates.MONTHS),
        "day": tuple(build_invariable_entry(*pair) for pair in dates.DAYS),
    }  # fmt: skip
