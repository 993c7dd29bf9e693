"""Translate: a sentence, where RNNsearch looked at each step, and what the model without attention made of it."""

import streamlit as st

from model.trace import Trace
from pages import guard
from pages.view import controls, figures, frame, heatmap, service
from pages.view.answers import Wish, answer, before
from pages.view.state import choice, words
from pages.view.words import Words


def main() -> None:
    say = words()
    sentence = controls.box(say)
    with frame.line("options", 36, "medium"):
        search = controls.search(say)
        unit = choice("unit", figures.UNITS, say)
        scale = choice("scale", figures.SCALES, say)
        controls.about(say)
        exports = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    with st.container(key="status", height=30, border=False):
        status = st.empty()
    wishes = (Wish(service.ATTENDED, search), Wish(service.PLAIN, search))
    waiting = before(sentence, wishes)
    shown = waiting or answer(sentence, wishes, say, status)
    if shown is not None:
        attended, plain = (traces[0] if traces else None for traces in shown)
        assert attended is not None  # the first wish's answer is never empty
        heatmap.show(attended, plain, unit, scale, say, focus="sentence")
        with exports:
            downloads(attended, unit, scale, say)
    if waiting:
        st.rerun()
    service.shared().warm(service.ATTENDED, service.PLAIN)


def downloads(trace: Trace, unit: figures.Unit, scale: figures.Scale, say: Words) -> None:
    """The picture, its numbers and its record, each made when its button is pressed."""
    name = say("download.name")

    def drawing() -> str:
        model = controls.shown_name(trace.made_by.model)
        title = say("download.title", model=model, target=trace.target.text, source=trace.source.text)
        return figures.to_svg(figures.grid(trace, unit), scale, title, say("heatmap.end"))

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
