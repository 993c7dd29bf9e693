"""Translate: a sentence, where RNNsearch looked at each step, and what the model without attention made of it."""

import streamlit as st

from model.checkpoint import available
from model.trace import Trace
from pages import guard
from pages.view import figures, frame, heatmap, opening, service
from pages.view.answers import LIMIT, answer, before
from pages.view.escape import markdown, markup
from pages.view.state import SEARCHES, choice, link, words
from pages.view.words import Words


def main() -> None:
    say = words()
    sentence = box(say)
    with frame.line("options", 36, "medium"):
        search = choice("search", tuple(SEARCHES), say, width=SEARCHES["beam"].beam)
        unit = choice("unit", figures.UNITS, say)
        scale = choice("scale", figures.SCALES, say)
        about(say)
        exports = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    with st.container(key="status", height=30, border=False):
        status = st.empty()
    waiting = before(sentence, SEARCHES[search])
    pair = waiting or answer(sentence, SEARCHES[search], say, status)
    if pair is not None:
        heatmap.show(pair.attended, pair.plain, unit, scale, say, focus="sentence")
        with exports:
            downloads(pair.attended, unit, scale, say)
    if waiting:
        st.rerun()
    service.shared().warm(service.ATTENDED, service.PLAIN)


def box(say: Words) -> str:
    """The box, its button and the examples; returns the sentence in it, which the link carries too."""
    examples = opening.examples()
    default = examples[0].sentence if examples else ""
    st.session_state.setdefault("sentence", st.query_params.get("sentence", default))
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
    sentence = str(st.session_state["sentence"] or "")
    link("sentence", sentence if len(sentence) <= LIMIT else default, default)
    return sentence


def choose(sentence: str) -> None:
    """Put an example into the box."""
    st.session_state["sentence"] = sentence


def about(say: Words) -> None:
    """The shipped models: how large, how far trained, and which weights."""
    cards = available()
    if not cards:
        return
    with st.popover(say("about.label"), key="about", type="tertiary"):
        for card in cards:
            facts = say(
                "about.card",
                name=heatmap.shown_name(card.name),
                parameters=f"{card.parameters:,}",
                pieces=f"{card.target_pieces:,}",
                weights=card.fingerprint,
            )
            st.html(f"<p>{markup(facts)}</p>")


def downloads(trace: Trace, unit: figures.Unit, scale: figures.Scale, say: Words) -> None:
    """The picture, its numbers and its record, each made when its button is pressed."""
    name = say("download.name")

    def drawing() -> str:
        model = heatmap.shown_name(trace.made_by.model)
        title = say("download.title", model=model, target=trace.target.text, source=trace.source.text)
        return figures.to_svg(figures.grid(trace, unit), scale, title, say("picture.end"))

    def numbers() -> str:
        return figures.to_csv(figures.grid(trace, unit))

    for kind, mime, data in (
        ("svg", "image/svg+xml", drawing),
        ("csv", "text/csv", numbers),
        ("json", "application/json", trace.to_json),
    ):
        st.download_button(
            say(f"download.{kind}"),
            data,
            file_name=f"{name}.{kind}",
            mime=mime,
            key=kind,
            type="tertiary",
            on_click="ignore",
            help=say(f"download.{kind}_help"),
        )


guard()
main()
