"""Variants of an English or Korean sentence as people type it: without its full stop, in one case, and so on.

`assets/typed.txt` has the English sentences whose translations are compared (`model.analysis.errors.robustness`). A
variant equal to the sentence does not apply to it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

from model.paths import ASSETS
from model.serialization.codec import CodecError
from model.text.hangul import split_syllable
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
"""Functions of a normalised English sentence, by the name of the variant."""

_AUXILIARY = re.compile(r"(?<=[가-힣]) (?=(?:수|것|적|때|줄)[가-힣]?\b|(?:있|싶|않)[가-힣])")
_PARTICLE = re.compile(r"(?<=[가-힣]{2})(?=(?:은|는|을|를|에|에서|에게|도|부터|까지)(?: |$))")
_STYLED_END = re.compile(r"(?P<stem>[가-힣])(?P<end>습니다|어요|다)(?P<stop>[.!]?)$")
_STYLED_COPULA = re.compile(r"(?P<noun>[가-힣])(?P<end>입니다|이다)(?P<stop>[.!]?)$")
_NEXT_END = {"습니다": "어요", "어요": "다", "다": "습니다", "입니다": "이다", "이다": "입니다"}


def change_style(text: str) -> str:
    """Return a Korean statement in another style: "먹었습니다", "먹었어요" and "먹었다" in turn.

    Only endings after a stem in ㅆ and the copula are changed; all others stay.
    """
    match = _STYLED_COPULA.search(text)
    if match is None:
        match = _STYLED_END.search(text)
        if match is None or split_syllable(match["stem"])[2] != "ㅆ":
            return text
    return text[: match.start("end")] + _NEXT_END[match["end"]] + match["stop"]


KOREAN_TYPING_VARIANTS: dict[str, Callable[[str], str]] = {
    "no final stop": lambda text: text.rstrip(".?!"),
    "decomposed letters": lambda text: unicodedata.normalize("NFD", text),
    "full-width signs": lambda text: text.translate(str.maketrans(".,?!", "．，？！")),
    "auxiliaries joined": lambda text: _AUXILIARY.sub("", text),
    "particles separate": lambda text: _PARTICLE.sub(" ", text),
    "no spaces": lambda text: text.replace(" ", ""),
    "another style": change_style,
}
"""The same for Korean."""
VARIANTS_BY_LANGUAGE = {"en": TYPING_VARIANTS, "ko": KOREAN_TYPING_VARIANTS}


def read_typed_sentences(path: Path = FILE) -> tuple[str, ...]:
    """Read a file with a sentence per line. Raises CodecError for an empty file and repeated or unnormalised lines."""
    lines = tuple(path.read_text(encoding="utf-8").splitlines())
    if not lines or len(set(lines)) < len(lines) or any(not line or normalise(line) != line for line in lines):
        raise CodecError(f"{path.name} must hold sentences in canonical form, one a line, each once.")
    return lines
