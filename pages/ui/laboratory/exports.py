"""What leaves the laboratory and comes back: an experiment as a file, as a page of its own, as a picture of it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from model.analysis.ablation.word_changes import align_traces
from model.decoding import EditsError, SettingsError
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

_UPLOADED = "experiment-file"
_REFUSED = "experiment-refused"

_address = Component("exports", ExportsData)


def show(before: Trace, after: Trace, data: ConsoleData, t: Messages) -> None:
    """The buttons, each making its file when it is pressed, the address, and the way back for a file."""
    made = after if after.made_by.edits else before
    printed.files(print_maps.build_comparison_drawing(saving.named(made, "attention"), *_picture(before, after, t)), t,
                  key="laboratory")  # fmt: skip
    file(made, t)
    page_file.button("attention", "console", data, made, t)
    _address(key="leave", data={"words": t.table("exports"), "language": t.language}, width="content")
    come_back(t)


def file(made: Trace, t: Messages) -> None:
    """The button that saves what was asked for a translation, to be asked again here or by the command line."""
    saving.button("save-experiment", t("laboratory.save"), f"{saving.named(made, t('laboratory.file'))}.json",
                  "application/json", Experiment.of(made).to_json, t("laboratory.save_help"))  # fmt: skip


def come_back(t: Messages) -> None:
    """The way back for such a file."""
    with st.popover(t("laboratory.open"), key="open-experiment", type="tertiary"):
        uploader(t("laboratory.open_help"), _UPLOADED, t, _come)


def _picture(before: Trace, after: Trace, t: Messages) -> tuple[list[print_maps.LabelledGrid], str, str]:
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


def refused(t: Messages) -> str:
    """Why the file that was opened last could not be followed; "" where it was, or where that was said already."""
    found: Any = st.session_state.pop(_REFUSED, "")
    return t("laboratory.refused", reason=found) if found else ""


def _come() -> None:
    """A file has come: what it asks for is opened, or why not is noted."""
    file = st.session_state.get(_UPLOADED)
    if file is None:
        return
    try:
        take_up(Experiment.from_json(file.getvalue()[: LARGEST + 1]))
    except (ExperimentError, EditsError, SettingsError) as error:
        st.session_state[_REFUSED] = str(error)


def take_up(found: Experiment) -> None:
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
