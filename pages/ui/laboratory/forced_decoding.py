"""Forced decoding: the surprise of every word, what could replace it, and how the model continues from there.

A reference and the reader's own translation stand beside the model's.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from model.analysis.ablation.divergence import Divergence, find_divergence
from model.analysis.ablation.word_changes import align_traces
from model.checkpoints.checkpoint import Model
from model.decoding import Overrides
from model.networks.unknown_words import find_copied_words
from model.text.normalise import NormalisedText, normalise
from model.trace import END_PIECE, Trace, continues_word
from pages.ui.charts import print_texts
from pages.ui.charts.payload_parts import round_probability
from pages.ui.charts.print_texts import PrintedRow, PrintedWord
from pages.ui.charts.printing import Drawing
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal, format_piece, get_trailing_text, typeset, typeset_text
from pages.ui.laboratory import experiment_state, exports
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.labels import DIGITS
from pages.ui.laboratory.payload_types import ForcedChoice, ForcedDecodingData, ForcedRow, ForcedWord
from pages.ui.url_state import param_widgets, params
from pages.ui.widgets import downloads, print_figures
from pages.ui.widgets.fetch import Request
from pages.ui.widgets.provenance import describe_provenance

KEY = "forced_decoding"
MAX_CHARACTERS = 200  # of a typed word
FULL_BAR_NATS = 8  # surprise that fills a word's bar
_TYPED_KEY = "forced_decoding-typed"  # a typed word and the prefix before it, until the model's vocabulary splits it

_mount = Component("forced_decoding", ForcedDecodingData)


def render_forced_decoding(context: ExperimentContext) -> None:
    """Draw the translations: the model's, the one with overrides, a reference, the reader's own."""
    t = context.t
    _force_typed_word(context)
    with st.container(key="input-row"):
        left, right = st.columns(2)
    with left:
        label = t("forced_decoding.reference")
        reference = param_widgets.draw_text_input(params.REFERENCE, context.sentence.text, label)
    with right:
        label = t("forced_decoding.own")
        own_translation = param_widgets.draw_text_input(params.OWN_TRANSLATION, context.sentence.text, label)
    requests = [Request(context.model_name, context.settings)]
    if context.overrides:
        requests.append(Request(context.model_name, context.settings, context.overrides))
    answers = context.translate(*requests)
    if answers is None:
        return
    traces = [answer[0] for answer in answers if answer]
    original = traces[0]
    rows = [build_row(original, original, t("forced_decoding.row_model"), t)]
    rows += [build_row(original, trace, get_row_title(context.overrides, t), t) for trace in traces[1:]]
    for key, text in (("row_reference", reference), ("row_own", own_translation)):
        divergence = measure_divergence(context.with_model_of(original), original, text) if normalise(text) else None
        if divergence is not None:
            rows.append(build_row(original, divergence.forced_trace, t(f"forced_decoding.{key}"), t, divergence))
    is_forced = bool(context.overrides.prefix) and len(traces) > 1  # a prefix that does not fit is dropped
    data = build_forced_payload(traces, rows, is_forced, t)
    _mount(key=KEY, data=data, on_take_change=_on_take, on_type_change=_on_type)
    with context.export_container:
        drawing = draw_rows(data, traces[-1], t)
        print_figures.draw_file_buttons(drawing, t, partial(build_rows_csv, data), key="forced_decoding")
        exports.render_html_button("forced_decoding", KEY, data, traces[-1], t)
        exports.render_save_button(traces[-1], t)
        exports.render_open_button(t)


def _force_typed_word(context: ExperimentContext) -> None:
    """Split a typed word into pieces, add them to the prefix before it, and run the page again."""
    prefix, text = st.session_state.pop(_TYPED_KEY, ((), ""))
    source = context.sentence.text
    pieces = text and context.measure(
        ("pieces", source, text), lambda model, should_stop: encode_typed_word(model, source, text)
    )
    if pieces:
        experiment_state.set_overrides(replace(context.overrides, prefix=(*prefix, *pieces)))
        rerun_page()


def encode_typed_word(model: Model, source: NormalisedText, text: str) -> tuple[int, ...]:
    """Return the token ids of a typed word; of an unknown word that the network can copy, its id in the source."""
    unknown_words = find_copied_words(model.network, model.vocabulary, source)
    return tuple(model.vocabulary.encode(normalise(text), unknown_words)[:-1])


def measure_divergence(context: ExperimentContext, original: Trace, text: str) -> Divergence | None:
    """Force the model to generate `text`, and find where it diverges."""
    source, target = NormalisedText(original.source.text), normalise(text)
    return context.measure(
        ("divergence", source, target), lambda model, should_stop: find_divergence(model, source, target, should_stop)
    )


def draw_rows(data: ForcedDecodingData, trace: Trace, t: Messages) -> Drawing:
    """Draw the translations, each word over its surprise, with words marked that differ from the model's."""
    rows = []
    for row in data["rows"]:
        words = [PrintedWord(word["gap"], word["text"], word["is_different"], word["surprise"] / FULL_BAR_NATS)
                 for word in row["words"]]  # fmt: skip
        rows.append(PrintedRow(row["title"], t("forced_decoding.log", value=row["log_probability"]), words))
    title = t("forced_decoding.picture", source=trace.source.text)
    return print_texts.build_text_drawing(downloads.build_file_name(trace, "forced-decoding"), rows, title)


def build_rows_csv(data: ForcedDecodingData) -> str:
    """Return a row per word of each translation."""
    columns = ("translation", "word", "surprise in nats", "differs from the model's own")
    return build_csv(columns, ((row["title"], word["text"], word["surprise"], int(word["is_different"]))
                               for row in data["rows"] for word in row["words"]))


def get_row_title(overrides: Overrides, t: Messages) -> str:
    return t("forced_decoding.row_changed") if overrides.prefix else t("forced_decoding.row_attention")


def _on_take() -> None:
    experiment_state.take_prefix(KEY, "forced_decoding")


def _on_type() -> None:
    """Store a typed word until the page is drawn."""
    change = experiment_state.read_change(KEY, "type", "forced_decoding")
    if change and isinstance(change.get("text"), str):
        prefix, text = experiment_state.parse_prefix(change), change["text"][:MAX_CHARACTERS]
        if prefix is not None and normalise(text):
            st.session_state[_TYPED_KEY] = (prefix, text)


def build_forced_payload(
    traces: list[Trace], rows: list[ForcedRow], is_forced: bool, t: Messages
) -> ForcedDecodingData:
    """Build the component's data; the first trace is the model's own translation."""
    original = traces[0]
    return {
        "id": experiment_state.make_input_id(original.source.text, original.provenance.model),
        "languages": (original.source_language, original.target_language),
        "rows": rows,
        "has_forced_prefix": is_forced,
        "full_bar": FULL_BAR_NATS,
        "provenance": describe_provenance(traces, t),
        "messages": t.get_table("forced_decoding"),
        "language": t.language,
    }


def build_row(
    original: Trace, trace: Trace, title: str, t: Messages, divergence: Divergence | None = None
) -> ForcedRow:
    """Build one translation's row, compared with the model's `original` one."""
    changed_words = {pair.word_after for pair in align_traces(original, trace) if pair.is_changed}
    words = [(index, gap, text) for index, (gap, text) in enumerate(typeset(trace.target, trace.target_language))]
    if trace.is_finished:
        words.append((-1, f"{get_trailing_text(trace.target)} ", t("forced_decoding.end")))
    return {
        "title": title,
        "log_probability": format_decimal(trace.log_probability, 1),
        "words": [_build_word(trace, index, gap, text, index in changed_words) for index, gap, text in words],
        "divergence_note": "" if divergence is None else _describe_divergence(divergence, t),
    }


def _build_word(trace: Trace, word: int, gap: str, text: str, is_changed: bool) -> ForcedWord:
    steps = [step for step, word_index in enumerate(trace.target.word_of) if word_index == word]
    choices: list[ForcedChoice] = [
        {"id": candidate.id, "text": format_piece(candidate.piece, ""),
         "continues_word": continues_word(candidate.piece),
         "p": round_probability(candidate.log_probability, DIGITS)}
        for candidate in trace.steps[steps[0]].candidates if candidate.piece != END_PIECE
    ]  # fmt: skip
    return {
        "gap": gap,
        "text": text,
        "surprise": round(-sum(trace.steps[step].log_probability for step in steps), DIGITS),
        "is_different": is_changed,
        "prefix_ids": [step.id for step in trace.steps[: steps[0]]],
        "choices": choices,
    }


def _describe_divergence(divergence: Divergence, t: Messages) -> str:
    """Describe where the model would continue differently, and how."""
    if divergence.step is None or divergence.continuation is None:
        return t("forced_decoding.never")
    forced_side, continuation = divergence.forced_trace.target, divergence.continuation
    word = forced_side.word_of[divergence.step]
    return t("forced_decoding.parts", word=t("forced_decoding.end") if word < 0 else forced_side.words[word],
             instead=typeset_text(continuation.target, continuation.target_language))  # fmt: skip
