"""The two walks of a presentation: the stops of a lecture, and every page in its parts.

The browser holds the lecture (assets/player/shared/lecture.js). The frame's component asks for a stop
(`store_request`); the next run opens it, and at the end the page where the presentation was started.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypedDict

import streamlit as st

from pages.ui.components.component import RESTART_KEY
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import old_links, param_widgets, state
from pages.ui.url_state.param_types import Param
from pages.ui.url_state.params import (
    EXPERIMENT,
    IDEA,
    JOB_KEY,
    LANGUAGE,
    LECTURE,
    LINK_PARAMS,
    PAGES,
    PRESENT,
    SENTENCE,
    get_page_name,
)

PARTS: Mapping[str, Param[Any]] = {"laboratory": EXPERIMENT, "concepts": IDEA}
"""The parameter of each page that has parts; its name is that of the messages with their titles too."""
MAX_VALUE = 20_000  # characters of one parameter of a view

# Session keys: the request, where the presentation was started, and the opened stop of the lecture.
_REQUEST_KEY, _START_KEY, _STOP_KEY = "walk-request", "walk-start", "walk-stop"


class WalkData(TypedDict):
    """Where the walk through every page is: its stop, from 0, of `count`; -1 if this page is none of them.
    `lecture_stop`: the opened stop of the lecture that is presented, else -1."""

    stop: int
    count: int
    lecture_stop: int


@dataclass(frozen=True)
class WalkStop:
    """A page with values of its parameters."""

    page: str
    values: Mapping[str, str] = field(default_factory=dict)


def list_all_stops() -> list[WalkStop]:
    """Return every page, and every part of those that have parts."""
    return [
        WalkStop(page, {PARTS[page].name: part} if part else {})
        for page in PAGES
        for part in (param_widgets.list_options(PARTS[page]) if page in PARTS else ("",))
    ]


def find_stop() -> int:
    """Return the index of this page and part in the walk through every page, -1 if it is not there."""
    page = get_page_name()
    current_stop = WalkStop(page, {PARTS[page].name: _read_part(page)} if page in PARTS else {})
    return next((k for k, stop in enumerate(list_all_stops()) if stop == current_stop), -1)


def build_walk_data() -> WalkData:
    """Return where the walk is, for the frame's component."""
    return {"stop": find_stop(), "count": len(list_all_stops()), "lecture_stop": st.session_state.get(_STOP_KEY, -1)}


def name_view(pages: Mapping[str, str], t: Messages) -> str:
    """Return a title for the view on the screen: of its page, and of its part. `pages`: the titles by name."""
    page = get_page_name()
    title = pages.get(page, page)
    return f"{title}: {t(f'{PARTS[page].name}.{_read_part(page)}')}" if page in PARTS else title


def _read_part(page: str) -> str:
    """Return the part of this page that will be shown, without drawing its control."""
    param = PARTS[page]
    selected_part = st.session_state.get(param.name)  # None for a moment after a second press of the chosen button
    if st.session_state.get(f"{param.name}-page") == page and selected_part is not None:
        return str(selected_part)
    value = state.read_link_param(param, should_notify=False)
    return str(st.session_state.get(f"{param.name}-last", param.get_default()) if value is None else value)


def store_request(request: Any) -> None:
    """Store a request of the frame's component: {"walk": "all", or "" for the end}, {"stop": an index of this walk},
    {"lecture": the index of a stop, "page": ..., "values": ...}, the same without an index for a view that is not
    presented, or {"is_read": True} once the browser has the lecture of the link."""
    if isinstance(request, dict):
        st.session_state[_REQUEST_KEY] = request


def follow_request() -> None:
    """Open what the frame's component asked for, in a new run if it is not on the screen."""
    if not state.is_presenting():  # the reader may have gone back to before the lecture
        st.session_state.pop(_STOP_KEY, None)
    request = st.session_state.pop(_REQUEST_KEY, None)
    if request is None:
        return
    walk, number, view = request.get("walk"), request.get("stop"), _parse_view(request)
    if request.get("is_read"):
        _set_param(LECTURE, "")
    elif walk == "all":
        _begin()
    elif walk == "":
        _set_param(PRESENT, False)
        st.session_state.pop(_STOP_KEY, None)
        page, link, session_values = st.session_state.pop(_START_KEY, ("", {}, {}))
        if page in PAGES:
            view = WalkStop(page, {name: text for name, text in link.items() if name in LINK_PARAMS})
            _open_view(view, session_values=session_values)
    elif view is not None and type(request.get("lecture")) is int:
        if request["lecture"] != st.session_state.get(_STOP_KEY):
            _begin()
            st.session_state[_STOP_KEY] = request["lecture"]
            _open_view(view, LANGUAGE.name, PRESENT.name)
    elif view is not None:
        _open_view(view, LANGUAGE.name)
    elif isinstance(number, int) and number in range(len(stops := list_all_stops())) and number != find_stop():
        _open_page(stops[number], set(LINK_PARAMS) - set(stops[number].values))  # sentence and models go along


def _begin() -> None:
    """Start presenting, and store where, with what the link may not carry: a long sentence, and the reader's file."""
    if not state.is_presenting():
        keys = (f"{SENTENCE.name}-last", JOB_KEY.name)
        session_values = {key: st.session_state[key] for key in keys if key in st.session_state}
        st.session_state[_START_KEY] = (get_page_name(), st.query_params.to_dict(), session_values)
    _set_param(PRESENT, True)


def _parse_view(request: Mapping[str, Any]) -> WalkStop | None:
    """Return the view that a request asks for; None if it asks for none. Values that no link carries are dropped."""
    page, values = request.get("page"), request.get("values")
    if page not in PAGES or not isinstance(values, dict):
        return None
    excluded_names = (LANGUAGE.name, PRESENT.name, LECTURE.name)
    return WalkStop(page, {name: text for name, text in old_links.rename_params(values).items()
                           if name in LINK_PARAMS and name not in excluded_names
                           and isinstance(text, str) and len(text) <= MAX_VALUE})  # fmt: skip


def _open_view(view: WalkStop, *kept_names: str, session_values: Mapping[str, Any] = MappingProxyType({})) -> None:
    """Open a view as its link does. Components begin anew, so that one on the screen takes the position of the link."""
    st.session_state[RESTART_KEY] = st.session_state.get(RESTART_KEY, 0) + 1
    _open_page(view, set(kept_names), session_values)


def _open_page(
    stop: WalkStop, kept_names: set[str], session_values: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Open a page with values for its link. Parameters not in `kept_names` get these, `session_values` or their
    defaults."""
    for name in set(LINK_PARAMS) - kept_names:
        for key in (name, f"{name}-last", f"{name}-page", f"{name}-widget"):
            st.session_state.pop(key, None)
    st.session_state.update(session_values)
    link = {name: text for name, text in st.query_params.to_dict().items()
            if name in kept_names and LINK_PARAMS[name].scope == "link"} | dict(stop.values)  # fmt: skip
    if get_page_name() == stop.page:
        st.query_params.from_dict(link)
        rerun_page()
    st.switch_page(f"pages/{stop.page}.py", query_params=link)


def _set_param(param: Param[Any], value: Any) -> None:
    """Set a parameter in the session, also of a page opened next, and in the link."""
    st.session_state[param.name] = value
    state.store_param(param, value)
