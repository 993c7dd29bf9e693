"""Translations judged by hand (judged.json), as Traces, and how often omissions and additions are marked rightly.

The half "make" of the file was used to make the rule, so the half "test" alone is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from model.analysis.errors.meaning import find_meaning_errors
from model.serialization.codec import parse_json
from model.text.words import is_content_word, split_words
from model.trace import Trace
from tests.model.analysis import traces
from tests.model.analysis.traces import build_side

FILE = Path(__file__).with_name("judged.json")
Mark = Literal["lost", "invented"]  # keys of judged.json
ATTRIBUTES: dict[Mark, str] = {"lost": "omissions", "invented": "additions"}


@dataclass(frozen=True)
class MarkCounts:
    """How many words are marked, how many of them rightly, and how many should be."""

    marks: int
    correct_marks: int
    expected_marks: int

    @property
    def precision(self) -> float:
        return self.correct_marks / self.marks

    @property
    def recall(self) -> float:
        return self.correct_marks / self.expected_marks


@cache
def load_pairs() -> list[dict[str, Any]]:
    pairs = parse_json(FILE.read_bytes(), "judged translations")["pairs"]
    return [pair for pair in pairs if pair["half"] == "test"]


def score_marks(mark: Mark, attends: bool | None = None, model: str = "") -> MarkCounts:
    """Score one kind of mark; words that were judged unsure do not count.

    `attends` restricts to models with or without attention, `model` to names with that prefix.
    """
    marks = correct_marks = expected_marks = 0
    for pair, trace in iterate_traces():
        if attends in (None, trace.has_attention) and pair["model"].startswith(model):
            errors = find_meaning_errors(trace)
            assert errors is not None
            side, language, unsure = ((trace.source, trace.source_language, "unsure") if mark == "lost" else
                                      (trace.target, trace.target_language, "unsure_invented"))  # fmt: skip
            for index, word in enumerate(side.words):
                if is_content_word(word, language) and index not in pair[unsure]:
                    is_marked, is_expected = index in getattr(errors, ATTRIBUTES[mark]), index in pair[mark]
                    marks += is_marked
                    correct_marks += is_marked and is_expected
                    expected_marks += is_expected
    return MarkCounts(marks, correct_marks, expected_marks)


def iterate_traces() -> Iterator[tuple[dict[str, Any], Trace]]:
    """Yield the judged pairs, each as a Trace with the model's attention."""
    for pair in load_pairs():
        yield pair, build_trace(pair)


def build_trace(pair: dict[str, Any]) -> Trace:
    source, target = (
        build_side(*(text[start:end] for start, end in split_words(text, language)), text=text)
        for text, language in ((pair["source"], "en"), (pair["target"], "fr"))
    )
    if "alpha" not in pair:
        return traces.build_trace(source, target, None, pair["model"])
    rows = np.array([*pair["alpha"], [0] * len(source.words) + [100]], dtype=np.float32)
    return traces.build_trace(source, target, rows / rows.sum(axis=1, keepdims=True), pair["model"])
