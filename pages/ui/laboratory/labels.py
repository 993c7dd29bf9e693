"""Words, numbers and rules as the laboratory's components get them."""

import numpy as np

from model.decoding.override_rules import PARAMETER_RANGES, RuleKind, format_number
from model.trace import Side
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset

DIGITS = 6  # decimals in payloads; two are shown, and fewer here could round twice


def build_word_labels(side: Side, language: str, count: int, end: str) -> list[str]:
    """Return the words of a side as printed; `end` is added if `count` is one more."""
    words = [word.strip() for _, word in typeset(side, language)]
    return words if count == len(words) else [*words, end]


def round_matrix(values: np.ndarray) -> list[list[float]]:
    return [[round(float(value), DIGITS) for value in row] for row in values]


def describe_rule(kind: RuleKind, value: float, pieces: str, t: Messages) -> str:
    """Return a rule in words; `pieces`: the source pieces that it names, if any."""
    number = format_number(value) if kind in PARAMETER_RANGES else ""
    return t(f"console.way_{get_rule_key(kind, value)}", of=pieces, number=number)


def get_rule_key(kind: RuleKind, value: float) -> str:
    """Return the text key of a rule; a temperature makes attention sharper or flatter."""
    return kind if kind != "temperature" or value == 1 else "sharper" if value < 1 else "flatter"
