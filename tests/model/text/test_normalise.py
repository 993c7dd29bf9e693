"""Tests of the canonical form of texts."""

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from model.text.normalise import normalise
from tests.hostile import CASES

# All characters of the rules, and any text, lone surrogates included.
SIGNS = (
    "aé "
    "\t\n\u00a0\u202f'`\u2019\u2018\u00b4\"\u201c\u201d«»‹›?!:;-–—…\u200b\u200d\u00ad\u0301\u0327\u0344\u2581_\u0338="
    "\uffa1\uffbe\uffc2\uffdc\uff01\uff07\u300e\u3002"
    "\u1100\u1161\u1160\u034f\ud83d\ude00\u2126\u1fef\u0958\x00\x1f\x85"
)
# Emoji joiners and the tags of a flag are kept.
JOINED_EMOJI = re.compile("([\u2600-\u2bff\U0001f000-\U0001faff\ufe0f])\u200d(?=[\u2600-\u2bff\U0001f000-\U0001faff])"
                    "|(?<=\U0001f3f4)[\U000e0061-\U000e007a]{3,6}\U000e007f")
TEXTS = st.one_of(st.text(SIGNS, max_size=30), st.text(st.characters(exclude_categories=()), max_size=60))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("L\u2019homme", "L'homme"),
        ("\u201cYes\u201d, she said.", '"Yes", she said.'),
        ("``Birds'' and ''Habitats''", '"Birds" and "Habitats"'),
        ("Il a dit\u00a0: «\u00a0Oui\u202f!\u00a0»", 'Il a dit: "Oui!"'),
        ("Quoi ? !", "Quoi?!"),
        ("10 %", "10 %"),  # not in the rule
        ("the cat—grey—sleeps", "the cat - grey - sleeps"),
        ("Wait…", "Wait..."),
        ("  two \t\n spaces  ", "two spaces"),
        ("e\u0301te\u0301", "été"),
        ("e\u200d\u0301", "é"),  # composed after the joiner is removed
        ("\u2581The\u2581cat", "_The_cat"),
        ("a\x00b\x1b[0m", "ab[0m"),
        ("\u2764\ufe0f\u200d\U0001f525\u200d a\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525 a\U0001f525"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
         "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"),
        ("\U0001f3f4\U000e0067\U000e007f", "\U0001f3f4"),  # not a flag
        ("a\ud83db", "a\ufffdb"),
        (" \u200b ", ""),
        (unicodedata.normalize("NFD", "나는 학생이다."), "나는 학생이다."),
        ("\uffbe\uffc2\uffa4\uffa1\uffdc 좋다\uff01", "한기 좋다!"),  # half-width letters, a full-width sign
        ("\uffa1\uffc2\uffa8", "가ㄸ"),  # no syllable ends in "ㄸ"
        ("「한국」은 ＫＴＸ 『책』、〈시〉…", '"한국"은 KTX "책","시"...'),
        ("한ㆍ일。 ﾡ", "한·일. ㄱ"),
        ("中文，「不变」。", "中文，「不变」。"),  # no Hangul
    ],
)
def test_text_is_normalised(text: str, expected: str) -> None:
    assert normalise(text) == expected


def check_canonical(text: str) -> None:
    assert normalise(text) == text
    assert unicodedata.is_normalized("NFC", text)
    assert text == " ".join(text.split())
    without_emoji = JOINED_EMOJI.sub(r"\1", text)
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in without_emoji)
    assert not set(text) & set("\u2581\u2018\u2019\u201c\u201d\u00ab\u00bb\u2013\u2014\u2026\u00a0`")
    assert not any(f" {mark}" in text for mark in "?!:;")
    assert text.encode("utf-8").decode("utf-8") == text


@settings(max_examples=400)
@given(TEXTS)
@example("''''' `` ´´'")
@example("a » ? « b")
@example("\u0301".join("abc") * 20)
def test_any_text_becomes_canonical(text: str) -> None:
    check_canonical(normalise(text))


@pytest.mark.verdict
def test_hostile_text_becomes_canonical() -> None:
    for text in CASES.values():
        check_canonical(normalise(text))


@pytest.mark.parametrize("signs", [["\u0301", "\u0316"], ["\u0316"] * 3 + ["\u05b0"], ["\u0344"]])
def test_combining_marks_are_limited_to_thirty(signs: list[str]) -> None:
    text = normalise("a" + "".join(signs) * 2000)
    assert 30 <= len(text) <= 31
    assert normalise("a" + "\u0316" * 30) == "a" + "\u0316" * 30
