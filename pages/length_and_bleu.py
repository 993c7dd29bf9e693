"""Length and BLEU: BLEU by source length, learning curves, and the onset of alignment during training."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.analysis.alignment.onset import MIN_CORRELATION, MIN_MEAN_MAXIMUM, MIN_WEIGHT
from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.learning_curve import TRAINING_UNITS, TrainingUnit
from model.analysis.paper.published import TABLE_2
from pages import guard
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import (
    DamagedFile,
    EvaluationIndex,
    EvaluationSearch,
    describe_search,
    describe_test_set,
    has_evaluations,
    load_pair_index,
    slugify,
)
from pages.ui.charts import curves, learning_curves, print_curves, training_curves
from pages.ui.charts.curves import LengthCurve
from pages.ui.escape import escape_html, escape_markdown
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_millions
from pages.ui.results import alignment_onset, joined
from pages.ui.url_state import param_widgets, params
from pages.ui.url_state.state import get_messages, record_fingerprints
from pages.ui.widgets import controls, downloads, folds, print_figures, tables
from pages.ui.widgets.screen import get_font_scale, is_dark
from pages.ui.widgets.status import format_alert


def main() -> None:
    t = get_messages()
    frame.load_page_styles("length_and_bleu")
    index = load_pair_index(params.get_chosen_pair())
    if not index.entries:
        st.html(format_alert(t("length.nothing")))
        return
    sets, search, models, binning, exports = draw_controls(index, t)
    with st.container(key="status", height=30, border=False):
        status = st.empty()
    heading = st.container(key="finding")
    curves_by_set, damaged_files = draw_length_curves(index, sets, models, search, binning, status, t)
    if not sets or not models:
        show_notice(status, t("length.choose"))
    elif not has_evaluations(pair := params.get_chosen_pair()):
        show_notice(status, t("length.other_pair", pair=controls.name_pair(pair)))
    finding, method = describe_first_set(curves_by_set, index, t)
    if finding:  # st.html rejects an empty text
        heading.html(finding)
    with st.container(key="to-paper"):
        frame.draw_page_link("paper_figures", t("length.paper"))
    tables_of_sets = [tables.render_curve_table(group, t) for group in curves_by_set if group]
    if tables_of_sets:
        folds.create_fold("curves", t).html(method + "".join(tables_of_sets))
    longer = joined.format_joined_table(models, t)
    if longer:
        folds.create_fold("joined", t, t("joined.heading")).html(longer)
    with exports:
        downloads.draw_download_button("curves-csv", t("print.csv"), "bleu-by-length.csv", "text/csv",
                      lambda: curves.to_csv([curve for group in curves_by_set for curve in group]),
                      t("length.csv_help"))  # fmt: skip
    unit = draw_learning_curves(models, t)
    draw_training_curves(models, unit, t)
    draw_alignment_onset(models, t)
    record_fingerprints(curve.evaluation.fingerprint for group in curves_by_set for curve in group)
    damaged_files = [*index.damaged_files, *damaged_files]
    if damaged_files:
        name, reason = damaged_files[0]
        sentences = [t("length.damaged", file=name, reason=reason)]
        if damaged_files[1:]:
            sentences.append(t("length.damaged_more", more=len(damaged_files) - 1))
        status.html(format_alert(" ".join(sentences)))


def draw_controls(
    index: EvaluationIndex, t: Messages
) -> tuple[list[str], EvaluationSearch, tuple[str, ...], str, DeltaGenerator]:
    """Draw the controls; return test sets, search, models, bins, and the container for the download."""
    by_slug = {slugify(name): name for name in index.test_sets}
    by_key = {search.key: search for search in index.searches}
    with st.container(key="options"):
        with frame.create_widget_row("options-sets", 36, "medium"):
            controls.draw_pair_control(t)
            slugs = param_widgets.draw_multi_buttons(
                params.TEST_SETS, t("length.sets"), lambda key: describe_test_set(by_slug[key], t, index.test_sets), t
            )
            key = next(iter(by_key))
            if len(by_key) > 1:
                key = param_widgets.draw_buttons(
                    params.EVALUATED_SEARCH, t("length.search"), lambda key: describe_search(by_key[key], t), t
                )
            binning = param_widgets.draw_buttons(
                params.LENGTH_BINS, t("length.bins"), lambda key: format_bins(key, t), t
            )
        with frame.create_widget_row("options-curves", 36, "medium"):
            models = param_widgets.draw_multi_buttons(
                params.CURVE_MODELS, t("length.models"), lambda name: escape_markdown(get_title(name)), t
            )
            exports = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    return [by_slug[name] for name in slugs], by_key[key], models, binning, exports


def draw_length_curves(
    index: EvaluationIndex,
    sets: Sequence[str],
    models: Sequence[str],
    search: EvaluationSearch,
    binning: str,
    status: DeltaGenerator,
    t: Messages,
) -> tuple[list[list[LengthCurve]], list[DamagedFile]]:
    """Draw a figure for each test set; return the curves of each, and the unreadable files."""
    by_set: list[tuple[str, tuple[Evaluation, ...]]] = []
    damaged_files: list[DamagedFile] = []
    for name in sets:
        evaluations, unreadable_files = index.load_evaluations(name, models, search)
        damaged_files += unreadable_files
        by_set.append((name, evaluations))
    if binning != params.LENGTH_BINNINGS[0]:
        show_notice(status, t("length.resampling"))
    curves_by_set = [[curves.get_curve(evaluation, binning) for evaluation in evaluations] for _, evaluations in by_set]
    status.empty()
    top = curves.find_max_bleu([curve for group in curves_by_set for curve in group])
    for (name, _), group in zip(by_set, curves_by_set, strict=True):
        title = describe_test_set(name, t, index.test_sets)
        if len(sets) > 1:
            st.html(f"<h3>{escape_html(title)}</h3>")
        missing_models = [model for model in models if model not in {curve.model for curve in group}]
        if missing_models:
            names = ", ".join(map(get_title, missing_models))
            st.html(f"<p>{escape_html(t('length.missing', models=names, set=title))}</p>")
        if not group:
            continue
        description = curves.describe_curves(group, title, t)
        st.plotly_chart(
            curves.build_figure(
                group, t, top=top, is_dark=is_dark(), font_scale=get_font_scale(), height=420 if len(sets) == 1 else 320
            ),
            key=f"curve-{slugify(name)}",
            config=curves.PLOTLY_CONFIG,
            alt=description,
        )
        drawing = print_curves.build_curves_drawing(f"bleu-by-length-{slugify(name)}", group, description, t)
        with st.container(key=f"files-{slugify(name)}", horizontal=True, gap="xsmall"):
            print_figures.draw_file_buttons(drawing, t)
    return curves_by_set, damaged_files


def describe_first_set(
    curves_by_set: Sequence[Sequence[LengthCurve]], index: EvaluationIndex, t: Messages
) -> tuple[str, str]:
    """Return what the first figure shows in one sentence, and how that was decided, as HTML; "" without an answer."""
    group = next(filter(None, curves_by_set), None)
    if group is None:
        return "", ""
    evaluations = [curve.evaluation for curve in group]
    name = describe_test_set(evaluations[0].data.name, t, index.test_sets)
    summary, confidence = curves.describe_changes(evaluations, name, t)
    if not summary:
        return "", ""
    training = curves.describe_training_hours(evaluations, t)
    return (
        f"<h2>{escape_html(summary)}</h2>" + (f"<p>{escape_html(training)}</p>" if training else ""),
        f"<p>{escape_html(confidence)}</p>",
    )


def draw_learning_curves(models: Sequence[str], t: Messages) -> TrainingUnit:
    """Draw BLEU by amount of training; return the chosen unit, target tokens ("pieces") or hours."""
    learning = learning_curves.load_learning_curves()
    text = learning.choose_text(models)
    errors = [f"<p>{escape_html(t('learning.damaged', model=get_title(name), reason=reason))}</p>"
              for name, reason in learning.errors if name in models]  # fmt: skip
    if not text:
        if errors:
            st.html("".join(errors))
        return TRAINING_UNITS[0]
    with st.container(key="learning"):
        st.html(f"<h2>{escape_html(t('learning.heading'))}</h2>{''.join(errors)}")
        finding = st.empty()
        with frame.create_widget_row("measure", 30):
            unit = param_widgets.draw_buttons(
                params.TRAINING_UNIT, t("learning.by"), lambda key: t(f"learning.{key}"), t
            )
        selected_curves = learning.select(models, text, unit)
        if len(selected_curves) > 1 and unit == "hours" and learning_curves.choose_training_unit(models) != unit:
            comparison = t("learning.machines")
        else:
            comparison = learning_curves.describe_common_amount(selected_curves, unit, t)
        if comparison:
            finding.html(f"<p>{escape_html(comparison)}</p>")
        drawing = print_curves.build_learning_drawing(selected_curves, text, unit, t)
        st.plotly_chart(
            learning_curves.build_figure(selected_curves, unit, t, is_dark=is_dark(), font_scale=get_font_scale()),
            key="learnt-curves",
            config=curves.PLOTLY_CONFIG,
            alt=drawing.title,
        )
        missing_titles = [get_title(name) for name in models if name not in {curve.model for curve in selected_curves}]
        if missing_titles:
            st.html(f"<p>{escape_html(t('learning.missing', models=', '.join(missing_titles), set=text))}</p>")
        with st.container(key="files-learning", horizontal=True, gap="xsmall"):
            print_figures.draw_file_buttons(drawing, t)
            downloads.draw_download_button("learning-csv", t("print.csv"), "bleu-while-learning.csv", "text/csv",
                          lambda: learning_curves.to_csv(learning, models))  # fmt: skip
        hours = [row.hours for row in TABLE_2 if not row.system.endswith("*")]
        method = t.format_html("learning.how", set=text, least=min(hours), most=max(hours))
        folds.create_fold("learning", t).html(f"<p>{method}</p>")
    return unit


def draw_training_curves(models: Sequence[str], unit: TrainingUnit, t: Messages) -> None:
    """Draw BLEU by length during training, a figure per model, when the reader has opened them."""
    all_curves, diary_errors = training_curves.load_training_curves(models)
    by_model = {model_curves.model: model_curves for model_curves in all_curves if model_curves.moments}
    selected_curves = [by_model[name] for name in models if name in by_model]
    errors = "".join(
        f"<p>{escape_html(t('training_curves.damaged', model=get_title(name), reason=reason))}</p>"
        for name, reason in diary_errors
    )
    if errors:
        st.html(errors)
    if not selected_curves:
        return
    with st.container(key="training-curves"), folds.create_fold("training-curves", t, t("training_curves.heading")):
        if not folds.is_open("training-curves"):
            return
        st.html(f"<p>{t.format_html('training_curves.how', sentences=training_curves.MAX_SENTENCES_PER_BIN)}</p>")
        top = training_curves.find_max_bleu(selected_curves, unit)
        for start in range(0, len(selected_curves), 2):
            row = selected_curves[start : start + 2]
            for column, model_curves in zip(st.columns(2, gap="large"), row, strict=False):
                drawing = print_curves.build_training_drawing(model_curves, unit, t)
                column.plotly_chart(
                    training_curves.build_figure(
                        model_curves, unit, t, top=top, is_dark=is_dark(), font_scale=get_font_scale()
                    ),
                    key=f"training-curves-{model_curves.model}",
                    config=curves.PLOTLY_CONFIG,
                    alt=drawing.title,
                )
                with column.container(key=f"files-training-curves-{model_curves.model}", horizontal=True, gap="xsmall"):
                    # With a key: the names of drawings may be equal.
                    print_figures.draw_file_buttons(drawing, t, key=f"training-curves-{model_curves.model}")
        downloads.draw_download_button(
            "training-curves-csv", t("training_curves.csv"), "bleu-in-training.csv", "text/csv",
            lambda: training_curves.to_csv(selected_curves),
        )  # fmt: skip


def draw_alignment_onset(models: Sequence[str], t: Messages) -> None:
    """Draw α of the diaries' sentences at each moment of the training."""
    with st.container(key="alignment-onset"):
        heading = st.empty()
        summary = alignment_onset.render_alignment_onset(models, t)
        if summary:
            lead = t("alignment_onset_section.lead", sentences=summary.probe_count)
            heading.html(f"<h2>{escape_html(t('alignment_onset_section.heading'))}</h2><p>{escape_html(lead)}</p>")
            method = t("alignment_onset_section.how", sure=MIN_MEAN_MAXIMUM, looks=MIN_WEIGHT, rising=MIN_CORRELATION)
            coverage_note = t(
                "alignment_onset_section.until", last=format_millions(summary.diary_tokens, t),
                all=format_millions(summary.training_tokens, t), model=summary.title,
            )  # fmt: skip
            folds.create_fold("alignment-onset", t).html(f"<p>{escape_html(method)} {escape_html(coverage_note)}</p>")


def show_notice(status: DeltaGenerator, text: str) -> None:
    status.html(f'<p role="status">{escape_html(text)}</p>')


def format_bins(binning: str, t: Messages) -> str:
    kind, _, parts = binning.rpartition("-")
    return t("length.equal", parts=parts) if kind else t("length.even", words=parts)


guard()
main()
