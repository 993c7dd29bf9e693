"""Sampling: many random translations, counted, compared word by word, with their mean attention weights."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from model.analysis.errors.samples import SampleComparison, compare_samples
from model.analysis.errors.word_alignment import align_words
from model.checkpoints.checkpoint import Model
from model.decoding import Overrides, Settings, StopCallback
from model.decoding.translate import sample_translations
from model.text.normalise import NormalisedText
from model.trace import Trace
from pages.ui.backend.cards import get_title
from pages.ui.charts.payload_parts import build_word_labels, round_rows
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset_with_tail
from pages.ui.laboratory import exports
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.labels import DIGITS
from pages.ui.laboratory.payload_types import SampleGroup, SamplingData
from pages.ui.url_state import param_widgets, params, state
from pages.ui.widgets import downloads
from pages.ui.widgets.fetch import Request
from pages.ui.widgets.provenance import describe_provenance

KEY = "sampling"

_mount = Component("sampling", SamplingData)


def render_sampling(context: ExperimentContext) -> None:
    """Draw samples with the chosen count, temperature, truncation and seed."""
    t = context.t
    with frame.create_widget_row("experiment-row", 36, "medium"):
        count = int(param_widgets.draw_option_buttons(params.SAMPLE_COUNT, t, str))
        temperature = float(param_widgets.draw_option_buttons(params.TEMPERATURE, t, str))
        truncation = param_widgets.draw_option_buttons(params.TRUNCATION, t)
        seed = state.get_param(params.SEED)
        st.button(t("sampling.seed", seed=seed), key="dice", on_click=_on_new_seed, help=t("sampling.seed_help"))
    settings = Settings(sample=True, temperature=temperature, seed=seed, candidates=0, **params.TRUNCATIONS[truncation])
    answers = context.translate(Request(context.model_name, context.settings, context.overrides))
    if answers is None:
        return
    reference = answers[0][0]
    comparison = measure_samples(context.with_model_of(reference), reference, settings, count)
    if comparison is not None:
        data = build_sampling_payload(comparison, count, t)
        _mount(key=KEY, data=data)
        with context.export_container:
            exports.render_html_button("sampling", KEY, data, reference, t)
            exports.render_csv_button("sampling-csv", t("print.csv"), downloads.build_file_name(reference, "sampling"),
                                      partial(build_samples_csv, comparison), t("sampling.csv_help"))  # fmt: skip


def _on_new_seed() -> None:
    st.session_state[params.SEED.name] = st.session_state[params.SEED.name] % 9999 + 1


def measure_samples(
    context: ExperimentContext, reference: Trace, settings: Settings, count: int
) -> SampleComparison | None:
    """Sample translations of the sentence, with the `unk` of the `reference` translation, and compare them with it."""
    unk: Any = reference.provenance.settings.get("unk", "show")
    settings = replace(settings, unk=unk)
    text, overrides = NormalisedText(reference.source.text), Overrides.from_text(reference.provenance.overrides)

    def sample(model: Model, should_stop: StopCallback) -> SampleComparison:
        traces = sample_translations(model, text, settings, count, should_stop, overrides)
        return compare_samples(reference, traces, should_stop)

    key = ("samples", text, reference.target.text, reference.displayed_map_key, settings, count, overrides)
    comparison = context.measure(key, sample)
    # Greedy and beam search may find the same translation, which is cached once.
    return comparison and replace(comparison, reference=reference)


def build_sampling_payload(comparison: SampleComparison, count: int, t: Messages) -> SamplingData:
    """Build the component's data from `count` samples."""
    reference = comparison.reference
    search = t("option.greedy") if reference.provenance.search == "greedy" else t("term.beam")
    source, target = (
        build_word_labels(side, language, t("sampling.end"))
        for side, language in ((reference.source, reference.source_language),
                               (reference.target, reference.target_language))
    )  # fmt: skip
    return {
        "name": get_title(reference.provenance.model),
        "search_name": t("sampling.best", search=search),
        "languages": (reference.source_language, reference.target_language),
        "source": source,
        "target": target,
        "count": count,
        "groups": [_build_group(reference, trace, frequency) for trace, frequency in comparison.sample_counts],
        "places": [[{"word": word or "", "count": frequency} for word, frequency in words]
                   for words in comparison.alternatives],
        "alpha": None if comparison.alpha is None else round_rows(comparison.alpha, DIGITS),
        "description": t.format_for_component("sampling.means", search=search),
        "provenance": describe_provenance([reference], t),
        "messages": t.get_table("sampling"),
        "language": t.language,
    }  # fmt: skip


def _build_group(reference: Trace, trace: Trace, count: int) -> SampleGroup:
    reference_words, words = reference.target.words, trace.target.words
    unchanged = {
        index
        for reference_index, index in align_words(reference_words, words, reference.target_language)
        if reference_index is not None and index is not None and reference_words[reference_index] == words[index]
    }
    pairs = typeset_with_tail(trace.target, trace.target_language)
    return {"count": count, "text": [(gap, word, index not in unchanged) for index, (gap, word) in enumerate(pairs)]}


def build_samples_csv(comparison: SampleComparison) -> str:
    """Return the different translations as CSV, most frequent first."""
    return build_csv(("times drawn", "log p", "translation"),
                     ((count, trace.log_probability, trace.target.text) for trace, count in comparison.sample_counts))
