"""Files of an experiment: saved and opened as JSON, saved as an HTML page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from model.decoding import OverrideError, SettingsError
from model.decoding.experiment import MAX_FILE_SIZE, ExperimentError, SavedExperiment
from model.text.politeness import CHOSEN_STYLES, split_tag
from model.trace import Trace
from pages.ui.backend import cards
from pages.ui.components import standalone
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params
from pages.ui.widgets import downloads
from pages.ui.widgets.controls import choose_pair
from pages.ui.widgets.uploader import draw_uploader

UPLOAD_KEY = "experiment-file"
PROBLEM_KEY = "experiment-refused"


def render_html_button(experiment: str, component: str, data: Mapping[str, Any], trace: Trace, t: Messages) -> None:
    """Draw the button that saves an experiment's component and its data as one HTML page; `trace` names the file."""
    name = downloads.build_file_name(trace, f"{t('laboratory.file')}-{experiment.replace('_', '-')}")
    title = t("laboratory.page", part=t(f"experiment.{experiment}"), model=cards.get_title(trace.provenance.model),
              sentence=trace.source.text)  # fmt: skip
    downloads.draw_download_button(
        f"{experiment}-html",
        t("laboratory.html"),
        f"{name}.html",
        "text/html",
        partial(standalone.build_document, component, title, {**data, "is_export": True}, t),
        t("laboratory.html_help"),
    )


def render_save_button(trace: Trace, t: Messages) -> None:
    """Draw the button that saves sentence, model, search and overrides, to be replayed here or at the command line."""
    downloads.draw_download_button(
        "save-experiment",
        t("laboratory.save"),
        f"{downloads.build_file_name(trace, t('laboratory.file'))}.json",
        "application/json",
        SavedExperiment.from_trace(trace).to_json,
        t("laboratory.save_help"),
    )


def render_open_button(t: Messages) -> None:
    """Draw the button that opens a saved experiment."""
    with st.popover(t("laboratory.open"), key="open-experiment", type="tertiary"):
        draw_uploader(t("laboratory.open_help"), UPLOAD_KEY, t, on_upload)


def render_csv_button(key: str, label: str, name: str, content: Callable[[], str], hint: str) -> None:
    downloads.draw_download_button(key, label, f"{name}.csv", "text/csv", content, hint)


def pop_problem(t: Messages) -> str:
    """Return why the last file was refused, once; "" otherwise. The reason itself is in English."""
    reason: Any = st.session_state.pop(PROBLEM_KEY, "")
    if reason and t.language != "en":
        reason = t("laboratory.unfit_file")
    return t("laboratory.refused", reason=reason) if reason else ""


def on_upload() -> None:
    """Open the uploaded experiment, or store why it is refused."""
    file = st.session_state.get(UPLOAD_KEY)
    if file is None:
        return
    try:
        open_saved_experiment(SavedExperiment.from_json(file.getvalue()[: MAX_FILE_SIZE + 1]))
    except (ExperimentError, OverrideError, SettingsError) as error:
        st.session_state[PROBLEM_KEY] = str(error)


def open_saved_experiment(experiment: SavedExperiment) -> None:
    """Set the page's controls to a saved experiment.

    Raises ExperimentError if the model is missing or has other weights, or if this page does not offer the search.
    """
    card = cards.find_card(experiment.model)
    if card is None:
        raise ExperimentError(f"There is no model of the name {experiment.model[:60]!r} here.")
    experiment.check_fingerprint(card.fingerprint)
    widths = list(params.BEAM_WIDTH.value_type.list_allowed())
    if str(experiment.beam) not in widths:
        raise ExperimentError(f"This page searches with a beam of {widths[0]} to {widths[-1]}: the experiment has a "
                              f"beam of {experiment.beam}; the command line replays it.")
    unk = experiment.settings.unk
    search = next((name for name, settings in params.SEARCHES.items() if settings.beam == experiment.beam), None)
    if unk not in params.UNK.value_type.list_allowed() or (unk != "show" and search is None):
        raise ExperimentError(f"This page does not search with a beam of {experiment.beam} and unk {unk}, as the "
                              "experiment does; the command line replays it.")
    pair = "-".join(card.languages)
    if pair != params.get_chosen_pair():
        choose_pair(pair)
    overrides, (style, sentence) = experiment.parse_overrides(), split_tag(experiment.sentence)
    is_offered = style in CHOSEN_STYLES
    values: dict[str, Any] = {
        params.SENTENCE.name: sentence if is_offered else experiment.sentence,
        params.PAIR.name: pair, params.MODEL.name: experiment.model,
        params.OVERRIDES.name: overrides, params.UNK.name: unk,
    } | ({params.STYLE.name: style} if is_offered else {})  # fmt: skip
    if search is None:
        values |= {params.EXPERIMENT.name: "beam", params.BEAM_WIDTH.name: str(experiment.beam)}
    else:
        has_attention_overrides = bool(overrides.rules or overrides.rows)
        is_in_console = has_attention_overrides or (card.has_attention and not overrides.prefix)
        experiment_name = "attention" if is_in_console else "forced_decoding"
        values |= {params.EXPERIMENT.name: experiment_name, params.SEARCH.name: search}
    st.session_state.update(values)
