"""The curve of a reader's file: BLEU by length for each model, in the look of the page that is about such curves."""

from collections.abc import Sequence
from typing import cast

import streamlit as st

from pages.view import curves
from pages.view.words import Words
from pages.view.your_text_scores import Scored


def draw(scores: Sequence[Scored], name: str, say: Words) -> None:
    """The curve, on the screen and, by its own button, as SVG."""
    lines = cast(Sequence[curves.Curve], scores)  # as far as drawing goes: a model and its points
    drawing = curves.figure(lines, say, top=curves.highest(lines), dark=st.context.theme.type == "dark", height=360)
    st.plotly_chart(
        drawing,
        key="own-curve",
        config={
            "displaylogo": False,
            "toImageButtonOptions": {"format": "svg", "filename": say("scores.file"), "width": 900, "height": 420},
        },
        alt=curves.description(lines, name, say),
    )
