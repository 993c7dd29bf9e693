"""The controls that pages have in common: the box with its examples, the choice of a model, what the models are.

Each keeps its value while the reader moves between pages, and is carried by the link (pages/ui/url_state/params.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoints.checkpoint import Card, list_corpora
from model.decoding import Settings
from model.text.control_file import SYNTHETIC_CORPORA
from model.trace import MapDescription, select_displayable_maps
from pages.ui.backend import cards, shipped_traces
from pages.ui.backend.cards import get_title
from pages.ui.components import glossary
from pages.ui.escape import escape_html, escape_markdown
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.url_state import param_widgets, params, state
from pages.ui.url_state.param_types import Choice, Param
from pages.ui.widgets import map_names

MAX_BUTTONS = 6  # models or maps up to which each has a button
MAX_PAIRED_BUTTONS = 4  # the same where two choices of a model stand in one line
_LANGUAGE_KEY = "box-language"  # where the session keeps which language the box was in


def draw_sentence_box(t: Messages) -> str:
    """The box, its button and the examples; returns the sentence in it, which the link carries too."""
    language = params.get_source_language()
    examples = shipped_traces.list_sentences(language)
    state.restore_param(params.SENTENCE)
    before, st.session_state[_LANGUAGE_KEY] = st.session_state.get(_LANGUAGE_KEY, language), language
    if before != language and st.session_state[params.SENTENCE.name] in shipped_traces.list_foreign_sentences(language):
        state.reset_params(params.SENTENCE)  # else it is what the reader typed
    with st.container(key="box", height=84, border=False), st.form("ask", border=False):
        st.text_area(
            t("box.label", language=t.tongue(language)),
            key=params.SENTENCE.name,
            persist_state="session",
            placeholder=t("box.placeholder", language=t.tongue(language)),
            height="content",
            label_visibility="collapsed",
        )
        st.form_submit_button(t("box.submit"), key="submit")
    with frame.create_widget_row("examples", 32):
        for number, text in enumerate(examples):
            st.button(escape_markdown(text), key=f"example-{number}", on_click=set_sentence, args=(text,))
    sentence = str(st.session_state[params.SENTENCE.name] or "")
    state.store_param(params.SENTENCE, sentence)
    return sentence


def set_sentence(sentence: str) -> None:
    """Put a sentence into the box; for callbacks."""
    st.session_state[params.SENTENCE.name] = sentence


def draw_search_control(t: Messages) -> Settings:
    """How to search: greedily or with a beam."""
    return params.SEARCHES[param_widgets.draw_option_buttons(params.SEARCH, t, width=params.SEARCHES["beam"].beam)]


def draw_live_control(t: Messages) -> None:
    """Whether the translation follows the typing, which happens in the browser (assets/player/shared/box.js)."""
    param_widgets.draw_option_buttons(params.LIVE, t)


def draw_model_control(row: Param[str], t: Messages, buttons: int = MAX_BUTTONS) -> str:
    """A choice among the models: in a row of buttons, more than so many of them in a list that opens; where there are
    none, the default's name, which the service then speaks of."""
    if len(cards.list_models()) > buttons:
        return param_widgets.draw_selectbox(row, t(f"option.{row.name}"), get_title, hidden=False)
    return (
        param_widgets.draw_option_buttons(row, t, text=lambda name: escape_markdown(get_title(name)))
        if cards.list_models()
        else row.kind.default()
    )


def has_several_maps(model: str) -> bool:
    """Whether `model` makes several maps, of which pages offer a choice."""
    card = cards.find_card(model)
    return card is not None and len(card.maps) > 1


def draw_map_control(model: str, t: Messages) -> str:
    """A choice among the maps that picture where `model` looks, drawn where there are several; the key of the one that
    is chosen, "" for no choice."""
    card = cards.find_card(model)
    found = {one.key: one for one in select_displayable_maps(card.maps)} if card else {}
    if len(found) < 2:
        _reset_unused(params.MAP)
        return ""
    own = replace(params.MAP, kind=Choice(lambda: tuple(found)))
    return draw_map_choice(own, found, t)


def draw_map_choice(row: Param[str], among: Mapping[str, MapDescription], t: Messages) -> str:
    """A choice among maps by their keys: in a row of buttons, many of them in a list that opens."""

    every = tuple(among.values())

    def name(key: str) -> str:
        return map_names.name_map(among[key], every, t, short=len(among) > MAX_BUTTONS)

    if len(among) > MAX_BUTTONS:
        return param_widgets.draw_selectbox(row, t("option.map"), name, hidden=False)
    return param_widgets.draw_buttons(row, t("option.map"), lambda key: escape_markdown(name(key)), t)


def draw_all_maps_control(model: str, t: Messages) -> bool:
    """Whether all maps of `model` are to be shown side by side, which is asked where it makes several."""
    many = has_several_maps(model)
    every = many and param_widgets.draw_option_buttons(params.ALL_MAPS, t) == "on"
    if not many:
        _reset_unused(params.ALL_MAPS)
    if not every:
        _reset_unused(params.ENLARGED_MAP)
    return every


def _reset_unused(row: Param[str]) -> None:
    """Take a row that says nothing here back to its default."""
    state.get_param(row)
    state.reset_params(row)


def draw_about(t: Messages) -> DeltaGenerator:
    """The shipped models: what each is, then how large, how far trained, and which weights. Returns the place above
    that, for the choice of those a page shows."""
    listed = cards.list_models()
    if not listed:
        return st.container(key="chosen-models", width="content")
    with st.popover(t("about.label"), key="about", type="tertiary"):
        chosen = st.container(key="chosen-models")
        st.html("".join(_render_card(card, t) for card in listed) + _render_corpora(listed, t))
    return chosen


def _render_card(card: Card, t: Messages) -> str:
    """What a model is, and its numbers below, as HTML."""
    facts = t.marked(
        "about.card",
        parameters=f"{card.parameters:,}",
        pieces=f"{card.target_tokens:,}",
        hours=format_decimal(card.hours, 1),
        weights=card.fingerprint,
    )
    what = escape_html(glossary.describe_model(card, t))
    return f"<p><b>{escape_html(card.title)}</b> {what}<br><small>{facts}</small></p>"


def _render_corpora(listed: Sequence[Card], t: Messages) -> str:
    """What text models learnt from, as far as their cards say, as HTML: a paragraph for all that had the same."""
    alike: dict[str, list[str]] = {}
    for card in listed:
        names = dict.fromkeys(_name_corpus(name, t) for name in list_corpora(card.training))
        if names:
            alike.setdefault(", ".join(names), []).append(card.title)

    def told(titles: list[str], text: str) -> str:
        if len(titles) == len(listed) > 1:
            return t("about.text_of_all", corpora=text)
        return t("about.text", models=", ".join(titles), corpora=text)

    return "".join(f"<p><small>{escape_html(told(titles, text))}</small></p>" for text, titles in alike.items())


def _name_corpus(name: str, t: Messages) -> str:
    """What a corpus is, by what its name begins with ("tatoeba-bare"); its name where nobody here knows."""
    kind = "made" if name in SYNTHETIC_CORPORA else name.partition("-")[0]
    return t(f"corpus.{kind}") if f"corpus.{kind}" in t else name
