"""Length and BLEU: how well the models translate sentences of every length, and how that came about in training."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.analysis.alignment.onset import MIN_CORRELATION, MIN_MEAN_MAXIMUM, MIN_WEIGHT
from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.learning_curve import AMOUNTS, Amount
from model.analysis.paper.published import PAPER, TABLE_1, TABLE_2
from pages import guard
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import Damage, Index, Search, describe_search, describe_test_set, load_index, slugify
from pages.ui.charts import curves, learning_curves, print_curves, training_curves
from pages.ui.charts.curves import LengthCurve
from pages.ui.escape import escape_html, escape_markdown
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_millions
from pages.ui.results import birth
from pages.ui.url_state import param_widgets, params
from pages.ui.url_state.state import get_messages, record_fingerprints
from pages.ui.widgets import downloads, print_figures, tables
from pages.ui.widgets.screen import get_font_scale, is_dark

BARE = {"displayModeBar": False}  # what a picture leaves as has its buttons below


def main() -> None:
    t = get_messages()
    frame.load_page_styles("length_and_bleu")
    stand = load_index()
    if not stand.entries:
        st.html(f'<p role="alert">{escape_html(t("length.nothing"))}</p>')
        return
    sets, search, models, binning, exports = controls(stand, t)
    with st.container(key="status", height=30, border=False):
        status = st.empty()
    heading = st.container(key="finding")
    drawings, paper = st.columns([7, 3], gap="large")
    with paper:
        st.html(published(t))
    drawn, damaged = draw(drawings, stand, sets, models, search, binning, status, t)
    if not sets or not models:
        notice(status, t("length.choose"))
    found = headline(drawn, stand, t)
    if found:  # st.html takes no empty text
        heading.html(found)
    with exports:
        downloads.draw_download_button("curves-csv", t("print.csv"), "bleu-by-length.csv", "text/csv",
                      lambda: curves.to_csv([curve for group in drawn for curve in group]),
                      t("length.csv_help"))  # fmt: skip
    grow(models, learn(models, t), t)
    born(models, t)
    record_fingerprints(curve.evaluation.fingerprint for group in drawn for curve in group)
    damaged = [*stand.damaged, *damaged]
    if damaged:
        name, reason = damaged[0]
        told = [t("length.damaged", file=name, reason=reason)]
        if damaged[1:]:
            told.append(t("length.damaged_more", more=len(damaged) - 1))
        notice(status, " ".join(told), "alert")


def controls(stand: Index, t: Messages) -> tuple[list[str], Search, tuple[str, ...], str, DeltaGenerator]:
    """The choices: test sets, search, models, bins; and the place for the download."""
    by_slug = {slugify(name): name for name in stand.sets}
    by_key = {search.key: search for search in stand.searches}
    with st.container(key="options"):
        with frame.create_widget_row("options-sets", 36, "medium"):
            slugs = param_widgets.draw_multi_buttons(
                params.TEST_SETS, t("length.sets"), lambda key: describe_test_set(by_slug[key], t, stand.sets), t
            )
            key = next(iter(by_key))
            if len(by_key) > 1:
                key = param_widgets.draw_buttons(
                    params.EVALUATED_SEARCH, t("length.search"), lambda key: describe_search(by_key[key], t), t
                )
            binning = param_widgets.draw_buttons(
                params.LENGTH_BINS, t("length.bins"), lambda key: shown_bins(key, t), t
            )
        with frame.create_widget_row("options-curves", 36, "medium"):
            models = param_widgets.draw_multi_buttons(
                params.CURVE_MODELS, t("length.models"), lambda name: escape_markdown(get_title(name)), t
            )
            exports = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    return [by_slug[name] for name in slugs], by_key[key], models, binning, exports


def draw(
    place: DeltaGenerator,
    stand: Index,
    sets: Sequence[str],
    models: Sequence[str],
    search: Search,
    binning: str,
    status: DeltaGenerator,
    t: Messages,
) -> tuple[list[list[LengthCurve]], list[Damage]]:
    """A picture and a table for each test set; returns the curves of each, and what could not be read."""
    found: list[tuple[str, tuple[Evaluation, ...]]] = []
    damaged: list[Damage] = []
    for name in sets:
        evaluations, broken = stand.of(name, models, search)
        damaged += broken
        found.append((name, evaluations))
    if binning != params.LENGTH_BINNINGS[0]:
        notice(status, t("length.resampling"))
    drawn = [[curves.get_curve(one, binning) for one in evaluations] for _, evaluations in found]
    status.empty()
    top = curves.find_max_bleu([curve for group in drawn for curve in group])
    with place:
        for (name, _), group in zip(found, drawn, strict=True):
            shown = describe_test_set(name, t, stand.sets)
            if len(sets) > 1:
                st.html(f"<h3>{escape_html(shown)}</h3>")
            missing = [model for model in models if model not in {curve.model for curve in group}]
            if missing:
                names = ", ".join(map(get_title, missing))
                st.html(f"<p>{escape_html(t('length.missing', models=names, set=shown))}</p>")
            if not group:
                continue
            described = curves.describe_curves(group, shown, t)
            st.plotly_chart(
                curves.build_figure(
                    group, t, top=top, dark=is_dark(), enlarge=get_font_scale(), height=420 if len(sets) == 1 else 320
                ),
                key=f"curve-{slugify(name)}",
                config=BARE,
                alt=described,
            )
            drawing = print_curves.build_curves_drawing(f"bleu-by-length-{slugify(name)}", group, described, t)
            with st.container(key=f"files-{slugify(name)}", horizontal=True, gap="xsmall"):
                print_figures.draw_file_buttons(drawing, t)
            st.html(tables.render_curve_table(group, t))
    return drawn, damaged


def headline(drawn: Sequence[Sequence[LengthCurve]], stand: Index, t: Messages) -> str:
    """What the first picture shows, in one sentence, and how sure that is."""
    if not drawn or not drawn[0]:
        return ""
    evaluations = [curve.evaluation for curve in drawn[0]]
    long = curves.choose_long_threshold(evaluations[0])
    if long is None:
        return ""
    falls = [(one.model, curves.get_change(one, long)) for one in evaluations]
    name = describe_test_set(evaluations[0].data.name, t, stand.sets)
    sentence = curves.summarise_changes(falls, long, name, t)
    sure, trained = curves.describe_confidence(falls, t), curves.describe_training(evaluations, t)
    return f"<h2>{escape_html(sentence)}</h2><p>{escape_html(sure)}</p>" + (
        f"<p>{escape_html(trained)}</p>" if trained else ""
    )


def published(t: Messages) -> str:
    """What the paper says, apart from ours: its finding, the shape of its figure, its own numbers."""
    rows = "".join(
        f"<tr><th scope='row'>{escape_html(row.system)}</th><td>{row.bleu:.2f}</td><td>{row.no_unknown:.2f}</td></tr>"
        for row in TABLE_1
    )
    heads = "".join(f"<th scope='col'>{escape_html(text)}</th>" for text in (t("paper.all"), t("paper.no_unknown")))
    return (
        f"<aside class='paper'><h3>{escape_html(t('paper.heading'))}</h3>"
        f"<p>{t.format_html('paper.finding')}</p><p>{escape_html(t('paper.shape'))}</p>"
        f"<table><caption>{t.format_html('paper.table')}</caption>"
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        f"<p class='small'>{t.format_html('paper.apart')}</p><p class='small'>{escape_html(PAPER)}.</p></aside>"
    )


def learn(models: Sequence[str], t: Messages) -> Amount:
    """How far the models had come after so many pieces or hours, in one picture; returns which of the two it is."""
    found = learning_curves.load_learning_curves()
    text = found.choose_text(models)
    broken = [f"<p>{escape_html(t('learning.damaged', model=get_title(name), reason=why))}</p>"
              for name, why in found.damaged if name in models]  # fmt: skip
    if not text:
        if broken:
            st.html("".join(broken))
        return AMOUNTS[0]
    with st.container(key="learning"):
        hours = [row.hours for row in TABLE_2 if not row.system.endswith("*")]
        how = t.format_html("learning.how", set=text, least=min(hours), most=max(hours))
        st.html(f"<h2>{escape_html(t('learning.heading'))}</h2><p>{how}</p>{''.join(broken)}")
        with frame.create_widget_row("measure", 30):
            by = param_widgets.draw_buttons(params.TRAINING_UNIT, t("learning.by"), lambda key: t(f"learning.{key}"), t)
        of = found.select(models, text, by)
        st.html(f"<p>{escape_html(learning_curves.describe_common_amount(of, by, t))}</p>")
        drawing = print_curves.build_learning_drawing(of, text, by, t)
        st.plotly_chart(
            learning_curves.build_figure(of, by, t, dark=is_dark(), enlarge=get_font_scale()),
            key="learnt-curves",
            config=BARE,
            alt=drawing.title,
        )
        missing = [get_title(name) for name in models if name not in {one.model for one in of}]
        if missing:
            st.html(f"<p>{escape_html(t('learning.missing', models=', '.join(missing), set=text))}</p>")
        with st.container(key="files-learning", horizontal=True, gap="xsmall"):
            print_figures.draw_file_buttons(drawing, t)
            downloads.draw_download_button("learning-csv", t("print.csv"), "bleu-while-learning.csv", "text/csv",
                          lambda: learning_curves.to_csv(found, models))  # fmt: skip
    return by


def grow(models: Sequence[str], by: Amount, t: Messages) -> None:
    """How the curves came about: a picture for each model, from its diary."""
    found, damaged = training_curves.load_training_curves()
    shown = [one for model in models for one in found if one.model == model and one.moments]
    broken = [f"<p>{escape_html(t('growth.damaged', model=get_title(name), reason=why))}</p>" for name, why in damaged]
    if not shown:
        if broken:
            st.html("".join(broken))
        return
    with st.container(key="growth"):
        st.html(
            f"<h2>{escape_html(t('growth.heading'))}</h2>"
            f"<p>{t.format_html('growth.how', sentences=training_curves.MAX_SENTENCES_PER_BIN)}</p>{''.join(broken)}"
        )
        top = training_curves.find_max_bleu(shown, by)
        for start in range(0, len(shown), 2):
            for place, one in zip(st.columns(2, gap="large"), shown[start : start + 2], strict=False):
                drawing = print_curves.build_training_drawing(one, by, t)
                place.plotly_chart(
                    training_curves.build_figure(one, by, t, top=top, dark=is_dark(), enlarge=get_font_scale()),
                    key=f"growth-{one.model}",
                    config=BARE,
                    alt=drawing.title,
                )
                with place.container(key=f"files-growth-{one.model}", horizontal=True, gap="xsmall"):
                    print_figures.draw_file_buttons(
                        drawing, t, key=f"growth-{one.model}"
                    )  # drawings may have names alike
        downloads.draw_download_button("growth-csv", t("growth.csv"), "bleu-in-training.csv", "text/csv",
                      lambda: training_curves.to_csv(shown))  # fmt: skip


def born(models: Sequence[str], t: Messages) -> None:
    """How the alignments came about: α of the diaries' probes, moment by moment."""
    with st.container(key="born"):
        heading = st.empty()
        drawn = birth.render_birth(models, t)
        if drawn:
            far = {
                "last": format_millions(drawn.diary, t),
                "all": format_millions(drawn.training, t),
                "model": drawn.model,
            }
            told = t(
                "born.how", sentences=drawn.probes, sure=MIN_MEAN_MAXIMUM, looks=MIN_WEIGHT, rising=MIN_CORRELATION
            )
            heading.html(
                f"<h2>{escape_html(t('born.heading'))}</h2>"
                f"<p>{escape_html(told)} {escape_html(t('born.until', **far))}</p>"
            )


def notice(status: DeltaGenerator, text: str, role: str = "status") -> None:
    said = f'<p role="{role}">{escape_html(text)}</p>'
    status.html(said)


def shown_bins(binning: str, t: Messages) -> str:
    kind, _, parts = binning.rpartition("-")
    return t("length.equal", parts=parts) if kind else t("length.even", words=parts)


guard()
main()
