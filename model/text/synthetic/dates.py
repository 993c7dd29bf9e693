"""Dates and times of day in English and French."""

from __future__ import annotations

from collections.abc import Iterator

from model.text.synthetic import english, french

MONTHS = (
    ("January", "janvier", 31), ("February", "février", 29), ("March", "mars", 31), ("April", "avril", 30),
    ("May", "mai", 31), ("June", "juin", 30), ("July", "juillet", 31), ("August", "août", 31),
    ("September", "septembre", 30), ("October", "octobre", 31), ("November", "novembre", 30),
    ("December", "décembre", 31),
)  # fmt: skip
DAYS = (("Monday", "lundi"), ("Tuesday", "mardi"), ("Wednesday", "mercredi"), ("Thursday", "jeudi"),
        ("Friday", "vendredi"), ("Saturday", "samedi"), ("Sunday", "dimanche"))  # fmt: skip


def list_dates() -> Iterator[tuple[str, str]]:
    """Yield every day of a year as written after "on": "the third of May", "le trois mai"."""
    for month, mois, day_count in MONTHS:
        for day in range(1, day_count + 1):
            digits = "1er" if day == 1 else str(day)
            yield (
                f"the {english.spell_ordinal(day)} of {month}",
                f"le {'premier' if day == 1 else french.spell_number(day)} {mois}",
            )
            yield f"{month} {day}", f"le {digits} {mois}"
            yield f"{day} {month}", f"le {digits} {mois}"


def list_times() -> Iterator[tuple[str, str]]:
    """Yield every five minutes of a day as written after "at": "half past nine", "neuf heures et demie"."""
    yield "noon", "midi"
    yield "midnight", "minuit"
    for hour in range(1, 13):
        yield from _spell_times(hour)
        for minute in range(0, 60, 5):
            if minute:
                yield f"{hour}:{minute:02}", f"{hour} h {minute:02}"
            minute_suffix = f":{minute:02}" if minute else ""
            for day_period, hour_of_day in (("a.m.", hour % 12), ("p.m.", hour % 12 + 12)):
                yield f"{hour}{minute_suffix} {day_period}", f"{hour_of_day} h" + (f" {minute:02}" if minute else "")


def _spell_times(hour: int) -> Iterator[tuple[str, str]]:
    """Yield the times in words that name an hour: "ten to nine" names nine."""
    name, heures = english.spell_number(hour), _spell_hours(hour)
    half_hour = "et demi" if hour == 12 else "et demie"
    yield f"{name} o'clock", heures
    yield f"half past {name}", f"{heures} {half_hour}"
    yield f"a quarter past {name}", f"{heures} et quart"
    yield f"a quarter to {name}", f"{heures} moins le quart"
    for minutes in (5, 10, 20, 25):
        yield f"{english.spell_number(minutes)} past {name}", f"{heures} {french.spell_number(minutes)}"
        yield f"{english.spell_number(minutes)} to {name}", f"{heures} moins {french.spell_number(minutes)}"


def _spell_hours(hour: int) -> str:
    return "midi" if hour == 12 else f"{french.spell_number(hour, 'f')} heure{'s' if hour > 1 else ''}"
