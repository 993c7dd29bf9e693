"""Tests of dates and times of the synthetic corpora, against values by hand."""

from __future__ import annotations

from model.text.synthetic.dates import list_dates, list_times


def test_dates() -> None:
    dates = dict(list_dates())
    assert dates["the third of May"] == "le trois mai"
    assert dates["the first of May"] == "le premier mai"
    assert dates["May 3"] == dates["3 May"] == "le 3 mai"
    assert dates["August 1"] == "le 1er août"
    assert len(dates) == 3 * 366


def test_times() -> None:
    times = dict(list_times())
    expected = {
        "half past nine": "neuf heures et demie", "a quarter to three": "trois heures moins le quart",
        "a quarter past one": "une heure et quart", "twenty to eight": "huit heures moins vingt",
        "one o'clock": "une heure", "half past twelve": "midi et demi", "9:30": "9 h 30",
        "7:05 p.m.": "19 h 05", "7 a.m.": "7 h", "12 a.m.": "0 h", "12 p.m.": "12 h", "noon": "midi",
        "midnight": "minuit",
    }  # fmt: skip
    assert {name: times[name] for name in expected} == expected
