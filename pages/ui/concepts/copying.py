"""Copying: p_gen and the copied part of each token's probability, with buttons that put a rare name into the sentence.

The browser component is assets/player/concepts/copying.js.
"""

from __future__ import annotations

import streamlit as st

from model.analysis.probing.attention_record import CopySplit
from model.checkpoints.checkpoint import Model
from model.decoding import StopCallback
from model.text.politeness import split_tag
from model.text.words import is_content_word, split_words
from pages.ui.backend import cards
from pages.ui.charts.payload_parts import round_rows, round_values
from pages.ui.components.component import Component
from pages.ui.concepts.attention_parts import build_tokenized_data
from pages.ui.concepts.attention_payload_types import CopyingData
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.idea_parts import DIGITS, check_sentence, choose_model
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params
from pages.ui.url_state.state import build_sentence_param
from pages.ui.widgets.controls import set_sentence

NAMES_SENTENCE = "My name is Kowalczyk and I was born in Nyíregyháza."
RARE_NAMES = ("Kowalczyk", "Szczepański", "Nyíregyháza")

_mount = Component("copying", CopyingData)


def render_copying(context: IdeaContext) -> None:
    """Draw what is copied and what is generated."""
    text, t, name = context.sentence.text, context.t, choose_model(context, "copy", prefers_words=True)
    if not name:
        return
    with st.container(key="copying-names", horizontal=True, gap="xsmall"):
        language = params.get_source_language()
        if language == "en":
            st.button(t("concept_copying.example"), key="copying-example", on_click=set_sentence,
                      args=(NAMES_SENTENCE,))  # fmt: skip
        # Of a sentence that is too long `text` has only the beginning, which must not replace what was typed.
        for rare in RARE_NAMES if context.sentence.is_translatable else ():
            replaced_word, sentence = replace_word(split_tag(text)[1], rare, language)
            if replaced_word:
                st.button(t("concept_copying.replace", word=replaced_word, name=rare), key=f"copying-{rare}",
                          on_click=set_sentence, args=(sentence,))  # fmt: skip

    def compute(model: Model, should_stop: StopCallback) -> CopySplit:
        from model.analysis.probing.attention_forms import split_copying  # here: it imports torch

        return split_copying(model, text, should_stop)

    split = context.measure(name, ("copying", text), compute) if check_sentence(context) else None
    if split is not None:
        _mount(key="concept-copying", data=build_copying_payload(name, split, t))
        members = tuple(filter(cards.has_unk, cards.list_family(params.get_chosen_model())))
        if name in members and len(members) > 1:
            values = {**build_sentence_param(str(text)), params.FAMILY_MODELS.name: members}
            frame.draw_page_link("family", t("concept_copying.side_by_side"), values)


def replace_word(text: str, name: str, language: str) -> tuple[str, str]:
    """Put `name` in the place of a word; return that word and the new sentence. ("", text) if the text has the name, or
    no word to replace.

    The word is another of RARE_NAMES if the text has one, else the last of the longest content words.
    """
    start, replaced_word, position = 0, "", -1
    for first, last in split_words(text, language):
        word = text[first:last]
        if word == name:
            return "", text
        is_better = word in RARE_NAMES or (
            replaced_word not in RARE_NAMES and is_content_word(word, language) and len(word) >= len(replaced_word)
        )
        if is_better:
            start, replaced_word, position = first, word, last
    return (replaced_word, text[:start] + name + text[position:]) if replaced_word else ("", text)


def build_copying_payload(name: str, split: CopySplit, t: Messages) -> CopyingData:
    """Return the payload of a translation by the model `name`."""
    messages = t.get_table("concept_copying")
    if cards.has_unk(name):
        messages["note"] = messages["note_words"]
    return {
        **build_tokenized_data(split, [name], t),
        "p_gen": round_values(split.p_gen, DIGITS),
        "probabilities": round_values(split.probabilities, DIGITS),
        "copied": round_values(split.copied, DIGITS),
        "alpha": round_rows(split.alpha, DIGITS),
        "messages": messages,
    }
