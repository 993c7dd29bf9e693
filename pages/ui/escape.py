"""The one place where words from outside are made harmless: for Streamlit's Markdown labels, for HTML and SVG, for CSV.

Browser components need none of this: they set text through `textContent` only.
"""

import html
import re
import unicodedata

from model.text.normalise import is_invisible

_MARKDOWN_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&^=])")
_FORMULA_SIGNS = frozenset("=+-@\u2212")  # what a formula begins with, and the minus sign
_BREAKS = ("\t", "\r", "\n")


def escape_markdown(text: str) -> str:
    """`text` as Streamlit's Markdown shows it unchanged: no emphasis, link, colour directive, emoji code or formula."""
    return _MARKDOWN_SIGNS.sub(r"\\\1", " ".join(text.split()))


def encode_non_ascii(text: str) -> str:
    """Markdown with everything beyond ASCII as character references, which show as what they stand for. Streamlit
    looks for an emoji at the head of every other option, and compiles a table of thousands to do so."""
    return text.encode("ascii", "xmlcharrefreplace").decode()


def escape_html(text: str) -> str:
    """`text` for the inside of an HTML or SVG element or of a quoted attribute; control characters are left out,
    which XML does not allow."""
    return html.escape(strip_control_characters(text))


def strip_control_characters(text: str) -> str:
    """`text` without the control characters and halves of letters that XML does not allow."""
    return "".join(letter for letter in text if letter in "\t\n" or not _is_forbidden(letter))


def _is_forbidden(character: str) -> bool:
    code = ord(character)
    return code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or (code & 0xFFFE) == 0xFFFE


def escape_csv_cell(text: str) -> str:
    """`text` for a spreadsheet: what would be read as a formula gets an apostrophe before it (OWASP, CSV injection).

    A sign counts in any width or form, and behind anything that is drawn as nothing: spreadsheets drop both.
    """
    first = next((character for character in text if not _is_blank(character)), "")
    begins = unicodedata.normalize("NFKC", first)[:1] in _FORMULA_SIGNS
    return f"'{text}" if begins or text.startswith(_BREAKS) else text


def _is_blank(character: str) -> bool:
    """Whether it shows nothing at the beginning of a text: white space, or a mark without a letter to stand on."""
    return character.isspace() or is_invisible(character) or unicodedata.category(character) in ("Mn", "Me")


def escape_plotly(text: str) -> str:
    """`text` as Plotly's labels and hovers show it unchanged: they read some HTML, and MathJax between dollars."""
    return html.escape(" ".join(text.split()), quote=False).replace("$", "&#36;").replace("%{", "&#37;{")
