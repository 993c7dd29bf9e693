"""BLEU by length for each model, in the look of the page that is about such curves, and the files it leaves as."""

from collections.abc import Callable, Sequence

import streamlit as st

from pages.view.charts import curves, print_figures
from pages.view.shell import saving
from pages.view.shell.messages import Messages

FILE = "bleu-by-length"  # what the downloaded curve is called


def show(lines: Sequence[curves.Line], name: str, key: str, table: Callable[[], str], say: Messages) -> None:
    """The curves of `name` on the screen; below them as SVG for print, and their numbers, made by `table`, as CSV."""
    described = curves.description(lines, name, say)
    drawing = curves.figure(lines, say, top=curves.highest(lines), dark=st.context.theme.type == "dark", height=360)
    st.plotly_chart(
        drawing,
        key=key,
        config={
            "displaylogo": False,
            "toImageButtonOptions": {"format": "png", "filename": FILE, "width": 900, "height": 420, "scale": 3},
        },
        alt=described,
    )

    def svg() -> str:
        return print_figures.of_curves(lines, described, say)[0]

    with st.container(key=f"take-{key}", horizontal=True, gap="small"):
        for kind, made, ending, mime in (("curve", svg, "svg", "image/svg+xml"), ("scores", table, "csv", "text/csv")):
            saving.button(f"{key}-{ending}", say(f"your_text.as_{kind}"), f"{FILE}.{ending}", mime, made,
                          say(f"your_text.as_{kind}_help"))  # fmt: skip
