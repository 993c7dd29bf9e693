"""Attention ablation: how a translation changes under each rule, and what was measured over sets of sentences."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from model.analysis.ablation.ablation import RULES, WORD_KINDS, Ablation, RuleAblation, WordKind, ablate_sentence
from model.analysis.ablation.word_changes import END, align_traces
from model.analysis.evaluation.stored import RECORD_ERRORS, load_records
from model.decoding import OverrideError, Overrides
from model.text.normalise import NormalisedText
from model.trace import END_PIECE, Trace
from pages.ui.backend import jobs, service
from pages.ui.backend.cards import find_card, find_languages, get_languages, get_title
from pages.ui.backend.evaluations import describe_test_set
from pages.ui.charts import print_texts
from pages.ui.charts.print_texts import PrintedRow, PrintedWord
from pages.ui.charts.printing import Drawing
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_html
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal, typeset_with_tail
from pages.ui.laboratory import experiment_state, exports, labels
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.payload_types import AblationData, AblationRow, AblationSet, AblationSetRow
from pages.ui.results.ablation_survey import MAX_SENTENCES, AblationSurvey, get_surveys
from pages.ui.url_state import params, state
from pages.ui.widgets import downloads, print_figures
from pages.ui.widgets.fetch import Request
from pages.ui.widgets.provenance import describe_provenance
from pages.ui.widgets.translations import describe_error

KEY = "ablation"
RECORD_KIND = "ablation"
REFRESH_SECONDS = 2.0  # between updates of a running survey

_mount = Component("ablation", AblationData)
_log = logging.getLogger(__name__)


def render_ablation(context: ExperimentContext) -> None:
    """Draw the ablation of the sentence by every rule, and that of the reader's own text."""
    t = context.t
    answers = context.translate(Request(context.model_name, context.settings))
    if answers is None:
        return
    shown_context = context.with_model_of(answers[0][0])
    text, settings = NormalisedText(answers[0][0].source.text), context.settings
    ablation = shown_context.measure(
        ("ablation", text, settings), lambda model, should_stop: ablate_sentence(model, text, settings, should_stop)
    )
    if ablation is None:
        return
    data = build_ablation_payload(ablation, t)
    _mount(key=KEY, data=data, on_open_change=_on_open)
    _render_own_text(context)
    with context.export_container:
        print_figures.draw_file_buttons(draw_ablation(data, ablation.original, t), t, key="ablation")
        exports.render_html_button("ablation", KEY, data, ablation.original, t)
        name = downloads.build_file_name(ablation.original, "ablation")
        exports.render_csv_button("ablation-csv", t("print.csv"), name, partial(build_ablation_csv, ablation, t),
                                  t("print.csv_help"))  # fmt: skip


def _on_open() -> None:
    """Open the console with the rule that was clicked."""
    rule: Any = experiment_state.read_event(KEY, "open", "ablation")
    if not isinstance(rule, str):
        return
    try:
        overrides = Overrides.from_text(rule)
    except OverrideError:  # not sent by this page
        return
    experiment_state.open_experiment("attention", overrides)


def build_ablation_payload(ablation: Ablation, t: Messages) -> AblationData:
    trace = ablation.original
    return {
        "name": get_title(trace.provenance.model),
        "languages": (trace.source_language, trace.target_language),
        "translation": typeset_with_tail(trace.target, trace.target_language),
        "rows": [_build_row(trace, rule, t) for rule in ablation.rules],
        "set": _load_measured_set(trace.provenance.model, t),
        "provenance": describe_provenance([trace], t),
        "messages": t.get_table("ablation"),
        "language": t.language,
    }


def _build_row(original: Trace, rule: RuleAblation, t: Messages) -> AblationRow:
    changed_words = {pair.word_after for pair in align_traces(original, rule.trace) if pair.is_changed}
    words = typeset_with_tail(rule.trace.target, rule.trace.target_language)
    word_before, word_after = _get_first_difference(original, rule)
    return {
        "description": describe_named_rule(rule.name, t),
        "override": rule.overrides.to_text(),
        "unchanged_count": rule.unchanged_words,
        "predicted_count": rule.predicted_words,
        "nats_lost": round(rule.log_prob_loss, labels.DIGITS),
        "first_difference": _describe_difference(word_before, word_after, t),
        "is_end": END_PIECE in (word_before, word_after),
        "text": [(gap, word, index in changed_words) for index, (gap, word) in enumerate(words)],
    }


def _get_first_difference(original: Trace, rule: RuleAblation) -> tuple[str, str]:
    """Return the first pair of words that differ: "" for no word, END_PIECE for the end."""
    pair = rule.first_change

    def get_word(trace: Trace, index: int | None) -> str:
        return "" if index is None else END_PIECE if index == END else trace.target.words[index]

    return ("", "") if pair is None else (get_word(original, pair.word_before), get_word(rule.trace, pair.word_after))


def _describe_difference(word_before: str, word_after: str, t: Messages) -> str:
    """Describe a word that is replaced, added or left out, or an end that is missing or early."""
    if END_PIECE in (word_before, word_after):
        return t("ablation.endless") if word_before else t("ablation.ended")
    if word_before and word_after:
        return t("ablation.replaced", was=word_before, now=word_after)
    if word_after:
        return t("ablation.put_in", now=word_after)
    return t("ablation.left_out", was=word_before) if word_before else ""


def describe_named_rule(name: str, t: Messages) -> str:
    """Describe one of RULES in words."""
    kind, value = RULES[name]
    return labels.describe_rule(kind, value, "", t)


def draw_ablation(data: AblationData, original: Trace, t: Messages) -> Drawing:
    """Draw the original translation and below it that of each rule, with changed words marked."""
    num_words = sum(word != "" for _, word in data["translation"])
    rows = [PrintedRow(data["name"], t("ablation.own"), [PrintedWord(gap, text) for gap, text in data["translation"]])]
    for row in data["rows"]:
        loss = format_decimal(-row["nats_lost"], 1, has_plus=True)
        note = t("ablation.fared", kept=row["unchanged_count"], words=num_words, lost=loss)
        rows.append(PrintedRow(row["description"], note, [PrintedWord(*word) for word in row["text"]]))
    title = t("ablation.picture", model=data["name"], source=original.source.text)
    return print_texts.build_text_drawing(downloads.build_file_name(original, "ablation"), rows, title)


def build_ablation_csv(ablation: Ablation, t: Messages) -> str:
    """Return a row per rule, with the first pair of words that differ."""
    columns = ("rule", "words", "kept", "still the likeliest", "nats lost", "first word lost",
               "first word in its place", "translation")  # fmt: skip
    return build_csv(columns, ((describe_named_rule(rule.name, t), rule.word_count, rule.unchanged_words,
                                rule.predicted_words, round(rule.log_prob_loss, labels.DIGITS),
                                *_get_first_difference(ablation.original, rule), rule.trace.target.text)
                               for rule in ablation.rules))


# Sets of sentences: a shipped measurement, and the reader's own text.


def _load_measured_set(model_name: str, t: Messages) -> AblationSet | None:
    """Build the shipped measurement of these weights; None if there is none, or it cannot be read."""
    card = find_card(model_name)
    if card is None:
        return None
    try:
        records = load_records(RECORD_KIND).values()
        record = next((entry for entry in records if entry.get("fingerprint") == card.fingerprint), None)
        if record is None:
            return None
        data = record["data"]
        test_set = describe_test_set(data["name"].partition(",")[0], t)
        title = t("ablation.set", sentences=f"{data['sentences']:,}", data=test_set)
        return build_set_payload(record["forced"], title, t)
    except RECORD_ERRORS as error:
        _log.warning("the ablation record of %s is left out: %s", model_name, error)
        return None


def build_set_payload(counts: Mapping[str, Mapping[WordKind, Sequence[float]]], title: str, t: Messages) -> AblationSet:
    """Build the shares of words still predicted; counts by rule and kind of word begin [words, words predicted]."""
    by_kind, *_ = counts.values()
    rows: list[AblationSetRow] = []
    for name, table in counts.items():
        if name in RULES:
            shares = [table[kind][1] / table[kind][0] if table[kind][0] else None for kind in WORD_KINDS]
            rows.append({"description": describe_named_rule(name, t), "shares": shares})
    kinds = [t("ablation.kind", kind=t(f"ablation.kind_{kind}"), count=f"{by_kind[kind][0]:,}") for kind in WORD_KINDS]
    return {"title": title, "kinds": kinds, "rows": rows}


def _render_own_text(context: ExperimentContext) -> None:
    """Draw the survey of the reader's own text: a button before it starts, then its results.

    Without a text in the model's source language it is a hint.
    """
    t = context.t
    job_key = st.session_state.get(params.JOB_KEY.name)
    job = jobs.get_job_store().find(str(job_key)) if job_key else None
    if job is None or find_languages(job.models)[0] != find_languages([context.model_name])[0]:
        with st.container(key="ablation-none"):
            st.html(f"<p>{escape_html(t('ablation.own_none', most=MAX_SENTENCES))}</p>")
        return
    surveys, num_sentences = get_surveys(), len(job.document.sources)
    settings = replace(context.settings, candidates=0)
    key = (str(job_key), context.model_name, settings)
    if key in surveys:
        render_survey(surveys[key], context)
        return

    def start() -> None:
        reader, texts = state.get_reader_id(), job.tag_sources(context.model_name, range(num_sentences))
        surveys[key] = AblationSurvey(context.model_name, texts, settings, reader, service.get_service())

    st.button(t("ablation.own_ask", count=f"{min(MAX_SENTENCES, num_sentences):,}"), key="ablation-own", on_click=start)


def render_survey(survey: AblationSurvey, context: ExperimentContext) -> None:
    """Draw a survey's progress and results; while it runs they are updated alone, without the rest of the page."""
    t = context.t
    is_running = not survey.is_finished

    def update() -> None:
        survey.keep_alive()
        if is_running and survey.is_finished:
            rerun_page()
        if is_running:
            with st.container(key="ablation-progress", horizontal=True, vertical_alignment="center", gap="small"):
                num_done, num_sentences = survey.num_done, survey.num_sentences
                text = t("ablation.own_running", done=f"{num_done:,}", total=f"{num_sentences:,}")
                st.progress(num_done / num_sentences, text=text)
                st.button(t("ablation.own_stop"), key="ablation-stop", on_click=survey.cancel)
        elif survey.error is not None:
            context.status.show_problem(describe_error(survey.error, context.model_name, t))
        if survey.counts.sentences:
            _mount(key="ablation-own-set", data=build_survey_payload(survey, t))

    if survey.is_finished and survey.num_done < survey.num_sentences:
        num_left = survey.num_sentences - survey.num_done
        st.button(t("ablation.own_go_on", count=f"{num_left:,}"), key="ablation-own", on_click=survey.resume)
    st.fragment(update, run_every=REFRESH_SECONDS if is_running else None)()
    if not is_running and survey.counts.sentences:
        exports.render_csv_button("ablation-own-csv", t("ablation.own_csv"), "ablation-own-text",
                                  partial(build_survey_csv, survey), t("ablation.own_csv_help"))  # fmt: skip


def build_survey_payload(survey: AblationSurvey, t: Messages) -> AblationData:
    """Build the component's data of a survey: the set, without a sentence."""
    title = t("ablation.own_set", sentences=f"{survey.counts.sentences:,}")
    if survey.num_skipped:
        title += " " + t("ablation.own_left_out", count=f"{survey.num_skipped:,}")
    return {
        "name": get_title(survey.model_name),
        "languages": get_languages(survey.model_name) or ("", ""),
        "translation": [],
        "rows": [],
        "set": build_set_payload(survey.counts.forced, title, t),
        "provenance": "",
        "messages": t.get_table("ablation"),
        "language": t.language,
    }


def build_survey_csv(survey: AblationSurvey) -> str:
    """Return a row per rule and kind of word."""
    return build_csv(("rule", "kind of word", "words", "still the likeliest", "nats lost"),
                     ((name, kind, *counts) for name, table in survey.counts.forced.items()
                      for kind, counts in table.items()))
