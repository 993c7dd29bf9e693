"""Citations of papers, as the language of the interface writes them."""

import re

from pages.ui.i18n.messages import Messages

_AUTHORS_AND_YEAR = re.compile(r"(.+) (\d{4})")


def format_citation(citation: str, t: Messages) -> str:
    """Return a citation such as "Sutskever, Vinyals and Le 2014", or "A, as in B", in the language of `t`."""
    first, *others = [_format_one(part, t) for part in citation.split(", as in ")]
    return t("citation.as_in", one=first, other=others[0]) if others else first


def _format_one(citation: str, t: Messages) -> str:
    match = _AUTHORS_AND_YEAR.fullmatch(citation)
    if not match:
        return citation
    names, year = match.groups()
    author, *other_authors = re.split(r", | and | et al\.", names)
    if not other_authors:
        return citation
    if len(other_authors) == 1 and other_authors[0]:
        return t("citation.two", author=author, other=other_authors[0], year=year)
    return t("citation.many", author=author, year=year)
