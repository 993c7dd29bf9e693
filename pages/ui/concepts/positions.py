"""Positional encodings: the sines and cosines, their dot products, and the model on a sentence that starts later.

The browser component is in assets/player/concepts; it computes the encodings from the formula.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.analysis.attribution.saliency import get_piece_ids
from model.decoding import StopCallback
from model.trace import Trace
from pages.ui.components.component import Component
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.transformer import measure_translation, translate_with_transformer
from pages.ui.concepts.transformer_payload_types import PositionsData

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

SHIFTS = (0, 5, 10, 20, 40, 60, 80, 100, 120, 160, 200, 240)
"""The positions at which the source starts in the measurement; the last one is the end of the pictures' axis."""

_mount = Component("positions", PositionsData)


def render_positions(context: IdeaContext) -> None:
    """Draw the encodings and the measurement."""
    t, translation = context.t, translate_with_transformer(context)
    if translation is None:
        return
    log_probs = measure_translation(context, translation, ("shifted", SHIFTS), _measure)
    if log_probs is None:
        return
    card = translation.card
    data: PositionsData = {
        "model": card.title,
        "tokens": translation.source,
        "token_language": translation.trace.source_language,
        "d": card.network["hidden"],
        "max_training_length": card.training.get("recipe", {}).get("data", {}).get("longest_pieces"),
        "shifts": list(SHIFTS),
        "log_probs": [value / len(translation.target) for value in log_probs],
        "messages": t.get_table("positions"),
        "language": t.language,
    }
    _mount(key="concept-positions", data=data)


def _measure(model: Model, trace: Trace, should_stop: StopCallback) -> list[float]:
    from model.analysis.probing.transformer_internals import measure_shifted_source  # keeps torch out of the first draw

    return measure_shifted_source(model.network, *get_piece_ids(model, trace), SHIFTS, should_stop)
