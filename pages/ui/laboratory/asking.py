"""Other ways of asking: what each written word leaned on in the source, by gradients or by leaving words out, beside
alpha and its rank correlation with it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from model.analysis.attribution.saliency import ask
from model.analysis.attribution.saliency_record import Method, Saliency, agreement
from model.decoding import Stopped
from model.trace import Trace
from pages.ui.backend.cards import title_of
from pages.ui.components.component import Component
from pages.ui.csv_table import csv_table
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import decimal
from pages.ui.laboratory import page_file
from pages.ui.laboratory.asking_types import AskingData
from pages.ui.laboratory.bench import Bench
from pages.ui.laboratory.labels import DIGITS, labels, rounded
from pages.ui.url_state import links, picks
from pages.ui.widgets import saving
from pages.ui.widgets.provenance import provenance
from pages.ui.widgets.requests import Request, answer, before, seen_by

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

KEY = "asking"

_mount = Component("asking", AskingData)


def show(bench: Bench) -> None:
    """Draw what each word of the translation leaned on, asked in the way that the reader chose."""
    with frame.line("experiment", 36, "medium"):
        method = picks.choice(links.ASKED, bench.say)
    requests = (Request(bench.model, bench.search),)
    waiting = before(bench.sentence, requests)
    shown = waiting or answer(bench.sentence, requests, bench.say, bench.status)
    if shown is not None and not waiting:
        trace = seen_by(shown, bench.key)[0][0]
        found = asked(bench.of(trace), trace, method)
        if found is not None:
            data = payload(found, trace, bench.say)
            _mount(key=KEY, data=data)
            with bench.exports:
                page_file.button("asking", KEY, data, trace, bench.say)
                export(found, trace, bench.say)
    if waiting:
        rerun()


def asked(bench: Bench, trace: Trace, method: Method) -> Saliency | None:
    """What the translation leaned on; the status line says how far the asking is."""
    say = bench.say
    share: list[float] = []  # grows in the thread that works

    def notice() -> str:
        return say("asking.working", share=round(100 * share[-1])) if share else say("laboratory.working")

    pieces = tuple(step.id for step in trace.steps)
    return bench.measure(("saliency", trace.source.text, pieces, method), partial(_ask, trace, method, share), notice)


def _ask(trace: Trace, method: Method, share: list[float], model: Model, stopped: Stopped) -> Saliency:
    return ask(model, trace, method, share.append, stopped)


def payload(found: Saliency, trace: Trace, say: Messages) -> AskingData:
    """What the component draws."""
    values = found.word_map()
    agreed = agreement(found, trace) if trace.attends else None
    return {
        "name": title_of(trace.made_by.model),
        "method": say(f"option.{found.method}"),
        "means": say.sent(f"asking.means_{found.method}"),
        "languages": (trace.source_language, trace.target_language),
        "source": labels(trace.source, trace.source_language, values.shape[1], say("asking.end")),
        "target": labels(trace.target, trace.target_language, values.shape[0], say("asking.end")),
        "values": rounded(values),
        "alpha": rounded(trace.word_map_with_end()) if trace.attends else None,
        "ranks": [None if one is None else round(one, DIGITS) for one in agreed.rows] if agreed else [],
        "overall": None if agreed is None or agreed.overall is None else round(agreed.overall, DIGITS),
        "complete": _complete(found, say),
        "made": provenance([trace], say),
        "words": say.table("asking"),
        "language": say.language,
    }


def _complete(found: Saliency, say: Messages) -> str:
    if not found.points:
        return ""
    return say("asking.complete", gap=decimal(100 * float(found.gaps().max()), 1), points=max(found.points))


def export(found: Saliency, trace: Trace, say: Messages) -> None:
    """The buttons that save the map: over words as CSV, over pieces as its own file."""
    name = saving.named(trace, found.method)
    saving.button("asking-csv", say("print.csv"), f"{name}.csv", "text/csv", partial(to_csv, found),
                  say("asking.csv_help"))  # fmt: skip
    saving.button("asking-json", "JSON", f"{name}.json", "application/json", found.to_json, say("asking.json_help"))


def to_csv(found: Saliency) -> str:
    """The map over words, in nats: a line a target word, a column a source word."""
    values = found.word_map()
    heads, rows = (
        [*side.words, *["</s>"] * (count - len(side.words))]
        for side, count in ((found.source, values.shape[1]), (found.target, values.shape[0]))
    )
    return csv_table(("target", *heads), ((word, *(f"{value:.6g}" for value in row))
                                          for word, row in zip(rows, values.tolist(), strict=True)))
