"""What is wrong with the link that opened the app: said in one sentence each, until the reader closes them.

The rest of the link is followed. What is wrong is kept in the session as (key, values), so that it can be said in
whichever language the reader turns to.
"""

from collections.abc import Collection, Iterable

import streamlit as st

from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.url_state.params import FINGERPRINTS, LINK_PARAMS, PAGE_KEY

NAMES = tuple(LINK_PARAMS)
"""Every name that a link may carry, whichever page uses it."""

_SESSION_KEY = "notices"
_CHECKED_KEY = "link-read"
_MAX_CHARACTERS = 60  # characters of what was given


def add_invalid_value(name: str, given: str, allowed: Iterable[str]) -> None:
    """Say that the link's `name` is none of what is `allowed`."""
    _add(name, "value", name=name, given=_shorten(given), allowed=", ".join(allowed))


def check_unknown_names() -> None:
    """Say which names of the link mean nothing here, once a session, and take them out of it."""
    if st.session_state.setdefault(_CHECKED_KEY, False):
        return
    st.session_state[_CHECKED_KEY] = True
    here = st.session_state.get(PAGE_KEY) or "translate"  # which stands at the root
    allowed = ", ".join(name for name in NAMES if here in LINK_PARAMS[name].pages)
    for name in st.query_params.to_dict():
        if name not in NAMES:
            _add(name, "name", name=_shorten(name), allowed=allowed)
            del st.query_params[name]


def check_fingerprints(given: str, linked: Collection[str] | None, shown: Collection[str]) -> None:
    """Say whether the weights that the link was made with have changed since. `linked`: the fingerprints that the link
    gives, None where what it gives are none; `shown`: those of what is on the screen."""
    if linked is None:
        _add(FINGERPRINTS.name, "fingerprints", given=_shorten(given))
    elif not set(linked) <= set(shown):
        _add(FINGERPRINTS.name, "weights", given=_shorten(given), now=",".join(shown))


def render_notices(t: Messages) -> None:
    """Draw what there is to say, over the foot of the window, so that nothing moves."""
    noted: dict[str, tuple[str, dict[str, str]]] = st.session_state.get(_SESSION_KEY, {})
    if not noted:
        return
    with st.container(key="notices"):
        for key, values in noted.values():
            st.html(f'<p role="alert">{escape_html(t(f"notice.{key}", **values))}</p>')
        st.button(t("notice.close"), key="notices-close", type="tertiary", on_click=_close)


def _add(about: str, key: str, **values: str) -> None:
    st.session_state.setdefault(_SESSION_KEY, {})[about] = (key, values)


def _close() -> None:
    st.session_state.pop(_SESSION_KEY, None)


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_CHARACTERS else text[: _MAX_CHARACTERS - 1] + "…"
