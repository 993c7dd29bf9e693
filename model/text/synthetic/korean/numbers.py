"""Korean numbers, dates and times, with their English forms."""

from __future__ import annotations

from collections.abc import Iterator

from model.text.synthetic import english
from model.text.synthetic.dates import MONTHS

_DIGITS = "일이삼사오육칠팔구"
_ONES = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
_ONES_BEFORE_COUNTER = ("", "한", "두", "세", "네", *_ONES[5:])
_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")


def spell_sino(value: int) -> str:
    """Return a number from 1 to 99,999,999 in Sino-Korean: 이십오, 만 오천."""
    if not 0 < value < 10**8:
        raise ValueError(f"the number {value} is not spelt; it must be from 1 to 99,999,999")
    high, low = divmod(value, 10_000)
    parts = [] if not high else ["만" if high == 1 else spell_sino(high) + "만"]
    text = ""
    for unit, name in ((1000, "천"), (100, "백"), (10, "십"), (1, "")):
        digit = low // unit % 10
        if digit:
            text += ("" if digit == 1 and name else _DIGITS[digit - 1]) + name
    return " ".join([*parts, *([text] if text else [])])


def spell_native(value: int, *, before_counter: bool = False) -> str:
    """Return a number from 1 to 99 in native Korean: 스물하나; before a counter 한 (개), 스무 (살)."""
    if not 0 < value < 100:
        raise ValueError(f"the number {value} is not spelt; it must be from 1 to 99")
    tens, ones = divmod(value, 10)
    if before_counter and value == 20:
        return "스무"
    return _TENS[tens] + (_ONES_BEFORE_COUNTER if before_counter else _ONES)[ones]


def list_dates() -> Iterator[tuple[str, str]]:
    """Yield every day of a year as written after "on": "May 3", "5월 3일"."""
    for number, (month, _, day_count) in enumerate(MONTHS, 1):
        for day in range(1, day_count + 1):
            yield f"{month} {day}", f"{number}월 {day}일"
            yield f"the {english.spell_ordinal(day)} of {month}", f"{number}월 {day}일"


def list_times() -> Iterator[tuple[str, str]]:
    """Yield times of day as written after "at": "half past three", "세 시 반"."""
    yield "noon", "정오"
    yield "midnight", "자정"
    for hour in range(1, 13):
        name, native = english.spell_number(hour), spell_native(hour, before_counter=True)
        yield f"{name} o'clock", f"{native} 시"
        yield name, f"{native} 시"
        yield f"{hour} o'clock", f"{hour}시"
        yield f"half past {name}", f"{native} 시 반"
        yield f"{name} thirty", f"{native} 시 삼십 분"
        yield f"ten past {name}", f"{native} 시 십 분"
        yield f"ten to {spell_next_hour(hour)}", f"{native} 시 오십 분"
        for day_period, korean in (("a.m.", "오전"), ("p.m.", "오후")):
            yield f"{hour} {day_period}", f"{korean} {hour}시"
            for minute in range(10, 60, 10):
                yield f"{hour}:{minute} {day_period}", f"{korean} {hour}시 {minute}분"
        for minute in range(5, 60, 5):
            yield f"{hour}:{minute:02}", f"{hour}시 {minute}분"
        if hour < 6:
            yield f"{name} in the afternoon", f"오후 {native} 시"
        elif hour < 12:
            yield f"{name} in the morning", f"아침 {native} 시"
            yield f"{name} in the evening", f"저녁 {native} 시"


def spell_next_hour(hour: int) -> str:
    """Return the hour after an hour of the clock, in English words."""
    return english.spell_number(hour % 12 + 1)
