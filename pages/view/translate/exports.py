"""What leaves Translate: the picture as SVG and PNG, its numbers as CSV, the whole record as JSON, the address."""

from collections.abc import Callable

import streamlit as st

from model.trace import Trace
from pages.view.charts import alignment_grid
from pages.view.shell import controls, saving
from pages.view.shell.component import component
from pages.view.shell.messages import Messages
from pages.view.translate.heatmap import View

_mount = component("exports", "png")
_ASKED = "png-asked"


def show(trace: Trace, view: View, say: Messages) -> None:
    """The buttons, each making its file when it is pressed. Without α there is the record only, and the address."""
    name = say("download.name")

    def drawing() -> str:
        model = controls.shown_name(trace.made_by.model)
        title = say("download.title", model=model, target=trace.target.text, source=trace.source.text)
        return alignment_grid.to_svg(alignment_grid.grid(trace, view.unit), view.scale, title, say("heatmap.end"))

    def numbers() -> str:
        return alignment_grid.to_csv(alignment_grid.grid(trace, view.unit))

    made: list[tuple[str, str, Callable[[], str]]] = [("json", "application/json", trace.to_json)]
    if trace.maps:
        made = [("svg", "image/svg+xml", drawing), ("csv", "text/csv", numbers), *made]
    for kind, mime, content in made:
        hint = say(f"download.{kind}_help")
        saving.button(kind, say(f"download.{kind}"), f"{name}.{kind}", mime, content, hint)
    # A canvas makes the PNG, in the reader's own fonts: the drawing is sent to the browser when it is asked for.
    asked = st.session_state.pop(_ASKED, 0) if trace.maps else 0
    data: dict[str, object] = {
        "words": say.table("exports"),
        "png": bool(trace.maps),
        "file": f"{name}.png",
        "language": say.language,
    }
    if asked:
        data |= {"asked": asked, "svg": drawing()}
    _mount(key="leave", data=data, width="content", on_png_change=_ask)


def _ask() -> None:
    """Note that a PNG was asked for; each time is another number, so that the browser saves each once."""
    st.session_state["png-count"] = st.session_state[_ASKED] = st.session_state.get("png-count", 0) + 1
