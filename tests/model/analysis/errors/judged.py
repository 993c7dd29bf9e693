"""Sentences whose translations were judged by hand (judged.json), as Traces, and how often marks on them are right."""

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
from model.trace import END_PIECE, WORD_START, Provenance, Side, Step, Trace, WeightMap

FILE = Path(__file__).with_name("judged.json")
Half = Literal["make", "test"]
Mark = Literal["lost", "invented"]


@dataclass(frozen=True)
class Score:
    """Of so many marks how many are `right`, and how many there are to find."""

    marks: int
    right: int
    judged: int

    @property
    def precision(self) -> float:
        return self.right / self.marks

    @property
    def recall(self) -> float:
        return self.right / self.judged


@cache
def pairs() -> list[dict[str, Any]]:
    return list(parse_json(FILE.read_bytes(), "judged translations")["pairs"])


def score(mark: Mark, half: Half, attends: bool | None = None, model: str = "") -> Score:
    """How right one kind of mark is on a half of the sentences, of models with attention, without, or (None) of both,
    or of those whose name begins with `model`; what nobody could judge is not counted."""
    marks = right = judged = 0
    for pair, trace in traces(half):
        if attends in (None, trace.has_attention) and pair["model"].startswith(model):
            found = find_meaning_errors(trace)
            assert found is not None
            side, language, unsure = ((trace.source, trace.source_language, "unsure") if mark == "lost" else
                                      (trace.target, trace.target_language, "unsure_invented"))  # fmt: skip
            for place, word in enumerate(side.words):
                if is_content_word(word, language) and place not in pair[unsure]:
                    marked, wanted = place in getattr(found, mark), place in pair[mark]
                    marks, right, judged = marks + marked, right + (marked and wanted), judged + wanted
    return Score(marks, right, judged)


def traces(half: Half) -> Iterator[tuple[dict[str, Any], Trace]]:
    """The judged pairs of a half, each as a Trace whose words look where the model's did."""
    for pair in pairs():
        if pair["half"] == half:
            yield pair, trace(pair)


def trace(pair: dict[str, Any]) -> Trace:
    source, target = _side(pair["source"], "en"), _side(pair["target"], "fr")
    maps: tuple[WeightMap, ...] = ()
    if "alpha" in pair:
        rows = np.array([*pair["alpha"], [0] * len(source.words) + [100]], dtype=np.float32)
        values = rows / rows.sum(axis=1, keepdims=True)
        maps = (WeightMap("attention", values),)
    steps = tuple(Step(number, piece, -0.5) for number, piece in enumerate(target.pieces))
    made_by = Provenance(pair["model"], "0" * 12, "greedy", {})
    return Trace(source, target, steps, maps, -0.5 * len(steps), -0.5, True, made_by)


def _side(text: str, language: str) -> Side:
    words = tuple(text[start:end] for start, end in split_words(text, language))
    return Side(text, words, (*(WORD_START + word for word in words), END_PIECE), (*range(len(words)), -1))
