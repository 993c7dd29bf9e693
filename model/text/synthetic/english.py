"""English as the templates need it: plurals, "a" and "an", numbers in words."""

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
_VOWEL = re.compile(r"(?!uni|use|usu|eu|one\b)[aeiou]|hour|honest|8\b|8\d\b|11\b|18\b", re.IGNORECASE)


def pluralise(noun: str) -> str:
    """The plural of a regular noun."""
    if noun.endswith(("s", "x", "ch", "sh", "z")):
        return noun + "es"
    return noun[:-1] + "ies" if re.search(r"[^aeiou]y$", noun) else noun + "s"


def fix_articles(text: str) -> str:
    """A sentence with "an" for "a" where a vowel is heard after it, and one stop after "p.m."."""
    text = text.replace(".m..", ".m.")
    return _ARTICLE.sub(lambda found: f"{found[1]}n " if _VOWEL.match(found[2]) else found[0], text)


def spell_number(value: int) -> str:
    """A number from 0 to 10,000 in words: "two hundred and five". Raises ValueError for another number."""
    if not 0 <= value <= 10_000:
        raise ValueError(f"the number {value} is not written in words; it must be from 0 to 10,000")
    if value < 20:
        return _SMALL[value]
    if value < 100:
        tens, unit = divmod(value, 10)
        return _TENS[tens - 2] + (f"-{_SMALL[unit]}" if unit else "")
    size, name = (100, "hundred") if value < 1000 else (1000, "thousand")
    rest = value % size
    words = f"{spell_number(value // size)} {name}"
    return words + (f"{' and' if rest < 100 else ''} {spell_number(rest)}" if rest else "")


def spell_ordinal(value: int) -> str:
    """"third", "twenty-first": of a number from 1 to 31."""
    *tens, unit = spell_number(value).split("-")
    return "-".join([*tens, _ORDINALS.get(unit, unit + "th")])
