"""What stands around every page: the styles, the name, the navigation, the language, presenting, what is wrong with
the link.

Every line has its height from the start, whatever is still being loaded into it, so that nothing moves.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal, TypedDict

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page

from pages.view.shell import glossary, notices, picks, state
from pages.view.shell.component import Component
from pages.view.shell.escape import markup
from pages.view.shell.links import LANG, LINKED, PRESENT
from pages.view.shell.messages import Messages

_ASSETS = Path(__file__).parents[3] / "assets"
ICON = str(_ASSETS / "icons" / "icon.svg")
STYLES = _ASSETS / "player" / "shared" / "page.css"



class FrameData(TypedDict):
    """Whether the page is being presented, and whether the translation follows the typing."""

    present: bool
    live: bool
    words: Annotated[dict[str, str], "frame"]


_switch = Component("frame", FrameData)
_SWITCH = "frame-switch"


def sheet() -> DeltaGenerator:
    """The one column that everything stands in, its lines without gaps."""
    st.html(STYLES)
    return st.container(key="sheet", gap=None)


def styles(page: str) -> None:
    """Load the styles of one page's own controls, assets/player/PAGE/page.css."""
    st.html(_ASSETS / "player" / page / "page.css")


def line(key: str, height: int, gap: Literal["xsmall", "small", "medium"] = "xsmall") -> DeltaGenerator:
    """One line of widgets, `height` pixels high; on a narrow screen it is scrolled sideways, not broken."""
    return st.container(
        key=key, height=height, border=False, horizontal=True, wrap=False, vertical_alignment="center", gap=gap
    )


@contextmanager
def around(pages: list[Page], current: Page, say: Messages) -> Iterator[None]:
    """Draw the frame around a page: one line that stays the same on every page, with `current` marked.

    The links to the other pages carry on what this page's link says, which the page may change while it is drawn.
    """
    notices.strangers()
    state.returned()
    state.keep_sentence()
    state.said()
    with line("frame", 36, "small"):
        _presenting(say)
        st.html(f"<h1>{markup(say('app.title'))}</h1>", width="content")
        places = _navigation(pages, current)
        _language(say)
    said = _links(pages, places)
    try:
        yield
    finally:  # a run that is broken off for the next one has changed the link itself
        state.said()
    if st.query_params.to_dict() != said:
        _links(pages, places)
    notices.show(say)
    glossary.show(say)


def _navigation(pages: list[Page], current: Page) -> list[DeltaGenerator]:
    """A place for the link to each page, as many places as pages."""
    places = []
    with st.container(key="pages", horizontal=True, width="content", gap="xsmall"):
        for page in pages:
            if page.url_path == current.url_path or (not page.url_path and current not in pages):
                places.append(st.container(key="page-now", width="content").empty())
            else:
                places.append(st.empty())
    return places


def _links(pages: list[Page], places: list[DeltaGenerator]) -> dict[str, str]:
    """Draw the links to the pages with what the link says now, which is returned. What is private, as the key of a
    reader's own text, stays on its page: a link to another page is passed on without a thought. So does the scene."""
    said = st.query_params.to_dict()
    carried = {name: value for name, value in said.items() if LINKED[name].kept == "link"}
    for page, place in zip(pages, places, strict=True):
        place.page_link(page, query_params=carried)
    return said


def _language(say: Messages) -> None:
    """The switch between the languages; the link carries it once it differs from what the browser prefers."""
    picks.one(LANG, say("language.label"), lambda name: say(f"language.{name}"), say, hidden=True)


def _presenting(say: Messages) -> None:
    """The switch for presenting, which happens in the browser; the link carries it."""
    on = state.presenting()
    data: FrameData = {"present": on, "live": state.live(), "words": say.table("frame")}
    _switch(key=_SWITCH, data=data, width="content", on_present_change=_changed)
    state.link(PRESENT, on)


def _changed() -> None:
    st.session_state[PRESENT.name] = bool(st.session_state[_SWITCH].get("present"))
