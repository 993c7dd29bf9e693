"""Check the alignment error rate on known links, and the reader of hand-aligned pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from model.analysis.alignment.hand_aligned import (
    GOLD,
    TEXT,
    HandAlignedError,
    build_diagonal_links,
    compute_error_rate,
    count_links,
    parse_pair,
    read_hand_aligned,
    score_links,
)
from model.text.prepared import CorpusError

# The gold of a pair of four and five tokens: three sure links, two more that are possible.
PAIR = parse_pair("a b c d ||| A B C D E", "1-1 2-2 3-4 4p3 4p5")
LINES = ["a b ||| A B", "c d ||| C D"]


def test_sure_links_are_possible() -> None:
    assert PAIR.sure_links == {(0, 0), (1, 1), (2, 3)}
    assert PAIR.possible_links == PAIR.sure_links | {(3, 2), (3, 4)}


@pytest.mark.verdict
@pytest.mark.parametrize(("links", "counts", "rate"), [
    ([(0, 0), (1, 1), (2, 3)], (3, 3, 3, 3), 0.0),  # the sure ones: no error
    ([(0, 0), (1, 1), (2, 3), (3, 2), (3, 4)], (5, 3, 3, 5), 0.0),  # possible ones cost nothing
    ([(0, 0), (1, 0), (3, 2)], (3, 3, 1, 2), 1 - 3 / 6),  # one sure and right, one wrong, one possible
    ([], (0, 3, 0, 0), 1.0),
    ([(0, 0), (0, 0)], (1, 3, 1, 1), 0.5),  # a link twice is one link
])  # fmt: skip
def test_error_rates_of_known_links(links: list[tuple[int, int]], counts: tuple[int, ...], rate: float) -> None:
    assert count_links(links, PAIR) == counts
    assert compute_error_rate(np.array(counts)) == pytest.approx(rate)


def test_scores_of_a_file_come_from_summed_counts() -> None:
    counts = np.array([(3, 3, 1, 2), (5, 3, 3, 5), (2, 4, 0, 1)])  # sums: 10, 10, 4, 8
    result = score_links(counts)
    assert (result.aer, result.precision, result.recall, result.links) == pytest.approx((1 - 12 / 20, 0.8, 0.4, 10))
    assert result.aer_low < result.aer < result.aer_high
    assert result.precision_low < result.precision < result.precision_high
    assert result.recall_low < result.recall < result.recall_high
    equal_scores = score_links(np.array([(2, 2, 1, 1)] * 5))
    assert (equal_scores.aer_low, equal_scores.aer, equal_scores.aer_high) == (0.5, 0.5, 0.5)


def test_diagonal_links() -> None:
    assert build_diagonal_links(2, 4) == ((0, 0), (0, 1), (1, 2), (1, 3))
    assert build_diagonal_links(4, 2) == ((1, 0), (3, 1))


def write_files(folder: Path, text: list[str], gold: list[str]) -> Path:
    (folder / TEXT).write_text("\n".join(text) + "\n", encoding="utf-8")
    (folder / GOLD).write_text("\n".join(gold) + "\n", encoding="utf-8")
    return folder


def test_both_folder_layouts_are_read(tmp_path: Path) -> None:
    (tmp_path / "alignments").mkdir()
    with pytest.raises(CorpusError, match=TEXT):
        read_hand_aligned(tmp_path)
    inner_folder = write_files(tmp_path / "alignments", LINES, ["1-1 2p2", "2-1"])
    result = read_hand_aligned(tmp_path)
    assert result == read_hand_aligned(inner_folder)
    assert (result.name, len(result.pairs), result.pairs[1].sure_links) == ("hansards.en-fr", 2, {(1, 0)})
    assert result.limit(1).name == "hansards.en-fr, first 1"
    assert result.limit(1).pairs == result.pairs[:1]


@pytest.mark.parametrize(("text", "gold", "expected"), [
    (LINES, ["1-1"], "same number of lines: got 2 and 1"),
    (LINES, ["1-1", "3-1"], "Line 2: links count tokens from 1, of which there are 2 and 2: got 3-1"),
    (LINES, ["1-1", "1:1"], "Line 2: a link is written i-j or ipj, got '1:1'"),
    (["a b", "c ||| d"], ["1-1", "1-1"], "Line 1 must hold a source and a target"),
    (LINES, ["1p1", ""], "no sure link"),
])  # fmt: skip
def test_malformed_files_are_refused(tmp_path: Path, text: list[str], gold: list[str], expected: str) -> None:
    with pytest.raises(HandAlignedError, match=expected):
        read_hand_aligned(write_files(tmp_path, text, gold))
