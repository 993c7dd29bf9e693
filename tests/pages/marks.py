"""Marks of glossary terms in texts for browser components."""

import re


def strip_term_marks(text: str) -> str:
    """Return a text without the marks of its terms."""
    return re.sub("\u2061\\w+\u2063|\u2064", "", text)
