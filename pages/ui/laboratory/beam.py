"""The beam tree: every continuation that the search scored and its fate, the n best with their α, and what could come
next after any node."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from model.analysis.ablation.word_changes import align_traces
from model.checkpoints.checkpoint import Model
from model.decoding import Overrides, Settings, StopCallback
from model.decoding.translate import translate_n_best
from model.text.normalise import NormalisedText
from model.trace import END_PIECE, Candidate, Trace, continues_word
from model.trace.tree import Tree
from pages.ui.backend.cards import get_title
from pages.ui.backend.service import Traces
from pages.ui.charts import print_texts
from pages.ui.charts.payload_parts import build_word_labels, make_short_id, round_probability, round_rows
from pages.ui.charts.print_texts import PrintedRow, PrintedWord
from pages.ui.charts.printing import Drawing
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal, format_piece, typeset_text, typeset_with_tail
from pages.ui.laboratory import experiment_state, exports
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.labels import DIGITS
from pages.ui.laboratory.payload_types import BeamContinuation, BeamData, BeamHypothesis, BeamNode
from pages.ui.url_state import param_widgets, params, state
from pages.ui.widgets import downloads, print_figures
from pages.ui.widgets.fetch import Request
from pages.ui.widgets.provenance import describe_provenance

KEY = "beam"
MAX_PRUNED = 5  # pruned nodes drawn per step, the best ones; the CSV file has all
_SEARCH_KEY = "beam-of"  # the search that the selected node belongs to

_mount = Component("beam", BeamData)


def render_beam(context: ExperimentContext) -> None:
    """Draw the tree of a beam of the chosen width, with the forced prefix of the overrides."""
    t = context.t
    with frame.create_widget_row("experiment-row", 36, "medium"):
        width = int(param_widgets.draw_option_buttons(params.BEAM_WIDTH, t, str))
    node_number = state.get_param(params.BEAM_NODE)
    requests = [Request(context.model_name, Settings(beam=width, n_best=width, tree=True), context.overrides)]
    if context.overrides:  # for the comparison with the original translation
        requests.append(Request(context.model_name, Settings(beam=width)))
    answers = context.translate(*requests)
    if answers is None:
        return
    traces, *originals = answers
    trace, tree = traces[0], traces[0].tree
    if tree is None:
        return
    width = int(trace.provenance.settings["beam"])  # after a failure that of the previous search
    node = _get_selected_node(traces, tree, node_number)
    candidates = find_next_pieces(context.with_model_of(trace), trace, tree, node) if node >= 0 else ()
    data = build_beam_payload(traces, tree, node, candidates or (), width, t)
    _mount(key=KEY, data=data, on_node_change=_on_node, on_take_change=_on_take)
    with context.export_container:
        if originals and originals[0]:
            print_figures.draw_file_buttons(draw_comparison(originals[0][0], trace, t), t, key="beam")
        exports.render_html_button("beam", KEY, data, trace, t)
        exports.render_save_button(trace, t)
        exports.render_open_button(t)
        exports.render_csv_button("beam-csv", t("print.csv"), downloads.build_file_name(trace, "beam"),
                                  partial(build_tree_csv, tree), t("beam.csv_help"))  # fmt: skip


def make_search_id(traces: Traces) -> str:
    """Return a short id of a search: its sentence, weights, width and overrides."""
    provenance = traces[0].provenance
    search = (traces[0].source.text, provenance.fingerprint, provenance.settings.get("beam"), provenance.overrides)
    return make_short_id(search)


def _get_selected_node(traces: Traces, tree: Tree, node_number: int) -> int:
    """Return the index of the selected node (from 1 in the link), -1 for none; resets a node of another tree."""
    if state.store_and_compare(_SEARCH_KEY, make_search_id(traces)) or node_number > len(tree):
        state.reset_params(params.BEAM_NODE)
        return -1
    return node_number - 1


def _on_node() -> None:
    event: Any = experiment_state.read_event(KEY, "node", "beam")
    if not isinstance(event, dict) or event.get("search_id") != st.session_state.get(_SEARCH_KEY):
        return
    if isinstance(event.get("node"), int):
        st.session_state[params.BEAM_NODE.name] = max(0, min(event["node"] + 1, 99_999))


def _on_take() -> None:
    if experiment_state.take_prefix(KEY, "beam"):
        st.session_state[params.BEAM_NODE.name] = 0


def find_next_pieces(
    context: ExperimentContext, trace: Trace, tree: Tree, node: int
) -> tuple[Candidate, ...] | None:
    """Return the ten most likely pieces after a node's path; none after the end, or at the maximum length."""
    ids = tuple(tree.ids[index] for index in tree.get_path(node))
    if tree.pieces[node] == END_PIECE or len(ids) >= Settings().compute_max_target_length(len(trace.source.pieces)):
        return ()
    text = NormalisedText(trace.source.text)
    overrides = replace(Overrides.from_text(trace.provenance.overrides), prefix=ids)

    def find(model: Model, should_stop: StopCallback) -> tuple[Candidate, ...]:
        (best,) = translate_n_best(model, text, Settings(), should_stop=should_stop, overrides=overrides)
        return best.steps[len(ids)].candidates

    return context.measure(("next", text, overrides), find)


def build_beam_payload(
    traces: Traces, tree: Tree, selected_node: int, candidates: tuple[Candidate, ...], width: int, t: Messages
) -> BeamData:
    """Build the component's data; `candidates` may follow `selected_node`."""
    best = traces[0]
    child_ids = {tree.ids[node] for node in range(len(tree)) if tree.parents[node] == selected_node}
    return {
        "search_id": make_search_id(traces),
        "id": experiment_state.make_input_id(best.source.text, best.provenance.model),
        "name": get_title(best.provenance.model),
        "languages": (best.source_language, best.target_language),
        "source": build_word_labels(best.source, best.source_language, t("beam.end")),
        "width": width,
        "steps": max(tree.steps) + 1,
        "nodes": _build_nodes(tree, width, selected_node, t),
        "hypotheses": [_build_hypothesis(trace, tree, t) for trace in traces],
        "selected": selected_node,
        "continuations": [_build_continuation(candidate, candidate.id in child_ids, t) for candidate in candidates],
        "forced_count": len(Overrides.from_text(best.provenance.overrides).prefix),
        "provenance": describe_provenance(traces, t),
        "messages": t.get_table("beam"),
        "language": t.language,
    }


def _build_nodes(tree: Tree, width: int, selected_node: int, t: Messages) -> list[BeamNode]:
    """Build the visible nodes: of each step those kept and finished, the best pruned ones, and the selected one."""
    nodes: list[BeamNode] = []
    step, rank = -1, 0
    for node, piece in enumerate(tree.pieces):
        step, rank = (tree.steps[node], 0) if tree.steps[node] != step else (step, rank + 1)
        if rank >= width + MAX_PRUNED and node != selected_node:
            continue
        nodes.append({
            "number": node,
            "parent": tree.parents[node],
            "id": tree.ids[node],
            "step": step,
            "rank": min(rank, width + MAX_PRUNED),
            "text": format_piece(piece, t("beam.end")),
            "continues_word": continues_word(piece),
            "p": round_probability(tree.log_probabilities[node], DIGITS),
            "total_log_probability": round(tree.cumulative_log_probs[node], DIGITS),
            "fate": tree.get_fate(node),
        })  # fmt: skip
    return nodes


def _build_hypothesis(trace: Trace, tree: Tree, t: Messages) -> BeamHypothesis:
    return {
        "text": typeset_text(trace.target, trace.target_language),
        "score": round(trace.score, DIGITS),
        "is_finished": trace.is_finished,
        "path": list(tree.find_path([step.id for step in trace.steps]) or ()),
        "target": build_word_labels(trace.target, trace.target_language, t("beam.end") if trace.is_finished else ""),
        "alpha": round_rows(trace.compute_word_map_with_end(), DIGITS) if trace.has_attention else None,
    }


def _build_continuation(candidate: Candidate, is_taken: bool, t: Messages) -> BeamContinuation:
    return {
        "id": candidate.id,
        "text": format_piece(candidate.piece, t("beam.end")),
        "continues_word": continues_word(candidate.piece),
        "is_in_tree": is_taken,
        "p": round_probability(candidate.log_probability, DIGITS),
        "is_selectable": candidate.piece != END_PIECE,
    }


def draw_comparison(original: Trace, overridden: Trace, t: Messages) -> Drawing:
    """Draw the best translation without and with the overrides, with changed words marked."""
    pairs = [pair for pair in align_traces(original, overridden) if pair.is_changed]
    sides = (("before", original, {pair.word_before for pair in pairs}),
             ("after", overridden, {pair.word_after for pair in pairs}))  # fmt: skip
    rows = []
    for name, trace, marked_words in sides:
        words = [PrintedWord(gap, text, index in marked_words)
                 for index, (gap, text) in enumerate(typeset_with_tail(trace.target, trace.target_language))]
        rows.append(PrintedRow(t(f"console.{name}"), t("beam.score", score=format_decimal(trace.score, 2)), words))
    title = t("beam.picture", model=get_title(overridden.provenance.model), source=overridden.source.text)
    return print_texts.build_text_drawing(downloads.build_file_name(overridden, "beam"), rows, title)


def build_tree_csv(tree: Tree) -> str:
    """Return the whole tree, a row per node."""
    columns = ("node", "parent", "step", "token", "log p", "log p of the path", "score", "fate")
    return build_csv(columns, ((node + 1, tree.parents[node] + 1, tree.steps[node] + 1, tree.pieces[node],
                                tree.log_probabilities[node], tree.cumulative_log_probs[node], tree.scores[node],
                                tree.get_fate(node)) for node in range(len(tree))))
