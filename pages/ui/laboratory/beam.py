"""The beam, opened: every continuation that it looked at and what became of it, every hypothesis with its alpha, and at
any node what could have been taken instead."""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from model.analysis.ablation.word_changes import align_traces
from model.decoding import Overrides, Settings, StopCallback
from model.text.normalise import Normalised
from model.trace import END_PIECE, WORD_START, Candidate, Trace
from model.trace.tree import Tree
from pages.ui.backend.cards import title_of
from pages.ui.backend.service import Traces
from pages.ui.charts import print_texts
from pages.ui.charts.print_texts import PrintedRow, PrintedWord
from pages.ui.charts.printing import Drawing
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal, typeset_text, typeset_with_tail
from pages.ui.laboratory import experiment_state, exports
from pages.ui.laboratory.beam_types import BeamData, BeamHypothesis, BeamNext, BeamNode
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.labels import DIGITS, build_word_labels, round_matrix
from pages.ui.url_state import links, picks, state
from pages.ui.widgets import printed, saving
from pages.ui.widgets.provenance import provenance
from pages.ui.widgets.requests import Request, answer, before, seen_by

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

KEY = "beam"
MAX_PRUNED = 5  # of a step, the best of them: the others are in the file
_SEARCH_KEY = "beam-of"  # where the session keeps which tree the node belongs to

_mount = Component("beam", BeamData)


def render_beam(bench: ExperimentContext) -> None:
    """Draw the tree of a beam as wide as the reader chose, begun as the changes say."""
    t = bench.t
    with frame.create_widget_row("experiment", 36, "medium"):
        width = int(picks.draw_option_buttons(links.BEAM_WIDTH, t, text=str))
    node = state.get_param(links.BEAM_NODE)
    requests = [Request(bench.model_name, Settings(beam=width, n_best=width, tree=True), bench.overrides)]
    if bench.overrides:  # what it writes without them, to be seen beside it
        requests.append(Request(bench.model_name, Settings(beam=width)))
    waiting = before(bench.sentence, requests)
    shown = waiting or answer(bench.sentence, requests, t, bench.status)
    if shown is not None and not waiting:
        traces, *others = seen_by(shown, bench.map_key)
        tree = traces[0].tree
        if tree is not None:
            at = _get_selected_node(traces, tree, node)
            found = find_next_pieces(bench.with_model_of(traces[0]), traces[0], tree, at) if at >= 0 else ()
            data = build_beam_payload(traces, tree, at, found or (), width, t)
            _mount(key=KEY, data=data, on_node_change=_on_node, on_take_change=_on_take)
            with bench.export_container:
                if others and others[0]:
                    printed.files(draw_comparison(others[0][0], traces[0], t), t, key="beam")
                exports.render_html_button("beam", KEY, data, traces[0], t)
                exports.render_save_button(traces[0], t)
                exports.render_open_button(t)
                saving.button("beam-csv", t("print.csv"), f"{saving.named(traces[0], 'beam')}.csv", "text/csv",
                              partial(tree_to_csv, tree), t("beam.csv_help"))  # fmt: skip
    problem = exports.pop_problem(t)
    if problem:
        bench.show_problem(problem)
    if waiting:
        rerun_page()


def make_search_id(traces: Traces) -> str:
    """A short name of a search: another sentence, model, width or beginning has another."""
    one = traces[0]
    told = (one.source.text, one.made_by.fingerprint, one.made_by.settings.get("beam"), one.made_by.edits)
    return hashlib.sha256(repr(told).encode("utf-8", "backslashreplace")).hexdigest()[:12]


def _get_selected_node(traces: Traces, tree: Tree, node: int) -> int:
    """The node that is looked at, -1 for none: one of another tree, or of none, is forgotten."""
    if state.has_changed(_SEARCH_KEY, make_search_id(traces)) or node > len(tree):
        state.reset_params(links.BEAM_NODE)
        return -1
    return node - 1


def _on_node() -> None:
    """The reader has come to a node and rests there."""
    found: Any = experiment_state.read_event(KEY, "node", "beam")
    if isinstance(found, dict) and isinstance(found.get("node"), int) and found.get("of") == st.session_state.get(_SEARCH_KEY):
        st.session_state[links.BEAM_NODE.name] = max(0, min(found["node"] + 1, 99_999))


def _on_take() -> None:
    """The reader takes another piece, or gives back those that were given: the question begins otherwise."""
    found = experiment_state.read_change(KEY, "take", "beam")
    now = st.session_state.get(links.OVERRIDES.name)
    edits = now if isinstance(now, Overrides) else Overrides()
    prefix = experiment_state.parse_prefix(found)
    if prefix is not None:
        st.session_state[links.OVERRIDES.name] = replace(edits, prefix=prefix)
        st.session_state[links.BEAM_NODE.name] = 0


def find_next_pieces(bench: ExperimentContext, trace: Trace, tree: Tree, at: int) -> tuple[Candidate, ...] | None:
    """The ten likeliest pieces after the path of a node; none after a sentence's end, or at the greatest length."""
    ids = tuple(tree.ids[node] for node in tree.get_path(at))
    if tree.pieces[at] == END_PIECE or len(ids) >= Settings().max_target_length(len(trace.source.pieces)):
        return ()
    edits = replace(Overrides.from_text(trace.made_by.edits), prefix=ids)
    return bench.measure(("next", trace.source.text, edits), partial(_next, Normalised(trace.source.text), edits))


def _next(text: Normalised, edits: Overrides, model: Model, stopped: StopCallback) -> tuple[Candidate, ...]:
    from model.decoding.translate import translate_n_best

    (found,) = translate_n_best(model, text, Settings(), stopped=stopped, edits=edits)
    return found.steps[len(edits.prefix)].candidates


def build_beam_payload(
    traces: Traces, tree: Tree, at: int, found: tuple[Candidate, ...], width: int, t: Messages
) -> BeamData:
    """What the component draws."""
    best = traces[0]
    nodes = _build_nodes(tree, width, at, t)
    there = {tree.ids[node] for node in range(len(tree)) if tree.parents[node] == at}
    return {
        "of": make_search_id(traces),
        "question": experiment_state.make_question_id(best.source.text, best.made_by.model),
        "name": title_of(best.made_by.model),
        "languages": (best.source_language, best.target_language),
        "source": build_word_labels(best.source, best.source_language, len(best.source.words) + 1, t("beam.end")),
        "width": width,
        "steps": max(tree.steps) + 1,
        "ranks": max(node["rank"] for node in nodes) + 1,
        "nodes": nodes,
        "hypotheses": [_build_hypothesis(trace, tree, t) for trace in traces],
        "at": at,
        "next": [_build_candidate(one, one.id in there, t) for one in found],
        "given": len(Overrides.from_text(best.made_by.edits).prefix),
        "made": provenance(traces, t),
        "words": t.table("beam"),
        "language": t.language,
    }


def _build_nodes(tree: Tree, width: int, at: int, t: Messages) -> list[BeamNode]:
    """The nodes that are drawn: of each step those kept and finished, the best that were pruned, and the one looked
    at."""
    drawn: list[BeamNode] = []
    step, rank = -1, 0
    for node in range(len(tree)):
        step, rank = (tree.steps[node], 0) if tree.steps[node] != step else (step, rank + 1)
        if rank >= width + MAX_PRUNED and node != at:
            continue
        drawn.append({
            "number": node,
            "parent": tree.parents[node],
            "id": tree.ids[node],
            "step": step,
            "rank": min(rank, width + MAX_PRUNED),
            "text": _get_piece_text(tree.pieces[node], t),
            "joined": _continues_word(tree.pieces[node]),
            "p": round(math.exp(min(0.0, tree.log_probabilities[node])), DIGITS),
            "total": round(tree.cumulative_log_probs[node], DIGITS),
            "fate": tree.get_fate(node),
        })  # fmt: skip
    return drawn


def _get_piece_text(piece: str, t: Messages) -> str:
    return t("beam.end") if piece == END_PIECE else piece.removeprefix(WORD_START) or "␣"


def _continues_word(piece: str) -> bool:
    return not piece.startswith(WORD_START) and piece != END_PIECE


def _build_hypothesis(trace: Trace, tree: Tree, t: Messages) -> BeamHypothesis:
    weights = trace.compute_word_map_with_end() if trace.has_attention else None
    count = len(trace.target.words) + trace.finished
    return {
        "text": typeset_text(trace.target, trace.target_language),
        "score": round(trace.score, DIGITS),
        "finished": trace.finished,
        "path": list(tree.find_path([step.id for step in trace.steps]) or ()),
        "target": build_word_labels(trace.target, trace.target_language, count, t("beam.end")),
        "alpha": None if weights is None else round_matrix(weights),
    }


def _build_candidate(one: Candidate, taken: bool, t: Messages) -> BeamNext:
    return {"id": one.id, "text": _get_piece_text(one.piece, t), "joined": one.continues_word, "taken": taken,
            "p": round(math.exp(min(0.0, one.log_probability)), DIGITS), "free": one.piece != END_PIECE}  # fmt: skip


def draw_comparison(before: Trace, after: Trace, t: Messages) -> Drawing:
    """The best translation without the changes, and with them, the words that flipped marked."""
    pairs = align_traces(before, after)
    lost = {pair.before for pair in pairs if pair.is_changed}
    new = {pair.after for pair in pairs if pair.is_changed}
    rows = [PrintedRow(t(f"console.{name}"), t("beam.score", score=format_decimal(trace.score, 2)),
                [PrintedWord(gap, text, place in marked)
                 for place, (gap, text) in enumerate(typeset_with_tail(trace.target, trace.target_language))])
            for name, trace, marked in (("before", before, lost), ("after", after, new))]  # fmt: skip
    title = t("beam.picture", model=title_of(after.made_by.model), source=after.source.text)
    return print_texts.build_text_drawing(saving.named(after, "beam"), rows, title)


def tree_to_csv(tree: Tree) -> str:
    """The whole tree, a line a node."""
    heads = ("node", "parent", "step", "piece", "log p", "log p of the path", "score", "fate")
    return build_csv(heads, ((node + 1, tree.parents[node] + 1, tree.steps[node] + 1, tree.pieces[node],
                              tree.log_probabilities[node], tree.cumulative_log_probs[node], tree.scores[node], tree.get_fate(node))
                             for node in range(len(tree))))
