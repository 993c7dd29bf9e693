"""The controls that pages have in common: the box with its examples, the choice of a model, what the models are.

Each keeps its value while the reader moves between pages, and is carried by the link (pages/ui/url_state/links.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoints.checkpoint import Card, list_corpora
from model.decoding import Settings
from model.text.control_file import SYNTHETIC_CORPORA
from model.trace import MapDescription, select_displayable_maps
from pages.ui.backend import cards, opening
from pages.ui.backend.cards import title_of
from pages.ui.components import glossary
from pages.ui.escape import markdown, markup
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import decimal
from pages.ui.url_state import links, picks, state
from pages.ui.url_state.rows import OneOf, Row
from pages.ui.widgets import maps

BUTTONS = 6  # models or maps up to which each has a button
PAIRED = 4  # the same where two choices of a model stand in one line
_LANGUAGE = "box-language"  # where the session keeps which language the box was in


def box(t: Messages) -> str:
    """The box, its button and the examples; returns the sentence in it, which the link carries too."""
    language = links.source_language()
    examples = opening.sentences(language)
    state.bring(links.SENTENCE)
    before, st.session_state[_LANGUAGE] = st.session_state.get(_LANGUAGE, language), language
    if before != language and st.session_state[links.SENTENCE.name] in opening.elsewhere(language):
        state.forget(links.SENTENCE)  # else it is what the reader typed
    with st.container(key="box", height=84, border=False), st.form("ask", border=False):
        st.text_area(
            t("box.label", language=t.tongue(language)),
            key=links.SENTENCE.name,
            persist_state="session",
            placeholder=t("box.placeholder", language=t.tongue(language)),
            height="content",
            label_visibility="collapsed",
        )
        st.form_submit_button(t("box.submit"), key="submit")
    with frame.line("examples", 32):
        for number, text in enumerate(examples):
            st.button(markdown(text), key=f"example-{number}", on_click=choose, args=(text,))
    sentence = str(st.session_state[links.SENTENCE.name] or "")
    state.keep(links.SENTENCE, sentence)
    return sentence


def choose(sentence: str) -> None:
    """Put a sentence into the box; for callbacks."""
    st.session_state[links.SENTENCE.name] = sentence


def search(t: Messages) -> Settings:
    """How to search: greedily or with a beam."""
    return links.SEARCHES[picks.choice(links.SEARCH, t, width=links.SEARCHES["beam"].beam)]


def live(t: Messages) -> None:
    """Whether the translation follows the typing, which happens in the browser (assets/player/shared/box.js)."""
    picks.choice(links.LIVE, t)


def model(row: Row[str], t: Messages, buttons: int = BUTTONS) -> str:
    """A choice among the models: in a row of buttons, more than so many of them in a list that opens; where there are
    none, the default's name, which the service then speaks of."""
    if len(cards.models()) > buttons:
        return picks.listed(row, t(f"option.{row.name}"), title_of, hidden=False)
    return picks.choice(row, t, text=lambda name: markdown(title_of(name))) if cards.models() else row.kind.default()


def many_maps(model: str) -> bool:
    """Whether `model` makes several maps, of which pages offer a choice."""
    card = cards.find(model)
    return card is not None and len(card.maps) > 1


def map_shown(model: str, t: Messages) -> str:
    """A choice among the maps that picture where `model` looks, drawn where there are several; the key of the one that
    is chosen, "" for no choice."""
    card = cards.find(model)
    found = {one.key: one for one in select_displayable_maps(card.maps)} if card else {}
    if len(found) < 2:
        _needless(links.MAP)
        return ""
    own = replace(links.MAP, kind=OneOf(lambda: tuple(found)))
    return one_map(own, found, t)


def one_map(row: Row[str], among: Mapping[str, MapDescription], t: Messages) -> str:
    """A choice among maps by their keys: in a row of buttons, many of them in a list that opens."""

    every = tuple(among.values())

    def name(key: str) -> str:
        return maps.called(among[key], every, t, short=len(among) > BUTTONS)

    if len(among) > BUTTONS:
        return picks.listed(row, t("option.map"), name, hidden=False)
    return picks.one(row, t("option.map"), lambda key: markdown(name(key)), t)


def all_maps(model: str, t: Messages) -> bool:
    """Whether all maps of `model` are to be shown side by side, which is asked where it makes several."""
    many = many_maps(model)
    every = many and picks.choice(links.HEADS, t) == "on"
    if not many:
        _needless(links.HEADS)
    if not every:
        _needless(links.HEAD)
    return every


def _needless(row: Row[str]) -> None:
    """Take a row that says nothing here back to its default."""
    state.carried(row)
    state.forget(row)


def about(t: Messages) -> DeltaGenerator:
    """The shipped models: what each is, then how large, how far trained, and which weights. Returns the place above
    that, for the choice of those a page shows."""
    listed = cards.models()
    if not listed:
        return st.container(key="chosen-models", width="content")
    with st.popover(t("about.label"), key="about", type="tertiary"):
        chosen = st.container(key="chosen-models")
        st.html("".join(_card(card, t) for card in listed) + _learnt_from(listed, t))
    return chosen


def _card(card: Card, t: Messages) -> str:
    """What a model is, and its numbers below, as HTML."""
    facts = t.marked(
        "about.card",
        parameters=f"{card.parameters:,}",
        pieces=f"{card.target_tokens:,}",
        hours=decimal(card.hours, 1),
        weights=card.fingerprint,
    )
    return f"<p><b>{markup(card.title)}</b> {markup(glossary.model(card, t))}<br><small>{facts}</small></p>"


def _learnt_from(listed: Sequence[Card], t: Messages) -> str:
    """What text models learnt from, as far as their cards say, as HTML: a paragraph for all that had the same."""
    alike: dict[str, list[str]] = {}
    for card in listed:
        names = dict.fromkeys(_corpus(name, t) for name in list_corpora(card.training))
        if names:
            alike.setdefault(", ".join(names), []).append(card.title)

    def told(titles: list[str], text: str) -> str:
        if len(titles) == len(listed) > 1:
            return t("about.text_of_all", corpora=text)
        return t("about.text", models=", ".join(titles), corpora=text)

    return "".join(f"<p><small>{markup(told(titles, text))}</small></p>" for text, titles in alike.items())


def _corpus(name: str, t: Messages) -> str:
    """What a corpus is, by what its name begins with ("tatoeba-bare"); its name where nobody here knows."""
    kind = "made" if name in SYNTHETIC_CORPORA else name.partition("-")[0]
    return t(f"corpus.{kind}") if f"corpus.{kind}" in t else name
