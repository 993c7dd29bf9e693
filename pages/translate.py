"""Translate: a sentence, where RNNsearch looked at each step, and what the model without attention made of it."""

import logging
from concurrent.futures import Future, wait
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import CheckpointError, available
from model.search import Settings
from model.search.translate import SentenceError
from model.text.normalise import normalise
from model.trace import Trace
from pages import guard
from pages.view import figures, heatmap, opening, service
from pages.view.escape import markdown, markup
from pages.view.state import SEARCHES, choice, link, words
from pages.view.words import Words

LIMIT = 2000  # characters
PATIENCE = 1.0  # seconds before a wait is spoken of
TICK = 0.25  # seconds between looks at the queue

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pair:
    """Both models' translations of one sentence; the second may be missing."""

    attended: Trace
    plain: Trace | None


def main() -> None:
    say = words()
    sentence = box(say)
    with st.container(key="options", horizontal=True, vertical_alignment="center", gap="medium"):
        search = choice("search", tuple(SEARCHES), say, width=SEARCHES["beam"].beam)
        unit = choice("unit", figures.UNITS, say)
        scale = choice("scale", figures.SCALES, say)
        about(say)
        exports = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    with st.container(key="status"):
        status = st.empty()
    pair = answer(sentence, SEARCHES[search], say, status)
    if pair is not None:
        heatmap.show(pair.attended, pair.plain, unit, scale, say, focus="sentence")
        with exports:
            downloads(pair.attended, unit, scale, say)
    service.shared().warm(service.ATTENDED, service.PLAIN)


def box(say: Words) -> str:
    """The box, its button and the examples; returns the sentence in it, which the link carries too."""
    examples = opening.examples()
    default = examples[0].sentence if examples else ""
    st.session_state.setdefault("sentence", st.query_params.get("sentence", default))
    with st.container(key="box"), st.form("ask", border=False):
        st.text_input(
            say("box.label"),
            key="sentence",
            persist_state="session",
            placeholder=say("box.placeholder"),
            autocomplete="off",
            label_visibility="collapsed",
        )
        st.form_submit_button(say("box.submit"), key="submit")
    with st.container(key="examples", horizontal=True, gap="xsmall"):
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
                parameters=f"{card.parameters / 1e6:.1f}",
                pieces=f"{card.training.get('target_pieces', 0) / 1e6:.1f}",
                weights=card.fingerprint,
            )
            st.html(f"<p>{markup(facts)}</p>")


def answer(sentence: str, settings: Settings, say: Words, status: DeltaGenerator) -> Pair | None:
    """The translations to show: those of `sentence` or, where it has none, the ones shown before, and a sentence in
    the status line that says why."""
    pair = None
    if not normalise(sentence):
        problem = say("problem.empty")
    elif len(sentence) > LIMIT:
        problem = say("problem.characters", count=f"{len(sentence):,}", limit=f"{LIMIT:,}")
    else:
        pair, problem = translations(sentence, settings, say, status)
    if problem:
        status.html(f'<p role="alert">{markup(problem)}</p>')
    if pair is not None:
        st.session_state["pair"] = pair
        return pair
    return st.session_state.get("pair") or first()


def first() -> Pair | None:
    """The shipped pair that the page opens on."""
    for example in opening.examples():
        if service.ATTENDED in example.traces:
            return Pair(example.traces[service.ATTENDED], example.traces.get(service.PLAIN))
    return None


def translations(sentence: str, settings: Settings, say: Words, status: DeltaGenerator) -> tuple[Pair | None, str]:
    """The pair for `sentence`, shipped or made now, and what went wrong, if anything did ("" otherwise)."""
    shipped = opening.find(sentence, service.ATTENDED, settings)
    if shipped is not None:
        return Pair(shipped, opening.find(sentence, service.PLAIN, settings)), ""
    models = service.shared()
    attended = models.request(service.ATTENDED, sentence, settings)
    plain = models.request(service.PLAIN, sentence, settings)
    attend(models, [attended, plain], say, status)
    made, problem = outcome(attended, service.ATTENDED, say)
    beside, second = outcome(plain, service.PLAIN, say)
    return (Pair(made, beside) if made is not None else None), problem or second


def attend(models: service.Service, futures: list[Future[Trace]], say: Words, status: DeltaGenerator) -> None:
    """Wait for the translations; after a second the status line says what is being waited for. Gives up their places
    in the queue when the reader asks for something else meanwhile, which ends this run at its next message."""
    try:
        waiting = wait(futures, PATIENCE).not_done
        while waiting:
            if not models.ready(service.ATTENDED, service.PLAIN):
                notice = say("status.loading")
            elif not any(future.running() for future in futures):
                notice = say("status.queue")
            else:
                notice = say("status.working")
            status.html(f'<p role="status">{markup(notice)}</p>')
            waiting = wait(futures, TICK).not_done
        status.empty()
    finally:
        for future in futures:
            future.cancel()


def outcome(future: Future[Trace], name: str, say: Words) -> tuple[Trace | None, str]:
    """The Trace, or None and one sentence that says why there is none."""
    error = future.exception()
    if error is None:
        return future.result(), ""
    if isinstance(error, CheckpointError):
        return None, say("problem.model", name=name, reason=error)
    if isinstance(error, SentenceError):
        return None, say(f"problem.{error.kind}", count=f"{error.got:,}", limit=f"{error.limit:,}")
    log.error("translating with %s", name, exc_info=error)
    return None, say("problem.inside")


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
