"""What ideas share: the model of a kind, the limit of length, the number of decimals."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from model.checkpoints.checkpoint import VOCABULARY
from model.networks.registry import KINDS
from model.text.normalise import normalise
from model.text.politeness import split_tag
from pages.ui.backend import cards
from pages.ui.concepts.context import IdeaContext
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params
from pages.ui.widgets.controls import name_pair
from pages.ui.widgets.translations import describe_invalid_sentence

MAX_WORDS = 80  # the pictures have a column for each token
DIGITS = 4  # decimals of states and gates; two are shown


def choose_model(context: IdeaContext, kind: str, prefers_words: bool = False) -> str:
    """Return the best model of a kind for the source language; "" if there is none, which the page then says.

    `prefers_words`: one of whole words, if there is one.
    """
    family = cards.list_family(params.get_chosen_model())
    names = [*filter(cards.has_unk, family if prefers_words else ()), *cards.select_one_per_kind(family)]
    name = next((name for name in names if (card := cards.find_card(name)) and card.kind == kind), "")
    if not name:
        _show_note(context.t("recurrent.no_model", kind=KINDS[kind].title) + suggest_pair(kind, context.t))
    return name


def choose_models(context: IdeaContext, kinds: Sequence[str]) -> list[str]:
    """Return the best model of each kind, all with one vocabulary; [] if there are none, which the page then says."""
    names_by_vocabulary: dict[str, list[str]] = {}
    for name in cards.list_family(params.get_chosen_model()):
        if card := cards.find_card(name):
            names_by_vocabulary.setdefault(card.sha256[VOCABULARY], []).append(name)
    for names in names_by_vocabulary.values():
        best_cards = filter(None, map(cards.find_card, cards.select_one_per_kind(names)))
        names_by_kind = {card.kind: card.name for card in best_cards}
        if names_by_kind.keys() >= set(kinds):
            return [names_by_kind[kind] for kind in kinds]
    if all(choose_model(context, kind) for kind in kinds):
        _show_note(context.t("recurrent.no_shared_vocabulary"))
    return []


def suggest_pair(kind: str, t: Messages) -> str:
    """Return a sentence that names a pair with a model of this kind, after a space; "" if there is none."""
    card = cards.find_card_of_kind(kind)
    pairs = cards.list_pairs()
    pair = cards.get_pair(card.name) if card else ""
    return " " + t("recurrent.other_pair", pair=name_pair(pair)) if pair in pairs and len(pairs) > 1 else ""


def check_sentence(context: IdeaContext) -> bool:
    """Return whether the sentence is neither empty nor too long to be translated; else the status line says so."""
    problem = describe_invalid_sentence(context.sentence, params.get_source_language(), context.t)
    if problem:
        context.status.show_problem(problem)
    return not problem


def check_length(context: IdeaContext) -> bool:
    """Return whether the sentence is short enough to be drawn; else the page says so."""
    words = len(split_tag(normalise(context.sentence.typed_text))[1].split())  # all of them: `text` may be cut
    if words > MAX_WORDS:
        _show_note(context.t("recurrent.long", count=words, limit=MAX_WORDS))
    return words <= MAX_WORDS


def _show_note(text: str) -> None:
    st.html(f"<p role='note'>{escape_html(text)}</p>")
