"""Choosing the next token: temperature, top-k and top-p, then greedy search against a beam.

The browser components are assets/player/concepts/next_token.js and beam_paths.js.
"""

from __future__ import annotations

import math
from functools import partial

import streamlit as st

from model.analysis.probing.next_token_record import TEMPERATURES, NextTokens
from model.checkpoints.checkpoint import Model
from model.decoding import Settings, StopCallback
from model.trace import Trace
from model.trace.tree import Tree
from pages.ui.components.component import Component
from pages.ui.concepts import idea_parts
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.recurrent_payload_types import BeamPathsData, NextTokenData, PathNode
from pages.ui.concepts.token_labels import label_token, label_tokens
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import join_tokens, typeset_text
from pages.ui.url_state import param_widgets, params
from pages.ui.widgets.fetch import Request
from pages.ui.widgets.translations import get_translations

MAX_PRUNED = 2  # pruned nodes drawn per step, the best ones

_mount_next_token = Component("next_token", NextTokenData)
_mount_beam_paths = Component("beam_paths", BeamPathsData)


def render_next_token(context: IdeaContext) -> None:
    """Draw the distribution of a step, then the tree of a beam."""
    t = context.t
    name = idea_parts.choose_model(context, "rnnsearch")
    if not name or not idea_parts.check_length(context):
        return
    distribution = st.container(gap=None)
    with frame.create_widget_row("experiment-row", 36, "medium"):
        width = int(param_widgets.draw_option_buttons(params.BEAM_WIDTH, t, str))
    searches = (params.SEARCHES["greedy"], Settings(beam=width, n_best=1, tree=True))
    answers = get_translations(context.sentence, [Request(name, search) for search in searches], t, context.status)
    if not answers or answers[0][0].provenance.model != name:  # after a failure: the previous ones, by another model
        return
    greedy = answers[0][0]
    key = ("next tokens", greedy.source.text, tuple(step.id for step in greedy.steps))
    steps = context.measure(name, key, partial(list_steps, greedy))
    if steps is not None:
        with distribution:
            _mount_next_token(key="concept-next-token", data=build_next_token_payload(greedy, steps, t))
    if answers[1] and answers[1][0].tree is not None:
        beam = answers[1][0]
        width = int(beam.provenance.settings["beam"])  # after a failure that of the previous search
        _mount_beam_paths(key="concept-beam-paths", data=build_beam_payload(greedy, beam, width, t))


def list_steps(trace: Trace, model: Model, should_stop: StopCallback) -> list[NextTokens]:
    """List the distributions of a translation."""
    from model.analysis.probing.next_tokens import list_next_tokens  # imports torch

    return list_next_tokens(model, trace, should_stop)


def build_next_token_payload(trace: Trace, steps: list[NextTokens], t: Messages) -> NextTokenData:
    """Return the data of the distributions."""
    labels = label_tokens(trace.target, t)
    return {
        "steps": [
            {
                "prefix": join_tokens(trace.target.pieces[:index]),
                "tokens": [label_token(token, t) for token in step.tokens],
                "log_probs": [round(value, idea_parts.DIGITS) for value in step.log_probs],
                "rest_count": step.rest_count,
                "rest_sums": [round(value, idea_parts.DIGITS) if math.isfinite(value) else None
                              for value in step.rest_log_sums],
            }
            for index, step in enumerate(steps)
        ],
        "translation": labels,
        "temperatures": list(TEMPERATURES),
        "target_language": trace.target_language,
        "messages": t.get_table("next_token"),
        "language": t.language,
    }  # fmt: skip


def build_beam_payload(greedy: Trace, beam: Trace, width: int, t: Messages) -> BeamPathsData:
    """Return the data of the tree."""
    tree = beam.tree
    assert tree is not None
    best = set(tree.find_path([step.id for step in beam.steps]) or ())
    texts = [typeset_text(trace.target, trace.target_language) for trace in (greedy, beam)]
    return {
        "nodes": _build_nodes(tree, best, find_shared_path(tree, greedy), t),
        "width": width,
        "results": [(text, round(trace.log_probability, 2), round(trace.log_probability / len(trace.steps), 3))
                    for text, trace in zip(texts, (greedy, beam), strict=True)],
        "is_same": [step.id for step in greedy.steps] == [step.id for step in beam.steps],
        "target_language": beam.target_language,
        "messages": t.get_table("beam_paths"),
        "language": t.language,
    }  # fmt: skip


def find_shared_path(tree: Tree, greedy: Trace) -> set[int]:
    """Return the nodes of the greedy translation, as far as the beam considered them."""
    ids = [step.id for step in greedy.steps]
    paths = (tree.find_path(ids[:count]) for count in range(len(ids), 0, -1))
    return set(next((path for path in paths if path), ()))


def _build_nodes(tree: Tree, best: set[int], greedy: set[int], t: Messages) -> list[PathNode]:
    """Build the kept and finished nodes of each step, its MAX_PRUNED best pruned ones, and those on a path."""
    nodes: list[PathNode] = []
    indices: dict[int, int] = {}
    ranks: dict[int, int] = {}
    pruned_counts: dict[int, int] = {}
    for node, step in enumerate(tree.steps):
        fate = tree.get_fate(node)
        if fate == "pruned":
            pruned_counts[step] = pruned_counts.get(step, 0) + 1
            if pruned_counts[step] > MAX_PRUNED and node not in greedy:
                continue
        indices[node] = len(nodes)
        nodes.append({
            "step": step, "rank": ranks.get(step, 0), "parent": indices.get(tree.parents[node], -1),
            "text": label_token(tree.pieces[node], t),
            "total_log_probability": round(tree.cumulative_log_probs[node], 2), "fate": fate,
            "is_on_best_path": node in best, "is_on_greedy_path": node in greedy,
        })  # fmt: skip
        ranks[step] = ranks.get(step, 0) + 1
    return nodes
