"""Where each word of a translation looked, over words: what components light up."""

from collections.abc import Sequence

from model.trace import Trace

FAINT = 0.02  # weights below are neither drawn nor sent

AttendedWords = list[list[tuple[int, float]]]
"""For each word of the target the places of the source's words that it looked at, -1 for the end, and how much."""


def find_attended_words(trace: Trace, places: Sequence[int]) -> AttendedWords | None:
    """What the words of a translation looked at, the words of its source standing at `places`; None without
    attention."""
    if not trace.has_attention:
        return None
    rows = trace.compute_word_map_with_end()[: len(trace.target.words)]
    columns = [*places, -1]
    return [[(columns[column], round(float(row[column]), 6)) for column in (row >= FAINT).nonzero()[0]] for row in rows]
