"""Force a word, or a translation: the surprise of every word, what could stand in its place, and how the model goes on
from there; a reference and a reader's own translation beside the model's."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from model.analysis.ablation.divergence import Divergence, find_divergence
from model.analysis.ablation.word_changes import align_traces
from model.decoding import Overrides, StopCallback
from model.text.normalise import Normalised, normalise
from model.trace import END_PIECE, WORD_START, Trace
from pages.ui.backend.cards import title_of
from pages.ui.charts import print_texts
from pages.ui.charts.print_texts import PrintedRow, PrintedWord
from pages.ui.charts.printing import Drawing
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal, get_trailing_text, typeset, typeset_text
from pages.ui.laboratory import experiment_state, exports
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.labels import DIGITS
from pages.ui.laboratory.words_types import ForcedChoice, ForcedRow, ForcedWord, WordsData
from pages.ui.url_state import links, picks
from pages.ui.widgets import printed, saving
from pages.ui.widgets.provenance import provenance
from pages.ui.widgets.requests import Request, answer, before, seen_by

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

KEY = "words"
MAX_CHARACTERS = 200  # characters of a typed word
FULL_BAR_NATS = 8  # nats that fill the bar of a word
_TYPED_KEY = "words-typed"  # where the session keeps a typed word until it is cut into pieces

_mount = Component("words", WordsData)


def render_forced_decoding(bench: ExperimentContext) -> None:
    """Draw the rows: the model's own, what the reader forced, a reference, the reader's own translation."""
    t = bench.t
    typed = st.session_state.pop(_TYPED_KEY, None)
    if typed is not None:
        pieces = bench.measure(("pieces", typed[1]), partial(_tokenize, typed[1]))
        if pieces:
            st.session_state[links.OVERRIDES.name] = replace(bench.overrides, prefix=(*typed[0], *pieces))
            rerun_page()
    with st.container(key="given"):
        left, right = st.columns(2)
    with left:
        reference = picks.draw_text_input(links.REFERENCE, bench.sentence.text, t("force.reference"))
    with right:
        own = picks.draw_text_input(links.OWN_TRANSLATION, bench.sentence.text, t("force.own"))
    given = [(t("force.row_reference"), reference), (t("force.row_own"), own)]
    requests = [Request(bench.model_name, bench.settings)]
    if bench.overrides:
        requests.append(Request(bench.model_name, bench.settings, bench.overrides))
    waiting = before(bench.sentence, requests)
    shown = waiting or answer(bench.sentence, requests, t, bench.status)
    if shown is not None and not waiting:
        traces = [one[0] for one in seen_by(shown, bench.map_key) if one]
        read = [(title, measure_divergence(bench.with_model_of(traces[0]), traces[0], text)) for title, text in given if normalise(text)]
        rows = [build_row(traces[0], traces[0], t("force.row_model"), t)]
        rows += [build_row(traces[0], one, get_row_title(bench.overrides, t), t) for one in traces[1:]]
        rows += [build_row(traces[0], one.forced_trace, title, t, one) for title, one in read if one is not None]
        forced = bool(bench.overrides.prefix) and len(traces) > 1  # what does not fit is given up
        data = build_forced_payload(traces, rows, forced, t)
        _mount(key=KEY, data=data, on_take_change=_on_take, on_type_change=_on_type)
        with bench.export_container:
            render_exports(data, traces[-1], t)
            exports.render_save_button(traces[-1], t)
            exports.render_open_button(t)
    problem = exports.pop_problem(t)
    if problem:
        bench.show_problem(problem)
    if waiting:
        rerun_page()


def render_exports(data: WordsData, of: Trace, t: Messages) -> None:
    """The buttons that save: the rows as a picture for a slide, as a page of their own, as a table."""
    printed.files(draw_rows(data, of, t), t, partial(rows_to_csv, data), key="words")
    exports.render_html_button("words", KEY, data, of, t)


def draw_rows(data: WordsData, of: Trace, t: Messages) -> Drawing:
    """The rows, each word over its surprise, the words that differ from the model's own marked."""
    rows = [PrintedRow(one["title"], t("force.log", value=one["log"]),
                [PrintedWord(word["gap"], word["text"], word["other"], word["surprise"] / FULL_BAR_NATS) for word in one["words"]])
            for one in data["rows"]]  # fmt: skip
    return print_texts.build_text_drawing(saving.named(of, "words"), rows, t("force.picture", source=of.source.text))


def rows_to_csv(data: WordsData) -> str:
    """A line a word."""
    heads = ("translation", "word", "surprise in nats", "differs from the model's own")
    return build_csv(heads, ((one["title"], word["text"], word["surprise"], int(word["other"]))
                             for one in data["rows"] for word in one["words"]))


def get_row_title(edits: Overrides, t: Messages) -> str:
    """What the row of a changed translation is called."""
    return t("force.row_changed") if edits.prefix else t("force.row_attention")


def _tokenize(text: str, model: Model, stopped: StopCallback) -> tuple[int, ...]:
    return tuple(model.vocabulary.encode(normalise(text))[:-1])


def measure_divergence(bench: ExperimentContext, own: Trace, text: str) -> Divergence | None:
    """The given translation as the model reads it."""
    target = normalise(text)
    return bench.measure(("parting", own.source.text, target), partial(_part, Normalised(own.source.text), target))


def _part(source: Normalised, target: Normalised, model: Model, stopped: StopCallback) -> Divergence:
    return find_divergence(model, source, target, stopped)


def _on_take() -> None:
    """The reader takes another piece, or gives back what was forced."""
    found = experiment_state.read_change(KEY, "take", "words")
    prefix = experiment_state.parse_prefix(found)
    now = st.session_state.get(links.OVERRIDES.name)
    if prefix is not None:
        st.session_state[links.OVERRIDES.name] = replace(now if isinstance(now, Overrides) else Overrides(), prefix=prefix)


def _on_type() -> None:
    """The reader typed a word in the place of another: it is cut into pieces when the page is drawn."""
    found = experiment_state.read_change(KEY, "type", "words")
    if found and isinstance(found.get("text"), str):
        prefix, text = experiment_state.parse_prefix(found), found["text"][:MAX_CHARACTERS]
        if prefix is not None and normalise(text):
            st.session_state[_TYPED_KEY] = (prefix, text)


def build_forced_payload(traces: list[Trace], rows: list[ForcedRow], forced: bool, t: Messages) -> WordsData:
    """What the component draws."""
    own = traces[0]
    return {
        "of": experiment_state.make_question_id(own.source.text, own.made_by.model),
        "name": title_of(own.made_by.model),
        "languages": (own.source_language, own.target_language),
        "rows": rows,
        "forced": forced,
        "full": FULL_BAR_NATS,
        "made": provenance(traces, t),
        "words": t.table("force"),
        "language": t.language,
    }


def build_row(own: Trace, trace: Trace, title: str, t: Messages, read: Divergence | None = None) -> ForcedRow:
    """One translation, beside the model's `own`; `read`: a given one as the model reads it."""
    other = {pair.after for pair in align_traces(own, trace) if pair.is_changed}
    after = [(f"{get_trailing_text(trace.target)} ", t("force.end"))] if trace.finished else []
    words = [*typeset(trace.target, trace.target_language), *after]
    return {
        "title": title,
        "log": format_decimal(trace.log_probability, 1),
        "words": [_build_word(trace, place if place < len(trace.target.words) else -1, gap, text, other, t)
                  for place, (gap, text) in enumerate(words)],
        "parts": "" if read is None else _describe_divergence(read, t),
    }  # fmt: skip


def _build_word(trace: Trace, word: int, gap: str, text: str, other: set[int | None], t: Messages) -> ForcedWord:
    steps = [place for place, of in enumerate(trace.target.word_of) if of == word]
    choices: list[ForcedChoice] = [
        {"id": one.id, "text": one.piece.removeprefix(WORD_START) or "␣", "joined": one.continues_word,
         "p": round(math.exp(min(0.0, one.log_probability)), DIGITS)}
        for one in trace.steps[steps[0]].candidates if one.piece != END_PIECE
    ]  # fmt: skip
    return {
        "gap": gap,
        "text": text,
        "surprise": round(-sum(trace.steps[place].log_probability for place in steps), DIGITS),
        "other": word in other,
        "before": [step.id for step in trace.steps[: steps[0]]],
        "choices": choices,
    }


def _describe_divergence(read: Divergence, t: Messages) -> str:
    """Where the model would have gone another way, and where to."""
    if read.step is None or read.continuation is None:
        return t("force.never")
    given, instead = read.forced_trace.target, read.continuation.target
    word = given.word_of[read.step]
    shown = typeset_text(instead, read.continuation.target_language)
    return t("force.parts", word=t("force.end") if word < 0 else given.words[word], instead=shown)
