"""What came after: published results, where "it" attends to, and other tasks of attention as simple boxes.

The browser component is in assets/player/concepts.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from model.decoding import StopCallback
from model.text.normalise import normalise
from model.text.politeness import split_tag
from pages.ui.backend import cards
from pages.ui.components.component import Component
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.transformer import KIND
from pages.ui.concepts.transformer_payload_types import Coreference, OutlookData
from pages.ui.url_state import params, state
from pages.ui.url_state.param_types import Param
from pages.ui.widgets.controls import choose_pair

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

SENTENCE = "The dog did not eat the soup because it was too hot."
CHANGED_SENTENCE = "The dog did not eat the soup because it was too tired."
PRONOUN, NOUN = "it", "soup"
MAX_WORDS = 14  # of the sentence in the picture of pointers, as its text says

_mount = Component("outlook", OutlookData)


def render_outlook(context: IdeaContext) -> None:
    """Draw the choice of a topic, and its picture."""
    card = cards.find_card_of_kind(KIND)
    coreference = None
    if card is not None and card.source_language == "en":
        coreference = context.measure(card.name, ("coreference", SENTENCE, CHANGED_SENTENCE), measure_coreference)
    data: OutlookData = {
        "tokens": split_tag(context.sentence.text)[1].split()[:MAX_WORDS],
        "token_language": params.get_source_language(),
        "coreference": coreference,
        "messages": context.t.get_table("outlook"),
        "language": context.t.language,
    }
    callback = partial(open_head, coreference, cards.get_pair(card.name)) if card and coreference else lambda: None
    _mount(key="concept-outlook", data=data, on_open_change=callback)


def open_head(coreference: Coreference, pair: str) -> None:
    """Show the head in *Self-attention*, of the sentence in which it was found; the callback."""
    if params.get_chosen_pair() != pair:
        choose_pair(pair)
    values: dict[Param[Any], str] = {
        params.IDEA: "self_attention", params.SENTENCE: coreference["sentence"], params.STACK: "encoder",
        params.LAYER: str(coreference["layer"]), params.HEAD: str(coreference["head"]),
    }  # fmt: skip
    for param, value in values.items():
        st.session_state[param.name] = value
        state.store_param(param, value)


def measure_coreference(model: Model, _: StopCallback) -> Coreference | None:
    """Find the encoder's head in which the pronoun attends most to the noun; None if the vocabulary splits one."""
    # Imported late, to keep torch out of the page's first draw.
    from model.analysis.probing.transformer_internals import measure_encoder_weights

    weights = []
    for sentence in (SENTENCE, CHANGED_SENTENCE):
        ids = model.vocabulary.encode(normalise(sentence))
        side = model.vocabulary.build_side(ids, "en")
        row, column = (_find_word(side.words, side.word_of, word) for word in (PRONOUN, NOUN))
        if row is None or column is None:
            return None
        weights.append(measure_encoder_weights(model.network, ids, row, column))
    layer, head = max(weights[0], key=weights[0].__getitem__)
    return {
        "sentence": SENTENCE, "layer": layer, "head": head, "weight": weights[0][layer, head],
        "changed_sentence": CHANGED_SENTENCE, "changed_weight": weights[1][layer, head],
    }  # fmt: skip


def _find_word(words: tuple[str, ...], word_of: tuple[int, ...], word: str) -> int | None:
    """Return the position of the token that is this word; None if it has several."""
    positions = [position for position, index in enumerate(word_of) if index >= 0 and words[index] == word]
    return positions[0] if len(positions) == 1 else None
