"""How much a set of sentences needs its attention, by kind of word: what was measured, and a reader's own text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from model.analysis.ablation.ablation import RULES, WORD_KINDS, WordKind
from model.decoding import Settings
from model.text.normalise import Normalised
from pages.ui.backend import service
from pages.ui.backend.cards import languages_of, title_of
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_html
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.laboratory import labels
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.payload_types import NeedData, NeedSet, NeedSetRow
from pages.ui.results.ablation_survey import MAX_SENTENCES, AblationSurvey
from pages.ui.url_state import links, state
from pages.ui.widgets import saving
from pages.ui.widgets.requests import explain

REFRESH_SECONDS = 2.0  # seconds between looks at a text that is being asked about
_SURVEYS_KEY = "need-surveys"  # where the session keeps them

Surveys = dict[tuple[str, str, Settings], AblationSurvey]
"""By the key of the text, the model and the search."""

mount = Component("need", NeedData)


def build_set_payload(given: Mapping[str, Mapping[WordKind, Sequence[float]]], title: str, t: Messages) -> NeedSet:
    """What the component draws of counts: by the rule and the kind of word the words, and of these still the
    likeliest."""
    first = next(iter(given.values()))
    kinds = [t("need.kind", kind=t(f"need.kind_{kind}"), count=f"{first[kind][0]:,}") for kind in WORD_KINDS]
    rows: list[NeedSetRow] = [
        {"said": describe_named_rule(name, t), "shares": [table[kind][1] / table[kind][0] if table[kind][0] else None
                                             for kind in WORD_KINDS]}
        for name, table in given.items() if name in RULES
    ]  # fmt: skip
    return {"title": title, "kinds": kinds, "rows": rows}


def describe_named_rule(name: str, t: Messages) -> str:
    """A rule of ASKED in words."""
    way, value = RULES[name]
    return labels.describe_rule(way, value, "", t)


def render_own_text(bench: ExperimentContext) -> None:
    """The reader's own text, where one was given on that page in this session: asked for, under way, or done."""
    t = bench.t
    texts = _find_own_text()
    if not texts:
        with st.container(key="need-none"):
            st.html(f"<p>{escape_html(t('need.own_none', most=MAX_SENTENCES))}</p>")
        return
    kept: Surveys = st.session_state.setdefault(_SURVEYS_KEY, {})
    settings = replace(bench.settings, candidates=0)
    of = (str(st.session_state[links.JOB_KEY.name]), bench.model_name, settings)
    survey = kept.get(of)
    if survey is not None:
        _render_survey(survey, bench)
        return

    def begin() -> None:
        kept[of] = AblationSurvey(bench.model_name, texts, settings, state.get_reader_id(), service.shared())

    st.button(t("need.own_ask", count=f"{min(MAX_SENTENCES, len(texts)):,}"), key="need-own", on_click=begin)


def discard_surveys(text: str) -> None:
    """Forget all that was asked about the reader's own text of that key, and ask no more."""
    kept: Surveys = st.session_state.get(_SURVEYS_KEY, {})
    for of in [of for of in kept if of[0] == text]:
        kept.pop(of).stop()


def _find_own_text() -> list[Normalised]:
    """The sentences that the reader gave on the page for that; none where there are none any more."""
    key = st.session_state.get(links.JOB_KEY.name)
    if not key:
        return []
    from pages.ui.backend import jobs

    job = jobs.shared().find(str(key))
    return [] if job is None else list(job.document.sources)


def _render_survey(survey: AblationSurvey, bench: ExperimentContext) -> None:
    """How far it is, looked at again and again while it is under way, without drawing anything else anew."""
    t = bench.t
    working = not survey.is_finished

    def look() -> None:
        survey.keep_alive()
        if working and survey.is_finished:
            rerun_page()
        if working:
            with st.container(key="need-progress", horizontal=True, vertical_alignment="center", gap="small"):
                st.progress(survey.num_done / survey.num_sentences,
                            text=t("need.own_running", done=f"{survey.num_done:,}", total=f"{survey.num_sentences:,}"))
                st.button(t("need.own_stop"), key="need-stop", on_click=survey.stop)
        elif survey.error is not None:
            bench.show_problem(explain(survey.error, bench.model_name, t))
        if survey.tally.sentences:
            mount(key="need-own-set", data=build_survey_payload(survey, t))

    if survey.is_finished and survey.num_done < survey.num_sentences:
        left = survey.num_sentences - survey.num_done
        st.button(t("need.own_go_on", count=f"{left:,}"), key="need-own", on_click=survey.resume)
    st.fragment(look, run_every=REFRESH_SECONDS if working else None)()
    if not working and survey.tally.sentences:
        saving.button("need-own-csv", t("need.own_csv"), "need-own-text.csv", "text/csv", lambda: survey_to_csv(survey),
                      t("need.own_csv_help"))  # fmt: skip


def build_survey_payload(survey: AblationSurvey, t: Messages) -> NeedData:
    """What the component draws: the set alone."""
    left = t("need.own_left_out", count=f"{survey.num_skipped:,}") if survey.num_skipped else ""
    title = " ".join(filter(None, (t("need.own_set", sentences=f"{survey.tally.sentences:,}"), left)))
    return {
        "name": title_of(survey.model_name),
        "languages": languages_of(survey.model_name) or ("", ""),
        "translation": [],
        "rows": [],
        "set": build_set_payload(survey.tally.forced, title, t),
        "made": "",
        "words": t.table("need"),
        "language": t.language,
    }


def survey_to_csv(survey: AblationSurvey) -> str:
    """A line for each rule and kind of word."""
    return build_csv(("rule", "kind of word", "words", "still the likeliest", "nats lost"),
                     ((name, kind, *counts) for name, table in survey.tally.forced.items()
                      for kind, counts in table.items()))
