"""Numbers and rules as the laboratory's components get them."""

from model.decoding.override_rules import PARAMETER_RANGES, RuleKind, format_number
from pages.ui.i18n.messages import Messages

DIGITS = 6  # decimals in payloads; two are shown, and fewer here could round twice


def describe_rule(kind: RuleKind, value: float, pieces: str, t: Messages) -> str:
    """Return a rule in words; `pieces`: the source pieces that it names, if any."""
    number = format_number(value) if kind in PARAMETER_RANGES else ""
    return t(f"console.rule_{get_rule_key(kind, value)}", of=pieces, number=number)


def get_rule_key(kind: RuleKind, value: float) -> str:
    """Return the text key of a rule; a temperature makes attention sharper or flatter."""
    return kind if kind != "temperature" or value == 1 else "sharper" if value < 1 else "flatter"
