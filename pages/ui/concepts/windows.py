"""Global attention against local windows (Luong et al. 2015), computed from the scores of Luong's network.

The browser component is assets/player/concepts/windows.js.
"""

from __future__ import annotations

from model.analysis.probing.attention_record import Scored
from model.checkpoints.checkpoint import Model
from model.decoding import StopCallback
from pages.ui.components.component import Component
from pages.ui.concepts.attention_parts import describe_training, label_sides
from pages.ui.concepts.attention_payload_types import WindowsData
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.recurrent import choose_model, round_rows
from pages.ui.i18n.messages import Messages

_mount = Component("windows", WindowsData)


def render_windows(context: IdeaContext) -> None:
    """Draw the windows over the attention of Luong's network."""
    text, name = context.sentence.text, choose_model(context, "luong")

    def compute(model: Model, should_stop: StopCallback) -> Scored:
        from model.analysis.probing.attention_forms import measure_luong_scores  # here: it imports torch

        return measure_luong_scores(model, text, should_stop)

    scored = context.measure(name, ("products", text), compute) if name else None
    if scored is not None:
        _mount(key="concept-windows", data=build_windows_payload(name, scored, context.t))


def build_windows_payload(name: str, scored: Scored, t: Messages) -> WindowsData:
    """Return the payload of a translation by the model `name`. Its own score function is the last one."""
    source, target = label_sides(scored.source, scored.target, t)
    return {
        "source": source,
        "target": target,
        "energies": round_rows(list(scored.scores.values())[-1]),
        "made": describe_training([name], t),
        "parts": t.get_table("concept_parts"),
        "words": t.get_table("concept_windows"),
        "language": t.language,
    }
