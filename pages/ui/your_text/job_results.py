"""A translation job: its progress, its sentences as bars, its scores by length, and its downloads."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.navigation.page import Page

from pages.ui.backend import service
from pages.ui.backend.cards import get_title
from pages.ui.backend.jobs import MAX_IDLE_HOURS, Job, JobStore
from pages.ui.components.component import get_event
from pages.ui.escape import escape_html
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.results.ablation_survey import discard_surveys
from pages.ui.url_state import params, state
from pages.ui.widgets import bleu_details, downloads
from pages.ui.widgets.status import format_alert
from pages.ui.widgets.translations import describe_error
from pages.ui.your_text import length_curve, reports, sentence_bars, table_summary
from pages.ui.your_text.scores import ModelScores, build_scores_csv, build_table_html, describe_difference, score_job

REFRESH_SECONDS = 1.0  # between updates of a running job
NUM_REDRAWS = 10  # of the whole page while a job runs

_KEY = "sentence-bars"
_OPEN_KEY = f"{_KEY}-open"

TARGET_PAGES = {"translate": False, "step_by_step": True, "compare": False}
"""Pages that can open a sentence, and whether they show a single model."""


def render_job(job: Job, store: JobStore, pages: dict[str, Page], forget: Callable[[], None], t: Messages) -> None:
    """Draw a job. `pages` are all pages by name; `forget` removes the job's key from link and session."""
    _render_head(job, store, forget, t)
    num_drawn = len(job.completed_indices)
    _render_progress(job, num_drawn, t)
    if num_drawn:
        _render_sentence_bars(job, pages, t)
        scores = get_scores(job, num_drawn)
        if scores:
            _render_scores(job, scores, t)
        _render_downloads(job, t)
        _render_commands(job, t)


def get_job_name(job: Job, t: Messages) -> str:
    return job.document.name or t("your_text.pasted")


def _render_head(job: Job, store: JobStore, forget: Callable[[], None], t: Messages) -> None:
    """Draw the file's name and facts, who can see it, and the buttons that leave or delete it."""

    def discard() -> None:
        store.discard(job.key)
        discard_surveys(job.key)
        if not job.document.name:
            state.reset_params(params.PASTED_TEXT)
        forget()

    document = job.document
    kind = "with_references" if document.references else "without_references"
    facts = [
        t(f"your_text.{kind}", count=f"{len(document.sources):,}"),
        ", ".join(map(get_title, job.models)),
        t(f"option.{job.settings.method}", width=job.settings.beam),
    ]
    if document.header:
        facts.append(t("reading.header"))
    facts += table_summary.describe_notes(document, t)
    with st.container(key="job-head", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f"<p><b>{escape_html(get_job_name(job, t))}</b> {escape_html(' · '.join(facts))}</p>")
        st.button(t("your_text.another"), key="another", type="tertiary", on_click=forget)
        st.button(
            t("your_text.discard"),
            key="discard",
            type="tertiary",
            help=t("your_text.discard_help"),
            on_click=discard,
        )
    st.html(f'<p class="note">{escape_html(t("your_text.private", hours=f"{MAX_IDLE_HOURS:.0f}"))}</p>')


def _render_progress(job: Job, num_drawn: int, t: Messages) -> None:
    """Draw the progress, updated every second; the whole page runs again after each tenth of the job."""
    is_running = not job.is_finished
    threshold = _get_redraw_threshold(num_drawn, len(job.document.sources))

    def update() -> None:
        progress = job.get_progress()
        if is_running and (job.is_finished or len(job.completed_indices) >= threshold):
            rerun_page()
        with st.container(key="progress", horizontal=True, vertical_alignment="center", gap="small"):
            share = progress.num_done / progress.num_total if progress.num_total else 0.0
            st.progress(share, text=_describe_progress(job, t))
            if not job.is_finished:
                st.button(t("your_text.stop"), key="stop", on_click=job.stop_early)

    st.fragment(update, run_every=REFRESH_SECONDS if is_running else None)()
    for model, error in list(job.errors.items()):  # a copy: the job goes on
        st.html(format_alert(describe_error(error, model, t)))


def _get_redraw_threshold(num_drawn: int, total: int) -> int:
    """Return how many finished sentences redraw the page: the first one, then each tenth."""
    return min(total, num_drawn + max(1, total // NUM_REDRAWS)) if num_drawn else 1


def _describe_progress(job: Job, t: Messages) -> str:
    progress = job.get_progress()
    counts = {"done": f"{progress.num_done:,}", "total": f"{progress.num_total:,}"}
    if progress.state == "running" and progress.seconds_left is not None:
        return t("your_text.running", **counts, left=_format_time(progress.seconds_left, t))
    if progress.state in ("running", "waiting") and not service.get_service().is_loaded(*job.working_models):
        return t("status.loading")
    key = "starting" if progress.state == "running" else progress.state
    return t(f"your_text.is_{key}", **counts)


def _format_time(seconds: float, t: Messages) -> str:
    """Return a rough duration: seconds below a minute and a half, then minutes."""
    if seconds < 90:
        return t("your_text.seconds", count=max(1, round(seconds)))
    return t("your_text.minutes", count=round(seconds / 60))


def _render_sentence_bars(job: Job, pages: dict[str, Page], t: Messages) -> None:
    """Draw every finished sentence as a bar; a click on it opens another page."""
    title = get_job_name(job, t)
    indices = job.completed_indices  # read once: the job goes on, and rows and measures must have the same sentences
    models = job.working_models
    rows = sentence_bars.build_job_rows(job, indices, models, t)
    measures = sentence_bars.build_job_measures(job, indices, models, t)
    data = sentence_bars.build_bars_payload(title, rows, measures, models, t)
    data["pages"] = [
        {"url": url, "title": pages[url].title, "is_per_model": is_single}
        for url, is_single in TARGET_PAGES.items()
        if url in pages
    ]
    data["link_params"] = build_link_values(job)
    sentence_bars.mount(key=_KEY, data=sentence_bars.mount.encode(data), on_open_change=_store_open_event)
    event = st.session_state.pop(_OPEN_KEY, None)
    page = event.get("page") if isinstance(event, dict) else None
    if isinstance(page, str) and page in TARGET_PAGES and page in pages:
        open_in_page(job, pages[page], event)


def _store_open_event() -> None:
    st.session_state[_OPEN_KEY] = get_event(_KEY, "open")


def build_link_values(job: Job) -> dict[str, str]:
    """Return the search, the style of Korean and the interface language as link parameters."""
    values: dict[str, str] = {params.SEARCH.name: job.settings.method, params.UNK.name: job.settings.unk}
    values |= {params.STYLE.name: job.style} if job.style else {}
    return params.build_query(values | state.build_language_param())


def open_in_page(job: Job, page: Page, event: dict[str, Any]) -> None:
    """Open a sentence of the file in another page, with its model. An event that does not fit the job is ignored."""
    line, model, other_model = event.get("line"), event.get("model"), event.get("other_model")
    document = job.document
    if type(line) is not int or line not in document.line_numbers or model not in job.models:
        return
    index = document.line_numbers.index(line)
    source = document.sources[index]
    values = {params.MODEL.name: str(model)} | build_link_values(job)
    if other_model in job.models:
        values[params.OTHER_MODEL.name] = str(other_model)
    if document.references is not None:
        bleu_details.set_reference(source, document.references[index])
    for name, value in values.items():
        if name != params.LANGUAGE.name:  # its widget is drawn already
            st.session_state[name] = value
    # Also for the page that is opened, since a link does not carry a sentence that is too long.
    st.session_state[params.SENTENCE.name] = st.session_state[f"{params.SENTENCE.name}-last"] = source
    state.reset_params(*params.TRANSLATION_PARAMS)  # the page must show what the bar shows
    st.switch_page(page, query_params=state.build_sentence_param(source) | values)


def get_scores(job: Job, num_sentences: int) -> tuple[ModelScores, ...]:
    """Return the scores, computed once for the same number of sentences and the same models (one may fail later)."""
    key = job.key, num_sentences, job.working_models
    cached_scores: Any = st.session_state.get("job-scores")
    if not cached_scores or cached_scores[0] != key:
        cached_scores = st.session_state["job-scores"] = (key, score_job(job))
    scores: tuple[ModelScores, ...] = cached_scores[1]
    return scores


def _render_scores(job: Job, scores: Sequence[ModelScores], t: Messages) -> None:
    st.html(f"<h2>{escape_html(t('scores.title'))}</h2>")
    difference = describe_difference(scores, t)
    if difference:
        st.html(f"<p>{difference}</p>")
    length_curve.render_length_curve(scores, get_job_name(job, t), "own-curve", lambda: build_scores_csv(scores), t)
    st.html(f'<div class="scores" tabindex="0">{build_table_html(scores, t)}</div>')
    st.html(f'<p class="note">{t.format_html("scores.signatures", list="; ".join(scores[0].signatures))}</p>')


def _render_downloads(job: Job, t: Messages) -> None:
    st.html(f"<h2>{escape_html(t('your_text.take'))}</h2>")

    def draw_button(
        kind: str, data: Callable[[], str | bytes], ending: str, key: str, is_disabled: bool = False
    ) -> None:
        st.download_button(
            t(f"your_text.as_{kind}"),
            downloads.add_byte_order_mark(data) if ending == "csv" else data,
            file_name=f"{sentence_bars.FILE_STEM}-{key}.{ending}",
            mime="text/csv" if ending == "csv" else "text/plain",
            key=f"take-{key}",
            on_click="ignore",
            help=t("your_text.no_attention") if is_disabled else t(f"your_text.as_{kind}_help"),
            disabled=is_disabled,
        )

    with st.container(key="take", horizontal=True, vertical_alignment="center", gap="small"):
        draw_button("csv", partial(reports.to_csv, job), "csv", "sentences")
    for model in job.working_models:
        with st.container(key=f"take-{model}", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f"<p>{escape_html(get_title(model))}</p>", width=150)
            is_disabled = not reports.has_attention(job, model)
            draw_button("json", partial(reports.to_json_lines, job, model), "jsonl", f"{model}-traces")
            draw_button("pharaoh", partial(reports.to_pharaoh, job, model), "txt", f"{model}-pharaoh", is_disabled)
            draw_button("nematus", partial(reports.to_nematus, job, model), "txt", f"{model}-nematus", is_disabled)


def _render_commands(job: Job, t: Messages) -> None:
    """Draw the commands that do the same, and the button for the file that they read."""
    with st.container(key="same", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="note">{escape_html(t("your_text.same"))}</p>', width="content")
        st.download_button(
            t("your_text.as_text"),
            partial(reports.to_text, job),
            file_name=reports.get_file_name(job),
            mime="text/plain",
            key="take-text",
            on_click="ignore",
            help=t("your_text.as_text_help"),
        )
    st.html(reports.format_commands_html(reports.build_commands(job)))
