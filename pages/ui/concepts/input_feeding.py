"""The order of a decoder step in three papers, and a translation with and without input feeding.

The browser component is assets/player/concepts/feeding.js.
"""

from __future__ import annotations

from model.analysis.ablation.divergence import find_difference
from model.analysis.probing.attention_record import DecodedTranslation
from model.checkpoints.checkpoint import Model
from model.decoding import StopCallback
from model.trace import Trace
from pages.ui.backend.cards import get_title
from pages.ui.charts.payload_parts import round_values
from pages.ui.components.component import Component
from pages.ui.concepts.attention_parts import describe_hours_and_bleu
from pages.ui.concepts.attention_payload_types import FeedingData, FeedingTranslation
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.idea_parts import check_sentence, choose_model
from pages.ui.concepts.token_labels import label_tokens
from pages.ui.i18n.messages import Messages

DIGITS = 3  # of a probability

_mount = Component("feeding", FeedingData)


def render_input_feeding(context: IdeaContext) -> None:
    """Draw the orders of a step, and both translations."""
    text, (rnnsearch, luong) = context.sentence.text, (choose_model(context, kind) for kind in ("rnnsearch", "luong"))
    if not (rnnsearch and luong and check_sentence(context)):
        return

    def compute(model: Model, should_stop: StopCallback) -> tuple[DecodedTranslation, DecodedTranslation]:
        from model.analysis.probing.attention_forms import (  # here: it imports torch
            translate_greedily,
            translate_without_feeding,
        )

        return translate_greedily(model, text, should_stop), translate_without_feeding(model, text, should_stop)

    pair = context.measure(luong, ("feeding", text), compute)
    if pair is None:
        return
    traces = context.translate([rnnsearch])
    if traces:
        _mount(key="concept-feeding", data=build_feeding_payload((rnnsearch, luong), traces[0], *pair, context.t))


def build_feeding_payload(
    names: tuple[str, str],
    trace: Trace,
    with_feeding: DecodedTranslation,
    without_feeding: DecodedTranslation,
    t: Messages,
) -> FeedingData:
    """Return the payload; `names` are those of RNNsearch and of Luong's network."""
    divergence = find_difference(with_feeding.token_ids, without_feeding.token_ids)
    return {
        "with_feeding": _build_translation(with_feeding, t),
        "without_feeding": _build_translation(without_feeding, t),
        "first_difference": -1 if divergence is None else divergence,
        "rnnsearch": label_tokens(trace.target, t),
        "target_language": trace.target_language,
        "titles": (get_title(names[0]), get_title(names[1])),
        "provenance": describe_hours_and_bleu(names, t),
        "messages": t.get_table("concept_feeding"),
        "language": t.language,
    }


def _build_translation(translation: DecodedTranslation, t: Messages) -> FeedingTranslation:
    return {
        "tokens": label_tokens(translation.target, t),
        "probabilities": round_values(translation.probabilities, DIGITS),
    }
