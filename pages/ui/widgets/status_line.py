"""The line below the controls: the status, and one notice with its remedy.

The notice is about overrides from Laboratory, or about text that the model cannot read well.
"""

import re
from collections.abc import Callable
from functools import lru_cache

import streamlit as st

from model.text import input_checks
from model.text.input_checks import InputWarning
from model.text.languages import parse_language_pair
from model.text.politeness import split_tag
from model.text.vocabulary import Vocabulary
from pages.ui.backend import cards
from pages.ui.escape import escape_html, escape_markdown
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params, state
from pages.ui.widgets.controls import choose_pair, set_sentence
from pages.ui.widgets.status import Status

_IN_EVERY_VOCABULARY = re.compile(r"[A-Za-z0-9\s.,;:!?'\"()-]*")
_MAX_SIGNS = 6  # that are listed; the others are counted
_VIEW_REMEDY = "remedy-of-view"  # key of a remedy that leaves the text in the box alone
_SPLIT_KEY = "split-requested"  # session key: the reader wants the sentences separately, which only Translate can do


def draw_status_line(
    typed_text: str, t: Messages, num_sentences: int = 0, draw_default: Callable[[], None] | None = None
) -> Status:
    """Draw the line, whose height is fixed, so that nothing moves; return the status.

    `num_sentences`: how many sentences are translated separately, 0 if the box is one text. `draw_default`: draws
    the content if there is no warning. Other pages than Translate display one sentence only; splitting the text leads
    to Translate.
    """
    if st.session_state.pop(_SPLIT_KEY, False) and params.get_page_name() != "translate":
        first_sentence = {params.OPEN_SENTENCE.name: "1", params.SENTENCE.name: typed_text}
        st.switch_page("pages/translate.py", query_params=frame.build_link_params() | first_sentence)
    text = split_tag(typed_text)[1] if params.get_style() else typed_text
    with st.container(key="status", height=30, border=False, horizontal=True, vertical_alignment="center", gap="small"):
        status = Status()
        if num_sentences:
            _draw_text(t("input_warning.apart", count=num_sentences))
            label = t("input_warning.together")
            st.button(label, key=_VIEW_REMEDY, type="tertiary", on_click=set_open_sentence, args=(0,))
        elif _has_overrides():
            _draw_text(t("input_warning.edits", model=cards.get_title(params.get_chosen_model())))
            label = t("input_warning.mend_edits")
            st.button(label, key=_VIEW_REMEDY, type="tertiary", on_click=state.reset_params, args=(params.OVERRIDES,))
        elif len(typed_text) <= params.MAX_CHARACTERS and (
            warning := _check_input(
                text, params.get_source_language(), _load_vocabulary(text), _get_longest_words()
            )
        ):
            _draw_warning(warning, t, tag=typed_text.removesuffix(text))
        elif draw_default:
            draw_default()
    return status


def set_open_sentence(number: int) -> None:
    """Open one of the sentences in the box, from 1; 0 for all of them as one text. For callbacks."""
    st.session_state[params.OPEN_SENTENCE.name] = number


def _has_overrides() -> bool:
    """Return whether overrides of Laboratory apply on this page. Laboratory itself draws them."""
    page = params.get_page_name()
    return page != "laboratory" and page in params.OVERRIDES.pages and bool(state.get_param(params.OVERRIDES))


def _request_splitting() -> None:
    set_open_sentence(1)
    st.session_state[_SPLIT_KEY] = True


_check_input = lru_cache(maxsize=256)(input_checks.check_input)


def _load_vocabulary(typed_text: str) -> Vocabulary | None:
    """Return the chosen model's vocabulary if the text has characters that a vocabulary may lack, else None."""
    return None if _IN_EVERY_VOCABULARY.fullmatch(typed_text) else cards.load_vocabulary(params.get_chosen_model())


def _get_longest_words() -> int:
    """Return the longest training sentence of the chosen model, in words; 0 if unknown."""
    card = cards.find_card(params.get_chosen_model())
    return card.longest_words if card else 0


def _draw_text(text: str) -> None:
    st.html(f'<p class="input-warning" role="status">{escape_html(text)}</p>', width="content")


def _draw_warning(warning: InputWarning, t: Messages, tag: str) -> None:
    """Draw a warning, and the button with its remedy if there is one, which keeps the typed tag of a style."""
    if warning.kind == "foreign":
        _draw_language_warning(warning.language, t)
    elif warning.kind == "sentences":
        _draw_text(t("input_warning.sentences", count=warning.count))
        st.button(t("input_warning.mend_sentences"), key=_VIEW_REMEDY, type="tertiary", on_click=_request_splitting)
    elif warning.kind == "long":
        title = cards.get_title(params.get_chosen_model())
        _draw_text(t("input_warning.long", count=warning.count, model=title, limit=_get_longest_words()))
    else:
        signs, count = " ".join(warning.signs[:_MAX_SIGNS]), len(warning.signs)
        remainder = t("input_warning.more_signs", count=count - _MAX_SIGNS) if count > _MAX_SIGNS else ""
        _draw_text(t(f"input_warning.{warning.kind}", signs=signs + remainder))
        if warning.remedy:
            label = t(f"input_warning.mend_{warning.kind}")
            st.button(label, key="remedy", type="tertiary", on_click=set_sentence, args=(tag + warning.remedy,))


def _draw_language_warning(language: str, t: Messages) -> None:
    """Draw that the text is in another language than the model's source, and offer a pair for this language."""
    source_language = params.get_source_language().partition("-")[0]
    title = cards.get_title(params.get_chosen_model())
    languages = {"found": t.name_language(language), "own": t.name_language(source_language)}
    _draw_text(t("input_warning.foreign", **languages, model=title))
    pairs = [pair for pair in cards.list_pairs() if parse_language_pair(pair)[0].partition("-")[0] == language]
    if pairs:
        pair = min(pairs, key=lambda pair: parse_language_pair(pair)[1].partition("-")[0] != source_language)
        source, target = parse_language_pair(pair)
        label = t("input_warning.mend_foreign", source=t.name_language(source), target=t.name_language(target))
        st.button(escape_markdown(label), key="remedy", type="tertiary", on_click=choose_pair, args=(pair,))
