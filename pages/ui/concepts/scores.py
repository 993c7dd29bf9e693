"""Score functions of attention, switchable on one translation.

RNNsearch translates; Luong's network and the Transformer are forced to the same tokens, so that all score functions
have the same rows and columns. The browser component is assets/player/concepts/score_functions.js.
"""

from __future__ import annotations

import numpy as np

from model.analysis.probing.attention_record import Array, ScoredTranslation
from model.checkpoints.checkpoint import Model
from model.decoding import StopCallback
from pages.ui.backend import cards
from pages.ui.charts.payload_parts import round_rows
from pages.ui.components.component import Component
from pages.ui.concepts.attention_parts import build_tokenized_data
from pages.ui.concepts.attention_payload_types import ScoreForm, ScoreName, ScoresData
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.idea_parts import DIGITS, check_sentence, choose_models
from pages.ui.i18n.messages import Messages

MIN_WEIGHT = 1e-9  # below it the logarithm of a weight is cut off

_mount = Component("score_functions", ScoresData)


def render_scores(context: IdeaContext) -> None:
    """Draw the score functions."""
    text, t = context.sentence.text, context.t
    names = choose_models(context, ("rnnsearch", "luong", "transformer"))
    if not names or not check_sentence(context):
        return

    def compute_additive(model: Model, should_stop: StopCallback) -> ScoredTranslation:
        from model.analysis.probing.attention_forms import measure_additive_scores  # here: it imports torch

        return measure_additive_scores(model, text, should_stop)

    def compute_products(model: Model, should_stop: StopCallback) -> ScoredTranslation:
        from model.analysis.probing.attention_forms import measure_luong_scores

        return measure_luong_scores(model, text, should_stop, additive.token_ids if additive else ())

    def compute_heads(model: Model, should_stop: StopCallback) -> dict[int, Array]:
        from model.analysis.probing.attention_forms import measure_head_weights

        return measure_head_weights(model, text, should_stop, additive.token_ids if additive else ())

    additive = context.measure(names[0], ("additive", text), compute_additive)
    if additive is None:
        return
    products = context.measure(names[1], ("products", text, additive.token_ids), compute_products)
    heads = context.measure(names[2], ("heads", text, additive.token_ids), compute_heads)
    if products is not None and heads is not None:
        _mount(key="concept-scores", data=build_scores_payload(names, additive, products, heads, t))


def build_scores_payload(
    names: list[str], additive: ScoredTranslation, products: ScoredTranslation, heads: dict[int, Array], t: Messages
) -> ScoresData:
    """Return the payload; `names` are those of RNNsearch, of Luong's network and of the Transformer."""
    rnnsearch, luong, transformer = names
    head = choose_closest_head(heads, compute_weights(additive.scores["additive"]))
    card = cards.find_card(transformer)
    layer = next((one.layer for one in card.maps if one.layer), 0) if card else 0  # the main map's
    difference = float(np.abs(additive.scores["additive"] - additive.scores["concat"]).max())
    forms = [
        _build_form("additive", rnnsearch, additive.scores["additive"], t("concept_scores.note_additive")),
        _build_form("concat", rnnsearch, additive.scores["concat"],
                    t("concept_scores.note_concat", difference=f"{difference:.0e}")),
        *([_build_form("general", luong, products.scores["general"], t("concept_scores.note_general"))]
          if "general" in products.scores else []),
        _build_form("dot", luong, products.scores["dot"], t("concept_scores.note_dot"), is_trained=False),
        _build_form("scaled_formula", luong, products.scores["scaled dot"], t("concept_scores.note_scaled_formula"),
                    is_trained=False),
        _build_form("scaled_head", transformer, np.log(np.maximum(heads[head], MIN_WEIGHT)),
                    t("concept_scores.note_scaled_head", head=head, layer=layer, count=len(heads))),
    ]  # fmt: skip
    return {
        **build_tokenized_data(additive, names, t),
        "forms": forms,
        "messages": t.get_table("concept_scores"),
    }


def compute_weights(energies: Array) -> Array:
    """Return the softmax of each row."""
    powers = np.exp(energies - energies.max(axis=1, keepdims=True))
    weights: Array = powers / powers.sum(axis=1, keepdims=True)
    return weights


def choose_closest_head(heads: dict[int, Array], alpha: Array) -> int:
    """Return the head whose weights differ least from `alpha`, by the mean absolute difference."""
    return min(heads, key=lambda head: float(np.abs(heads[head] - alpha).mean()))


def _build_form(name: ScoreName, model: str, energies: Array, note: str, *, is_trained: bool = True) -> ScoreForm:
    return {"name": name, "model": cards.get_title(model), "is_trained": is_trained, "note": note,
            "energies": round_rows(energies - energies.max(axis=1, keepdims=True), DIGITS)}  # fmt: skip
