"""The story offered at first sight, in one line that can be closed and is gone once the reader has begun."""

import streamlit as st

from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.url_state.params import LANGUAGE, SCENE, SENTENCE
from pages.ui.url_state.state import get_language

_DISMISSED_KEY = "newcomer-closed"
_STORY = "pages/story.py"


def render_story_offer(sentence: str, t: Messages) -> None:
    """Offer the story to who has just come: the box holds what it opens with, and the story has not been seen."""
    seen = SCENE.name in st.session_state or st.session_state.get(_DISMISSED_KEY, False)
    if seen or sentence != SENTENCE.kind.default():
        return
    spelt = LANGUAGE.spell(get_language())
    with st.container(key="newcomer", horizontal=True, width="content", gap="xsmall", vertical_alignment="center"):
        st.html(f"<p>{escape_html(t('newcomer.what'))}</p>")
        st.page_link(_STORY, label=t("newcomer.line"), query_params={LANGUAGE.name: spelt} if spelt else {})
        st.button(t("newcomer.close"), key="newcomer-close", type="tertiary", on_click=_dismiss)


def _dismiss() -> None:
    st.session_state[_DISMISSED_KEY] = True
