"""What a reader has chosen: kept while they move between pages, and carried by the link where it is not the default.

What can be chosen stands in the table of links (params.py); here a row of it meets the session and the address.
"""

import time
from collections.abc import Iterable
from typing import Any, TypeVar
from uuid import uuid4

import streamlit as st

from pages.ui.i18n.messages import LANGUAGES, Messages, load_messages, match_locale
from pages.ui.url_state import notices, params
from pages.ui.url_state.param_types import Param

Value = TypeVar("Value")

PAGE_KEY = params.PAGE_KEY
_RECORDED_LINK = "link-said"  # and what its link says, on which page, since when
_STALE_SECONDS = 1.0  # seconds in which a browser may still ask with the link it had before


def get_language() -> str:
    """The interface language of this run: what the switch or the link says, else what the browser prefers."""
    for chosen in (st.session_state.get(params.LANGUAGE.name), st.query_params.get(params.LANGUAGE.name)):
        if chosen in LANGUAGES:
            return str(chosen)
    return match_locale(st.context.locale)


def get_reader_id() -> str:
    """Who asks, to the service: this session, the same on every page and in every run."""
    return str(st.session_state.setdefault("reader", uuid4().hex))


def get_messages() -> Messages:
    """The texts of the interface in this run's language."""
    return load_messages(get_language())


def is_presenting() -> bool:
    """Whether the page is being presented: the frame is hidden then, and everything is larger."""
    name = params.PRESENT.name
    if name not in st.session_state:
        st.session_state[name] = read_link_param(params.PRESENT) is True
    return bool(st.session_state[name])


def is_live() -> bool:
    """Whether the translation follows the typing, on a page that has the box."""
    if (st.session_state.get(PAGE_KEY) or "translate") not in params.LIVE.pages:  # Translate stands at the root
        return False
    restore_param(params.LIVE)
    return bool(st.session_state[params.LIVE.name] == "on")


def read_link_param(row: Param[Value], told: bool = True) -> Value | None:
    """What the link says under the name of `row`; None where it says nothing that can be followed. Of what it asks for
    in vain the reader is `told`."""
    given = st.query_params.get(row.name) if row.kept != "session" else None
    if given is None:
        return None
    value, unknown = row.kind.read(given)
    for part in unknown if told else ():
        notices.add_invalid_value(row.name, part, row.kind.allowed())
    return value


def restore_param(row: Param[Value], way: str = "") -> None:
    """Give a control of a page just come to what the link says, or its value on the page before: Streamlit keeps a
    value for each page by itself, and for each `way` in which it can be drawn. `keep` notes the value when the control
    has been drawn."""
    here, place, drawn, last = (
        st.session_state.get(PAGE_KEY),
        *(f"{row.name}-{part}" for part in ("page", "way", "last")),
    )
    before = st.session_state.get(place), st.session_state.get(drawn, "")
    if row.name in st.session_state and before == (here, way):
        return
    value = read_link_param(row, told=row.name not in st.session_state)
    if value is None:
        value = st.session_state[last] if last in st.session_state else row.kind.default()
    st.session_state[place], st.session_state[drawn] = here, way
    st.session_state[row.name] = list(value) if isinstance(value, tuple) else value


def store_param(row: Param[Value], value: Value) -> None:
    """Keep the value that a control has for other pages, and let the link carry it. Of a row whose default is each
    page's own that default is kept only where something was chosen before: the page came to it, not the reader."""
    last = f"{row.name}-last"
    if not row.own or value != row.kind.default() or last in st.session_state:
        st.session_state[last] = value
    write_link_param(row, value)


def store_sentence() -> None:
    """Let the link carry the sentence in the box before anything is drawn, where this page has one: what is made of the
    link meanwhile, the links to the other pages, is then made once."""
    name = params.SENTENCE.name
    if name in st.session_state and st.session_state.get(f"{name}-page") == st.session_state.get(PAGE_KEY):
        store_param(params.SENTENCE, str(st.session_state[name] or ""))


def get_param(row: Param[Value]) -> Value:
    """The value of a row that has no control yet: what the link says, kept while the reader moves between pages."""
    restore_param(row)
    value: Value = st.session_state[row.name]
    store_param(row, value)
    return value


def has_changed(key: str, of: object) -> bool:
    """Whether what the session keeps under `key` is of something other than before; `of` is kept from now on. What is
    first of its kind is no other: the link may have brought it."""
    before = st.session_state.setdefault(key, of)
    st.session_state[key] = of
    return bool(before != of)


def reset_params(*rows: Param[Any]) -> None:
    """Take rows back to their defaults, here and in the link."""
    for row in rows:
        st.session_state.pop(f"{row.name}-last", None)
        st.session_state[row.name] = row.kind.default()
        store_param(row, row.kind.default())


def follow_history() -> None:
    """Take up what the link says where the reader went back or on in the browser's history, which changes the link of
    the same page without a control. To be called before anything is drawn; `said` notes the link at the end."""
    here, now = st.session_state.get(PAGE_KEY), st.query_params.to_dict()
    page, before, since = st.session_state.get(_RECORDED_LINK, (None, {}, 0.0))
    if page != here or now == before or time.monotonic() - since < _STALE_SECONDS:
        return
    for row in params.ALL_PARAMS:
        if row.kept == "session" or now.get(row.name) == before.get(row.name):
            continue
        if st.session_state.get(f"{row.name}-page") != here:  # it is read from the link where it is drawn
            continue
        value = read_link_param(row, told=False)
        value = row.kind.default() if value is None else value
        st.session_state[row.name] = list(value) if isinstance(value, tuple) else value


def record_link() -> None:
    """Note what the link says, for `returned`."""
    here, now = st.session_state.get(PAGE_KEY), st.query_params.to_dict()
    page, before, _ = st.session_state.get(_RECORDED_LINK, (None, {}, 0.0))
    if (page, before) != (here, now):
        st.session_state[_RECORDED_LINK] = (here, now, time.monotonic())


def write_link_param(row: Param[Value], value: Value) -> None:
    """Let the link carry `value`, or nothing where it is the default or where it cannot be carried."""
    if row.kept == "session":
        return
    spelt = row.spell(value)
    if spelt is None:
        st.query_params.pop(row.name, None)
    elif st.query_params.get(row.name) != spelt:
        st.query_params[row.name] = spelt


def record_fingerprints(fingerprints: Iterable[str]) -> None:
    """Let the link carry the fingerprints of the models that are on the screen, if it carries anything else, and tell
    the reader if those of the link that opened this session have changed since."""
    row, shown = params.FINGERPRINTS, tuple(dict.fromkeys(fingerprints))
    if not st.session_state.setdefault("weights-compared", False):
        given = st.query_params.get(row.name)
        if given is not None:
            notices.check_fingerprints(given, read_link_param(row, told=False), shown)
        st.session_state["weights-compared"] = True
    bare = not any(name != row.name for name in st.query_params)
    write_link_param(row, row.kind.default() if bare else shown)
