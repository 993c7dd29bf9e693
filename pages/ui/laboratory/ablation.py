"""How much does this sentence need its attention? All rules in one picture, and what was measured over a set."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from model.analysis.ablation.ablation import Ablation, RuleAblation, ablate_sentence
from model.analysis.ablation.word_changes import END, align_traces
from model.analysis.evaluation.evaluation import EvaluationError
from model.analysis.evaluation.stored import load_records
from model.decoding import OverrideError, Overrides, Settings, StopCallback
from model.text.normalise import Normalised
from model.trace import END_PIECE, Trace
from pages.ui.backend.cards import find, title_of
from pages.ui.charts import print_texts
from pages.ui.charts.print_texts import PrintedRow, PrintedWord
from pages.ui.charts.printing import Drawing
from pages.ui.csv_table import build_csv
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal, typeset_with_tail
from pages.ui.laboratory import experiment_state, exports, need_set
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.payload_types import NeedData, NeedRow, NeedSet
from pages.ui.widgets import printed, saving
from pages.ui.widgets.provenance import provenance
from pages.ui.widgets.requests import Request, answer, before

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

KEY = "need"
RECORD_KIND = "attention-need"


def render_ablation(bench: ExperimentContext) -> None:
    """Draw how the sentence in the box fares under every rule."""
    requests = (Request(bench.model_name, bench.settings),)
    waiting = before(bench.sentence, requests)
    shown = waiting or answer(bench.sentence, requests, bench.t, bench.status)
    if shown is not None and not waiting:
        text = Normalised(shown[0][0].source.text)
        found = bench.measure(("need", text, bench.settings), partial(_need, text, bench.settings))
        if found is not None:
            data = build_ablation_payload(found, bench.t)
            need_set.mount(key=KEY, data=data, on_open_change=_on_open)
            need_set.render_own_text(bench)
            with bench.export_container:
                name = f"{saving.named(found.original, 'need')}.csv"
                printed.files(draw_ablation(data, found.original, bench.t), bench.t, key="need")
                exports.render_html_button("need", KEY, data, found.original, bench.t)
                saving.button("need-csv", bench.t("print.csv"), name, "text/csv", partial(ablation_to_csv, found, bench.t),
                              bench.t("print.csv_help"))  # fmt: skip
    if waiting:
        rerun_page()


def _need(text: Normalised, settings: Settings, model: Model, stopped: StopCallback) -> Ablation:
    return ablate_sentence(model, text, settings, stopped)


def _on_open() -> None:
    """The reader wants to see one of the rules at work: the console opens with it."""
    found: Any = experiment_state.read_event(KEY, "open", "need")
    try:
        edits = Overrides.from_text(found) if isinstance(found, str) else None
    except OverrideError:  # nothing that this page offers
        return
    if edits is not None:
        experiment_state.open_experiment("attention", edits)


def build_ablation_payload(found: Ablation, t: Messages) -> NeedData:
    """What the component draws."""
    trace = found.original
    return {
        "name": title_of(trace.made_by.model),
        "languages": (trace.source_language, trace.target_language),
        "translation": typeset_with_tail(trace.target, trace.target_language),
        "rows": [_build_row(trace, one, t) for one in found.rules],
        "set": _load_measured_set(trace.made_by.model, t),
        "made": provenance([trace], t),
        "words": t.table("need"),
        "language": t.language,
    }


def _build_row(trace: Trace, one: RuleAblation, t: Messages) -> NeedRow:
    flipped = {pair.after for pair in align_traces(trace, one.trace) if pair.is_changed}
    words = typeset_with_tail(one.trace.target, one.trace.target_language)
    was, now = _get_first_difference(trace, one)
    return {
        "said": need_set.describe_named_rule(one.name, t),
        "written": one.edits.to_text(),
        "kept": one.kept_words,
        "still": one.predicted_words,
        "lost": round(one.log_prob_loss, 6),
        "broke": _describe_difference(was, now, t),
        "ends": END_PIECE in (was, now),
        "text": [(gap, word, place in flipped) for place, (gap, word) in enumerate(words)],
    }


def _get_first_difference(trace: Trace, one: RuleAblation) -> tuple[str, str]:
    """The words of the column at which the translation first parts from `trace`, before and after: "" where nothing
    stands, END_PIECE for the end."""
    places = (one.first_change.before, one.first_change.after) if one.first_change is not None else (None, None)
    was, now = ("" if place is None else END_PIECE if place == END else of.target.words[place]
                for of, place in zip((trace, one.trace), places, strict=True))  # fmt: skip
    return was, now


def _describe_difference(was: str, now: str, t: Messages) -> str:
    """A first difference in words: a word replaced, put in or left out, or the end of one of them alone."""
    if END_PIECE in (was, now):
        return t("need.endless") if was else t("need.ended")
    if was and now:
        return t("need.replaced", was=was, now=now)
    return t("need.put_in", now=now) if now else t("need.left_out", was=was) if was else ""


def _load_measured_set(model: str, t: Messages) -> NeedSet | None:
    """What was measured with these weights over a set; None where nothing was, or what cannot be read."""
    card = find(model)
    try:
        measured = list(load_records(RECORD_KIND).values())
    except EvaluationError:
        return None
    record = next((one for one in measured if card is not None and one.get("fingerprint") == card.fingerprint), None)
    if record is None:
        return None
    title = t("need.set", sentences=f"{record['data']['sentences']:,}", data=record["data"]["name"].split(",")[0])
    return need_set.build_set_payload(record["given"], title, t)


def draw_ablation(data: NeedData, of: Trace, t: Messages) -> Drawing:
    """The translation before, and below it that of each rule, its words that flipped marked."""
    count = sum(word != "" for _, word in data["translation"])
    rows = [PrintedRow(data["name"], t("need.own"), [PrintedWord(gap, text) for gap, text in data["translation"]])]
    rows += [PrintedRow(one["said"], t("need.fared", kept=one["kept"], words=count,
                                  lost=format_decimal(-one["lost"], 1, plus=True)),
                 [PrintedWord(*word) for word in one["text"]]) for one in data["rows"]]  # fmt: skip
    title = t("need.picture", model=data["name"], source=of.source.text)
    return print_texts.build_text_drawing(saving.named(of, "need"), rows, title)


def ablation_to_csv(found: Ablation, t: Messages) -> str:
    """The table as CSV, a line a rule; of the first difference the word before and the one after."""
    heads = ("rule", "words", "kept", "still the likeliest", "nats lost", "first word lost", "first word in its place",
             "translation")  # fmt: skip
    return build_csv(heads, ((need_set.describe_named_rule(one.name, t), one.word_count, one.kept_words,
                              one.predicted_words, round(one.log_prob_loss, 6),
                              *_get_first_difference(found.original, one), one.trace.target.text)
                             for one in found.rules))
