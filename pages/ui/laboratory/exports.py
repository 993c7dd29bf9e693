"""What leaves the laboratory and comes back: an experiment as a file, as a page of its own, as a picture of it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from model.analysis.ablation.word_changes import align_traces
from model.decoding import OverrideError, SettingsError
from model.decoding.experiment import LARGEST, Experiment, ExperimentError
from model.trace import Trace
from pages.ui.backend import cards
from pages.ui.charts import alignment_grid, print_maps
from pages.ui.components.component import Component
from pages.ui.heatmap.payload_types import ExportsData
from pages.ui.i18n.messages import Messages
from pages.ui.laboratory import page_file
from pages.ui.laboratory.payload_types import ConsoleData
from pages.ui.url_state import links
from pages.ui.widgets import maps, printed, saving
from pages.ui.widgets.uploading import uploader

UPLOAD_KEY = "experiment-file"
PROBLEM_KEY = "experiment-refused"

_address = Component("exports", ExportsData)


def render_console_exports(before: Trace, after: Trace, data: ConsoleData, t: Messages) -> None:
    """The buttons, each making its file when it is pressed, the address, and the way back for a file."""
    made = after if after.made_by.edits else before
    printed.files(print_maps.build_comparison_drawing(saving.named(made, "attention"), *_draw_console(before, after, t)), t,
                  key="laboratory")  # fmt: skip
    render_save_button(made, t)
    page_file.render_html_button("attention", "console", data, made, t)
    _address(key="leave", data={"words": t.table("exports"), "language": t.language}, width="content")
    render_open_button(t)


def render_save_button(made: Trace, t: Messages) -> None:
    """The button that saves what was asked for a translation, to be asked again here or by the command line."""
    saving.button("save-experiment", t("laboratory.save"), f"{saving.named(made, t('laboratory.file'))}.json",
                  "application/json", Experiment.of(made).to_json, t("laboratory.save_help"))  # fmt: skip


def render_open_button(t: Messages) -> None:
    """The way back for such a file."""
    with st.popover(t("laboratory.open"), key="open-experiment", type="tertiary"):
        uploader(t("laboratory.open_help"), UPLOAD_KEY, t, _on_upload)


def _draw_console(before: Trace, after: Trace, t: Messages) -> tuple[list[print_maps.LabelledGrid], str, str]:
    """The maps over words, before and after, their words that flipped marked; what it shows in words; and the end's
    name."""
    pairs = align_traces(before, after)
    lost = frozenset(pair.before for pair in pairs if pair.is_changed and pair.before is not None)
    new = frozenset(pair.after for pair in pairs if pair.is_changed and pair.after is not None)
    sides = [(before, t("console.before"), lost)]
    sides += [(after, t("console.after"), new)] if after.made_by.edits else []
    shown = [print_maps.LabelledGrid(alignment_grid.build_grid(trace, "words"), name, marked) for trace, name, marked in sides]
    title = t("laboratory.picture", model=maps.titled(before, t), before=before.target.text,
                after=after.target.text, source=before.source.text)  # fmt: skip
    return shown, title, t("console.end")


def pop_problem(t: Messages) -> str:
    """Why the file that was opened last could not be followed; "" where it was, or where that was said already."""
    found: Any = st.session_state.pop(PROBLEM_KEY, "")
    return t("laboratory.refused", reason=found) if found else ""


def _on_upload() -> None:
    """A file has come: what it asks for is opened, or why not is noted."""
    file = st.session_state.get(UPLOAD_KEY)
    if file is None:
        return
    try:
        open_saved_experiment(Experiment.from_json(file.getvalue()[: LARGEST + 1]))
    except (ExperimentError, OverrideError, SettingsError) as error:
        st.session_state[PROBLEM_KEY] = str(error)


def open_saved_experiment(found: Experiment) -> None:
    """Let the page ask what an experiment asks. Raises ExperimentError where this machine cannot: it has no such model,
    other weights of it, or no such search."""
    card = cards.find(found.model)
    if card is None:
        raise ExperimentError(f"There is no model of the name {found.model[:60]!r} here.")
    found.check_weights(card.fingerprint)
    widths = list(links.WIDTH.kind.allowed())
    if str(found.beam) not in widths:
        raise ExperimentError(f"This page searches with a beam of {widths[0]} to {widths[-1]}: the experiment has a "
                              f"beam of {found.beam}; the command line replays it.")
    values: dict[str, Any] = {links.SENTENCE.name: found.sentence, links.MODEL.name: found.model,
                              links.EDITS.name: found.changes}  # fmt: skip
    search = next((name for name, one in links.SEARCHES.items() if one.beam == found.beam), None)
    if search is None:
        values |= {links.PART.name: "beam", links.WIDTH.name: str(found.beam)}
    else:
        forced = found.changes.prefix and not found.changes.rules and not found.changes.rows
        values |= {links.PART.name: "words" if forced else "attention", links.SEARCH.name: search}
    st.session_state.update(values)
