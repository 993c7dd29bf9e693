"""Other ways of asking: what each written word leaned on in the source, by gradients or by leaving words out, beside
alpha and its rank correlation with it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from model.analysis.attribution.saliency import compute_saliency
from model.analysis.attribution.saliency_record import Method, Saliency, measure_agreement
from model.decoding import StopCallback
from model.trace import Trace
from pages.ui.backend.cards import title_of
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.laboratory import exports
from pages.ui.laboratory.asking_types import AskingData
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.labels import DIGITS, build_word_labels, round_matrix
from pages.ui.url_state import links, picks
from pages.ui.widgets import saving
from pages.ui.widgets.provenance import provenance
from pages.ui.widgets.requests import Request, answer, before, seen_by

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

KEY = "asking"

_mount = Component("asking", AskingData)


def render_saliency(bench: ExperimentContext) -> None:
    """Draw what each word of the translation leaned on, asked in the way that the reader chose."""
    with frame.create_widget_row("experiment", 36, "medium"):
        method = picks.draw_option_buttons(links.ATTRIBUTION_METHOD, bench.t)
    requests = (Request(bench.model_name, bench.settings),)
    waiting = before(bench.sentence, requests)
    shown = waiting or answer(bench.sentence, requests, bench.t, bench.status)
    if shown is not None and not waiting:
        trace = seen_by(shown, bench.map_key)[0][0]
        found = measure_saliency(bench.with_model_of(trace), trace, method)
        if found is not None:
            data = build_saliency_payload(found, trace, bench.t)
            _mount(key=KEY, data=data)
            with bench.export_container:
                exports.render_html_button("asking", KEY, data, trace, bench.t)
                render_exports(found, trace, bench.t)
    if waiting:
        rerun_page()


def measure_saliency(bench: ExperimentContext, trace: Trace, method: Method) -> Saliency | None:
    """What the translation leaned on; the status line says how far the asking is."""
    t = bench.t
    share: list[float] = []  # grows in the thread that works

    def notice() -> str:
        return t("asking.working", share=round(100 * share[-1])) if share else t("laboratory.working")

    pieces = tuple(step.id for step in trace.steps)
    return bench.measure(("saliency", trace.source.text, pieces, method), partial(_ask, trace, method, share), notice)


def _ask(trace: Trace, method: Method, share: list[float], model: Model, stopped: StopCallback) -> Saliency:
    return compute_saliency(model, trace, method, share.append, stopped)


def build_saliency_payload(found: Saliency, trace: Trace, t: Messages) -> AskingData:
    """What the component draws."""
    values = found.word_map()
    agreed = measure_agreement(found, trace) if trace.has_attention else None
    return {
        "name": title_of(trace.made_by.model),
        "method": t(f"option.{found.method}"),
        "means": t.sent(f"asking.means_{found.method}"),
        "languages": (trace.source_language, trace.target_language),
        "source": build_word_labels(trace.source, trace.source_language, values.shape[1], t("asking.end")),
        "target": build_word_labels(trace.target, trace.target_language, values.shape[0], t("asking.end")),
        "values": round_matrix(values),
        "alpha": round_matrix(trace.compute_word_map_with_end()) if trace.has_attention else None,
        "ranks": [None if one is None else round(one, DIGITS) for one in agreed.rows] if agreed else [],
        "overall": None if agreed is None or agreed.overall is None else round(agreed.overall, DIGITS),
        "complete": _describe_completeness(found, t),
        "made": provenance([trace], t),
        "words": t.table("asking"),
        "language": t.language,
    }


def _describe_completeness(found: Saliency, t: Messages) -> str:
    if not found.points:
        return ""
    return t("asking.complete", gap=format_decimal(100 * float(found.completeness_gaps().max()), 1), points=max(found.points))


def render_exports(found: Saliency, trace: Trace, t: Messages) -> None:
    """The buttons that save the map: over words as CSV, over pieces as its own file."""
    name = saving.named(trace, found.method)
    saving.button("asking-csv", t("print.csv"), f"{name}.csv", "text/csv", partial(saliency_to_csv, found),
                  t("asking.csv_help"))  # fmt: skip
    saving.button("asking-json", "JSON", f"{name}.json", "application/json", found.to_json, t("asking.json_help"))


def saliency_to_csv(found: Saliency) -> str:
    """The map over words, in nats: a line a target word, a column a source word."""
    values = found.word_map()
    heads, rows = (
        [*side.words, *["</s>"] * (count - len(side.words))]
        for side, count in ((found.source, values.shape[1]), (found.target, values.shape[0]))
    )
    return build_csv(("target", *heads), ((word, *(f"{value:.6g}" for value in row))
                                          for word, row in zip(rows, values.tolist(), strict=True)))
