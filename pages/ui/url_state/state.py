"""The values of parameters: kept in the session between pages, and written to the link unless they are the default.

The table of parameters is in params.py. Streamlit keeps the value of a widget for one page only, so `store_param` keeps
a copy for the other pages, under "NAME-last".
"""

import time
from collections.abc import Iterable
from typing import Any, TypeVar, cast
from uuid import uuid4

import streamlit as st

from model.text.normalise import normalise
from model.text.politeness import split_tag
from pages.ui.backend import cards
from pages.ui.i18n.messages import LANGUAGES, Messages, load_messages, match_locale
from pages.ui.url_state import notices, params
from pages.ui.url_state.param_types import Param
from pages.ui.url_state.params import PAGE_KEY

Value = TypeVar("Value")

_RECORDED_LINK = "recorded-link"  # session key of the page, its link, and the time when it was recorded
SUBMITTED_KEY = "box-submitted"  # session key: whether the box was submitted, until a page takes note
STALE_SECONDS = 1.0  # a browser may still send the previous link this long


def get_language() -> str:
    """Return the language of the interface: of the switch, else of the link, else of the browser."""
    for code in (st.session_state.get(params.LANGUAGE.name), st.query_params.get(params.LANGUAGE.name)):
        if code in LANGUAGES:
            return str(code)
    return match_locale(st.context.locale)


def get_messages() -> Messages:
    """Return the texts of the interface in the reader's language."""
    return load_messages(get_language())


def get_reader_id() -> str:
    """Return this session's identifier, by which the queue, jobs and live runs tell readers apart."""
    return str(st.session_state.setdefault("reader", uuid4().hex))


def is_presenting() -> bool:
    """Return whether the page is in presentation mode."""
    name = params.PRESENT.name
    if name not in st.session_state:
        st.session_state[name] = read_link_param(params.PRESENT) is True
    return bool(st.session_state[name])


def is_live() -> bool:
    """Return whether the text is translated while it is typed; False on a page without a sentence box."""
    if params.get_page_name() not in params.LIVE.pages:
        return False
    restore_param(params.LIVE)
    return bool(st.session_state[params.LIVE.name] == "on")


def has_unsaved_work() -> bool:
    """Return whether the session has work that no link carries, so that loading the page anew would lose it."""
    keys = (params.IMPORTED_FILE, params.OTHER_IMPORTED_FILE, params.UPLOADED_TEXT, params.LIVE_RUN)
    pasted = params.PASTED_TEXT.name
    pasted_text = str(st.session_state.get(pasted, st.session_state.get(f"{pasted}-last")) or "")
    has_pasted_text = bool(pasted_text) and not params.is_example_text(pasted_text)
    has_job = bool(st.session_state.get(params.JOB_KEY.name)) and params.JOB_KEY.name not in st.query_params
    return has_job or has_pasted_text or any(st.session_state.get(key) for key in keys)


def read_link_param(param: Param[Value], should_notify: bool = True) -> Value | None:
    """Return the value that the link gives, or None. `should_notify`: whether to notify the reader of invalid parts."""
    text = st.query_params.get(param.name) if param.scope != "session" else None
    if text is None:
        return None
    value, unknown_parts = param.value_type.parse(text)
    for part in unknown_parts if should_notify else ():
        notices.add_invalid_value(param.name, part, param.value_type.list_allowed())
    return value


def open_page(url_path: str) -> None:
    """Record that another page is opened, so that all its parameters are restored, also those drawn only later."""
    st.session_state[PAGE_KEY] = url_path
    for param in params.ALL_PARAMS:
        st.session_state.pop(f"{param.name}-page", None)


def is_restored(param: Param[Any]) -> bool:
    """Return whether this page has set the session's value of a parameter."""
    page = st.session_state.get(PAGE_KEY)
    return param.name in st.session_state and st.session_state.get(f"{param.name}-page") == page


def restore_param(param: Param[Value], widget: str | None = None) -> None:
    """Set the session's value of a parameter: from the link, else from the page before, else the default.

    Does nothing if this page has set it already, unless another kind of `widget` is about to be drawn for it. None: for
    values that are only read, and parameters with only one kind of widget.
    """
    widget_key = f"{param.name}-widget"
    if is_restored(param) and widget in (None, st.session_state.get(widget_key)):
        return
    value = read_link_param(param, should_notify=param.name not in st.session_state)
    if value is None:
        last = f"{param.name}-last"
        value = st.session_state[last] if last in st.session_state else param.get_default()
    st.session_state[f"{param.name}-page"] = st.session_state.get(PAGE_KEY)
    if widget is not None:
        st.session_state[widget_key] = widget
    _set_value(param, value)


def store_param(param: Param[Value], value: Value) -> None:
    """Keep the value of a control for other pages, and write it to the link. A page's own default is kept only if
    another value was chosen before."""
    last = f"{param.name}-last"
    if not param.has_page_default or value != param.get_default() or last in st.session_state:
        st.session_state[last] = value
    write_link_param(param, value)


def record_submission() -> None:
    """Record that the reader submitted the box, perhaps an empty one; the callback of its button."""
    st.session_state[SUBMITTED_KEY] = True
    name = params.SENTENCE.name
    if not st.session_state[name]:
        st.session_state[f"{name}-last"] = ""  # in the link too, `follow_history` would take it for the browser's Back


def store_sentence() -> None:
    """Write the sentence in the box to the link before the page is drawn, so that the links to other pages are built
    only once.

    An empty one that was not submitted is replaced by the previous one: while a page changes, the browser may draw the
    box anew, empty, and send that, and a presentation would lose its sentence.
    """
    name = params.SENTENCE.name
    if not is_restored(params.SENTENCE):
        return
    if not st.session_state[name]:
        st.session_state[name] = st.session_state.get(f"{name}-last", params.SENTENCE.get_default())
    if st.session_state[name] != st.session_state.get(f"{name}-last", params.SENTENCE.get_default()):
        for param in params.SENTENCE_POSITION_PARAMS:
            st.query_params.pop(param.name, None)
    store_param(params.SENTENCE, st.session_state[name])


def get_param(param: Param[Value]) -> Value:
    """Return the value from the link, the session or the default, for a parameter without a control on this page, and
    store it in the session and the link."""
    restore_param(param)
    value: Any = st.session_state[param.name]
    if isinstance(value, list):  # of several options, as widgets take them
        value = tuple(value)
    store_param(param, value)
    return cast("Value", value)


def build_sentence_param(text: str) -> dict[str, str]:
    """Return the link parameter that opens a translated sentence: as it was typed, if it is the one in the box, since
    the normalised form may be too long for a link. Empty if it is too long."""
    typed_text, (_, text) = str(st.session_state.get(params.SENTENCE.name) or ""), split_tag(text)
    sentence = typed_text if split_tag(normalise(typed_text))[1] == text else text
    return {} if params.SENTENCE.value_type.format(sentence) is None else {params.SENTENCE.name: sentence}


def build_language_param() -> dict[str, str]:
    """Return the link parameter of the interface's language, if the reader has chosen one."""
    language = read_link_param(params.LANGUAGE, should_notify=False)
    return {params.LANGUAGE.name: language} if language else {}


def reset_params(*link_params: Param[Any]) -> None:
    """Set parameters back to their defaults, in the session and the link."""
    for param in link_params:
        default = param.get_default()
        st.session_state.pop(f"{param.name}-last", None)
        st.session_state[param.name] = default
        store_param(param, default)


def store_and_compare(key: str, value: object) -> bool:
    """Return whether `value` differs from the one of the last call with the same session key; False the first time."""
    previous = st.session_state.setdefault(key, value)
    st.session_state[key] = value
    return bool(previous != value)


def follow_history() -> None:
    """Take over the values of the link after the reader went back or forward in the browser's history.

    This changes the link without a control. Call it before anything is drawn, and `record_link` at the end.
    """
    page, link = st.session_state.get(PAGE_KEY), st.query_params.to_dict()
    recorded_page, recorded_link, record_time = st.session_state.get(_RECORDED_LINK, (None, {}, 0.0))
    if recorded_page != page or link == recorded_link or time.monotonic() - record_time < STALE_SECONDS:
        return
    for param in params.ALL_PARAMS:
        if param.scope == "session" or link.get(param.name) == recorded_link.get(param.name):
            continue
        if not is_restored(param):  # restore_param will read the link
            continue
        value = read_link_param(param, should_notify=False)
        _set_value(param, param.get_default() if value is None else value)


def record_link() -> None:
    """Record the link for `follow_history`."""
    page, link = st.session_state.get(PAGE_KEY), st.query_params.to_dict()
    recorded_page, recorded_link, _ = st.session_state.get(_RECORDED_LINK, (None, {}, 0.0))
    if (recorded_page, recorded_link) != (page, link):
        st.session_state[_RECORDED_LINK] = (page, link, time.monotonic())


def write_link_param(param: Param[Value], value: Value) -> None:
    """Write `value` to the link, or remove the parameter from it for the default and for values that links cannot
    carry."""
    if param.scope == "session":
        return
    text = param.format(value)
    if text is None:
        st.query_params.pop(param.name, None)
    elif st.query_params.get(param.name) != text:
        st.query_params[param.name] = text


def record_fingerprints(fingerprints: Iterable[str]) -> None:
    """Write the fingerprints of the displayed models to the link, if it has other parameters. Once a session, tell the
    reader if the link that was opened has some that no model has any more."""
    param, displayed_fingerprints = params.FINGERPRINTS, tuple(dict.fromkeys(fingerprints))
    if not st.session_state.setdefault("weights-compared", False):
        text = st.query_params.get(param.name)
        if text is not None:
            known_fingerprints = (*displayed_fingerprints, *(card.fingerprint for card in cards.list_cards()))
            link_fingerprints = read_link_param(param, should_notify=False)
            notices.check_fingerprints(text, link_fingerprints, known_fingerprints, displayed_fingerprints)
        st.session_state["weights-compared"] = True
    is_alone = not any(name != param.name for name in st.query_params)
    write_link_param(param, param.get_default() if is_alone else displayed_fingerprints)


def _set_value(param: Param[Any], value: Any) -> None:
    st.session_state[param.name] = list(value) if isinstance(value, tuple) else value
