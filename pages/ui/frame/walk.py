"""The two walks of a presentation: a short route through what matters, and every page in its parts.

The frame's component asks for one, or for a stop of it (`store_request`). The next run opens the stop, and at the end
the page where the presentation was started. The route's stop is in the link.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

import streamlit as st
from streamlit.navigation.page import Page

from pages.ui.backend import shipped_traces
from pages.ui.frame.rerun import rerun_page
from pages.ui.url_state import params, state
from pages.ui.url_state.param_types import Param
from pages.ui.url_state.params import EXPERIMENT, IDEA, LANGUAGE, LINK_PARAMS, PAGE_KEY, PAGES, PRESENT, ROUTE, SENTENCE

PARTS: Mapping[str, Param[Any]] = {"laboratory": EXPERIMENT, "concepts": IDEA}
"""The parameter of each page that has parts."""
NUM_SENTENCES = 3
STEP_PRESSES = 7  # for the encoder and the steps of the shortest sentence

# Session keys: the request, where the presentation was started, and whether the session has drawn a page.
_REQUEST, _START, _IS_OPEN = "walk-request", "walk-start", "walk-open"
_KEPT_PARAMS = (LANGUAGE, PRESENT, ROUTE)


class WalkData(TypedDict):
    """Where the walk is: its stop, from 0, of `count`; the presses of the clicker that the stop has (-1: all that the
    page has), and whether each of these does all steps of what is on the screen. `is_route`: the short route."""

    stop: int
    count: int
    presses: int
    skips: bool
    is_route: bool


@dataclass(frozen=True)
class WalkStop:
    """A page with values of its parameters; `presses` and `skips` as in `WalkData`."""

    page: str
    values: Mapping[str, str] = field(default_factory=dict)
    presses: int = -1
    skips: bool = False


def list_route() -> list[WalkStop]:
    """Return the short route: the story, three sentences, one step by step, two models, and BLEU by length."""
    sentences = shipped_traces.list_sentences(params.get_source_language())
    shortest = min(sentences, key=len, default="")
    others = [sentence for sentence in sentences if sentence != shortest][:NUM_SENTENCES]
    return [
        WalkStop("story", skips=True),
        *(WalkStop("translate", {SENTENCE.name: sentence}, presses=0) for sentence in others),
        WalkStop("step_by_step", {SENTENCE.name: shortest} if shortest else {}, presses=STEP_PRESSES),
        WalkStop("compare", presses=2, skips=True),
        WalkStop("length_and_bleu", presses=1),
    ]


def list_all_stops() -> list[WalkStop]:
    """Return every page, and every part of those that have parts."""
    return [
        WalkStop(page, {PARTS[page].name: part} if part else {})
        for page in PAGES
        for part in (PARTS[page].value_type.list_allowed() if page in PARTS else ("",))
    ]


def get_walk() -> tuple[list[WalkStop], int]:
    """Return the stops of the reader's walk and the current one, -1 if this page is none of them."""
    page = st.session_state.get(PAGE_KEY) or "translate"
    number = state.get_param(ROUTE)
    if number:
        return list_route(), number - 1
    stops = list_all_stops()
    part = PARTS.get(page)
    values = {part.name: _read_param(part, page)} if part else {}
    return stops, next((k for k, stop in enumerate(stops) if (stop.page, stop.values) == (page, values)), -1)


def _read_param(param: Param[Any], page: str) -> Any:
    """Return the value that a control of this page will have, without drawing it."""
    if st.session_state.get(f"{param.name}-page") == page and param.name in st.session_state:
        return st.session_state[param.name]
    value = state.read_link_param(param, notify=False)
    return st.session_state.get(f"{param.name}-last", param.get_default()) if value is None else value


def build_walk_data() -> WalkData:
    """Return where the walk is, for the frame's component."""
    stops, index = get_walk()
    stop = stops[index] if 0 <= index < len(stops) else WalkStop("")
    return {"stop": index, "count": len(stops), "presses": stop.presses, "skips": stop.skips,
            "is_route": bool(state.get_param(ROUTE))}  # fmt: skip


def store_request(request: Any) -> None:
    """Store a request of the frame's component: {"walk": "route", "all" or "" for the end} or {"stop": its index}."""
    if isinstance(request, dict):
        st.session_state[_REQUEST] = request


def follow_request(pages: Sequence[Page]) -> None:
    """Open what the frame's component asked for, in a new run if it is not on the screen. A session that a link of the
    route opens on another page goes to its stop."""
    request = st.session_state.pop(_REQUEST, None)
    page = st.session_state.get(PAGE_KEY) or "translate"
    is_new = not st.session_state.get(_IS_OPEN)
    st.session_state[_IS_OPEN] = True
    if request is None:
        stops, index = get_walk()
        if is_new and state.is_presenting() and state.get_param(ROUTE) and not _is_at(stops, index, page):
            _open_stop(pages, stops, min(index, len(stops) - 1))
        return
    walk, number = request.get("walk"), request.get("stop")
    if walk in ("route", "all"):
        st.session_state[_START] = (page, st.query_params.to_dict())
        _set_param(PRESENT, True)
        if walk == "route":
            _open_stop(pages, list_route(), 0)
    elif walk == "":
        _set_param(PRESENT, False)
        _set_param(ROUTE, 0)
        start = st.session_state.pop(_START, None)
        if start and start[0] in PAGES:
            _open_page(pages, start[0], {name: text for name, text in start[1].items() if name in LINK_PARAMS}, set())
    elif isinstance(number, int):
        stops, index = get_walk()
        if 0 <= number < len(stops) and number != index:
            _open_stop(pages, stops, number)


def _is_at(stops: Sequence[WalkStop], index: int, page: str) -> bool:
    return index < len(stops) and stops[index].page == page


def _open_stop(pages: Sequence[Page], stops: Sequence[WalkStop], number: int) -> None:
    stop, is_route = stops[number], stops == list_route()
    _set_param(ROUTE, number + 1 if is_route else 0)
    if is_route:
        _open_page(pages, stop.page, stop.values, {param.name for param in _KEPT_PARAMS})
    else:  # the sentence and the models go along
        _open_page(pages, stop.page, stop.values, set(LINK_PARAMS) - set(stop.values))


def _open_page(pages: Sequence[Page], page: str, values: Mapping[str, str], kept_names: set[str]) -> None:
    """Open a page with values for its link. Parameters not in `kept_names` get these or their defaults."""
    for name in set(LINK_PARAMS) - kept_names:
        for key in (name, f"{name}-last", f"{name}-page", f"{name}-way"):
            st.session_state.pop(key, None)
    link = {name: text for name, text in st.query_params.to_dict().items()
            if name in kept_names and LINK_PARAMS[name].scope == "link"} | dict(values)  # fmt: skip
    if (st.session_state.get(PAGE_KEY) or "translate") == page:
        st.query_params.from_dict(link)
        rerun_page()
    target = next(listed for listed in pages if (listed.url_path or "translate") == page)
    st.switch_page(target, query_params=link)


def _set_param(param: Param[Any], value: Any) -> None:
    """Set a parameter in the session, also of a page opened next, and in the link."""
    st.session_state[param.name] = value
    state.store_param(param, value)
