"""The page Your text: input, progress, privacy, bars, scores and downloads."""

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest
import streamlit as st
from sacrebleu.metrics.bleu import BLEU
from streamlit.testing.v1 import AppTest

from model.analysis.evaluation.evaluation import ParallelText
from model.decoding import Settings
from model.text.bleu import compute_chrf
from model.text.documents import DocumentProblem
from model.text.tables import TableNote, TableNoteKind, read_table
from model.trace import Trace
from pages.ui.backend import cards, evaluations, jobs, service
from pages.ui.backend.jobs import Job
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.url_state import params
from pages.ui.your_text import job_results, reports, scores, sentence_bars, table_summary
from tests.cards import build_card, build_named_card
from tests.hostile import CASES
from tests.pages.backend.test_jobs import SliceQueue, run_job, translate_slice_backwards, wait_until
from tests.pages.components import get_component_data, list_alerts, list_data
from tests.pages.fakes import ATTENDED, PLAIN

OpenApp = Callable[..., AppTest]
T = load_messages("en")
PAIRS = "one two three\teno eerht\nthe sea is calm\tla mer\n=1+1 is two\t@deux\n"


@pytest.fixture(autouse=True)
def fake_translations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "translate_slice", translate_slice_backwards)
    all_cards = (build_card("other-50", "other", 20), build_named_card(PLAIN), build_named_card(ATTENDED))
    monkeypatch.setattr(cards, "list_cards", lambda: all_cards)


@pytest.fixture
def open_page(open_app: OpenApp) -> OpenApp:
    return partial(open_app, "your_text")


@pytest.fixture
def finished_job() -> Job:
    """A finished job of three sentences with references and two models."""
    queue = SliceQueue()
    try:
        return run_job(jobs.JobStore(queue), read_table(PAIRS))
    finally:
        queue.close()


def paste_text(app: AppTest, text: str) -> AppTest:
    """Paste a text, start the job and wait for its end."""
    app.text_area(key="pasted").set_value(text)
    app.button(key="begin").click().run()
    assert not app.exception
    job = get_linked_job(app)
    if job:
        wait_until(lambda: job.is_finished)
        app.run()
        assert not app.exception
    return app


def get_linked_job(app: AppTest) -> Job | None:
    """Return the job of the key in the page's link."""
    key = dict(app.query_params).get("text")
    return jobs.get_job_store().find(key if isinstance(key, str) else key[0]) if key else None


def get_bars_data(app: AppTest) -> dict[str, Any]:
    return get_component_data(app, "sentence_bars")


def get_all_output(app: AppTest) -> str:
    """Return all texts and payloads sent to the browser."""
    bodies = [node.proto.body for node in app.get("html")]
    return "\n".join([*bodies, *map(str, list_data(app))])


@pytest.mark.verdict
def test_page_opens_on_a_shipped_test_set(open_page: OpenApp) -> None:
    app = open_page()
    assert len(str(app.text_area(key="pasted").value).split("\n")) == 2  # two example sentences
    assert app.multiselect(key="text-models").value == [ATTENDED, PLAIN]
    data = get_bars_data(app)
    assert all("source" not in row for row in data["rows"])
    assert {measure["key"] for measure in data["measures"]} >= {"difference", "bleu", "length", "reference_ratio"}
    index = evaluations.load_index()
    test_set = evaluations.choose_main_test_set(index.test_sets)
    evaluated, _ = index.load_evaluations(test_set, index.models, index.searches[0])
    assert evaluated
    assert all(escape_html(evaluation.command) in get_all_output(app) for evaluation in evaluated)


def test_pasted_sentences_become_bars(open_page: OpenApp) -> None:
    app = paste_text(open_page(), "one two three\nthe sea is calm\n\nI see it")
    data = get_bars_data(app)
    assert [row["source"] for row in data["rows"]] == ["one two three", "the sea is calm", "I see it"]
    assert [row["line"] for row in data["rows"]] == [1, 2, 4]
    assert data["rows"][0]["outputs"] == [{"text": "eno owt eerht"}, {"text": "eno eerht"}]
    measures = {measure["key"]: measure for measure in data["measures"]}
    assert measures["ratio"]["series"][1]["values"] == pytest.approx([2 / 3, 0.5, 2 / 3], abs=1e-4)
    assert [series["label"] for series in measures["confidence"]["series"]] == ["RNNsearch-50"]
    assert "bleu" not in measures
    assert [page["url"] for page in data["pages"]][:1] == ["translate"]
    assert T("reading.note_blank", count="1", lines="3") in get_all_output(app)
    assert f"python -m model translate sentences.txt --model {PLAIN} --beam 1" in get_all_output(app)
    assert f"<h2>{T('your_text.take')}</h2>" in get_all_output(app)


def test_references_give_differences_and_scores(open_page: OpenApp) -> None:
    app = paste_text(open_page(), PAIRS)
    data = get_bars_data(app)
    assert data["measures"][0]["key"] == "difference"
    (series,) = data["measures"][0]["series"]
    assert series["label"] == T("measure.minus", one="RNNsearch-50", other="RNNencdec-50")
    bleus = [
        [BLEU(effective_order=True).sentence_score(text, [row["reference"]]).score for text in outputs]
        for row in data["rows"]
        for outputs in [[output["text"] for output in row["outputs"]]]
    ]
    assert series["values"] == pytest.approx([first - second for first, second in bleus], abs=1e-3)
    assert any("<table>" in node.proto.body for node in app.get("html"))
    assert len(app.get("plotly_chart")) == 1


def test_invalid_requests_are_reported(open_page: OpenApp) -> None:
    app = paste_text(open_page(), "")
    assert list_alerts(app) == [f'<p role="alert">{escape_html(T("document.empty"))}</p>']
    assert "text" not in app.query_params
    app.text_area(key="pasted").set_value("one two three")
    app.multiselect(key="text-models").set_value([])
    app.button(key="begin").click().run()
    assert list_alerts(app) == [f'<p role="alert">{T("your_text.choose")}</p>']


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_and_note_has_texts(language: str) -> None:
    t = load_messages(language)
    for kind in get_args(DocumentProblem):
        assert t(f"document.{kind}", **dict.fromkeys(("got", "limit", "line", "expected", "byte", "format"), "7"))
    for kind in get_args(TableNoteKind):
        assert t(f"reading.note_{kind}", **dict.fromkeys(("count", "lines", "columns", "language"), "7"))
    for text in ("a\tb", "a|b", "a;b", "a,b", "a ||| b", "sep=^\na^b", "a"):
        assert "{" not in table_summary.summarise_table(read_table(text, "a.csv"), t)


def test_a_note_names_the_language_of_the_rows_that_were_read() -> None:
    notes = (TableNote("languages", {"count": "1", "language": "en"}),)
    table = replace(read_table("I see it"), notes=notes)
    assert table_summary.describe_notes(table, T) == ["1 row skipped: languages other than English"]


def test_a_file_without_chosen_models_is_read_in_the_chosen_languages(
    open_page: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    every_card = (*cards.list_cards(), build_card("into-english", languages=("ko", "en")))
    monkeypatch.setattr(cards, "list_cards", lambda: every_card)
    app = open_page(pair="ko-en")
    app.segmented_control(key="input-method").set_value("file").run()
    app.multiselect(key="text-models").set_value([]).run()
    content = "English,Korean\nthe sea,바다\n".encode()
    app.file_uploader(key="uploaded").upload("mine.csv", content, "text/csv").run()
    assert T("reading.note_swapped") in get_all_output(app)


def test_file_is_summarised_and_read_again_with_other_options(open_page: OpenApp) -> None:
    app = open_page()
    app.segmented_control(key="input-method").set_value("file").run()
    ragged = b"French,English\nle chat, le chien,the cat\n"
    app.file_uploader(key="uploaded").upload("mine.csv", ragged, "text/csv").run()
    problem = T("document.ragged", line="2", got="3", expected="2")
    assert list_alerts(app)[-1] == f'<p role="alert">{escape_html(problem)}</p>'
    app.button(key="begin").click().run()
    assert get_linked_job(app) is None
    app.file_uploader(key="uploaded").upload("mine.csv", b"one two, eno\n\nthe sea, la mer\n", "text/csv").run()
    assert "Read as UTF-8, one column, no header: 2 sentences · 1 blank line skipped (2)" in get_all_output(app)
    app.selectbox(key="separator").set_value("comma").run()
    assert "Read as UTF-8, separated by commas, no header: 2 sentences with references" in get_all_output(app)
    app.button(key="begin").click().run()
    job = get_linked_job(app)
    assert job is not None
    assert job.document.references == ("eno", "la mer")


def test_text_is_at_its_link_only_until_deleted(open_page: OpenApp) -> None:
    mine, stranger = paste_text(open_page(), "my crocodile letter"), open_page()
    assert "crocodile" in get_all_output(mine)
    assert "crocodile" not in get_all_output(stranger)
    job = get_linked_job(mine)
    assert job is not None
    linked = open_page(text=job.key)
    returned_app = mine.switch_page("pages/translate.py").run().switch_page("pages/your_text.py").run()
    for app in (linked, returned_app):
        assert [row["source"] for row in get_bars_data(app)["rows"]] == ["my crocodile letter"]
    mine.button(key="discard").click().run()
    assert jobs.get_job_store().find(job.key) is None
    assert "crocodile" not in f"{list_data(mine)} {mine.text_area(key='pasted').value} {mine.session_state!r}"


def test_unknown_key_is_reported_with_the_form(open_page: OpenApp) -> None:
    app = open_page(text="<script>alert(1)</script>")
    assert list_alerts(app) == [f'<p role="alert">{T("your_text.gone")}</p>']
    assert app.text_area(key="pasted")
    assert "text" not in app.query_params


@pytest.mark.verdict
def test_hostile_text_is_sent_as_text_only(open_page: OpenApp) -> None:
    names = ("HTML", "script", "Markdown", "LaTeX", "CSV formulas")
    app = paste_text(open_page(), "\n".join(CASES[name].replace("\n", " ") for name in names))
    assert len(get_bars_data(app)["rows"]) == len(names)
    bodies = "".join(node.proto.body for node in app.get("html"))
    assert "onerror" not in bodies
    assert not app.get("markdown") or all("onerror" not in node.value for node in app.markdown)


@pytest.mark.verdict
def test_csv_is_safe_and_complete(finished_job: Job) -> None:
    rows = list(csv.DictReader(io.StringIO(reports.to_csv(finished_job))))
    assert [row["source"] for row in rows] == ["one two three", "the sea is calm", "'=1+1 is two"]
    assert rows[2]["reference"] == "'@deux"
    assert rows[1][f"{ATTENDED}: translation"] == "eht aes si mlac"
    assert float(rows[1][f"{PLAIN}: length ratio"]) == 0.5
    assert rows[1][f"{PLAIN}: attention confidence %"] == ""
    assert float(rows[0][f"{ATTENDED}: attention confidence %"]) > 0
    assert rows[0][f"{ATTENDED}: finished"] == "True"
    table = read_table(reports.to_csv(finished_job), "sentences.csv")
    assert (table.sources[:2], len(table.references or ())) == (finished_job.document.sources[:2], 3)


def test_traces_and_alignments_have_a_line_per_sentence(finished_job: Job) -> None:
    traces = [Trace.from_json(line) for line in reports.to_json_lines(finished_job, ATTENDED).splitlines()]
    assert [trace.source.text for trace in traces] == list(finished_job.document.sources)
    assert reports.to_pharaoh(finished_job, ATTENDED).splitlines()[0] == "0-0 1-1 2-2"
    blocks = reports.to_nematus(finished_job, ATTENDED).split("\n\n")
    assert [block.split(" ||| ")[0] for block in blocks[:-1]] == ["0", "1", "2"]
    assert reports.has_attention(finished_job, ATTENDED)
    assert not reports.has_attention(finished_job, PLAIN)


def test_downloads_of_a_stopped_job_keep_line_numbers() -> None:
    """Short sentences, here every second line, are translated first."""
    lane = SliceQueue(open_gate=False)
    sources = [
        f"number {place}" + " and so on and so on" * (place % 2 == 0)
        for place in range(2 * service.MAX_SLICE_SENTENCES)
    ]
    try:
        job = jobs.JobStore(lane).start(read_table("\n".join(sources)), (ATTENDED,), Settings())
        job.stop_early()
        lane.gate.release()
        wait_until(lambda: job.is_finished)
    finally:
        lane.close()
    finished = range(1, len(sources), 2)
    assert job.completed_indices == tuple(finished)
    traces = reports.to_json_lines(job, ATTENDED).splitlines()
    assert [line == b"null" for line in traces] == [place not in finished for place in range(len(sources))]
    assert Trace.from_json(traces[3]).source.text == sources[3]
    assert reports.to_pharaoh(job, ATTENDED).splitlines() == ["", "0-0 1-1"] * service.MAX_SLICE_SENTENCES
    blocks = reports.to_nematus(job, ATTENDED).split("\n\n")[:-1]
    assert [int(block.split(" ||| ")[0]) for block in blocks] == list(finished)
    assert reports.has_attention(job, ATTENDED)


def test_commands_read_what_the_page_read(finished_job: Job, tmp_path: Path) -> None:
    expected = [f"python -m model evaluate sentences.tsv --model {name} --beam 1" for name in (ATTENDED, PLAIN)]
    assert reports.build_commands(finished_job) == expected
    file = tmp_path / reports.get_file_name(finished_job)
    file.write_text(reports.to_text(finished_job), "utf-8")
    document = finished_job.document
    assert ParallelText.read(file).pairs == tuple(zip(document.sources, document.references or (), strict=True))
    queue = SliceQueue()
    try:
        job = run_job(jobs.JobStore(queue), read_table("the sea\n\nI <see> it"))
    finally:
        queue.close()
    assert reports.build_commands(job)[0] == f"python -m model translate sentences.txt --model {ATTENDED} --beam 1"
    assert reports.to_text(job) == "the sea\nI <see> it\n"


def test_style_of_a_job_is_in_its_requests_links_and_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "has_style_tags", lambda name: name == ATTENDED)
    monkeypatch.setattr(job_results.state, "read_link_param", lambda *_, **__: None)
    queue = SliceQueue()
    try:
        table = read_table("the sea\n\nI see it")
        formal, plain = (jobs.JobStore(queue).start(table, (ATTENDED, PLAIN), Settings(), style=style)
                         for style in ("formal", ""))  # fmt: skip
        wait_until(lambda: formal.is_finished and plain.is_finished)
    finally:
        queue.close()
    requests = {(reader, name): texts for reader, name, texts in queue.requests}
    assert requests.pop((formal.key, ATTENDED)) == ("<formal> the sea", "<formal> I see it")
    assert list(requests.values()) == [("the sea", "I see it")] * 3
    assert job_results.build_link_values(formal)["style"] == "formal"
    assert "style" not in job_results.build_link_values(plain)
    assert reports.to_text(formal) == "<formal> the sea\n<formal> I see it\n"


def test_scores_equal_sacrebleu(finished_job: Job) -> None:
    for evaluation in scores.score_job(finished_job):
        outputs = [outcome.output for outcome in finished_job.results[evaluation.model] if outcome]
        corpus = BLEU().corpus_score(outputs, [list(finished_job.document.references or ())])
        assert evaluation.overall.bleu == pytest.approx(corpus.score)
        counts = [*corpus.counts, *corpus.totals, corpus.sys_len, corpus.ref_len]
        assert evaluation.statistics.sum(axis=0).tolist() == counts
        assert sum(point.sentences for point in evaluation.points) == evaluation.overall.sentences == 3
        assert evaluation.points[0].bleu == pytest.approx(corpus.score)  # all three are short
        assert evaluation.signatures[0].startswith("nrefs:1|")
        assert "tok:13a" in evaluation.signatures[0]
        assert evaluation.chrf == pytest.approx(compute_chrf(outputs, list(finished_job.document.references or ()))[0])
        assert evaluation.chrf_per_bin[0] == pytest.approx(evaluation.chrf)
        assert "nc:6" in evaluation.signatures[1]
    table = list(csv.DictReader(io.StringIO(scores.build_scores_csv(scores.score_job(finished_job)))))
    assert len(table) == 2 * 8


def test_scores_leave_out_failed_models(finished_job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_results.st, "session_state", {})
    assert [model_scores.model for model_scores in job_results.get_scores(finished_job, 3)] == [ATTENDED, PLAIN]
    finished_job.errors[PLAIN] = RuntimeError("a damaged network")
    assert [model_scores.model for model_scores in job_results.get_scores(finished_job, 3)] == [ATTENDED]


def test_invalid_open_events_are_ignored(finished_job: Job) -> None:
    for event in ({}, {"line": 4, "model": ATTENDED}, {"line": -1, "model": ATTENDED},
                  {"line": True, "model": ATTENDED}, {"line": "1"}, {"line": 1, "model": "x"}):  # fmt: skip
        job_results.open_in_page(finished_job, None, event)  # type: ignore[arg-type]  # no page is needed


def test_a_sentence_too_long_for_a_link_opens_without_being_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    queries: list[dict[str, str]] = []
    session: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    monkeypatch.setattr(st, "query_params", {})
    monkeypatch.setattr(st, "switch_page", lambda _, query_params: queries.append(query_params))
    job = Job("key", read_table("word " * params.MAX_CHARACTERS), (ATTENDED,), Settings())
    job_results.open_in_page(job, None, {"line": 1, "model": ATTENDED})  # type: ignore[arg-type]  # no page is opened
    assert [query.get("model") for query in queries] == [ATTENDED]
    assert "sentence" not in queries[0]
    assert session["sentence-last"] == job.document.sources[0]


def test_sentence_of_a_line_opens_in_another_page(open_page: OpenApp) -> None:
    """Sentences are finished in another order, so that indices of finished sentences change."""
    app = paste_text(open_page(), PAIRS)
    app.segmented_control(key="lang").set_value("ko").run()
    job = get_linked_job(app)
    assert job is not None
    job.results[ATTENDED][0] = None
    app.run()
    assert [row["line"] for row in get_bars_data(app)["rows"]] == [2, 3]
    app.session_state[job_results._OPEN_KEY] = {"line": 2, "model": ATTENDED, "other_model": PLAIN, "page": "compare"}
    app.run()
    assert not app.exception
    assert app.text_area(key="sentence").value == "the sea is calm"
    assert app.session_state["lang"] == "ko"


def test_rows_and_measures_agree_while_the_job_runs(
    open_page: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One more sentence is finished at every read."""
    app = paste_text(open_page(), PAIRS)
    counts = iter(range(1, 99))
    monkeypatch.setattr(jobs.Job, "completed_indices", property(lambda job: tuple(range(min(3, next(counts))))))
    app.run()
    assert not app.exception
    data = get_bars_data(app)
    all_series = [series for measure in data["measures"] for series in measure["series"]]
    assert {len(series["values"]) for series in all_series} == {len(data["rows"])}


def test_measures_of_a_shipped_set_follow_from_its_counts() -> None:
    index = evaluations.load_index()
    pair, _ = index.load_evaluations("newstest2014", index.models[:2], index.searches[0])
    measures = {measure.name: measure for measure in sentence_bars.build_evaluation_measures(pair, T)}
    ((_, differences),) = measures["difference"].series
    (_, firsts), (_, seconds) = measures["bleu"].series
    assert differences[0] == (firsts[0] or 0) - (seconds[0] or 0)
    counts = pair[0].statistics[7]
    assert measures["reference_ratio"].series[0][1][7] == counts[-2] / counts[-1]
    assert measures["length"].series[0][1] == pair[0].get_column("source_words").tolist()


def test_the_described_median_of_an_even_count_is_the_mean_of_the_middle_two() -> None:
    measure = sentence_bars.SentenceMeasure("bleu", (("one", [4.0, 1.0, None, 2.0, 8.0]),), "low")
    values = {"low": "1.0", "middle": "3.0", "high": "8.0"}
    expected = T("your_text.described", measure=T("measure.bleu"), label="one", **values)
    assert expected in sentence_bars.describe_bars("title", [measure], 5, T)
