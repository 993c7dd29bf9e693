"""What takes a second or more to reckon from an evaluation, kept for all readers of this server."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from model.measure.evaluation import Evaluation
from model.measure.length_curve import Change
from pages.view import curves, your_text_bars
from pages.view.curves import Curve
from pages.view.words import load

_KNOWN: dict[str | type[Any], Callable[[Any], Any]] = {
    Evaluation: lambda one: (one.data, one.model, one.fingerprint, one.search, one.date)
}


@st.cache_data(max_entries=200, show_spinner=False, hash_funcs=_KNOWN)
def curve(evaluation: Evaluation, binning: str) -> Curve:
    """The curve of an evaluation over one of curves.BINNINGS, with its bands."""
    return curves.of(evaluation, curves.bins_for(binning, evaluation))


@st.cache_data(max_entries=200, show_spinner=False, hash_funcs=_KNOWN)
def fall(evaluation: Evaluation, to: int) -> Change:
    """How BLEU changes from short sentences to those of the bin `to`."""
    return curves.fall(evaluation, to)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_KNOWN)
def bars(evaluations: tuple[Evaluation, ...], title: str, language: str) -> dict[str, Any]:
    """The sentences of a test set as bars, as the component takes them; the same object each time, to be looked at
    only."""
    say = load(language)
    rows = your_text_bars.rows_of_evaluation(evaluations[0])
    measures = your_text_bars.of_evaluations(evaluations, say)
    return your_text_bars.payload(title, rows, measures, [one.model for one in evaluations], say)
