"""The frame around every page: styles, title, navigation, the switches for language and presenting, notices.

Every row has a fixed height, so that nothing moves while its content is loaded.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypedDict

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page

from model.paths import ASSETS
from pages.ui.components import glossary
from pages.ui.components.component import Component, get_event
from pages.ui.escape import escape_html
from pages.ui.frame import qr_code, vote_dialog, walk
from pages.ui.frame.rerun import rerun_page
from pages.ui.frame.walk import WalkData
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import notices, old_links, param_widgets, params, state
from pages.ui.url_state.params import LANGUAGE, LECTURE_LIMIT, LINK_PARAMS, POSITION_PARAMS, PRESENT

ICON = str(ASSETS / "icons" / "icon.svg")
STYLES = ASSETS / "player" / "shared" / "page.css"


class FrameData(TypedDict):
    """The data of the frame's component. `is_live`: whether text is translated while it is typed.
    `position_params`: the parameters whose change alone adds no entry to the browser's history. `longest_address`:
    characters that a QR code takes. `has_unsaved_work`: whether loading the page anew would lose work of the reader.
    `pages`: titles by name; `view_title`: of the page and its part; `lecture_limit`: characters of a lecture in a link.
    """

    is_presenting: bool
    walk: WalkData
    is_live: bool
    has_unsaved_work: bool
    position_params: list[str]
    longest_address: int
    pages: dict[str, str]
    view_title: str
    lecture_limit: int
    messages: Annotated[dict[str, str], "frame"]
    lecture_messages: Annotated[dict[str, str], "lecture"]
    language: str


_component = Component("frame", FrameData, is_restarted=False)
_COMPONENT_KEY = "frame-switch"


def load_page_styles(page: str) -> None:
    """Load the styles of one page, assets/player/PAGE/page.css."""
    st.html(ASSETS / "player" / page / "page.css")


def create_widget_row(key: str, height: int, gap: Literal["xsmall", "small", "medium"] = "xsmall") -> DeltaGenerator:
    """Create a row of widgets, `height` pixels high. On a narrow screen it scrolls sideways instead of wrapping."""
    return st.container(
        key=key, height=height, border=False, horizontal=True, wrap=False, vertical_alignment="center", gap=gap
    )


@contextmanager
def draw_frame(pages: list[Page], current_page: Page, t: Messages) -> Iterator[None]:
    """Draw the frame around a page, with `current_page` marked in the navigation.

    The links to other pages carry the parameters of this page's link. If the page changes these while it is drawn, the
    links are drawn again.
    """
    old_links.rename_link_params()
    notices.check_unknown_names()
    state.follow_history()
    if state.get_language() != t.language:  # the reader went back to a page in another language
        rerun_page()
    walk.follow_request()
    state.store_sentence()
    state.record_link()
    with create_widget_row("frame", 36, "small"):
        _draw_present_switch(pages, t)
        st.html(f"<h1>{escape_html(t('app.title'))}</h1>", width="content")
        row = st.container(key="pages", horizontal=True, width="content", gap="xsmall")
        _draw_language_switch(t)
        with row:
            elements, initial_params = _draw_navigation(pages, current_page), st.query_params.to_dict()
    try:
        yield
    finally:  # also if Streamlit ends this run for the next one: this run has changed the link
        state.record_link()
    if st.query_params.to_dict() != initial_params:
        link_params = build_link_params()
        for page, element in zip(pages, elements, strict=True):
            element.page_link(page, query_params=link_params)
    notices.render_notices(t)
    glossary.mount_glossary(t)
    vote_dialog.mount_vote(t)


def draw_page_link(page: str, label: str, values: Mapping[str, Any] = MappingProxyType({})) -> None:
    """Draw a link to another page within a page, with the parameters of this page's link and `values` by name."""
    query = build_link_params() | params.build_query(values)
    st.page_link(f"pages/{page}.py", label=label, query_params=query)


def _draw_navigation(pages: list[Page], current_page: Page) -> list[DeltaGenerator]:
    """Draw the links to the pages; return their elements. A link is replaced in its own element, never removed first:
    a click would be lost meanwhile."""
    elements, link_params = [], build_link_params()
    for page in pages:
        is_current = page.url_path == current_page.url_path or (not page.url_path and current_page not in pages)
        with st.container(key="page-now", width="content") if is_current else nullcontext():
            elements.append(st.page_link(page, query_params=link_params))
    return elements


def build_link_params() -> dict[str, str]:
    """Return the parameters for links to other pages: those with scope "link".

    The key of a reader's own text is private and stays on its page, since links are shared without a second look.
    Unknown names, which can return with the browser's history, are dropped.
    """
    return {name: value for name, value in st.query_params.to_dict().items()
            if name in LINK_PARAMS and LINK_PARAMS[name].scope == "link"}  # fmt: skip


def _draw_language_switch(t: Messages) -> None:
    """Draw the switch for the language of the interface. The link carries it if the browser prefers another one."""
    label = t("language.label")
    param_widgets.draw_buttons(LANGUAGE, label, lambda name: t(f"language.{name}"), t, is_label_hidden=True)


def _draw_present_switch(pages: list[Page], t: Messages) -> None:
    """Draw the switch for presenting, a browser component, and write its value to the link."""
    is_presenting = state.is_presenting()
    titles = {page.url_path or "translate": page.title for page in pages}
    data: FrameData = {
        "is_presenting": is_presenting, "walk": walk.build_walk_data(), "is_live": state.is_live(),
        "has_unsaved_work": state.has_unsaved_work(),
        "position_params": [param.name for param in POSITION_PARAMS],
        "longest_address": qr_code.MAX_LENGTH, "pages": titles, "view_title": walk.name_view(titles, t),
        "lecture_limit": LECTURE_LIMIT, "messages": t.get_table("frame"), "lecture_messages": t.get_table("lecture"),
        "language": t.language,
    }  # fmt: skip
    _component(key=_COMPONENT_KEY, data=data, width="content", on_walk_change=_store_request)
    state.write_link_param(PRESENT, is_presenting)


def _store_request() -> None:
    walk.store_request(get_event(_COMPONENT_KEY, "walk"))
