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
from pages.ui.components.component import Component, sent
from pages.ui.escape import markup
from pages.ui.frame.rerun import rerun
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import notices, picks, state
from pages.ui.url_state.links import LANG, LINKED, PLACES, PRESENT

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


_switch = Component("frame", FrameData)
_SWITCH = "frame-switch"


def styles(page: str) -> None:
    """Load the styles of one page's own controls, assets/player/PAGE/page.css."""
    st.html(ASSETS / "player" / page / "page.css")


def line(key: str, height: int, gap: Literal["xsmall", "small", "medium"] = "xsmall") -> DeltaGenerator:
    """One line of widgets, `height` pixels high; on a narrow screen it is scrolled sideways, not broken."""
    return st.container(
        key=key, height=height, border=False, horizontal=True, wrap=False, vertical_alignment="center", gap=gap
    )


@contextmanager
def around(pages: list[Page], current: Page, t: Messages) -> Iterator[None]:
    """Draw the frame around a page: one line that stays the same on every page, with `current` marked.

    The links to the other pages carry on what this page's link says, which the page may change while it is drawn.
    """
    notices.strangers()
    state.returned()
    if state.language() != t.language:  # where the reader went back to, it was another one: all is to be in that
        rerun()
    state.keep_sentence()
    state.said()
    with line("frame", 36, "small"):
        _presenting(t)
        st.html(f"<h1>{markup(t('app.title'))}</h1>", width="content")
        row = st.container(key="pages", horizontal=True, width="content", gap="xsmall")
        _language(t)
        with row:
            places, said = _navigation(pages, current), st.query_params.to_dict()
    try:
        yield
    finally:  # a run that is broken off for the next one has changed the link itself
        state.said()
    if st.query_params.to_dict() != said:
        carried = _carried()
        for page, place in zip(pages, places, strict=True):
            place.page_link(page, query_params=carried)
    notices.show(t)
    glossary.show(t)


def _navigation(pages: list[Page], current: Page) -> list[DeltaGenerator]:
    """The links to the pages, each at a place where another can be put. Nothing else ever stands there: a link that is
    away for a moment, while the page runs anew, would miss the click that comes just then."""
    places, carried = [], _carried()
    for page in pages:
        here = page.url_path == current.url_path or (not page.url_path and current not in pages)
        with st.container(key="page-now", width="content") if here else nullcontext():
            places.append(st.page_link(page, query_params=carried))
    return places


def _carried() -> dict[str, str]:
    """What the links to other pages say. What is private, as the key of a reader's own text, stays on its page: a link
    to another page is passed on without a thought. So does the scene. Names that mean nothing here, which come back
    when a reader goes back in the history of the browser, are not carried on."""
    return {name: value for name, value in st.query_params.to_dict().items()
            if name in LINKED and LINKED[name].kept == "link"}  # fmt: skip


def _language(t: Messages) -> None:
    """The switch between the languages; the link carries it once it differs from what the browser prefers."""
    picks.one(LANG, t("language.label"), lambda name: t(f"language.{name}"), t, hidden=True)


def _presenting(t: Messages) -> None:
    """The switch for presenting, which happens in the browser; the link carries it."""
    on = state.presenting()
    data: FrameData = {"present": on, "live": state.live(), "places": [row.name for row in PLACES],
                       "words": t.table("frame"), "language": t.language}
    _switch(key=_SWITCH, data=data, width="content", on_present_change=_changed)
    state.link(PRESENT, on)


def _changed() -> None:
    present = sent(_SWITCH, "present")
    if present is not None:
        st.session_state[PRESENT.name] = bool(present)
