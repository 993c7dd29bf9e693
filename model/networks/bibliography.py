"""BibTeX entries of this project and of the papers that the networks come from."""

import re
from collections.abc import Iterable
from functools import cache

from model.networks import registry
from model.paths import ASSETS

FILE = ASSETS / "papers.bib"
PROJECT = "aligntranslate"


@cache
def read_entries() -> dict[str, str]:
    """Return the entries of FILE by their keys."""
    entries = re.finditer(r"^@\w+\{(\w+),\n.*?^\}\n", FILE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return {entry[1]: entry[0] for entry in entries}


def build_bibliography(kinds: Iterable[str]) -> str:
    """Return the entries of this project and of the papers of these kinds of network, each once."""
    citations = [key for kind in kinds if kind in registry.KINDS for key in registry.KINDS[kind].citations]
    entries = read_entries()
    return "\n".join(entries[key] for key in dict.fromkeys((PROJECT, *citations)))
