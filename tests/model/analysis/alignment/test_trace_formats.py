"""Check the text formats of attention on known alignments, and read them back."""

import numpy as np
import pytest

from model.analysis.alignment.trace_formats import format_nematus, format_pharaoh
from model.trace import END_PIECE, Side, TraceError
from tests.model.analysis.traces import build_trace

SOURCE = Side("the sunny day", ("the", "sunny", "day"), ("▁the", "▁sun", "ny", "▁day", END_PIECE), (0, 1, 1, 2, -1))
TARGET = Side("le jour", ("le", "jour"), ("▁le", "▁jo", "ur", END_PIECE), (0, 1, 1, -1))
ALPHA: list[list[float]] = [[0.5, 0.25, 0.25, 0, 0], [0, 0, 0, 1, 0], [0, 0.5, 0.5, 0, 0], [0, 0, 0, 0.125, 0.875]]


def test_pharaoh_links_words() -> None:
    # "le" gave the and sunny 0.5 each, "jour" sunny and day: the first of equals wins.
    assert format_pharaoh(build_trace(SOURCE, TARGET, ALPHA)) == "0-0 1-1"
    assert format_pharaoh(None) == ""
    with pytest.raises(TraceError):
        format_pharaoh(build_trace(SOURCE, TARGET, None))


def test_nematus_header_counts_tokens_and_rows() -> None:
    """Fields, lines and numbers match the header, for a text with bars and for an unfinished one."""
    bars = Side("||| a", ("|||", "a"), ("▁|||", "▁a", END_PIECE), (0, 1, -1))
    unfinished_side = Side("le", ("le",), ("▁le",), (0,))
    for source, target, alpha in (
        (bars, TARGET, [[0.5, 0.25, 0.25]] * 4),
        (SOURCE, unfinished_side, [[0.2] * 5]),
    ):
        trace = build_trace(source, target, alpha)
        header, *rows = format_nematus(0, trace).rstrip("\n").split("\n")
        number, words, cost, sources, sizes = header.split(" ||| ")
        assert (number, float(cost)) == ("0", -trace.log_probability)
        columns, lines = map(int, sizes.split())
        assert (columns, lines) == (len(source.pieces), len(target.pieces)) == (len(rows[0].split()), len(rows))
        assert len(sources.split(" ")) == columns - 1
        assert len(words.split(" ")) == lines - target.has_end
        read = np.array([[float(value) for value in row.split()] for row in rows])
        assert read == pytest.approx(trace.maps[0].values, abs=1e-6)
