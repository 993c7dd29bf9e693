"""Sampling: many translations drawn at random, the same ones counted, word by word, and where they looked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from model.analysis.errors.samples import SampleComparison, compare_samples
from model.analysis.errors.word_alignment import align_words
from model.decoding import Overrides, Settings, StopCallback
from model.decoding.draws import sample_translations
from model.text.normalise import Normalised
from model.trace import Trace
from pages.ui.backend.cards import title_of
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset_with_tail
from pages.ui.laboratory import exports
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.labels import build_word_labels, round_matrix
from pages.ui.laboratory.sampling_types import SampleGroup, SamplingData
from pages.ui.url_state import links, picks, state
from pages.ui.widgets import saving
from pages.ui.widgets.provenance import provenance
from pages.ui.widgets.requests import Request, answer, before, seen_by

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

KEY = "sampling"

_mount = Component("sampling", SamplingData)


def render_sampling(bench: ExperimentContext) -> None:
    """Draw the translations that the reader's dice give."""
    t = bench.t
    with frame.create_widget_row("experiment", 36, "medium"):
        count = int(picks.draw_option_buttons(links.SAMPLE_COUNT, t, text=str))
        heat = float(picks.draw_option_buttons(links.TEMPERATURE, t, text=str))
        cut = picks.draw_option_buttons(links.TRUNCATION, t)
        seed = state.get_param(links.SEED)
        st.button(t("sampling.seed", seed=seed), key="dice", on_click=_on_new_seed, help=t("sampling.seed_help"))
    settings = Settings(sample=True, temperature=heat, seed=seed, candidates=0, **links.TRUNCATIONS[cut])
    requests = (Request(bench.model_name, bench.settings, bench.overrides),)
    waiting = before(bench.sentence, requests)
    shown = waiting or answer(bench.sentence, requests, t, bench.status)
    if shown is not None and not waiting:
        like = seen_by(shown, bench.map_key)[0][0]
        found = measure_samples(bench.with_model_of(like), like, settings, count)
        if found is not None:
            data = build_sampling_payload(found, count, t)
            _mount(key=KEY, data=data)
            with bench.export_container:
                exports.render_html_button("sampling", KEY, data, like, t)
                saving.button("sampling-csv", t("print.csv"), f"{saving.named(like, 'sampling')}.csv", "text/csv",
                              partial(samples_to_csv, found), t("sampling.csv_help"))  # fmt: skip
    if waiting:
        rerun_page()


def _on_new_seed() -> None:
    """Another seed."""
    st.session_state[links.SEED.name] = st.session_state[links.SEED.name] % 9999 + 1


def measure_samples(bench: ExperimentContext, like: Trace, settings: Settings, count: int) -> SampleComparison | None:
    """Translations of the sentence of `like`, set beside it."""
    edits = Overrides.from_text(like.made_by.edits)
    key = ("samples", like.source.text, like.target.text, like.shown, settings, count, edits)
    found = bench.measure(key, partial(_draw, like, settings, count, edits))
    return found and replace(found, reference=like)  # two searches may find the same translation


def _draw(
    like: Trace, settings: Settings, count: int, edits: Overrides, model: Model, stopped: StopCallback
) -> SampleComparison:
    found = sample_translations(model, Normalised(like.source.text), settings, count, stopped, edits)
    return compare_samples(like, found, stopped)


def build_sampling_payload(found: SampleComparison, count: int, t: Messages) -> SamplingData:
    """What the component draws."""
    like = found.reference
    search = t("option.greedy") if like.made_by.search == "greedy" else t("term.beam")
    return {
        "name": title_of(like.made_by.model),
        "best": t("sampling.best", search=search),
        "languages": (like.source_language, like.target_language),
        "source": build_word_labels(like.source, like.source_language, len(like.source.words) + 1, t("sampling.end")),
        "target": build_word_labels(like.target, like.target_language, len(like.target.words) + 1, t("sampling.end")),
        "count": count,
        "groups": [_build_group(like, trace, often) for trace, often in found.counted],
        "places": [[{"word": word or "", "count": often} for word, often in place] for place in found.alternatives],
        "alpha": None if found.alpha is None else round_matrix(found.alpha),
        "means": t.sent("sampling.means", search=search),
        "made": provenance([like], t),
        "words": t.table("sampling"),
        "language": t.language,
    }


def _build_group(like: Trace, trace: Trace, count: int) -> SampleGroup:
    same = {
        right
        for left, right in align_words(like.target.words, trace.target.words, like.target_language)
        if left is not None and right is not None and like.target.words[left] == trace.target.words[right]
    }
    words = typeset_with_tail(trace.target, trace.target_language)
    return {"count": count, "text": [(gap, word, place not in same) for place, (gap, word) in enumerate(words)]}


def samples_to_csv(found: SampleComparison) -> str:
    """The different translations, most frequent first."""
    return build_csv(("times drawn", "log p", "translation"),
                     ((count, trace.log_probability, trace.target.text) for trace, count in found.counted))
