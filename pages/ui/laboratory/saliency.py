"""Saliency: what each target word depends on in the source, by gradients or by leaving words out, beside α."""

from __future__ import annotations

from functools import partial

from model.analysis.attribution.saliency import compute_saliency
from model.analysis.attribution.saliency_record import Method, Saliency, measure_agreement
from model.trace import END_PIECE, Trace
from pages.ui.backend.cards import get_title
from pages.ui.charts.payload_parts import build_word_labels, round_rows
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.laboratory import exports
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.labels import DIGITS
from pages.ui.laboratory.payload_types import SaliencyData
from pages.ui.url_state import param_widgets, params
from pages.ui.widgets import downloads
from pages.ui.widgets.fetch import Request
from pages.ui.widgets.provenance import describe_provenance

KEY = "saliency"

_mount = Component("saliency", SaliencyData)


def render_saliency(context: ExperimentContext) -> None:
    """Draw the saliency map of the translation by the chosen method."""
    with frame.create_widget_row("experiment-row", 36, "medium"):
        method = param_widgets.draw_option_buttons(params.ATTRIBUTION_METHOD, context.t)
    answers = context.translate(Request(context.model_name, context.settings))
    if answers is None:
        return
    trace = answers[0][0]
    saliency = measure_saliency(context.with_model_of(trace), trace, method)
    if saliency is not None:
        data = build_saliency_payload(saliency, trace, context.t)
        _mount(key=KEY, data=data)
        with context.export_container:
            exports.render_html_button("saliency", KEY, data, trace, context.t)
            _render_file_buttons(saliency, trace, context.t)


def measure_saliency(context: ExperimentContext, trace: Trace, method: Method) -> Saliency | None:
    """Compute the saliency map of a translation; the status line shows the progress."""
    progress: list[float] = []  # appended to in the worker thread

    def describe_wait() -> str:
        if progress:
            return context.t("saliency.working", share=round(100 * progress[-1]))
        return context.t("laboratory.working")

    pieces = tuple(step.id for step in trace.steps)
    return context.measure(
        ("saliency", trace.source.text, pieces, method),
        lambda model, should_stop: compute_saliency(model, trace, method, progress.append, should_stop),
        describe_wait,
    )


def build_saliency_payload(saliency: Saliency, trace: Trace, t: Messages) -> SaliencyData:
    """Build the component's data: the map, α, and how alike they rank the source words."""
    values, end = saliency.compute_word_map_with_end(), t("saliency.end")
    agreement = measure_agreement(saliency, trace) if trace.has_attention else None
    return {
        "name": get_title(trace.provenance.model),
        "method": t(f"option.{saliency.method}"),
        "definition": t.format_for_component(f"saliency.means_{saliency.method}"),
        "languages": (trace.source_language, trace.target_language),
        "source": build_word_labels(trace.source, trace.source_language, end),
        "target": build_word_labels(trace.target, trace.target_language, end if trace.is_finished else ""),
        "values": round_rows(values, DIGITS),
        "alpha": round_rows(trace.compute_word_map_with_end(), DIGITS) if trace.has_attention else None,
        "ranks": [None if rank is None else round(rank, DIGITS) for rank in agreement.rows] if agreement else [],
        "overall": None if agreement is None or agreement.overall is None else round(agreement.overall, DIGITS),
        "completeness": _describe_completeness(saliency, t),
        "provenance": describe_provenance([trace], t),
        "messages": t.get_table("saliency"),
        "language": t.language,
    }


def _describe_completeness(saliency: Saliency, t: Messages) -> str:
    """Describe how exact integrated gradients are; "" for other methods."""
    if not saliency.points:
        return ""
    gap = format_decimal(100 * float(saliency.compute_completeness_gaps().max()), 1)
    return t("saliency.complete", gap=gap, points=max(saliency.points))


def _render_file_buttons(saliency: Saliency, trace: Trace, t: Messages) -> None:
    name = downloads.build_file_name(trace, saliency.method)
    exports.render_csv_button("saliency-csv", t("print.csv"), name, partial(build_saliency_csv, saliency),
                              t("saliency.csv_help"))  # fmt: skip
    downloads.draw_download_button("saliency-json", "JSON", f"{name}.json", "application/json", saliency.to_json,
                                t("saliency.json_help"))  # fmt: skip


def build_saliency_csv(saliency: Saliency) -> str:
    """Return the word map in nats: a row per target word, a column per source word."""
    values = saliency.compute_word_map_with_end()
    columns, rows = (
        [*side.words, *[END_PIECE] * (count - len(side.words))]
        for side, count in ((saliency.source, values.shape[1]), (saliency.target, values.shape[0]))
    )
    return build_csv(("target", *columns), ((word, *(f"{value:.6g}" for value in row))
                                            for word, row in zip(rows, values.tolist(), strict=True)))
