"""Gates of single units: a GRU and an LSTM over the sentence, with a gate that the reader can force.

The browser component is assets/player/concepts/unit_gates.js.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.analysis.probing.similarity import Array
from model.checkpoints.checkpoint import Model
from model.text.normalise import NormalisedText
from model.trace import Side
from pages.ui.backend import cards
from pages.ui.charts.payload_parts import round_rows, round_values
from pages.ui.components.component import Component
from pages.ui.concepts import idea_parts
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.recurrent_payload_types import UnitGatesData, UnitRun, UnitsModel
from pages.ui.concepts.token_labels import label_tokens
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params

KINDS = {"rnnsearch": "GRU", "seq2seq": "LSTM"}
SHOWN_UNITS = 16  # of each model: those whose memory changes most

_mount = Component("unit_gates", UnitGatesData)


@dataclass(frozen=True, eq=False)
class ShownUnits:
    """Some units of `model.analysis.probing.recurrent_states.UnitRecord`. `size`: the number of all units."""

    side: Side
    order: tuple[int, ...]
    size: int
    numbers: list[int]
    gates: dict[str, Array]
    candidate: Array
    memory: Array


def render_gates(context: IdeaContext) -> None:
    """Draw the units."""
    if not idea_parts.check_length(context):
        return
    text, models = context.sentence.text, []
    for kind, cell in KINDS.items():
        name = idea_parts.choose_model(context, kind)
        units = context.measure(name, ("units", text), lambda model, _: record(model, text)) if name else None
        if units is None:
            return
        models.append(build_units(cards.get_title(name), cell, units, context.t))
    _mount(key="concept-gates", data={
        "models": models, "source_language": params.get_source_language(),
        "messages": context.t.get_table("unit_gates"), "language": context.t.language,
    })  # fmt: skip


def record(model: Model, text: NormalisedText) -> ShownUnits:
    """Record the units that change most."""
    from model.analysis.probing.recurrent_states import choose_units, record_units  # imports torch

    run = record_units(model, text)
    numbers = choose_units(run.memory, SHOWN_UNITS)
    gates = {name: values[:, numbers] for name, values in run.gates.items()}
    candidate, memory = run.candidate[:, numbers], run.memory[:, numbers]
    return ShownUnits(run.side, run.order, run.memory.shape[1], numbers, gates, candidate, memory)


def build_units(title: str, cell: str, units: ShownUnits, t: Messages) -> UnitsModel:
    """Return one model's part of the component's data."""
    labels = label_tokens(units.side, t)
    gates = np.stack(list(units.gates.values()))  # (gates, S, units)
    runs: list[UnitRun] = []
    for index, number in enumerate(units.numbers):
        candidate, memory = (
            round_values(values[:, index], idea_parts.DIGITS) for values in (units.candidate, units.memory)
        )
        rows = round_rows(gates[:, :, index], idea_parts.DIGITS)
        runs.append({"number": number, "gates": rows, "candidate": candidate, "memory": memory})
    return {
        "title": title,
        "cell": cell,
        "gates": list(units.gates),
        "tokens": [labels[position] for position in units.order],
        "size": units.size,
        "units": runs,
    }
