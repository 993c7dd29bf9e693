"""Figures for print: download buttons for their files, and the figure itself on a page."""

import base64
from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui.charts import printing
from pages.ui.charts.printing import FILE_FORMATS, MIME_TYPES, Drawing
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import LANGUAGES, Messages, load_messages
from pages.ui.widgets import downloads, screen


def draw_file_buttons(
    drawing: Drawing, t: Messages, build_table: Callable[[], str] | None = None, key: str = ""
) -> None:
    """Draw a download button for each file format of `drawing`, and for its numbers as CSV if `build_table` is given.

    Files are built when a button is pressed. `key`: needed if a page has the same drawing twice.
    """
    name = key or drawing.name
    for kind in FILE_FORMATS:
        downloads.draw_download_button(f"{name}-{kind}", t(f"print.{kind}"), f"{drawing.name}.{kind}", MIME_TYPES[kind],
                      partial(printing.render, drawing, kind, partial(_describe_missing_font, t)),
                      t(f"print.{kind}_help"))  # fmt: skip
    if build_table is not None:
        downloads.draw_download_button(
            f"{name}-csv", t("print.csv"), f"{drawing.name}.csv", "text/csv", build_table, t("print.csv_help")
        )


def draw_figure(drawing: Drawing, cache_key: str, build_table: Callable[[], str], t: Messages) -> None:
    """Draw the figure as a static picture in the colours of the page, and the buttons of its files for white paper.

    `cache_key`: a text that changes whenever the figure does. `build_table`: returns its numbers as CSV.
    """
    svg = _render_svg(drawing, drawing.name, drawing.title, cache_key, t.language, screen.is_dark())
    with st.container(key=f"print-{drawing.name}", gap="xsmall"):
        image = f"<img alt='{escape_html(drawing.title)}' src='data:image/svg+xml;base64,{svg}'>"
        st.html(f"<div class='printed' tabindex='0'>{image}</div>")
        with st.container(key=f"files-{drawing.name}", horizontal=True, gap="xsmall"):
            draw_file_buttons(drawing, t, build_table)


def _describe_missing_font(t: Messages, letters: int) -> list[str]:
    """Return the note on letters without a font, in the reader's language, and in English if there is no font for
    that."""
    return [messages("print.missing", letters=letters) for messages in (t, load_messages(LANGUAGES[0]))]


@st.cache_data(max_entries=64, show_spinner=False)
def _render_svg(_drawing: Drawing, name: str, title: str, cache_key: str, language: str, is_dark: bool) -> str:
    """Return the drawing as SVG in base64, cached by all arguments but the first."""
    return base64.b64encode(printing.render(_drawing, "svg", lambda _: (), is_dark)).decode()
