"""What is wrong with the link that opened the app: said in one sentence each, until the reader closes them.

The rest of the link is followed. What is wrong is kept in the session as (key, values), so that it can be said in
whichever language the reader turns to.
"""

from collections.abc import Collection, Iterable

import streamlit as st

from pages.ui.escape import markup
from pages.ui.i18n.messages import Messages
from pages.ui.url_state.links import LINKED, PAGE, WEIGHTS

NAMES = tuple(LINKED)
"""Every name that a link may carry, whichever page uses it."""

_PLACE = "notices"
_READ = "link-read"
_SHOWN = 60  # characters of what was given


def broken(name: str, given: str, allowed: Iterable[str]) -> None:
    """Say that the link's `name` is none of what is `allowed`."""
    _note(name, "value", name=name, given=_short(given), allowed=", ".join(allowed))


def strangers() -> None:
    """Say which names of the link mean nothing here, once a session, and take them out of it."""
    if st.session_state.setdefault(_READ, False):
        return
    st.session_state[_READ] = True
    here = st.session_state.get(PAGE) or "translate"  # which stands at the root
    allowed = ", ".join(name for name in NAMES if here in LINKED[name].pages)
    for name in st.query_params.to_dict():
        if name not in NAMES:
            _note(name, "name", name=_short(name), allowed=allowed)
            del st.query_params[name]


def compare(given: str, linked: Collection[str] | None, shown: Collection[str]) -> None:
    """Say whether the weights that the link was made with have changed since. `linked`: the fingerprints that the link
    gives, None where what it gives are none; `shown`: those of what is on the screen."""
    if linked is None:
        _note(WEIGHTS.name, "fingerprints", given=_short(given))
    elif not set(linked) <= set(shown):
        _note(WEIGHTS.name, "weights", given=_short(given), now=",".join(shown))


def show(t: Messages) -> None:
    """Draw what there is to say, over the foot of the window, so that nothing moves."""
    noted: dict[str, tuple[str, dict[str, str]]] = st.session_state.get(_PLACE, {})
    if not noted:
        return
    with st.container(key="notices"):
        for key, values in noted.values():
            st.html(f'<p role="alert">{markup(t(f"notice.{key}", **values))}</p>')
        st.button(t("notice.close"), key="notices-close", type="tertiary", on_click=_close)


def _note(about: str, key: str, **values: str) -> None:
    st.session_state.setdefault(_PLACE, {})[about] = (key, values)


def _close() -> None:
    st.session_state.pop(_PLACE, None)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
