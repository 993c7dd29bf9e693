"""Escape untrusted text for Streamlit's Markdown labels, HTML and SVG, CSV, and Plotly, and shorten it for messages.

Browser components need none of this: they set text only through `textContent`.
"""

import html
import json
import re
import unicodedata

from model.text.normalise import is_invisible

_MARKDOWN_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&^=])")
_FORMULA_SIGNS = frozenset("=+-@\u2212")  # characters that begin a formula, and the minus sign
_BREAKS = ("\t", "\r", "\n")
MAX_QUOTED_CHARACTERS = 60


def escape_markdown(text: str) -> str:
    """Escape text for Streamlit's Markdown: no emphasis, link, colour directive, emoji code or formula."""
    return _MARKDOWN_SIGNS.sub(r"\\\1", " ".join(text.split()))


def encode_non_ascii(text: str) -> str:
    """Write the non-ASCII characters of Markdown as character references. Otherwise Streamlit looks for an emoji at the
    start of each option, for which it compiles a table of thousands."""
    return text.encode("ascii", "xmlcharrefreplace").decode()


def escape_html(text: str) -> str:
    """Escape text for an HTML or SVG element or a quoted attribute, without the characters that XML forbids."""
    return html.escape(strip_control_characters(text))


def dump_script_json(data: object) -> str:
    """Return data as JSON for a script element, which "</script>" would end."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")


def strip_control_characters(text: str) -> str:
    """Remove control characters, except tabs and line breaks, and lone surrogates."""
    return "".join(character for character in text if character in "\t\n" or not _is_forbidden(character))


def _is_forbidden(character: str) -> bool:
    code = ord(character)
    return code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or (code & 0xFFFE) == 0xFFFE


def escape_csv_cell(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would read as a formula (OWASP, CSV injection).

    Signs of any width count, also after invisible characters, since spreadsheets normalise both.
    """
    first = next((character for character in text if not _is_blank(character)), "")
    is_formula = unicodedata.normalize("NFKC", first)[:1] in _FORMULA_SIGNS
    return f"'{text}" if is_formula or text.startswith(_BREAKS) else text


def _is_blank(character: str) -> bool:
    """Return whether a character is invisible at the start of a text: white space, or a combining mark."""
    return character.isspace() or is_invisible(character) or unicodedata.category(character) in ("Mn", "Me")


def escape_plotly(text: str) -> str:
    """Escape text for Plotly's labels and hovers, which interpret some HTML, and MathJax between dollar signs."""
    return html.escape(" ".join(text.split()), quote=False).replace("$", "&#36;").replace("%{", "&#37;{")


def shorten_quote(text: str) -> str:
    """Cut a quoted text of more than MAX_QUOTED_CHARACTERS after a word, and add "…"."""
    if len(text) <= MAX_QUOTED_CHARACTERS:
        return text
    start = text[:MAX_QUOTED_CHARACTERS]
    return (start.rpartition(" ")[0] or start) + "…"
