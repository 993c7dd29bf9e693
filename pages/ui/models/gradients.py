"""Recurrence and gradients: how much of each state of the encoder still reaches what is written, by distance, and the
gates beside it (assets/player/family/gradients.js)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Any

import streamlit as st

from model.analysis.attribution.gradient_record import Array, Gates, Gradients
from model.text.languages import DEFAULT_PAIR
from pages.ui.backend import cards
from pages.ui.charts.curves import get_line_style
from pages.ui.components.component import Component, sent
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import tail, typeset
from pages.ui.models import gradients_exports
from pages.ui.models.family_results import FamilyResults
from pages.ui.models.gradients_text import TitledGradients, describe_curves, label_pieces
from pages.ui.models.gradients_types import GateRow, GateTable, GradientCurve, GradientsData, GradientsModel
from pages.ui.url_state import links, state
from pages.ui.widgets import printed, saving
from pages.ui.widgets.status import Status

KEY = "family-gradients"
_OF = f"{KEY}-of"  # where the session keeps the sentence that a word was chosen of
_LINES = f"{KEY}-lines"  # and which models' lines the reader showed (True) or hid
DIGITS = 6  # of a gate's mean, of which two are shown: with fewer they might be rounded twice
MANY = 5  # models; of more only those of FIRST have their lines drawn unless the reader asks for the others
FIRST = ("rnnencdec", "seq2seq", "rnnsearch", "transformer")  # one vector, one vector, looking back, only looking

_mount = Component("gradients", GradientsData)


def render_gradients(asked: FamilyResults, members: Sequence[str], t: Messages) -> Status:
    """Draw what is known so far; returns the line that tells of waiting for the rest."""
    if state.other(_OF, asked.text):
        state.forget(links.WRITTEN)
    written, chosen = state.carried(links.WRITTEN), state.carried(links.GATES)
    with st.container(key="gradients"):
        data = build_gradients_payload(asked, members, written, chosen, t)
        _mount(key=KEY, data=data, on_reached_change=_reached)
        with st.container(key="gradients-foot", horizontal=True, gap="xsmall"):
            found = [one for one in members if isinstance(asked.gradients.get(one), Gradients)]
            if found:
                name = saving.named(asked.traces[found[0]], "gradients")
                drawing = gradients_exports.build_gradients_drawing(name, data, t)
                printed.files(drawing, t, partial(gradients_exports.to_csv, data), key="gradients")
                saving.button("gradients-gates", t("gradients.gates_csv"), f"{name}-gates.csv", "text/csv",
                              partial(gradients_exports.gates_to_csv, data), t("gradients.gates_help"))  # fmt: skip
            return Status()


def _reached() -> None:
    """The reader chose a written word, the model whose gates are shown, or whose lines are drawn."""
    found: Any = sent(KEY, "reached")
    if not isinstance(found, dict):
        return
    written, gates, lines = found.get("written"), found.get("gates"), found.get("lines")
    if type(written) is int and 0 <= written <= links.LIMIT:
        st.session_state[links.WRITTEN.name] = written
    if isinstance(gates, str) and gates in links.GATES.kind.allowed():
        st.session_state[links.GATES.name] = gates
    if isinstance(lines, dict) and all(shown in (True, False) for shown in lines.values()):
        st.session_state[_LINES] = {one: bool(lines[one]) for one in links.GATES.kind.allowed() if one in lines}


def build_gradients_payload(
    asked: FamilyResults, members: Sequence[str], written: int, chosen: str, t: Messages
) -> GradientsData:
    """What the component draws: plain lists and texts only."""
    names = [name for name in members if cards.find(name) is not None and name not in asked.problems]
    models = [_model(name, asked, t, len(names) > MANY) for name in names]
    named = [TitledGradients(cards.title_of(name), one, asked.traces[name].target_language) for name in names
             if isinstance(one := asked.gradients.get(name), Gradients)]  # fmt: skip
    told = describe_curves(named, t)
    with_gates = [model["name"] for model in models if model["gates"]]
    first = asked.traces.get(names[0]) if names else None
    return {
        "models": models,
        "told": told,
        "written": written if written < len(told) else 0,
        "shown": chosen if chosen in names else next(iter(with_gates or names), ""),
        "languages": (first.source_language, first.target_language) if first else DEFAULT_PAIR,
        "words": t.table("gradients"),
        "language": t.language,
    }


def _model(name: str, asked: FamilyResults, t: Messages, many: bool) -> GradientsModel:
    style, found, trace, card = (
        get_line_style(name),
        asked.gradients.get(name),
        asked.traces.get(name),
        cards.find(name),
    )
    usual = not many or card is None or card.kind in FIRST
    known = found if isinstance(found, Gradients) else None
    return {
        "name": name,
        "title": cards.title_of(name),
        "dashed": not style.is_ink,
        "hollow": style.is_hollow,
        "marker": style.marker,
        "quiet": not st.session_state.get(_LINES, {}).get(name, usual),
        "words": _words(known, trace.target_language, t) if known and trace else [],
        "curves": _curves(known) if known else [],
        "pieces": _pieces(known, t) if known else [],
        "places": list(known.places_by_distance) if known else [],
        "gates": _gates(known, t) if known else [],
        "gateless": _gateless(known, t) if known else "",
        "problem": found if isinstance(found, str) else "",
    }


def _pieces(found: Gradients, t: Messages) -> list[str]:
    names = label_pieces(found.source, t)
    return [names[place] for place in found.places_by_distance]


def _words(found: Gradients, language: str, t: Messages) -> list[tuple[str, str]]:
    ended = [(f"{tail(found.target)} ", t("gradients.end"))] if -1 in found.target.word_of else []
    return [*typeset(found.target, language), *ended]


def _curves(found: Gradients) -> list[GradientCurve]:
    whole = found.word_decay_curves(found.total)
    apart = found.direct is not None and found.is_recurrent
    looks = found.word_decay_curves(found.direct) if apart and found.direct is not None else [None] * len(whole)
    return [{"values": _short(values), "look": None if alone is None else _short(alone)}
            for values, alone in zip(whole, looks, strict=True)]  # fmt: skip


def _short(values: Array) -> list[float]:
    """Four digits of each number."""
    return [float(f"{value:.4g}") for value in values]


def _gates(found: Gradients, t: Messages) -> list[GateTable]:
    tables: list[GateTable] = []
    for side, cells in groupby(found.gates, key=lambda one: one.side):
        of = found.source if side == "encoder" else found.target
        rows = [row for cell in cells for row in _rows(cell, found, len(of.pieces), t)]
        tables.append(
            {"side": "encoder" if side == "encoder" else "decoder", "places": label_pieces(of, t), "rows": rows}
        )
    return tables


def _rows(cell: Gates, found: Gradients, places: int, t: Messages) -> list[GateRow]:
    """The gates of one cell, named by its layer, where there are several, and the way that it reads."""
    layers = {one.layer for one in found.gates if one.side == cell.side}
    left = found.remaining_steps
    onward = left[0] >= left[-1] and (len(left) < 3 or left[0] > left[1])
    way = "" if cell.side == "decoder" else "→" if onward == (cell.direction == 1) else "←"
    head = " ".join(filter(None, (str(cell.layer) if len(layers) > 1 else "", way)))
    unrun = [None] * (places - cell.values.shape[1])
    return [{"label": f"{head} {_gate(name, t)}".strip(),
             "values": [*unrun, *(round(float(value), DIGITS) for value in values)]}
            for name, values in zip(cell.names, cell.values, strict=True)]  # fmt: skip


def _gate(name: str, t: Messages) -> str:
    """A gate's name in the reader's language where it is one of the usual ones; else as the network gives it."""
    usual = {
        "update": t("gradients.update"),
        "reset": t("gradients.reset"),
        "input": t("gradients.input"),
        "forget": t("gradients.forget"),
        "output": t("gradients.output"),
    }
    return usual.get(name, name)


def _gateless(found: Gradients, t: Messages) -> str:
    if found.gates:
        return ""
    return t("gradients.no_gates") if found.is_recurrent else t("gradients.no_steps")
