"""What takes a second or more to compute from an evaluation, kept for all readers of this server."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.length_curve import Change
from pages.ui.charts import curves
from pages.ui.charts.curves import Curve

KNOWN: dict[str | type[Any], Callable[[Any], Any]] = {
    Evaluation: lambda one: (one.data, one.model, one.fingerprint, one.search, one.date)
}


@st.cache_data(max_entries=200, show_spinner=False, hash_funcs=KNOWN)
def curve(evaluation: Evaluation, binning: str) -> Curve:
    """The curve of an evaluation over one of links.BINNINGS, with its bands."""
    return curves.of(evaluation, curves.bins_for(binning, evaluation))


@st.cache_data(max_entries=200, show_spinner=False, hash_funcs=KNOWN)
def fall(evaluation: Evaluation, long: int) -> Change:
    """How BLEU changes from short sentences to those of at least `long` words."""
    return curves.fall(evaluation, long)
