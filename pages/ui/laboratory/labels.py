"""Words and numbers as the experiments of the laboratory are sent them."""

import numpy as np

from model.decoding.override_rules import PARAMETER_RANGES, RuleKind, format_number
from model.trace import Side
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset

DIGITS = 6  # decimals that numbers travel with: two are shown, which with fewer might be rounded twice


def build_word_labels(side: Side, language: str, count: int, end: str) -> list[str]:
    """The words of a side as they are printed, `count` of them: `end` for the sentence's end where that is one more."""
    words = [word.strip() for _, word in typeset(side, language)]
    return words if count == len(words) else [*words, end]


def round_matrix(values: np.ndarray) -> list[list[float]]:
    """A matrix as lists."""
    return [[round(float(value), DIGITS) for value in row] for row in values]


def describe_rule(way: RuleKind, value: float, of: str, t: Messages) -> str:
    """A rule in words: `of`: the source pieces of those that name some."""
    return t(f"console.way_{get_way_name(way, value)}", of=of, number=format_number(value) if way in PARAMETER_RANGES else "")


def get_way_name(way: RuleKind, value: float) -> str:
    """What a rule is called: of a temperature which way it goes, sharper or flatter, if any."""
    return way if way != "temperature" or value == 1 else "sharper" if value < 1 else "flatter"
