"""What takes a second or more to compute from an evaluation, kept for all readers of this server."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.length_curve import GroupDifference
from pages.ui.charts import curves
from pages.ui.charts.curves import LengthCurve

KNOWN: dict[str | type[Any], Callable[[Any], Any]] = {
    Evaluation: lambda one: (one.data, one.model, one.fingerprint, one.search, one.date)
}


@st.cache_data(max_entries=200, show_spinner=False, hash_funcs=KNOWN)
def get_curve(evaluation: Evaluation, binning: str) -> LengthCurve:
    """The curve of an evaluation over one of links.BINNINGS, with its bands."""
    return curves.build_curve(evaluation, curves.make_bins(binning, evaluation))


@st.cache_data(max_entries=200, show_spinner=False, hash_funcs=KNOWN)
def get_change(evaluation: Evaluation, long: int) -> GroupDifference:
    """How BLEU changes from short sentences to those of at least `long` words."""
    return curves.compute_change(evaluation, long)
