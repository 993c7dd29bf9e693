"""The line below the controls: what is going on, and what the model can't read well in the box, with the remedy."""

import re
from collections.abc import Callable
from functools import lru_cache

import streamlit as st
from streamlit.navigation.page import Page

from model.text import input_checks
from model.text.input_checks import InputWarning
from model.text.vocabulary import Vocabulary
from pages.ui.backend import cards
from pages.ui.escape import escape_html, escape_markdown
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params
from pages.ui.url_state.state import store_param
from pages.ui.widgets.controls import set_sentence
from pages.ui.widgets.status import Status

ListPages = Callable[[Messages], list[Page]]
_EVERYDAY = re.compile(r"[A-Za-z0-9\s.,;:!?'\"()-]*")
_MAX_SIGNS = 6  # signs; of more than that the others are counted
_SPLIT_KEY = "apart-asked"  # where the session notes that sentences were asked for, which another page shows


def draw_status_line(typed: str, t: Messages, num_sentences: int = 0, list_pages: ListPages | None = None,
         draw_default: Callable[[], None] | None = None) -> Status:
    """Draw the line; returns the place for what is going on. Its height is the same whatever is waited for, so that
    nothing moves. `apart`: how many sentences are shown each by itself, 0 where the box is one text; `pages`: all of
    them, on a page that shows one sentence only: the one at the root shows several; `otherwise` draws what stands there
    where the text raises no doubt."""
    if st.session_state.pop(_SPLIT_KEY, False) and list_pages:
        opened = {params.OPEN_SENTENCE.name: "1", params.SENTENCE.name: typed}
        root = next(page for page in list_pages(t) if not page.url_path)
        st.switch_page(root, query_params=st.query_params.to_dict() | opened)
    with st.container(key="status", height=30, border=False, horizontal=True, vertical_alignment="center", gap="small"):
        status = Status()
        if num_sentences:
            _draw_text(t("doubt.apart", count=num_sentences))
            st.button(t("doubt.together"), key="remedy", type="tertiary", on_click=open_sentence, args=(0,))
        elif len(typed) <= params.MAX_CHARACTERS and (
            found := _check_input(typed, params.get_source_language(), _load_vocabulary(typed))
        ):
            _draw_warning(found, t)
        elif draw_default:
            draw_default()
    return status


def open_sentence(number: int) -> None:
    """Show the sentences in the box each by itself, that one opened; 0: as one text. For callbacks."""
    st.session_state[params.OPEN_SENTENCE.name] = number


def _split_sentences() -> None:
    open_sentence(1)
    st.session_state[_SPLIT_KEY] = True


_check_input = lru_cache(maxsize=256)(input_checks.check_input)


def _load_vocabulary(typed: str) -> Vocabulary | None:
    """The chosen model's vocabulary, which is only read for a text with signs that not every vocabulary has."""
    return None if _EVERYDAY.fullmatch(typed) else cards.load_vocabulary(params.get_chosen_model())


def _draw_text(text: str) -> None:
    st.html(f'<p class="doubt" role="status">{escape_html(text)}</p>', width="content")


def _draw_warning(found: InputWarning, t: Messages) -> None:
    """What is wrong, and the button that mends it, where anything does."""
    if found.kind == "foreign":
        _draw_foreign_language(found.language, t)
    elif found.kind == "sentences":
        _draw_text(t("doubt.sentences", count=found.count))
        mend = t("doubt.mend_sentences")
        st.button(mend, key="remedy", type="tertiary", on_click=_split_sentences)
    else:
        signs, count = " ".join(found.signs[:_MAX_SIGNS]), len(found.signs)
        more = t("doubt.more_signs", count=count - _MAX_SIGNS) if count > _MAX_SIGNS else ""
        _draw_text(t(f"doubt.{found.kind}", signs=signs + more))
        if found.remedy:
            mend = t(f"doubt.mend_{found.kind}")
            st.button(mend, key="remedy", type="tertiary", on_click=set_sentence, args=(found.remedy,))


def _draw_foreign_language(found: str, t: Messages) -> None:
    """That the model reads another language, and one that reads this one."""
    own = params.get_source_language().partition("-")[0]
    name = params.get_chosen_model()
    _draw_text(t("doubt.foreign", found=t(f"tongue.{found}"), own=t(f"tongue.{own}"), model=cards.get_title(name)))
    other = next((card for card in cards.list_models() if card.source_language.partition("-")[0] == found), None)
    if other:
        mend = t("doubt.mend_foreign", model=other.title)
        st.button(escape_markdown(mend), key="remedy", type="tertiary", on_click=_choose_model, args=(other.name,))


def _choose_model(name: str) -> None:
    """Choose a model, on a page without a choice of one too, whose link is to say it and other pages are to keep."""
    st.session_state[params.MODEL.name] = name
    store_param(params.MODEL, name)
