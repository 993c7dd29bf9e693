"""One English sentence as people type it: without its stop, in one case, contracted or not, with other apostrophes.

`assets/typed.txt` has the sentences whose translations are compared (`model.analysis.errors.robustness`). What a way
leaves as it is, it does not apply to: a sentence without an apostrophe has no typographic one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from model.paths import ASSETS
from model.serialization.codec import CodecError
from model.text.normalise import normalise

FILE = ASSETS / "typed.txt"

# "won't" and "can't" are no "wo" and "ca" with a "not" behind them.
_EXPANSIONS = [(re.compile(pattern), whole) for pattern, whole in (
    (r"(?i)\b(w)on't\b", r"\1ill not"), (r"(?i)\b(c)an't\b", r"\1annot"), (r"(?i)\b(let)'s\b", r"\1 us"),
    (r"n't\b", " not"), (r"'m\b", " am"), (r"'re\b", " are"), (r"'ve\b", " have"), (r"'ll\b", " will"),
)]  # fmt: skip
# Before a word alone: nobody writes "Yes, I'm." at an end.
_CONTRACTIONS = [(re.compile(pattern), short) for pattern, short in (
    (r"\b([Ww])ill not\b", r"\1on't"), (r"\b([Cc])annot\b", r"\1an't"),
    (r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should|must) not\b", r"\1n't"),
    (r"\bI am(?= \w)", "I'm"), (r"\b([Yy]ou|[Ww]e|[Tt]hey) are(?= \w)", r"\1're"),
    (r"\b([Ii]t|[Hh]e|[Ss]he|[Tt]here) is(?= \w)", r"\1's"), (r"\b(I|[Yy]ou|[Ww]e|[Tt]hey) will(?= \w)", r"\1'll"),
)]  # fmt: skip
_NEGATED_QUESTION = re.compile(r"n't\b.*\?")
"""A question written out has another order of words ("is it not"), which is more than another way of typing."""


def toggle_contractions(text: str) -> str:
    """Its contractions written out, or, where it has none, contracted: "I don't" and "I do not". What may be "is" or
    "has", "would" or "had" stays, and so does a negated question."""
    if _NEGATED_QUESTION.search(text):
        return text
    out = _apply_rules(text, _EXPANSIONS)
    return out if out != text or "'" in text else _apply_rules(text, _CONTRACTIONS)


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
"""What each way makes of a sentence in canonical form."""


def read_typed_sentences(path: Path = FILE) -> tuple[str, ...]:
    """The sentences of a file, one a line. CodecError where there are none, one stands twice or is not canonical."""
    found = tuple(path.read_text(encoding="utf-8").splitlines())
    if not found or len(set(found)) < len(found) or any(not line or normalise(line) != line for line in found):
        raise CodecError(f"{path.name} must hold sentences in canonical form, one a line, each once.")
    return found
