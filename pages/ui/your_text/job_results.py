"""A job on the screen: how far it is, its sentences as bars, its scores by length, and what can be taken home."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st
from streamlit.navigation.page import Page

from pages.ui.backend import service
from pages.ui.backend.cards import get_title
from pages.ui.backend.jobs import MAX_IDLE_HOURS, Job, Jobs
from pages.ui.components.component import get_event
from pages.ui.escape import escape_html
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.results.ablation_survey import discard_surveys
from pages.ui.url_state import params, state
from pages.ui.widgets import bleu_details, downloads
from pages.ui.widgets.requests import describe_error
from pages.ui.your_text import commands, length_curve, reports, sentence_bars, table_summary
from pages.ui.your_text.scores import ModelScores, build_table_html, describe_difference, score_job, scores_to_csv

REFRESH_SECONDS = 1.0  # seconds between looks at a job at work
NUM_REDRAWS = 10  # a job at work is drawn anew after so many parts of it

_KEY = "sentence-bars"
_OPEN_KEY = f"{_KEY}-asked"

TARGET_PAGES = {"translate": False, "step_by_step": True, "compare": False}
"""Pages that a sentence opens in, and whether they show one model each."""


def render_job(job: Job, store: Jobs, pages: dict[str, Page], forget: Callable[[], None], t: Messages) -> None:
    """`pages`: those there are, by name; `forget`: drops the job's key from link and session."""
    _render_head(job, store, forget, t)
    drawn = len(job.complete)
    _render_progress(job, drawn, t)
    if drawn:
        _render_sentence_bars(job, pages, t)
        scores = get_scores(job, drawn)
        if scores:
            _render_scores(job, scores, t)
        _render_downloads(job, t)
        _render_commands(job, t)


def get_job_name(job: Job, t: Messages) -> str:
    return job.document.name or t("your_text.pasted")


def _render_head(job: Job, store: Jobs, forget: Callable[[], None], t: Messages) -> None:
    """What was given, who can see it, and two ways to be done with it."""

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


def _render_progress(job: Job, drawn: int, t: Messages) -> None:
    """How far the job is, looked at every second while it is at work, without drawing anything else anew until there is
    a tenth more to see."""
    working = not job.over

    def look() -> None:
        now = job.progress()
        if working and (job.over or len(job.complete) >= _get_redraw_threshold(drawn, len(job.document.sources))):
            rerun_page()
        with st.container(key="progress", horizontal=True, vertical_alignment="center", gap="small"):
            share = now.done / now.total if now.total else 0.0
            st.progress(share, text=_describe_progress(job, t))
            if not job.over:
                st.button(t("your_text.stop"), key="stop", on_click=job.stop)

    st.fragment(look, run_every=REFRESH_SECONDS if working else None)()
    for model, error in list(job.problems.items()):  # others may come meanwhile
        st.html(f'<p role="alert">{escape_html(describe_error(error, model, t))}</p>')


def _get_redraw_threshold(drawn: int, total: int) -> int:
    """How many complete sentences are worth drawing anew: the first ones at once, then a tenth of all."""
    return min(total, drawn + max(1, total // NUM_REDRAWS)) if drawn else 1


def _describe_progress(job: Job, t: Messages) -> str:
    now = job.progress()
    counts = {"done": f"{now.done:,}", "total": f"{now.total:,}"}
    if now.state == "running" and now.seconds is not None:
        return t("your_text.running", **counts, left=_format_time(now.seconds, t))
    if now.state in ("running", "waiting") and not service.get_service().ready(*job.working):
        return t("status.loading")
    key = "starting" if now.state == "running" else now.state
    return t(f"your_text.is_{key}", **counts)


def _format_time(seconds: float, t: Messages) -> str:
    """A rough time: seconds below a minute and a half, then minutes."""
    if seconds < 90:
        return t("your_text.seconds", count=max(1, round(seconds)))
    return t("your_text.minutes", count=round(seconds / 60))


def _render_sentence_bars(job: Job, pages: dict[str, Page], t: Messages) -> None:
    """Every sentence that is done as a bar; a sentence that was opened leads to another page."""
    title = get_job_name(job, t)
    places = job.complete  # the job goes on meanwhile: texts and numbers are to be of the same sentences
    models = job.working
    rows = sentence_bars.build_job_rows(job, places, models, t)
    data = sentence_bars.build_bars_payload(
        title, rows, sentence_bars.build_job_measures(job, places, models, t), models, t
    )
    data["pages"] = [
        {"url": url, "title": pages[url].title, "each": each} for url, each in TARGET_PAGES.items() if url in pages
    ]
    data["carried"] = build_link_values(job)
    sentence_bars.mount(key=_KEY, data=sentence_bars.mount.packed(data), on_open_change=_on_open)
    asked = st.session_state.pop(_OPEN_KEY, None)
    page = asked.get("page") if isinstance(asked, dict) else None
    if isinstance(page, str) and page in TARGET_PAGES and page in pages:
        open_sentence(job, pages[page], asked)


def _on_open() -> None:
    """A sentence is to be opened in another page."""
    st.session_state[_OPEN_KEY] = get_event(_KEY, "open")


def build_link_values(job: Job) -> dict[str, str]:
    """What a link to a sentence says of how it was translated, and in which language the page is."""
    search = next((name for name in params.SEARCHES if name == job.settings.method), params.SEARCH.kind.default())
    language = state.read_link_param(params.LANGUAGE, told=False)
    said: dict[str, str] = {params.SEARCH.name: search} | ({params.LANGUAGE.name: language} if language else {})
    return params.build_query(said, defaults=True)


def open_sentence(job: Job, page: Page, asked: dict[str, Any]) -> None:
    """Open a sentence, named by its line in the file, in another page, with its model. What the browser sent is only
    taken where it fits the job."""
    line, model, beside = asked.get("line"), asked.get("model"), asked.get("beside")
    document = job.document
    if type(line) is not int or line not in document.lines or model not in job.models:
        return
    place = document.lines.index(line)
    chosen = {params.SENTENCE.name: document.sources[place], params.MODEL.name: str(model)} | build_link_values(job)
    if beside in job.models:
        chosen[params.OTHER_MODEL.name] = str(beside)
    if document.references is not None:
        bleu_details.set_reference(document.sources[place], document.references[place])
    for name, value in chosen.items():
        if name != params.LANGUAGE.name:  # the page here has its language already, and its switch is drawn
            st.session_state[name] = value
    state.reset_params(*params.TRANSLATION_PARAMS)  # nothing was changed here: what opens is what the row shows
    st.switch_page(page, query_params=chosen)


def get_scores(job: Job, drawn: int) -> tuple[ModelScores, ...]:
    """The scores, computed once for as many sentences and the same models: one of them may fail meanwhile."""
    kept: Any = st.session_state.get("scored")
    of = job.key, drawn, job.working
    if not kept or kept[0] != of:
        kept = st.session_state["scored"] = (of, score_job(job))
    found: tuple[ModelScores, ...] = kept[1]
    return found


def _render_scores(job: Job, scores: Sequence[ModelScores], t: Messages) -> None:
    st.html(f"<h2>{escape_html(t('scores.title'))}</h2>")
    told = describe_difference(scores, t)
    if told:
        st.html(f"<p>{told}</p>")
    length_curve.render_length_curve(scores, get_job_name(job, t), "own-curve", lambda: scores_to_csv(scores), t)
    st.html(f'<div class="scores" tabindex="0">{build_table_html(scores, t)}</div>')
    st.html(f'<p class="note">{t.marked("scores.signatures", list="; ".join(scores[0].signatures))}</p>')


def _render_downloads(job: Job, t: Messages) -> None:
    """The buttons, each making its file when it is pressed."""
    st.html(f"<h2>{escape_html(t('your_text.take'))}</h2>")

    def button(kind: str, data: Callable[[], str | bytes], ending: str, key: str, off: bool = False) -> None:
        st.download_button(
            t(f"your_text.as_{kind}"),
            downloads.add_byte_order_mark(data) if ending == "csv" else data,
            file_name=f"{sentence_bars.FILE_STEM}-{key}.{ending}",
            mime="text/csv" if ending == "csv" else "text/plain",
            key=f"take-{key}",
            on_click="ignore",
            help=t("your_text.no_attention") if off else t(f"your_text.as_{kind}_help"),
            disabled=off,
        )

    with st.container(key="take", horizontal=True, vertical_alignment="center", gap="small"):
        button("csv", lambda: reports.to_csv(job), "csv", "sentences")
    for model in job.working:
        with st.container(key=f"take-{model}", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f"<p>{escape_html(get_title(model))}</p>", width=150)
            off = not reports.has_attention(job, model)
            button("json", _bound(reports.to_json_lines, job, model), "jsonl", f"{model}-traces")
            button("pharaoh", _bound(reports.to_pharaoh, job, model), "txt", f"{model}-pharaoh", off)
            button("nematus", _bound(reports.to_nematus, job, model), "txt", f"{model}-nematus", off)


def _render_commands(job: Job, t: Messages) -> None:
    """The commands that do the same, and the file they read."""
    with st.container(key="same", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="note">{escape_html(t("your_text.same"))}</p>', width="content")
        st.download_button(
            t("your_text.as_text"),
            lambda: reports.to_text(job),
            file_name=commands.get_file_name(job),
            mime="text/plain",
            key="take-text",
            on_click="ignore",
            help=t("your_text.as_text_help"),
        )
    st.html(commands.commands_to_html(commands.build_commands(job)))


def _bound(make: Callable[[Job, str], str | bytes], job: Job, model: str) -> Callable[[], str | bytes]:
    return lambda: make(job, model)
