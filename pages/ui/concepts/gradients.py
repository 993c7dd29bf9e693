"""Gradients of the output in each encoder state, by distance, with the gates of the cells.

The browser component is assets/player/concepts/gradients.js.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Any

import streamlit as st

from model.analysis.attribution.gradient_record import Array, Gates, Gradients
from model.text.languages import DEFAULT_PAIR
from pages.ui.backend import cards
from pages.ui.charts.payload_parts import build_line_style, round_significant
from pages.ui.components.component import Component, get_event
from pages.ui.concepts import gradients_exports
from pages.ui.concepts.gradients_payload_types import GateRow, GateTable, GradientCurve, GradientsData, GradientsModel
from pages.ui.concepts.gradients_text import TitledGradients, describe_curves
from pages.ui.concepts.token_labels import label_tokens
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import get_trailing_text, typeset
from pages.ui.url_state import param_widgets, params, state
from pages.ui.widgets import downloads, print_figures
from pages.ui.widgets.family_results import FamilyResults
from pages.ui.widgets.status import Status

KEY = "family-gradients"
_SENTENCE = f"{KEY}-of"  # session key of the sentence that the chosen word belongs to
_LINES = f"{KEY}-lines"  # session key of the models whose lines the reader showed (True) or hid
DIGITS = 6  # of a gate's mean; two are shown, and more are sent so that it is rounded only once
MANY_MODELS = 5  # with more, only the lines of DEFAULT_KINDS are drawn until the reader asks for others
DEFAULT_KINDS = ("rnnencdec", "seq2seq", "rnnsearch", "transformer")

_mount = Component("gradients", GradientsData)


def render_gradients(results: FamilyResults, members: Sequence[str], t: Messages) -> Status:
    """Draw the gradients there are; return the status line for those still to come."""
    if state.store_and_compare(_SENTENCE, results.text):
        state.reset_params(params.GRADIENT_WORD)
    word_index, model = state.get_param(params.GRADIENT_WORD), state.get_param(params.GATES_MODEL)
    with st.container(key="gradients"):
        data = build_gradients_payload(results, members, word_index, model, t)
        _mount(key=KEY, data=data, on_choice_change=store_choices)
        with st.container(key="gradients-foot", horizontal=True, gap="xsmall"):
            computed_models = [name for name in members if isinstance(results.gradients.get(name), Gradients)]
            if computed_models:
                name = downloads.build_file_name(results.traces[computed_models[0]], "gradients", computed_models)
                drawing = gradients_exports.build_gradients_drawing(name, data, t)
                print_figures.draw_file_buttons(drawing, t, partial(gradients_exports.to_csv, data), key="gradients")
                downloads.draw_download_button(
                    "gradients-gates",
                    t("gradients.gates_csv"),
                    f"{name}-gates.csv",
                    "text/csv",
                    partial(gradients_exports.build_gates_csv, data),
                    t("gradients.gates_help"),
                )
            return Status()


def store_choices() -> None:
    """Store the chosen target word, the model whose gates are shown, and the visible lines, if they are valid."""
    event: Any = get_event(KEY, "choice")
    if not isinstance(event, dict):
        return
    models = param_widgets.list_options(params.GATES_MODEL)
    word_index, gates_model, lines = event.get("word_index"), event.get("gates_model"), event.get("visible_lines")
    if type(word_index) is int and 0 <= word_index <= params.MAX_CHARACTERS:
        st.session_state[params.GRADIENT_WORD.name] = word_index
    if isinstance(gates_model, str) and gates_model in models:
        st.session_state[params.GATES_MODEL.name] = gates_model
    if isinstance(lines, dict) and all(visible in (True, False) for visible in lines.values()):
        st.session_state[_LINES] = {name: bool(lines[name]) for name in models if name in lines}


def build_gradients_payload(
    results: FamilyResults, members: Sequence[str], word_index: int, gates_model: str, t: Messages
) -> GradientsData:
    """Return the payload for the models `members`.

    `word_index`: the target word that it opens at, from 1 (0: the whole translation).
    """
    names = [name for name in members if cards.find_card(name) is not None and name not in results.problems]
    models = [_build_model(name, results, t, len(names) > MANY_MODELS) for name in names]
    titled_gradients = [
        TitledGradients(cards.get_title(name), gradients, results.traces[name].target_language)
        for name in names
        if isinstance(gradients := results.gradients.get(name), Gradients)
    ]
    descriptions = describe_curves(titled_gradients, t)
    with_gates = [model["name"] for model in models if model["gates"]]
    first = results.traces.get(names[0]) if names else None
    return {
        "models": models,
        "descriptions": descriptions,
        "selected_word": word_index if word_index < len(descriptions) else 0,
        "gate_model": gates_model if gates_model in names else next(iter(with_gates or names), ""),
        "languages": (first.source_language, first.target_language) if first else DEFAULT_PAIR,
        "messages": t.get_table("gradients"),
        "language": t.language,
    }


def _build_model(name: str, results: FamilyResults, t: Messages, is_crowded: bool) -> GradientsModel:
    card, trace = cards.find_card(name), results.traces.get(name)
    answer = results.gradients.get(name)
    gradients = answer if isinstance(answer, Gradients) else None
    is_visible = not is_crowded or card is None or card.kind in DEFAULT_KINDS
    return {
        "name": name,
        "title": cards.get_title(name),
        **build_line_style(name),
        "is_hidden": not st.session_state.get(_LINES, {}).get(name, is_visible),
        "words": _build_words(gradients, trace.target_language, t) if gradients and trace else [],
        "curves": _build_curves(gradients) if gradients else [],
        "tokens": _order_tokens(gradients, t) if gradients else [],
        "positions": list(gradients.positions_by_distance) if gradients else [],
        "gates": _build_gates(gradients, t) if gradients else [],
        "no_gates": _explain_missing_gates(gradients, t) if gradients else "",
        "problem": answer if isinstance(answer, str) else "",
    }


def _order_tokens(gradients: Gradients, t: Messages) -> list[str]:
    labels = label_tokens(gradients.source, t)
    return [labels[position] for position in gradients.positions_by_distance]


def _build_words(gradients: Gradients, language: str, t: Messages) -> list[tuple[str, str]]:
    target = gradients.target
    end = [(f"{get_trailing_text(target)} ", t("gradients.end"))] if -1 in target.word_of else []
    return [*typeset(target, language), *end]


def _build_curves(gradients: Gradients) -> list[GradientCurve]:
    total = gradients.compute_word_decay_curves(gradients.total)
    direct: list[Array] | list[None] = [None] * len(total)
    if gradients.direct is not None and gradients.is_recurrent:
        direct = gradients.compute_word_decay_curves(gradients.direct)
    return [
        {"values": round_significant([total_values])[0],
         "direct": None if direct_values is None else round_significant([direct_values])[0]}
        for total_values, direct_values in zip(total, direct, strict=True)
    ]


def _build_gates(gradients: Gradients, t: Messages) -> list[GateTable]:
    tables: list[GateTable] = []
    for name, cells in groupby(gradients.gates, key=lambda gates: gates.side):
        side = gradients.source if name == "encoder" else gradients.target
        rows = [row for cell in cells for row in _build_rows(cell, gradients, len(side.pieces), t)]
        tables.append(
            {"side": "encoder" if name == "encoder" else "decoder", "tokens": label_tokens(side, t), "rows": rows}
        )
    return tables


def _build_rows(cell: Gates, gradients: Gradients, count: int, t: Messages) -> list[GateRow]:
    """Return the gates of one cell, labelled with layer (if there are several) and direction."""
    layers = {gates.layer for gates in gradients.gates if gates.side == cell.side}
    steps = gradients.remaining_steps
    # Remaining steps fall from left to right; the end of the sentence may be out of order, hence the first two.
    is_forward = steps[0] >= steps[-1] and (len(steps) < 3 or steps[0] > steps[1])
    arrow = "" if cell.side == "decoder" else "→" if is_forward == (cell.direction == 1) else "←"
    prefix = " ".join(filter(None, (str(cell.layer) if len(layers) > 1 else "", arrow)))
    missing = [None] * (count - cell.values.shape[1])
    return [{"label": f"{prefix} {_translate_gate(name, t)}".strip(),
             "values": [*missing, *(round(float(value), DIGITS) for value in values)]}
            for name, values in zip(cell.names, cell.values, strict=True)]  # fmt: skip


def _translate_gate(name: str, t: Messages) -> str:
    """Return a gate's name in the reader's language; an unknown gate keeps the network's name."""
    names = {
        "update": t("gradients.update"),
        "reset": t("gradients.reset"),
        "input": t("gradients.input"),
        "forget": t("gradients.forget"),
        "output": t("gradients.output"),
    }
    return names.get(name, name)


def _explain_missing_gates(gradients: Gradients, t: Messages) -> str:
    if gradients.gates:
        return ""
    return t("gradients.no_gates") if gradients.is_recurrent else t("gradients.no_steps")
