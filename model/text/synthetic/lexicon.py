"""The words that fill template slots, with their inflected forms, read from words.toml and names.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from model.text.synthetic import dates, english, french
from model.text.synthetic.french import FORMS, WordForm

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class LexiconEntry:
    """A word or phrase in both languages."""

    english: tuple[str, str]
    """Singular and plural."""
    french: Mapping[WordForm, str]
    """Forms by gender and number."""
    genders: str = "m"
    """"m", "f", or "mf" for either."""
    is_adjective: bool = False
    precedes_noun: bool = False
    """Whether a French adjective or number comes before its noun."""
    vowel_form: str = ""
    """The form of such an adjective before a masculine noun that begins with a vowel ("vieil")."""
    person: int = 2
    """The verb form of a subject: 0 to 2 singular, 3 to 5 plural."""
    is_plural: bool = False
    article: str = "le"
    """The article of a country's name; "" for none."""


@dataclass(frozen=True)
class Verb:
    """The present tense of a verb, six persons in each language."""

    english: tuple[str, ...]
    french: tuple[str, ...]


@dataclass(frozen=True)
class Lexicon:
    """All entries by the kind of slot they fill, and the verbs by name."""

    entries_by_kind: Mapping[str, tuple[LexiconEntry, ...]]
    verbs: Mapping[str, Verb] = field(default_factory=dict)


def build_invariable_entry(source: str, target: str, genders: str = "m", **fields: Any) -> LexiconEntry:
    """Build an entry with the same text in all forms."""
    return LexiconEntry((source, source), dict.fromkeys(FORMS, target), genders, **fields)


@cache
def load_lexicon() -> Lexicon:
    """Read the words of this package."""
    words = tomllib.loads((FOLDER / "words.toml").read_text(encoding="utf-8"))
    names = read_names()
    kinds = {kind: tuple(map(_parse_noun, rows)) for kind, rows in words["nouns"].items()}
    kinds |= {kind: tuple(map(_parse_adjective, rows)) for kind, rows in words["adjectives"].items()}
    kinds |= {
        kind: tuple(build_invariable_entry(*row.split("|")) for row in rows) for kind, rows in words["phrases"].items()
    }
    kinds["man"] = tuple(build_invariable_entry(name, name) for name in names["men"])
    kinds["woman"] = tuple(build_invariable_entry(name, name, "f") for name in names["women"])
    kinds["name"] = kinds["man"] + kinds["woman"]
    kinds["subject"] = tuple(map(_parse_subject, words["subjects"]))
    kinds["somebody"] = tuple(subject for subject in kinds["subject"] if subject.person == 2) + kinds["name"]
    pronouns = tuple(subject for subject in kinds["subject"] if " " not in subject.english[0])
    kinds["who"] = kinds["subject"] * 12 + pronouns * 30 + kinds["name"]
    for kind, gender in (("kinsman", "m"), ("kinswoman", "f")):
        kinds[kind] = tuple(replace(entry, genders=gender) for entry in kinds["relative"] if gender in entry.genders)
    kinds["country"] = tuple(map(_parse_country, words["countries"]))
    kinds["city"] = tuple(build_invariable_entry(*_parse_name(row), article="") for row in words["cities"])
    kinds |= _build_number_entries()
    return Lexicon(kinds, {name: _parse_verb(row) for name, row in words["verbs"].items()})


def read_names() -> dict[str, list[str]]:
    """Read names.toml: first names, those in the corpora that they replace, and the parts of rare surnames; by key."""
    names = tomllib.loads((FOLDER / "names.toml").read_text(encoding="utf-8"))
    return {kind: text.split() for kind, text in names.items()}


def _parse_name(row: str) -> tuple[str, str]:
    """Parse "Cairo|Le Caire", or "Berlin" where both languages have the same name."""
    source, _, target = row.partition("|")
    return source, target or source


def _parse_noun(row: str) -> LexiconEntry:
    """Parse "mouse|souris|f|mice|souris", with plurals if irregular, or a job "nurse|infirmier/infirmière|mf"."""
    source, target, gender, *plurals = row.split("|")
    sources = source, plurals[0] if plurals and plurals[0] else english.pluralise(source)
    if gender == "mf":
        masculine, _, feminine = target.partition("/")
        return LexiconEntry(sources, french.build_forms(masculine, feminine or masculine), "mf")
    target_plural = plurals[1] if len(plurals) > 1 else french.pluralise(target)
    return LexiconEntry(sources, {(gender, False): target, (gender, True): target_plural}, gender)


def _parse_adjective(row: str) -> LexiconEntry:
    """Parse "white|blanc|blanche|blancs|blanches", irregular forms only.

    "<" marks an adjective that precedes its noun, whose last field may be its form before a vowel:
    "old|<vieux|vieille|vieux|vieilles|vieil".
    """
    source, target, *irregular_forms = row.split("|")
    vowel_form = irregular_forms.pop() if len(irregular_forms) == 4 else ""
    forms = french.build_forms(target.removeprefix("<"), *irregular_forms)
    precedes_noun = target.startswith("<")
    return LexiconEntry((source,) * 2, forms, "mf", True, precedes_noun, vowel_form)


def _parse_subject(row: str) -> LexiconEntry:
    """Parse "my sister|ma sœur|f|2": gender and person of the verb."""
    source, target, genders, person = row.split("|")
    return build_invariable_entry(source, target, genders, person=int(person), is_plural=int(person) in (3, 5))


def _parse_country(row: str) -> LexiconEntry:
    """Parse "Japan|Japon|m": gender, "p" for a plural, "-" for a name without article."""
    source, target, gender = row.split("|")
    is_plural = gender.endswith("p")
    return build_invariable_entry(source, target, "f" if gender.startswith("f") else "m", is_plural=is_plural,
                                  person=5 if is_plural else 2, article="" if "-" in gender else "le")  # fmt: skip


def _parse_verb(row: str) -> Verb:
    """Parse "eat eats|mange manges mange mangeons mangez mangent": in English base and third person, or all six."""
    source, target = (side.split() for side in row.split("|"))
    if len(source) == 2:
        base, third = source
        source = [base, base, third, base, base, base]
    return Verb(tuple(word.replace("_", " ") for word in source), tuple(word.replace("_", " ") for word in target))


def _build_number_entries() -> dict[str, tuple[LexiconEntry, ...]]:
    """Build the entries of numbers in words and digits, days, months, dates, times and years."""

    def build_numbers(start: int, end: int) -> Iterator[LexiconEntry]:
        for value in range(start, end):
            words = {form: french.spell_number(value, form[0]) for form in FORMS}
            yield LexiconEntry((english.spell_number(value),) * 2, words, is_adjective=True, precedes_noun=True)
            digits = dict.fromkeys(FORMS, f"{value:,}".replace(",", " "))
            yield LexiconEntry((f"{value:,}",) * 2, digits, is_adjective=True, precedes_noun=True)

    def build_entries(pairs: Iterable[tuple[str, str]]) -> tuple[LexiconEntry, ...]:
        return tuple(build_invariable_entry(*pair) for pair in pairs)

    return {
        "number": tuple(build_numbers(2, 100)),
        "small": tuple(build_numbers(2, 13))[::2],
        "hundred": tuple(build_numbers(100, 1000)),
        "thousand": tuple(build_numbers(1000, 10_001)),
        "year": build_entries((str(year), str(year)) for year in range(1901, 2031)),
        "date": build_entries(dates.list_dates()),
        "time": build_entries(dates.list_times()),
        "month": build_entries((month, mois) for month, mois, _ in dates.MONTHS),
        "day": build_entries(dates.DAYS),
    }
