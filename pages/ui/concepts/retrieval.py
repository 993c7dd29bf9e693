"""Attention as soft retrieval: the query of one decoder step, scores, softmax, weighted sum of the values.

The browser component is assets/player/concepts/retrieval.js.
"""

from __future__ import annotations

import math

from model.analysis.probing.attention_record import TEMPERATURES, Retrieval
from model.checkpoints.checkpoint import Model
from model.decoding import StopCallback
from pages.ui.backend.cards import find_card
from pages.ui.charts.payload_parts import round_rows
from pages.ui.components.component import Component
from pages.ui.concepts.attention_parts import build_tokenized_data
from pages.ui.concepts.attention_payload_types import RetrievalData
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.idea_parts import DIGITS, check_sentence, choose_model
from pages.ui.concepts.token_labels import label_token
from pages.ui.i18n.messages import Messages

PROBABILITY_DIGITS = 3

_mount = Component("retrieval", RetrievalData)


def render_retrieval(context: IdeaContext) -> None:
    """Draw the lookup of each step."""
    text, name = context.sentence.text, choose_model(context, "rnnsearch")

    def compute(model: Model, should_stop: StopCallback) -> Retrieval:
        from model.analysis.probing.attention_forms import measure_retrieval  # here: it imports torch

        return measure_retrieval(model, text, should_stop)

    if not name or not check_sentence(context):
        return
    retrieval = context.measure(name, ("retrieval", text), compute)
    if retrieval is not None:
        _mount(key="concept-retrieval", data=build_retrieval_payload(name, retrieval, context.t))


def build_retrieval_payload(name: str, retrieval: Retrieval, t: Messages) -> RetrievalData:
    """Return the payload of a translation by the model `name`."""
    card = find_card(name)
    network = card.network if card else {}
    return {
        **build_tokenized_data(retrieval, [name], t),
        "queries": round_rows(retrieval.queries, DIGITS),
        "keys": round_rows(retrieval.keys, DIGITS),
        "values": round_rows(retrieval.values, DIGITS),
        "energies": round_rows(retrieval.energies, DIGITS),
        "temperatures": [None if math.isinf(temperature) else temperature for temperature in TEMPERATURES],
        "predictions": [[(label_token(piece, t), round(probability, PROBABILITY_DIGITS)) for piece, probability in step]
                        for step in retrieval.predictions],
        "units": (int(network.get("alignment", 0)), 2 * int(network.get("hidden", 0))),
        "shared_messages": t.get_table("concept_parts"),
        "messages": t.get_table("concept_retrieval"),
    }  # fmt: skip
