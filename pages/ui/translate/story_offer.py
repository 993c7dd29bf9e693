"""A link to the story for new readers, in one line that can be closed."""

import streamlit as st

from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.url_state.params import LANGUAGE, PAIR, SCENE, SENTENCE, get_chosen_pair
from pages.ui.url_state.state import get_language

_DISMISSED_KEY = "newcomer-closed"


def render_story_offer(sentence: str, t: Messages) -> None:
    """Draw the link while the box holds the opening sentence of the story's languages and the story has not been
    opened."""
    is_dismissed = SCENE.name in st.session_state or st.session_state.get(_DISMISSED_KEY, False)
    if is_dismissed or sentence != SENTENCE.get_default() or get_chosen_pair() != PAIR.get_default():
        return
    language = LANGUAGE.format(get_language())
    with st.container(key="newcomer", horizontal=True, width="content", gap="xsmall", vertical_alignment="center"):
        st.html(f"<p>{escape_html(t('newcomer.what'))}</p>")
        query = {LANGUAGE.name: language} if language else {}
        st.page_link("pages/story.py", label=t("newcomer.line"), query_params=query)
        st.button(t("newcomer.close"), key="newcomer-close", type="tertiary", on_click=_dismiss)


def _dismiss() -> None:
    st.session_state[_DISMISSED_KEY] = True
