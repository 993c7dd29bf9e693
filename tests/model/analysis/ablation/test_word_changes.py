"""Tests of the words that change between two translations."""

from __future__ import annotations

from model.analysis.ablation.word_changes import END, WordPair, align_traces, count_unchanged, find_first_change
from tests.traces import FRENCH, LOST, ORDER, make_trace


def test_first_change_and_unchanged_words() -> None:
    trace_before, trace_after = make_trace(), make_trace(target=LOST, order=ORDER[:11])
    pairs = align_traces(trace_before, trace_after)
    assert find_first_change(pairs) == WordPair(3, None, True)  # "gris"
    assert count_unchanged(pairs) == 11  # of 14
    assert find_first_change(align_traces(trace_after, trace_before)) == WordPair(None, 3, True)
    replaced = make_trace(target=FRENCH.replace("gris", "noir"))
    assert find_first_change(align_traces(trace_before, replaced)) == WordPair(3, 3, True)
    assert find_first_change(align_traces(trace_before, trace_before)) is None
    assert count_unchanged(align_traces(trace_before, trace_before)) == len(trace_before.target.words)
    assert find_first_change(align_traces(trace_before, make_trace(is_finished=False))) == WordPair(END, None, True)
    assert find_first_change(align_traces(make_trace(is_finished=False), trace_before)) == WordPair(None, END, True)
