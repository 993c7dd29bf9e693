"""Printed figures on a page: the buttons of their files, and the figure itself where a page shows it."""

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
    """A button for each kind of file of `drawing`, and for its numbers as CSV where `table` makes them; each makes its
    file when it is pressed. `key`: where a page has the same drawing twice."""
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
    """Show the drawing as a picture that runs nothing, in the colours of the page, and its files, which are for white
    paper. `numbers`: a text that differs where what is drawn does; `table`: makes them as CSV."""
    svg = _render_svg(drawing, drawing.name, drawing.title, cache_key, t.language, screen.is_dark())
    with st.container(key=f"print-{drawing.name}", gap="xsmall"):
        shown = f"<img alt='{escape_html(drawing.title)}' src='data:image/svg+xml;base64,{svg}'>"
        st.html(f"<div class='printed' tabindex='0'>{shown}</div>")
        with st.container(key=f"files-{drawing.name}", horizontal=True, gap="xsmall"):
            draw_file_buttons(drawing, t, build_table)


def _describe_missing_font(t: Messages, letters: int) -> list[str]:
    """That there is no font for some letters: in the reader's language, and in English where that needs them too."""
    return [words("print.missing", letters=letters) for words in (t, load_messages(LANGUAGES[0]))]


@st.cache_data(max_entries=64, show_spinner=False)
def _render_svg(_drawing: Drawing, name: str, title: str, cache_key: str, language: str, dark: bool) -> str:
    """The drawing as SVG in base64, rendered once for the same numbers in the same language and colours."""
    return base64.b64encode(printing.render(_drawing, "svg", lambda _: (), dark)).decode()
