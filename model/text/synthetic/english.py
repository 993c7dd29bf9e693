"""English morphology for the templates: plurals, "a" and "an", lower case, numbers in words."""

from __future__ import annotations

import re

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
             "twelve": "twelfth", "twenty": "twentieth", "thirty": "thirtieth"}  # fmt: skip
_ARTICLE = re.compile(r"\b([Aa]) (?=(\w+))")
_VOWEL_SOUND = re.compile(r"(?!uni|uk|use|usu|eu|one\b)[aeiou]|hour|honest|8\b|8\d\b|11\b|18\b", re.IGNORECASE)


def pluralise(noun: str) -> str:
    """Return the plural of a regular noun."""
    if noun.endswith(("s", "x", "ch", "sh", "z")):
        return noun + "es"
    return noun[:-1] + "ies" if re.search(r"[^aeiou]y$", noun) else noun + "s"


def fix_articles(text: str) -> str:
    """Change "a" to "an" before a vowel sound, and remove the second full stop after "p.m."."""
    text = text.replace(".m..", ".m.")
    return _ARTICLE.sub(lambda match: f"{match[1]}n " if _VOWEL_SOUND.match(match[2]) else match[0], text)


def to_lower_case(text: str) -> str:
    """Return a text in lower case, except the English "I"."""
    return re.sub(r"\bi\b(?!-)", "I", text.lower())


def spell_number(value: int) -> str:
    """Return a number from 0 to 10,000 in words: "two hundred and five". Raises ValueError for any other number."""
    if not 0 <= value <= 10_000:
        raise ValueError(f"the number {value} is not written in words; it must be from 0 to 10,000")
    if value < 20:
        return _SMALL[value]
    if value < 100:
        tens, unit = divmod(value, 10)
        return _TENS[tens - 2] + (f"-{_SMALL[unit]}" if unit else "")
    unit_value, unit_name = (100, "hundred") if value < 1000 else (1000, "thousand")
    remainder = value % unit_value
    words = f"{spell_number(value // unit_value)} {unit_name}"
    return words + (f"{' and' if remainder < 100 else ''} {spell_number(remainder)}" if remainder else "")


def spell_ordinal(value: int) -> str:
    """Return the ordinal of a number from 1 to 31: "third", "twenty-first"."""
    *tens, unit = spell_number(value).split("-")
    return "-".join([*tens, _ORDINALS.get(unit, unit + "th")])
