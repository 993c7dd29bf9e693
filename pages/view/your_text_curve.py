"""BLEU by length for each model, in the look of the page that is about such curves."""

from collections.abc import Sequence

import streamlit as st

from pages.view import curves
from pages.view.words import Words

FILE = "bleu-by-length"  # what the downloaded curve is called


def show(lines: Sequence[curves.Curve], name: str, key: str, say: Words) -> None:
    """The curves of `name`, on the screen and, by their own button, as SVG."""
    drawing = curves.figure(lines, say, top=curves.highest(lines), dark=st.context.theme.type == "dark", height=360)
    st.plotly_chart(
        drawing,
        key=key,
        config={
            "displaylogo": False,
            "toImageButtonOptions": {"format": "svg", "filename": FILE, "width": 900, "height": 420},
        },
        alt=curves.description(lines, name, say),
    )
