"""BLEU by sentence length for each model, with its files for print."""

from collections.abc import Callable, Sequence

import streamlit as st

from pages.ui.backend.evaluations import slugify
from pages.ui.charts import curves, print_curves
from pages.ui.i18n.messages import Messages
from pages.ui.widgets import print_figures, screen

FILE_STEM = "bleu-by-length"


def render_length_curve(
    lines: Sequence[curves.CurveLike], name: str, key: str, table: Callable[[], str], t: Messages
) -> None:
    """Draw the curves and below them their files for print and as CSV, which `table` makes."""
    description = curves.describe_curves(lines, name, t)
    figure = curves.build_figure(
        lines, t, top=curves.find_max_bleu(lines), is_dark=screen.is_dark(), font_scale=screen.get_font_scale(),
        height=360,
    )
    st.plotly_chart(
        figure,
        key=key,
        config=curves.PLOTLY_CONFIG,
        alt=description,
    )
    drawing = print_curves.build_curves_drawing(
        "-".join(filter(None, (FILE_STEM, slugify(name)))), lines, description, t
    )
    with st.container(key=f"take-{key}", horizontal=True, gap="small"):
        print_figures.draw_file_buttons(drawing, t, table, key)
