"""Coverage filling up: the attention that each source word has received, with a coverage model and without.

The browser component is assets/player/concepts/coverage.js.
"""

from __future__ import annotations

import numpy as np
import streamlit as st

from model.analysis.errors.differences import find_repetitions
from model.analysis.probing.attention_record import Array
from model.trace import COVERAGE_MAP, Trace
from pages.ui.backend.cards import get_title
from pages.ui.charts.payload_parts import round_rows, round_values
from pages.ui.components.component import Component
from pages.ui.concepts.attention_parts import describe_hours_and_bleu
from pages.ui.concepts.attention_payload_types import CoverageData, CoveredTranslation
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.idea_parts import DIGITS, choose_model
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset
from pages.ui.widgets.controls import set_sentence

REPEATING_SENTENCE = (
    "My grandmother knitted the sweater, the mitten, the shawl, the hat, the scarf and the glove last winter."
)
MIN_COVERED = 1e-3  # of a token; with less its fertility cannot be told from the rounded maps

_mount = Component("coverage", CoverageData)


def render_coverage(context: IdeaContext) -> None:
    """Draw the coverage after each step, and a button for a sentence with a repetition."""
    names = [choose_model(context, kind) for kind in ("rnnsearch", "coverage")]
    if not all(names):
        return
    st.button(context.t("concept_coverage.example"), key="coverage-example", on_click=set_sentence,
              args=(REPEATING_SENTENCE,))  # fmt: skip
    traces = context.translate(names)
    if traces:
        _mount(key="concept-coverage", data=build_coverage_payload(traces, context.t))


def build_coverage_payload(traces: list[Trace], t: Messages) -> CoverageData:
    """Return the payload of translations of one sentence."""
    first = traces[0]
    return {
        "source": typeset(first.source, first.source_language),
        "models": [_build_model(trace) for trace in traces],
        "languages": (first.source_language, first.target_language),
        "provenance": describe_hours_and_bleu([trace.provenance.model for trace in traces], t),
        "shared_messages": t.get_table("concept_parts"),
        "messages": t.get_table("concept_coverage"),
        "language": t.language,
    }


def _build_model(trace: Trace) -> CoveredTranslation:
    maps = {weight_map.name: np.asarray(weight_map.values, np.float64) for weight_map in trace.maps}
    alpha = maps["attention"]
    coverage_by_step = np.vstack([np.zeros_like(alpha[:1]), alpha.cumsum(axis=0)])
    fertility = estimate_fertility(alpha, maps[COVERAGE_MAP]) if COVERAGE_MAP in maps else None
    return {
        "title": get_title(trace.provenance.model),
        "target": typeset(trace.target, trace.target_language),
        "word_of": list(trace.target.word_of),
        "coverage_by_step": round_rows(_sum_words(coverage_by_step, trace), DIGITS),
        "fertility": [] if fertility is None else round_values(_sum_words(fertility[None], trace)[0], DIGITS),
        "repetitions": list(find_repetitions(trace)),
    }


def estimate_fertility(alpha: Array, coverage: Array) -> Array:
    """Return Φ_j (S,) from C_j = Σ α_j / Φ_j before the last step; 0 for tokens that were hardly attended to."""
    attention_sums, last_coverage = alpha[:-1].sum(axis=0), coverage[-1]
    is_known = (attention_sums > MIN_COVERED) & (last_coverage > MIN_COVERED)
    return np.where(is_known, attention_sums / np.where(is_known, last_coverage, 1.0), 0.0)


def _sum_words(values: Array, trace: Trace) -> Array:
    """Sum (rows, source tokens) over the tokens of each word."""
    words = np.array(trace.source.word_of)
    return np.stack([values[:, words == word].sum(axis=1) for word in range(len(trace.source.words))], axis=1)
