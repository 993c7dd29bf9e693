"""Texts as browser components get them, read without the marks of their terms."""

import re


def strip_term_marks(text: str) -> str:
    """The words alone."""
    return re.sub("\u2061\\w+\u2063|\u2064", "", text)
