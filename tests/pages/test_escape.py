"""Untrusted text stays text in Markdown labels, HTML, SVG and spreadsheets."""

import html
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.escape import (
    MAX_QUOTED_CHARACTERS,
    encode_non_ascii,
    escape_csv_cell,
    escape_html,
    escape_markdown,
    shorten_quote,
)
from tests.hostile import CASES
from tests.traces import ENGLISH

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u202e\u034f\ufe0f\u00a0\u3000 \t\x00\x1f"
FORMULA_SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212"


@pytest.mark.verdict
@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_escaped_html_is_one_text_node_and_escaped_markdown_has_no_markup(text: str) -> None:
    element = ET.fromstring(f'<p title="{escape_html(text)}">{escape_html(text)}</p>')
    assert len(element) == 0
    assert element.text is None or "\x00" not in element.text
    assert not re.search('[<"]', escape_html(text))
    assert not re.search(r"(?<!\\)[*_`\[\]<>$:~#]", escape_markdown(text).replace("\\\\", ""))


def test_escaped_text_is_displayed_unchanged() -> None:
    for text in ("a <b> & \"c\" 'd'", "l'été", "$x$ :cat:"):
        assert html.unescape(escape_html(text)) == text
    for text in ("한국어", "√α", "plain", "🙂 x"):
        assert encode_non_ascii(text).isascii()
        assert html.unescape(encode_non_ascii(text)) == text
    assert encode_non_ascii("plain") == "plain"
    assert escape_markdown("The cat sleeps.") == r"The cat sleeps\."
    assert escape_markdown(":red[x] $y$") == r"\:red\[x\] \$y\$"


@pytest.mark.verdict
@given(before=st.text(INVISIBLE, max_size=5), sign=st.sampled_from(FORMULA_SIGNS), after=st.text(max_size=5))
def test_signs_of_any_width_behind_invisible_characters_are_escaped(before: str, sign: str, after: str) -> None:
    assert escape_csv_cell(before + sign + after) == f"'{before}{sign}{after}"


@given(st.text())
def test_a_cell_is_the_text_or_the_text_after_an_apostrophe(text: str) -> None:
    cell = escape_csv_cell(text)
    assert cell in (text, f"'{text}")
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    if text[:1].isalnum():
        assert cell == text


def test_long_quotes_are_shortened_at_a_word() -> None:
    assert shorten_quote("a short one") == "a short one"
    assert shorten_quote(ENGLISH) == "the small grey cat sleeps on the warm roof of the old house…"
    assert shorten_quote("나" * 90) == "나" * MAX_QUOTED_CHARACTERS + "…"
