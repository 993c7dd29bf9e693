"""What comes from outside is drawn as text: in Markdown labels, in HTML and SVG, in spreadsheets."""

import html
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as any_of

from pages.ui.escape import encode_non_ascii, escape_csv_cell, escape_html, escape_markdown
from tests.hostile import CASES


@pytest.mark.verdict
@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_markup_is_one_text_node(text: str) -> None:
    element = ET.fromstring(f'<p title="{escape_html(text)}">{escape_html(text)}</p>')
    assert len(element) == 0
    assert element.text is None or "\x00" not in element.text
    assert "<" not in escape_html(text)
    assert '"' not in escape_html(text)


def test_markup_says_the_same_text() -> None:
    for text in ("a <b> & \"c\" 'd'", "l'été", "$x$ :cat:"):
        assert html.unescape(escape_html(text)) == text


def test_references_are_ascii_and_show_the_same_text() -> None:
    for text in ("한국어", "√α", "plain", "🙂 x"):
        assert encode_non_ascii(text).isascii()
        assert html.unescape(encode_non_ascii(text)) == text
    assert encode_non_ascii("plain") == "plain"


def test_markdown_leaves_no_sign_with_a_meaning() -> None:
    for text in CASES.values():
        assert not re.search(r"(?<!\\)[*_`\[\]<>$:~#]", escape_markdown(text).replace("\\\\", ""))
    assert escape_markdown("The cat sleeps.") == r"The cat sleeps\."
    assert escape_markdown(":red[x] $y$") == r"\:red\[x\] \$y\$"


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("text", "cell"),
    [("=1+1", "'=1+1"), ("@SUM(A)", "'@SUM(A)"), ("+cmd|x", "'+cmd|x"), ("-2", "'-2"), ("\tx", "'\tx"), ("a=b", "a=b")],
)
def test_formulas_are_texts_in_a_spreadsheet(text: str, cell: str) -> None:
    assert escape_csv_cell(text) == cell


NOTHING = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u202e\u034f\ufe0f\u00a0\u3000 \t\x00\x1f"


SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212"


@given(before=any_of.text(NOTHING, max_size=5), sign=any_of.sampled_from(SIGNS), after=any_of.text(max_size=5))
def test_no_sign_of_any_width_begins_a_cell_behind_whatever_is_not_seen(before: str, sign: str, after: str) -> None:
    assert escape_csv_cell(before + sign + after) == f"'{before}{sign}{after}"


@given(any_of.text())
def test_a_cell_is_the_text_or_the_text_behind_an_apostrophe(given_text: str) -> None:
    cell = escape_csv_cell(given_text)
    assert cell in (given_text, f"'{given_text}")
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    if given_text[:1].isalnum():
        assert cell == given_text
