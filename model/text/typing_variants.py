"""Variants of an English sentence as people type it: without its full stop, in one case, contracted or not, and so on.

`assets/typed.txt` has the sentences whose translations are compared (`model.analysis.errors.robustness`). A variant
equal to the sentence does not apply to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from model.paths import ASSETS
from model.serialization.codec import CodecError
from model.text.normalise import normalise

FILE = ASSETS / "typed.txt"

_EXPANSIONS = [(re.compile(pattern), expansion) for pattern, expansion in (
    (r"(?i)\b(w)on't\b", r"\1ill not"), (r"(?i)\b(c)an't\b", r"\1annot"), (r"(?i)\b(let)'s\b", r"\1 us"),
    (r"n't\b", " not"), (r"'m\b", " am"), (r"'re\b", " are"), (r"'ve\b", " have"), (r"'ll\b", " will"),
)]  # fmt: skip
# "I am" and the like are contracted before a word only, not at the end of a sentence ("Yes, I am.").
_CONTRACTIONS = [(re.compile(pattern), contraction) for pattern, contraction in (
    (r"\b([Ww])ill not\b", r"\1on't"), (r"\b([Cc])annot\b", r"\1an't"),
    (r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should|must) not\b", r"\1n't"),
    (r"\bI am(?= \w)", "I'm"), (r"\b([Yy]ou|[Ww]e|[Tt]hey) are(?= \w)", r"\1're"),
    (r"\b([Ii]t|[Hh]e|[Ss]he|[Tt]here) is(?= \w)", r"\1's"), (r"\b(I|[Yy]ou|[Ww]e|[Tt]hey) will(?= \w)", r"\1'll"),
)]  # fmt: skip
_NEGATED_QUESTION = re.compile(r"n't\b.*\?")
"""Left as it is: without contraction its words would change their order ("is it not")."""


def toggle_contractions(text: str) -> str:
    """Expand the contractions of a text, or contract it if it has none: "I don't" and "I do not".

    Ambiguous contractions ("is" or "has", "would" or "had") and negated questions stay.
    """
    if _NEGATED_QUESTION.search(text):
        return text
    expanded = _apply_rules(text, _EXPANSIONS)
    return expanded if expanded != text or "'" in text else _apply_rules(text, _CONTRACTIONS)


def _apply_rules(text: str, rules: list[tuple[re.Pattern[str], str]]) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


TYPING_VARIANTS: dict[str, Callable[[str], str]] = {
    "no final stop": lambda text: text.rstrip(".?!"),
    "lower case": str.lower,
    "capitals": str.upper,
    "contractions": toggle_contractions,
    "typographic apostrophes": lambda text: text.replace("'", "\u2019"),
    "doubled spaces": lambda text: text.replace(" ", "  "),
}
"""Functions of a normalised sentence, by the name of the variant."""


def read_typed_sentences(path: Path = FILE) -> tuple[str, ...]:
    """Read a file with a sentence per line. Raises CodecError for an empty file and repeated or unnormalised lines."""
    lines = tuple(path.read_text(encoding="utf-8").splitlines())
    if not lines or len(set(lines)) < len(lines) or any(not line or normalise(line) != line for line in lines):
        raise CodecError(f"{path.name} must hold sentences in canonical form, one a line, each once.")
    return lines
