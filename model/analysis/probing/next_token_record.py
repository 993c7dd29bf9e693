"""The record of the next token's distribution at one step. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass

TEMPERATURES = tuple(round(0.1 * number, 1) for number in range(1, 21))
MAX_LISTED_TOKENS = 100  # tokens listed one by one


@dataclass(frozen=True)
class NextTokens:
    """The distribution at one step.

    Attributes:
        tokens: the MAX_LISTED_TOKENS most likely tokens, best first.
        log_probs: their log-probabilities in nats.
        rest_count: the number of all other tokens.
        rest_log_sums: for each of TEMPERATURES, log Σ exp(log p / temperature) over all other tokens.
    """

    tokens: tuple[str, ...]
    log_probs: tuple[float, ...]
    rest_count: int
    rest_log_sums: tuple[float, ...]
