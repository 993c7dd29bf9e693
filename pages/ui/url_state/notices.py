"""Notices about a link that is not fully valid: one sentence each, displayed until the reader closes them.

The session keeps them as (message key, values), so that they follow the language of the interface.
"""

from collections.abc import Collection, Iterable

import streamlit as st

from pages.ui.escape import escape_html, shorten_quote
from pages.ui.i18n.messages import Messages
from pages.ui.url_state.params import FINGERPRINTS, LINK_PARAMS, get_page_name

_SESSION_KEY = "notices"
_CHECKED_KEY = "link-read"


def add_invalid_value(name: str, text: str, allowed_values: Iterable[str]) -> None:
    """Add a notice that `text` is not an allowed value of the parameter `name`."""
    _add(name, "value", name=name, given=shorten_quote(text), allowed=", ".join(allowed_values))


def check_unknown_names() -> None:
    """Remove unknown parameters from the link, once a session, and add a notice about each."""
    if st.session_state.setdefault(_CHECKED_KEY, False):
        return
    st.session_state[_CHECKED_KEY] = True
    page = get_page_name()
    allowed_names = ", ".join(name for name, param in LINK_PARAMS.items() if page in param.pages)
    for name in st.query_params.to_dict():
        if name not in LINK_PARAMS:
            _add(name, "name", name=shorten_quote(name), allowed=allowed_names)
            del st.query_params[name]


def check_fingerprints(
    text: str,
    link_fingerprints: Collection[str] | None,
    known_fingerprints: Collection[str],
    displayed_fingerprints: Collection[str],
) -> None:
    """Add a notice if the link's fingerprints are malformed (`link_fingerprints` is None) or not those of any model."""
    if link_fingerprints is None:
        _add(FINGERPRINTS.name, "fingerprints", given=shorten_quote(text))
    elif not set(link_fingerprints) <= set(known_fingerprints):
        _add(FINGERPRINTS.name, "weights", given=shorten_quote(text), now=",".join(displayed_fingerprints))


def render_notices(t: Messages) -> None:
    """Draw the notices at the foot of the window, over the page, so that nothing moves."""
    notices: dict[str, tuple[str, dict[str, str]]] = st.session_state.get(_SESSION_KEY, {})
    if not notices:
        return
    with st.container(key="notices"):
        for key, values in notices.values():
            st.html(f'<p role="alert">{escape_html(t(f"notice.{key}", **values))}</p>')
        st.button(t("notice.close"), key="notices-close", type="tertiary", on_click=_close)


def _add(subject: str, key: str, **values: str) -> None:
    st.session_state.setdefault(_SESSION_KEY, {})[subject] = (key, values)


def _close() -> None:
    st.session_state.pop(_SESSION_KEY, None)
