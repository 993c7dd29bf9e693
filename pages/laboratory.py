"""The laboratory: one sentence, one model, and experiments with what the model does."""

import streamlit as st

from pages import guard, pages
from pages.view.laboratory import experiments
from pages.view.laboratory.bench import Bench, open_experiment
from pages.view.service import service
from pages.view.service.requests import Typed
from pages.view.shell import controls, doubts, frame, links, picks
from pages.view.shell.state import carried, messages


def main() -> None:
    say = messages()
    frame.styles("laboratory")
    typed = controls.box(say)
    with frame.line("options", 36, "medium"):
        name = controls.model(links.MODEL, say)
        key = controls.map_shown(name, say)
        search = controls.search(say)
        controls.live(say)
        controls.about(say)
        leaving = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    with frame.line("experiments", 36):
        part = picks.one(links.PART, say("part.label"), lambda one: say(f"part.{one}"), say)
    with st.container(key="lead"):
        st.html(f"<p>{say.marked(f'lead.{part}')}</p>")
    status = doubts.line(typed, say, pages=pages)
    bench = Bench(Typed.of(typed), name, key, search, carried(links.EDITS), say, status, leaving)
    open_experiment(experiments.of(part), bench)
    service.shared().warm(name)


guard()
main()
