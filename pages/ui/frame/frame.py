"""What stands around every page: the styles, the name, the navigation, the language, presenting, what is wrong with
the link.

Every line has its height from the start, whatever is still being loaded into it, so that nothing moves.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Annotated, Literal, TypedDict

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page

from model.paths import ASSETS
from pages.ui.components import glossary
from pages.ui.components.component import Component, get_event
from pages.ui.escape import escape_html
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import notices, param_widgets, state
from pages.ui.url_state.params import LANGUAGE, LINK_PARAMS, POSITION_PARAMS, PRESENT

ICON = str(ASSETS / "icons" / "icon.svg")
STYLES = ASSETS / "player" / "shared" / "page.css"



class FrameData(TypedDict):
    """Whether the page is being presented, whether the translation follows the typing, and the names in the link by
    which alone no entry of the browser's history is made."""

    present: bool
    live: bool
    places: list[str]
    words: Annotated[dict[str, str], "frame"]
    language: str


_component = Component("frame", FrameData)
_COMPONENT_KEY = "frame-switch"


def load_page_styles(page: str) -> None:
    """Load the styles of one page's own controls, assets/player/PAGE/page.css."""
    st.html(ASSETS / "player" / page / "page.css")


def create_widget_row(key: str, height: int, gap: Literal["xsmall", "small", "medium"] = "xsmall") -> DeltaGenerator:
    """One line of widgets, `height` pixels high; on a narrow screen it is scrolled sideways, not broken."""
    return st.container(
        key=key, height=height, border=False, horizontal=True, wrap=False, vertical_alignment="center", gap=gap
    )


@contextmanager
def draw_frame(pages: list[Page], current: Page, t: Messages) -> Iterator[None]:
    """Draw the frame around a page: one line that stays the same on every page, with `current` marked.

    The links to the other pages carry on what this page's link says, which the page may change while it is drawn.
    """
    notices.check_unknown_names()
    state.follow_history()
    if state.get_language() != t.language:  # where the reader went back to, it was another one: all is to be in that
        rerun_page()
    state.store_sentence()
    state.record_link()
    with create_widget_row("frame", 36, "small"):
        _draw_present_switch(t)
        st.html(f"<h1>{escape_html(t('app.title'))}</h1>", width="content")
        row = st.container(key="pages", horizontal=True, width="content", gap="xsmall")
        _draw_language_switch(t)
        with row:
            places, said = _draw_navigation(pages, current), st.query_params.to_dict()
    try:
        yield
    finally:  # a run that is broken off for the next one has changed the link itself
        state.record_link()
    if st.query_params.to_dict() != said:
        carried = _build_link_params()
        for page, place in zip(pages, places, strict=True):
            place.page_link(page, query_params=carried)
    notices.render_notices(t)
    glossary.mount_glossary(t)


def _draw_navigation(pages: list[Page], current: Page) -> list[DeltaGenerator]:
    """The links to the pages, each at a place where another can be put. Nothing else ever stands there: a link that is
    away for a moment, while the page runs anew, would miss the click that comes just then."""
    places, carried = [], _build_link_params()
    for page in pages:
        here = page.url_path == current.url_path or (not page.url_path and current not in pages)
        with st.container(key="page-now", width="content") if here else nullcontext():
            places.append(st.page_link(page, query_params=carried))
    return places


def _build_link_params() -> dict[str, str]:
    """What the links to other pages say. What is private, as the key of a reader's own text, stays on its page: a link
    to another page is passed on without a thought. So does the scene. Names that mean nothing here, which come back
    when a reader goes back in the history of the browser, are not carried on."""
    return {name: value for name, value in st.query_params.to_dict().items()
            if name in LINK_PARAMS and LINK_PARAMS[name].scope == "link"}  # fmt: skip


def _draw_language_switch(t: Messages) -> None:
    """The switch between the languages; the link carries it once it differs from what the browser prefers."""
    param_widgets.draw_buttons(LANGUAGE, t("language.label"), lambda name: t(f"language.{name}"), t, hide_label=True)


def _draw_present_switch(t: Messages) -> None:
    """The switch for presenting, which happens in the browser; the link carries it."""
    on = state.is_presenting()
    data: FrameData = {"present": on, "live": state.is_live(), "places": [row.name for row in POSITION_PARAMS],
                       "words": t.get_table("frame"), "language": t.language}
    _component(key=_COMPONENT_KEY, data=data, width="content", on_present_change=_store_present)
    state.write_link_param(PRESENT, on)


def _store_present() -> None:
    present = get_event(_COMPONENT_KEY, "present")
    if present is not None:
        st.session_state[PRESENT.name] = bool(present)
