"""The controls that pages have in common: the box with its examples, the choice of a model, what the models are.

Each keeps its value while the reader moves between pages, and is carried by the link (pages/view/shell/state.py).
"""

from collections.abc import Iterable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import Card, available
from model.search import Settings
from pages.view.service import opening
from pages.view.service.requests import LIMIT
from pages.view.service.service import ATTENDED, PLAIN
from pages.view.shell import frame
from pages.view.shell.escape import markdown, markup
from pages.view.shell.messages import Messages
from pages.view.shell.state import PAGE, SEARCHES, choice, link

_PLACE = "sentence-page"  # where the session keeps which page's box it has last filled
_LAST = "sentence-last"  # and what was in the box when it was last drawn


def box(say: Messages) -> str:
    """The box, its button and the examples; returns the sentence in it, which the link carries too."""
    examples = opening.examples()
    default = examples[0].sentence if examples else ""
    _bring(default)
    with st.container(key="box", height=84, border=False), st.form("ask", border=False):
        st.text_input(
            say("box.label"),
            key="sentence",
            persist_state="session",
            placeholder=say("box.placeholder"),
            autocomplete="off",
            label_visibility="collapsed",
        )
        st.form_submit_button(say("box.submit"), key="submit")
    with frame.line("examples", 32):
        for number, example in enumerate(examples):
            text = example.sentence
            st.button(markdown(text), key=f"example-{number}", on_click=choose, args=(text,))
    sentence = st.session_state[_LAST] = str(st.session_state["sentence"] or "")
    link("sentence", sentence if len(sentence) <= LIMIT else default, default)
    return sentence


def _bring(default: str) -> None:
    """Put into the box of a page just come to what the link says, or what was in the box of the page before: Streamlit
    keeps the text of a box for each page by itself."""
    here = st.session_state.get(PAGE)
    if "sentence" in st.session_state and st.session_state.get(_PLACE) == here:
        return
    st.session_state[_PLACE] = here
    st.session_state["sentence"] = st.query_params.get("sentence", st.session_state.get(_LAST, default))


def choose(sentence: str) -> None:
    """Put a sentence into the box; for callbacks."""
    st.session_state["sentence"] = st.session_state[_LAST] = sentence


def search(say: Messages) -> Settings:
    """How to search: greedily or with a beam."""
    return SEARCHES[choice("search", tuple(SEARCHES), say, width=SEARCHES["beam"].beam)]


def model(place: str, default: str, say: Messages) -> str:
    """A choice among the shipped models, under the name `place` (option.PLACE is its label). Without the default
    among them, the first one there is; `default` where there are none, which the service then speaks of."""
    names = tuple(card.name for card in models())
    return choice(place, names, say, text=shown_name, default=default) if names else default


def models() -> list[Card]:
    """The cards of the shipped models in the order they are offered: with attention first, longer sentences first."""
    return sorted(
        available(),
        key=lambda card: (
            card.network.get("kind") != "rnnsearch",
            -int(card.training.get("longest_words", 0)),
            card.name,
        ),
    )


def familiar(names: Iterable[str]) -> list[str]:
    """Names of models, first the two that the app opens with, then the others in their order."""
    return sorted(names, key=lambda name: (name != ATTENDED, name != PLAIN))


def about(say: Messages) -> DeltaGenerator:
    """The shipped models: how large, how far trained, and which weights. Returns the place above that, for the
    choice of those a page shows."""
    cards = models()
    if not cards:
        return st.container(key="chosen-models", width="content")
    with st.popover(say("about.label"), key="about", type="tertiary"):
        chosen = st.container(key="chosen-models")
        for card in cards:
            facts = say(
                "about.card",
                name=shown_name(card.name),
                parameters=f"{card.parameters:,}",
                pieces=f"{card.target_pieces:,}",
                weights=card.fingerprint,
            )
            st.html(f"<p>{markup(facts)}</p>")
    return chosen


def shown_name(name: str) -> str:
    """A model's name as papers write it: "rnnsearch-50" is RNNsearch-50."""
    return f"RNN{name[3:]}" if name.startswith("rnn") else name
